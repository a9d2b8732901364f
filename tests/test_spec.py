"""The specification, its examples, its schema and the code say the same."""

import binascii
import functools
import hashlib
import json
import pathlib
import re

import jsonschema
import pytest
from msgspec.structs import fields

import remem_protocol
from remem_agents.priming.attend import is_held_out
from remem_protocol import (
    CALL_STATUSES,
    ERROR_CODES,
    EVENT_TYPES,
    SOURCES,
    decode_event,
    decode_record,
    decode_session,
    encode,
    preimage,
    schema,
)

ROOT = pathlib.Path(__file__).parent.parent
SPEC = ROOT / "spec" / "v1"
EXAMPLES = sorted((SPEC / "examples").glob("*/*.json"))
DOCUMENTS = {path.name: path.read_text("utf-8") for path in sorted(SPEC.glob("*.md"))}
REQUIREMENT = re.compile(r"^\*\*([A-Z]{3}-\d{3})\*\* (.+)$", re.MULTILINE)
CITATION = re.compile(r"\b(?:OVR|SES|EVT|MEM|SHR|FIL|HTP|ADP)-\d{3}\b")
STATE = re.compile(r"^\| ([A-Z]{3}) \| (\d+\.\d+) \| (draft|candidate|frozen) \|$", re.MULTILINE)
QUOTE = re.compile(
    r"<!-- example: (?P<path>\S+?)(?P<without> without id)? -->\n```json\n(?P<text>.*?)```",
    re.DOTALL,
)


def requirements() -> dict[str, str]:
    return {id_: text for page in DOCUMENTS.values() for id_, text in REQUIREMENT.findall(page)}


def one_line(path: pathlib.Path) -> bytes:
    """Return an example as it would be on the wire: no text holds a raw line end."""
    return path.read_bytes().replace(b"\n", b" ")


def family(path: pathlib.Path) -> str:
    """Return which schema an example falls under: its class tells."""
    kind = getattr(remem_protocol, path.parent.name)
    return "session" if kind.__name__ == "Session" else "event" if kind in EVENT_TYPES else "record"


def table_after(page: str, start: str) -> list[list[str]]:
    """Return the cells of the first table after a text, without its head."""
    table = re.search(r"(?:^\|.*\n)+", page[page.index(start) :], re.MULTILINE)
    assert table is not None
    return [[c.strip() for c in row.strip("|").split("|")] for row in table[0].splitlines()[2:]]


