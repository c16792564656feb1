"""The wave on the strip's data line, decoded by sigrok, whose decoder of WS281x nobody here wrote.

It takes a pulse for a 1 that is high for more than half of its time, so it does not fit an SK6812, whose 1 is high for
half of it.
"""

import re
import shutil
import subprocess

import pytest

from tests.support.led_strip import make_strip
from tests.support.views import table

SAMPLES = 10
"""Samples of the logic analyser for each bit of the SPI bus."""


def wave(data, idle=0):
    """What a logic analyser sees on MOSI, a byte a sample: the bytes, most significant bit first, then rest."""
    bits = "".join(f"{byte:08b}" for byte in data)
    return bytes([idle] * 100) + bytes(int(bit) for bit in bits for _ in range(SAMPLES)) + bytes(SAMPLES * 200)


def colors(path, hz):
    """The colors that sigrok finds in a recording."""
    tool = shutil.which("sigrok-cli")
    assert tool, "sigrok-cli is missing: tests/debian-packages installs it"
    words = [tool, "-I", f"binary:numchannels=1:samplerate={hz * SAMPLES}", "-i", str(path)]
    words += ["-P", "rgb_led_ws281x:din=0", "-A", "rgb_led_ws281x=rgb"]
    printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return [bytes.fromhex(found) for found in re.findall(r"#([0-9a-f]{6})", printed)]


@pytest.mark.sampled
@pytest.mark.debian
@pytest.mark.parametrize(
    "view",
    [
        table((0, 0), (0, 0)),
        table((87, 75), (64, 58)),
        table((121, 116), (89, 81), winner=0),
        table((103, 97), (88, 80), (41, 40), variant="three-handed"),
    ],
)
def test_sigrok_reads_the_colors_that_were_meant(tmp_path, view):
    strip, buses, _ = make_strip("ws2812", brightness=1.0, budget_ma=100_000, transfer=8192)
    strip.show(view)
    data, hz = buses.last
    (tmp_path / "wave").write_bytes(wave(data))
    found = colors(tmp_path / "wave", hz)
    meant = [bytes(color) for color in buses.led_chain.colors()]
    assert len(found) == len(meant) >= 242
    assert found == meant
    assert len(set(found)) > 1
