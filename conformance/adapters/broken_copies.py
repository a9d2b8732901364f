"""Reads each session twice."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["read"]


def read(request: dict[str, Any]) -> Any:
    found = original(request)
    found["sessions"] *= 2
    return found


adapter.OPERATIONS["read"] = read
adapter.main()
