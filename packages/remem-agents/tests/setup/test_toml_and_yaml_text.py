"""The TOML and YAML editors: whatever stands around our entry stays as it is written."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem_agents.setup.edits.putting import Editor, Written, put_in, take_out
from remem_agents.setup.edits.toml_text import TomlText
from remem_agents.setup.edits.yaml_text import YamlText
from remem_agents.setup.entries import SERVER_MARK, Entry
from remem_agents.setup.errors import SetupError

TOML, YAML = TomlText(), YamlText()
CODEX = Entry(
    ("mcp_servers", "remem"), {"command": "/opt/a b/remem", "args": ["serve"]}, SERVER_MARK
)
GOOSE = Entry(
    ("extensions", "remem"),
    {"name": "remem", "cmd": "C:\\remem.exe", "args": ["serve"], "envs": {}, "enabled": True},
    r"remem\.exe",
)

# Pieces of files as people write them; each is whole by itself.
TOP = [
    'model = "gpt-5" # now\n',
    "# [mcp_servers.remem] not this one\n",
    "\n",
    "limits = [1, 2, # three\n  3,\n]\n",
    'text = """\n[mcp_servers.remem]\n"""\n',
    "when = 2026-11-30T02:00:00Z\n",
    "'quoted key' = 'it''s'\n".replace("''s", "s"),
]
SERVERS = [
    'mcp_servers = { notes = { command = "n", args = [] } }\n',
    'mcp_servers.notes.command = "n"\n',
    "mcp_servers = {}\n",
    "",
]
TABLES = [
    '[mcp_servers.notes]\ncommand = "n" # keep\n',
    '[mcp_servers."odd name"]\ncommand = "n"\nenv = { A = "b" }\n\n',
    "[profiles.fast]\nmodel = 'm'\n\n",
    "  [indented]\n  a = 1\n",
    '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\n',
    '[projects."/home/sam/a b"]\ntrust_level = "trusted"\n# end\n',
]
BLOCKS = [
    "GOOSE_MODEL: gpt-5   # now\n",
    "# extensions:\n",
    "\n",
    "prompt: |\n  extensions:\n    remem: no\n\n  end\n",
    "folded: >-\n  a\n  b\n",
    "list:\n- a\n-   b: c\n",
    "nested:\n      deep:\n            er: [1, 2]\n",
    "anchor: &a {x: 1}\nuse: *a\n",
    "\"quoted\": 'it''s'\n",
]
EXTENSIONS = [
    "extensions:\n  dev: # built in\n    enabled: true\n\n  # and\n  web:\n    args: [a]\n",
    "extensions:\n    wide:\n        text: |\n            remem:\n    other: {}\n",
    "extensions:\n",
    "extensions: ~\n",
    "extensions: {} # none\n",
    "extensions: {dev: {enabled: true}, web: {}}\n",
    '"extensions":   # quoted\n  dev: {}\n',
    "",
]


@st.composite
def toml_files(draw: st.DrawFn) -> str:
    pieces = draw(st.lists(st.sampled_from(TOP), unique=True, max_size=4))
    pieces += [draw(st.sampled_from(SERVERS))]
    pieces += draw(st.lists(st.sampled_from(TABLES), unique=True, max_size=4))
    return as_written("".join(pieces), draw(st.booleans()), draw(st.booleans()))


@st.composite
def yaml_files(draw: st.DrawFn) -> str:
    pieces = draw(st.lists(st.sampled_from(BLOCKS), unique=True, max_size=5))
    pieces.insert(draw(st.integers(0, len(pieces))), draw(st.sampled_from(EXTENSIONS)))
    return as_written("".join(pieces), draw(st.booleans()), draw(st.booleans()))


def as_written(text: str, windows: bool, unended: bool) -> str:
    text = text.rstrip("\n") if unended else text
    return text.replace("\n", "\r\n") if windows else text


CASES = [(TOML, CODEX, toml_files), (YAML, GOOSE, yaml_files)]
each = pytest.mark.parametrize(("editor", "entry", "files"), CASES, ids=["toml", "yaml"])
Files = Callable[[], st.SearchStrategy[str]]


@each
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_an_entry_goes_in_and_out_to_the_byte_or_is_refused(
    editor: Editor, entry: Entry, files: Files, data: st.DataObject
) -> None:
    text = data.draw(files())
    if (put := tried(text, entry, editor)) is None:
        return
    changed, written = put
    assert put_in(changed, entry, editor) == (changed, None)
    assert take_out(changed, written, editor) == text
    assert surroundings_are_kept(text, changed)


@each
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_an_entry_is_cut_out_wherever_it_stands(
    editor: Editor, entry: Entry, files: Files, data: st.DataObject
) -> None:
    text = data.draw(files())
    if (put := tried(text, entry, editor)) is None:
        return
    changed, written = put
    forgotten = type(written)(entry, written.created)
    left = editor.load(take_out(changed, forgotten, editor))
    assert _full(left) == _full(editor.load(text))


def tried(text: str, entry: Entry, editor: Editor) -> tuple[str, Written] | None:
    """Put an entry in; None for what is no file of its kind at all, or is refused as `shape`."""
    try:
        changed, written = put_in(text, entry, editor)
    except SetupError as refused:
        if refused.reason not in ("unreadable", "shape"):
            raise
        return None
    assert written is not None
    return changed, written


def surroundings_are_kept(text: str, changed: str) -> bool:
    """Whether every line that was there is there still, in order."""
    lines = iter(changed.splitlines())
    return all(any(line == there for there in lines) for line in text.splitlines()) or (
        "extensions" in text or "mcp_servers = " in text  # these lines are opened up
    )


def _full(document: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in document.items() if value not in ({}, None)}


def test_most_made_up_files_are_not_refused() -> None:
    """The tests above would pass on an editor that refuses everything."""
    chance = random.Random(7)
    for editor, entry, top, rest in ((TOML, CODEX, TOP, TABLES), (YAML, GOOSE, BLOCKS, EXTENSIONS)):
        refused = 0
        for _ in range(50):
            text = "".join(chance.sample(top, 3)) + chance.choice(rest)
            refused += tried(text, entry, editor) is None
        assert refused <= 5


@pytest.mark.parametrize(
    "text",
    [
        "- a\n- b\n",
        "just words\n",
        "a: 1\n---\nb: 2\n",
        "extensions: [a, b]\n",
        "a: [\n",
        "\tx: 1\n",
    ],
)
def test_what_is_no_mapping_of_blocks_is_refused(text: str) -> None:
    with pytest.raises(SetupError) as refused:
        put_in(text, GOOSE, YAML)
    assert refused.value.reason in ("unreadable", "shape")


def test_a_path_with_backslashes_and_spaces_is_read_as_it_was_meant() -> None:
    changed, _ = put_in("", GOOSE, YAML)
    assert YAML.load(changed)["extensions"]["remem"]["cmd"] == "C:\\remem.exe"
    changed, _ = put_in("", CODEX, TOML)
    assert TOML.load(changed)["mcp_servers"]["remem"]["command"] == "/opt/a b/remem"


def test_a_text_at_the_end_of_a_file_without_a_line_end_keeps_its_value() -> None:
    text = "# mine\nprompt: |\n  last words"
    changed, written = put_in(text, GOOSE, YAML)
    assert YAML.load(changed)["prompt"] == "last words"
    assert written is not None
    assert take_out(changed, written, YAML) == text
