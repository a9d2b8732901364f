"""The vectors as data: what a case file holds, where the files are, which of them are wanted.

A case is one JSON file about one fault or feature; its id is its path below `vectors/v1` without
the suffix. Adding one needs no code. `case.schema.json` beside the vectors is made from `Case`.
"""

import base64
import binascii
import fnmatch
import hashlib
import pathlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from remem_protocol import ErrorCode

REVISION = "1.0"
Role = Literal["codec", "reader", "detector", "store", "sleep", "verifier", "files", "prime"]
Op = Literal[
    "decode", "encode", "stream", "id", "negotiate", "read", "detect", "append", "recall", "show",
    "history", "forget", "export", "import", "status", "score", "reset", "sleep", "lessons",
    "predictions", "ledger", "undo", "veto", "unveto", "change", "decayed", "group", "lesson-id",
    "words-hash", "prediction-id", "render", "take-out", "prime", "held-out",
]  # fmt: skip
_STORE = ("append", "recall", "show", "history", "forget", "export", "import", "status", "score")
OPS: dict[str, tuple[str, ...]] = {
    "codec": ("decode", "encode", "stream", "id", "negotiate"),
    "reader": ("read",),
    "detector": ("detect",),
    "store": _STORE,
    "sleep": (
        *_STORE, "sleep", "lessons", "predictions", "ledger", "undo", "veto", "unveto", "change",
        "decayed", "group", "lesson-id", "words-hash", "prediction-id",
    ),
    "files": ("render", "take-out"),
    "prime": ("prime", "held-out"),
}  # fmt: skip
STATEFUL: frozenset[str] = frozenset({"store", "sleep", "files", "prime"})
NOT_CASES = frozenset({"case.schema.json", "required.json"})


