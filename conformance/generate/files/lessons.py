"""Each lesson's own file and line: what stands in them, and when they are written anew."""

from dataclasses import replace

from conformance.generate.files.shapes import (
    AGENTS,
    BRIEF,
    INDEX,
    SPELL,
    UV,
    case,
    ids,
    like,
    path_of,
    paths,
    render,
    replaced,
)
from conformance.generate.lessons import MARCH_5, Learned, everywhere, failed, learned, said
from conformance.generate.shapes import Cases

LONG = " ".join(f"Pond {n} has {n} herons." for n in range(60))
SHOULD = "should"


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _files()
    yield from _lines()
    yield from _again()


def _files() -> Cases:
    req = "FIL-001"
    yield case(
        "lessons/file-and-line",
        "Each lesson has one file, named after its id, and one line that links to it.",
        req,
        like(render(UV, SPELL, BRIEF), shown=ids(UV, SPELL, BRIEF), paths=paths(UV, SPELL, BRIEF)),
    )
    yield case(
        "lessons/front-matter",
        "A lesson's front matter says what it is called, what it is and whose.",
        req,
        like(
            render(UV),
            fronts={
                path_of(UV): {
                    "name": f"remem-{UV.id}",
                    "description": UV.record["text"],
                    "type": "feedback",
                    "managed": "remem",
                    "seen": "1",
                    "strength": "2.0",
                    "updated": UV.record["updated"],
                }
            },
        ),
    )
    test = learned(
        failed("pnpm test cart", "Missing script: test"),
        failed("pnpm test pears", "Missing script: test", at=MARCH_5, session="s-2"),
    )
    yield case(
        "lessons/front-matter-of-an-error",
        "How often it happened stands there as well; what failed is about the project.",
        req,
        like(render(test), fronts={path_of(test): {"type": "project", "seen": "2"}}),
    )
    for name, words in (
        ("long-words", LONG),
        ("many-scripts", "猫は庭にいる。Ёж 🦔 спит. الكرمة"),
        ("of-several-lines", "Count them so:\n- in May\n- at dawn"),
    ):
        one = learned(said("Count them."), text=words)
        last = words.split("\n")[-1][-40:]
        yield case(
            f"lessons/{name}",
            "A lesson's file has its words whole; its line may cut them.",
            req,
            like(render(one), shown=ids(one), says=[words.split("\n")[0][:60], last]),
        )


def _lines() -> Cases:
    req = "FIL-001 FIL-011"
    line = f"- [{UV.record['text']}](remem-{UV.id}.md) — seen 1×, last on 2026-03-04"
    yield case(
        "lessons/line-with-a-link",
        "A line says how often and when it was last borne out.",
        req,
        like(render(UV), section=[line]),
        level=SHOULD,
    )
    line = f"- Seen 2×, last on 2026-03-06, in any project. {BRIEF.record['text']}"
    yield case(
        "lessons/line-without-a-link",
        "A line of its own is an observation with its count and its day.",
        req,
        like(render(BRIEF, place=AGENTS), section=[f"{line} (lesson {BRIEF.id[:8]})"]),
        level=SHOULD,
    )
    one = everywhere("Count them.", text="Count them so:\n- in May\n\n- at dawn")
    yield case(
        "lessons/one-line-each",
        "Words of several lines are one line in the index.",
        "FIL-001",
        like(render(one, place=AGENTS), shown=[one.id[:8]], says=["at dawn"]),
    )


def _again() -> Cases:
    req = "FIL-004"
    weaker = replace(UV, record={**UV.record, "strength": 0.6})
    yield case(
        "lessons/faded",
        "A strength that fades is no news.",
        req,
        render(UV, BRIEF),
        like(render(weaker, BRIEF, after=1), changed=[]),
    )
    yield case(
        "lessons/front-matter-added-to",
        "What an agent adds to the front matter is no change of words, and stays.",
        "FIL-004 FIL-014",
        render(UV, BRIEF),
        like(
            render(
                UV,
                BRIEF,
                after=1,
                edits=(replaced(path_of(UV), "managed: remem", "node: 7\nmanaged: remem"),),
            ),
            changed=[],
            reworded={},
            vetoed=[],
        ),
    )
    again = said("We use uv here, not pip.", at=MARCH_5, session="s-5")
    more = learned(*UV.sources, again, strength=2.0)
    yield case(
        "lessons/seen-again",
        "A lesson that was seen again is written anew, in its file and its line.",
        "FIL-001 FIL-004",
        render(UV, BRIEF),
        like(
            render(more, BRIEF, after=1),
            changed=paths(UV),
            fronts={path_of(UV): {"seen": "2"}},
            reworded={},
        ),
    )
    other = _with_words(UV, "The person said: “uv alone.”")
    yield case(
        "lessons/worded-anew",
        "A lesson that the memory words anew is written anew.",
        "FIL-001 FIL-014",
        render(UV),
        like(
            render(other, after=1),
            changed=paths(UV),
            says=["uv alone."],
            silent=["not pip"],
            reworded={},
        ),
    )
    yield case(
        "lessons/one-more",
        "A lesson that is new changes no other's file.",
        "FIL-001 FIL-004",
        render(UV),
        like(render(UV, SPELL, after=1), changed=sorted([INDEX, path_of(SPELL)])),
    )
    yield case(
        "lessons/one-less",
        "A lesson that is no more takes its file and its line with it.",
        "FIL-001 FIL-006",
        render(UV, SPELL),
        like(render(SPELL, after=1), paths=paths(SPELL), shown=ids(SPELL), vetoed=[]),
    )


def _with_words(one: Learned, text: str) -> Learned:
    """Return the same lesson in other words."""
    return learned(*one.sources, text=text, strength=one.record["strength"])
