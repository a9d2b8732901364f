"""Reads any time that its library reads, and respells it."""

import datetime
from typing import Any

import minimal
import tiny_codec

original = tiny_codec.check


def check(holds: str, value: Any, at: str) -> Any:
    if holds == tiny_codec.TIME and isinstance(value, str) and "T24" not in value:
        try:
            moment = datetime.datetime.fromisoformat(value)
        except ValueError:
            raise tiny_codec.FieldError(at) from None
        value = moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")
    return original(holds, value, at)


tiny_codec.check = check
minimal.main()
