"""Session: the neutral transcript, its turns and calls."""

from typing import Any

from conformance.generate.shapes import (
    AT,
    LATER,
    Case,
    Cases,
    Value,
    accept,
    agent,
    call,
    line,
    open_line,
    person,
    refuse,
    session,
    without,
)

STATUSES = ("ok", "failed", "refused", "interrupted", "collateral", "missing", "unknown")
VIAS = ("prompt", "steering", "refusal", "comment", "command")


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _valid()
    yield from _valid_turns()
    yield from _valid_calls()
    yield _unknown_fields()
    yield from _invalid_head()
    yield from _invalid_turns()
    yield from _invalid_calls()


def _same(name: str, why: str, req: str, value: Value, raw: bytes | None = None) -> Case:
    return accept(f"session/valid/{name}", why, req, raw or line(value), value, "session")


def _wrong(name: str, why: str, req: str, value: Value, at: str | None = None) -> Case:
    raw = line(value)
    return refuse(f"session/invalid/{name}", why, req, raw, "invalid-session", at, "session")


def _valid() -> Cases:
    yield _same("empty-turns", "A session in which nothing was said.", "SES-001", session())
    yield _same("instant", "It may end in the moment it starts.", "SES-004", session(ended=AT))
    head: Value = {"project": "git:example.org/ana/orchard", "cwd": "/home/ana/orchard"}
    whole = session(person(), agent(call()), parent="s-0", **head)
    yield _same("all-fields", "With project, folder and parent.", "SES-001", whole)
    nulls = '"project":null,"cwd":null,"parent":null'
    yield _same(
        "optional-fields-null",
        "Null in an optional field is its absence.",
        "OVR-027",
        session(),
        open_line(session(), nulls),
    )
    yield _same("longest-id", "An id of 1,024 characters.", "SES-001", session(id="é" * 1024))


def _valid_turns() -> Cases:
    for via in VIAS:
        turn = person("no, with uv", via=via)
        yield _same(f"via-{via}", f"Words that came as a {via}.", "SES-009 SES-012", session(turn))
    yield _same(
        "without-via",
        "Without via, words are a prompt.",
        "SES-009 OVR-028",
        session(person(via="prompt")),
        line(session(person())),
    )
    yield _same(
        "refusal-without-words",
        "A refusal's text may be empty.",
        "SES-009",
        session(agent(call("refused")), person("", via="refusal")),
    )
    yield _same(
        "agent-without-calls",
        "Without calls, there are none.",
        "SES-020 OVR-028",
        session(agent()),
        line(session({**agent(), "calls": []})),
    )
    yield _same(
        "agent-without-words",
        "An agent's text may be empty.",
        "SES-020",
        session(agent(call(), text="")),
    )
    text = "Nein – その依存関係を固定して。 זה לא נכון 🍏 e\u0301"
    yield _same(
        "non-ascii-text",
        "A person's words in any script, not normalised.",
        "SES-009 SES-020",
        session(person(text), agent(call(description=text), text=text)),
    )
    yield _same(
        "turns-out-of-time",
        "Turns stand in the order of the conversation, and times need not rise.",
        "SES-001",
        session(person(at=LATER), agent()),
    )


def _valid_calls() -> Cases:
    for status in STATUSES:
        yield _same(
            f"status-{status}",
            f"A call that ended as {status}.",
            "SES-022 SES-030",
            session(agent(call(status))),
        )
    full = call("failed", description="Build", input="make -j2")
    full["result"] = {"status": "failed", "text": "make: *** No rule.\n"}
    second = call("collateral", id="", tool="Read", input='{"path":"a"}')
    yield _same(
        "agent-with-calls",
        "Two calls of one reply, one with every field.",
        "SES-022",
        session(agent(full, second)),
    )
    yield _same(
        "call-tool-empty",
        "A host may keep no name of the tool.",
        "SES-022",
        session(agent(call("failed", tool=""))),
    )
    spelled = call(description="", input="")
    spelled["result"] = {"status": "ok", "text": ""}
    yield _same(
        "call-defaults-spelled-out",
        "A default may be spelled out.",
        "SES-022 OVR-028",
        session(agent(call())),
        line(session(agent(spelled))),
    )


def _unknown_fields() -> Case:
    known = session(person(), agent(call()))
    strange: Value = {"mood": ["calm"], "v2": None}
    result = {"status": "ok", **strange}
    turns = person(**strange, calls=[]), agent(call(result=result, **strange), via="prompt")
    return _same(
        "unknown-fields-everywhere",
        "Fields that nobody knows are ignored in the record and in all objects within it.",
        "OVR-004",
        known,
        line({**session(*turns), **strange}),
    )


