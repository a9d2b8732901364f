"""Words in every script: the form of a text that the keyword index is given, and asked for.

The index splits at what is no letter or digit, and knows a mark above a Latin letter only. So a
text is first written as people ask for it: no accents, one width, one kind of digits. Scripts
without spaces between words stand in it as overlapping pairs of letters (which find any word of
two letters or more), and the vowel signs of Indic scripts and Thai as letters. Other spellings of
a word (`Pruefung`, a Hebrew word without its article) follow the text, so that phrases stay whole.
Text in ASCII comes back as it is.
"""

import re
import unicodedata
from functools import cache
from itertools import pairwise

# Han, kana, Hangul, Thai, Lao, Burmese, Khmer and their extensions. The private letters stand for
# the marks of Thai and Lao, of Burmese, and of Khmer (see `_MARKS_AS_LETTERS`).
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff"
    "\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
    "\ue500-\ue5ff\ue700-\ue79f\uee80-\ueeff"
)
_WORD = re.compile("(?:[^\\W_]|[\ue000-\uefff])+")

# The index takes marks for gaps, but private characters for letters.
_MARKS_AS_LETTERS = {
    code: 0xE000 + code - 0x900
    for code in range(0x900, 0x1800)
    if unicodedata.category(chr(code))[0] == "M"
}
# A letter of Thai, Lao, Burmese or Khmer with the vowels before, on and after it: pairs of these
# fall between words where pairs of characters would share half a syllable with most others.
_SYLLABLE = re.compile(
    "[เ-ไເ-ໄ]?.(?:[\ue500-\ue5ff\ue700-\ue79f\uee80-\ueeff]|(?<=[\ueed2\ue739]).)*[ะาๅະາ]*"
)
_SYLLABIC = re.compile("[\u0e00-\u109f\u1780-\u17ff]")
# Marks above letters go, but й, ї and ў are letters of their own.
_ACCENTS = re.compile("(?<![иИіІуУ])[\u0300-\u036f]+")
_LETTERS = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "ı": "i", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D"}
    | {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ς": "σ"}
)
_FOREIGN_DIGIT = re.compile("(?![0-9])\\d")
_GERMAN = re.compile("[A-Za-zäöüßåøæ]*[äöüåø][A-Za-zäöüßåøæ]*", re.IGNORECASE)
_TWO_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"}
)
# Vowel signs, the stretching dash and the dot below are optional in writing; letters of one sound
# are one.
_OPTIONAL = re.compile(
    "[\u093c\u0a3c\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]"
)
_SAME = str.maketrans("أإآٱىیکة", "ااااييكه")
_ARABIC_WORD = re.compile("[\u0600-\u06ff]+")
# "the", alone or after "and", "by", "like", "so"; "for the". As in light stemmers (Larkey 2007).
_ARABIC_ARTICLE = re.compile("^(?:[وبكف]?ال|لل)(?=.{3})")
# "and", "the", "in", "to", "from", "like", "that" are written as one with the next word, which
# may as well begin with that letter: both are indexed.
_JOINED = re.compile("\\b(?:ו?[הבכלמש]|ו|[وفبكل])(\\w{3,})")
_JOINING = re.compile("[\u05d0-\u05ea\u0620-\u064a]")
_MAY_VARY = re.compile("[äöüåøÄÖÜÅØ\u05d0-\u05ea\u0620-\u064a]")


@cache
def unspaced_run() -> re.Pattern[str]:
    """Return what finds runs of scripts without spaces; compiled late, because it takes long."""
    return re.compile(f"[{_UNSPACED}]+")


@cache
def _unspaced_runs() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]+(?: [{_UNSPACED}]+)*")


def segment(text: str) -> str:
    """Return the text as the index is to split it."""
    if text.isascii():
        return text
    spelled = plain(text)
    return " ".join([spelled, *variants(text), *_ends(spelled)])


def plain(text: str) -> str:
    """Return the text in the one spelling that all its spellings share, word by word."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKD", text)
    text = unicodedata.normalize("NFC", _ACCENTS.sub("", text)).translate(_LETTERS)
    text = _OPTIONAL.sub("", text).translate(_MARKS_AS_LETTERS)
    text = _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.digit(match[0])), text)
    text = _ARABIC_WORD.sub(lambda match: _arabic(match[0]), text)
    return unspaced_run().sub(lambda match: f" {' '.join(pairs(match[0]))} ", text)


def words(text: str) -> list[str]:
    """Return the words of a text as the index splits it, in order, without other spellings."""
    return _WORD.findall(plain(text))


def variants(text: str) -> list[str]:
    """Return other spellings of words in a text, each once: `Prüfung` is also `Pruefung`."""
    if text.isascii() or _MAY_VARY.search(unicodedata.normalize("NFC", text)) is None:
        return []
    found = [
        plain(word.translate(_TWO_LETTERS))
        for word in _GERMAN.findall(unicodedata.normalize("NFC", text))
    ]
    if _JOINING.search(text) is not None:
        found += _JOINED.findall(plain(text))
    return list(dict.fromkeys(found))


def pairs(run: str) -> list[str]:
    """Return the overlapping pairs of a run's letters, the letter itself when it is alone."""
    each = letters(run)
    return ["".join(pair) for pair in pairwise(each)] or each


def letters(run: str) -> list[str]:
    """Split a run of an unspaced script, marks and vowels with the letter that bears them."""
    return list(run) if _SYLLABIC.search(run) is None else _SYLLABLE.findall(run)


def _ends(spelled: str) -> list[str]:
    """Return the last letters of unspaced runs: as the first of a pair each other one is found."""
    runs = _unspaced_runs().findall(spelled)
    last = (letters(run.rsplit(maxsplit=1)[-1]) for run in runs)
    return list(dict.fromkeys(each[-1] for each in last if len(each) > 1))


def _arabic(word: str) -> str:
    return _ARABIC_ARTICLE.sub("", word.translate(_SAME))
