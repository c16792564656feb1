"""A table: the scoreboard, the running game and its session, what keys do, and the table's part in an event.

The scoreboard carries out commands under one lock and stores each event before anything shows it. The table plays
without a hub: it talks to the hub through a link that other modules provide, and one thread carries out what the hub
and the players want of each other, so keys and pages never wait for it.
"""
