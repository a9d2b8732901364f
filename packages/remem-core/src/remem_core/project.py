"""Which project a folder belongs to. What was learned in one project stays there, so a project must
be known again: from another clone or worktree, over ssh or https, after its folder was moved.
Two folders that are merely called the same must stay apart.

Git's files are read as files and not asked from the `git` program: an agent's hook may run without
git on its PATH, and then it must not see another project. Only the first commit of a repository
without a remote needs the program. Nothing is ever written.
"""

import os
import posixpath
import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

DEFAULT_PORTS = {"ssh": 22, "git+ssh": 22, "https": 443, "http": 80, "git": 9418}
GIT_SECONDS = 5.0  # a history that takes longer to walk has a remote, or is known by its path

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_HELPER = re.compile(r"^[A-Za-z][\w+-]*::")  # `codecommit::ssh://…`: a program that fetches
_SCP = re.compile(r"(?:[^@/]*@)?(?P<host>\[[^]]+\]|[^:/\\@]{2,}):(?P<path>.*)")
_SECTION = re.compile(r'\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')


class _Repository(NamedTuple):
    """A checkout: its top folder, and the folder that all checkouts of the repository share."""

    top: Path
    common: Path


def identify(cwd: str) -> str:
    """Return the identity of the project that an absolute folder belongs to.

    - `git:github.com/owner/name`: the repository's remote (origin, else the first by name)
      without scheme, user, password, the scheme's own port and `.git`;
    - `git-root:<sha>`: its oldest root commit, when it has no remote;
    - `path:/real/path`: no repository, one without a commit, or a remote that is a folder.

    A folder that isn't here (gone, or from another machine) is known by its normalised text.
    An empty `cwd` names no project and gives "". Answers are cached for the process.
    """
    return _identify(cwd) if cwd else ""


@lru_cache(maxsize=4096)
def _identify(cwd: str) -> str:
    if not Path(cwd).is_absolute():
        return path_identity(cwd)
    try:
        real = Path(os.path.realpath(cwd, strict=True))
        repository = _find(real)
    except (OSError, ValueError):  # gone, not ours to read, or no path at all
        return path_identity(cwd)
    if repository is None:
        return path_identity(str(real))
    url = _remote(repository.common)
    if url:
        return remote_identity(url, repository.top)
    root = _oldest_root(repository.common)
    return f"git-root:{root}" if root else path_identity(str(repository.top))


def main_folder(cwd: str) -> str:
    """Return the real top folder of the checkout that a folder belongs to, else the folder itself.

    Of a linked worktree it is that of the repository it belongs to.
    """
    real = Path(os.path.realpath(cwd))
    try:
        repository = _find(real)
    except (OSError, ValueError):
        repository = None
    return str(real if repository is None else repository.top)


def path_identity(path: str) -> str:
    """Return `path:` and the path in one spelling, whichever system it comes from.

    `C:\\Users\\a\\`, `c:/Users/a` and `\\\\?\\C:\\Users\\a` are one folder.
    """
    # Names that are not UTF-8 come with lone surrogates, which no record may hold.
    text = unicodedata.normalize("NFC", path.encode("utf-8", "replace").decode("utf-8"))
    if _WINDOWS.match(text):
        text = text.replace("\\", "/").removeprefix("//?/")
        text = text[:1].lower() + text[1:]
    return "path:" + posixpath.normpath(text)


def remote_identity(url: str, folder: Path) -> str:
    """Return the identity of a remote's address; a relative path is relative to `folder`."""
    address = _HELPER.sub("", url)
    scheme, separator, rest = address.partition("://")
    scheme = scheme.lower()
    if separator and scheme != "file":
        authority, _, path = re.split(r"[?#]", rest)[0].partition("/")
        host = authority.rpartition("@")[2].lower()
        return _host_identity(host.removesuffix(f":{DEFAULT_PORTS.get(scheme)}"), unquote(path))
    scp = None if separator or _WINDOWS.match(address) else _SCP.fullmatch(address)
    if scp:
        return _host_identity(scp["host"].lower(), scp["path"])
    path = "/" + unquote(rest).partition("/")[2] if separator else address
    if _WINDOWS.match(path.removeprefix("/")):
        return path_identity(path.removeprefix("/"))
    return path_identity(os.path.realpath(folder / path).removesuffix("/.git"))


def _host_identity(host: str, path: str) -> str:
    parts = [part for part in path.split("/") if part]
    return "git:" + "/".join([host, *parts]).removesuffix(".git")


def _find(folder: Path) -> _Repository | None:
    """Find the repository that a real folder lies in, as git does: upwards, the nearest first."""
    for top in (folder, *folder.parents):
        for candidate in (top / ".git", top):
            git = _git_folder(candidate)
            if git is not None:
                return _share(top, git)
    return None


def _git_folder(candidate: Path) -> Path | None:
    """Return the folder with git's files: the candidate, or where the file `.git` points to."""
    if candidate.is_file():
        pointer = _read(candidate).strip()
        if not pointer.startswith("gitdir:"):
            return None
        candidate = candidate.parent / pointer.removeprefix("gitdir:").strip()
    shared = (candidate / "commondir").is_file() or (candidate / "objects").is_dir()
    return candidate if shared and os.path.lexists(candidate / "HEAD") else None


def _share(top: Path, git: Path) -> _Repository:
    """Resolve a linked worktree to the repository that it belongs to."""
    pointer = _read(git / "commondir").strip()
    common = Path(os.path.realpath(git / pointer))
    if pointer or top == common:
        top = common.parent if common.name == ".git" else common
    return _Repository(top, common)


def _remote(common: Path) -> str | None:
    """Return the address of origin, else of the first remote by name."""
    urls = remotes(_read(common / "config"))
    return urls.get("origin") or urls.get(min(urls, default=""))


def remotes(config: str) -> dict[str, str]:
    """Return each remote's first address from the text of a git config file.

    Included files and rewritten addresses (`insteadOf`) are settings of one machine and not
    followed.
    """
    found: dict[str, str] = {}
    remote: str | None = None
    for raw in config.replace("\\\n", "").split("\n"):
        line = raw.strip("\ufeff \t\r")
        section = _SECTION.match(line)
        if section:
            is_remote = section[1].lower() == "remote" and section[2]
            remote = re.sub(r"\\(.)", r"\1", section[2]) if is_remote else None
            line = line[section.end() :].strip()
        key, _, value = line.partition("=")
        address = _value(value)
        if remote and key.strip().lower() == "url" and address:
            found.setdefault(remote, address)
    return found


def _value(text: str) -> str:
    """Return a config value without its quotes and its comment."""
    out, quoted, escaped = "", False, False
    for character in text:
        if escaped:
            out, escaped = out + character, False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            out += character
    return out.strip()


def _oldest_root(common: Path) -> str | None:
    """Ask git for the oldest commit without parents on any branch; None without git or commits.

    On any branch, so that a checkout of an orphan branch is no other project.
    """
    import subprocess

    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    command = ["git", "--no-replace-objects", f"--git-dir={common}", "rev-list"]
    try:
        answer = subprocess.run(
            [*command, "--max-parents=0", "--all"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=env,
            timeout=GIT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    roots = answer.stdout.split()
    return roots[-1] if roots else None


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
