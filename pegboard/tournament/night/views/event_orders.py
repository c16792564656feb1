"""Table orders of an event, for each board: its games and how they were settled, its calls, the announcement."""

from collections.abc import Mapping
from dataclasses import dataclass

from pegboard.tournament.calls import EMPTY_CALLS, OpenCalls, TableCall
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.facts import TableId
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import GameFacts, Night
from pegboard.tournament.night.views.game_view import find_game_mismatch, state_of_game
from pegboard.tournament.pairings import GameKey
from pegboard.tournament.results.claims import GameRecord
from pegboard.tournament.results.scoring import GAME_HOLE, PointTable
from pegboard.tournament.table_orders import LONGEST_TEXT, CallAnswer, OrderedGame, SeatAfter, Settlement, TableOrders

TO_PLAY = frozenset({"drawn", "running", "half"})
"""States of a game that its table must still play, even if a phone reported a result first."""

WORTH = {
    (1, 2, 3): "worth=games 1-2-3",
    (1, 2, 4): "worth=games 1-2-4",
    (1, 2): "worth=games 1-2-3",
}
"""House rules for the points of a win, a skunk and a double skunk, if they differ from the ACC's."""

FLAT = "worth=flat"
"""House rule that makes all wins worth the same."""

DISPUTED = "mismatch"
"""State of a game whose score cards disagree."""


@dataclass(frozen=True, slots=True)
class PlacedGame:
    """A game with its table and state.

    Attributes:
        key: the game's id.
        round: the game's round.
        players: the ids of the players, in seat order.
        table: the game's table; "" if it has none.
        deals_first: the player who deals first; "" if the cards are cut.
        state: the state of the game in one word, as in the views.
        settled: how the game was settled, if not both players confirmed it at the table.
    """

    key: GameKey
    round: int
    players: tuple[PlayerId, ...]
    table: TableId
    deals_first: PlayerId
    state: str
    settled: Settlement | None

    @property
    def is_to_play(self) -> bool:
        """Whether the table must still play the game."""
        return self.state in TO_PLAY


def event_orders(night: Night, event: str, calls: OpenCalls = EMPTY_CALLS) -> dict[TableId, TableOrders]:
    """The orders of each board of an event, and empty ones for former boards."""
    games = sorted((_place(night, key) for key in report(night).records), key=lambda game: game.round)
    boards = [table.table for table in night.tables.values() if table.kind == "board"]
    orders = {table: _orders_of(night, event, table, games, calls) for table in boards}
    name = night.opened.name if night.opened else ""
    return orders | {
        table: TableOrders(night.revision, event, table, event_name=name, label=table) for table in night.former_boards
    }


def _place(night: Night, key: GameKey) -> PlacedGame:
    record = report(night).records[key]
    drawn, state = night.schedule.get(key), night.games.get(key) or GameFacts(record.pairing)
    return PlacedGame(
        key,
        record.pairing.round,
        record.pairing.players,
        drawn.table if drawn else "",
        drawn.deals_first if drawn else "",
        state_of_game(night, record, state, find_game_mismatch(night, record)),
        _settlement(state, record),
    )


def _settlement(state: GameFacts, record: GameRecord) -> Settlement | None:
    """How a game was settled if not both players confirmed it at their table, so that its board stops waiting."""
    if not record.settled or all(state.at_table):
        return None
    if state.verdict is not None:
        return Settlement()
    claim = record.claims[0]
    assert claim is not None  # settled by both claims
    by_phone = tuple(seat for seat, at_table in enumerate(state.at_table) if not at_table)
    return Settlement(by_phone, 0 if claim.won else 1, record.sheet.margin if record.sheet else claim.margin)


def _orders_of(night: Night, event: str, table: TableId, games: list[PlacedGame], calls: OpenCalls) -> TableOrders:
    own, house = [game for game in games if game.table == table], house_of(night.rules.points)
    done, to_play = [game for game in own if not game.is_to_play], [game for game in own if game.is_to_play]
    return TableOrders(
        revision=night.revision,
        event=event,
        table=table,
        event_name=night.opened.name if night.opened else "",
        label=night.label(table),
        games=tuple(_order_of(night, game, games, house) for game in (*done[-1:], *to_play)),
        results={game.key: DISPUTED if game.state == DISPUTED else "in" for game in done},
        settled={game.key: game.settled for game in own if game.settled is not None},
        calls=tuple(_answer(call) for call in calls.by_id.values() if call.table == table),
        announcement=night.announcements[-1][1].text[:LONGEST_TEXT] if night.announcements else "",
    )


def _order_of(night: Night, game: PlacedGame, games: list[PlacedGame], house: tuple[str, ...]) -> OrderedGame:
    names = night.names
    return OrderedGame(
        game=game.key,
        round=game.round,
        of=night.last_round,
        ids=game.players,
        players=tuple(names[player] for player in game.players),
        dealer=game.players.index(game.deals_first) if game.deals_first in game.players else None,
        after=tuple(_next_seat(night, player, game.round, games, names) for player in game.players),
        house=house,
        is_done=not game.is_to_play,
    )


def _next_seat(
    night: Night, player: PlayerId, after: int, games: list[PlacedGame], names: Mapping[PlayerId, str]
) -> SeatAfter | None:
    """A player's next seat after a round; None if no game follows."""
    later = (game for game in games if game.round > after and player in game.players and game.is_to_play)
    game = next(later, None)
    if game is None:
        return None
    other = next(names[one] for one in game.players if one != player)
    label = night.label(game.table) if game.table in night.tables else ""
    return SeatAfter(label or game.table, other, game.deals_first == player if game.deals_first else None)


def _answer(call: TableCall) -> CallAnswer:
    return CallAnswer(call.call, call.wanted, call.accepted, call.number_needed, call.ended)


def house_of(points: PointTable) -> tuple[str, ...]:
    """The house rules that a board needs to score games by the event's point table.

    If wins are worth more in later rounds, the board only says which wins are skunks and leaves their points to the
    event.
    """
    house = [] if points.game_hole == GAME_HOLE else [f"game hole={points.game_hole}"]
    if points.lurch:
        house.append("skunks=lurch")
    elif not points.lines:
        house.append("skunks=off")
    worth = FLAT if len(points.worth) == 1 else WORTH.get(points.worth)
    return (*house, worth) if worth else tuple(house)
