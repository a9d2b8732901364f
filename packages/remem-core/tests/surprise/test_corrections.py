"""What is a correction and what only looks like one."""

import pytest

from remem_core.surprise.corrections import is_correction
from remem_core.surprise.cues import LANGUAGES, languages_of
from remem_core.surprise.words import own_words
from remem_protocol import Act


@pytest.mark.parametrize(
    ("text", "act", "corrects"),
    [
        ("no, in the cellar", None, True),
        ("no, in the cellar", "question", False),
        ("no, in the cellar", "offer", False),
        ("no idea", None, False),
        ("I said crates, not pallets", None, True),
        ("why did you rename the table?", None, True),
        ("why is the table called that?", None, False),
        ("you forgot the second shelf", None, True),
        ("hmm, that doesn't add up", None, True),
        ("hmm ok, what's next?", None, False),
        ("it still doesn't work", None, True),
        ("can you check why it doesn't work?", None, False),
        ("thanks! now do the labels", None, False),
        ("that's what I meant", None, False),
        ("undo that", None, True),
        ("add a test for the label that fails", None, False),
    ],
)
def test_words_correct_by_their_cue_and_by_what_they_answer(
    text: str, act: Act | None, corrects: bool
) -> None:
    assert is_correction(text, "prompt", act) is corrects


def test_refusal_with_words_corrects_unless_it_asks() -> None:
    assert is_correction("use the label printer", "refusal", None)
    assert not is_correction("what does it print?", "refusal", None)
    assert not is_correction("use the label printer", "prompt", None)


@pytest.mark.parametrize(
    "text",
    [
        "```\nI said no, that's wrong\n```",
        "> no, that's wrong\n> you forgot it",
        "2026-03-04 05:06:07 ERROR it still doesn't work",
        'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: that is not right',
        "User: no, stop\nAssistant: sorry",
        "<!-- remem:start -->\nno, stop doing that\n<!-- remem:end -->",
        '"""\nno, you misunderstood\n"""',
    ],
    ids=["code", "quote", "log", "stack", "transcript", "remem", "block"],
)
def test_what_was_pasted_is_not_the_persons_word(text: str) -> None:
    assert not is_correction(text, "prompt", None)
    assert is_correction(f"no, look:\n{text}", "prompt", None)


def test_own_words_keep_what_was_typed_around_a_paste() -> None:
    text = "that shelf is gone\n```\nshelf 4\n```\nask Ida\n> old\n[image]"
    assert own_words(text).split() == ["that", "shelf", "is", "gone", "ask", "Ida"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("nein, das ist falsch", "de"),
        ("non, pas comme ça", "fr"),
        ("no, eso no es lo que pedí", "es"),
        ("não foi isso que eu pedi", "pt"),
        ("нет, я же просил иначе", "ru"),
        ("不对，我说的是仓库", "zh"),
        ("違います、戻してください", "ja"),
        ("아니요, 그게 아니에요", "ko"),
        ("لا، لم أطلب ذلك", "ar"),
        ("नहीं, मैंने ऐसा नहीं कहा", "hi"),
    ],
)
def test_other_languages_are_one_more_file(text: str, language: str) -> None:
    assert language in LANGUAGES
    assert language in languages_of(text)
    assert is_correction(text, "prompt", None)


def test_english_text_needs_no_other_languages_rules() -> None:
    assert languages_of("the shelf is in the cellar and the label is on it") == ("en",)
