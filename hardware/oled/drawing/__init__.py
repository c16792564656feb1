"""Draws a view as a picture of one bit a pixel. Pure: no bus, no clock.

The entry is `hardware.oled.drawing.draw.draw`.
"""
