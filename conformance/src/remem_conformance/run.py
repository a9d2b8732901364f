"""One run of the vectors against one adapter: a child as long as it behaves, else a fresh one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from remem_conformance.adapter import Child, ChildError, Implementation
from remem_conformance.cases import OPS, STATEFUL, Vector
from remem_conformance.expected import Entry, reason_for
from remem_conformance.report import Line
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
        op = vector.case.op
        if op in OPS.get(vector.case.role, ()) and op not in self.about.ops:
            return f"the adapter claims {vector.case.role} without its operation {op}", ""
        try:
            if vector.case.role in STATEFUL:
                self._child.ask({"op": "reset"}, self._plan.timeout)
            reply = self._child.ask(vector.request(), self._plan.timeout)
        except ChildError as error:
            self._restart()
            return str(error), ""
        if isinstance(reply.get("skip"), dict) and not reply.keys() & {"ok", "error"}:
            return None, str(reply["skip"].get("reason") or "no reason given")
        return judge(vector.case, reply), ""

    def _restart(self) -> None:
        self._child.close()
        self._child = Child(self._plan.command)
        self._child.start()
