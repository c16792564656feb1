"""Remarks: what a schedule has to say of itself, above all what the numbers make impossible."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence by its key, with ids in place of names, so that a name that is put right is right here too.

    Attributes:
        key: of the table of messages.
        players: whom it is about, in the order of the sentence.
        values: its numbers by their names.
    """

    key: str
    players: tuple[PlayerId, ...] = ()
    values: Mapping[str, int] = field(default_factory=dict)

    def say(self, names: Mapping[PlayerId, str] | None = None) -> Message:
        """The sentence; a player without a name is called by the id.

        `name` and `other` stand for the first and the second player of it, `names` for all.
        """
        called = [(names or {}).get(player, player) for player in self.players]
        who = dict(zip(("name", "other"), called, strict=False)) | ({"names": ", ".join(called)} if called else {})
        return Message(self.key, **who, **self.values)

    def as_json(self) -> dict[str, Any]:
        """JSON-ready: `key`, `players`, `values`."""
        return {"key": self.key, "players": list(self.players), "values": dict(self.values)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Remark":
        """The remark of `as_json`."""
        return cls(values["key"], tuple(values["players"]), dict(values["values"]))
