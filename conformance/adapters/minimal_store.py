"""An adapter of the role `store` to copy, on `tiny_store`; the loop is that of `minimal`."""

import base64
import json
from typing import Any

import minimal
import tiny_codec
import tiny_store

Value = dict[str, Any]
store = tiny_store.Store()


class ImportRefusedError(tiny_codec.CodecError):
    """An import with refused lines; holds (line, code) of each."""


def start(given: Value) -> Value:
    about = minimal.start(given)
    about["implementation"]["name"] = "minimal-store"
    return {**about, "roles": ["store"], "ops": list(OPS)}


def reset(_: Value) -> Value:
    global store
    store = tiny_store.Store()
    return {}


def append(given: Value) -> Value:
    if "sessions" in given:
        raise NotImplementedError("reads no sessions")
    counts = dict.fromkeys(("new", "known", "copies", "forgotten", "unknown"), 0)
    for value in given.get("events", ()):
        event = tiny_codec.decode("event", json.dumps(value).encode("ascii"))
        counts[store.fold(event, created=given["now"])] += 1
    if counts["new"]:
        store.log(given["now"], "CREATE", "events folded")
    return counts


def recall(given: Value) -> list[Value]:
    return store.recall(given)


def show(given: Value) -> Value:
    return shown(store.get(given["id"]))


def history(given: Value) -> list[Value]:
    return [shown(episode) for episode in store.history(given["id"])]


def forget(given: Value) -> Value:
    return {"episodes": store.forget(given)}


def export(_: Value) -> Value:
    return {"raw": base64.b64encode(store.export()).decode("ascii")}


def import_(given: Value) -> Value:
    """Read all lines before any is stored (MEM-074)."""
    sound, damaged = [], []
    for number, line in tiny_codec.split(base64.b64decode(given["raw"])):
        try:
            sound.append(tiny_store.decode(line))
        except tiny_codec.CodecError as error:
            if not sound:
                code = error.args[0]
                newer = code == "unsupported-version"
                raise tiny_codec.CodecError(code if newer else "malformed", "") from None
            damaged.append({"line": number, "code": error.args[0]})
    promised = sound[0].get("records", {}) if sound and sound[0]["type"] == "export" else None
    if promised is None or sum(promised.values()) > len(sound) - 1 + len(damaged):
        raise tiny_codec.CodecError("malformed", "")
    if damaged and not given.get("sound_only"):
        raise ImportRefusedError("malformed", damaged)
    return {**store.merge(sound[1:], given["now"]), "damaged": damaged}


def status(_: Value) -> Value:
    kinds = [episode["kind"] for episode in store.episodes()]
    archived = sum("archived" in episode for episode in store.episodes())
    counted = {kind: kinds.count(kind) for kind in kinds}
    return {"episodes": len(kinds), "by_kind": counted, "archived": archived, "sessions": 0}


def score(given: Value) -> Value:
    """Weigh a hit as MEM-015 and MEM-016 have it."""
    mixed = 0.55 * given.get("cosine", 0.0) + 0.45 * given.get("keyword", 0.0)
    recency = 2.0 ** (-max(0.0, given["age_days"]) / 30)
    near = 0.6 * given.get("relevance", mixed)
    return {"score": near + 0.25 * recency + 0.15 * min(given["strength"], 2.0) / 2}


def shown(episode: Value) -> Value:
    return {name: value for name, value in episode.items() if name != "told"}


OPS = {
    "append": append,
    "recall": recall,
    "show": show,
    "history": history,
    "forget": forget,
    "export": export,
    "import": import_,
    "status": status,
    "score": score,
}


def attempt(operation: Any, given: Any) -> Value:
    """Return what an operation gave; its error, with the lines of a refused import; or a skip."""
    try:
        return {"ok": operation(given)}
    except NotImplementedError as error:
        return {"skip": {"reason": str(error)}}
    except ImportRefusedError as error:
        return {"error": {"code": error.args[0], "lines": error.args[1]}}
    except tiny_codec.CodecError as error:
        return {"error": {"code": error.args[0]}}


def speak() -> None:
    """Put these operations into the loop of `minimal`."""
    minimal.OPS = {"start": start, "reset": reset, "stop": minimal.nothing, **OPS}
    minimal.attempt = attempt


if __name__ == "__main__":
    speak()
    minimal.main()
