"""When a panel is told everything again, with the clock passed in: every ten seconds, but two after news."""

from dataclasses import replace

import pytest

from hardware.oled.burn_in import ReinitSchedule
from hardware.oled.display import Oled
from pegboard.config import OledSettings, Settings
from tests.support.panel_buses import PanelBuses
from tests.support.views import table

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it


def news():
    """A view that is not the one before, however alike."""
    return table((20, 12), (30, 24))


@pytest.fixture
def renewal():
    """One whose panel has been set up at second 100."""
    renewal = ReinitSchedule(10.0)
    renewal.update(news(), 100.0)
    return renewal


def due(renewal, *seconds):
    return [renewal.is_due(now_s) for now_s in seconds]


def test_everything_is_told_again_ten_seconds_after_the_last_time(renewal):
    assert renewal.due_s(100.0) == 10.0, "to be set up is to be told everything"
    assert due(renewal, 100.0, 109.9, 110.0, 900.0) == [False, False, True, True]
    renewal.mark_done(110.0)
    assert due(renewal, 110.0, 119.9, 120.0) == [False, False, True]


def test_news_is_shown_before_the_rest_is_told_again(renewal):
    renewal.update(news(), 109.5)
    assert due(renewal, 110.0, 111.4, 111.5) == [False, False, True]
    assert (renewal.due_s(110.0), renewal.due_s(113.0)) == (1.5, 0.0)


def test_amount_that_pegs_by_itself_is_waited_for(renewal):
    renewal.update(news(), 200.0)
    renewal.update(news(), 201.2)
    assert due(renewal, 203.1, 203.2) == [False, True]


def test_same_view_shown_again_is_no_news(renewal):
    view = news()
    renewal.update(view, 109.0)
    renewal.update(view, 110.9)
    assert due(renewal, 111.0) == [True]


def test_panel_need_not_be_told_again_without_news():
    never = ReinitSchedule(0.0)
    never.update(news(), 0.0)
    assert due(never, 1e9) == [False]
    assert never.due_s(0.0) is None


@pytest.mark.parametrize("every_s", [0.0, 60.0])
def test_everything_is_told_after_news_no_sooner_than_ten_seconds_after_the_last_time(every_s):
    renewal = ReinitSchedule(every_s)
    renewal.update(news(), 100.0)
    renewal.update(news(), 101.0)
    assert due(renewal, 109.9, 110.0) == [False, True]
    renewal.mark_done(110.0)
    renewal.update(news(), 130.0)
    assert due(renewal, 131.9, 132.0) == [False, True]


@pytest.mark.parametrize(
    ("own", "seconds"),
    [
        (OledSettings(), 10),
        (OledSettings(wire="spi"), 10),
        (OledSettings(renew_s=30.0), 30),
        (OledSettings(chip="ssd1327", size="128x128"), 60),
        (OledSettings(chip="ssd1327", size="128x128", wire="spi"), 10),
    ],
)
def test_idle_panel_that_lost_its_power_unnoticed_is_right_again_after(own, seconds):
    """To tell an SSD1327 everything over I2C takes up to 0.74 s, in which a peg would wait."""
    own, clock = replace(own, shift_s=0.0), Clock()
    buses = PanelBuses(own)
    oled, view = Oled(Settings(oled=own), buses, clock), news()
    oled.show(view)
    whole = buses.panel.pixels()
    buses.panel.power_up()
    for _ in range(2):
        assert buses.panel.pixels() != whole
        clock.now_s += oled.refresh_s
        oled.show(view)
        if clock.now_s >= seconds:
            break
    assert clock.now_s == pytest.approx(seconds, abs=0.1)
    assert buses.panel.pixels() == whole


class Clock:
    now_s = 0.0

    def __call__(self):
        return self.now_s
