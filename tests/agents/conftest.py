"""The stories with real agents: told once an agent, and only when they are asked for."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from hosts import AGENTS, Agent
from programs import obtain
from story import Story, Teller
from upstream import Upstream


@pytest.fixture(scope="session", params=AGENTS, ids=lambda agent: agent.name)
def agent(request: pytest.FixtureRequest) -> Agent:
    """Each agent in turn."""
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def story(agent: Agent, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """What happened with this agent."""
    program = obtain(agent.program)
    upstream = Upstream()
    base = tmp_path_factory.mktemp(agent.program)
    try:
        yield Teller(agent, base, program, upstream).tell()
    finally:
        upstream.close()
