"""What arrived on the emulated Pi's I2C and SPI buses is what the program meant, transaction by transaction."""

import json
import os
import sys
from pathlib import Path

import pytest

from hardware.oled.drawing.draw import Style, draw
from hardware.simulator.plug_and_bus import BusRecorder
from hardware.simulator.simulated_buses import SimulatedBuses
from hardware.strip.display import Strip
from pegboard.config import KeySettings, Settings
from tests.raspi.scenes import long_scene, scenes, views
from tests.raspi.wire import read_boot
from tests.support.views import table
from tests.vm.guest import QUIETLY, Figures

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it

BOOTS = Path(os.environ["RASPI_BOOTS"])
AS_IT_COMES, LARGE_BUFSIZ = read_boot(BOOTS / "as_it_comes"), read_boot(BOOTS / "large_bufsiz")

TABLE = Settings(keys=KeySettings(enabled=False))
"""The settings of the whole table."""


def meant(scene, folder):
    """What the scene writes to simulated buses: rows of the recorder."""
    record = BusRecorder(folder / "meant")
    scene.show(SimulatedBuses(scene.settings, record))
    record.close()
    rows = map(json.loads, (folder / "meant").read_text().splitlines())
    return [row for row in rows if row["bus"] != "gpio"]


def decode(settings, stage):
    """The buses after a stage, the pictures of a panel that was on, and the colours after each transfer to a strip."""
    buses, pictures, shown = SimulatedBuses(settings), [], []
    for address, data in stage.i2c:
        buses.write_i2c(1, address, data)
        if buses.panel_model.on:
            pictures.append(buses.pixels())
    for transfer in stage.transfers:
        buses.write_spi(0, transfer.data, transfer.hz)
        shown.append(buses.colors())
    return buses, pictures, shown


def drawn(view):
    """The pixels of a view's picture, as the models tell them."""
    return draw(view, Style()).convert("L").tobytes().replace(b"\xff", b"\x01")


def lit(view):
    """The colours of a view on the strip."""
    buses = SimulatedBuses(TABLE)
    Strip(TABLE, buses).show(view)
    return buses.colors()


@pytest.mark.parametrize("scene", [*scenes()], ids=lambda scene: scene.name)
def test_every_transaction_of_a_device_arrives_as_it_was_meant(scene, tmp_path, record_property):
    rows, stage = meant(scene, tmp_path), AS_IT_COMES.stages[scene.name]
    i2c = [(row["address"], row["data"]) for row in rows if row["bus"] == "i2c"]
    spi = [(row["hz"], row.get("dc"), row["data"]) for row in rows if row["bus"] == "spi"]
    assert [(address, data.hex()) for address, data in stage.i2c] == i2c
    assert [(each.hz, each.dc, each.data.hex()) for each in stage.transfers] == spi
    assert all(each.selected for each in stage.transfers)
    sizes = [len(row["data"]) // 2 for row in rows]
    record_property(scene.name, f"{len(rows)} transactions, {sum(sizes):,} bytes, the longest {max(sizes):,}")


def test_pictures_decoded_from_the_i2c_bus_are_those_that_were_drawn():
    scene = next(scenes())
    _, pictures, _ = decode(scene.settings, AS_IT_COMES.stages[scene.name])
    assert all(drawn(view) in pictures for view in views())


def test_selftest_finds_the_panel_the_clock_and_the_strip():
    told = AS_IT_COMES.told["selftest"]
    assert "ok    I2C: the OLED answers: SSD1306 on I2C, 0x3C, 100 kHz" in told
    assert "ok    SPI: the bus is ready for the LED strip" in told
    assert AS_IT_COMES.stages["selftest"].i2c == [(0x3C, b"\0")]
    assert not AS_IT_COMES.stages["selftest"].spi


def test_frame_longer_than_spidev_takes_is_refused_and_nothing_of_it_is_sent():
    told = AS_IT_COMES.told["long strip"]
    assert "4096" in told
    assert "8192" in told
    assert not AS_IT_COMES.stages["long strip"].transfers


def test_spidev_alone_would_send_such_a_frame_with_a_gap():
    assert [len(each.data) for each in AS_IT_COMES.stages["spidev alone"].transfers] == [4096, 1]


def test_with_the_bufsiz_that_was_named_the_long_frame_is_one_transfer(tmp_path):
    rows = meant(long_scene(), tmp_path)
    assert LARGE_BUFSIZ.told["long strip"] == "shown"
    assert [each.data.hex() for each in LARGE_BUFSIZ.stages["long strip"].transfers] == [row["data"] for row in rows]
    assert {len(each.data) for each in LARGE_BUFSIZ.stages["long strip"].transfers} == {4481}


def test_whole_table_shows_a_score_on_panel_and_strip_and_leaves_both_dark(record_property):
    told, scored = AS_IT_COMES.told, table((5, 0), (0, 0))
    buses, pictures, shown = decode(TABLE, AS_IT_COMES.stages["table"])
    assert told["table"] == 0
    assert drawn(scored) in pictures
    assert lit(scored) in shown
    assert not buses.panel_model.on
    assert not any(map(any, shown[-1]))
    assert [device["ok"] for device in told["health"]["devices"]] == [True, True]
    record_property("whole table", f"ready {told['ready after']:.1f} s after its start")


if __name__ == "__main__":
    sys.exit(pytest.main([*QUIETLY, __file__], plugins=[Figures()]))
