"""Leaves the first entry out of its ledger."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["ledger"]


def ledger(request: dict[str, Any]) -> Any:
    return original(request)[1:]


adapter.OPERATIONS["ledger"] = ledger
adapter.main()
