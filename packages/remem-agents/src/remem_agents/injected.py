"""What remem itself put before an agent, so that it never remembers its own words as news."""

import re

START = "<!-- remem:start -->"
END = "<!-- remem:end -->"
_SECTION = re.compile(re.escape(START) + r".*?" + re.escape(END), re.DOTALL)
_OPEN_END = re.compile(re.escape(START) + r".*\Z", re.DOTALL)
# Agents join a server's name and a tool's in many ways: `mcp__remem__recall`, `remem.recall`.
_OWN_TOOL = re.compile(r"(?:mcp__?(?:plugin_\w*?_)?)?remem(?:\Z|[_.:/])")


def without_injected(text: str, *, cut_open_end: bool = True) -> str:
    """Take remem's own sections out of a text.

    A section whose end is missing (a file read in part) runs to the end of the text, unless
    `cut_open_end` is False: a person who merely mentions the marker keeps their words.
    """
    if START not in text:
        return text
    text = _SECTION.sub("", text)
    return _OPEN_END.sub("", text) if cut_open_end else text


def is_own_tool(tool: str) -> bool:
    """Whether a tool is one of remem's MCP server, whose results are memories already."""
    return "remem" in tool and _OWN_TOOL.match(tool) is not None
