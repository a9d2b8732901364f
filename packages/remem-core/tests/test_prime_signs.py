"""What replies do, what people want of them, and what a correction wants."""

import pytest

from remem_core.prime.moment import Corrected
from remem_core.prime.polarity import wish_of
from remem_core.prime.signs import asks_only, doing_of, ending_of, signs
from remem_core.prime.subject import concepts
from remem_core.prime.wording import begun, identifiers, stems


@pytest.mark.parametrize(
    "told",
    ["Ended with: Shall I?", "Endete mit: Shall I?", "Terminó con: Shall I?", "終わり"],
)
def test_the_end_of_a_reply_is_told_in_any_language(told):
    assert ending_of(told) == ("Shall I?" if ":" in told else None)


def test_an_act_that_is_told_is_no_reply():
    assert ending_of("Renamed the column.") is None
    assert doing_of("Renamed the column.") == "Renamed the column."


def test_a_quoted_reply_and_its_calls_are_told_apart():
    did = "I pushed the branch.\n[calls] Bash(git push)"
    assert ending_of(did) == "I pushed the branch."
    assert doing_of(did) == "Bash(git push)"
    assert doing_of("I pushed the branch.") is None


@pytest.mark.parametrize(
    ("prompt", "asks"),
    [
        ("how many logs are there?", True),
        ("wie viele Kessel haben wir?", True),
        ("explain the parser, don't change anything", True),
        ("look into the parser, change nothing", True),
        ("how long does it take? put it in the report", False),
        ("delete the logs", False),
    ],
)
def test_a_question_asks_for_nothing_to_be_done(prompt, asks):
    assert asks_only(prompt) is asks


def test_a_claim_is_told_from_evidence():
    assert {"claims"} <= signs("reply", "The printer works now.")
    assert "evidence" not in signs("reply", "The printer works now.")
    assert "evidence" in signs("reply", "I ran it on three tanks, 12 labels are right.")


def test_stances_are_heard_in_other_languages():
    assert "go" in signs("stance", "mach einfach, frag nicht")
    assert "askfirst" in signs("stance", "nichts geht raus, bevor ich es gelesen habe")


def test_subjects_meet_across_languages():
    assert "delete" in concepts("lösch die alten Dateien") & concepts("removed the old files")
    assert "send" in concepts("envoie la lettre") & concepts("Sent the letter.")


def test_what_is_wanted_is_told_from_what_was_done():
    wish = wish_of((Corrected("pnpm, not npm", "Ran npm install."),))
    assert "pnpm" in wish.wanted
    assert "npm" in wish.unwanted
    assert not wish.wanted & wish.unwanted


def test_words_meet_by_their_beginning():
    assert begun(stems("from the environment"), stems("process.env.KEY")) == {"environ"}
    assert begun(stems("the cat"), stems("a dog")) == frozenset()


def test_names_are_those_of_code():
    assert identifiers("set --dry-run in src/main.rs for load_config()") >= {
        "--dry-run", "src/main.rs", "load_config",
    }  # fmt: skip
    assert identifiers("Set the table, please.") == frozenset()
