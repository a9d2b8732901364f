"""What fixed a failure, and above all what did not: stories in minimal pairs."""

import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from remem_core.redact import redact_event
from remem_core.surprise import detect
from remem_core.surprise.commands import commands
from remem_core.surprise.fixes import HELD, WINDOW
from remem_protocol import (
    AgentTurn,
    Call,
    CallResult,
    Event,
    Failure,
    PersonTurn,
    SessionHead,
    Turn,
)

HEAD = SessionHead(
    id="s1", agent="claude-code", started="2026-03-04T05:00:00.000000Z", project="git.example/quay"
)
BROKEN = "Exit code 2\nerror: unknown option"


def at(second: int) -> str:
    return f"2026-03-04T05:{second // 60:02}:{second % 60:02}.000000Z"


def call(given: str, status: Any = "ok", text: str = "done", tool: str = "Bash") -> Call:
    return Call(id="c", tool=tool, input=given, result=CallResult(status=status, text=text))


def failed(given: str, text: str = BROKEN, tool: str = "Bash") -> Call:
    return call(given, "failed", text, tool)


def told(*replies: Call | str | list[Call]) -> list[Event]:
    """Return the events of a session: a call is a reply of its own, a text is the person's."""
    turns: list[Turn] = []
    for n, reply in enumerate(replies):
        if isinstance(reply, str):
            turns.append(PersonTurn(at=at(n), text=reply))
        else:
            calls = tuple(reply) if isinstance(reply, list) else (reply,)
            turns.append(AgentTurn(at=at(n), text="", calls=calls))
    return list(detect(HEAD, turns))


def fix(*replies: Call | str | list[Call]) -> str | None:
    """Return what fixed the first failure of a session."""
    return next(e.fixed for e in told(*replies) if isinstance(e, Failure))


@pytest.mark.parametrize(
    ("tried", "worked"),
    [
        ("tide moor --berth 4", "tide moor --pier 4"),
        ("tide comit -m 'Log the tide'", "tide commit -m 'Log the tide'"),
        ("cd quay && tide moor --berth 4", "cd /srv/quay && tide moor --pier 4"),
        ("CRANE=2 tide moor --berth 4 2>&1 | tail -5", "CRANE=2 tide moor --pier 4 | head"),
        ("uv run pytest tests/test_quay.py", "uv run pytest quay/tests/test_quay.py"),
        ("python3 tools/wiegh.py hull.csv", "python3 tools/weigh.py hull.csv"),
        ("gh api repos/ana/quay/hulls?per_page=9", "gh api 'repos/ana/quay/hulls?per_page=9'"),
        ("tide survey --deep && tide moor 4", "tide survey --depth && tide moor 4"),
        ("python3 - <<'E'\nimport quay\nquay.wiegh(4)\nE", "python3 - <<'E'\nimport quay\n"
         "print(quay.weigh(4))\nE"),
    ],
)  # fmt: skip
def test_command_called_another_way_is_the_fix(tried: str, worked: str) -> None:
    assert fix(failed(tried), call(worked)) == worked


@pytest.mark.parametrize(
    ("tried", "other"),
    [
        ("tide moor --berth 4", "crane moor --pier 4"),
        ("tide moor --berth 4", "tide survey --berth 4"),
        ("tide moor --berth 4", "tide moor --help"),
        ("pytest tests/test_quay.py", "pytest tests/test_hull.py"),
        ("sed -n '1,40p' quay/berths.py", "sed -n '1,40p' quay/cranes.py"),
        ("curl -s https://tide.example/hulls", "curl -s https://tide.example/piers"),
        ("tide survey --deep && crane lift 4", "tide survey --depth"),
        ("tide moor --berth 4", "tide moor --pier 4 || true"),
        (
            "python3 - <<'E'\nimport quay\nquay.wiegh(4)\nE",
            "python3 - <<'E'\nprint(len('hull'))\nE",
        ),
        ("cd quay", "cd harbour"),
        ("", "tide moor"),
    ],
)
def test_command_that_does_something_else_is_no_fix(tried: str, other: str) -> None:
    assert fix(failed(tried), call(other)) is None


@pytest.mark.parametrize("again", ["tide moor 4", "tide moor 4 -v", "cd q && tide moor 4 | tail"])
def test_same_call_that_works_now_was_fixed_by_something_else(again: str) -> None:
    assert fix(failed("tide moor 4 2>&1"), call(again)) is None
    assert fix(failed("tide moor 4"), call(again), call("tide moor --pier 4")) is None


@pytest.mark.parametrize(
    "meanwhile",
    [
        call('{"file_path":"quay/moor.py","old_string":"a","new_string":"b"}', tool="Edit"),
        call("sed -i s/a/b/ quay/moor.py"),
        call("echo pier=4 > tide.conf"),
        call("git checkout -- quay"),
    ],
)
def test_what_runs_after_files_were_changed_may_work_because_of_that(meanwhile: Call) -> None:
    tried, works = failed("tide moor --berth 4"), call("tide moor --pier 4")
    assert fix(tried, meanwhile, works) is None
    assert fix(tried, call("cat quay/moor.py 2>/dev/null"), works) == works.input


def edit(old: str, new: str, path: str = "quay/moor.py") -> str:
    return f'{{"file_path":"{path}","old_string":"{old}","new_string":"{new}"}}'


