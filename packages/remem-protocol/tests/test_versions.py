"""Versions on the wire (OVR-001, OVR-002, OVR-005, OVR-006)."""

import pytest

from remem_protocol import (
    PROTOCOL,
    MalformedError,
    UnsupportedVersionError,
    check_version,
    negotiate,
    parse_version,
)


@pytest.mark.parametrize(
    "text", ["", "1", "1.", "1.0.0", "01.0", "1.00", "-1.0", "1.0 ", "1.99999"]
)
def test_a_version_is_two_plain_numbers(text):
    with pytest.raises(MalformedError) as caught:
        parse_version(text)
    assert caught.value.at == "/v"


def test_numbers_are_compared_as_numbers():
    assert parse_version("1.10") > parse_version("1.9")


def test_every_minor_of_our_major_is_accepted():
    for text in (PROTOCOL, "1.1", "1.9999"):
        check_version(text)


@pytest.mark.parametrize("text", ["0.9", "2.0", "10.0"])
def test_another_major_is_refused(text):
    with pytest.raises(UnsupportedVersionError) as caught:
        check_version(text)
    assert caught.value.at == "/v"


def test_the_highest_common_minor_is_spoken():
    assert negotiate(["0.3", "1.0", "2.0"]) == "1.0"
    assert negotiate(["1.0", "1.7"]) == PROTOCOL  # theirs is newer: ours is a part of it


def test_without_a_common_major_nothing_is_spoken():
    for offered in ([], ["2.0", "0.1"]):
        with pytest.raises(UnsupportedVersionError):
            negotiate(offered)
