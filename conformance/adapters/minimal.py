"""A whole adapter to copy: the operations of the role `codec` over stdin and stdout.

Start it with `remem-conformance run --adapter "python minimal.py"`, then put your implementation
where it says `tiny_codec`. In another language keep the loop of `main`: one line in, one line out.
"""

import base64
import json
import sys
from typing import Any

import tiny_codec

Value = dict[str, Any]


def start(_: Value) -> Value:
    """Say who this is, and which roles and operations it takes on."""
    return {
        "implementation": {"name": "minimal", "version": "1.0", "language": "Python"},
        "protocols": ["1.0"],
        "roles": ["codec"],
        "ops": ["decode", "encode", "stream", "id", "negotiate"],
    }


def nothing(_: Value) -> Value:
    """Reset and stop: there is no state to clear and nothing to close."""
    return {}


def decode(given: Value) -> Value:
    return tiny_codec.decode(given["type"], base64.b64decode(given["raw"]))


def encode(given: Value) -> Value:
    line = tiny_codec.encode(given["type"], given["value"])
    return {"raw": base64.b64encode(line).decode("ascii")}


def stream(given: Value) -> list[Value]:
    """Answer for each line of a stream of events by itself."""
    lines = tiny_codec.split(base64.b64decode(given["raw"]))
    return [{"line": number, **attempt(decode_event, line)} for number, line in lines]


def decode_event(line: bytes) -> Value:
    return tiny_codec.decode("event", line)


def identify(given: Value) -> Value:
    event = tiny_codec.decode("event", json.dumps(given["value"]).encode("ascii"))
    return {"id": event["id"]}


def negotiate(given: Value) -> Value:
    return {"version": tiny_codec.negotiate(given["offered"])}


OPS = {
    "start": start,
    "reset": nothing,
    "stop": nothing,
    "decode": decode,
    "encode": encode,
    "stream": stream,
    "id": identify,
    "negotiate": negotiate,
}


def attempt(operation: Any, given: Any) -> Value:
    """Return what an operation gave, or its error with the place where it has one."""
    try:
        return {"ok": operation(given)}
    except tiny_codec.CodecError as error:
        code, at = error.args
        return {"error": {"code": code, "at": at} if at else {"code": code}}


def main() -> None:
    """Answer each line of stdin with one line on stdout; say anything else on stderr."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        reply = attempt(OPS[request["op"]], request.get("input", {}))
        print(json.dumps({"id": request["id"], **reply}), flush=True)
        if request["op"] == "stop":
            break


if __name__ == "__main__":
    main()
