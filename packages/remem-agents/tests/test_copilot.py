"""Copilot's event logs: the person's words, calls and their ends, subagents, copies, damage."""

from pathlib import Path
from typing import Any

import pytest
from claude_files import Json, calls, line, said, shape, statuses
from copilot_files import SESSION, Log, bash, log_file, transcripts, turns_of

from remem_agents.copilot import CopilotReader
from remem_agents.registry import reader_for
from remem_agents.transcript import Seen
from remem_protocol import Turn


def read(path: Path, log: Log, *rows: Json | bytes) -> list[Turn]:
    return turns_of(log_file(path, log.start(), *rows))


def test_log_is_found_and_known_by_its_events(tmp_path: Path) -> None:
    log = Log()
    path = log_file(tmp_path / ".copilot", log.start(), log.user("go"))
    reader = CopilotReader()
    (root,) = reader.roots({"HOME": str(tmp_path)})
    assert list(reader.files(root)) == [path]
    assert isinstance(reader_for(path), CopilotReader)
    assert reader.roots({"HOME": "/nowhere", "COPILOT_HOME": str(tmp_path / ".copilot")}) == [root]


def test_files_that_the_person_put_beside_a_log_are_not_logs(tmp_path: Path) -> None:
    log = Log()
    path = log_file(tmp_path, log.start(), log.user("go"))
    (path.parent / "files").mkdir()
    (path.parent / "files" / "data.jsonl").write_text("{}\n")
    assert list(CopilotReader().files(tmp_path)) == [path]


def test_head_is_what_the_session_says_of_itself(tmp_path: Path) -> None:
    log = Log()
    (transcript,) = transcripts(log_file(tmp_path, log.start(), log.user("go")))
    head = transcript.head
    assert (head.id, head.agent, head.cwd) == (SESSION, "copilot", "/srv/work/shop")
    assert head.started == "2026-03-04T05:00:01.250000Z"


def test_log_without_a_start_is_named_by_its_folder(tmp_path: Path) -> None:
    (transcript,) = transcripts(log_file(tmp_path, Log().user("go")))
    assert transcript.head.id == SESSION


def test_words_are_those_displayed_and_by_their_channel(tmp_path: Path) -> None:
    log = Log()
    turns = read(
        tmp_path,
        log,
        log.user("tidy up", delivery="idle", source=None),
        log.says("Tidying."),
        log.user("not the tests", delivery="steering"),
        log.user([{"type": "text", "text": "thanks"}], delivery="queued", source="user"),
    )
    assert said(turns) == [
        ("prompt", "tidy up"),
        ("steering", "not the tests"),
        ("prompt", "thanks"),
    ]


@pytest.mark.parametrize(
    "data",
    [
        {"source": "system"},
        {"source": "skill-pdf"},
        {"source": "agent-main", "delivery": "steering"},
        {"agentMode": "shell"},
        {"isAutopilotContinuation": True},
        {"crossSession": {"origin": "authenticated-cross-session", "version": 1}},
    ],
)
def test_what_the_host_or_an_agent_sent_is_not_the_persons(
    tmp_path: Path, data: dict[str, Any]
) -> None:
    log = Log()
    assert read(tmp_path, log, log.user("go on", **data)) == []


def test_message_is_a_turn_with_its_calls_whatever_the_order_of_their_ends(tmp_path: Path) -> None:
    log = Log()
    turns = read(
        tmp_path,
        log,
        log.user("go"),
        log.says("Look.", bash("a", "ls"), bash("b")),
        log.event("tool.execution_start", toolCallId="a", toolName="bash", arguments={}),
        log.done("b", "2"),
        log.done("a", "1"),
        log.says("Seen."),
    )
    assert shape(turns) == ["prompt", "agent", "agent"]
    assert [(call.input, call.result.text) for call in calls(turns)] == [
        ("ls", "1"),
        ("make test", "2"),
    ]
    assert calls(turns)[0].description == "Run the tests"


