"""Everything a memory knows as one stream of records, and back again (MEM-070 … MEM-078).

An import is read twice: once to find every damaged line before anything is stored, once to store,
a batch a transaction, so that nobody waits long for the store. One that is killed in between is
finished by running it again: merging what is there already changes nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from remem_core.batches import batches
from remem_core.errors import DamagedImportError
from remem_core.keeping.records import Prepared, read
from remem_core.lines import read_lines
from remem_core.reports import ImportReport
from remem_core.store.connection import Connection, moment, transaction
from remem_protocol import (
    MAX_RECORD_BYTES,
    ExportHeader,
    MalformedError,
    RememError,
    UnknownRecord,
    UnsupportedVersionError,
    encode_stream,
)

if TYPE_CHECKING:
    from remem_core.store.changing import Unwanted

BATCH = 500
Progress = Callable[[int, int], None]


def write_export(db: Connection, out: BinaryIO) -> dict[str, int]:
    """Write the whole memory as of one moment; return how many records of each type."""
    from remem_core.store import records

    with moment(db):
        out.writelines(encode_stream(records.export(db)))
        return records.count(db)


def read_import(
    db: Connection,
    stream: BinaryIO,
    *,
    now: str,
    unwanted: "Unwanted | None" = None,
    sound_only: bool = False,
    progress: Progress | None = None,
) -> tuple[ImportReport, list[int]]:
    """Merge an exported memory into this one; return what became of it and the rows to embed.

    `stream` can be read again from its start. Raises DamagedImportError with every damaged line,
    and then has stored nothing; with `sound_only` the sound lines are stored all the same.
    `unwanted` tells the veto that a lesson falls under by its meaning.
    """
    from remem_core.store.merging import Merger

    total, damaged, unknown = _check(stream)
    if damaged and not sound_only:
        first, why = damaged[0]
        more = f", and {len(damaged) - 1:,} more" if len(damaged) > 1 else ""
        raise DamagedImportError(f"line {first}: {why}{more}; nothing was imported", damaged)
    stream.seek(0)
    merger, done = Merger(db, now=now, unwanted=unwanted), 0
    for batch in batches(_sound(stream), BATCH):
        with transaction(db):
            for record, event in batch:
                merger.put(record, event)
        done += len(batch)
        if progress is not None:
            progress(done, total)
    with transaction(db):
        merger.finish("an export imported")
    merger.report.damaged, merger.report.unknown = damaged, unknown
    return merger.report, merger.rows


def _check(stream: BinaryIO) -> tuple[int, list[tuple[int, str]], int]:
    """Return how many records there are, the damaged lines, how many are of unknown types."""
    damaged: list[tuple[int, str]] = []
    counted: Counter[str] = Counter()
    promised, unknown, number = None, 0, 0
    for number, found in _lines(stream):
        if isinstance(found, RememError):
            if promised is None and isinstance(found, UnsupportedVersionError):  # MEM-073
                raise found
            if promised is None:
                raise MalformedError(f"not an exported memory (line {number}: {found})")
            damaged.append((number, str(found)))
        elif isinstance(found, UnknownRecord):
            unknown += 1
            counted[found.type] += 1
        elif isinstance(found[0], ExportHeader):
            promised = found[0].records if promised is None else promised
        else:
            counted[str(found[0].__struct_config__.tag)] += 1
        if promised is None:
            raise MalformedError("the first line is not the head of an exported memory")
    if promised is None:
        raise MalformedError("an empty file is not an exported memory")
    damaged += _missing(promised, counted, len(damaged), number)
    return sum(counted.values()), damaged, unknown


def _missing(
    promised: dict[str, int], counted: Counter[str], damaged: int, last: int
) -> list[tuple[int, str]]:
    """Tell when the stream ends before what its head promises is there (MEM-073)."""
    missing = sum(max(0, count - counted[tag]) for tag, count in promised.items())
    if missing <= damaged:
        return []
    words = f"the file ends before {missing - damaged:,} of the records its first line promises"
    return [(last, f"{MalformedError.code}: {words}")]


def _lines(stream: BinaryIO) -> Iterator[tuple[int, Prepared | UnknownRecord | RememError]]:
    for number, line in read_lines(stream, MAX_RECORD_BYTES):
        try:
            yield number, read(line)
        except RememError as error:
            yield number, error


def _sound(stream: BinaryIO) -> Iterator[Prepared]:
    for _, found in _lines(stream):
        if isinstance(found, tuple) and not isinstance(found[0], ExportHeader):
            yield found
