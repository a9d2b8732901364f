"""The one section of a file that is its owner's: put in, replaced, never beside what is damaged."""

from conformance.generate.files.shapes import (
    AGENTS,
    BRIEF,
    END,
    INDEX,
    MEMORY,
    SPELL,
    START,
    UV,
    case,
    gone,
    ids,
    like,
    paths,
    render,
    replaced,
    take_out,
)
from conformance.generate.shapes import Cases, encoded


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _put_in()
    yield from _nothing_to_say()
    yield from _damaged()
    yield from _left()
    yield from _same_bytes()


def _put_in() -> Cases:
    for name, why, index, before in (
        ("no-file", "An index that is not there is made, with the section alone.", None, ""),
        ("empty-file", "An empty index gets the section alone.", "", ""),
        ("at-the-end", "A section that is not there yet is put at the end.", "- mine\n",
         "- mine\n"),
        ("after-an-open-last-line", "A last line without an end gets one, so that a marker is "
         "alone on its line.", "- mine", "- mine\n"),
        ("after-an-open-windows-line", "The end that a last line gets is the file's own.",
         "- one\r\n- two", "- one\r\n- two\r\n"),
        ("windows-line-ends", "A file with the line ends of Windows keeps them, and its section "
         "has them.", "- mine\r\n", "- mine\r\n"),
        ("byte-order-mark", "A byte order mark stays where it is.", "\ufeff- mine\n",
         "\ufeff- mine\n"),
        ("many-scripts", "Text around the section is kept whatever its script.",
         "- 猫は庭にいる。\n- Ёж 🦔\n", "- 猫は庭にいる。\n- Ёж 🦔\n"),
        ("comments-of-others", "Another program's comments and sections are text.",
         "<!-- other:start -->\n- x\n<!-- other:end -->\n",
         "<!-- other:start -->\n- x\n<!-- other:end -->\n"),
    ):  # fmt: skip
        req = "FIL-001 FIL-002 FIL-013"
        step = like(render(UV, index=index), before=before, shown=ids(UV), paths=paths(UV))
        yield case(f"section/{name}", why, req, step)
    yield case(
        "section/replaced-where-it-stands",
        "A section is written anew where it stands, between what is above and below.",
        "FIL-002",
        render(UV, index="- above\n"),
        like(
            render(SPELL, after=1, edits=(replaced(INDEX, f"{END}\n", f"{END}\n- below\n"),)),
            before="- above\n",
            after="\n- below\n",
            shown=ids(SPELL),
        ),
    )
    yield case(
        "section/no-single-memories",
        "Without a folder for single memories a lesson is one line, and no file is made.",
        "FIL-001 FIL-002",
        like(
            render(BRIEF, place=AGENTS, index="# House rules\n"),
            before="# House rules\n",
            paths=["AGENTS.md"],
            shown=[BRIEF.id[:8]],
            says=["Be brief."],
        ),
    )


def _nothing_to_say() -> Cases:
    yield case(
        "section/no-lessons-no-file",
        "With no lesson to show nothing is made.",
        "FIL-002",
        like(render(), paths=[], changed=[]),
    )
    yield case(
        "section/no-lessons-no-section",
        "With no lesson to show there is no section.",
        "FIL-002",
        like(render(index="- mine"), changed=[], section=None),
    )
    yield case(
        "section/last-lesson-goes",
        "When the last lesson goes the section goes, and the file is as it was.",
        "FIL-002 FIL-006",
        render(UV, SPELL, index="- mine"),
        like(
            render(after=1),
            paths=[INDEX],
            files={INDEX: "- mine"},
            vetoed=[],
        ),
    )
    yield case(
        "section/last-lesson-goes-with-the-file",
        "When the last lesson goes, so does an index that the memory itself had made.",
        "FIL-002 FIL-008",
        render(UV),
        like(render(after=1), paths=[], vetoed=[]),
    )


