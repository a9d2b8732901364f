"""What agents get of the memory: tools, words at a moment, files; and the owner's view of it."""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import ListRootsResult, Root

import remem_agents.hook
from remem_agents.live import PrimeSocket
from remem_agents.mcp_server import INSTRUCTIONS, build
from remem_agents.priming.attend import is_held_out
from remem_agents.priming.log import read_log
from remem_cli.serving import ServedMemory
from remem_core import Memory
from remem_protocol import Correction, Failure, Note, decode_event

# The fixtures of conftest.py.
Run = Callable[..., Any]


def offer(revision: str) -> dict[str, Any]:
    """Return what a client says first."""
    client = {"name": "test", "version": "1"}
    return {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}


REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
AT = "2026-11-02T09:00:00.000000Z"
TOLD = next(name for name in (f"session-{n}" for n in range(100)) if not is_held_out(name))


@pytest.fixture
def orchard(machine: Path) -> Path:
    """A project whose tests failed twice the same way, and a note of another project."""
    folder = machine / "orchard"
    (folder / ".git").mkdir(parents=True)
    common = {"cwd": str(folder), "project": f"path:{os.path.realpath(folder)}"}
    failures = [
        Failure(
            tool="Bash",
            call="pnpm test cart",
            description="Run the cart tests",
            failure="ERR_PNPM_NO_SCRIPT Missing script: test (needs -C apps/shop)",
            at=AT.replace("02T", f"{day:02d}T"),
            source="tool",
            session=f"s{day}",
            **common,
        )
        for day in (1, 2)
    ]
    said = Correction(
        said="We use uv here, not pip.",
        agent_did="Ran pip install slowapi.",
        cause="message",
        at=AT,
        source="owner",
        session="s3",
        **common,
    )
    theirs = Note(text="The harbour uses pip.", at=AT, source="owner", project="path:/harbour")
    with Memory.open(machine / "memory") as memory:
        memory.emit([*failures, said, theirs])
    return folder


def ask(served: ServedMemory, cwd: Path, mode: str, *calls: tuple[str, dict[str, Any]]) -> Any:
    """Connect a client of a revision and return (tools, results of the calls, its revision)."""

    async def talk() -> Any:
        server = build(served, version="1", env={}, cwd=str(cwd))
        async with Client(server, mode=mode) as client:
            tools = (await client.list_tools()).tools
            return tools, [await client.call_tool(*call) for call in calls], client.protocol_version

    return asyncio.run(talk())


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_tools_say_what_they_do_and_are_always_there(orchard: Path, mode: str) -> None:
    tools, _, _ = ask(ServedMemory(), orchard, mode)
    assert [tool.name for tool in tools] == ["recall", "remember", "lessons"]
    assert [tool.annotations.read_only_hint for tool in tools] == [True, False, True]
    assert not any(tool.annotations.destructive_hint for tool in tools)
    for tool in tools:
        assert tool.meta == {"anthropic/alwaysLoad": True}
        assert tool.output_schema is not None
        assert not {"anyOf", "oneOf", "allOf"} & tool.input_schema.keys()
        assert len(tool.description) < 2_000
    assert len(INSTRUCTIONS.encode()) < 2_000


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_recall_answers_of_the_clients_project_alone(orchard: Path, mode: str) -> None:
    asked = [("recall", {"query": "uv or pip"}), ("recall", {"query": "zeppelin"})]
    _, (found, nothing), _ = ask(ServedMemory(), orchard, mode, *asked)
    memories = found.structured_content["memories"]
    assert memories[0]["text"] == "We use uv here, not pip."
    assert "harbour" not in json.dumps(found.structured_content)
    assert memories[0]["id"][:8] in found.content[0].text
    assert nothing.content[0].text == "Nothing found."


def test_what_an_agent_remembers_is_the_agents_word(orchard: Path, machine: Path) -> None:
    told = {"text": "The owner likes short answers.", "layer": "identity"}
    calls = [("remember", told), ("recall", {"query": "short answers"})]
    _, (kept, again), _ = ask(ServedMemory(), orchard, "legacy", *calls)
    with Memory.open(machine / "memory") as memory:
        event = decode_event(memory.show(kept.structured_content["id"]).event.encode())
    assert isinstance(event, Note)
    assert (event.source, event.layer) == ("agent", "identity")
    assert event.project == f"path:{os.path.realpath(orchard)}"
    assert "short answers" in again.content[0].text


def test_wrong_arguments_are_told_and_not_stored(orchard: Path) -> None:
    _, results, _ = ask(
        ServedMemory(), orchard, "legacy",
        ("recall", {}), ("remember", {"text": ""}), ("recall", {"query": "x", "limit": 0}),
    )  # fmt: skip
    assert all(result.is_error for result in results)


