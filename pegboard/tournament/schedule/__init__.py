"""Round schedules: pairings, tables, first deals and sit-outs of each round.

Rule of this package: a schedule is a pure function of its arguments. The only randomness is the order of the players,
which the caller draws and stores. Games played or begun are never changed. A remark reports anything that cannot be
achieved; nothing is silently skipped.
"""
