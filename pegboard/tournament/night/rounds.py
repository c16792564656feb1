"""Decisions about the schedule: tables, draws (ring, two sides, team match; stored as drawn), moved games, rounds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Annotated

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts, request_fields
from pegboard.tournament.night.deciding import SCHEDULE, Choosing, Request, always, decision
from pegboard.tournament.night.night_state import (
    Night,
    require_open_cut,
    require_player,
    require_round,
    say_game_key,
    say_game_of,
)
from pegboard.tournament.schedule.ring import measure_field
from pegboard.tournament.schedule.schedule import DrawnRound, Schedule, one_side_stays, table_by_table
from pegboard.tournament.schedule.schedule import draw as draw_schedule

TABLE_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
"""Characters of a table's id, which is a user name at the MQTT broker."""


def _is_under_way(night: Night, game: facts.ScheduledGame) -> bool:
    return game.round in night.started and game.key not in night.games


MOVEMENTS = {facts.RING: "anchored ring", facts.SIDES: "one side stays", facts.MATCH: "table by table"}
"""Names of the movements, by rule; packages contain the version of the program that made the draw."""

SIDES = 2
"""Number of sides of a table: one player stays and one moves."""

FEWEST = 2
"""Minimum players for a game."""


def _draw_ring(night: Night, here: Sequence[PlayerId], begun: Sequence[facts.ScheduledGame]) -> Schedule:
    """Draw a ring, or a schedule that fits the earlier games; avoids games within a team or side if possible."""
    places = {table: number for number, table in enumerate(night.tables, 1)}
    return draw_schedule(
        here,
        night.rules.games,
        played=tuple(game.pairing for game in begun),
        dealers={game.key: game.deals_first for game in begun if game.deals_first},
        tables={game.key: places[game.table] for game in begun if game.table in places},
        missed={player: night.players[player].missed for player in here},
        planned=tuple(game.pairing for game in night.schedule.values() if game not in begun)
        if night.last_started_round
        else (),
        first_round=night.open_round,
        teams=_teams(night, here),
        last_round=_last_round(night, len(here)),
        seats=_find_seats(night, here, places),
        odd=night.rules.odd,
        names=night.names,
    )


def _find_seats(night: Night, here: Sequence[PlayerId], places: Mapping[facts.TableId, int]) -> dict[PlayerId, int]:
    """The tables of players who must stay at one: their current table, or else the first without such a player."""
    games = [game for game in night.schedule.values() if game.table in places]
    begun = sorted((game for game in games if has_begun(night, game)), key=lambda game: game.round)
    planned = sorted((game for game in games if game not in begun), key=lambda game: -game.round)
    sit = {player: places[game.table] for game in (*planned, *begun) for player in game.players}
    seats: dict[PlayerId, int] = {}
    for player in sorted((one for one in here if night.players[one].stays), key=lambda player: player not in sit):
        occupied = seats.values()
        wanted = sit.get(player, 0)
        seats[player] = wanted if wanted and wanted not in occupied else next(n for n in count(1) if n not in occupied)
    return seats


def require_drawable(night: Night) -> tuple[PlayerId, ...]:
    """The checked-in players, at least enough for one game.

    Raises:
        RuleError: fewer than two players are checked in.
    """
    here = night.present
    if len(here) < FEWEST:
        raise RuleError("night_too_few", count=len(here))
    return here


def _last_round(night: Night, players: int) -> int | None:
    """The last round of the event: latecomers make it no longer than the current field needs."""
    if not night.last_started_round:
        return None
    return max(night.last_round, measure_field(players, night.rules.games).rounds)


def has_begun(night: Night, game: facts.ScheduledGame) -> bool:
    """Whether a redraw keeps a game: it has a record, or its round has begun and both players are checked in."""
    if game.key in night.games:
        return True
    return game.round <= night.last_started_round and all(night.is_here(player) for player in game.players)


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


# --- teams and sides ---


