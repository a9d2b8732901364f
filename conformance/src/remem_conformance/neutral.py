"""What a reader or a detector replied: sound at all, and then as the case has it.

Soundness is asked of every reply, whatever its case is about: sessions and events decode strictly,
ids are right, a session's events end in its summary and carry its head.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from remem_conformance.cases import Expect
from remem_conformance.partial import brief, difference, spelled_event, spelled_session
from remem_protocol import RememError, UnknownEvent, decode_event, decode_session

Value = dict[str, Any]
_HEAD = ("agent", "project", "cwd")


def judge_sessions(expected: Value, got: Any) -> str | None:
    """Compare the sessions of a reply, in any order, and the counts that the case names."""
    if not isinstance(got, dict) or not isinstance(got.get("sessions"), list):
        return f"no list of sessions: {brief(got)}"
    for place, session in enumerate(got["sessions"]):
        if (wrong := _unsound_session(session)) is not None:
            return f"/sessions/{place}: {wrong}"
    ids = [session["id"] for session in got["sessions"]]
    if len(set(ids)) != len(ids):
        return f"two sessions of one id (SES-002): {brief(ids)}"
    counts = {name: value for name, value in expected.items() if name != "sessions"}
    sessions = [spelled_session(session) for session in got["sessions"]]
    return _pair(expected["sessions"], sessions) or difference(counts, got)


def judge_events(expect: Expect, session: Value, got: Any) -> str | None:
    """Check what every list of a session's events must be, then what this one must hold."""
    if not isinstance(got, list):
        return f"not a list of events: {brief(got)}"
    for place, event in enumerate(got):
        if (wrong := _unsound_event(event, session)) is not None:
            return f"/{place}: {wrong}"
    kinds = [event["kind"] for event in got]
    if kinds.count("session") != 1 or kinds[-1] != "session":
        return f"not one session event at the end (EVT-050): {kinds}"
    events = [spelled_event(event) for event in got]
    if expect.match is not UNSET:
        return difference(expect.match, events)
    return _missing(expect.has, events) or _unwanted(expect.lacks, events)


def _pair(expected: Sequence[Value], got: Sequence[Value]) -> str | None:
    """Find for each expected session one of the reply's that is like it."""
    left = list(got)
    for wanted in expected:
        like = next((s for s in left if difference(wanted, s) is None), None)
        if like is None:
            nearest = [s for s in left if s["id"] == wanted.get("id")] or left
            why = difference(wanted, nearest[0]) if nearest else "there is none"
            return f"no session like {brief(wanted)}: {why}"
        left.remove(like)
    return f"sessions that nobody expects: {brief(left)}" if left else None


def _missing(wanted: Sequence[Value], events: Sequence[Value]) -> str | None:
    place = 0
    for entry in wanted:
        later = range(place, len(events))
        found = next((i for i in later if difference(entry, events[i]) is None), None)
        if found is None:
            return f"no event like {brief(entry)} among {brief(events[place:])}"
        place = found + 1
    return None


def _unwanted(unwanted: Sequence[Value], events: Sequence[Value]) -> str | None:
    for entry in unwanted:
        for event in events:
            if difference(entry, event) is None:
                return f"an event like {brief(entry)}: {brief(event)}"
    return None


def _unsound_session(session: Any) -> str | None:
    try:
        decode_session(msgspec.json.encode(session))
    except RememError as error:
        return str(error)
    return None


def _unsound_event(event: Any, session: Value) -> str | None:
    try:
        decoded = decode_event(msgspec.json.encode(event))
    except RememError as error:
        return str(error)
    if isinstance(decoded, UnknownEvent) or event.get("id") != decoded.id:
        return f"no event of this version with its id: {brief(event)}"
    head = {"session": session["id"], **{name: session.get(name) for name in _HEAD}}
    wrong = difference(head, event)
    return f"not of its session (EVT-051): {wrong}" if wrong else None