def _damaged() -> Cases:
    both = f"{START}\n- x\n{END}\n"
    for name, why, index in (
        ("end-is-missing", "Where the section ends is not known.", f"- a\n{START}\n- x\n"),
        ("start-is-missing", "Where the section begins is not known.", f"- x\n{END}\n- b\n"),
        ("out-of-order", "An end before its start encloses nothing.", f"{END}\n- x\n{START}\n"),
        ("doubled", "Of two sections either may be the owner's copy.", both + both),
        ("start-twice", "Of two starts either may be the one.", f"{START}\n{both}"),
        ("end-twice", "Of two ends either may be the one.", f"{both}- b\n{END}\n"),
        ("within-a-line", "A marker in a sentence is somebody's words.",
         f"I saw {START} here.\n- x\n{END}\n"),
        ("words-behind-a-marker", "A marker is alone on its line.",
         f"{START} keep\n- x\n{END}\n"),
        ("end-within-a-line", "The marker of the end is alone on its line too.",
         f"{START}\n- x {END}\n"),
        ("only-in-a-sentence", "A file that only speaks of a marker is left too.",
         f"- Never write {START} by hand.\n"),
    ):  # fmt: skip
        refused = like(render(UV, index=index), refused="damaged-markers", changed=[])
        yield case(f"section/damaged-{name}", why, "FIL-003", refused)
    yield case(
        "section/damaged-since",
        "Markers that the owner damaged since are reported, with nothing lost.",
        "FIL-003",
        render(UV, index="- mine\n"),
        like(
            render(UV, SPELL, after=1, edits=(replaced(INDEX, END, ""),)),
            refused="damaged-markers",
            changed=[],
        ),
    )
    yield case(
        "section/damaged-when-taken-out",
        "Taking out does not guess at damaged markers either.",
        "FIL-003",
        render(UV, index="- mine\n"),
        like(
            take_out(1, replaced(INDEX, START, "")),
            refused="damaged-markers",
            changed=[],
        ),
    )
    yield case(
        "section/damaged-and-mended",
        "Once the owner mended the markers it goes on.",
        "FIL-003",
        render(UV, index="- mine\n"),
        render(UV, after=1, edits=(replaced(INDEX, END, ""),)),
        like(
            render(UV, after=2, edits=({**gone(INDEX), "raw": encoded(b"- mine\n")},)),
            refused=None,
            shown=ids(UV),
        ),
    )


def _left() -> Cases:
    for name, why, index in (
        ("utf-16", "UTF-16 is no text that could be added to.", "- mine\n".encode("utf-16")),
        ("latin-1", "A byte that is no UTF-8 makes a file none.", b"- caf\xe9\n"),
    ):
        step = like(render(UV, index=index), refused="not-text", changed=[])
        yield case(f"section/not-text-{name}", why, "FIL-003", step)
    for name, place in (
        ("index", {"index": ".git/AGENTS.md"}),
        ("deep", {"index": "orchard/.git/hooks/AGENTS.md"}),
        ("folder", {**MEMORY, "index": ".git/memory/MEMORY.md", "folder": ".git/memory"}),
    ):
        step = like(render(UV, BRIEF, place=place), refused="below-git", paths=[])
        yield case(f"section/below-git-{name}", "Nothing is written below .git.", "FIL-007", step)
    yield case(
        "section/beside-git",
        "A folder whose name only begins like .git is a folder like others.",
        "FIL-007",
        like(render(BRIEF, place={"index": ".github/AGENTS.md"}), refused=None),
    )


def _same_bytes() -> Cases:
    for name, place in (("with-files", MEMORY), ("without-files", AGENTS)):
        yield case(
            f"section/twice-{name}",
            "Writing the same lessons twice gives the same bytes.",
            "FIL-004",
            render(UV, SPELL, BRIEF, place=place, index="- mine"),
            like(render(UV, SPELL, BRIEF, place=place, after=1), changed=[], vetoed=[]),
        )
    yield case(
        "section/any-order",
        "In which order the memory has its lessons makes no difference.",
        "FIL-004",
        render(UV, SPELL, BRIEF, index="- mine\n"),
        like(render(BRIEF, SPELL, UV, index="- mine\n"), raw_of=1),
    )
