"""One pass over a session's turns that puts the judgements together and makes the events."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from remem_core.surprise.corrections import is_correction
from remem_core.surprise.failures import is_shell, judge_call
from remem_core.surprise.fixes import KEPT_CALL, Fixes
from remem_core.surprise.handbacks import judge_answer, judge_closing
from remem_core.surprise.judging import (
    REFUSED,
    CuesAlone,
    Heard,
    Judge,
    Opinion,
    by_cue,
)
from remem_core.surprise.statements import find_statement
from remem_core.surprise.words import clip, without_remem
from remem_protocol import (
    Act,
    AgentTurn,
    Call,
    Cause,
    Correction,
    Environment,
    Event,
    Evidence,
    Failure,
    Handback,
    PersonTurn,
    SessionHead,
    SessionSummary,
    Surprise,
    Turn,
    Via,
)

# Characters that are kept. A person's words are the memory, the rest is there to recognise it by.
_SAID = (6000, 1500)
_FAILURE = (500, 500)
_DESCRIPTION = 300
_ACTION = 300
_REPLY_HEAD, _REPLY_TAIL = 220, 220
_CALLS_LINE = 160
_KEPT_REPLY = 4000
_KEPT_CALLS = 20
_GIST = 240
_ASKING = frozenset({"AskUserQuestion", "request_user_input", "ask_user", "ask_followup_question"})
# The argument that tells a call from its neighbours, wherever it stands among the others.
_TELLING = re.compile(
    r'"(?:file_path|path|notebook_path|pattern|url|query|subject|description|name)" ?: ?"'
    r'((?:[^"\\]|\\.){1,200})'
)
_CAUSES: dict[Via, Cause] = {
    "prompt": "message",
    "command": "message",
    "steering": "steering",
    "refusal": "refusal",
    "comment": "comment",
}


def detect(
    head: SessionHead,
    turns: Iterable[Turn],
    judge: Judge | None = None,
    *,
    candidates: bool = False,
) -> Iterator[Event]:
    """Yield a session's events in the order of its turns, its one SessionSummary last.

    Single pass; holds no more of the turns than a few thousand characters, and events only while
    the fix of a failure may still come. Without a judge the rules alone decide; candidates
    (EVT-045) are yielded when they are asked for.
    """
    fixes = Fixes()
    session = _Session(head, judge or CuesAlone(), candidates, fixes)
    for turn in turns:
        yield from fixes.hear(turn)
        for event in session.hear(turn):
            yield from fixes.add(event)
    for event in session.end():
        yield from fixes.add(event)
    yield from fixes.end()


@dataclass
class _Run:
    """What is kept of the agent's turns since the person last spoke."""

    reply: str = ""
    calls: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT_CALLS))
    refused_at: str | None = None
    asking: bool = False  # what was refused was a question put to the person

    def add(self, turn: AgentTurn) -> None:
        """Take in one reply: its text is now the last, its calls are among the last."""
        if turn.text.strip():
            self.reply = clip(without_remem(turn.text).strip(), _KEPT_REPLY // 2, _KEPT_REPLY // 2)
        self.calls.extend(_brief(call) for call in turn.calls[-_KEPT_CALLS:])

    def described(self) -> str | None:
        """Say what the agent did: how its reply began and ended, and the calls it made."""
        parts = [clip(self.reply, _REPLY_HEAD, _REPLY_TAIL)] if self.reply else []
        if self.calls:
            parts.append("[calls] " + _last_that_fit(self.calls, _CALLS_LINE))
        return "\n".join(parts) or None


class _Session:
    """The state of the pass: the current run, and counts for the summary."""

    def __init__(self, head: SessionHead, judge: Judge, candidates: bool, fixes: Fixes) -> None:
        self._head = head
        self._judge = judge
        self._candidates = candidates
        self._fixes = fixes
        self._run = _Run()
        self._asked = ""
        self._ended = head.started
        self._turns = self._calls = self._surprises = 0

    def hear(self, turn: Turn) -> Iterator[Event]:
        """Judge one turn of either side."""
        if isinstance(turn, AgentTurn):
            yield from self.hear_agent(turn)
        else:
            yield from self.hear_person(turn)

    def hear_agent(self, turn: AgentTurn) -> Iterator[Event]:
        """Judge the calls and the text of one reply."""
        yield from self._bare_refusal()
        self._count(turn)
        self._run.add(turn)
        for call in turn.calls:
            yield from self._call(turn.at, call)
        if (statement := find_statement(turn.text, self._judge)) is not None:
            yield self._seen(
                Surprise(at=turn.at, source="agent", statement=statement, **self._from())
            )

    def hear_person(self, turn: PersonTurn) -> Iterator[Event]:
        """Judge what the person said to the run before it; a new run begins."""
        self._count(turn)
        text = without_remem(turn.text).strip()
        if turn.via == "refusal":
            yield from self._refused(turn, text)
            return  # the run goes on: the agent hears the no and answers it
        yield from self._bare_refusal()
        reply = self._run.reply
        closing = judge_closing(reply) if turn.via in ("prompt", "command") else None
        act = closing[0] if closing else None
        answer = judge_answer(text, act) if act is not None else None
        cue = answer == "corrected" or (answer is None and is_correction(text, turn.via, act))
        opinion = self._opinion(Heard(text, turn.via, reply, act, cue))
        yield from self._judged(turn, text, act, opinion, "cue" if cue else "model")
        if answer in ("corrected", "other"):
            answer = "corrected" if opinion.corrects else "other"
        if closing is not None and answer is not None:
            yield Handback(
                at=turn.at,
                source="owner",
                act=closing[0],
                action=clip(closing[1], _ACTION, 0),
                answer=answer,
                said=clip(text, 300, 0) or None,
                **self._from(),
            )
        if turn.via in ("prompt", "command"):
            self._run = _Run()
            self._asked = self._asked or text

    def _refused(self, turn: PersonTurn, text: str) -> Iterator[Event]:
        """Judge the words that came with a refusal, or that there were none."""
        run = self._run
        run.refused_at = None
        if run.asking:  # turning a dialog away is no correction; words with it are an answer
            cue = is_correction(text, "comment", "question")
            yield from self._judged(turn, text, None, by_cue(cue), "cue")
        elif not text or is_correction(text, "refusal", None):
            yield from self._judged(turn, text, None, REFUSED, "refusal")
        else:  # it asks
            opinion = self._opinion(Heard(text, "refusal", run.reply, None, cue=False))
            yield from self._judged(turn, text, None, opinion, "model")

    def _opinion(self, heard: Heard) -> Opinion:
        return self._judge.judge(heard) if heard.text else Opinion(0)

    def _judged(
        self, turn: PersonTurn, said: str, act: Act | None, opinion: Opinion, evidence: Evidence
    ) -> Iterator[Event]:
        """Give the correction that an opinion makes of a message, or its candidate, or nothing."""
        if not opinion.corrects and not (opinion.candidate and self._candidates):
            return
        event = Correction(
            at=turn.at,
            source="owner",
            said=clip(said, *_SAID),
            cause=_CAUSES[turn.via],
            agent_did=self._run.described(),
            ended=act,
            evidence=evidence,
            confidence=opinion.percent,
            candidate=not opinion.corrects,
            **self._from(),
        )
        yield self._seen(event) if opinion.corrects else event

    def end(self) -> Iterator[Event]:
        """Give the summary. Its `at` is the start, so its id stays while the session grows."""
        yield from self._bare_refusal()
        asked = " ".join(self._asked.split())
        gist = (
            f"{clip(asked, _GIST, 0) or '(no prompt)'} — {_number(self._turns, 'turn')}, "
            f"{_number(self._calls, 'call')}, {_number(self._surprises, 'surprise')}"
        )
        yield SessionSummary(
            at=self._head.started,
            source="tool",
            gist=gist,
            turns=self._turns,
            started=self._head.started,
            ended=self._ended,
            **self._from(),
        )

    def _call(self, at: str, call: Call) -> Iterator[Event]:
        verdict = judge_call(call, self._judge)
        if verdict == "refused":
            self._run.refused_at = at  # one no stops a whole batch: one correction
            self._run.asking = call.tool in _ASKING
        elif verdict in ("error", "environment"):
            kind = Failure if verdict == "error" else Environment
            text = call.result.text.strip()
            event = kind(
                at=at,
                source="tool",
                tool=call.tool or "unknown",
                description=call.description[:_DESCRIPTION] or None,
                call=clip(call.input, *KEPT_CALL) or None,
                failure=clip(text, *_FAILURE) or "failed without output",
                **self._from(),
            )
            self._fixes.seek(event, call)
            yield self._seen(event)
        elif verdict == "ok":
            self._fixes.worked(call)

    def _bare_refusal(self) -> Iterator[Event]:
        """Give the correction of a refusal that no words followed."""
        if (at := self._run.refused_at) is not None:
            self._run.refused_at = None
            if self._run.asking:
                return
            no = PersonTurn(at=at, text="", via="refusal")
            yield from self._judged(no, "", None, REFUSED, "refusal")

    def _count(self, turn: Turn) -> None:
        self._turns += 1
        self._ended = max(self._ended, turn.at)
        if isinstance(turn, AgentTurn):
            self._calls += len(turn.calls)

    def _seen(self, event: Event) -> Event:
        self._surprises += event.kind != "environment"
        return event

    def _from(self) -> dict[str, Any]:
        head = self._head
        return {
            "session": head.id,
            "agent": head.agent,
            "project": head.project,
            "cwd": head.cwd,
        }


def _brief(call: Call) -> str:
    given = call.input[:400]
    if not is_shell(call.tool) and (telling := _TELLING.search(given)) is not None:
        given = telling[1][-60:]
    return f"{call.tool}({' '.join(given[:80].split())})"


def _last_that_fit(calls: Iterable[str], limit: int) -> str:
    chosen: list[str] = []
    for call in reversed(list(calls)):
        limit -= len(call) + 2
        if limit < 0 and chosen:
            break
        chosen.append(call)
    return ", ".join(reversed(chosen))


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
