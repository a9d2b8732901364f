"""The tokens of a first question are those that the tokenizers package gives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remem_core.embed.tokens import Tokens, default_tokenizer
from remem_core.embed.wordpiece import question_tokens

TOKENS = Tokens(default_tokenizer())
WORDS = (
    "uv unbelievably pip3 _private __init__.py C:\\tmp --no-verify [UNK] [CLS] it's 3.14 \x00\x0b\t"
)


@settings(max_examples=60, deadline=None)
@given(
    st.text(st.characters(max_codepoint=127), max_size=60)
    | st.lists(st.sampled_from(WORDS.split(" ")), max_size=8).map(" ".join)
)
def test_ascii_question_is_cut_as_the_package_cuts_it(text: str) -> None:
    assert question_tokens(text) == TOKENS.of(text)


@pytest.mark.parametrize(
    "text",
    ["a" * 100, "a" * 101, "test " * 300, "x" * 5_000, "Prüfung", "猫である", "", "[MASK] me"],
)
def test_long_and_foreign_questions_are_too(text: str) -> None:
    assert question_tokens(text) == TOKENS.of(text)
