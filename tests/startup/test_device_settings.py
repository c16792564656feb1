"""A value in the settings that a device cannot work with costs that device alone, which says what to set instead."""

import re
from itertools import zip_longest

import pytest
from click.testing import CliRunner

from pegboard.cli.main import main
from tests.support.long_runs import some_in
from tests.support.program import Service
from tests.support.waiting import soon

KEYS = [
    ('scheme = "one"', "unknown key scheme 'one'; use several or single"),
    ("values = [1, 1, 5]", "the key values [1, 1, 5] repeat an amount; give each amount only once"),
    ("values = [1, 2]", "lane a has 3 pins for the keys [1, 2]; give one pin per key"),
    ("values = []", "lane a has 3 pins for the keys []; give one pin per key"),
    ("pins.a = [4, 5]", "lane a has 2 pins for the keys [1, 2, 5]; give one pin per key"),
    ("pins.d = [7, 8, 9]", "[keys] pins has no lane d; the lanes are a, b, c"),
    ("pins.A = [7, 8, 9]", "[keys] pins has no lane A; the lanes are a, b, c"),
    (
        "pins.a = [4, 4, 6]",
        "the keys a2 and a1 both use pin BCM 4; move one of them (keys.pins.a)",
    ),
    (
        "pins.b = [4, 12, 13]",
        "the keys b1 and a1 both use pin BCM 4; move one of them (keys.pins.b, keys.pins.a)",
    ),
    ("pins = { a = [4, 5] }", "lane a has 2 pins for the keys [1, 2, 5]; give one pin per key"),
    (
        "undo_pin = 27",
        ("the keys deal and undo both use pin BCM 27; move one of them (keys.deal_pin, keys.undo_pin)"),
    ),
    (
        'scheme = "single"\nsingle_values = [1]',
        "keys.single_values must have two amounts, for a short and a long press, not [1]",
    ),
]

TIMES = ("stuck_s = 5\nundo_hold_s = 5", "keys.stuck_s is 5; it must be longer than the longest hold, 5 s")
"""What a key of the keypad is held to, too."""

KEYPAD = [
    ("enters = []", "[keypad] enters must list 1 to 3 keys, one for each lane, not 0"),
    (
        'enters = ["KEY_A", "KEY_B", "KEY_C", "KEY_D"]',
        "[keypad] enters must list 1 to 3 keys, one for each lane, not 4",
    ),
    ('enters = ["KEY_KPENTR"]', "unknown keypad key 'KEY_KPENTR'; use a Linux key name such as KEY_KPENTER"),
    ('undo = "kpdot"', "unknown keypad key 'kpdot'; use a Linux key name such as KEY_KPENTER"),
    ('undo = ""', "unknown keypad key ''; use a Linux key name such as KEY_KPENTER"),
    ('undo = "KEY_KPENTER"', "keypad key KEY_KPENTER is both the ENTER of lane a and UNDO; change one of them"),
    ('deal = "KEY_KP7"', "keypad key KEY_KP7 is both the digit 7 and DEAL; change one of them"),
]

OLED = [
    ('chip = "ssd1305"', "unknown OLED chip 'ssd1305'; use ssd1306, ssd1309, sh1106, ssd1327, ssd1351"),
    ('wire = "usb"', "ssd1306 cannot be connected over 'usb'; set oled.wire to i2c, spi"),
    ('chip = "ssd1351"', "ssd1351 cannot be connected over 'i2c'; set oled.wire to spi"),
    ('size = "64x48"', "ssd1306 does not come in 64x48 pixels; use 128x64, 128x32"),
    (
        'chip = "ssd1327"\nsize = "128x32"',
        "ssd1327 does not come in 128x32 pixels; use 128x64, 128x128",
    ),
    ('layout = "circle"', "unknown OLED layout 'circle'; use streets, classic, far"),
    ("rotate = 1", "the OLED cannot be rotated by 1 quarter turns; use 0 or 2"),
    ("rotate = -2", "the OLED cannot be rotated by -2 quarter turns; use 0 or 2"),
    (
        'wire = "spi"\ndc_pin = 17',
        (
            "the OLED's RST line and the OLED's D/C line both use pin BCM 17; move one of them "
            "(oled.reset_pin, oled.dc_pin)"
        ),
    ),
    (
        'wire = "spi"\ndc_pin = 20',
        (
            "the OLED's D/C line and the OLED's data line both use pin BCM 20; move one of them "
            "(oled.dc_pin, oled.spi_bus)"
        ),
    ),
]

