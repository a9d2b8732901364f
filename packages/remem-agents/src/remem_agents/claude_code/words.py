"""Which user rows are a person's words, and what of their text the person typed.

The harness writes much in the person's name: notices, command output, hook texts, summaries,
the plan that the agent itself wrote. Where a row says who wrote it, that decides; then tags do.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from remem_agents.claude_code.names import INTERRUPTED
from remem_agents.claude_code.rows import Attachment, Block, Inner, Origin, Row
from remem_agents.injected import without_injected
from remem_protocol import Via

_TYPED_SOURCES = frozenset({"typed", "queued"})
# Beside or around what was typed: taken out, the rest is the person's.
_AROUND = (
    "system-reminder|ide_opened_file|ide_selection|ide_diagnostics|user-prompt-submit-hook"
    "|post-tool-use-hook|total_tokens"
)
_AROUND_BLOCK = re.compile(rf"<({_AROUND})\b[^>]*>.*?</\1>", re.DOTALL)
# A text that starts so has nothing of the person's in it.
_NOT_TYPED = re.compile(
    rf"""<(?:{_AROUND}
        |local-command-(?:caveat|stdout|stderr)
        |bash-(?:input|stdout|stderr|exit-code)
        |task-notification|teammate-message|agent-message|cross-session-message
        |coordinator-relay|channel(?=\ source=)|tick|user-memory-input|mcp-resource-update
        |fork-boilerplate|fetched-web-content)\b
    |Caveat:\ The\ messages\ below\ were\ generated
    |This\ session\ is\ being\ continued\ from\ a\ previous\ conversation
    |[A-Z]\w*(?::\w+)?\ hook\ feedback:
    |Base\ directory\ for\ this\ skill
    |\[SYSTEM\ NOTIFICATION\ -\ NOT\ USER\ INPUT\]
    |\{{"task_id":""",
    re.VERBOSE,
)
_COMMAND = re.compile(r"<command-(?:name|message|args)>")
_COMMAND_ARGS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_TYPED_COMMAND = re.compile(r"/[\w:.-]+(?:\s+(.*))?\Z", re.DOTALL)
# A plan accepted with a fresh context comes back as a user row; only the remark is the person's.
_PLAN = "Implement the following plan:\n\n"
_PLAN_REMARK = re.compile(r"\n\s*User feedback on this plan:\s*(.*)\Z", re.DOTALL)


class Words(NamedTuple):
    """What a person typed, and how it came."""

    text: str
    via: Via


def is_programs(row: Row) -> bool:
    """Whether the row's session is driven by a program, so that its prompts are a program's."""
    return row.entrypoint is not None and row.entrypoint.startswith("sdk")


def may_be_typed(row: Row) -> bool:
    """Whether nothing on the row says that a program wrote it."""
    flagged = (
        row.is_sidechain
        or row.is_meta
        or row.is_compact_summary
        or row.is_visible_in_transcript_only
        or row.is_virtual
        or row.ephemeral
        or row.turn_companion
        or row.text_not_typed
        or row.scheduled_task_id
        or row.wakeup_source
    )
    if flagged or is_programs(row) or not _is_human(row.origin):
        return False
    # Whatever comes through a pipe is `sdk`, from an editor's extension too: the entrypoint tells.
    if row.prompt_source == "sdk":
        return row.entrypoint is not None
    return row.prompt_source is None or row.prompt_source in _TYPED_SOURCES


def _is_human(origin: Origin | str | None) -> bool:
    kind = origin.kind if isinstance(origin, Origin) else origin
    return kind is None or kind == "human"


def words_of_row(row: Row, texts: Sequence[str]) -> Words | None:
    """Find what the person typed in the texts of a user row."""
    if not may_be_typed(row):
        return None
    if row.plan_content is not None or (texts and texts[0].startswith(_PLAN)):
        remark = _PLAN_REMARK.search("\n".join(texts))
        return Words(remark[1].strip(), "prompt") if remark and remark[1].strip() else None
    return _joined(texts, "prompt")


def words_of_attachment(attachment: Attachment) -> Words | None:
    """Find what the person typed in a command that was queued while the agent worked."""
    if attachment.type != "queued_command" or attachment.is_meta:
        return None
    if attachment.command_mode not in (None, "prompt") or not _is_human(attachment.origin):
        return None
    return words_of_queue(attachment.prompt)


def words_of_queue(content: str | list[Inner] | None) -> Words | None:
    """Find what the person typed in an entry of the queue."""
    words = _joined(inner_texts(content), "steering")
    if words is not None and (command := _TYPED_COMMAND.match(words.text)):
        return Words(command[1].strip(), "command") if command[1] else None
    return words


def _joined(texts: Sequence[str], via: Via) -> Words | None:
    found = [words for text in texts if (words := _typed_in(text, via)) is not None]
    if not found:
        return None
    return Words("\n".join(words.text for words in found), found[0].via)


def _typed_in(text: str, via: Via) -> Words | None:
    text = without_injected(text, cut_open_end=False)
    if "<" in text:
        text = _AROUND_BLOCK.sub("", text)
    text = text.strip()
    if not text or is_interrupt(text) or _NOT_TYPED.match(text):
        return None
    if _COMMAND.match(text):
        args = _COMMAND_ARGS.search(text)
        return Words(args[1].strip(), "command") if args and args[1].strip() else None
    return Words(text, via)


def is_interrupt(text: str) -> bool:
    """Whether a text is the harness's mark that the agent was stopped."""
    return text.startswith(INTERRUPTED)


def block_texts(content: str | list[Block] | None) -> list[str]:
    """List the texts of a message's content."""
    if isinstance(content, list):
        return [block.text for block in content if block.type == "text" and block.text]
    return [content] if content else []


def inner_texts(content: object) -> list[str]:
    """List the texts inside a result or a queued prompt."""
    if isinstance(content, str):
        return [content] if content else []
    if isinstance(content, list):
        return [part.text for part in content if isinstance(part, Inner) and part.text]
    return []
