"""What a session file holds in the end: versions of a message, rewinds, replaced lists, damage."""

import json
from pathlib import Path

import pytest
from gemini_files import (
    Messages,
    metadata,
    shell,
    texts_of,
    transcripts,
    turns_of,
    write_lines,
    write_whole,
)

from remem_agents.gemini import GeminiReader
from remem_agents.transcript import Seen
from remem_protocol import AgentTurn, MalformedError, PersonTurn


@pytest.fixture
def make() -> Messages:
    return Messages()


def test_both_formats_read_alike(tmp_path: Path, make: Messages) -> None:
    said = [
        make.user("list the files"),
        make.gemini("Here they are.", shell("success", "Output: a")),
    ]
    lines = write_lines(tmp_path / "session-a.jsonl", metadata(), *said)
    whole = write_whole(tmp_path / "old" / "session-a.json", *said)
    assert turns_of(lines) == turns_of(whole)
    assert texts_of(lines) == ["list the files", "Here they are."]


@pytest.mark.parametrize("name", ["session-a.json", "session-a.jsonl", "session-a"])
def test_format_is_told_by_content_not_by_suffix(tmp_path: Path, make: Messages, name: str) -> None:
    rows = metadata(), make.user("one")
    assert texts_of(write_lines(tmp_path / name, *rows)) == ["one"]
    assert texts_of(write_whole(tmp_path / "b" / name, make.user("two"))) == ["two"]


def test_object_on_one_line_is_read(tmp_path: Path, make: Messages) -> None:
    whole = {**metadata(), "messages": [make.user("one")]}
    assert texts_of(write_lines(tmp_path / "session-a.json", whole)) == ["one"]


def test_last_version_of_a_message_counts_at_its_first_place(
    tmp_path: Path, make: Messages
) -> None:
    first = make.user("run the tests")
    running = make.gemini("", shell("executing", None))
    done = {**running, "toolCalls": [shell("success", "Output: 3 passed")]}
    later = make.user("thanks")
    path = write_lines(tmp_path / "s.jsonl", metadata(), first, running, later, done)
    person, agent, thanks = turns_of(path)
    assert isinstance(agent, AgentTurn)
    assert agent.calls[0].result.text == "Output: 3 passed"
    assert (person.text, thanks.text) == ("run the tests", "thanks")


def test_rewind_takes_a_message_and_all_after_it(tmp_path: Path, make: Messages) -> None:
    one, two, three = make.user("one"), make.user("two"), make.user("three")
    rewind = {"$rewindTo": two["id"]}
    path = write_lines(tmp_path / "s.jsonl", metadata(), one, two, three, rewind, make.user("new"))
    assert texts_of(path) == ["one", "new"]


def test_rewind_to_an_unknown_message_takes_all(tmp_path: Path, make: Messages) -> None:
    rows = metadata(), make.user("one"), {"$rewindTo": "nobody"}, make.user("new")
    assert texts_of(write_lines(tmp_path / "s.jsonl", *rows)) == ["new"]


def test_set_merges_metadata(tmp_path: Path, make: Messages) -> None:
    news = {"$set": {"sessionId": "another", "lastUpdated": "2026-04-05T07:00:00Z"}}
    path = write_lines(tmp_path / "s.jsonl", metadata(), make.user("one"), news)
    (transcript,) = transcripts(path)
    assert transcript.head.id == "another"
    assert transcript.head.started == "2026-04-05T06:00:00.000000Z"
    assert [turn.text for turn in transcript.turns] == ["one"]


def test_set_of_messages_replaces_the_list(tmp_path: Path, make: Messages) -> None:
    one, two = make.user("one"), make.user("two")
    replaced = {"$set": {"messages": [two, make.gemini([{"text": "Done."}])]}}
    path = write_lines(tmp_path / "s.jsonl", metadata(), one, replaced, make.user("three"))
    assert texts_of(path) == ["two", "Done.", "three"]


def test_set_of_no_messages_empties_the_list(tmp_path: Path, make: Messages) -> None:
    rows = metadata(), make.user("one"), {"$set": {"messages": []}}, make.user("two")
    assert texts_of(write_lines(tmp_path / "s.jsonl", *rows)) == ["two"]


def test_what_a_summary_replaced_was_said_all_the_same(tmp_path: Path, make: Messages) -> None:
    one, kept = make.user("never push to main"), make.user("go on")
    summary = make.user([{"text": "<state_snapshot>\n<goal>x</goal>\n</state_snapshot>"}])
    got = make.gemini([{"text": "Got it."}])
    path = write_lines(
        tmp_path / "s.jsonl",
        metadata(),
        one,
        kept,
        {"$set": {"messages": [summary, got, kept]}},
    )
    assert texts_of(path) == ["never push to main", "Got it.", "go on"]


@pytest.mark.parametrize(
    "damaged", [b"\0" * 200 + b"\n", b'{"id":"m9","type":"user","cont\n', b"nonsense\n"]
)
def test_damaged_line_is_counted_and_the_rest_is_read(
    tmp_path: Path, make: Messages, damaged: bytes
) -> None:
    rows = metadata(), make.user("one"), damaged, make.user("two")
    (transcript,) = transcripts(write_lines(tmp_path / "s.jsonl", *rows))
    assert [turn.text for turn in transcript.turns] == ["one", "two"]
    assert transcript.notes.damaged == 1


def test_damaged_first_line_costs_only_itself(tmp_path: Path, make: Messages) -> None:
    path = write_lines(tmp_path / "s-9.jsonl", b'{"sessionId":"x\n', make.user("one"))
    (transcript,) = transcripts(path)
    assert (transcript.head.id, transcript.notes.damaged) == ("s-9", 1)
    assert [turn.text for turn in transcript.turns] == ["one"]


