"""Exports of ChatGPT and Claude.ai: trees of messages, of which one branch was the conversation."""

import io
import zipfile
from typing import Any

from conformance.generate.readers.shapes import agent, call, compact, file, person, read, session
from conformance.generate.shapes import Cases, Value

CHAT = "c4a70000-0000-4000-8000-000000000001"
NO_PARENT = "00000000-0000-4000-8000-000000000000"
PLACEHOLDER = "```\nThis block is not supported on your current device yet.\n```"


def cases() -> Cases:
    """Yield the cases."""
    yield from _layouts()
    yield from _branches()
    yield from _said()
    yield from _tools()
    yield from _claude_layouts()
    yield from _claude_words()
    yield from _claude_tools()


def _node(key: str, parent: str | None, role: str, *texts: Any, **more: Any) -> Value:
    content = {"content_type": "text", "parts": list(texts)}
    time = 1772614800.25 + int(key[1:])
    message: Value = {"id": key, "author": {"role": role}, "create_time": time, "content": content}
    message |= {"status": "finished_successfully", "weight": 1.0, "recipient": "all", **more}
    return {"id": key, "message": message, "parent": parent}


def _conversation(*nodes: Value, current: str, key: str = CHAT) -> Value:
    root: Value = {"id": "root", "message": None, "parent": None}
    mapping = {node["id"]: {**node, "children": []} for node in (root, *nodes)}
    for node in nodes:
        mapping[node["parent"]]["children"].append(node["id"])
    times = {"create_time": 1772614800.25, "update_time": 1772614899.5}
    return {"title": "Pins", **times, "mapping": mapping, "current_node": current, "id": key}


SHORT = _node("n1", "root", "user", "Pin them."), _node("n2", "n1", "assistant", "Pinned.")
TOLD = session(
    person("Pin them.", at="2026-03-04T09:00:01.250000Z"),
    agent("Pinned."),
    id=CHAT,
    agent="chatgpt",
    started="2026-03-04T09:00:00.250000Z",
    parent=None,
)


def _chat(name: str, why: str, req: str, conversation: Value, *turns: Value) -> Any:
    files = file("conversations.json", compact([conversation]))
    return read(f"chatgpt/{name}", why, req, files, session(*turns))


