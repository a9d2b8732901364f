"""Reads around damage and says nothing of it."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["read"]


def read(request: dict[str, Any]) -> Any:
    found = original(request)
    found["damaged"] = 0
    return found


adapter.OPERATIONS["read"] = read
adapter.main()
