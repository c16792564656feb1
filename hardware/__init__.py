"""Hardware layer: keys, OLED, LED strip, their buses, and simulated hardware for machines without them.

`buses` are the real buses of a Raspberry Pi; `keys`, `oled` and `strip` are the devices; `simulator` has simulated
buses with models of the chips on them, and `bench` has the content and controls of the page that operates them.

Rule of this package: it may import `pegboard`, gpiozero, luma, pillow, smbus2, spidev and evdev, never `web`. Drawing,
LED colors and the meaning of presses are pure functions or state machines that are given the time; the device layer on
top of them is thin. A bus may fail at any moment without stopping the game: an error becomes a sentence on the health
page and never reaches the scoreboard.

`hardware.interfaces` defines displays, inputs, the buses they are given, and what an input may do to the scoreboard.
Built-in devices use the same entry points as other packages; `docs/displays.md` has an example of a display and of an
input.
"""
