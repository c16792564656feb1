"""Makes the pictures of docs/pictures anew, to be looked at; groups given as arguments make only those.

`python -m tests.pictures [oled] [strip] [web] [game]`
"""

import sys

from tests.pictures import game_film, oled, strip, web

MAKERS = {"oled": oled.main, "strip": strip.main, "web": web.main, "game": game_film.main}

for name in sys.argv[1:] or MAKERS:
    MAKERS[name]()
