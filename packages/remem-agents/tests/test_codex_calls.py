"""Calls of a rollout: what was called, and how it ended, in every encoding there has been."""

import json
from pathlib import Path
from typing import Any

import pytest
from claude_files import Json, calls, said, shape, statuses
from codex_files import Rollout, rollout, running, turns_of, unified

from remem_agents.turns import MAX_WAITING
from remem_protocol import Call, Turn


def read(path: Path, r: Rollout, *rows: Json | list[Json]) -> list[Turn]:
    return turns_of(rollout(path, r.meta(), r.context(), *rows))


def one_call(path: Path, output: Any, **arguments: Any) -> Call:
    r = Rollout()
    (call,) = calls(read(path, r, r.ran("a", output, **arguments)))
    return call


@pytest.mark.parametrize(
    ("output", "status", "text"),
    [
        (unified("fine\n"), "ok", "fine\n"),
        (unified("no\n", 2), "failed", "Exit code 2\nno\n"),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nfine", "ok", "fine"),
        ("Exit code: 1\nWall time: 0 seconds\nTotal output lines: 9\nOutput:\nno", "failed",
         "Exit code 1\nno"),
        ('{"output":"fine","metadata":{"exit_code":0,"duration_seconds":0.0}}', "ok", "fine"),
        ('{"output":"no","metadata":{"exit_code":127,"duration_seconds":0.0}}', "failed",
         "Exit code 127\nno"),
        ({"content": "no", "success": False}, "failed", "no"),
        ({"content": "fine", "success": True}, "ok", "fine"),
        ([{"type": "input_text", "text": "Exit code: 3\nOutput:\nno"}, {"type": "input_image"}],
         "failed", "Exit code 3\nno"),
        ("Script failed\nWall time 0.1 seconds\nOutput:\nno", "failed", "no"),
        ("Script completed\nWall time 0.1 seconds\nOutput:\nfine", "ok", "fine"),
        ("Plan updated", "ok", "Plan updated"),
        ("execution error: Io(Os { code: 2 })", "failed", None),
        ("apply_patch verification failed: Failed to find expected lines", "failed", None),
        ("failed to parse function arguments: missing field `cmd`", "failed", None),
        ("unsupported call: shall", "failed", None),
        ('exec_command failed: CreateProcess { message: "Rejected(\\"Failed to create\\")" }',
         "failed", None),
        ("aborted by user after 3.2s", "interrupted", None),
        ("Wall time: 3.2 seconds\naborted by user", "interrupted", None),
        ("command aborted by user", "interrupted", None),
    ],
)  # fmt: skip
def test_outcome_is_read_from_the_hosts_own_lines(
    tmp_path: Path, output: Any, status: str, text: str | None
) -> None:
    result = one_call(tmp_path, output).result
    assert result.status == status
    assert text is None or result.text == text


@pytest.mark.parametrize(
    "body",
    [
        "Exit code: 1\nOutput:\nno",
        "Process exited with code 1",
        "exec command rejected by user",
        "aborted by user after 3.2s",
        '{"output":"no","metadata":{"exit_code":1}}',
    ],
)
def test_a_program_is_not_believed_about_exits(tmp_path: Path, body: str) -> None:
    assert one_call(tmp_path, unified(body)).result.status == "ok"
    assert one_call(tmp_path, f"found:\n{body}").result.status == "ok"


@pytest.mark.parametrize(
    "output",
    [
        "exec command rejected by user",
        "patch rejected by user",
        "user rejected MCP tool call",
        "user cancelled MCP tool call",
        'exec_command failed for `/bin/sh -c ls`: CreateProcess { message: "Rejected(\\"rejected by'
        ' user\\")" }',
    ],
)
def test_persons_no_is_a_bare_refusal(tmp_path: Path, output: str) -> None:
    r = Rollout()
    turns = read(tmp_path, r, r.user("go"), r.ran("a", output), r.agent("All right."))
    assert shape(turns) == ["prompt", "agent", "refusal", "agent"]
    assert (statuses(turns), said(turns)[1]) == (["refused"], ("refusal", ""))


@pytest.mark.parametrize(
    "output",
    [
        "writing outside of the project; rejected by user approval settings",
        "writing is blocked by read-only sandbox; rejected by user approval settings",
        "This action was rejected due to unacceptable risk.\nReason: it deletes.",
        "automatic approval review denied the action",
        "approval policy is never; reject command — you should not ask",
        "rejected by configuration",
        "patch rejected: empty patch",
        "exec command rejected by user because of a rule",
        'exec_command failed: CreateProcess { message: "Rejected(\\"rejected: blocked by policy'
        ' (a rule)\\")" }',
    ],
)
def test_machines_no_is_not_the_persons(tmp_path: Path, output: str) -> None:
    r = Rollout()
    turns = read(tmp_path, r, r.ran("a", output))
    assert (statuses(turns), said(turns)) == (["unknown"], [])


