"""The strip: encoding 363 LEDs for each chip beside a plain encoder, and a whole picture from the view to its bytes.

luma has no way to a strip over spidev, so the encoder to compare with is written out here, a bit after the other.
"""

import random
import timeit

from hardware.strip.chips import CHIPS, arrange_channels, light, limit_current
from hardware.strip.layouts import layout
from hardware.strip.strip_picture import celebration_colors, colors
from tests.support.views import table

LEDS = 363
BUDGET_MA = 1000

RUNNING = table((87, 75), (64, 58), (41, 40), variant="three-handed", dialled=(0, 0, 12))
WON = table((121, 116), (60, 52), (88, 64), variant="three-handed", winner=0, skunks=(0, 2, 1))


def strip(budgets, _folder):
    """For each chip: encode, and everything between a list of colours and the bytes; then colours from a view."""
    dice, rounds = random.Random(29), budgets.samples(200, quick=20)
    rgb = dice.randbytes(3 * LEDS)
    shown = celebration_colors(WON, layout("serpentine", 3), 1.0)
    for name, chip in CHIPS.items():
        values = arrange_channels(rgb, chip.order)
        assert plain(name, values) == chip.encoding.encode(values), "the plain encoder says the same"
        encoded = timed(lambda c=chip, v=values: c.encoding.encode(v), rounds)
        budgets.add(f"encode {LEDS} {chip.label}", encoded, 150, "us")
        budgets.add("  plainly, bit after bit", timed(lambda n=name, v=values: plain(n, v), rounds // 10), None, "us")
        budgets.add("  with gamma, channels and current", timed(lambda c=chip: whole(c, shown), rounds), None, "us")
    places = layout("serpentine", 3)
    budgets.add("colours of a view, 3 lanes", timed(lambda: colors(RUNNING, places), rounds), None, "us")
    won = timed(lambda: celebration_colors(WON, places, 1.0), rounds)
    budgets.add("colours of a win chase, 3 lanes", won, None, "us")


def whole(chip, shown):
    """Everything that is done to a list of colours."""
    values = arrange_channels(b"".join([light(colour, 0.5) for colour in shown]), chip.order)
    return chip.encoding.encode(limit_current(values, chip.draw, BUDGET_MA))


def plain(name, values):
    """What a first attempt would look like."""
    if name == "apa102":
        frames = b"".join(bytes([0xFF, *values[n : n + 3]]) for n in range(0, len(values), 3))
        return bytes(4) + frames + bytes(4 + -(-len(frames) // 4 // 16))
    zero, one, latch = ("100", "110", 90) if name == "ws2812" else ("1000", "1100", 124)
    spelt = "".join(one if value >> bit & 1 else zero for value in values for bit in range(7, -1, -1))
    return b"\0" + bytes(int(spelt[n : n + 8], 2) for n in range(0, len(spelt), 8)) + bytes(latch)


def timed(act, rounds, number=5):
    """Microseconds of one call, once a round."""
    return [seconds / number * 1e6 for seconds in timeit.repeat(act, number=number, repeat=rounds)]
