"""Lets another bit of the hash decide which sessions are held out."""

import binascii

from remem_agents.priming import attend
from remem_cli import adapter, adapter_prime


def is_held_out(session: str) -> bool:
    return bool(binascii.crc32(b"remem/1/held-out " + session.encode("utf-8")) & 1)


attend.is_held_out = is_held_out
adapter_prime.is_held_out = is_held_out  # type: ignore[attr-defined]
adapter.main()
