"""Movement: who meets whom in which round, at which table, who deals first and who sits out.

Law of this room: a schedule is a pure function of its arguments. The only chance in it is the order of the players,
which the caller draws and stores; games that were played or have begun are never touched; what cannot be had is said by
a remark, and never passed over in silence.
"""
