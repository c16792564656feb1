"""The panel: bytes on the wire for each move of a peg and what it takes to find them, beside luma's own way."""

import itertools
import time
import warnings

import luma.oled.device

from hardware.oled.drawing.draw import draw
from hardware.oled.panel import ROWS, changes, pack
from pegboard.config import OledSettings
from tests.hardware.oled.every_frame import PAGED, switched_on
from tests.support.panel_bytes_of_peg_moves import EVERY, budget, called, peg_moves
from tests.support.views_of_dealt_games import views_of

GAMES, FEW = 20, 8


class Counter:
    """A line for luma that counts its bytes, each command and each picture with a control byte."""

    def __init__(self):
        self.bytes = 0

    def command(self, *command):
        self.bytes += 1 + len(command)

    def data(self, data):
        self.bytes += 1 + len(data)


def oled(budgets, _folder):
    """Every move of a peg: bytes in every layout, packing with finding what has changed, and drawing."""
    games = budgets.samples(GAMES, quick=FEW)
    moves = [
        (draw(before), draw(after))
        for number in range(games)
        for before, after in itertools.pairwise(views_of(number))
        if before.game.lanes != after.game.lanes
    ]
    for chip, wire in PAGED:
        counts = sorted(bytes_of(OledSettings(chip=chip, wire=wire), moves))
        budgets.add(f"bytes of a peg move, {chip} on {wire}", counts, 80, "B", of="median")
        budgets.add("  their p95", [counts[int(len(counts) * 0.95)]], 130, "B")
    for look, variant in EVERY:
        layouts(budgets, look, variant, games)
    lumas = lumas_own(moves[: len(moves) // 4])
    budgets.add("  luma's own, ssd1306", [count for count, _ in lumas], None, "B")
    budgets.add("packing + diff of a peg move", [found(*move) for move in moves], 60, "us", of="median")
    budgets.add("  luma's own packing", [took for _, took in lumas], None, "us")


def layouts(budgets, look, variant, games):
    """Bytes of a peg move on an ssd1306 on I2C, 205 of which take 4.6 ms at 400 kHz, and the time to draw it."""
    pairs = list(peg_moves(variant, range(games)))
    moves = [tuple(draw(view, look) for view in pair) for pair in pairs]
    counts = sorted(bytes_of(OledSettings(size=f"{look.size[0]}x{look.size[1]}"), moves))
    median, p95 = budget(look, variant)
    budgets.add(f"bytes of a peg move, {called(look, variant)}", counts, median, "B", of="median")
    budgets.add("  their p95", [counts[int(len(counts) * 0.95)]], p95, "B")
    budgets.add("  drawing it", [timed(draw, after, look) for _, after in pairs], 400, "us", of="median")


def bytes_of(own, moves):
    """Bytes on the wire for each move, commands and control bytes included."""
    glass, buses = switched_on(own)
    for before, after in moves:
        glass.show(before)
        sent = buses.bytes
        glass.show(after)
        yield buses.bytes - sent


def found(before, after):
    """Microseconds to pack a picture and to find what has changed since the one before."""
    old = pack(before)
    return timed(lambda: changes(old, pack(after), after.height // ROWS))


def lumas_own(moves):
    """Bytes and microseconds of luma's way, over a line that does nothing."""
    warnings.simplefilter("ignore", DeprecationWarning)
    line = Counter()
    device = luma.oled.device.ssd1306(line)
    device.persist = True
    device.cleanup = lambda: None
    told = []
    for _, after in moves:
        sent = line.bytes
        took = timed(device.display, after)
        told.append((line.bytes - sent, took))
    return told


def timed(act, *what):
    """Microseconds of this one call."""
    begun = time.perf_counter_ns()
    act(*what)
    return (time.perf_counter_ns() - begun) / 1e3
