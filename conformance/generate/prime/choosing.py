"""When a lesson is put before an agent: where it plainly bears, never where nothing is shared."""

from conformance.generate.lessons import (
    EARLIER,
    MARCH_5,
    Learned,
    failed,
    learned,
    said,
    vetoed,
)
from conformance.generate.prime.shapes import (
    ALSO_TOLD,
    BRIEF,
    CART,
    INSTALL,
    MAIN,
    PNPM,
    PUSH,
    TEST,
    TOLD,
    UV,
    anything,
    call,
    case,
    chosen,
    handback,
    prompt,
    silent,
)
from conformance.generate.shapes import Cases
from conformance.generate.store.shapes import HARBOUR, LATER, NOW, ORCHARD, content_id

SHOULD = "should"


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _plain()
    yield from _nothing_shared()
    yield from _may_be_shown()
    yield from _most()
    yield from _once()


def _plain() -> Cases:
    deploy = {"tool": "Bash", "command": "make deploy", "description": "Deploy the site"}
    made = _twice("make deploy", "No rule to make target 'deploy'.", "Deploy the site")
    build = {"tool": "Bash", "command": "cargo build --release", "description": "Build it"}
    cargo = _twice("cargo build --release", "error: linker `cc` not found", "Build it")
    wait = learned(
        said(
            "Don't ask me whether to go on, go on.",
            "The tests pass. Shall I go on with the next file?",
            session="s-5",
        )
    )
    others = (MAIN, BRIEF)
    for name, why, step, one in (
        ("same-call-failed", "The very call that failed twice.", call(TEST, PNPM, *others), PNPM),
        ("same-build-failed", "The very call, of another program.",
         call(build, cargo, *others), cargo),
        ("same-rule-failed", "The very call, of a program whose rule was missing.",
         call(deploy, made, *others), made),
        ("same-call-corrected", "The very call that the person put right.",
         call(INSTALL, UV, *others), UV),
        ("same-push-corrected", "The act that the person put right.",
         call(PUSH, MAIN, PNPM, BRIEF), MAIN),
        ("same-question-corrected", "The very end of a reply that the person put right.",
         handback("Move the tests.", "The tests pass. Shall I go on with the next file?", wait,
                  PNPM), wait),
        ("asked-for-again", "A prompt that asks for just what was put right.",
         prompt("Run pip install -r requirements.txt.", UV, PNPM), UV),
    ):  # fmt: skip
        yield case(f"choosing/{name}", why, "FIL-022", chosen(step, one), level=SHOULD)


def _nothing_shared() -> Cases:
    req = "FIL-021"
    poem = "Translate the poem about herons into Latin."
    draw = {"tool": "Write", "command": "poems/heron.txt", "description": "Save the poem"}
    other = {"tool": "Bash", "command": "ffmpeg -i heron.wav heron.ogg"}
    for name, why, step in (
        ("no-lessons", "Without lessons there is nothing to say.", call(TEST)),
        ("no-lessons-at-a-prompt", "Nor at a prompt.", prompt("Install the dependencies.")),
        ("other-prompt", "A prompt that shares nothing with any lesson.", prompt(poem, PNPM, UV)),
        ("other-tool", "A call of a tool and about a thing that no lesson speaks of.",
         call(draw, PNPM, UV)),
        ("other-program", "A call of a program that never failed.", call(other, PNPM, UV)),
        ("failed-call-at-a-prompt", "What failed was a call; here is none, nor a word of it.",
         prompt(poem, PNPM)),
        ("other-handback", "The end of a reply that shares nothing with any lesson.",
         handback(poem, "Ardea in ripa stat.", PNPM, UV)),
        ("other-script", "A prompt in another script about another thing.",
         prompt("詩を翻訳してください。", PNPM, UV)),
        ("empty-words", "A prompt of white space is about nothing.", prompt("  ", PNPM, UV)),
    ):  # fmt: skip
        yield case(f"choosing/{name}", why, req, silent(step))
    yield case(
        "choosing/own-words",
        "A prompt that only quotes what was put before the agent asks for nothing.",
        "FIL-021",
        silent(
            prompt(
                "<!-- remem:start -->\nThe person said: “We use uv here, not pip.”\n"
                "<!-- remem:end -->",
                UV,
            )
        ),
    )


