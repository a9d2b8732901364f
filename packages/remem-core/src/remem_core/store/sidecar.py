"""The cache beside the store for cold starts: row numbers and sign bits of one space's vectors.

Never trusted: a wrong length, checksum, dimension or extent, and it is as if it were not there.
Losing it costs one slower start.
"""

import os
import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from remem_core.store.vectors import Rows

Bits = npt.NDArray[np.uint64]
_MAGIC = b"REMEMBT1"
# magic, checksum of what follows, 64-bit words of bits a vector, vectors, number of the last one
_HEADER = struct.Struct("<8sIIQQ")


def load(path: Path, width: int) -> tuple[Rows, Bits, int] | None:
    """Return (rows, bits, number of the last vector), None when the file can't be relied on."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if len(data) < _HEADER.size:
        return None
    magic, checksum, words, count, last = _HEADER.unpack_from(data)
    size = _HEADER.size + count * 8 * (1 + words)
    if magic != _MAGIC or words != width or len(data) != size:
        return None
    if zlib.crc32(memoryview(data)[12:]) != checksum:
        return None
    rows = np.frombuffer(data, np.int64, count, _HEADER.size)
    bits = np.frombuffer(data, np.uint64, count * words, _HEADER.size + 8 * count)
    return rows, bits.reshape(count, words), int(last)


def save(path: Path, rows: Rows, bits: Bits, last: int) -> None:
    """Write the cache in one step, for its owner alone; a place that can't be written gets none."""
    count, words = bits.shape
    body = rows.tobytes() + bits.tobytes()
    tail = _HEADER.pack(_MAGIC, 0, words, count, last)[12:]
    header = _HEADER.pack(_MAGIC, zlib.crc32(tail + body), words, count, last)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:  # mkstemp made it 0600
            file.write(header + body)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
