"""A table: one object with its game, match and journal, what pages and keys do with it, and its part in an event.

Commands are carried out under one lock, and each event is stored before anything shows it. The table plays
without a hub: it talks to the hub through a link that other modules provide, and one thread carries out what the hub
and the players want of each other, so keys and pages never wait for it.
"""
