"""Player ids: assigned by the event in order of entry; nothing else may depend on that order."""

from typing import TypeAlias

PlayerId: TypeAlias = str
"""A player's id: "p1", "p2" ..., assigned by the event and never reused; says nothing about playing strength."""
