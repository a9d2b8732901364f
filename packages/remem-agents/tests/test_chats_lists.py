"""Message lists of the four APIs, in whatever they are wrapped, as sessions."""

import datetime
import json
import os
from pathlib import Path
from typing import Any

import pytest
from chat_files import LISTS, Json, transcripts, turns_of, write, write_rows
from claude_files import calls, said, statuses
from claude_files import shape as shape_of

from remem_agents.chats import MessageListReader
from remem_agents.registry import READERS, reader_for
from remem_agents.transcript import Seen
from remem_protocol import MalformedError, Turn

NO = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\nnot in main"
)
TALK = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "Hi."}]


def read(folder: Path, value: Any) -> list[Turn]:
    return turns_of(LISTS, write(folder / "list.json", value))


def texts(turns: list[Turn]) -> list[str]:
    return [turn.text for turn in turns]


def user(content: Any) -> Json:
    return {"role": "user", "content": content}


def agent(content: Any, **fields: Any) -> Json:
    return {"role": "assistant", "content": content, **fields}


def test_openai_chat(tmp_path: Path) -> None:
    asked = [
        {"id": "a", "type": "function", "function": {"name": "ls", "arguments": '{"path": "."}'}},
        {"id": "b", "type": "function", "function": {"name": "cat", "arguments": "{not json"}},
    ]
    turns = read(
        tmp_path,
        [
            {"role": "system", "content": "Be brief."},
            {"role": "developer", "content": "Be brief."},
            user([{"type": "text", "text": "list"}, {"type": "image_url", "image_url": {}}]),
            agent("Looking.", tool_calls=asked),
            {"role": "tool", "tool_call_id": "b", "content": "Error: no such file"},
            {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "x.py"}]},
            agent("One file."),
        ],
    )
    assert texts(turns) == ["list", "Looking.", "One file."]
    found = [(c.id, c.tool, c.input, c.result.status, c.result.text) for c in calls(turns)]
    assert found == [
        ("a", "ls", '{"path": "."}', "unknown", "x.py"),
        ("b", "cat", "{not json", "unknown", "Error: no such file"),
    ]


def test_openai_functions_of_old(tmp_path: Path) -> None:
    asked = agent(None, function_call={"name": "ls", "arguments": "{}"})
    answered = {"role": "function", "name": "ls", "content": "x.py"}
    turns = read(tmp_path, [user("list"), asked, answered])
    assert [(c.tool, c.result.text) for c in calls(turns)] == [("ls", "x.py")]


def test_openai_responses(tmp_path: Path) -> None:
    said_by_agent = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Looking."}],
    }
    turns = read(
        tmp_path,
        {
            "instructions": "Be brief.",
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": "list"}]},
                {"type": "reasoning", "summary": []},
                said_by_agent,
                {"type": "function_call", "call_id": "a", "name": "ls", "arguments": '{"p":"."}'},
                {"type": "custom_tool_call", "call_id": "b", "name": "patch", "input": "*** x"},
                {"type": "function_call_output", "call_id": "a", "output": "x.py"},
                {
                    "type": "custom_tool_call_output",
                    "call_id": "b",
                    "output": [{"type": "input_text", "text": "done"}],
                },
                {"type": "mcp_call", "id": "c", "name": "q", "server_label": "db", "error": "down"},
            ],
        },
    )
    assert shape_of(turns) == ["prompt", "agent", "agent"]
    found = [(c.tool, c.input, c.result.status, c.result.text) for c in calls(turns)]
    assert found == [
        ("ls", '{"p":"."}', "unknown", "x.py"),
        ("patch", "*** x", "unknown", "done"),
        ("db.q", "", "failed", "down"),
    ]


def test_openai_responses_prompt_alone(tmp_path: Path) -> None:
    assert said(read(tmp_path, {"model": "m", "input": "hello"})) == [("prompt", "hello")]


