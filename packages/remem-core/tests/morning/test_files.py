"""The two files: whole or not at all, for their owner alone, and which night they tell of."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from remem_core.morning import clear, gather, last_night, page_path, write


def test_both_files_are_written_for_their_owner_alone(rich: Any) -> None:
    harbour, row = rich
    places = harbour.memory.places
    write(places, gather(harbour.db, now=harbour.now, since_seq=row))
    for path in (places.morning, page_path(places)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert page_path(places).name == "morning.html"
    assert "use the winch" in places.morning.read_text("utf-8")
    assert not [path for path in places.home.iterdir() if path.name.startswith(".morning")]


def test_report_says_which_night_it_tells_of(rich: Any) -> None:
    harbour, row = rich
    places = harbour.memory.places
    assert last_night(places) is None
    write(places, gather(harbour.db, now=harbour.now, since_seq=row))
    assert last_night(places) == (harbour.now, row)
    clear(places)
    assert last_night(places) is None
    assert not page_path(places).exists()
    clear(places)


@pytest.mark.parametrize(
    "text",
    [
        "", "# Monday\n", "\xff\n", "<!-- remem: night of yesterday, after row 4 -->\n",
        "<!-- remem: night of 2026-06-01T04:00:00.000000Z, after row -4 -->\n",
    ],
)  # fmt: skip
def test_file_of_somebody_else_tells_of_no_night(harbour: Any, text: str) -> None:
    harbour.memory.places.morning.write_text(text, "latin-1")
    assert last_night(harbour.memory.places) is None


def test_write_that_fails_leaves_the_report_as_it_was(
    rich: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    harbour, row = rich
    places = harbour.memory.places
    told = gather(harbour.db, now=harbour.now, since_seq=row)
    write(places, told)
    before = places.morning.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(places, told)
    assert places.morning.read_bytes() == before
    assert not list(Path(places.home).glob(".morning*"))