def split_into_sides(night: Night, here: Sequence[PlayerId]) -> tuple[list[PlayerId], list[PlayerId]]:
    """Split the players into the side that stays and the side that moves: two teams, or else every other player.

    Teams may differ by one player. Players who must stay at one table join the side that stays, if possible.
    """
    staying = [player for player in here if night.players[player].stays]
    teams = {night.players[player].team for player in here}
    if len(teams) == SIDES:
        first = night.players[(staying or here)[0]].team
        one = [player for player in here if night.players[player].team == first]
        other = [player for player in here if player not in one]
        if abs(len(one) - len(other)) <= 1:
            return one, other
    if staying:
        order = [*staying, *(player for player in here if player not in staying)]
        half = (len(order) + 1) // SIDES
        return order[:half], order[half:]
    return list(here[::SIDES]), list(here[1::SIDES])


def _teams(night: Night, here: Sequence[PlayerId]) -> dict[PlayerId, str]:
    """Each player's team, if any; for the `SIDES` movement each player's side, and latecomers join the smaller one."""
    if night.rules.movement != facts.SIDES:
        return {player: team for player in here if (team := night.players[player].team)}
    sides = {player: str(side) for game in night.schedule.values() for side, player in enumerate(game.players)}
    for player in here:
        counts = [sum(sides.get(one) == str(side) for one in here) for side in range(SIDES)]
        sides.setdefault(player, str(counts.index(min(counts))))
    return {player: sides[player] for player in here}


def _draw_match(night: Night, begun: Sequence[facts.ScheduledGame]) -> Schedule:
    """Draw the games of a team match that have not begun: seated pairs stay, and substitutes take the free seats.

    Raises:
        RuleError: no game has begun, and there are not two teams of equal size.
    """
    home, away = _two_teams(night, must=not begun)
    together = _seated_pairs(night)
    seated = {player for pair in together.values() for player in pair}
    alone = zip(*([one for one in team if one not in seated] for team in (home, away)), strict=False)
    free = (table for table in count(1) if table not in together)
    fresh = dict(zip(free, alone, strict=False))
    pairs, stand = together | fresh, {game.key for game in begun}
    rounds = []
    for one in table_by_table(pairs, partial(_games_at, night)):
        games = [game for game in one.games if game.pairing.key not in stand]
        late = one.number < night.open_round
        rounds.append(replace(one, games=tuple(game for game in games if not (late and game.table in fresh))))
    return Schedule(tuple(one for one in rounds if one.games))


def _games_at(night: Night, table: int) -> int:
    """The number of games of a team match at a table, by table number."""
    of_tables = night.rules.table_games
    return of_tables[table - 1] if table <= len(of_tables) else night.rules.games


def _two_teams(night: Night, *, must: bool) -> list[list[PlayerId]]:
    """The checked-in players of both teams of a match, in roster order, which is the captains' order."""
    teams: dict[str, list[PlayerId]] = {team: [] for team in night.teams}
    for player in night.present:
        teams.setdefault(night.players[player].team, []).append(player)
    here = {team: players for team, players in teams.items() if players}
    if must and (len(here) != SIDES or "" in here or len(set(map(len, here.values()))) != 1):
        counts = ", ".join(f"{team or '?'} {len(players)}" for team, players in here.items())
        raise RuleError("movement_match_teams", teams=counts)
    return [*(teams[team] for team in night.teams), [], []][:SIDES]


def _seated_pairs(night: Night) -> dict[int, tuple[PlayerId, PlayerId]]:
    """Pairs that were drawn together and are both checked in, by table number."""
    places = {table: number for number, table in enumerate(night.tables, 1)}
    return {
        places[game.table]: game.players
        for game in night.schedule.values()
        if game.table in places and all(night.is_here(player) for player in game.players)
    }


# --- tables ---


def _tables(night: Night, rounds: Iterable[DrawnRound]) -> tuple[list[facts.TableId], tuple[facts.TableAdded, ...]]:
    """The tables in order, and the paper tables added because a round needs more."""
    tables, made = list(night.tables), []
    needed = max((game.table for one in rounds for game in one.games), default=0)
    labels = {table.label for table in night.tables.values()}
    used = {*night.tables, *night.former_boards}
    number = 1
    while len(tables) < needed:
        if f"t{number}" not in used and str(number) not in labels:
            made.append(facts.TableAdded(f"t{number}", str(number), "paper"))
            tables.append(f"t{number}")
        number += 1
    return tables, tuple(made)


