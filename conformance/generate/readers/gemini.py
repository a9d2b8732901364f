"""Gemini CLI: one document or appended lines, messages that are written again, shells that fail."""

import hashlib
from collections.abc import Sequence
from typing import Any

from conformance.generate.readers.shapes import (
    CWD,
    agent,
    call,
    compact,
    file,
    person,
    read,
    session,
    spelled,
    stamp,
    wire,
)
from conformance.generate.shapes import Cases, Value

SESSION = "9e317000-0000-4000-8000-000000000001"
CHATS = "tmp/orchard/chats"
NAME = "session-2026-03-04T09-00-9e317000"
META = {"sessionId": SESSION, "projectHash": "orchard", "startTime": stamp(0), "kind": "main"}
DENIED = "[Operation Cancelled] Reason: User denied execution."


def cases() -> Cases:
    """Yield the cases."""
    yield from _histories()
    yield from _places()
    yield from _words()
    yield from _calls()


def _user(number: int, content: Any) -> Value:
    return {"id": f"m{number}", "timestamp": stamp(number), "type": "user", "content": content}


def _says(number: int, content: Any, *calls: Value, **more: Any) -> Value:
    head = {"id": f"m{number}", "timestamp": stamp(number), "type": "gemini", "content": content}
    tools = {"toolCalls": list(calls)} if calls else {}
    return {**head, **tools, "thoughts": [], "model": "gemini-x", **more}


def _call(status: str, output: str, name: str = "read_file", **more: Any) -> Value:
    key = "output" if status == "success" else "error"
    response = {"id": "c1", "name": name, "response": {key: output}}
    parts = [{"functionResponse": response}]
    given: Value = {"id": "c1", "name": name, "args": {"file_path": "a.py"}}
    return {**given, "result": parts, "status": status, "timestamp": stamp(9), **more}


def _document(*messages: Value, **meta: Any) -> bytes:
    return compact({**META, "lastUpdated": stamp(9), **meta, "messages": list(messages)})


def _lines(*rows: Value) -> bytes:
    return spelled({**META, "lastUpdated": stamp(9)}, *rows)


def _histories() -> Cases:
    told = session(
        person("Pin them.", at=wire(1)),
        agent("Pinned."),
        id=SESSION,
        agent="gemini-cli",
        started=wire(0),
        parent=None,
    )
    messages = _user(1, "Pin them."), _says(2, "Pinned.", thoughts=[{"subject": "Which one?"}])
    yield read(
        "gemini-cli/document",
        "One object that is written whole each time. Thoughts are not the reply's text.",
        "SES-002 SES-003 SES-005 SES-010 SES-020 SES-021 RDR-301",
        file(f"{CHATS}/{NAME}.json", _document(*messages)),
        told,
        damaged=0,
        failed=[],
    )
    yield read(
        "gemini-cli/lines",
        "The newer form: metadata, then a message a line.",
        "SES-002 SES-005 RDR-301",
        file(f"{CHATS}/{NAME}.jsonl", _lines(*messages)),
        told,
        damaged=0,
    )
    yield read(
        "gemini-cli/lines-called-json",
        "The form is told by the content, not by the name.",
        "RDR-001 RDR-301",
        file(f"{CHATS}/{NAME}.json", _lines(*messages)),
        told,
    )
    yield read(
        "gemini-cli/both-forms-of-one-session",
        "A resume leaves the old document beside the lines: one session.",
        "SES-016 SES-040 RDR-304",
        [
            file(f"{CHATS}/{NAME}.json", _document(*messages)),
            file(f"{CHATS}/{NAME}.jsonl", _lines(*messages)),
        ],
        told,
    )
    first, second = _user(1, "first"), _says(2, "One.")
    for name, why, rows, turns in (
        ("message-written-again", "The last writing counts, in the first one's place.",
         [first, _says(2, ""), _user(3, "second"), _says(2, "One."), _says(4, "Two.")],
         [person("first"), agent("One."), person("second"), agent("Two.")]),
        ("list-replaced", "A replaced list replaces all before it.",
         [_user(1, "forgotten"), {"$set": {"messages": [first, second]}}, _user(3, "second")],
         [person("first"), agent("One."), person("second")]),
        ("rewound", "A rewind takes its message back, and all after it.",
         [first, second, _user(3, "oops"), _says(4, "Oops."), {"$rewindTo": "m3"},
          _user(5, "second")],
         [person("first"), agent("One."), person("second")]),
        ("metadata-changed", "A change of the metadata is no message.",
         [first, {"$set": {"lastUpdated": stamp(8), "summary": "Pins"}}, second],
         [person("first"), agent("One.")]),
    ):  # fmt: skip
        content = _lines(*rows)
        yield read(
            f"gemini-cli/{name}",
            why,
            "SES-005 SES-016 RDR-302",
            file(f"{CHATS}/{NAME}.jsonl", content),
            session(*turns),
            damaged=0,
        )
    cut = _lines(first, second) + b'{"id":"m3","timest\n' + spelled(_user(4, "second"))
    yield read(
        "gemini-cli/line-cut",
        "A line that is cut costs itself.",
        "SES-041 RDR-004",
        file(f"{CHATS}/{NAME}.jsonl", cut),
        session(person("first"), agent("One."), person("second")),
        damaged=1,
    )


