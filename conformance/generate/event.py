"""Event: every kind with few and with all fields, every choice, wrong fields."""

from typing import Any

from conformance.generate.shapes import (
    AT,
    LATER,
    Case,
    Cases,
    Value,
    accept,
    event,
    line,
    note,
    open_line,
    refuse,
    with_id,
    without,
)

COMMON: Value = {
    "session": "s-1",
    "agent": "claude-code",
    "project": "git:example.org/ana/orchard",
    "cwd": "/home/ana/orchard",
    "ref": "claude-code:toolu_01",
}
FAILURE = {"tool": "Bash", "failure": "Exit code 2"}
MINIMAL: dict[str, Value] = {
    "correction": {"said": "We use uv here.", "cause": "message"},
    "error": FAILURE,
    "environment": FAILURE,
    "surprise": {"statement": "The port is not 8417 after all."},
    "note": {"text": "The orchard service listens on port 8417."},
    "session": {"gist": "Pin the dependencies.", "turns": 7, "started": AT, "ended": LATER},
    "handback": {"act": "offer", "answer": "approved"},
}
MORE: dict[str, Value] = {
    "correction": {
        "agent_did": "pip install",
        "ended": "question",
        "evidence": "model",
        "confidence": 62,
    },
    "error": {"description": "Build", "call": "make -j2", "fixed": "make -j 1"},
    "environment": {"description": "Fetch", "call": "curl example.org"},
    "surprise": {},
    "note": {
        "layer": "procedural",
        "trigger": "release orchard",
        "valid_from": AT,
        "valid_until": LATER,
        "supersedes": "zxufi6uf4vb4ouse727kyc5eaxy5u6jh",
    },
    "session": {},
    "handback": {"action": "Shall I commit it?", "said": "Yes."},
}
KIND_REQ = {
    "correction": "EVT-030",
    "error": "EVT-033",
    "environment": "EVT-034",
    "surprise": "EVT-036",
    "note": "EVT-037",
    "session": "EVT-039",
    "handback": "EVT-042",
}
ENUMS: dict[str, dict[str, tuple[str, ...]]] = {
    "correction": {
        "cause": ("message", "refusal", "steering", "comment"),
        "ended": ("offer", "waiting", "question"),
        "evidence": ("cue", "model", "refusal"),
    },
    "note": {"layer": ("semantic", "identity", "procedural")},
    "handback": {
        "act": ("offer", "waiting", "question"),
        "answer": ("corrected", "declined", "approved", "other"),
    },
}
NOT_EMPTY: dict[str, tuple[str, ...]] = {
    "error": ("tool", "failure"),
    "environment": ("tool", "failure"),
    "surprise": ("statement",),
    "note": ("text",),
}

MAY_BE_EMPTY: dict[str, tuple[str, ...]] = {
    "correction": ("said", "cause"),
    "handback": ("act", "answer"),
    "session": ("gist", "turns", "started", "ended"),
}


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _kinds()
    yield from _choices()
    yield from _common()
    yield from _empty_and_null()
    yield from _invalid_common()
    yield from _invalid_kinds()


def of(kind: str, /, **fields: Any) -> Value:
    """Return a sound event of a kind, some fields replaced or added."""
    return event(kind, **{**MINIMAL[kind], **fields})


def valid(name: str, why: str, req: str, value: Value, raw: bytes | None = None) -> Case:
    """Return a case of an event that must be read; `raw` where it is not spelled as usual."""
    return accept(f"event/valid/{name}", why, req, raw or line(value), with_id(value))


def wrong(name: str, why: str, req: str, value: Value, at: str | None = None) -> Case:
    """Return a case of an event that must be refused as invalid."""
    return refuse(f"event/invalid/{name}", why, req, line(value), "invalid-event", at)


