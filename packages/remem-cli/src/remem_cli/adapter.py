"""Our adapter for the conformance suite: this implementation over stdin and stdout (ADP).

It only carries values to and from `remem_protocol`. What that gets wrong stays wrong here, and
what it does not expect ends the process, with its traceback on stderr for the suite to show.
"""

import base64
import json
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from remem_protocol import (
    PROTOCOL,
    Event,
    Record,
    RememError,
    Session,
    UnknownEvent,
    UnknownRecord,
    UnsupportedVersionError,
    decode_event,
    decode_events,
    decode_record,
    decode_session,
    encode,
    negotiate,
)
from remem_protocol import __version__ as VERSION  # noqa: N812 - a constant of that package

Value = dict[str, Any]
Decoded = Event | UnknownEvent | Session | Record | UnknownRecord
CONTRACT = 1
DECODERS: dict[str, Callable[[bytes], Decoded]] = {
    "event": decode_event,
    "session": decode_session,
    "record": decode_record,
}


def main(stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> int:
    """Answer one request a line until `stop` or the end of the input; return 0."""
    requests, replies = stdin or sys.stdin.buffer, stdout or sys.stdout.buffer
    for line in requests:
        request = json.loads(line)
        reply = json.dumps({"id": request["id"], **answer(request)}) + "\n"
        replies.write(reply.encode("ascii"))
        replies.flush()
        if request["op"] == "stop":
            break
    return 0


def answer(request: Value) -> Value:
    """Return {"ok": …}, {"error": …} or {"skip": …} for one request."""
    operation = OPERATIONS.get(request["op"])
    if operation is None:
        return {"skip": {"reason": f"no operation {request['op']}"}}
    try:
        return {"ok": operation(request)}
    except RememError as error:
        return {"error": _error(error)}


def _start(request: Value) -> Value:
    if request["adapter"] != CONTRACT:
        raise UnsupportedVersionError(f"this adapter speaks contract {CONTRACT}")
    about = {"name": "remem", "version": VERSION, "language": "Python"}
    ops = [op for op in OPERATIONS if op not in ("start", "reset", "stop")]
    roles = ["codec", "reader", "detector", "store", "sleep", "files", "prime"]
    return {"implementation": about, "protocols": [PROTOCOL], "roles": roles, "ops": ops}


def _decode(request: Value) -> Value:
    given = request["input"]
    return _tree(DECODERS[given["type"]](base64.b64decode(given["raw"])))


def _encode(request: Value) -> Value:
    given, value = request["input"], request["input"]["value"]
    if "unknown" in value:
        passed = UnknownEvent(kind=value["unknown"], raw=base64.b64decode(value["raw"]))
        return {"raw": _base64(encode(passed))}
    return {"raw": _base64(encode(_typed(given["type"], value)))}


def _stream(request: Value) -> list[Value]:
    return [
        {"line": number, "error": _error(found)}
        if isinstance(found, RememError)
        else {"line": number, "ok": _tree(found)}
        for number, found in decode_events(base64.b64decode(request["input"]["raw"]))
    ]


def _id(request: Value) -> Value:
    return {"id": _tree(_typed("event", request["input"]["value"]))["id"]}


def _negotiate(request: Value) -> Value:
    return {"version": negotiate(request["input"]["offered"])}


def _read(request: Value) -> Value:
    from remem_cli.samples import read_files  # what only this operation needs

    given = request["input"]
    files = [(file["path"], base64.b64decode(file["raw"])) for file in given["files"]]
    return read_files(files, given.get("agent"))


def _detect(request: Value) -> list[Value]:
    from remem_core.surprise import detect
    from remem_core.surprise.model import open_judge

    session = decode_session(json.dumps(request["input"]["value"]).encode("ascii"))
    found = detect(session.head, session.turns, open_judge(), candidates=True)
    return [_tree(event) for event in found]


def _stored(name: str) -> Callable[[Value], Any]:
    def operation(request: Value) -> Any:
        from remem_cli import adapter_store  # what only a store needs

        return getattr(adapter_store, name)(request["input"])

    return operation


def _slept(name: str) -> Callable[[Value], Any]:
    def operation(request: Value) -> Any:
        from remem_cli import adapter_sleep  # what only lessons need

        return getattr(adapter_sleep, name)(request["input"])

    return operation


def _rendered(name: str) -> Callable[[Value], Any]:
    def operation(request: Value) -> Any:
        from remem_cli import adapter_files  # what only agents' files need

        return getattr(adapter_files, name)(request["input"])

    return operation


def _primed(name: str) -> Callable[[Value], Any]:
    def operation(request: Value) -> Any:
        from remem_cli import adapter_prime  # what only moments need

        return getattr(adapter_prime, name)(request["input"])

    return operation


def _forget_all(_: Value) -> Value:
    from remem_cli.adapter_prime import TOLD
    from remem_cli.adapter_store import STORE

    STORE.reset()
    TOLD.reset()
    return {}


OPERATIONS: dict[str, Callable[[Value], Any]] = {
    "start": _start,
    "reset": _forget_all,
    "stop": _forget_all,
    "decode": _decode,
    "encode": _encode,
    "stream": _stream,
    "id": _id,
    "negotiate": _negotiate,
    "read": _read,
    "detect": _detect,
    "append": _stored("append"),
    "recall": _stored("recall"),
    "show": _stored("show"),
    "history": _stored("history"),
    "forget": _stored("forget"),
    "export": _stored("export"),
    "import": _stored("import_"),
    "status": _stored("status"),
    "score": _stored("score"),
    "sleep": _slept("sleep"),
    "lessons": _slept("lessons"),
    "predictions": _slept("predictions"),
    "ledger": _slept("ledger"),
    "undo": _slept("undo"),
    "veto": _slept("veto"),
    "unveto": _slept("unveto"),
    "change": _slept("change"),
    "decayed": _slept("decayed"),
    "group": _slept("group"),
    "lesson-id": _slept("lesson_id"),
    "words-hash": _slept("words_hash"),
    "prediction-id": _slept("prediction_id"),
    "render": _rendered("render"),
    "take-out": _rendered("take_out"),
    "prime": _primed("prime"),
    "held-out": _primed("held_out"),
}


def _typed(kind: str, value: Value) -> Decoded:
    return DECODERS[kind](json.dumps(value).encode("ascii"))


def _tree(record: Decoded) -> Value:
    """Return a record as the suite sees it: the JSON of a known one, the bytes of another."""
    if isinstance(record, UnknownEvent):
        return {"unknown": record.kind, "raw": _base64(record.raw)}
    if isinstance(record, UnknownRecord):
        return {"unknown": record.type, "raw": _base64(record.raw)}
    tree: Value = json.loads(encode(record))
    return tree


def _error(error: RememError) -> Value:
    place = {} if error.at is None else {"at": error.at}
    from remem_cli.adapter_sleep import later_change
    from remem_cli.adapter_store import damaged_lines

    more = damaged_lines(error) | later_change(error)
    return {"code": error.code, **place, **more, "message": error.message}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


if __name__ == "__main__":
    sys.exit(main())
