"""The panel from a view to its wire: what the chips' models decode from the bytes is what was drawn."""

import itertools
import random
import re
import statistics
import sys
import types
from functools import cache

import gpiozero
import luma.core.error
import pytest
from PIL import Image

from hardware.buses import pi
from hardware.buses.pi import PiBuses
from hardware.display_thread import DisplayThread
from hardware.oled.burn_in import STEPS, PixelShift
from hardware.oled.display import Oled
from hardware.oled.drawing.draw import LAYOUTS, SIZES, Style, draw
from hardware.oled.panel import CONTROLLERS, _addressing_commands, changes, pack
from pegboard.config import KeySettings, OledSettings, Settings
from pegboard.core.match import Setup
from pegboard.core.rules import Rules
from pegboard.errors import DeviceError
from pegboard.feed import Feed
from pegboard.storage.event_row import replay_rows
from pegboard.storage.journal.journal import Journal
from pegboard.table.scoreboard import Scoreboard
from tests.hardware.oled.every_frame import GAMES, LUMAS, PAGED, PAIRS, centred, frames_seen, lit, switched_on
from tests.support import panel_bytes_of_peg_moves
from tests.support.long_runs import some_in, some_of
from tests.support.panel_buses import PanelBuses
from tests.support.views import table
from tests.support.views_of_dealt_games import views_of

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it

VIEW = table((87, 75), (64, 58), dialled=(0, 7), won=(2, 1))

EVERY = [
    OledSettings(chip=name, wire=wire, size=size, rotate=rotate)
    for name, wire in PAIRS
    for size in CONTROLLERS[name].sizes
    for rotate in (0, 2)
]
"""Every chip on every wire in every size, both ways round."""


def called(own):
    return f"{own.chip} {own.wire} {own.size} {own.rotate}"


@cache
def noise(size, seed):
    """Pixels at random, now many, now few, now none."""
    dice = random.Random(seed)
    share = dice.choice((0, 0.001, 0.02, 0.5, 0.98, 1))
    pixels = bytes(255 * (dice.random() < share) for _ in range(size[0] * size[1]))
    return Image.frombytes("L", size, pixels).convert("1")


# --- the picture ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("own", EVERY, ids=called)
def test_view_is_decoded_from_the_bytes_as_it_was_drawn(own):
    buses = PanelBuses(own)
    oled = Oled(Settings(oled=own), buses)
    oled.show(VIEW)
    drawn = draw(VIEW, Style(SIZES.get(own.size, (128, 64))))
    assert buses.panel.pixels() == lit(centred(drawn, buses.panel.size), own.rotate)
    assert any(buses.panel.pixels())


@pytest.mark.sampled(least=9)
@pytest.mark.parametrize("own", EVERY, ids=called)
def test_random_frames_one_after_the_other_are_decoded_as_they_were_drawn(own):
    glass, buses = switched_on(own)
    for seed in range(some_of(60, 3) if (own.chip, own.wire) in PAGED else 15):
        picture = noise(glass.size, seed)
        glass.show(picture)
        assert buses.panel.pixels() == lit(picture, own.rotate), f"frame {seed}"


@pytest.mark.sampled
@pytest.mark.parametrize("place", range(len(PAGED)), ids=[" ".join(pair) for pair in PAGED])
def test_every_frame_of_games_dealt_out_among_the_panels_is_decoded_as_it_was_drawn(place):
    """`python -m tests.hardware.oled.every_frame` shows 200 games on each."""
    share = range(place, some_of(GAMES, 8), len(PAGED))
    assert frames_seen([PAGED[place]], share) > 40 * len(share)


THREE = {"variant": "three-handed", "players": ("Ann", "Bob", "Cy")}


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize(("layout", "game"), [(layout, game) for game in ({}, THREE) for layout in LAYOUTS])
def test_every_frame_of_a_game_is_decoded_as_it_was_drawn_in_every_layout_and_size(size, layout, game):
    assert frames_seen(PAGED, [0], Style(size, layout), **game) > 50 * len(PAGED)


