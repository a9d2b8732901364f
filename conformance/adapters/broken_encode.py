"""Writes an empty text as no text, and a line end into the line."""

from typing import Any

import minimal
import tiny_codec

original = tiny_codec.encode


def encode(record: str, value: dict[str, Any]) -> bytes:
    kept = {key: field for key, field in value.items() if field != ""}
    return original(record, kept).replace(rb"\n", b"\n")


tiny_codec.encode = encode
minimal.main()
