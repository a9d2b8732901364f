"""What the runner makes of agents' files and of what is said: its own view, and what it refuses."""

import base64
from typing import Any

import pytest

from remem_conformance.cases import Edit, Expect, File, Input, Place, Step
from remem_conformance.primed import judge_primed
from remem_conformance.rendered import carried_on, files_of, judge_rendered

ID = "aeh5vpxlsv4r2kqnaeh5vpxlsv4r2kqn"
LESSON = {
    "type": "lesson", "id": ID, "strength": 1.0, "hash": "h", "sources": ["a"], "project": "p",
}  # fmt: skip
START, END = "<!-- remem:start -->", "<!-- remem:end -->"
LINE = f"- Seen 1×, last on 2026-03-04, in any project. Be brief. (lesson {ID[:8]})"
SECTION = f"{START}\n{LINE}\n{END}\n"


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def reply(index: str, **more: Any) -> dict[str, Any]:
    files = [{"path": "A.md", "raw": encoded(index)}]
    return {"files": files, "vetoed": [], "reworded": {}, "written": 7, **more}


def render(index: str = "- mine\n", records: Any = (LESSON,), **expect: Any) -> Step:
    files = (File("A.md", encoded(index)),)
    given = Input(now="2026", records=records, files=files, place=Place("A.md", project="p"))
    return Step("render", given, Expect(**expect or {"silent": ("never",)}))


def test_a_section_at_the_end_is_as_it_should_be() -> None:
    step = render(match={"before": "- mine\n", "after": "\n", "section": [LINE], "vetoed": []})
    assert judge_rendered(step, reply(f"- mine\n{SECTION}"), []) is None
    step = render(match={"section": None})
    assert "/section" in str(judge_rendered(step, reply(f"- mine\n{SECTION}"), []))


@pytest.mark.parametrize(
    ("index", "why"),
    [
        (SECTION, "FIL-002"),
        (f"- yours\n{SECTION}", "FIL-002"),
        (f"- mine\r\n{SECTION}", "FIL-013"),
        (f"- mine {SECTION}", "no one pair"),
        (f"- mine\n{SECTION}{SECTION}", "no one pair"),
        (f"- mine\n{START}\n{END}\n", "says nothing"),
        (f"- mine\n{START}\n{LINE}\n{LINE}\n{END}\n", "FIL-001"),
        (f"- mine\n{START}\nBe brief.\n{END}\n", "FIL-001"),
        (f"- mine\n{START}\n{LINE.replace(ID[:8], 'bbbbbbbb')}\n{END}\n", "FIL-009"),
        (f"- mine\n{START}\n{LINE.replace('Be', 'B' * 25_000)}\n{END}\n", "FIL-005"),
    ],
)
def test_unsound_files_are_refused_with_the_requirement(index: str, why: str) -> None:
    assert why in str(judge_rendered(render(), reply(index), []))


@pytest.mark.parametrize(
    "fields",
    [
        {"trust": "candidate"},
        {"archived": "2025"},
        {"valid_until": "2026"},
        {"superseded_by": "b"},
        {"project": "q"},
    ],
)
def test_a_lesson_that_may_not_be_shown_is_noticed(fields: dict[str, str]) -> None:
    step = render(records=({**LESSON, **fields},))
    assert "FIL-009" in str(judge_rendered(step, reply(f"- mine\n{SECTION}"), []))


def test_a_vetoed_lesson_may_not_be_shown_until_the_veto_is_lifted() -> None:
    veto = {"type": "veto", "hash": "x", "sources": ["a"]}
    shown = reply(f"- mine\n{SECTION}")
    assert "FIL-009" in str(judge_rendered(render(records=(LESSON, veto)), shown, []))
    lifted = {**veto, "lifted": "2026"}
    assert judge_rendered(render(records=(LESSON, lifted)), shown, []) is None


def test_who_refuses_leaves_everything_as_it_is() -> None:
    changed = reply("- mine\n- more\n", refused="damaged-markers")
    assert "and yet changed" in str(judge_rendered(render(), changed, []))
    left = reply("- mine\n", refused="damaged-markers")
    assert judge_rendered(render(match={"refused": "damaged-markers"}), left, []) is None


def test_an_owner_changes_what_an_earlier_step_left() -> None:
    edits = (Edit("A.md", words=("mine", "yours")), Edit("B.md", raw=encoded("b")))
    given = Input(after=1, edits=edits)
    before = [reply("- mine\n")]
    assert files_of(given, before) == {"A.md": b"- yours\n", "B.md": b"b"}
    assert carried_on(given, before)["written"] == 7
    assert files_of(Input(after=1, edits=(Edit("A.md"),)), before) == {}


def test_what_is_said_is_held_to_its_form() -> None:
    given = Input(now="2026", records=(LESSON,), project="p", session="session-0")
    step = Step("prime", given, Expect(match={"chosen": [ID]}))
    text = f"{START}\nRemembered:\n{LINE}\n{END}"
    told = {"chosen": [ID], "text": text, "held_out": False}
    assert judge_primed(step, told, []) is None
    for wrong, why in (
        ({"held_out": True}, "FIL-024"),
        ({"chosen": [ID, ID]}, "FIL-020"),
        ({"chosen": [ID, "b"]}, "FIL-009"),
        ({"text": None}, "FIL-026"),
        ({"text": f"{START}\n{LINE}\nDo it.\n{END}"}, "FIL-026"),
        ({"text": f"{START}\n{END}"}, "FIL-026"),
        ({"text": text.replace("Be", "B" * 2_000)}, "FIL-026"),
        ({"chosen": []}, "FIL-025"),
    ):
        assert why in str(judge_primed(step, {**told, **wrong}, []))
