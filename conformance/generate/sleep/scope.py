"""Of which project a lesson is: what several projects share, and what stays with one."""

from conformance.generate.shapes import Cases
from conformance.generate.sleep.shapes import (
    HERONS,
    MARCH_4,
    MARCH_5,
    MARCH_6,
    MARCH_7,
    NIGHT,
    failed,
    grown,
    herons,
    just,
    lesson,
    lessons,
    like,
    night,
    said,
    sleep,
)
from conformance.generate.store.shapes import (
    HARBOUR,
    SHOULD,
    append,
    episode,
    expecting,
    export,
    exported,
    import_,
)

ONE, TWO = said(), said(at=MARCH_6, of="s-2")
FAILED = failed()


def cases() -> Cases:
    """Yield the family's cases."""
    birds = [herons(at, of, project=HARBOUR) for at, of in ((MARCH_5, "s-4"), (MARCH_7, "s-5"))]
    yield night(
        "scope/other-project",
        "A project has its own lessons and not another's.",
        "MEM-022 MEM-023",
        append(ONE, TWO, *birds),
        sleep(),
        just(lessons(project=HARBOUR), like(*birds, project=HARBOUR)),
        just(lessons(project=ONE["project"]), like(ONE, TWO), silent=[HERONS]),
    )
    common = lesson(ONE, TWO, id=like(ONE, TWO, project=None)["id"], project=None)
    yield night(
        "scope/of-no-project",
        "What holds everywhere is every project's.",
        "MEM-022",
        import_(exported(episode(ONE), episode(TWO), common)),
        just(lessons(project=HARBOUR), {"id": common["id"]}),
        expecting(lessons(project="git:example.org/third"), has=[{"id": common["id"]}]),
    )
    once = [FAILED, failed(at=MARCH_6, of="s-2", project=HARBOUR)]
    yield night(
        "scope/met-in-two-projects",
        "What one project has not enough of may be met in several.",
        "MEM-039 MEM-093",
        append(*once),
        sleep(),
        just(lessons(), like(*once, project=None)),
        level=SHOULD,
    )
    yield from _merged()


def _merged() -> Cases:
    there = [said(at=at, of=of, project=HARBOUR) for at, of in ((MARCH_5, "s-4"), (MARCH_7, "s-5"))]
    common = lesson(ONE, TWO, id=like(ONE, TWO, project=None)["id"], project=None)
    yield night(
        "scope/wish-of-two-projects",
        "A wish of two projects is one of none, under an id of its own and the names of both.",
        "MEM-023 MEM-035 MEM-039 MEM-096",
        append(ONE, TWO, *there),
        sleep(),
        just(lessons(), like(ONE, TWO, *there, project=None)),
        expecting(
            export(NIGHT),
            has=[
                {"type": "alias", "old": like(*sources, project=project)["id"],
                 "new": like(ONE, TWO, *there, project=None)["id"]}
                for sources, project in (((ONE, TWO), ONE["project"]), (there, HARBOUR))
            ],
        ),
    )  # fmt: skip
    words = "Fixtures belong in tests/data, not beside the code."
    own = [said(words, at, of, agent_did="", project=project) for at, of, project in (
        (MARCH_4, "s-1", ONE["project"]), (MARCH_6, "s-2", ONE["project"]),
        (MARCH_5, "s-4", HARBOUR), (MARCH_7, "s-5", HARBOUR))]  # fmt: skip
    yield night(
        "scope/names-a-projects-things",
        "A wish that names a path stays where it was said.",
        "MEM-096",
        append(*own),
        sleep(),
        just(lessons(), like(*own[:2]), like(*own[2:], project=HARBOUR)),
        level=SHOULD,
    )
    held = grown(common, project=None)
    yield night(
        "scope/joins-what-has-no-project",
        "Merged with a lesson of no project, a project's one gives up its id.",
        "MEM-096",
        import_(exported(*map(episode, (ONE, TWO, *there)), held, lesson(*there, project=HARBOUR,
                id=like(*there, project=HARBOUR)["id"], strength=2.5))),
        sleep(),
        just(lessons(), like(ONE, TWO, *there, project=None, id=held["id"])),
    )  # fmt: skip
