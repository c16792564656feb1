"""Draws the guide's wiring of keys and panels from the pin table."""

from pegboard.config import OledSettings, Settings
from tests.pictures.guide import connections
from tests.pictures.guide.pi_header import RADIUS, DrawnHeader
from tests.pictures.guide.svg import Drawing

KEY = 78
"""Width of a key."""


def draw_keys(settings):
    """All keys between their pins and ground."""
    wires = connections.keys(settings)
    drawing = Drawing("The keys", "Each key between its pin of the header and ground", 656)
    header = DrawnHeader(187, 64, 27)
    grounds = (connections.KEYS_LEFT_GROUND, connections.KEYS_RIGHT_GROUND)
    draw_ends(drawing, header)
    header.draw_body(drawing)
    for side, ground in zip((-1, 1), grounds, strict=True):
        draw_side(drawing, header, side, ground, [one for one in wires if (one.place % 2 == 1) == (side < 0)])
    header.draw_pins(drawing, {*grounds, *(one.place for one in wires)})
    gap = header.at[19][1]
    for at, words in enumerate(("one leg of a key to its pin,", "the other to ground", "all round the outside")):
        drawing.text(28, gap + 16 * at, words, "small")
    return drawing


def draw_side(drawing, header, side, ground, wires):
    """One column's keys, each at the height of its pin, and the wire that joins their other legs to ground."""
    rail, edge = mirror(14, side), mirror(28, side)
    heights = [header.at[one.place][1] for one in wires]
    ground_at = header.at[ground]
    drawing.wire([(rail, min(heights)), (rail, ground_at[1]), ground_at], "ground")
    drawing.text(mirror(140, side), ground_at[1] - 6, "ground", "small middle")
    for one, y in zip(wires, heights, strict=True):
        drawing.wire([(rail, y), (edge, y)], "ground")
        drawing.wire([(mirror(28 + KEY, side), y), header.at[one.place]], "data")
        drawing.text(mirror(140, side), y - 6, f"GPIO {one.gpio}", "small middle")
        left = min(edge, mirror(28 + KEY, side))
        drawing.box(left, y - 11, left + KEY, y + 11)
        drawing.text(left + KEY / 2, y + 4.3, one.terminal, "strong middle")


def mirror(x, side):
    return x if side < 0 else 400 - x


def draw_ends(drawing, header):
    """Which end of the header is which."""
    bottom = max(y for _, y in header.at.values())
    drawing.text(header.left + header.pitch / 2, header.top - 32, "this end: the SD card", "small middle")
    drawing.text(header.left + header.pitch / 2, bottom + 36, "this end: the USB sockets", "small middle")
    drawing.text(header.left + header.pitch / 2, bottom + 52, "(Zero: the camera)", "small middle")
    drawing.text(header.left + header.pitch + 24, header.top + 4, "this side: the edge", "small")
    drawing.text(header.left + header.pitch + 24, header.top + 20, "of the board", "small")


def draw_i2c_panel(settings):
    """A panel on I2C: four wires side by side."""
    wires = connections.i2c_panel(settings)
    drawing = Drawing("A panel on I2C", "Supply, data, clock and ground from the header to the panel", 282)
    header = DrawnHeader(318, 62, 34, range(1, 7))
    header.draw_body(drawing)
    heights = [header.at[one.place][1] for one in wires]
    drawing.box(16, 40, 188, 238, radius=10)
    draw_screen(drawing, 30, 104, 104)
    for one, y in zip(wires, heights, strict=True):
        drawing.wire([(188, y), header.at[one.place]], one.carries)
        drawing.text(180, y + 4.3, one.terminal, "strong end")
        words = one.carries if one.gpio is None else f"{one.carries}, GPIO {one.gpio}"
        drawing.text(240, y - 7, words, "small middle")
    header.draw_pins(drawing, {one.place for one in wires})
    drawing.text(335, 28, "the SD card's end", "small middle")
    drawing.text(335, 268, "pins 13 to 40 below", "small middle")
    drawing.text(102, 28, "the panel", "small middle")
    return drawing


def draw_screen(drawing, left, top, width):
    """A panel's glass, with a track on it."""
    drawing.box(left, top, left + width, top + width / 2, "glass", radius=3)
    for at, lit in enumerate((11, 8)):
        for hole in range(14):
            x, y = left + 9 + hole * (width - 18) / 13, top + 18 + 16 * at
            drawing.circle(x, y, 2.6 if hole == lit else 1.2, "lit" if hole <= lit else "dim")


def draw_spi_panel(settings):
    """A panel on SPI: seven wires, none across another."""
    wires = connections.spi_panel(settings)
    drawing = Drawing("A panel on SPI", "Seven wires from the header to the panel", 622)
    header = DrawnHeader(60, 62, 26)
    header.draw_body(drawing)
    top, pitch = header.at[13][1] + 6, 34
    down = sum(leave_at(header, one)[1] < top + at * pitch for at, one in enumerate(wires))
    drawing.box(296, top - 26, 386, top + pitch * 6 + 82, radius=10)
    for at, one in enumerate(wires):
        y, (x, side) = top + at * pitch, leave_at(header, one)
        channel = 172 - 9 * at if at < down else 172 - 9 * (len(wires) - 1 - at)
        drawing.wire([header.at[one.place], (x, side), (channel, side), (channel, y), (296, y)], one.carries)
        drawing.text(304, y + 4.3, one.terminal, "strong")
        words = f"{one.carries}, pin {one.place}" if one.gpio is None else f"GPIO {one.gpio}, pin {one.place}"
        drawing.text(288, y - 7, words, "small end")
    draw_screen(drawing, 302, top + pitch * 6 + 24, 78)
    header.draw_pins(drawing, {one.place for one in wires})
    drawing.text(73, 30, "the SD card's end", "small middle")
    drawing.text(73, 596, "the USB sockets' end", "small middle")
    drawing.text(73, 610, "(Zero: the camera's)", "small middle")
    drawing.text(341, top - 36, "the panel", "small middle")
    return drawing


def leave_at(header, one):
    """Where a wire leaves the header to the right: at its pin's own height, or between the rows."""
    x, y = header.at[one.place]
    return (x, y + header.pitch / 2) if one.place % 2 else (x + RADIUS, y)


def drawings():
    """Each drawing by the name of its file."""
    spi = Settings(oled=OledSettings(wire="spi"))
    return {
        "wiring_keys": draw_keys(Settings()),
        "wiring_panel_i2c": draw_i2c_panel(Settings()),
        "wiring_panel_spi": draw_spi_panel(spi),
    }
