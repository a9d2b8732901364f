"""One run of the vectors against one adapter: a child as long as it behaves, else a fresh one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from remem_conformance.adapter import Child, ChildError, Implementation
from remem_conformance.cases import OPS, STATEFUL, EntryOf, Input, Vector
from remem_conformance.expected import Entry, reason_for
from remem_conformance.rendered import carried_on
from remem_conformance.report import Line
from remem_conformance.slept import entry_of
from remem_conformance.verdict import judge, settle

STOP_CASE = "adapter/stop"


@dataclass(frozen=True)
class Plan:
    """What to run: the adapter's command, the wanted roles (None: all it claims), the rest."""

    command: list[str]
    vectors: Sequence[Vector]
    roles: frozenset[str] | None = None
    expected: Sequence[Entry] = ()
    timeout: float = 10.0


class Run:
    """A run in progress; `about` is what the adapter said of itself at its first start."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._child = Child(plan.command)
        try:
            self.about: Implementation = self._child.start()
        except BaseException:
            self._child.close()
            raise
        claimed = frozenset(self.about.roles)
        self.roles = claimed if plan.roles is None else claimed & plan.roles

    def lines(self) -> Iterator[Line]:
        """Run every case and yield its verdict, then that on how the adapter left.

        Raises StartError when a fresh child will not start.
        """
        try:
            for vector in self._plan.vectors:
                yield self._line(vector)
            wrong = self._child.stop()
            yield Line(STOP_CASE, ("ADP-016",), "fail" if wrong else "pass", wrong)
        finally:
            self._child.close()

    def _line(self, vector: Vector) -> Line:
        case = vector.case
        if case.role not in self.roles:
            return Line(vector.id, case.req, "not claimed")
        wrong, skipped = self._ask(vector)
        if skipped:
            return Line(vector.id, case.req, "skip", skipped)
        reason = reason_for(vector.id, self._plan.expected)
        verdict, why = settle(wrong, case, scored=vector.scored, reason=reason)
        return Line(vector.id, case.req, verdict, why)

    def _ask(self, vector: Vector) -> tuple[str | None, str]:
        """Return (what is wrong or None, the reason for skipping or "")."""
        role = vector.case.role
        for step in vector.case.steps:
            if step.op in OPS.get(role, ()) and step.op not in self.about.ops:
                return f"the adapter claims {role} without its operation {step.op}", ""
        try:
            if role in STATEFUL:
                self._child.ask({"op": "reset"}, self._plan.timeout)
            return self._ask_steps(vector)
        except ChildError as error:
            self._restart()
            return str(error), ""

    def _ask_steps(self, vector: Vector) -> tuple[str | None, str]:
        """Ask all of a case up to the first reply that is wrong; as `_ask`."""
        replies: list[Any] = []
        steps = vector.case.steps
        for step, request in zip(steps, vector.requests(), strict=True):
            if wrong := fill_in(request["input"], step.input, replies):
                return f"step {len(replies) + 1}, {step.op}: {wrong}", ""
            reply = self._child.ask(request, self._plan.timeout)
            if isinstance(reply.get("skip"), dict) and not reply.keys() & {"ok", "error"}:
                return None, str(reply["skip"].get("reason") or "no reason given")
            wrong = judge(step, reply, replies)
            if wrong is not None:
                where = f"step {len(replies) + 1}, {step.op}: " if len(steps) > 1 else ""
                return where + wrong, ""
            replies.append(reply.get("ok"))
        return None, ""

    def _restart(self) -> None:
        self._child.close()
        self._child = Child(self._plan.command)
        self._child.start()


def fill_in(request: dict[str, Any], given: Input, replies: Sequence[Any]) -> str | None:
    """Put into a request what earlier steps were answered with; return why it can't be, or None."""
    if "raw_of" in request:
        request["raw"] = replies[request.pop("raw_of") - 1]["raw"]
    if isinstance(given.seq_of, EntryOf):
        del request["seq_of"]
        request["seq"] = entry_of(given.seq_of, replies)
        if request["seq"] is None:
            return f"no {given.seq_of.verb} in the ledger of step {given.seq_of.step}"
    if isinstance(given.after, int):
        request |= carried_on(given, replies)
        del request["after"]
        request.pop("edits", None)
    return None
