"""What of a correction tells a standing wish from a passing one: named signs.

The signs are cue lists of sixteen languages (`standing.toml`) and the plain look of the words: how
long, whether they ask, paste or name things. They are the same in training and at run time. Raised
VERSION: the weights must be trained again.
"""

import math
import re
import tomllib
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from remem_core.lessons.sources import Source
from remem_core.surprise.corrections import is_question, strip_fillers
from remem_core.surprise.cues import LANGUAGES, languages_of, plain
from remem_core.surprise.words import own_words

VERSION = 4

_READ = 600  # characters of a message in which a wish is looked for
_FIRST = 16  # characters in which a message opens
_LETTER = "A-Za-z0-9_\u00c0-\u052f\u0600-\u06ff\u0900-\u097f"
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
# Without one of these, words of Latin script that tell no other language may be in any.
_ENGLISH = frozenset(
    "the you it it's this that these not don't please and are what why with just your should can "
    "could doesn't isn't i'm is be from when for there now but still".split()
)
_GLYPH = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_GLYPHS = 2.0  # characters that stand for a word where words aren't parted
_NAME = re.compile(r"\b[a-z]+[A-Z]\w+|\b\w+_\w+\b|\w+\(\)|\b\w+\.(?:[a-z]{1,4})\b(?=\W|$)")
_HOLDING = ("always", "forbid", "authority", "house", "prefer", "order", "kinds")
_ACTED = re.compile(
    r"\b(?:committed|pushed|deployed|merged|deleted|removed|restarted|applied|posted|published"
    r"|emailed|opened|installed|squashed)\b"
)
# Which of two tools to use is a habit of the person or the project, not of the task.
_TOOLS = frozenset(
    "uv pip poetry conda npm pnpm yarn bun deno node make just cmake ninja bazel docker podman"
    " nerdctl git jj gh glab rg grep ripgrep fd find sed awk jq yq curl wget httpie pytest"
    " unittest jest vitest mocha cypress playwright black ruff flake8 isort prettier eslint biome"
    " mypy pyright tsc gofmt rustfmt clippy tabs spaces bash zsh fish sh postgres sqlite mysql"
    " redis terraform tofu helm kubectl ansible vim emacs".split()
)
_RATHER = re.compile(
    r"\bnot?\b|\bnever\b|instead|rather than|\bover\b|\bnicht\b|\bstatt\b|anstelle|\bno\b|en vez de"
    r"|en lugar de|\bpas\b|au lieu d|plutôt qu|\bnão\b|em vez d|ao invés|\bnon\b|invece d|\bniet\b"
    r"|in plaats van|\bnie\b|zamiast|\byerine\b|değil|\bне\b|вместо|замість|而不是|不要|别用|不是"
    r"|じゃなく|ではなく|代わりに|말고|대신|بدل|وليس|की जगह|नहीं"
)
_EXTRA = re.compile(r"\b(?:also|while i was|as well|too|went ahead|in addition)\b")


def signs_of(source: Source) -> NDArray[np.float64]:
    """Return what is seen of a correction, in the order of `sign_names`."""
    own = own_words(source.said)
    words = plain(own)[:_READ]
    signs = _cue_signs(words) | _plain_signs(source, own, words)
    return np.array([signs[name] for name in sign_names()])


@cache
def sign_names() -> tuple[str, ...]:
    """Return the names of the signs, in order."""
    nothing = Source(id="", kind="", at="", project=None, session=None, said="", did="")
    return tuple(sorted(_cue_signs("") | _plain_signs(nothing, "", "")))


def is_empty(source: Source) -> bool:
    """Say whether no word of the person's own is left to judge."""
    return _WORD.search(own_words(source.said)) is None


def _cue_signs(words: str) -> dict[str, float]:
    languages = _languages(words)
    found = {name: _finds(name, languages, words) for name in _tables()}
    amiss = any(found[name] for name in ("broken", "this", "wonder"))
    holds = [found[name] for name in _HOLDING]
    return {name: float(value) for name, value in found.items()} | {
        "several": min(3, sum(holds)) / 3,
        "broken alone": float(found["broken"] and not any(holds)),
        "forbids, nothing amiss": float(found["forbid"] and not amiss),
        "forbids at first": float(_finds("forbid", languages, strip_fillers(words)[:_FIRST])),
        "wonder alone": float(found["wonder"] and not any(holds)),
        "wonders of this": float(found["wonder"] and found["this"]),
    }


def prefers_a_tool(source: Source) -> bool:
    """Tell whether a correction wants one tool and not another."""
    words = plain(own_words(source.said))[:_READ]
    return len(_TOOLS & {*_WORD.findall(words)}) > 1 and _RATHER.search(words) is not None


def _languages(words: str) -> tuple[str, ...]:
    told = languages_of(words)
    if told == ("en",) and words and not _ENGLISH & {*_WORD.findall(words)}:
        return LANGUAGES
    return told


def _plain_signs(source: Source, own: str, words: str) -> dict[str, float]:
    """Return the signs of length, marks, names and pastes; all about 0 to 1."""
    count = _length(words)
    pasted = 1 - len(own) / max(1, len(source.said.strip()))
    signs: dict[str, float | bool] = {
        "asks": is_question(words) if words else False,
        "question mark": "?" in words or "？" in words,
        "length": math.log1p(count) / 4,
        "two words": count <= 2,
        "five words": count <= 5,
        "long": count > 40,
        "some pasted": pasted > 0.1,
        "image": "[image" in source.said.lower(),
        "link": "http" in source.said,
        "code": "`" in own,
        "names": min(3, len(_NAME.findall(own))) / 3,
        "one tool, not another": len(_TOOLS & {*_WORD.findall(words)}) > 1,
        "path": re.search(r"\w/\w", own) is not None,
        "number": re.search(r"\d", words) is not None,
        "quotes": '"' in words,
        "arrow": "->" in words or "<-" in words,
        "lines": "\n" in own,
        "exclaims": "!" in words or "！" in words,
        "dots": ".." in words or "…" in words,
        "other letters": sum(c.isalpha() and not c.isascii() for c in words) > 0.1 * len(words),
        "agent asked": source.did.rstrip().endswith(("?", "？", "؟")),
        "agent acted": _ACTED.search(source.did.lower()) is not None,
        "agent did more": _EXTRA.search(source.did.lower()) is not None,
    }
    return {name: float(value) for name, value in signs.items()}


def _length(words: str) -> float:
    glyphs = len(_GLYPH.findall(words))
    return len(_WORD.findall(_GLYPH.sub(" ", words))) + glyphs / _GLYPHS


def _finds(name: str, languages: tuple[str, ...], words: str) -> bool:
    rules = (_compiled(name, language) for language in languages)
    return any(rule is not None and rule.search(words) is not None for rule in rules)


@cache
def _compiled(name: str, language: str) -> re.Pattern[str] | None:
    patterns = _tables()[name].get(language)
    if patterns is None:
        return None
    return re.compile(f"(?<![{_LETTER}])(?:{'|'.join(f'(?:{p})' for p in patterns)})")


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((files(__package__) / "standing.toml").read_text("utf-8"))
