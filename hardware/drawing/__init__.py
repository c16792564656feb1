"""The panel's pictures: a view in, a picture of one bit out. Pure: no wire, no clock.

`hardware.drawing.picture.draw` is the way in.
"""
