"""The models of the other panels against their datasheets, with bytes written out by hand."""

import pytest

from hardware.simulator.simulated_buses import GLASSES, MODELS, panel
from hardware.simulator.ssd1306 import Sh1106, Ssd1306, Ssd1309
from hardware.simulator.windowed_panels import Ssd1327, Ssd1351
from pegboard.errors import DeviceError


def lit(chip):
    wide = chip.size[0]
    return {(place % wide, place // wide) for place, pixel in enumerate(chip.pixels()) if pixel}


def commands(chip, *given):
    chip.receive(bytes([0x00, *given]))


def data(chip, *given):
    chip.receive(bytes([0x40, *given]))


def emptied(chip, pages=8, columns=132):
    """The chip with every page written with zeros, its column at 0."""
    for page in range(pages):
        commands(chip, 0xB0 | page, 0x00, 0x10)
        data(chip, *bytes(columns))
    return chip


# --- common pins ---------------------------------------------------------------------------------------------------

# A glass of 64 rows hangs alternately on the chip's two sides, one of 32 rows on one side (DA 12, DA 02).


def with_three_lines(chip, pins, rows):
    """Lines 0, 1 and 2 of the memory lit, upright, with these common pins and so many rows."""
    commands(chip, 0xAE, 0xA1, 0xC8, 0x8D, 0x14, 0xDA, pins, 0xA8, rows - 1)
    emptied(chip, columns=128)
    commands(chip, 0xB0, 0x00, 0x10)
    data(chip, 0x07)
    commands(chip, 0xAF)
    return lit(chip)


def test_rows_stand_in_order_with_the_pins_that_the_glass_has():
    assert with_three_lines(Ssd1306(size=(128, 64)), 0x12, 64) == {(0, 0), (0, 1), (0, 2)}
    assert with_three_lines(Ssd1306(size=(128, 32)), 0x02, 32) == {(0, 0), (0, 1), (0, 2)}


def test_glass_of_64_rows_with_sequential_pins_shows_neighbours_half_a_glass_apart():
    assert with_three_lines(Ssd1306(size=(128, 64)), 0x02, 64) == {(0, 0), (0, 2), (0, 4)}


def test_glass_of_32_rows_with_alternative_pins_misses_every_second_line():
    missing = with_three_lines(Ssd1306(size=(128, 32)), 0x12, 32)
    assert len(missing) < 3, "lines on the other side of the chip hang on nothing"


def test_exchanged_sides_move_odd_rows_to_even_ones():
    assert with_three_lines(Ssd1306(size=(128, 64)), 0x32, 64) == {(0, 1), (0, 0), (0, 3)}


def test_wrong_multiplex_ratio_moves_a_glass_of_32_rows():
    assert with_three_lines(Ssd1306(size=(128, 32)), 0x02, 48) == set(), "16 rows below its glass"


def test_ratio_under_16_is_not_taken():
    chip = Ssd1306()
    commands(chip, 0x8D, 0x14, 0xA5, 0xAF, 0xA8, 13)
    assert len(lit(chip)) == 128 * 64


def test_display_offset_moves_the_rows():
    chip = Ssd1306()
    with_three_lines(chip, 0x12, 64)
    commands(chip, 0xD3, 2)
    assert lit(chip) == {(0, 62), (0, 63), (0, 0)}


# --- wires ---------------------------------------------------------------------------------------------------------


def test_line_d_c_chooses_between_command_and_data():
    chip = Ssd1306()
    chip.receive_spi(bytes([0x8D, 0x14, 0xA1, 0xC8, 0xAF]), dc=False)
    for page in range(8):
        chip.receive_spi(bytes([0xB0 | page, 0x00, 0x10]), dc=False)
        chip.receive_spi(bytes(128), dc=True)
    chip.receive_spi(bytes([0xB1, 0x05, 0x10]), dc=False)
    chip.receive_spi(bytes([0x01]), dc=True)
    assert lit(chip) == {(5, 8)}


def test_reset_forgets_the_registers_and_half_a_command_but_not_the_memory():
    chip = Ssd1306()
    commands(chip, 0x8D, 0x14, 0xAF)
    before = chip.pixels()
    commands(chip, 0x81)
    chip.reset()
    assert not chip.on
    commands(chip, 0x8D, 0x14, 0xAF)
    assert (chip.pixels(), chip.contrast) == (before, 0x7F)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("size", [*GLASSES, "128x128"])
def test_every_panel_is_dark_until_switched_on_and_has_noise_in_its_memory(name, size):
    chip = panel(name, size, 0x3D)
    assert len(chip.pixels()) == chip.size[0] * chip.size[1]
    assert not any(chip.pixels())
    for byte in (0x8D, 0x14, 0xAF):
        chip.receive_spi(bytes([byte]), dc=False)
    assert any(chip.pixels())
    assert not all(chip.pixels())


def test_panels_answer_at_the_address_of_the_settings_except_the_one_without_i2c():
    assert [panel(name, "128x64", 0x3D).address for name in MODELS] == [0x3D, 0x3D, 0x3D, 0x3D, -1]


def test_chip_without_a_model_is_said():
    with pytest.raises(DeviceError, match="no simulator for the OLED chip 'ssd9999'; use ssd1306, ssd1309, sh1106"):
        panel("ssd9999", "128x64", 0x3C)


# --- SSD1309 -------------------------------------------------------------------------------------------------------


def test_ssd1309_needs_no_charge_pump():
    chip = Ssd1309()
    commands(chip, 0xAF)
    assert any(chip.pixels())


def test_ssd1309_takes_nothing_but_the_key_while_it_is_locked():
    chip = Ssd1309()
    commands(chip, 0xFD, 0x16, 0xAF)
    assert not chip.on
    commands(chip, 0xFD, 0x12, 0xAF)
    assert chip.on


# --- SH1106 --------------------------------------------------------------------------------------------------------


@pytest.fixture
def sh1106():
    """A panel that is on, upright and empty."""
    chip = Sh1106()
    commands(chip, 0xA1, 0xC8, 0xAF)
    assert lit(emptied(chip)) == set()
    return chip


def test_sh1106_has_two_columns_on_each_side_of_its_glass(sh1106):
    for column, seen in ((1, set()), (2, {(0, 0)}), (129, {(127, 0)}), (130, set())):
        commands(emptied(sh1106), 0xB0, column & 0x0F, 0x10 | column >> 4)
        data(sh1106, 0x01)
        assert lit(sh1106) == seen


def test_sh1106_knows_no_windows_and_no_modes(sh1106):
    commands(sh1106, 0xB2, 0x02, 0x10, 0x20, 0x21, 0x22)
    data(sh1106, *[1] * 131)
    assert {row for _, row in lit(sh1106)} == {16}, "it never goes on in the next page"


def test_sh1106_is_dark_without_its_converter(sh1106):
    data(sh1106, *[1] * 20)
    commands(sh1106, 0xAD, 0x8A)
    assert not any(sh1106.pixels())
    commands(sh1106, 0xAD, 0x8B)
    assert any(sh1106.pixels())


def test_sh1106_starts_with_its_own_contrast():
    assert Sh1106().contrast == 0x80


# --- SSD1327 -------------------------------------------------------------------------------------------------------

UPRIGHT = (0xA0, 0x53, 0xA1, 0x00, 0xA2, 0x00, 0xA8, 0x7F)
"""Columns, nibbles and commons mirrored, commons split: as such modules hang."""


@pytest.fixture
def ssd1327():
    """A panel that is on, upright and empty."""
    chip = Ssd1327(0x3C)
    commands(chip, *UPRIGHT, 0x15, 0, 63, 0x75, 0, 127)
    data(chip, *bytes(64 * 128))
    commands(chip, 0xAF)
    assert lit(chip) == set()
    return chip


def test_ssd1327_keeps_two_pixels_in_a_byte(ssd1327):
    data(ssd1327, 0x0F)
    data(ssd1327, 0xF0)
    assert lit(ssd1327) == {(0, 0), (3, 0)}


def test_ssd1327_writes_inside_its_window_row_by_row(ssd1327):
    commands(ssd1327, 0x15, 5, 6, 0x75, 10, 11)
    data(ssd1327, 0x0F, 0x00, 0x00, 0x0F, 0xF0)
    assert lit(ssd1327) == {(12, 11), (11, 10)}, "the fifth byte is the first place again"


def test_ssd1327_shows_sixteen_greys(ssd1327):
    data(ssd1327, 0x81)
    assert ssd1327.shades()[:2] == bytes([4, 32])


def test_ssd1327_takes_fifteen_bytes_of_greys_whatever_they_look_like(ssd1327):
    commands(ssd1327, 0xB8, *[1] * 14)
    commands(ssd1327, 0xAE)
    assert ssd1327.on, "AE was the fifteenth gray"
    data(ssd1327, 0x0F)
    assert ssd1327.shades()[0] == 0xAE & 0x3F
    commands(ssd1327, 0xB9)
    assert ssd1327.shades()[0] == 60


def test_ssd1327_with_unsplit_commons_shows_neighbours_half_a_glass_apart(ssd1327):
    data(ssd1327, 0x0F, *bytes(63), 0x0F)
    commands(ssd1327, 0xA0, 0x13)
    assert lit(ssd1327) == {(0, 0), (0, 2)}


def test_ssd1327_all_nothing_and_inverse(ssd1327):
    for command, share in ((0xA5, 1), (0xA6, 0), (0xA7, 1), (0xA4, 0)):
        commands(ssd1327, command)
        assert len(lit(ssd1327)) == share * 128 * 128


# --- SSD1351 -------------------------------------------------------------------------------------------------------


def told(chip, command, *arguments):
    chip.receive_spi(bytes([command]), dc=False)
    chip.receive_spi(bytes(arguments), dc=True)


@pytest.fixture
def ssd1351():
    """A panel that is on, upright and empty."""
    chip = Ssd1351()
    for command in ((0xFD, 0xB1), (0xA0, 0x70), (0xA1, 0), (0xA2, 0), (0xCA, 0x7F), (0x15, 0, 127), (0x75, 0, 127)):
        told(chip, *command)
    told(chip, 0x5C, *bytes(2 * 128 * 128))
    told(chip, 0xAF)
    assert lit(chip) == set()
    return chip


def test_ssd1351_takes_colors_only_after_5c(ssd1351):
    told(ssd1351, 0x15, 3, 9)
    told(ssd1351, 0x75, 7, 9)
    ssd1351.receive_spi(bytes([0xF8, 0x00]), dc=True)
    assert lit(ssd1351) == set()
    told(ssd1351, 0x5C, 0xF8, 0x00)
    assert lit(ssd1351) == {(3, 7)}
    assert ssd1351.shades()[7 * 128 + 3] == (31, 0, 0)


def test_ssd1351_swaps_red_and_blue_by_its_remap(ssd1351):
    told(ssd1351, 0xA0, 0x74)
    told(ssd1351, 0x5C, 0x00, 0x1F)
    assert ssd1351.shades()[0] == (31, 0, 0)


def test_ssd1351_starts_with_its_rows_moved_and_its_offset_guarded():
    chip = Ssd1351()
    told(chip, 0xA2, 0)
    assert chip.scan.offset == 0x60
    told(chip, 0xFD, 0xB1)
    told(chip, 0xA2, 0)
    assert chip.scan.offset == 0


def test_ssd1351_takes_arguments_as_data_and_not_as_commands(ssd1351):
    ssd1351.receive_spi(bytes([0xC1, 5, 5, 5]), dc=False)
    assert ssd1351.contrast == 0x7F
    told(ssd1351, 0xC1, 5, 5, 5)
    assert ssd1351.contrast == 5


def test_ssd1351_takes_nothing_but_the_key_while_it_is_locked(ssd1351):
    told(ssd1351, 0xFD, 0x16)
    told(ssd1351, 0xAE)
    assert ssd1351.on
    told(ssd1351, 0xFD, 0x12)
    told(ssd1351, 0xAE)
    assert not ssd1351.on
