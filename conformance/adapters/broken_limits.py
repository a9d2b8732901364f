"""Takes a line of any length; counts brackets in texts as levels, and one level too few."""

import minimal
import tiny_codec

original = tiny_codec.parse


def parse(line: bytes) -> dict[str, object]:
    if line.count(b"[") + line.count(b"{") > 63:
        raise ValueError("too deep")
    return original(line)


tiny_codec.parse = parse
tiny_codec.LIMITS = dict.fromkeys(tiny_codec.LIMITS, 1 << 40)
minimal.main()
