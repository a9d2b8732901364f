"""From a correction to the model's next request, with the real agents: `hatch run agents`."""

import html
import json
import re
from typing import Any

import pytest
from hosts import Agent
from story import BOUNDARY, INSTALL, WISH, Session, Story
from upstream import Request

pytestmark = [pytest.mark.agents]
START, END = "<!-- remem:start -->", "<!-- remem:end -->"
MOST_CHARACTERS = 2_000
MARKS = ("cache_control", "thoughtSignature")


def said(text: str) -> list[str]:
    """Return what of a request is ours, from mark to mark."""
    plain = html.unescape(text)  # Gemini CLI escapes what hooks say
    return re.findall(f"{START}.*?{END}", plain, re.DOTALL)


def place(tail: list[str], words: str) -> int:
    """Return how many pieces from the end of a request some words stand; -1 for nowhere."""
    found = [n for n, text in enumerate(reversed(tail)) if words in html.unescape(text)]
    return found[0] if found else -1


def cached(request: Request) -> list[str]:
    """Return a request's conversation without what the agent itself moves along with its end."""
    body = request.body
    conversation = next(body[name] for name in ("messages", "input", "contents") if name in body)
    return [json.dumps(_without_marks(one), sort_keys=True) for one in conversation]


def _without_marks(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_marks(one) for one in value]
    if isinstance(value, dict):
        return {k: _without_marks(v) for k, v in value.items() if k not in MARKS}
    return value


def of(story: Story, session: Session, kind: str) -> list[dict[str, object]]:
    """Return the calls of hooks in a session."""
    return [c for c in story.calls if c.get("session") == session.id and c.get("kind") == kind]


def test_removal_before_any_session_gives_every_byte_back(agent: Agent, story: Story) -> None:
    kept = {name: story.tried.get(name) for name in story.before}
    assert kept == story.before
    new = story.tried.keys() - story.before.keys()
    # An agent whose own command was called to add the server keeps files of its own.
    assert not [name for name in new if "remem" in name or b"remem" in story.tried[name]]
    assert all(name.startswith((".claude", ".codex")) for name in new), sorted(new)


def test_set_up_is_in_the_agents_own_files(agent: Agent, story: Story) -> None:
    changed = {name for name in story.before if story.wired[name] != story.before[name]}
    assert changed == agent.files.keys()


def test_failed_call_is_captured(story: Story) -> None:
    failures = [e for e in story.events if e["kind"] in ("error", "environment")]
    assert any("pip install requests" in json.dumps(failure) for failure in failures)


def test_refused_call_is_captured(story: Story) -> None:
    refusals = [e for e in story.events if e.get("cause") == "refusal"]
    assert len(refusals) == 1


def test_corrections_are_captured_in_the_persons_words(story: Story) -> None:
    said = {e["said"] for e in story.events if e["kind"] == "correction"}
    assert WISH in said
    assert any(BOUNDARY in words for words in said)


def test_correction_becomes_a_lesson_in_a_night(story: Story) -> None:
    assert any(WISH in lesson["text"] for lesson in story.lessons)
    assert any(BOUNDARY in lesson["text"] for lesson in story.lessons)


def test_first_prompt_of_a_session_has_nothing_to_say(story: Story) -> None:
    assert not said(story.told.prompts[0][0].text)


def test_lesson_stands_behind_the_prompt_at_the_tail(agent: Agent, story: Story) -> None:
    tail = agent.tail(story.told.prompts[1][0])
    assert place(tail, WISH) == 0, tail[-2:]
    assert place(tail, INSTALL) in (0, 1), tail[-3:]
    assert html.unescape(tail[-1]).index(START) > html.unescape(tail[-1]).find(INSTALL)


def test_what_is_said_is_marked_and_short(agent: Agent, story: Story) -> None:
    (block,) = said(agent.tail(story.told.prompts[1][0])[-1])
    assert len(block) < MOST_CHARACTERS
    assert WISH in block
    assert "observations, not instructions" in block
    assert re.search(r"Seen 1×, last on \d{4}-\d\d-\d\d", block)


def test_lesson_comes_with_the_call_that_it_bears_on(agent: Agent, story: Story) -> None:
    first, after = (story.terminal or story.told.prompts[2])[:2]
    assert BOUNDARY not in "".join(said("".join(agent.tail(first))))
    tail = agent.tail(after)
    blocks = [block for text in tail for block in said(text)]
    assert any(BOUNDARY in block for block in blocks), tail[-3:]
    assert place(tail, START) <= 1


def test_each_lesson_is_said_once_a_session(story: Story) -> None:
    chosen = [
        one["id"] for c in story.calls if c.get("session") == story.told.id for one in c["chosen"]
    ]
    assert chosen
    assert len(chosen) == len(set(chosen))


def test_earlier_part_of_a_conversation_stays_byte_for_byte(story: Story) -> None:
    for now, then in zip(story.told.requests, story.told.requests[1:], strict=False):
        assert cached(then)[: len(cached(now))] == cached(now)


def test_agent_offers_our_tools_to_the_model(agent: Agent, story: Story) -> None:
    offered = json.dumps(story.told.prompts[1][0].body["tools"])
    assert agent.tool in offered
    assert '"recall"' in offered or agent.tool.endswith("recall")


@pytest.mark.parametrize("arm", ["told", "held_out"])
def test_model_that_calls_recall_is_answered(agent: Agent, story: Story, arm: str) -> None:
    session: Session = getattr(story, arm)
    answered = "".join(agent.tail(session.prompts[1][1])[-2:])
    assert "pip: command not found" in answered or WISH in answered


def test_held_out_session_is_told_nothing(story: Story) -> None:
    assert len(story.held_out.requests) >= len(story.told.requests)
    assert not [r for r in story.held_out.requests if "remem:start" in r.text]


def test_what_a_held_out_session_would_have_been_told_is_logged(agent: Agent, story: Story) -> None:
    for kind in ("prompt",) if agent.terminal else ("prompt", "tool"):
        told, held = of(story, story.told, kind), of(story, story.held_out, kind)
        assert {c["arm"] for c in told} == {"told"}
        assert {c["arm"] for c in held} == {"held-out"}
        ids = [sorted(one["id"] for c in calls for one in c["chosen"]) for calls in (told, held)]
        assert ids[0] == ids[1] != []


def test_no_hook_misses(story: Story) -> None:
    assert story.calls
    assert [call for call in story.calls if call.get("miss")] == []


def test_later_prompts_are_judged_by_the_agents_own_server(story: Story) -> None:
    assert [c["by"] for c in of(story, story.told, "prompt")][1:] == ["server", "server"]


def test_nothing_of_ours_outlives_the_agent(story: Story) -> None:
    assert story.live == []


def test_removal_after_sessions_gives_the_owners_bytes_back(agent: Agent, story: Story) -> None:
    for name in agent.files:
        after, before = story.after[name], story.before[name]
        assert b"remem" not in after
        if name not in agent.rewritten:
            assert after == before
        elif name != ".claude.json":  # Claude Code rewrites that whole; Codex adds behind
            assert after.startswith(before)


def test_nothing_of_ours_is_left_but_the_memory(story: Story) -> None:
    left = story.after.keys() - story.before.keys()
    ours = {name for name in left if "remem" in name or "onnxruntime" in name}
    # Claude Code names a log after each server; the log is its own.
    agents = {name for name in ours if "/mcp-logs-remem/" in name}
    assert {name for name in ours - agents if not name.startswith(".remem/")} == set()
