"""The nights of a hub: requests are judged one after the other, stored, and only then seen by anybody.

Law of this room: one lock for each night, as for each table; a decision is stored once by its id, and of what tables
send only what the hub has derived itself becomes one. Whoever shows or sends a night follows it.
"""
