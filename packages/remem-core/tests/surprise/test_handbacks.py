"""How a reply hands back, and how a person answers."""

import pytest

from remem_core.surprise.handbacks import judge_answer, judge_closing
from remem_protocol import Act, Answer


@pytest.mark.parametrize(
    ("reply", "act"),
    [
        ("The labels are printed. Want me to stick them on as well?", "offer"),
        ("The labels are printed. I could stick them on, if you like.", "offer"),
        ("The labels are printed and stuck on.", None),
        ("I'll wait until you have counted the crates.", "waiting"),
        ("The lift waits until the door is shut, then it starts.", None),
        ("Please plug in the scanner; then I can go on.", "waiting"),
        ("Which colour should the labels have?", "question"),
        ("I need the number on the back of the scanner.", "question"),
        ("Let me know if you have any questions. The list is in the folder.", None),
        ("The sign now reads 'Should I ring the bell?' in two languages.", None),
        ("Shall I go on?\n\n```\n$ stock --count\n```", "offer"),
    ],
)
def test_closing_is_judged_by_its_last_sentences(reply: str, act: Act | None) -> None:
    found = judge_closing(reply)
    assert (found and found[0]) == act


def test_closing_gives_the_words_that_hand_back() -> None:
    assert judge_closing("All counted. Shall I order more?") == ("offer", "Shall I order more?")


@pytest.mark.parametrize(
    ("text", "act", "answer"),
    [
        ("yes please", "offer", "approved"),
        ("no, Ida does that", "offer", "declined"),
        ("later", "offer", "declined"),
        ("of course, stop asking", "offer", "corrected"),
        ("I already told you to", "offer", "corrected"),
        ("what would that cost?", "offer", "other"),
        ("green", "question", "other"),
        ("no", "question", "other"),
        ("done, it's plugged in", "waiting", "other"),
        ("you don't need to wait for me", "waiting", "corrected"),
        ("👍", "offer", "approved"),
    ],
)
def test_answer_is_judged_by_its_opening_and_by_what_it_answers(
    text: str, act: Act, answer: Answer
) -> None:
    assert judge_answer(text, act) == answer
