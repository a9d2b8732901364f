"""A small codec of the protocol in the standard library: the implementation behind `minimal.py`.

Written from the text of the specification alone, so that the suite has two implementations which
share no code. It leaves the memory records out.
"""

import base64
import datetime
import hashlib
import itertools
import json
import re
from typing import Any

# Shapes: fields with their marks – "?" optional, "=" has a default, "*" a list, "#" hashed – and
# what they hold: INT, PERCENT, BOOL, a shape, or a pattern. SHAPE.WORD goes on where the first
# field says WORD.
TABLE = """
event kind:correction|error|environment|surprise|note|session|handback v at:TIME id= cwd?
 source:owner|tool|agent|external session?:.{0,1024} agent?:.{0,1024} project?:.{0,1024}
 ref?:.{0,200}
event.correction said# cause:message|refusal|steering|comment agent_did?
 ended?:offer|waiting|question evidence?:cue|model|refusal confidence?:PERCENT candidate=:BOOL
event.error tool#:.{1,1024} description?# call?# fixed? failure#:.+
event.environment tool#:.{1,1024} description?# call?# failure#:.+
event.surprise statement#:.+ said_by=:agent
event.note text#:.+ layer=:semantic|identity|procedural trigger? valid_from?:TIME valid_until?:TIME
 supersedes?:[a-z2-7]{32}
event.session gist turns:INT started:TIME ended:TIME
event.handback act#:offer|waiting|question action?# said?
 answer:corrected|declined|approved|other
session type:session v id:.{1,1024} agent:.{1,1024} project? cwd? parent? started:TIME ended:TIME
 turns*:turn
turn role:person|agent at:TIME text
turn.person via=:prompt|steering|refusal|comment|command
turn.agent calls=*:call
call id:.{0,1024} tool:.{0,1024} description= input= result:result
result status:ok|failed|refused|interrupted|collateral|missing|unknown text=
"""
TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?!24)[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z"
LINES = re.findall(r"(\S+) (.+)", TABLE.replace("\n ", " ").replace("TIME", TIME))
SHAPES = {name: re.findall(r"(\w+)([?=*#]*):?(\S*)", fields) for name, fields in LINES}
LIMITS = {"event": 1 << 20, "session": 1 << 28, "record": 1 << 24}
VERSION = r"(0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})"
SPANS = (("started", "ended"), ("valid_from", "valid_until"))


class CodecError(Exception):
    """Holds the code of an error and its place ("": none)."""


class FieldError(Exception):
    """Holds the place of a field that is wrong ("": the record itself)."""


def decode(record: str, line: bytes) -> dict[str, Any]:
    """Return the known fields of a line's record, or {"unknown", "raw"}; raise CodecError."""
    if len(line) > LIMITS[record]:
        raise CodecError("too-large", "")
    try:
        value = parse(line)
    except ValueError:
        raise CodecError("malformed", "") from None
    try:
        check_version(value.get("v"))
        kind = value.get("kind" if record == "event" else "type")
        if unknown(record, kind):
            return {"unknown": kind, "raw": base64.b64encode(line).decode("ascii")}
        return settle(record, known(record, value))
    except FieldError as error:
        raise CodecError(f"invalid-{record}", *error.args) from None


def parse(line: bytes) -> dict[str, Any]:
    """Return the one strict JSON object of a line; raise ValueError."""
    text = line.decode("utf-8")
    brackets = re.sub(r'"(\\.|[^"\\])*"|[^][{}]', "", text)
    levels = itertools.accumulate(1 if mark in "[{" else -1 for mark in brackets)
    if max(levels, default=0) > 64:
        raise ValueError("too deep")
    value = json.loads(
        text, object_pairs_hook=unique, parse_int=whole, parse_float=real, parse_constant=real
    )
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # fails for half a surrogate pair
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a duplicate name")
    return dict(pairs)


def whole(text: str) -> int:
    if abs(int(text)) >= 2**53:
        raise ValueError("an integer out of range")
    return int(text)


def real(text: str) -> float:
    if not abs(float(text)) < float("inf"):  # neither infinite nor NaN
        raise ValueError("a number out of range")
    return float(text)


def check_version(version: Any) -> None:
    if not isinstance(version, str):
        raise FieldError("/v")
    if re.fullmatch(VERSION, version) is None:
        raise CodecError("malformed", "/v")
    if not version.startswith("1."):
        raise CodecError("unsupported-version", "/v")


def unknown(record: str, kind: Any) -> bool:
    named = isinstance(kind, str) and kind != ""
    return record != "session" and named and f"{record}.{kind}" not in SHAPES


def known(shape: str, value: dict[str, Any], at: str = "") -> dict[str, Any]:
    """Return the fields that a shape knows; raise FieldError at the place that is wrong."""
    found: dict[str, Any] = {}
    for name, marks, holds in SHAPES[shape]:
        place, given = f"{at}/{name}", value.get(name)
        if name not in value or (given is None and "?" in marks):
            if not set("?=") & set(marks):
                raise FieldError(at)
        elif "*" not in marks:
            found[name] = check(holds, given, place)
        elif isinstance(given, list):
            found[name] = [check(holds, item, f"{place}/{i}") for i, item in enumerate(given)]
        else:
            raise FieldError(place)
    more = f"{shape}.{found.get(SHAPES[shape][0][0])}"
    return found | known(more, value, at) if more in SHAPES else found


def check(holds: str, value: Any, at: str) -> Any:
    if holds in SHAPES and isinstance(value, dict):
        return known(holds, value, at)
    most = {"INT": 2**53, "PERCENT": 100}.get(holds, -1)
    if (type(value) is int and 0 <= value <= most) or (holds == "BOOL" and type(value) is bool):
        return value
    if not isinstance(value, str) or not re.fullmatch(holds or ".*", value, re.DOTALL):
        raise FieldError(at)
    if holds == TIME:
        try:
            datetime.datetime.fromisoformat(value)
        except ValueError:
            raise FieldError(at) from None
    return value


def settle(record: str, found: dict[str, Any]) -> dict[str, Any]:
    """Check what concerns two fields at once, and the id, which is computed."""
    for first, last in SPANS:
        if first in found and last in found and found[last] < found[first]:
            raise FieldError(f"/{last}")
    if record == "event":
        computed = event_id(found)
        if found.get("id", "") not in ("", computed):
            raise FieldError("/id")
        found["id"] = computed
    return found


def event_id(event: dict[str, Any]) -> str:
    words = [name for name, marks, _ in SHAPES[f"event.{event['kind']}"] if "#" in marks]
    hashed = b"\x01\x00\x00\x00\x0dremem/1/event"
    for name in ("kind", "project", "session", "at", *words):
        data = event.get(name, "").encode("utf-8")
        hashed += b"\x01" + len(data).to_bytes(4, "big") + data if name in event else b"\x00"
    return base64.b32encode(hashlib.sha256(hashed).digest()[:20]).decode("ascii").lower()


def encode(record: str, value: dict[str, Any]) -> bytes:
    """Return a record's line; what was passed through comes back as it came."""
    if "unknown" in value:
        return base64.b64decode(value["raw"])
    checked = decode(record, json.dumps(value).encode("ascii"))
    return json.dumps(checked, ensure_ascii=False).encode("utf-8")


def split(data: bytes) -> list[tuple[int, bytes]]:
    """Return the number and the bytes of each line of a stream that has any."""
    return [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line]


def negotiate(offered: list[str]) -> str:
    """Return the version to speak: 1.0 with anyone whose major is 1."""
    if not any(version.startswith("1.") for version in offered):
        raise CodecError("unsupported-version", "")
    return "1.0"
