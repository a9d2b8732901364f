"""A small store in memory, in the standard library: the implementation behind `minimal_store.py`.

Written from the text of the specification alone, on `tiny_codec`, so that the suite has two stores
which share no code. It knows words but no meanings, reads no sessions and redacts no secrets:
`minimal_store.expected` says which cases it fails for that.
"""

import base64
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import tiny_codec

Value = dict[str, Any]
ORDER = {
    "tombstone": ("key",), "veto": ("hash",), "session-entry": ("started", "id"),
    "episode": ("at", "id"), "lesson": ("created", "id"), "prediction": ("made", "id"),
    "alias": ("old",), "ledger": ("seq",),
}  # fmt: skip
NAMES = {"episode": "id", "tombstone": "key", "veto": "hash", "alias": "old"}


class Store:
    """Records by type and name; an episode has its event beside it, under `told`."""

    def __init__(self) -> None:
        self.records: dict[str, dict[Any, Value]] = {type_: {} for type_ in ORDER}

    def episodes(self) -> list[Value]:
        return list(self.records["episode"].values())

    def put(self, record: Value) -> str:
        """Store a record that is not there; tell whether it was `new` or `known`."""
        there = self.records[record["type"]]
        name = record[NAMES.get(record["type"], "id")]
        if name in there:
            return "known"
        there[name] = record
        return "new"

    def log(self, at: str, verb: str, why: str) -> None:
        seq = len(self.records["ledger"]) + 1
        entry = {"type": "ledger", "v": "1.0", "seq": seq, "at": at, "verb": verb}
        self.records["ledger"][seq] = {**entry, "subject": "", "why": why}

    # -- taking in

    def fold(self, event: Value, /, **more: Any) -> str:
        """Make an episode of a decoded event; tell what became of it."""
        if "unknown" in event:
            return "unknown"
        if self.buried(event):
            return "forgotten"
        twins = {twin(e["told"]) for e in self.episodes() if e["id"] != event["id"]}
        if event["id"] not in self.records["episode"] and twin(event) in twins:
            return "copies"
        line = json.dumps(event, ensure_ascii=False)
        head = {"type": "episode", "v": "1.0", "id": event["id"], "kind": event["kind"]}
        if event.get("candidate"):
            more = {"archived": more["created"], **more}
        kept = {"strength": 1.0, "recalls": 0, **more}
        return self.put({**head, "event": line, **kept, "told": event})

    def buried(self, event: Value) -> bool:
        keys = {event["id"], twin(event)}
        keys |= {content_id("remem/1/forgotten", scope, event[scope])
                 for scope in ("session", "project") if scope in event}  # fmt: skip
        return any(
            (stone["key"] in keys or stone["scope"] == "time") and spans(stone, event["at"])
            for stone in self.records["tombstone"].values()
        )

    # -- giving back

    def recall(self, given: Value) -> list[Value]:
        asked = given["query"].casefold()
        words = set(parts(asked))
        at = str(given.get("at", given["now"]))
        found = []
        for episode in self.episodes():
            event = episode["told"]
            if self.allowed(episode, given, at) and (near := nearness(event, asked, words)):
                found.append((near, event["at"], episode))
        found.sort(key=lambda hit: hit[:2], reverse=True)
        best = [episode for _, _, episode in found[: given.get("limit", 8)]]
        for episode in best:
            raised = min(episode["strength"] + 0.1, 2.0)
            episode["strength"] = max(episode["strength"], raised)
            episode["recalls"] += 1
            episode["touched"] = given["now"]
        return [hit(episode["told"]) for episode in best]

    def allowed(self, episode: Value, given: Value, at: str) -> bool:
        event = episode["told"]
        start, end = self.validity(event)
        lists = (("kinds", "kind"), ("layers", "layer"), ("agents", "agent"))
        return (
            (given.get("archived", False) or not episode.get("archived"))
            and self.in_scope(event, given.get("project"))
            and event["at"] <= at
            and start <= at < end
            and given.get("since", "") <= event["at"] < given.get("until", "~")
            and all(layered(event).get(one) in given[many] for many, one in lists if many in given)
        )

    def in_scope(self, event: Value, project: str | None) -> bool:
        ours = event.get("project", project if event["kind"] == "note" else None)
        return project is None or ours == project

    def validity(self, event: Value) -> tuple[str, str]:
        """Return from when on a thing holds, and until when."""
        closing = [
            other.get("valid_from", other["at"])
            for other in (episode["told"] for episode in self.episodes())
            if other.get("supersedes") == event["id"]
            and other.get("project") == event.get("project")
        ]
        return event.get("valid_from", ""), event.get("valid_until", min(closing, default="~"))

    def get(self, id_: str) -> Value:
        if id_ not in self.records["episode"]:
            raise tiny_codec.CodecError("not-found", "")
        return self.records["episode"][id_]

    def history(self, id_: str) -> list[Value]:
        chain = [self.get(id_)["told"]]
        while (id_ := chain[0].get("supersedes", "")) in self.records["episode"]:
            chain.insert(0, self.get(id_)["told"])
        others = [episode["told"] for episode in self.episodes()]
        while later := [e for e in others if e.get("supersedes") == chain[-1]["id"]]:
            chain.append(later[0])
        return [self.get(event["id"]) for event in chain]

    # -- letting go

    def forget(self, given: Value) -> int:
        """Forget what is named; return how many episodes went."""
        now, stones = given["now"], []
        if "id" in given:
            gone = [self.get(given["id"])]
        elif "since" in given:
            gone = [e for e in self.episodes() if e["told"]["at"] >= given["since"]]
            span = {"since": given["since"], "until": now}
            stones = [("time", content_id("remem/1/forgotten", "time", *span.values()), span)]
        else:
            scope = "session" if "session" in given else "project"
            gone = [e for e in self.episodes() if e["told"].get(scope) == given[scope]]
            stones = [(scope, content_id("remem/1/forgotten", scope, given[scope]), {})]
        for episode in gone:
            del self.records["episode"][episode["id"]]
            stones += [("episode", key, {}) for key in (episode["id"], twin(episode["told"]))]
        self.drop_lessons({episode["id"] for episode in gone})
        for scope, key, span in stones:
            self.bury(
                {"type": "tombstone", "v": "1.0", "key": key, "scope": scope, "at": now, **span}
            )
        self.log(now, "FORGET", "forgotten")
        return len(gone)

    def bury(self, stone: Value) -> None:
        self.put(stone)

    def drop_lessons(self, gone: set[str]) -> None:
        lessons = self.records["lesson"]
        ids = {id_ for id_, lesson in lessons.items() if gone & set(lesson["sources"])}
        for type_, field in (("lesson", "id"), ("prediction", "lesson"), ("alias", "new")):
            kept = {n: r for n, r in self.records[type_].items() if r[field] not in ids}
            self.records[type_] = kept

    # -- handing on

    def export(self) -> bytes:
        lines = []
        for type_, fields in ORDER.items():
            for record in sorted(self.records[type_].values(), key=lambda r: place(r, fields)):
                lines.append({name: v for name, v in record.items() if name != "told"})
        counted = {t: len(records) for t, records in self.records.items() if records}
        head = {"type": "export", "v": "1.0", "records": counted}
        return b"".join(
            json.dumps(line, sort_keys=True).encode() + b"\n" for line in (head, *lines)
        )

    def merge(self, records: Iterable[Value], now: str) -> Value:
        counts: Value = {"known": 0, "changed": 0, "copies": 0, "kept_out": 0, "unknown": 0}
        new: dict[str, int] = {}
        own, entries = bool(self.records["ledger"]), list(self.records["ledger"].values())
        for record in records:
            became = self.take(record, entries)
            if became == "new":
                new[record["type"]] = new.get(record["type"], 0) + 1
            else:
                counts[became] += 1
        if own and (new or counts["changed"]):
            self.log(now, "CREATE", "imported")
        return {"new": new, **counts}

    def take(self, record: Value, entries: list[Value]) -> str:
        """Merge one record of an import; tell what became of it."""
        type_ = record["type"]
        if type_ not in ORDER:
            return "unknown"
        if type_ == "episode":
            return self.take_episode(record)
        if type_ == "ledger":
            content = {**record, "seq": 0}
            if any({**entry, "seq": 0} == content for entry in entries):
                return "known"
            seq = len(self.records["ledger"]) + 1
            self.records["ledger"][seq] = {**record, "seq": seq}
            return "new"
        if type_ == "tombstone" and any(self.hits(record, e["told"]) for e in self.episodes()):
            return "kept_out"
        return "kept_out" if self.is_unwanted(record) else self.put(record)

    def is_unwanted(self, record: Value) -> bool:
        """Tell whether a lesson is vetoed, or rests on what is not here."""
        if record["type"] != "lesson":
            return False
        sources = set(record["sources"])
        return bool(sources - self.records["episode"].keys() and "origin" not in record) or any(
            veto["hash"] == record["hash"] or sources & set(veto.get("sources", ()))
            for veto in self.records["veto"].values()
            if "lifted" not in veto
        )

    def hits(self, stone: Value, event: Value) -> bool:
        other = Store()
        other.bury(stone)
        return other.buried(event)

    def take_episode(self, record: Value) -> str:
        there = self.records["episode"].get(record["id"])
        if there is None:
            more = {k: v for k, v in record.items() if k not in ("type", "v", "id", "kind")}
            became = self.fold(tiny_codec.decode("event", record["event"].encode()), **more)
            return "kept_out" if became == "forgotten" else became
        before = dict(there)
        there["strength"] = max(there["strength"], record.get("strength", 1.0))
        there["recalls"] = max(there["recalls"], record.get("recalls", 0))
        there["created"] = min(there["created"], record["created"])
        there["touched"] = max(there.get("touched") or "", record.get("touched") or "") or None
        both = [there.get("archived") or "", record.get("archived") or ""]
        there["archived"] = min(both) if all(both) else None
        for name in ("touched", "archived"):
            if there[name] is None:
                del there[name]
        return "known" if there == before else "changed"


