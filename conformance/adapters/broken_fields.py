"""Believes that a text is any text: no closed lists, no lengths, no ids."""

from typing import Any

import minimal
import tiny_codec

original = tiny_codec.check
NUMBERS = ("INT", "PERCENT", "BOOL")


def check(holds: str, value: Any, at: str) -> Any:
    texts = holds not in tiny_codec.SHAPES and holds not in (*NUMBERS, tiny_codec.TIME)
    return original("" if texts else holds, value, at)


tiny_codec.check = check
minimal.main()
