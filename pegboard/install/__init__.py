"""Installation.

The law of this room: it imports the standard library and itself alone, for it runs before there is anything else.
"""
