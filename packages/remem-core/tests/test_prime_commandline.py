"""A command line taken apart."""

import pytest

from remem_core.prime.commandline import parse


def test_programs_are_found_behind_what_runs_them():
    (only,) = parse("cd api && FOO=1 uv run --group lint mypy src")
    assert (only.program, only.runner, only.words) == ("mypy", "uv", ("src",))
    assert only.assigned == {"FOO=1"}


def test_operators_within_quotes_split_nothing():
    (only,) = parse("git commit -sm 'Fix a && b; c | d'")
    assert only.subcommand == "commit"
    assert {"-s", "-m"} <= only.flags


def test_pipes_and_lines_make_several_invocations():
    assert [i.program for i in parse("cat a | sort\nrm b; ls")] == ["cat", "sort", "rm", "ls"]


def test_an_open_quote_is_compared_all_the_same():
    assert parse("echo 'never closed")[0].program == "echo"


@pytest.mark.parametrize(
    "line",
    [
        "ls -l logs", "git log --oneline", "kubectl -n shop get pods", "terraform -chdir=prod plan",
        "tool --help", "psql -c 'select 1'", "npm ls", "adb devices", "cargo test --list-tests",
    ],
)  # fmt: skip
def test_a_look_changes_nothing(line):
    assert all(i.only_shows for i in parse(line))


@pytest.mark.parametrize(
    "line",
    [
        "rm -r logs", "git push", "kubectl -n shop delete pod x", "terraform apply",
        "psql -c 'delete from t'", "npm publish", "make",
    ],
)  # fmt: skip
def test_an_act_is_no_look(line):
    assert not any(i.only_shows for i in parse(line))
