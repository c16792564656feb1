"""A table: its game, match and journal in one object, its interfaces for pages and keys, and its part in an event.

Commands are carried out under one lock, and each event is stored before anything shows it. The table also plays without
a hub: it talks to the hub through a link that other modules provide, and a thread of its own handles the hub's orders
and the players' requests to the hub, so keys and pages never wait for it.
"""
