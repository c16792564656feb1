"""A table in an event: how it joins, what it plays next, whom it calls, and how its results go out.

The law of this room: the table plays without it. It hears the hub through a link that others bring, tells the
scoreboard who plays next, and what displays show of the event; nothing of calls is stored. What is decided here is
decided in pure modules; one thread carries it out, and no key and no page waits for that.
"""
