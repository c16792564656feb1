"""How the panel is spared, with the clock passed in: dimmed, dark, moved; and a finished game's two screens."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import Image

from hardware.display_thread import DisplayThread
from hardware.oled.burn_in import STEPS, PixelShift
from hardware.oled.display import REFRESH_MARGIN_S, Oled
from hardware.oled.drawing.draw import Style, draw
from pegboard.config import OledSettings, Settings
from pegboard.core.match import Match
from pegboard.core.view import Alarm, Brightness, Device, Invitation
from pegboard.messages import Message
from tests.hardware.oled.every_frame import PAIRS, lit
from tests.support.panel_buses import PanelBuses
from tests.support.views import table

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it

LOST = Alarm("a1", Message("journal_lost_tail", count=3))
BOARD = table((20, 12), (30, 24))
FRESH, FIRST = table((0, 0), (0, 0)), table((4, 0), (0, 0))
OVER = table((121, 110), (95, 87), winner=0)


class Clock:
    """A clock that a test sets."""

    now_s = 1000.0

    def __call__(self):
        return self.now_s


class Watched:
    """A panel, its buses and its clock."""

    def __init__(self, **own):
        own = OledSettings(**{"renew_s": 0.0} | own)
        self.buses, self.clock = PanelBuses(own), Clock()
        self.oled = Oled(Settings(oled=own), self.buses, self.clock)

    def at(self, seconds, view):
        """Show the view so many seconds after the start; True when anything was sent."""
        sent = self.buses.bytes
        self.clock.now_s = 1000.0 + seconds
        self.oled.show(view)
        return self.buses.bytes > sent

    def wakes(self, view, until_s):
        """Let it be shown again whenever it asks; the seconds at which that was."""
        now_s, times = 0.0, []
        while self.oled.refresh_s is not None and now_s + self.oled.refresh_s < until_s:
            now_s += self.oled.refresh_s
            self.at(now_s, view)
            times.append(now_s)
        return times

    @property
    def lit(self):
        return any(self.buses.panel.pixels())

    @property
    def contrast(self):
        return self.buses.panel.contrast


def test_panel_is_dimmed_after_two_minutes_and_dark_after_fifteen():
    panel = Watched(shift_s=0.0)
    panel.at(0, BOARD)
    assert (panel.lit, panel.contrast) == (True, 0xCF)
    panel.at(119.9, BOARD)
    assert panel.contrast == 0xCF
    panel.at(120, BOARD)
    assert (panel.lit, panel.contrast) == (True, 0xCF // 16)
    panel.at(899.9, BOARD)
    assert panel.lit
    panel.at(900, BOARD)
    assert (panel.lit, panel.buses.panel.on) == (False, False)


def test_panel_asks_to_be_shown_again_only_when_something_is_due():
    panel = Watched(shift_s=0.0)
    panel.at(0, BOARD)
    assert panel.wakes(BOARD, 10_000) == pytest.approx([120 + REFRESH_MARGIN_S, 900 + REFRESH_MARGIN_S], abs=0.001)
    assert panel.oled.refresh_s is None


def test_panel_wakes_less_than_once_in_half_a_minute_while_idle():
    panel = Watched()
    panel.at(0, BOARD)
    times = panel.wakes(BOARD, 100_000)
    assert len(times) < 900 / 30
    assert times[-1] == pytest.approx(900, abs=1), "then it is dark"


def test_panel_that_is_never_to_be_dimmed_darkened_or_moved_asks_for_nothing():
    panel = Watched(dim_s=0.0, blank_s=0.0, shift_s=0.0)
    panel.at(0, BOARD)
    assert panel.oled.refresh_s is None
    panel.at(1e6, BOARD)
    assert panel.contrast == 0xCF


@pytest.mark.parametrize(
    "news",
    [
        replace(BOARD, revision=1),
        replace(BOARD, dialled=(0, 1)),
        replace(BOARD, notice="40 points cannot be scored at once"),
        replace(BOARD, invitation=Invitation("http://pegboard.local/")),
        replace(BOARD, id="another"),
        replace(BOARD, alarms=(LOST,)),
    ],
)
def test_dark_panel_is_lit_by_news_and_shows_it(news):
    panel = Watched(shift_s=0.0)
    panel.at(0, BOARD)
    panel.at(900, BOARD)
    assert not panel.lit
    panel.at(5000, news)
    assert panel.buses.panel.pixels() == lit(draw(news))
    assert panel.contrast == 0xCF
    panel.at(5003, news)
    assert panel.oled.refresh_s == pytest.approx(117, abs=0.1)


def test_brightness_that_is_chosen_is_shown_at_once_and_by_its_own_command_alone():
    panel = Watched(shift_s=0.0)
    panel.at(0, BOARD)
    before = panel.buses.bytes
    panel.at(1, replace(BOARD, brightness=Brightness(oled=40)))
    assert panel.contrast == 40
    assert panel.buses.bytes - before <= 4, "no pixel is written again"
    assert not panel.at(2, replace(BOARD, brightness=Brightness(oled=40, strip=0.2)))
    panel.at(3, BOARD)
    assert panel.contrast == 0xCF


def test_brightness_that_is_chosen_is_dimmed_too_kept_when_told_anew_and_lights_a_dark_panel():
    panel = Watched(shift_s=0.0, renew_s=10.0)
    dimmer = replace(BOARD, brightness=Brightness(oled=0x40))
    panel.at(0, dimmer)
    panel.at(12, dimmer)
    assert panel.contrast == 0x40
    panel.at(130, dimmer)
    assert panel.contrast == 0x40 // 16
    panel.at(1000, dimmer)
    assert not panel.lit
    panel.at(1001, replace(BOARD, brightness=Brightness(oled=0)))
    assert (panel.lit, panel.contrast) == (True, 0)


def test_dark_panel_stays_dark_and_untouched_when_only_a_device_changes():
    panel = Watched()
    panel.at(0, BOARD)
    panel.at(900, BOARD)
    ill = replace(BOARD, devices=(Device("strip", "no answer"),))
    assert not panel.at(1000, ill)
    assert not panel.at(1000, replace(ill, match=Match(games_won=(3, 3), points=(3, 3)))), "nothing is written unseen"
    assert not panel.lit


def test_dark_panel_is_written_before_it_is_lit():
    panel = Watched(shift_s=0.0)
    panel.at(0, BOARD)
    panel.at(900, BOARD)
    news, seen = replace(BOARD, dialled=(5, 0)), []
    receive = panel.buses.panel.receive

    def watched(transaction):
        receive(transaction)
        seen.append(panel.buses.panel.pixels())

    panel.buses.panel.receive = watched
    panel.at(5000, news)
    assert {picture for picture in seen if any(picture)} == {lit(draw(news))}, "the old picture is never seen"


def test_picture_moves_by_a_pixel_every_minute_and_comes_back():
    panel = Watched(dim_s=0.0, blank_s=0.0)
    panel.at(0, BOARD)
    standing = [STEPS[0]]
    for minute in range(1, 9):
        assert not panel.at(60 * minute - 1, BOARD)
        assert panel.at(60 * minute, BOARD)
        standing.append(panel.oled._burn_in.step)
    assert standing == [*STEPS, *STEPS, STEPS[0]]
    assert all(abs(x - u) + abs(y - v) == 1 for (x, y), (u, v) in pairwise(standing))


def test_picture_does_not_move_at_the_moment_of_news_but_two_seconds_later():
    panel = Watched()
    panel.at(0, BOARD)
    news = replace(BOARD, dialled=(5, 0))
    panel.at(60, news)
    assert panel.buses.panel.pixels() == lit(draw(news))
    assert panel.oled.refresh_s == pytest.approx(2 + REFRESH_MARGIN_S)
    panel.at(62.02, news)
    assert panel.oled._burn_in.step == STEPS[1]


def test_dark_panel_does_not_move_its_picture():
    panel = Watched(blank_s=30.0)
    panel.at(0, BOARD)
    panel.at(30, BOARD)
    panel.at(600, BOARD)
    assert panel.oled._burn_in.step == STEPS[0]


@pytest.mark.parametrize("layout", ["streets", "far"])
@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
@pytest.mark.parametrize("lanes", [1, 2, 3])
@pytest.mark.parametrize("step", STEPS)
def test_moved_picture_has_lost_no_pixel(layout, size, lanes, step):
    variant = {1: "solitaire", 2: "standard", 3: "three-handed"}[lanes]
    view = table(*((110, 100),) * lanes, variant=variant, won=(3,) * lanes, dialled=(12,) * lanes)
    picture = draw(view, Style(size, layout))
    there = PixelShift().shift(picture, step)
    assert there.size == picture.size
    before, after = picture.getbbox(), there.getbbox()
    assert picture.crop(before).tobytes() == there.crop(after).tobytes()
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) <= 1


def test_picture_moves_into_dark_edges_only():
    picture = Image.new("1", (128, 64))
    picture.putpixel((1, 1), 1)
    assert PixelShift().shift(picture, (1, 1)).getbbox() == (0, 0, 1, 1)
    picture.putpixel((0, 0), 1)
    assert PixelShift().shift(picture, (1, 1)).getbbox() == (1, 1, 3, 3), "the other way where there is no room"
    picture.putpixel((127, 63), 1)
    assert PixelShift().shift(picture, (1, 1)).tobytes() == picture.tobytes()


def dots(*places):
    """A picture with these pixels lit."""
    picture = Image.new("1", (128, 64))
    for place in places:
        picture.putpixel(place, 1)
    return picture


@pytest.mark.parametrize("step", STEPS)
def test_news_leaves_the_picture_where_it_stands(step):
    standing, (aside, along) = PixelShift(), step
    there = 9 + aside, 9 + along
    assert standing.shift(dots((9, 9), (0, 0)), step).getpixel(there), "to the right and down, where there is room"
    assert standing.shift(dots((9, 9), (1, 1)), step).getpixel(there), "also when there is room on the other side"


def test_picture_that_would_lose_pixels_where_the_last_one_stood_is_placed_anew_and_stays_there():
    standing = PixelShift()
    assert standing.shift(dots((9, 9)), (1, 0)).getpixel((8, 9))
    assert standing.shift(dots((9, 9), (0, 9)), (1, 0)).getbbox() == (1, 9, 11, 10), "to the right, where there is room"
    assert standing.shift(dots((9, 9)), (1, 0)).getpixel((10, 9)), "it does not jump back"
    assert standing.shift(dots((9, 9)), (1, 1)).getpixel((8, 8)), "until it is to move"


def test_first_score_of_a_game_moves_no_picture():
    for minute in range(4):
        panel = Watched(dim_s=0.0, blank_s=0.0)
        for passed in range(minute + 1):
            panel.at(60 * passed, BOARD)
        panel.at(60 * minute + 1, FRESH)
        sent = panel.buses.bytes
        panel.at(60 * minute + 2, replace(FIRST, revision=1))
        assert panel.buses.bytes - sent <= 139, STEPS[minute]


@pytest.mark.parametrize("lanes", [1, 2, 3])
def test_streets_of_a_running_game_move_both_ways(lanes):
    variant = {1: "solitaire", 2: "standard", 3: "three-handed"}[lanes]
    picture = draw(table(*((50, 42),) * lanes, variant=variant))
    assert len({PixelShift().shift(picture, step).tobytes() for step in STEPS}) == 4


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_panel_that_is_told_everything_again_does_not_blink(pair):
    chip, wire = pair
    panel = Watched(chip=chip, wire=wire, contrast=40, shift_s=0.0, dim_s=15.0)
    panel.at(0, BOARD)
    ill = replace(BOARD, devices=(Device("strip", "no answer"),))
    panel.at(20, ill)
    glass, seen = panel.buses.panel, []
    receive = glass.receive_spi

    def watched(data, *, dc):
        receive(data, dc=dc)
        seen.append((glass.on, glass.contrast, len(data)))

    glass.receive_spi = watched
    assert panel.at(22.1, ill)
    assert all(on for on, _, _ in seen)
    assert {contrast for _, contrast, sent in seen if sent > 64} == {40 // 16}, (
        "the picture is sent at its own contrast"
    )


# --- the end of a game ---------------------------------------------------------------------------------------------


def shows_ending(panel, view):
    """Whether the panel shows the ending, not the board; they differ."""
    ending, board = (lit(draw(view, ending=which)) for which in (True, False))
    assert ending != board
    assert panel.buses.panel.pixels() in (ending, board)
    return panel.buses.panel.pixels() == ending


def test_ending_and_board_are_shown_in_turn_for_two_minutes_and_then_the_board_stays():
    panel = Watched(shift_s=0.0, dim_s=0.0, blank_s=0.0)
    panel.at(0, OVER)
    told = [(0.0, shows_ending(panel, OVER))]
    while panel.oled.refresh_s is not None:
        now_s = told[-1][0] + panel.oled.refresh_s
        panel.at(now_s, OVER)
        told.append((now_s, shows_ending(panel, OVER)))
    shown = [which for now_s, which in told if now_s < 120]
    assert shown == [True, False] * 12, "five seconds each"
    assert not any(which for now_s, which in told if now_s >= 120)


def test_new_view_interrupts_the_ending_at_once():
    panel = Watched(shift_s=0.0)
    panel.at(0, OVER)
    assert shows_ending(panel, OVER)
    news = replace(BOARD, revision=9)
    panel.at(2, news)
    assert panel.buses.panel.pixels() == lit(draw(news))


@pytest.mark.parametrize(
    "news",
    [
        {"notice": "the game is over"},
        {"dialled": (3, 0)},
        {"invitation": Invitation("http://a.b/")},
    ],
)
def test_what_is_said_after_the_end_is_seen_on_the_board(news):
    panel = Watched(shift_s=0.0)
    said = replace(OVER, **news)
    panel.at(0, said)
    assert panel.buses.panel.pixels() == lit(draw(said))


def test_supervised_panel_shows_both_screens_by_its_own_asking():
    """The display thread counts `refresh_s` from before the show, the panel from within it: no turn comes too early."""
    panel = Watched(shift_s=0.0)
    display_thread = DisplayThread(lambda _settings, _buses: panel.oled, Settings(), panel.buses)
    display_thread.wake(OVER)
    now_s, turns = 0.0, 0
    while now_s < 119:
        panel.clock.now_s = 1000.0 + now_s + 0.0005
        now_s += display_thread.run_once(now_s, 0)
        turns += 1
    assert turns == 24
