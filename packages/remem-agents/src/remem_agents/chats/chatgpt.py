"""Conversations as ChatGPT exports them: a tree of messages, of which one branch is the session.

The session is the branch that the person ended on. A prompt that was edited appears as its final
words alone, and a reply that was made anew as the one that was kept: a Session has no place for
what a person took back, so the notes count these (`edits`, `regenerations`).
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from remem_agents.chats.exports import decoded, format_of
from remem_agents.chats.sessions import Conversation
from remem_agents.chats.thread import Thread
from remem_agents.chats.tree import active_branch, newest_leaf, siblings
from remem_agents.times import wire_time
from remem_agents.transcript import ReadNotes
from remem_agents.turns import Verdict
from remem_protocol import Turn

AGENT = "chatgpt"
_NOTHING = msgspec.Raw(b"")
Stamp = str | int | float | None


class _Author(msgspec.Struct, gc=False):
    role: str = ""
    name: str | None = None


class _Part(msgspec.Struct, gc=False):
    """An object among a message's parts; a voice's words are its text, an image has none."""

    text: str | None = None


class _Content(msgspec.Struct, gc=False):
    content_type: str = "text"
    parts: list[str | _Part | None] | None = None
    text: str | None = None
    result: str | None = None


class _Aggregate(msgspec.Struct, gc=False):
    """How a run of code ended."""

    status: str | None = None
    in_kernel_exception: Any = None


class _Finish(msgspec.Struct, gc=False):
    type: str | None = None


class _Metadata(msgspec.Struct, gc=False):
    is_visually_hidden_from_conversation: bool | None = None
    is_user_system_message: bool | None = None
    aggregate_result: _Aggregate | None = None
    finish_details: _Finish | None = None


class _Message(msgspec.Struct, gc=False):
    author: _Author = msgspec.field(default_factory=_Author)
    create_time: Stamp = None
    content: _Content = msgspec.field(default_factory=_Content)
    weight: float | None = None
    recipient: str | None = None
    metadata: _Metadata | None = None


class _Node(msgspec.Struct, gc=False):
    parent: str | None = None
    message: msgspec.Raw = _NOTHING


class _Time(msgspec.Struct, gc=False):
    create_time: Stamp = None


class _Conversation(msgspec.Struct, gc=False):
    id: str | None = None
    conversation_id: str | None = None
    create_time: Stamp = None
    update_time: Stamp = None
    current_node: str | None = None
    mapping: dict[str, msgspec.Raw] | None = None


_CONVERSATIONS = format_of(_Conversation)
_NODES = format_of(_Node)
_MESSAGES = format_of(_Message)
_TIMES = format_of(_Time)
# Instructions that the person gave once for all, shown to the model as a message of theirs.
_NOT_SAID = frozenset({"user_editable_context", "model_editable_context"})
_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_SIGN = re.compile(rb'"mapping"\s*:\s*\{')
_NODE_SIGN = re.compile(rb'"(?:parent|current_node)"\s*:')


def recognises(opening: bytes) -> bool:
    """Whether the first bytes of a file are of conversations as ChatGPT exports them."""
    opening = opening.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not opening.startswith((b"[", b"{")):
        return False
    return _SIGN.search(opening) is not None and _NODE_SIGN.search(opening) is not None


def understand(raw: bytes) -> Conversation | None:
    """Find out about a conversation; None for what is none."""
    found = decoded(raw, _CONVERSATIONS)
    if found is None or not found.mapping:
        return None
    tree = _Tree(found.mapping, found.current_node)
    return Conversation(
        id=found.conversation_id or found.id,
        version=f"{len(found.mapping)}/{tree.branch[-1]}/{found.update_time}",
        started=wire_time(found.create_time) or tree.started(),
        turns=tree.turns,
    )


class _Tree:
    """The messages of a conversation, decoded only where they are needed."""

    def __init__(self, mapping: dict[str, msgspec.Raw], current: str | None) -> None:
        self._nodes = {key: decoded(bytes(raw), _NODES) or _Node() for key, raw in mapping.items()}
        self._parents = {key: node.parent for key, node in self._nodes.items()}
        if current not in self._nodes:
            current = newest_leaf(self._parents, self._times()) or next(iter(self._nodes))
        self.branch = active_branch(self._parents, current or "")

    def started(self) -> str | None:
        """When the first message was sent that says so."""
        times = (wire_time(self._time(key)) for key in self.branch)
        return next(filter(None, times), None)

    def turns(self, started: str, notes: ReadNotes) -> Iterator[Turn]:
        """Give the turns of the branch that the person ended on."""
        self._count_what_was_left(notes)
        thread = _Reading(started)
        for key in self.branch:
            message = self._message(key)
            if message is None or not thread.take(key, self._parents[key], message):
                notes.skipped += 1
            yield from thread.ready()
        yield from thread.ready(final=True)

    def _message(self, key: str) -> _Message | None:
        raw = bytes(self._nodes[key].message)
        return decoded(raw, _MESSAGES) if self._has_message(key) else None

    def _has_message(self, key: str) -> bool:
        return bytes(self._nodes[key].message) not in (b"", b"null")

    def _time(self, key: str) -> Stamp:
        raw = bytes(self._nodes[key].message)
        found = decoded(raw, _TIMES) if self._has_message(key) else None
        return found.create_time if found else None

    def _times(self) -> dict[str, float]:
        times = {key: self._time(key) for key in self._nodes if self._has_message(key)}
        return {key: time if isinstance(time, int | float) else 0 for key, time in times.items()}

    def _count_what_was_left(self, notes: ReadNotes) -> None:
        for key, others in siblings(self._parents, self.branch).items():
            kept = self._message(key)
            for other in others:
                left = self._message(other)
                if kept is None or left is None or _is_hidden(left):
                    continue
                if kept.author.role == left.author.role == "user":
                    notes.edits += 1
                elif kept.author.role == left.author.role == "assistant":
                    notes.regenerations += 1


class _Reading(Thread):
    """A branch being read; a result has no id, so it is found by the message it hangs from."""

    def __init__(self, started: str) -> None:
        super().__init__(started)
        self._calls: dict[str, tuple[str, str]] = {}

    def take(self, key: str, parent: str | None, message: _Message) -> bool:
        """Take in the next message of the branch; False for one that was not said."""
        role, content = message.author.role, message.content
        is_hidden = _is_hidden(message)
        if role == "tool":
            self.clock.see(message.create_time)
            self._tool(key, parent, message, "" if is_hidden else _text(content))
            return True
        if is_hidden or role not in ("user", "assistant") or content.content_type in _THOUGHTS:
            return False
        self.clock.see(message.create_time)
        if role == "user":
            self.say(_text(content))
        elif message.recipient not in (None, "all"):
            self._calls[key] = self.call(message.recipient, _text(content)), message.recipient or ""
        else:
            self.text(_text(content))
        if _was_stopped(message):
            self.interrupt()
        return True

    def _tool(self, key: str, parent: str | None, message: _Message, text: str) -> None:
        tool = message.author.name or ""
        found = self._calls.get(parent or "")
        if found is None or not _is_of(tool, found[1]):
            waiting = [entry for entry in self._calls.values() if _is_of(tool, entry[1])]
            found = waiting[0] if waiting else found
        if found is None:  # a tool that the program called by itself
            found = self.call(tool, ""), tool
        self._calls = {name: entry for name, entry in self._calls.items() if entry != found}
        self.result(found[0], Verdict("failed" if _failed(message) else "ok"), text)


def _is_of(tool: str, recipient: str) -> bool:
    """Whether a tool is the one addressed: `browser` answers for `browser.search`."""
    return tool.split(".")[0] == recipient.split(".")[0]


def _is_hidden(message: _Message) -> bool:
    metadata = message.metadata or _Metadata()
    return bool(
        message.weight == 0
        or metadata.is_visually_hidden_from_conversation
        or metadata.is_user_system_message
        or message.content.content_type in _NOT_SAID
    )


def _was_stopped(message: _Message) -> bool:
    details = message.metadata.finish_details if message.metadata else None
    return details is not None and details.type == "interrupted"


def _failed(message: _Message) -> bool:
    if message.content.content_type == "system_error":
        return True
    aggregate = message.metadata.aggregate_result if message.metadata else None
    if aggregate is None:
        return False
    return aggregate.status not in (None, "success") or aggregate.in_kernel_exception is not None


def _text(content: _Content) -> str:
    texts = [part.text if isinstance(part, _Part) else part for part in content.parts or ()]
    return "\n".join(filter(None, texts)) or content.text or content.result or ""
