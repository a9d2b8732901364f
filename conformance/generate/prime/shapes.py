"""How a case of what is put before an agent is told: lessons, and a moment in a session."""

from typing import Any

from conformance.generate.lessons import (
    MARCH_5,
    Learned,
    everywhere,
    failed,
    holding,
    learned,
    said,
)
from conformance.generate.shapes import Case, Value
from conformance.generate.store.shapes import ORCHARD

DOMAIN = b"remem/1/held-out "

MISSING = "ERR_PNPM_NO_SCRIPT Missing script: test"
CART = "Run the tests of the cart"
PNPM = learned(
    failed("pnpm test cart", MISSING, description=CART),
    failed("pnpm test cart", MISSING, MARCH_5, description=CART, session="s-2"),
    text="Bash failed on “pnpm test cart”: “Missing script: test”",
)
UV = learned(said("We use uv here, not pip.", "I ran pip install -r requirements.txt."))
MAIN = learned(
    said("Don't push to main, open a pull request.", "I pushed the commit to main.", session="s-3")
)
BRIEF = everywhere("Be brief.")

# The very calls that those rest on.
TEST: Value = {"tool": "Bash", "command": "pnpm test cart", "description": CART}
INSTALL: Value = {"tool": "Bash", "command": "pip install -r requirements.txt"}
PUSH: Value = {"tool": "Bash", "command": "git push origin main"}


def held_out(session: str) -> bool:
    """Tell whether a session is of the control arm, worked out bit by bit (FIL-024)."""
    crc = 0xFFFFFFFF
    for byte in DOMAIN + session.encode("utf-8"):
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
    return bool((crc ^ 0xFFFFFFFF) >> 16 & 1)


def _sessions(*, arm: bool) -> list[str]:
    names = (f"session-{n}" for n in range(40))
    return [name for name in names if held_out(name) is arm]


TOLD, ALSO_TOLD, *_ = _sessions(arm=False)
HELD_OUT, *_ = _sessions(arm=True)


def case(name: str, why: str, req: str, *steps: Value, level: str = "must") -> Case:
    """Return a case; `req` are ids with spaces between them."""
    *before, last = steps
    content: Value = {"description": why, "req": req.split(), "level": level, "role": "prime"}
    content |= last
    if before:
        content["before"] = before
    return f"prime/{name}", content


def prime(
    kind: str,
    moment: Value,
    *lessons: Learned | Value,
    session: str = TOLD,
    project: str | None = ORCHARD,
) -> Value:
    """Return a step: a moment in a session of a project."""
    where = {} if project is None else {"project": project}
    about = {"session": session, "kind": kind, "moment": moment, **where}
    return {"op": "prime", "input": {**holding(*lessons), **about}}


def call(moment: Value, *lessons: Learned | Value, **where: Any) -> Value:
    return prime("tool", moment, *lessons, **where)


def prompt(words: str, *lessons: Learned | Value, **where: Any) -> Value:
    return prime("prompt", {"prompt": words}, *lessons, **where)


def handback(words: str, reply: str, *lessons: Learned | Value, **where: Any) -> Value:
    return prime("handback", {"prompt": words, "reply": reply}, *lessons, **where)


def chosen(step: Value, *lessons: Learned, **expect: Any) -> Value:
    """Return a step in which just these are chosen, in this order."""
    return {**step, "expect": {"match": {"chosen": [one.id for one in lessons]}, **expect}}


def anything(step: Value) -> Value:
    """Return a step in which what is said is sound, if anything is."""
    return {**step, "expect": {"match": {"held_out": False}}}


def silent(step: Value) -> Value:
    """Return a step in which nothing is said."""
    return {**step, "expect": {"match": {"chosen": [], "text": None}}}
