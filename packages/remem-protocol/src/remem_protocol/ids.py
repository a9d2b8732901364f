"""Content ids: the same thing seen twice is one thing (OVR-030).

An id is the first 20 bytes of a SHA-256, in lower-case base32: 32 letters of `a-z2-7`. What is
hashed is exact bytes, not "the JSON": a domain string, then each field with a presence byte and
a length, so that no two lists of fields share their bytes.
"""

import base64
import hashlib
import re
import struct
from typing import Annotated

import msgspec

ID_PATTERN = r"^[a-z2-7]{32}$"
Id = Annotated[str, msgspec.Meta(pattern=ID_PATTERN, description="content id", max_length=32)]
is_id = re.compile(ID_PATTERN.replace("$", r"\Z")).match


def preimage(domain: str, fields: list[str | None]) -> bytes:
    """Return the exact bytes that `content_id` hashes.

    The domain and each field: 0x01, the length of its UTF-8 as 4 bytes big-endian, the UTF-8.
    An absent field (None) is the one byte 0x00, so absent and empty differ.
    """
    out = bytearray()
    for field in [domain, *fields]:
        if field is None:
            out += b"\x00"
        else:
            data = field.encode("utf-8")
            out += b"\x01" + struct.pack(">I", len(data)) + data
    return bytes(out)


def content_id(domain: str, fields: list[str | None]) -> str:
    """Return the 32-letter id of a domain and its fields, in their stated order."""
    digest = hashlib.sha256(preimage(domain, fields)).digest()[:20]
    return base64.b32encode(digest).decode("ascii").lower()
