"""Tells a lesson to a session that is held out."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["prime"]


def prime(request: dict[str, Any]) -> Any:
    told = original(request)
    if told["held_out"] and told["chosen"]:
        told["text"] = "<!-- remem:start -->\n- Mind what failed.\n<!-- remem:end -->"
    return told


adapter.OPERATIONS["prime"] = prime
adapter.main()