def test_nobody_said_no_where_nobody_is_asked(tmp_path: Path) -> None:
    r = Rollout()
    rows = [r.context(approval_policy="never"), *r.ran("a", "exec command rejected by user")]
    turns = read(tmp_path, r, rows)
    assert (statuses(turns), said(turns)) == (["unknown"], [])


def test_refusal_of_a_batch_is_one(tmp_path: Path) -> None:
    r = Rollout()
    no = "exec command rejected by user"
    turns = read(tmp_path, r, r.call("a"), r.call("b"), r.output("a", no), r.output("b", no))
    assert (shape(turns), statuses(turns)) == (["agent", "refusal"], ["refused", "refused"])


def test_calls_of_one_reply_are_one_turn(tmp_path: Path) -> None:
    r = Rollout()
    together = [*r.agent("Look."), r.call("a"), r.call("b")]
    outputs = [r.output("b", unified("2")), r.output("a", unified("1"))]
    turns = read(tmp_path, r, together, outputs, r.agent("Seen."))
    assert [(turn.text, len(getattr(turn, "calls", ()))) for turn in turns] == [
        ("Look.", 2),
        ("Seen.", 0),
    ]
    assert [call.result.text for call in calls(turns)] == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        ("exec_command", {"cmd": "ls -la", "workdir": "/srv"}, "ls -la"),
        ("shell", {"command": ["bash", "-lc", "ls | wc"]}, "ls | wc"),
        ("shell", {"command": ["/bin/zsh", "-c", "ls"]}, "ls"),
        ("shell", {"command": ["rg", "two words", "."]}, "rg 'two words' ."),
        ("shell_command", {"command": "ls"}, "ls"),
        ("update_plan", {"plan": []}, '{"plan": []}'),
    ],
)
def test_input_is_the_command_line_or_the_arguments(
    tmp_path: Path, name: str, arguments: dict[str, Any], line: str
) -> None:
    assert one_call(tmp_path, "x", name=name, **arguments).input == line


def test_justification_describes_a_call(tmp_path: Path) -> None:
    call = one_call(tmp_path, "x", cmd="git push", justification="Publish the branch?")
    assert call.description == "Publish the branch?"


def test_local_shell_and_custom_tools_are_calls(tmp_path: Path) -> None:
    r = Rollout()
    action = {"type": "exec", "command": ["bash", "-lc", "ls"]}
    turns = read(
        tmp_path,
        r,
        r.item("local_shell_call", id="a", status="completed", action=action),
        r.output("a", unified("x")),
        r.item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="b"),
        r.output("b", "patch rejected by user", "custom_tool_call_output"),
    )
    assert [(call.tool, call.input) for call in calls(turns)] == [
        ("local_shell", "ls"),
        ("apply_patch", "*** Begin Patch"),
    ]
    assert statuses(turns) == ["ok", "refused"]


def test_command_left_running_is_ended_by_a_later_look(tmp_path: Path) -> None:
    r = Rollout()
    turns = read(
        tmp_path,
        r,
        r.ran("a", running("building\n")),
        r.ran("b", running("still\n"), name="write_stdin", session_id=7, chars=""),
        r.ran("c", unified("broken\n", 2), name="write_stdin", session_id=7, chars=""),
        r.agent("It broke."),
    )
    assert statuses(turns) == ["failed", "ok", "ok"]
    assert calls(turns)[0].result.text == "building\n\nExit code 2\nbroken\n"


def test_command_that_never_ends_is_unknown(tmp_path: Path) -> None:
    r = Rollout()
    turns = read(tmp_path, r, r.ran("a", running("serving")), r.agent("It runs."))
    assert statuses(turns) == ["unknown"]
    assert calls(turns)[0].result.text == "serving"


def test_end_of_a_command_that_was_let_go_stays_with_the_look(tmp_path: Path) -> None:
    r = Rollout()
    between = [row for number in range(MAX_WAITING + 2) for row in r.ran(f"x{number}", "fine")]
    look = r.ran("b", unified("broken", 2), name="write_stdin", session_id=7)
    turns = read(tmp_path, r, r.ran("a", running("building")), between, look)
    assert (statuses(turns)[0], statuses(turns)[-1]) == ("unknown", "failed")
    assert calls(turns)[-1].description == "make test"


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("interrupted", "interrupted"),
        ("replaced", "interrupted"),
        ("review_ended", "missing"),
        ("budget_limited", "missing"),
    ],
)
def test_aborted_turn_interrupts_what_was_open(tmp_path: Path, reason: str, status: str) -> None:
    r = Rollout()
    notice = r.user_item("<turn_aborted>\nThe user interrupted.\n</turn_aborted>")
    aborted = r.event("turn_aborted", turn_id="t", reason=reason)
    turns = read(tmp_path, r, r.user("go"), r.call("a"), notice, aborted, r.user("no"))
    assert statuses(turns) == [status]
    assert said(turns) == [("prompt", "go"), ("prompt", "no")]


