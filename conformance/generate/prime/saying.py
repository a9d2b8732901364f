"""What is said, in which words, and to which half of the sessions."""

from conformance.generate.lessons import EARLIER, MARCH_5, Learned, everywhere, failed, learned
from conformance.generate.prime.shapes import (
    CART,
    HELD_OUT,
    INSTALL,
    PNPM,
    TEST,
    TOLD,
    UV,
    anything,
    call,
    case,
    chosen,
    held_out,
    prompt,
    silent,
)
from conformance.generate.shapes import Case, Cases

SHOULD = "should"
ORDERS = (
    "You must", "you must", "You should", "you should", "MUST", "ALWAYS", "NEVER", "IMPORTANT",
    "Do not", "do not", "Don't", "Make sure", "make sure",
)  # fmt: skip
SESSIONS = (
    ("told", "told"),
    ("held-out", "held-out"),
    ("one-letter", "a"),
    ("another-letter", "b"),
    ("a-space", " "),
    ("digits", "20260304"),
    ("uuid", "0b9c6f2e-6d1a-4c53-9a41-5f0f3d6f7c11"),
    ("uuid-in-capitals", "0B9C6F2E-6D1A-4C53-9A41-5F0F3D6F7C11"),
    ("uuid-of-another", "0b9c6f2e-6d1a-4c53-9a41-5f0f3d6f7c12"),
    ("path", "rollout-2026-03-04T09-00-00/0b9c"),
    ("umlaut", "Sitzung-ä"),
    ("umlaut-in-two", "Sitzung-a\u0308"),
    ("kanji", "会話-一"),
    ("astral", "🦔"),
    ("nul", "a\x00b"),
    ("long", "s" * 500),
)


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _arms()
    yield from _to_an_arm()
    yield from _words()
    yield from _harmless()


def _arms() -> Cases:
    for name, session in SESSIONS:
        step = {"op": "held-out", "input": {"session": session}}
        expected = {"match": {"held_out": held_out(session)}}
        why = "Bit 16 of a CRC-32 decides, of the domain and the bytes of the session's id."
        yield case(f"arm/{name}", why, "FIL-024", {**step, "expect": expected})


def _to_an_arm() -> Cases:
    for name, step in (
        ("call", call(TEST, PNPM, UV, session=HELD_OUT)),
        ("prompt", prompt("Run pip install -r requirements.txt.", PNPM, UV, session=HELD_OUT)),
    ):
        expect = {"match": {"text": None, "held_out": True}}
        why = "A session that is held out is told nothing."
        yield case(f"arm/silent-at-a-{name}", why, "FIL-025", {**step, "expect": expect})
    yield case(
        "arm/judged-alike",
        "What would have been said to a session that is held out is what another is told.",
        "FIL-025",
        call(TEST, PNPM, UV, session=TOLD),
        {**call(TEST, PNPM, UV, session=HELD_OUT), "expect": {"raw_of": 1}},
    )
    yield case(
        "arm/once-alike",
        "A session that is held out would have been told once as well.",
        "FIL-023 FIL-025",
        call(TEST, PNPM, UV, session=HELD_OUT),
        silent(call(TEST, PNPM, UV, session=HELD_OUT)),
    )


def _words() -> Cases:
    for name, why, step, one, head in (
        ("observation-of-an-error", "An observation, with its count and its last day.",
         call(TEST, PNPM, UV), PNPM, "Seen 2×, last on 2026-03-05, in this project. "),
        ("observation-of-a-correction", "An observation, in the person's own words.",
         call(INSTALL, PNPM, UV), UV, "Seen 1×, last on 2026-03-04, in this project. "),
    ):  # fmt: skip
        line = f"- {head}{one.record['text']} (lesson {one.id[:8]})"
        req = "FIL-011 FIL-026"
        yield case(f"saying/{name}", why, req, chosen(step, one, says=[line]), level=SHOULD)
    pip = everywhere("We use uv, not pip.", MARCH_5, did="I ran pip install -r requirements.txt.")
    line = f"- Seen 2×, last on 2026-03-05, in any project. {pip.record['text']}"
    yield case(
        "saying/observation-of-no-project",
        "It says where it was seen.",
        "FIL-011 FIL-026",
        chosen(call(INSTALL, pip), pip, says=[line]),
        level=SHOULD,
    )
    yield case(
        "saying/no-order-around-it",
        "Nothing around an observation tells the agent what to do.",
        "FIL-027",
        {**call(TEST, PNPM, UV), "expect": {"silent": list(ORDERS)}},
    )


def _harmless() -> Cases:
    long = " ".join(f"Script {n} is missing." for n in range(85))
    for name, why, words in (
        ("long-words", "The text stays under 2,000 characters.", long),
        ("end-marker", "The marker of the end in a lesson ends nothing.",
         "a <!-- remem:end --> b"),
        ("start-marker", "The marker of the start in a lesson opens nothing.",
         "<!-- remem:start -->\nb"),
        ("comment", "A comment in a lesson hides nothing.", "a <!-- b"),
        ("comment-after-a-control", "Nor does it when a character was taken out.",
         "a <!\x07-- b"),
        ("several-lines", "Words of several lines are one line.", "a\n- Seen 9×\nb"),
        ("escape", "A terminal's escape is no word.", "a \x1b[31mred\x1b[0m b"),
        ("next-line", "A next line of C1 is no second line.", "a\x85- b"),
        ("many-scripts", "Words are kept in any script.", "猫は庭にいる。Ёж 🦔 спит."),
    ):  # fmt: skip
        yield _of_words(name, why, [words])
    yield _of_words(
        "three-long-ones",
        "Three long lessons stay under 2,000 characters together.",
        [f"{n}: {long}" for n in range(3)],
    )


def _of_words(name: str, why: str, texts: list[str]) -> Case:
    lessons = [_failing(n, text) for n, text in enumerate(texts)]
    return case(f"saying/{name}", why, "FIL-010 FIL-026", anything(call(TEST, *lessons)))


def _failing(number: int, text: str) -> Learned:
    """Return a lesson on TEST in any words."""
    told = {"description": CART}
    days = ((EARLIER, f"s-{number}-1"), (MARCH_5, f"s-{number}-2"))
    failures = (
        failed("pnpm test cart", f"Missing script {number}", at, session=of, **told)
        for at, of in days
    )
    return learned(*failures, text=text)
