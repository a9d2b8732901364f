"""What messages become: a person's own words, calls and how each ended, refusals and stops."""

from pathlib import Path
from typing import Any

import pytest
from claude_files import calls, said, shape, statuses
from gemini_files import Json, Messages, call, metadata, shell, turns_of, write_lines

from remem_protocol import Turn

DENIED = "[Operation Cancelled] Reason: User denied execution."
SIBLING = "[Operation Cancelled] Reason: User cancelled operation"
OLD_SHELL = (
    "Command: make\nDirectory: (root)\nOutput: {}\nError: (none)\nExit Code: {}\nSignal: (none)\n"
    "Background PIDs: (none)\nProcess Group PGID: 42"
)
FILES = (
    "\n--- Content from referenced files ---\nContent from @src/a.py:\nraise Stop\n"
    "--- End of content ---"
)


@pytest.fixture
def make() -> Messages:
    return Messages()


def read(folder: Path, *messages: Json) -> list[Turn]:
    return turns_of(write_lines(folder / "session-a.jsonl", metadata(), *messages))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("use tabs", "use tabs"),
        ([{"text": "use tabs"}], "use tabs"),
        ({"text": "use tabs"}, "use tabs"),
        (["use tabs"], "use tabs"),
        ([{"text": "fix @src/a.py"}, {"text": FILES}], "fix @src/a.py"),
        ("fix @src/a.py" + FILES, "fix @src/a.py"),
        ("<hook_context>remember x</hook_context>\n\nuse tabs", "use tabs"),
        ("use tabs\n<hook_context>remember x</hook_context>", "use tabs"),
        ("use tabs <!-- remem:start -->a lesson<!-- remem:end -->", "use tabs"),
        ("what is a <state_snapshot> for?", "what is a <state_snapshot> for?"),
    ],
)
def test_persons_own_words_are_kept(
    tmp_path: Path, make: Messages, content: Any, words: str
) -> None:
    assert said(read(tmp_path, make.user(content))) == [("prompt", words)]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "  ",
        "/memory show",
        "?",
        "<session_context>\nToday is …</session_context>",
        "<session_context>\ncut",
        "<hook_context>remember x</hook_context>",
        "<state_snapshot>\n<goal/></state_snapshot>",
        "This is the Gemini CLI. We are setting up the context for our chat.\nToday's date is …",
        "System: Please continue.",
        "System: Potential loop detected. Details: …",
        "Here is the user's editor context as a JSON object. This is for your information only.",
        "I ran the following shell command:\n```sh\nls\n```",
        [{"functionResponse": {"name": "glob", "response": {"output": "a.py"}}}],
    ],
)
def test_programs_words_are_not_the_persons(tmp_path: Path, make: Messages, content: Any) -> None:
    assert said(read(tmp_path, make.user(content), make.gemini("Done."))) == []


def test_what_was_shown_as_typed_wins_over_what_was_sent(tmp_path: Path, make: Messages) -> None:
    sent = make.user("A prompt that a command made of it.", displayContent="make it so")
    assert said(read(tmp_path, sent)) == [("prompt", "make it so")]


def test_hint_typed_while_the_agent_works_is_steering(tmp_path: Path, make: Messages) -> None:
    hint = (
        "User steering update:\n<user_input>\nonly the tests\n</user_input>\n"
        "Internal instruction: Re-evaluate the active plan."
    )
    assert said(read(tmp_path, make.user(hint))) == [("steering", "only the tests")]


def test_thoughts_are_not_said(tmp_path: Path, make: Messages) -> None:
    parts = [{"text": "I wonder", "thought": True}, {"text": "It is "}, {"text": "done."}]
    (turn,) = read(tmp_path, make.gemini(parts, thoughts=[{"subject": "x"}]))
    assert turn.text == "It is done."


