"""Draws the strip in its layouts into docs/pictures: `python -m tests.pictures.strip`.

The colors are what a simulated chain received. The LEDs lie where the holes of a board do, and a thin line runs along
the strip from LED to LED.
"""

from functools import partial
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

from pegboard.core.board_shape import is_mirrored
from tests.support.led_strip import make_strip
from tests.support.views import table

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

PITCH, FIVES, EDGE = 11, 4, 24
"""Pixels from hole to hole, more after every fifth, and round the board."""

WOOD, HOLE, WIRE, INK = (43, 33, 26), (22, 17, 14), (82, 66, 52), (190, 175, 155)

TWO = table((87, 75), (64, 58), dialled=(0, 7))
THREE = table((103, 97), (88, 80), (41, 0), variant="three-handed", dialled=(0, 0, 12))

SCENES = {
    "serpentine": ("serpentine streets; Bob has keyed in 7", {"layout": "serpentine"}, TWO),
    "lanes": ("lane by lane, with start holes", {"layout": "lanes", "start_holes": True}, TWO),
    "classic": (
        "classic, on the second lap, with fives and games won",
        {"layout": "classic", "lanes": 2, "fives": True, "games_won": {"a": (123, 124, 125), "b": (126, 127, 128)}},
        table((87, 75), (64, 58), dialled=(0, 7), won=(2, 1)),
    ),
    "zigzag": ("zigzag, three lanes, with start holes", {"layout": "zigzag", "start_holes": True}, THREE),
}
"""Name: caption, settings, view."""


def main() -> None:
    """Draw them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (caption, own, view) in SCENES.items():
        drawn(caption, own, view).save(FOLDER / f"strip_{name}.png", optimize=True)


def drawn(caption, own, view):
    """The strip's picture of a view."""
    strip, buses, _ = make_strip(**own)
    strip.show(view)
    lanes = len(view.game.lanes)
    layout, locate = strip.layout_for(lanes), partial(place, lanes=lanes, streets=own["layout"] == "serpentine")
    if layout.is_loop:
        locate = partial(place_on_loop, lanes=lanes)
    spots = {led: locate(spot) for led, spot in holes(layout).items()}
    for lane, leds in enumerate(layout.games_won):
        below = row_of_loop(lanes - 1, lanes, 0) + 2 * PITCH
        spots |= {led: (EDGE + along(5 * lane + n + 2), below) for n, led in enumerate(leds)}
    return board(spots, buses.led_chain.colors(), caption)


def holes(layout):
    """Lane and hole of each LED; -1 and 0 are the start holes."""
    found = {led: (lane, hole) for lane, leds in enumerate(layout.lanes) for hole, led in enumerate(leds, 1)}
    return found | {led: (lane, n - 1) for lane, pair in enumerate(layout.start) for n, led in enumerate(pair)}


def place(spot, lanes, streets):
    """Column and row in pixels."""
    lane, hole = spot
    if not streets:
        return EDGE + along(hole + 1), 2 * EDGE + lane * 2 * PITCH
    if hole > 120:
        return EDGE + along(0), row(3, lane, lanes)
    street, n = divmod(max(hole, 1) - 1, 30)
    column = n if street % 2 == 0 else 29 - n
    return EDGE + (along(column + 2) if hole > 0 else along(hole + 1)), row(street, lane, lanes)


def place_on_loop(spot, lanes):
    """The same on a classic board: outer row, inner row, and the game hole left of that."""
    lane, hole = spot
    inner = hole > 30
    column = hole if not inner else 61 - hole
    return EDGE + along(column + 1), row_of_loop(lane, lanes, 1 if inner else 0)


def row_of_loop(lane, lanes, down):
    """The pixels of a row of a lane, `down` rows from its outer one towards the inner one."""
    mirrored = is_mirrored(lane, lanes)
    return 2 * EDGE + 2 * PITCH * (3 * lane + (2 - down if mirrored else down))


def along(n):
    """Pixels of the n-th hole from the left, two start holes included."""
    return n * PITCH + (max(n, 0) + 3) // 5 * FIVES


def row(street, lane, lanes):
    return 2 * EDGE + (street * (lanes + 1) + lane) * 2 * PITCH


def board(spots, light, caption):
    """Wood, wire, holes and light."""
    size = tuple(max(at[axis] for at in spots.values()) + EDGE for axis in (0, 1))
    picture = Image.new("RGB", size, WOOD)
    draw = ImageDraw.Draw(picture)
    draw.text((EDGE, EDGE // 2), caption, INK)
    draw.line([spots[led] for led in sorted(spots)], WIRE, 1)
    for led, at in spots.items():
        dot(draw, at, 4, HOLE if not any(light[led]) else seen(light[led]))
    glow = Image.new("RGB", size)
    for led, at in spots.items():
        dot(ImageDraw.Draw(glow), at, 9, tuple(value // 2 for value in seen(light[led])))
    glow = glow.filter(ImageFilter.GaussianBlur(5))
    return Image.blend(picture, add(picture, glow), 0.8)


def add(picture, glow):
    pairs = zip(picture.tobytes(), glow.tobytes(), strict=True)
    return Image.frombytes("RGB", picture.size, bytes(min(255, one + other) for one, other in pairs))


def dot(draw, at, radius, colour):
    draw.ellipse([at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius], colour)


def seen(rgb):
    """An LED's linear light as a screen shows it, the dim lifted as the eye does."""
    most = max(rgb)
    if not most:
        return 0, 0, 0
    bright = (most / 255) ** 0.35
    return tuple(round(255 * bright * (value / most) ** (1 / 2.2)) for value in rgb)


if __name__ == "__main__":
    main()
