"""OLED drawing: turns a view into a picture of one bit per pixel. Pure: no bus, no clock.

The entry point is `hardware.oled.drawing.draw.draw`.
"""