class VectorError(Exception):
    """The vectors, or what was asked of them, make no sense: exit code 2."""


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A file of an agent's: where it lies below the agent's folder, and its bytes as in `Input`."""

    path: str
    raw: str | UnsetType = UNSET
    raw_parts: tuple[tuple[str, int], ...] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.raw is UNSET) is (self.raw_parts is UNSET):
            raise ValueError("exactly one of raw and raw_parts")
        if not is_relative(self.path):
            raise ValueError(f"a path that leaves its folder: {self.path}")


class EntryOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The last entry of a ledger that step `step` (from 1) was answered with, of this verb and,
    where it is given, about this subject."""

    step: int
    verb: str
    subject: str | UnsetType = UNSET


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where an agent looks: its index file, the folder of single memories where there is one, and
    the project whose lessons may stand there beside those of none."""

    index: str
    folder: str | UnsetType = UNSET
    project: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        for path in (self.index, self.folder):
            if isinstance(path, str) and not is_relative(path):
                raise ValueError(f"a path that leaves its folder: {path}")


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the owner did to a file: `raw` are its bytes now, `words` what stands for what in it,
    once; with neither it is gone."""

    path: str
    raw: str | UnsetType = UNSET
    words: tuple[str, str] | UnsetType = UNSET


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the operation is given; which fields, the operation says.

    `raw` is base64. `raw_parts` is its compact form for large inputs: [base64, count] pairs, each
    piece repeated that often, all joined; the runner sends the expanded bytes as `raw`, and for
    `raw_of` those that the step of that number (from 1) was answered with. For `seq_of` it sends
    the number of that entry as `seq`. For `after` it sends the `files` that the step of that number
    was answered with, changed by `edits`, and what it gave as `written`.
    """

    type: Literal["event", "session", "record"] | UnsetType = UNSET
    raw: str | UnsetType = UNSET
    raw_parts: tuple[tuple[str, int], ...] | UnsetType = UNSET
    value: dict[str, Any] | UnsetType = UNSET
    offered: tuple[str, ...] | UnsetType = UNSET
    agent: str | UnsetType = UNSET
    files: tuple[File, ...] | UnsetType = UNSET
    raw_of: int | UnsetType = UNSET
    now: str | UnsetType = UNSET
    events: tuple[dict[str, Any], ...] | UnsetType = UNSET
    sessions: tuple[dict[str, Any], ...] | UnsetType = UNSET
    query: str | UnsetType = UNSET
    id: str | UnsetType = UNSET
    session: str | UnsetType = UNSET
    project: str | UnsetType = UNSET
    kinds: tuple[str, ...] | UnsetType = UNSET
    layers: tuple[str, ...] | UnsetType = UNSET
    agents: tuple[str, ...] | UnsetType = UNSET
    since: str | UnsetType = UNSET
    until: str | UnsetType = UNSET
    at: str | UnsetType = UNSET
    archived: bool | UnsetType = UNSET
    limit: int | UnsetType = UNSET
    sound_only: bool | UnsetType = UNSET
    relevance: float | UnsetType = UNSET
    keyword: float | UnsetType = UNSET
    cosine: float | UnsetType = UNSET
    age_days: float | UnsetType = UNSET
    strength: float | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    seq_of: EntryOf | UnsetType = UNSET
    closed: bool | UnsetType = UNSET
    unresolved: bool | UnsetType = UNSET
    lesson: str | UnsetType = UNSET
    change: dict[str, Any] | UnsetType = UNSET
    touched: str | UnsetType = UNSET
    rows: tuple[tuple[float, ...], ...] | UnsetType = UNSET
    weights: tuple[float, ...] | UnsetType = UNSET
    cut: float | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    founder: str | UnsetType = UNSET
    made: str | UnsetType = UNSET
    records: tuple[dict[str, Any], ...] | UnsetType = UNSET
    place: Place | UnsetType = UNSET
    after: int | UnsetType = UNSET
    edits: tuple[Edit, ...] | UnsetType = UNSET
    moment: dict[str, str] | UnsetType = UNSET


class ExpectedError(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The code of the layer that must refuse, and the place, where it is certain.

    `lines` are those of an import that must be named: number and code of each. `later` is the
    entry that must be named as the one that has to be taken back first.
    """

    code: ErrorCode
    at: str | UnsetType = UNSET
    later: EntryOf | UnsetType = UNSET
    lines: tuple[tuple[int, ErrorCode], ...] | UnsetType = UNSET


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Exactly one of: a value to equal, the exact bytes (base64), an error, a partial value, or
    what a list of events, hits or records holds; or else what follows below.

    A partial value (`match`, and each entry of `has` and `lacks`) names what matters: an object
    may hold more than it names, null stands for an absent field, a list has just these entries.
    The events of `has` are among those replied, a detector's in this order; nothing in the reply
    is like an entry of `lacks`. `first` is what the best hit is like.

    Beside that, and also alone: `near`, numbers that may differ by 0.000001; `says` and `silent`,
    texts that stand somewhere in the reply or nowhere; `raw_of`, the step (from 1) whose bytes,
    files or chosen lessons these must be again.
    """

    ok: Any = UNSET
    raw: str | UnsetType = UNSET
    error: ExpectedError | UnsetType = UNSET
    match: Any = UNSET
    has: tuple[dict[str, Any], ...] = ()
    lacks: tuple[dict[str, Any], ...] = ()
    first: dict[str, Any] | UnsetType = UNSET
    near: dict[str, float] | UnsetType = UNSET
    says: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    raw_of: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        fields = (self.ok, self.raw, self.error, self.match)
        given = sum(field is not UNSET for field in fields)
        given += bool(self.has or self.lacks or self.first)
        beside = bool(self.near or self.says or self.silent or self.raw_of)
        if given > 1 or not (given or beside):
            raise ValueError("exactly one of ok, raw, error, match, and has or lacks or first")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a store is asked before a case's own request; without `expect` it must only succeed."""

    op: Op
    input: Input
    expect: Expect | UnsetType = UNSET


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that an implementation must get right."""

    description: str
    req: tuple[str, ...]
    level: Literal["must", "should"]
    role: Role
    op: Op
    input: Input
    expect: Expect
    before: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        if not self.req:
            raise ValueError("a case names at least one requirement")
        for number, step in enumerate(self.steps):
            for earlier in _earlier(step):
                if not 0 < earlier <= number:
                    raise ValueError(f"step {number + 1} names a step that is not before it")

    @property
    def steps(self) -> tuple[Step, ...]:
        """All that is asked, in order; the last is the case's own request."""
        return (*self.before, Step(self.op, self.input, self.expect))