def test_call_without_an_output_is_missing(tmp_path: Path) -> None:
    r = Rollout()
    assert statuses(read(tmp_path, r, r.call("a"))) == ["missing"]


def test_events_tell_of_failures_that_outputs_hide(tmp_path: Path) -> None:
    r = Rollout()
    bad = {"Ok": {"content": [{"type": "text", "text": "no such page"}], "isError": True}}
    turns = read(
        tmp_path,
        r,
        r.item("function_call", name="fetch", namespace="mcp__web", arguments="{}", call_id="a"),
        r.event("mcp_tool_call_end", call_id="a", result=bad),
        r.output("a", "Wall time: 0.1 seconds\nOutput:\nno such page"),
        r.item("custom_tool_call", name="apply_patch", input="*** Begin", call_id="b"),
        r.event("patch_apply_end", call_id="b", success=False, status="failed", stderr="no"),
        r.output("b", "done", "custom_tool_call_output"),
    )
    assert statuses(turns) == ["failed", "failed"]
    assert calls(turns)[0].tool == "mcp__web__fetch"


@pytest.mark.parametrize(
    ("result", "status"),
    [
        ({"Err": "user rejected MCP tool call"}, "refused"),
        ({"Err": "connection closed"}, "failed"),
        ({"Ok": {"content": [], "isError": False}}, "missing"),
    ],
)
def test_event_stands_for_an_output_that_never_came(
    tmp_path: Path, result: Json, status: str
) -> None:
    r = Rollout()
    call = r.item("function_call", name="mcp__web__fetch", arguments="{}", call_id="a")
    turns = read(tmp_path, r, call, r.event("mcp_tool_call_end", call_id="a", result=result))
    assert statuses(turns) == [status]


def command(call: str, **fields: Any) -> Json:
    return {"id": call, "command": ["bash", "-lc", "make"], "source": "agent", **fields}


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"status": "completed", "exit_code": 0}, "ok"),
        ({"status": "failed", "exit_code": 2, "aggregated_output": "no"}, "failed"),
        ({"status": "declined", "aggregated_output": "exec command rejected by user"}, "refused"),
        ({"status": "declined", "exit_code": -1, "aggregated_output": ""}, "refused"),
        ({"status": "declined", "aggregated_output": "rejected by configuration"}, "unknown"),
        ({"status": "in_progress"}, "unknown"),
    ],
)
def test_completed_item_without_a_row_is_a_call(tmp_path: Path, fields: Json, status: str) -> None:
    r = Rollout()
    turns = read(tmp_path, r, r.done("CommandExecution", **command("n1", **fields)))
    (call,) = calls(turns)
    assert (call.tool, call.input, call.result.status) == ("exec_command", "make", status)


def test_completed_item_of_a_call_is_that_call(tmp_path: Path) -> None:
    r = Rollout()
    done = command("a", status="failed", exit_code=2, aggregated_output="no")
    after = r.done("CommandExecution", **done)
    turns = read(tmp_path, r, r.call("a"), after, r.output("a", unified("no", 2)), r.agent("Oh."))
    assert statuses(turns) == ["failed"]
    late = read(tmp_path / "late", r, r.ran("a", unified("no", 2)), r.agent("Oh."), after)
    assert statuses(late) == ["failed"]


def test_declined_file_change_is_a_refusal(tmp_path: Path) -> None:
    r = Rollout()
    change = {"id": "f", "changes": {"/srv/a.py": {"type": "add"}}, "status": "declined"}
    turns = read(tmp_path, r, r.done("FileChange", **change))
    assert (shape(turns), statuses(turns)) == (["agent", "refusal"], ["refused"])
    assert json.loads(calls(turns)[0].input) == change["changes"]


def test_command_that_the_person_ran_is_not_the_agents(tmp_path: Path) -> None:
    r = Rollout()
    ran = command("u", status="completed", exit_code=1) | {"source": "user_shell"}
    assert read(tmp_path, r, r.done("CommandExecution", **ran)) == []


@pytest.mark.parametrize("name", ["mcp__remem__recall", "remem__recall"])
def test_results_of_remems_own_tools_are_left_out(tmp_path: Path, name: str) -> None:
    assert one_call(tmp_path, "You once said: use tabs.", name=name).result.text == ""


def test_remems_section_in_a_file_that_was_read_is_left_out(tmp_path: Path) -> None:
    text = unified("# Notes\n<!-- remem:start -->\nUse tabs.\n<!-- remem:end -->\nend")
    assert one_call(tmp_path, text).result.text == "# Notes\n\nend"


def test_rolled_back_turns_were_said_all_the_same(tmp_path: Path) -> None:
    r = Rollout()
    rows = [*r.user("use tabs"), *r.agent("ok"), r.event("thread_rolled_back", num_turns=1)]
    turns = read(tmp_path, r, rows, r.user("use spaces"))
    assert said(turns) == [("prompt", "use tabs"), ("prompt", "use spaces")]