def _layouts() -> Cases:
    short = _conversation(*SHORT, current="n2")
    for name, why, content in (
        ("array", "An export is an array of conversations.", compact([short])),
        ("object", "One conversation alone.", compact(short)),
    ):
        yield read(
            f"chatgpt/{name}",
            why,
            "SES-002 SES-003 SES-005 SES-010 OVR-022 RDR-001 RDR-501",
            file("conversations.json", content),
            TOLD,
            agent="",
            damaged=0,
            failed=[],
        )
    other = _conversation(*SHORT, current="n2", key="c2")
    yield read(
        "chatgpt/shards",
        "A large export comes in several files.",
        "RDR-501",
        [
            file("conversations-000.json", compact([short])),
            file("conversations-001.json", compact([other])),
        ],
        TOLD,
        {**TOLD, "id": "c2"},
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        info = zipfile.ZipInfo("conversations.json", (2026, 3, 4, 9, 0, 0))
        info.create_system = 3  # the same bytes on every system
        archive.writestr(info, compact([short]))
    yield read(
        "chatgpt/zip",
        "As the person is sent it.",
        "RDR-501",
        file("export.zip", packed.getvalue()),
        TOLD,
    )


def _branches() -> Cases:
    edited = (
        _node("n1", "root", "user", "Pin them with pip."),
        _node("n2", "n1", "assistant", "With pip."),
        _node("n3", "root", "user", "Pin them with uv."),
        _node("n4", "n3", "assistant", "With uv."),
    )
    turns = person("Pin them with uv."), agent("With uv.")
    req = "SES-005 SES-016 RDR-502"
    yield _chat(
        "edited-prompt",
        "A prompt that was written anew: the branch that the person ended on counts.",
        req,
        _conversation(*edited, current="n4"),
        *turns,
    )
    yield _chat(
        "current-node-missing",
        "Where the end is not known, the newest leaf is it.",
        req,
        _conversation(*edited, current="gone"),
        *turns,
    )


def _said() -> Cases:
    instructions = {"content_type": "user_editable_context", "user_profile": "I am Ana."}
    hidden = {"is_visually_hidden_from_conversation": True}
    voice = {"content_type": "audio_transcription", "text": "Pin them.", "direction": "in"}
    for name, why, first in (
        ("system", "Instructions of the system.", _node("n1", "root", "system", "Be kind.")),
        ("own-instructions", "Instructions given once for all, in the person's name.",
         _node("n1", "root", "user", content=instructions)),
        ("hidden", "A message that was not shown.",
         _node("n1", "root", "user", "Original context", metadata=hidden)),
        ("weightless", "A message without weight.",
         _node("n1", "root", "user", "Original context", weight=0.0)),
    ):  # fmt: skip
        nodes = first, _node("n2", "n1", "user", "Pin them."), _node("n3", "n2", "assistant", "Ok.")
        yield _chat(
            f"not-words-{name}",
            f"{why} The person did not say it here.",
            "SES-010 SES-011 RDR-503",
            _conversation(*nodes, current="n3"),
            person("Pin them."),
            agent("Ok."),
        )
    spoken = {"content_type": "multimodal_text", "parts": [{"content_type": "x"}, voice]}
    heard = _node("n1", "root", "user", content=spoken), _node("n2", "n1", "assistant", "Ok.")
    yield _chat(
        "spoken-words",
        "What was spoken stands as a transcription.",
        "SES-010 RDR-503",
        _conversation(*heard, current="n2"),
        person("Pin them."),
        agent("Ok."),
    )


def _tools() -> Cases:
    code = {"content_type": "code", "language": "python", "text": "1/0"}
    shown = {"content_type": "execution_output", "text": "ZeroDivisionError"}
    for name, status, result in (
        ("failed", "failed", {"status": "failed_with_in_kernel_exception"}),
        ("fine", "ok", {"status": "success"}),
    ):
        tool = {"role": "tool", "name": "python"}
        meta = {"aggregate_result": result}
        nodes = (
            _node("n1", "root", "user", "Try."),
            _node("n2", "n1", "assistant", content=code, recipient="python"),
            _node("n3", "n2", "tool", author=tool, content=shown, metadata=meta),
            _node("n4", "n3", "assistant", "Well."),
        )
        yield _chat(
            f"tool-{name}",
            "A message to a tool is a call, what hangs from it is its result.",
            "SES-020 SES-024 SES-030 RDR-504",
            _conversation(*nodes, current="n4"),
            person("Try."),
            agent(None, call(status, tool="python", input="1/0")),
            agent("Well."),
        )


# Claude.ai


def _message(key: str, sender: str, *blocks: Value, text: str = "", **more: Any) -> Value:
    at = f"2026-03-04T09:00:0{key[1]}.250000Z"
    head = {"uuid": key, "sender": sender, "text": text, "content": list(blocks)}
    return {**head, "created_at": at, "updated_at": at, "attachments": [], "files": [], **more}


def _block(text: str) -> Value:
    return {"type": "text", "text": text, "citations": []}


def _claude(name: str, why: str, req: str, messages: list[Value], *turns: Value) -> Any:
    at = "2026-03-04T09:00:00.250000Z"
    chat = {"uuid": CHAT, "name": "Pins", "created_at": at, "updated_at": at, "account": {}}
    files = file("conversations.json", compact([{**chat, "chat_messages": messages}]))
    expected = session(*turns, id=CHAT, agent="claude-ai", started=at, parent=None)
    counts = {"damaged": 0, "failed": []}
    return read(f"claude-ai/{name}", why, req, files, expected, agent="", **counts)


def _claude_layouts() -> Cases:
    flat = [
        _message("m1", "human", _block("Pin them."), text="Pin them."),
        _message("m2", "assistant", _block("Pinned."), text="Pinned."),
    ]
    yield _claude(
        "flat",
        "Messages without parents stand in their order.",
        "SES-002 SES-003 SES-005 SES-010 RDR-001 RDR-601",
        flat,
        person("Pin them.", at="2026-03-04T09:00:01.250000Z"),
        agent("Pinned."),
    )
    order = ["m1", "m2", "m3", "m4"]
    parents = {"m1": NO_PARENT, "m2": "m1", "m3": NO_PARENT, "m4": "m3"}
    said = {"m1": "with pip", "m2": "With pip.", "m3": "with uv", "m4": "With uv."}
    tree = [
        _message(key, "human" if key in ("m1", "m3") else "assistant", _block(said[key]),
                 parent_message_uuid=parents[key])
        for key in order
    ]  # fmt: skip
    yield _claude(
        "edited-prompt",
        "With parents the list is a tree: the branch of the newest leaf is the conversation.",
        "SES-005 SES-016 RDR-602",
        tree,
        person("with uv"),
        agent("With uv."),
    )


def _claude_words() -> Cases:
    req = "SES-010 SES-013 RDR-603"
    yield _claude(
        "words-in-content-alone",
        "The content counts before a text that is empty.",
        req,
        [_message("m1", "human", _block("Pin them.")), _message("m2", "assistant", _block("Ok."))],
        person("Pin them."),
        agent("Ok."),
    )
    joined = f"Let me look.\n{PLACEHOLDER}\nFound."
    blocks = _block("Let me look and find."), {"type": "tool_use", "name": "look", "input": {}}
    yield _claude(
        "placeholder-in-the-text",
        "The text may hold a placeholder for a block: the content counts.",
        "SES-021 RDR-603",
        [
            _message("m1", "human", text="Pin them."),
            _message("m2", "assistant", *blocks, text=joined),
        ],
        person("Pin them."),
        agent("Let me look and find.", call("missing", tool="look")),
    )
    thinking = {"type": "thinking", "thinking": "Which one?"}
    note = {"type": "voice_note", "text": "Pin them.", "title": "Note"}
    yield _claude(
        "spoken-words-and-thoughts",
        "A voice note is the person's words; thoughts are not the reply's text.",
        "SES-010 SES-021 RDR-603",
        [_message("m1", "human", note), _message("m2", "assistant", thinking, _block("Ok."))],
        person("Pin them."),
        agent("Ok."),
    )


def _claude_tools() -> Cases:
    def use(name: str, place: int) -> Value:
        return {"type": "tool_use", "name": name, "input": {"n": place}}

    def result(name: str, text: str, *, failed: bool = False) -> Value:
        content = [{"type": "text", "text": text}]
        return {"type": "tool_result", "name": name, "content": content, "is_error": failed}

    blocks = use("look", 1), use("find", 2), use("look", 3)
    results = result("find", "two", failed=True), result("look", "one"), result("look", "three")
    yield _claude(
        "results-without-ids",
        "Results stand in the reply, and belong to the calls of their name in order.",
        "SES-024 SES-030 RDR-604",
        [_message("m1", "human", _block("Go.")), _message("m2", "assistant", *blocks, *results)],
        person("Go."),
        agent(
            None,
            call("ok", "one", tool="look", input='{"n": 1}'),
            call("failed", "two", tool="find"),
            call("ok", "three", tool="look", input='{"n": 3}'),
        ),
    )