# -- what words, ids and hits are


def parts(text: str) -> list[str]:
    """Return words, single letters of scripts without spaces, and codes whole."""
    spaced = re.sub("([\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])", r" \1 ", text)
    return [word.strip(".,:;!?'\"") for word in spaced.split()]


def nearness(event: Value, asked: str, words: set[str]) -> float:
    """Return how well an event answers: names count most, then words, then their beginnings."""
    said = hit(event)["text"].casefold()
    own = set(parts(said)) | set(parts(json.dumps(event, ensure_ascii=False).casefold()))
    phrases = [" ".join(parts(p)) for p in event.get("trigger", "").casefold().split(",")]
    question = f" {' '.join(parts(asked))} "
    fired = any(phrase and f" {phrase} " in question for phrase in phrases)
    quoted = re.findall('"([^"]+)"', asked)
    names = {word for word in words if re.search("[0-9/_]", word)}
    near = 100.0 * len(names & own) + 100.0 * sum(phrase in said for phrase in quoted)
    common = {w for w in words if any(o.startswith(w[:4]) for o in set(parts(said)))}
    return near + 10.0 * fired + len(words & own) + 0.5 * len(common)


def hit(event: Value) -> Value:
    fields = ("said", "failure", "statement", "text", "gist")
    names = ("at", "project", "session", "agent", "ref")
    text = next((event[name] for name in fields if name in event), "")
    about = {name: event[name] for name in names if name in event}
    return {"id": event["id"], "kind": event["kind"], "text": text, "times": 1, **about}


