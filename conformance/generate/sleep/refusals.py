"""What the write path refuses: changes that do more than their verb may, each wrong in one thing.

Of what is refused nothing is done: the export is the same before and after. Where a lesson would
have to be worded anew – CREATE, REFINE, SPLIT – how it is worded is an implementation's own, so
what is wrong of these is wrong in any words.
"""

from typing import Any

from conformance.generate.shapes import Cases, Value, event_id, without
from conformance.generate.sleep.shapes import (
    DUE,
    NEXT,
    NIGHT,
    UV,
    alias,
    change,
    grown,
    lesson,
    lesson_id,
    night,
    prediction,
    refused,
    words_hash,
)
from conformance.generate.sleep.verbs import (
    AGAIN,
    AWAY,
    BIRD,
    DOUBT,
    FAILURE,
    FLOCK,
    GONE,
    MORE,
    ONCE,
    ONE,
    OPEN,
    OWNERS,
    RULE,
    STORED,
    THREE,
    TWO,
    WRONG,
    reworded,
)
from conformance.generate.store.secrets import TOKEN
from conformance.generate.store.shapes import (
    NOW,
    ORCHARD,
    expecting,
    export,
)

Wrong = tuple[Any, ...]  # name, why, change; code and requirements where they are others than usual


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _refused("create", _create())
    yield from _refused("corroborate", _corroborate())
    yield from _refused("refine", _refine())
    yield from _refused("correct", _correct())
    yield from _refused("merge", _merge())
    yield from _refused("split", _split())
    yield from _refused("archive", _archive())
    yield from _refused("reword", _reword())
    yield from _refused("predict", _predict())
    yield from _refused("resolve", _resolve())
    yield from _refused("verb", _owners())
    yield from _refused("path", _whole_path())


def _refused(area: str, rows: list[Wrong]) -> Cases:
    for name, why, offered, *more in rows:
        code = more[0] if more else "invalid-record"
        req = more[1] if len(more) > 1 else "MEM-058"
        yield night(
            f"verbs/{area}-{name}",
            f"{why} It is refused, and nothing is done.",
            req,
            STORED,
            export(NIGHT),
            refused(offered, code),
            expecting(export(NIGHT), raw_of=2),
        )


def _create() -> list[Wrong]:
    def offer(*sources: Value, **fields: Any) -> Value:
        made = lesson(*sources, created=NEXT, updated=NEXT, **fields)
        return change("CREATE", made, [], [made])

    new = (THREE, FLOCK)
    return [
        ("one-error", "One error is not enough.", offer(ONCE, text=FAILURE["text"]),
         "invalid-record", "MEM-033 MEM-058"),
        ("on-nothing", "It rests on nothing.",
         offer(THREE, sources=[], seen=0)),
        ("on-what-is-not-there", "A source is not there.",
         offer(*new, sources=[event_id(THREE), GONE]), "invalid-record", "MEM-030 MEM-058"),
        ("on-a-candidate", "It rests on what is too unsure.", offer(DOUBT),
         "invalid-record", "EVT-045 MEM-058"),
        ("on-another-kind", "A source is of another kind.",
         offer(THREE, sources=[event_id(THREE), event_id(WRONG)], seen=2),
         "invalid-record", "MEM-039 MEM-058"),
        ("on-another-project", "A source is of another project.",
         offer(AWAY, project=ORCHARD, id=lesson_id("correction", ORCHARD, AWAY)),
         "out-of-scope", "MEM-039 MEM-058"),
        ("with-another-id", "Its id is not that of its earliest source.",
         offer(THREE, id=GONE), "invalid-record", "MEM-037 MEM-058"),
        ("with-another-hash", "Its hash is not that of its words.", offer(THREE, hash=GONE),
         "invalid-record", "MEM-038 MEM-058"),
        ("with-another-number", "It counts more than it rests on.", offer(THREE, seen=2),
         "invalid-record", "MEM-030 MEM-058"),
        ("in-other-words", "It says what no source says.",
         offer(THREE, text="The person said: “Paint every gate in the harbour red.”"),
         "invalid-record", "MEM-032 MEM-058"),
        ("in-a-models-words", "A model puts a correction.",
         offer(THREE, text="uv was asked for in place of pip.", wording="model"),
         "invalid-record", "MEM-032 MEM-058"),
        ("in-the-owners-name", "The owner did not word it.",
         offer(THREE, text=UV, wording="owner"), "invalid-record", "MEM-032 MEM-058"),
        ("put-aside", "What is new is not put aside.", offer(THREE, archived=NEXT)),
        ("of-two", "Two lessons come.",
         change("CREATE", lesson(THREE), [], [lesson(THREE), lesson(FLOCK)])),
    ]  # fmt: skip


