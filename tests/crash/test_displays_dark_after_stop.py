"""After every stop panel and strip are dark, as decoded from what the real program has written to the buses."""

import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from hardware.oled.display import Oled
from hardware.simulator.simulated_buses import LED_CHAINS, SimulatedBuses, panel
from hardware.strip.display import Strip
from pegboard.config import OledSettings, Settings, StripSettings
from pegboard.startup.bootstrap import run_table
from pegboard.startup.devices import darken_displays
from pegboard.startup.next_game import NextGame
from tests.support.program import Service
from tests.support.views import table
from tests.support.waiting import soon

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it

VIEW = table((87, 75), (64, 58))

BOARDS = [
    (OledSettings(), StripSettings()),
    (OledSettings(chip="ssd1306", wire="spi"), StripSettings(chip="sk6812", lanes=2)),
    (OledSettings(chip="ssd1309"), StripSettings(chip="sk6812w", lanes=2)),
    (OledSettings(chip="ssd1309", wire="spi", size="128x32"), StripSettings(chip="apa102")),
    (OledSettings(chip="sh1106"), StripSettings()),
    (OledSettings(chip="sh1106", wire="spi", rotate=2), StripSettings(chip="apa102", lanes=2)),
    (OledSettings(chip="ssd1327", size="128x128"), StripSettings(chip="sk6812", lanes=2)),
    (OledSettings(chip="ssd1327", wire="spi", size="128x128"), StripSettings(chip="sk6812w", lanes=2)),
    (OledSettings(chip="ssd1351", wire="spi", size="128x128"), StripSettings()),
]


def names(board):
    oled, strip = board
    return f"{oled.chip}-{oled.wire}-{strip.chip}"


def as_toml(board):
    oled, strip = board
    return "\n".join((
        f'[oled]\nchip = "{oled.chip}"\nwire = "{oled.wire}"\nsize = "{oled.size}"\nrotate = {oled.rotate}',
        f'[strip]\nchip = "{strip.chip}"\nlanes = {strip.lanes}\n',
    ))  # fmt: skip


class Decoded:
    """What hangs on the buses of a record, after the last of its transactions."""

    def __init__(self, rows, board):
        self.oled, strip = board
        self.panel = panel(self.oled.chip, self.oled.size, self.oled.address)
        self.chain = LED_CHAINS[strip.chip]()
        self.was_lit = self.leds_were_lit = False
        for row in rows:
            self._receive(row)

    def _receive(self, row):
        if row["bus"] == "i2c":
            self.panel.receive(bytes.fromhex(row["data"]))
        elif "dc" in row:
            self.panel.receive_spi(bytes.fromhex(row["data"]), dc=bool(row["dc"]))
        elif row["bus"] == "spi":
            self.chain.receive(bytes.fromhex(row["data"]), row["hz"])
            self.leds_were_lit |= any(map(any, self.chain.colors()))
        self.was_lit |= self.panel.on and any(self.panel.pixels())

    def pixels_of_the_memory(self):
        """What the panel would show if it were switched on."""
        self.panel.on = True
        return self.panel.pixels()

    def assert_dark(self):
        assert (self.was_lit, self.leds_were_lit) == (True, True), "both were lit before"
        assert not self.panel.on
        assert not any(self.pixels_of_the_memory()), "nor would it show a picture if it were switched on"
        assert not any(map(any, self.chain.colors()))


def started(tmp_path, board, *options, environment=None):
    config = tmp_path / "pegboard.toml"
    config.write_text(as_toml(board))
    record = tmp_path / "buses.jsonl"
    return Service(tmp_path / "state", "--config", str(config), *options, record=record, environment=environment)


def wait_until_lit(service, board):
    def lit():
        decoded = Decoded(service.recorded(), board)
        return decoded.was_lit and decoded.leds_were_lit

    soon(lit)


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("board", BOARDS, ids=names)
def test_panel_is_off_and_strip_dark_after_systemd_has_stopped_the_table(tmp_path, board):
    with started(tmp_path, board) as service:
        service.client().score(0, 7)
        wait_until_lit(service, board)
        service.stop()
        Decoded(service.recorded(), board).assert_dark()


@pytest.mark.sampled
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP], ids=["ctrl-c", "terminal closed"])
def test_displays_are_dark_after_ctrl_c_and_after_the_terminal_was_closed(tmp_path, number):
    with started(tmp_path, BOARDS[0]) as service:
        wait_until_lit(service, BOARDS[0])
        service.process.send_signal(number)
        assert service.process.wait(60) == 0
        Decoded(service.recorded(), BOARDS[0]).assert_dark()


