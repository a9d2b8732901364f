"""What came back from a call, and how it ended: the host's own lines at the head of the text.

No field says whether a call worked. Four encodings of the exit code have been in use, all at the
head of the output or around it; behind `Output:` the program speaks and is not believed.
"""

import re
from dataclasses import dataclass

import msgspec

from remem_agents.codex.rows import McpResult, Part, Parts
from remem_agents.codex.words import texts_of
from remem_agents.turns import Verdict
from remem_protocol import CallStatus

# Said by a person's no alone, word for word: "… rejected by user approval settings" is a rule's.
_PERSONS_NO = re.compile(
    r"(?:err: )?(?:exec command|patch) rejected by user"
    r"|user (?:rejected|cancelled) MCP tool call"
    r"|exec_command failed(?: for `.*`)?: CreateProcess"
    r' \{ message: "Rejected\(\\"rejected by user\\"\)" \}',
    re.DOTALL,
)
_STOPPED = re.compile(
    r"(?:Wall time: [\d.]+ seconds\n)?(?:command )?aborted by user(?: after [\d.]+\s?s)?"
)
_MACHINES_NO = re.compile(
    r"This action was rejected due to unacceptable risk|automatic approval review "
    r"|writing (?:outside of the project|is blocked by )|approval policy is "
    r"|patch rejected: |rejected by |exec command rejected"
    r'|exec_command failed.{0,4000}?(?:blocked by policy|Rejected\(\\"(?:rejected|This action)) ?',
    re.DOTALL,
)
_FAILED = re.compile(
    r"execution error: |apply_patch verification failed|failed in sandbox|sandbox denied"
    r"|failed to parse function arguments|unsupported (?:custom tool )?call"
    r"|(?:exec_command|write_stdin) failed|exec_server |tool call error: "
)
_HEAD_LINE = re.compile(
    r"Chunk ID: .*|Wall time:? .*|Original token count: .*|Total output lines: .*"
    r"|(?:Exit code:|Process exited with code) (?P<code>-?\d+)"
    r"|Process running with session ID (?P<session>\S+)"
    r"|Script (?P<script>completed|failed|running\b.*)"
)
_OUTPUT = "Output:"
_HEAD_LINES = 8


class _Metadata(msgspec.Struct):
    exit_code: int | None = None


class _Encoded(msgspec.Struct):
    output: str
    metadata: _Metadata


_decode_encoded = msgspec.json.Decoder(_Encoded).decode


@dataclass(slots=True)
class Output:
    """An output taken apart: what the program wrote, and what the host said of it."""

    text: str
    exit_code: int | None = None
    running_as: str | None = None
    script: str | None = None
    success: bool | None = None

    @property
    def said(self) -> str:
        """The program's text behind the exit code, where there is one to tell of."""
        if self.exit_code:
            return f"Exit code {self.exit_code}\n{self.text}"
        return self.text


def read_output(output: Parts) -> Output:
    """Take an output apart, in whichever encoding it is."""
    text = "\n".join(texts_of(output))
    if text.startswith("{") and '"metadata"' in text:
        try:
            encoded = _decode_encoded(text)
            return Output(encoded.output, encoded.metadata.exit_code)
        except msgspec.MsgspecError:
            pass  # a program may print such an object, or a part of one
    taken = _without_head(text)
    if isinstance(output, Part):
        taken.success = output.success
    return taken


def _without_head(text: str) -> Output:
    taken = Output(text)
    place = 0
    for _ in range(_HEAD_LINES):
        end = text.find("\n", place)
        line = text[place : end if end >= 0 else len(text)]
        if line == _OUTPUT:
            taken.text = text[end + 1 :] if end >= 0 else ""
            break
        if (head := _HEAD_LINE.fullmatch(line)) is None:
            break
        if head["code"] is not None:
            taken.exit_code = int(head["code"])
        taken.running_as = head["session"] or taken.running_as
        taken.script = head["script"] or taken.script
        if end < 0:
            break
        place = end + 1
    return taken


def judge(output: Output, *, asked: bool) -> Verdict:
    """Say how a call ended; `asked` is whether a person could have been asked at all."""
    if output.exit_code is not None:
        return Verdict("failed" if output.exit_code else "ok")
    text = output.text.strip()
    if _STOPPED.fullmatch(text):
        return Verdict("interrupted")
    if _PERSONS_NO.fullmatch(text):
        return Verdict("refused", "") if asked else Verdict("unknown")
    if _MACHINES_NO.match(text):
        return Verdict("unknown")
    return Verdict(_status_of(output, text))


def _status_of(output: Output, text: str) -> CallStatus:
    if output.running_as is not None or (output.script or "").startswith("running"):
        return "unknown"
    if output.script == "failed" or output.success is False or _FAILED.match(text):
        return "failed"
    return "ok"


def judge_declined(text: str, *, asked: bool) -> Verdict:
    """Say whose no a `declined` was: the person's, unless a text says otherwise."""
    if not text.strip():
        return Verdict("refused", "") if asked else Verdict("unknown")
    verdict = judge(Output(text), asked=asked)
    return verdict if verdict.status in ("refused", "interrupted") else Verdict("unknown")


def read_mcp(result: McpResult | str | None) -> Output:
    """Take apart what an MCP server answered, as events and items tell it."""
    if not isinstance(result, McpResult):
        return Output(result or "")
    if result.err is not None:
        return Output(result.err, success=False)
    inner = result.ok or result
    failed = inner.is_error or inner.is_error_old
    return Output("\n".join(texts_of(inner.content)), success=False if failed else None)
