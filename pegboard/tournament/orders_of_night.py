"""The orders of a table by what a view has of the night, `table_view` or a director's. Pure."""

from collections.abc import Mapping

from pegboard.tournament.results.scoring import GAME_HOLE
from pegboard.tournament.table_orders import (
    LONGEST_TEXT,
    CallAnswer,
    Json,
    OrderedGame,
    SeatAfter,
    Settled,
    TableOrders,
)

TO_PLAY = frozenset({"drawn", "running", "half"})
"""The states of a game of the night in which its table is still to play it, also where a phone was quicker."""

WORTH = {
    (1, 2, 3): "worth=games 1-2-3",
    (1, 2, 4): "worth=games 1-2-4",
    (1, 2): "worth=games 1-2-3",
}
"""The house rule of what a win, a skunk and a double skunk are worth, where it is not as by the ACC."""

FLAT = "worth=flat"
"""The house rule by which all wins are worth the same."""

DISPUTED = "mismatch"
"""The state of a game whose cards do not agree."""


def orders_of_view(view: Json, event: str, table: str) -> TableOrders:
    """The orders of one table, by a view of the night."""
    names = view["names"]
    rounds = sorted(view["rounds"], key=lambda one: one["round"])
    games = [game for one in rounds for game in one["games"]]
    own = [game for game in games if game["table"] == table]
    results = {game["game"]: DISPUTED if game["state"] == DISPUTED else "in" for game in own if not _is_to_play(game)}
    labels = [one["label"] for one in view["tables"] if one["table"] == table]
    announcements, house = view["announcements"], house_of(view["night"]["rules"]["points"])
    return TableOrders(
        revision=view["revision"],
        event=event,
        table=table,
        event_name=view["night"]["name"],
        label=labels[0] if labels else table,
        games=tuple(_order_of(game, games, names, view["night"]["rounds"], house) for game in _of_interest(own)),
        results=results,
        settled={game["game"]: _how_settled(game["settled"]) for game in own if game.get("settled")},
        calls=tuple(_answer(call) for call in view["calls"] if call["table"] == table),
        announcement=announcements[0]["text"][:LONGEST_TEXT] if announcements else "",
    )


def orders_of_nobody(view: Json, event: str, table: str) -> TableOrders:
    """The orders of a table that is not of the night any more: to play nothing."""
    return TableOrders(view["revision"], event, table, event_name=view["night"]["name"], label=table)


def house_of(points: Json) -> tuple[str, ...]:
    """The house rules that a board plays by, so that its games count as the night's point table says.

    `points` is the table as a view has it. Where a win is worth more in later rounds, a board says which wins are
    skunks, and leaves what they are worth to the night.
    """
    house = [] if points["game_hole"] == GAME_HOLE else [f"game hole={points['game_hole']}"]
    if points["lurch"]:
        house.append("skunks=lurch")
    elif not points["lines"]:
        house.append("skunks=off")
    worth = FLAT if len(points["worth"]) == 1 else WORTH.get(tuple(points["worth"]))
    return (*house, worth) if worth else tuple(house)


def _of_interest(own: list[Json]) -> list[Json]:
    """The games that the table is to play, and before them the one that it has played last."""
    done = [game for game in own if not _is_to_play(game)]
    return [*done[-1:], *(game for game in own if _is_to_play(game))]


def _is_to_play(game: Json) -> bool:
    return game["state"] in TO_PLAY


def _order_of(
    game: Json, games: list[Json], names: Mapping[str, str], rounds: int, house: tuple[str, ...]
) -> OrderedGame:
    players = game["players"]
    return OrderedGame(
        game=game["game"],
        round=game["round"],
        of=rounds,
        ids=tuple(players),
        players=tuple(names[player] for player in players),
        dealer=players.index(game["deals_first"]) if game["deals_first"] in players else None,
        after=tuple(_next_seat(player, game["round"], games, names) for player in players),
        house=house,
        is_done=not _is_to_play(game),
    )


def _next_seat(player: str, after: int, games: list[Json], names: Mapping[str, str]) -> SeatAfter | None:
    """Where a player plays the first game after that round."""
    later = (game for game in games if game["round"] > after and player in game["players"] and _is_to_play(game))
    game = next(later, None)
    if game is None:
        return None
    other = next(names[one] for one in game["players"] if one != player)
    deals = None if not game["deals_first"] else game["deals_first"] == player
    return SeatAfter(game["label"] or game["table"], other, deals)


def _how_settled(values: Json) -> Settled:
    return Settled(tuple(values["by_phone"]), values["winner"], values["margin"])


def _answer(call: Json) -> CallAnswer:
    return CallAnswer(call["call"], call["for"], tuple(call["accepted"]), call["needed"], bool(call.get("ended")))
