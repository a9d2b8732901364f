"""From a reply to a verdict: does it say what the vector expects, and does that count?

Values are compared after a canonical form, in which a field that holds its stated default is
absent (ADP-021): `"via": "prompt"` and no `via` are the same turn. Errors are compared by code,
and by place only where the vector names one. Messages are for people and never compared.
"""

import base64
import binascii
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import UNSET

from remem_conformance.cases import OPS, Case, EntryOf, Expect, ExpectedError, Step
from remem_conformance.neutral import judge_events, judge_sessions
from remem_conformance.partial import CALL_DEFAULTS, EVENT_DEFAULTS, brief, difference
from remem_conformance.primed import judge_primed
from remem_conformance.rendered import judge_rendered
from remem_conformance.slept import entry_of
from remem_conformance.stored import judge_stored
from remem_protocol import MAX_SESSION_BYTES, RememError, decode_object

Verdict = Literal["pass", "fail", "warn", "skip", "xfail", "xpass", "unscored", "not claimed"]
VERDICTS: tuple[Verdict, ...] = (
    "pass", "fail", "warn", "skip", "xfail", "xpass", "unscored", "not claimed",
)  # fmt: skip


def judge(step: Case | Step, reply: dict[str, Any], before: Sequence[Any] = ()) -> str | None:
    """Return what is wrong with a reply, or None when it is what is expected.

    The reply is one that holds no `skip`; `before` are the values of those to earlier steps.
    """
    if ("ok" in reply) == ("error" in reply):
        return "a reply holds exactly one of ok, error and skip"
    expect = step.expect
    refused = UNSET if expect is UNSET else expect.error
    if "error" in reply:
        if refused is UNSET:
            return f"refused: {brief(reply['error'])}"
        return _judge_error(refused, reply["error"], before)
    if refused is not UNSET:
        return f"accepted, expected {refused.code}: {brief(reply['ok'])}"
    if step.op in OPS["sleep"]:
        return judge_stored(step, reply["ok"], before)
    if step.op in OPS["files"]:
        return judge_rendered(step, reply["ok"], before)
    if step.op in OPS["prime"]:
        return judge_primed(step, reply["ok"], before)
    if expect is UNSET:
        return None
    if step.op == "encode":
        return _judge_bytes(expect, reply["ok"])
    if step.op == "read":
        return judge_sessions(expect.match, reply["ok"])
    if step.op == "detect":
        return judge_events(expect, step.input.value or {}, reply["ok"])
    if step.op == "stream":
        return _judge_stream(expect.ok, reply["ok"])
    return _judge_value(expect.ok, reply["ok"])


def settle(
    wrong: str | None, case: Case, *, scored: bool, reason: str | None
) -> tuple[Verdict, str]:
    """Return the verdict of a case that was run, and why, from what was `wrong` with its reply.

    `reason` is the expected-failures file's, None for a case that it does not list.
    """
    if not scored:
        return "unscored", wrong or "would pass"
    if reason is not None:
        return ("xfail", f"{reason}: {wrong}") if wrong else ("xpass", f"listed as: {reason}")
    if wrong is None:
        return "pass", ""
    return ("fail" if case.level == "must" else "warn"), wrong


def canonical(value: Any) -> Any:
    """Return a decoded record without the fields that hold their stated default."""
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("turns"), list):
        return {**value, "turns": [_canonical_turn(turn) for turn in value["turns"]]}
    kind = value.get("kind")
    return _without(value, EVENT_DEFAULTS.get(kind, {}) if isinstance(kind, str) else {})


def _canonical_turn(turn: Any) -> Any:
    if not isinstance(turn, dict):
        return turn
    if turn.get("role") != "agent":
        return _without(turn, {"via": "prompt"})
    calls = turn.get("calls")
    if isinstance(calls, list):
        turn = {**turn, "calls": [_canonical_call(call) for call in calls]}
    return _without(turn, {"calls": []})


def _canonical_call(call: Any) -> Any:
    if not isinstance(call, dict):
        return call
    if isinstance(call.get("result"), dict):
        call = {**call, "result": _without(call["result"], {"text": ""})}
    return _without(call, CALL_DEFAULTS)


def _without(value: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in value.items() if k not in defaults or v != defaults[k]}


def _judge_value(expected: Any, got: Any) -> str | None:
    expected, got = canonical(expected), canonical(got)
    return None if _same(expected, got) else f"expected {brief(expected)}, got {brief(got)}"


def _judge_error(expected: ExpectedError, got: Any, before: Sequence[Any] = ()) -> str | None:
    got = got if isinstance(got, dict) else {}
    if got.get("code") != expected.code:
        return f"expected {expected.code}, got {brief(got)}"
    if expected.at is not UNSET and got.get("at") != expected.at:
        return f"{expected.code} at {got.get('at')!r}, expected at {expected.at!r}"
    if expected.lines is not UNSET:
        wanted = [{"line": number, "code": code} for number, code in expected.lines]
        return difference(wanted, got.get("lines"), "/lines")
    if isinstance(expected.later, EntryOf):
        return difference(entry_of(expected.later, before), got.get("later"), "/later")
    return None


def _judge_bytes(expect: Expect, got: Any) -> str | None:
    """Exact bytes where the case says so, else what strict decoding finds in them."""
    try:
        data = base64.b64decode(got["raw"], validate=True)
    except (binascii.Error, ValueError, TypeError, KeyError):
        return f"no base64 under raw: {brief(got)}"
    if expect.raw is not UNSET:
        wanted = base64.b64decode(expect.raw)
        return None if data == wanted else f"expected the bytes {wanted!r}, got {data!r}"
    try:
        value = decode_object(data, limit=MAX_SESSION_BYTES)
    except RememError as error:
        return f"the encoded bytes do not decode: {error}"
    return _judge_value(expect.ok, value)


def _judge_stream(expected: list[dict[str, Any]], got: Any) -> str | None:
    """Line by line; an entry is a line number with a value or an error."""
    if not isinstance(got, list) or not all(isinstance(entry, dict) for entry in got):
        return f"not a list of lines: {brief(got)}"
    lines, found = [e["line"] for e in expected], [e.get("line") for e in got]
    if lines != found:
        return f"expected lines {lines}, got {found}"
    for want, entry in zip(expected, got, strict=True):
        if "error" in want:
            error = ExpectedError(want["error"]["code"], want["error"].get("at", UNSET))
            wrong = _judge_error(error, entry.get("error"))
        else:
            wrong = _judge_value(want["ok"], entry.get("ok"))
        if wrong:
            return f"line {want['line']}: {wrong}"
    return None


def _same(left: Any, right: Any) -> bool:
    """Equal as JSON: unlike Python's, where true equals 1 (and 1 equals 1.0, also here)."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)