def test_lessons_are_the_projects_and_what_is_vetoed_is_not_among_them(
    orchard: Path, run: Run
) -> None:
    def lessons() -> list[str]:
        _, (told,), _ = ask(ServedMemory(), orchard, "legacy", ("lessons", {}))
        found: list[str] = told.structured_content["lessons"]
        return found

    assert run("sleep").code == 0
    assert any("We use uv here, not pip." in line for line in lessons())
    assert all(line.startswith("Seen ") for line in lessons())
    with Memory.open() as memory:
        for lesson in memory.lessons():
            memory.veto(lesson.id)
    assert lessons() == []


def test_the_clients_first_root_is_its_project(orchard: Path, machine: Path) -> None:
    async def roots(context: object) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=orchard.as_uri())])

    async def talk() -> Any:
        server = build(ServedMemory(), version="1", env={}, cwd=str(machine))
        async with Client(server, mode="legacy", list_roots_callback=roots) as client:
            return await client.call_tool("recall", {"query": "uv or pip"})

    assert asyncio.run(talk()).structured_content["memories"]


class Agent:
    """An agent that started `remem serve` in a folder and speaks JSON-RPC with it."""

    def __init__(self, cwd: Path) -> None:
        self.server = subprocess.Popen(
            [sys.executable, "-m", "remem_cli", "serve"],
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.heard: list[dict[str, Any]] = []

    def tell(self, method: str, number: int | None = None, **params: Any) -> dict[str, Any]:
        """Send a message; for a request return the answer."""
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        numbered = {} if number is None else {"id": number}
        self.server.stdin.write(json.dumps(message | numbered) + "\n")
        self.server.stdin.flush()
        while number is not None:
            self.heard.append(json.loads(self.server.stdout.readline()))
            if self.heard[-1].get("id") == number:
                return self.heard[-1]
        return {}


@pytest.fixture
def agent(orchard: Path) -> Iterator[Agent]:
    started = Agent(orchard)
    yield started
    started.server.kill()
    started.server.communicate()


@pytest.mark.parametrize("revision", REVISIONS)
def test_each_revision_that_agents_offer_is_spoken(agent: Agent, revision: str) -> None:
    answer = agent.tell("initialize", 1, **offer(revision))["result"]
    assert (answer["protocolVersion"], answer["serverInfo"]["name"]) == (revision, "remem")
    agent.tell("notifications/initialized")
    assert len(agent.tell("tools/list", 2)["result"]["tools"]) == 3
    out, err = agent.server.communicate("", timeout=60)
    assert (agent.server.returncode, out) == (0, "")
    assert "Traceback" not in err
    assert all(message["jsonrpc"] == "2.0" for message in agent.heard)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a parent that dies is told otherwise there")
def test_it_ends_with_its_agent_even_when_its_input_stays_open(orchard: Path) -> None:
    """A parent starts the server, with a pipe that others hold open too, and is killed."""
    reading, writing = os.pipe()
    program = (
        "import subprocess, sys, time\n"
        f"s = subprocess.Popen([sys.executable, '-m', 'remem_cli', 'serve'], stdin={reading},"
        " stdout=subprocess.PIPE)\n"
        "s.stdout.readline()\n"
        "print(s.pid, flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, pass_fds=[reading], text=True
    )
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": offer("2025-06-18")}
    os.write(writing, json.dumps(hello).encode() + b"\n")
    assert parent.stdout is not None
    server = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    while _alive(server):
        pass
    os.close(reading)
    os.close(writing)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        stat = Path(f"/proc/{process}/stat")
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.fixture
def live(orchard: Path, run: Run) -> Iterator[Path]:
    """A memory that slept, and a live process over it; yields the folder of the hooks' state."""
    assert run("sleep").code == 0
    with tempfile.TemporaryDirectory(prefix="rm-") as folder:
        primed = Path(folder) / "primed"
        server = PrimeSocket(primed, ServedMemory().judge)
        server.start()
        server.warm()
        assert server.ready.wait(60)
        yield primed
        server.close()


def fire(primed: Path, orchard: Path, **told: Any) -> str:
    """Run a hook of Claude Code and return what it printed."""
    payload = {"session_id": TOLD, "cwd": str(orchard), "tool_name": "Bash", **told}
    done = subprocess.run(
        [sys.executable, "-I", "-S", remem_agents.hook.__file__, "claude-code", "PreToolUse"],
        input=json.dumps(payload), capture_output=True, text=True, check=True,
        env=os.environ | {"REMEM_PRIMED": str(primed), "REMEM_HOOK_SECONDS": "5"},
    )  # fmt: skip
    return done.stdout


AGAIN = {"tool_input": {"command": "pnpm test refunds", "description": "Run the refund tests"}}


def test_a_hook_is_told_what_the_memory_learned(live: Path, orchard: Path, machine: Path) -> None:
    assert "Missing script" in fire(live, orchard, **AGAIN)
    (entry,) = read_log(live)
    assert (entry["by"], entry["project"]) == ("server", f"path:{os.path.realpath(orchard)}")
    assert not fire(live, orchard, **AGAIN)


def test_what_was_vetoed_a_moment_ago_is_not_said(live: Path, orchard: Path, machine: Path) -> None:
    with Memory.open(machine / "memory") as memory:
        for lesson in memory.lessons():
            memory.veto(lesson.id)
    assert not fire(live, orchard, **AGAIN)
    (entry,) = read_log(live)
    assert (entry["by"], entry["known"]) == ("server", 0)


def test_another_project_hears_nothing_of_it(live: Path, orchard: Path, machine: Path) -> None:
    assert not fire(live, machine, **AGAIN)
    (entry,) = read_log(live)
    assert (entry["by"], entry["known"]) == ("server", 0)


def test_primed_shows_what_was_said_and_to_whom(orchard: Path, run: Run, machine: Path) -> None:
    assert run("primed").out.startswith("No hook has fired.")
    assert run("sleep").code == 0
    primed = machine / "memory" / "primed"
    held = next(name for name in (f"held-{n}" for n in range(100)) if is_held_out(name))
    assert fire(primed, orchard, **AGAIN)
    assert not fire(primed, orchard, **AGAIN, session_id=held)
    fire(primed, orchard, tool_input={"command": "ls"}, agent_id="a1")
    told = run("primed", "--json").json
    assert [call["arm"] for call in told["calls"]] == ["told", "held-out"]
    counts = told["counts"]
    assert (counts["told"], counts["held_out"], counts["left"], counts["missed"]) == (1, 1, 1, 0)
    ran = run("primed")
    assert f"session {TOLD[:8]}" in ran.out
    assert "(held out: not said)" in ran.out
    assert "Missing script" in ran.out
    assert "3 calls: 1 told, 1 held out, 0 with nothing to say" in ran.err
    assert len(run("primed", "--all", "--json").json["calls"]) == 3


@pytest.fixture
def claude(machine: Path, orchard: Path) -> Path:
    """Where Claude Code keeps its memory of the project."""
    slug = re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(orchard))
    folder = machine / ".claude" / "projects" / slug
    folder.mkdir(parents=True)
    return folder / "memory"


