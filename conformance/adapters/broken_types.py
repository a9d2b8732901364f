"""Converts: a number to a text, a text or a fraction to a number, null to what it likes."""

from typing import Any

import minimal
import tiny_codec

original = tiny_codec.check


def check(holds: str, value: Any, at: str) -> Any:
    if holds == "INT":
        return original(holds, int(value), at)
    if holds not in tiny_codec.SHAPES and not isinstance(value, str):
        value = str(value or "")
    return original(holds, value, at)


tiny_codec.check = check
minimal.main()
