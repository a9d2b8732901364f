"""Reads every word as a prompt."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["read"]


def read(request: dict[str, Any]) -> Any:
    found = original(request)
    for session in found["sessions"]:
        for turn in session["turns"]:
            turn.pop("via", None)
    return found


adapter.OPERATIONS["read"] = read
adapter.main()
