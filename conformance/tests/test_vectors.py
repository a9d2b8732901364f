"""The vectors themselves: sound, reproducible, independent of the implementation."""

import ast
import hashlib
import json
import pathlib
import re
import subprocess
import sys

import pytest
from msgspec import UNSET

from remem_conformance.__main__ import main
from remem_conformance.cases import Case, VectorError, expand, load, schema, vectors_root

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALL = load(vectors_root())


def test_vectors_are_enough_of_each_area() -> None:
    areas = ["codec/valid", "codec/invalid", "session/valid", "session/invalid"]
    areas += ["event/valid", "event/invalid", "readers", "surprise"]
    areas += ["store", "sleep", "files", "prime"]
    counts = {area: sum(v.id.startswith(area) for v in ALL) for area in areas}
    assert all(count >= 20 for count in counts.values()), counts
    assert sum(counts.values()) == len(ALL)


def test_vectors_are_what_their_generators_write() -> None:
    command = [sys.executable, "-m", "conformance.generate", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_generators_know_nothing_of_the_implementation() -> None:
    for path in (ROOT / "conformance" / "generate").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            ours = ("remem_protocol", "remem_core", "remem_agents", "remem_cli")
            assert not [n for n in names if n.startswith(ours)], path


def test_vector_ids_are_kebab_case_and_say_whether_they_are_valid() -> None:
    for vector in ALL:
        word = "[a-z0-9]+(-[a-z0-9]+)*"
        roles = {"codec": "[a-z]+/(valid|invalid)"}
        stories = "(store|sleep|files|prime)/[a-z]+"
        area = roles.get(vector.case.role, f"readers/{word}|surprise|{stories}")
        assert re.fullmatch(f"({area})/{word}", vector.id), vector.id
        expect = vector.case.expect
        entries = expect.ok if isinstance(expect.ok, list) else []
        refuses = expect.error is not UNSET or any("error" in entry for entry in entries)
        if vector.case.role not in ("store", "sleep"):
            assert refuses == ("/invalid/" in vector.id), vector.id


def test_every_vector_is_required_by_the_revision() -> None:
    assert [v.id for v in ALL if not v.scored] == []


def test_schema_is_closed_and_names_all_fields() -> None:
    definition = schema()["$defs"]["Case"]
    assert definition["additionalProperties"] is False
    assert sorted([*definition["required"], "before"]) == sorted(Case.__struct_fields__)


def test_raw_parts_are_repeated_and_joined() -> None:
    assert expand([("YQ==", 3), ("Yg==", 0), ("Yw==", 1)]) == b"aaac"


def test_request_carries_expanded_bytes_and_no_expectation() -> None:
    vector = next(v for v in ALL if v.id == "codec/valid/event-of-1-mib")
    (request,) = vector.requests()
    assert request.keys() == {"op", "case", "input"}
    assert request["input"].keys() == {"type", "raw"}
    assert len(request["input"]["raw"]) == 4 * -(-(1 << 20) // 3)


@pytest.mark.parametrize(
    "changes",
    [
        {"colour": "red"},
        {"req": []},
        {"level": "may"},
        {"op": "guess"},
        {"expect": {}},
        {"expect": {"ok": 1, "error": {"code": "malformed"}}},
        {"expect": {"error": {"code": "bad"}}},
        {"input": {"raw_parts": [["no base64", 1]]}},
        {"input": {"files": [{"path": "a.jsonl"}]}},
        {"input": {"files": [{"path": "../a.jsonl", "raw": ""}]}},
        {"expect": {"match": {}, "lacks": [{"kind": "error"}]}},
    ],
)
def test_a_broken_vector_stops_the_suite(vectors, changes, capsys) -> None:
    root = vectors(broken=changes)
    with pytest.raises(VectorError, match="broken"):
        load(root)
    assert main(["--vectors", str(root), "list"]) == 2
    assert "broken" in capsys.readouterr().err


def test_a_frozen_vector_may_not_change_or_go(vectors) -> None:
    root = vectors(one={}, two={})
    digests = {n: hashlib.sha256((root / f"{n}.json").read_bytes()).hexdigest() for n in ("one",)}
    (root / "required.json").write_text(json.dumps({"1.0": digests}), "utf-8")
    assert [(v.id, v.scored) for v in load(root)] == [("one", True), ("two", False)]
    vectors(one={"level": "should"})
    with pytest.raises(VectorError, match="changed"):
        load(root)
    (root / "one.json").unlink()
    with pytest.raises(VectorError, match="missing: one"):
        load(root)


def test_vectors_are_copied_out_whole_and_never_over_others(tmp_path, capsys) -> None:
    assert main(["vectors", str(tmp_path)]) == 0
    assert load(tmp_path / "v1") == ALL
    assert main(["vectors", str(tmp_path)]) == 2
    assert "there already" in capsys.readouterr().err


def test_list_and_show_make_cases_readable(capsys) -> None:
    assert main(["list", "--select", "codec/invalid/nan"]) == 0
    assert capsys.readouterr().out == "codec/invalid/nan  codec decode must OVR-014\n"
    assert main(["show", "codec/invalid/nan"]) == 0
    assert '"x":NaN' in capsys.readouterr().out
    assert main(["show", "codec/invalid/event-over-1-mib"]) == 0
    assert " × b'a'" in capsys.readouterr().out
    assert main(["show", "codec/invalid/no-such-case"]) == 2
