"""Keys, OLED and LED strip, the buses they hang on, and simulated hardware that takes their place.

`buses` are the real ones of a Raspberry Pi; `keys`, `oled` and `strip` are the devices; `simulator` has simulated buses
with models of the chips behind them, and `bench` is what their page shows and does.

The law of this room: it may import `pegboard`, gpiozero, luma, pillow, smbus2, spidev and evdev, never `web`. What is
drawn, lit or meant by a press is a pure function or a machine that is given the time; the device round it is thin. A
bus may fail at any moment, and the game goes on: an error ends in a sentence on the health page, never in the
scoreboard.

`hardware.interfaces` says what a display and an input are, what buses they are given, and what an input may do at the
scoreboard. Ours come in by the same entry points as anybody's: `docs/displays.md` shows one of each.
"""