def test_anthropic(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        {
            "system": "Be brief.",
            "messages": [
                user("list"),
                agent(
                    [
                        {"type": "thinking", "thinking": "hm"},
                        {"type": "text", "text": "Looking."},
                        {"type": "tool_use", "id": "a", "name": "ls", "input": {"path": "."}},
                        {"type": "tool_use", "id": "b", "name": "cat", "input": {}},
                    ]
                ),
                user(
                    [
                        {"type": "tool_result", "tool_use_id": "a", "content": "x.py"},
                        {
                            "type": "tool_result",
                            "tool_use_id": "b",
                            "is_error": True,
                            "content": [{"type": "text", "text": "no such file"}],
                        },
                        {"type": "text", "text": "only python"},
                    ]
                ),
                {"role": "system", "content": "A reminder."},
            ],
        },
    )
    assert texts(turns) == ["list", "Looking.", "only python"]
    assert [(c.result.status, c.result.text) for c in calls(turns)] == [
        ("ok", "x.py"),
        ("failed", "no such file"),
    ]


def test_anthropic_tools_of_the_server(tmp_path: Path) -> None:
    error = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    blocks = [
        {"type": "server_tool_use", "id": "a", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "a", "content": error},
    ]
    (call,) = calls(read(tmp_path, [user("search"), agent(blocks)]))
    assert (call.result.status, call.result.text) == ("failed", "max_uses_exceeded")


@pytest.mark.parametrize(
    ("tool", "words"), [("Bash", [("refusal", "not in main")]), ("mcp__x__y", [])]
)
def test_persons_no_inside_a_result_is_a_refusal(
    tmp_path: Path, tool: str, words: list[tuple[str, str]]
) -> None:
    use = {"type": "tool_use", "id": "a", "name": tool, "input": {}}
    no = {"type": "tool_result", "tool_use_id": "a", "is_error": True, "content": NO}
    assert said(read(tmp_path, [agent([use]), user([no])])) == words


def test_gemini(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        {
            "system_instruction": {"parts": [{"text": "Be brief."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "list"}]},
                {
                    "role": "model",
                    "parts": [
                        {"text": "hm", "thought": True},
                        {"text": "Look"},
                        {"text": "ing."},
                        {"functionCall": {"name": "ls", "args": {"path": "."}}},
                        {"functionCall": {"name": "ls", "args": {"path": "/"}}},
                        {"function_call": {"id": "c", "name": "cat", "args": {}}},
                    ],
                },
                {
                    "role": "user",
                    "parts": [
                        {
                            "functionResponse": {
                                "id": "c",
                                "name": "cat",
                                "response": {"error": "no"},
                            }
                        },
                        {"functionResponse": {"name": "ls", "response": {"output": "x.py"}}},
                        {"function_response": {"name": "ls", "response": {"found": 3}}},
                    ],
                },
            ],
        },
    )
    assert texts(turns) == ["list", "Looking."]
    assert [(c.input, c.result.status, c.result.text) for c in calls(turns)] == [
        ('{"path":"."}', "ok", "x.py"),
        ('{"path":"/"}', "unknown", '{"found":3}'),
        ("{}", "failed", "no"),
    ]


@pytest.mark.parametrize("turn", [False, True])
def test_checkpoint_of_gemini_cli(tmp_path: Path, turn: bool) -> None:
    history: list[Json] = [
        {
            "role": "user",
            "parts": [{"text": "This is the Gemini CLI. We are setting up the context"}],
        },
        {"role": "model", "parts": [{"text": "Got it."}]},
        {"role": "user", "parts": [{"text": "use tabs"}]},
    ]
    if turn:
        history = [{"id": str(n), "content": content} for n, content in enumerate(history)]
    assert said(read(tmp_path, {"history": history, "authType": "x"})) == [("prompt", "use tabs")]


