"""Game logic: cards, rules, score sheet, referee, inferred course of the game, and the view for displays.

Rule of this package: pure values and functions, without clocks, files, threads or randomness. The package may import
only itself, `pegboard.errors`, `messages` and `values`, and the pure parts of the standard library. `referee.decide`
turns a command into an event or refuses it; `referee.apply` applies an event to the score sheet and never refuses.
"""
