"""Draws the guide's wiring of the LED strip: the level shifter with all that belongs to it, and where power goes in."""

from tests.pictures.guide import connections
from tests.pictures.guide.connections import CHIP, FREE, GATE_IN, GATE_OUT
from tests.pictures.guide.pi_header import DrawnHeader
from tests.pictures.guide.svg import Drawing

MINUS, PLUS = 20, 380
"""Where ground and 5 V run down the drawing."""

CHIP_LEFT, CHIP_RIGHT, FIRST_LEG, LEGS = 148, 252, 312, 27
LEFT_TIE, RIGHT_TIE, DATA_IN, DATA_OUT = 126, 274, 60, 96
"""Columns of the wires beside the chip."""


def draw_strip(settings):
    """Supply, fuse, capacitors, the Pi, the level shifter and the strip's beginning."""
    drawing = Drawing("The LED strip", "Supply, fuse, level shifter, resistor, capacitors, and the strip", 690)
    draw_supply(drawing)
    draw_big_capacitor(drawing, 104)
    to_chip, ground = connections.strip(settings)
    header = DrawnHeader(187, 176, 27, range(9, 12))
    header.draw_body(drawing)
    x, y = header.at[ground.place]
    drawing.wire([(x, y), (x, y - 13.5), (MINUS, y - 13.5)], "ground")
    drawing.joint(MINUS, y - 13.5, "ground")
    drawing.text(92, y - 19, "ground", "small middle")
    data = header.at[to_chip.place]
    drawing.text(116, data[1] + 16, f"GPIO {to_chip.gpio}", "small middle")
    drawing.text(244, data[1] - 3, "the Pi's header,", "small")
    drawing.text(244, data[1] + 13, "pins 17 to 22", "small")
    draw_ties(drawing)
    legs = leg_places()
    drawing.wire([data, (DATA_IN, data[1]), (DATA_IN, legs[GATE_IN][1]), legs[GATE_IN]], "data", [crossing("1OE")])
    header.draw_pins(drawing, {ground.place, to_chip.place})
    draw_chip(drawing)
    draw_strip_begin(drawing, legs[GATE_OUT])
    return drawing


def leg_places():
    """Where a wire meets each leg: 1 to 7 down the left side, 8 to 14 up the right one."""
    down = [(CHIP_LEFT, FIRST_LEG + at * LEGS) for at in range(7)]
    up = [(CHIP_RIGHT, y) for _, y in reversed(down)]
    return dict(zip(CHIP, down + up, strict=True))


def crossing(leg):
    return (DATA_IN, leg_places()[leg][1], "down")


def draw_supply(drawing):
    drawing.box(112, 18, 268, 64, radius=10)
    drawing.text(190, 37, "5 V supply", "strong middle")
    drawing.text(190, 53, "of the strip's own", "small middle")
    drawing.text(100, 34, "\N{MINUS SIGN}", "strong middle")
    drawing.text(280, 34, "+", "strong middle")
    drawing.wire([(112, 41), (MINUS, 41), (MINUS, 636), (40, 636)], "ground")
    drawing.wire([(268, 41), (300, 41)], "5 V")
    drawing.wire([(356, 41), (PLUS, 41), (PLUS, 636), (360, 636)], "5 V")
    drawing.box(300, 31, 356, 51)
    drawing.text(328, 45.2, "fuse", "strong middle")


def draw_big_capacitor(drawing, y):
    drawing.wire([(MINUS, y), (160, y)], "ground")
    drawing.wire([(240, y), (PLUS, y)], "5 V")
    drawing.joint(MINUS, y, "ground")
    drawing.joint(PLUS, y, "5 V")
    drawing.box(160, y - 14, 240, y + 14, radius=4)
    drawing.box(160, y - 14, 168, y + 14, "solid", radius=2)
    drawing.text(204, y + 4.3, "1000 µF", "strong middle")
    drawing.text(152, y - 7, "its stripe", "small end")


def draw_ties(drawing):
    """Ground for every OE and every input that is not used; 5 V for the chip, and its own small capacitor."""
    legs, below = leg_places(), FIRST_LEG + 7 * LEGS
    drawing.wire([legs["1OE"], (MINUS, legs["1OE"][1])], "ground")
    drawing.joint(MINUS, legs["1OE"][1], "ground")
    drawing.wire([legs["GND"], (MINUS, legs["GND"][1])], "ground")
    drawing.joint(MINUS, legs["GND"][1], "ground")
    ties = ("2OE", "2A"), ("4OE", "4A", "3OE", "3A")
    for column, names in zip((LEFT_TIE, RIGHT_TIE), ties, strict=True):
        drawing.wire([(column, legs[names[0]][1]), (column, below)], "ground")
        for name in names:
            drawing.wire([legs[name], (column, legs[name][1])], "ground")
            drawing.joint(column, legs[name][1], "ground")
    drawing.wire([(LEFT_TIE, below), (RIGHT_TIE, below)], "ground")
    drawing.joint(LEFT_TIE, legs["GND"][1], "ground")
    x, y = 308, legs["VCC"][1]
    drawing.wire([legs["VCC"], (PLUS, y)], "5 V")
    drawing.joint(PLUS, y, "5 V")
    middle = (legs["4A"][1] + legs["4Y"][1]) / 2
    drawing.wire([(x, y), (x, y + 20)], "5 V")
    drawing.wire([(x, y + 26), (x, middle), (RIGHT_TIE, middle)], "ground")
    drawing.joint(x, y, "5 V")
    drawing.joint(RIGHT_TIE, middle, "ground")
    drawing.box(x - 12, y + 18, x + 12, y + 21, "solid", radius=0)
    drawing.box(x - 12, y + 25, x + 12, y + 28, "solid", radius=0)
    drawing.text(x + 16, y + 27, "100 nF")


