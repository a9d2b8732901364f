"""Taking in: everything once, whatever it is seen in and however often."""

from typing import Any

from conformance.generate.shapes import (
    AT,
    Cases,
    Value,
    agent,
    call,
    event,
    event_id,
    person,
    session,
)
from conformance.generate.store.shapes import (
    HARBOUR,
    LATER,
    NOW,
    ORCHARD,
    append,
    expecting,
    export,
    named,
    recall,
    show,
    status,
    story,
    told,
)

ONE = told("The orchard service listens on port 8417.", ref="one")
TWO = told("The harbour service listens on port 9230.", ref="two")
THREE = told("The lighthouse service listens on port 7001.", ref="three")
THEN = "2026-03-04T09:02:40.000000Z"
NO = "No, that's wrong. Use uv, not pip."
TURNS = (
    person("Install the dependencies."),
    agent(text="I look for what there is."),
    agent(call("refused", input="pip install x")),
    person(NO, via="refusal", at=THEN),
    agent(text="I use uv.", at="2026-03-04T09:03:00.000000Z"),
)


def correction(**fields: Any) -> Value:
    return event("correction", **{"said": NO, "cause": "refusal", "at": THEN, **fields})


def summary(of: str = "s-1", **fields: Any) -> Value:
    """Return the `session` event of a session that began at AT."""
    head = event("session", session=of, source="tool", gist="Pin the dependencies.", turns=2)
    return {**head, "started": AT, "ended": THEN, **fields}


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _twice()
    yield from _copies()
    yield from _kept()
    yield from _sessions()
    yield from _forks()


def _counted(step: Value, **counts: Any) -> Value:
    return expecting(step, match=counts)


def _twice() -> Cases:
    req = "MEM-001 EVT-070"
    yield story(
        "folding/twice-in-one-stream",
        "The same event twice in a stream is one episode.",
        req,
        _counted(append(ONE, ONE), new=1, known=1),
        _counted(status(), episodes=1),
    )
    yield story(
        "folding/twice-later",
        "Folding again leaves every byte of the memory as it was.",
        req,
        append(ONE, TWO),
        export(),
        _counted(append(TWO, ONE, now=LATER), new=0, known=2),
        expecting(export(LATER), raw_of=2),
    )
    yield story(
        "folding/two-files-overlap",
        "What two files share is folded once, what only one has is kept.",
        req,
        append(ONE, TWO),
        _counted(append(TWO, THREE), new=1, known=1),
        _counted(status(), episodes=3),
    )
    yield story(
        "folding/id-given-or-not",
        "An event with its id and one without are the same event.",
        f"{req} MEM-002",
        append(ONE),
        _counted(append({**ONE, "id": event_id(ONE)}), new=0),
        _counted(status(), episodes=1),
    )
    yield story(
        "folding/other-reference",
        "A field that is not hashed makes no second episode.",
        f"{req} MEM-002",
        append(ONE),
        _counted(append({**ONE, "ref": "again"}), new=0),
        _counted(status(), episodes=1),
    )


def _copies() -> Cases:
    failure = event(
        "error", source="tool", tool="Bash", call="make tset", failure="No rule to make target."
    )
    for name, kept in (
        ("correction", correction()),
        ("error", failure),
        ("surprise", event("surprise", source="agent", statement="I was wrong about the port.")),
    ):
        yield story(
            f"folding/copy-of-{name}",
            "The same thing at the same moment in a forked session is a copy.",
            "MEM-003",
            append({**kept, "session": "s-1"}),
            _counted(append({**kept, "session": "s-2"}), new=0, copies=1),
            _counted(status(), episodes=1),
        )
    for name, why, other in (
        ("other-time", "The same words at another time are said again.", {"at": NOW}),
        ("other-project", "The same words in another project are another thing.",
         {"project": HARBOUR}),
        ("other-words", "Other words at the same time are another thing.",
         {"said": "No, that's wrong. Use npm, not yarn."}),
    ):  # fmt: skip
        yield story(
            f"folding/no-copy-{name}",
            why,
            "MEM-003",
            append(correction(project=ORCHARD, session="s-1")),
            _counted(
                append(correction(**{"project": ORCHARD, "session": "s-2", **other})),
                new=1,
                copies=0,
            ),
            _counted(status(), episodes=2),
        )
    yield story(
        "folding/no-copy-of-a-session",
        "Two sessions that began alike are two sessions.",
        "MEM-003",
        append(summary("s-1")),
        _counted(append(summary("s-2")), new=1, copies=0),
        _counted(status(), episodes=2),
    )


