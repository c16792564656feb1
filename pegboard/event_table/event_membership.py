"""Which event the table plays in: joined by a code, set in the settings, or none."""

import logging
from pathlib import Path

from pegboard.event_table.event_files import EventFiles
from pegboard.event_table.event_link import EventLink
from pegboard.event_table.hub_request import Post, hand_in
from pegboard.event_table.join_answer import JoinAnswer, Json
from pegboard.event_table.join_text import JoinError, read_join_text
from pegboard.tournament.table_orders import TableOrders

log = logging.getLogger("pegboard")


class EventMembership:
    """The table's place in an event, which its link serves."""

    def __init__(self, folder: Path, link: EventLink, name: str, post: Post) -> None:
        """`name` is what this machine is called; `post` asks a hub."""
        self._files, self._link, self._name, self._post = EventFiles(folder), link, name, post

    @property
    def place(self) -> JoinAnswer | None:
        """The table's place, or None."""
        return self._link.place

    @property
    def is_set(self) -> bool:
        """Whether the place stands in the settings."""
        return self._link.is_set

    def join(self, text: str) -> JoinAnswer:
        """Join the event of a code, with or without the address of its hub.

        Raises:
            JoinError: it is no code, nobody answers, the hub refuses, or it cannot be stored.
            PegboardError: the link cannot serve the place.
        """
        self._require_free()
        place = hand_in(read_join_text(text, self._files.last_hub()), self._name, self._post)
        try:
            self._link.join(place)
        except OSError as error:
            raise storing_error(error) from error
        self._keep(place.hub, None)
        return place

    def leave(self) -> None:
        """Leave the event.

        Raises:
            JoinError: it stands in the settings, or leaving cannot be stored.
        """
        self._require_free()
        try:
            self._link.leave()
        except OSError as error:
            raise storing_error(error) from error

    def read_orders(self) -> TableOrders | None:
        """The newest orders of the hub for this place, where they are known."""
        return None if self.place is None else self._files.read_orders(self.place)

    def keep_orders(self, values: Json) -> None:
        """Store the orders of the hub."""
        self._keep("" if self.place is None else self.place.hub, values)

    def _keep(self, hub: str, orders: Json | None) -> None:
        """Write what is of use without a network alone: where it cannot be written, the table plays on."""
        try:
            self._files.write(hub, orders)
        except OSError as error:
            log.warning("the orders of the hub cannot be stored: %s", error)

    def _require_free(self) -> None:
        if self._link.is_set:
            raise JoinError("event_set")


def storing_error(error: OSError) -> JoinError:
    """Why something about the event could not be stored."""
    return JoinError("event_not_stored", error=error.strerror or str(error))
