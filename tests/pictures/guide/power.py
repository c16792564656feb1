"""The guide's tables of currents, supplies, fuses, wires and battery hours: `python -m tests.pictures.guide.power`.

What LEDs draw is the current limit's own figure; what a Pi draws, and the supply it wants, is Raspberry Pi's
documentation ("typical bare-board active current").
"""

import math

from hardware.strip.chips import CHIPS, current
from hardware.strip.layouts import layout
from tests.pictures.strip import TWO
from tests.support.led_strip import make_strip

PIS = {"Zero 2 W": (350, 2.0), "3B": (400, 2.5), "3B+": (500, 2.5), "4B": (600, 3.0), "5": (800, 5.0)}
"""Milliamperes that each model draws, and amperes of the supply that it wants."""

PANEL_MA = 30
"""A small panel with half of its dots lit, rounded up; measured figures in data sheets are 20 to 25."""

BUDGETS_MA = (1000, 2000, 3000)
DENSITIES = (30, 60, 144)
"""LEDs a metre."""

SUPPLIES_A = (2, 3, 4, 5, 6, 8, 10)
FUSES_A = (1, 2, 3.15, 5, 6.3, 8)
"""What is sold."""

SPARE, STRONGER = 1.5, 1.2
"""A fuse holds so much more than the budget, and a supply that limits itself gives so much more than the fuse holds."""

BLOWS = 2
"""Times its rating at which a slow fuse opens, and that only after minutes (IEC 60127-2: 2.1 times)."""

COPPER = 0.0172
"""Ohms of a metre of copper of one square millimetre."""

MILS_AN_AMPERE = 700
"""Circular mils of copper for each ampere of a wire in a bundle: a cautious rule of wire tables."""

MOST_DROP = 0.5
"""Volts that the strip may lose: the first LED then has 5, the worst 4.5."""

RAIL_OHM = 0.1
"""Ohms a metre of each of a strip's two rails: copper 2.5 mm wide and 70 um thick."""

BANK_MAH = 10_000

BATTERY_V, CONVERTER = 3.7, 0.85
"""Volts at which a power bank's milliampere-hours are counted, and what is left after it has made 5 V of them."""


def leds(lanes):
    return layout("serpentine", lanes).leds


def strip_ma(lanes):
    """Milliamperes of a WS2812 strip: dark, in the game of the picture at the usual brightness, and all white."""
    draw = CHIPS["ws2812"].draw
    strip, buses, _ = make_strip()
    strip.show(TWO)
    dark = current(bytes(3 * leds(lanes)), draw)
    lit = sum(map(sum, buses.led_chain.colors())) / 255 * draw.full
    return dark, dark + lit, current(b"\xff" * 3 * leds(lanes), draw)


def diameter_mm(gauge):
    """Of a wire by its American gauge (AWG)."""
    return 0.127 * 92 ** ((36 - gauge) / 39)


def square_mm(gauge):
    return math.pi / 4 * diameter_mm(gauge) ** 2


def carries_a(gauge):
    """Amperes that a wire carries in a bundle."""
    mils = diameter_mm(gauge) / 0.0254
    return mils**2 / MILS_AN_AMPERE


def wire_drop(gauge, amperes):
    """Volts lost along a metre of cable, there and back."""
    return 2 * COPPER / square_mm(gauge) * amperes


def supply_for(budget_ma, *, limits_itself=True):
    times = STRONGER if limits_itself else BLOWS
    return next(size for size in SUPPLIES_A if size >= times * fuse_for(budget_ma))


def fuse_for(budget_ma):
    return next(size for size in FUSES_A if size >= SPARE * budget_ma / 1000)


def gauge_for(fuse):
    """The thinnest even gauge that carries what the fuse lets through."""
    return max(gauge for gauge in range(10, 28, 2) if carries_a(gauge) >= fuse)


def strip_drop(length_m, budget_ma, feeds):
    """Volts lost where it is worst: the whole budget drawn at one spot, half way between two feeds."""
    amperes = budget_ma / 1000
    if feeds == 1:
        return 2 * RAIL_OHM * length_m * amperes
    return RAIL_OHM * length_m / (feeds - 1) * amperes / 2


