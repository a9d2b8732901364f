"""Which of a user message's text the person typed.

The program speaks in the person's name too: the context of the session and of hooks, summaries,
the editor's state, "please continue"; and it writes the files that a prompt mentions behind it.
"""

import re
from typing import NamedTuple

from remem_agents.gemini.names import SNAPSHOT
from remem_agents.gemini.rows import Content, Part
from remem_agents.injected import without_injected
from remem_protocol import Via

_AROUND = re.compile(r"<(session_context|hook_context)\b[^>]*>.*?</\1>", re.DOTALL)
# A text that starts so has nothing of the person's in it.
_NOT_TYPED = re.compile(
    rf"""<(?:session_context|hook_context)\b|{SNAPSHOT}
    |This\ is\ the\ Gemini\ CLI\.\ We\ are\ setting\ up\ the\ context
    |Here\ is\ (?:the\ user's\ editor\ context
        |a\ summary\ of\ changes\ in\ the\ user's\ editor\ context)
    |System:\ (?:Please\ continue|Potential\ loop\ detected)
    |I\ ran\ the\ following\ shell\ command:\n```""",
    re.VERBOSE,
)
# The program's own rule for what is a command and never reaches the model.
_COMMAND = ("/", "?")
_FILES = re.compile(
    r"\s*^--- Content from referenced files ---$.*(?:^--- End of content ---$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_STEERING = re.compile(
    r"User steering update:\s*<user_input>\s*(.*?)\s*</user_input>(?:.*)\Z", re.DOTALL
)


class Words(NamedTuple):
    """What a person typed, and how it came."""

    text: str
    via: Via


def words_of(content: Content, shown: Content) -> Words | None:
    """Find what the person typed in a message's content, or in what they were shown of it."""
    typed = text_of(shown, "\n") if shown else ""
    text = without_injected(typed or text_of(content, "\n"), cut_open_end=False)
    text = _FILES.sub("", _AROUND.sub("", text)).strip()
    if (steering := _STEERING.match(text)) is not None:
        return Words(steering[1], "steering") if steering[1] else None
    if not text or text.startswith(_COMMAND) or _NOT_TYPED.match(text):
        return None
    return Words(text, "prompt")


def text_of(content: Content, between: str) -> str:
    """Join the texts of a content, without the model's thoughts."""
    return between.join(
        part.text for part in parts_of(content) if part.text is not None and not part.thought
    )


def parts_of(content: Content) -> list[Part]:
    """Give a content as parts, however it was written."""
    if content is None:
        return []
    whole = content if isinstance(content, list) else [content]
    return [Part(text=part) if isinstance(part, str) else part for part in whole]
