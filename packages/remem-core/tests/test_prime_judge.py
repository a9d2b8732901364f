"""Which lessons are said at a moment, and which are not."""

import json
import math
from pathlib import Path

import pytest

from remem_core.embed import open_embedder
from remem_core.prime.asked import Asked, read_asked
from remem_core.prime.judge import MOST, Judge
from remem_core.prime.moment import (
    Corrected,
    Failed,
    Handback,
    LessonView,
    Prompt,
    Stated,
    ToolCall,
)
from remem_protocol import MalformedError

MOMENTS = Path(__file__).with_name("prime_moments.jsonl")
DELETED = LessonView(
    "logs",
    "correction",
    (Corrected("the logs stay, nothing is deleted", "Deleted the logs of 2023."),),
)
OFFERED = LessonView(
    "go",
    "correction",
    (
        Corrected("stop asking, just fix it", "Ended with: A line is missing. Should I add it?"),
        Corrected("yes, do it", "Ended with: The test is wrong. Shall I correct it?"),
    ),
)
FAILED = LessonView(
    "flag", "error", (Failed("Bash", "error: needs --group x", "Read", "python scale.py"),)
)


def told() -> list[tuple[Asked, set[str]]]:
    lines = MOMENTS.read_bytes().splitlines()
    return [(read_asked(line), set(json.loads(line)["relevant"])) for line in lines]


@pytest.fixture(scope="module")
def by_words() -> Judge:
    return Judge()


@pytest.fixture(scope="module")
def by_meaning() -> Judge:
    return Judge(open_embedder({}))


def figures(judge: Judge) -> tuple[float, float, bool]:
    """Return precision, recall, and whether all was quiet where nothing bears."""
    said = right = wanted = 0
    quiet = True
    for asked, relevant in told():
        chosen = set(judge.judge(asked.moment, asked.lessons or ()).ids)
        said, right = said + len(chosen), right + len(chosen & relevant)
        wanted += len(relevant)
        quiet = quiet and (bool(relevant) or not chosen)
    return right / max(1, said), right / wanted, quiet


def test_moments_of_another_trade_are_judged(by_meaning):
    precision, recall, quiet = figures(by_meaning)
    assert precision >= 0.8
    assert recall >= 0.5
    assert quiet


def test_words_alone_say_less_and_are_right(by_words):
    precision, recall, quiet = figures(by_words)
    assert precision == 1.0
    assert recall > 0.0
    assert quiet


def test_a_failed_call_bears_until_the_fix_is_there(by_words):
    again = ToolCall("Bash", "Read", "python scale.py --tank 2")
    learned = ToolCall("Bash", "Read", "python scale.py --group x --tank 2")
    assert by_words.judge(again, [FAILED]).ids == ["flag"]
    assert by_words.judge(learned, [FAILED]).ids == []


def test_an_offer_bears_and_a_report_does_not(by_words):
    offer = Handback("the total is wrong", "A bracket is missing in total(). Should I add it?")
    report = Handback(
        "the total is wrong", "Added the bracket in total(); 31 tests pass, 2 of them are new."
    )
    assert by_words.judge(offer, [OFFERED]).ids == ["go"]
    assert by_words.judge(report, [OFFERED]).ids == []


def test_a_question_is_answered_in_silence(by_words):
    judged = by_words.judge(Prompt("how many logs of 2023 were deleted?"), [DELETED])
    assert judged.ids == []
    assert judged.rejected[0].reasons == ("it is only asked, nothing is to be done",)


def test_a_look_is_made_in_silence(by_words):
    judged = by_words.judge(ToolCall("Bash", "Look at the logs", "ls logs/2023"), [DELETED])
    assert judged.rejected[0].reasons == ("the call only shows, it changes nothing",)


def test_a_failed_call_bears_on_calls_alone(by_words):
    for moment in (Prompt("run python scale.py"), Handback("x", "I ran python scale.py.")):
        judged = by_words.judge(moment, [FAILED])
        assert judged.ids == []
        assert judged.rejected[0].score is None


