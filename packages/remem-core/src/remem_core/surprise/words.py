"""What of a text are the speaker's own words: without pastes, quotations, code and our own text."""

import re

REMEM_START, REMEM_END = "<!-- remem:start -->", "<!-- remem:end -->"
_REMEM = re.compile(rf"{REMEM_START}(?:(?!<!-- remem:).)*+(?:{REMEM_END})?", re.DOTALL)
_FENCE = re.compile(r"(?:```|~~~)(?:(?!```|~~~).)*+(?:```|~~~)?", re.DOTALL)
_TRIPLE = re.compile(r'"""(?:(?!""").)*+(?:""")?', re.DOTALL)
_ATTACHED = re.compile(r"\[(?:image|pasted text)[^\]\n]{0,60}\]", re.IGNORECASE)
# A line that nobody types: quoted, of a log, a diff, a listing, a stack or a shell.
_PASTED_LINE = re.compile(
    r"\s*(?:[>|$#❯⏺⎿└├│✓✗✖●➜]|\+\s|[-+]{3}|@@|"
    r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d+ \d\d:|"
    r"at [\w.$<>]+ ?\(|File \"|Traceback|\w*(?:Error|Exception|Warning):|"
    r"(?:ERROR|WARN|INFO|DEBUG|FATAL|FAIL|npm|error|fatal|remote|warning)\b[\[: ]|"
    r"(?:Human|User|Assistant|Agent|Claude): )|"
    r"\s{8,}\S|[\w./-]+:\d+:\d+"
)
_QUOTED = re.compile(
    r""""[^"\n]{1,300}"|“[^”\n]{1,300}”|`[^`\n]{1,300}`|«[^»\n]{1,300}»|"""
    r"""(?<!\w)'[^'\n]{2,200}'(?!\w)"""
)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


def without_remem(text: str) -> str:
    """Take out what remem itself put into a text, so that it is never remembered again."""
    return _REMEM.sub(" ", text) if REMEM_START in text else text


def own_words(text: str) -> str:
    """Return a person's message without what was pasted into it."""
    text = without_remem(text)
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("\n", text)
    if '"""' in text:
        text = _TRIPLE.sub("\n", text)
    if "[" in text:
        text = _ATTACHED.sub(" ", text)
    lines = [line for line in text.splitlines() if not _PASTED_LINE.match(line)]
    return "\n".join(lines).strip()


def prose(text: str) -> str:
    """Return an agent's text without code blocks and without our own."""
    text = without_remem(text)
    return _FENCE.sub("\n", text) if "```" in text else text


def unquoted(text: str) -> str:
    """Take out quotations and code spans: what stands in them is somebody else's."""
    return _QUOTED.sub("…", text)


def sentences(text: str) -> list[str]:
    """Split at the ends of sentences and lines; markdown's marks are taken off."""
    return [s for part in _SENTENCE.split(text) if (s := part.strip(" \t*_#>-•"))]


def clip(text: str, head: int, tail: int) -> str:
    """Keep the ends of a text, with a visible gap, when it is longer than both."""
    if len(text) <= head + tail + 3:
        return text
    return f"{text[:head].rstrip()} … {text[len(text) - tail :].lstrip()}" if tail else text[:head]
