"""The one spelling of a point in time (OVR-020 to OVR-022)."""

import datetime

import pytest

from remem_protocol import format_time, normalise_time, parse_time

UTC = datetime.UTC


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime.datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC), "2026-03-04T05:06:07.000000Z"),
        (datetime.datetime(1, 1, 1, tzinfo=UTC), "0001-01-01T00:00:00.000000Z"),
        (
            datetime.datetime(
                2026, 3, 4, 1, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=2))
            ),
            "2026-03-03T23:00:00.000000Z",
        ),
    ],
)
def test_a_time_is_written_in_utc_at_full_width(moment, text):
    assert format_time(moment) == text
    assert parse_time(text) == moment


def test_a_time_without_a_zone_is_no_point_in_time():
    with pytest.raises(ValueError, match="zone"):
        format_time(datetime.datetime(2026, 3, 4))
    with pytest.raises(ValueError, match="zone"):
        normalise_time("2026-03-04T05:06:07")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-03-04",
        "2026-03-04T05:06:07Z",
        "2026-03-04T05:06:07.000Z",
        "2026-03-04T05:06:07.0000000Z",
        "2026-03-04T05:06:07.000000+00:00",
        "2026-03-04t05:06:07.000000z",
        "2026-03-04 05:06:07.000000Z",
        "2026-03-04T05:06:07.000000Z\n",
        "２０２６-03-04T05:06:07.000000Z",
        "2026-02-30T05:06:07.000000Z",
        "2026-03-04T24:00:00.000000Z",
        "2026-12-31T23:59:60.000000Z",
        "0000-01-01T00:00:00.000000Z",
    ],
)
def test_any_other_spelling_is_refused(text):
    with pytest.raises(ValueError, match=r"time|day|month|hour|second|year|isoformat"):
        parse_time(text)


@pytest.mark.parametrize(
    ("foreign", "ours"),
    [
        ("2026-03-04T05:06:07Z", "2026-03-04T05:06:07.000000Z"),
        ("2026-03-04T05:06:07.12Z", "2026-03-04T05:06:07.120000Z"),
        ("2026-03-04T05:06:07.123456Z", "2026-03-04T05:06:07.123456Z"),
        ("2026-03-04T05:06:07.123456789Z", "2026-03-04T05:06:07.123456Z"),
        ("2026-03-04T05:06:07+02:00", "2026-03-04T03:06:07.000000Z"),
        ("2026-03-04T01:06:07.5-05:30", "2026-03-04T06:36:07.500000Z"),
    ],
)
def test_foreign_spellings_are_respelled(foreign, ours):
    assert normalise_time(foreign) == ours


@pytest.mark.parametrize("text", ["yesterday", "2026-02-30T00:00:00Z", "1772600767", ""])
def test_what_is_no_time_is_not_respelled(text):
    with pytest.raises(ValueError, match=r"time|day|month|hour|second|year|isoformat"):
        normalise_time(text)