def test_call_is_told_by_its_command_or_its_arguments(tmp_path: Path, make: Messages) -> None:
    edit = call("replace", "success", "ok", args={"file_path": "a.py", "new_string": "b"})
    turns = read(tmp_path, make.gemini("", shell("success", "Output: (empty)"), edit))
    run, replace = calls(turns)
    assert (run.input, run.description) == ("make test", "Run the tests")
    assert replace.input == '{"file_path":"a.py","new_string":"b"}'


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (OLD_SHELL.format("ok", 0), "ok"),
        (OLD_SHELL.format("ok", "(none)"), "ok"),
        (OLD_SHELL.format("boom", 2), "failed"),
        ("Output: boom\nExit Code: 2\nProcess Group PGID: 42", "failed"),
        ("Output: (empty)\nProcess Group PGID: 42", "ok"),
        ("Output: the log says\nExit Code: 2\nbut all is well\nProcess Group PGID: 42", "ok"),
        ("Output: (empty)\nSignal: SIGKILL\nProcess Group PGID: 42", "failed"),
        ("Output: (empty)\nExit Code: 12", "failed"),
        (
            "<untrusted_context>\nOutput: boom\nExit Code: 127\nProcess Group PGID: 42\n"
            "</untrusted_context>",
            "failed",
        ),
        (
            "<untrusted_context>\nOutput: fine\nProcess Group PGID: 42\n</untrusted_context>",
            "ok",
        ),
        (
            "Command was cancelled by user before it could complete. There was no output",
            "interrupted",
        ),
        ("Command was automatically cancelled because it exceeded the timeout of 5.0", "failed"),
    ],
)
def test_exit_code_inside_a_success_decides(
    tmp_path: Path, make: Messages, output: str, status: str
) -> None:
    assert statuses(read(tmp_path, make.gemini("", shell("success", output)))) == [status]


def test_exit_code_in_a_file_that_was_read_decides_nothing(tmp_path: Path, make: Messages) -> None:
    seen = call("read_file", "success", "Exit Code: 1\n")
    assert statuses(read(tmp_path, make.gemini("", seen))) == ["ok"]


@pytest.mark.parametrize(
    ("status", "text", "kept"),
    [
        ("error", "File not found: a.py", "failed"),
        ("error", "Tool execution denied by policy.", "unknown"),
        ("error", 'Tool execution for "Shell" denied by policy.', "unknown"),
        ("cancelled", "[Operation Cancelled] Reason: Operation cancelled", "interrupted"),
        ("cancelled", "Operation cancelled by user", "interrupted"),
        (
            "cancelled",
            "[Operation Cancelled] Reason: Tool call cancelled while in queue.",
            "interrupted",
        ),
        ("cancelled", SIBLING, "interrupted"),
        ("executing", None, "missing"),
        ("awaiting_approval", None, "missing"),
        ("success", "User denied execution.", "ok"),
    ],
)
def test_machines_ends_are_no_refusals(
    tmp_path: Path, make: Messages, status: str, text: str | None, kept: str
) -> None:
    turns = read(tmp_path, make.gemini("", call("edit", status, text)))
    assert (statuses(turns), said(turns)) == ([kept], [])


@pytest.mark.parametrize(
    ("status", "text"),
    [
        ("cancelled", DENIED),
        ("cancelled", "[Operation Cancelled] Reason: User did not allow tool call"),
        ("cancelled", "User did not allow tool call"),
        ("error", "User rejected this operation. Do not try again."),
    ],
)
def test_persons_no_is_a_refusal(tmp_path: Path, make: Messages, status: str, text: str) -> None:
    turns = read(tmp_path, make.gemini("", shell(status, text)), make.user("not on main"))
    assert statuses(turns) == ["refused"]
    assert said(turns) == [("refusal", ""), ("prompt", "not on main")]


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        ('Tool "run_shell_command" was canceled by the user.', ["refused"]),
        ('The log says: Tool "x" was canceled by the user.', []),
    ],
)
def test_no_in_an_editor_is_a_refusal_of_a_call_that_is_not_recorded(
    tmp_path: Path, make: Messages, error: str, kept: list[str]
) -> None:
    answer = {"id": "r1", "name": "run_shell_command", "response": {"error": error}}
    response = make.user([{"functionResponse": answer}])
    turns = read(tmp_path, make.gemini("Pushing."), response)
    assert statuses(turns) == kept
    assert said(turns) == [("refusal", "")] * len(kept)


def test_calls_beside_a_refused_one_are_collateral(tmp_path: Path, make: Messages) -> None:
    batch = (
        call("edit", "cancelled", DENIED, id="a"),
        call("edit", "cancelled", SIBLING, id="b"),
        call("read_file", "success", "text", id="c"),
    )
    turns = read(tmp_path, make.gemini("", *batch))
    assert statuses(turns) == ["refused", "collateral", "ok"]
    assert shape(turns) == ["agent", "refusal"]


@pytest.mark.parametrize("notice", ["Request cancelled.", "User cancelled the request."])
def test_calls_cut_off_by_a_stop_are_interrupted(
    tmp_path: Path, make: Messages, notice: str
) -> None:
    turns = read(tmp_path, make.gemini("", shell("executing", None)), make.info(notice))
    assert statuses(turns) == ["interrupted"]


