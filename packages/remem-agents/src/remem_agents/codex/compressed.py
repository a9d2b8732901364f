"""Rollouts that Codex has put away as `.jsonl.zst`, as streams of bytes; the one room of zstd."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def opening_of(compressed: bytes, size: int) -> bytes:
    """Unpack the first `size` bytes of a stream of which only the beginning is at hand."""
    try:
        return zstd.ZstdDecompressor().decompress(compressed, size)
    except zstd.ZstdError:
        return b""


def open_compressed(path: Path, damaged: Callable[[str], None], buffer: int) -> BinaryIO:
    """Open a compressed file; where it is cut or broken it ends, after `damaged` was told why."""
    return io.BufferedReader(_Unpacked(path, damaged), buffer)


class _Unpacked(io.RawIOBase):
    """Holds one block at a time; zstd itself refuses windows over 128 MiB."""

    def __init__(self, path: Path, damaged: Callable[[str], None]) -> None:
        self._file = zstd.ZstdFile(path)
        self._damaged = damaged
        self._is_broken = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader's
        if self._is_broken:
            return 0
        try:
            return self._file.readinto1(buffer)  # what there is, before what is broken raises
        except (zstd.ZstdError, EOFError) as error:
            self._is_broken = True
            self._damaged(f"compressed data: {error}")
            return 0

    def close(self) -> None:
        self._file.close()
        super().close()
