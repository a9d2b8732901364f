"""What a Claude.ai export says: content before text, branches, tools by order, attachments."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from chat_files import CLAUDE, GPT, Json, message, talk, transcripts, turns_of, write
from claude_files import calls, said, statuses

from remem_protocol import MalformedError, Turn

PLACEHOLDER = "```\nThis block is not supported on your current device yet.\n```"
NOBODY = "00000000-0000-4000-8000-000000000000"


def read(folder: Path, *messages: Json, **fields: Any) -> list[Turn]:
    return turns_of(CLAUDE, write(folder / "conversations.json", [talk(*messages, **fields)]))


def texts(turns: list[Turn]) -> list[str]:
    return [turn.text for turn in turns]


def use(name: str, **fields: Any) -> Json:
    return {"type": "tool_use", "name": name, "input": {"q": "x"}, **fields}


def result(name: str, text: str, **fields: Any) -> Json:
    return {
        "type": "tool_result",
        "name": name,
        "content": [{"type": "text", "text": text}],
        **fields,
    }


def test_head_is_taken_from_the_conversation(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", [talk(message("human", "hello", 1))])
    (transcript,) = transcripts(CLAUDE, path)
    head = transcript.head
    assert (head.id, head.agent, head.cwd) == ("c-1", "claude-ai", None)
    assert head.started == "2026-05-06T07:00:00.000000Z"
    (turn,) = transcript.turns
    assert turn.at == "2026-05-06T07:00:01.123456Z"


def test_content_comes_before_text(tmp_path: Path) -> None:
    block = {"type": "text", "text": "the words"}
    turns = read(tmp_path, message("human", "", 1, block), message("human", "other", 2, block))
    assert texts(turns) == ["the words", "the words"]


@pytest.mark.parametrize("content", [[], [{"type": "text", "text": ""}], None])
def test_text_is_taken_where_content_says_nothing(tmp_path: Path, content: Any) -> None:
    assert texts(read(tmp_path, message("human", "the words", 1, content=content))) == ["the words"]


def test_placeholder_for_a_tool_is_not_said(tmp_path: Path) -> None:
    joined = f"I'll look.\n\n{PLACEHOLDER}\n\nFound it."
    turns = read(tmp_path, message("assistant", joined, 1, content=[]))
    assert "supported" not in turns[0].text
    assert turns[0].text.split() == ["I'll", "look.", "Found", "it."]


def test_placeholder_alone_is_nothing(tmp_path: Path) -> None:
    turns = read(tmp_path, message("assistant", PLACEHOLDER, 1, use("search")))
    assert texts(turns) == [""]


def test_thinking_is_not_said(tmp_path: Path) -> None:
    thinking = {"type": "thinking", "thinking": "hm"}
    words = {"type": "text", "text": "<antThinking>hm</antThinking>Yes."}
    assert texts(read(tmp_path, message("assistant", "x", 1, thinking, words))) == ["Yes."]


def test_attachments_are_not_the_persons_words(tmp_path: Path) -> None:
    attached = [{"file_name": "a.txt", "extracted_content": "stop, this is wrong"}]
    turns = read(tmp_path, message("human", "summarise", 1, attachments=attached))
    assert said(turns) == [("prompt", "summarise")]


def test_flat_list_is_read_in_its_order(tmp_path: Path) -> None:
    messages = [message("human", "a", 3), message("assistant", "b", 2), message("human", "c", 1)]
    turns = read(tmp_path, *messages, current_leaf_message_uuid="u2")
    assert texts(turns) == ["a", "b", "c"]


def branches() -> list[Json]:
    """A prompt that was edited, each version with its reply."""
    return [
        message("human", "plan a trip", 1, parent_message_uuid=NOBODY),
        message("assistant", "By car.", 2, parent_message_uuid="u1"),
        message("human", "plan a trip by train", 3, parent_message_uuid=NOBODY),
        message("assistant", "By train.", 4, parent_message_uuid="u3"),
    ]


@pytest.mark.parametrize(
    ("leaf", "words"),
    [
        ("u4", ["plan a trip by train", "By train."]),
        ("u2", ["plan a trip", "By car."]),
        (None, ["plan a trip by train", "By train."]),
        ("gone", ["plan a trip by train", "By train."]),
    ],
)
def test_branch_is_the_one_that_the_person_ended_on(
    tmp_path: Path, leaf: str | None, words: list[str]
) -> None:
    assert texts(read(tmp_path, *branches(), current_leaf_message_uuid=leaf)) == words


def test_newest_leaf_is_told_by_time_not_by_place(tmp_path: Path) -> None:
    one, two, three, four = branches()
    assert texts(read(tmp_path, three, four, one, two)) == ["plan a trip by train", "By train."]


def test_edits_and_regenerations_are_counted(tmp_path: Path) -> None:
    again = message("assistant", "By night train.", 5, parent_message_uuid="u3")
    path = write(tmp_path / "a.json", [talk(*branches(), again)])
    (transcript,) = transcripts(CLAUDE, path)
    assert texts(list(transcript.turns)) == ["plan a trip by train", "By night train."]
    assert (transcript.notes.edits, transcript.notes.regenerations) == (1, 1)


def test_root_may_have_no_parent_at_all(tmp_path: Path) -> None:
    one, two, three, four = branches()
    one["parent_message_uuid"] = three["parent_message_uuid"] = None
    assert texts(read(tmp_path, one, two, three, four)) == ["plan a trip by train", "By train."]


def test_missing_parent_is_the_message_before(tmp_path: Path) -> None:
    messages = branches()[:2]
    messages.append(message("human", "and back", 3, parent_message_uuid="gone"))
    assert texts(read(tmp_path, *messages)) == ["plan a trip", "By car.", "and back"]


def test_cycle_of_parents_ends(tmp_path: Path) -> None:
    one = message("human", "a", 1, parent_message_uuid="u2")
    two = message("assistant", "b", 2, parent_message_uuid="u1")
    assert sorted(texts(read(tmp_path, one, two))) == ["a", "b"]


def test_tools_are_paired_by_name_and_order(tmp_path: Path) -> None:
    blocks = [
        {"type": "text", "text": "I'll look."},
        use("search", input={"q": 1}),
        use("fetch"),
        use("search", input={"q": 2}),
        result("fetch", "a page"),
        result("search", "first"),
        result("search", "second", is_error=True),
        {"type": "text", "text": "Found it."},
    ]
    (turn,) = read(tmp_path, message("assistant", "x", 1, *blocks))
    found = [(c.tool, c.input, c.result.status, c.result.text) for c in calls([turn])]
    assert found == [
        ("search", '{"q":1}', "ok", "first"),
        ("fetch", '{"q":"x"}', "ok", "a page"),
        ("search", '{"q":2}', "failed", "second"),
    ]
    assert turn.text == "I'll look.\nFound it."


def test_ids_pair_where_there_are_some(tmp_path: Path) -> None:
    blocks = [
        use("search", id="a"),
        use("search", id="b"),
        result("search", "for b", tool_use_id="b"),
        result("search", "for a", tool_use_id="a"),
    ]
    turns = read(tmp_path, message("assistant", "x", 1, *blocks))
    assert [(c.id, c.result.text) for c in calls(turns)] == [("a", "for a"), ("b", "for b")]


def test_call_without_a_result_is_missing_or_was_stopped(tmp_path: Path) -> None:
    assert statuses(read(tmp_path, message("assistant", "x", 1, use("s")))) == ["missing"]
    stopped = message("assistant", "x", 1, use("s"), stop_reason="user_canceled")
    assert statuses(read(tmp_path, stopped)) == ["interrupted"]


def test_results_of_our_own_tools_are_left_out(tmp_path: Path) -> None:
    blocks = use("recall", integration_name="remem"), result("recall", "a memory")
    (call,) = calls(read(tmp_path, message("assistant", "x", 1, *blocks)))
    assert (call.tool, call.result.text) == ("remem.recall", "")


@pytest.mark.parametrize("layout", ["array", "object", "lines", "zip"])
def test_layouts_are_read_and_told_from_the_other_exports(tmp_path: Path, layout: str) -> None:
    whole = talk(message("human", "hello", 1))
    path = tmp_path / "conversations.json"
    if layout == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("users.json", "[]")
            archive.writestr("conversations.json", json.dumps([whole]))
    else:
        write(path, [whole] if layout == "array" else whole)
    if layout == "lines":
        path.write_text(json.dumps(whole) + "\n" + json.dumps({**whole, "uuid": "c-2"}))
    assert (CLAUDE.recognises(path.read_bytes()), GPT.recognises(path.read_bytes())) == (
        True,
        False,
    )
    assert set(texts(turns_of(CLAUDE, path))) == {"hello"}


def test_damaged_conversation_costs_only_itself(tmp_path: Path) -> None:
    one = json.dumps(talk(message("human", "first", 1)))
    two = json.dumps(talk(message("human", "second", 1), uuid="c-2"))
    path = tmp_path / "conversations.json"
    path.write_text(f'[{one},{{"chat_messages": 7}},{two}]')
    found = [(texts(list(t.turns)), t.notes.damaged) for t in transcripts(CLAUDE, path)]
    assert found == [(["first"], 0), (["second"], 1)]


def test_other_files_of_the_export_are_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "projects.json", [{"uuid": "p", "name": "x"}])
    assert not CLAUDE.recognises(path.read_bytes())
    with pytest.raises(MalformedError, match="no conversation could be read"):
        turns_of(CLAUDE, path)


def test_odd_message_costs_only_itself(tmp_path: Path) -> None:
    odd: Any = ["not", "a", "message"]
    turns = read(tmp_path, message("human", "a", 1), odd, message("human", "b", 2, novel={}))
    assert texts(turns) == ["a", "b"]


def test_conversation_without_messages_says_nothing(tmp_path: Path) -> None:
    assert read(tmp_path) == []