def test_call_that_no_message_asked_for_is_known_by_its_start(tmp_path: Path) -> None:
    log = Log()
    start = log.event("tool.execution_start", toolCallId="a", toolName="view", arguments={"p": 1})
    turns = read(tmp_path, log, log.says("Look."), start, log.done("a"))
    assert [(call.tool, call.input) for call in calls(turns)] == [("view", '{"p":1}')]


@pytest.mark.parametrize(
    ("result", "status", "text"),
    [
        ({"content": "fine\n<exited with exit code 0>"}, "ok", "fine"),
        ({"content": "no\n<exited with exit code 2>\n"}, "failed", "Exit code 2\nno"),
        ({"content": "<exited with exit code 1> is what it says"}, "ok", None),
        ({"content": "no", "contents": [{"type": "shell_exit", "exitCode": 1}]}, "failed",
         "Exit code 1\nno"),
        ("fine", "ok", "fine"),
    ],
)  # fmt: skip
def test_exit_of_a_program_is_read_from_the_hosts_marks(
    tmp_path: Path, result: Any, status: str, text: str | None
) -> None:
    log = Log()
    turns = read(tmp_path, log, log.says("", bash("a")), log.done("a", result=result))
    assert statuses(turns) == [status]
    assert text is None or calls(turns)[0].result.text == text


def test_persons_no_carries_their_words(tmp_path: Path) -> None:
    log = Log()
    turns = read(
        tmp_path,
        log,
        log.says("", bash("a", "rm -rf x")),
        log.decided("a", "denied-interactively-by-user", feedback="move it instead"),
        log.failed("a", "The user rejected this tool call.", "rejected"),
        log.says("Moving."),
    )
    assert (shape(turns), statuses(turns)) == (["agent", "refusal", "agent"], ["refused"])
    assert said(turns) == [("refusal", "move it instead")]


def test_no_that_ended_the_turn_is_a_refusal_without_a_result(tmp_path: Path) -> None:
    log = Log()
    asked = log.event(
        "permission.requested",
        requestId="q",
        permissionRequest={"kind": "shell", "toolCallId": "a"},
    )
    no = {"kind": "denied-interactively-by-user", "forceReject": True}
    answered = log.event("permission.completed", requestId="q", result=no)
    turns = read(tmp_path, log, log.says("", bash("a")), asked, answered, log.user("stop"))
    assert (shape(turns), statuses(turns)) == (["agent", "refusal", "prompt"], ["refused"])


@pytest.mark.parametrize(
    ("kind", "code", "status"),
    [
        ("denied-by-rules", "denied", "unknown"),
        ("denied-no-approval-rule-and-could-not-request-from-user", "denied", "unknown"),
        ("denied-by-permission-request-hook", None, "unknown"),
        ("cancelled", None, "interrupted"),
        ("approved", "failure", "failed"),
        ("approved-for-session", None, "failed"),
    ],
)
def test_machines_no_is_not_the_persons(
    tmp_path: Path, kind: str, code: str | None, status: str
) -> None:
    log = Log()
    rows = [log.says("", bash("a")), log.decided("a", kind), log.failed("a", "no", code)]
    turns = read(tmp_path, log, *rows)
    assert (statuses(turns), said(turns)) == ([status], [])


def test_older_logs_tell_a_no_by_the_error_alone(tmp_path: Path) -> None:
    log = Log()
    rejected = log.failed("a", "The user rejected this tool call.", "rejected")
    denied = log.failed("b", "Denied by preToolUse hook: no", "denied")
    turns = read(tmp_path, log, log.says("", bash("a"), bash("b")), rejected, denied)
    assert (shape(turns), statuses(turns)) == (["agent", "refusal"], ["refused", "unknown"])


def test_abort_interrupts_what_was_open(tmp_path: Path) -> None:
    log = Log()
    aborted = log.event("abort", reason="user_initiated")
    assert statuses(read(tmp_path, log, log.says("", bash("a")), aborted)) == ["interrupted"]
    spent = log.event("abort", reason="autopilot_credit_limit")
    assert statuses(read(tmp_path, log, log.says("", bash("b")), spent)) == ["missing"]


