"""The panel's pictures: a view in, a picture of one bit out. Pure: no wire, no clock.

`hardware.oled.drawing.draw.draw` is the way in.
"""
