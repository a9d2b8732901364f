"""The report as it is read, word for word, and that nothing quoted in it does anything."""

from pathlib import Path
from typing import Any

import pytest

from remem_core.morning import gather
from remem_core.morning.markdown import escape, render

EXPECTED = Path(__file__).with_name("rich_night.md")


def test_rich_night_reads_word_for_word(rich: Any) -> None:
    harbour, row = rich
    told = render(gather(harbour.db, now=harbour.now, since_seq=row))
    assert told == EXPECTED.read_text("utf-8")
    assert len(told.split()) < 450  # a night in which everything happened


def test_quiet_night_is_a_few_lines(harbour: Any) -> None:
    told = render(gather(harbour.db, now=harbour.now, since_seq=0))
    assert told == (
        "# Monday, 1 June 2026\n"
        "\n"
        "A quiet night: nothing was learned, and nothing changed.\n"
        "\n"
        "## What this rests on\n"
        "\n"
        "0 lessons so far; no session was read yet.\n"
    )


def test_little_data_is_told_as_little(harbour: Any) -> None:
    row = harbour.row
    lesson = harbour.learn(harbour.said("no, the winch", "05-28"))
    harbour.predict(lesson, "The person will have to say again: “no, the winch”")
    harbour.asked("Shall I commit it?", "approved", "yes", "05-28")
    told = render(gather(harbour.db, now=harbour.now, since_seq=row))
    assert "Over time: not enough data yet (1 surprise)." in told
    assert "how often they come true: not enough data yet (0 resolved)" in told
    assert "## Asking and acting: 1 case in the last 30 days\n\n- not enough data yet\n" in told


def test_long_correction_is_told_by_the_persons_words_alone(harbour: Any) -> None:
    row = harbour.row
    did = "I lifted the dinghy and put it beside the old pier because the winch looked so rusty"
    harbour.learn(harbour.said("use the winch, not the crane " * 4, "05-27", did=did))
    told = render(gather(harbour.db, now=harbour.now, since_seq=row))
    assert f"- “{('use the winch, not the crane ' * 4).strip()}”\n" in told
    assert "rusty" not in told


def test_cut_list_says_where_the_rest_is(harbour: Any) -> None:
    row = harbour.row
    for n in range(9):
        harbour.learn(harbour.said(f"count pier {n} again", "05-27"))
    told = render(gather(harbour.db, now=harbour.now, since_seq=row))
    assert "\n- and 4 more: remem lessons\n" in told


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words – “quoted”, 3 × 4", "plain words – “quoted”, 3 × 4"),
        ("snake_case and __init__.py", r"snake_case and \_\_init\_\_.py"),
        ("*loud* `code` ~~gone~~", r"\*loud\* \`code\` \~\~gone\~\~"),
        ("<b onclick=x>", r"\<b onclick=x>"),
        ("[ok](https://evil.example)", r"\[ok\](https:\//evil.example)"),
        ("![x](y)", r"!\[x\](y)"),
        ("[calls] Bash(x)", r"\[calls] Bash(x)"),
        ("the [calls] Bash(x)", "the [calls] Bash(x)"),
        (r"\[a](b)", r"\\\[a\](b)"),
        ("# not a title", r"\# not a title"),
        ("1. not a list", r"1\. not a list"),
        ("- not a list", r"\- not a list"),
        ("a\n\n# b\n```\nc", r"a # b \`\`\` c"),
        ("&lt; &#60; AT&T", r"\&lt; \&#60; AT&T"),
        (r"C:\temp\*", "C:\\temp\\\\\\*"),
        ("___a___ b_c_d e__f", r"\_\_\_a\_\_\_ b_c_d e\_\_f"),
        ("a line that ends in \\", r"a line that ends in \\"),
        ("www.evil.example x@evil.example", r"www\.evil.example x\@evil.example"),
        ("a\x1b[31mb\x00c\u202ed", "a [31mb c d"),
    ],
)
def test_foreign_text_is_shown_as_it_is(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_nothing_that_was_said_opens_a_block_or_a_link(harbour: Any) -> None:
    row = harbour.row
    evil = "# Title\n\n---\n<script>alert(1)</script>\n[x]: http://evil.example\n```\n- item"
    harbour.learn(harbour.said(evil, "05-27", did="1. ok\n> quote\n![p](http://evil.example/p)"))
    told = render(gather(harbour.db, now=harbour.now, since_seq=row)).splitlines()
    heads = [line for line in told if line.startswith("#")]
    assert heads == ["# Monday, 1 June 2026", "## Learned", "## What this rests on"]
    assert not [line for line in told if line.startswith(("```", "<", "---", ">", "["))]
    text = "\n".join(told)
    assert "http://" not in text
    assert "](" not in text.replace("\\](", "")
    assert "<script" not in text.replace("\\<", "")
