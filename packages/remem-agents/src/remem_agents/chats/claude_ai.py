"""Conversations as Claude.ai exports them: a list of messages that may be a tree in disguise.

Where messages name their parents the list mixes the branches of edited prompts, and the session
is the branch that the person ended on; edits and replies made anew are counted in the notes.
"""

import re
from collections.abc import Iterator

import msgspec

from remem_agents.chats.exports import decoded, format_of
from remem_agents.chats.sessions import Conversation
from remem_agents.chats.thread import Thread, arguments_text
from remem_agents.chats.tree import active_branch, newest_leaf, siblings
from remem_agents.times import wire_time
from remem_agents.transcript import ReadNotes
from remem_agents.turns import Verdict
from remem_protocol import Turn, parse_time

AGENT = "claude-ai"
_NOTHING = msgspec.Raw(b"")


class _Inner(msgspec.Struct, gc=False):
    text: str | None = None


class _Block(msgspec.Struct, gc=False):
    type: str = ""
    text: str | None = None
    id: str | None = None
    name: str | None = None
    integration_name: str | None = None
    input: msgspec.Raw = _NOTHING
    tool_use_id: str | None = None
    content: str | list[_Inner] | None = None
    is_error: bool | None = None


class _Message(msgspec.Struct, gc=False):
    uuid: str | None = None
    sender: str = ""
    text: str | None = None
    content: list[_Block] | None = None
    created_at: str | None = None
    parent_message_uuid: str | None = None
    stop_reason: str | None = None


class _Conversation(msgspec.Struct, gc=False):
    uuid: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    current_leaf_message_uuid: str | None = None
    chat_messages: list[msgspec.Raw] | None = None


_CONVERSATIONS = format_of(_Conversation)
_MESSAGES = format_of(_Message)
_NO_PARENT = "00000000-0000-4000-8000-000000000000"
_SIGN = re.compile(rb'"chat_messages"\s*:\s*\[')
# What an export puts where a tool was used, when it joins the blocks to a text.
_PLACEHOLDER = re.compile(
    r"(?:^```\w*\n)?\s*This block is not supported on your current device yet\.\s*(?:^```$)?",
    re.MULTILINE,
)
_THINKING = re.compile(r"<antThinking>.*?</antThinking>", re.DOTALL)


def recognises(opening: bytes) -> bool:
    """Whether the first bytes of a file are of conversations as Claude.ai exports them."""
    opening = opening.removeprefix(b"\xef\xbb\xbf").lstrip()
    return opening.startswith((b"[", b"{")) and _SIGN.search(opening) is not None


def understand(raw: bytes) -> Conversation | None:
    """Find out about a conversation; None for what is none."""
    found = decoded(raw, _CONVERSATIONS)
    if found is None or found.chat_messages is None:
        return None
    messages = [decoded(bytes(message), _MESSAGES) for message in found.chat_messages]
    tree = _Tree([message for message in messages if message], found.current_leaf_message_uuid)
    return Conversation(
        id=found.uuid,
        version=f"{len(messages)}/{tree.branch[-1] if tree.branch else ''}/{found.updated_at}",
        started=wire_time(found.created_at) or tree.started(),
        turns=tree.turns,
    )


class _Tree:
    """The messages of a conversation by their ids, and the branch that the person ended on."""

    def __init__(self, messages: list[_Message], leaf: str | None) -> None:
        self._messages = {
            message.uuid or f"#{number}": message for number, message in enumerate(messages)
        }
        is_tree = any(message.parent_message_uuid for message in messages)
        self._parents = self._link(is_tree)
        if not is_tree or leaf not in self._parents:
            leaf = newest_leaf(self._parents, self._times(is_tree))
        self.branch = active_branch(self._parents, leaf or "")

    def _link(self, is_tree: bool) -> dict[str, str | None]:
        """Hang each message from its parent, or from the one before it where that is missing."""
        parents: dict[str, str | None] = {}
        before = None
        for key, message in self._messages.items():
            parent = message.parent_message_uuid
            if is_tree and parent in (None, _NO_PARENT):
                parents[key] = None
            else:
                parents[key] = parent if parent in self._messages else before
            before = key
        return parents

    def _times(self, is_tree: bool) -> dict[str, float]:
        """Give the messages' times; those of a list without branches don't count."""
        times = {key: wire_time(message.created_at) for key, message in self._messages.items()}
        return {
            key: parse_time(time).timestamp() if time and is_tree else 0.0
            for key, time in times.items()
        }

    def started(self) -> str | None:
        """When the first message was sent that says so."""
        times = (wire_time(self._messages[key].created_at) for key in self.branch)
        return next(filter(None, times), None)

    def turns(self, started: str, notes: ReadNotes) -> Iterator[Turn]:
        """Give the turns of the branch that the person ended on."""
        self._count_what_was_left(notes)
        thread = Thread(started)
        for key in self.branch:
            message = self._messages[key]
            thread.clock.see(message.created_at)
            thread.end_reply()
            if message.sender == "human":
                thread.say(_text(message))
            elif message.sender == "assistant":
                _agent(thread, message)
            else:
                notes.skipped += 1
            yield from thread.ready()
        yield from thread.ready(final=True)

    def _count_what_was_left(self, notes: ReadNotes) -> None:
        for key, others in siblings(self._parents, self.branch).items():
            sender = self._messages[key].sender
            same = sum(self._messages[other].sender == sender for other in others)
            if sender == "human":
                notes.edits += same
            else:
                notes.regenerations += same


def _agent(thread: Thread, message: _Message) -> None:
    """Take a reply: its results stand beside its calls, paired by order and name."""
    blocks = message.content or []
    results: list[tuple[str, _Block]] = []
    thread.text(_text(message))
    calls = [block for block in blocks if block.type == "tool_use"]
    waiting = [
        (thread.call(_tool(call), arguments_text(call.input), call.id), call) for call in calls
    ]
    for block in blocks:
        if block.type != "tool_result" or not waiting:
            continue
        named = [entry for entry in waiting if entry[1].name == block.name]
        by_id = [entry for entry in waiting if block.tool_use_id and entry[0] == block.tool_use_id]
        entry = (by_id or named or waiting)[0]
        waiting.remove(entry)
        results.append((entry[0], block))
    for call_id, block in results:
        verdict = Verdict("failed" if block.is_error else "ok")
        thread.result(call_id, verdict, _inner_text(block.content))
    if message.stop_reason == "user_canceled":
        thread.interrupt()


def _tool(block: _Block) -> str | None:
    """Name a tool with its integration where it has one."""
    if block.integration_name and block.name:
        return f"{block.integration_name}.{block.name}"
    return block.name


def _text(message: _Message) -> str:
    """Join the text blocks; the message's own text counts only where these say nothing."""
    blocks = message.content or []
    texts = [block.text for block in blocks if block.type in ("text", "voice_note") and block.text]
    text = "\n".join(texts) or _PLACEHOLDER.sub("", message.text or "")
    return _THINKING.sub("", text) if message.sender == "assistant" else text


def _inner_text(content: str | list[_Inner] | None) -> str:
    if isinstance(content, list):
        return "\n".join(inner.text for inner in content if inner.text)
    return content or ""
