"""From a session to its events: cases on which nobody who reads the session would differ.

What a detector finds in words is its own affair; where the words leave no doubt, missing them is a
warning (`should`), and taking something else for them is a failure.
"""

from collections.abc import Sequence
from typing import Any

from conformance.generate.shapes import (
    AT,
    LATER,
    Cases,
    Value,
    agent,
    call,
    event_id,
    person,
    session,
)

CORRECTION, ERROR, ENVIRONMENT = {"kind": "correction"}, {"kind": "error"}, {"kind": "environment"}
SUMMARY = {"kind": "session", "at": AT, "started": AT}
THEN = "2026-03-04T09:02:40.000000Z"
SHOULD = "should"


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _refusals()
    yield from _words()
    yield from _no_corrections()
    yield from _failures()
    yield from _fixes()
    yield from _no_failures()
    yield from _statements()
    yield from _handbacks()
    yield from _summaries()


def _detect(
    name: str,
    why: str,
    req: str,
    turns: Sequence[Value],
    level: str = "must",
    *,
    head: Value | None = None,
    **expect: Any,
) -> tuple[str, Value]:
    content = {"description": why, "req": req.split(), "level": level, "role": "detector"}
    given = {"value": session(*turns, **(head or {}))}
    return f"surprise/{name}", {**content, "op": "detect", "input": given, "expect": expect}


def _no(text: str, **more: Any) -> Value:
    return person(text, via="refusal", at=THEN, **more)


def _refusals() -> Cases:
    asked, refused = person("Pin the dependencies."), call("refused", input="pip install x")
    said = {"kind": "correction", "source": "owner", "cause": "refusal", "at": THEN}
    for name, why, calls, words in (
        ("bare", "A no without words refuses what the agent was about to do.", [refused], ""),
        ("with-words", "The words of a refusal are the correction.", [refused],
         "We use uv here, not pip."),
        ("of-a-batch", "One no to three calls is one correction.", [refused] * 3,
         "We use uv here, not pip."),
    ):  # fmt: skip
        batch = [{**c, "id": f"c-{n}"} for n, c in enumerate(calls)]
        expected = {**said, "said": words, "candidate": False}
        yield _detect(
            f"refusal-{name}",
            why,
            "EVT-030 EVT-031 EVT-032 EVT-035 EVT-050 EVT-051 EVT-053 EVT-054",
            [asked, agent(*batch), _no(words)],
            match=[expected, SUMMARY],
        )
    yield _detect(
        "refusal-says-what-decided",
        "That words came with a refusal is what decides.",
        "EVT-044",
        [asked, agent(refused), _no("We use uv here, not pip.")],
        SHOULD,
        has=[{**CORRECTION, "evidence": "refusal"}],
    )
    yield _detect(
        "refusal-that-asks",
        "Who refuses in order to ask something does not correct.",
        "EVT-030 EVT-054",
        [asked, agent(refused), _no("What does this package do?")],
        lacks=[{**CORRECTION, "candidate": False}],
    )


def _words() -> Cases:
    req = "EVT-030 EVT-031 EVT-032 EVT-051"
    reply = agent(call(input="pip install x"), text="I installed the package with pip.")
    for name, words, via, cause in (
        ("message", "No, that's wrong. Use uv, not pip.", "prompt", "message"),
        ("arguments-of-a-command", "No, that's wrong. Use uv, not pip.", "command", "message"),
        ("steering", "no, stop! use uv instead of pip", "steering", "steering"),
        ("comment", "No, that's the wrong file, I said b.py", "comment", "comment"),
        ("answer-to-an-offer", "No, that's wrong. Use uv, not pip.", "prompt", "message"),
        ("message-german", "Nein, das ist falsch. Nimm uv statt pip.", "prompt", "message"),
        (
            "message-japanese",
            "いや、違います。pipではなくuvを使ってください。",
            "prompt",
            "message",
        ),
        ("message-spanish", "No, eso está mal. Usa uv en vez de pip.", "prompt", "message"),
        ("message-french", "Non, c'est faux. Utilise uv au lieu de pip.", "prompt", "message"),
    ):
        expected = {"kind": "correction", "source": "owner", "said": words, "cause": cause}
        offer = agent(text="I pinned them. Shall I install them with pip?")
        before = offer if name == "answer-to-an-offer" else reply
        turns = [person("Pin the dependencies."), before, person(words, via=via, at=THEN)]
        yield _detect(
            f"correction-by-{name}",
            "The person says that it is wrong, and what to do instead.",
            req,
            turns,
            SHOULD,
            has=[{**expected, "at": THEN}],
        )