def _place(
    one: DrawnRound, begun: Iterable[facts.ScheduledGame], tables: Sequence[facts.TableId]
) -> Iterable[facts.ScheduledGame]:
    """The games of a round at their tables; if a game's table is in use, it goes to the first free table."""
    used = {game.table for game in begun if game.round == one.number}
    for game in one.games:
        wanted = tables[game.table - 1]
        table = wanted if wanted not in used else next((free for free in tables if free not in used), "")
        used.add(table)
        yield facts.ScheduledGame(one.number, game.pairing.players, table, game.dealer)


# --- decisions about tables ---


def _add_table(night: Night, fact: facts.TableAdded) -> Night:
    return replace(night, tables={**night.tables, fact.table: fact})


@decision("add_table", facts.TableAdded, example={"table": "t4", "label": "4", "kind": "board"})
class AddTable(Request):
    """Add a table; if it has no label, the first free number is its label."""

    table: request_fields.TableRef
    label: Annotated[str, request_fields.text("the table's name", most=12)] = ""
    kind: Annotated[str, request_fields.word("how the table is scored", ("board", "paper"))] = "board"

    def choose(self, night: Night, _: Choosing) -> facts.TableAdded:
        """The table with its label."""
        labels = {table.label for table in night.tables.values()}
        free = next(str(number) for number in range(1, len(labels) + 2) if str(number) not in labels)
        return facts.TableAdded(self.table, self.label.strip() or free, self.kind)

    @staticmethod
    def check(night: Night, fact: facts.TableAdded) -> None:
        """Refuse an id or label in use, an invalid id, and a paper table with the id of a former board."""
        if fact.table in night.tables:
            raise Already("night_table_there", label=night.label(fact.table))
        if not fact.table or set(fact.table) - TABLE_LETTERS:
            raise RuleError("night_table_id", table=repr(fact.table))
        if fact.kind == "paper" and fact.table in night.former_boards:
            raise RuleError("night_table_was_board", table=fact.table)
        if any(fact.label == other.label for other in night.tables.values()):
            raise RuleError("night_label_twice", label=fact.label)

    @staticmethod
    def apply(night: Night, fact: facts.TableAdded, _: int) -> Night:
        """The event with the table."""
        return _add_table(night, fact)

    @staticmethod
    def say(_: Night, fact: facts.TableAdded) -> Message:
        """A sentence with the label of the table."""
        return Message("night_did_add_table", label=fact.label)


@decision("remove_table", facts.TableRemoved, about="table", example={"table": "t4"})
class RemoveTable(Request):
    """Remove a table at which no game is under way."""

    table: request_fields.TableRef

    @staticmethod
    def check(night: Night, fact: facts.TableRemoved) -> None:
        """Refuse an unknown table, and a table in use."""
        if fact.table not in night.tables:
            raise RuleError("night_no_table", table=fact.table)
        begun = [game for game in night.schedule.values() if game.table == fact.table and _is_under_way(night, game)]
        if begun:
            raise RuleError(
                "night_table_in_use", label=night.label(fact.table), game=say_game_of(night, begun[0].pairing)
            )

    @staticmethod
    def apply(night: Night, fact: facts.TableRemoved, _: int) -> Night:
        """The event without the table."""
        return replace(night, tables={table: one for table, one in night.tables.items() if table != fact.table})

    @staticmethod
    def say(night: Night, fact: facts.TableRemoved) -> Message:
        """A sentence with the label of the table."""
        return Message("night_did_remove_table", label=night.label(fact.table))


# --- decisions about the schedule ---


