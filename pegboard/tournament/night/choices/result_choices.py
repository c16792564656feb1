"""Results: what a card says, what confirming means, which values a ruling, an award or a forfeit gives."""

from functools import lru_cache
from typing import Any

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.checks.result_limits import require_undecided
from pegboard.tournament.night.checks.shared_limits import require_game, require_open_cut
from pegboard.tournament.night.night_report import find_apparent_qualifiers, report
from pegboard.tournament.night.night_state import GameFacts, Night
from pegboard.tournament.pairings import GameKey
from pegboard.tournament.results.adjudication import adjudicate
from pegboard.tournament.results.awards import FORFEIT, JUDGE, award, decide_freely
from pegboard.tournament.results.claims import Claim, Column, GameRecord, Value, Values


def claim(_: Night, values: dict[str, Any]) -> facts.ResultClaimed:
    """What a card says."""
    column = values.get("column")
    said = Claim(values["won"], values["margin"], Column(column) if column else None, values.get("points"))
    return facts.ResultClaimed(values["game"], values["player"], said)


def confirm(night: Night, values: dict[str, Any]) -> facts.ResultConfirmed:
    """What the table has sent, or else the other's card, as this player's card says it.

    Raises:
        RuleError: there is no such game, or nothing to agree with; `Already` where a director has decided it.
    """
    game = require_game(night, values["game"], values["player"])
    require_open_cut(night)
    require_undecided(night, game)
    said = find_claim_to_confirm(night.games.get(game.key) or GameFacts(game.pairing), values["player"])
    if said is None:
        raise RuleError("night_nothing_to_confirm")
    return facts.ResultConfirmed(game.key, values["player"], said)


def require_both_free(night: Night, key: GameKey) -> None:
    """See that nobody says how a game has ended while one of the two still plays an earlier one.

    Raises:
        RuleError: one of them does, in which round the sentence says.
    """
    game, plays = night.schedule.get(key), _first_open_rounds(night)
    for player in game.players if game is not None else ():
        if game is not None and plays.get(player, game.round) < game.round:
            raise RuleError("night_still_plays", name=night.name(player), round=plays[player])


@lru_cache(maxsize=8)
def _first_open_rounds(night: Night) -> dict[PlayerId, int]:
    """The round of the first open game of each player; of a night it is found once for all phones."""
    found: dict[PlayerId, int] = {}
    for key in report(night).open_games:
        pairing = report(night).records[key].pairing
        for player in pairing.players:
            found[player] = min(pairing.round, found.get(player, pairing.round))
    return found


def find_claim_to_confirm(game: GameFacts, player: PlayerId) -> Claim | None:
    """What a player would agree with: the table's result, else the other's card; None where there is neither."""
    if game.report is not None:
        return Claim(player == game.report.winner, game.report.margin)
    other = game.claims[1 - game.pairing.players.index(player)]
    return None if other is None or other.margin is None else Claim(not other.won, other.margin)


def rule(night: Night, values: dict[str, Any]) -> facts.ResultRuled:
    """The values that a ruling gives now; of a judge's own ruling, those that the judge has found.

    Raises:
        RuleError: there is no such game, or the ruling is not to be had here, with the reason.
    """
    record = _record(night, values["game"])
    letter, table = values["letter"], night.rules.points
    if letter == JUDGE:
        decided = decide_freely(record, _read_judgement(values), table)
    else:
        decided = adjudicate(record, letter, find_apparent_qualifiers(night, record.key), table, night.names)
    return facts.ResultRuled(record.key, letter, _both(decided), values.get("note", ""))


def award_game(night: Night, values: dict[str, Any]) -> facts.GameAwarded:
    """The values of a game that is given to one player without play.

    Raises:
        RuleError: there is no such game, or the other does not play in it; `Already` where it happens only once.
    """
    decided = _award(night, values["game"], values["kind"], values["against"])
    return facts.GameAwarded(values["game"], values["against"], values["kind"], _both(decided))


def forfeit(night: Night, values: dict[str, Any]) -> facts.GameForfeited:
    """The values of a game that a player does not play.

    Raises:
        RuleError: there is no such game, or the player does not play in it.
    """
    decided = _award(night, values["game"], FORFEIT, values["player"])
    return facts.GameForfeited(values["game"], values["player"], _both(decided))


def _award(night: Night, key: str, kind: str, against: PlayerId) -> GameRecord:
    record = _record(night, key)
    require_game(night, key, against)
    return award(record, kind, against, night.rules.points, earlier=report(night).records.values(), names=night.names)


def _record(night: Night, key: str) -> GameRecord:
    require_game(night, key)
    return report(night).records[key]


def _read_judgement(values: dict[str, Any]) -> Values:
    if "values" not in values:
        raise RuleError("night_judge_values")
    one, other = (Value(value["points"], value["net"]) for value in values["values"])
    return one, other


def _both(record: GameRecord) -> Values:
    values = record.both_values
    assert values is not None  # a decision settles a game
    return values