def _no_corrections() -> Cases:
    paste = "Now add this to the notes:\n```\nNo, that's wrong. Use uv, not pip.\n```"
    section = "<!-- remem:start -->\n- No, that's wrong: use uv, not pip.\n<!-- remem:end -->"
    req = "EVT-030 EVT-053"
    for name, why, words in (
        ("thanks", "Thanks are none.", "Thanks, that works."),
        ("next-request", "The next request is none.", "Now add a test for the parser."),
        ("pasted-words", "A log that is pasted quotes somebody.", paste),
        ("words-of-remem", "What remem put before the agent is nobody's.", section),
    ):
        turns = [person("Pin the dependencies."), agent(text="I pinned them."), person(words)]
        yield _detect(
            f"no-correction-{name}", why, req, turns, lacks=[{**CORRECTION, "candidate": False}]
        )
    turns = [person("Is pip right here?"), agent(text="No, that's wrong. Use uv, not pip.")]
    yield _detect(
        "no-correction-by-the-agent",
        "What the agent says to the person corrects nobody.",
        req,
        turns,
        lacks=[CORRECTION],
    )


def _call(status: str, text: str, command: str = "make tset", **more: Any) -> Value:
    made = {**call(status, input=command), "result": {"status": status, "text": text}}
    return {**made, **more}


def _failures() -> Cases:
    for name, why, kind, made in (
        ("no-such-target", "The agent called something that is not there.", "error",
         _call("failed", "Exit code 2\nmake: *** No rule to make target 'tset'.  Stop.")),
        ("syntax", "The agent wrote what does not parse.", "error",
         _call("failed", "Exit code 1\n  File \"a.py\", line 3\n    def f(:\nSyntaxError: invalid "
               "syntax", "python a.py")),
        ("edit", "The agent misremembered a file.", "error",
         _call("failed", "String to replace not found in file.", '{"file_path":"a.py"}',
               tool="Edit")),
        ("missing-program", "A program that is not installed tells of the machine.", "environment",
         _call("failed", "Exit code 127\nbash: jq: command not found", "jq . a.json")),
        ("network", "A host that can't be reached tells of the world.", "environment",
         _call("failed", "Exit code 6\ncurl: (6) Could not resolve host: example.org",
               "curl https://example.org/x")),
        ("rights", "A folder that may not be written tells of the machine.", "environment",
         _call("failed", "Exit code 1\nmkdir: cannot create directory '/srv/x': Permission denied",
               "mkdir /srv/x")),
    ):  # fmt: skip
        expected = {"kind": kind, "source": "tool", "at": AT, "tool": made["tool"]}
        yield _detect(
            f"failure-{name}",
            why,
            "EVT-033 EVT-034 EVT-050 EVT-051",
            [person("Go."), agent(made), agent(text="I see.")],
            match=[expected, SUMMARY],
        )


def _fixes() -> Cases:
    failed = _call("failed", "Exit code 2\nmake: *** No rule to make target 'tset'.  Stop.")
    fixed = {**_call("ok", "12 passed", "make test"), "id": "c-2"}
    req = "EVT-033 EVT-046 EVT-050"
    first = [person("Go."), agent(failed)]
    yield _detect(
        "fix-of-a-misspelled-target",
        "The same program, called rightly, worked.",
        req,
        [*first, agent(fixed, at=THEN)],
        SHOULD,
        has=[{**ERROR, "fixed": "make test"}],
    )
    stopped = agent({**call("refused", input="pip install x"), "id": "c-3"})
    yield _detect(
        "fix-leaves-the-order",
        "What happened before the fix came is told after the failure, in order.",
        req,
        [*first, stopped, _no("We use uv here, not pip."), agent(fixed, at=LATER)],
        match=[ERROR, {**CORRECTION, "at": THEN}, SUMMARY],
    )
    edited = _call("ok", "Updated.", '{"file_path":"Makefile"}', tool="Edit")
    again = {**failed, "id": "c-2", "result": {"status": "ok", "text": "12 passed"}}
    for name, why, turns in (
        ("another-program", "Another program fixes nothing of it.",
         [agent({**fixed, "input": "npm run lint"})]),
        ("another-subcommand", "Another subcommand does something else.",
         [agent({**fixed, "input": "make deploy"})]),
        ("the-same-call", "The same call works now: something else has fixed it.",
         [agent(edited), agent(again)]),
        ("a-call-that-failed-too", "What fails itself fixes nothing.",
         [agent({**failed, "id": "c-2", "input": "make tets"})]),
        ("another-request", "The person went on to something else.",
         [agent(text="It failed."), person("Now test the parser."), agent(fixed)]),
    ):  # fmt: skip
        found = [{**ERROR, "call": failed["input"], "fixed": None}]
        yield _detect(f"no-fix-by-{name}", why, req, [*first, *turns], has=found)
    yield _detect(
        "no-fix-by-a-call-of-the-same-reply",
        "It was made before anybody knew of the failure.",
        req,
        [person("Go."), agent(failed, fixed)],
        has=[{**ERROR, "fixed": None}],
    )


