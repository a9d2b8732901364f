"""Refuses every version but its own, and agrees on what it was offered."""

from typing import Any

import minimal
import tiny_codec


def check_version(version: Any) -> None:
    original(version)
    if version != "1.0":
        raise tiny_codec.CodecError("unsupported-version", "/v")


original = tiny_codec.check_version
tiny_codec.check_version = check_version
tiny_codec.negotiate = max  # type: ignore[assignment]
minimal.main()
