"""What of a user message in a raw list a person typed: agents send much more under that role."""

import re

_AROUND = re.compile(
    r"<(system-reminder|hook_context|session_context|user-prompt-submit-hook|environment_context"
    r"|ide_opened_file|ide_selection|ide_diagnostics)\b[^>]*>.*?</\1>",
    re.DOTALL,
)
_NOT_TYPED = re.compile(
    r"""<(?:local-command-\w+|bash-(?:input|stdout|stderr)|task-notification|user_instructions
        |turn_aborted|subagent_notification|state_snapshot|command-(?:name|message))\b
    |\#\ AGENTS\.md\ instructions
    |Caveat:\ The\ messages\ below\ were\ generated
    |This\ session\ is\ being\ continued\ from\ a\ previous\ conversation
    |\[Request\ interrupted
    |This\ is\ the\ Gemini\ CLI\.\ We\ are\ setting\ up\ the\ context
    |System:\ Please\ continue\.""",
    re.VERBOSE,
)


def typed(text: str) -> str:
    """Take out what a program put around a person's words; empty when nothing is theirs."""
    text = _AROUND.sub("", text).strip()
    return "" if _NOT_TYPED.match(text) else text
