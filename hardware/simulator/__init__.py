"""Stand-ins for everything with a wire, so that any PC runs the whole way down to the bytes.

The law of this room: a stand-in follows a datasheet and knows nothing of our drawing, our encoder or our key machine;
it is fed by the wire alone. It may import `hardware.interfaces` for the shape of a bus, and nothing else of `hardware`.
"""
