"""Never says where."""

from typing import Any

import minimal

original = minimal.attempt


def attempt(operation: Any, given: Any) -> dict[str, Any]:
    reply = original(operation, given)
    reply.get("error", {}).pop("at", None)
    return reply


minimal.attempt = attempt
minimal.main()
