"""`recall` with its limits, its explanation, and the days that a question names."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


def note(run: Run, *argv: str) -> str:
    ran = run("note", "--global", *argv)
    assert ran.code == 0, ran.err
    return str(ran.out.strip())


def hits(run: Run, *argv: str) -> list[Any]:
    found: list[Any] = run("recall", *argv, "--json").json["hits"]
    return found


def test_layer_and_agent_limit_and_may_be_given_again(run: Run) -> None:
    note(run, "--layer", "identity", "port tests come first")
    note(run, "--layer", "procedural", "port checks come second")
    note(run, "port facts")
    assert len(hits(run, "port")) == 3
    assert len(hits(run, "port", "--layer", "identity", "--layer", "procedural")) == 2
    assert hits(run, "port", "--agent", "codex") == []
    assert run("recall", "port", "--layer", "purple").code == 2
    hint = run("recall", "port", "--agent", "codex").out
    assert hint == "Nothing found. Try it without --agent.\n"


@pytest.mark.parametrize(("size", "texts"), [("12", 1), ("24", 2), ("3t", 1), ("6t", 2)])
def test_budget_counts_bytes_or_tokens(run: Run, size: str, texts: int) -> None:
    for word in ("one", "two", "six"):
        note(run, f"the port {word}")  # 12 bytes each
    assert len(hits(run, "port", "--budget", size)) == texts


@pytest.mark.parametrize("size", ["0", "-1", "many", "1.5", "4k", "t"])
def test_odd_budget_is_wrong_usage(run: Run, size: str) -> None:
    ran = run("recall", "port", f"--budget={size}")
    assert ran.code == 2
    assert "500t for tokens" in ran.err


def test_explanation_adds_up(run: Run) -> None:
    note(run, "the port is open")
    [hit] = hits(run, "port")
    assert {"keyword", "cosine", "relevance", "recency", "strength", "context"} == set(hit["parts"])
    told = run("recall", "port", "--explain").out
    for part in ("keyword", "cosine", "context", "recency", "strength", "0.60 ×", "0.25 ×"):
        assert part in told
    assert "keyword" not in run("recall", "port").out


def test_what_was_said_often_comes_once_with_its_number(run: Run) -> None:
    for _ in range(3):
        note(run, "always run the tests before a push")
    told = run("recall", "tests before push").out
    assert told.count("always run the tests") == 1
    assert "said 3 times" in told
    assert hits(run, "tests before push")[0]["times"] == 3


def test_days_named_in_a_question_narrow_it_and_say_so(run: Run) -> None:
    note(run, "the port broke")
    ran = run("recall", "what port broke today")
    assert "the port broke" in ran.out
    today = datetime.datetime.now().astimezone().date()
    assert f"Only {today.day} " in ran.err
    assert "from “today”; --anytime searches all." in ran.err
    narrowed = run("recall", "what port broke today", "--json").json["narrowed"]
    assert narrowed["since"] == today.isoformat()
    assert run("recall", "what port broke", "--json").json["narrowed"] is None


def test_nothing_in_those_days_is_said_and_not_widened(run: Run) -> None:
    note(run, "the port broke")
    ran = run("recall", "what port broke last month")
    assert ran.out.startswith("Nothing found for 1–")
    assert "--anytime searches beyond “last month”." in ran.out
    assert len(hits(run, "what port broke last month", "--anytime")) == 1


def test_owners_own_limits_outdo_the_days_of_a_question(run: Run) -> None:
    note(run, "the port broke")
    ran = run("recall", "what port broke last month", "--since", "1h", "--json")
    assert ran.json["narrowed"] is None
    assert len(ran.json["hits"]) == 1


def test_last_week_is_counted_from_the_time_asked_about(run: Run) -> None:
    narrowed = run("recall", "ports last week", "--at", "2026-03-04", "--json").json["narrowed"]
    assert (narrowed["since"], narrowed["until"]) == ("2026-02-23", "2026-03-02")
    told = run("recall", "ports last week", "--at", "2020-03-04").out
    assert told.startswith("Nothing found for 24 February 2020 – 1 March 2020.") or (
        "Nothing found for 24 February" in told
    )
