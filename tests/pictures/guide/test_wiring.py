"""The guide's drawings are what their makers draw now, and connect what the pin table connects.

The wires are followed in the file itself: two are joined where an end of one lies on the other, or a dot on both; a
wire that only crosses another is not.
"""

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import pytest
from gpiozero.pins.pi import PiBoardInfo
from PIL import ImageFont

from hardware.pin_assignment import wired_keys
from pegboard.config import Settings
from tests.pictures.guide.connections import i2c_panel, keys, spi_panel, strip, tables
from tests.pictures.guide.make import DOCS, files

SVG = "{http://www.w3.org/2000/svg}"
PI_4B = 0xC03111
DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
DRAWN = sorted(path for path in files() if path.endswith(".svg"))


@pytest.mark.parametrize("path", files())
def test_a_file_of_the_guide_is_what_is_drawn_now(path):
    assert (DOCS / path).read_bytes() == files()[path], "make pictures draws it anew"


@pytest.mark.parametrize("name", tables())
def test_the_guide_has_each_table_of_connections(name):
    guide = (DOCS / "build.md").read_text("utf-8")
    assert tables()[name] in guide, f"put this table into docs/build.md:\n{tables()[name]}"


def test_no_pin_of_the_header_has_two_wires():
    """Keys and strip with a panel on I2C, and with one on SPI."""
    for panel in (i2c_panel(Settings()), spi_panel(Settings())):
        places = [one.place for one in (*keys(Settings()), *panel, *strip(Settings()))] + [39, 34]
        assert len(places) == len(set(places))


LEGS = ["1OE", "1A", "1Y", "2OE", "2A", "2Y", "GND", "3Y", "3A", "3OE", "4Y", "4A", "4OE", "VCC"]
"""Of the 74AHCT125, 1 to 14, after its data sheet."""


def test_the_guide_says_of_each_leg_of_the_level_shifter_where_it_goes():
    section = (DOCS / "build.md").read_text("utf-8").split("\n## 6. ")[1].split("\n## ")[0]
    goes = {}
    for row in re.findall(r"^\| (.+?) \| (.+?) \|", section, re.MULTILINE):
        for at, cell in enumerate(row):
            if found := re.search(r"^legs? ([\d, ]+) \(([^)]+)\)", cell):
                legs = [int(leg) for leg in found[1].split(", ")]
                assert [LEGS[leg - 1] for leg in legs] == found[2].split(", ")
                goes |= dict.fromkeys(legs, row[1 - at])
    ground, nothing = {1, 4, 5, 7, 9, 10, 12, 13}, {6, 8, 11}
    assert {leg for leg, end in goes.items() if end == "ground"} == ground
    assert {leg for leg, end in goes.items() if end == "nothing"} == nothing
    assert goes[2] == f"the Pi's pin {place_of(10)} (GPIO 10)"
    assert goes[3].startswith("330 Ω, then DIN")
    assert goes[14].startswith("5 V")
    assert set(goes) == set(range(1, 15))


@pytest.mark.parametrize("path", DRAWN)
def test_every_colour_is_written_out_for_viewers_that_know_no_variables(path):
    """Without them all but a browser shows black on black."""
    style = (DOCS / path).read_text("utf-8").split("<style>")[1].split("</style>")[0]
    assert "var(" not in style
    light = style.split("@media")[0]
    assert {rule for rule in (".page", ".part", ".wire.w0", ".dot.w0") if f"{rule}{{" not in light} == set()