def test_edit_is_fixed_by_one_of_the_same_file_with_mostly_the_same_text() -> None:
    lost = failed(edit("berth = 4", "pier = 4"), "String to replace not found in file.", "Edit")
    found = edit("berth  = 4", "pier = 4")
    assert fix(lost, call(found, tool="Edit")) == found
    for other in (
        edit("hull.draught", "hull.depth_below_water"),
        edit("berth = 4", "pier = 4", "quay/crane.py"),
        lost.input,
    ):
        assert fix(lost, call(other, tool="Edit")) is None


def test_reading_is_fixed_by_reading_that_file_where_it_is() -> None:
    lost = failed('{"file_path":"/srv/moor.py"}', "File does not exist.", "Read")
    found = '{"file_path":"/srv/quay/moor.py"}'
    assert fix(lost, call(found, tool="Read")) == found
    assert fix(lost, call('{"file_path":"/srv/quay/crane.py"}', tool="Read")) is None


def test_fix_is_made_after_the_failure_was_known_and_within_the_same_request() -> None:
    tried, works = failed("tide moor --berth 4"), call("tide moor --pier 4")
    assert fix([tried, works]) is None
    assert fix(tried, "Now weigh the hulls.", works) is None
    assert fix(*[tried, *[call("tide survey")] * (WINDOW - 1)], works) == works.input
    assert fix(*[tried, *[call("tide survey")] * WINDOW], works) is None


def test_failures_on_the_way_share_the_fix() -> None:
    tries = [failed("tide moor --berth 4"), failed("tide moor --berht 4")]
    events = told(*tries, call("tide moor --pier 4"))
    assert [e.fixed for e in events if isinstance(e, Failure)] == ["tide moor --pier 4"] * 2


def test_events_keep_their_order_and_ids_while_a_fix_is_looked_for() -> None:
    tried, other = failed("tide moor --berth 4"), failed("crane lift 4")
    unfixed = told(tried, other, call("tide survey"))
    fixed = told(tried, other, call("tide moor --pier 4"))
    assert [e.kind for e in fixed] == ["error", "error", "session"]
    assert [e.id for e in fixed[:2]] == [e.id for e in unfixed[:2]]
    assert [e.at for e in fixed[:2]] == [at(0), at(1)]


def test_session_that_grows_adds_the_fix_to_the_same_event() -> None:
    tried = failed("tide moor --berth 4")
    (before, _), (after, _) = told(tried), told(tried, call("tide moor --pier 4"))
    assert isinstance(before, Failure)
    assert isinstance(after, Failure)
    assert (before.id, before.fixed, after.fixed) == (after.id, None, "tide moor --pier 4")


def test_more_events_than_are_held_go_on_in_order() -> None:
    tries = [failed(f"tide moor --berth {n}") for n in range(HELD + 10)]
    events = told(tries, call("tide moor --pier 3"))
    assert [e.kind for e in events] == ["error"] * len(tries) + ["session"]
    assert [e.call for e in events[:-1] if isinstance(e, Failure)] == [c.input for c in tries]
    assert isinstance(events[0], Failure)
    assert events[0].fixed is None


def test_long_fix_is_kept_as_a_long_call_is() -> None:
    words = " ".join(f"--hull-{n}" for n in range(200))
    kept = fix(failed(f"tide moor --berth {words}"), call(f"tide moor --pier {words}"))
    assert kept is not None
    assert kept.startswith("tide moor --pier --hull-0")
    assert len(kept) < 510


def test_secret_in_a_fix_is_redacted() -> None:
    key = "ghp_" + "a1B2" * 9
    (event, _) = told(failed("tide login --tok x"), call(f"tide login --token {key} x"))
    clean = redact_event(event)
    assert isinstance(clean, Failure)
    assert clean.fixed is not None
    assert key not in clean.fixed
    assert "[redacted:" in clean.fixed


def test_memory_stays_flat_however_many_failures_wait() -> None:
    def endless(count: int) -> Iterator[Turn]:
        for n in range(count):
            given = f"tide moor --berth {n} " + "x " * 4_000
            yield AgentTurn(at=at(n % 3600), text="", calls=(failed(given),) * 20)

    def peak(count: int) -> int:
        tracemalloc.start()
        for _ in detect(HEAD, endless(count)):
            pass
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(5)  # the rules are compiled
    assert peak(100) < 1.5 * peak(20) + 100_000


@pytest.mark.parametrize(
    ("line", "programs"),
    [
        ("cd q && FOO=1 timeout 30 npx tide survey", ["tide survey"]),
        ("uv run python -m tide.moor --pier 4", ["tide.moor "]),
        ("git -C /srv/quay commit -m 'a; b && c'", ["git commit"]),
        ("npm run tidy -- --all", ["npm tidy"]),
        ("(tide survey; crane lift 4) | tee log", ["tide survey", "crane lift"]),
        ("cat a.csv | sort", ["cat ", "sort "]),
        ("echo <<'E'\ntide moor\nE\ncrane lift", ["crane lift"]),
        ("tide 'unclosed", ["tide "]),
        ("", []),
    ],
)
def test_line_is_taken_apart_as_far_as_it_must_be(line: str, programs: list[str]) -> None:
    told = [f"{c.program} {c.subcommand}" for c in commands(line)]
    assert [t.replace("'", "") for t in told] == programs
