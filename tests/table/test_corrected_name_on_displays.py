"""Panel and terminal show a corrected name in the next picture, as if the game had begun under it."""

import io

from rich.console import Console

from hardware.oled.drawing.draw import draw as draw_panel
from pegboard import Rename, Rules, Score, SetPegs, new_game, play
from pegboard.core.view import View
from pegboard.startup.terminal_board import draw

MISSPELT = play(new_game(Rules(), ("Ann", "Vob")), Score(8, 1))
RIGHT = play(new_game(Rules(), ("Ann", "Bob")), Score(8, 1))
CORRECTED = play(MISSPELT, Rename(1, "Vob", "Bob"))


def in_terminal(game):
    said = io.StringIO()
    Console(file=said, width=80).print(draw(View(game)))
    return said.getvalue()


def test_the_terminal_shows_the_corrected_name():
    assert "Vob" in in_terminal(MISSPELT)
    assert in_terminal(CORRECTED) == in_terminal(RIGHT) != in_terminal(MISSPELT)


def test_the_panel_shows_the_corrected_name():
    """Where it tells who has won; the board itself has no room for names."""
    won = [play(play(game, SetPegs(1, 120, 119)), Score(1, 1)) for game in (MISSPELT, RIGHT)]
    won.append(play(won[0], Rename(1, "Vob", "Bob")))
    misspelt, right, corrected = (draw_panel(View(game), ending=True).tobytes() for game in won)
    assert corrected == right != misspelt
