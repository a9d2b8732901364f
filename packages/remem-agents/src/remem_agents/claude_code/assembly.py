"""What each kind of row does to the turns of one session: the middle of the reader."""

from collections.abc import Iterable, Iterator

import msgspec

from remem_agents.claude_code import refusals
from remem_agents.claude_code.answers import typed_answers
from remem_agents.claude_code.names import ASK, SHELLS
from remem_agents.claude_code.rows import Block, Message, Row
from remem_agents.claude_code.steering import Steering
from remem_agents.claude_code.words import (
    Words,
    block_texts,
    inner_texts,
    is_interrupt,
    is_programs,
    may_be_typed,
    words_of_row,
)
from remem_agents.injected import is_own_tool, without_injected
from remem_agents.times import Clock
from remem_agents.transcript import ReadNotes, Seen, clip
from remem_agents.turns import OpenCall, OpenReply, Outcome, TurnQueue, Verdict
from remem_protocol import PersonTurn, Turn

_MAX_ID = 1024


class _Arguments(msgspec.Struct):
    command: str = ""
    description: str = ""


_decode_arguments = msgspec.json.Decoder(_Arguments).decode


class Assembly:
    """One session being read: rows go in, finished turns come out."""

    def __init__(self, started: str, notes: ReadNotes, seen: Seen) -> None:
        self._clock = Clock(started)
        self._notes = notes
        self._seen = seen
        self._turns = TurnQueue()
        self._steering = Steering()
        self._programs = False
        self._in_copy = False

    def turns(self, rows: Iterable[Row]) -> Iterator[Turn]:
        """Give the turns of a session's rows, in order."""
        for row in rows:
            if not self._take(row):
                self._notes.skipped += 1
            elif len(self._turns) > 1:  # the newest may still grow
                yield from self._turns.ready()
        yield from self._turns.ready(final=True)

    def _take(self, row: Row) -> bool:
        """Take in a row; False when its kind holds no turns."""
        if row.type == "assistant" or row.type == "user":
            if row.message is None:
                return False
            if self._is_new(row):
                self._clock.see(row.timestamp)
                (self._agent if row.type == "assistant" else self._user)(row, row.message)
            return True
        if row.type == "attachment":
            return self._attachment(row)
        return row.type == "queue-operation" and self._queue(row)

    def _is_new(self, row: Row) -> bool:
        """Whether this run has not read the row yet, in this file or in the one it copies."""
        self._in_copy = row.uuid is not None and not self._seen.add(row.uuid)
        if self._in_copy:
            self._notes.duplicates += 1
        if row.entrypoint is not None:
            self._programs = is_programs(row)
        return not self._in_copy

    # The agent's side

    def _agent(self, row: Row, message: Message) -> None:
        if row.is_api_error_message or message.model == "<synthetic>":
            return  # the harness speaking in the agent's place
        name = message.id or row.uuid or ""
        reply = self._turns.open_reply(name) or self._turns.begin(name, self._clock.now)
        if isinstance(message.content, str):
            _add_text(reply, message.content)
            return
        for block in message.content or ():
            if block.type == "text" and block.text:
                _add_text(reply, block.text)
            elif block.type == "tool_use" and block.id:
                self._turns.call(reply, _call_of(block))

    # The user rows: results, a person's words, and much that is neither

    def _user(self, row: Row, message: Message) -> None:
        texts = block_texts(message.content)
        if any(is_interrupt(text) for text in texts):
            self._turns.interrupt()
        results = [
            block
            for block in (message.content if isinstance(message.content, list) else ())
            if block.type == "tool_result" and block.tool_use_id
        ]
        if results:
            self._results(row, results, texts)
            return
        words = words_of_row(row, texts)
        if words is not None and not self._steering.repeated(words.text):
            self._say(words)

    def _results(self, row: Row, results: list[Block], texts: list[str]) -> None:
        """Pair the results of a row; the texts beside them are comments on the first."""
        comments = words_of_row(row, texts) if texts else None
        beside = [comments.text] if comments else []
        for block in results:
            outcome = self._outcome(row, block)
            if outcome.verdict.words is None and may_be_typed(row) and row.user_feedback:
                beside.append(row.user_feedback.strip())
            said = {*outcome.comments, outcome.verdict.words}
            outcome.comments += [text for text in dict.fromkeys(beside) if text not in said]
            beside = []
            if not self._turns.result(block.tool_use_id or "", outcome):
                self._notes.duplicates += 1

    def _outcome(self, row: Row, block: Block) -> Outcome:
        tool = self._turns.tool_of(block.tool_use_id or "")
        text = "\n".join(inner_texts(block.content))
        verdict = refusals.judge(row, is_error=bool(block.is_error), text=text, tool=tool)
        if verdict.words is not None and self._is_programs(row):
            verdict = Verdict(verdict.status)  # a program's no
        kept = "" if is_own_tool(tool) else clip(without_injected(text))
        asked = tool == ASK and verdict.status == "ok" and may_be_typed(row)
        answers = typed_answers(row.tool_use_result) if asked else []
        return Outcome(self._clock.now, verdict, kept, answers)

    # What was typed while the agent worked

    def _attachment(self, row: Row) -> bool:
        attachment = row.attachment
        if attachment is None or attachment.type != "queued_command":
            return False
        if self._is_new(row) and not self._is_programs(row) and not row.is_sidechain:
            self._clock.see(row.timestamp)
            self._say(self._steering.attached(attachment))
        return True

    def _queue(self, row: Row) -> bool:
        # The log's rows have no id, so a copied one is known by the rows around it.
        if not self._in_copy and not self._programs:
            self._clock.see(row.timestamp)
            self._say(self._steering.logged(row))
        return True

    def _say(self, words: Words | None) -> None:
        if words is not None:
            self._turns.person(PersonTurn(at=self._clock.now, text=words.text, via=words.via))

    def _is_programs(self, row: Row) -> bool:
        return self._programs or is_programs(row)


def _add_text(reply: OpenReply, text: str) -> None:
    text = clip(without_injected(text).strip())
    if text and text not in reply.texts[-1:]:
        reply.texts.append(text)


def _call_of(block: Block) -> OpenCall:
    """Take the command of a shell as it is, and other arguments as their JSON."""
    raw = bytes(block.input)
    tool = (block.name or "unknown")[:_MAX_ID]
    arguments = _Arguments()
    if tool in SHELLS or b'"description"' in raw:
        try:
            arguments = _decode_arguments(raw)
        except msgspec.MsgspecError:  # a tool of another make with fields of these names
            arguments = _Arguments()
    # The decoder steps over arguments unread, so they may be damaged still.
    given = raw.decode("utf-8", "replace")
    if tool in SHELLS and arguments.command:
        given = arguments.command
    return OpenCall(
        id=(block.id or "")[:_MAX_ID],
        tool=tool,
        description=clip(arguments.description),
        input=clip(without_injected(given)),
    )
