"""In what manner of writing an item is: English, other Latin, or a script. The default model knows
English; to it, two texts in Thai are alike because they are in Thai. What is common to a manner is
taken away before texts are compared. A guess by letters and a few English words is enough for that.
"""

import re
import unicodedata
from collections import Counter
from functools import cache

from remem_core.linking.views import Item

TONGUES = (
    *("english", "latin", "cyrillic", "cjk", "hiragana", "hangul", "devanagari", "arabic"),
    "other",
)
_ENGLISH = frozenset(
    """a and as at be but by can do don't for from have how i if in is it just me my no not of on
    or so that the this to use was we what when with you your""".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LATIN_ENDS = 0x250
_MUCH_SCRIPT, _MUCH_ENGLISH = 0.3, 0.1
_READ = 400  # characters of each text


def tongue_of(item: Item) -> int:
    """Return the place in TONGUES of an item's manner of writing."""
    text = f"{item[0][:_READ]} {item[1][-_READ:]}".lower()
    letters = [letter for letter in text if letter.isalpha()]
    foreign = [letter for letter in letters if ord(letter) >= _LATIN_ENDS]
    if foreign and len(foreign) > _MUCH_SCRIPT * len(letters):
        scripts = Counter(_script(letter) for letter in foreign)
        if scripts["hiragana"]:  # kana make Han characters Japanese
            return TONGUES.index("hiragana")
        name = max(sorted(scripts), key=scripts.__getitem__)
        return TONGUES.index(name if name in TONGUES else "other")
    words = [word.replace("’", "'") for word in _WORD.findall(text)]
    known = sum(word in _ENGLISH for word in words)
    return TONGUES.index("english" if known >= _MUCH_ENGLISH * len(words) else "latin")


@cache
def _script(letter: str) -> str:
    name = unicodedata.name(letter, "other").split()[0].lower()
    return "hiragana" if name == "katakana" else name