@pytest.mark.sampled
@pytest.mark.parametrize("pair", LUMAS, ids=" ".join)
def test_every_frame_of_three_games_is_decoded_as_it_was_drawn_on_panels_that_luma_writes(pair):
    assert frames_seen([pair], range(3)) > 50 * 3


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("pair", PAGED, ids=" ".join)
def test_panel_that_has_lost_its_power_unseen_is_right_when_it_is_told_everything_again(pair):
    chip, wire = pair
    for column in range(0, 128, 3):
        glass, buses = switched_on(OledSettings(chip=chip, wire=wire))
        picture = Image.new("1", (128, 64))
        picture.putpixel((column, 3), 1)
        glass.show(picture)
        buses.panel.power_up()
        glass.reinit()
        glass.show(picture)
        assert buses.panel.pixels() == lit(picture), f"written last in column {column}"


@pytest.mark.parametrize("wire", CONTROLLERS["ssd1327"].buses)
def test_ssd1327_lights_its_pixels_with_the_brightest_of_even_greys(wire):
    glass, buses = switched_on(OledSettings(chip="ssd1327", wire=wire))
    for _ in range(2):
        glass.show(centred(draw(VIEW), glass.size))
        grays = buses.panel.grays
        assert len({brighter - darker for darker, brighter in itertools.pairwise(grays)}) == 1, "in even steps"
        assert set(buses.panel.shades()) == {0, max(grays)}
        glass.reinit()


@pytest.mark.parametrize("wire", CONTROLLERS["ssd1327"].buses)
def test_ssd1327_gets_the_clocks_and_voltages_that_follow_lumas_table_of_greys(wire):
    """luma names each in its source; B8, before them, takes fifteen bytes of which luma sends eight."""
    _, buses = switched_on(OledSettings(chip="ssd1327", wire=wire))
    meant = {0xB3: 0x00, 0xAB: 0x01, 0xB1: 0xF1, 0xBC: 0x08, 0xBE: 0x07, 0xD5: 0x62, 0xB6: 0x0F}
    assert buses.panel.timing == meant


# --- what passes over the wire -------------------------------------------------------------------------------------


@cache
def drawn(number):
    """Every picture of a game and its lanes."""
    return [(draw(view), view.game.lanes) for view in views_of(number)]


def bytes_of_peg_moves(own, numbers, step):
    """Bytes on the wire for each move of a peg, control bytes and commands included; at the tenth the picture moves."""
    glass, buses = switched_on(own)
    counts = []
    for number in numbers:
        standing = PixelShift()
        for turn, ((before, old), (after, new)) in enumerate(itertools.pairwise(drawn(number))):
            stands = step if turn >= 10 else STEPS[0]
            glass.show(standing.shift(before, stands))
            sent = buses.bytes
            glass.show(standing.shift(after, stands))
            if old != new:
                counts.append(buses.bytes - sent)
    return counts


@pytest.mark.sampled(least=3)
@pytest.mark.parametrize("pair", PAGED, ids=" ".join)
@pytest.mark.parametrize("step", STEPS)
def test_peg_move_takes_80_bytes_or_fewer_mostly_and_130_or_fewer_nearly_always(pair, step):
    chip, wire = pair
    games = some_of(30, 2)
    counts = sorted(bytes_of_peg_moves(OledSettings(chip=chip, wire=wire), range(games), step))
    assert len(counts) > 35 * games
    assert statistics.median(counts) <= 80
    assert counts[int(len(counts) * 0.95)] <= 130


@pytest.mark.sampled(least=3)
@pytest.mark.parametrize(
    ("look", "variant"),
    panel_bytes_of_peg_moves.EVERY,
    ids=[panel_bytes_of_peg_moves.called(*one) for one in panel_bytes_of_peg_moves.EVERY],
)
def test_peg_move_keeps_its_layouts_budget_on_every_panel_and_track(look, variant):
    glass, buses = switched_on(OledSettings(size=f"{look.size[0]}x{look.size[1]}"))
    counts = []
    for number in range(some_of(20, 2)):
        first, *others = panel_bytes_of_peg_moves.game_views(variant, number)
        glass.show(draw(first, look))
        for view in others:
            sent = buses.bytes
            glass.show(draw(view, look))
            counts.append(buses.bytes - sent)
    median, p95 = panel_bytes_of_peg_moves.budget(look, variant)
    assert statistics.median(counts) <= median
    assert sorted(counts)[int(len(counts) * 0.95)] <= p95


