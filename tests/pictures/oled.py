"""Draws a sheet of everything the panel shows, and two pictures four times larger: `python -m tests.pictures oled`."""

from dataclasses import replace
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from hardware.oled.drawing.draw import LAYOUTS, SIZES, Style, draw
from pegboard.core.position import Outcome
from pegboard.core.rules import Rules
from pegboard.core.view import Device, Invitation
from pegboard.messages import Message
from tests.support.views import dealt, table

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
ZOOM = 4

SHEET_ZOOM, COLUMNS, GAP = 2, 6, 14
GROUND, INK = "#EFE9E0", "#241812"

LARGER = ("streets_128x64_two", "streets_128x64_show")
"""Pictures that pages show by themselves."""

LATE = ((87, 75), (64, 58))
STRIP = (Device("keys"), Device("LED strip", "no answer: Remote I/O error"))
FULL = Message("not_saved", fault="database or disk is full")
NEW_GAME = "A new game? Hold UNDO again for 3 seconds; any other key leaves everything as it is"
REFUSED = "40 points cannot be scored at once (0 to 29)"
LONG = ("Łucja Wiśniewska-Kowalczyk", "Maximiliane von Hohenstein-Waldeck")


def told(view, form="open", counted=None, winner=None, players=None):
    """The view with another match or other players."""
    match = replace(view.match, format=form, counted=counted or view.match.counted, winner=winner)
    return replace(view, match=match, game=replace(view.game, players=players or view.game.players))


def fallen_short():
    view = table((88, 80), variant="solitaire")
    position = view.game.position._replace(outcome=Outcome(None, (0,)))
    return replace(view, game=replace(view.game, positions=(position,)))


BOARDS = {
    "two": ("two lanes, +7 being keyed in", table(*LATE, dialled=(0, 7), won=(2, 1))),
    "three": (
        "three lanes",
        table((103, 97), (88, 80), (41, 40), variant="three-handed", dealer=1, won=(1, 0, 2)),
    ),
    "one": ("solitaire", table((75, 63), variant="solitaire")),
    "short": ("once around, 61 holes", table((31, 24), (58, 46), variant="short", dealer=1)),
    "start": ("before the first score", table((0, 0), (0, 0))),
    "show": ("the dealer's hand is next", dealt((1, 2), (0, 1), (1, 5), (0, 1), (1, 8))),
    "close": ("pegs a hole apart", table((60, 59), (91, 90), dealer=1, won=(2, 1))),
    "end": ("a game that is over", table((121, 116), (89, 81), dealer=1, won=(3, 1), skunks=(0, 1), winner=0)),
    "three_end": (
        "skunk and double skunk",
        table((121, 116), (60, 52), (88, 64), variant="three-handed", won=(4, 1, 0), skunks=(0, 2, 1), winner=0),
    ),
    "refused": ("a refusal", table(*LATE, notice=REFUSED)),
    "new_game": ("the question of a new game", table(*LATE, notice=NEW_GAME)),
    "not_saved": ("a score that was not saved", table(*LATE, notice=FULL)),
    "trouble": ("a device with a fault", replace(table(*LATE, won=(2, 1)), devices=STRIP)),
}
"""What is drawn in each layout on each panel."""

HUNDRED = Rules("hundred", game_hole=100, skunk_lines=(69, 39))
LONGER = Rules("longer", game_hole=241, skunk_lines=(210, 180))
OTHER_TRACKS = {
    "hundred": ("100 holes, gates within streets", table((64, 58), (33, 31), rules=HUNDRED)),
    "longer": ("241 holes", table((187, 175), (164, 158), rules=LONGER)),
}
"""What is drawn in each layout on the large panel."""

ENDINGS = {
    "win": ("a win", table((121, 116), (109, 100), dealer=1, won=(3, 1), winner=0)),
    "skunk": (
        "a skunk that wins the match",
        told(table((121, 116), (89, 81), won=(3, 1), skunks=(0, 1), winner=0), "best of 7", (4, 1), 0),
    ),
    "double_skunk": (
        "a double skunk, long names",
        told(table((60, 48), (121, 109), won=(1, 5), skunks=(2, 0), winner=1), players=LONG),
    ),
    "triple_skunk": (
        "a triple skunk, three lanes",
        table((121, 116), (28, 22), (88, 64), variant="three-handed", won=(4, 1, 0), skunks=(0, 3, 1), winner=0),
    ),
    "points": (
        "game points, names of any script",
        told(table((121, 116), (100, 90), variant="acc", winner=0, won=(2, 0)), players=("王小明", "<script>")),
    ),
    "partners": ("partners", table((121, 116), (100, 90), variant="partners", winner=0, won=(1, 0))),
    "fell_short": ("a solitaire that fell short", fallen_short()),
}
"""Screens after a game, on each panel."""

INVITATIONS = {
    "join": ("how to join", Invitation("http://192.168.1.23:8080/")),
    "no_phones": (
        "no phone reaches it",
        Invitation("http://127.0.0.1:8080/", "machine", 'make run ARGS="--host 0.0.0.0 --open"'),
    ),
    "no_network": ("no network", Invitation("http://127.0.0.1:8080/", "offline")),
}
"""How to join, or why no phone does."""


def pictures():
    """The name, the label and the picture of each."""
    for size, pixels in SIZES.items():
        for layout in LAYOUTS:
            views = BOARDS | (OTHER_TRACKS if size == "128x64" else {})
            for name, (label, view) in views.items():
                yield f"{layout}_{size}_{name}", f"{layout}, {size}: {label}", draw(view, Style(pixels, layout))
        for name, (label, view) in ENDINGS.items():
            yield f"screen_{size}_{name}", f"{size}: {label}", draw(view, Style(pixels), ending=True)
        for name, (label, invitation) in INVITATIONS.items():
            view = replace(table((0, 0), (0, 0)), invitation=invitation)
            yield f"screen_{size}_{name}", f"{size}: {label}", draw(view, Style(pixels))


def larger(picture, zoom):
    return picture.convert("1").resize((picture.width * zoom, picture.height * zoom), Image.Resampling.NEAREST)


def sheet(drawn):
    """All of them with their labels, those of one size in rows of their own."""
    font = ImageFont.load_default(11)
    cells = [(label, larger(picture, SHEET_ZOOM)) for _, label, picture in drawn]
    wide = 128 * SHEET_ZOOM + GAP
    places, x, y = [], 0, GAP
    for number, (_, picture) in enumerate(cells):
        if number and (x == COLUMNS or picture.height != cells[number - 1][1].height):
            x, y = 0, y + cells[number - 1][1].height + 16 + GAP
        places.append((GAP + x * wide, y))
        x += 1
    whole = Image.new("RGB", (COLUMNS * wide + GAP, y + cells[-1][1].height + 16 + GAP), GROUND)
    pen = ImageDraw.Draw(whole)
    for (label, picture), (left, top) in zip(cells, places, strict=True):
        whole.paste(picture, (left, top))
        pen.text((left, top + picture.height + 4), label, INK, font)
    return whole.quantize(16)


def main():
    """Draw the sheet and the larger pictures."""
    drawn = list(pictures())
    for name, _, picture in drawn:
        if name in LARGER:
            larger(picture, ZOOM).save(FOLDER / f"oled_{name}.png", optimize=True)
    sheet(drawn).save(FOLDER / "oled_sheet.png", optimize=True)


if __name__ == "__main__":
    main()
