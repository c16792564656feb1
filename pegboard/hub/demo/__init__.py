"""Demo of a tournament: simulated tables play random games, and send a hub what real tables would send.

The hub is a real one: it reads, judges, stores and acknowledges each message, and tells each table what to play next.
Only the broker between them is simulated, by a queue in this process.
"""