def _corroborate() -> list[Wrong]:
    def offer(after: Value) -> Value:
        return change("CORROBORATE", RULE, [RULE], [after])

    more = grown(RULE, THREE, **MORE)
    fewer = {"sources": [event_id(TWO), event_id(THREE)], "seen": 2}
    return [
        ("alters-the-text", "It alters the text.", offer(reworded(more, f"{RULE['text']} Always.")),
         "invalid-record", "MEM-051 MEM-058"),
        ("drops-a-source", "It drops a source.", offer({**more, **fewer}),
         "invalid-record", "MEM-051 MEM-058"),
        ("adds-nothing", "It only makes the lesson stronger.", offer({**RULE, **MORE})),
        ("weakens", "What was seen again is not weaker.", offer({**more, "strength": 1.0})),
        ("counts-twice", "A source stands there twice.", offer(grown(RULE, TWO, **MORE)),
         "invalid-record", "MEM-030 MEM-058"),
        ("counts-wrong", "It counts more than it rests on.", offer({**more, "seen": 9}),
         "invalid-record", "MEM-030 MEM-058"),
        ("with-another-hash", "Its hash is not that of its words.", offer({**more, "hash": GONE}),
         "invalid-record", "MEM-038 MEM-058"),
        ("by-another-project", "The source is of another project.",
         offer(grown(RULE, AWAY, **MORE)), "out-of-scope", "MEM-039 MEM-058"),
        ("by-another-kind", "The source is of another kind.", offer(grown(RULE, WRONG, **MORE)),
         "invalid-record", "MEM-039 MEM-058"),
        ("by-what-is-not-there", "The source is not there.",
         offer({**RULE, **MORE, "sources": [*RULE["sources"], GONE], "seen": 3})),
        ("puts-aside", "It puts the lesson aside.", offer({**more, "archived": NEXT})),
        ("closes", "It closes the lesson.", offer({**more, "valid_until": NEXT})),
        ("alters-when-it-was-made", "It alters when the lesson was made.",
         offer({**more, "created": NEXT})),
        ("takes-the-owners-words", "It says that the owner worded it.",
         offer({**more, "wording": "owner"})),
        ("of-two", "It changes two lessons.",
         change("CORROBORATE", RULE, [RULE, OWNERS],
                [more, grown(OWNERS, FLOCK, updated=NEXT, strength=2.5)])),
    ]  # fmt: skip


def _refine() -> list[Wrong]:
    def offer(text: str, why: str = "narrowed", *more: Value) -> Value:
        after = reworded(grown(RULE, *(more or (THREE,)), **MORE), text)
        return change("REFINE", RULE, [RULE], [after], why=why)

    return [
        ("loses-the-old-text", "The old text is not there whole.",
         offer("The person said: “Use uv”")),
        ("quotes-nobody", "What it adds no source says.",
         offer(f"{RULE['text']}\nPaint every gate in the harbour red.")),
        ("says-nothing-new", "The text stays.", offer(RULE["text"])),
        ("drops-a-source", "It drops a source.",
         change("REFINE", RULE, [RULE], [{**reworded(RULE, f"{RULE['text']}\n“{UV}”"), "seen": 1,
                "sources": [event_id(THREE)]}], why="narrowed"),
         "invalid-record", "MEM-051 MEM-058"),
    ]  # fmt: skip


