"""Keys on disk: the owner's alone, never replaced."""

import os
import random as seeded
from pathlib import Path

import pytest

from remem_protocol import MalformedError, NotFoundError
from remem_share.errors import KeyFileError
from remem_share.keyfile import load, load_public, save, save_public, set_up
from remem_share.keys import PrivateKey, from_recovery_text, generate

posix = pytest.mark.skipif(os.name != "posix", reason="file modes")


def key(seed: int = 1) -> PrivateKey:
    return generate(seeded.Random(seed).randbytes)


def test_saved_key_is_loaded_again(tmp_path: Path) -> None:
    save(key(), tmp_path / "keys" / "signing.key")
    save_public(key().public, tmp_path / "keys" / "other.pub")
    assert load(tmp_path / "keys" / "signing.key") == key()
    assert load_public(tmp_path / "keys" / "other.pub") == key().public


def test_set_up_stores_one_private_key_and_shows_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "keys"
    recovery = from_recovery_text(set_up(folder))
    signing = load(folder / "signing.key")
    assert signing != recovery
    assert load_public(folder / "recovery.pub") == recovery.public
    assert sorted(p.name for p in folder.iterdir()) == ["recovery.pub", "signing.key"]
    written = b"".join(p.read_bytes() for p in folder.iterdir())
    assert recovery.seed not in written
    assert recovery.seed.hex().encode() not in written


def test_set_up_replaces_no_keys(tmp_path: Path) -> None:
    set_up(tmp_path / "keys")
    before = {p.name: p.read_bytes() for p in (tmp_path / "keys").iterdir()}
    with pytest.raises(KeyFileError, match="not replaced"):
        set_up(tmp_path / "keys")
    assert {p.name: p.read_bytes() for p in (tmp_path / "keys").iterdir()} == before


def test_key_is_not_replaced_and_leaves_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "signing.key"
    save(key(1), path)
    with pytest.raises(KeyFileError, match="exists already"):
        save(key(2), path)
    assert load(path) == key(1)
    assert list(path.parent.iterdir()) == [path]


@posix
def test_modes_are_the_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        save(key(), tmp_path / "keys" / "signing.key")
    finally:
        os.umask(before)
    assert (tmp_path / "keys").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "keys" / "signing.key").stat().st_mode & 0o777 == 0o600


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o660])
def test_key_that_others_may_open_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "keys" / "signing.key"
    save(key(), path)
    path.chmod(mode)
    with pytest.raises(KeyFileError, match="chmod 600"):
        load(path)


@posix
@pytest.mark.parametrize("mode", [0o755, 0o770, 0o703])
def test_folder_that_others_may_open_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "keys" / "signing.key"
    save(key(), path)
    path.parent.chmod(mode)
    with pytest.raises(KeyFileError, match="chmod 700"):
        load(path)
    with pytest.raises(KeyFileError, match="chmod 700"):
        save(key(2), path.with_name("second.key"))


@posix
def test_link_to_a_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "signing.key"
    save(key(), path)
    link = path.with_name("link.key")
    link.symlink_to(path)
    with pytest.raises(KeyFileError):
        load(link)


@posix
def test_folder_in_place_of_a_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "keys" / "signing.key").mkdir(mode=0o700, parents=True)
    with pytest.raises(KeyFileError):
        load(tmp_path / "keys" / "signing.key")


def test_missing_key_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no key"):
        load(tmp_path / "signing.key")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "something else\n",
        "remem ed25519 private key: keep it secret\n",
        "remem ed25519 private key: keep it secret\nAAAA\n",
        "remem ed25519 private key: keep it secret\n*\n",
        "remem ed25519 public key\n" + "A" * 43 + "=\n",
        "remem ed25519 private key: keep it secret\n" + "A" * 43 + "=\nmore\n",
    ],
)
def test_file_that_is_no_key_is_malformed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keys" / "signing.key"
    save(key(), path)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MalformedError):
        load(path)
