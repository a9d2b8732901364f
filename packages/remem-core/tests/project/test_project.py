"""Project identity, on real repositories."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from remem_core.project import _identify, identify, remote_identity, remotes

HOME = "https://github.com/ann/tools.git"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the machine's git settings out, and let every test ask anew."""
    for name, value in {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ann",
        "GIT_AUTHOR_EMAIL": "ann@example.org",
        "GIT_COMMITTER_NAME": "Ann",
        "GIT_COMMITTER_EMAIL": "ann@example.org",
    }.items():
        monkeypatch.setenv(name, value)
    _identify.cache_clear()
    yield
    _identify.cache_clear()


def git(folder: Path, *arguments: str, date: str = "2026-01-01T00:00:00Z") -> str:
    env = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments],
        cwd=folder,
        env=env,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def repository(folder: Path, *, remote: str | None = None, commit: bool = True) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    if commit:
        (folder / "sub").mkdir()
        (folder / "sub" / "a.txt").write_text(folder.name)
        git(folder, "add", ".")
        git(folder, "commit", "-qm", f"Start {folder.name}")
    return folder


def test_clones_by_ssh_and_https_are_one_project(tmp_path: Path) -> None:
    one = repository(tmp_path / "one", remote=HOME)
    two = repository(tmp_path / "two", remote="git@github.com:ann/tools.git")
    assert identify(str(one)) == identify(str(two / "sub")) == "git:github.com/ann/tools"


def test_equal_folder_names_are_two_projects(tmp_path: Path) -> None:
    one, two = repository(tmp_path / "a" / "app"), tmp_path / "b" / "app"
    two.mkdir(parents=True)
    assert identify(str(one)).startswith("git-root:")
    assert identify(str(two)) == f"path:{two}"


def test_moved_repository_without_remote_is_the_same_project(tmp_path: Path) -> None:
    before = identify(str(repository(tmp_path / "old")))
    shutil.move(tmp_path / "old", tmp_path / "new")
    assert identify(str(tmp_path / "new")) == before
    assert before == "git-root:" + git(tmp_path / "new", "rev-parse", "HEAD")


def test_worktree_shares_the_identity_of_its_repository(tmp_path: Path) -> None:
    with_remote = repository(tmp_path / "remote", remote=HOME)
    without = repository(tmp_path / "without")
    for main in (with_remote, without):
        tree = tmp_path / f"{main.name}-tree"
        git(main, "worktree", "add", "-q", str(tree))
        assert identify(str(tree / "sub")) == identify(str(main))


def test_worktree_of_a_bare_repository_shares_its_identity(tmp_path: Path) -> None:
    source = repository(tmp_path / "source")
    git(tmp_path, "clone", "-q", "--bare", "source", "app.git")
    git(tmp_path / "app.git", "remote", "set-url", "origin", HOME)
    git(tmp_path / "app.git", "worktree", "add", "-q", str(tmp_path / "tree"))
    assert identify(str(tmp_path / "tree")) == identify(str(tmp_path / "app.git"))
    assert identify(str(tmp_path / "tree")) == "git:github.com/ann/tools"
    assert identify(str(source)) != identify(str(tmp_path / "tree"))