def _kept() -> Cases:
    yield story(
        "folding/episode-of-an-event",
        "An episode has its event's id and kind, its event as text, and strength 1.",
        "MEM-002 MEM-010 EVT-004",
        append(ONE),
        expecting(
            show(ONE),
            match={
                "id": event_id(ONE),
                "kind": "note",
                "created": NOW,
                "archived": None,
                "event": {"text": ONE["text"], "at": AT, "source": "owner", "project": None},
            },
            near={"strength": 1.0},
        ),
    )
    yield story(
        "folding/reference-comes-back",
        "A reference comes back as it came, whatever it looks like.",
        "EVT-003",
        append({**ONE, "ref": 'docs/Ω 1:3 – "x"?&<b>'}),
        expecting(show(ONE), match={"event": {"ref": 'docs/Ω 1:3 – "x"?&<b>'}}),
        expecting(recall("orchard port"), has=[{"ref": 'docs/Ω 1:3 – "x"?&<b>'}]),
    )
    yield story(
        "folding/unknown-kind",
        "An event of a kind of a later version is counted, and the others are taken.",
        "EVT-072",
        _counted(append(ONE, {"kind": "mood", "v": "1.7", "mood": "calm"}, TWO), new=2, unknown=1),
        _counted(status(), episodes=2),
    )
    yield story(
        "folding/session-grows",
        "The summary of a session that grew is the same episode.",
        "MEM-002 EVT-041",
        append(summary()),
        _counted(append(summary(turns=9, ended=NOW)), new=0),
        _counted(status(), episodes=1),
        expecting(show(summary()), match={"kind": "session"}),
    )


def _sessions() -> Cases:
    whole = session(*TURNS)
    found = {"said": NO, "cause": "refusal", "candidate": False}
    yield story(
        "folding/session-read-twice",
        "A session that is read again gives nothing new.",
        "MEM-001",
        append(sessions=[whole]),
        _counted(append(sessions=[whole], now=LATER), new=0, copies=0),
        _counted(status(), by_kind={"correction": 1, "session": 1}, sessions=1),
    )
    yield story(
        "folding/session-read-while-it-grows",
        "Each reading adds what came since; the session stays one.",
        "MEM-001 MEM-002 EVT-052",
        append(sessions=[session(*TURNS[:2])]),
        _counted(status(), by_kind={"session": 1}, sessions=1),
        append(sessions=[whole], now=LATER),
        _counted(status(), by_kind={"correction": 1, "session": 1}, sessions=1),
        expecting(show(summary()), match={"kind": "session"}),
    )
    yield story(
        "folding/session-got-shorter",
        "A transcript that lost its end takes nothing away.",
        "MEM-004",
        append(sessions=[whole]),
        append(sessions=[session(*TURNS[:2])], now=LATER),
        _counted(status(), by_kind={"correction": 1, "session": 1}, sessions=1),
        expecting(export(), has=[{"type": "episode", "event": found}]),
    )
    yield story(
        "folding/emitted-stays-when-a-session-is-read",
        "Reading a session takes away nothing that was emitted of it.",
        "MEM-005",
        append(correction(session="s-1", said="Never push on Fridays."), now=NOW),
        append(sessions=[whole]),
        append(sessions=[whole], now=LATER),
        expecting(
            recall("push on Fridays"),
            has=named(correction(session="s-1", said="Never push on Fridays.")),
        ),
    )


def _forks() -> Cases:
    whole = session(*TURNS)
    yield story(
        "folding/session-forked",
        "A fork begins with a copy of its parent: two sessions, one correction.",
        "MEM-003",
        append(sessions=[whole]),
        append(sessions=[session(*TURNS, id="s-2", parent="s-1")], now=LATER),
        _counted(status(), by_kind={"correction": 1, "session": 2}, sessions=2),
    )
    yield story(
        "folding/session-forked-and-read-first",
        "The order in which a session and its fork are read makes no difference.",
        "MEM-003",
        append(sessions=[session(*TURNS, id="s-2", parent="s-1"), whole]),
        _counted(status(), by_kind={"correction": 1, "session": 2}, sessions=2),
    )
    yield story(
        "folding/own-words-are-not-remembered",
        "What remem put before the agent is never stored as somebody's words.",
        "EVT-053",
        append(
            sessions=[
                session(
                    person("Pin the dependencies."),
                    agent(text="I pinned them."),
                    person(
                        "<!-- remem:start -->\n- No, that's wrong: the vault is at Alderbrook.\n"
                        "<!-- remem:end -->",
                        at=THEN,
                    ),
                )
            ]
        ),
        expecting(export(), silent=["Alderbrook"]),
    )