def _may_be_shown() -> Cases:
    req = "FIL-009 FIL-020"
    harbour = _twice("pnpm test cart", "Missing script: test", CART, project=HARBOUR)
    for name, why, one in (
        ("another-projects", "Another project's lesson is never said here.", harbour),
        ("candidate", "A candidate is not.", _made(trust="candidate")),
        ("archived", "What was put aside is not.", _made(archived=NOW)),
        ("over", "What no longer holds is not.", _made(valid_until=NOW)),
        ("superseded", "What another stands in the place of is not.",
         _made(valid_until=EARLIER, superseded_by=UV.id)),
    ):  # fmt: skip
        yield case(f"choosing/{name}", why, req, silent(call(TEST, one, UV)))
    yield case(
        "choosing/vetoed",
        "A vetoed lesson is never said again.",
        req,
        silent(call(TEST, vetoed(PNPM), PNPM, UV)),
    )
    yield case(
        "choosing/outside-any-project",
        "In a session of no project nothing of a project is said.",
        req,
        silent(call(TEST, PNPM, UV, project=None)),
    )
    yield case(
        "choosing/beside-another-project",
        "Of two projects' lessons on one call the session's own is said.",
        req,
        chosen(call(TEST, PNPM, harbour), PNPM),
        level=SHOULD,
    )
    for name, why, one in (
        ("corroborated", "A lesson that was corroborated is.", _made(trust="corroborated")),
        ("confirmed", "A lesson that came true here is.", _made(trust="confirmed")),
        ("not-yet-over", "What holds until tomorrow is.", _made(valid_until=LATER)),
    ):
        step = chosen(call(TEST, one, UV), one)
        yield case(f"choosing/{name}", why, f"{req} FIL-022", step, level=SHOULD)


def _most() -> Cases:
    lessons = [_twice("pnpm test cart", f"Missing script {n}", CART) for n in range(12)]
    yield case(
        "choosing/twelve-for-one-call",
        "However many bear on it, at most three are said.",
        "FIL-020",
        anything(call(TEST, *lessons)),
    )
    words = "We use uv here, not pip"
    told = [said(f"{words} ({n}).", f"I ran pip install {n}.", session=f"s-{n}") for n in range(12)]
    many = [learned(one) for one in told]
    yield case(
        "choosing/twelve-for-one-prompt",
        "However many bear on it, at most three are said.",
        "FIL-020",
        anything(prompt("Install the dependencies with pip install.", *many)),
    )


def _once() -> Cases:
    req = "FIL-023"
    yield case(
        "choosing/again-in-a-session",
        "A session that was told a lesson is not told it again.",
        req,
        call(TEST, PNPM, UV),
        silent(call(TEST, PNPM, UV)),
    )
    yield case(
        "choosing/again-at-another-moment",
        "Nor is it at a moment of another kind.",
        req,
        call(INSTALL, UV, PNPM),
        {
            **prompt("Run pip install -r requirements.txt.", UV, PNPM),
            "expect": {"silent": [f"(lesson {UV.id[:8]})"]},
        },
    )
    yield case(
        "choosing/another-session",
        "Another session is told for itself.",
        f"{req} FIL-022",
        call(TEST, PNPM, UV),
        chosen(call(TEST, PNPM, UV, session=ALSO_TOLD), PNPM),
        level=SHOULD,
    )
    yield case(
        "choosing/another-lesson-in-a-session",
        "A session that was told one lesson is still told another.",
        f"{req} FIL-022",
        call(TEST, PNPM, UV, MAIN),
        chosen(call(INSTALL, PNPM, UV, MAIN), UV),
        silent(call(TEST, PNPM, UV, MAIN)),
        level=SHOULD,
    )
    for name, session in (
        ("longer-name", f"{TOLD}-{TOLD}-{TOLD}-{TOLD}-{TOLD}-{TOLD}"),
        ("other-case", TOLD.upper()),
        ("other-sign", TOLD.replace("-", "_")),
        ("slash", TOLD.replace("-", "/")),
    ):
        yield case(
            f"choosing/session-of-{name}",
            "Sessions whose ids are nearly alike are two: what one was told the other was not.",
            f"{req} FIL-022",
            call(TEST, PNPM, UV),
            {**call(TEST, PNPM, UV, session=session), "expect": {"raw_of": 1}},
            level=SHOULD,
        )


def _made(**fields: str) -> Learned:
    """Return PNPM as another memory may have left it."""
    if "trust" in fields:
        fields["origin"] = content_id("another memory")
    assert all(source["project"] == ORCHARD for source in PNPM.sources)
    return learned(*PNPM.sources, text=str(PNPM.record["text"]), **fields)


def _twice(command: str, failure: str, description: str, **more: str) -> Learned:
    """Return a lesson on a call that failed on two days."""
    told = {"description": description, **more}
    days = ((EARLIER, "s-6"), (MARCH_5, "s-7"))
    return learned(*(failed(command, failure, at, session=of, **told) for at, of in days))
