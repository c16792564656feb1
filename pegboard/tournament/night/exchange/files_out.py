"""Export of an event as CSV (roster, games, score cards, standings, brackets, pots) and as JSON with all decisions."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.decisions import as_row
from pegboard.tournament.night.exchange.csv_text import write_csv
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.pots import pot_name, total_of
from pegboard.tournament.night.views.game_view import claim_as_json
from pegboard.tournament.night.views.standing_view import list_standings
from pegboard.tournament.playoffs.bracket import MatchState
from pegboard.tournament.pots.money import money
from pegboard.tournament.results.claims import Claim, GameRecord, Value
from pegboard.values import write

Cell: TypeAlias = str | int
Json: TypeAlias = dict[str, Any]

FORMAT = "pegboard-night/1"
"""The value of `format` in the JSON file."""


def roster_csv(night: Night) -> str:
    """The roster as CSV, which `read_roster` can import."""
    header = ("id", "name", "number", "team", "partner", "state", "walk_up", "late", "free", "stays", "paid")
    rows = [
        (
            *(one.player, one.name, one.number, one.team, one.partner, str(one.presence)),
            *(_word(one.walk_up), _word(one.late), _word(one.free), _word(one.stays)),
            money(night.payments.get(one.player, 0)),
        )
        for one in night.players.values()
    ]
    return write_csv([header, *rows])


def results_csv(night: Night) -> str:
    """Every game with both claims and both values."""
    header = (
        *("game", "round", "table", "player", "opponent", "player_claims", "opponent_claims"),
        *("player_points", "player_net", "opponent_points", "opponent_net", "decided_by", "rule"),
    )
    return write_csv([header, *(_game_row(night, record) for record in report(night).records.values())])


def _game_row(night: Night, record: GameRecord) -> Iterator[Cell]:
    one, other = record.pairing.players
    drawn = night.schedule.get(record.key)
    yield from (record.key, record.pairing.round, night.label(drawn.table) if drawn and drawn.table else "")
    yield from (night.name(one), night.name(other), *(_claim(claim) for claim in record.claims))
    for value in record.values:
        yield from _value(value)
    yield from (str(record.decided_by), record.rule)


def cards_csv(night: Night) -> str:
    """Every score card, game by game."""
    header = ("player", "number", "round", "opponent", "claim", "points", "plus", "minus", "decided_by", "rule")
    rows = [
        (
            *(night.name(player), _number(night, player), row.round, night.name(row.opponent), _claim(row.claim)),
            *((row.value.points, row.value.plus, row.value.minus) if row.value else ("", "", "")),
            *(str(row.decided_by), row.rule),
        )
        for player, card in report(night).cards.items()
        for row in card.rows
    ]
    return write_csv([header, *rows])


def standings_csv(night: Night) -> str:
    """The standings, best first."""
    header = ("place", "name", "number", "points", "won", "lost", "skunks", "net", "plus", "minus", "qualifies", "why")
    rows = [
        (
            *(row["place"], night.name(row["player"]), _number(night, row["player"])),
            *(row["points"], row["won"], row["lost"], row["skunks"], row["net"], row["plus"], row["minus"]),
            *("" if row["qualifies"] is None else _word(row["qualifies"]), row["said"]["text"]),
        )
        for row in list_standings(night)
    ]
    return write_csv([header, *rows])


def brackets_csv(night: Night) -> str:
    """Every bracket match from each side, including byes: games won, and the best place reached."""
    header = ("bracket", "round", "match", "player", "opponent", "won", "lost", "goes_on", "place")
    rows: list[Iterable[Cell]] = []
    for name, state in night.brackets.items():
        places = {player: place.first for place in state.bracket.places for player in place.players}
        for match in state.bracket.matches:
            one, other = match.players
            if match.state is MatchState.BYE and (alone := one or other) is not None:
                rows.append((name, match.round, match.number, night.name(alone), "", "", "", _word(True), ""))
            if one is None or other is None:
                continue
            for player, opponent, won in ((one, other, match.won), (other, one, match.won[::-1])):
                goes_on = "" if match.winner is None else _word(match.winner == player)
                names = (night.name(player), night.name(opponent))
                rows.append((name, match.round, match.number, *names, *won, goes_on, places.get(player, "")))
    return write_csv([header, *rows])


def pots_csv(night: Night) -> str:
    """Payouts of each pot, by player."""
    header = ("pot", "sum", "player", "share", "kind")
    rows: list[Iterable[Cell]] = []
    for state in night.pots.values():
        name = pot_name(state)
        total = money(total_of(night, state))
        if state.paid is None:
            continue
        rows += [(name, total, night.name(share.player), money(share.cents), "share") for share in state.paid.shares]
        rows += [(name, total, night.name(one.player), money(one.cents), "paid back") for one in state.paid.refunds]
        rows += [(name, total, "", money(state.paid.house), "house")] if state.paid.house else []
        rows += [(name, total, "", money(state.paid.carried), "next event")] if state.paid.carried else []
    return write_csv([header, *rows])


def night_json(night: Night) -> Json:
    """All decisions and the results of an event; the decisions are enough to rebuild it."""
    return {
        "format": FORMAT,
        "name": night.opened.name if night.opened else "",
        "date": night.opened.date if night.opened else "",
        "rules": write(night.rules),
        "decisions": [as_row(row) for row in night.rows],
        "standings": list_standings(night),
        "results": [record_json(record) for record in report(night).records.values()],
    }


def record_json(record: GameRecord) -> Json:
    """A game with both claims and both values."""
    return {
        "game": record.key,
        "players": list(record.pairing.players),
        "claims": [claim_as_json(claim) for claim in record.claims],
        "values": [write(value) for value in record.values],
        "decided_by": str(record.decided_by),
        "rule": record.rule,
    }


def _claim(claim: Claim | None) -> str:
    """A claim in a cell: "won 12", "lost 12", or "won" if the number was left blank."""
    if claim is None:
        return ""
    word = "won" if claim.won else "lost"
    return word if claim.margin is None else f"{word} {claim.margin}"


def _value(value: Value | None) -> tuple[Cell, Cell]:
    return ("", "") if value is None else (value.points, value.net)


def _number(night: Night, player: PlayerId) -> str:
    known = night.players.get(player)
    return known.number if known else ""


def _word(value: bool) -> str:
    return "yes" if value else "no"
