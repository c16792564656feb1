"""Tournament logic as pure functions: results, standings, schedules, playoffs, pots; events folded from their log.

Rule of this package: pure values and functions. Clock, files, threads and randomness come in as arguments. It imports
only itself, other pure modules of `pegboard`, and the pure parts of the standard library. A decision is a stored fact:
limits are checked when it is made, and reading an old event never refuses.
"""
