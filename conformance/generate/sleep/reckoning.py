"""What sleep reckons with, by itself: ids, fading, groups. No memory takes part."""

from typing import Any

from conformance.generate.shapes import AT, Cases, Value, event_id
from conformance.generate.sleep.shapes import (
    NIGHT,
    UV,
    failed,
    night,
    said,
    words_hash,
)
from conformance.generate.store.shapes import ORCHARD, SHOULD, content_id, expecting


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _ids()
    yield from _hashes()
    yield from _fading()
    yield from _groups()


def _asked(op: str, **given: Any) -> Value:
    return {"op": op, "input": given}


def _ids() -> Cases:
    founder, other = event_id(said()), event_id(failed())
    for name, why, kind, project, first in (
        ("of-a-project", "Kind, project and earliest source.", "correction", ORCHARD, founder),
        ("of-no-project", "No project is not an empty one.", "correction", None, founder),
        ("of-an-empty-project", "An empty project is not none.", "correction", "", founder),
        ("of-an-error", "The kind is hashed too.", "error", ORCHARD, other),
        ("of-a-project-in-many-scripts", "Lengths are those of the UTF-8.", "surprise",
         "git:пример/сад", other),
    ):  # fmt: skip
        made = content_id("remem/1/lesson", kind, project, first)
        given = {"kind": kind, "founder": first} | ({} if project is None else {"project": project})
        yield night(
            f"ids/lesson-{name}",
            why,
            "MEM-037 MEM-023 OVR-030",
            expecting(_asked("lesson-id", **given), match={"id": made}),
        )
    for name, lesson, made in (("made-at-night", founder, NIGHT), ("made-by-day", other, AT)):
        id_ = content_id("remem/1/prediction", lesson, made)
        yield night(
            f"ids/prediction-{name}",
            "Its lesson and when it was made.",
            "MEM-042 OVR-030",
            expecting(_asked("prediction-id", lesson=lesson, made=made), match={"id": id_}),
        )


def _hashes() -> Cases:
    plain = words_hash("correction", UV)
    for name, why, kind, text, hash_ in (
        ("plain", "Words as they are.", "correction", UV, plain),
        ("in-capitals", "In capitals they are the same.", "correction", UV.upper(), plain),
        ("spaced", "Each run of white space is one space, and there is none at the ends.",
         "correction", "  Use\tuv,\n\n not   pip. ", plain),
        ("of-another-kind", "The kind is hashed too.", "error", UV, words_hash("error", UV)),
        ("with-another-mark", "Marks are words' own.", "correction", UV[:-1],
         words_hash("correction", UV[:-1])),
        ("decomposed", "e and an accent are é.", "correction", "Au cafe\u0301.",
         words_hash("correction", "Au caf\u00e9.")),
        ("sharp-s", "Case is folded, not lowered.", "correction", "Die Straße.",
         words_hash("correction", "DIE STRASSE.")),
        ("no-break-space", "White space is that of Unicode.", "correction",
         "Use\u00a0uv,\u3000not pip.", plain),
    ):  # fmt: skip
        yield night(
            f"ids/words-{name}",
            why,
            "MEM-038",
            expecting(_asked("words-hash", kind=kind, text=text), match={"hash": hash_}),
        )


def _fading() -> Cases:
    for name, why, strength, touched, left, archived in (
        ("just-touched", "At once all of it is there.", 1.0, NIGHT, 1.0, False),
        ("half-life", "After 45 days half of it.", 1.0, "2026-01-25T03:00:00.000000Z", 0.5, False),
        ("two-half-lives", "After 90 days a quarter.", 2.0, "2025-12-11T03:00:00.000000Z", 0.5,
         False),
        ("half-a-day", "Days are no whole numbers.", 1.0, "2026-03-10T15:00:00.000000Z",
         0.9923279463, False),
        ("above-the-threshold", "After 123 days what was 1 is still above 0.15.", 1.0,
         "2025-11-08T03:00:00.000000Z", 0.1503781295, False),
        ("below-the-threshold", "After 124 days it is not.", 1.0, "2025-11-07T03:00:00.000000Z",
         0.1480795626, True),
        ("at-the-threshold", "0.15 is not below 0.15.", 0.15, NIGHT, 0.15, False),
        ("touched-later", "A touch that is yet to come makes nothing stronger.", 1.0,
         "2026-04-11T03:00:00.000000Z", 1.0, False),
    ):  # fmt: skip
        yield night(
            f"decay/{name}",
            f"Strength · 2^(−days / 45). {why}",
            "MEM-092",
            expecting(
                _asked("decayed", strength=strength, touched=touched, now=NIGHT),
                near={"strength": left},
                match={"archived": archived},
            ),
        )


def _groups() -> Cases:
    # In quarters, so that each product is exact: a tie is a tie in every language.
    row = {
        "east": [1.0, 0.0, 0.0],
        "rather-east": [0.75, 0.5, 0.0],
        "rather-north": [0.25, 0.75, 0.0],
        "between": [0.5, 0.5, 0.0],
        "north": [0.0, 1.0, 0.0],
        "up": [0.0, 0.0, 1.0],
    }
    turning = ["east", "rather-east", "rather-north"]  # 0.75 alike, 0.5625, and 0.25 at its ends
    for name, why, rows, weights, cut, groups in (
        ("one", "One row is a group.", ["east"], None, 0.5, [[0]]),
        ("equal", "Equal rows are one group.", ["east", "up", "east"], None, 0.9, [[0, 2], [1]]),
        ("apart", "What nothing resembles stays alone.", ["east", "north", "up"], None, 0.5,
         [[0], [1], [2]]),
        ("at-the-cut", "A score that is the cut reaches it.", ["east", "between"], None, 0.5,
         [[0, 1]]),
        ("below-the-cut", "A score below the cut does not.", ["east", "between"], None, 0.53125,
         [[0], [1]]),
        ("by-the-mean", "A row joins by the mean of its scores, not by the best of them.",
         turning, None, 0.5, [[0, 1], [2]]),
        ("best-first", "The two most alike are joined first, wherever they stand.",
         turning[::-1], None, 0.5, [[0], [1, 2]]),
        ("tie", "Of equal scores the earliest rows are joined first.",
         ["east", "between", "north"], None, 0.5, [[0, 1], [2]]),
        ("tie-with-a-group", "A group stands where its earliest row does.",
         ["east", "east", "between", "north"], None, 0.5, [[0, 1, 2], [3]]),
        ("two-ties", "Two ties, each by itself.",
         ["up", "east", "east", "up"], None, 0.9, [[0, 3], [1, 2]]),
        ("weight-of-the-near-one", "A row that stands for many weighs as much as they.",
         turning, [1.0, 7.0, 1.0], 0.5, [[0, 1, 2]]),
        ("weight-of-the-far-one", "With another weight the mean is another.",
         turning, [7.0, 1.0, 1.0], 0.28125, [[0, 1, 2]]),
        ("weight-of-the-far-one-below", "And it may be below the cut.",
         turning, [7.0, 1.0, 1.0], 0.3125, [[0, 1], [2]]),
    ):  # fmt: skip
        given: Value = {"rows": [row[each] for each in rows], "cut": cut}
        given |= {} if weights is None else {"weights": weights}
        yield night(
            f"grouping/{name}",
            f"Average linkage. {why}",
            "MEM-100",
            expecting(_asked("group", **given), match={"groups": groups}),
            level=SHOULD,
        )
