"""What is said of a device is what is known of it: nothing answers on SPI, and the I2C clock is the kernel's."""

import pytest

from hardware.buses.pi import PiBuses, read_i2c_hz
from hardware.display_thread import DisplayThread
from hardware.oled.display import Oled
from hardware.simulator.simulated_buses import SimulatedBuses
from hardware.strip.display import Strip
from pegboard.config import OledSettings, Settings
from pegboard.core.view import View

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it


@pytest.mark.parametrize(
    ("kind", "own", "acknowledges"),
    [
        (Oled, OledSettings(), True),
        (Oled, OledSettings(wire="spi"), False),
        (Strip, OledSettings(), False),
    ],
    ids=["panel on I2C", "panel on SPI", "strip"],
)
def test_only_what_hangs_on_i2c_is_said_to_answer(kind, own, acknowledges):
    settings = Settings(oled=own)
    thread = DisplayThread(kind, settings, SimulatedBuses(settings))
    assert thread.health.acknowledges == acknowledges
    thread.wake(View())
    thread.run_once(0, 0)
    assert (thread.health.ok, thread.health.acknowledges) == (True, acknowledges)
    assert thread.health.as_json()["acknowledges"] == acknowledges


def laid(folder, bus, hz):
    node = folder / f"i2c-{bus}/of_node"
    node.mkdir(parents=True)
    (node / "clock-frequency").write_bytes(hz.to_bytes(4, "big"))
    return folder


@pytest.mark.parametrize("hz", [100_000, 400_000, 1_000_000])
def test_i2c_clock_is_the_device_trees_in_either_folder(tmp_path, hz):
    laid(tmp_path / "class", 1, hz)
    laid(tmp_path / "bus", 7, hz)
    folders = tmp_path / "class", tmp_path / "bus"
    assert (read_i2c_hz(1, folders), read_i2c_hz(7, folders), read_i2c_hz(2, folders)) == (hz, hz, None)


@pytest.mark.parametrize(
    ("hz", "about"),
    [
        (100_000, "SSD1306 on I2C, 0x3C, 100 kHz"),
        (400_000, "SSD1306 on I2C, 0x3C, 400 kHz"),
        (62_500, "SSD1306 on I2C, 0x3C, 62.5 kHz"),
        (None, "SSD1306 on I2C, 0x3C"),
    ],
)
def test_panel_says_the_clock_of_its_bus_and_not_the_one_in_the_settings(monkeypatch, hz, about):
    monkeypatch.setattr("hardware.buses.pi.read_i2c_hz", lambda bus: hz if bus == 1 else 10_000)
    assert Oled(Settings(oled=OledSettings(bus_hz=1_000_000)), PiBuses()).about == about


def test_simulated_bus_has_the_clock_that_is_set():
    assert Oled(Settings(oled=OledSettings(bus_hz=100_000)), SimulatedBuses()).about.endswith("100 kHz")
