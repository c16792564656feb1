"""Simulated hardware: buses, keys, panels and LED chains, so that any PC runs all of the program down to the bytes.

The law of this room: a model follows a datasheet and knows nothing of our drawing, our encoder or our key machine; it
gets no more than what passes its bus. It may import `hardware.interfaces` for the shape of a bus, and nothing else of
`hardware`.
"""