def _invalid_head() -> Cases:
    for name in ("id", "agent", "started", "ended", "turns", "type"):
        yield _wrong(
            f"{name}-missing", f"A session has {name}.", "SES-001 OVR-041", without(session(), name)
        )
    for name, field, value in (
        ("type-wrong", "type", "transcript"),
        ("type-number", "type", 1),
        ("id-empty", "id", ""),
        ("id-number", "id", 7),
        ("id-of-1025", "id", "a" * 1025),
        ("id-null", "id", None),
        ("agent-empty", "agent", ""),
        ("project-number", "project", 1),
        ("cwd-list", "cwd", ["/"]),
        ("parent-true", "parent", True),
        ("turns-null", "turns", None),
        ("turns-object", "turns", {}),
    ):
        yield _field(name, "SES-001 OVR-025 OVR-041", field, value)
    for name, field, value in (
        ("started-without-zone", "started", "2026-03-04T09:00:00.000000"),
        ("ended-in-month-13", "ended", "2026-13-04T09:00:00.000000Z"),
        ("ended-leap-second", "ended", "2026-06-30T23:59:60.000000Z"),
        ("started-number", "started", 1772614800),
    ):
        yield _field(name, "OVR-020 OVR-021", field, value)
    yield _wrong(
        "ends-before-it-starts",
        "It ends a microsecond before it starts.",
        "SES-004",
        session(ended="2026-03-04T08:59:59.999999Z"),
        "/ended",
    )


def _field(name: str, req: str, field: str, value: Any) -> Case:
    return _wrong(
        name, f"The field {field} can't hold this.", req, session(**{field: value}), f"/{field}"
    )


def _invalid_turns() -> Cases:
    for name, turn, at in (
        ("turn-text", "Pin it.", ""),
        ("turn-null", None, ""),
        ("role-missing", without(person(), "role"), ""),
        ("role-unknown", person(role="system"), "/role"),
        ("role-number", person(role=1), "/role"),
        ("person-text-missing", without(person(), "text"), ""),
        ("person-text-null", person(None), "/text"),  # type: ignore[arg-type]
        ("person-at-missing", without(person(), "at"), ""),
        ("person-at-of-3-digits", person(at="2026-03-04T09:00:00.000Z"), "/at"),
        ("person-at-on-30-february", person(at="2026-02-30T09:00:00.000000Z"), "/at"),
        ("via-unknown", person(via="voice"), "/via"),
        ("via-null", person(via=None), "/via"),
        ("agent-text-missing", without(agent(), "text"), ""),
        ("agent-text-number", agent(text=1), "/text"),
        ("agent-at-missing", without(agent(call()), "at"), ""),
        ("calls-null", {**agent(), "calls": None}, "/calls"),
        ("calls-object", {**agent(), "calls": call()}, "/calls"),
    ):
        req = "SES-009" if "role" in str(turn) and "person" in str(turn) else "SES-020"
        yield _wrong(
            name,
            "The second turn is none.",
            f"{req} OVR-041",
            {**session(person()), "turns": [person(), turn]},
            f"/turns/1{at}",
        )


def _invalid_calls() -> Cases:
    for name, made, at in (
        ("call-null", None, ""),
        ("call-id-missing", without(call(), "id"), ""),
        ("call-id-of-1025", call(id="a" * 1025), "/id"),
        ("call-tool-missing", without(call(), "tool"), ""),
        ("call-tool-of-1025", call(tool="a" * 1025), "/tool"),
        ("call-result-missing", without(call(), "result"), ""),
        ("call-result-text", call(result="ok"), "/result"),
        ("call-input-object", call(input={"command": "make"}), "/input"),
        ("call-description-null", call(description=None), "/description"),
        ("status-missing", call(result={"text": "done"}), "/result"),
        ("status-unknown-word", call("timeout"), "/result/status"),
        ("status-in-capitals", call("OK"), "/result/status"),
        ("result-text-null", call(result={"status": "ok", "text": None}), "/result/text"),
    ):
        req = "SES-030" if name.startswith("status") else "SES-022"
        turns = [person(), {**agent(), "calls": [call(), made]}]
        yield _wrong(
            name,
            "The second call of the second turn is none.",
            f"{req} OVR-041",
            {**session(), "turns": turns},
            f"/turns/1/calls/1{at}",
        )
