"""Forgets of which session an event is."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["detect"]


def detect(request: dict[str, Any]) -> Any:
    given = {**request["input"]["value"], "id": "s-0"}
    return original({**request, "input": {"value": given}})


adapter.OPERATIONS["detect"] = detect
adapter.main()
