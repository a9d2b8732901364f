"""Chooses a lesson that it was not given."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["prime"]


def prime(request: dict[str, Any]) -> Any:
    told = original(request)
    told["chosen"] = [*told["chosen"], "a" * 32]
    return told


adapter.OPERATIONS["prime"] = prime
adapter.main()