class Drawn:
    """What is to be seen on a drawing."""

    def __init__(self, name):
        root = ET.parse(DOCS / "pictures" / f"{name}.svg").getroot()
        self.texts = [
            (float(t.get("x")), float(t.get("y")), t.text, t.get("class") or "") for t in root.iter(f"{SVG}text")
        ]
        boxes = [
            (b.get("class"), [float(b.get(side)) for side in ("x", "y", "width", "height")])
            for b in root.iter(f"{SVG}rect")
        ]
        self.boxes = [(x, y, x + w, y + h) for kind, (x, y, w, h) in boxes if kind in ("part", "solid")]
        self.wires = [
            [tuple(map(float, point.split())) for point in path.get("d")[1:].split(" L")]
            for path in root.iter(f"{SVG}path")
            if path.get("class").startswith("wire")
        ]
        self.dots = [
            (float(c.get("cx")), float(c.get("cy")))
            for c in root.iter(f"{SVG}circle")
            if c.get("class").startswith("dot")
        ]
        numbers = {(x, y - 3.6): int(t) for x, y, t, kind in self.texts if kind.startswith(("onpin", "onfree"))}
        self.pins = {
            place: (float(c.get("cx")), float(c.get("cy")), "used" in c.get("class"))
            for c in root.iter(f"{SVG}circle")
            if c.get("class").startswith("pin")
            for (x, y), place in numbers.items()
            if abs(x - float(c.get("cx"))) < 0.1 and abs(y - float(c.get("cy"))) < 0.1
        }

    def terminal(self, x, y):
        """The name of what lies there: a pin, or the words nearest to it in a box, or else beside one."""
        for place, (px, py, _) in self.pins.items():
            if abs(px - x) < 0.1 and abs(py - y) < 0.1:
                return f"pin {place}"
        for box in self.boxes:
            if box[0] - 1 <= x <= box[2] + 1 and box[1] - 1 <= y <= box[3] + 1:
                words = [one for one in self.texts if "small" not in one[3]]
                inside = [one for one in words if box[0] <= one[0] <= box[2] and box[1] <= one[1] <= box[3]]
                return min(inside or words, key=lambda one: abs(one[1] - 4 - y) + abs(one[0] - x) / 10)[2]
        return None

    def nets(self):
        """What is joined by wires, as sets of names."""
        groups = [{n} for n in range(len(self.wires))]
        for one, other in combinations(range(len(self.wires)), 2):
            ends = [(self.wires[a][at], self.wires[b]) for a, b in ((one, other), (other, one)) for at in (0, -1)]
            dots = (lies_on(dot, self.wires[one]) and lies_on(dot, self.wires[other]) for dot in self.dots)
            if any(lies_on(point, wire) for point, wire in ends) or any(dots):
                first, second = (next(group for group in groups if n in group) for n in (one, other))
                if first is not second:
                    groups.remove(second)
                    first |= second
        names = [{self.terminal(*self.wires[n][at]) for n in group for at in (0, -1)} - {None} for group in groups]
        return sorted(names, key=sorted)


def lies_on(point, wire):
    """Whether a point lies on a wire, whose parts run across or down."""
    x, y = point
    return any(
        min(a, c) - 0.1 <= x <= max(a, c) + 0.1 and min(b, d) - 0.1 <= y <= max(b, d) + 0.1
        for (a, b), (c, d) in pairwise(wire)
    )


def place_of(gpio):
    """Where gpiozero says that a Pi 4 has the pin."""
    header = PiBoardInfo.from_revision(PI_4B).headers["J8"]
    return next(pin.number for pin in header.pins.values() if pin.name == f"GPIO{gpio}")


def grounds():
    pins = PiBoardInfo.from_revision(PI_4B).headers["J8"].pins
    return {number for number, pin in pins.items() if pin.name == "GND"}


def sets(*names):
    return sorted(map(set, names), key=sorted)


def test_each_key_lies_between_its_pin_and_ground():
    drawn = Drawn("wiring_keys")
    names = {
        key: f"{key.name[0].upper()} +{key.points}" if key.points else key.name.upper()
        for key in wired_keys(Settings())
    }
    places = {name: place_of(key.pin) for key, name in names.items()}
    signal = [{f"pin {place}", name} for name, place in places.items()]
    ground = [
        {name for name, place in places.items() if place % 2 == side} | {pin}
        for side, pin in ((1, "pin 39"), (0, "pin 34"))
    ]
    assert drawn.nets() == sets(*signal, *ground)
    assert {39, 34} <= grounds()


def test_a_panel_on_i2c_has_supply_data_clock_and_ground():
    pins = [{f"pin {place_of(2)}", "SDA"}, {f"pin {place_of(3)}", "SCL"}]
    assert Drawn("wiring_panel_i2c").nets() == sets({"pin 1", "VCC"}, *pins, {"pin 9", "GND"})
    assert 9 in grounds()