def layered(event: Value) -> Value:
    return {"layer": "semantic", **event} if event["kind"] == "note" else event


def twin(event: Value) -> str:
    """Return the id that an event shares with its copies (MEM-003)."""
    if event["kind"] == "session":
        return str(event["id"])
    shape = tiny_codec.SHAPES[f"event.{event['kind']}"]
    words = [event.get(name) for name, marks, _ in shape if "#" in marks]
    return content_id("remem/1/twin", event["kind"], event.get("project"), event["at"], *words)


def content_id(*fields: str | None) -> str:
    hashed = b""
    for field in fields:
        data = (field or "").encode("utf-8")
        hashed += b"\x00" if field is None else b"\x01" + len(data).to_bytes(4, "big") + data
    return base64.b32encode(hashlib.sha256(hashed).digest()[:20]).decode("ascii").lower()


def spans(stone: Value, at: str) -> bool:
    return bool(stone.get("since", "") <= at <= stone.get("until", "~"))


def place(record: Value, fields: tuple[str, ...]) -> list[Any]:
    return [record["told"]["at"] if name == "at" else record[name] for name in fields]


def decode(line: bytes) -> Value:
    """Return the record of a line as it came; raise CodecError.

    Only episodes and lessons are looked into.
    """
    try:
        record = tiny_codec.decode("record", line)
    except KeyError:
        raise tiny_codec.CodecError("invalid-record", "/type") from None
    value: Value = json.loads(base64.b64decode(record["raw"]))
    if value["type"] == "episode":
        try:
            event = tiny_codec.decode("event", value["event"].encode("utf-8"))
        except (tiny_codec.CodecError, AttributeError, KeyError):
            raise tiny_codec.CodecError("invalid-record", "/event") from None
        if (event.get("id"), event.get("kind")) != (value.get("id"), value.get("kind")):
            raise tiny_codec.CodecError("invalid-record", "/id")
    if value["type"] == "lesson":
        plain = " ".join(unicodedata.normalize("NFC", value["text"]).casefold().split())
        if value["hash"] != content_id("remem/1/lesson-words", value["kind"], plain):
            raise tiny_codec.CodecError("invalid-record", "/hash")
        if value["seen"] != len(set(value["sources"])):
            raise tiny_codec.CodecError("invalid-record", "/seen")
    return value
