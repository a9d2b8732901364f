"""Whose rows are whose: subagents, resumed and forked copies, two sessions in one file."""

from pathlib import Path

from claude_files import SESSION, Rows, bash, said, shape, text, transcripts, turns_of, write

from remem_agents.transcript import Seen, source_of
from remem_protocol import SessionHead

AGENT_ROW = {"isSidechain": True, "agentId": "a1b2c3d4"}


def test_head_is_taken_from_the_rows(tmp_path: Path, rows: Rows) -> None:
    snapshot = {"type": "file-history-snapshot", "messageId": "x"}
    first = rows.user("go")
    (transcript,) = transcripts(write(tmp_path / "-srv-other" / "name.jsonl", snapshot, first))
    assert transcript.head == SessionHead(
        id=SESSION,
        agent="claude-code",
        started="2026-03-04T05:00:01.250000Z",
        cwd="/srv/work/shop",
    )


def test_folder_is_looked_for_in_later_rows(tmp_path: Path, rows: Rows) -> None:
    first = rows.user("go")
    del first["cwd"]
    (transcript,) = transcripts(write(tmp_path / "s.jsonl", first, rows.user("on", cwd="/srv/b")))
    assert transcript.head.cwd == "/srv/b"


def test_session_without_ids_is_named_after_its_file(tmp_path: Path, rows: Rows) -> None:
    row = rows.user("go")
    del row["sessionId"]
    (transcript,) = transcripts(write(tmp_path / "old-one.jsonl", row))
    assert transcript.head.id == "old-one"


def test_file_without_a_conversation_has_no_session(tmp_path: Path) -> None:
    summary = {"type": "summary", "summary": "Rename", "leafUuid": "x"}
    assert transcripts(write(tmp_path / "s.jsonl", summary)) == []


def test_subagents_file_is_a_session_of_its_own(tmp_path: Path, rows: Rows) -> None:
    main = write(tmp_path / f"{SESSION}.jsonl", rows.user("go"))
    child = write(
        tmp_path / SESSION / "subagents" / "agent-a1b2c3d4.jsonl",
        rows.user("Find all callers", **AGENT_ROW),
        rows.agent(bash("a"), **AGENT_ROW),
    )
    seen = Seen()
    (parent,), (agent,) = transcripts(main, seen), transcripts(child, seen)
    assert (agent.head.id, agent.head.parent) == (f"{SESSION}/a1b2c3d4", parent.head.id)
    assert shape(list(agent.turns)) == ["agent"]


def test_subagents_rows_may_forget_to_say_so(tmp_path: Path, rows: Rows) -> None:
    path = tmp_path / "agent-a1b2c3d4.jsonl"
    (agent,) = transcripts(write(path, rows.user("Find all callers"), rows.queued("hurry")))
    assert (agent.head.id, agent.head.parent) == (f"{SESSION}/a1b2c3d4", SESSION)
    assert list(agent.turns) == []


def test_subagent_rows_inside_the_main_file_are_apart(tmp_path: Path, rows: Rows) -> None:
    path = write(
        tmp_path / "s.jsonl",
        rows.user("go"),
        rows.user("Find all callers", isSidechain=True),
        rows.agent(text("I found two."), isSidechain=True),
        rows.agent(text("There are two.")),
    )
    main, agent = transcripts(path)
    assert (agent.head.id, agent.head.parent) == (f"{SESSION}/sidechain", SESSION)
    assert [turn.text for turn in agent.turns] == ["I found two."]
    assert [turn.text for turn in main.turns] == ["go", "There are two."]


def test_two_sessions_in_a_file_are_two_transcripts(tmp_path: Path, rows: Rows) -> None:
    other = Rows("5e551011-0000-4000-8000-000000000002")
    path = write(
        tmp_path / "s.jsonl", rows.user("one"), other.user("two"), rows.user("three"), b"damage\n"
    )
    first, second = transcripts(path)
    assert [turn.text for turn in first.turns] == ["one", "three"]
    assert [turn.text for turn in second.turns] == ["two"]
    assert first.notes is second.notes  # they are the file's
    assert first.notes.damaged == 1


def test_turns_may_be_consumed_as_they_come(tmp_path: Path, rows: Rows) -> None:
    path = write(
        tmp_path / "s.jsonl",
        rows.user("go"),
        rows.agent(text("I found two."), isSidechain=True),
        rows.agent(text("There are two.")),
    )
    assert [turn.text for turn in turns_of(path)] == ["go", "There are two.", "I found two."]


def test_forked_copy_counts_once(tmp_path: Path, rows: Rows) -> None:
    prefix = [rows.user("use tabs"), rows.agent(text("Done."))]
    fork = "5e551011-0000-4000-8000-00000000000f"
    copied = [{**row, "sessionId": fork} for row in prefix]
    log = [rows.queue("enqueue", "hurry"), rows.queue("remove")]
    one = write(tmp_path / "1.jsonl", *prefix, *log)
    two = write(tmp_path / "2.jsonl", *copied, *log, Rows(fork).user("and sort"))
    seen = Seen()
    assert said(turns_of(one, seen)) == [("prompt", "use tabs"), ("steering", "hurry")]
    (transcript,) = transcripts(two, seen)
    assert said(list(transcript.turns)) == [("prompt", "and sort")]
    assert transcript.notes.duplicates == 2


def test_first_row_written_twice_counts_once(tmp_path: Path, rows: Rows) -> None:
    first = rows.user("go")
    assert said(turns_of(write(tmp_path / "s.jsonl", first, first))) == [("prompt", "go")]


def test_refusal_in_a_subagent_is_the_persons(tmp_path: Path, rows: Rows) -> None:
    words = "Permission for this tool use was denied. The user said:\nnot in main"
    path = write(
        tmp_path / "agent-a1b2c3d4.jsonl",
        rows.agent(bash("a"), **AGENT_ROW),
        rows.no("a", words, **AGENT_ROW),
    )
    assert said(turns_of(path)) == [("refusal", "not in main")]


def test_source_changes_with_the_file(tmp_path: Path, rows: Rows) -> None:
    path = write(tmp_path / "s.jsonl", rows.user("go"))
    (transcript,) = transcripts(path)
    assert transcript.source == source_of(path)
    write(path, rows.user("go"), rows.user("on"))
    assert transcript.source != source_of(path)
