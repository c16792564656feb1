"""Table orders: the retained MQTT document (topic `cmd`) a hub sends to one table; written and read here. Pure.

Each document is complete and replaces the one before. It lists the games the table must still play, as far ahead as
the hub knows them, so that a table whose network fails can go on.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pegboard.errors import PegboardError

Json: TypeAlias = dict[str, Any]

VERSION = 1

ID = re.compile(r"[a-z0-9_-]{1,32}")
"""An id of an event or a table."""

GAME = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
"""An id of a pairing or a call."""

MOST_GAMES, MOST_PLAYERS, MOST_CALLS, LONGEST_TEXT = 100, 4, 8, 200
"""Limits when a document is read."""


class OrdersError(PegboardError, ValueError):
    """The document is invalid, or a newer hub wrote it."""

    code = "orders"


@dataclass(frozen=True, slots=True)
class SeatAfter:
    """Where a player goes after a game.

    Attributes:
        table: the table's display name.
        against: the opponent there.
        deals: whether the player deals first; None if the cards are cut.
    """

    table: str
    against: str
    deals: bool | None = None


@dataclass(frozen=True, slots=True)
class OrderedGame:
    """A game that the table must play.

    Attributes:
        game: the id of the pairing.
        round: its round, from 1; `of` is the number of rounds.
        ids: the ids of the players, in seat order; `players` has their names.
        dealer: the seat that deals first; None if the cards are cut.
        after: for each seat, where its player goes next; None if unknown or nowhere.
        house: house rules that differ from the ACC, in words.
        is_done: whether it has been played; it is then listed only to show where its players go.
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
        ended: whether it is over.
    """

    id: str
    kind: str
    accepted: tuple[str, ...] = ()
    needed: int = 1
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a game was settled when the two players did not both confirm it at the table.

    Attributes:
        by_phone: the seats whose players reported the result by phone or on a card; empty if the director decided.
        winner: the seat that won, by `margin` holes; None if the director decided, whatever the board shows.
    """

    by_phone: tuple[int, ...] = ()
    winner: int | None = None
    margin: int | None = None

    def as_json(self) -> Json:
        """JSON-ready values."""
        return {"by_phone": list(self.by_phone), "winner": self.winner, "margin": self.margin}


@dataclass(frozen=True, slots=True)
class TableOrders:
    """All that a hub tells one table.

    Attributes:
        revision: the revision of the event it was made from.
        event: the id of the event; `event_name` is its name.
        table: the id of the table; `label` is its display name.
        games: the games the table must play, in order, preceded by the last one it played.
        results: "in" or "mismatch" by the ids of games that were played here.
        settled: by game id, how games were settled that the two players did not both confirm here.
        calls: the state of its calls.
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
            "settled": {game: settled.as_json() for game, settled in self.settled.items()},
            "calls": [_call_json(call) for call in self.calls],
            "announcement": self.announcement,
        }


def _game_json(game: OrderedGame) -> Json:
    players = [{"id": id_, "name": name} for id_, name in zip(game.ids, game.players, strict=True)]
    after = [None if seat is None else _seat_json(seat) for seat in game.after]
    place = {"game": game.game, "round": game.round, "of": game.of, "players": players, "dealer": game.dealer}
    return place | {"after": after, "house": list(game.house), "done": game.is_done}


def _seat_json(seat: SeatAfter) -> Json:
    return {"table": seat.table, "against": seat.against, "deals": seat.deals}


def _call_json(call: CallAnswer) -> Json:
    said = {"id": call.id, "for": call.kind, "accepted": list(call.accepted)}
    return said | {"needed": call.needed, "ended": call.ended}


# --- reading ---


def read_orders(values: object) -> TableOrders:
    """Parse a document; unknown fields, meant for newer tables, are ignored.

    Raises:
        OrdersError: it is invalid, or has another version.
    """
    try:
        found = dict(values)  # type: ignore[call-overload]
        if found["v"] != VERSION:
            raise OrdersError("event_orders_version", version=repr(found["v"]), known=VERSION)
        return _read_orders(found)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        if isinstance(error, OrdersError):
            raise
        raise OrdersError("event_orders_form") from error


def _read_orders(values: Json) -> TableOrders:
    event, table = values["event"], values["table"]
    return TableOrders(
        revision=_number(values["revision"]),
        event=_match(ID, event["id"]),
        table=_match(ID, table["id"]),
        event_name=_text(event.get("name", "")),
        label=_text(table.get("label", "")),
        games=tuple(_read_game(game) for game in _few(values.get("games", ()), MOST_GAMES)),
        results={_match(GAME, game): _text(word) for game, word in dict(values.get("results", {})).items()},
        settled={_match(GAME, game): _read_settled(one) for game, one in dict(values.get("settled", {})).items()},
        calls=tuple(_read_call(call) for call in _few(values.get("calls", ()), MOST_CALLS)),
        announcement=_text(values.get("announcement", "")),
    )


def _read_game(values: Json) -> OrderedGame:
    players = _few(values["players"], MOST_PLAYERS)
    names = tuple(_text(player["name"]) for player in players)
    dealer = values.get("dealer")
    if dealer is not None and _number(dealer) >= len(names):
        raise ValueError(dealer)
    after = tuple(None if seat is None else _read_seat(seat) for seat in values.get("after", ()))
    return OrderedGame(
        game=_match(GAME, values["game"]),
        round=_number(values.get("round", 1)),
        of=_number(values.get("of", 0)),
        ids=tuple(_match(GAME, player["id"]) for player in players),
        players=names,
        dealer=dealer,
        after=(*after, *(None for _ in names))[: len(names)],
        house=tuple(_text(rule) for rule in values.get("house", ())),
        is_done=bool(values.get("done", False)),
    )


def _read_settled(values: Json) -> Settlement:
    winner, margin = (None if values.get(name) is None else _number(values[name]) for name in ("winner", "margin"))
    return Settlement(tuple(_number(seat) for seat in values.get("by_phone", ())), winner, margin)


def _read_seat(values: Json) -> SeatAfter:
    deals = values.get("deals")
    return SeatAfter(_text(values["table"]), _text(values["against"]), None if deals is None else bool(deals))


def _read_call(values: Json) -> CallAnswer:
    accepted = tuple(_text(name) for name in values.get("accepted", ()))
    needed, ended = _number(values.get("needed", 1)), bool(values.get("ended", False))
    return CallAnswer(_match(GAME, values["id"]), _text(values["for"]), accepted, needed, ended)


def _few(values: Iterable[Json], most: int) -> list[Json]:
    found = list(values)
    if len(found) > most:
        raise ValueError(len(found))
    return found


def _match(pattern: re.Pattern[str], value: object) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError(value)
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise ValueError(value)
    return value


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value
