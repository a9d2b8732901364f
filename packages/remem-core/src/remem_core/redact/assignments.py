"""Secrets that their name gives away: `PASSWORD=…`, `"api_key": "…"`, `--token …`, `secret: …`.

A name says little and the words after it are often prose or code (`password: required`,
`token = get_token()`), so each value is judged before it is replaced.
"""

import re

from remem_core.redact.values import Place, is_secret

_HINTS = ("passw", "passphrase", "pwd", "secret", "token", "key", "credential", "_pass")
# Begins with a set of letters and not with an alternation: the engine then skips to the next of
# them at once, which is what makes a text about keys and tokens cheap.
_NAME = (
    r"(?P<name>[PpSsTtKkCc_](?:(?<=p)(?:assw(?:or)?d|assphrase|wd)|(?<=_)pass|(?<=t)oken|"
    r"(?<=s)ecret(?:[_-]?(?:access[_-]?)?key(?:[_-]?base)?)?|(?<=k)ey|(?<=c)redentials?))"
    r"(?:[_-]?(?:prod|production|staging|dev|test|live|value|v?[0-9]{1,2}))?"
)
_SEPARATOR = r"""(?P<sep>\\?["']?\s{0,4}(?:=>|:=|={1,3}|:)\s{0,4}|\s{1,4}(?=["']?[^\s=:-]))"""
_VALUE = (
    r"""\\?(?:"(?P<double>[^"\n\\]{1,512})|'(?P<single>[^'\n\\]{1,512})|`(?P<tick>[^`\n\\]{1,512})"""
    r"""|(?P<bare>(?:[^\s"'`,;&|<>\\]|&(?![\w.-]{1,40}=)){1,512}))"""
)
_ASSIGNMENT = re.compile(_NAME + _SEPARATOR + _VALUE, re.IGNORECASE)
_REST = {
    "double": re.compile(r'[^"\n\\]*+'),
    "single": re.compile(r"[^'\n\\]*+"),
    "tick": re.compile(r"[^`\n\\]*+"),
    "bare": re.compile(r"""(?:[^\s"'`,;&|<>\\]|&(?![\w.-]{1,40}=))*+"""),
}
# A key is a secret only by what stands before it: `api_key`, not `primary_key` or `cache_key`.
_SECRET_KEY = re.compile(
    r"(?:api|access|auth|private|account|service|master|encryption|signing|license|app|client|"
    r"webhook|deploy)[_-]?\Z",
    re.IGNORECASE,
)
_PASSWORD = re.compile(r"passw|pwd|_pass|passphrase", re.IGNORECASE)
_FLAG = re.compile(r"--?[\w-]{0,40}\Z")
_CURSOR = re.compile(r"(?:next|page)[_-]?\Z", re.IGNORECASE)


def redact_assignments(text: str) -> str:
    """Replace the value of each assignment to a secret's name."""
    lower = text.lower()
    if not any(hint in lower for hint in _HINTS):
        return text
    out: list[str] = []
    done = at = 0
    while (match := _ASSIGNMENT.search(text, at)) is not None:
        at = match.end("name")  # a value that is none may itself hold a name
        if _is_secret(text, match):
            group = str(match.lastgroup)
            at = _REST[group].match(text, match.end(group)).end()  # type: ignore[union-attr]
            kind = "password" if _PASSWORD.search(match["name"]) else "secret"
            out += [text[done : match.start(group)], f"[redacted:{kind}]"]
            done = at
    return "".join([*out, text[done:]]) if out else text


def _is_secret(text: str, match: re.Match[str]) -> bool:
    group = str(match.lastgroup)
    value, separator = match[group], match["sep"]
    before = text[max(0, match.start() - 48) : match.start()]
    wanted = match["name"].lower() != "key" or _SECRET_KEY.search(before) is not None
    if not wanted or _CURSOR.search(before):
        return False
    password = _PASSWORD.search(match["name"]) is not None
    quoted = group != "bare"
    if not separator.strip("\\\"' \t\n"):  # no sign between: only a flag's value stands like that
        return _FLAG.search(before) is not None and is_secret(value, Place(password, quoted))
    upper = match["name"].isupper() and not re.search(r"[a-z]\w*\Z", before)
    tight = separator == "=" and (upper or _FLAG.search(before) is not None)
    bare = value.rstrip(").]}") if not quoted else value
    code = "=" in separator and separator != "="
    phrase = quoted and match["name"].lower() == "passphrase"
    return is_secret(bare, Place(password, quoted, tight, code, phrase))
