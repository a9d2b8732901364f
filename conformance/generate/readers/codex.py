"""Codex: who said what, and how calls ended, though no field says so."""

import json
from typing import Any

from conformance.generate.readers.codex_rows import SESSION, Rollout, rollout
from conformance.generate.readers.shapes import CWD, agent, call, person, read, session, wire
from conformance.generate.shapes import Cases, Value

AGENTS = (
    "# AGENTS.md instructions for /home/ana/orchard\n\n<INSTRUCTIONS>\nUse uv.\n</INSTRUCTIONS>"
)
EDITOR = (
    "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nRename it."
)


def cases() -> Cases:
    """Yield the cases."""
    yield from _words()
    yield from _exits()
    yield from _denials()


def _words() -> Cases:
    r = Rollout()
    rows = r.meta(), r.context(), r.user("Pin the dependencies."), r.agent("Pinned.")
    yield read(
        "codex/two-channels",
        "A legacy history holds all words twice: they are given out once.",
        "SES-002 SES-003 SES-005 SES-007 SES-010 SES-016 SES-020 OVR-022 RDR-003 RDR-201",
        rollout(*rows),
        session(
            person("Pin the dependencies."),
            agent("Pinned."),
            id=SESSION,
            agent="codex",
            cwd=CWD,
            started=wire(0),
            parent=None,
        ),
        damaged=0,
        failed=[],
    )
    r = Rollout()
    paginated = [
        r.meta(history_mode="paginated"),
        r.context(),
        r.completed("UserMessage", id="i1", content=[{"type": "text", "text": "Pin them."}]),
        r.completed("AgentMessage", id="i2", content=[{"type": "Text", "text": "Pinned."}]),
    ]
    yield read(
        "codex/paginated",
        "A paginated history tells words as completed items alone.",
        "SES-010 SES-020 RDR-201",
        rollout(*paginated),
        session(person("Pin them."), agent("Pinned.")),
    )
    r = Rollout()
    thinking = r.item("reasoning", summary=[{"type": "summary_text", "text": "Which one?"}])
    yield read(
        "codex/reasoning",
        "Reasoning is not what the agent wrote for the person.",
        "SES-021 RDR-201",
        rollout(r.meta(), r.user("Pin them."), thinking, r.agent("Pinned.")),
        session(person("Pin them."), agent("Pinned.")),
    )
    for name, why, text in (
        ("instructions", "The instructions of the project.", AGENTS),
        ("environment", "The environment.",
         f"<environment_context>\n<cwd>{CWD}</cwd>\n</environment_context>"),
        ("shell-of-the-person", "A command that the person ran.",
         "<user_shell_command>\n<command>ls</command>\n</user_shell_command>"),
        ("abort-marker", "The mark of a stop.", "<turn_aborted>\nstopped\n</turn_aborted>"),
        ("note-of-a-subagent", "A note of a subagent.",
         "<subagent_notification>done</subagent_notification>"),
        ("goal", "A prompt that the harness made to go on.", "<goal_context>Go on.</goal_context>"),
    ):  # fmt: skip
        r = Rollout()
        rows = r.meta(), r.told(text), r.user("Pin them."), r.agent("Pinned.")
        yield read(
            f"codex/not-words-{name}",
            f"{why} It stands in the person's name and was not typed.",
            "SES-011 RDR-202",
            rollout(*rows),
            session(person("Pin them."), agent("Pinned.")),
        )
    r = Rollout()
    yield read(
        "codex/request-behind-editor-context",
        "An editor puts its context before the words.",
        "SES-011 SES-013 RDR-202",
        rollout(r.meta(), r.user(EDITOR), r.agent("Renamed.")),
        session(person("Rename it."), agent("Renamed.")),
    )


