"""What a ChatGPT export says: the active branch, a person's own words, tools, damage, layouts."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from chat_files import GPT, GptTree, Json, transcripts, turns_of, write
from claude_files import calls, said, shape, statuses

from remem_agents.transcript import Seen
from remem_protocol import MalformedError, Turn


@pytest.fixture
def tree() -> GptTree:
    return GptTree()


def read(folder: Path, whole: Json) -> list[Turn]:
    return turns_of(GPT, write(folder / "conversations.json", [whole]))


def texts(turns: list[Turn]) -> list[str]:
    return [turn.text for turn in turns]


def test_head_is_taken_from_the_conversation(tmp_path: Path, tree: GptTree) -> None:
    tree.user("hello")
    (transcript,) = transcripts(GPT, write(tmp_path / "a.json", [tree.whole()]))
    head = transcript.head
    assert (head.id, head.agent, head.cwd, head.project) == ("conv-1", "chatgpt", None, None)
    assert head.started == "2026-02-02T02:40:00.250000Z"
    (turn,) = transcript.turns
    assert turn.at == "2026-02-02T02:40:01.500000Z"


def test_either_id_names_the_conversation(tmp_path: Path, tree: GptTree) -> None:
    tree.user("hello")
    for missing in ("id", "conversation_id"):
        whole = tree.whole()
        del whole[missing]
        (transcript,) = transcripts(GPT, write(tmp_path / "a.json", [whole]))
        assert transcript.head.id == "conv-1"


def test_conversation_without_id_is_named_after_its_content(tmp_path: Path, tree: GptTree) -> None:
    tree.user("hello")
    whole = tree.whole(id=None, conversation_id=None)
    (one,) = transcripts(GPT, write(tmp_path / "a.json", [whole]))
    (two,) = transcripts(GPT, write(tmp_path / "b.json", [whole]))
    assert one.head.id == two.head.id
    assert len(one.head.id) == 32


def test_active_branch_is_walked_from_the_current_node(tmp_path: Path, tree: GptTree) -> None:
    first = tree.user("plan a trip")
    tree.agent("To the sea.")
    tree.agent("To the hills.", under=first)
    assert texts(read(tmp_path, tree.whole())) == ["plan a trip", "To the hills."]


def test_edits_and_regenerations_are_counted(tmp_path: Path, tree: GptTree) -> None:
    tree.user("plan a trip")
    tree.agent("To the sea.")
    edited = tree.user("plan a trip without a car", under="root")
    tree.agent("By train.")
    tree.agent("By bus.", under=edited)
    tree.agent("By bike.", under=edited)
    (transcript,) = transcripts(GPT, write(tmp_path / "a.json", [tree.whole()]))
    assert texts(list(transcript.turns)) == ["plan a trip without a car", "By bike."]
    assert (transcript.notes.edits, transcript.notes.regenerations) == (1, 2)


@pytest.mark.parametrize("current", [None, "gone"])
def test_newest_leaf_stands_in_for_a_missing_current_node(
    tmp_path: Path, tree: GptTree, current: str | None
) -> None:
    first = tree.user("plan a trip")
    newer = tree.agent("To the hills.")
    older = tree.agent("To the sea.", under=first)
    tree.mapping[older]["message"]["create_time"] = 1.0
    assert newer != older
    assert texts(read(tmp_path, tree.whole(current_node=current))) == [
        "plan a trip",
        "To the hills.",
    ]


def test_missing_parent_ends_the_branch(tmp_path: Path, tree: GptTree) -> None:
    tree.user("hello", under="gone")
    tree.agent("Hi.")
    assert texts(read(tmp_path, tree.whole())) == ["hello", "Hi."]


def test_cycle_of_parents_ends(tmp_path: Path, tree: GptTree) -> None:
    first = tree.user("hello")
    last = tree.agent("Hi.")
    tree.mapping[first]["parent"] = last
    assert texts(read(tmp_path, tree.whole())) == ["hello", "Hi."]
    assert texts(read(tmp_path, tree.whole(current_node=None))) == ["hello", "Hi."]


@pytest.mark.parametrize(
    "fields",
    [
        {"weight": 0.0},
        {"metadata": {"is_visually_hidden_from_conversation": True}},
        {"metadata": {"is_user_system_message": True}},
    ],
)
def test_hidden_messages_are_left_out(
    tmp_path: Path, tree: GptTree, fields: dict[str, Any]
) -> None:
    tree.user("not said", **fields)
    tree.agent("Not seen.", **fields)
    tree.user("hello")
    assert texts(read(tmp_path, tree.whole())) == ["hello"]


@pytest.mark.parametrize(
    "content",
    [
        {"content_type": "user_editable_context", "user_instructions": "Be short."},
        {"content_type": "model_editable_context", "model_set_context": "Likes tea."},
        {"content_type": "text", "parts": [""]},
        {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}]},
    ],
)
def test_standing_instructions_are_not_said(tmp_path: Path, tree: GptTree, content: Json) -> None:
    tree.user(content)
    tree.add("system", "Be helpful.")
    tree.agent("Hello.")
    assert texts(read(tmp_path, tree.whole())) == ["Hello."]


def test_thoughts_are_not_said(tmp_path: Path, tree: GptTree) -> None:
    tree.user("hello")
    tree.agent({"content_type": "thoughts", "thoughts": [{"content": "hm"}]})
    tree.agent({"content_type": "reasoning_recap", "content": "Thought for 3 s"})
    tree.agent("Hi.")
    assert texts(read(tmp_path, tree.whole())) == ["hello", "Hi."]


def test_spoken_words_are_words(tmp_path: Path, tree: GptTree) -> None:
    spoken = {"content_type": "audio_transcription", "text": "louder please", "direction": "in"}
    pointer = {"content_type": "real_time_user_audio_video_asset_pointer", "frames": []}
    tree.user({"content_type": "multimodal_text", "parts": [spoken, pointer]})
    assert said(read(tmp_path, tree.whole())) == [("prompt", "louder please")]


def test_parts_are_joined_and_images_say_nothing(tmp_path: Path, tree: GptTree) -> None:
    parts = ["look", {"content_type": "image_asset_pointer"}, {"text": "here"}, None, 7]
    tree.user({"content_type": "multimodal_text", "parts": parts})
    assert said(read(tmp_path, tree.whole())) == [("prompt", "look\nhere")]


def test_tool_is_paired_with_the_message_it_hangs_from(tmp_path: Path, tree: GptTree) -> None:
    tree.user("what is 6 times 7")
    tree.agent("Let me see.")
    tree.code("6 * 7")
    tree.tool("42", metadata={"aggregate_result": {"status": "success"}})
    tree.agent("42.")
    turns = read(tmp_path, tree.whole())
    assert shape(turns) == ["prompt", "agent", "agent"]
    (call,) = calls(turns)
    assert (call.tool, call.input, call.result.text) == ("python", "6 * 7", "42")
    assert texts(turns)[1:] == ["Let me see.", "42."]


def test_two_calls_are_paired_by_their_tools(tmp_path: Path, tree: GptTree) -> None:
    tree.code("search('x')", recipient="browser.search")
    tree.code("1 + 1")
    tree.tool("a page", name="browser")
    tree.tool("2", name="python")
    found = [(call.tool, call.result.text) for call in calls(read(tmp_path, tree.whole()))]
    assert found == [("browser.search", "a page"), ("python", "2")]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, "ok"),
        ({"metadata": {"aggregate_result": {"status": "success"}}}, "ok"),
        (
            {"metadata": {"aggregate_result": {"status": "failed_with_in_kernel_exception"}}},
            "failed",
        ),
        ({"metadata": {"aggregate_result": {"in_kernel_exception": {"name": "E"}}}}, "failed"),
        ({"kind": "system_error"}, "failed"),
    ],
)
def test_failures_are_those_that_the_export_marks(
    tmp_path: Path, tree: GptTree, fields: dict[str, Any], status: str
) -> None:
    tree.code("1 / 0")
    tree.tool("ZeroDivisionError", **fields)
    assert statuses(read(tmp_path, tree.whole())) == [status]


def test_call_without_a_result_is_missing_or_was_stopped(tmp_path: Path, tree: GptTree) -> None:
    call = tree.code("while True: pass")
    assert statuses(read(tmp_path, tree.whole())) == ["missing"]
    details = {"finish_details": {"type": "interrupted"}}
    tree.mapping[call]["message"]["metadata"] = details
    assert statuses(read(tmp_path, tree.whole())) == ["interrupted"]


def test_tool_without_a_call_is_one_the_program_called(tmp_path: Path, tree: GptTree) -> None:
    tree.user("draw a cat")
    tree.tool("created", name="dalle.text2im")
    (call,) = calls(read(tmp_path, tree.whole()))
    assert (call.tool, call.result.status) == ("dalle.text2im", "ok")


def test_hidden_results_end_their_call_without_a_text(tmp_path: Path, tree: GptTree) -> None:
    tree.code("search('x')", recipient="web.run")
    tree.tool("pages", name="web.run", metadata={"is_visually_hidden_from_conversation": True})
    (call,) = calls(read(tmp_path, tree.whole()))
    assert (call.result.status, call.result.text) == ("ok", "")


def test_results_of_our_own_tools_are_left_out(tmp_path: Path, tree: GptTree) -> None:
    tree.code("{}", recipient="remem.recall")
    tree.tool("a memory", name="remem.recall")
    (call,) = calls(read(tmp_path, tree.whole()))
    assert call.result.text == ""


def two() -> list[Json]:
    one, other = GptTree("one"), GptTree("other")
    one.user("first")
    other.user("second")
    return [one.whole(), other.whole()]


@pytest.mark.parametrize("indent", [None, 2])
def test_array_is_read(tmp_path: Path, indent: int | None) -> None:
    path = write(tmp_path / "conversations.json", two(), indent=indent)
    assert texts(turns_of(GPT, path)) == ["first", "second"]
    assert GPT.recognises(path.read_bytes())


def test_single_object_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "anything.json", two()[0])
    assert texts(turns_of(GPT, path)) == ["first"]


def test_object_a_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    path.write_text("\n".join(json.dumps(whole) for whole in two()))
    assert texts(turns_of(GPT, path)) == ["first", "second"]


def test_shards_and_copies_are_found_and_counted_once(tmp_path: Path) -> None:
    one, other = two()
    write(tmp_path / "conversations-000.json", [one])
    write(tmp_path / "conversations-001.json", [other, one])
    write(tmp_path / "user.json", {"id": "x"})
    files = list(GPT.files(tmp_path))
    assert [path.name for path in files] == ["conversations-000.json", "conversations-001.json"]
    seen = Seen()
    read = [list(found.turns) for path in files for found in transcripts(GPT, path, seen)]
    assert [texts(turns) for turns in read] == [["first"], ["second"]]


def test_conversation_that_grew_is_read_whole(tmp_path: Path, tree: GptTree) -> None:
    tree.user("first")
    seen = Seen()
    list(transcripts(GPT, write(tmp_path / "a.json", [tree.whole()]), seen))
    tree.user("second")
    (grown,) = transcripts(GPT, write(tmp_path / "b.json", [tree.whole()]), seen)
    assert texts(list(grown.turns)) == ["first", "second"]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
@pytest.mark.parametrize("first", ["conversations.json", "user.json", "data/conversations-0.json"])
def test_zip_is_read(tmp_path: Path, method: int, first: str) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        if first == "user.json":
            archive.writestr(first, "{}" * 5_000)
            first = "conversations.json"
        archive.writestr(first, json.dumps(two()))
        archive.writestr("chat.html", "<html>")
    assert GPT.recognises(path.read_bytes())
    assert texts(turns_of(GPT, path)) == ["first", "second"]


def test_zip_written_as_a_stream_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with path.open("wb") as file:
        pipe = Unseekable(file)
        with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
            archive.writestr("user.json", "{}" * 200_000)
            archive.writestr("conversations.json", json.dumps(two()))
    assert GPT.recognises(path.read_bytes())


class Unseekable:
    """A file that can only be written on, as a server sends one."""

    def __init__(self, file: Any) -> None:
        self.write, self.flush = file.write, file.flush


def test_zip_that_begins_with_a_long_page_is_known_by_its_names(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("chat.html", "x" * 500_000)
        archive.writestr("conversations.json", json.dumps(two()))
    assert GPT.recognises(path.read_bytes()[: 256 * 1024])


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"PK\x03\x04" + b"x" * 200])
def test_broken_zip_is_an_error_of_its_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(content)
    assert not GPT.recognises(content)
    with pytest.raises(MalformedError, match="zip"):
        turns_of(GPT, path)


def test_zip_with_a_hole_is_an_error_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", "[" + " " * 100 + "]")
    whole = path.read_bytes()
    path.write_bytes(whole[:50] + whole[100:])  # the offset of the file is now before the zip
    with pytest.raises(MalformedError, match="zip"):
        turns_of(GPT, path)


def test_zip_of_other_things_is_an_error_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("notes.txt", "x")
    with pytest.raises(MalformedError, match="without conversations"):
        turns_of(GPT, path)


@pytest.mark.parametrize(
    "damaged",
    [
        '{"mapping": "none"}',
        '{"mapping": {}}',
        "{}",
        '{"mapping": {"a": {]}}',
        '{"title": "x" "y"}',
    ],
)
def test_damaged_conversation_costs_only_itself(tmp_path: Path, damaged: str) -> None:
    one, other = (json.dumps(whole) for whole in two())
    path = tmp_path / "conversations.json"
    path.write_text(f"[{one},{damaged},{other}]")
    words = []
    for transcript in transcripts(GPT, path):
        words += texts(list(transcript.turns))
        notes = transcript.notes
    assert words == ["first", "second"]
    assert (notes.lines, notes.damaged) == (3, 1)


def test_cut_export_keeps_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(two())[:-60])
    (transcript,) = transcripts(GPT, path)
    assert texts(list(transcript.turns)) == ["first"]
    assert (transcript.notes.lines, transcript.notes.damaged) == (2, 1)


@pytest.mark.parametrize("content", ['[{"mapping": 1}]', '[{"title": "x"', "{}"])
def test_export_without_a_whole_conversation_is_an_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(content)
    with pytest.raises(MalformedError, match="no conversation could be read"):
        turns_of(GPT, path)


@pytest.mark.parametrize("content", ["", "[]", "\n"])
def test_empty_export_has_no_sessions(tmp_path: Path, content: str) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(content)
    assert turns_of(GPT, path) == []


def test_odd_node_costs_only_itself(tmp_path: Path, tree: GptTree) -> None:
    tree.user("first")
    odd = tree.agent("lost")
    tree.user("second")
    tree.mapping[odd]["message"] = ["a", "list"]
    tree.mapping[odd]["children"] = "none"
    assert texts(read(tmp_path, tree.whole())) == ["first", "second"]


def test_half_an_emoji_becomes_a_replacement_character(tmp_path: Path, tree: GptTree) -> None:
    tree.user("CUT")
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([tree.whole()]).replace("CUT", r"cut \ud83d"))
    assert texts(turns_of(GPT, path)) == ["cut \ufffd"]


def test_remems_own_section_is_not_the_persons(tmp_path: Path, tree: GptTree) -> None:
    tree.user("hello <!-- remem:start -->a lesson<!-- remem:end -->")
    assert said(read(tmp_path, tree.whole())) == [("prompt", "hello")]
