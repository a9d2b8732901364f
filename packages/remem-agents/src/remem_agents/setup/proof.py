"""Whether what was wired still works: what agents would read now, and what keeps them from us."""

import datetime
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final, Literal

from remem_agents.claude_code import setup as claude_code
from remem_agents.codex import setup as codex
from remem_agents.gemini import setup as gemini
from remem_agents.setup.definitions import Commands, Host
from remem_agents.setup.edits.putting import EDITORS, decode
from remem_agents.setup.entries import HOOK_MARK, find, is_ours, lookup
from remem_agents.setup.errors import SetupError
from remem_agents.setup.hosts import HOSTS
from remem_agents.setup.machine import Machine
from remem_agents.setup.manifest import Manifest
from remem_agents.setup.plugin import MANIFEST

HOOKED: Final = re.compile(HOOK_MARK)
AGAIN: Final = "run `remem setup`"
# Variables with which Claude Code starts without hooks.
_CLAUDE_OFF: Final = ("CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_SIMPLE")

# An agent at work calls a hook at each prompt: one that was used so much later calls none.
_SILENT: Final = datetime.timedelta(days=2)
# A hooks.json of Codex (0.171) with any other key is passed over as a whole.
_CODEX_KEYS: Final = {"hooks", "description"}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: `remedy` says what to do, where something is to be done."""

    name: str
    verdict: Literal["ok", "warn", "fail"]
    words: str
    remedy: str = ""


def check(
    machine: Machine,
    commands: Commands,
    manifest: Manifest,
    fired: Mapping[str, datetime.timedelta],
    cwd: Path | None = None,
    used: Mapping[str, datetime.timedelta] | None = None,
) -> list[Finding]:
    """Look at every agent that set-up has wired; of a machine without any, one finding.

    `fired` says how long ago each hook was called last: `claude-code-Stop` → an hour. `used` says
    how long ago each agent wrote to a session last.
    """
    wired = {record.host for record in manifest.records}
    if not wired:
        return [Finding("setup", "ok", "no agent is wired; `remem setup` does it")]
    findings: list[Finding] = []
    for host in HOSTS:
        if host.name in wired:
            findings.append(_wiring(host, machine, commands))
            findings += _firing(host, machine, commands, fired, (used or {}).get(host.name))
            findings += _hindrances(host.name, machine, cwd)
    return [*findings, *_programs(machine, commands, manifest)]


def _wiring(host: Host, machine: Machine, commands: Commands) -> Finding:
    """Check that every file holds every entry, in the form that set-up would give it today."""
    name = f"{host.name} setup"
    definitions = [
        *host.files(machine, commands),
        *(adder.writes for adder in host.adders(machine, commands)),
    ]
    wired, problems = [], []
    for definition in definitions:
        data = _bytes(definition.path) if definition.entries else None
        for entry in definition.entries:
            try:
                document = EDITORS[definition.format].load(decode(data or b""))
                at = find(document, entry)
            except SetupError as error:
                return Finding(name, "fail", f"{definition.path}: {error.message}", AGAIN)
            if at is None:
                problems.append(f"{entry.label} is missing in {definition.path}")
            elif lookup(document, at) != entry.value:
                problems.append(f"{entry.label} in {definition.path} is not as it would be now")
            wired.append(entry.label)
    if problems:
        return Finding(name, "warn", "; ".join(problems), AGAIN)
    return Finding(name, "ok", f"wired: {', '.join(wired)}" if wired else "wired")


def _firing(
    host: Host,
    machine: Machine,
    commands: Commands,
    fired: Mapping[str, datetime.timedelta],
    used: datetime.timedelta | None,
) -> Iterator[Finding]:
    """Tell when each hook was called last: a wire alone proves nothing."""
    entries = [entry for file in host.files(machine, commands) for entry in file.entries]
    events = [entry.path[-1] for entry in entries if entry.mark == HOOK_MARK]
    ages = {e: fired[f"{host.name}-{e}"] for e in events if f"{host.name}-{e}" in fired}
    if ages:
        told = ", ".join(f"{event} {_ago(age)}" for event, age in ages.items())
        words = f"last called: {told}"
        if used is not None and min(ages.values()) - used > _SILENT:
            words += f"; but it was used {_ago(used)}"
            yield Finding(f"{host.name} fired", "warn", words, f"{AGAIN}, then start it anew")
        else:
            yield Finding(f"{host.name} fired", "ok", words)
    elif events:
        words = "none of its hooks was ever called"
        remedy = "start a session in it, say something, and look again"
        yield Finding(f"{host.name} fired", "warn", words, remedy)


def _ago(age: datetime.timedelta) -> str:
    minutes = int(age.total_seconds() // 60)
    if minutes < 120:
        return f"{minutes} min ago"
    return f"{minutes // 60} h ago" if minutes < 48 * 60 else f"{minutes // (24 * 60)} days ago"


def _hindrances(host: str, machine: Machine, cwd: Path | None) -> Iterator[Finding]:
    checks: dict[str, Callable[[Machine, Path | None], Iterator[Finding]]] = {
        "claude-code": _claude_code,
        "codex": _codex,
        "gemini-cli": _gemini,
    }
    if host in checks:
        yield from checks[host](machine, cwd)


def _claude_code(machine: Machine, cwd: Path | None) -> Iterator[Finding]:
    folder = claude_code.folder(machine)
    projects = [cwd / ".claude"] if cwd else []
    for file in (
        folder / "settings.json",
        *(place / name for place in projects for name in ("settings.json", "settings.local.json")),
    ):
        settings = _json(file)
        if settings.get("disableAllHooks") is True:
            yield Finding(
                "claude-code hooks",
                "warn",
                f"{file} turns all hooks off",
                "set disableAllHooks to false",
            )
    for managed in _managed(machine):
        if _json(managed).get("allowManagedHooksOnly") is True:
            words = f"{managed} allows its own hooks alone"
            yield Finding("claude-code hooks", "warn", words, "ask whoever manages this machine")
    for variable in _CLAUDE_OFF:
        if machine.env.get(variable):
            words = f"{variable} is set, so Claude Code runs no hooks"
            yield Finding("claude-code hooks", "warn", words, f"unset {variable}")
    project = lookup(_json(claude_code.state(machine)), ("projects", str(cwd)), absent={})
    if isinstance(project, dict) and project.get("hasTrustDialogAccepted") is False:
        words = f"Claude Code does not trust {cwd} yet, and runs no hook there"
        yield Finding("claude-code trust", "warn", words, "start `claude` there and say yes")
    if (folder / "skills" / "remem" / MANIFEST).exists():
        words = "the plugin is there beside set-up, so every hook runs twice"
        yield Finding("claude-code plugin", "warn", words, "delete one of the two")


def _managed(machine: Machine) -> list[Path]:
    if machine.is_windows:
        return [Path(r"C:\Program Files\ClaudeCode\managed-settings.json")]
    if machine.is_mac:
        return [Path("/Library/Application Support/ClaudeCode/managed-settings.json")]
    return [Path("/etc/claude-code/managed-settings.json")]


def _codex(machine: Machine, cwd: Path | None) -> Iterator[Finding]:
    try:
        config = tomllib.loads((_bytes(codex.folder(machine) / "config.toml") or b"").decode())
    except ValueError:
        return  # told of by the wiring
    if lookup(config, ("features", "hooks")) is False:
        words = "hooks are turned off in its config.toml"
        yield Finding("codex hooks", "warn", words, "set hooks = true under [features]")
    trusted = lookup(config, ("hooks", "state"), absent={})
    file = codex.hooks_file(machine)
    if odd := sorted(_json(file).keys() - _CODEX_KEYS):
        words = f"Codex reads no {file} that holds {', '.join(map(repr, odd))}"
        yield Finding("codex hooks", "warn", words, "take that out of it")
    untrusted = [event for event, key in _codex_keys(file) if not _is_trusted(trusted, key)]
    if untrusted:
        words = f"Codex skips hooks that you have not allowed: {', '.join(untrusted)}"
        yield Finding("codex trust", "warn", words, "run `/hooks` in Codex and allow them")


def _codex_keys(file: Path) -> Iterator[tuple[str, str]]:
    """Yield (event, key of the consent) of each of our hooks: Codex counts groups and handlers."""
    events = _json(file).get("hooks")
    for event, groups in events.items() if isinstance(events, dict) else ():
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for number, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                if is_ours(handler, HOOK_MARK):
                    yield event, f":{snake}:{at}:{number}"


def _is_trusted(trusted: Any, key: str) -> bool:
    """Whether a consent is noted; how Codex spells the file before the key is its own affair."""
    return isinstance(trusted, dict) and any(
        name.endswith(f"hooks.json{key}") and isinstance(state, dict) and state.get("trusted_hash")
        for name, state in trusted.items()
    )


def _gemini(machine: Machine, cwd: Path | None) -> Iterator[Finding]:
    settings = _json(gemini.folder(machine) / "settings.json")
    how = settings.get("hooksConfig")
    if isinstance(how, dict) and (
        how.get("enabled") is False or "remem" in how.get("disabled", ())
    ):
        yield Finding(
            "gemini-cli hooks",
            "warn",
            "its settings turn our hooks off",
            "run `/hooks enable remem`",
        )


def _programs(machine: Machine, commands: Commands, manifest: Manifest) -> Iterator[Finding]:
    """Check that what agents were told to start is there, and what else has our name."""
    gone = sorted({word for word in _told(manifest) if not machine.exists(Path(word))})
    if gone:
        yield Finding("programs", "fail", f"agents start what is gone: {', '.join(gone)}", AGAIN)
    found = machine.which("remem")
    if found and Path(found).resolve() != Path(commands.serve[0]).resolve():
        words = f"`remem` on the PATH is {found}, agents were told {commands.serve[0]}"
        yield Finding("programs", "warn", words, "remove one of them, or run the one you mean")


def _told(manifest: Manifest) -> Iterator[str]:
    """Yield the absolute paths of the programs in what was written."""
    for record in manifest.records:
        for written in record.written:
            yield from filter(_is_absolute, _words(written.entry.value))


def _words(value: Any) -> Iterator[str]:
    """Yield the words of the commands in an entry."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _words(part)
    elif isinstance(value, str):
        yield from [value] if "\\" in value or not HOOKED.search(value) else shlex.split(value)


def _is_absolute(word: str) -> bool:
    return PurePosixPath(word).is_absolute() or PureWindowsPath(word).is_absolute()


def _json(path: Path) -> Mapping[str, Any]:
    try:
        found = EDITORS["json"].load(decode(_bytes(path) or b""))
    except SetupError:
        return {}
    return found if isinstance(found, dict) else {}


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
