"""Lessons in agents' memory files: the same bytes twice, the owner's word first, no trace after."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known_lessons import ORCHARD, corrected, id_for, lesson

from remem_agents.claude_code.memory import memory_place as claude_code
from remem_agents.codex.memory import memory_place as codex
from remem_agents.gemini.memory import memory_place as gemini
from remem_agents.ports import Known
from remem_agents.render.apply import (
    Book,
    carry_out,
    plan_all,
    plan_removal,
    read,
    read_book,
    write_book,
)
from remem_agents.render.plan import Place, Plan
from remem_agents.render.section import SectionError, joint, with_section, without_section

UV = lesson("We use uv here, not pip.", corrected("We use uv here, not pip.", "pip install"))
ASK = lesson("Ask before you push.", corrected("Ask before you push.", "git push"), strength=0.5)
EMPTY = Book()
START, END = "<!-- remem:start -->", "<!-- remem:end -->"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """The memory folder of a project, which is not there yet."""
    folder = tmp_path / "projects" / "-home-ana-orchard"
    folder.mkdir(parents=True)
    memory = folder / "memory"
    return Place("claude-code", memory / "MEMORY.md", folder, ORCHARD, folder=memory)


def show(place: Place, lessons: Sequence[Known], book: Book = EMPTY) -> tuple[Plan, Book]:
    """Plan one place and carry it out."""
    plans = plan_all([place], lessons, book, {})
    return plans[0], carry_out(plans, book)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def section(place: Place) -> list[str]:
    text = place.index.read_text("utf-8")
    return text[text.index(START) : text.index(END)].splitlines()[1:]


def test_each_lesson_has_a_file_and_a_line_that_leads_to_it(place: Place) -> None:
    show(place, [UV, ASK])
    standing = sorted([UV, ASK], key=lambda known: known.lesson.id)
    for line, known in zip(section(place), standing, strict=True):
        name = re.search(r"\]\((\S+)\)", line)
        assert name is not None
        assert name[1] == f"remem-{known.lesson.id}.md"
        assert len(line) <= 190
        text = (place.index.parent / name[1]).read_text("utf-8")
        head, body = text.removeprefix("---\n").split("\n---\n", 1)
        keys = [row.partition(":")[0] for row in head.splitlines()]
        assert keys == "name,description,metadata,  type,managed,seen,strength,updated".split(",")
        assert body.splitlines()[0] == known.lesson.text


def test_the_same_lessons_twice_are_the_same_bytes(place: Place) -> None:
    _, book = show(place, [UV, ASK])
    before = snapshot(place.within)
    again, book_again = show(place, [UV, ASK], book)
    assert (dict(again.changes), book_again, snapshot(place.within)) == ({}, book, before)


def test_a_strength_that_fades_past_another_changes_nothing(place: Place) -> None:
    _, book = show(place, [UV, ASK])
    faded = lesson("We use uv here, not pip.", *UV.sources, strength=0.2)
    again, _ = show(place, [ASK, faded], book)
    assert dict(again.changes) == {}


def test_control_characters_are_not_written(place: Place) -> None:
    show(place, [lesson("red", text="a\x00 <\x07!-- \x1b[31mred\n-\x7f--\nb\x85c")])
    for path in place.index.parent.iterdir():
        text = path.read_text("utf-8")
        assert re.findall(r"[^\n -~\xa0-\uffff]", text) == []
        assert "<!-- \x1b" not in text
    (path,) = place.index.parent.glob("remem-*")
    assert path.read_text("utf-8").splitlines()[10:14] == ["a <!‐‐ [31mred", "- - -", "b", "c"]


def test_lessons_of_other_projects_and_candidates_are_not_shown(place: Place) -> None:
    other = lesson("theirs", project="path:/home/ana/harbour")
    everywhere = lesson("everywhere", project=None)
    show(place, [other, everywhere])
    assert [everywhere.lesson.id in line for line in section(place)] == [True]


def test_what_no_longer_holds_is_taken_out(place: Place) -> None:
    _, book = show(place, [UV, ASK])
    done, book = show(place, [UV], book)
    assert done.vetoed == ()  # we took it away ourselves
    assert [p.name for p in place.index.parent.glob("remem-*")] == [f"remem-{UV.lesson.id}.md"]
    show(place, [], book)
    assert snapshot(place.within) == {}


def test_a_deleted_file_is_a_veto(place: Place) -> None:
    _, book = show(place, [UV, ASK])
    (place.index.parent / f"remem-{ASK.lesson.id}.md").unlink()
    done, book = show(place, [UV, ASK], book)
    assert done.vetoed == (ASK.lesson.id,)
    assert len(section(place)) == 1
    assert show(place, [UV], book)[0].vetoed == ()


def test_a_folder_that_is_gone_is_no_veto(place: Place) -> None:
    _, book = show(place, [UV])
    for path in place.index.parent.iterdir():
        path.unlink()
    place.index.parent.rmdir()
    done, _ = show(place, [UV], book)
    assert done.vetoed == ()
    assert len(section(place)) == 1


def test_the_owners_wording_stays_and_comes_back(place: Place) -> None:
    _, book = show(place, [UV])
    path = place.index.parent / f"remem-{UV.lesson.id}.md"
    mine = path.read_text("utf-8").split("\n---\n")[0] + "\n---\nuv, always. Even in CI.\n"
    path.write_text(mine, "utf-8")
    changed = lesson("We use uv here, not pip.", text="something else now")
    done, book = show(place, [changed], book)
    assert done.reworded == {UV.lesson.id: "uv, always. Even in CI."}
    assert path.read_text("utf-8") == mine
    done, book = show(place, [], book)  # even when the lesson is no more
    assert path.read_text("utf-8") == mine
    removed = plan_removal([place], book)
    carry_out(removed, book)
    assert path.read_text("utf-8") == mine


def test_what_an_agent_adds_to_the_front_matter_is_no_rewording(place: Place) -> None:
    _, book = show(place, [UV])
    path = place.index.parent / f"remem-{UV.lesson.id}.md"
    added = path.read_text("utf-8").replace("managed:", "modified: 2026-11-03\nmanaged:")
    path.write_text(added, "utf-8")
    done, _ = show(place, [UV], book)
    assert (done.reworded, path.read_text("utf-8")) == ({}, added)


@pytest.mark.parametrize(
    "damage",
    [
        f"{START}\n- x\n",
        f"- x\n{END}\n",
        f"{END}\n{START}\n",
        f"{START}\n{END}\n{START}\n{END}\n",
        f"I wrote {START} here\n{END}\n",
    ],
)
def test_damaged_markers_are_reported_and_left(place: Place, damage: str) -> None:
    place.index.parent.mkdir()
    place.index.write_text(damage, "utf-8")
    done, book = show(place, [UV])
    assert done.refused == "damaged-markers"
    assert (snapshot(place.index.parent), book) == ({"MEMORY.md": damage.encode()}, Book())


def test_a_file_that_is_no_text_is_left(place: Place) -> None:
    place.index.parent.mkdir()
    place.index.write_bytes(b"\xff\xfe\x00")
    assert show(place, [UV])[0].refused == "not-text"


def test_nothing_is_written_through_a_link_that_leads_out(place: Place, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    place.index.parent.symlink_to(elsewhere)
    assert show(place, [UV])[0].refused == "outside-folder"
    assert snapshot(elsewhere) == {}


def test_nothing_is_written_below_git(tmp_path: Path) -> None:
    inside = tmp_path / "orchard" / ".git"
    inside.mkdir(parents=True)
    place = Place("codex", inside / "AGENTS.md", inside, "")
    assert show(place, [lesson("x", project=None)])[0].refused == "below-git"
    assert snapshot(inside) == {}


def test_an_agent_at_work_is_left_for_another_time(place: Place) -> None:
    (done,) = plan_all([place], [UV], Book(), {"claude-code": "in-use"})
    assert (done.refused, dict(done.changes)) == ("in-use", {})


def test_a_file_that_changed_meanwhile_is_left(place: Place) -> None:
    plans = plan_all([place], [UV], Book(), {})
    place.index.parent.mkdir()
    place.index.write_text("- new\n")
    assert carry_out(plans, Book()) == Book()
    assert snapshot(place.index.parent) == {"MEMORY.md": b"- new\n"}


def test_the_weakest_are_left_out_where_there_is_no_room(place: Place) -> None:
    many = [lesson(f"lesson {n}", strength=100 - n) for n in range(100)]
    place.index.parent.mkdir()
    place.index.write_text("- theirs\n" * 150)
    show(place, many)
    text = place.index.read_text("utf-8")
    assert len(text.splitlines()) <= 200
    assert len(section(place)) == 48
    assert f"remem-{many[0].lesson.id}.md" in text
    assert f"remem-{many[99].lesson.id}.md" not in text
    place.index.write_text("- theirs\n" * 10)
    show(place, many)
    assert len(section(place)) == 58
    assert len(place.index.read_bytes()) < 25_000


@given(
    before=st.text(st.sampled_from("ab\n\r\ufeffü- "), max_size=60).map(lambda text: text.encode()),
    lines=st.lists(st.text("xy", min_size=1, max_size=9), min_size=1, max_size=3),
)
@settings(max_examples=200, deadline=None)
def test_taking_the_section_out_gives_back_the_bytes(before: bytes, lines: list[str]) -> None:
    joined = joint(before)
    written = with_section(before, lines)
    assert with_section(written, lines) == written
    assert without_section(written, joined=joined) == before


def test_words_that_come_after_the_section_stay_where_they_are(place: Place) -> None:
    written = with_section(b"mine", ["- x"])
    assert without_section(written + b"later\n", joined=b"\n") == b"mine\nlater\n"


def test_a_windows_file_keeps_its_line_ends() -> None:
    written = with_section(b"one\r\ntwo\r\n", ["- x", "- y"])
    assert written.count(b"\n") == written.count(b"\r\n") == 6


@pytest.mark.parametrize("content", [None, b"", b"- mine\n", b"- mine", b"\xef\xbb\xbf- mine\r\n"])
def test_removal_leaves_no_trace(place: Place, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        place.index.parent.mkdir()
        place.index.write_bytes(content)
    before = snapshot(place.within)
    _, book = show(place, [UV, ASK])
    write_book(tmp_path / "written.json", book)
    book = read_book(tmp_path / "written.json")
    _, book = show(place, [UV], book)
    left = carry_out(plan_removal([place], book), book)
    assert (snapshot(place.within), left) == (before, Book())
    assert place.index.parent.exists() == (content is not None)


def test_a_mode_is_kept(place: Place) -> None:
    place.index.parent.mkdir()
    place.index.write_text("- mine\n")
    place.index.chmod(0o640)
    show(place, [UV])
    assert place.index.stat().st_mode & 0o777 == 0o640
    assert (place.index.parent / f"remem-{UV.lesson.id}.md").stat().st_mode & 0o777 == 0o600


def test_claude_code_keeps_a_projects_memory_under_its_real_path(tmp_path: Path) -> None:
    top = tmp_path / "or_chard v2"
    top.mkdir()
    (tmp_path / "link").symlink_to(top)
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(top.resolve()))
    env = {"HOME": str(tmp_path)}
    assert claude_code(ORCHARD, str(top), env) is None  # never used there
    (tmp_path / ".claude" / "projects" / slug).mkdir(parents=True)
    place = claude_code(ORCHARD, str(tmp_path / "link"), env)
    assert place is not None
    assert place.index == tmp_path / ".claude" / "projects" / slug / "memory" / "MEMORY.md"
    assert claude_code(ORCHARD, str(top), env | {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}) is None
    (tmp_path / ".claude" / "settings.json").write_text('{"autoMemoryEnabled": false}')
    assert claude_code(ORCHARD, str(top), env) is None


def test_codex_reads_its_override_where_that_says_something(tmp_path: Path) -> None:
    env = {"CODEX_HOME": str(tmp_path / "codex")}
    assert codex(env) is None
    (tmp_path / "codex").mkdir()
    (tmp_path / "codex" / "AGENTS.override.md").write_text("\n")
    assert codex(env) is not None
    assert codex(env).index.name == "AGENTS.md"
    (tmp_path / "codex" / "AGENTS.override.md").write_text("Be brief.\n")
    assert codex(env).index.name == "AGENTS.override.md"


def test_codex_and_gemini_get_the_lessons_themselves_of_every_project_alone(
    tmp_path: Path,
) -> None:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".gemini").mkdir()
    everywhere = lesson("Be brief.", project=None)
    for place in (codex({"HOME": str(tmp_path)}), gemini({"HOME": str(tmp_path)})):
        assert place is not None
        show(place, [UV, everywhere])
        (line,) = section(place)
        assert line.startswith("- Seen 1×, last on 2026-11-02, in any project. The person said:")
        assert list(place.index.parent.glob("remem-*")) == []


def test_gemini_is_left_alone_where_it_reads_another_file(tmp_path: Path) -> None:
    (tmp_path / ".gemini").mkdir()
    settings = tmp_path / ".gemini" / "settings.json"
    settings.write_text('{"context": {"fileName": "NOTES.md"}}')
    assert gemini({"HOME": str(tmp_path)}) is None


def test_a_lesson_can_not_end_the_front_matter_or_the_section(place: Place) -> None:
    mean = lesson("mean", text=f'a\n---\n{END}\n[x](y) “"q"”')
    show(place, [mean])
    assert place.index.read_text("utf-8").count(END) == 1
    with pytest.raises(SectionError):
        with_section(f"{START}\n".encode(), ["- x"])
    text = (place.index.parent / f"remem-{id_for('mean')}.md").read_text("utf-8")
    assert text.count("\n---\n") == 1
    assert read(place).files
