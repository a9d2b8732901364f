"""A memory's keys on disk. Who can read the signing key can speak for its owner, so its file is the
owner's alone (0600 in a folder of 0700), is never replaced, and is refused when others could have
read it.
"""

import base64
import binascii
import os
import secrets
import stat
from pathlib import Path

from remem_protocol import MalformedError, NotFoundError
from remem_share.errors import KeyFileError
from remem_share.keys import PrivateKey, PublicKey, Random, generate, recovery_text

SIGNING = "signing.key"
RECOVERY = "recovery.pub"

_PRIVATE_HEADER = "remem ed25519 private key: keep it secret"
_PUBLIC_HEADER = "remem ed25519 public key"
_MAX_BYTES = 1024
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def set_up(folder: Path, random: Random = secrets.token_bytes) -> str:
    """Make a memory's signing key and its recovery key; return the recovery key's text.

    Only the public half of the recovery key is stored: the text must be shown to the owner now.
    Raises KeyFileError when the folder has keys already or is open to others.
    """
    if (folder / SIGNING).exists():
        raise KeyFileError(f"{folder} has keys already; they are not replaced")
    recovery = generate(random)
    save_public(recovery.public, folder / RECOVERY)
    save(generate(random), folder / SIGNING)
    return recovery_text(recovery)


def save(key: PrivateKey, path: Path) -> None:
    """Write a private key; raise KeyFileError rather than replace a file or use an open folder."""
    _write(path, _PRIVATE_HEADER, key.seed)


def load(path: Path) -> PrivateKey:
    """Read a private key.

    Raises NotFoundError, KeyFileError when anyone but the owner could read or change the file,
    or MalformedError.
    """
    return PrivateKey(_read(path, _PRIVATE_HEADER))


def save_public(key: PublicKey, path: Path) -> None:
    """Write a public key, under the same care as a private one."""
    _write(path, _PUBLIC_HEADER, key.raw)


def load_public(path: Path) -> PublicKey:
    """Read a public key; who could change the file could be taken for its owner, so as `load`."""
    return PublicKey(_read(path, _PUBLIC_HEADER))


def _write(path: Path, header: str, raw: bytes) -> None:
    """Put a complete file at a path where none is: written beside it, then linked."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_private(path.parent, path.parent.lstat())
    text = f"{header}\n{base64.b64encode(raw).decode('ascii')}\n"
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(draft, flags, 0o600), "wb") as file:
            file.write(text.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())
        # A link, not a rename: a rename would silently replace a key made in the meantime.
        path.hardlink_to(draft)
    except FileExistsError:
        raise KeyFileError(f"{path} exists already; a key is not replaced") from None
    except OSError as error:
        raise KeyFileError(f"{path} could not be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)


def _read(path: Path, header: str) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            # Of the open file, so that it can't be exchanged between the check and the reading.
            _check_private(path, os.fstat(file.fileno()))
            _check_private(path.parent, path.parent.lstat())
            text = file.read(_MAX_BYTES).decode("ascii", "replace")
    except FileNotFoundError:
        raise NotFoundError(f"there is no key at {path}") from None
    except OSError as error:
        raise KeyFileError(f"{path} could not be read: {error.strerror}") from error
    found, _, encoded = text.partition("\n")
    try:
        raw = base64.b64decode(encoded.strip(), validate=True)
    except binascii.Error:
        raw = b""
    if found != header or not raw:
        raise MalformedError(f"{path} is not a {header.partition(':')[0]}")
    return raw


def _check_private(path: Path, status: os.stat_result) -> None:
    """Refuse what another user owns, may read or may change, and what is no file or folder."""
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise KeyFileError(f"{path} is neither a file nor a folder")
    if os.name != "posix":
        return  # the mode says nothing there; a profile's folders are the user's own
    if status.st_uid != os.geteuid():
        raise KeyFileError(f"{path} belongs to another user")
    if status.st_mode & _OTHERS:
        mode = "700" if stat.S_ISDIR(status.st_mode) else "600"
        raise KeyFileError(f"{path} is open to other users: chmod {mode} {path}, or make new keys")
