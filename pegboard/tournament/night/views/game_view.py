"""JSON views of an event's games (claims, rulings, buttons), rounds and tables; next games, waiting players."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pegboard.errors import PegboardError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.facts import ScheduledGame, TableId
from pegboard.tournament.night.night_report import find_apparent_qualifiers, find_qualifiers_with, report
from pegboard.tournament.night.night_state import GameFacts, Night, Presence, say_game_of
from pegboard.tournament.night.results_decided import find_claim_to_confirm
from pegboard.tournament.night.views.actions import POSSIBLE, Actions, action, as_action, say_or_none
from pegboard.tournament.night.views.view_types import (
    ClaimJson,
    EventGameJson,
    EventTableJson,
    GameState,
    ReportJson,
    RoundJson,
    RoundState,
    RulingChoiceJson,
    RulingJson,
    ValueJson,
)
from pegboard.tournament.pairings import GameKey
from pegboard.tournament.results.claims import (
    Claim,
    DecidedBy,
    GameRecord,
    Mismatch,
    Value,
    Values,
    find_mismatch,
    find_wrong_margin,
)
from pegboard.tournament.results.rulings import RulingChoice, qualifying_notice, ruling_choices, say_award

# --- next games of players and tables, and waiting players ---


@dataclass(frozen=True, slots=True)
class NextGames:
    """The next games.

    Attributes:
        of_player: the first open game of each checked-in player.
        of_table: the first open game of each table.
        waiting: for each checked-in player who cannot play now, the reason.
    """

    of_player: Mapping[PlayerId, ScheduledGame]
    of_table: Mapping[TableId, ScheduledGame]
    waiting: Mapping[PlayerId, Message]


@lru_cache(maxsize=8)
def find_next_games(night: Night) -> NextGames:
    """The next games of an event; cached per event state."""
    of_player: dict[PlayerId, ScheduledGame] = {}
    of_table: dict[TableId, ScheduledGame] = {}
    for key in report(night).open_games:
        game = night.schedule.get(key)
        if game is not None:
            for player in game.players:
                of_player.setdefault(player, game)
            if game.table:
                of_table.setdefault(game.table, game)
    here = {player: game for player, game in of_player.items() if night.is_here(player)}
    found = NextGames(here, of_table, {})
    return NextGames(here, of_table, _find_waiting(night, found, of_player))


def _find_waiting(
    night: Night, found: NextGames, of_player: Mapping[PlayerId, ScheduledGame]
) -> dict[PlayerId, Message]:
    waiting = {}
    for player in night.present:
        why = _why_waiting(night, player, found, of_player)
        if why is not None:
            waiting[player] = why
    return waiting


def _why_waiting(
    night: Night, player: PlayerId, found: NextGames, of_player: Mapping[PlayerId, ScheduledGame]
) -> Message | None:
    """The reason why a player cannot play now; None if they can, or have no game left."""
    game = of_player.get(player)
    if game is None:
        return None
    name = night.name(player)
    other = next(one for one in game.players if one != player)
    if night.players[other].presence is Presence.ENTERED:
        return Message("night_waits_missing", name=name, other=night.name(other))
    busy = of_player.get(other)
    if busy is not None and busy.key != game.key and busy.round <= night.last_started_round:
        return Message("night_waits_busy", name=name, other=night.name(other), round=busy.round)
    at_table = found.of_table.get(game.table)
    if at_table is not None and at_table.key != game.key and at_table.round <= night.last_started_round:
        return Message("night_waits_table", name=name, label=night.label(game.table))
    if player in night.sit_outs.get(game.round - 1, ()) and game.round not in night.started:
        return Message("night_waits_rests", name=name, round=game.round - 1)
    return None


STATES: Mapping[DecidedBy, GameState] = {
    DecidedBy.CLAIMS: "agreed",
    DecidedBy.SHEET: "agreed",
    DecidedBy.RULING: "ruled",
    DecidedBy.AWARD: "awarded",
}
"""States of settled games by the source of their values; forfeits are handled separately."""

DONE = ("agreed", "ruled", "awarded", "forfeited", "void")
"""Final states of a game."""

STATES_BEFORE_START = ("half", "drawn", "awarded", "forfeited", "void")
"""States of games that do not start a round by themselves; a single card (`half`) does not."""


def list_rounds(night: Night) -> list[RoundJson]:
    """Every round with its games, in order."""
    games: dict[int, list[EventGameJson]] = {}
    closed = find_results_lock(night)
    for key, record in report(night).records.items():
        games.setdefault(record.pairing.round, []).append(game_as_json(night, key, closed))
    return [_round(night, number, games[number]) for number in sorted(games)]


def _round(night: Night, number: int, games: list[EventGameJson]) -> RoundJson:
    return {
        "round": number,
        "state": state_of_round(night, number, games),
        "games": games,
        "sitting_out": list(night.sit_outs.get(number, ())),
        "actions": {"start_round": action(night, facts.RoundStarted(number))},
    }


def state_of_round(night: Night, number: int, games: list[EventGameJson]) -> RoundState:
    """The state of a round: "drawn", "running" or "done"."""
    if all(game["state"] in DONE for game in games):
        return "done"
    begun = number in night.started or any(game["state"] not in STATES_BEFORE_START for game in games)
    return "running" if begun else "drawn"


# --- one game ---


def find_results_lock(night: Night) -> PegboardError | None:
    """The reason why no result can change now; None if results can change."""
    if night.ended is not None:
        return PegboardError("night_ended")
    return None if night.cut is None else PegboardError("night_cut_closed")


def game_as_json(night: Night, key: GameKey, closed: PegboardError | None) -> EventGameJson:
    """A game with its place, both claims, both values, any mismatch, its rulings and its buttons."""
    record, drawn = report(night).records[key], night.schedule.get(key)
    state, mismatch = night.games.get(key) or GameFacts(record.pairing), find_game_mismatch(night, record)
    return {
        "game": key,
        "round": record.pairing.round,
        "table": drawn.table if drawn else "",
        "label": night.label(drawn.table) if drawn and drawn.table in night.tables else "",
        "players": list(record.pairing.players),
        "deals_first": drawn.deals_first if drawn else "",
        "dealer": find_dealer(night, drawn) if drawn else "",
        "state": state_of_game(night, record, state, mismatch),
        "claims": [claim_as_json(claim) for claim in record.claims],
        "confirmed": list(state.at_table),
        "report": _report(state),
        "values": [value_as_json(value) for value in record.values],
        "source": record.decided_by,
        "mismatch": say_or_none(mismatch.said if mismatch else None),
        "rulings": _rulings(night, record) if mismatch else [],
        "ruling": _ruling(state),
        "award": say_or_none(say_award(record, night.names)),
        "decisions": list(state.decisions),
        "actions": _game_actions(night, record, state, closed),
    }


def state_of_game(night: Night, record: GameRecord, state: GameFacts, mismatch: Mismatch | None) -> GameState:
    """The state of a game, in one word."""
    if record.settled:
        return "forfeited" if isinstance(state.verdict, facts.GameForfeited) else STATES[record.decided_by]
    if mismatch is not None:
        return "mismatch"
    if any(night.has_left(player) for player in record.pairing.players):
        return "void"
    if any(record.claims) or record.sheet is not None:
        return "half"
    return "running" if record.pairing.round in night.started else "drawn"


def find_dealer(night: Night, game: facts.ScheduledGame) -> str:
    """Name of the first dealer: the partners of a pair take turns; "" if no dealer was drawn."""
    dealer = night.players.get(game.deals_first)
    if dealer is None or not dealer.partner:
        return dealer.name if dealer else ""
    before = sum(one.deals_first == game.deals_first and one.round < game.round for one in night.schedule.values())
    return dealer.partner if before % 2 else dealer.name


def find_game_mismatch(night: Night, record: GameRecord) -> Mismatch | None:
    """How the cards of an open game disagree with each other or with the table's score sheet; None if they do not."""
    if record.settled:
        return None
    names = night.names
    return find_mismatch(record, names) or find_wrong_margin(record, names)