def test_submodule_is_its_own_project(tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    app = repository(tmp_path / "app", remote=HOME)
    git(app, "submodule", "add", "-q", str(library), "lib")
    assert identify(str(app)) == "git:github.com/ann/tools"
    assert identify(str(app / "lib")) == f"path:{library}"
    git(app / "lib", "remote", "set-url", "origin", "https://example.org/lib.git")
    _identify.cache_clear()
    assert identify(str(app / "lib")) == "git:example.org/lib"


def test_orphan_branch_changes_nothing(tmp_path: Path) -> None:
    app = repository(tmp_path / "app")
    before = identify(str(app))
    git(app, "checkout", "-q", "--orphan", "pages")
    git(app, "commit", "-qm", "Pages", date="2026-02-02T00:00:00Z")
    _identify.cache_clear()
    assert identify(str(app)) == before


def test_repository_without_commits_is_known_by_its_path(tmp_path: Path) -> None:
    app = repository(tmp_path / "app", commit=False)
    (app / "src").mkdir()
    assert identify(str(app / "src")) == f"path:{app}"


def test_inside_of_the_git_folder_is_the_repository(tmp_path: Path) -> None:
    empty = repository(tmp_path / "empty", commit=False)
    assert identify(str(empty / ".git" / "hooks")) == f"path:{empty}"


def test_without_the_git_program_remotes_still_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = repository(tmp_path / "app", remote=HOME)
    git(app, "worktree", "add", "-q", str(tmp_path / "tree"))
    local = repository(tmp_path / "local")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert identify(str(tmp_path / "tree")) == "git:github.com/ann/tools"
    assert identify(str(local / "sub")) == f"path:{local}"


def test_git_variables_of_a_running_git_hook_do_not_mislead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    expected = "git-root:" + git(one, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(two / ".git"))
    assert identify(str(one)) == expected


def test_identifying_writes_nothing(tmp_path: Path) -> None:
    app = repository(tmp_path / "app")
    before = sorted((str(p), p.stat().st_mtime_ns) for p in app.rglob("*"))
    identify(str(app))
    assert sorted((str(p), p.stat().st_mtime_ns) for p in app.rglob("*")) == before


def test_empty_git_folder_is_no_repository(tmp_path: Path) -> None:
    app = repository(tmp_path / "app", remote=HOME)
    (app / "inner" / ".git").mkdir(parents=True)
    assert identify(str(app / "inner")) == "git:github.com/ann/tools"


def test_worktree_whose_repository_is_gone_is_known_by_its_path(tmp_path: Path) -> None:
    app = repository(tmp_path / "app", remote=HOME)
    git(app, "worktree", "add", "-q", str(tmp_path / "tree"))
    shutil.rmtree(app)
    assert identify(str(tmp_path / "tree")) == f"path:{tmp_path / 'tree'}"


def test_symlinked_folder_is_the_real_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert identify(f"{tmp_path}/link/") == identify(f"{tmp_path}/real") == f"path:{tmp_path}/real"


def test_local_remote_is_a_path(tmp_path: Path) -> None:
    source = repository(tmp_path / "source")
    git(tmp_path, "clone", "-q", "source", "clone")
    git(tmp_path / "clone", "remote", "set-url", "origin", "../source")
    assert identify(str(tmp_path / "clone")) == f"path:{source}"


@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        ("C:\\Users\\ann\\Work\\", "path:c:/Users/ann/Work"),
        ("c:/Users/ann/Work", "path:c:/Users/ann/Work"),
        ("\\\\?\\C:\\Users\\ann\\Work", "path:c:/Users/ann/Work"),
        ("\\\\server\\share\\work", "path://server/share/work"),
        ("/Users/someone-else/work/", "path:/Users/someone-else/work"),
        ("/nowhere//x/../work", "path:/nowhere/work"),
        ("/nowhere/cafe\u0301", "path:/nowhere/caf\u00e9"),
        ("/nowhere/\udcff", "path:/nowhere/?"),
        ("/nowhere/\x00", "path:/nowhere/\x00"),
        ("", ""),
    ],
)
def test_folder_that_is_not_here_is_known_by_its_text(cwd: str, expected: str) -> None:
    assert identify(cwd) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/ann/tools",
        "https://GitHub.com/ann/tools.git/",
        "https://ann:secret@github.com:443/ann/tools.git?token=secret#x",
        "http://github.com:80/ann/tools.git",
        "ssh://git@github.com:22/ann/tools.git",
        "git+ssh://git@github.com/ann/tools",
        "git://github.com:9418//ann/tools.git",
        "git@github.com:ann/tools.git",
        "github.com:/ann/tools.git",
        "helper::https://github.com/ann/tools.git",
    ],
)
def test_spellings_of_one_remote_are_one_identity(url: str) -> None:
    assert remote_identity(url, Path("/")) == "git:github.com/ann/tools"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("ssh://git@git.example:2222/ann/tools.git", "git:git.example:2222/ann/tools"),
        ("https://github.com/Ann/Tools", "git:github.com/Ann/Tools"),
        ("https://[::1]:8080/x.git", "git:[::1]:8080/x"),
        ("git@[::1]:x.git", "git:[::1]/x"),
        ("https://dev.example/a%20b/_git/c", "git:dev.example/a b/_git/c"),
        ("file:///srv/git/x.git", "path:/srv/git/x.git"),
        ("file:///C:/git/x.git", "path:c:/git/x.git"),
        ("C:\\git\\x", "path:c:/git/x"),
        ("./a:b", "path:/base/a:b"),
    ],
)
def test_other_remotes_keep_what_tells_them_apart(url: str, expected: str) -> None:
    assert remote_identity(url, Path("/base")) == expected


def test_origin_is_preferred_then_the_first_by_name(tmp_path: Path) -> None:
    app = repository(tmp_path / "app", commit=False)
    expected = {"upstream": "up", "fork": "fork", "origin": "own"}
    for name, answer in [("upstream", "up"), ("fork", "fork"), ("origin", "own")]:
        git(app, "remote", "add", name, f"https://example.org/{expected[name]}")
        _identify.cache_clear()
        assert identify(str(app)) == f"git:example.org/{answer}"


def test_remotes_are_read_as_git_reads_them() -> None:
    config = (
        "\ufeff# comment\n[core]\r\n\tbare = false\n"
        '[Remote "a\\"b"] URL = "https://x.example/a#b" ; comment\n'
        '[remote "second"]\n\turl = https://x.example/\\\nsecond # comment\n'
        "\turl = https://x.example/ignored\n"
        '[branch "main"]\n\turl = https://x.example/no-remote\n'
        '[remote "empty"]\n\turl =\n\tfetch = +refs/*:refs/*\n'
    )
    assert remotes(config) == {
        'a"b': "https://x.example/a#b",
        "second": "https://x.example/second",
    }


def test_answers_are_kept_for_the_process(tmp_path: Path) -> None:
    app = repository(tmp_path / "app", remote=HOME)
    first = identify(str(app))
    shutil.rmtree(app)
    assert identify(str(app)) == first
