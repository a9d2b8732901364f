"""Set-up and its way back on every configuration: the same bytes, or a clear refusal."""

from collections.abc import Callable

import pytest
from configurations import CONFIGURATIONS, Refusals
from homes import Home

from remem_agents.setup.edits.putting import EDITORS, decode
from remem_agents.setup.entries import Entry, find, lookup
from remem_agents.setup.plan import Plan

Fill = Callable[[Home], Refusals | None]
each = pytest.mark.parametrize("fill", CONFIGURATIONS.values(), ids=CONFIGURATIONS.keys())


def assert_wired(home: Home, plan: Plan) -> None:
    """Every entry that was planned reads as it was meant, in the file its agent reads."""
    for change in plan.changes:
        data = change.state.path.read_bytes()
        document = EDITORS[change.format].load(decode(data))
        for written in change.written:
            at = find(document, written.entry)
            assert at is not None
            assert lookup(document, at) == written.entry.value


@each
def test_setup_and_removal_leave_the_bytes_that_were_there(home: Home, fill: Fill) -> None:
    refused = fill(home) or {}
    before = home.snapshot()
    plan = home.set_up()
    assert {r.host: r.reason for r in plan.refusals} == refused
    assert plan.changes
    assert_wired(home, plan)
    home.take_back()
    assert home.snapshot() == before
    assert home.is_forgotten()


@each
def test_setting_up_twice_changes_nothing_the_second_time(home: Home, fill: Fill) -> None:
    refused = fill(home) or {}
    home.set_up()
    after = home.snapshot()
    again = home.set_up()
    assert again.is_empty
    assert {r.host: r.reason for r in again.refusals} == refused
    assert home.snapshot() == after


@each
def test_removal_without_a_copy_of_what_was_there_still_gives_it_back(
    home: Home, fill: Fill
) -> None:
    fill(home)
    before = home.snapshot()
    home.set_up()
    for copy in home.notebook.backups.glob("*"):
        copy.unlink()
    home.take_back()
    assert home.snapshot() == before


@each
def test_removal_without_any_manifest_leaves_nothing_that_runs_us(home: Home, fill: Fill) -> None:
    fill(home)
    plan = home.set_up()
    home.notebook.path.unlink()
    home.take_back()
    for change in plan.changes:
        if change.state.path.exists():
            text = decode(change.state.path.read_bytes())
            document = EDITORS[change.format].load(text)
            assert not any(_is_left(document, written.entry) for written in change.written)


def _is_left(document: object, entry: Entry) -> bool:
    return find(document, entry) is not None


def test_there_are_as_many_configurations_as_were_promised() -> None:
    assert len(CONFIGURATIONS) >= 25
