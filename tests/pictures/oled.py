"""Draws the panel's reference pictures, four times larger, into docs/pictures: `python -m tests.pictures.oled`."""

from pathlib import Path

from PIL import Image

from hardware.streets import draw
from tests.hardware.table import table

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


VIEWS = {
    "start": table((0, 0), (0, 0)),
    "two": table((87, 75), (64, 58), dialled=(0, 7), won=(2, 1)),
    "gates": table((87, 86), (91, 90), dealer=1, won=(2, 1)),
    "end": table((121, 116), (89, 81), dealer=1, won=(3, 1), skunks=(0, 1), winner=0),
    "double_skunk": table((60, 48), (121, 109), dealer=0, won=(1, 5), skunks=(2, 0), winner=1),
    "three": table((103, 97), (88, 80), (41, 40), variant="three-handed", dealer=1, won=(1, 0, 2)),
    "three_start": table((0, 0), (2, 0), (0, 0), variant="three-handed", dialled=(0, 0, 12)),
    "three_end": table(
        (121, 116), (60, 52), (88, 64), variant="three-handed", won=(4, 1, 0), skunks=(0, 2, 1), winner=0
    ),
    "short": table((31, 24), (58, 46), variant="short", dealer=1),
    "solitaire": table((75, 63), variant="solitaire"),
    "notice": table((87, 75), (64, 58), notice="40 points cannot be scored at once (0 to 29)"),
    "new_game": table(
        (87, 75), (64, 58), notice="A new game? Hold UNDO again for 3 seconds; any other key leaves everything as it is"
    ),
}


def main() -> None:
    """Draw them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, view in VIEWS.items():
        picture = draw(view)
        picture.resize((picture.width * 4, picture.height * 4), Image.Resampling.NEAREST).save(
            FOLDER / f"oled_{name}.png"
        )


if __name__ == "__main__":
    main()
