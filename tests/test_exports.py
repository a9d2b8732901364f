"""What each package offers is on purpose: a name comes or goes with its line in `exports/`."""

import importlib
import pathlib

import pytest

LISTS = sorted((pathlib.Path(__file__).parent / "exports").glob("*.txt"))
PACKAGES = {"remem_protocol", "remem_core", "remem_agents", "remem_share", "remem_cli"}


def test_every_package_has_a_list():
    assert {path.stem for path in LISTS} >= PACKAGES


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_a_package_offers_what_its_list_says(path):
    package = importlib.import_module(path.stem)
    names = getattr(package, "__all__", [])
    assert sorted(names) == path.read_text("utf-8").split()
    for name in names:
        assert getattr(package, name) is not None


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_what_a_package_offers_is_described(path):
    package = importlib.import_module(path.stem)
    offered = [getattr(package, name) for name in getattr(package, "__all__", [])]
    made_here = [v for v in offered if str(getattr(v, "__module__", None)).startswith(path.stem)]
    bare = [v.__name__ for v in made_here if hasattr(v, "__name__") and not v.__doc__]
    assert not bare
