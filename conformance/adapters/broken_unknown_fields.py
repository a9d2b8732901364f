"""Keeps the fields that it does not know."""

from typing import Any

import minimal
import tiny_codec

original = tiny_codec.known


def known(shape: str, value: dict[str, Any], at: str = "") -> dict[str, Any]:
    return value | original(shape, value, at)


tiny_codec.known = known
minimal.main()
