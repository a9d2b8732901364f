"""What of a text in the person's name the person typed: Codex puts much beside it.

Instructions, the environment, skills, notices and the output of `!cmd` all come as messages of
the role user; an editor puts its context before the request.
"""

import re

from remem_agents.codex.rows import Part, Parts
from remem_agents.injected import without_injected

# A text that starts so has nothing of the person's in it.
_NOT_TYPED = re.compile(
    r"""\#\ AGENTS\.md\ instructions
    |<(?:user_instructions|INSTRUCTIONS|environment_context|skill|user_shell_command|turn_aborted
        |subagent_notification|codex_internal_context|goal_context|hook_prompt|external_\w+
        |realtime_delegation|image_resize_notice|user_action|permissions\ instructions
        |collaboration_mode|\w+_instructions)\b
    |Warning:\ (?:apply_patch\ was\ requested\ via|The\ maximum\ number\ of\ unified\ exec)""",
    re.VERBOSE,
)
# Before what was typed, in the same text.
_BEFORE = re.compile(r"\s*<(recommended_plugins)\b[^>]*>.*?</\1>", re.DOTALL)
# The tags around a picture are parts of their own, as the picture is.
_PICTURE = re.compile(r"</?image(?:\s[^>]*)?>\Z")
# An editor's context: headed paragraphs, then the request under a heading of its own.
_EDITOR = re.compile(r"# [^\n]*(?:IDE setup|mentioned by the user)\b[^\n]*:")
_REQUEST = re.compile(r"^## My request for Codex:[^\S\n]*\n?", re.MULTILINE)
_CWD = re.compile(r"<cwd>([^<\n]+)</cwd>")
_ENVIRONMENT = "<environment_context>"


def typed_in(text: str) -> str | None:
    """Cut out what the person typed; None when nothing was."""
    text = without_injected(text, cut_open_end=False).lstrip()
    if text.startswith("<"):
        text = _BEFORE.sub("", text, count=1)
    text = text.strip()
    if text.startswith("# "):
        request = _REQUEST.search(text)
        if request is not None:
            text = text[request.end() :].strip()
        elif _EDITOR.match(text):
            return None
    if not text or _NOT_TYPED.match(text):
        return None
    return text


def typed_in_parts(content: Parts) -> str | None:
    """Cut out what the person typed in a message of several parts."""
    texts = (text for text in texts_of(content) if not _PICTURE.match(text))
    typed = [words for text in texts if (words := typed_in(text)) is not None]
    return "\n".join(typed) or None


def folder_in(content: Parts) -> str | None:
    """Find the working folder that an environment message names."""
    for text in texts_of(content):
        if text.lstrip().startswith(_ENVIRONMENT) and (found := _CWD.search(text)):
            return found[1].strip()
    return None


def texts_of(content: Parts) -> list[str]:
    """List the texts of a content, in any of its encodings."""
    if isinstance(content, Part):
        content = [content]
    if isinstance(content, list):
        return [text for part in content if (text := part.text or part.content)]
    return [content] if content else []
