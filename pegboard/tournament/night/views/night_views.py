"""JSON views of an event for its pages: director's desk, big screen, each player's own page; log, announcements.

Sentences are messages with key, values and English text; each button says whether it is enabled, and if not, why. The
parts that all players share are built once (`shared_view`).
"""

from functools import partial
from typing import Any, Final

from pegboard.errors import PegboardError
from pegboard.messages import Message
from pegboard.tournament.calls import EMPTY_CALLS, OpenCalls
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts, results_decided
from pegboard.tournament.night.deciding import check, find_refusal
from pegboard.tournament.night.decisions import say_decision, word_of
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import GameFacts, Night, Role, StoredDecision, require_player
from pegboard.tournament.night.rounds import FEWEST
from pegboard.tournament.night.views import game_view, people_view, play_off_view, standing_view
from pegboard.tournament.night.views.actions import (
    POSSIBLE,
    ActionJson,
    Actions,
    action,
    as_action,
    night_actions,
    say,
    say_or_none,
)
from pegboard.tournament.night.views.standing_view import differs_from_end
from pegboard.tournament.night.views.view_types import (
    AnnouncementJson,
    AuthorJson,
    CardRowJson,
    DepartureJson,
    DeskJson,
    EventGameJson,
    FeeJson,
    FieldJson,
    LogLineJson,
    NextGameJson,
    OpenedEventJson,
    Phase,
    PlayersPageJson,
    ScreenJson,
    ViewJson,
)
from pegboard.tournament.pairings import GameKey
from pegboard.tournament.results.claims import Claim, GameRecord
from pegboard.tournament.results.score_cards import ScoreCardTotals
from pegboard.tournament.schedule.ring import measure_field
from pegboard.tournament.schedule.schedule import Remark
from pegboard.values import write

# --- log of an event (audit trail): decisions in words, newest first, with author and whether each still counts ---


NEWEST = 30
"""Log entries that the director's desk shows at once."""


def list_trail(night: Night, most: int | None = NEWEST) -> list[LogLineJson]:
    """The newest log entries, newest first; all of them if `most` is None."""
    rows = night.rows if most is None else night.rows[-most:]
    return [_trail_line(night, row) for row in reversed(rows)]


def _trail_line(night: Night, row: StoredDecision) -> LogLineJson:
    undone_by = night.undone.get(row.number)
    return {
        "number": row.number,
        "at": row.at,
        "by": author_as_json(row),
        "do": word_of(row.decision),
        "said": say(say_decision(night, row.decision)),
        "stands": undone_by is None,
        "undone_by": undone_by,
        "actions": {"undo": undo_action(night, row.number)},
    }


def author_as_json(row: StoredDecision) -> AuthorJson:
    """A decision's author."""
    return {"role": row.by.role, "name": row.by.name}


def undo_action(night: Night, number: int) -> ActionJson:
    """The button that undoes a decision; later decisions that depend on it are checked only when it is pressed."""
    return as_action(find_refusal(partial(check, night, facts.DecisionUndone(number))))


def list_announcements(night: Night) -> list[AnnouncementJson]:
    """Announcements, newest first."""
    rows = {row.number: row for row in night.rows}
    return [
        {
            "number": number,
            "at": rows[number].at,
            "text": fact.text,
            "by": rows[number].by.name if rows[number].by.role is Role.DIRECTOR else "",
            "actions": {"undo": undo_action(night, number)},
        }
        for number, fact in reversed(night.announcements)
    ]


def list_departures(night: Night) -> list[DepartureJson]:
    """Decisions that today's limits would refuse, with the reasons; they still count."""
    departures: list[DepartureJson] = [{"number": one.number, "why": say(one.why)} for one in night.departures]
    if differs_from_end(night):
        ends = (row.number for row in night.active_rows() if isinstance(row.decision, facts.NightEnded))
        departures.append({"number": max(ends, default=0), "why": say(Message("night_standings_differ"))})
    return departures


VERSION = 1
"""Version of the views' JSON structure."""

OPENING = 1
"""The number of the decision that opens an event."""

NOT_OPEN: Final = "none"
"""The phase of an event that is not opened yet or was canceled."""

FOR_DIRECTORS = frozenset({"actions", "rulings", "decisions"})
"""Members shown only to directors."""