def _kinds() -> Cases:
    for kind, req in KIND_REQ.items():
        req += " EVT-001 EVT-010"
        yield valid(f"{kind}-minimal", f"The least that is a {kind}.", req, of(kind))
        full = of(kind, **MORE[kind], **COMMON)
        yield valid(f"{kind}-full", f"A {kind} with every field.", req, full)
    for kind, names in (NOT_EMPTY | MAY_BE_EMPTY).items():
        for name in names:
            yield wrong(
                f"{kind}-{name}-missing",
                f"A {kind} has {name}.",
                f"{KIND_REQ[kind]} OVR-041",
                without(of(kind), name),
            )


def _choices() -> Cases:
    for kind, fields in ENUMS.items():
        for name, words in fields.items():
            for word in words:
                yield valid(
                    f"{kind}-{name}-{word}",
                    f"One of the words for {name}.",
                    KIND_REQ[kind],
                    of(kind, **{name: word}),
                )
            yield wrong(
                f"{kind}-{name}-unknown-word",
                f"No word for {name}.",
                KIND_REQ[kind],
                of(kind, **{name: "whatever"}),
                f"/{name}",
            )
    for source in ("owner", "tool", "agent", "external"):
        yield valid(
            f"source-{source}", "One of the four sources.", "EVT-001 EVT-020", note(source=source)
        )
    yield wrong(
        "source-unknown-word", "No fifth source.", "EVT-020", note(source="system"), "/source"
    )
    yield wrong(
        "source-in-capitals",
        "The words are in lower case.",
        "EVT-020",
        note(source="Owner"),
        "/source",
    )
    yield valid(
        "surprise-said-by-agent",
        "The default spelled out.",
        "EVT-036 OVR-028",
        of("surprise"),
        line(of("surprise", said_by="agent")),
    )
    yield wrong(
        "surprise-said-by-owner",
        "Only an agent surprises itself.",
        "EVT-036",
        of("surprise", said_by="owner"),
        "/said_by",
    )


def _common() -> Cases:
    yield valid("ref-of-200", "A reference of 200 characters.", "EVT-001", note(ref="r" * 200))
    yield valid(
        "ref-of-200-astral",
        "Characters are code points: 200 of four bytes each.",
        "EVT-001",
        note(ref="🍏" * 200),
    )
    yield valid(
        "session-of-1024",
        "A session's id of 1,024 characters.",
        "EVT-001",
        note(session="s" * 1024),
    )
    yield valid(
        "cwd-without-limit",
        "A folder's name has no limit of its own.",
        "EVT-001",
        note(cwd="/" + "a" * 3000),
    )
    yield valid(
        "field-of-another-kind",
        "A field of another kind is one that this kind does not know.",
        "OVR-004",
        note(),
        open_line(note(), '"failure":5,"turns":-1'),
    )
    for name in ("session", "agent", "project"):
        yield wrong(
            f"{name}-of-1025",
            "At most 1,024 characters.",
            "EVT-001",
            note(**{name: "s" * 1025}),
            f"/{name}",
        )
    yield wrong("ref-of-201", "At most 200 characters.", "EVT-001", note(ref="r" * 201), "/ref")


def _empty_and_null() -> Cases:
    yield valid(
        "correction-said-empty",
        "A refusal without words.",
        "EVT-030",
        of("correction", said="", cause="refusal"),
    )
    yield valid("session-gist-empty", "A gist may be empty.", "EVT-039", of("session", gist=""))
    yield valid(
        "session-of-no-turns", "A session without turns.", "EVT-039", of("session", turns=0)
    )
    nulls = ",".join(f'"{name}":null' for name in (*COMMON, "agent_did", "ended"))
    yield valid(
        "optional-fields-null",
        "Null in an optional field is its absence, also for the id.",
        "OVR-027 EVT-010",
        of("correction"),
        open_line(of("correction"), nulls),
    )
    for kind, names in NOT_EMPTY.items():
        for name in names:
            yield wrong(
                f"{kind}-{name}-empty",
                "At least one character.",
                f"{KIND_REQ[kind]} EVT-005",
                of(kind, **{name: ""}),
                f"/{name}",
            )
    for name in ("source", "at", "text", "id", "layer"):
        yield wrong(
            f"{name}-null",
            "Null in a field that is not optional.",
            "OVR-027",
            note(**{name: None}),
            f"/{name}",
        )


