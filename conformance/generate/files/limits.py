"""How much may be written, and which lessons may be shown at all."""

from conformance.generate.files.shapes import (
    AGENTS,
    BRIEF,
    INDEX,
    SPELL,
    UV,
    case,
    ids,
    like,
    many,
    path_of,
    paths,
    render,
)
from conformance.generate.lessons import (
    EARLIER,
    Learned,
    everywhere,
    learned,
    said,
    vetoed,
)
from conformance.generate.shapes import Cases, Value, encoded
from conformance.generate.store.shapes import HARBOUR, LATER, NOW, content_id


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _budgets()
    yield from _long_files()
    yield from _shown()
    yield from _no_longer()


def _budgets() -> Cases:
    req = "FIL-005"
    lessons = many(75)
    first, last = lessons[0], lessons[-1]
    yield case(
        "limits/more-lessons-than-lines",
        "A section has at most 60 lines; the weakest are left out, their files too.",
        req,
        like(render(*lessons), says=[f"remem-{first.id}.md"], silent=[f"remem-{last.id}"]),
    )
    long = " ".join(f"Pond {n} has herons." for n in range(70))
    words = [
        everywhere(f"Count pond {n}.", text=f"Pond {n}: {long}", strength=3 - n / 50)
        for n in range(60)
    ]
    yield case(
        "limits/more-words-than-bytes",
        "The index has at most 25,000 bytes with the section.",
        req,
        like(render(*words, place=AGENTS), says=[words[0].id[:8]], silent=[words[-1].id[:8]]),
    )
    yield case(
        "limits/room-again",
        "A lesson for which there was no room is no veto, and is shown when there is.",
        "FIL-005 FIL-006",
        render(UV, SPELL),
        render(UV, SPELL, after=1, edits=({"path": INDEX, "raw": _lines(199)},)),
        like(
            render(UV, SPELL, after=2, edits=({"path": INDEX, "raw": _lines(3)},)),
            shown=ids(UV, SPELL),
            vetoed=[],
        ),
    )


def _long_files() -> Cases:
    req = "FIL-005"
    lessons = many(40)
    for name, why, index, shown in (
        ("long-file", "The index has at most 200 lines with the section.", "- mine\n" * 180, True),
        ("longest-file", "One lesson and two markers are three lines.", "- mine\n" * 197, True),
        ("full-file", "An index without room gets no section.", "- mine\n" * 198, False),
        ("too-long-a-file", "An index that is too long as it is gets none either.",
         "- mine\n" * 300, False),
        ("wide-file", "The index has at most 25,000 bytes with the section.",
         f"{'x' * 239}\n" * 100, True),
        ("too-wide-a-file", "An index of too many bytes gets no section.",
         f"{'ä' * 200}\n" * 70, False),
    ):  # fmt: skip
        first = f"remem-{lessons[0].id}.md"
        view: Value = {"says": [first]} if shown else {"changed": [], "section": None}
        yield case(f"limits/{name}", why, req, like(render(*lessons, index=index), **view))


def _shown() -> Cases:
    req = "FIL-009"
    harbour = learned(said("We use npm here.", project=HARBOUR, session="s-3"))
    for name, why, one, shown in (
        ("of-this-project", "A lesson of the place's project may stand there.", UV, True),
        ("of-no-project", "A lesson that belongs to no project may stand anywhere.", BRIEF, True),
        ("of-another-project", "Another project's lesson may not.", harbour, False),
        ("candidate", "A candidate is not written.", _made(trust="candidate"), False),
        ("corroborated", "One that was corroborated is.", _made(trust="corroborated"), True),
        ("confirmed", "One that came true here is.", _made(trust="confirmed"), True),
        ("archived", "What was put aside is not.", _made(archived=NOW), False),
        ("over", "What no longer holds is not.", _made(valid_until=NOW), False),
        ("not-yet-over", "What holds until tomorrow is.", _made(valid_until=LATER), True),
    ):
        step = like(render(one, SPELL), shown=ids(one, SPELL) if shown else ids(SPELL))
        yield case(f"limits/{name}", why, req, step)
    closed = _made(superseded_by=SPELL.id, valid_until=EARLIER)
    yield case(
        "limits/superseded",
        "A lesson in whose place another stands is not written.",
        req,
        like(render(closed, SPELL), shown=ids(SPELL), silent=[closed.id]),
    )
    yield case(
        "limits/vetoed",
        "A vetoed lesson is not written.",
        req,
        like(render(vetoed(UV), UV, SPELL), shown=ids(SPELL), silent=["not pip"]),
    )
    yield case(
        "limits/read-in-every-project",
        "Where every project looks only lessons of none may stand.",
        req,
        like(
            render(UV, BRIEF, harbour, place=AGENTS),
            shown=[BRIEF.id[:8]],
            silent=["not pip", "npm"],
        ),
    )
    yield case(
        "limits/project-of-a-like-name",
        "A project's name that begins like another is another.",
        req,
        like(render(learned(said("We use npm.", project=f"{HARBOUR}-2")), place=_AT), paths=[]),
    )


_AT = {"index": INDEX, "folder": "memory", "project": HARBOUR}


def _no_longer() -> Cases:
    for name, why, now in (
        ("becomes-a-candidate", "taken back to a candidate", _made(trust="candidate")),
        ("is-put-aside", "put aside", _made(archived=NOW)),
        ("is-over", "no longer true", _made(valid_until=NOW)),
    ):
        yield case(
            f"limits/{name}",
            f"A lesson that is {why} goes from the files, and that is no veto.",
            "FIL-006 FIL-009",
            render(UV, SPELL),
            like(render(now, SPELL, after=1), paths=paths(SPELL), vetoed=[]),
        )
    yield case(
        "limits/is-vetoed",
        "A lesson that the owner vetoed elsewhere goes from the files.",
        "FIL-009",
        render(UV, SPELL),
        like(render(vetoed(UV), UV, SPELL, after=1), paths=paths(SPELL), silent=[path_of(UV)]),
    )


def _made(**fields: str) -> Learned:
    """Return UV as another memory may have left it."""
    if "trust" in fields:
        fields["origin"] = content_id("another memory")
    return learned(*UV.sources, strength=2.0, **fields)


def _lines(count: int) -> str:
    return encoded(b"- mine\n" * count)
