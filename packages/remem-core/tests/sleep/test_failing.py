"""Which line of an output says what went wrong, and which failures could teach anything."""

import pytest

from remem_core.lessons.failing import is_an_outcome, telling_line, what_changed


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Traceback (most recent call last):\n  File \"a.py\"\nKeyError: 'id'\n", "KeyError: 'id'"),
        ("npm warn old\nerror: unknown flag: -d\nsee --help\n", "error: unknown flag: -d"),
        ("compiling\nld: cannot find -lpq\ndone in 3 s", "ld: cannot find -lpq"),
        (
            "<tool_use_error>Found 2 matches of the string to replace.\n    return total\n",
            "Found 2 matches of the string to replace.",
        ),
        ("step 1\nstep 2 gave up", "step 2 gave up"),
        ("\n", ""),
    ],
)
def test_the_telling_line_of_an_output(output: str, line: str) -> None:
    assert telling_line(output) == line


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("====== test session starts ======\n1 failed, 3 passed", True),
        ("--- FAIL: TestPrice (0.00s)\nFAIL\tshop/price", True),
        ("Found 3 errors in 2 files (checked 9 source files)", True),
        ("error: unknown flag: --detach", False),
        ("zsh: no matches found: src/[id]/page.tsx", False),
    ],
)
def test_a_run_that_reports_findings_teaches_nothing(output: str, outcome: bool) -> None:
    assert is_an_outcome(output) == outcome


@pytest.mark.parametrize(
    ("call", "fixed", "changed"),
    [
        ("pytest -q", "uv run pytest -q", "uv run pytest -q"),
        (
            '{"path":"/a/b.py","replace_all":false,"old":"x = 1"}',
            '{"path":"/a/b.py","replace_all":true,"old":"x = 1"}',
            "replace_all: true",
        ),
        (
            '{"path":"/a/big.log"}',
            '{"path":"/a/big.log","offset":50,"limit":200}',
            "offset: 50, limit: 200",
        ),
        ('{"path":"/a/b.py"}', '{"path":"/a/b.py"}', ""),
        ('{"path":"/a/b.py","old":"1234', '{"path":"/a/b.py","old":"12', ""),
    ],
)
def test_what_a_call_that_worked_was_given_otherwise(call: str, fixed: str, changed: str) -> None:
    assert what_changed(call, fixed) == changed
