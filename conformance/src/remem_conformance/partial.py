"""Comparing with a partial value: what a case names must be so, what it leaves out may be anything.

A reader and a detector have leave in much – how results are spelled, how long a text is kept – so
their cases name what the specification settles and nothing else.
"""

import json
from typing import Any

_TURN_DEFAULTS: dict[str, dict[str, Any]] = {"person": {"via": "prompt"}, "agent": {"calls": []}}
CALL_DEFAULTS = {"description": "", "input": ""}
EVENT_DEFAULTS: dict[str, dict[str, Any]] = {
    "note": {"layer": "semantic"},
    "surprise": {"said_by": "agent"},
    "correction": {"candidate": False},
}


def difference(expected: Any, got: Any, at: str = "") -> str | None:
    """Return where and how a value is not as named, or None; None in `expected` is absence."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for name, wanted in expected.items():
            if (wrong := difference(wanted, got.get(name), f"{at}/{name}")) is not None:
                return wrong
        return None
    if isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            return f"{at or '/'}: {len(got)} entries, expected {len(expected)}: {brief(got)}"
        pairs = enumerate(zip(expected, got, strict=True))
        wrongs = (difference(want, entry, f"{at}/{i}") for i, (want, entry) in pairs)
        return next((wrong for wrong in wrongs if wrong is not None), None)
    if type(expected) is type(got) and expected == got:
        return None
    return f"{at or '/'}: {brief(got)}, expected {brief(expected)}"


def spelled_session(session: dict[str, Any]) -> dict[str, Any]:
    """Return a sound session with its defaults spelled out and what is left open taken off.

    White space around words, and what stands for half of a surrogate pair, may be there or not
    (SES-013); arguments that are JSON are the same in any spelling (SES-023).
    """
    return {**session, "turns": [_spelled_turn(turn) for turn in session["turns"]]}


def spelled_event(event: dict[str, Any]) -> dict[str, Any]:
    """Return a sound event with its defaults spelled out."""
    return {**EVENT_DEFAULTS.get(event["kind"], {}), **event}


def plain_words(text: str) -> str:
    """Return a text without what SES-013 leaves open."""
    return text.replace("\ufffd", "").strip()


def plain_input(text: str) -> str:
    """Return a call's input, JSON in one spelling."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else text


def brief(value: Any) -> str:
    """Return a value for a report, cut in the middle when it is long."""
    text = repr(value)
    return text if len(text) <= 400 else f"{text[:300]} … {text[-80:]}"


def _spelled_turn(turn: dict[str, Any]) -> dict[str, Any]:
    turn = {**_TURN_DEFAULTS[turn["role"]], **turn, "text": plain_words(turn["text"])}
    if "calls" in turn:
        turn["calls"] = [_spelled_call(call) for call in turn["calls"]]
    return turn


def _spelled_call(call: dict[str, Any]) -> dict[str, Any]:
    call = {**CALL_DEFAULTS, **call, "result": {"text": "", **call["result"]}}
    return {**call, "input": plain_input(call["input"])}
