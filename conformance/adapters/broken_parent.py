"""Reads a subagent's transcript as anybody's."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["read"]


def read(request: dict[str, Any]) -> Any:
    found = original(request)
    for session in found["sessions"]:
        session.pop("parent", None)
    return found


adapter.OPERATIONS["read"] = read
adapter.main()
