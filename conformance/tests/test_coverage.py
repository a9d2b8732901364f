"""Coverage: requirements of the text against vectors and excuses."""

import pathlib

import pytest

from remem_conformance.__main__ import main
from remem_conformance.cases import Case, Expect, Input, VectorError
from remem_conformance.coverage import check, find_spec

HEAD = "# A\n\n| document | version | state |\n|---|---|---|\n| AAA | 1.0 | {state} |\n\n"
TEXT = (
    "**AAA-001** It MUST be.\n\n**AAA-002** It SHOULD be, see AAA-009,\nand MAY not.\n\n"
    "**AAA-003** It MAY be.\n\nSome text that MUST not count: **no**.\n"
)


def case(*req: str) -> Case:
    return Case("A case.", req, "must", "codec", "id", Input(), Expect(ok=1))


def spec(folder: pathlib.Path, state: str = "candidate", excuses: str = "") -> pathlib.Path:
    (folder / "a.md").write_text(HEAD.format(state=state) + TEXT, "utf-8")
    (folder / "untested.toml").write_text(excuses, "utf-8")
    return folder


def test_binding_requirement_without_vector_or_reason_is_open(tmp_path) -> None:
    report = check(spec(tmp_path), [case("AAA-001")])
    (document,) = report.documents
    assert (document.binding, document.others) == (["AAA-001", "AAA-002"], ["AAA-003"])
    assert report.open(document) == ["AAA-002"]
    assert report.exit_code() == 1
    assert "open: AAA-002" in report.text()


def test_reason_closes_and_draft_does_not_require(tmp_path) -> None:
    excused = spec(tmp_path, excuses='AAA-002 = "not observable"\n')
    assert check(excused, [case("AAA-001")]).exit_code() == 0
    draft = check(spec(tmp_path, state="draft"), [])
    assert draft.exit_code() == 0
    assert "2 open" in draft.text()


@pytest.mark.parametrize(
    ("excuses", "cited", "why"),
    [
        ('AAA-001 = "x"\nAAA-002 = "x"\nAAA-004 = "x"', [], "AAA-004: excused, in no document"),
        ('AAA-001 = "x"\nAAA-002 = "x"', ["AAA-002"], "AAA-002: excused, and yet cited"),
        ('AAA-001 = "x"\nAAA-002 = "x"', ["AAA-007"], "AAA-007: cited by a vector, in no"),
    ],
)
def test_contradictions_are_red(tmp_path, excuses, cited, why) -> None:
    report = check(spec(tmp_path, excuses=excuses), [case(*cited)] if cited else [])
    assert report.exit_code() == 1
    assert why in report.text()


@pytest.mark.parametrize("excuses", ['AAA-001 = ""', "AAA-001 = 1", "AAA-001 ="])
def test_excuse_needs_a_reason(tmp_path, excuses) -> None:
    with pytest.raises(VectorError, match="untested"):
        check(spec(tmp_path, excuses=excuses), [])


def test_an_id_stands_once(tmp_path) -> None:
    (tmp_path / "a.md").write_text("**AAA-001** MUST.\n\n**AAA-001** MUST.\n", "utf-8")
    with pytest.raises(VectorError, match="twice"):
        check(tmp_path, [])


def test_specification_of_this_repository_is_covered(capsys) -> None:
    assert main(["coverage", "--spec", str(find_spec())]) == 0
    assert "overview.md  required" in capsys.readouterr().out
