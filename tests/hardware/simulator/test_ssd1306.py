"""The panel's model against the SSD1306 datasheet, with bytes written out by hand."""

import pytest

from hardware.simulator.ssd1306 import Ssd1306

ON = bytes([0x00, 0x8D, 0x14, 0xAF])
UPRIGHT = bytes([0x00, 0xA1, 0xC8])
WHOLE = bytes([0x00, 0x20, 0x00, 0x21, 0, 127, 0x22, 0, 7])


def lit(chip):
    return {(place % 128, place // 128) for place, pixel in enumerate(chip.pixels()) if pixel}


@pytest.fixture
def chip():
    """A panel that is on, upright and empty, in horizontal mode."""
    chip = Ssd1306()
    for message in (ON, UPRIGHT, WHOLE, b"\x40" + bytes(1024), WHOLE):
        chip.receive(message)
    assert lit(chip) == set()
    return chip


def test_glass_is_dark_until_switched_on_and_the_memory_is_random():
    chip = Ssd1306()
    assert not any(chip.pixels())
    chip.receive(ON)
    assert 1000 < len(lit(chip)) < 7000


def test_without_the_charge_pump_the_glass_stays_dark():
    chip = Ssd1306()
    chip.receive(bytes([0x00, 0xAF]))
    assert not any(chip.pixels())


def test_lowest_bit_of_a_byte_is_the_uppermost_pixel_of_its_page(chip):
    chip.receive(bytes([0x40, 0x01, 0x80]))
    assert lit(chip) == {(0, 0), (1, 7)}


def test_horizontal_mode_goes_on_in_the_next_page(chip):
    chip.receive(b"\x40" + bytes(128) + b"\x01")
    assert lit(chip) == {(0, 8)}


def test_vertical_mode_goes_down_the_pages_first(chip):
    chip.receive(bytes([0x00, 0x20, 0x01]))
    chip.receive(b"\x40" + bytes(8) + b"\x01")
    assert lit(chip) == {(1, 0)}


def test_writing_stays_inside_the_window(chip):
    chip.receive(bytes([0x00, 0x21, 10, 11, 0x22, 2, 3]))
    chip.receive(bytes([0x40, 1, 1, 1, 1, 2]))
    assert lit(chip) == {(11, 16), (10, 24), (11, 24), (10, 17)}


def test_page_mode_stays_in_its_page_and_wraps(chip):
    chip.receive(bytes([0x00, 0x20, 0x02, 0xB3, 0x0F, 0x17]))  # page 3, column 0x7F
    chip.receive(bytes([0x40, 1, 1]))
    assert lit(chip) == {(127, 24), (0, 24)}


def test_commands_may_come_in_pieces_and_one_by_one(chip):
    chip.receive(bytes([0x00, 0x81]))
    chip.receive(bytes([0x00, 0x2A]))
    assert chip.contrast == 0x2A
    chip.receive(bytes([0x80, 0x81, 0x80, 0x55]))  # Co = 1: one byte, then another control byte
    assert chip.contrast == 0x55


def test_control_byte_chooses_between_command_and_data(chip):
    chip.receive(bytes([0x80, 0xB0, 0x40, 0x01]))
    assert lit(chip) == {(0, 0)}


def test_segment_remap_mirrors_only_what_is_written_after_it(chip):
    chip.receive(bytes([0x40, 0x01]))
    chip.receive(bytes([0x00, 0xA0, 0x21, 0, 127, 0x22, 0, 7]))
    chip.receive(bytes([0x40, 0x02]))
    assert lit(chip) == {(0, 0), (127, 1)}


def test_scan_direction_turns_the_picture_at_once(chip):
    chip.receive(bytes([0x40, 0x01]))
    chip.receive(bytes([0x00, 0xC0]))
    assert lit(chip) == {(0, 63)}


def test_start_line_moves_the_picture_up(chip):
    chip.receive(b"\x40" + bytes(128) + b"\x01")
    chip.receive(bytes([0x00, 0x40 | 3]))
    assert lit(chip) == {(0, 5)}


def test_inverse_all_on_off_and_multiplex(chip):
    chip.receive(bytes([0x00, 0xA7]))
    assert len(lit(chip)) == 128 * 64
    chip.receive(bytes([0x00, 0xA6, 0xA5]))
    assert len(lit(chip)) == 128 * 64
    chip.receive(bytes([0x00, 0xA8, 31]))
    assert len(lit(chip)) == 128 * 32
    chip.receive(bytes([0x00, 0xAE]))
    assert lit(chip) == set()


def test_power_up_forgets_everything(chip):
    chip.receive(bytes([0x00, 0x81, 0x01]))
    chip.power_up()
    assert (chip.on, chip.contrast) == (False, 0x7F)
