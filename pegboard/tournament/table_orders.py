"""Table orders: the retained MQTT document (topic `cmd`) a hub sends to one table; written and read here. Pure.

Each document is complete and replaces the one before. It lists the games the table must still play, as far ahead as
the hub knows them, so that a table whose network fails can go on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict

from pegboard.core.names import PAIRING_ID, PLACE_ID
from pegboard.errors import PegboardError
from pegboard.values import MESSAGE, Takes, read, write

Json: TypeAlias = dict[str, Any]

VERSION = 1

MOST_GAMES, MOST_PLAYERS, MOST_CALLS, LONGEST_TEXT = 100, 4, 8, 200
"""Limits on a document that is read."""

Id: TypeAlias = Annotated[str, Takes(pattern=PLACE_ID)]
"""An id of an event or a table."""

PairingId: TypeAlias = Annotated[str, Takes(pattern=PAIRING_ID)]
"""An id of a pairing or a call."""

Text: TypeAlias = Annotated[str, Takes(most=LONGEST_TEXT)]

Count: TypeAlias = Annotated[int, Takes(least=0)]

Truth: TypeAlias = Annotated[Any, Takes(read=bool)]
"""The truth value of any JSON value."""


class OrdersError(PegboardError, ValueError):
    """The document is invalid, or a newer hub wrote it."""

    code = "orders"


@dataclass(frozen=True, slots=True)
class SeatAfter:
    """A player's next seat after a game.

    Attributes:
        table: the table's display name.
        against: the opponent at that table.
        deals: whether the player deals first; None if the cards are cut.
    """

    table: Text
    against: Text
    deals: Truth | None = None


@dataclass(frozen=True, slots=True)
class OrderedGame:
    """A game that the table must play.

    Attributes:
        game: the id of the pairing.
        round: the game's round, from 1; `of` is the number of rounds.
        ids: the ids of the players, in seat order; `players` has their names.
        dealer: the seat that deals first; None if the cards are cut.
        after: for each seat, the next seat of its player; None if it is unknown or the player has no further game.
        house: house rules that differ from the ACC, in words.
        is_done: whether the game has been played; it is then listed only to show where its players go next.
    """

    game: str
    round: int
    of: int
    ids: tuple[str, ...]
    players: tuple[str, ...]
    dealer: int | None = None
    after: tuple[SeatAfter | None, ...] = ()
    house: tuple[str, ...] = ()
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """The state of a call from this table.

    Attributes:
        id: the table's own id for the call.
        kind: "judge" or "director".
        accepted: the names of people who accepted.
        needed: how many people must accept.
        ended: whether the call is over.
    """

    id: PairingId
    kind: Annotated[str, Takes(most=LONGEST_TEXT, key="for")]
    accepted: tuple[Text, ...] = ()
    needed: Count = 1
    ended: Truth = False


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a game was settled when the two players did not both confirm it at the table.

    Attributes:
        by_phone: the seats whose players reported the result by phone or on a card; empty if the director decided.
        winner: the seat that won, by `margin` holes; None if the director decided, regardless of the board.
    """

    by_phone: tuple[Count, ...] = ()
    winner: Count | None = None
    margin: Count | None = None


@dataclass(frozen=True, slots=True)
class TableOrders:
    """Everything that a hub tells one table.

    Attributes:
        revision: the event's revision from which the document was made.
        event: the id of the event; `event_name` is its name.
        table: the id of the table; `label` is its display name.
        games: the games the table must play, in order, preceded by the last one it played.
        results: "in" or "mismatch", by the ids of games that were played at the table.
        settled: how games that the two players did not both confirm at the table were settled, by game id.
        calls: the state of the table's calls.
        announcement: the director's announcement to everyone, or "".
    """

    revision: int
    event: str
    table: str
    event_name: str = ""
    label: str = ""
    games: tuple[OrderedGame, ...] = ()
    results: Mapping[str, str] = field(default_factory=dict)
    settled: Mapping[str, Settlement] = field(default_factory=dict)
    calls: tuple[CallAnswer, ...] = ()
    announcement: str = ""

    def as_json(self) -> Json:
        """The JSON document."""
        return {
            "v": VERSION,
            "revision": self.revision,
            "event": {"id": self.event, "name": self.event_name},
            "table": {"id": self.table, "label": self.label},
            "games": [_game_json(game) for game in self.games],
            "results": dict(self.results),
            "settled": write(self.settled),
            "calls": write(self.calls),
            "announcement": self.announcement,
        }


def _game_json(game: OrderedGame) -> Json:
    players = [{"id": id_, "name": name} for id_, name in zip(game.ids, game.players, strict=True)]
    place = {"game": game.game, "round": game.round, "of": game.of, "players": players, "dealer": game.dealer}
    return place | {"after": write(game.after), "house": list(game.house), "done": game.is_done}


# --- reading ---


class _PlayerJson(TypedDict):
    id: PairingId
    name: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class _GameJson:
    game: PairingId
    round: Count = 1
    of: Count = 0
    players: Annotated[tuple[_PlayerJson, ...], Takes(most=MOST_PLAYERS)]
    dealer: Count | None = None
    after: tuple[SeatAfter | None, ...] = ()
    house: tuple[Text, ...] = ()
    done: Truth = False


def _make_game(found: _GameJson) -> OrderedGame:
    """The game that a document lists.

    Raises:
        ValueError: the dealer has no seat.
    """
    seats = len(found.players)
    if found.dealer is not None and found.dealer >= seats:
        raise ValueError(found.dealer)
    ids, names = (tuple(player[key] for player in found.players) for key in ("id", "name"))
    after = (*found.after, *(None for _ in names))[:seats]
    return OrderedGame(found.game, found.round, found.of, ids, names, found.dealer, after, found.house, found.done)


class _EventJson(TypedDict):
    id: Id
    name: NotRequired[Text]


class _TableJson(TypedDict):
    id: Id
    label: NotRequired[Text]


class _OrdersJson(TypedDict):
    revision: Count
    event: _EventJson
    table: _TableJson
    games: NotRequired[Annotated[tuple[Annotated[_GameJson, Takes(read=_make_game)], ...], Takes(most=MOST_GAMES)]]
    results: NotRequired[Mapping[PairingId, Text]]
    settled: NotRequired[Mapping[PairingId, Settlement]]
    calls: NotRequired[Annotated[tuple[CallAnswer, ...], Takes(most=MOST_CALLS)]]
    announcement: NotRequired[Text]


def read_orders(values: Any) -> TableOrders:
    """Parse a document; unknown fields, meant for newer tables, are ignored.

    Raises:
        OrdersError: the document is invalid, or has another version.
    """
    try:
        found = _read_document(values)
    except OrdersError:
        raise
    except (TypeError, LookupError, ValueError) as error:
        raise OrdersError("event_orders_form") from error
    event, table = found.pop("event"), found.pop("table")
    names = {"event_name": event.get("name", ""), "label": table.get("label", "")}
    return TableOrders(event=event["id"], table=table["id"], **names, **found)


def _read_document(values: Any) -> Json:
    if values["v"] != VERSION:
        raise OrdersError("event_orders_version", version=repr(values["v"]), known=VERSION)
    found: Json = read(_OrdersJson, values, MESSAGE)
    return found
