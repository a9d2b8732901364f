"""What stays the owner's: a file deleted, a file reworded, and every byte once remem is out."""

from conformance.generate.files.shapes import (
    AGENTS,
    BRIEF,
    END,
    INDEX,
    MEMORY,
    SPELL,
    UV,
    case,
    gone,
    ids,
    like,
    path_of,
    paths,
    render,
    replaced,
    rewritten,
    take_out,
)
from conformance.generate.lessons import MARCH_5, learned, said
from conformance.generate.shapes import Cases, Value

MINE = "uv, always. Even in CI."


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _deleted()
    yield from _no_veto()
    yield from _reworded()
    yield from _taken_out()
    yield from _taken_out_after_changes()


def _deleted() -> Cases:
    yield case(
        "owner/deleted-is-vetoed",
        "A lesson's file that the owner deleted is a veto, and is not written again.",
        "FIL-006",
        render(UV, SPELL),
        like(
            render(UV, SPELL, after=1, edits=(gone(path_of(UV)),)),
            vetoed=[UV.id],
            shown=ids(SPELL),
            paths=paths(SPELL),
        ),
    )
    yield case(
        "owner/all-deleted",
        "All files deleted are as many vetoes.",
        "FIL-006",
        render(UV, SPELL, index="- mine\n"),
        like(
            render(UV, SPELL, after=1, edits=(gone(path_of(UV)), gone(path_of(SPELL)))),
            vetoed=ids(UV, SPELL),
            files={INDEX: "- mine\n"},
            paths=[INDEX],
        ),
    )
    yield case(
        "owner/deleted-once",
        "A veto is told once: afterwards the file is none that was deleted.",
        "FIL-006",
        render(UV, SPELL),
        render(UV, SPELL, after=1, edits=(gone(path_of(UV)),)),
        like(render(SPELL, after=2), vetoed=[], changed=[]),
    )
    yield case(
        "owner/line-deleted",
        "A line deleted from the section is no veto, and comes back.",
        "FIL-006",
        render(UV, index="- mine\n"),
        like(
            render(UV, after=1, edits=(replaced(INDEX, "- [The person said", "- [A person said"),)),
            vetoed=[],
            shown=ids(UV),
            changed=[INDEX],
        ),
    )


def _no_veto() -> Cases:
    yield case(
        "owner/everything-gone",
        "When the section is gone as well, somebody made room: that is no veto.",
        "FIL-006",
        render(UV, SPELL),
        like(
            render(
                UV,
                SPELL,
                after=1,
                edits=(gone(INDEX), gone(path_of(UV)), gone(path_of(SPELL))),
            ),
            vetoed=[],
            shown=ids(UV, SPELL),
        ),
    )
    yield case(
        "owner/index-gone",
        "An index that is gone is made again, and the files beside it are as they were.",
        "FIL-006",
        render(UV, SPELL),
        like(
            render(UV, SPELL, after=1, edits=(gone(INDEX),)),
            vetoed=[],
            shown=ids(UV, SPELL),
            changed=[INDEX],
        ),
    )
    yield case(
        "owner/taken-away-by-the-memory",
        "A file that the memory took away itself is no veto when its lesson is back.",
        "FIL-006",
        render(UV, SPELL),
        render(UV, after=1),
        like(render(UV, SPELL, after=2), vetoed=[], shown=ids(UV, SPELL)),
    )
    yield case(
        "owner/never-written",
        "A file that was never written was not deleted.",
        "FIL-006",
        render(UV),
        like(render(UV, SPELL, BRIEF, after=1), vetoed=[], shown=ids(UV, SPELL, BRIEF)),
    )