@pytest.mark.parametrize(
    "value",
    [
        TALK,
        {"messages": TALK},
        {"request": {"model": "m", "messages": TALK}},
        {"body": {"messages": TALK}, "custom_id": "x"},
        {"input": TALK},
        {"request": {"messages": TALK[:1]}, "response": {"choices": [{"message": TALK[1]}]}},
        {"request": {"messages": TALK[:1]}, "response": {"body": {"output": [TALK[1]]}}},
        {"request": {"messages": TALK[:1]}, "response": {**TALK[1], "type": "message"}},
        [{"messages": TALK}],
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_wrappers_are_seen_through(tmp_path: Path, value: Any, indent: int | None) -> None:
    path = write(tmp_path / "list.json", value, indent=indent)
    assert reader_for(path) is READERS[-1]
    assert texts(turns_of(LISTS, path)) == ["hello", "Hi."]


def test_message_a_line_is_one_session(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "list.jsonl", *TALK)
    (transcript,) = transcripts(LISTS, path)
    assert texts(list(transcript.turns)) == ["hello", "Hi."]


def test_request_a_line_is_a_session_each(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "log.jsonl", {"messages": TALK}, {"messages": [user("other")]})
    assert [texts(list(t.turns)) for t in transcripts(LISTS, path)] == [["hello", "Hi."], ["other"]]


def test_requests_that_continue_one_another_are_one_session(tmp_path: Path) -> None:
    def cached(words: str) -> Json:
        block = {"type": "text", "text": words, "cache_control": {"type": "ephemeral"}}
        return user([block])

    plain = user([{"type": "text", "text": "hello"}])
    path = write_rows(
        tmp_path / "log.jsonl",
        {"messages": [cached("hello")], "id": "req-1"},
        {"messages": [user("another")], "id": "req-2"},
        {"messages": [plain, TALK[1], cached("thanks")], "id": "req-3"},
    )
    found = [texts(list(transcript.turns)) for transcript in transcripts(LISTS, path)]
    assert found == [["hello", "Hi.", "thanks"], ["another"]]


def test_id_and_time_are_taken_where_given(tmp_path: Path) -> None:
    at = "2026-06-07T08:09:10Z"
    timed = [{**TALK[0], "timestamp": 1_780_000_000}, TALK[1]]
    whole = {"session_id": "s-1", "created_at": at, "messages": timed}
    (transcript,) = transcripts(LISTS, write(tmp_path / "a.json", whole))
    assert (transcript.head.id, transcript.head.started) == ("s-1", "2026-06-07T08:09:10.000000Z")
    assert {turn.at for turn in transcript.turns} == {"2026-05-28T20:26:40.000000Z"}


def test_id_comes_from_the_content_and_time_from_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", TALK)
    moment = datetime.datetime(2026, 3, 4, 5, 6, 7, tzinfo=datetime.UTC).timestamp()
    os.utime(path, (moment, moment))
    (transcript,) = transcripts(LISTS, path)
    (copy,) = transcripts(LISTS, write(tmp_path / "b.json", {"messages": TALK}))
    assert transcript.head.id == copy.head.id
    assert transcript.head.started == "2026-03-04T05:06:07.000000Z"
    assert {turn.at for turn in transcript.turns} == {transcript.head.started}
    assert (transcript.head.agent, transcript.head.cwd) == ("chat", None)


def test_agent_is_the_callers(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", TALK)
    (transcript,) = MessageListReader("my-agent").read(path, Seen())
    assert transcript.head.agent == "my-agent"


def test_copy_counts_once(tmp_path: Path) -> None:
    seen = Seen()
    paths = [write(tmp_path / name, TALK) for name in ("a.json", "b.json")]
    assert [len(list(transcripts(LISTS, path, seen))) for path in paths] == [1, 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<system-reminder>x</system-reminder>\nuse tabs", "use tabs"),
        ("use tabs<hook_context>remember y</hook_context>", "use tabs"),
        ("use tabs <!-- remem:start -->a lesson<!-- remem:end -->", "use tabs"),
        ("<environment_context><cwd>/srv</cwd></environment_context>", None),
        ("# AGENTS.md instructions for /srv\n<INSTRUCTIONS>x</INSTRUCTIONS>", None),
        ("[Request interrupted by user]", None),
    ],
)
def test_programs_words_are_not_the_persons(tmp_path: Path, text: str, words: str | None) -> None:
    assert said(read(tmp_path, [user(text)])) == ([("prompt", words)] if words else [])


def test_results_of_our_own_tools_are_left_out(tmp_path: Path) -> None:
    asked = [{"id": "a", "function": {"name": "mcp__remem__recall", "arguments": "{}"}}]
    answered = {"role": "tool", "tool_call_id": "a", "content": "a memory"}
    (call,) = calls(read(tmp_path, [user("x"), agent("", tool_calls=asked), answered]))
    assert (call.result.status, call.result.text) == ("unknown", "")


def test_call_without_a_result_is_missing(tmp_path: Path) -> None:
    asked = [{"id": "a", "function": {"name": "ls", "arguments": "{}"}}]
    assert statuses(read(tmp_path, [user("x"), agent("", tool_calls=asked)])) == ["missing"]


def test_result_without_a_call_is_left_out(tmp_path: Path) -> None:
    answered = {"role": "tool", "tool_call_id": "zz", "content": "x"}
    assert texts(read(tmp_path, [user("x"), answered, user("y")])) == ["x", "y"]


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        [1, 2],
        {"messages": []},
        {"messages": "hello"},
        {"messages": [{"text": "hello"}]},
        {"role": "admin", "content": "x"},
        [{"uuid": "p", "name": "x"}],
        {"type": "response_item", "payload": {"type": "message", "role": "user"}},
        {"type": "message", "payload": {}},
    ],
)
def test_other_files_are_not_recognised(tmp_path: Path, value: Any) -> None:
    assert not LISTS.recognises(write(tmp_path / "a.json", value).read_bytes())


