"""The README's two commands, as a fresh machine would run them.

The slow variant clones what is committed and really runs both; the quick one keeps the README,
the workspace and `.ci/run` saying the same.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _command_with(word: str) -> str:
    """Return the README's one shell block whose commands hold a word."""
    blocks = FENCE.findall((ROOT / "README.md").read_text("utf-8"))
    return next(block for block in blocks if word in block)


def test_readme_shows_the_demo_and_the_check() -> None:
    assert "remem demo" in _command_with("remem demo")
    assert "hatch run check" in _command_with("hatch run check")


def test_check_is_a_script_of_the_workspace() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    scripts = project["tool"]["hatch"]["envs"]["default"]["scripts"]
    assert {"lint", "types", "schema", "test"} == set(scripts["check"])


def test_ci_runs_the_readmes_check_and_stops_at_the_first_error() -> None:
    script = ROOT / ".ci" / "run"
    text = script.read_text("utf-8")
    assert os.access(script, os.X_OK)
    assert "set -euo pipefail" in text
    assert 'hatch" run check' in text


@pytest.mark.slow
@pytest.mark.parametrize("word", ["remem demo", "hatch run check"])
def test_command_works_in_a_fresh_clone(word: str, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    bare = {"HOME": str(tmp_path), "PATH": f"{Path(sys.base_prefix) / 'bin'}:/usr/bin:/bin"}
    kept = ("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "PIP_CERT", "SSL_CERT_FILE")
    bare |= {name: os.environ[name] for name in kept if name in os.environ}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", _command_with(word)],
        cwd=clone,
        env=bare,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
