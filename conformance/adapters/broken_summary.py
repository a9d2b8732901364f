"""Tells of a session before what happened in it."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["detect"]


def detect(request: dict[str, Any]) -> Any:
    events = original(request)
    return [events[-1], *events[:-1]]


adapter.OPERATIONS["detect"] = detect
adapter.main()
