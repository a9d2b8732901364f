"""Puts a lesson before an agent without saying where it is from."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["prime"]


def prime(request: dict[str, Any]) -> Any:
    told = original(request)
    told["text"] = told["text"] and "\n".join(told["text"].split("\n")[1:-1])
    return told


adapter.OPERATIONS["prime"] = prime
adapter.main()
