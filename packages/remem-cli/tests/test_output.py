"""Streams, colour and foreign text."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remem_cli.demo import NAMES, session_folder
from remem_cli.lines import read_lines
from remem_cli.output import BOLD, Output, plural, printable, shorten, size
from remem_protocol import MAX_EVENT_BYTES

# The fixtures of conftest.py.
Run = Callable[..., Any]
Write = Callable[..., Path]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_terminals_that_want_it(environ: dict[str, str], coloured: bool) -> None:
    output = Output(Terminal(), Terminal(), environ)
    assert (output.style("x", BOLD) != "x") is coloured
    assert Output(io.StringIO(), Terminal(), environ).style("x", BOLD) == "x"


def test_progress_is_drawn_on_a_terminal_and_cleared_before_words() -> None:
    out, err = Terminal(), Terminal()
    output = Output(out, err, {})
    output.progress("reading")(3, 12)
    output.say("done")
    assert err.getvalue() == "\r\x1b[2Kreading 3 of 12\r\x1b[2K"
    assert out.getvalue() == "done\n"


def test_progress_is_silent_elsewhere() -> None:
    err = io.StringIO()
    Output(Terminal(), err, {}).progress("reading")(3, 12)
    assert err.getvalue() == ""


def test_foreign_text_can_not_drive_the_terminal() -> None:
    assert printable("a\x1b]0;b\u202ec\td\n") == "a\\x1b]0;b\\x202ec\td\n"
    assert printable("\x1b[31mred\x1b[0m\x1b[2J, 50 %\r100 %\r\n") == "red, 50 %\n100 %\n"
    assert printable("กำ 👩‍💻 नमस्ते") == "กำ 👩‍💻 नमस्ते"


def test_shortening_cuts_at_a_word() -> None:
    assert shorten("one  two\nthree", 40) == "one two three"
    assert shorten("one two three", 9) == "one two …"


def test_numbers_are_told_for_people() -> None:
    assert (plural(1, "file"), plural(1200, "file")) == ("1 file", "1,200 files")
    assert (size(900), size(3_200_000), size(5_000_000_000)) == ("900 bytes", "3 MB", "5.0 GB")


def test_lines_end_at_newlines_alone_and_long_ones_stay_bounded() -> None:
    long = b"x" * (MAX_EVENT_BYTES + 3_000_000)
    stream = io.BytesIO("a\u2028b\r\n\n".encode() + long + b"\nlast")
    got = list(read_lines(stream))
    assert [number for number, _ in got] == [1, 3, 4]
    assert got[0][1] == "a\u2028b\r".encode()
    assert len(got[1][1]) == MAX_EVENT_BYTES + 1
    assert got[2][1] == b"last"


def test_line_of_exactly_the_limit_is_whole() -> None:
    assert list(read_lines(io.BytesIO(b"abcd\nabcd"), limit=4)) == [(1, b"abcd"), (2, b"abcd")]


def test_bundled_sessions_hold_only_made_up_people() -> None:
    with session_folder() as folder:
        texts = [file.read_text("utf-8") for file in folder.glob("*.jsonl")]
    assert len(texts) == len(NAMES)
    assert all('"cwd":"/home/sam/code/' in text for text in texts)


def test_demo_ends_with_the_line_for_ones_own_sessions(
    run: Run, write_session: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the real model: what the demo promises is what a reader gets."""
    monkeypatch.delenv("REMEM_EMBED")
    ran = run("demo")
    assert ran.code == 0
    asked = ran.out.partition("Asked “should I use pip here?”")[2]
    assert "“No, use uv, not pip." in asked.partition("Asked")[0]
    assert "never force-push main" in asked.partition("Asked")[2]
    left = ran.out.partition("At night it sleeps on that.")[2]
    assert left.count("The person said: “") == 4
    assert (
        ran.out.rstrip().splitlines()[-1].strip() == "remem ingest && remem sleep && remem morning"
    )
