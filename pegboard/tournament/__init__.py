"""The tournament, pure: results and standings, movement, play-offs, pots, and a night as the fold of its decisions.

Law of this room: pure values and functions; no clock, no file, no thread, no randomness: they come as arguments. It
imports only itself, `pegboard.errors`, `pegboard.messages` and the pure parts of the standard library. What was decided
is a stored fact, limits are looked at when it is decided, and reading an old night never refuses.
"""
