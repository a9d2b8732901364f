"""Says what it knows, whatever happens."""

from typing import Any

from remem_agents.priming.lessons_file import observation
from remem_cli import adapter, judging

Judge = judging.LiveJudge


def judge(self: Judge, moment: dict[str, str], said: set[str]) -> Any:
    project = self._served.project_of(moment["cwd"])
    known = [one for one in self._served.known(project) if one.lesson.id[:8] not in said]
    return [(one.lesson.id, "", observation(one)) for one in known], len(known), project


Judge.__call__ = judge  # type: ignore[method-assign]
adapter.main()