def test_list_longer_than_the_opening_is_recognised(tmp_path: Path) -> None:
    long = [user("hello"), agent("x" * 5_000), user("y")]
    for value in (long, {"model": "m", "messages": long}):
        for indent in (None, 2):
            content = write(tmp_path / "a.json", value, indent=indent).read_bytes()
            assert LISTS.recognises(content[:3_000])


def test_file_of_something_else_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MalformedError, match="no list of messages"):
        read(tmp_path, {"name": "package", "version": "1"})
    broken = tmp_path / "b.json"
    broken.write_text('[{"role": "user", "conte')
    with pytest.raises(MalformedError, match="no list of messages"):
        turns_of(LISTS, broken)


def test_damaged_line_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    rows = [json.dumps(TALK[0]), '{"role": "assis', json.dumps(TALK[1])]
    path.write_text("\n".join(rows))
    (transcript,) = transcripts(LISTS, path)
    assert texts(list(transcript.turns)) == ["hello", "Hi."]
    assert transcript.notes.damaged == 1


def test_half_an_emoji_becomes_a_replacement_character(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps([user("CUT")], indent=1).replace("CUT", r"cut \ud83d"))
    assert texts(turns_of(LISTS, path)) == ["cut \ufffd"]


def test_instructions_alone_are_no_session(tmp_path: Path) -> None:
    assert read(tmp_path, [{"role": "system", "content": "Be brief."}]) == []


def test_odd_shapes_are_stepped_over(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        [
            user(7),
            user([None, 3, {"type": "text", "text": 5}, {"type": "text", "text": "hello"}]),
            agent([{"type": "tool_use"}], tool_calls=[None, {"function": "x"}]),
            {"role": "model", "parts": [None, {"functionCall": "x"}, {"text": "Hi."}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": 4}]},
        ],
    )
    assert texts(turns) == ["hello", "", "Hi."]


def test_lists_are_found_below_a_folder_by_content(tmp_path: Path) -> None:
    write(tmp_path / "package.json", {"name": "x"})
    write(tmp_path / "node_modules" / "a.json", TALK)
    wanted = write(tmp_path / "runs" / "1.json", TALK)
    assert list(LISTS.files(tmp_path)) == [wanted]
    assert LISTS.roots({"HOME": str(tmp_path)}) == []
