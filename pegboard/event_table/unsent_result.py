"""A finished game that has not reached the hub for a while: the address with its code, for a phone to carry."""

from collections.abc import Callable
from pathlib import Path

from pegboard.core.view import View
from pegboard.event_table.event_link import EventLink
from pegboard.event_table.game_result import result_of
from pegboard.event_table.join_answer import JoinAnswer
from pegboard.event_table.shown_event import is_agreed, is_in
from pegboard.storage.games import rows_of_game
from pegboard.tournament.result_code import encode_short
from pegboard.tournament.table_orders import TableOrders

UNSENT_S = 10.0
"""Seconds after which it is shown as a code."""

PAGE = "R"
"""The page of a hub that takes a code; a capital, as QR codes of capitals are smaller."""


class UnsentResult:
    """Notes since when the finished game on the table waits for the hub."""

    def __init__(self, folder: Path, link: EventLink, clock: Callable[[], float]) -> None:
        """`folder` is that of the journal, `clock` gives steady seconds."""
        self._folder, self._link, self._clock = folder, link, clock
        self._since_s: float | None = None
        self._of: tuple[str, int] = ("", 0)
        self._url = ""

    @property
    def waits(self) -> bool:
        """Whether one waits, so that time alone changes something."""
        return self._since_s is not None

    def address(self, place: JoinAnswer, view: View, orders: TableOrders | None) -> str:
        """The address with the code, once the game has waited long enough; until then ""."""
        has_come = is_in(orders, view.game.pairing) or (self._link.is_linked and not self._link.waiting)
        if has_come or not is_agreed(view.game):
            self._since_s = None
            return ""
        if self._since_s is None:
            self._since_s = self._clock()
        return self._address(place, view) if self._clock() >= self._since_s + UNSENT_S else ""

    def _address(self, place: JoinAnswer, view: View) -> str:
        """The same, made once for each state of the game."""
        now = view.id, view.revision
        if now != self._of:
            result = result_of(rows_of_game(self._folder, view.id), place.table)
            self._of = now
            self._url = "" if result is None else f"{place.hub}/{PAGE}/{encode_short(result)}".lstrip("/")
        return self._url
