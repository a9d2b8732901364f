"""Is this value a secret, or a word, a name, a placeholder? What keeps ordinary text as it is."""

import re
from typing import NamedTuple

_REFERENCE = re.compile(
    r"[$<{%*\[(]|\\?\.\.\.|…|x{3,}|X{3,}|#\{|@\{|(?i:your[_-]|my[_-]|replace|change[_-]?me|insert|"
    r"example|placeholder|dummy|process\.env|os\.(?:environ|getenv)|getenv|env[.(\[]|import\.meta|"
    r"vault:|secrets\.|op://|arn:|file:|self\.|this\.|args\.|config\.|settings\.|options\.)"
)
_STOPWORDS = frozenset({
    "null", "nil", "none", "true", "false", "undefined", "optional", "required", "string", "number",
    "boolean", "str", "int", "bool", "bytes", "any", "void", "secret", "secrets", "password",
    "passwd", "passphrase", "token", "tokens", "value", "default", "empty", "missing", "invalid",
    "incorrect", "wrong", "expired", "unset", "redacted", "hidden", "masked", "changed",
    "unchanged", "rotated", "revoked", "enabled", "disabled", "yes", "no", "the", "and", "not",
    "for", "from", "with", "this", "that", "is", "are", "was", "has", "auth", "basic", "bearer",
    "oauth", "api", "key", "test", "username", "user", "prompt", "stdin", "env", "file",
})  # fmt: skip
_PHRASE = re.compile(r"[a-z]+(?: [a-z]+){3,}\Z")
_NUMBER = re.compile(r"[+-]?[0-9][0-9_,.]*[a-zA-Z%]{0,3}\Z")
_WORDS = re.compile(r"[A-Za-z]+(?:[-_./:][A-Za-z]+)*+[-_.]?[0-9]{0,3}\Z")
_CODE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\Z|.*[()\[\]{}]|[A-Za-z_]\w*(?:::|->)")
_PATH = re.compile(r"(?:~|\.{1,2})?/(?:[\w.@-]+/)*[\w.@-]*\Z|[A-Za-z]:\\|.*/?[\w-]+\.[a-z]{1,5}\Z")


def is_placeholder(value: str) -> bool:
    """Say whether a value only stands for one: `$TOKEN`, `<password>`, `xxx`, `your-key`."""
    return _REFERENCE.match(value) is not None or value.strip("*•.-_xX") == ""


def looks_random(value: str) -> bool:
    """Say whether a token's body is no chain of words: digits within, or mixed case."""
    if _WORDS.match(value):
        return len(value) >= 20 and "-" not in value and _mixes_case(value)
    return any(c.isdigit() for c in value) or _mixes_case(value)


class Place(NamedTuple):
    """Where a value stands.

    `password`: its name says password, where people choose words; else a machine made the value.
    `tight`: `NAME=value` as in an environment, where nothing but a value can stand. `code`: a sign
    with spaces around, where an unquoted word is most likely a variable. `phrase`: a quoted
    passphrase, the one secret with spaces.
    """

    password: bool
    quoted: bool = False
    tight: bool = False
    code: bool = False
    phrase: bool = False


def is_secret(value: str, place: Place) -> bool:
    """Judge the value of `name = value` by what stands there and where."""
    if len(value) < (4 if place.password else 8) or is_placeholder(value):
        return False
    if value.lower().strip(".,;:!?") in _STOPWORDS or " " in value.strip():
        return place.phrase and _PHRASE.match(value) is not None
    if not place.quoted and _CODE.match(value):
        return False
    if _NUMBER.match(value):
        return place.password and value.isdigit() and (place.quoted or place.tight)
    if _PATH.match(value) and not _mixes_digits(value):
        return False
    if not place.password:
        return looks_random(value)
    if place.tight or (place.quoted and not value.isalpha()):
        return True
    words = _WORDS.match(value) is not None
    return not words or (not place.code and value[-1].isdigit())


def _mixes_case(value: str) -> bool:
    """Say whether capitals stand inside words as they do not in CamelCase: `aKfQzW`."""
    runs = re.findall(r"[A-Z]+|[a-z]+", value)
    return len(runs) >= 6 and sum(map(len, runs)) < 3 * len(runs)


def _mixes_digits(value: str) -> bool:
    return re.search(r"[a-zA-Z][0-9]+[a-zA-Z]", value) is not None and len(value) >= 16
