"""The lanes' colors: seen on wood and paper, read with text on them, and told apart with any color vision."""

import itertools
import re

import pytest

from hardware.strip.strip_picture import LANES as STRIP_LANES
from web.http.static_files import FOLDER

SHEET = (FOLDER / "pegboard.css").read_text("utf-8")
LANES = re.findall(r"\.l(\d) \{ --lane: (#\w+); --run: (#\w+); --on: (#\w+) \}", SHEET)
WOOD = re.search(r"--wood: (#\w+)", SHEET)[1]

VISION = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes (2009), severity 1, on linear red, green and blue."""

APART = 15
"""The least distance of two colors in CIELAB; 2.3 is just noticed."""


def linear(color):
    values = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]


def luminance(color):
    return sum(share * value for share, value in zip((0.2126, 0.7152, 0.0722), linear(color), strict=True))


def contrast(one, other):
    """By WCAG 2.2."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def lab(color, vision):
    seen = [min(1, max(0, sum(a * b for a, b in zip(row, linear(color), strict=True)))) for row in VISION[vision]]
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1, 1.089)
    scaled = [sum(a * b for a, b in zip(row, seen, strict=True)) / w for row, w in zip(to_xyz, white, strict=True)]
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_each_of_four_lanes_has_a_color():
    assert [number for number, *_ in LANES] == ["0", "1", "2", "3"]
    assert [tuple(bytes.fromhex(lane[1:])) for _, lane, _, _ in LANES[:3]] == list(STRIP_LANES)


@pytest.mark.parametrize(("number", "lane", "run", "on"), LANES)
def test_a_lane_is_seen_on_wood_and_text_is_read_on_it(number, lane, run, on):
    assert contrast(lane, WOOD) >= 3, number
    assert contrast(run, WOOD) >= 4.5, number
    assert contrast(on, lane) >= 4.5, number


@pytest.mark.parametrize("vision", VISION)
def test_lanes_are_told_apart_with_any_color_vision(vision):
    for (_, one, *_), (_, other, *_) in itertools.combinations(LANES, 2):
        distance = sum((a - b) ** 2 for a, b in zip(lab(one, vision), lab(other, vision), strict=True)) ** 0.5
        assert distance >= APART, (one, other, distance)
