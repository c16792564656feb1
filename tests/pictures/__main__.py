"""Makes every picture of docs/pictures anew, to be looked at: `python -m tests.pictures`."""

from tests.pictures import oled, strip, web

oled.main()
strip.main()
web.main()