def _places() -> Cases:
    chat = _lines(_user(1, "first"), _says(2, "One."))
    told = person("first"), agent("One.")
    registry = file("projects.json", compact({"projects": {CWD: "orchard"}}))
    yield read(
        "gemini-cli/folder-by-the-registry",
        "The session's file does not name its folder; the registry does.",
        "SES-007 RDR-305",
        [registry, file(f"{CHATS}/{NAME}.jsonl", chat)],
        session(*told, cwd=CWD),
    )
    marker = file("tmp/orchard/.project_root", CWD.encode())
    yield read(
        "gemini-cli/folder-by-its-marker",
        "Or a file beside the sessions.",
        "SES-007 RDR-305",
        [marker, file(f"{CHATS}/{NAME}.jsonl", chat)],
        session(*told, cwd=CWD),
    )
    digest = hashlib.sha256(CWD.encode()).hexdigest()
    old = _document(_user(1, "first"), _says(2, "One."), projectHash=digest)
    yield read(
        "gemini-cli/folder-by-its-hash",
        "Old folders are called after the SHA-256 of the path.",
        "SES-007 RDR-305",
        [
            file("projects.json", compact({"projects": {CWD: "other"}})),
            file(f"tmp/{digest}/chats/{NAME}.json", old),
        ],
        session(*told, cwd=CWD),
    )
    child = "9e317000-0000-4000-8000-000000000002"
    rows = _user(3, "Find a.py"), _says(4, "Found.")
    inner = spelled({**META, "sessionId": child, "kind": "subagent"}, *rows)
    yield read(
        "gemini-cli/subagent",
        "Files in a folder with a session's name are those of its subagents.",
        "SES-008 SES-011 SES-042 RDR-306",
        [file(f"{CHATS}/{NAME}.jsonl", chat), file(f"{CHATS}/{SESSION}/{child}.jsonl", inner)],
        session(*told, id=SESSION, parent=None),
        session(agent("Found."), id=child, parent=SESSION),
    )