def claim_as_json(claim: Claim | None) -> ClaimJson | None:
    """A card's claim, or None; fields that nobody wrote are left out."""
    if claim is None:
        return None
    found: ClaimJson = {"won": claim.won, "margin": claim.margin}
    if claim.column is not None:
        found["column"] = claim.column
    if claim.points is not None:
        found["points"] = claim.points
    return found


def value_as_json(value: Value | None) -> ValueJson | None:
    """A game's value for one player."""
    return None if value is None else _value(value)


def _value(value: Value) -> ValueJson:
    return {"points": value.points, "net": value.net}


def _report(state: GameFacts) -> ReportJson | None:
    received = state.report
    if received is None:
        return None
    return {"winner": received.winner, "margin": received.margin, "source": "board", "table": received.table}


def _rulings(night: Night, record: GameRecord) -> list[RulingChoiceJson]:
    qualifiers = find_apparent_qualifiers(night, record.key)
    choices = ruling_choices(record, qualifiers, night.rules.points, night.names)
    return [_ruling_choice(night, record.key, choice) for choice in choices]


def _ruling_choice(night: Night, key: GameKey, choice: RulingChoice) -> RulingChoiceJson:
    return {
        "letter": choice.letter,
        "possible": choice.possible,
        "why": say_or_none(choice.why_not),
        "values": None if choice.values is None else [_value(value) for value in choice.values],
        "said": say_or_none(choice.said),
        "notice": None if choice.values is None else say_or_none(_qualifying_notice(night, key, choice.values)),
    }


