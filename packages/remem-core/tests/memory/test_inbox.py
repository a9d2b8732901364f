"""What other programs leave in the inbox is taken in once, and nothing of it is lost."""

import json
from pathlib import Path

import pytest

from remem_core import Memory
from remem_core.inbox import take_in
from remem_protocol import Note, encode

GOOD = encode(Note(text="port 81 is staging", at="2026-05-01T10:00:00.000000Z", source="external"))
OTHER = encode(Note(text="port 80 is live", at="2026-05-01T10:00:01.000000Z", source="external"))
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


@pytest.fixture
def inbox(memory: Memory) -> Path:
    memory.places.inbox.mkdir(mode=0o700)
    return memory.places.inbox


def test_events_left_in_the_inbox_are_stored_and_the_file_is_gone(
    memory: Memory, inbox: Path
) -> None:
    (inbox / "mail.jsonl").write_bytes(GOOD + b"\n" + OTHER + b"\n")
    report = memory.take_inbox()
    assert (report.files, report.new, report.bad_lines) == (1, 2, 0)
    assert list(inbox.iterdir()) == []
    assert memory.recall("staging")[0].text == "port 81 is staging"
    assert memory.take_inbox().files == 0


def test_bad_lines_are_moved_aside_with_their_error_and_without_secrets(
    memory: Memory, inbox: Path
) -> None:
    bad = b'{"kind":"note","v":"1.0","text":"' + SECRET.encode() + b'"}'
    (inbox / "mail.jsonl").write_bytes(b"not json\n" + GOOD + b"\n" + bad + b"\n")
    report = memory.take_inbox()
    assert (report.new, report.bad_lines) == (1, 2)
    assert [p.name for p in inbox.iterdir()] == ["mail.bad"]
    lines = [json.loads(line) for line in (inbox / "mail.bad").read_text().splitlines()]
    assert [(line["line"], line["error"]) for line in lines] == [
        (1, "malformed"),
        (3, "invalid-event"),
    ]
    assert lines[0]["raw"] == "not json"
    assert SECRET not in lines[1]["raw"]


def test_killed_run_leaves_a_file_that_the_next_one_takes_up(memory: Memory, inbox: Path) -> None:
    (inbox / "mail.jsonl").write_bytes(GOOD + b"\n" + OTHER + b"\n")

    def killed_half_way(events):  # type: ignore[no-untyped-def]
        memory.emit([next(iter(events))])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take_in(inbox, killed_half_way)
    report = memory.take_inbox()
    assert (report.files, report.new, report.known) == (1, 1, 1)
    assert list(inbox.iterdir()) == []


def test_unfinished_files_and_links_stay_untouched(memory: Memory, inbox: Path) -> None:
    elsewhere = inbox.parent / "elsewhere.jsonl"
    elsewhere.write_bytes(GOOD + b"\n")
    (inbox / "link.jsonl").symlink_to(elsewhere)
    (inbox / "mail.jsonl.tmp").write_bytes(GOOD[:20])
    assert memory.take_inbox().files == 0
    assert sorted(p.name for p in inbox.iterdir()) == ["link.jsonl", "mail.jsonl.tmp"]


def test_memory_without_an_inbox_takes_in_nothing(memory: Memory) -> None:
    assert memory.take_inbox().files == 0