def test_what_was_done_does_not_bear_on_a_reply(by_words):
    judged = by_words.judge(Handback("tidy up", "I deleted the logs of 2022."), [DELETED])
    assert judged.rejected[0].reasons == ("nothing that it rests on was about a reply",)


def test_an_admission_is_judged_where_something_is_to_be_done(by_words):
    stated = LessonView("s", "surprise", (Stated("I had assumed that the logs are rotated."),))
    assert by_words.judge(Prompt("rotate the logs"), [stated]).rejected[0].score is not None
    assert by_words.judge(Handback("x", "Done."), [stated]).ids == []


def test_no_more_lessons_are_said_than_an_agent_can_heed(by_words):
    many = [LessonView(f"l{n}", "error", FAILED.sources) for n in range(6)]
    judged = by_words.judge(ToolCall("Bash", "Read", "python scale.py"), many)
    assert 1 <= len(judged.chosen) <= MOST["tool"]
    assert len(judged.chosen) + len(judged.rejected) == 6


def test_a_crowd_of_lessons_asks_for_more(by_words):
    call = ToolCall("Bash", "Read", "python scale.py --tank 2")
    alone = by_words.judge(call, [FAILED]).chosen[0].score
    crowd = [FAILED, *(LessonView(f"l{n}", "correction", DELETED.sources) for n in range(59))]
    judged = by_words.judge(call, crowd)
    among = {v.lesson: v.score for v in (*judged.chosen, *judged.rejected)}["flag"]
    assert alone - among == pytest.approx(0.5 * math.log(10), abs=0.002)


def test_the_order_of_lessons_changes_nothing(by_words):
    asked, _ = told()[0]
    there = by_words.judge(asked.moment, asked.lessons)
    back = by_words.judge(asked.moment, asked.lessons[::-1])
    assert there.chosen == back.chosen


def test_the_shipped_weights_are_for_the_default_space(by_meaning):
    assert by_meaning.mode == "vectors"


def test_an_embedder_of_another_space_is_not_compared(hashed):
    assert Judge(hashed).mode == "words"


def test_reasons_are_measures_with_names(by_words):
    judged = by_words.judge(ToolCall("Bash", "Read", "python scale.py"), [FAILED])
    assert any(reason.startswith("hint missing +") for reason in judged.chosen[0].reasons)


def test_no_lessons_is_silence(by_words, by_meaning):
    for judge in (by_words, by_meaning):
        assert judge.judge(Prompt("delete the logs"), []).ids == []


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b'{"id":"a","kind":"prompt"}',
        b'{"id":"a","kind":"thought","moment":{"prompt":"x"}}',
        b'{"id":"a","kind":"prompt","moment":{"reply":"x"}}',
        b'{"id":"a","kind":"prompt","moment":{"prompt":"x"},"lessons":[{"id":"l","kind":"error","sources":[]}]}',
        b'{"id":"a","kind":"prompt","moment":{"prompt":"x"},"lessons":[{"id":"l","kind":"correction","sources":[{"tool":"x"}]}]}',
        b'{"id":"a","kind":"prompt","moment":{"prompt":"\xff"}}',
    ],
)
def test_what_is_no_question_is_malformed(line):
    with pytest.raises(MalformedError):
        read_asked(line)


def test_a_question_without_lessons_asks_of_those_remembered():
    asked = read_asked(b'{"id":"a","kind":"tool","moment":{"tool":"Bash","more":1}}')
    assert asked == Asked("a", ToolCall("Bash"), None)


@pytest.mark.parametrize("which", ["by_words", "by_meaning"])
def test_the_very_call_that_failed_is_always_known(
    which: str, request: pytest.FixtureRequest
) -> None:
    judge: Judge = request.getfixturevalue(which)
    again = ToolCall("Bash", command="python  scale.py")
    assert judge.judge(again, [DELETED, FAILED, OFFERED]).ids == ["flag"]
    mended = ToolCall("Bash", command="python scale.py --group x")
    assert judge.judge(mended, [DELETED, FAILED, OFFERED]).ids == []
