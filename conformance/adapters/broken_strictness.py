"""Repairs what it is given: drops a byte order mark, bad UTF-8 and half surrogate pairs."""

import json
from typing import Any

import minimal
import tiny_codec


def parse(line: bytes) -> dict[str, Any]:
    text = line.decode("utf-8-sig", "ignore")
    value = json.loads(text, strict=False, object_pairs_hook=tiny_codec.unique)
    if not isinstance(value, dict):
        raise ValueError("no object")
    mended = json.dumps(value, ensure_ascii=False).encode("utf-8", "ignore")
    return original(mended)


original = tiny_codec.parse
tiny_codec.parse = parse
minimal.main()