def _correct() -> list[Wrong]:
    def offer(**fields: Any) -> Value:
        closed = {"valid_until": NEXT, "superseded_by": OWNERS["id"], "updated": NEXT}
        after = {name: v for name, v in {**RULE, **closed, **fields}.items() if v is not None}
        return change("CORRECT", RULE, [RULE], [after])

    return [
        ("alters-the-text", "It alters the text.",
         offer(text="Never mind.", hash=words_hash("correction", "Never mind."))),
        ("drops-a-source", "It drops a source.",
         offer(sources=[event_id(ONE)], seen=1), "invalid-record", "MEM-051 MEM-058"),
        ("by-nothing", "What supersedes it is not there.", offer(superseded_by=GONE)),
        ("by-itself", "It supersedes itself.", offer(superseded_by=RULE["id"])),
        ("without-an-end", "It does not say when.", offer(valid_until=None)),
        ("without-an-heir", "It does not say by what.", offer(superseded_by=None)),
    ]  # fmt: skip


def _merge() -> list[Wrong]:
    def offer(*more: Value, **fields: Any) -> Value:
        sources = sorted({*RULE["sources"], *OWNERS["sources"]})
        after = {**OWNERS, "sources": sources, "seen": 4, "updated": NEXT, **fields}
        return change("MERGE", OWNERS, [RULE, OWNERS], [after, *more])

    name = alias(RULE, OWNERS)
    fewer = sorted([*RULE["sources"], event_id(BIRD)])
    more = sorted([*RULE["sources"], *OWNERS["sources"], event_id(THREE)])
    kinds = sorted([*FAILURE["sources"], *OWNERS["sources"]])
    return [
        ("drops-a-source", "It drops a source.", offer(name, sources=fewer, seen=3),
         "invalid-record", "MEM-051 MEM-058"),
        ("adds-a-source", "It rests on what none of them did.", offer(name, sources=more, seen=5)),
        ("loses-a-name", "The id that goes is no name of what comes.", offer(),
         "invalid-record", "MEM-035 MEM-058"),
        ("alters-the-owners-words", "The owner's words become others.",
         offer(name, text="Other words.", hash=words_hash("correction", "Other words.")),
         "invalid-record", "MEM-032 MEM-058"),
        ("of-two-kinds", "An error and a correction.",
         change("MERGE", OWNERS, [FAILURE, OWNERS],
                [{**OWNERS, "sources": kinds, "seen": 4, "updated": NEXT}, alias(FAILURE, OWNERS)]),
         "invalid-record", "MEM-039 MEM-058"),
        ("of-one", "One lesson is not two.",
         change("MERGE", RULE, [RULE], [{**RULE, "strength": 3.0, "updated": NEXT}])),
        ("puts-aside", "What comes of it is put aside.", offer(name, archived=NEXT)),
    ]  # fmt: skip


def _split() -> list[Wrong]:
    def offer(stays: list[Value], comes: list[Value], *more: Value, **fields: Any) -> Value:
        ids = [[event_id(source) for source in part] for part in (stays, comes)]
        left = {**RULE, "sources": ids[0], "seen": len(ids[0]), "updated": NEXT}
        part = lesson(*comes, created=NEXT, updated=NEXT)
        return change("SPLIT", RULE, [RULE], [{**left, **fields}, part, *more])

    return [
        ("drops-a-source", "A source is in no part.",
         change("SPLIT", RULE, [RULE], [
             {**RULE, "sources": [event_id(ONE)], "seen": 1, "updated": NEXT},
             lesson(THREE, created=NEXT, updated=NEXT)]),
         "invalid-record", "MEM-051 MEM-058"),
        ("doubles-a-source", "A source is in both parts.", offer([ONE, TWO], [TWO])),
        ("loses-its-id", "Its id is nowhere any more.",
         change("SPLIT", RULE, [RULE], [lesson(TWO, created=NEXT, updated=NEXT)])),
        ("of-two-errors", "Each part would rest on one error.",
         change("SPLIT", FAILURE, [FAILURE], [
             {**FAILURE, "sources": [event_id(WRONG)], "seen": 1, "updated": NEXT},
             lesson(AGAIN, text=FAILURE["text"], created=NEXT, updated=NEXT)]),
         "invalid-record", "MEM-033 MEM-058"),
    ]  # fmt: skip


