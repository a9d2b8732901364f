"""The files that ChatGPT and Claude.ai give a person: JSON of any layout, shards, or the zip."""

import contextlib
import re
import zipfile
import zlib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from remem_agents.chats.splitting import objects_in
from remem_agents.damage import RowFormat, salvage
from remem_agents.folders import OPENING_BYTES
from remem_agents.transcript import ReadNotes
from remem_protocol import MalformedError

_ZIP = b"PK\x03\x04"
_CONVERSATIONS = "conversations*.json"
_LOCAL_HEADER = 30
_STORED, _DEFLATED = 0, 8
# What zipfile raises for a damaged archive; for an offset outside of it, whatever seeking raises.
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    NotImplementedError,
    OSError,
    ValueError,
)
_NEVER = re.compile(r"(?!)")
_Row = TypeVar("_Row")


def conversations(path: Path, notes: ReadNotes) -> Iterator[bytes]:
    """Give the conversations in an export, one by one, as JSON.

    Raise MalformedError for a zip that can't be read, OSError when the file can't be opened.
    """
    with path.open("rb") as file:
        is_zip = file.read(len(_ZIP)) == _ZIP
        file.seek(0)
        if is_zip:
            yield from _zipped(file, notes)
        else:
            yield from objects_in(file, notes)


def _zipped(file: IO[bytes], notes: ReadNotes) -> Iterator[bytes]:
    try:
        with zipfile.ZipFile(file) as archive:
            names = sorted(name for name in archive.namelist() if _is_conversations(name))
            if not names:
                raise MalformedError("a zip without conversations.json")
            for name in names:
                with archive.open(name) as member:
                    yield from objects_in(member, notes)
    except _UNREADABLE as error:
        raise MalformedError(f"a zip that can't be read: {error}") from error


def _is_conversations(name: str) -> bool:
    return fnmatch(name.rsplit("/", 1)[-1], _CONVERSATIONS)


def opening_of(opening: bytes) -> tuple[bytes, set[str]]:
    """Look through a zip's opening for its conversations.

    Gives the first bytes of these, and the names of all files that the opening shows. For what is
    no zip: its own first bytes, and no names.
    """
    if not opening.startswith(_ZIP):
        return opening, set()
    names: set[str] = set()
    place = 0
    while opening[place : place + 4] == _ZIP and place + _LOCAL_HEADER <= len(opening):
        header = opening[place : place + _LOCAL_HEADER]
        name_length = int.from_bytes(header[26:28], "little")
        body = place + _LOCAL_HEADER + name_length + int.from_bytes(header[28:30], "little")
        name = opening[place + _LOCAL_HEADER :][:name_length].decode("utf-8", "replace")
        names.add(name.rsplit("/", 1)[-1])
        content, place = _unpacked(opening, body, header)
        if _is_conversations(name):
            return content, names
    return b"", names


def _unpacked(opening: bytes, body: int, header: bytes) -> tuple[bytes, int]:
    """Unpack a zip's member as far as the opening goes; give where the next one begins."""
    size = int.from_bytes(header[18:22], "little")
    method = int.from_bytes(header[8:10], "little")
    if method == _STORED:
        return opening[body : body + size], body + size
    if method != _DEFLATED:
        return b"", body + size
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    content = b""
    with contextlib.suppress(zlib.error):
        content = inflate.decompress(opening[body:], OPENING_BYTES)
    if size:
        return content, body + size
    # The size stands behind the content, so the content must be looked through to its end.
    with contextlib.suppress(zlib.error):
        while inflate.unconsumed_tail and not inflate.eof:
            inflate.decompress(inflate.unconsumed_tail, OPENING_BYTES)
    rest = len(inflate.unused_data)
    return content, _next_header(opening, len(opening) - rest) if inflate.eof else len(opening)


def _next_header(opening: bytes, place: int) -> int:
    found = opening.find(_ZIP, place, place + 64)
    return found if found >= 0 else len(opening)


def format_of(kind: type[_Row]) -> RowFormat[_Row]:
    """Say how to decode a part of an export, which is one value and never several."""
    return RowFormat(msgspec.json.Decoder(kind).decode, _NEVER, lambda value: True)


def decoded(raw: bytes, row_format: RowFormat[_Row]) -> _Row | None:
    """Decode JSON, or what can be saved of it; None when that is nothing."""
    try:
        return row_format.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        saved = salvage(raw, row_format, ReadNotes())
        return saved[0] if len(saved) == 1 else None
