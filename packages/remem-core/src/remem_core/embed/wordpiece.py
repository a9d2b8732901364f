"""The default model's tokens of one question in ASCII, without loading the tokenizers package.

Reading the vocabulary takes a tenth of the time that the package takes to load it, and an ASCII
text needs none of what is long about BERT's rules: lower case, words split at punctuation, each
word cut from its beginning into the longest pieces that the vocabulary has. Anything else goes to
the package (https://github.com/google-research/bert, tokenization.py, has the rules).
"""

import re
from collections.abc import Iterator
from pathlib import Path

VOCABULARY = Path(__file__).parent / "data" / "vocab.txt"
# MiniLM was trained on 128 tokens and reads up to 256, special ones included; its model card.
MAX_TOKENS = 256
_MAX_WORD = 100
_UNKNOWN, _BEGIN, _END = "[UNK]", "[CLS]", "[SEP]"
_DROPPED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_PARTS = re.compile(r"[0-9a-z]+|[^0-9a-z\s]")
# The vocabulary's names of tokens that are no words; the package leaves them whole.
_NAMED = re.compile(r"\[(?:UNK|CLS|SEP|PAD|MASK)\]")


def question_tokens(text: str) -> list[int]:
    """Return a text's tokens, special ones included, as `Tokens.of` does."""
    if not text.isascii() or _NAMED.search(text) is not None or len(text) > MAX_TOKENS * 8:
        from remem_core.embed.tokens import Tokens, default_tokenizer

        return Tokens(default_tokenizer()).of(text)
    names = VOCABULARY.read_text("utf-8").split("\n")
    number = dict(zip(names, range(len(names)), strict=True))
    words = _PARTS.findall(_DROPPED.sub("", text).lower())
    pieces = [number[piece] for word in words for piece in _pieces(word, number)]
    return [number[_BEGIN], *pieces[: MAX_TOKENS - 2], number[_END]]


def _pieces(word: str, known: dict[str, int]) -> Iterator[str]:
    """Yield the longest known pieces of a word, or that it is unknown."""
    found, start = list[str](), 0
    while start < len(word) <= _MAX_WORD:
        prefix = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if prefix + word[start:end] in known), None)
        if end is None:
            break
        found.append(prefix + word[start:end])
        start = end
    yield from found if start == len(word) else [_UNKNOWN]
