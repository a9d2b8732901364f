"""Words in every script: the form of a text that the keyword index is given, and asked for.

The index splits at what is no letter or digit. Scripts without spaces between words would stand
in it as whole sentences, so their runs are given as overlapping pairs of letters (which find
any word of two letters or more); Arabic is freed of what is written or left out at will.
Ordinary text comes back as it is.
"""

import re
import unicodedata

# Han, kana, Hangul, Thai, Lao, Burmese, Khmer and their extensions.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff"
    "\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_NEEDS_WORK = re.compile(f"[\u0600-\u06ff{_UNSPACED}]")
_ARABIC_WORD = re.compile("[\u0600-\u06ff]+")
# Vowel signs and the stretching dash are optional in writing; letters of one sound are one.
_ARABIC_OPTIONAL = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670]")
_ARABIC_SAME = str.maketrans("أإآٱىة", "اااايه")
# "the", alone or after "and", "by", "like", "so"; "for the". As in light stemmers (Larkey 2007).
_ARABIC_ARTICLE = re.compile("^(?:[وبكف]?ال|لل)(?=.{3})")


def segment(text: str) -> str:
    """Return the text as the index is to split it."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
    if _NEEDS_WORK.search(text) is None:
        return text
    text = _ARABIC_WORD.sub(lambda match: _arabic(match[0]), text)
    return UNSPACED_RUN.sub(lambda match: f" {' '.join(pairs(match[0]))} ", text)


def pairs(run: str) -> list[str]:
    """Return the overlapping pairs of a run's letters, the letter itself when it is alone."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _arabic(word: str) -> str:
    plain = _ARABIC_OPTIONAL.sub("", word).translate(_ARABIC_SAME)
    return _ARABIC_ARTICLE.sub("", plain)
