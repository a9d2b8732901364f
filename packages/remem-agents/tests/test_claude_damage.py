"""Damage costs a line, never a file: crashes, cuts, holes, glue and giants."""

import io
from pathlib import Path

import pytest
from claude_files import SESSION, Rows, calls, line, said, text, tool, transcripts, turns_of, write

from remem_agents.claude_code.rows import Row, read_rows
from remem_agents.transcript import ReadNotes


def read_damaged(path: Path, *rows: object) -> tuple[list[str], ReadNotes]:
    (transcript,) = transcripts(write(path / f"{SESSION}.jsonl", *rows))
    words = [turn.text for turn in transcript.turns]
    return words, transcript.notes


def raw(words: str) -> bytes:
    return line(Rows().user(words, uuid=words))


@pytest.mark.parametrize(
    ("damaged", "words"),
    [
        (b"\0" * 300 + b"\n", ["one", "three"]),
        (b"\0" * 300 + raw("two"), ["one", "two", "three"]),
        (raw("two")[:-30] + b"\n", ["one", "three"]),
        (raw("two")[:80] + raw("2b"), ["one", "2b", "three"]),
        (raw("two").strip() + raw("2b"), ["one", "two", "2b", "three"]),
        (b"no json at all\n", ["one", "three"]),
        (b"[1, 2\n", ["one", "three"]),
        (b"{" * 100_000 + b"\n", ["one", "three"]),
        (raw("t?o").replace(b"?", b"\xff"), ["one", "t\ufffdo", "three"]),
    ],
)
def test_damaged_line_is_counted_and_the_rest_is_read(
    tmp_path: Path, rows: Rows, damaged: bytes, words: list[str]
) -> None:
    assert read_damaged(tmp_path, rows.user("one"), damaged, rows.user("three")) == (
        words,
        ReadNotes(lines=3, damaged=1, examples=_any_example(tmp_path)),
    )


def _any_example(tmp_path: Path) -> list[str]:
    """What was said of the damaged line, which is for people; it must name the line."""
    (transcript,) = transcripts(tmp_path / f"{SESSION}.jsonl")
    list(transcript.turns)
    assert transcript.notes.examples[0].startswith("line 2: ")
    return transcript.notes.examples


def test_cut_row_does_not_leave_its_parts_behind(tmp_path: Path, rows: Rows) -> None:
    cut = line(rows.agent(text("half"), text("a part that looks whole")))[:-20]
    words, notes = read_damaged(tmp_path, rows.user("one"), cut + line(rows.user("two")))
    assert (words, notes.damaged) == (["one", "two"], 1)


def test_cut_last_line_is_counted(tmp_path: Path, rows: Rows) -> None:
    words, notes = read_damaged(tmp_path, rows.user("one"), line(rows.user("two"))[:60])
    assert (words, notes.damaged) == (["one"], 1)


def test_last_line_without_its_end_is_whole(tmp_path: Path, rows: Rows) -> None:
    words, notes = read_damaged(tmp_path, rows.user("one"), line(rows.user("two")).strip())
    assert (words, notes.damaged) == (["one", "two"], 0)


def test_file_ending_in_a_hole_keeps_its_rows(tmp_path: Path, rows: Rows) -> None:
    words, notes = read_damaged(tmp_path, rows.user("one"), b"\0" * 140_000)
    assert (words, notes.damaged) == (["one"], 1)


def test_half_an_emoji_becomes_a_replacement_character(tmp_path: Path, rows: Rows) -> None:
    row = line(rows.user("CUT and \U0001f600")).replace(b"CUT", rb"cut \ud83d")
    words, notes = read_damaged(tmp_path, row)
    assert words == ["cut \ufffd and \U0001f600"]
    assert words[0].encode()
    assert notes.damaged == 0


def test_field_of_another_shape_costs_the_field(tmp_path: Path, rows: Rows) -> None:
    odd = rows.user([text("kept"), {"type": "text", "text": 7}], cwd={"path": "/x"}, isMeta="no")
    words, notes = read_damaged(tmp_path, rows.user("one"), odd)
    assert (words, notes.damaged) == (["one", "kept"], 0)


def test_damaged_arguments_are_read_with_replacements(tmp_path: Path, rows: Rows) -> None:
    row = line(rows.agent(tool("a", "Write", text="t?o"))).replace(b"?", b"\xff")
    (call,) = calls(turns_of(write(tmp_path / "s.jsonl", row)))
    assert call.input == '{"text": "t\ufffdo"}'


def test_line_of_twenty_megabytes_is_read(tmp_path: Path, rows: Rows) -> None:
    words, notes = read_damaged(tmp_path, rows.user("x" * 20_000_000), rows.user("two"))
    assert (len(words[0]), words[1], notes.damaged) == (20_000_000, "two", 0)


def test_line_over_the_cap_costs_only_itself(rows: Rows) -> None:
    notes = ReadNotes()
    file = io.BytesIO(line(rows.user("one")) + line(rows.user("x" * 5_000)) + line(rows.user("3")))
    kept: list[Row] = list(read_rows(file, notes, max_line_bytes=1_000))
    assert len(kept) == 2
    assert notes.examples == ["line 2: longer than 1000 bytes"]


def test_blank_lines_and_carriage_returns_are_no_damage(tmp_path: Path, rows: Rows) -> None:
    windows = line(rows.user("one")).replace(b"\n", b"\r\n")
    words, notes = read_damaged(tmp_path, b"\xef\xbb\xbf" + windows, b"\n", b"  \r\n")
    assert (words, notes.damaged) == (["one"], 0)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\0" * 100, b"not json\n"])
def test_file_without_rows_is_no_session(tmp_path: Path, content: bytes) -> None:
    assert transcripts(write(tmp_path / "empty.jsonl", content)) == []


def test_line_ends_other_than_newline_do_not_split(tmp_path: Path, rows: Rows) -> None:
    words = "a\u2028b\x85c\x0bd"
    assert said(turns_of(write(tmp_path / "s.jsonl", rows.user(words)))) == [("prompt", words)]
