"""Redraws docs/pictures and docs/templates, or only the groups given as arguments.

`python -m tests.pictures [oled] [strip] [web] [game] [night] [guide]`
"""

import sys

from tests.pictures import game_film, night, oled, strip, web
from tests.pictures.guide import make as guide

MAKERS = {
    "oled": oled.main,
    "strip": strip.main,
    "web": web.main,
    "game": game_film.main,
    "night": night.main,
    "guide": guide.main,
}

for name in sys.argv[1:] or MAKERS:
    MAKERS[name]()
