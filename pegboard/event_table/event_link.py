"""The link to a hub, as a table's event sees it: whoever brings one has these."""

from typing import Protocol

from pegboard.event_table.join_answer import JoinAnswer


class EventLink(Protocol):
    """The link of a table, which remembers the table's place; nothing of it waits for the hub."""

    @property
    def place(self) -> JoinAnswer | None:
        """The table's place in an event; None where it has none."""

    @property
    def is_set(self) -> bool:
        """Whether that stands in the settings, so that no code changes it."""

    @property
    def is_linked(self) -> bool:
        """Whether the hub is reached."""

    @property
    def waiting(self) -> int:
        """How many events the hub has not acknowledged."""

    def join(self, place: JoinAnswer) -> None:
        """Remember another place, and serve it. Raises `PegboardError` or `OSError` where that cannot be."""

    def leave(self) -> None:
        """Remember and serve none. Raises `OSError` where that cannot be stored."""

    def reload(self) -> bool:
        """Serve what another program has stored; whether that is another place."""

    def wake(self) -> None:
        """What is sent besides the table's state has changed."""
