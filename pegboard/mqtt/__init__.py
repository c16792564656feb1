"""A table's MQTT link to the hub of an event: sends the events of its games and receives the hub's commands.

Rule of this package: the table never waits for the link. Events to send are read from the journal after their
commit: every event after the last one that the hub acknowledged. So nothing is queued, and nothing is lost if the
broker, the hub, the network or this program fails; the table plays on without them and catches up later.
"""
