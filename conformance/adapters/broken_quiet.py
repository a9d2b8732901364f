"""Finds nothing but that a session took place."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["detect"]


def detect(request: dict[str, Any]) -> Any:
    return original(request)[-1:]


adapter.OPERATIONS["detect"] = detect
adapter.main()
