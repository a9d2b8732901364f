"""One story with a real agent, from set-up to removal; the tests look at what it left."""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dialects import Recall, Reply, Say, Shell
from hosts import Agent
from owners_home import PROBE, Home
from people import Person
from upstream import Request, Upstream

from remem_agents.priming.attend import is_held_out

WISH = "no, use uv, not pip"
BOUNDARY = "never push to main without asking me"
INSTALL = "install httpx with pip and run the script"
PUSH = Shell("git push origin main", "Push the commit")


@dataclass
class Session:
    """A session's id, and what each of its prompts sent to the model."""

    id: str = ""
    prompts: list[list[Request]] = field(default_factory=list)

    @property
    def requests(self) -> list[Request]:
        """All of them, in order."""
        return [request for prompt in self.prompts for request in prompt]


@dataclass
class Story:
    """What there was to see, in the order of the story."""

    before: dict[str, bytes]
    tried: dict[str, bytes]  # set up and removed again, no session between
    wired: dict[str, bytes]
    events: list[dict[str, Any]]
    lessons: list[dict[str, Any]]
    told: Session
    held_out: Session
    terminal: list[Request]  # a told session in which the model pushes; for agents that need one
    calls: list[dict[str, Any]]
    live: list[str]
    after: dict[str, bytes]


class Teller:
    """Tells the story of one agent."""

    def __init__(self, agent: Agent, base: Path, program: Path, upstream: Upstream) -> None:
        self._agent, self._upstream = agent, upstream
        self._home = Home(base, program, agent.program)
        url = upstream.url
        self._home.write({name: text.replace("{url}", url) for name, text in agent.files.items()})
        self._home.env |= {name: text.replace("{url}", url) for name, text in agent.env.items()}

    def tell(self) -> Story:
        """Live through it all."""
        home, agent = self._home, self._agent
        before = home.tree()
        home.remem(*agent.setup)
        home.remem("setup", "--remove", "--yes")
        tried = home.tree()
        home.remem(*agent.setup)
        wired = home.tree()
        self._be_corrected()
        home.remem("ingest")
        home.remem("sleep")
        lessons = json.loads(home.remem("lessons", "--json"))["lessons"]
        events = home.events()
        told, held_out = self._work(held_out=False), self._work(held_out=True)
        terminal = self._push_at_a_terminal() if agent.terminal else []
        calls = [call for call in home.calls() if call["agent"] != PROBE]
        live = home.servers_left()
        home.remem("setup", "--remove", "--yes")
        after = home.tree()
        return Story(
            before, tried, wired, events, lessons, told, held_out, terminal, calls, live, after
        )

    @contextmanager
    def _person(self, *, held_out: bool | None) -> Iterator[Person]:
        def refuses(call: str) -> str | None:
            return self._agent.no + BOUNDARY if "git push" in call else None

        def fits(session: str) -> bool:
            return held_out is None or is_held_out(session) == held_out

        home = self._home
        at = self._agent.at
        with at(str(home.agent), home.env, home.project, refuses, fits) as person:
            yield person

    def _be_corrected(self) -> None:
        """A session in which one call fails, one is refused, and the person says what they want."""
        tried = Say("I ran pip install requests, which is not there.")
        refused = Say("I tried git push origin main, and you said no.")
        install = Shell("pip install requests")
        with self._person(held_out=None) as person:
            self._prompt(person, "set up the shop, it needs requests", install, tried)
            self._prompt(person, WISH, PUSH, refused)
            self._prompt(person, BOUNDARY, Say("Understood."))

    def _work(self, *, held_out: bool) -> Session:
        """A later session, in which both come up again."""
        session = Session()
        with self._person(held_out=held_out) as person:
            session.id = person.session
            session.prompts.append(self._prompt(person, "which python is this?"))
            self._home.wait_until_warm()
            for prompt, replies in (
                (INSTALL, (Recall("which installer"), Say("With uv."))),
                ("and now finish it", (PUSH, Say("Not pushed."))),
            ):
                session.prompts.append(self._prompt(person, prompt, *replies))
        return session

    def _push_at_a_terminal(self) -> list[Request]:
        """One prompt without a front end; the model takes its time until our server is warm."""
        session = next(s for _ in range(64) if not is_held_out(s := str(uuid.uuid4())))
        told = {"session": session, "prompt": "and now finish it"}
        argv = [str(self._home.agent), *(word.format_map(told) for word in self._agent.terminal)]
        self._upstream.take()
        self._upstream.script(PUSH, Say("Pushed."))
        self._upstream.before_reply = self._home.wait_until_warm
        self._home.run(argv)
        return self._upstream.take()

    def _prompt(self, person: Person, prompt: str, *replies: Reply) -> list[Request]:
        self._upstream.take()
        self._upstream.script(*replies)
        person.says(prompt)
        return self._upstream.take()