def _no_failures() -> Cases:
    for status in ("refused", "interrupted", "collateral", "missing", "unknown"):
        made = _call(status, "" if status in ("missing", "unknown") else "It did not run.")
        turns = [person("Go."), agent(made)]
        turns += [_no("")] if status == "refused" else []
        yield _detect(
            f"no-failure-{status}",
            "It did not fail: nobody let it run to its end.",
            "EVT-035",
            turns,
            lacks=[ERROR, ENVIRONMENT],
        )
    for name, command in (
        ("which", "which jq"),
        ("test", "test -f uv.lock"),
        ("grep", "grep -q uv pyproject.toml"),
    ):
        yield _detect(
            f"no-error-of-a-probe-{name}",
            "A probe that finds nothing has answered: the agent made no mistake.",
            "EVT-033 EVT-034",
            [person("Go."), agent(_call("failed", "Exit code 1", command))],
            lacks=[ERROR],
        )
    yield _detect(
        "no-error-in-an-output-that-speaks-of-errors",
        "A call that went well, whose output speaks of errors.",
        "EVT-033",
        [person("Go."), agent(_call("ok", "error.log: 0 errors, 3 warnings", "cat summary.txt"))],
        lacks=[ERROR, ENVIRONMENT],
    )


def _statements() -> Cases:
    words = "I was wrong about requirements.txt: the list is in pyproject.toml."
    expected = {"kind": "surprise", "source": "agent", "said_by": "agent", "at": THEN}
    yield _detect(
        "stated-by-the-agent",
        "The agent says that something was not as it had believed.",
        "EVT-036 EVT-050",
        [person("Pin them."), agent(text=words, at=THEN)],
        SHOULD,
        has=[expected],
    )
    for name, turns in (
        ("person", [person("I was wrong: it's in pyproject.toml."), agent(text="I see.")]),
        ("file", [person("Go."), agent(_call("ok", words, "cat notes.md"), text="I read it.")]),
    ):
        yield _detect(
            f"not-stated-by-the-agent-but-a-{name}",
            "Somebody else's admission is not the agent's.",
            "EVT-036 EVT-053",
            turns,
            lacks=[{"kind": "surprise"}],
        )


def _handbacks() -> Cases:
    for name, act, closing, words, answer in (
        ("offer-approved", "offer", "Shall I commit the lock file?", "Yes, please.", "approved"),
        ("offer-declined", "offer", "Shall I commit the lock file?", "No, thanks.", "declined"),
        ("offer-that-should-not-have-been", "offer", "Shall I commit the lock file?",
         "Of course, stop asking", "corrected"),
        ("question-answered", "question", "Which port should the service listen on?", "8417",
         "other"),
        ("waiting-approved", "waiting", "I'm waiting for your go-ahead before I push.", "go ahead",
         "approved"),
    ):  # fmt: skip
        expected = {"kind": "handback", "source": "owner", "at": THEN, "act": act, "answer": answer}
        yield _detect(
            f"handback-{name}",
            "How the reply handed back, and how the person answered.",
            "EVT-042 EVT-043",
            [person("Pin them."), agent(text=f"I pinned them. {closing}"), person(words, at=THEN)],
            SHOULD,
            has=[expected],
        )
    yield _detect(
        "handback-unanswered",
        "Nobody has answered yet.",
        "EVT-043",
        [person("Pin them."), agent(text="I pinned them. Shall I commit the lock file?")],
        lacks=[{"kind": "handback"}],
    )


def _summaries() -> Cases:
    head = {"project": "git:example.org/ana/orchard", "cwd": "/home/ana/orchard", "parent": "s-0"}
    common = {"session": "s-1", "project": head["project"], "at": AT}
    no = {"kind": "correction", **common, "at": THEN, "said": "We use uv here, not pip."}
    ids = {"correction": event_id(no), "session": event_id({"kind": "session", **common})}
    first = [
        person("Pin the dependencies."),
        agent(call("refused", input="pip install x")),
        _no("We use uv here, not pip."),
    ]
    grown = [*first, agent(text="With uv then.", at=THEN), person("Thanks, that works.", at=LATER)]
    for name, why, turns in (
        ("session-with-ids", "Ids follow from what was said, by whom, when and where.", first),
        ("session-that-grew", "What was said before keeps its ids when more is said.", grown),
    ):
        yield _detect(
            name,
            why,
            "EVT-010 EVT-039 EVT-041 EVT-050 EVT-051 EVT-052",
            turns,
            head=head,
            has=[
                {"kind": "correction", "id": ids["correction"]},
                {"kind": "session", "id": ids["session"], "turns": len(turns), **common},
            ],
        )
    yield _detect(
        "session-without-turns",
        "A session in which nothing was said still took place.",
        "EVT-039 EVT-041 EVT-050 ADP-032",
        [],
        match=[{**SUMMARY, "turns": 0, "source": "tool"}],
    )
