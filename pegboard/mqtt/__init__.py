"""A table's link to the hub of a tournament night: sends the events of its games, and hears what the hub says.

The law of this room: the table never waits for it. What is to be sent is read from the journal, which holds it anyway:
every event above what the hub has acknowledged itself, after its commit. So nothing is queued, and nothing is lost
with the broker, the hub, the network or this program; without any of them the table plays on, and catches up later.
"""
