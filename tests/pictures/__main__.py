"""Makes the pictures of docs/pictures anew, to be looked at: `python -m tests.pictures [oled] [web]`; else all."""

import sys

from tests.pictures import oled, web

MAKERS = {"oled": oled.main, "web": web.main}

for name in sys.argv[1:] or MAKERS:
    MAKERS[name]()
