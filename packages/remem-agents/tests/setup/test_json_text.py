"""The JSON editor: only our entry's bytes go in and out, however odd the file is written."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem_agents.setup.edits.json_text import JsonText
from remem_agents.setup.edits.putting import put_in, take_out
from remem_agents.setup.entries import HOOK_MARK, SERVER_MARK, Entry, nested
from remem_agents.setup.errors import SetupError

JSON = JsonText()
SERVER = Entry(("mcpServers", "remem"), {"command": "/opt/remem", "args": ["serve"]}, SERVER_MARK)
HOOK = Entry(
    ("hooks", "Stop"),
    {
        "hooks": [
            {"type": "command", "command": "python -I /x/remem_agents/hook.py claude-code Stop"}
        ]
    },
    HOOK_MARK,
    is_item=True,
)
OTHER = {"hooks": [{"type": "command", "command": "say done"}]}


def added(text: str, entry: Entry = SERVER) -> str:
    return put_in(text, entry, JSON)[0]


def refusal(text: str, entry: Entry) -> str | None:
    """Return why an entry can not go into a text, None if it can."""
    try:
        put_in(text, entry, JSON)
    except SetupError as refused:
        return refused.reason
    return None


# --- documents as people write them: any value, any comments, any blanks, any commas ---

BLANKS = st.lists(
    st.sampled_from([" ", "\n", "\r\n", "\t", '// to do, "x": {\n', "/* , } */", "/**/", "//\r\n"]),
    max_size=3,
).map("".join)
KEYS = st.sampled_from(["mcpServers", "hooks", "Stop", "model", "a b", "é", "//", "/*", '\\"'])
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=5), st.just("/* // , ] }")
)


@st.composite
def containers(draw: st.DrawFn, inner: st.SearchStrategy[str], *, keyed: bool) -> str:
    keys = draw(st.lists(KEYS, max_size=3, unique=True))
    parts = []
    for key in keys:
        name = f"{draw(BLANKS)}{json.dumps(key)}{draw(BLANKS)}:" if keyed else ""
        parts.append(f"{name}{draw(BLANKS)}{draw(inner)}{draw(BLANKS)}")
    trailing = f",{draw(BLANKS)}" if parts and draw(st.booleans()) else draw(BLANKS)
    return ("{%s%s}" if keyed else "[%s%s]") % (",".join(parts), trailing)


VALUES = st.recursive(
    SCALARS.map(json.dumps),
    lambda inner: st.one_of(containers(inner, keyed=True), containers(inner, keyed=False)),
    max_leaves=8,
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    return draw(BLANKS) + draw(containers(VALUES, keyed=True)) + draw(BLANKS)


@settings(max_examples=150, deadline=None)
@given(text=documents(), entry=st.sampled_from([SERVER, HOOK]))
def test_an_entry_goes_in_and_out_of_any_document_to_the_byte_or_is_refused(
    text: str, entry: Entry
) -> None:
    if (reason := refusal(text, entry)) is not None:
        assert reason in ("shape", "taken")
        return
    changed, written = put_in(text, entry, JSON)
    assert written is not None
    assert put_in(changed, entry, JSON) == (changed, None)
    assert take_out(changed, written, JSON) == text
    assert _is_subsequence(text, changed)


@settings(max_examples=150, deadline=None)
@given(text=documents(), entry=st.sampled_from([SERVER, HOOK]))
def test_an_entry_can_be_cut_out_without_knowing_how_it_was_put_in(text: str, entry: Entry) -> None:
    if refusal(text, entry) is not None:
        return
    changed, written = put_in(text, entry, JSON)
    assert written is not None
    forgotten = type(written)(entry, written.created)
    assert JSON.load(take_out(changed, forgotten, JSON)) == JSON.load(text)


@settings(max_examples=100, deadline=None)
@given(text=documents(), rewrite=st.sampled_from([None, 2, "\t"]))
def test_an_entry_is_taken_out_of_a_file_that_its_agent_wrote_anew(text: str, rewrite: Any) -> None:
    if refusal(text, HOOK) is not None:
        return
    changed, written = put_in(text, HOOK, JSON)
    assert written is not None
    anew = json.dumps(JSON.load(changed), indent=rewrite)
    assert JSON.load(take_out(anew, written, JSON)) == JSON.load(text)


@given(text=st.text(st.sampled_from('{}[],:"\\/* \n1a'), max_size=12))
def test_what_is_no_json_is_refused_and_what_is_reads_as_python_reads_it(text: str) -> None:
    strict = _python_reads(text)
    try:
        ours = JSON.load(text)
    except SetupError:
        assert strict is None
        return
    # More than strict JSON is read: a comment, a trailing comma, or nothing at all.
    assert ours == strict if strict is not None else "/" in text or "," in text or not text.strip()


def _python_reads(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _is_subsequence(part: str, whole: str) -> bool:
    letters = iter(whole)
    return all(letter in letters for letter in part)


# --- the layout of what is added ---


def test_an_entry_is_indented_like_its_neighbours() -> None:
    text = '{\n\t"mcpServers": {\n\t\t"notes": {"command": "notes"}\n\t}\n}\n'
    assert added(text) == (
        '{\n\t"mcpServers": {\n\t\t"notes": {"command": "notes"},\n\t\t"remem": {\n'
        '\t\t\t"command": "/opt/remem",\n\t\t\t"args": [\n\t\t\t\t"serve"\n\t\t\t]\n\t\t}\n\t}\n}\n'
    )


def test_a_file_of_one_line_stays_one_line() -> None:
    assert added('{"a":1}') == (
        '{"a":1,"mcpServers":{"remem":{"command":"/opt/remem","args":["serve"]}}}'
    )
    assert added('{"a": 1, "b": 2}').startswith('{"a": 1, "b": 2, "mcpServers": {"remem": {')


def test_a_comment_stays_with_the_line_it_is_about() -> None:
    text = '{\n  "model": "large" // the big one\n}\n'
    assert added(text).startswith('{\n  "model": "large", // the big one\n  "mcpServers": {\n')


def test_line_ends_and_trailing_commas_are_kept_as_they_are() -> None:
    text = '{\r\n  "a": 1,\r\n}\r\n'
    changed = added(text)
    assert "\n" not in changed.replace("\r\n", "")
    assert changed.endswith("  },\r\n}\r\n")


def test_an_empty_file_becomes_an_object_and_is_empty_again() -> None:
    for text in ("", "\n", " \r\n"):
        changed, written = put_in(text, SERVER, JSON)
        assert written is not None
        assert json.loads(changed) == nested(SERVER.path, SERVER.value)
        assert take_out(changed, written, JSON) == text


def test_a_file_of_comments_alone_keeps_them() -> None:
    changed, written = put_in("// nothing yet\n", SERVER, JSON)
    assert written is not None
    assert changed.startswith("// nothing yet\n{\n")
    assert take_out(changed, written, JSON) == "// nothing yet\n"


# --- whose entry it is ---


def test_an_older_form_of_our_entry_is_replaced_where_it_stands() -> None:
    text = added('{"mcpServers": {\n "z": {}}}')
    after = text.replace('"z"', '"a"')
    moved = Entry(SERVER.path, {"command": "/new/remem", "args": ["serve"]}, SERVER_MARK)
    assert added(after, moved) == after.replace("/opt/remem", "/new/remem")


def test_another_programs_entry_of_our_name_is_refused() -> None:
    text = '{"mcpServers": {"remem": {"command": "npx", "args": ["-y", "other-remem"]}}}'
    with pytest.raises(SetupError) as refused:
        added(text)
    assert refused.value.reason == "taken"


@pytest.mark.parametrize(
    "text", ['{"mcpServers": []}', '{"mcpServers": null}', "[]", '"x"', '{"mcpServers": "no"}']
)
def test_something_else_in_the_place_of_an_object_is_refused(text: str) -> None:
    with pytest.raises(SetupError) as refused:
        added(text)
    assert refused.value.reason == "shape"


def test_a_key_that_stands_twice_on_our_way_is_refused_and_elsewhere_kept() -> None:
    with pytest.raises(SetupError) as refused:
        added('{"mcpServers": {}, "mcpServers": {}}')
    assert refused.value.reason == "ambiguous"
    text = '{"a": 1, "a": 2}'
    changed, written = put_in(text, SERVER, JSON)
    assert changed.startswith('{"a": 1, "a": 2, ')
    assert written is not None
    assert take_out(changed, written, JSON) == text


def test_our_handler_leaves_a_group_that_others_share() -> None:
    shared = {"hooks": {"Stop": [{"hooks": [*OTHER["hooks"], *HOOK.value["hooks"]]}]}}
    _, written = put_in("{}", HOOK, JSON)
    assert written is not None
    left = take_out(json.dumps(shared), written, JSON)
    assert json.loads(left) == {"hooks": {"Stop": [OTHER]}}


def test_a_document_deeper_than_anybodys_is_refused_not_a_crash() -> None:
    with pytest.raises(SetupError) as refused:
        JSON.load("[" * 5000 + "]" * 5000)
    assert refused.value.reason == "unreadable"
