"""What a text is about, across languages: acts and their objects, as concepts.toml lists them."""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

_LETTER = "A-Za-z0-9_\u00c0-\u052f\u0600-\u06ff\u0900-\u097f"
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_KEBAB = re.compile(r"[_]+")
_LIMIT = 2000

# Acts that leave traces which others see or which can't be undone.
GRAVE = frozenset(
    {"publish", "push", "deploy", "delete", "migrate", "merge", "rewrite", "send", "money",
     "restart", "commit"}
)  # fmt: skip

# What somebody does, beside what it is done to.
ACTS = GRAVE | frozenset(
    {"install", "rename", "move", "fix", "speed", "test", "plot", "translate", "save", "upgrade",
     "mute", "schedule", "training", "download", "refactor", "document"}
)  # fmt: skip


@lru_cache(maxsize=4096)
def concepts(text: str) -> frozenset[str]:
    """Return the concepts that a text touches."""
    plain = _KEBAB.sub(" ", _CAMEL.sub(" ", text[:_LIMIT])).lower()
    return frozenset(name for name, pattern in _patterns() if pattern.search(plain))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = tomllib.loads((files(__package__) / "concepts.toml").read_text("utf-8"))["acts"]
    return tuple((name, _compile(stems)) for name, stems in table.items())


def _compile(stems: list[str]) -> re.Pattern[str]:
    """Compile stems to start at a word's edge, where a script has such."""
    latin = [s for s in stems if s[0] < "\u3000"]
    dense = [s for s in stems if s[0] >= "\u3000"]
    body = f"(?<![{_LETTER}])(?:{'|'.join(latin)})"
    return re.compile("|".join([body, *dense]))
