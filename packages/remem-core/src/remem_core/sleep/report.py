"""What a night answers: plain values, ready for JSON."""

from dataclasses import dataclass, field


@dataclass
class SleepReport:
    """What came of a night. Times as on the wire.

    `changes` counts by verb, in the order of the passes; `told` has (verb, subject, why) of each,
    at most `TOLD`; `kept_out` counts those that a veto or another program's change forbade.
    `finished_earlier` is the time of a broken-off night that was finished first. `finished` is
    False when the time was up before all was done: the next night goes on there.
    """

    now: str
    dry_run: bool = False
    finished: bool = False
    finished_earlier: str | None = None
    embedded: int = 0
    changes: dict[str, int] = field(default_factory=dict)
    kept_out: int = 0
    told: list[tuple[str, str, str]] = field(default_factory=list)