@decision("draw", facts.ScheduleDrawn, needs_base=True, before_cut=True)
class Draw(Request):
    """Draw the schedule for the checked-in players; games that have begun stay unchanged."""

    topics = changes = always(SCHEDULE)

    def choose(self, night: Night, choosing: Choosing) -> facts.ScheduleDrawn:
        """The whole schedule.

        Raises:
            RuleError: fewer than two players are checked in, or the movement is impossible: a match needs two teams.
        """
        here = tuple(choosing.shuffle(require_drawable(night)))
        begun = [game for game in night.schedule.values() if has_begun(night, game)]
        if night.rules.movement == facts.MATCH:
            drawn = _draw_match(night, begun)
        elif night.rules.movement == facts.SIDES and not begun:
            drawn = one_side_stays(*split_into_sides(night, here), night.rules.games)
        else:
            drawn = _draw_ring(night, here, begun)
        tables, made = _tables(night, drawn.rounds)
        games = [*begun, *(game for one in drawn.rounds for game in _place(one, begun, tables))]
        return facts.ScheduleDrawn(
            tuple(sorted(games, key=lambda game: game.round)),
            (*_past_sit_outs(night, drawn.rounds), *_sit_outs(drawn.rounds)),
            tuple(remark.as_json() for remark in drawn.remarks),
            MOVEMENTS[night.rules.movement],
            made,
        )

    @staticmethod
    def check(night: Night, fact: facts.ScheduleDrawn) -> None:
        """Refuse a closed cutoff, unknown players, a player twice in a round, and a draw that drops a recorded game."""
        require_open_cut(night)
        seen: set[tuple[int, str]] = set()
        for game in fact.games:
            for player in game.players:
                require_player(night, player)
                if (game.round, player) in seen:
                    raise RuleError("night_drawn_twice", name=night.name(player), round=game.round)
                seen.add((game.round, player))
        drawn = {game.key for game in fact.games}
        for key, state in night.games.items():
            if key not in drawn:
                raise RuleError("night_draw_drops", game=say_game_of(night, state.pairing))

    @staticmethod
    def apply(night: Night, fact: facts.ScheduleDrawn, _: int) -> Night:
        """The event with this schedule and the tables it needs."""
        sit_outs: dict[int, tuple[str, ...]] = {}
        for rest in fact.rests:
            sit_outs[rest.round] = (*sit_outs.get(rest.round, ()), rest.player)
        for table in fact.tables:
            night = _add_table(night, table)
        games = {game.key: game for game in sorted(fact.games, key=lambda game: game.round)}
        return replace(night, schedule=games, sit_outs=sit_outs, remarks=fact.remarks)

    @staticmethod
    def say(_: Night, fact: facts.ScheduleDrawn) -> Message:
        """A sentence with the numbers of games and rounds."""
        rounds = {game.round for game in fact.games}
        return Message("night_did_draw", games=len(fact.games), rounds=len(rounds))


@decision("move_game", facts.GameMoved, about="game", example={"game": "r3:p1-p7", "table": "t2"})
class MoveGame(Request):
    """Move a game to another table."""

    game: request_fields.GameRef
    table: request_fields.TableRef

    changes = always(SCHEDULE)

    @staticmethod
    def check(night: Night, fact: facts.GameMoved) -> None:
        """Refuse an unknown game or table, a closed cutoff, and the same table."""
        game = night.find_game(fact.game)
        if game is None:
            raise RuleError("night_no_game", game=fact.game)
        if fact.table not in night.tables:
            raise RuleError("night_no_table", table=fact.table)
        require_open_cut(night)
        if game.table == fact.table:
            raise Already("night_table_same", label=night.label(fact.table))

    @staticmethod
    def apply(night: Night, fact: facts.GameMoved, _: int) -> Night:
        """The event with the game at its new table."""
        game = night.schedule.get(fact.game)
        if game is None:
            return night
        return replace(night, schedule={**night.schedule, fact.game: replace(game, table=fact.table)})

    @staticmethod
    def say(night: Night, fact: facts.GameMoved) -> Message:
        """The game and its new table."""
        return Message("night_did_move", game=say_game_key(night, fact.game), label=night.label(fact.table))


@decision("start_round", facts.RoundStarted, about="round", example={"round": 1})
class StartRound(Request):
    """Start a round."""

    round: Annotated[int, request_fields.number("the round", 1, request_fields.MAX_ROUNDS)]

    @staticmethod
    def check(night: Night, fact: facts.RoundStarted) -> None:
        """Refuse a round that is not drawn, and a round that has begun."""
        require_round(night, fact.round)
        if fact.round in night.started:
            raise Already("night_round_begun", round=fact.round)

    @staticmethod
    def apply(night: Night, fact: facts.RoundStarted, _: int) -> Night:
        """The event with the round begun."""
        return replace(night, started=night.started | {fact.round})

    @staticmethod
    def say(_: Night, fact: facts.RoundStarted) -> Message:
        """A sentence with the number of the round."""
        return Message("night_did_start_round", round=fact.round)