def _reworded() -> Cases:
    mine, edit = {UV.id: MINE}, rewritten(UV, MINE)
    yield case(
        "owner/reworded",
        "A file whose words the owner changed stays, and its words are given.",
        "FIL-014",
        render(UV, SPELL),
        like(render(UV, SPELL, after=1, edits=(edit,)), changed=[], reworded=mine),
    )
    yield case(
        "owner/reworded-by-a-word",
        "One word changed in the body is a change of words.",
        "FIL-014",
        render(UV),
        like(
            render(
                UV,
                after=1,
                edits=(replaced(path_of(UV), "\n---\n", "\n---\nOnly at home. "),),
            ),
            changed=[],
            says=["Only at home. "],
            vetoed=[],
        ),
    )
    yield case(
        "owner/reworded-stays",
        "The owner's words stay at the next writing too.",
        "FIL-004 FIL-014",
        render(UV, SPELL),
        render(UV, SPELL, after=1, edits=(edit,)),
        like(render(UV, SPELL, after=2), changed=[], reworded=mine),
    )
    again = learned(*UV.sources, said("We use uv here.", at=MARCH_5, session="s-5"), strength=2.0)
    yield case(
        "owner/reworded-while-it-grew",
        "The owner's words stay when the memory has more to say.",
        "FIL-014",
        render(UV),
        like(
            render(again, after=1, edits=(edit,)),
            reworded=mine,
            bodies={path_of(UV): MINE},
        ),
    )
    yield case(
        "owner/reworded-and-no-more",
        "The owner's words stay when the lesson is no more.",
        "FIL-008 FIL-014",
        render(UV, SPELL),
        like(
            render(SPELL, after=1, edits=(edit,)),
            bodies={path_of(UV): MINE},
            shown=ids(SPELL),
        ),
    )


def _taken_out() -> Cases:
    req = "FIL-008"
    for name, why, index in (
        ("empty", "An empty index is empty again.", ""),
        ("text", "An index is as it was.", "- mine\n"),
        ("open-last-line", "A last line that had no end has none again.", "- mine"),
        ("windows", "Line ends of Windows and a byte order mark are as they were.",
         "\ufeff- one\r\n- two\r\n"),
        ("open-windows-line", "A last line that had no end has none again in Windows either.",
         "- one\r\n- two"),
        ("blank-lines", "Blank lines at the end are as many as they were.", "- mine\n\n\n"),
    ):  # fmt: skip
        for kind, place in (("files", MEMORY), ("lines", AGENTS)):
            path = place["index"]
            yield case(
                f"owner/out-of-{kind}-{name}",
                why,
                req,
                render(UV, BRIEF, index=index, place=place),
                like(take_out(1, place=place), paths=[path], files={path: index}),
            )
    yield case(
        "owner/out-of-files-it-made",
        "What the memory made and nobody else wrote to is removed.",
        req,
        render(UV, BRIEF),
        like(take_out(1), paths=[]),
    )
    yield case(
        "owner/out-of-nothing",
        "Where nothing was written there is nothing to take out.",
        req,
        like(take_out(index="- mine\n"), changed=[]),
    )
    yield case(
        "owner/out-after-many-writings",
        "However often it was written in between, the file is as it was.",
        req,
        render(UV, index="- mine"),
        render(SPELL, BRIEF, after=1),
        render(after=2),
        render(UV, SPELL, after=3),
        like(take_out(4), paths=[INDEX], files={INDEX: "- mine"}),
    )


def _taken_out_after_changes() -> Cases:
    for name, why, edit, left in (
        ("below", "What others wrote below the section stays.",
         replaced(INDEX, f"{END}\n", f"{END}\n- later\n"), "- mine\n- later\n"),
        ("above", "What others wrote above the section stays.",
         replaced(INDEX, "- mine\n", "- mine\n- also\n"), "- mine\n- also\n"),
    ):  # fmt: skip
        yield _out(f"out-with-text-{name}", why, edit, {"files": {INDEX: left}, "paths": [INDEX]})
    yield _out(
        "out-keeps-the-owners-words",
        "A file that the owner reworded is theirs.",
        rewritten(UV, MINE),
        {"paths": sorted([INDEX, path_of(UV)]), "bodies": {path_of(UV): MINE}},
    )
    yield case(
        "owner/out-of-an-index-written-to",
        "An index that the memory made and others wrote to stays, with what they wrote.",
        "FIL-008",
        render(UV),
        like(
            take_out(1, replaced(INDEX, f"{END}\n", f"{END}\n- later\n")),
            files={INDEX: "- later\n"},
            paths=[INDEX],
        ),
    )


def _out(name: str, why: str, edit: Value, view: Value) -> tuple[str, Value]:
    steps = render(UV, BRIEF, index="- mine\n"), like(take_out(1, edit), **view)
    return case(f"owner/{name}", why, "FIL-008", *steps)
