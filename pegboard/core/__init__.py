"""The game itself.

Law of this room: pure values and functions; no clock, no file, no thread, no randomness; it imports only itself,
`pegboard.errors` and the pure parts of the standard library. What is asked is judged by `referee.decide`, which may
refuse; what has happened is laid on the sheet by `referee.apply`, which never refuses.
"""