def test_a_panel_on_spi_hangs_on_the_second_bus():
    own = Settings().oled
    lines = {"CS": 18, "D1": 20, "D0": 21, "DC": own.dc_pin, "RES": own.reset_pin}
    pins = [{f"pin {place_of(pin)}", name} for name, pin in lines.items()]
    assert Drawn("wiring_panel_spi").nets() == sets({"pin 17", "VCC"}, *pins, {"pin 14", "GND"})
    assert 14 in grounds()


def test_the_strip_has_its_level_shifter_with_every_input_tied():
    """The legs are those of the 74AHCT125's data sheet."""
    tied = {"1 1OE", "4 2OE", "5 2A", "7 GND", "3A 9", "3OE 10", "4A 12", "4OE 13"}
    ground = tied | {"5 V supply", "1000 µF", "100 nF", "pin 20", "GND"}
    supply = {"fuse", "1000 µF", "100 nF", "VCC 14", "5 V"}
    data = [{f"pin {place_of(10)}", "2 1A"}, {"3 1Y", "330 Ω, close"}, {"330 Ω, close", "DIN"}]
    assert Drawn("wiring_strip").nets() == sets(ground, {"5 V supply", "fuse"}, supply, *data)
    assert 20 in grounds()


def test_power_goes_in_at_both_ends_and_in_the_middle():
    drawn = Drawn("wiring_power")
    fed = sorted({round(y / 36) for wire in drawn.wires for x, y in (wire[-1],) if x == 92 and wire[0][0] in (24, 44)})
    assert [at - fed[0] for at in fed] == [0, 3, 7]


@pytest.mark.parametrize("name", ["wiring_keys", "wiring_panel_i2c", "wiring_panel_spi", "wiring_strip"])
def test_exactly_the_pins_with_a_wire_are_lit(name):
    drawn = Drawn(name)
    wired = {int(end[4:]) for net in drawn.nets() for end in net if end.startswith("pin ")}
    assert wired == {place for place, (_, _, used) in drawn.pins.items() if used}


@pytest.mark.parametrize("name", ["wiring_keys", "wiring_panel_i2c", "wiring_panel_spi", "wiring_strip"])
def test_the_number_beside_a_wire_is_that_of_its_pin(name):
    drawn = Drawn(name)
    for x, y, words, _ in drawn.texts:
        if found := re.search(r"GPIO (\d+)", words):
            left = x - 20 if name == "wiring_panel_spi" else x
            near = min(
                drawn.wires,
                key=lambda wire: min(distance(left, y - 2, *part) for part in pairwise(wire)),
            )
            assert {drawn.terminal(*near[at]) for at in (0, -1)} & {f"pin {place_of(int(found[1]))}"}, words


def distance(x, y, one, other):
    """From a point to a part of a wire."""
    (a, b), (c, d) = sorted((one, other))
    return abs(x - min(max(x, a), c)) + abs(y - min(max(y, min(b, d)), max(b, d)))


@pytest.mark.debian
@pytest.mark.parametrize("path", DRAWN)
def test_no_word_runs_over_another_or_off_the_drawing(path):
    """Set in DejaVu Sans, the widest of the fonts that it may be shown in."""
    root = ET.parse(DOCS / path).getroot()
    sizes = {"small": 11, "onpin": 10, "onfree": 10, "onwood": 11, "screen": 28}
    places = []
    for text in root.iter(f"{SVG}text"):
        kinds = (text.get("class") or "").split()
        size = next((sizes[kind] for kind in kinds if kind in sizes), 12)
        width = ImageFont.truetype(DEJAVU, size).getlength(text.text) * (1.06 if "strong" in kinds else 1)
        x, y = float(text.get("x")), float(text.get("y"))
        left = x - width * {"middle": 0.5, "end": 1}.get(kinds[-1] if kinds else "", 0)
        places.append((left, y - 0.75 * size, left + width, y + 0.2 * size, text.text))
    assert [one for one in places if one[0] < 4 or one[2] > 396] == []
    over = [
        (a[4], b[4]) for a, b in combinations(places, 2) if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    assert over == []
