"""What was put before agents, sorted by lesson and by session."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from remem_core.measure.given import Shown, seconds

# A prompt that says a thing again brings its lesson to mind, and a host delivers what is said at a
# call together with that call's outcome: neither is a repeat in spite of the lesson.
GRACE_SECONDS = 5.0


@dataclass(frozen=True)
class Log:
    """`told` and `held_out` are the sessions that hooks reached, by their arm.

    `said` and `filed` say since when a lesson was said to any session, and stands in files; `bore`
    when it first bore on a session's work, by (session, lesson). All times are in seconds, those
    of hooks with the grace added.
    """

    told: frozenset[str]
    held_out: frozenset[str]
    said: Mapping[str, float]
    filed: Mapping[str, float]
    bore: Mapping[tuple[str, str], float]

    def in_mind(self, lesson: str) -> float | None:
        """Return since when a lesson was in mind, in one way or the other."""
        since = [times[lesson] for times in (self.said, self.filed) if lesson in times]
        return min(since, default=None)

    def in_mind_in(self, lesson: str, session: str) -> float | None:
        """Return since when a session had a lesson in mind, or would have had it said if need be.

        In files it reaches every session; hooks bring it to those that they reach and may tell.
        """
        return self.in_mind(lesson) if session in self.told else self.filed.get(lesson)


@dataclass
class _Sorting:
    arms: defaultdict[str, set[bool]] = field(default_factory=lambda: defaultdict(set))
    said: dict[str, float] = field(default_factory=dict)
    filed: dict[str, float] = field(default_factory=dict)
    bore: dict[tuple[str, str], float] = field(default_factory=dict)

    def add(self, shown: Shown, lessons: Iterable[str]) -> None:
        at = seconds(shown.at)
        if shown.session is None:
            for lesson in lessons:
                self.filed[lesson] = min(at, self.filed.get(lesson, at))
            return
        self.arms[shown.session].add(shown.held_out)
        at += GRACE_SECONDS
        for lesson in lessons:
            key = (shown.session, lesson)
            self.bore[key] = min(at, self.bore.get(key, at))
            if not shown.held_out:
                self.said[lesson] = min(at, self.said.get(lesson, at))


def sort_log(shown: Iterable[Shown], names: Mapping[str, str], until: float) -> Log:
    """Sort what was shown until a time, in whatever order it comes.

    `names` maps old ids of lessons to present ones. A session that was of both arms is of none.
    """
    sorting = _Sorting()
    for one in shown:
        if seconds(one.at) <= until:
            sorting.add(one, {names.get(id_, id_) for id_ in one.lessons})
    of_one = {session: arms for session, arms in sorting.arms.items() if len(arms) == 1}
    return Log(
        told=frozenset(session for session, arms in of_one.items() if False in arms),
        held_out=frozenset(session for session, arms in of_one.items() if True in arms),
        said=sorting.said,
        filed=sorting.filed,
        bore=sorting.bore,
    )
