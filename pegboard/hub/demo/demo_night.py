"""The night of the demo: roster, tables, one player who comes late and one who leaves; the director does the rest."""

import secrets
from collections.abc import Callable
from typing import Any, Protocol

from pegboard.errors import PegboardError
from pegboard.tournament.night.night_state import Author, Night, Role

NAME = "Demo event"

TABLES = tuple(f"t{number}" for number in range(1, 12))
"""Eleven tables with a board."""

NAMES = ("Ann", "Bob", "Cy", "Dee", *(f"Player {number}" for number in range(5, 23)))
"""Twenty-two players, two for each table."""

LATE = "Player 23"
"""Comes once a round has been played."""

GONE = "Player 22"
"""Leaves once two rounds have been played."""

COMES_AFTER, LEAVES_AFTER = 1, 2
"""Rounds that have been played then."""

DEMO = Author(Role.DIRECTOR, "demo")
"""Who has decided what the demo decides, in the audit trail."""


class Nights(Protocol):
    """The nights of a hub, as far as the demo needs them."""

    def open(self, request: dict[str, Any], by: Author, id: str) -> str:  # noqa: A002 - the API's own word
        """Make a night, and return its id."""

    def decide(self, night: str, request: dict[str, Any], by: Author, id: str) -> object:  # noqa: A002
        """Have something decided."""

    def night(self, night: str) -> Night:
        """What the decisions add up to."""

    def follow(self, follower: Callable[[str, str | None], None]) -> Callable[[], None]:
        """Call `follower` after each change."""


class DemoNight:
    """One night with its roster.

    Attributes:
        id: the night's.
    """

    def __init__(self, nights: Nights, date: str, games: int) -> None:
        """Make the night of `date` ("2026-11-26") with so many games for each player, its roster, and its tables."""
        self._nights = nights
        rules = {"games": games, "cut": "quarter", "fee": 1000, "currency": "USD"}
        self.id = nights.open({"do": "open_night", "name": NAME, "date": date, "rules": rules}, DEMO, _request_id())
        for table in TABLES:
            self._decide("add_table", table=table, label=table[1:], kind="board")
        for name in NAMES:
            self._decide("enter", name=name)

    def may_begin(self, table: str, game: str) -> bool:
        """Whether a game can begin at a table: it is drawn there, its round has started, and both players are here.

        A table whose orders are from before a redraw would otherwise play a game that another table plays too.
        """
        night = self._nights.night(self.id)
        drawn = night.schedule.get(game)
        if drawn is None or drawn.table != table or drawn.round not in night.started:
            return False
        return set(drawn.players) <= set(night.present)

    def let_happen(self) -> None:
        """Let the latecomer come and the other one leave, when it is time.

        Nothing happens where it cannot: registration is closed, say; it is tried again when this is called again.
        """
        night = self._nights.night(self.id)
        played = _rounds_played(night)
        ids = {name: player for player, name in night.names.items()}
        try:
            if played >= COMES_AFTER and LATE not in ids:
                self._decide("enter", name=LATE, walk_up=True)
            if played >= LEAVES_AFTER and ids.get(GONE) in night.present:
                self._decide("leave", player=ids[GONE])
        except PegboardError:
            return

    def _decide(self, do: str, **fields: Any) -> None:
        self._nights.decide(self.id, {"do": do, **fields}, DEMO, _request_id())


def _rounds_played(night: Night) -> int:
    """How many rounds have begun of which no game is open."""
    still = {game.round for key, game in night.schedule.items() if key not in night.games}
    return len(night.started - still)


def _request_id() -> str:
    return secrets.token_urlsafe(16)