def test_render_writes_and_takes_out_without_a_trace(claude: Path, run: Run, machine: Path) -> None:
    run("sleep")
    assert not claude.exists()  # not before the owner had it done once
    assert run("render", "--dry-run").code == 0
    assert not claude.exists()
    assert run("render").code == 0
    assert "We use uv here, not pip." in (claude / "MEMORY.md").read_text("utf-8")
    assert run("render").err == "Nothing to change.\n"
    assert run("render", "--remove").code == 0
    assert not claude.exists()
    assert not (machine / "memory" / "written.json").exists()


def test_a_deleted_lessons_file_is_a_veto_that_holds(claude: Path, run: Run, machine: Path) -> None:
    run("sleep")
    run("render")
    gone = next(p for p in claude.glob("remem-*.md") if "uv here" in p.read_text("utf-8"))
    gone.unlink()
    assert run("render", "--json").json["vetoed"] == [gone.stem.removeprefix("remem-")]
    run("sleep")  # which writes again
    assert not gone.exists()
    assert "uv here" not in (claude / "MEMORY.md").read_text("utf-8")
    assert "uv here" not in (machine / "memory/primed/lessons.json").read_text("utf-8")


def test_damaged_markers_are_an_error_that_says_so(claude: Path, run: Run) -> None:
    run("sleep")
    claude.mkdir()
    (claude / "MEMORY.md").write_text("<!-- remem:start -->\n")
    ran = run("render")
    assert ran.code == 1
    assert "(damaged-markers)" in ran.out


def test_an_agent_at_work_is_left_alone(
    claude: Path, orchard: Path, run: Run, machine: Path
) -> None:
    run("sleep")
    fire(machine / "memory" / "primed", orchard, **AGAIN)
    ran = run("render")
    assert (ran.code, claude.exists()) == (0, False)
    assert "(in-use)" in ran.out
    run("render", "--at-work")
    assert claude.exists()


def test_forgetting_takes_it_out_of_agents_files(claude: Path, run: Run, orchard: Path) -> None:
    run("sleep")
    run("render")
    run("forget", "--project", f"path:{os.path.realpath(orchard)}", "--yes")
    assert not claude.exists()