def test_command_that_the_person_ran_is_not_the_agents(tmp_path: Path) -> None:
    log = Log()
    ran = [
        log.event("tool.user_requested", toolCallId="u", toolName="bash", arguments={}),
        log.event("tool.execution_start", toolCallId="u", toolName="bash", arguments={}),
        log.done("u", "no\n<exited with exit code 1>", isUserRequested=True),
    ]
    assert read(tmp_path, log, *ran) == []


def test_subagent_among_the_events_is_a_session_of_its_own(tmp_path: Path) -> None:
    log = Log()
    task = {"toolCallId": "t", "name": "task", "arguments": {"prompt": "look"}}
    path = log_file(
        tmp_path,
        log.start(),
        log.user("go"),
        log.says("Asking.", task),
        log.event("user.message", "worker", content="look"),
        log.event("assistant.message", "worker", content="Found.", toolRequests=[bash("w")]),
        log.done("t", "found"),
        log.event("tool.execution_complete", "worker", toolCallId="w", success=True),
        log.says("old style", bash("o"), parentToolCallId="t"),
    )
    main, *others = transcripts(path)
    assert [turn.text for turn in main.turns] == ["go", "Asking."]
    assert [(other.head.id, other.head.parent) for other in others] == [
        (f"{SESSION}/worker", SESSION),
        (f"{SESSION}/t", SESSION),
    ]
    assert [[turn.text for turn in other.turns] for other in others] == [["Found."], ["old style"]]


def test_session_that_another_one_started_has_nobodys_words(tmp_path: Path) -> None:
    log = Log()
    start = log.start(detachedFromSpawningParentSessionId="p")
    (transcript,) = transcripts(log_file(tmp_path, start, log.user("go"), log.says("ok")))
    assert transcript.head.parent == "p"
    assert shape(list(transcript.turns)) == ["agent"]


def test_remems_own_tool_and_section_are_left_out(tmp_path: Path) -> None:
    log = Log()
    own = {"toolCallId": "a", "name": "remem-recall", "arguments": "{}"}
    other = {"toolCallId": "b", "name": "recall", "mcpServerName": "remem", "arguments": {}}
    section = "x\n<!-- remem:start -->\nUse tabs.\n<!-- remem:end -->"
    turns = read(
        tmp_path,
        log,
        log.says("", own, other, bash("c")),
        log.done("a", "You once said"),
        log.done("b", "You once said"),
        log.done("c", section),
    )
    assert [call.tool for call in calls(turns)][:2] == ["mcp__remem__recall"] * 2
    assert [call.result.text for call in calls(turns)] == ["", "", "x\n"]


def test_copied_log_is_read_once_in_a_run(tmp_path: Path) -> None:
    log, seen = Log(), Seen()
    rows = [log.start(), log.user("go"), log.says("ok")]
    assert len(turns_of(log_file(tmp_path / "a", *rows), seen)) == 2
    assert turns_of(log_file(tmp_path / "b", *rows), seen) == []


def test_damage_and_unknown_events_cost_only_themselves(tmp_path: Path) -> None:
    log = Log()
    good = [log.user("one"), log.event("of.next_month", x=1), log.user("two")]
    cut = line(log.user("cut"))[:60] + b"\n"
    odd = log.user("kept") | {"agentId": 7}
    hole = b"\0" * 1_728
    path = log_file(tmp_path, log.start(), good[0], cut, good[1], odd, good[2], hole)
    (transcript,) = transcripts(path)
    assert [turn.text for turn in transcript.turns] == ["one", "kept", "two"]
    assert transcript.notes.damaged == 2


@pytest.mark.parametrize("content", [b"", b"\n", b"no\n"])
def test_log_without_a_conversation_is_no_session(tmp_path: Path, content: bytes) -> None:
    assert transcripts(log_file(tmp_path, content)) == []
    assert transcripts(log_file(tmp_path / "b", Log().start())) == []