def _qualifying_notice(night: Night, key: GameKey, values: Values) -> Message | None:
    """Notice to the director that a ruling changes who apparently qualifies (ACC 12.2 i)."""
    both = (find_apparent_qualifiers(night, key), find_qualifiers_with(night, key, values))
    before, after = ([player for player in night.players if player in found] for found in both)
    return qualifying_notice(before, after, night.names)


def _ruling(state: GameFacts) -> RulingJson | None:
    if not isinstance(state.verdict, facts.ResultRuled):
        return None
    return {"letter": state.verdict.letter, "note": state.verdict.note}


def _game_actions(night: Night, record: GameRecord, state: GameFacts, closed: PegboardError | None) -> Actions:
    """The buttons of a game; if no result can change, all are disabled for the same reason."""
    if closed is not None:
        shut = as_action(closed)
        return dict.fromkeys(("paper_result", "claim", "confirm", "rule", "award", "forfeit", "move_game"), shut)
    decided = None
    if state.verdict is not None:
        decided = PegboardError("night_decided_already", game=say_game_of(night, record.pairing))
    to_confirm = any(
        state.claims[place] is None and find_claim_to_confirm(state, player)
        for place, player in enumerate(record.pairing.players)
    )
    confirm = decided or (None if to_confirm else PegboardError("night_nothing_to_confirm"))
    return {
        "paper_result": POSSIBLE,
        "claim": as_action(decided),
        "confirm": as_action(confirm),
        "rule": POSSIBLE,
        "award": POSSIBLE,
        "forfeit": POSSIBLE,
        "move_game": POSSIBLE if len(night.tables) > 1 else as_action(PegboardError("night_one_table")),
    }


# --- tables ---


def list_tables(night: Night) -> list[EventTableJson]:
    """Every table with its current or next game."""
    return [_table(night, table) for table in night.tables.values()]


def _table(night: Night, table: facts.TableAdded) -> EventTableJson:
    game = find_next_games(night).of_table.get(table.table)
    return {
        "table": table.table,
        "label": table.label,
        "kind": table.kind,
        "game": game.key if game else None,
        "state": "free" if game is None else _state_by_key(night, game.key),
        "actions": {"remove_table": action(night, facts.TableRemoved(table.table))},
    }


def _state_by_key(night: Night, key: GameKey) -> GameState:
    record = report(night).records[key]
    state = night.games.get(key) or GameFacts(record.pairing)
    return state_of_game(night, record, state, find_game_mismatch(night, record))


def count_done(night: Night) -> tuple[int, int]:
    """The number of games (settled or open) and the number of settled games; void games are not counted."""
    derived = report(night)
    done = sum(record.settled for record in derived.records.values())
    return done + len(derived.open_games), done
