"""The run around the cases: roles, expected failures, skips, restarts, exit codes, the report."""

import hashlib
import json
import pathlib
import sys

import pytest

from remem_conformance.__main__ import main
from remem_conformance.adapter import StartError, split_command

WRONG = {"expect": {"ok": {"version": "9.9"}}}


def freeze(root) -> None:
    """Make every case of a folder count."""
    digests = {p.stem: hashlib.sha256(p.read_bytes()).hexdigest() for p in root.glob("*.json")}
    (root / "required.json").write_text(json.dumps({"1.0": digests}), "utf-8")


def test_unexpected_failure_is_1_and_an_expected_one_0(suite, vectors, tmp_path) -> None:
    root = vectors(good={}, bad=WRONG)
    freeze(root)
    assert suite("minimal.py", vectors=root).code == 1
    listed = tmp_path / "xfails"
    listed.write_text("# a comment\n\nbad # the version is not known yet\n", "utf-8")
    outcome = suite("minimal.py", "--expected", str(listed), vectors=root)
    assert (outcome.code, outcome.verdicts()["bad"]) == (0, "xfail")
    assert outcome.why("bad").startswith("the version is not known yet: expected")


def test_stale_entries_are_1(suite, vectors, tmp_path, capsys) -> None:
    root = vectors(good={}, bad=WRONG)
    freeze(root)
    listed = tmp_path / "xfails"
    listed.write_text("bad # known\ngood # mended since\n", "utf-8")
    outcome = suite("minimal.py", "--expected", str(listed), vectors=root)
    assert (outcome.code, outcome.verdicts()["good"]) == (1, "xpass")
    listed.write_text("bad # known\ngone-* # no such case\n", "utf-8")
    assert suite("minimal.py", "--expected", str(listed), vectors=root).code == 1
    assert "gone-*: matches no case" in capsys.readouterr().out


def test_an_entry_without_a_reason_is_wrong_usage(suite, vectors, tmp_path, capsys) -> None:
    listed = tmp_path / "xfails"
    listed.write_text("bad\n", "utf-8")
    assert suite("minimal.py", "--expected", str(listed), vectors=vectors(bad=WRONG)).code == 2
    assert "no reason" in capsys.readouterr().err


def test_should_warns_and_fails_only_when_strict(suite, vectors) -> None:
    root = vectors(soft=WRONG | {"level": "should"})
    freeze(root)
    assert suite("minimal.py", vectors=root).having("warn") == ["soft"]
    assert suite("minimal.py", vectors=root).code == 0
    assert suite("minimal.py", "--strict", vectors=root).code == 1


def test_skip_is_shown_and_fails_only_when_strict(suite, vectors, script) -> None:
    root = vectors(good={}, later={"op": "id", "input": {"value": {}}, "expect": {"ok": {}}})
    freeze(root)
    adapter = script(
        "known = minimal.attempt\n"
        "def attempt(operation, given):\n"
        "    if operation is minimal.identify: return {'skip': {'reason': 'not yet'}}\n"
        "    return known(operation, given)\n"
        "minimal.attempt = attempt"
    )
    outcome = suite(adapter, vectors=root)
    assert (outcome.code, outcome.verdicts()["later"], outcome.why("later")) == (
        0,
        "skip",
        "not yet",
    )
    assert suite(adapter, "--strict", vectors=root).code == 1


def test_a_role_that_is_not_claimed_counts_neither_way(suite, vectors) -> None:
    root = vectors(good={}, other={"role": "verifier"})
    freeze(root)
    outcome = suite("minimal.py", vectors=root)
    assert (outcome.code, outcome.having("not claimed")) == (0, ["other"])


def test_nothing_to_score_is_wrong_usage(suite, vectors, capsys) -> None:
    root = vectors(good={}, other={"role": "verifier"})
    freeze(root)
    assert suite("minimal.py", "--roles", "verifier", vectors=root).code == 2
    assert suite("minimal.py", "--select", "nothing-*", vectors=root).code == 2
    assert "nothing was scored" in capsys.readouterr().err
    assert suite("minimal.py", "--roles", "reader,wizard", vectors=root).code == 2


def test_a_case_that_is_not_required_is_run_and_not_scored(suite, vectors) -> None:
    root = vectors(good={})
    freeze(root)
    vectors(later=WRONG)
    outcome = suite("minimal.py", vectors=root)
    assert (outcome.code, outcome.verdicts()["later"]) == (0, "unscored")
    assert "9.9" in outcome.why("later")


def test_reset_comes_before_each_case_of_a_role_that_stores(suite, vectors, script) -> None:
    """The adapter counts what it was asked since the last reset: always one thing."""
    one = {"role": "store", "expect": {"ok": {"version": "1"}}}
    root = vectors(first=one, second=one)
    freeze(root)
    adapter = script(
        "asked = []\n"
        "begin = minimal.start\n"
        "minimal.OPS['start'] = lambda given: begin(given) | {'roles': ['store']}\n"
        "minimal.OPS['reset'] = lambda given: asked.clear() or {}\n"
        "def count(offered):\n"
        "    asked.append(offered)\n"
        "    return str(len(asked))\n"
        "tiny_codec.negotiate = count"
    )
    assert suite(adapter, vectors=root).having("pass") == ["first", "second", "adapter/stop"]


