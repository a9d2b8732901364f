"""Replies and their calls: merged by message, paired by id, whatever the order of the rows."""

import json

import pytest
from claude_files import Read, Rows, bash, calls, line, said, shape, statuses, text, tool

from remem_agents.turns import MAX_WAITING
from remem_protocol import AgentTurn


def test_rows_of_one_message_are_one_turn(rows: Rows, read: Read) -> None:
    thinking = {"type": "thinking", "thinking": "hm", "signature": "x"}
    (turn,) = read(
        rows.agent(thinking, message="m1"),
        rows.agent(text("Let me look."), message="m1"),
        rows.agent(bash("a"), message="m1"),
        rows.result("a", "2 passed"),
        rows.agent(bash("b", "make lint", "Lint"), message="m1"),
        rows.result("b", "clean"),
    )
    assert isinstance(turn, AgentTurn)
    assert turn.text == "Let me look."
    assert [(call.input, call.description, call.result.text) for call in turn.calls] == [
        ("make test", "Run the tests", "2 passed"),
        ("make lint", "Lint", "clean"),
    ]


def test_reply_of_thinking_alone_is_no_turn(rows: Rows, read: Read) -> None:
    assert read(rows.agent({"type": "thinking", "thinking": "hm"}), rows.user("go")) != []
    assert shape(read(rows.agent({"type": "thinking", "thinking": "hm"}))) == []


def test_arguments_of_other_tools_are_their_json(rows: Rows, read: Read) -> None:
    (call,) = calls(read(rows.agent(tool("a", "Edit", file_path="/é.py", old="a"))))
    assert json.loads(call.input) == {"file_path": "/é.py", "old": "a"}


def test_results_out_of_order_find_their_calls(rows: Rows, read: Read) -> None:
    turns = read(
        rows.result("b", "second"),
        rows.agent(bash("a"), message="m1"),
        rows.agent(bash("b"), message="m2"),
        rows.user("and?"),
        rows.result("a", "first"),
    )
    assert [(call.id, call.result.text) for call in calls(turns)] == [
        ("a", "first"),
        ("b", "second"),
    ]
    assert shape(turns) == ["agent", "agent", "prompt"]


def test_call_without_result_is_missing(rows: Rows, read: Read) -> None:
    turns = read(rows.agent(bash("a")), rows.user("what happened?"), rows.agent(text("A crash.")))
    assert statuses(turns) == ["missing"]


def test_second_result_is_ignored(rows: Rows, read: Read) -> None:
    turns = read(
        rows.agent(bash("a")),
        rows.result("a", "ok"),
        rows.agent(text("Done.")),
        rows.user("thanks"),
        rows.no("a", "Exit code 1"),
    )
    assert statuses(turns) == ["ok"]


def test_real_result_replaces_one_that_was_not_copied(rows: Rows, read: Read) -> None:
    turns = read(
        rows.agent(bash("a")),
        rows.no("a", "[Tool call result not in this copy: see the other session]"),
        rows.result("a", "2 passed"),
    )
    assert [(call.result.status, call.result.text) for call in calls(turns)] == [("ok", "2 passed")]


def test_waiting_reply_is_let_go_when_many_have_passed(rows: Rows, read: Read) -> None:
    later = [rows.agent(text(f"Reply {number}.")) for number in range(MAX_WAITING + 1)]
    turns = read(rows.agent(bash("a")), *later, rows.result("a", "too late"))
    assert statuses(turns) == ["missing"]
    assert len(turns) == 1 + len(later)


@pytest.mark.parametrize(
    ("content", "status"),
    [
        ("Exit code 1\nFAIL", "failed"),
        ("<tool_use_error>File has not been read yet.</tool_use_error>", "failed"),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", "collateral"),
        (
            "<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>",
            "collateral",
        ),
        ("Sibling tool call errored", "collateral"),
        ("[Request interrupted by user for tool use]", "interrupted"),
        ("[Tool call interrupted: the session ended]", "interrupted"),
        ("[Agent call interrupted: the session ended]", "interrupted"),
        ("[Tool call result not in this copy: x]", "unknown"),
        ("This command requires approval", "unknown"),
        ("Claude requested permissions to write to /a, but you haven't granted it yet.", "unknown"),
        ("Permission to use Bash with command rm has been denied.", "unknown"),
        ("Hook PreToolUse:Bash denied this tool", "unknown"),
        ("a file that quotes: The user doesn't want to proceed with this tool use.", "failed"),
    ],
)
def test_error_text_tells_how_the_call_ended(
    rows: Rows, read: Read, content: str, status: str
) -> None:
    turns = read(rows.agent(bash("a")), rows.no("a", content))
    assert statuses(turns) == [status]
    assert said(turns) == []