def test_row_behind_a_cut_one_is_saved(tmp_path: Path, make: Messages) -> None:
    glued = json.dumps(make.user("lost"))[:60] + json.dumps(make.user("saved")) + "\n"
    path = write_lines(tmp_path / "s.jsonl", metadata(), glued.encode())
    assert texts_of(path) == ["saved"]


def test_half_an_emoji_becomes_a_replacement_character(tmp_path: Path, make: Messages) -> None:
    row = json.dumps(make.user("CUT")).replace("CUT", r"cut \ud83d").encode() + b"\n"
    assert texts_of(write_lines(tmp_path / "s.jsonl", metadata(), row)) == ["cut \ufffd"]


def test_unknown_rows_and_fields_are_stepped_over(tmp_path: Path, make: Messages) -> None:
    odd = make.user("one", novel={"deep": [1]}, toolCalls="none")
    path = write_lines(tmp_path / "s.jsonl", metadata(), {"$later": {}}, odd)
    assert texts_of(path) == ["one"]


def test_cut_object_is_an_error_of_its_file(tmp_path: Path, make: Messages) -> None:
    path = write_whole(tmp_path / "session-a.json", make.user("one"))
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(MalformedError, match="neither a whole JSON object nor lines"):
        transcripts(path)


def test_log_of_prompts_is_no_session(tmp_path: Path) -> None:
    log = [{"sessionId": "x", "messageId": 0, "type": "user", "message": "hi"}]
    path = tmp_path / "logs.json"
    path.write_text(json.dumps(log, indent=2))
    assert not GeminiReader().recognises(path.read_bytes())
    with pytest.raises(MalformedError):
        transcripts(path)


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_empty_file_is_no_session(tmp_path: Path, content: bytes) -> None:
    assert transcripts(write_lines(tmp_path / "s.jsonl", content)) == []


def test_file_with_notices_alone_is_no_session(tmp_path: Path, make: Messages) -> None:
    assert transcripts(write_lines(tmp_path / "s.jsonl", metadata(), make.info("Update!"))) == []


def test_messages_without_ids_are_read_in_order(tmp_path: Path, make: Messages) -> None:
    said = [make.user("one"), make.gemini("Two."), make.user("three")]
    for message in said:
        del message["id"]
    assert texts_of(write_whole(tmp_path / "s.json", *said)) == ["one", "Two.", "three"]


def test_copy_of_a_session_counts_once(tmp_path: Path, make: Messages) -> None:
    said = metadata(), make.user("one"), make.gemini("Two.")
    one = write_lines(tmp_path / "a" / "s.jsonl", *said)
    two = write_lines(tmp_path / "b" / "s.jsonl", *said)
    seen = Seen()
    assert len(transcripts(one, seen)) == 1
    assert transcripts(two, seen) == []


def test_session_that_grew_is_read_whole(tmp_path: Path, make: Messages) -> None:
    said = metadata(), make.user("one")
    seen = Seen()
    transcripts(write_lines(tmp_path / "a.jsonl", *said), seen)
    (grown,) = transcripts(write_lines(tmp_path / "b.jsonl", *said, make.user("two")), seen)
    assert [turn.text for turn in grown.turns] == ["one", "two"]


def test_old_file_beside_the_migrated_one_counts_once(tmp_path: Path, make: Messages) -> None:
    first = make.user("one")
    old = write_whole(tmp_path / "chats" / "session-a.json", first)
    new = write_lines(tmp_path / "chats" / "session-a.jsonl", metadata(), first, make.user("two"))
    assert transcripts(old) == []
    assert texts_of(new) == ["one", "two"]


def test_old_file_beside_a_broken_one_is_read(tmp_path: Path, make: Messages) -> None:
    old = write_whole(tmp_path / "chats" / "session-a.json", make.user("one"))
    write_lines(tmp_path / "chats" / "session-a.jsonl", b"damaged")
    assert texts_of(old) == ["one"]


def test_old_file_beside_another_session_is_read(tmp_path: Path, make: Messages) -> None:
    old = write_whole(tmp_path / "chats" / "session-a.json", make.user("one"))
    other = metadata(sessionId="other")
    write_lines(tmp_path / "chats" / "session-a.jsonl", other, make.user("two"))
    assert texts_of(old) == ["one"]


@pytest.mark.parametrize(
    "opening",
    [
        b"",
        b"[1, 2]",
        b"not json",
        b'{"messages": [{"role": "user", "content": "hi"}]}',
        b'{"type":"user","uuid":"a","sessionId":"b","text":"\\"projectHash\\": \\"x"}',
        b'{"mapping": {}, "current_node": "x"}',
    ],
)
def test_other_programs_files_are_not_recognised(opening: bytes) -> None:
    assert not GeminiReader().recognises(opening)


def test_file_of_either_format_is_recognised_by_its_opening(tmp_path: Path, make: Messages) -> None:
    lines = write_lines(tmp_path / "a", metadata(), make.user("one"))
    whole = write_whole(tmp_path / "b", make.gemini("x" * 5_000))
    reader = GeminiReader()
    assert reader.recognises(lines.read_bytes())
    assert reader.recognises(whole.read_bytes()[:3_000])


def test_only_the_person_is_a_person(tmp_path: Path, make: Messages) -> None:
    said = (
        make.user("one"),
        make.info("Update!"),
        make.message("error", "Quota"),
        make.gemini("Two."),
    )
    path = write_lines(tmp_path / "s.jsonl", metadata(), *said)
    (transcript,) = transcripts(path)
    turns = list(transcript.turns)
    assert [isinstance(turn, PersonTurn) for turn in turns] == [True, False]
    assert transcript.notes.skipped == 2
