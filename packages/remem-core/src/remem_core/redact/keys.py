"""Private keys in PEM form: the whole block goes, also when a reader clipped it in the middle."""

import re

PLACEHOLDER = "[redacted:private-key]"

_NAME = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?"
# Up to the END line; where that is missing, as long as the lines look like a key's. The body stops
# at the next five dashes, so every character is looked at once however many BEGINs there are.
_BLOCK = re.compile(
    rf"-----BEGIN {_NAME}-----"
    rf"(?:(?:[^-]|-(?!----))*+-----END {_NAME}-----"
    r"|(?:(?:\s|\\[nr])*+(?:[A-Za-z0-9+/=]{16,}+|(?:Proc-Type|DEK-Info):[^\n]{0,80}))*+)"
)
_END = re.compile(rf"-----END {_NAME}-----")
_BREAK = re.compile(r"\s+|(?:\\[nr])+")
_BODY = re.compile(r"[A-Za-z0-9+/=]{1,128}\Z")
_REACH = 16_000  # characters before an END without a BEGIN: twice the longest common key


def redact_private_keys(text: str) -> str:
    """Replace each PEM private key, whole or cut off at either end."""
    if "PRIVATE KEY" not in text:
        return text
    text = _BLOCK.sub(PLACEHOLDER, text)
    if "-----END" not in text:
        return text
    out, last = [], 0
    for end in _END.finditer(text):
        start = _start_of_tail(text, max(last, end.start() - _REACH), end.start())
        out += [text[last:start], PLACEHOLDER]
        last = end.end()
    return "".join([*out, text[last:]])


def _start_of_tail(text: str, lowest: int, end: int) -> int:
    """Return where the lines of a key begin that end right before `end`."""
    start = edge = end
    for gap in reversed([*_BREAK.finditer(text, lowest, end)]):
        line = text[gap.end() : edge]
        if line:
            if _BODY.match(line) is None or (len(line) < 16 and start != end):
                break  # an ordinary word; only a key's last line is short
            start = gap.end()
        edge = gap.start()
    else:
        if _BODY.match(text[lowest:edge]):
            start = lowest
    return start
