"""Ways to spoil a file: its bytes, its rows, the JSON in them, its size.

Every choice is drawn from hypothesis, so that what fails can be made smaller and found again.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]
# What crashes, truncation and other programs leave in such files.
PIECES = (
    *(b"\x00" * 64, b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\r\n", b"\n"),
    *(b"\\ud83d", b"\\u0000", b'"', b"\\", b"{", b"}", b"[", b"]", b"[" * 3000, b'{"a":' * 300),
    *(b"null", b"-1", b"1e999", b"NaN", b"9" * 400, b"\x28\xb5\x2f\xfd", b"PK\x03\x04"),
    *(b"<!-- remem:start -->", b'"type":"user"'),
)
_LONG = 1 << 16
_VALUES = st.sampled_from(
    [
        *(None, True, -1, 0, 10**30, 1e300, -0.5, "", "x", "\ud83d", "\x00", "x" * 9000, "user"),
        *([], {}, [[]], [None], [""], {"type": "text"}, [{"type": "text"}], {"a": [{}]}),
        *("2026-13-45T99:99:99Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.9+14:00"),
    ]
)


def spoil(draw: Draw, content: bytes, others: Sequence[bytes]) -> bytes:
    """Return a content after one to five changes."""
    for _ in range(draw(st.integers(1, 5))):
        change = draw(st.sampled_from(_CHANGES))
        content = change(draw, content, others)
    return content


def _flip(draw: Draw, content: bytes, _: Sequence[bytes]) -> bytes:
    place, byte = _place(draw, content), draw(st.integers(0, 255))
    return content[:place] + bytes([byte]) + content[place + 1 :]


def _cut(draw: Draw, content: bytes, _: Sequence[bytes]) -> bytes:
    begin = _place(draw, content)
    return content[:begin] + content[begin + draw(st.integers(1, 400)) :]


def _end(draw: Draw, content: bytes, _: Sequence[bytes]) -> bytes:
    return content[: _place(draw, content)]


def _insert(draw: Draw, content: bytes, _: Sequence[bytes]) -> bytes:
    place = _place(draw, content)
    return content[:place] + draw(st.sampled_from(PIECES)) + content[place:]


def _stretch(draw: Draw, content: bytes, _: Sequence[bytes]) -> bytes:
    place, length = _place(draw, content), draw(st.integers(1, 300))
    piece = content[place : place + length]
    return content[:place] + piece * min(200, _LONG // max(1, len(piece))) + content[place:]


def _splice(draw: Draw, content: bytes, others: Sequence[bytes]) -> bytes:
    other = draw(st.sampled_from(others))
    return content[: _place(draw, content)] + other[_place(draw, other) :]


def _shuffle(draw: Draw, content: bytes, _: Sequence[bytes]) -> bytes:
    rows = content.split(b"\n")[:60]
    return b"\n".join(draw(st.permutations(rows)))


def _repeat(draw: Draw, content: bytes, _: Sequence[bytes]) -> bytes:
    rows = content.split(b"\n")
    place = draw(st.integers(0, len(rows) - 1))
    return b"\n".join([*rows[:place], *[rows[place]] * draw(st.integers(2, 90)), *rows[place:]])


def _restructure(draw: Draw, content: bytes, _: Sequence[bytes]) -> bytes:
    """Put an odd value somewhere into the JSON of a row, or take a member out."""
    rows = content.split(b"\n")
    place = draw(st.integers(0, len(rows) - 1))
    try:
        tree = json.loads(rows[place])
    except (ValueError, RecursionError):
        return content
    holders = _holders(tree)
    if not holders:
        return content
    holder, key = holders[draw(st.integers(0, len(holders) - 1))]
    if draw(st.booleans()):
        holder[key] = draw(_VALUES)
    else:
        del holder[key]
    rows[place] = json.dumps(tree).encode("ascii")
    return b"\n".join(rows)


def _holders(tree: Any) -> list[tuple[Any, Any]]:
    """List all members of all objects and lists in a tree, as (holder, key)."""
    found: list[tuple[Any, Any]] = []
    todo = [tree]
    while todo and len(found) < 2000:
        holder = todo.pop()
        if isinstance(holder, dict | list):
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            found += [(holder, key) for key in keys]
            todo += [holder[key] for key in keys]
    return found


def _place(draw: Draw, content: bytes) -> int:
    return int(draw(st.integers(0, max(0, len(content) - 1))))


# Changes of the structure count three times: they get past the parser.
_BYTES = (_flip, _cut, _end, _insert, _stretch, _splice, _shuffle, _repeat)
_CHANGES = (*[_restructure] * 3, *_BYTES)
