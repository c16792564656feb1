"""A tournament night: its decisions as stored facts, what they come to, and how pages and files show it.

Law of this room: pure values and functions; no clock, file, thread or randomness: they come as arguments. What was
chosen (a draw, a cut, the places of a bracket, shares of a pot) is stored as it was chosen, and replay only reads it:
a later version never changes an old night. Limits are checked when a decision is made; replay never refuses.
"""
