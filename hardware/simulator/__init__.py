"""Hardware simulator: buses, keys, panels and LED chains, so that any PC runs the whole program down to the bytes.

Rule of this package: a model follows a datasheet and knows nothing of our drawing, encoder or key machine; it is given
only what passes its bus. The package may import `hardware.interfaces` for the interface of a bus, and nothing else of
`hardware`.
"""
