"""The messages of the four APIs as turns: OpenAI Chat and Responses, Anthropic, Gemini.

Their shapes don't overlap, so each message is read by what it looks like, and a list that a
program converted halfway is read too. None of the APIs but Anthropic's says in a field whether a
call failed; there a result's status stays unknown.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from remem_agents.chats.lists import Json, time_of
from remem_agents.chats.thread import Thread, arguments_text
from remem_agents.chats.typed import typed
from remem_agents.claude_code.refusals import refusal_words
from remem_agents.gemini.outcomes import response_status, response_text
from remem_agents.gemini.words import words_of
from remem_agents.turns import Verdict
from remem_protocol import Turn

_TEXTS = ("text", "input_text", "output_text")
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_MCP = "mcp__"


def turns_of(messages: Iterable[Json], started: str) -> Iterator[Turn]:
    """Give the turns of a list, in order; what has no time gets that of the one before."""
    thread = Thread(started)
    for message in messages:
        thread.clock.see(time_of(message))
        if isinstance(message.get("parts"), list):
            _gemini(thread, message)
        elif "role" in message:
            _by_role(thread, message)
        else:
            _item(thread, message)
        yield from thread.ready()
    yield from thread.ready(final=True)


# OpenAI Chat and Anthropic; the `message` items of OpenAI Responses


def _by_role(thread: Thread, message: Json) -> None:
    role, blocks = message["role"], _blocks(message.get("content"))
    if role == "user":
        for block in blocks:
            if str(block.get("type", "")).endswith("tool_result"):
                _result(thread, block)
        thread.say(typed("\n".join(_texts(blocks))))
    elif role == "assistant":
        if message.get("type") != "message":  # else an item, of a reply that has several
            thread.end_reply()
        _assistant(thread, message, blocks)
    elif role in ("tool", "function"):
        call_id = _paired(thread, message.get("tool_call_id"), message.get("name"))
        if call_id is not None:
            thread.result(call_id, Verdict("unknown"), "\n".join(_texts(blocks)))


def _assistant(thread: Thread, message: Json, blocks: list[Json]) -> None:
    thread.text("\n".join(_texts(blocks)))
    for block in blocks:
        if block.get("type") in _CALLS:
            thread.call(
                _string(block.get("name")),
                arguments_text(block.get("input")),
                _string(block.get("id")),
            )
    functions = [
        (call.get("function"), call.get("id")) for call in _dicts(message.get("tool_calls"))
    ]
    functions.append((message.get("function_call"), None))
    for function, call_id in functions:
        if isinstance(function, dict):
            given = arguments_text(function.get("arguments"))
            thread.call(_string(function.get("name")), given, _string(call_id))
    for block in blocks:  # of tools that the server ran
        if str(block.get("type", "")).endswith("tool_result"):
            _result(thread, block)


def _result(thread: Thread, block: Json) -> None:
    """Take a result of Anthropic's kind; a person's no is an error with words of the harness."""
    call_id = _paired(thread, block.get("tool_use_id"), None)
    if call_id is None:
        return
    content = block.get("content")
    text = "\n".join(_texts(_blocks(content)))
    failed = block.get("is_error") is True
    if isinstance(content, dict) and str(content.get("type", "")).endswith("_error"):
        failed, text = True, str(content.get("error_code", ""))
    verdict = Verdict("failed" if failed else "ok")
    said = refusal_words(text) if failed and not thread.tool_of(call_id).startswith(_MCP) else None
    thread.result(call_id, verdict if said is None else Verdict("refused", said), text)


# OpenAI Responses


def _item(thread: Thread, item: Json) -> None:
    kind = str(item.get("type", ""))
    call_id = _string(item.get("call_id")) or _string(item.get("id"))
    if kind.endswith("_output"):
        paired = _paired(thread, call_id, None)
        if paired is not None:
            thread.result(paired, Verdict("unknown"), _output_text(item.get("output")))
    elif kind == "mcp_call":
        server, name = _string(item.get("server_label")), _string(item.get("name"))
        tool = f"{server}.{name}" if server and name else name
        key = thread.call(tool, arguments_text(item.get("arguments")), call_id)
        error = item.get("error")
        text = _output_text(error) if error else _output_text(item.get("output"))
        thread.result(key, Verdict("failed" if error else "ok"), text)
    elif kind in ("function_call", "custom_tool_call"):
        given = item.get("arguments", item.get("input"))
        thread.call(_string(item.get("name")), arguments_text(given), call_id)


def _output_text(output: object) -> str:
    if isinstance(output, str):
        return output
    return "\n".join(_texts(_blocks(output))) or arguments_text(output)


# Gemini


def _gemini(thread: Thread, message: Json) -> None:
    parts = _dicts(message["parts"])
    texts = [part["text"] for part in parts if _is_said(part)]
    if message.get("role") == "model":
        thread.end_reply()
        thread.text("".join(texts))
        for call in (_either(part, "functionCall", "function_call") for part in parts):
            if call is not None:
                given = arguments_text(call.get("args"))
                thread.call(_string(call.get("name")), given, _string(call.get("id")))
        return
    for response in (_either(part, "functionResponse", "function_response") for part in parts):
        if response is not None:
            _gemini_result(thread, response)
    words = words_of("\n".join(texts), None)
    if words is not None:
        thread.say(words.text)


def _gemini_result(thread: Thread, response: Json) -> None:
    call_id = _paired(thread, response.get("id"), response.get("name"))
    if call_id is not None:
        raw = msgspec.Raw(msgspec.json.encode(response.get("response")))
        thread.result(call_id, Verdict(response_status(raw)), response_text(raw))


def _is_said(part: Json) -> bool:
    return isinstance(part.get("text"), str) and not part.get("thought")


def _either(part: Json, *names: str) -> Json | None:
    """Find an object under either of its spellings: the wire's, or that of Python programs."""
    return next((part[name] for name in names if isinstance(part.get(name), dict)), None)


# What all of them share


def _paired(thread: Thread, call_id: object, tool: object) -> str | None:
    """Find the call that a result is of: by its id, else the oldest one of that tool."""
    return _string(call_id) or thread.waiting(_string(tool))


def _blocks(content: object) -> list[Json]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return _dicts(content) if isinstance(content, list) else []


def _texts(blocks: list[Json]) -> list[str]:
    texts: list[Any] = [block.get("text") for block in blocks if block.get("type") in _TEXTS]
    texts += [block.get("refusal") for block in blocks if block.get("type") == "refusal"]
    return [text for text in texts if isinstance(text, str) and text]


def _dicts(value: object) -> list[Json]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
