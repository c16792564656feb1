"""What the installation says at its end: which buses are on, and the one line that switches the others on."""

from pegboard.startup.welcome import bus_lines, welcome


def test_buses_that_are_on_need_no_line(tmp_path):
    for device in ("i2c-1", "spidev0.0"):
        (tmp_path / device).touch()
    assert bus_lines(tmp_path) == ["I2C (the panel) is on.", "SPI (the LED strip) is on."]


def test_buses_that_are_off_are_switched_on_by_one_line(tmp_path):
    lines = bus_lines(tmp_path)
    assert lines[:2] == ["I2C (the panel) is off.", "SPI (the LED strip) is off."]
    assert lines[2].endswith("sudo raspi-config nonint do_i2c 0; sudo raspi-config nonint do_spi 0; sudo reboot")


def test_without_a_table_it_says_how_to_begin_one(tmp_path, capsys):
    welcome(tmp_path)
    assert "sudo systemctl start pegboard" in capsys.readouterr().out
