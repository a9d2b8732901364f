"""Words that are not ours and would be more than words where they are written."""

from conformance.generate.files.shapes import (
    AGENTS,
    END,
    START,
    case,
    ids,
    like,
    paths,
    render,
    take_out,
)
from conformance.generate.lessons import everywhere
from conformance.generate.shapes import Cases

ENDINGS = (
    ("end-marker", "The marker of the end in a lesson ends no section.", f"a {END} b"),
    ("end-marker-on-a-line", "Nor does it on a line of its own.", f"a\n{END}\nb"),
    ("start-marker", "The marker of the start opens no other.", f"{START}\nb"),
    ("both-markers", "A whole section in a lesson is none.", f"{START}\n- x\n{END}"),
    ("comment", "A comment that is never closed would hide what follows.", "a <!-- b"),
    ("comment-in-pieces", "A comment must not come of putting lines together.", "a <!\n-- b"),
    ("comment-after-a-control", "Nor of taking a character out.", "a <!\x07-- b"),
    ("front-matter-ends", "A line of three dashes ends no front matter.", "a\n---\nb: c"),
    ("front-matter-begins", "Nor at the beginning.", "---\nname: other\n---\nb"),
    ("front-matter-with-spaces", "Nor with space around it.", "a\n --- \nb"),
    ("field-of-front-matter", "A line like a field of the front matter is none.",
     "a\nmanaged: nobody\nname: other"),
    ("quotes", "Quotes and backslashes are words in the front matter.", 'say "a" \\ \\n: b'),
    ("link", "A link in a lesson is no other line's.", "a](remem-x.md) [b"),
    ("brackets", "Brackets open at the end of what is cut.", "[" * 150),
    ("list", "Words that look like a list are one line.", "- a\n- b\n# c"),
    ("escape", "A terminal's escape is no word.", "a \x1b[31mred\x1b[0m b"),
    ("nul", "A NUL is no word.", "a\x00b"),
    ("bell-and-delete", "Nor are a bell and a delete.", "a\x07b\x7fc"),
    ("next-line", "A next line of C1 is an end of a line in some places.", "a\x85b"),
    ("line-separator", "A line separator is no end of a line where lines are ended by 0x0A.",
     "a\u2028---\u2029b"),
    ("carriage-return", "A lone carriage return is no second line.", "a\r---\rb"),
)  # fmt: skip


def cases() -> Cases:
    """Yield the family's cases."""
    for name, why, words in ENDINGS:
        one = everywhere("Be brief.", text=words)
        yield case(
            f"words/{name}",
            why,
            "FIL-010",
            like(render(one), shown=ids(one), paths=paths(one), refused=None),
            like(render(one, after=1), changed=[], reworded={}),
            like(take_out(2), paths=[]),
        )
    for name, why, words in ENDINGS[:7]:
        one = everywhere("Be brief.", text=words)
        yield case(
            f"words/{name}-in-a-line",
            why,
            "FIL-010",
            like(render(one, place=AGENTS), shown=[one.id[:8]]),
            like(render(one, place=AGENTS, after=1), changed=[], refused=None),
            like(take_out(2, place=AGENTS), paths=[]),
        )
