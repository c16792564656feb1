"""Draws a view as a picture of one bit per pixel. Pure: no bus, no clock.

The entry point is `hardware.oled.drawing.draw.draw`.
"""
