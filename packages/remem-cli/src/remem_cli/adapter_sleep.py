"""The suite's operations on lessons and nights, carried to the memory of `adapter_store`.

What sleep decides by – fading, grouping, ids – is also asked for by itself, with given numbers.
"""

import json
from typing import Any

from remem_cli.adapter_store import STORE
from remem_core.errors import StaleChangeError
from remem_protocol import encode

Value = dict[str, Any]


def sleep(given: Value) -> Value:
    """Sleep as of the request's `now`; return how many changes were made, by verb."""
    return {"changes": STORE.at(given).sleep(given["now"]).changes}


def lessons(given: Value) -> list[Value]:
    """Return the lessons that hold."""
    memory = STORE.at(given)
    found = memory.lessons(
        given.get("project"),
        given.get("kinds"),
        archived=given.get("archived", False),
        closed=given.get("closed", False),
    )
    return [_tree(lesson) for lesson in found]


def predictions(given: Value) -> list[Value]:
    """Return what was predicted."""
    memory, unresolved = STORE.at(given), given.get("unresolved", False)
    return [_tree(made) for made in memory.predictions(given.get("lesson"), unresolved=unresolved)]


def ledger(given: Value) -> list[Value]:
    """Return the entries, of one lesson's life or all."""
    return [_tree(entry) for entry in STORE.at(given).ledger(given.get("id"))]


def undo(given: Value) -> Value:
    """Take a change back."""
    return {"seq": STORE.at(given).undo(given["seq"]).seq}


def veto(given: Value) -> Value:
    """Let a lesson go for good."""
    return {"seq": STORE.at(given).veto(given["id"]).seq}


def unveto(given: Value) -> Value:
    """Lift a veto."""
    return {"seq": STORE.at(given).unveto(given["id"]).seq}


def change(given: Value) -> Value:
    """Offer a change to the write path, as sleep would."""
    from remem_core.lessons.changes import read_change

    offered = read_change({**given["change"], "at": given["now"]})
    return {"seq": STORE.at(given).change(offered).seq}


def decayed(given: Value) -> Value:
    """Return what is left of a strength, and whether that is too little."""
    from remem_core.sleep.decay import faded_strength
    from remem_core.sleep.numbers import FADED

    left = faded_strength(given["strength"], given["touched"], given["now"])
    return {"strength": left, "archived": left < FADED}


def group(given: Value) -> Value:
    """Return groups of rows."""
    from remem_core.linking.grouping import linkage

    rows = given["rows"]
    weights = given.get("weights") or [1.0] * len(rows)
    return {"groups": linkage(rows, weights, given["cut"])}


def lesson_id(given: Value) -> Value:
    """Return the id of a new lesson."""
    from remem_core.lessons import identity

    return {"id": identity.lesson_id(given["kind"], given.get("project"), given["founder"])}


def words_hash(given: Value) -> Value:
    """Return the hash of a lesson's words."""
    from remem_core.lessons import identity

    return {"hash": identity.words_hash(given["kind"], given["text"])}


def prediction_id(given: Value) -> Value:
    """Return the id of a prediction."""
    from remem_core.lessons import identity

    return {"id": identity.prediction_id(given["lesson"], given["made"])}


def later_change(error: BaseException) -> Value:
    """Return the change that has to be taken back first, as a part of its error."""
    if isinstance(error, StaleChangeError) and error.later is not None:
        return {"later": error.later}
    return {}


def _tree(record: Any) -> Value:
    tree: Value = json.loads(encode(record))
    return tree