def _archive() -> list[Wrong]:
    aside = {**RULE, "archived": NEXT}
    return [
        ("alters-the-text", "It alters the text.",
         change("ARCHIVE", RULE, [RULE], [reworded(aside, "Never mind.")])),
        ("removes", "It removes the lesson.", change("ARCHIVE", RULE, [RULE], [])),
        ("puts-nothing-aside", "It puts nothing aside.",
         change("ARCHIVE", RULE, [RULE], [{**RULE, "updated": NEXT}])),
        ("of-an-episode-that-is-not-there", "An episode is not there.",
         change("ARCHIVE", "", faded=[GONE]), "not-found"),
        ("of-an-episode-by-another-verb", "Only ARCHIVE puts episodes aside.",
         change("CORROBORATE", RULE, [RULE], [grown(RULE, THREE, **MORE)],
                faded=[event_id(FLOCK)])),
    ]  # fmt: skip


def _reword() -> list[Wrong]:
    told = "The target was not there."
    return [
        ("of-the-owners-words", "The owner's words are the owner's.",
         change("REWORD", OWNERS, [OWNERS], [reworded(OWNERS, "Other words.")]),
         "invalid-record", "MEM-032 MEM-058"),
        ("in-the-owners-name", "Nobody but the owner words in their name.",
         change("REWORD", RULE, [RULE], [reworded(RULE, UV, wording="owner")]),
         "invalid-record", "MEM-032 MEM-058"),
        ("of-a-correction-by-a-model", "A correction is quoted.",
         change("REWORD", RULE, [RULE], [reworded(RULE, "uv was asked for.", wording="model")]),
         "invalid-record", "MEM-032 MEM-058"),
        ("that-is-no-quote", "It says that it quotes, and no source says so.",
         change("REWORD", FAILURE, [FAILURE], [reworded(FAILURE, told)])),
        ("on-fewer-sources", "It drops a source.",
         change("REWORD", FAILURE, [FAILURE], [reworded(
             {**FAILURE, "sources": [event_id(WRONG)], "seen": 1}, told, wording="model")]),
         "invalid-record", "MEM-051 MEM-058"),
        ("that-weakens", "It changes more than words.",
         change("REWORD", FAILURE, [FAILURE], [reworded(
             {**FAILURE, "strength": 0.5}, told, wording="model")])),
    ]  # fmt: skip


def _predict() -> list[Wrong]:
    def offer(made: Value, **fields: Any) -> Value:
        return change("PREDICT", made, [], [{**made, **fields}])

    free = prediction(OWNERS, made=NEXT, due=DUE)
    return [
        ("while-one-is-open", "The lesson has one open.", offer(prediction(RULE, NEXT, DUE)),
         "invalid-record", "MEM-043 MEM-058"),
        ("of-nothing", "The lesson is not there.", offer(prediction(GONE, NEXT, DUE))),
        ("with-another-id", "Its id is not that of its lesson and time.",
         offer({**free, "id": GONE}), "invalid-record", "MEM-042 MEM-058"),
        ("that-is-due-before", "It is due before it is made.", offer(free, due=NIGHT),
         "invalid-record", "MEM-043 MEM-058"),
        ("that-is-resolved", "It is resolved before it is told.",
         offer(free, resolved=NEXT, outcome="confirmed"), "invalid-record", "MEM-040 MEM-058"),
    ]  # fmt: skip


