"""Times of the record on the learner's clock."""

import pytest

from tutor_lsp.core.text.clock import local_day, local_minute, local_time

FIRST, LAST = "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00"


def test_times_are_local(in_zone):
    in_zone("UTC-2")
    at = "2026-11-23T23:03:00+00:00"
    assert local_day(at) == "2026-11-24"
    assert local_minute(at) == "2026-11-24 01:03"
    assert local_time(at) == "01:03"


@pytest.mark.parametrize(("zone", "at"), [("UTC+14", FIRST), ("UTC-14", LAST)])
def test_a_time_that_leaves_the_calendar_is_shown_as_written(in_zone, zone, at):
    in_zone(zone)
    assert local_day(at) == at.partition("T")[0]
    assert local_minute(at) == at[:16]
    assert local_time(at) == at


def test_what_is_no_time_is_shown_as_written():
    assert (local_day("soon"), local_minute("soon"), local_time("soon")) == ("soon",) * 3
