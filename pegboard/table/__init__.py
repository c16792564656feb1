"""A table and its part in an event: how it joins, what it plays next, whom it calls, and how it sends its results.

The table plays without the hub. It talks to the hub through a link that other modules provide, tells the scoreboard
who plays next, and what displays show of the event; calls are not stored. Decisions are made in pure modules; one
thread carries them out, and keys and pages never wait for it.
"""
