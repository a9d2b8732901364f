"""How a call ended: by the permission that was given or not, by the host's error, by the exit.

A program's exit code is no failure of the tool to Copilot: it stands in a part of the result, and
for shells in a last line that the host adds.
"""

import re

from remem_agents.copilot.rows import Data, Error, Result, texts_of
from remem_agents.turns import Verdict

_PERSONS_NO = "denied-interactively-by-user"
_APPROVED = "approved"
_CANCELLED = "cancelled"
_REJECTED = "rejected"
_DENIED = frozenset({"denied", "permission_denied"})
_STOPPED = frozenset({"aborted", "cancelled", "interrupted"})
_EXIT = re.compile(r"\n?<exited with exit code (-?\d+)>\s*\Z")


def judge_permission(data: Data) -> Verdict | None:
    """Read how a permission was decided; None when it was given."""
    result = data.result if isinstance(data.result, Result) else Result()
    kind = result.kind or ""
    if not kind or kind.startswith(_APPROVED):
        return None
    if kind == _PERSONS_NO:
        return Verdict("refused", (result.feedback or "").strip())
    return Verdict("interrupted" if kind == _CANCELLED else "unknown")


def judge(data: Data, permission: Verdict | None, *, is_shell: bool) -> tuple[Verdict, str]:
    """Say how the call of a tool.execution_complete event ended, and what came back."""
    text, code = _taken_apart(data, is_shell=is_shell)
    if data.success is not False:
        return Verdict("failed" if code else "ok"), f"Exit code {code}\n{text}" if code else text
    if permission is not None:
        return permission, text
    return _by_error(data.error), text


def _by_error(error: Error | str | None) -> Verdict:
    code = (error.code or "") if isinstance(error, Error) else ""
    if code == _REJECTED:
        return Verdict("refused", "")
    if code in _DENIED:  # by a rule, a hook, or because nobody could be asked
        return Verdict("unknown")
    return Verdict("interrupted" if code in _STOPPED else "failed")


def _taken_apart(data: Data, *, is_shell: bool) -> tuple[str, int | None]:
    if isinstance(data.error, str):
        return data.error, None
    if data.error is not None and data.error.message:
        return data.error.message, None
    if not isinstance(data.result, Result):
        return data.result or "", None
    codes = [part.exit_code for part in data.result.contents or () if part.exit_code is not None]
    text = "\n".join(texts_of(data.result.content or data.result.contents))
    if is_shell and (ended := _EXIT.search(text)):
        return text[: ended.start()], int(ended[1])
    return text, codes[-1] if codes else None
