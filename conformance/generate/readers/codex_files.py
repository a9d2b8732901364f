"""Codex: rollouts resumed, forked, spawned, packed, old, damaged."""

from conformance.generate.readers.codex_rows import (
    FOLDER,
    PARENT,
    SESSION,
    Rollout,
    flat,
    packed,
    rollout,
)
from conformance.generate.readers.shapes import (
    CWD,
    agent,
    call,
    file,
    person,
    read,
    session,
    spelled,
    stamp,
)
from conformance.generate.shapes import Cases, Value

# Names of turns as UUIDs of version 7, whose first twelve digits are the time.
OLD_TURN, NEW_TURN = "019cb800-1000-7000-8000-00000000000a", "019cb81e-1000-7000-8000-00000000000b"
NAME = f"rollout-2026-03-04T10-00-00-{SESSION}.jsonl"


def cases() -> Cases:
    """Yield the cases."""
    yield from _origins()
    yield from _packed()
    yield from _old()
    yield from _damage()


def _copied(r: Rollout) -> list[Value]:
    return [
        r.meta(PARENT),
        r.context(turn_id=OLD_TURN),
        *r.user("Look around."),
        *r.agent("I did."),
    ]


def _origins() -> Cases:
    r = Rollout()
    rows = r.meta(), r.user("first"), r.meta(), r.meta(), r.user("second"), r.agent("Ok.")
    yield read(
        "codex/resumed",
        "Each resume appends a row that names the session again.",
        "SES-002 SES-040 RDR-205",
        rollout(*rows),
        session(person("first"), person("second"), agent("Ok."), id=SESSION, parent=None),
    )
    r = Rollout()
    fork = r.meta(forked_from_id=PARENT), _copied(r), r.context(turn_id=NEW_TURN), r.user("Fork.")
    yield read(
        "codex/forked",
        "A fork begins with its parent's rows, which are not its own; its first turn is.",
        "SES-002 SES-040 RDR-205",
        rollout(*fork, r.agent("Forked.")),
        session(person("Fork."), agent("Forked."), id=SESSION),
    )
    r = Rollout()
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}
    own = r.event("task_started", turn_id=NEW_TURN), r.user("Find a.py"), r.agent("Found.")
    yield read(
        "codex/spawned",
        "A subagent's prompt is its parent's agent's.",
        "SES-008 SES-011 SES-042 RDR-205 RDR-206",
        rollout(r.meta(source=spawn, session_id=PARENT), _copied(r), *own),
        session(agent("Found."), id=SESSION, parent=PARENT),
    )
    r = Rollout()
    run = {"source": "exec", "originator": "codex_exec"}
    yield read(
        "codex/driven-by-a-program",
        "The prompts of a session that a program drives are no person's.",
        "SES-011 RDR-206",
        rollout(r.meta(**run), r.user("Summarise a.py"), r.agent("It adds.")),
        session(agent("It adds.")),
    )


def _packed() -> Cases:
    r = Rollout()
    plain = spelled(*flat(r.meta(), r.user("first"), r.agent("Ok.")))
    told = session(person("first"), agent("Ok."), id=SESSION)
    archive = file(f"{FOLDER}/{NAME}.zst", packed(plain))
    yield read(
        "codex/packed",
        "Codex packs what was idle for a week.",
        "SES-002 RDR-001 RDR-207",
        archive,
        told,
        damaged=0,
    )
    yield read(
        "codex/packed-beside-the-plain-file",
        "For a moment both are there: one session. A file that is being packed is none.",
        "SES-016 SES-040 RDR-207",
        [archive, file(f"{FOLDER}/{NAME}", plain), file(f"{FOLDER}/{NAME}.zst.tmp", b"\x28\xb5")],
        told,
        failed=[],
    )


def _old() -> Cases:
    def said(role: str, text: str) -> Value:
        kind = "output_text" if role == "assistant" else "input_text"
        return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}

    environment = f"<environment_context>\n  <cwd>{CWD}</cwd>\n</environment_context>"
    result = {"type": "function_call_output", "call_id": "c1"}
    rows: list[Value | bytes] = [
        {"id": SESSION, "timestamp": stamp(0), "instructions": None, "git": {}},
        {"record_type": "state"},
        said("user", environment),
        said("user", "Pin them."),
        said("assistant", "I'll run it."),
        {"type": "function_call", "name": "shell", "arguments": '{"command":["make"]}',
         "call_id": "c1"},
        {**result, "output": '{"output":"no rule","metadata":{"exit_code":2}}'},
    ]  # fmt: skip
    yield read(
        "codex/bare-rows",
        "Before September 2025 rows had no envelope, no times, and the folder in a text.",
        "SES-005 SES-007 SES-011 RDR-208",
        file(f"sessions/{NAME}", spelled(*rows)),
        session(person("Pin them."), agent("I'll run it.", call("failed")), id=SESSION, cwd=CWD),
    )


def _damage() -> Cases:
    r = Rollout()
    strange: list[Value] = [
        r.row("world_state", weather="mild"),
        r.event("celebration", confetti=3),
        r.item("hologram", content=[]),
    ]
    rows = r.meta(), r.user("first"), strange, r.agent("Ok.")
    yield read(
        "codex/rows-of-unknown-types",
        "Types that nobody knows yet are left out, and are no damage.",
        "SES-041 RDR-005",
        rollout(*rows),
        session(person("first"), agent("Ok.")),
        damaged=0,
    )
    r = Rollout()
    numbered = flat(r.meta(), r.user("first"), r.agent("Ok."))
    for number, row in enumerate(numbered):
        if isinstance(row, dict):
            row["timestamp"] = 1772614800.25 + number
    yield read(
        "codex/times-as-numbers",
        "Programs that write rollouts give times as seconds.",
        "OVR-022 RDR-209",
        rollout(*numbered),
        session(person("first", at="2026-03-04T09:00:02.250000Z"), agent("Ok."), id=SESSION),
        damaged=0,
    )
    r = Rollout()
    empty = file(f"{FOLDER}/{NAME.replace('1.jsonl', '3.jsonl')}", b"")
    yield read(
        "codex/empty-file-beside-a-session",
        "An empty file is no session, and no failure of the others.",
        "SES-041 RDR-002",
        [empty, rollout(r.meta(), r.user("first"), r.agent("Ok."))],
        session(person("first"), agent("Ok.")),
        damaged=0,
        failed=[],
    )
    r = Rollout()
    meta, words, reply = r.meta(), r.user("first"), r.agent("Ok.")
    yield read(
        "codex/row-cut",
        "A row that is cut costs itself.",
        "SES-041 RDR-004",
        rollout(meta, words, b'{"timestamp":"2026-03-04T09:00:03.250Z","type":"event_', reply),
        session(person("first"), agent("Ok.")),
        damaged=1,
    )
    r = Rollout()
    other = r.context(), r.user("first"), r.agent("Ok.")
    yield read(
        "codex/first-row-lost",
        "Without the row that names the session its file does.",
        "SES-002 SES-041 RDR-205",
        rollout(*other),
        session(person("first"), agent("Ok."), id=SESSION, cwd=CWD),
    )
