"""The game itself: cards, rules, the score sheet, the referee, the course of a game, and what displays show of it.

Law of this room: pure values and functions; no clock, no file, no thread, no randomness; it imports only itself,
`pegboard.errors`, `pegboard.messages` and the pure parts of the standard library. `referee.decide` turns a command
into an event or refuses it; `referee.apply` applies an event to the score sheet and never refuses.
"""
