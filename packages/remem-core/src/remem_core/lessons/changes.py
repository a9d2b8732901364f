"""One change to what is remembered, as a value: sleep decides on it, the store's write path checks
it and applies it whole, the ledger keeps it, and undoing it is the same change the other way round.
"""

from typing import Any

import msgspec

from remem_protocol import Alias, InvalidRecordError, Lesson, Prediction, Veto, content_id
from remem_protocol.ids import Id
from remem_protocol.memory import Verb

Kept = Lesson | Prediction | Alias | Veto
KEY_DOMAIN = "remem/1/change"


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is to be done to the memory under one verb.

    `before` has the records as they are now, `after` as they are to be: one that is in `before`
    alone goes, one in `after` alone comes, one in both is replaced. Records are told apart by
    `identity`. `faded` are episodes that an ARCHIVE puts aside at `at`; they are not in the two
    lists. `subject` is the lesson or prediction that the change is about, "" when it is episodes.
    """

    verb: Verb
    subject: str
    at: str
    before: tuple[Kept, ...] = ()
    after: tuple[Kept, ...] = ()
    faded: tuple[Id, ...] = ()
    why: str = ""

    @property
    def key(self) -> str:
        """Return what makes it the same change on another night: its verb, subject and sources.

        A change that the owner took back is not made again as long as its key is the same.
        """
        sources = sorted({s for r in self.after if isinstance(r, Lesson) for s in r.sources})
        return content_id(KEY_DOMAIN, [self.verb, self.subject, *sources, *self.faded])


def read_change(value: Any) -> Change:
    """Return a change from plain values, as JSON has them. Raises InvalidRecordError."""
    try:
        return msgspec.convert(value, Change)
    except msgspec.ValidationError as error:
        raise InvalidRecordError(str(error)) from None


def identity(record: Kept) -> tuple[str, str]:
    """Return (type, key) of a record: what tells it from the others that are kept."""
    match record:
        case Lesson() | Prediction():
            return str(record.__struct_config__.tag), record.id
        case Alias():
            return "alias", record.old
        case Veto():
            return "veto", record.hash


def lessons_of(records: tuple[Kept, ...]) -> dict[str, Lesson]:
    """Return id → lesson of those records that are lessons."""
    return {r.id: r for r in records if isinstance(r, Lesson)}


def revised(lesson: Lesson, **changes: Any) -> Lesson:
    """Return a lesson with other contents, `seen` kept equal to its sources (MEM-030)."""
    made = msgspec.structs.replace(lesson, **changes)
    return msgspec.structs.replace(made, seen=len(made.sources))
