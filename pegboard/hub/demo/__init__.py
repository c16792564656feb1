"""The demo of a tournament night: simulated tables that play dealt games, and hand a hub what real tables would send.

The hub is a real one: it reads, judges, stores and acknowledges each message, and tells each table what it plays next.
Only the broker between them is a queue in this process.
"""
