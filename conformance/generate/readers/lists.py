"""Lists of messages as four APIs take them, alone or in what a program wrapped them in."""

import json
from typing import Any

from conformance.generate.readers.shapes import (
    agent,
    call,
    compact,
    file,
    person,
    read,
    session,
    spelled,
)
from conformance.generate.shapes import Cases, Value

GO, WELL = {"role": "user", "content": "Go."}, {"role": "assistant", "content": "Well."}
GIVEN = '{"path": "a.py"}'


def cases() -> Cases:
    """Yield the cases."""
    yield from _apis()
    yield from _wrappers()


def _chat(name: str, why: str, req: str, content: Any, *turns: Value) -> Any:
    raw = content if isinstance(content, bytes) else compact(content)
    expected = session(*turns, agent="chat", parent=None)
    counts = {"damaged": 0, "failed": []}
    return read(f"chat/{name}", why, req, file("list.json", raw), expected, agent="", **counts)


def _apis() -> Cases:
    turns = person("Go."), agent(None, call("unknown", tool="look", input=GIVEN)), agent("Well.")
    req = "SES-010 SES-020 SES-023 SES-024 SES-030 RDR-001 RDR-701"
    function = {"name": "look", "arguments": GIVEN}
    asks = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "function": function}],
    }
    system = {"role": "system", "content": "Be kind."}
    answer = {"role": "tool", "tool_call_id": "c1", "content": "x = 1"}
    yield _chat(
        "openai-chat",
        "The API has no mark of failure: the host does not say how a call ended.",
        f"{req} SES-011 RDR-702",
        [system, GO, asks, answer, WELL],
        *turns,
    )
    old = {"role": "assistant", "content": None, "function_call": function}
    yield _chat(
        "openai-chat-old",
        "Its first form, without ids.",
        f"{req} RDR-702",
        [GO, old, {"role": "function", "name": "look", "content": "x = 1"}, WELL],
        *turns,
    )
    output = [{"type": "output_text", "text": "Well."}]
    yield _chat(
        "openai-responses",
        "Calls and results are items of their own.",
        f"{req} RDR-702",
        [
            GO,
            {"type": "function_call", "call_id": "c1", **function},
            {"type": "function_call_output", "call_id": "c1", "output": "x = 1"},
            {"type": "message", "role": "assistant", "content": output},
        ],
        *turns,
    )
    uses = [{"type": "tool_use", "id": f"c{n}", "name": "look", "input": {"n": n}} for n in (1, 2)]
    results: list[Value] = [
        {"type": "tool_result", "tool_use_id": "c2", "content": "no file", "is_error": True},
        {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "x"}]},
    ]
    yield _chat(
        "anthropic",
        "Results stand in the next message in the person's name; nobody typed them.",
        "SES-011 SES-015 SES-024 SES-030 SES-031 RDR-701 RDR-702",
        [GO, {"role": "assistant", "content": uses}, {"role": "user", "content": results}, WELL],
        person("Go."),
        agent(None, call("ok", "x", input='{"n": 1}'), call("failed", "no file", input='{"n": 2}')),
        agent("Well."),
    )
    calls = [{"functionCall": {"name": "look", "args": {"n": n}}} for n in (1, 2)]
    answers = [{"functionResponse": {"name": "look", "response": r}}
               for r in ({"output": "x"}, {"error": "no file"})]  # fmt: skip
    yield _chat(
        "gemini",
        "Calls without ids have the results of their name in order.",
        "SES-011 SES-024 SES-030 RDR-701 RDR-702",
        [
            {"role": "user", "parts": [{"text": "Go."}]},
            {"role": "model", "parts": calls},
            {"role": "user", "parts": answers},
            {"role": "model", "parts": [{"text": "Well."}]},
        ],
        person("Go."),
        agent(None, call("ok", "x", input='{"n": 1}'), call("failed", "no file", input='{"n": 2}')),
        agent("Well."),
    )
    broken = {"name": "look", "arguments": '{"path": "a'}
    asks = {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "function": broken}]}
    yield _chat(
        "arguments-that-are-no-json",
        "A model's arguments may be cut; they are given as they are.",
        "SES-023 SES-041 RDR-702",
        [GO, asks, answer, WELL],
        person("Go."),
        agent(None, call("unknown", tool="look", input='{"path": "a')),
        agent("Well."),
    )


def _wrappers() -> Cases:
    messages, turns = [GO, WELL], (person("Go."), agent("Well."))
    for name, why, content in (
        ("messages", "The list under `messages`, with the instructions beside it.",
         {"model": "m", "system": "Be kind.", "messages": messages}),
        ("request", "A whole request, logged.", {"request": {"model": "m", "messages": messages}}),
        ("input", "The list under `input`.", {"model": "m", "input": messages}),
        ("contents", "The list under `contents`.",
         {"contents": [{"role": "user", "parts": [{"text": "Go."}]},
                       {"role": "model", "parts": [{"text": "Well."}]}]}),
        ("lines", "One message a line.", spelled(*messages)),
        ("spread-out", "Indented by hand.", json.dumps(messages, indent=2).encode()),
    ):  # fmt: skip
        yield _chat(f"wrapped-{name}", why, "SES-010 SES-011 RDR-703", content, *turns)
    more = [*messages, {"role": "user", "content": "And now?"}, WELL]
    growing = spelled({"messages": [GO]}, {"messages": messages}, {"messages": more})
    yield _chat(
        "requests-that-grow",
        "Each request repeats the conversation so far: it is one.",
        "SES-016 SES-040 RDR-704",
        growing,
        *turns,
        person("And now?"),
        agent("Well."),
    )
