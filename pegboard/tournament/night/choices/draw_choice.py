"""The draw: which games there are, where, and who deals first, for those who are here now; chosen once, and stored."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.movement.drawn_rounds import DrawnRound
from pegboard.tournament.movement.odd_fields import ONE_MORE, measure_field
from pegboard.tournament.movement.schedule import draw as draw_schedule
from pegboard.tournament.night import facts
from pegboard.tournament.night.night_state import Night

Shuffle: TypeAlias = Callable[[Sequence[PlayerId]], Sequence[PlayerId]]
"""Puts players in any order: the only chance in a night, and the caller's."""

MOVEMENT = "anchored ring"
"""How rounds are made; the version of the program that has drawn is in the packages."""

FEWEST = 2
"""Players for a game."""


def draw(night: Night, values: dict[str, Any], shuffle: Shuffle) -> facts.ScheduleDrawn:
    """The schedule for those who are here, with every game that has begun as it was.

    Raises:
        RuleError: fewer than two players are here, or the movement refuses.
    """
    here = require_drawable(night)
    begun = [game for game in night.schedule.values() if has_begun(night, game)]
    places = {table: number for number, table in enumerate(night.tables, 1)}
    drawn = draw_schedule(
        tuple(shuffle(here)),
        night.rules.games,
        played=tuple(game.pairing for game in begun),
        dealers={game.key: game.deals_first for game in begun if game.deals_first},
        tables={game.key: places[game.table] for game in begun if game.table in places},
        missed={player: night.players[player].missed for player in here},
        planned=tuple(game.pairing for game in night.schedule.values() if game not in begun)
        if night.begun_round
        else (),
        first_round=night.open_round,
        last_round=_last_round(night, len(here)),
        odd=values.get("odd", ONE_MORE),
        names=night.names,
    )
    tables, made = _tables(night, drawn.rounds)
    games = [*begun, *(game for one in drawn.rounds for game in _place(one, begun, tables))]
    return facts.ScheduleDrawn(
        tuple(sorted(games, key=lambda game: game.round)),
        (*_past_sit_outs(night, drawn.rounds), *_sit_outs(drawn.rounds)),
        tuple(remark.as_json() for remark in drawn.remarks),
        MOVEMENT,
        made,
    )


def require_drawable(night: Night) -> tuple[PlayerId, ...]:
    """Who is here, enough of them for a game.

    Raises:
        RuleError: they are not.
    """
    here = night.present
    if len(here) < FEWEST:
        raise RuleError("night_too_few", count=len(here))
    return here


def _last_round(night: Night, players: int) -> int | None:
    """After which round the night ends: who comes late makes it no longer than the field of now needs."""
    if not night.begun_round:
        return None
    return max(night.last_round, measure_field(players, night.rules.games).rounds)


def has_begun(night: Night, game: facts.ScheduledGame) -> bool:
    """Whether a game stays as it was drawn: something was said of it, or its round has begun and both are here."""
    if game.key in night.games:
        return True
    return game.round <= night.begun_round and all(night.is_here(player) for player in game.players)


def _sit_outs(rounds: Iterable[DrawnRound]) -> Iterable[facts.SitOut]:
    return (facts.SitOut(one.number, player) for one in rounds for player in one.sitting)


def _past_sit_outs(night: Night, rounds: Sequence[DrawnRound]) -> Iterable[facts.SitOut]:
    first = min((one.number for one in rounds), default=night.last_round + 1)
    return (
        facts.SitOut(number, player)
        for number, players in night.sit_outs.items()
        for player in players
        if number < first
    )


# --- tables ---


def _tables(night: Night, rounds: Iterable[DrawnRound]) -> tuple[list[facts.TableId], tuple[facts.TableAdded, ...]]:
    """The tables in their order, and the paper tables that are missing for so many games at once."""
    tables, made = list(night.tables), []
    needed = max((game.table for one in rounds for game in one.games), default=0)
    labels = {table.label for table in night.tables.values()}
    number = 1
    while len(tables) < needed:
        if f"t{number}" not in tables and str(number) not in labels:
            made.append(facts.TableAdded(f"t{number}", str(number), "paper"))
            tables.append(f"t{number}")
        number += 1
    return tables, tuple(made)


def _place(
    one: DrawnRound, begun: Iterable[facts.ScheduledGame], tables: Sequence[facts.TableId]
) -> Iterable[facts.ScheduledGame]:
    """The games of a round at their tables; one whose table is in use goes to the first that is free."""
    used = {game.table for game in begun if game.round == one.number}
    for game in one.games:
        wanted = tables[game.table - 1]
        table = wanted if wanted not in used else next((free for free in tables if free not in used), "")
        used.add(table)
        yield facts.ScheduledGame(one.number, game.pairing.players, table, game.dealer)