STRIP = [
    ('chip = "ws2811"', "unknown LED chip 'ws2811'; use one of ws2812, sk6812, sk6812w, apa102"),
    (
        'chip = "sk6812"',
        (
            "363 LEDs need an SPI transfer of 4481 bytes, but the limit is 4096, enough for 330 SK6812 LEDs; "
            "for a strip along two lanes, set strip.lanes = 2; otherwise add spidev.bufsiz=8192 to "
            "/boot/firmware/cmdline.txt and set strip.transfer = 8192"
        ),
    ),
    (
        'chip = "sk6812w"\nlanes = 3',
        (
            "363 LEDs need an SPI transfer of 5933 bytes, but the limit is 4096, enough for 248 SK6812 RGBW LEDs; "
            "add spidev.bufsiz=8192 to /boot/firmware/cmdline.txt and set strip.transfer = 8192"
        ),
    ),
    (
        "transfer = 512",
        (
            "363 LEDs need an SPI transfer of 3358 bytes, but the limit is 512, enough for 46 WS2812 LEDs; "
            "set strip.transfer = 4096"
        ),
    ),
    ("budget_ma = 300", "300 mA is too low for 363 LEDs; set strip.budget_ma to 342 or more"),
    ("brightness = 0", "the strip's brightness must be above 0 and at most 1, not 0"),
    ("night_brightness = 0", "the strip's night_brightness must be above 0 and at most 1, not 0"),
    (
        'night_from = "25:99"',
        "the strip's night_from must be a time of day such as 22:00, not '25:99'",
    ),
    (
        'night_from = "22:00"\nnight_until = "morning"',
        "the strip's night_until must be a time of day such as 22:00, not 'morning'",
    ),
    ('layout = "spiral"', "unknown strip layout 'spiral'; use one of lanes, zigzag, serpentine, classic"),
    ("games_won = { a = [12] }", "LED 12 is a hole of the track; strip.games_won takes LEDs from 364 on"),
]

NAMES = {"keys": "keys", "keypad": "keypad", "oled": "OLED", "strip": "LED strip"}
"""What each is called on the pages, by its section."""

EVERYTHING = {"keys": "", "keypad": "enabled = true", "oled": "", "strip": ""}
"""What is on the table, by section, if nothing is wrong."""


def rounds():
    """The settings of one table after the other, each with a fault for most devices, and what these are to say."""
    for number, (keypad, oled, strip) in enumerate(zip_longest(KEYPAD, OLED, STRIP)):
        yield f"displays-{number}", faulty(keypad=keypad, oled=oled, strip=strip)
    for number, keys in enumerate(KEYS):
        yield f"keys-{number}", faulty(keys=keys)
    text, sentence = TIMES
    yield "times", (f"[keys]\n{text}\n[keypad]\nenabled = true\n", {"keys": sentence, "keypad": sentence})


def faulty(**faults):
    sections = EVERYTHING | {
        name: f"{EVERYTHING[name]}\n{fault[0]}".strip() for name, fault in faults.items() if fault is not None
    }
    said = {NAMES[name]: fault[1] for name, fault in faults.items() if fault is not None}
    return "".join(f"[{name}]\n{text}\n" for name, text in sections.items()), said


CLASHES = [
    (
        '[keys]\nundo_pin = 16\n[oled]\nwire = "spi"',
        {
            "OLED": "the OLED's D/C line and the key undo both use pin BCM 16, and the key keeps it; move one of "
            "them (oled.dc_pin, keys.undo_pin)"
        },
    ),
    (
        "[keys]\nundo_pin = 2",
        {
            "OLED": "the OLED's data line and the key undo both use pin BCM 2, and the key keeps it; move one of "
            "them (oled.i2c_bus, keys.undo_pin)"
        },
    ),
    (
        "[keys]\ndeal_pin = 8\n[keys.pins]\na = [10, 5, 6]",
        {
            "LED strip": "the LED strip's data line and the key a1 both use pin BCM 10, and the key keeps it; move "
            "one of them (strip.spi_bus, keys.pins.a)"
        },
    ),
    (
        '[oled]\nwire = "spi"\nspi_bus = 0',
        {
            "LED strip": "the LED strip's data line and the OLED's data line both use pin BCM 10, and the OLED "
            "keeps it; move one of them (strip.spi_bus, oled.spi_bus)"
        },
    ),
    (
        '[keys]\nundo_pin = 17\n[oled]\nwire = "spi"\nspi_bus = 0',
        {
            "OLED": "the OLED's RST line and the key undo both use pin BCM 17, and the key keeps it; move one of "
            "them (oled.reset_pin, keys.undo_pin)"
        },
    ),
]


def tables():
    yield from rounds()
    for number, clash in enumerate(CLASHES):
        yield f"clash-{number}", clash


TABLES = [pytest.param(table, id=name) for name, table in tables()]


