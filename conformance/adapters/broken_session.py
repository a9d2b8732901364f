"""Reads sessions that never ended."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["read"]


def read(request: dict[str, Any]) -> Any:
    found = original(request)
    for session in found["sessions"]:
        del session["ended"]
    return found


adapter.OPERATIONS["read"] = read
adapter.main()