def feeds_for(density, budget_ma, lanes=2):
    length = leds(lanes) / density
    return next(feeds for feeds in range(1, 20) if strip_drop(length, budget_ma, feeds) <= MOST_DROP)


def hours(bank_mah, milliamperes):
    """What a power bank gives."""
    return bank_mah * BATTERY_V * CONVERTER / (5 * milliamperes)


def table(*rows):
    """A table in Markdown; its first row is the heading."""
    head, *others = (f"| {' | '.join(map(str, row))} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *others])


def currents():
    rows = [(f"{leds(lanes)} LEDs ({lanes} lanes)", *strip_ma(lanes)) for lanes in (2, 3)]
    return table(
        ("WS2812 strip", "dark", "in a game", "all white, unlimited"),
        *(
            (name, f"{dark / 1000:.2f} A", f"{game / 1000:.2f} A", f"{white / 1000:.1f} A")
            for name, dark, game, white in rows
        ),
    )


def supplies():
    rows = []
    for name, (draws, wants) in PIS.items():
        together = draws + PANEL_MA
        sums = [f"{(together + more) / 1000:.2f} A" for more in (BUDGETS_MA[0], strip_ma(2)[2])]
        rows.append((f"Pi {name}", f"{draws / 1000:.2f} A", f"{together / 1000:.2f} A", *sums, f"{wants:g} A"))
    head = ("model", "alone", "with panel", "and strip at 1 A", "and strip all white", "the Pi's supply")
    return table(head, *rows)


def wires():
    rows = []
    for budget in BUDGETS_MA:
        fuse = fuse_for(budget)
        gauge = gauge_for(fuse)
        wire = f"{square_mm(gauge):.2f} mm² (AWG {gauge})"
        carried = f"{carries_a(gauge):.1f} A"
        lost = f"{wire_drop(gauge, budget / 1000):.2f} V"
        feeds = [", ".join(str(feeds_for(density, budget, lanes)) for density in DENSITIES) for lanes in (2, 3)]
        sizes = [f"{supply_for(budget, limits_itself=itself)} A" for itself in (True, False)]
        rows.append((f"{budget:,} mA", *sizes, f"{fuse:g} A", wire, carried, lost, *feeds))
    head = ("`budget_ma`", "5 V supply with protection", "supply without protection", "fuse", "wire", "wire carries")
    feeds = [f"feeds with {lanes} lanes, at 30, 60, 144 per meter" for lanes in ("two", "three")]
    return table((*head, "wire loses per meter", *feeds), *rows)


def batteries():
    game = strip_ma(2)[1]
    rows = []
    for name, (draws, _) in PIS.items():
        loads = (draws + PANEL_MA, draws + PANEL_MA + game, draws + PANEL_MA + BUDGETS_MA[0])
        rows.append((f"Pi {name}", *(f"{hours(BANK_MAH, load):.1f} h" for load in loads)))
    return table(("model, bank of 10,000 mAh", "panel", "panel, strip in a game", "panel, strip at 1 A"), *rows)


def buying():
    rows = []
    for lanes in (2, 3):
        bare, start, shared = (
            layout("serpentine", lanes, start_holes=holes, shared_game_hole=one).leds
            for holes, one in ((False, False), (True, False), (False, True))
        )
        metres = (f"{bare / density:.2f} m" for density in DENSITIES)
        rows.append((f"{lanes} lanes", bare, start, shared, *metres))
    head = (
        "board",
        "LEDs",
        "with start holes",
        "with one game hole",
        *(f"at {density} per meter" for density in DENSITIES),
    )
    return table(head, *rows)


TABLES = {"buying": buying, "currents": currents, "supplies": supplies, "wires": wires, "batteries": batteries}
"""What stands in docs/build.md."""


if __name__ == "__main__":
    print("\n\n".join(make() for make in TABLES.values()))