@pytest.fixture(params=TABLES)
def table(request, tmp_path):
    """A settings file, and what each of its devices is to say."""
    text, said = request.param
    (tmp_path / "pegboard.toml").write_text(text)
    return tmp_path / "pegboard.toml", said


def without_place(trouble, path):
    """What a device says after the place of a setting that stands in the file, and that it speaks of."""
    place, sentence = re.fullmatch(rf"{re.escape(str(path))}, line (\d+): (.*)", trouble).groups()
    line = path.read_text("utf-8").splitlines()[int(place) - 1]
    assert "=" in line
    assert not line.startswith("enabled")
    return sentence


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("table", some_in(TABLES), indirect=True)
def test_device_that_cannot_work_says_what_to_set_and_the_others_play(table, tmp_path):
    path, said = table
    with Service(tmp_path / "state", "--config", str(path)) as service:
        client = service.client()
        told = {device["name"]: device["trouble"] for device in client.ask("GET", "/api/v1/health")[1]["devices"]}
        assert {name: without_place(trouble, path) for name, trouble in told.items() if trouble} == said
        assert client.score(0, 4)[0] == 201
        status, bench = client.ask("GET", "/api/v1/bench")
        assert status == 200
        troubles = {device["name"]: device["trouble"] for device in bench["devices"] if device["trouble"]}
        assert {name: without_place(trouble, path) for name, trouble in troubles.items()} == said
        if "keys" not in said:
            client.press("b5")
            client.press("a1")  # which pegs the other's
            soon(lambda: client.state()["lanes"][1]["front"] == 5)
        if "keypad" in told.keys() - said.keys():
            client.press("7")
            client.press("enter b")
            soon(lambda: client.state()["lanes"][1]["front"] in {7, 12})
        for name, sentence in said.items():
            assert any(name in line and sentence in line for line in service.said), "".join(service.said)


def test_self_test_says_the_same(table, tmp_path):
    path, said = table
    ended = CliRunner().invoke(main, ["selftest", "--mock", "--state", str(tmp_path), "--config", str(path)])
    assert ended.exit_code == 1
    failures = [line for line in ended.output.splitlines() if line.startswith("FAIL")]
    for sentence in said.values():
        assert any(sentence in line for line in failures), ended.output


def test_settings_are_printed_all_the_same(table):
    path, _ = table
    ended = CliRunner().invoke(main, ["config", "--config", str(path)])
    assert ended.exit_code == 0
    assert re.search(r"^\[strip\]$", ended.output, re.MULTILINE)


UNFIT = """[keys]
hold_s = "long"
[oled]
contrast = 999
[strip]
enabled = true
brightness = 3
[keypad]
enabled = "yes"
"""


def test_value_of_a_wrong_kind_or_range_costs_its_device_alone_too(tmp_path):
    path = tmp_path / "pegboard.toml"
    path.write_text(UNFIT)
    said = {
        "keys": f"{path}, line 2: the setting keys.hold_s must be a number, not 'long'",
        "OLED": f"{path}, line 4: the setting oled.contrast must be a whole number from 0 to 255, not 999",
        "LED strip": f"{path}, line 7: the setting strip.brightness must be a number from 0.0 to 1.0, not 3",
        "keypad": f"{path}, line 9: the setting keypad.enabled must be true or false, not 'yes'",
    }
    with Service(tmp_path / "state", "--config", str(path)) as service:
        client = service.client()
        told = {device["name"]: device["trouble"] for device in client.ask("GET", "/api/v1/health")[1]["devices"]}
        assert told == said
        assert client.score(0, 4)[0] == 201
        assert client.ask("GET", "/api/v1/bench")[0] == 200


def test_value_of_a_device_that_is_switched_off_is_nobodys_trouble(tmp_path):
    path = tmp_path / "pegboard.toml"
    path.write_text("[strip]\nenabled = false\nbrightness = 3\n")
    with Service(tmp_path / "state", "--config", str(path)) as service:
        devices = service.client().ask("GET", "/api/v1/health")[1]["devices"]
    assert all(device["trouble"] is None for device in devices)


@pytest.mark.parametrize(("command", "status"), [("selftest", 1), ("config", 2)])
def test_value_of_a_device_that_cannot_be_taken_is_said_by_the_other_commands(tmp_path, command, status):
    path = tmp_path / "pegboard.toml"
    path.write_text("[strip]\nbrightness = 3\n")
    more = ["--mock", "--state", str(tmp_path)] if command == "selftest" else []
    ran = CliRunner().invoke(main, [command, "--config", str(path), *more])
    assert ran.exit_code == status
    assert "line 2: the setting strip.brightness must be a number from 0.0 to 1.0, not 3" in ran.output
