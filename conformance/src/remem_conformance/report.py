"""What a run found: JSON lines for programs, a few lines of text for people, an exit code.

The JSON lines are a header, one line a case, and a summary; they hold no times, so that two runs
of the same implementation give the same file.
"""

import json
import pathlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from remem_conformance import __version__
from remem_conformance.cases import REVISION
from remem_conformance.verdict import VERDICTS, Verdict


@dataclass(frozen=True)
class Line:
    """The verdict on one case."""

    case: str
    req: tuple[str, ...]
    verdict: Verdict
    why: str = ""


@dataclass(frozen=True)
class Report:
    """A whole run: who was tested, what was found, which expected failures match no case."""

    implementation: dict[str, Any]
    roles: tuple[str, ...]
    lines: Sequence[Line]
    stale: Sequence[str] = ()

    def counts(self) -> dict[str, int]:
        """Return how many cases have each verdict, in a fixed order, without the zeros."""
        found = Counter(line.verdict for line in self.lines)
        return {verdict: found[verdict] for verdict in VERDICTS if found[verdict]}

    def exit_code(self, *, strict: bool) -> int:
        """Return 0 or 1; with `strict`, warnings and skipped cases count as failures."""
        bad = {"fail", "xpass"} | ({"warn", "skip"} if strict else set())
        return 1 if self.stale or bad & self.counts().keys() else 0

    def write(self, path: pathlib.Path, *, strict: bool) -> None:
        """Write the JSON lines."""
        rows: list[dict[str, Any]] = [
            {
                "suite": "remem-conformance",
                "version": __version__,
                "revision": REVISION,
                "implementation": self.implementation,
                "roles": self.roles,
            },
            *(vars(line) for line in self.lines),
            {"summary": self.counts(), "stale": self.stale, "exit": self.exit_code(strict=strict)},
        ]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path.write_text(text, "utf-8", newline="\n")

    def text(self) -> str:
        """Return the report for people: what is not plain sailing, then one line of counts."""
        quiet = {"pass", "xfail", "not claimed"}
        out = [
            f"{line.verdict:<8} {line.case} ({', '.join(line.req)})\n         {line.why}"
            for line in self.lines
            if line.verdict not in quiet
        ]
        out += [f"stale    {glob}: matches no case" for glob in self.stale]
        name = self.implementation.get("name", "?")
        version = self.implementation.get("version", "?")
        counts = ", ".join(f"{n} {verdict}" for verdict, n in self.counts().items())
        return "\n".join([*out, f"{name} {version}, protocol {REVISION}: {counts}"])