def test_child_runs_in_an_empty_home_of_its_own(suite, vectors, script) -> None:
    home = {"expect": {"ok": {"version": "[] True True"}}}
    root = vectors(home=home)
    freeze(root)
    adapter = script(
        "import os\n"
        "def look(offered):\n"
        "    here = os.path.realpath(os.getcwd())\n"
        "    same = [os.path.realpath(os.environ[n]) == here for n in ('HOME', 'REMEM_HOME')]\n"
        "    return ' '.join(map(str, [os.listdir('.'), *same]))\n"
        "tiny_codec.negotiate = look"
    )
    assert suite(adapter, vectors=root).code == 0


def test_a_grandchild_that_keeps_the_pipe_open_does_not_hold_the_run_up(
    suite, vectors, script
) -> None:
    root = vectors(good={})
    freeze(root)
    adapter = script(
        "import subprocess, threading\n"
        "def wait(offered):\n"
        "    sleep = 'import threading; threading.Event().wait()'\n"
        "    subprocess.Popen([sys.executable, '-c', sleep])\n"
        "    threading.Event().wait()\n"
        "tiny_codec.negotiate = wait"
    )
    outcome = suite(adapter, "--timeout", "1", vectors=root)
    assert "no reply within 1 s" in outcome.why("good")


def test_stderr_is_shown_beside_a_death(suite, vectors, script) -> None:
    root = vectors(good={})
    freeze(root)
    adapter = script("tiny_codec.negotiate = lambda offered: sys.exit('out of orchards')")
    assert suite(adapter, vectors=root).why("good") == "died (exit 1); stderr: out of orchards"


def test_words_after_the_last_reply_are_a_breach(suite, vectors, script) -> None:
    root = vectors(good={})
    freeze(root)
    adapter = script("import atexit; atexit.register(print, 'bye')")
    outcome = suite(adapter, vectors=root)
    assert outcome.code == 1
    assert "wrote after its last reply" in outcome.why("adapter/stop")


@pytest.mark.parametrize("command", ["", "no-such-program-anywhere", f"'{sys.executable}' -c 1"])
def test_an_adapter_that_does_not_start_is_3(command, capsys) -> None:
    assert main(["run", "--adapter", command]) == 3
    assert "the adapter: " in capsys.readouterr().err


def test_an_adapter_may_refuse_the_contract(script, suite, capsys) -> None:
    adapter = script(
        "def refuse(given): raise tiny_codec.CodecError('unsupported-version', '')\n"
        "minimal.OPS['start'] = refuse"
    )
    assert suite(adapter).code == 3
    assert "refused to start" in capsys.readouterr().err


def test_command_is_split_as_by_a_shell_and_its_files_made_absolute(tmp_path, monkeypatch) -> None:
    (tmp_path / "my adapter.py").write_text("", "utf-8")
    monkeypatch.chdir(tmp_path)
    program, *rest = split_command("python 'my adapter.py' --flag 'no such file'")
    assert pathlib.Path(program).is_absolute()
    assert rest == [str(tmp_path.resolve() / "my adapter.py"), "--flag", "no such file"]
    with pytest.raises(StartError):
        split_command("  ")


def test_report_is_a_header_a_line_a_case_and_a_summary(suite, vectors) -> None:
    root = vectors(bad=WRONG, good={})
    freeze(root)
    header, *lines, summary = suite("minimal.py", vectors=root).rows
    assert header["implementation"]["name"] == "minimal"
    assert (header["suite"], header["revision"], header["roles"]) == (
        "remem-conformance", "1.0", ["codec"],
    )  # fmt: skip
    assert [line.keys() for line in lines] == [{"case", "req", "verdict", "why"}] * 3
    assert summary == {"summary": {"pass": 2, "fail": 1}, "stale": [], "exit": 1}


def test_a_story_is_asked_step_by_step_and_fails_at_the_first_that_is_wrong(suite, vectors) -> None:
    at = "2026-03-04T09:00:00.000000Z"
    note = {"kind": "note", "v": "1.0", "at": at, "source": "owner", "text": "Port 8417."}
    append = {"op": "append", "input": {"now": at, "events": [note]}}
    counted = {"op": "status", "input": {"now": at}, "expect": {"match": {"episodes": 1}}}
    none = {**counted, "expect": {"match": {"episodes": 0}}}
    again = {**append, "expect": {"match": {"new": 0}}}
    root = vectors(
        good={"role": "store", **again, "before": [none, append, counted]},
        late={"role": "store", **again, "before": [append, none, {"op": "reset", "input": {}}]},
    )
    freeze(root)
    outcome = suite("minimal_store.py", vectors=root)
    assert outcome.verdicts()["good"] == "pass"
    assert outcome.why("late") == "step 2, status: /episodes: 1, expected 0"
