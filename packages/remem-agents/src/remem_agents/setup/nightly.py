"""The nightly run, in the words of each scheduler, and which of them this machine has.

Each of them runs a missed night as soon as the machine is up again, but for cron: what a
session's start catches up covers that, and machines with no scheduler at all.
"""

import plistlib
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from remem_agents.setup.crontab import CRONTAB
from remem_agents.setup.definitions import Commands, Definition, Host, Run
from remem_agents.setup.edits.lines_text import LINES
from remem_agents.setup.entries import Entry
from remem_agents.setup.machine import Machine

NAME: Final = "remem-nightly"
HOUR, MINUTE = 3, 30
WHY: Final = "so that the day is slept on at night, and lessons are made of it"
_NOTE: Final = "remem's nightly run; `remem setup --remove` takes it away."


def scheduler(machine: Machine) -> str:
    """Return which scheduler is there: systemd, launchd, schtasks, cron, or none ("")."""
    if machine.is_windows:
        return "schtasks" if machine.which("schtasks") else ""
    if machine.is_mac:
        return "launchd" if machine.which("launchctl") else ""
    runtime = machine.env.get("XDG_RUNTIME_DIR")
    # systemctl alone is also in containers, where no manager of this user runs.
    if runtime and machine.which("systemctl") and machine.exists(Path(runtime) / "systemd"):
        return "systemd"
    return "cron" if machine.which("crontab") else ""


def service(night: Sequence[Sequence[str]]) -> bytes:
    """Return the systemd unit that runs the commands once, behind everything else."""
    lines = [" ".join(_systemd_quoted(word) for word in words) for words in night]
    # A minus: what fails does not keep the next from running.
    starts = "".join(f"ExecStart={'' if line is lines[-1] else '-'}{line}\n" for line in lines)
    return (
        f"# {_NOTE}\n[Unit]\nDescription=remem: sleep on what happened today\n\n"
        f"[Service]\nType=oneshot\n{starts}Nice=10\nIOSchedulingClass=idle\n"
    ).encode()


def timer() -> bytes:
    """Return the systemd timer: every night, a missed one when the machine is up again."""
    return (
        f"# {_NOTE}\n[Unit]\nDescription=remem: every night\n\n"
        f"[Timer]\nOnCalendar=*-*-* {HOUR:02}:{MINUTE:02}:00\nRandomizedDelaySec=20min\n"
        "Persistent=true\n\n[Install]\nWantedBy=timers.target\n"
    ).encode()


def plist(night: Sequence[Sequence[str]]) -> bytes:
    """Return the LaunchAgent; launchd runs a night that was slept through on waking."""
    line = "; ".join(map(shlex.join, night))
    words = ["/bin/sh", "-c", line] if len(night) > 1 else list(night[0])
    return plistlib.dumps(
        {
            "Label": NAME,
            "ProgramArguments": words,
            "StartCalendarInterval": {"Hour": HOUR, "Minute": MINUTE},
            "ProcessType": "Background",
            "LowPriorityIO": True,
        }
    )


def cron_line(night: Sequence[Sequence[str]]) -> str:
    """Return the line of a crontab, in which a bare % would end the command."""
    line = "; ".join(f"{shlex.join(words)} >/dev/null 2>&1" for words in night)
    return f"{MINUTE} {HOUR} * * * {line.replace('%', chr(92) + '%')} # {NAME}"


def task(night: Sequence[Sequence[str]]) -> bytes:
    """Return the definition for Windows' Task Scheduler, which wants it in UTF-16."""
    actions = "".join(
        f"<Exec><Command>{escape(words[0])}</Command>"
        f"<Arguments>{escape(subprocess.list2cmdline(words[1:]))}</Arguments></Exec>"
        for words in night
    )
    return (
        '<?xml version="1.0" encoding="UTF-16"?>\n'
        '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">\n'
        f"  <RegistrationInfo><Description>{escape(_NOTE)}</Description></RegistrationInfo>\n"
        "  <Triggers><CalendarTrigger>\n"
        f"    <StartBoundary>2026-01-01T{HOUR:02}:{MINUTE:02}:00</StartBoundary>\n"
        "    <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>\n"
        "  </CalendarTrigger></Triggers>\n"
        "  <Settings>\n    <StartWhenAvailable>true</StartWhenAvailable>\n"
        "    <DisallowStartIfOnBatteries>true</DisallowStartIfOnBatteries>\n"
        "    <ExecutionTimeLimit>PT1H</ExecutionTimeLimit>\n  </Settings>\n"
        f"  <Actions>{actions}</Actions>\n</Task>\n"
    ).encode("utf-16")


def _systemd_quoted(word: str) -> str:
    for special, spelt in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%"), ("$", "$$")):
        word = word.replace(special, spelt)
    return f'"{word}"'


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    night = commands.night
    match scheduler(machine):
        case "systemd":
            units = machine.config / "systemd" / "user"
            return [
                Definition(units / f"{NAME}.service", "whole", WHY, content=service(night)),
                Definition(units / f"{NAME}.timer", "whole", WHY, content=timer()),
            ]
        case "launchd":
            return [Definition(_agent(machine), "whole", WHY, content=plist(night))]
        case "schtasks":
            return [Definition(_task(machine), "whole", WHY, content=task(night))]
        case "cron":
            entry = Entry(LINES, cron_line(night), rf"# {NAME}$", is_item=True)
            return [Definition(CRONTAB, "lines", WHY, (entry,))]
        case _:
            return []


def _runs(machine: Machine, commands: Commands) -> list[Run]:
    what = "the scheduler is told"
    match scheduler(machine):
        case "systemd":
            ours = ("systemctl", "--user")
            return [
                Run(
                    "systemd reads it", (*ours, "daemon-reload"), undo_last=(*ours, "daemon-reload")
                ),
                Run(
                    what,
                    (*ours, "enable", "--now", f"{NAME}.timer"),
                    (*ours, "disable", "--now", f"{NAME}.timer"),
                ),
            ]
        case "launchd":
            domain = f"gui/{machine.user}"
            return [
                Run(
                    what,
                    ("launchctl", "bootstrap", domain, str(_agent(machine))),
                    ("launchctl", "bootout", f"{domain}/{NAME}"),
                )
            ]
        case "schtasks":
            create = ("schtasks", "/Create", "/TN", NAME, "/XML", str(_task(machine)), "/F")
            return [Run(what, create, ("schtasks", "/Delete", "/TN", NAME, "/F"))]
        case _:
            return []


def _agent(machine: Machine) -> Path:
    return machine.home / "Library/LaunchAgents" / f"{NAME}.plist"


def _task(machine: Machine) -> Path:
    return machine.folder("LOCALAPPDATA", "AppData/Local") / "remem" / "nightly.xml"


HOST: Final = Host(
    name="nightly",
    title="Nightly run",
    signs=lambda machine: [machine.home] if scheduler(machine) else [],
    files=_files,
    runs=_runs,
    after=f"runs at {HOUR:02}:{MINUTE:02}",
)