def _exits() -> Cases:
    unified = "Chunk ID: 0a1b2c\nWall time: 0.1 seconds\nProcess exited with code {}\n{}Output:\n"
    tokens = "Original token count: 3\n"
    lying = "Process exited with code 1\nExit code: 1\n"
    for name, why, tool, output, status in (
        ("header", "Exit code and wall time at the head.", "shell",
         "Exit code: 2\nWall time: 0.1 seconds\nOutput:\nno rule\n", "failed"),
        ("header-zero", "The same, of a command that went well.", "shell",
         f"Exit code: 0\nWall time: 0.1 seconds\nOutput:\n{lying}", "ok"),
        ("unified", "The head of unified exec.", "exec_command",
         unified.format(127, tokens) + "make: not found\n", "failed"),
        ("unified-zero", "A body may repeat the words of the head.", "exec_command",
         unified.format(0, tokens) + lying, "ok"),
        ("json", "A text that holds JSON.", "shell",
         json.dumps({"output": "no rule\n", "metadata": {"exit_code": 2, "duration_seconds": 0.1}}),
         "failed"),
        ("json-zero", "The same, of a command that went well.", "shell",
         json.dumps({"output": lying, "metadata": {"exit_code": 0, "duration_seconds": 0.1}}),
         "ok"),
        ("script", "Code mode.", "exec", "Script failed\nWall time 0.1 seconds\nOutput:\nno\n",
         "failed"),
        ("patch", "A patch that did not fit.", "apply_patch",
         "apply_patch verification failed: Failed to find expected lines in a.py", "failed"),
        ("arguments", "Arguments that could not be read.", "exec_command",
         "failed to parse function arguments: missing field `cmd`", "failed"),
    ):  # fmt: skip
        yield _call(f"exit-{name}", why, "SES-030 SES-031 RDR-006 RDR-203", status, output, tool)
    r = Rollout()
    rows = r.meta(), r.context(), r.user("Go."), r.ran(), r.user("And now?"), r.agent("Well.")
    yield read(
        "codex/output-missing",
        "A call whose output the host does not hold.",
        "SES-030 RDR-203",
        rollout(*rows),
        session(person("Go."), agent(None, call("missing")), person("And now?"), agent("Well.")),
    )
    r = Rollout()
    said = r.meta(), r.user("Go."), r.agent("I'll run it."), r.ran(unified.format(0, tokens))
    yield read(
        "codex/words-before-a-call",
        "What the agent says before a call is of the same reply.",
        "SES-020 RDR-201",
        rollout(*said, r.agent("Fine.")),
        session(person("Go."), agent("I'll run it.", call("ok")), agent("Fine.")),
    )
    r = Rollout()
    parts = [{"type": "input_text", "text": unified.format(0, tokens) + "fine\n"}]
    yield read(
        "codex/output-of-parts",
        "An output may be a list of parts. The input of a shell is its command line.",
        "SES-023 SES-024 RDR-203",
        rollout(r.meta(), r.ran(parts), r.agent("Fine.")),
        session(
            agent(None, call("ok", id="c1", tool="exec_command", input="make test")), agent("Fine.")
        ),
    )


def _denials() -> Cases:
    req = "SES-014 SES-030 RDR-204"
    for name, output, tool in (
        ("command", "exec command rejected by user", "exec_command"),
        ("mcp", "user rejected MCP tool call", "desk__send"),
    ):
        r = Rollout()
        rows = r.meta(), r.context(), r.user("Go."), r.ran(output, tool), r.agent("I'll wait.")
        yield read(
            f"codex/refusal-of-{name}",
            "The whole output says that a person said no; Codex keeps no words with it.",
            req,
            rollout(*rows),
            session(
                person("Go."),
                agent(None, call("refused")),
                person("", "refusal"),
                agent("I'll wait."),
            ),
        )
    for name, output in (
        ("settings", "writing outside of the project; rejected by user approval settings"),
        ("guardian", "This action was rejected due to unacceptable risk.\nReason: it deletes."),
        ("policy", "approval policy is Never; reject command — you should not ask"),
    ):
        yield _call(
            f"denied-by-{name}",
            "A machine said no, whoever it names.",
            "SES-032 RDR-204",
            "unknown",
            output,
            "exec_command",
        )
    for name, output in (
        ("after-a-while", "aborted by user after 3.2s"),
        ("by-time", "Wall time: 3 seconds\naborted by user"),
    ):
        yield _call(
            f"stopped-{name}",
            "A person stopped the call while it ran.",
            "SES-030 RDR-204",
            "interrupted",
            output,
            "exec_command",
        )


def _call(name: str, why: str, req: str, status: str, output: Any, tool: str) -> Any:
    r = Rollout()
    rows: list[Value | list[Value]] = [r.meta(), r.context(), r.user("Go."), r.ran(output, tool)]
    expected = session(person("Go."), agent(None, call(status)), agent("Well."))
    return read(f"codex/{name}", why, req, rollout(*rows, r.agent("Well.")), expected)
