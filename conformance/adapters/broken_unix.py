"""Writes every file as Unix has them: no byte order mark, and one character ends a line."""

import base64
from typing import Any

from remem_cli import adapter


def broken(name: str) -> Any:
    original = adapter.OPERATIONS[name]

    def operation(request: dict[str, Any]) -> Any:
        told = original(request)
        for file in told["files"] if "refused" not in told else ():
            data = base64.b64decode(file["raw"]).removeprefix(b"\xef\xbb\xbf")
            file["raw"] = base64.b64encode(data.replace(b"\r\n", b"\n")).decode("ascii")
        return told

    return operation


for name in ("render", "take-out"):
    adapter.OPERATIONS[name] = broken(name)
adapter.main()