def test_view_that_looks_the_same_sends_nothing():
    buses = PanelBuses(OledSettings())
    oled = Oled(Settings(), buses)
    oled.show(VIEW)
    sent = buses.bytes
    oled.show(VIEW)
    assert buses.bytes == sent


def test_window_is_one_transaction_of_commands_each_with_its_control_byte_and_then_data():
    class Spy:
        def write(self, address, data):
            written.append((address, data))

    written = []
    glass, _ = switched_on(OledSettings(chip="sh1106"))
    glass._transport._bus = Spy()
    picture = Image.new("1", (128, 64))
    picture.putpixel((16, 9), 1)
    glass.show(picture)
    picture.putpixel((100, 15), 1)
    glass.show(picture)
    page, low, high = 0xB0 | 1, 0x00 | 2, 0x10 | 1  # column 16 + 2
    assert written[0] == (0x3C, bytes([0x80, page, 0x80, low, 0x80, high, 0x40, 0b10]))
    assert written[1] == (0x3C, bytes([0x80, 0x06, 0x80, 0x16, 0x40, 0x80])), "102 is 0x66; the page is the same"
    picture.putpixel((108, 23), 1)
    glass.show(picture)
    assert written[2] == (0x3C, bytes([0x80, 0xB2, 0x80, 0x0E, 0x40, 0x80])), "110 is 0x6E; 102 and 103 begin so too"


def test_half_of_a_column_is_left_out_only_where_the_window_before_began_and_ended_with_it():
    assert _addressing_commands((1, range(0x25, 0x2E)), 2, 0x2A) == [0xB2, 0x0A]
    assert _addressing_commands((1, range(0x2E, 0x32)), 1, 0x3A) == [0x0A, 0x13], (
        "the column may be counted from either"
    )
    assert _addressing_commands((1, range(0x2E, 0x32)), 1, 0x2A) == [0x0A, 0x12]
    assert _addressing_commands((1, range(0x15, 0x25)), 1, 0x35) == [0x13]
    assert _addressing_commands((1, range(0x15, 0x25)), 1, 0x17) == [0x07, 0x11]


def test_packed_picture_is_column_by_column_with_the_uppermost_pixel_lowest():
    picture = Image.new("1", (128, 64))
    picture.putpixel((0, 0), 1)
    picture.putpixel((0, 63), 1)
    picture.putpixel((127, 8), 1)
    columns = pack(picture)
    assert (len(columns), columns[7], columns[0], columns[127 * 8 + 6]) == (1024, 0x01, 0x80, 0x01)
    assert pack(picture.rotate(180)) == pack(picture, 2)


def test_changes_are_apart_when_six_bytes_between_them_are_as_before():
    old = bytes(1024)
    near, far = bytearray(old), bytearray(old)
    near[7], near[7 + 8 * 6] = 1, 2  # columns 0 and 6 of page 0: five lie between
    far[7], far[7 + 8 * 7] = 1, 2
    assert changes(old, bytes(near), 8) == [(0, 0, bytes([1, 0, 0, 0, 0, 0, 2]))]
    assert changes(old, bytes(far), 8) == [(0, 0, b"\x01"), (0, 7, b"\x02")]
    assert changes(bytes(near), bytes(near), 8) == []


def test_changes_at_the_edges_of_two_pages_stay_apart():
    new = bytearray(1024)
    new[127 * 8 + 7], new[0 * 8 + 6] = 3, 4  # the last column of page 0, the first of page 1
    assert changes(bytes(1024), bytes(new), 8) == [(0, 127, b"\x03"), (1, 0, b"\x04")]


def test_sh1106_is_clocked_no_faster_than_its_datasheet_allows():
    own = OledSettings(chip="sh1106", wire="spi", spi_hz=8_000_000)
    buses = PanelBuses(own)
    oled = Oled(Settings(oled=own), buses)
    oled.show(VIEW)
    assert buses.opened == [("spi", 1, 4_000_000)]
    assert oled.about == "SH1106 on SPI1, 4 MHz"


