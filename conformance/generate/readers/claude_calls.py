"""Claude Code: replies that come in many rows, and what became of their calls."""

from typing import Any

from conformance.generate.readers.claude_rows import (
    BARE_NO,
    Log,
    session_file,
    text,
    uses,
)
from conformance.generate.readers.shapes import agent, call, person, read, session
from conformance.generate.shapes import Cases, Value

STOPPED = BARE_NO + "\n\nCorrection to the text above: this call was stopped while running."


def cases() -> Cases:
    """Yield the cases."""
    yield from _replies()
    yield from _inputs()
    yield from _outcomes()
    yield from _no_person()


def _replies() -> Cases:
    log = Log()
    thinking = {"type": "thinking", "thinking": "Which manager?", "signature": "x"}
    rows = [
        log.says(block, reply="msg_a") for block in (thinking, text("I'll run it."), uses("t1"))
    ]
    yield read(
        "claude-code/reply-of-several-rows",
        "Blocks of one reply come a row each: one turn, without the hidden reasoning.",
        "SES-020 SES-021 RDR-101",
        session_file(*rows, log.result("t1", "ok")),
        session(agent("I'll run it.", call("ok", id="t1", tool="Bash"))),
    )
    log = Log()
    calls = log.says(uses("t1"), uses("t2"), reply="msg_a")
    yield read(
        "claude-code/results-out-of-order",
        "Each call has its own result.",
        "SES-024 RDR-102",
        session_file(calls, log.result("t2", "two"), log.result("t1", "one")),
        session(agent(None, call("ok", "one", id="t1"), call("ok", "two", id="t2"))),
    )
    log = Log()
    rows = [log.says(uses("t1"), reply="msg_a"), log.user("go on"), log.says("Gone on.")]
    yield read(
        "claude-code/result-missing",
        "A call whose result the host does not hold.",
        "SES-030 RDR-102",
        session_file(*rows),
        session(agent(None, call("missing")), person("go on"), agent("Gone on.")),
    )
    log = Log()
    rows = [log.says(uses("t1"), reply="msg_a"), log.result("t1", "ok"), log.result("t1", "ok")]
    yield read(
        "claude-code/result-twice",
        "A resume may write a result again.",
        "SES-016 SES-024 RDR-102",
        session_file(*rows),
        session(agent(None, call("ok", "ok"))),
    )
    log = Log()
    made_up = log.says("No response requested.", reply="msg_b")
    made_up["message"]["model"] = "<synthetic>"
    failed = log.says("API Error: 529 Overloaded", reply="msg_c", isApiErrorMessage=True)
    yield read(
        "claude-code/sentences-of-the-harness",
        "Replies that no model wrote are not given out.",
        "SES-021 RDR-103",
        session_file(log.user("Pin them."), made_up, failed, log.says("Pinned.")),
        session(person("Pin them."), agent("Pinned.")),
    )


def _inputs() -> Cases:
    log = Log()
    reading = {"file_path": "/home/ana/a.py", "limit": 3}
    blocks = uses("t1", command="make -j2", description="Build"), uses("t2", "Read", **reading)
    rows = [log.says(*blocks, reply="msg_a"), log.result("t1", "ok"), log.result("t2", "x = 1")]
    given = '{"file_path": "/home/ana/a.py", "limit": 3}'
    yield read(
        "claude-code/input-of-calls",
        "A shell's input is the command line, another tool's its arguments.",
        "SES-022 SES-023 RDR-102",
        session_file(*rows),
        session(
            agent(
                None,
                call("ok", tool="Bash", input="make -j2", description="Build"),
                call("ok", tool="Read", input=given),
            )
        ),
    )


def _outcomes() -> Cases:
    sibling = "<tool_use_error>Sibling tool call errored</tool_use_error>"
    quoted = f"docs/hosts.md:12: {BARE_NO}"
    for name, why, status, content, fields in (
        ("marked-as-failed", "The host marks it as failed.", "failed",
         "Exit code 2\nno rule to make target", {"is_error": True}),
        ("exit-code-in-text", "An exit code in a text that is not marked is just text.", "ok",
         "Exit code 2\nno rule to make target", {}),
        ("harness-check", "A check of the harness failed.", "failed",
         "<tool_use_error>String to replace not found in file.</tool_use_error>",
         {"is_error": True}),
        ("sibling-failed", "Cancelled for its sibling's failure alone.", "collateral", sibling,
         {"is_error": True}),
        ("sentence-of-refusal-quoted", "A file that quotes the sentence of a refusal.", "ok",
         quoted, {}),
    ):  # fmt: skip
        yield _outcome(name, why, "SES-030 SES-031 RDR-113", status, content, fields)
    log = Log()
    rows = [log.says(uses("t1", "mcp__desk__send", to="Bo")), log.no("t1")]
    yield read(
        "claude-code/sentence-of-refusal-by-a-server",
        "A server chooses its own texts: the sentence is no proof that a person said no.",
        "SES-031 RDR-113",
        session_file(*rows),
        session(agent(None, {})),
    )


def _no_person() -> Cases:
    """The three kinds of denial: a person's, which others show, a machine's, a stop."""
    for name, why, status, content, fields in (
        ("denied-by-a-rule", "A rule said no.", "unknown",
         "Permission to use Bash has been denied.", {"toolDenialKind": "permission-rule"}),
        ("denied-by-a-rule-unnamed", "A rule of an old version said no.", "unknown",
         "Permission to use Bash with command make has been denied.", {}),
        ("interrupted", "It was stopped.", "interrupted",
         "[Tool call interrupted: the session ended]", {"toolDenialKind": "interrupted"}),
        ("stopped-while-running", "It ran already, and the host corrects itself.", "interrupted",
         STOPPED, {"toolDenialKind": "user-rejected"}),
        ("stopped-by-a-shutdown", "A shutdown is stamped as a refusal.", "interrupted",
         BARE_NO, {"toolDenialKind": "user-rejected", "interruptedByShutdown": True}),
    ):  # fmt: skip
        req = "SES-030 SES-032 RDR-113"
        yield _outcome(name, why, req, status, content, {"is_error": True, **fields})


def _outcome(name: str, why: str, req: str, status: str, content: str, fields: Value) -> Any:
    log = Log()
    rows = [log.says(uses("t1"), reply="msg_a"), log.result("t1", content, **fields)]
    expected = session(agent(None, call(status)), agent("Well."))
    files = session_file(*rows, log.says("Well.", reply="msg_b"))
    return read(f"claude-code/call-{name}", why, req, files, expected)
