"""Ids that a night gives: of players, in order of entry, and never anything else by that order."""

from typing import TypeAlias

PlayerId: TypeAlias = str
"""Of a player: "p1", "p2" ..., given by the night and never reused; it says nothing of how strong anybody is."""
