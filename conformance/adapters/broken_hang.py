"""Never comes back from an empty line."""

import threading

import minimal
import tiny_codec

original = tiny_codec.parse


def parse(line: bytes) -> dict[str, object]:
    if not line:
        threading.Event().wait()
    return original(line)


tiny_codec.parse = parse
minimal.main()
