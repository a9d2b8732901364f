"""The agent's own admissions, beside sentences that share their words."""

import pytest

from remem_core.surprise.judging import CuesAlone
from remem_core.surprise.model import open_judge
from remem_core.surprise.statements import find_statement


@pytest.mark.parametrize(
    ("admits", "does_not"),
    [
        ("I was wrong about the shelf.", "You were wrong about the shelf, as you say."),
        ("I misread the label, it says 14.", "The scanner misread the label."),
        ("I assumed sealed boxes, but they are open.", "If I assumed sealed boxes, it'd be off."),
        ("I thought the list was sorted. It isn't.", "I thought about two ways and took one."),
        ("My earlier fix only covered crates.", "The earlier fix, from last year, covered crates."),
        ("Contrary to what I said, it needs a key.", "Contrary to the manual, it needs a key."),
        ("That was a mistake on my part.", "My mistake counter is reset after each round."),
        ("I expected 12 boxes, but there are 14.", "I expected 12 boxes and there are 12."),
        ("I should have checked the date.", "You should check the date."),
        ("You're right - I should have used the list.", "You're right. The list is sorted."),
        ("Good catch! I missed the cellar.", "Good catch by the scanner: 14 boxes."),
        ("Wait, there should only be one list, not two.", "Wait for the list, it is long."),
        ("I may have made an error with the labels.", "There may be an error in the labels."),
        ("The third box is not what I wrote.", "Tell me what I should write."),
        ("Turns out my count was off by one.", "Turns out nicely: all boxes fit."),
        ("Correction to my last message: 14 boxes.", "Corrected the last message of the log."),
        ("The problem is that I counted lids.", "The problem is that the scale counts lids."),
        ("I see the issue: my list has no cellar.", "I see the issue: the list has no cellar."),
        ("It fails because I renamed the shelf.", "It fails because the shelf was renamed."),
        ("The first search was too narrow.", "The first shelf was nearly empty."),
        ("Sorry for the confusion, it has six.", "Sorry for the wait, it has six."),
        ("Wait, is this the cellar's list?", "Wait until the cellar's list is there."),
        ("Turns out the box was never opened.", "It all turns out well."),
    ],
)
def test_agent_admits_in_the_first_person(admits: str, does_not: str) -> None:
    assert find_statement(admits) is not None
    assert find_statement(does_not) is None


def test_statement_is_the_sentence_and_the_one_after_it() -> None:
    text = "All shelves are labelled.\n\nI was wrong about the cellar. It has six shelves. Done."
    assert find_statement(text) == "I was wrong about the cellar. It has six shelves."


def test_quoted_admission_is_somebody_elses() -> None:
    assert find_statement('The card reads "I was wrong, sorry" in six languages.') is None
    assert find_statement("```\n# I was wrong about the order\n```\nThe order is kept.") is None


@pytest.mark.parametrize(
    "text",
    [
        "Ich hatte mich geirrt: ich lag falsch mit dem Regal.",
        "Je me suis trompé de rayon.",
        "Me equivoqué con la caja.",
        "Я ошибся полкой.",
        "我之前说错了，箱子在左边。",
        "先ほどの説明は誤りでした。",
        "제가 잘못 알고 있었습니다.",
    ],
)
def test_agent_admits_in_other_languages(text: str) -> None:
    assert find_statement(text) is not None


class Hears(CuesAlone):
    """A judge that keeps what it is asked about, and says no."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def admits(self, words: str) -> bool:
        self.asked.append(words)
        return False


def test_judge_is_asked_where_no_rule_is_sure_and_something_may_be_admitted() -> None:
    judge = Hears()
    assert find_statement("I took the lid for a box. Six are left. Let me go on.", judge) is None
    assert judge.asked == ["i took the lid for a box. six are left."]
    find_statement("I was wrong about the cellar.", judge)
    find_statement("The cellar has six shelves. Now I need to label them.", judge)
    assert len(judge.asked) == 1


def test_model_finds_an_admission_that_no_rule_knows() -> None:
    judge = open_judge()
    admits, does_not = "I counted the lids as boxes, that's why it's off.", "I counted the lids."
    assert find_statement(admits) is None
    assert find_statement(admits, judge) == admits
    assert find_statement(does_not, judge) is None