def director_view(night: Night, calls: OpenCalls = EMPTY_CALLS) -> DeskJson:
    """The director's view: everything, with every button."""
    labels = {table.table: table.label for table in night.tables.values()}
    return {
        "view": "director",
        "version": VERSION,
        "revision": night.revision,
        "night": night_as_json(night),
        "actions": night_actions(night),
        "names": night.names,
        "people": people_view.count_people(night),
        "players": people_view.list_players(night),
        "tables": game_view.list_tables(night),
        "rounds": game_view.list_rounds(night),
        "field": _field(night),
        "remarks": [say(Remark.from_json(remark).say(night.names)) for remark in night.remarks],
        "waiting": people_view.list_waiting(night),
        "standings": standing_view.list_standings(night),
        "teams": standing_view.list_teams(night),
        "totals": standing_view.totals_of_night(night),
        "cut": standing_view.cut_as_json(night),
        "brackets": play_off_view.list_brackets(night),
        "consolations": play_off_view.list_consolations(night),
        "pots": play_off_view.list_pots(night),
        "money": people_view.money_as_json(night),
        "announcements": list_announcements(night),
        "calls": calls.as_json(labels),
        "audit": list_trail(night),
        "departures": list_departures(night),
    }


def _field(night: Night) -> FieldJson | None:
    """Preview of a draw for the checked-in players; None if there are fewer than two."""
    players = len(night.present)
    if players < FEWEST:
        return None
    measure = measure_field(players, night.rules.games)
    return {
        "players": players,
        "games": measure.games,
        "possible": measure.possible,
        "rounds": measure.rounds,
        "rounds_one_fewer": measure.rounds_one_fewer,
        "needs_rematches": measure.needs_rematches,
    }


def audit_lines(night: Night) -> list[LogLineJson]:
    """Every log entry, newest first."""
    return list_trail(night, None)


def shared_view(night: Night) -> ViewJson:
    """The parts that all players and the big screen see."""
    return {
        "version": VERSION,
        "revision": night.revision,
        "night": night_as_json(night),
        "names": night.names,
        "standings": standing_view.list_standings(night),
        "teams": standing_view.list_teams(night),
        "cut": without(standing_view.cut_as_json(night), FOR_DIRECTORS),
        "brackets": without(play_off_view.list_brackets(night), FOR_DIRECTORS),
        "announcements": without(list_announcements(night), FOR_DIRECTORS),
    }


def screen_view(night: Night, shared: ViewJson | None = None) -> ScreenJson:
    """The big screen: current or next rounds, tables, standings, brackets; never the players who owe money."""
    rounds = game_view.list_rounds(night)
    shown = [one for one in rounds if one["state"] == "running"]
    shown = shown or [one for one in rounds if one["state"] != "done"][:1] or rounds[-1:]
    return {
        "view": "screen",
        **(shared or shared_view(night)),
        "rounds": without(shown, FOR_DIRECTORS),
        "tables": without(game_view.list_tables(night), FOR_DIRECTORS),
        "sitting_out": shown[-1]["sitting_out"] if shown else [],
        "next": {player: people_view.next_of(night, player) for player in night.present},
        "pots": [{"pot": pot["pot"], "name": pot["name"], "sum": pot["sum"]} for pot in play_off_view.list_pots(night)],
        "waiting": people_view.list_waiting(night),
    }


def player_view(night: Night, player: PlayerId, shared: ViewJson | None = None) -> PlayersPageJson:
    """A player's own page: where to go next, the card, the standings.

    Args:
        night: the current state.
        player: the page's player.
        shared: the event's `shared_view`, if already built.

    Raises:
        RuleError: there is no such player.
    """
    one = require_player(night, player)
    shared = shared or shared_view(night)
    following = people_view.next_of(night, player)
    return {
        "view": "player",
        **shared,
        "me": {**people_view.player_as_json(one), "fee": _fee(night, player)},
        "actions": _player_actions(night, player, following),
        "next": following,
        "ahead": None if following else say_or_none(play_off_view.next_step_message(night, player)),
        "now": _now(night, following),
        "sits_out": _sits_out(night, player),
        "card": _card(night, player),
        "totals": standing_view.totals_as_json(_totals(night, player)),
        "standing": next((row for row in shared["standings"] if row["player"] == player), None),
        "my_pots": [name for name, pot in night.pots.items() if any(entry.player == player for entry in pot.entries)],
    }


