"""Says `malformed` whatever is wrong."""

from typing import Any

import minimal

original = minimal.attempt


def attempt(operation: Any, given: Any) -> dict[str, Any]:
    reply = original(operation, given)
    if "error" in reply:
        reply["error"]["code"] = "malformed"
    return reply


minimal.attempt = attempt
minimal.main()
