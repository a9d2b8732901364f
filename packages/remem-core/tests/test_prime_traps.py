"""A call about to be made beside calls that failed."""

from remem_core.prime.moment import Failed, ToolCall
from remem_core.prime.traps import Traps, compare, hints_of


def bash(command: str, *failed: Failed) -> Traps:
    return compare(ToolCall("Bash", "", command), failed)


SCALE = Failed("Bash", "PermissionError (needs --group dialout)", "Read", "python scale.py")
GLOB = Failed("Bash", "zsh: no matches found", "Show", "cat app/[id]/page.tsx")
FOLLOW = Failed("Bash", "Command timed out after 120s", "Logs", "journalctl -u api -f")


def test_a_failure_names_what_was_missing():
    assert hints_of(SCALE) == {"--group"}
    assert "PYTHONPATH=src" in hints_of(
        Failed("Bash", "ImportError (needs PYTHONPATH=src)", "", "pytest")
    )


def test_what_worked_later_names_it_too():
    failed = Failed("Bash", "Killed", "", "python fit.py", "python fit.py --chunk 10")
    assert "--chunk" in hints_of(failed)
    assert bash("python fit.py --chunk 10", failed).obeyed


def test_the_same_call_without_the_fix_bears():
    traps = bash("python scale.py --tank 2", SCALE)
    assert traps.bears
    assert (traps.program, traps.hinted, traps.obeyed) == (1.0, 1.0, 0.0)


def test_a_call_with_the_fix_has_learned():
    assert bash("python scale.py --group dialout --tank 2", SCALE).obeyed == 1.0


def test_brackets_trip_a_shell_whatever_the_program():
    assert bash("git add app/(shop)/[slug]/page.tsx", GLOB).shape == 1.0
    assert bash("git add 'app/(shop)/[slug]/page.tsx'", GLOB).shape == 0.0
    assert bash("cat app/cart/page.tsx", GLOB).reshaped == 1.0


def test_what_follows_a_file_never_ends():
    assert bash("tail -f /var/log/x", FOLLOW).shape == 1.0
    assert bash("timeout 10 tail -f /var/log/x", FOLLOW).shape == 0.0
    assert bash("tail -n 50 /var/log/x", FOLLOW).shape == 0.0


def test_an_editor_waits_for_ever():
    failed = Failed("Bash", "timed out: editor", "", "git commit")
    assert bash("git rebase -i HEAD~3", failed).shape == 1.0
    assert bash("git commit -am 'Fix'", failed).shape == 0.0


def test_another_program_does_not_bear():
    assert not bash("make install", SCALE).bears


def test_another_tool_does_not_bear():
    call = ToolCall("Edit", "Change the scale", "scale.py: a -> b")
    assert not compare(call, (SCALE,)).bears
