"""A home for each test, and the builders that stand beside it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from homes import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)