def test_spi_panel_is_reset_before_it_is_written():
    own = OledSettings(wire="spi")
    buses = PanelBuses(own)
    Oled(Settings(oled=own), buses).show(VIEW)
    assert buses.writes_at_reset == [0]


def test_spi_panel_that_is_closed_gives_its_pins_back():
    own = OledSettings(wire="spi")
    buses = PanelBuses(own)
    for _ in range(2):
        oled = Oled(Settings(oled=own), buses)
        oled.show(VIEW)
        oled.close()
        oled.close()


# --- errors --------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_whichever_write_fails_the_picture_is_right_after_recovery(pair):
    chip, wire = pair
    own = OledSettings(chip=chip, wire=wire)
    views = views_of(3)[: 8 if pair in PAGED else 3]
    whole = writes_of(own, views)
    assert whole > 8
    for k in some_in(range(1, whole + 1)):
        buses = PanelBuses(own)
        buses.fail_at = k
        display_thread = unhurried(own, buses)
        for turn, view in enumerate(views):
            display_thread.wake(view)
            display_thread.run_once(10.0 * turn, 0)
        display_thread.run_once(10.0 * len(views), 0)
        assert display_thread.health.errors == 1, f"write {k}"
        assert display_thread.health.ok
        assert buses.panel.pixels() == lit(centred(draw(views[-1]), buses.panel.size)), f"write {k}"
        display_thread.close()


def unhurried(own, buses):
    """The panel's display thread by a clock that stands still: a machine held up for seconds makes no write hang."""

    return DisplayThread(lambda *given: Oled(*given, standing), Settings(oled=own), buses, standing)


def standing():
    """A clock that stands still."""
    return 0.0


def writes_of(own, views):
    """How many writes a game takes when none fails."""
    buses = PanelBuses(own)
    oled = Oled(Settings(oled=own), buses, standing)
    for view in views:
        oled.show(view)
    return buses.writes


@pytest.mark.parametrize("wire", ["i2c", "spi"])
def test_scores_are_kept_whichever_write_fails(wire, tmp_path):
    buses = PanelBuses(OledSettings(wire=wire))
    assert errors_of_a_game(buses, tmp_path / "whole") == 0
    for k in some_in(range(1, buses.writes + 1)):
        failing = PanelBuses(buses.own)
        failing.fail_at = k
        assert errors_of_a_game(failing, tmp_path / str(k)) == 1, f"write {k}"


def errors_of_a_game(buses, folder):
    """How often a panel failed in a game of three moves, whose scores and last picture are right."""
    display_thread = unhurried(buses.own, buses)
    with Journal(folder) as journal:
        board = Scoreboard(journal, Feed(), Setup(Rules(), ("Ann", "Bob")))
        for turn in range(3):
            board.keys.dial(turn % 2, 5)
            board.keys.peg(turn % 2)
            display_thread.wake(board.view)
            display_thread.run_once(10.0 * turn, 0)
        display_thread.run_once(60, 0)
        assert [lane.front for lane in replay_rows(journal.rows()).lanes] == [10, 5]
        assert buses.panel.pixels() == lit(draw(board.view))
    display_thread.close()
    return display_thread.health.errors


def test_panel_that_comes_back_with_noise_in_its_memory_is_written_whole():
    buses = PanelBuses(OledSettings())
    display_thread = DisplayThread(Oled, Settings(), buses)
    display_thread.wake(VIEW)
    display_thread.run_once(0, 0)
    buses.panel.power_up()
    buses.fail_at = buses.writes + 1
    display_thread.wake(table((90, 87), (64, 58)))
    display_thread.run_once(1, 0)
    display_thread.run_once(2, 0)
    assert buses.panel.pixels() == lit(draw(table((90, 87), (64, 58))))


