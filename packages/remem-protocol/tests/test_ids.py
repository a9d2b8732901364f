"""Content ids over exact bytes (OVR-030 to OVR-032)."""

import base64
import hashlib

from remem_protocol import content_id, is_id, preimage


def test_preimage_is_presence_length_and_text():
    assert preimage("d", ["é", None, ""]) == (
        b"\x01\x00\x00\x00\x01d"
        + b"\x01\x00\x00\x00\x02\xc3\xa9"
        + b"\x00"
        + b"\x01\x00\x00\x00\x00"
    )


def test_id_is_twenty_bytes_of_the_digest_in_small_base32():
    digest = hashlib.sha256(preimage("d", ["a"])).digest()
    assert content_id("d", ["a"]) == base64.b32encode(digest[:20]).decode().lower()
    assert is_id(content_id("d", ["a"]))


def test_fields_do_not_run_into_each_other():
    lists = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["abc", None], ["", "abc"], []]
    assert len({content_id("d", fields) for fields in lists}) == len(lists)


def test_domains_keep_equal_fields_apart():
    assert content_id("d", ["a"]) != content_id("e", ["a"])


def test_texts_are_hashed_as_they_are():
    spellings = ["é", "e\u0301", "É", " é", "é\n"]
    assert len({content_id("d", [text]) for text in spellings}) == len(spellings)


def test_what_is_no_id_is_told_apart():
    good = content_id("d", ["a"])
    for bad in ("", good.upper(), good[:-1], good + "a", good + "\n", "1" * 32):
        assert not is_id(bad)
