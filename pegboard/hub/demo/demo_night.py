"""Demo event: roster, tables, one latecomer and one player who leaves; the director does the rest."""

import secrets
from typing import Any

from pegboard.errors import PegboardError
from pegboard.hub.night_service import NightService
from pegboard.tournament.night.night_state import Author, Night, Role

NAME = "Demo event"

TABLES = tuple(f"t{number}" for number in range(1, 12))
"""Eleven tables with a board."""

NAMES = ("Ann", "Bob", "Cy", "Dee", *(f"Player {number}" for number in range(5, 23)))
"""Twenty-two players, two for each table."""

LATE = "Player 23"
"""The player who arrives after a round has been played."""

GONE = "Player 22"
"""The player who leaves after two rounds have been played."""

COMES_AFTER, LEAVES_AFTER = 1, 2
"""Rounds played before the latecomer arrives, and before the other player leaves."""

DEMO = Author(Role.DIRECTOR, "demo")
"""Author of the demo's decisions in the audit trail."""


class DemoNight:
    """One event with its roster.

    Attributes:
        id: the event's id.
    """

    def __init__(self, nights: NightService, date: str, games: int) -> None:
        """Create the event of `date` ("2026-11-26") with this many games per player, its roster, and its tables."""
        self._nights = nights
        rules = {"games": games, "cut": "quarter", "fee": 1000, "currency": "USD"}
        self.id = nights.open({"do": "open_night", "name": NAME, "date": date, "rules": rules}, DEMO, _request_id())
        for table in TABLES:
            self._decide("add_table", table=table, label=table[1:], kind="board")
        for name in NAMES:
            self._decide("enter", name=name)

    def may_begin(self, table: str, game: str) -> bool:
        """Whether a game can begin at a table: it is drawn there, its round has started, and both players are present.

        Otherwise a table with orders from before a redraw would play a game that another table plays too.
        """
        night = self._nights.night(self.id)
        drawn = night.schedule.get(game)
        if drawn is None or drawn.table != table or drawn.round not in night.started:
            return False
        return set(drawn.players) <= set(night.present)

    def let_happen(self) -> None:
        """Let the latecomer arrive and the other player leave, when it is time.

        If the event refuses it, for example because registration is closed, the next call tries again.
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
    """The number of started rounds without an open game."""
    still = {game.round for key, game in night.schedule.items() if key not in night.games}
    return len(night.started - still)


def _request_id() -> str:
    return secrets.token_urlsafe(16)
