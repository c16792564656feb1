"""When it is night on the strip."""

import pytest

from hardware.strip.display import night
from pegboard.errors import DeviceError


def hours(begins, ends):
    """The full hours of the day at which it is night."""
    return [hour for hour in range(24) if night(begins, ends).covers(60 * hour)]


def test_night_lasts_over_midnight():
    assert hours("22:00", "07:00") == [0, 1, 2, 3, 4, 5, 6, 22, 23]


def test_night_may_lie_within_a_day():
    assert hours("01:30", "5:00") == [2, 3, 4]


def test_night_begins_on_its_minute_and_is_over_on_its_last():
    whole = night("22:15", "06:45")
    assert [whole.covers(60 * 22 + minute) for minute in (14, 15)] == [False, True]
    assert [whole.covers(60 * 6 + minute) for minute in (44, 45)] == [True, False]


@pytest.mark.parametrize(("begins", "ends"), [("", "07:00"), ("", "nonsense"), ("07:00", "07:00")])
def test_night_that_does_not_begin_or_last_never_comes(begins, ends):
    assert hours(begins, ends) == []


@pytest.mark.parametrize("time", ["24:00", "7", "7:5", "22.00", "ten", "22:60", " 22:00", "22:00\n", "-1:00"])
def test_what_is_no_time_of_day_is_refused_with_the_setting_and_an_example(time):
    with pytest.raises(DeviceError, match=r"strip's night_from must be a time of day such as 22:00, not '"):
        night(time, "07:00")
    with pytest.raises(DeviceError, match=r"strip's night_until must be a time of day"):
        night("22:00", time)


def test_empty_end_of_a_night_that_begins_is_refused():
    with pytest.raises(DeviceError, match="night_until must be a time of day such as 22:00, not ''"):
        night("22:00", "")