def _invalid_common() -> Cases:
    for name in ("at", "source", "kind"):
        yield wrong(
            f"{name}-missing", f"An event has {name}.", "EVT-001 OVR-041", without(note(), name)
        )
    for label, name, value in (
        ("kind-empty", "kind", ""),
        ("kind-number", "kind", 1),
        ("kind-null", "kind", None),
        ("session-number", "session", 17),
        ("project-list", "project", []),
        ("cwd-object", "cwd", {}),
        ("ref-true", "ref", True),
        ("text-number", "text", 8417),
        ("source-list", "source", ["owner"]),
    ):
        yield wrong(
            label,
            f"The field {name} can't hold this.",
            "EVT-001 OVR-025 OVR-041",
            note(**{name: value}),
            f"/{name}",
        )
    yield from _wrong_turns()


def _wrong_turns() -> Cases:
    for name, value, req in (
        ("text", "3", "OVR-025"),
        ("true", True, "OVR-025"),
        ("with-fraction", 2.5, "OVR-026"),
        ("with-zero-fraction", 3.0, "OVR-026"),
        ("negative", -1, "EVT-039"),
    ):
        yield wrong(
            f"session-turns-{name}",
            "Turns are a whole number, 0 or more.",
            req,
            of("session", turns=value),
            "/turns",
        )
    raw = line(of("session", turns=0)).replace(b'"turns":0', b'"turns":1e1')
    yield refuse(
        "event/invalid/session-turns-with-exponent",
        "An integer has no exponent.",
        "OVR-026",
        raw,
        "invalid-event",
        "/turns",
    )


def _invalid_kinds() -> Cases:
    early = "2026-03-04T08:59:59.999999Z"
    yield wrong(
        "session-ends-before-it-starts",
        "It ends a microsecond before it starts.",
        "EVT-040",
        of("session", ended=early),
        "/ended",
    )
    yield valid(
        "session-ends-as-it-starts",
        "It may end in the moment it starts.",
        "EVT-040",
        of("session", ended=AT),
    )
    yield wrong(
        "note-valid-until-before-from",
        "It ends a microsecond before it starts.",
        "EVT-038",
        note(valid_from=AT, valid_until=early),
        "/valid_until",
    )
    for percent in (0, 100):
        yield valid(
            f"correction-confidence-{percent}",
            "The least and the most that one can be sure.",
            "EVT-030",
            of("correction", confidence=percent),
        )
    no_percent: Value = {"below-0": -1, "above-100": 101, "a-half": 62.5, "a-text": "62"}
    for name, wild in no_percent.items():
        yield wrong(
            f"correction-confidence-{name}",
            "Not a whole percentage.",
            "EVT-030",
            of("correction", confidence=wild),
            "/confidence",
        )
    yield valid(
        "correction-candidate",
        "Too unsure to learn from, and a sound event.",
        "EVT-030",
        of("correction", evidence="model", confidence=24, candidate=True),
    )
    yield wrong(
        "correction-candidate-a-text",
        "Neither true nor false.",
        "EVT-030",
        of("correction", candidate="true"),
        "/candidate",
    )
    yield valid(
        "note-valid-for-a-moment",
        "Both ends may be one.",
        "EVT-038",
        note(valid_from=AT, valid_until=AT),
    )
    for name, value in {
        "empty": "",
        "short": "zxufi6uf4vb4ouse727kyc5eaxy5u6j",
        "in-capitals": "ZXUFI6UF4VB4OUSE727KYC5EAXY5U6JH",
        "with-digit-1": "1xufi6uf4vb4ouse727kyc5eaxy5u6jh",
        "with-line-end": "zxufi6uf4vb4ouse727kyc5eaxy5u6jh\n",
    }.items():
        yield wrong(
            f"note-supersedes-{name}",
            "Not a content id.",
            "EVT-037 OVR-030",
            note(supersedes=value),
            "/supersedes",
        )