def test_table_begun_under_nohup_outlives_its_terminal(tmp_path):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with started(tmp_path, BOARDS[0], environment={"TERM": "dumb"}) as service:  # a child of this process
            service.process.send_signal(signal.SIGHUP)
            assert service.client().score(0, 3)[0] == 201
    finally:
        signal.signal(signal.SIGHUP, before)


def test_panel_that_came_back_after_an_error_is_off_too(tmp_path):
    with started(tmp_path, BOARDS[0]) as service:
        client = service.client()
        wait_until_lit(service, BOARDS[0])
        assert client.ask("POST", "/api/v1/bench/plugs", {"device": "OLED", "plugged": False})[0] == 204
        client.score(0, 5)
        soon(lambda: client.ask("GET", "/api/v1/health")[1]["devices"][0]["ok"] is False)
        assert client.ask("POST", "/api/v1/bench/plugs", {"device": "OLED", "plugged": True})[0] == 204
        soon(lambda: client.ask("GET", "/api/v1/health")[1]["devices"][0]["ok"])
        service.stop()
        Decoded(service.recorded(), BOARDS[0]).assert_dark()


@pytest.mark.parametrize("device", ["OLED", "LED strip"])
def test_hanging_bus_does_not_hold_up_the_stop_and_the_other_display_goes_dark(tmp_path, device):
    with started(tmp_path, BOARDS[0]) as service:
        wait_until_lit(service, BOARDS[0])
        client = service.client()
        assert client.ask("POST", "/api/v1/bench/fault", {"device": device, "fault": "hang", "on": True})[0] == 204
        client.score(0, 5)
        service.stop()
        decoded = Decoded(service.recorded(), BOARDS[0])
        assert decoded.panel.on == (device == "OLED")
        assert any(map(any, decoded.chain.colors())) == (device != "OLED")


def test_displays_are_dark_when_the_start_fails_after_they_were_lit(tmp_path, monkeypatch):
    buses = SimulatedBuses()
    monkeypatch.setattr("pegboard.startup.bootstrap.open_buses", lambda *_, **__: buses)

    def fail_when_lit(*_, **__):
        soon(lambda: any(buses.pixels()) and any(map(any, buses.colors())))
        raise RuntimeError("no web today")

    monkeypatch.setattr("web.table.server.Server", fail_when_lit)
    settings = replace(Settings(), web=replace(Settings().web, host="127.0.0.1", port=0))
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)]
    with pytest.raises(RuntimeError, match="no web today"):
        run_table(NextGame(settings), tmp_path, mock=True, record=None, command=None)
    for number, handler in zip((signal.SIGTERM, signal.SIGINT, signal.SIGHUP), before, strict=True):
        signal.signal(number, handler)
    assert not buses.panel_model.on
    assert not any(map(any, buses.colors()))


@pytest.mark.parametrize("board", BOARDS, ids=names)
def test_what_a_crash_left_lit_is_made_dark_without_the_table(board, monkeypatch):
    oled, strip = board
    settings = Settings(oled=oled, strip=strip)
    buses = SimulatedBuses(settings)
    monkeypatch.setattr("pegboard.startup.devices.open_buses", lambda *_, **__: buses)
    Oled(settings, buses).show(VIEW)
    Strip(settings, buses).show(VIEW)
    buses.key_pins.factory.reset()  # the process is gone, and its pins are free
    assert [(finding.name, finding.ok) for finding in darken_displays(settings, mock=True)] == [
        ("LED strip", True),
        ("OLED", True),
    ]
    assert not buses.panel_model.on
    assert not any(map(any, buses.colors()))


def test_command_that_makes_displays_dark_touches_no_scores(tmp_path):
    command = [sys.executable, "-m", "pegboard", "selftest", "--mock", "--dark", "--state", str(tmp_path / "state")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ok    LED strip: dark\nok    OLED: dark\n" in done.stdout
    assert not (tmp_path / "state").exists()


def test_display_that_cannot_be_made_dark_says_so(monkeypatch):
    buses = SimulatedBuses()
    monkeypatch.setattr("pegboard.startup.devices.open_buses", lambda *_, **__: buses)
    buses.plug("OLED", False)
    found = {finding.name: finding for finding in darken_displays(Settings(), mock=True)}
    assert (found["OLED"].ok, found["LED strip"].ok) == (False, True)
    assert "Remote I/O error" in found["OLED"].sentence
