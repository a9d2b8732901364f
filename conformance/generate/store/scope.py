"""Scope: what narrows a question narrows it whatever else matches, and never widens it."""

from typing import Any

from conformance.generate.shapes import Cases, Value, event
from conformance.generate.store.shapes import (
    HARBOUR,
    LATER,
    NOW,
    ORCHARD,
    append,
    expecting,
    export,
    import_,
    named,
    recall,
    reset,
    story,
    told,
)

OURS = told("The heron service listens on port 8417.", project=ORCHARD)
THEIRS = told("The heron service listens on port 9230.", project=HARBOUR)
ANYONES = told("Heron services log to the journal.")
MARCH_5, MARCH_6 = "2026-03-05T09:00:00.000000Z", "2026-03-06T09:00:00.000000Z"


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _projects()
    yield from _ways_round()
    yield from _filters()
    yield from _more_filters()
    yield from _times()


def _found(query: str, *, has: list[Value], lacks: list[Value], **narrowed: Any) -> Value:
    return expecting(recall(query, **narrowed), has=named(*has), lacks=named(*lacks))


def _projects() -> Cases:
    everything = append(OURS, THEIRS, ANYONES)
    yield story(
        "scope/other-project",
        "A question within a project finds nothing of another.",
        "MEM-022",
        everything,
        _found("heron service port", project=ORCHARD, has=[OURS], lacks=[THEIRS]),
        _found("heron service port", project=HARBOUR, has=[THEIRS], lacks=[OURS]),
    )
    yield story(
        "scope/note-of-no-project",
        "A note that belongs to no project is everyone's.",
        "MEM-022",
        everything,
        _found("heron services journal", project=ORCHARD, has=[ANYONES], lacks=[THEIRS]),
    )
    yield story(
        "scope/none",
        "A question without a scope finds what there is.",
        "MEM-022",
        everything,
        _found("heron service port journal", has=[OURS, THEIRS, ANYONES], lacks=[]),
    )
    for name, project in {
        "unknown": "git:example.org/nowhere",
        "part-of-a-name": "git:example.org/orch",
        "longer-name": f"{ORCHARD}-2",
        "other-case": "git:example.org/Orchard",
        "pattern": "git:example.org/%",
        "star": "*",
        "empty": "",
        "quote": "' or 1=1 --",
    }.items():
        yield story(
            f"scope/{name}",
            "A project that the memory does not know has nothing of those that it knows.",
            "MEM-022",
            everything,
            _found("heron service port", project=project, has=[ANYONES], lacks=[OURS, THEIRS]),
        )
    trees = [{**OURS, "cwd": "/home/u/orchard", "session": "s-1"}]
    trees += [{**OURS, "text": "Heron logs rotate.", "cwd": "/tmp/tree-2", "session": "s-2"}]
    yield story(
        "scope/work-trees-share-a-project",
        "Folders of one identity are one project.",
        "MEM-020 MEM-022",
        append(*trees, THEIRS),
        _found("heron", project=ORCHARD, has=trees, lacks=[THEIRS]),
    )


def _ways_round() -> Cases:
    secret = told("The mark amber-raven-00123 opens the vault.", project=HARBOUR)
    yield story(
        "scope/name-of-another-project",
        "Not even its exact name brings up what belongs to another project.",
        "MEM-022 MEM-025",
        append(OURS, secret),
        _found("amber-raven-00123", project=ORCHARD, has=[], lacks=[secret]),
        _found("amber-raven-00123", project=HARBOUR, has=[secret], lacks=[]),
    )
    rule = told("Ask Mara.", project=HARBOUR, layer="procedural", trigger="heron")
    yield story(
        "scope/trigger-of-another-project",
        "A trigger fires in its own project only.",
        "MEM-022 MEM-027",
        append(OURS, rule),
        _found("heron", project=ORCHARD, has=[OURS], lacks=[rule]),
        _found("heron", project=HARBOUR, has=[rule], lacks=[OURS]),
    )
    beside = {**THEIRS, "session": "s-1", "at": MARCH_5}
    yield story(
        "scope/beside-it-in-a-session",
        "What stands beside a hit in its session is no more allowed than elsewhere.",
        "MEM-022",
        append({**OURS, "session": "s-1"}, beside),
        expecting(recall("heron port", project=ORCHARD), lacks=named(beside)),
    )
    yield story(
        "scope/after-an-import",
        "An imported memory is scoped like one that grew here.",
        "MEM-022 MEM-075",
        append(OURS, THEIRS),
        export(),
        reset(),
        import_(2),
        _found("heron service port", project=ORCHARD, has=[OURS], lacks=[THEIRS]),
    )
    yield story(
        "scope/many-of-another-project",
        "However much another project has that fits better, one's own is found.",
        "MEM-022",
        append(*(told(f"heron port {n}", project=HARBOUR) for n in range(300, 600)), OURS),
        _found("heron port", project=ORCHARD, has=[OURS], lacks=[]),
        expecting(recall("heron port", project=ORCHARD), lacks=[{"project": HARBOUR}]),
    )