def night_as_json(night: Night) -> OpenedEventJson:
    """The event itself: name, rules, phase and progress."""
    games, done = game_view.count_done(night)
    return {
        "name": night.opening.name if night.opening else "",
        "date": night.opening.date if night.opening else "",
        "phase": phase_of(night),
        "registration_open": night.registration_open,
        "rules": write(night.rules),
        "round": current_round(night),
        "rounds": night.last_round,
        "games": games,
        "games_done": done,
        "cut_closed": night.cut is not None,
        "ended": night.ended is not None,
        "called_off_by": None if night.opened else night.undone.get(OPENING),
    }


def phase_of(night: Night) -> Phase:
    """The phase of an event, in one word."""
    if night.opened is None:
        return NOT_OPEN
    if night.ended is not None:
        return "ended"
    if night.cut is not None:
        return "bracket" if night.brackets else "cut"
    if not night.schedule:
        return "registration"
    if not report(night).open_games:
        return "played"
    return "playing" if night.started or night.games else "drawn"


def current_round(night: Night) -> int:
    """The first round with an open game; the last round if there is none."""
    rounds = [report(night).records[key].pairing.round for key in report(night).open_games]
    return min(rounds, default=night.last_round)


def without(value: Any, names: frozenset[str]) -> Any:
    """Remove members with these names from a JSON value, at any depth."""
    if isinstance(value, dict):
        return {name: without(one, names) for name, one in value.items() if name not in names}
    return [without(one, names) for one in value] if isinstance(value, list) else value


# --- a player's own page ---


def _totals(night: Night, player: PlayerId) -> ScoreCardTotals:
    card = report(night).cards.get(player)
    return card.totals if card else ScoreCardTotals()


def _fee(night: Night, player: PlayerId) -> FeeJson:
    account = next((one for one in people_view.fee_ledger(night).accounts if one.player == player), None)
    return {"due": account.due if account else 0, "paid": account.paid if account else 0}


def _player_actions(night: Night, player: PlayerId, following: NextGameJson | None) -> Actions:
    claim = confirm = as_action(PegboardError("night_nothing_to_play"))
    if following is not None:
        won = facts.ResultClaimed(following["game"], player, Claim(won=True, margin=1))
        busy = find_refusal(partial(results_decided.require_no_earlier_open_game, night, following["game"]))
        confirm = as_action(busy or find_refusal(partial(_try_to_confirm, night, following["game"], player)))
        claim = action(night, won) if busy is None else as_action(busy)
    return {
        "check_in": action(night, facts.CheckedIn((player,))),
        "claim": claim,
        "confirm": confirm,
        "call": POSSIBLE,
    }


def _try_to_confirm(night: Night, game: GameKey, player: PlayerId) -> None:
    check(night, results_decided.find_confirmation(night, game, player))


def _now(night: Night, following: NextGameJson | None) -> EventGameJson | None:
    if following is None:
        return None
    found: EventGameJson = without(game_view.game_as_json(night, following["game"], None), FOR_DIRECTORS)
    return found


def _sits_out(night: Night, player: PlayerId) -> int | None:
    """The current round if the player sits it out, by the draw; None otherwise."""
    round_number = night.last_started_round
    is_played = any(report(night).records[key].pairing.round == round_number for key in report(night).open_games)
    return round_number if is_played and player in night.sit_outs.get(round_number, ()) else None


def _card(night: Night, player: PlayerId) -> list[CardRowJson]:
    records = report(night).records.values()
    return [_card_row(night, record, player) for record in records if player in record.pairing.players]


def _card_row(night: Night, record: GameRecord, player: PlayerId) -> CardRowJson:
    place = record.pairing.players.index(player)
    drawn = night.schedule.get(record.key)
    mismatch = game_view.find_game_mismatch(night, record)
    state = night.games.get(record.key) or GameFacts(record.pairing)
    return {
        "round": record.pairing.round,
        "game": record.key,
        "against": record.pairing.players[1 - place],
        "table": drawn.table if drawn else "",
        "label": night.label(drawn.table) if drawn and drawn.table else "",
        "deals_first": drawn is not None and drawn.deals_first == player,
        "state": game_view.state_of_game(night, record, state, mismatch),
        "claim": game_view.claim_as_json(record.claims[place]),
        "other_claim": game_view.claim_as_json(record.claims[1 - place]),
        "value": game_view.value_as_json(record.values[place]),
        "mismatch": say_or_none(mismatch.said if mismatch else None),
    }
