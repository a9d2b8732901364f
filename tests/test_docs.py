"""The documents say what is there: commands, links, modules, dependencies."""

import argparse
import importlib.util
import pathlib
import re
import shlex
import tomllib

import pytest

from remem_cli import __main__ as command_line
from remem_cli.commands import COMMANDS

ROOT = pathlib.Path(__file__).parent.parent
FOLDERS = ("packages", "conformance", "spec", "benchmarks")
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *(p for f in FOLDERS for p in sorted((ROOT / f).rglob("*.md"))),
]
HOMES = sorted(path.parent for path in ROOT.glob("packages/*/pyproject.toml"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")
OPERATORS = {"&&", "||", "|", ";", ">", "<"}

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
each_home = pytest.mark.parametrize("home", HOMES, ids=lambda p: p.name)


def blocks(page: pathlib.Path, *languages: str) -> list[str]:
    return [text for lang, text in BLOCK.findall(page.read_text("utf-8")) if lang in languages]


def shell_commands(page: pathlib.Path) -> list[list[str]]:
    """Return the words of each command in a page's shell blocks, split at operators."""
    commands: list[list[str]] = []
    for line in "\n".join(blocks(page, "sh")).splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;<>")
        lexer.whitespace_split = True
        commands.append([])
        for word in lexer:
            if word in OPERATORS:
                commands.append([])
            else:
                commands[-1].append(word)
    return [words for words in commands if words]


def parser_of(name: str) -> argparse.ArgumentParser:
    return command_line._build_parser(name, command_line._load(name))


def options_of(name: str) -> set[str]:
    """Return the options of one command, as they are written."""
    part = argparse.ArgumentParser(add_help=False)
    command_line._load(name).add_arguments(part)
    return {option for action in part._actions for option in action.option_strings}


def headings(page: pathlib.Path) -> set[str]:
    """Return a page's anchors as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@each_page
def test_commands_in_a_page_are_commands_of_the_program(page):
    for program, *words in shell_commands(page):
        if program.rpartition("/")[2] == "remem":
            assert words[0] in COMMANDS, words
            parser_of(words[0]).parse_args(words)  # exits when it does not know an option


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_explained(name):
    page = (ROOT / "packages/remem-cli/README.md").read_text("utf-8")
    section = re.search(rf"^## remem {name}\n(.*?)(?=^## )", page, re.MULTILINE | re.DOTALL)
    assert section is not None
    assert f"\nremem {name}" in section[1]
    missing = {option for option in options_of(name) if option not in section[1]}
    assert not missing


def test_the_first_command_installs_every_package_and_shows_the_program():
    first = shell_commands(ROOT / "README.md")
    install = next(words for words in first if "install" in words)
    assert {w for w in install if w.startswith("./")} == {f"./packages/{p.name}" for p in HOMES}
    assert ".venv-remem/bin/remem demo" in blocks(ROOT / "README.md", "sh")[0]


def test_the_second_command_is_what_every_change_must_pass():
    environment = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]
    checks = environment["envs"]["default"]["scripts"]["check"]
    assert {"lint", "types", "test"} <= set(checks)
    for name in ("README.md", "CONTRIBUTING.md", ".ci/run"):
        assert re.search(r'hatch"? run check', (ROOT / name).read_text("utf-8")), name


@each_page
def test_links_between_the_documents_lead_somewhere(page):
    for target in LINK.findall(page.read_text("utf-8")):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = page.parent / name if name else page
        assert there.exists(), target
        assert not anchor or anchor in headings(there), target


@each_home
def test_each_dependency_is_named_with_its_reason(home):
    project = tomllib.loads((home / "pyproject.toml").read_text("utf-8"))["project"]
    named = {re.split(r"[^\w.-]", name, maxsplit=1)[0] for name in project["dependencies"]}
    page = (home / "README.md").read_text("utf-8")
    section = re.search(r"^## Dependenc(?:y|ies)\n(.*)", page, re.MULTILINE | re.DOTALL)
    assert section is not None
    reasons = re.findall(r"^- \*\*([\w.-]+)\*\*: (.{10,})$", section[1], re.MULTILINE)
    assert sorted(name for name, _ in reasons) == sorted(named)


@each_home
def test_modules_in_a_readme_are_those_of_the_package(home):
    page = (home / "README.md").read_text("utf-8")
    told = re.search(r"^\| module \| holds \|\n\|.*\n((?:\|.*\n)+)", page, re.MULTILINE)
    if told is None:
        return
    source = next(home.glob("src/*"))
    names = set(re.findall(r"^\| `(\w+)` \|", told[1], re.MULTILINE))
    there = {p.stem for p in source.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert names <= there


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_modules_and_paths_that_a_page_names_exist(page):
    text = (ROOT / page).read_text("utf-8")
    for name in set(re.findall(r"\bremem_\w+(?:\.\w+)*", text)):
        if not name.endswith((".txt", ".py")):
            assert importlib.util.find_spec(name) is not None, name
    for path in set(re.findall(r"`((?:spec|tests|conformance|packages)/[\w./-]+)`", text)):
        assert (ROOT / path).exists(), path


@each_home
def test_python_in_a_readme_runs(home, capsys, monkeypatch):
    monkeypatch.setenv("REMEM_EMBED", "hashed")
    for code in blocks(home / "README.md", "python"):
        exec(compile(code, home.name, "exec"), {})
