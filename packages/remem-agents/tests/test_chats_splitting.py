"""Conversations come out of an export one by one, wherever the chunks of the file end."""

import io
import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem_agents.chats import splitting
from remem_agents.chats.splitting import objects_in
from remem_agents.transcript import ReadNotes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab"\\{}[],:\n\u2028é', max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text('k"\\{}', max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)
OBJECTS = st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=4), max_size=5)


def split(content: bytes, *, chunk: int = 1 << 20, max_bytes: int = 1 << 28) -> list[bytes]:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(chunk)

    return list(objects_in(Slow(content), ReadNotes(), max_bytes))


@given(OBJECTS, st.integers(1, 40), st.sampled_from([None, 1]))
def test_items_are_those_of_the_whole_array(
    values: list[Any], chunk: int, indent: int | None
) -> None:
    content = json.dumps(values, indent=indent).encode()
    assert [json.loads(item) for item in split(content, chunk=chunk)] == values


@given(OBJECTS, st.integers(1, 40))
def test_objects_one_after_another_are_items(values: list[Any], chunk: int) -> None:
    content = "\n".join(json.dumps(value) for value in values).encode()
    assert [json.loads(item) for item in split(content, chunk=chunk)] == values


def deep(levels: int) -> bytes:
    return b'{"a":[' * levels + b"]}" * levels


@pytest.mark.parametrize("levels", [1, 2, 3, 7, 5_000])
def test_depth_does_not_matter(levels: int) -> None:
    assert split(b"[" + deep(levels) + b",{}]", chunk=7) == [deep(levels), b"{}"]


@pytest.mark.parametrize(
    ("content", "items"),
    [
        (b"", []),
        (b"[]", []),
        (b"null", []),
        (b"\xef\xbb\xbf[{}]", [b"{}"]),
        (b'["{", {"a": "}"}, 3]', [b'{"a": "}"}']),
        (b"[[{}], [{}]]", [b"{}", b"{}"]),
        (b"]}{}", [b"{}"]),
        (b'{"a": not json}{}', [b'{"a": not json}', b"{}"]),
    ],
)
def test_what_is_no_object_is_stepped_over(content: bytes, items: list[bytes]) -> None:
    assert split(content) == items


def notes_of(content: bytes, max_bytes: int = 1 << 28) -> ReadNotes:
    notes = ReadNotes()
    list(objects_in(io.BytesIO(content), notes, max_bytes))
    return notes


@pytest.mark.parametrize("cut", [b'[{},{"a": 1', b'[{},{"a": "', b'[{},{"a": "\\', b"[{},{"])
def test_item_that_the_file_ends_in_is_damage(cut: bytes) -> None:
    notes = notes_of(cut)
    assert (notes.lines, notes.damaged, notes.examples) == (2, 1, ["line 2: cut"])


def test_item_over_the_cap_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "_CHUNK", 16)
    content = b'[{"a":1},{"b":"' + b"x" * 500 + b'"},{"c":[' + b"1," * 200 + b'1]},{"d":1}]'
    notes = ReadNotes()
    assert list(objects_in(io.BytesIO(content), notes, 100)) == [b'{"a":1}', b'{"d":1}']
    assert (notes.lines, notes.damaged) == (4, 2)


def peak_of(work: Callable[[], object]) -> int:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


class Endless(io.RawIOBase):
    """A file of as many conversations as are asked for, which is nowhere whole."""

    def __init__(self, count: int) -> None:
        self._left = count
        self._item = b'{"title": "' + b"x" * 20_000 + b'", "mapping": {"n": {"message": null}}},'

    def read(self, size: int = -1) -> bytes:
        self._left -= 1
        return self._item if self._left >= 0 else b""


def test_memory_does_not_grow_with_the_file() -> None:
    def count(items: int) -> int:
        return sum(1 for _ in objects_in(Endless(items), ReadNotes()))  # type: ignore[arg-type]

    assert count(50) == 50
    assert peak_of(lambda: count(2_000)) < peak_of(lambda: count(50)) + 100_000