def test_result_of_blocks_gives_their_texts(rows: Rows, read: Read) -> None:
    image = {"type": "image", "source": {"data": "aGk="}}
    turns = read(rows.agent(bash("a")), rows.result("a", [text("one"), image, text("two")]))
    assert calls(turns)[0].result.text == "one\ntwo"


def test_search_result_of_another_shape_is_no_matter(rows: Rows, read: Read) -> None:
    found = {"type": "web_search_tool_result", "tool_use_id": "s", "content": {"type": "error"}}
    (turn,) = read(rows.agent(text("Searching."), found))
    assert turn.text == "Searching."


@pytest.mark.parametrize("fields", [{"isApiErrorMessage": True}, {}])
def test_reply_made_by_the_harness_is_left_out(
    rows: Rows, read: Read, fields: dict[str, bool]
) -> None:
    row = rows.agent(text("I was wrong: API Error 529"), **fields)
    if not fields:
        row["message"]["model"] = "<synthetic>"
    assert read(row) == []


def test_interrupt_marks_the_calls_it_cut_off(rows: Rows, read: Read) -> None:
    turns = read(
        rows.agent(bash("a"), bash("b")),
        rows.result("a", "ok"),
        rows.user([text("[Request interrupted by user]")]),
        rows.user("only the second file"),
    )
    assert statuses(turns) == ["ok", "interrupted"]
    assert said(turns) == [("prompt", "only the second file")]


def test_long_texts_of_the_agent_are_clipped_and_a_persons_are_not(rows: Rows, read: Read) -> None:
    long = "x" * 6_000 + "y" * 14_000 + "z" * 2_000
    person, agent = read(rows.user(long), rows.agent(bash("a", long)), rows.result("a", long))
    clipped = "x" * 6_000 + "…[14000 characters left out]…" + "z" * 2_000
    assert person.text == long
    assert (agent.calls[0].input, agent.calls[0].result.text) == (clipped, clipped)


def test_results_of_our_own_tools_are_not_kept(rows: Rows, read: Read) -> None:
    turns = read(
        rows.agent(
            tool("a", "mcp__remem__recall", query="tabs"),
            tool("b", "mcp__plugin_remem_remem__recall", query="tabs"),
            tool("c", "mcp__remembrall__get", key="tabs"),
        ),
        *(rows.result(call, "The person prefers tabs.") for call in "abc"),
    )
    assert [call.result.text for call in calls(turns)] == ["", "", "The person prefers tabs."]


def test_our_section_of_a_memory_file_is_not_kept(rows: Rows, read: Read) -> None:
    section = "# Notes\n<!-- remem:start -->\nuse tabs\n<!-- remem:end -->\nmine"
    turns = read(
        rows.agent(tool("a", "Read", file_path="MEMORY.md"), tool("b", "Read", file_path="M")),
        rows.result("a", section),
        rows.result("b", section.partition("<!-- remem:end")[0]),
    )
    assert [call.result.text for call in calls(turns)] == ["# Notes\n\nmine", "# Notes\n"]


def test_unknown_rows_are_stepped_over(rows: Rows, read: Read) -> None:
    first = rows.user("go")
    snapshot = {"type": "file-history-snapshot", "messageId": first["uuid"], "snapshot": {}}
    turns = read(
        line({"type": "atis-latch", "on": True}),
        snapshot,
        first,
        rows.row("world-state"),
        {"type": "progress", "data": {"message": {"type": "user"}}},
        rows.agent(text("Done.")),
    )
    assert shape(turns) == ["prompt", "agent"]


def test_missing_parents_lose_nothing(rows: Rows, read: Read) -> None:
    turns = read(rows.user("one"), rows.user("two", parentUuid="never-written"), rows.user("three"))
    assert [turn.text for turn in turns] == ["one", "two", "three"]
