"""The nightly run: each scheduler gets it in its own words, told and untold by its own program."""

import dataclasses
import plistlib
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from homes import COMMANDS, Home

from remem_agents.setup.crontab import CRONTAB
from remem_agents.setup.errors import SetupError
from remem_agents.setup.machine import Machine
from remem_agents.setup.nightly import HOST, cron_line, plist, scheduler, service, task, timer

NIGHT = [["/home/sam o/bin/remem", "ingest", "--quiet"], ["/home/sam o/bin/remem", "sleep"]]
# A program that notes how it was called, and does what its last line says.
NOTING = '#!/bin/sh\necho "$@" >> "$0.calls"\n'
CRON = """#!/bin/sh
case "$1" in
-l) if [ -f "$0.tab" ]; then cat "$0.tab"; else echo "no crontab" >&2; exit 1; fi ;;
-r) rm "$0.tab" ;;
-) cat > "$0.tab" ;;
esac
"""


def calls(home: Home, program: str) -> list[str]:
    noted = home.programs / f"{program}.calls"
    return noted.read_text().splitlines() if noted.exists() else []


@pytest.fixture
def home(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    home.hosts = (HOST,)
    home.commands = dataclasses.replace(COMMANDS, ingest=["/opt/remem/bin/remem", "ingest"])
    monkeypatch.setenv("PATH", home.env["PATH"])
    return home


def with_systemd(home: Home, script: str = NOTING) -> None:
    home.env["XDG_RUNTIME_DIR"] = str(home.memory.parent)
    (home.memory.parent / "systemd").mkdir()
    home.program("systemctl", script)


def test_systemd_gets_two_units_and_loses_them_again(home: Home) -> None:
    with_systemd(home)
    before = home.snapshot()
    home.set_up()
    units = home.folder / ".config" / "systemd" / "user"
    assert {path.name for path in units.iterdir()} == {
        "remem-nightly.service",
        "remem-nightly.timer",
    }
    assert calls(home, "systemctl") == [
        "--user daemon-reload",
        "--user enable --now remem-nightly.timer",
    ]
    assert home.set_up().is_empty
    home.take_back()
    assert calls(home, "systemctl")[2:] == [
        "--user disable --now remem-nightly.timer",
        "--user daemon-reload",
    ]
    assert home.snapshot() == before
    assert home.is_forgotten()


def test_a_scheduler_that_refuses_leaves_no_unit_behind(home: Home) -> None:
    with_systemd(
        home, NOTING + '[ "$2" = enable ] && { echo "Access denied" >&2; exit 1; }\nexit 0\n'
    )
    before = home.snapshot()
    with pytest.raises(SetupError, match="Access denied"):
        home.set_up()
    assert home.snapshot() == before
    assert home.is_forgotten()


def test_a_unit_whose_hour_its_owner_changed_goes_too(home: Home) -> None:
    with_systemd(home)
    before = home.snapshot()
    home.set_up()
    unit = ".config/systemd/user/remem-nightly.timer"
    home.write(unit, home.text(unit).replace("03:30", "05:00"))
    home.take_back()
    assert home.snapshot() == before


@pytest.mark.parametrize("tab", [None, "# mine\n0 1 * * * backup\n", "0 1 * * * backup"])
def test_the_crontab_gets_one_line_and_is_as_it_was_again(home: Home, tab: str | None) -> None:
    home.program("crontab", CRON)
    file = home.programs / "crontab.tab"
    if tab is not None:
        file.write_text(tab)
    home.set_up()
    assert file.read_text().startswith(tab or "")
    assert file.read_text().splitlines()[-1] == cron_line(home.commands.night)
    assert home.set_up().is_empty
    home.take_back()
    assert (file.read_text() if file.exists() else None) == tab


def test_a_crontab_that_somebody_edited_loses_our_line_alone(home: Home) -> None:
    home.program("crontab", CRON)
    home.set_up()
    file = home.programs / "crontab.tab"
    file.write_text("@reboot other\n" + file.read_text() + "0 1 * * * backup\n")
    home.take_back()
    assert file.read_text() == "@reboot other\n0 1 * * * backup\n"


def test_which_scheduler_is_used_is_seen_from_what_runs_not_from_what_is_installed(
    home: Home,
) -> None:
    assert scheduler(home.machine) == ""
    assert not HOST.is_here(home.machine)
    home.program("systemctl", NOTING)  # in a container: there, and nobody listens
    assert scheduler(home.machine) == ""
    home.program("crontab", CRON)
    assert scheduler(home.machine) == "cron"


def platform(home: Home, name: str) -> Machine:
    return dataclasses.replace(home.machine, platform=name, which=lambda name: f"/bin/{name}")


def test_macos_gets_an_agent_that_launchd_loads(home: Home) -> None:
    machine = platform(home, "darwin")
    (definition,) = HOST.files(machine, home.commands)
    assert definition.path == home.folder / "Library/LaunchAgents/remem-nightly.plist"
    (run,) = HOST.runs(machine, home.commands)
    assert run.argv[:2] == ("launchctl", "bootstrap")
    assert run.undo_first == ("launchctl", "bootout", f"gui/{machine.user}/remem-nightly")


def test_windows_gets_a_task_that_runs_a_missed_night(home: Home) -> None:
    machine = platform(home, "win32")
    (definition,) = HOST.files(machine, home.commands)
    (run,) = HOST.runs(machine, home.commands)
    assert str(definition.path) in run.argv
    space = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
    root = ET.fromstring(task(NIGHT).decode("utf-16").partition("\n")[2])
    assert root.findtext("t:Settings/t:StartWhenAvailable", "", space) == "true"
    commands = [e.text for e in root.iterfind("t:Actions/t:Exec/t:Command", space)]
    assert commands == [words[0] for words in NIGHT]


def test_words_with_spaces_and_specials_reach_the_program_whole() -> None:
    odd = [["/o/a b/remem", "sl'ee\"p", "100%", "$HOME"]]
    line = cron_line(odd).split(" ", 5)[5].rpartition(" >/dev/null")[0]
    assert shlex.split(line.replace("\\%", "%")) == odd[0]
    assert plistlib.loads(plist(odd))["ProgramArguments"] == odd[0]
    both = plistlib.loads(plist(NIGHT))["ProgramArguments"]
    assert both[:2] == ["/bin/sh", "-c"]
    assert shlex.split(both[2]) == [*NIGHT[0][:-1], "--quiet;", *NIGHT[1]]
    assert b'ExecStart="/o/a b/remem" "sl\'ee\\"p" "100%%" "$$HOME"\n' in service(odd)


def test_systemd_runs_a_missed_night_and_sleeps_even_if_reading_failed() -> None:
    assert b"Persistent=true" in timer()
    starts = [line for line in service(NIGHT).splitlines() if line.startswith(b"ExecStart=")]
    assert [line[:11] for line in starts] == [b"ExecStart=-", b'ExecStart="']


def test_the_crontab_stands_for_no_file() -> None:
    assert not Path(CRONTAB).is_absolute()