def _words() -> Cases:
    for name, why, content in (
        ("command", "A command of the program.", "/model gemini-x"),
        ("question-mark", "Its help.", "?"),
        ("context", "Context that it adds.", "<session_context>\nToday\n</session_context>"),
        ("hook", "Text of a hook.", "<hook_context>x</hook_context>"),
        ("old-opening", "The opening of old versions.",
         "This is the Gemini CLI. We are setting up the context for our chat."),
        ("results", "Results of tools in the person's name.",
         [{"functionResponse": {"name": "read_file", "response": {"output": "x"}}}]),
    ):  # fmt: skip
        rows = _user(1, content), _user(2, "Pin them."), _says(3, "Pinned.")
        yield read(
            f"gemini-cli/not-words-{name}",
            f"{why} It is not the person's.",
            "SES-011 RDR-303",
            file(f"{CHATS}/{NAME}.jsonl", _lines(*rows)),
            session(person("Pin them."), agent("Pinned.")),
        )
    inlined = "Rename @a.py\n--- Content from referenced files ---\nx = 1\n--- End of content ---"
    yield read(
        "gemini-cli/files-behind-words",
        "The content of files that the person names is not typed.",
        "SES-011 SES-013 RDR-303",
        file(f"{CHATS}/{NAME}.jsonl", _lines(_user(1, [{"text": inlined}]), _says(2, "Done."))),
        session(person("Rename @a.py"), agent("Done.")),
    )


def _calls() -> Cases:
    shell: Any = {"name": "run_shell_command", "args": {"command": "make test"}}
    for name, why, status, told in (
        ("success", "A call that went well.", "ok", _call("success", "x = 1")),
        ("error", "An error of a tool.", "failed", _call("error", "File not found: a.py")),
        ("policy", "A policy said no.", "unknown",
         _call("error", "Tool execution denied by policy.")),
        ("stopped", "A person stopped it.", "interrupted",
         _call("cancelled", "[Operation Cancelled] Reason: Operation cancelled by user")),
        ("shell-failed", "The program writes the exit code behind the output.", "failed",
         _call("success", "Output: no rule\nExit Code: 2", **shell)),
        ("shell-failed-old", "In old versions among more lines.", "failed",
         _call("success", "Command: make test\nDirectory: (root)\nOutput: no rule\nError: (none)\n"
               "Exit Code: 2\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 7",
               **shell)),
        ("shell-fine-old", "A zero is no failure.", "ok",
         _call("success", "Command: make test\nDirectory: (root)\nOutput: fine\nError: (none)\n"
               "Exit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 7",
               **shell)),
        ("file-with-an-exit-code", "A file that holds the line is no shell.", "ok",
         _call("success", "Exit Code: 2")),
        ("never-ended", "The program died while it waited.", "missing",
         {**_call("awaiting_approval", ""), "result": None}),
    ):  # fmt: skip
        rows = _user(1, "Go."), _says(2, "I will.", told), _says(3, "Well.")
        yield read(
            f"gemini-cli/call-{name}",
            why,
            "SES-024 SES-030 SES-031 SES-032 RDR-006 RDR-307",
            file(f"{CHATS}/{NAME}.jsonl", _lines(*rows)),
            session(person("Go."), agent("I will.", call(status)), agent("Well.")),
        )
    for name, words in (
        ("new", DENIED),
        ("old", "[Operation Cancelled] Reason: User did not allow tool call"),
    ):
        yield _refused(name, [_call("cancelled", words)], [call("refused")])
    beside = _call("cancelled", "[Operation Cancelled] Reason: User cancelled operation", id="c2")
    yield _refused("with-another-call", [_call("cancelled", DENIED), beside],
                   [call("refused"), call("collateral")])  # fmt: skip


def _refused(name: str, told: Sequence[Value], calls: Sequence[Value]) -> Any:
    rows = _user(1, "Go."), _says(2, "I will.", *told), _user(4, "with uv"), _says(5, "Ok.")
    turns = person("Go."), agent("I will.", *calls), person("", "refusal"), person("with uv")
    return read(
        f"gemini-cli/refusal-{name}",
        "A person's no, by the words of this version.",
        "SES-014 SES-030 RDR-307",
        file(f"{CHATS}/{NAME}.jsonl", _lines(*rows)),
        session(*turns, agent("Ok.")),
    )
