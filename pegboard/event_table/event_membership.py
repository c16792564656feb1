"""Which event the table plays in: joined by a code, set in the settings, or none."""

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

from pegboard.event_table.event_files import EventFiles
from pegboard.event_table.event_link import EventLink
from pegboard.event_table.hub_request import Post, hand_in, names_one_machine
from pegboard.event_table.join_answer import JoinAnswer, Json
from pegboard.event_table.join_text import JoinAddress, JoinError, NoHub, read_join_text
from pegboard.messages import Message
from pegboard.tournament.table_orders import TableOrders

PANEL_LETTERS = 30
"""Letters of an address that every panel shows in full."""

PORTS = {"http": 80, "https": 443}
"""Ports that addresses leave out."""

log = logging.getLogger("pegboard")


Search: TypeAlias = Callable[[], Collection[str]]
"""The addresses `HOST:PORT` of the hubs that announce themselves in the table's own networks."""


@dataclass(frozen=True, slots=True)
class HubQuestion:
    """What is to be confirmed before a table joins: who scores may send it to no machine of their own choice.

    Attributes:
        address: the hub, and the code that is handed in there.
        by: who joins.
        place: what the hub has answered, where that names another machine; None before the code is handed in.
    """

    address: JoinAddress
    by: str
    place: JoinAnswer | None = None

    @property
    def hub(self) -> str:
        """The address of the hub."""
        return self.address.hub

    @property
    def broker(self) -> str:
        """The broker on another machine; "" where the hub itself is in question."""
        return "" if self.place is None else self.place.broker

    @property
    def subject(self) -> str:
        """The address in question."""
        return self.broker or self.hub

    @property
    def message(self) -> Message:
        """The question to the keys, or that a page asks it."""
        if not self.fits_panel:
            return Message("event_ask_on_page")
        return Message("event_ask_broker" if self.broker else "event_ask_hub", address=self.subject)

    @property
    def fits_panel(self) -> bool:
        """Whether it can be read in full, and so confirmed, at the keys."""
        return len(self.subject) <= PANEL_LETTERS


class EventMembership:
    """The table's place in an event, which its link serves.

    Attributes:
        question: what is to be confirmed, or None.
    """

    def __init__(self, folder: Path, link: EventLink, name: str, post: Post, search: Search) -> None:
        """`name` is what this machine is called; `post` asks a hub; `search` finds those that are near."""
        self._files, self._link, self._name, self._post = EventFiles(folder), link, name, post
        self._search = search
        self.question: HubQuestion | None = None

    @property
    def place(self) -> JoinAnswer | None:
        """The table's place, or None."""
        return self._link.place

    @property
    def is_set(self) -> bool:
        """Whether the place stands in the settings."""
        return self._link.is_set

    def join(self, text: str, by: str = "", *, confirmed: bool = False) -> JoinAnswer | None:
        """Join the event of a code, with or without the address of its hub; None where `question` asks first.

        `confirmed` says that a director has typed the text, and so stands for an address in it.

        Raises:
            JoinError: it is no code, nobody answers, the hub refuses, or it cannot be stored.
            PegboardError: the link cannot serve the place.
        """
        self._require_free()
        self.question = None
        last = self._files.last_hub()
        address = read_join_text(text, last)
        is_trusted = address.hub == last or (confirmed and address.is_typed)
        if not is_trusted and (found := find_announced(address, self._search())) is not None:
            address, is_trusted = found, True
        if is_trusted:
            return self._hand_in(address, by)
        self.question = HubQuestion(address, by)
        return None

    def answer(self, address: str, *, yes: bool) -> JoinAnswer | None:
        """Join as `question` asks, or not; None where nothing is joined, or the next question asks.

        Raises:
            JoinError: it asks about another address by now, nobody answers, the hub refuses, or it cannot be stored.
            PegboardError: the link cannot serve the place.
        """
        question = self.question
        if question is None or question.subject != address:
            raise JoinError("event_question_changed")
        self._require_free()
        self.question = None
        if not yes:
            return None
        if question.place is not None:
            return self._enter(question.place, question.hub)
        return self._hand_in(question.address, question.by)

    def _hand_in(self, address: JoinAddress, by: str) -> JoinAnswer | None:
        found, address = hand_in_or_find(address, self._name, self._post, self._search)
        place = replace(found, by=by)
        if names_one_machine(place.broker, address.hub):
            return self._enter(place, address.hub)
        self.question = HubQuestion(address, by, place)
        return None

    def _enter(self, place: JoinAnswer, hub: str) -> JoinAnswer:
        try:
            self._link.join(place)
        except OSError as error:
            raise storing_error(error) from error
        self._keep(hub, None)
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
        self._keep(self._files.last_hub() or ("" if self.place is None else self.place.hub), values)

    def _keep(self, hub: str, orders: Json | None) -> None:
        """Write what is of use without a network alone: where it cannot be written, the table plays on."""
        try:
            self._files.write(hub, orders)
        except OSError as error:
            log.warning("the hub's orders cannot be saved: %s", error)

    def _require_free(self) -> None:
        if self._link.is_set:
            raise JoinError("event_set")


def storing_error(error: OSError) -> JoinError:
    """Why something about the event could not be stored."""
    return JoinError("event_not_stored", error=error.strerror or str(error))


def hand_in_or_find(address: JoinAddress, name: str, post: Post, search: Search) -> tuple[JoinAnswer, JoinAddress]:
    """The table's place by a code, and the hub's address; by digits alone also that of a hub that has moved.

    Raises:
        JoinError: no hub answers, or it refuses.
    """
    try:
        return hand_in(address, name, post), address
    except NoHub:
        moved = None if address.is_typed else find_announced(replace(address, is_known=False), search())
        if moved is None or moved.hub == address.hub:
            raise
        return hand_in(moved, name, post), moved


def find_announced(address: JoinAddress, found: Collection[str]) -> JoinAddress | None:
    """The address of a hub that announces itself, for one that is meant; None where none does.

    Raises:
        JoinError: several do, and none was named.
    """
    if not address.is_known:
        if len(found) > 1:
            raise JoinError("event_hubs", hubs=", ".join(sorted(found)))
        return next((replace(address, hub=f"http://{one}", is_known=True) for one in found), None)
    hub = urlsplit(address.hub)
    return address if f"{hub.hostname}:{hub.port or PORTS[hub.scheme]}" in found else None
