"""What was learned, as the owner reads it and has the last word on it: a part of the facade."""

import datetime
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from remem_core.store.connection import Connection, store_errors, transaction
from remem_protocol import NotFoundError, format_time, normalise_time

if TYPE_CHECKING:
    from remem_core.lessons.changes import Change
    from remem_core.meanings import Meanings
    from remem_core.measure import Measured, Shown
    from remem_core.paths import Locations
    from remem_core.store.changing import Applied
    from remem_core.vetoed import VetoedMeanings
    from remem_protocol import Episode, LedgerEntry, Lesson, Prediction, Veto

Time = datetime.datetime | str


class Learned:
    """The lessons of an open memory, their ledger, and the owner's changes of them."""

    places: "Locations"
    _db: Connection
    _clock: Callable[[], datetime.datetime]
    _meanings: "Meanings"

    def lessons(
        self,
        project: str | None = None,
        kinds: Iterable[str] | None = None,
        at: Time | None = None,
        *,
        archived: bool = False,
        closed: bool = False,
    ) -> "list[Lesson]":
        """Return the lessons that hold now, or at `at`; the oldest first.

        A project has its own and those that hold everywhere; None is every project. `archived`
        adds what was put aside, `closed` what does not hold at that time. None is vetoed.
        """
        from remem_core.store import lessons

        return lessons.lessons(
            self._db,
            at=wire_time(at) or self._now(),
            project=lessons.ALL if project is None else project,
            kinds=None if kinds is None else tuple(kinds),
            archived=archived,
            closed=closed,
        )

    def lesson(self, prefix: str) -> "Lesson":
        """Return the lesson whose id, or an older one of it, starts with a prefix.

        Raises NotFoundError.
        """
        from remem_core.store import lessons

        with store_errors(None):
            return lessons.lesson(self._db, prefix.strip().lower())

    def find(self, prefix: str) -> "Episode | Lesson":
        """Return the episode, else the lesson, whose id starts with a prefix (4 letters or more).

        Raises NotFoundError.
        """
        from remem_core.store import lessons, reading

        wanted = prefix.strip().lower()
        with store_errors(None):
            try:
                return reading.episode(self._db, wanted)
            except NotFoundError as error:
                try:
                    return lessons.lesson(self._db, wanted)
                except NotFoundError:
                    raise error from None

    def predictions(
        self, lesson: str | None = None, *, unresolved: bool = False
    ) -> "list[Prediction]":
        """Return what a lesson (of that id), or every lesson, predicted; the oldest first."""
        from remem_core.store import lessons

        with store_errors(None):
            return lessons.predictions(self._db, lesson=lesson, unresolved=unresolved)

    def measure(
        self,
        primed: "Iterable[Shown]" = (),
        *,
        since: Time | None = None,
        now: Time | None = None,
    ) -> "Measured":
        """Return whether the memory helped, from `since` (None: ever) until the last night.

        `primed` is all that was put before agents, ever: it says since when a lesson was in mind,
        and which sessions were told or held out. A vetoed lesson is not measured.
        """
        from remem_core.measure import measure
        from remem_core.morning import last_night
        from remem_core.store import measuring

        start, end = wire_time(since), wire_time(now) or self._now()
        told = last_night(self.places)
        with store_errors(self.places.db):
            given = measuring.given(self._db, since=start, now=end, night=told and told[0])
        return measure(given, primed, since=start, now=end)

    def vetoes(self, *, lifted: bool = False) -> "list[Veto]":
        """Return the vetoes that hold, with `lifted` also those that did; the oldest first."""
        from remem_core.store import lessons

        with store_errors(None):
            return lessons.vetoes(self._db, lifted=lifted)

    def ledger(self, prefix: str | None = None, *, limit: int | None = None) -> "list[LedgerEntry]":
        """Return the newest entries of the ledger, the oldest of them first.

        With a lesson's id, those that tell its life, under its older ids too; of a lesson that is
        no more, those under the id as it is given. Raises NotFoundError when nothing has it.
        """
        from remem_core.store import ledger, lessons

        with store_errors(None):
            if prefix is None:
                return ledger.entries(self._db, limit=limit)
            id_ = lessons.full_id(self._db, prefix.strip().lower())
            names = lessons.names_of(self._db, lessons.current_id(self._db, id_))
            return ledger.entries(self._db, {id_, *names}, limit=limit)

    def change(self, change: "Change") -> "Applied":
        """Offer a change to the write path, as sleep does: it is checked, and made whole or not.

        Raises StaleChangeError, InvalidRecordError, OutOfScopeError, SecretError or VetoedError.
        """
        from remem_core.store import changing

        with transaction(self._db) as db:
            return changing.apply(db, change, unwanted=self._unwanted)

    def undo(self, number: int) -> "Applied":
        """Take a change of the ledger back exactly, when what it made is as it left it.

        Raises NotFoundError; StaleChangeError, which names the later change in the way;
        InvalidRecordError for what is no such change; or VetoedError.
        """
        from remem_core.store import taking_back

        with transaction(self._db) as db:
            applied = taking_back.undo(db, number, now=self._now(), unwanted=self._unwanted)
        self._tell_again()
        return applied

    def veto(self, prefix: str) -> "Applied":
        """Let a lesson go, and keep it from coming back by its words or its meaning."""
        from remem_core.store import taking_back

        id_ = self.lesson(prefix).id
        with transaction(self._db) as db:
            applied = taking_back.veto(db, id_, now=self._now())
        self._tell_again()
        return applied

    def unveto(self, prefix: str) -> "Applied":
        """Lift the veto of a lesson's id or a hash; the lesson is back if its sources are there.

        Raises NotFoundError, StaleChangeError when it was lifted already, or VetoedError.
        """
        from remem_core.store import lessons, taking_back

        with transaction(self._db) as db:
            found = lessons.veto(db, prefix.strip().lower())
            applied = taking_back.unveto(db, found, now=self._now(), unwanted=self._unwanted)
        self._tell_again()
        return applied

    def _tell_again(self) -> None:
        """Write the last night's report anew: its files quote what went (MEM-053)."""
        from remem_core.morning import refresh

        with store_errors(self.places.db):
            refresh(self._db, self.places)

    @property
    def _unwanted(self) -> "VetoedMeanings":
        from remem_core.vetoed import VetoedMeanings

        return VetoedMeanings(self._db, self._meanings)

    def _now(self) -> str:
        return format_time(self._clock())


def wire_time(moment: Time | None) -> str | None:
    """Return a time as the wire spells it."""
    if moment is None:
        return None
    return format_time(moment) if isinstance(moment, datetime.datetime) else normalise_time(moment)