def draw_chip(drawing):
    """The chip from above, its notch at the top; legs that stay free end in a cross."""
    bottom = FIRST_LEG + 6 * LEGS
    drawing.box(CHIP_LEFT, FIRST_LEG - 18, CHIP_RIGHT, bottom + 18, radius=4)
    middle = (CHIP_LEFT + CHIP_RIGHT) / 2
    drawing.line([(middle - 8, FIRST_LEG - 18), (middle, FIRST_LEG - 10), (middle + 8, FIRST_LEG - 18)])
    drawing.text(middle, FIRST_LEG - 42, "74AHCT125 from above,", "strong middle")
    drawing.text(middle, FIRST_LEG - 26, "its notch at the top", "small middle")
    for leg, (name, (x, y)) in enumerate(leg_places().items(), 1):
        left = x == CHIP_LEFT
        drawing.text(
            x + (6 if left else -6), y + 4, f"{leg} {name}" if left else f"{name} {leg}", "" if left else "end"
        )
        if name in FREE:
            out = x + (-9 if left else 9)
            drawing.line([(out - 4, y - 4), (out + 4, y + 4)])
            drawing.line([(out - 4, y + 4), (out + 4, y - 4)])
    drawing.text(290, FIRST_LEG + 4.9 * LEGS, "\N{MULTIPLICATION SIGN} stays free", "small")


def draw_strip_begin(drawing, leg):
    """The resistor at the data input, and the first LEDs; supply from both sides."""
    at_ground = (DATA_OUT, leg_places()["GND"][1], "down")
    drawing.wire([leg, (DATA_OUT, leg[1]), (DATA_OUT, 536)], "data", [at_ground])
    drawing.wire([(DATA_OUT, 584), (DATA_OUT, 612)], "data")
    drawing.box(DATA_OUT - 14, 536, DATA_OUT + 14, 584, radius=4)
    drawing.text(DATA_OUT + 22, 556, "330 Ω, close", "strong")
    drawing.text(DATA_OUT + 22, 572, "to the first LED", "small")
    drawing.box(40, 612, 360, 660, radius=4)
    drawing.text(48, 640, "GND", "strong")
    drawing.text(352, 640, "5 V", "strong end")
    drawing.text(DATA_OUT, 627, "DIN", "strong middle")
    for at in range(6):
        drawing.box(128 + 32 * at, 628, 144 + 32 * at, 644, "glass", radius=2)
    drawing.text(200, 678, "the strip: its arrows point away from DIN", "small middle")


ROWS, ROW_TOP, ROW = 8, 122, 36
ROW_LEFT, ROW_RIGHT = 92, 352
FED = {0: "start", 3: "middle", 7: "end"}
"""The rows of streets whose left end is fed, and what is there."""


def draw_power():
    """The eight rows of two lanes, and the pairs of thick wires that feed them."""
    drawing = Drawing("Where power goes in", "5 V and ground at the strip's start, middle and end", 432)
    bottom = ROW_TOP + ROW * (ROWS - 1)
    drawing.box(112, 18, 268, 64, radius=10)
    drawing.text(190, 46, "5 V supply", "strong middle")
    drawing.wire([(112, 34), (24, 34), (24, bottom)], "ground")
    drawing.wire([(112, 50), (100, 50)], "5 V")
    drawing.wire([(60, 50), (44, 50), (44, bottom - 7)], "5 V")
    drawing.box(60, 40, 100, 60)
    drawing.text(80, 54.2, "fuse", "strong middle")
    drawing.text(112, 88, "rows of the board; data runs as the arrows show", "small")
    for row in range(ROWS):
        draw_row(drawing, row)
    for row in FED:
        y = ROW_TOP + ROW * row
        drawing.wire([(24, y), (ROW_LEFT, y)], "ground", [(44, y, "across")] if y < bottom else [])
        drawing.wire([(44, y - 7), (ROW_LEFT, y - 7)], "5 V")
        drawing.joint(24, y, "ground")
        drawing.joint(44, y - 7, "5 V")
    drawing.text(200, bottom + 44, "between rows: 5 V, data and ground", "small middle")
    return drawing


def draw_row(drawing, row):
    y, to_the_right = ROW_TOP + ROW * row, row % 2 == 0
    drawing.box(ROW_LEFT, y - 10, ROW_RIGHT, y + 10, radius=3)
    for at in range(10):
        drawing.box(ROW_LEFT + 16 + 24 * at, y - 4, ROW_LEFT + 24 + 24 * at, y + 4, "glass", radius=1)
    tip, back = (ROW_RIGHT - 4, -7) if to_the_right else (ROW_LEFT + 4, 7)
    drawing.line([(tip + back, y - 5), (tip, y), (tip + back, y + 5)])
    if row < ROWS - 1:
        side = ROW_RIGHT if to_the_right else ROW_LEFT
        out = side + (12 if to_the_right else -12)
        drawing.wire([(side, y + 6), (out, y + 6), (out, y + ROW - 6), (side, y + ROW - 6)], "data")
    if row in FED:
        drawing.text(ROW_LEFT + 8, y - 14, FED[row], "small")


def drawings(settings):
    """Each drawing by the name of its file."""
    return {"wiring_strip": draw_strip(settings), "wiring_power": draw_power()}