def _earlier(step: Step) -> list[int]:
    """Return the numbers of the steps that a step names."""
    named: list[Any] = [step.input.raw_of, step.input.seq_of, step.input.after]
    if isinstance(step.expect, Expect):
        named.append(step.expect.raw_of)
        if isinstance(step.expect.error, ExpectedError):
            named.append(step.expect.error.later)
    numbers = (entry.step if isinstance(entry, EntryOf) else entry for entry in named)
    return [number for number in numbers if number is not UNSET]


@dataclass(frozen=True)
class Vector:
    """A case with its id; `scored` is False for one that the revision does not require."""

    id: str
    case: Case
    scored: bool = True

    def requests(self) -> list[dict[str, Any]]:
        """Return what the adapter is sent, large inputs expanded.

        `raw_of` is still in place: the bytes are those of a reply.
        """
        return [
            {"op": step.op, "case": self.id, "input": _expanded(step.input)}
            for step in self.case.steps
        ]


def _expanded(given: Input) -> dict[str, Any]:
    out: dict[str, Any] = msgspec.to_builtins(given)
    for holder in (out, *out.get("files", ())):
        if "raw_parts" in holder:
            holder["raw"] = base64.b64encode(expand(holder.pop("raw_parts"))).decode("ascii")
    return out


def expand(parts: Iterable[tuple[str, int]]) -> bytes:
    """Join the pieces of `raw_parts`, each repeated its count."""
    return b"".join(base64.b64decode(piece, validate=True) * count for piece, count in parts)


def is_relative(path: str) -> bool:
    """Whether a path names something below a folder, on every system: `tmp/x/chats/s.json`."""
    parts = path.split("/")
    return not any(part in ("", ".", "..") or set(part) & set('\\:*?"<>|') for part in parts)


def vectors_root() -> pathlib.Path:
    """Return the folder `v1`: inside an installed wheel, else beside the sources."""
    here = pathlib.Path(__file__).resolve().parent
    for place in (here / "vectors" / "v1", here.parents[1] / "vectors" / "v1"):
        if place.is_dir():
            return place
    raise VectorError("no vectors beside this program")


def load(root: pathlib.Path) -> list[Vector]:
    """Read every vector of a folder, sorted by id; raise VectorError for a broken set.

    A file that `required.json` names must still have the bytes it was frozen with.
    """
    frozen = _required(root)
    vectors = []
    for path in sorted(p for p in root.rglob("*.json") if p.name not in NOT_CASES):
        name = path.relative_to(root).with_suffix("").as_posix()
        data = path.read_bytes()
        digest = frozen.pop(name, None)
        if digest not in (None, hashlib.sha256(data).hexdigest()):
            raise VectorError(f"{name}: changed since revision {REVISION} was frozen")
        vectors.append(Vector(name, _decode(name, data), scored=digest is not None))
    if frozen:
        raise VectorError(f"required but missing: {', '.join(sorted(frozen))}")
    return vectors


def select(vectors: list[Vector], globs: list[str]) -> list[Vector]:
    """Return the vectors whose id matches one of the globs, or all when there is none."""
    if not globs:
        return vectors
    return [v for v in vectors if any(fnmatch.fnmatchcase(v.id, glob) for glob in globs)]


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a case file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **msgspec.json.schema(Case),
    }


def _required(root: pathlib.Path) -> dict[str, str]:
    path = root / "required.json"
    if not path.exists():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, str]])[REVISION]
    except (msgspec.DecodeError, KeyError) as error:
        raise VectorError(f"{path.name}: {error}") from None


def _decode(name: str, data: bytes) -> Case:
    try:
        case = msgspec.json.decode(data, type=Case)
        inputs = [step.input for step in case.steps]
        holders: list[Input | File] = [*inputs, *(f for i in inputs for f in i.files or ())]
        for holder in holders:
            if holder.raw_parts is not UNSET:
                expand(holder.raw_parts)
    except (msgspec.DecodeError, binascii.Error) as error:
        raise VectorError(f"{name}: {error}") from None
    return case