def quoted_names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@functools.cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(
        json.loads((SPEC / "schema" / f"{name}.json").read_text())
    )


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_an_example_is_a_record_and_comes_back_as_it_was(path):
    name = family(path)
    decode = {"session": decode_session, "event": decode_event, "record": decode_record}[name]
    record = decode(one_line(path))
    assert type(record).__name__ == path.parent.name
    assert json.loads(encode(record)) == json.loads(path.read_text("utf-8"))
    validator(name).validate(json.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("folder", sorted({path.parent for path in EXAMPLES}), ids=lambda p: p.name)
def test_the_minimal_example_has_only_what_is_required_and_another_has_more(folder):
    record = getattr(remem_protocol, folder.name)
    required = {f.name for f in fields(record) if f.required} | {"v", "type", "kind", "id"}
    assert set(json.loads((folder / "minimal.json").read_text("utf-8"))) <= required
    if {f.name for f in fields(record)} - required:
        assert set(json.loads((folder / "full.json").read_text("utf-8"))) - required


def test_every_record_has_examples():
    records = {"Session", "Episode", "Lesson", "Prediction", "Alias", "Veto", "LedgerEntry"}
    records |= {"SessionEntry", "Tombstone", "ExportHeader"}
    records |= {t.__name__ for t in EVENT_TYPES}
    assert {path.parent.name for path in EXAMPLES} == records


def test_the_schema_is_what_the_code_generates(capsys):
    assert schema.main(["--check", str(SPEC / "schema")]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("broken", [{"at": "2026-03-04"}, {"source": "friend"}, {"text": ""}])
def test_the_schema_refuses_what_the_decoder_refuses(broken):
    tree = json.loads((SPEC / "examples/Note/full.json").read_text("utf-8")) | broken
    assert not validator("event").is_valid(tree)


def test_quoted_examples_are_the_files():
    found = [quote for page in DOCUMENTS.values() for quote in QUOTE.finditer(page)]
    assert len(found) == sum(page.count("<!-- example:") for page in DOCUMENTS.values()) >= 5
    for quote in found:
        text = (SPEC / "examples" / quote["path"]).read_text("utf-8")
        if quote["without"]:
            text = re.sub(r'  "id": .*\n', "", text)
        assert quote["text"] == text


def test_the_worked_example_of_an_id_is_right():
    page = DOCUMENTS["overview.md"]
    match = re.search(r"<!-- preimage: (\S+) -->\n```\n(.*?)```\n\n(.*)", page, re.DOTALL)
    assert match is not None
    tree = json.loads((SPEC / "examples" / match[1]).read_text("utf-8"))
    names = ("kind", "project", "session", "at", "said")
    data = preimage("remem/1/event", [tree[name] for name in names])
    assert bytes.fromhex("".join(match[2].split())) == data
    assert quoted_names(match[3])[:2] == [hashlib.sha256(data).hexdigest(), tree["id"]]


def test_each_document_states_its_version_and_state_as_the_index_does():
    index = (ROOT / "spec" / "README.md").read_text("utf-8")
    stated = {}
    for name, page in DOCUMENTS.items():
        if name != "changes.md":
            (row,) = STATE.findall("\n".join(page.splitlines()[:6]))
            stated[f"v1/{name}"] = row
    rows = re.findall(
        r"^\| \[\w+\]\((\S+)\) \|.*\| (\w+) \| (\S+) \| (\w+) \|$", index, re.MULTILINE
    )
    assert {path: tuple(row) for path, *row in rows} == stated


def test_a_requirement_is_one_statement_with_a_key_word():
    for id_, text in requirements().items():
        assert re.search(r"\b(MUST|SHOULD|MAY)\b", text), id_


def test_requirement_ids_are_unique_ascending_and_in_their_document():
    for page in DOCUMENTS.values():
        ids = [id_ for id_, _ in REQUIREMENT.findall(page)]
        assert ids == sorted(set(ids))
        assert {id_[:3] for id_ in ids} <= {prefix for prefix, *_ in STATE.findall(page)}


def test_cited_requirements_exist():
    known = requirements().keys()
    folders = ("packages", "conformance", "spec", "tests", "benchmarks")
    kinds = {".py", ".md", ".toml", ".json"}
    pages = [p for f in folders for p in (ROOT / f).rglob("*") if p.suffix in kinds]
    assert len(pages) > 100
    for page in pages:
        missing = set(CITATION.findall(page.read_text("utf-8", "replace"))) - known
        assert not missing, f"{page.relative_to(ROOT)} cites {sorted(missing)}"


def test_the_table_of_errors_is_the_closed_list():
    rows = table_after(DOCUMENTS["overview.md"], "**OVR-040**")
    assert sorted(row[0].strip("`") for row in rows) == sorted(ERROR_CODES)


def test_the_tables_of_the_session_are_the_closed_lists():
    page = DOCUMENTS["session.md"]
    statuses = [row[0].strip("`") for row in table_after(page, "**SES-030**")]
    assert sorted(statuses) == sorted(CALL_STATUSES)
    via = [row[0].strip("`") for row in table_after(page, "**SES-012**")]
    assert sorted(via) == sorted(remem_protocol.Via.__args__)


def test_the_words_of_each_kind_are_those_that_are_hashed():
    told = {}
    for kinds, words in table_after(DOCUMENTS["events.md"], "**EVT-010**"):
        told |= dict.fromkeys(quoted_names(kinds), quoted_names(words))
    assert told == {t.__struct_config__.tag: list(t._words) for t in EVENT_TYPES}


def test_the_fields_of_an_event_are_those_of_the_code():
    page = DOCUMENTS["events.md"]
    common = {name for row in table_after(page, "**EVT-001**") for name in quoted_names(row[0])}
    starts = {"correction": 30, "error": 33, "note": 37, "session": 39, "handback": 42}
    for record in EVENT_TYPES:
        if (number := starts.get(str(record.__struct_config__.tag))) is None:
            continue
        rows = table_after(page, f"**EVT-0{number}**")
        own = {name for row in rows for name in quoted_names(row[0])}
        assert common | own == {f.name for f in fields(record)}
        required = {n for row in rows if row[-1] == "required" for n in quoted_names(row[0])}
        assert required == {f.name for f in fields(record) if f.required} - {"at", "source"}


def test_authority_falls_as_the_code_has_it():
    assert quoted_names(requirements()["EVT-021"])[:4] == list(SOURCES)


def test_the_sessions_that_are_held_out_are_those_of_the_code():
    rows = table_after(DOCUMENTS["files.md"], "**FIL-024**")
    assert {held_out for *_, held_out in rows} == {"yes", "no"}
    for session, number, held_out in rows:
        (name,) = quoted_names(session)
        crc = binascii.crc32(b"remem/1/held-out " + name.encode("utf-8"))
        assert quoted_names(number) == [f"0x{crc:08X}"]
        assert (held_out == "yes") == is_held_out(name)