def test_rejected_plan_carries_the_persons_words(tmp_path: Path, make: Messages) -> None:
    text = (
        "Plan rejected. User feedback: split it in two\n\nThe plan is stored at: p.md\nRevise it."
    )
    turns = read(tmp_path, make.gemini("", call("exit_plan_mode", "success", text)))
    assert said(turns) == [("refusal", "split it in two")]


def test_plan_rejected_without_words_is_a_bare_no(tmp_path: Path, make: Messages) -> None:
    text = "Plan rejected. No feedback provided.\n\nThe plan is stored at: p.md"
    turns = read(tmp_path, make.gemini("", call("exit_plan_mode", "success", text)))
    assert (statuses(turns), said(turns)) == (["refused"], [("refusal", "")])


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ('{"answers":{"0":"Postgres"}}', []),
        ('{"answers":{"0":"neither, use sqlite"}}', [("comment", "neither, use sqlite")]),
        ('{"answers":{"7":"odd"}}', [("comment", "odd")]),
        ("not json", []),
        ("User dismissed ask_user dialog without answering.", [("refusal", "")]),
    ],
)
def test_typed_answer_is_the_persons_and_a_choice_is_not(
    tmp_path: Path, make: Messages, answers: str, words: list[tuple[str, str]]
) -> None:
    asked = {"questions": [{"question": "Which?", "options": [{"label": "Postgres"}]}]}
    turns = read(tmp_path, make.gemini("", call("ask_user", "success", answers, args=asked)))
    assert said(turns) == words


def test_calls_repeated_in_the_content_count_once(tmp_path: Path, make: Messages) -> None:
    parts = [
        {"text": "Look."},
        {"functionCall": {"id": "a", "name": "glob", "args": {"pattern": "*"}}},
        {"functionCall": {"name": "ls", "args": {}}},
    ]
    recorded = call("glob", "success", "x.py", id="a"), call("ls", "success", "y.py", id="b")
    assert statuses(read(tmp_path, make.gemini(parts, *recorded))) == ["ok", "ok"]


def test_calls_in_the_content_alone_are_paired_by_order_and_name(
    tmp_path: Path, make: Messages
) -> None:
    parts = [
        {"functionCall": {"name": "glob", "args": {"pattern": "a"}}},
        {"functionCall": {"name": "glob", "args": {"pattern": "b"}}},
        {"functionCall": {"name": "ls", "args": {}}},
    ]
    answers = [
        {"functionResponse": {"name": "ls", "response": {"error": "no such folder"}}},
        {"functionResponse": {"name": "glob", "response": {"output": "first"}}},
        {"functionResponse": {"name": "glob", "response": {"output": "second"}}},
    ]
    turns = read(tmp_path, make.gemini(parts), make.user(answers))
    assert [(c.tool, c.result.text) for c in calls(turns)] == [
        ("glob", "first"),
        ("glob", "second"),
        ("ls", "no such folder"),
    ]
    assert statuses(turns) == ["ok", "ok", "failed"]


@pytest.mark.parametrize(
    "own",
    [
        call("mcp_remem_recall", "success", "a memory"),
        call("remem__recall", "success", "a memory"),
        call("recall", "success", "a memory", displayName="recall (remem MCP Server)"),
    ],
)
def test_results_of_our_own_tools_are_left_out(tmp_path: Path, make: Messages, own: Json) -> None:
    (kept,) = calls(read(tmp_path, make.gemini("", own)))
    assert (kept.result.status, kept.result.text) == ("ok", "")


def test_long_results_are_clipped_and_words_are_not(tmp_path: Path, make: Messages) -> None:
    turns = read(tmp_path, make.user("w" * 50_000), make.gemini("", shell("success", "r" * 50_000)))
    assert len(turns[0].text) == 50_000
    assert "characters left out" in calls(turns)[0].result.text


def test_odd_results_are_read_as_far_as_they_go(tmp_path: Path, make: Messages) -> None:
    turns = read(
        tmp_path,
        make.gemini(
            "",
            {"name": "a", "status": "success", "result": "plain"},
            {"name": "b", "status": "success", "result": [{"text": "x"}, {"inlineData": {}}]},
            {"name": "c", "status": "success", "resultDisplay": "shown"},
            {"name": "d", "status": "success", "resultDisplay": {"fileDiff": "+x"}},
            call("e", "success", "", id="e") | {"result": {"functionResponse": {"response": [1]}}},
            {"status": "success"},
        ),
    )
    assert [c.result.text for c in calls(turns)] == ["plain", "x", "shown", "", "[1]", ""]
    assert calls(turns)[-1].tool == "unknown"