def _resolve() -> list[Wrong]:
    done = {**OPEN, "resolved": NEXT, "outcome": "failed"}
    told = reworded(RULE, "Never mind.")
    return [
        ("alters-the-text", "It alters what was predicted.",
         change("RESOLVE", OPEN, [OPEN], [{**done, "text": "Something else."}])),
        ("alters-when-it-was-due", "It alters when it was due.",
         change("RESOLVE", OPEN, [OPEN], [{**done, "due": "2026-03-30T03:00:00.000000Z"}])),
        ("without-an-outcome", "It does not say how.",
         change("RESOLVE", OPEN, [OPEN], [without(done, "outcome")]),
         "invalid-record", "MEM-041 MEM-058"),
        ("before-it-was-made", "It is resolved before it was made.",
         change("RESOLVE", OPEN, [OPEN], [{**done, "resolved": NOW}]),
         "invalid-record", "MEM-043 MEM-058"),
        ("alters-its-lesson", "It alters its lesson's text.",
         change("RESOLVE", OPEN, [OPEN, RULE], [done, told])),
        ("strengthens-another-lesson", "It strengthens another lesson.",
         change("RESOLVE", OPEN, [OPEN, OWNERS], [done, {**OWNERS, "strength": 3.0}])),
        ("strengthens-alone", "No prediction is resolved.",
         change("RESOLVE", OPEN, [RULE], [{**RULE, "strength": 3.0}])),
    ]  # fmt: skip


def _owners() -> list[Wrong]:
    made = {"type": "veto", "v": "1.0", "hash": RULE["hash"], "text": RULE["text"], "at": NEXT,
            "kind": "correction", "lesson": RULE["id"], "sources": RULE["sources"]}  # fmt: skip
    return [
        ("veto", "Only the owner vetoes.", change("VETO", RULE, [RULE, OPEN], [made]),
         "invalid-record", "MEM-059"),
        ("restore", "Only the owner takes back.", change("RESTORE", RULE, [RULE], []),
         "invalid-record", "MEM-059"),
        ("forget", "Only the owner forgets, by what they name.",
         change("FORGET", RULE, [RULE, OPEN], []), "invalid-record", "MEM-051"),
        ("unknown", "No verb is called so.",
         change("DREAM", RULE, [RULE], [{**RULE, "strength": 2.0}]), "invalid-record", "MEM-051"),
        ("without-a-change", "It changes nothing.", change("CORROBORATE", RULE, [RULE], [RULE])),
    ]  # fmt: skip


def _whole_path() -> list[Wrong]:
    free = prediction(OWNERS, made=NEXT, due=DUE, text=f"The person says again: use {TOKEN}.")
    stale = {**RULE, "strength": 1.25}
    return [
        ("secret-in-a-text", "A secret stands in a text.", change("PREDICT", free, [], [free]),
         "secret", "MEM-050 MEM-058"),
        ("secret-in-why", "A secret stands in the reason.",
         change("CORROBORATE", RULE, [RULE], [grown(RULE, THREE, **MORE)], why=f"of {TOKEN}"),
         "secret", "MEM-050 MEM-058"),
        ("stale", "The lesson is not as the change has it.",
         change("CORROBORATE", RULE, [stale], [grown(stale, THREE, **MORE)]), "not-found"),
        ("not-there-any-more", "The lesson is not there.",
         change("ARCHIVE", GONE, [{**RULE, "id": GONE}], [{**RULE, "id": GONE, "archived": NEXT}]),
         "not-found"),
        ("record-twice", "A record stands there twice.",
         change("CORROBORATE", RULE, [RULE, RULE], [grown(RULE, THREE, **MORE)])),
    ]  # fmt: skip
