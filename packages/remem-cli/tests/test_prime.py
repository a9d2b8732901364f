"""`remem prime`: what an agent would be told, and why."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

FAILED = {
    "id": "flag",
    "kind": "error",
    "sources": [
        {
            "tool": "Bash",
            "description": "Read the scale",
            "command": "python scale.py",
            "failure": "PermissionError (needs --group dialout)",
        }
    ],
}


def call(command: str, **more: object) -> str:
    moment = {"tool": "Bash", "description": "Read the scale", "command": command}
    return json.dumps({"id": command, "kind": "tool", "moment": moment} | more)


@pytest.fixture
def given(monkeypatch):
    def give(*lines: str) -> None:
        stream = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))

    return give


def test_prime_answers_each_moment_in_order(run, given):
    given(
        call("python scale.py --tank 2", lessons=[FAILED]),
        call("python scale.py --group dialout", lessons=[FAILED]),
    )
    ran = run("prime", "-", "--json", "--words")
    assert ran.code == 0
    assert [json.loads(line) for line in ran.out.splitlines()] == [
        {"id": "python scale.py --tank 2", "chosen": ["flag"]},
        {"id": "python scale.py --group dialout", "chosen": []},
    ]


def test_prime_tells_why_and_why_not(run, given):
    question = {"id": "q", "kind": "prompt", "moment": {"prompt": "what is it?"}}
    given(json.dumps(question | {"lessons": [FAILED]}))
    answer = run("prime", "-", "--json", "--words", "--explain").json
    assert answer["why"] == []
    assert answer["why_not"] == [
        {"lesson": "flag", "score": None, "reasons": ["a failed call bears on calls alone"]}
    ]


def test_prime_goes_on_after_a_damaged_line(run, given):
    given("{nonsense", call("python scale.py", lessons=[FAILED]))
    ran = run("prime", "-", "--json", "--words")
    assert ran.code == 1
    assert "line 1: malformed" in ran.err
    assert json.loads(ran.out)["chosen"] == ["flag"]


def test_prime_without_a_memory_has_nothing_to_say(run, given, tmp_path):
    given(call("python scale.py"))
    ran = run("prime", "-", "--json", "--words")
    assert ran.json["chosen"] == []
    assert not (tmp_path / "memory").exists()


def test_prime_reads_a_file_and_says_it_to_a_person(run, tmp_path):
    moments = tmp_path / "moments.jsonl"
    moments.write_text(call("python scale.py", lessons=[FAILED]) + "\n", "utf-8")
    ran = run("prime", str(moments), "--words", "--explain")
    assert "python scale.py: flag" in ran.out
    assert "hint missing" in ran.out
