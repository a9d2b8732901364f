"""Invented weeks of work for the benchmarks of sleep: wishes said again in other words, traps met
again, passing remarks, in many projects. The same count and seed give the same events.
"""

import datetime
import random
from collections.abc import Iterator

from remem_protocol import Correction, Event, Failure, Surprise

START = datetime.datetime(2026, 1, 5, 9, tzinfo=datetime.UTC)
A_PROJECT = 100  # events of one project
APART = 2  # minutes between two, so that a hundred thousand have not all faded
WISHES = (
    "never {verb} the {thing} before the {other} is {done}",
    "always {verb} the {thing} when the {other} was {done}",
    "don't {verb} my {thing}, the {other} was {done} by hand",
    "from now on {verb} every {thing} and leave the {other} alone",
)
VERBS = "push delete rename format commit deploy squash rebase merge tag lint cache".split()
THINGS = "branch table migration bucket header fixture schema report lockfile widget".split()
DONE = "reviewed tested backed-up signed approved migrated pinned archived measured".split()
TRAPS = (
    ("Bash", "{verb}ctl apply -f {thing}.yaml", "error: unknown flag: --{other}"),
    ("Bash", "{verb}-cli {thing}", "{verb}-cli: command not found"),
    ("Edit", "src/{thing}/{other}.py", "String to replace not found in file"),
)
REMARKS = ("hmm, the {thing} looks odd", "that {other} one, not this", "line {n} is wrong")


def events(count: int, seed: int = 1) -> Iterator[Event]:
    """Yield events by time, a hundred a project: corrections, errors and admissions."""
    rng = random.Random(seed)
    for i in range(count):
        project = f"git:example.org/p{i // A_PROJECT}"
        theme = random.Random(f"{project}/{rng.randrange(12)}")
        yield _event(rng, theme, project, START + datetime.timedelta(minutes=APART * i), i)


def _event(
    rng: random.Random, theme: random.Random, project: str, at: datetime.datetime, i: int
) -> Event:
    told = {
        "verb": theme.choice(VERBS),
        "thing": theme.choice(THINGS),
        "other": theme.choice(THINGS),
        "done": theme.choice(DONE),
        "n": i,
    }
    kind = theme.random()
    common = {"at": at, "session": f"s{i // 5}", "project": project}
    if kind < 0.55:
        said = theme.choice(WISHES if theme.random() < 0.7 else REMARKS).format(**told)
        did = f"I went ahead to {told['verb']} the {told['thing']}."
        ending = rng.choice(("", ".", " please", ", again", "!!"))
        return Correction(
            **common, source="owner", said=said + ending, cause="message", agent_did=did
        )
    if kind < 0.85:
        tool, call, failure = (part.format(**told) for part in theme.choice(TRAPS))
        return Failure(**common, source="tool", tool=tool, call=f"{call} {i % 3}", failure=failure)
    statement = f"I was wrong about the {told['thing']}: it was not {told['done']}."
    return Surprise(**common, source="agent", statement=statement)