def _filters() -> Cases:
    corrected = event("correction", said="Restart the heron service.", cause="message")
    noted = told("The heron service restarts itself.")
    for name, kinds, has, lacks in (
        ("kind", ["correction"], [corrected], [noted]),
        ("two-kinds", ["correction", "note"], [corrected, noted], []),
        ("kind-without-any", ["error"], [], [corrected, noted]),
        ("unknown-kind", ["mood"], [], [corrected, noted]),
        ("no-kind", [], [], [corrected, noted]),
    ):
        yield story(
            f"scope/{name}",
            "Only the kinds that were asked for.",
            "MEM-024",
            append(corrected, noted),
            _found("heron service restart", kinds=kinds, has=has, lacks=lacks),
        )


def _more_filters() -> Cases:
    corrected = event("correction", said="Restart the heron service.", cause="message")
    noted = told("The heron service restarts itself.")
    layers = [
        told(f"Heron rule of the {layer} layer.", layer=layer)
        for layer in ("semantic", "identity", "procedural")
    ]
    yield story(
        "scope/layer",
        "Only the layers that were asked for.",
        "MEM-024",
        append(*layers),
        _found("heron rule", layers=["identity"], has=layers[1:2], lacks=[layers[0], layers[2]]),
        _found("heron rule", layers=["semantic", "procedural"], has=[layers[0], layers[2]],
               lacks=layers[1:2]),
    )  # fmt: skip
    agents = [told(f"Heron word of {agent}.", agent=agent) for agent in ("codex", "my-agent")]
    yield story(
        "scope/agent",
        "Only the agents that were asked for.",
        "MEM-024",
        append(*agents, noted),
        _found("heron word", agents=["codex"], has=agents[:1], lacks=[agents[1], noted]),
    )
    yield story(
        "scope/filters-together",
        "Of several filters each one holds.",
        "MEM-022 MEM-024",
        append(OURS, THEIRS, {**OURS, "at": MARCH_6}, {**corrected, "project": ORCHARD}),
        _found(
            "heron service port",
            project=ORCHARD,
            kinds=["note"],
            since=MARCH_5,
            has=[{**OURS, "at": MARCH_6}],
            lacks=[OURS, THEIRS, {**corrected, "project": ORCHARD}],
        ),
    )


def _times() -> Cases:
    days = [told(f"Heron count {n}.", at=at) for n, at in ((31, MARCH_5), (47, MARCH_6), (52, NOW))]
    for name, why, bounds, has in (
        ("since", "From that moment on.", {"since": MARCH_6}, days[1:]),
        ("until", "Before that moment.", {"until": MARCH_6}, days[:1]),
        ("since-until", "Of two bounds both.", {"since": MARCH_6, "until": NOW}, days[1:2]),
        ("since-after-all", "After everything there is nothing.", {"since": LATER}, []),
    ):
        lacks = [day for day in days if day not in has]
        yield story(
            f"scope/{name}",
            why,
            "MEM-024",
            append(*days),
            _found("heron count", now=LATER, **bounds, has=has, lacks=lacks),
        )