def test_panel_at_another_address_does_not_answer():
    buses = PanelBuses(OledSettings())
    with pytest.raises((OSError, luma.core.error.Error), match="121"):
        Oled(Settings(oled=OledSettings(address=0x3D)), buses).show(VIEW)


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        (
            OledSettings(chip="ssd9999"),
            "unknown OLED chip 'ssd9999'; use ssd1306, ssd1309, sh1106, ssd1327, ssd1351",
        ),
        (OledSettings(chip="ssd1351"), "ssd1351 cannot be connected over 'i2c'; set oled.wire to spi"),
        (OledSettings(wire="usb"), "ssd1306 cannot be connected over 'usb'; set oled.wire to i2c, spi"),
        (OledSettings(size="96x16"), "ssd1306 does not come in 96x16 pixels; use 128x64, 128x32"),
        (OledSettings(size="128x128"), "ssd1306 does not come in 128x128 pixels; use 128x64, 128x32"),
        (OledSettings(chip="ssd1327", size="128x32"), "ssd1327 does not come in 128x32 pixels; use 128x64, 128x128"),
        (OledSettings(rotate=1), "cannot be rotated by 1 quarter turns; use 0 or 2"),
        (OledSettings(contrast=256), "contrast must be 0 to 255, not 256"),
        (OledSettings(layout="spiral"), "unknown OLED layout 'spiral'"),
    ],
)
def test_panel_that_cannot_work_is_refused_before_a_wire_is_touched(own, sentence):
    buses = PanelBuses(OledSettings())
    with pytest.raises(DeviceError, match=sentence):
        Oled(Settings(oled=own), buses)
    assert buses.opened == []


def test_panel_on_a_keys_pin_is_refused_before_a_wire_is_touched():
    own = OledSettings(wire="spi")
    buses = PanelBuses(own)
    with pytest.raises(DeviceError, match="the OLED's D/C line and the key undo both use pin BCM 16, and the key"):
        Oled(Settings(oled=own, keys=KeySettings(undo_pin=16)), buses)
    assert buses.opened == []


@pytest.mark.parametrize(("line", "setting", "pin"), [("D/C", "dc_pin", 16), ("RST", "reset_pin", 17)])
def test_pin_in_use_is_said_with_its_number_and_remedy_and_the_other_pin_is_given_back(line, setting, pin):
    own = OledSettings(wire="spi")
    buses = PanelBuses(own)
    other = gpiozero.DigitalOutputDevice(pin, pin_factory=buses.factory)
    oled = Oled(Settings(oled=own), buses)
    with pytest.raises(
        DeviceError, match=f"{line} line cannot use pin BCM {pin} .*set oled.{setting} to another"
    ) as held:
        oled.show(VIEW)
    other.close()
    oled.show(VIEW)
    assert held, "while the error is kept, so is everything it knows"
    assert buses.panel.pixels() == lit(draw(VIEW))


@pytest.mark.parametrize(
    ("bus", "remedy"),
    [
        (1, "turn on I2C in raspi-config, under Interface Options"),
        (0, "add dtoverlay=i2c0 to /boot/firmware/config.txt and restart the Pi"),
        (2, "add dtoverlay=i2c2-pi5 to /boot/firmware/config.txt and restart the Pi"),
        (5, "add dtoverlay=i2c5 to /boot/firmware/config.txt and restart the Pi"),
        (12, "bus 12 belongs to a multiplexer: add its overlay, such as dtoverlay=i2c-mux,pca9548, to"),
    ],
)
def test_missing_i2c_bus_is_said_with_its_own_remedy(monkeypatch, bus, remedy):
    def refuse(_bus):
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(pi, "SMBus", refuse)
    with pytest.raises(DeviceError, match=re.escape(f"no /dev/i2c-{bus}; {remedy}")):
        PiBuses().i2c(bus)


@pytest.mark.parametrize(
    ("bus", "remedy"),
    [
        (0, "no /dev/spidev0.0; turn on SPI in raspi-config, under Interface Options"),
        (1, "no /dev/spidev1.0; add dtoverlay=spi1-1cs to /boot/firmware/config.txt and restart the Pi"),
    ],
)
def test_missing_spi_bus_is_said_with_its_own_remedy(monkeypatch, bus, remedy):
    class SpiDev:
        def open(self, _bus, _device):
            raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setitem(sys.modules, "spidev", types.SimpleNamespace(SpiDev=SpiDev))
    with pytest.raises(DeviceError, match=re.escape(remedy)):
        PiBuses().spi(bus, 1_000_000)
