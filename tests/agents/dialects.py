"""How each provider's API says that a model spoke or called a tool, and where a turn is asked."""

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

COUNT = b'{"input_tokens":10,"totalTokens":10}'


@dataclass(frozen=True)
class Say:
    """The model says something, which ends the turn."""

    text: str


@dataclass(frozen=True)
class Shell:
    """The model runs a command, by whichever tool the agent offers for that."""

    command: str
    why: str = "As asked"


@dataclass(frozen=True)
class Recall:
    """The model asks our own server."""

    query: str


Reply = Say | Shell | Recall


def is_count(path: str) -> bool:
    """Tell whether somebody only wants to know how long a text is."""
    return path.endswith(("/count_tokens", ":countTokens"))


def is_turn(path: str, body: dict[str, Any]) -> bool:
    """Tell whether a request is of the conversation; titles and routing come without tools."""
    return bool(body.get("tools")) and not is_count(path)


def aside(body: dict[str, Any]) -> str:
    """Return what satisfies a request beside the conversation: a title, or what a schema asks."""
    asked = body.get("generationConfig") or {}
    schema = asked.get("responseJsonSchema") or asked.get("responseSchema")
    if not schema:
        return "A title"
    fields = schema.get("properties", {}).items()
    numbers = ("integer", "number")
    return json.dumps(
        {name: 10 if str(of.get("type")).lower() in numbers else "short" for name, of in fields}
    )


def answer(path: str, body: dict[str, Any], reply: Reply) -> tuple[str, list[bytes]]:
    """Return (content type, parts) of the answer in the API of the path."""
    if path.endswith("/messages"):
        return _anthropic(body, reply)
    if path.endswith("/responses"):
        return "text/event-stream", [_event(event) for event in _responses(body, reply)]
    return _gemini(path, reply)


def _event(value: dict[str, Any], *, named: bool = True) -> bytes:
    head = f"event: {value['type']}\n" if named else ""
    return f"{head}data: {json.dumps(value)}\n\n".encode()


def _anthropic(body: dict[str, Any], reply: Reply) -> tuple[str, list[bytes]]:
    block: dict[str, Any]
    if isinstance(reply, Say):
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": reply.text}
    else:
        name, given = _claude_call(reply)
        block = {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:20]}", "name": name}
        block["input"] = {}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
    stop = "end_turn" if isinstance(reply, Say) else "tool_use"
    usage = {"input_tokens": 10, "output_tokens": 1}
    message = {"id": f"msg_{uuid.uuid4().hex[:20]}", "type": "message", "role": "assistant"}
    message |= {"model": body.get("model"), "stop_sequence": None, "usage": usage}
    if not body.get("stream"):
        whole = [{"type": "text", "text": reply.text if isinstance(reply, Say) else ""}]
        plain = message | {"content": whole, "stop_reason": "end_turn"}
        return "application/json", [json.dumps(plain).encode()]
    events = [
        {"type": "message_start", "message": message | {"content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "ping"},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ]
    return "text/event-stream", [_event(event) for event in events]


def _claude_call(reply: Shell | Recall) -> tuple[str, dict[str, Any]]:
    if isinstance(reply, Recall):
        return "mcp__remem__recall", {"query": reply.query}
    return "Bash", {"command": reply.command, "description": reply.why}


def _responses(body: dict[str, Any], reply: Reply) -> Iterator[dict[str, Any]]:
    item: dict[str, Any]
    if isinstance(reply, Say):
        content = [{"type": "output_text", "text": reply.text, "annotations": []}]
        item = {"type": "message", "id": f"msg_{uuid.uuid4().hex}", "role": "assistant"}
        item |= {"status": "completed", "content": content}
    else:
        item = {"type": "function_call", "id": f"fc_{uuid.uuid4().hex}"}
        item |= {"call_id": f"call_{uuid.uuid4().hex[:20]}", "status": "completed"}
        item |= _codex_call(body, reply)
    response = {"id": f"resp_{uuid.uuid4().hex}", "object": "response", "output": []}
    response |= {"created_at": 1, "model": body.get("model"), "status": "in_progress"}
    yield {"type": "response.created", "response": response}
    yield {"type": "response.output_item.added", "output_index": 0, "item": item}
    if isinstance(reply, Say):
        place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        yield {"type": "response.output_text.delta", **place, "delta": reply.text}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    usage = {"input_tokens": 10, "output_tokens": 9, "total_tokens": 19}
    usage |= {"input_tokens_details": {"cached_tokens": 0}}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}}
    done = response | {"status": "completed", "output": [item], "usage": usage}
    yield {"type": "response.completed", "response": done}


def _codex_call(body: dict[str, Any], reply: Shell | Recall) -> dict[str, Any]:
    if isinstance(reply, Recall):
        given: dict[str, Any] = {"query": reply.query}
        return {"name": "recall", "namespace": "mcp__remem", "arguments": json.dumps(given)}
    offered = {tool.get("name") for tool in body["tools"]}
    forms: dict[str, dict[str, Any]] = {
        "exec_command": {"cmd": reply.command},
        "shell_command": {"command": reply.command},
        "shell": {"command": ["bash", "-lc", reply.command]},
    }
    name = next(name for name in forms if name in offered)
    return {"name": name, "arguments": json.dumps(forms[name])}


def _gemini(path: str, reply: Reply) -> tuple[str, list[bytes]]:
    part: dict[str, Any]
    match reply:
        case Say(text):
            part = {"text": text}
        case Shell(command, why):
            given = {"command": command, "description": why}
            part = {"functionCall": {"name": "run_shell_command", "args": given}}
        case Recall(query):
            part = {"functionCall": {"name": "mcp_remem_recall", "args": {"query": query}}}
    content = {"role": "model", "parts": [part]}
    chunk = {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "totalTokenCount": 19},
        "modelVersion": "scripted",
    }
    if path.endswith(":streamGenerateContent"):
        return "text/event-stream", [_event(chunk, named=False)]
    return "application/json", [json.dumps(chunk).encode()]
