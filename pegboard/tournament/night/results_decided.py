"""Game results: claims by score cards, confirmations, table results, rulings, awards and forfeits.

Holds their limits, state changes and log sentences, and completes requests into facts.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.night_report import find_apparent_qualifiers, report
from pegboard.tournament.night.night_state import GameFacts, Night, require_game, require_open_cut, say_game_of
from pegboard.tournament.pairings import GameKey, Pairing, join_names
from pegboard.tournament.results.claims import Claim, Column, GameRecord, Value, Values
from pegboard.tournament.results.rulings import FORFEIT, JUDGE, adjudicate, award, decide_as_judge
from pegboard.tournament.results.scoring import check_margin

# --- limits of results: undrawn games, wrong players or table, closed qualifying ---


def _check_claim(night: Night, fact: facts.ResultClaimed | facts.ResultConfirmed) -> None:
    game = require_game(night, fact.game, fact.player)
    require_open_cut(night)
    if fact.claim.margin is not None:
        check_margin(fact.claim.margin, night.rules.points)
    require_undecided(night, game)
    state, place = night.games.get(fact.game), game.pairing.players.index(fact.player)
    if state is not None and isinstance(fact, facts.ResultConfirmed) and state.claims[place] == fact.claim:
        raise Already("night_confirmed_already", name=night.name(fact.player))


def require_undecided(night: Night, game: facts.ScheduledGame) -> None:
    """Check that no director has decided a game.

    Raises:
        Already: one has.
    """
    state = night.games.get(game.key)
    if state is not None and state.verdict is not None:
        raise Already("night_decided_already", game=say_game_of(night, game.pairing))


def _check_paper(night: Night, fact: facts.PaperResultEntered) -> None:
    require_game(night, fact.game, fact.winner)
    require_open_cut(night)
    check_margin(fact.margin, night.rules.points)


def _check_table_result(night: Night, fact: facts.TableResultReceived) -> None:
    game = require_game(night, fact.game, fact.winner)
    require_open_cut(night)
    check_margin(fact.margin, night.rules.points)
    if game.table and game.table != fact.table:
        raise RuleError(
            "night_wrong_table",
            game=say_game_of(night, game.pairing),
            label=night.label(game.table),
            other=night.label(fact.table),
        )
    if (state := night.games.get(fact.game)) is not None:
        _check_against_recorded(night, fact, state)


def _check_against_recorded(night: Night, fact: facts.TableResultReceived, state: GameFacts) -> None:
    """Check that a table's result is new: not a duplicate, and not older than the recorded one.

    Raises:
        Already: it is recorded, or is an older state of the recorded score sheet, or that sheet has continued.
        RuleError: both players have confirmed the result of another score sheet, or the order of two states of the
            sheet is unknown; a director decides which counts.
    """
    said = say_game_of(night, state.pairing)
    if state.report == fact:
        raise Already("night_result_there", game=said)
    _check_order(night, fact.sheet, state)
    if fact.sheet is not None and state.has_continued(fact.sheet):
        raise Already("night_result_reopened", game=said)
    if state.report is None:
        return
    if fact.sheet is not None and fact.sheet.is_earlier(state.report.sheet):
        raise Already("night_result_older", game=said)
    if state.is_confirmed and fact.sheet is not None and not fact.sheet.is_of(state.report.sheet):
        raise RuleError("night_other_result", game=said, label=night.label(state.report.table))


def _check_order(night: Night, sheet: facts.SheetReference | None, state: GameFacts) -> None:
    """Check that the order of this score sheet and its recorded states is known.

    Raises:
        RuleError: it is unknown.
    """
    known = [*state.withdrawn, state.report.sheet if state.report else None]
    if sheet is not None and any(sheet.is_unclear(one) for one in known):
        raise RuleError("night_unclear_sheet", game=say_game_of(night, state.pairing))


def _check_withdrawal(night: Night, fact: facts.TableResultWithdrawn) -> None:
    game = require_game(night, fact.game)
    state = night.games.get(fact.game) or GameFacts(game.pairing)
    if state.has_continued(fact.sheet):
        raise Already("night_result_reopened", game=say_game_of(night, game.pairing))
    _check_order(night, fact.sheet, state)
    if state.report is None or not fact.sheet.is_of(state.report.sheet):
        return
    require_open_cut(night)
    if fact.sheet.is_earlier(state.report.sheet):
        raise Already("night_result_older", game=say_game_of(night, game.pairing))


def _check_ruling(night: Night, fact: facts.ResultRuled) -> None:
    require_game(night, fact.game)
    require_open_cut(night)


def _check_award(night: Night, fact: facts.GameAwarded) -> None:
    require_game(night, fact.game, fact.against)
    require_open_cut(night)


def _check_forfeit(night: Night, fact: facts.GameForfeited) -> None:
    game = require_game(night, fact.game, fact.player)
    require_open_cut(night)
    state = night.games.get(fact.game)
    if state is not None and isinstance(state.verdict, facts.GameForfeited) and state.verdict.player == fact.player:
        raise Already("night_decided_already", game=say_game_of(night, game.pairing))


RESULT_LIMITS: Mapping[type, Callable[[Night, Any], None]] = {
    facts.ResultClaimed: _check_claim,
    facts.ResultConfirmed: _check_claim,
    facts.PaperResultEntered: _check_paper,
    facts.TableResultReceived: _check_table_result,
    facts.TableResultWithdrawn: _check_withdrawal,
    facts.ResultRuled: _check_ruling,
    facts.GameAwarded: _check_award,
    facts.GameForfeited: _check_forfeit,
}
"""By fact class."""


# --- state changes of games: the newest claim, report and verdict count ---


Each = TypeVar("Each")


def _claim(night: Night, fact: facts.ResultClaimed | facts.ResultConfirmed, number: int) -> Night:
    def change(game: GameFacts) -> GameFacts:
        if fact.player not in game.pairing.players:
            return game
        place = game.pairing.players.index(fact.player)
        claims, at_table = put(game.claims, place, fact.claim), put(game.at_table, place, value=False)
        return replace(game, claims=claims, at_table=at_table)

    return _change_game(night, fact.game, number, change)


def _report(night: Night, fact: facts.TableResultReceived, number: int) -> Night:
    """A new table result replaces the last one and drops the claims made by confirming that at the table."""

    def change(game: GameFacts) -> GameFacts:
        claims, at_table = game.claims, game.at_table
        for place, player in enumerate(game.pairing.players):
            if player in fact.confirmed:
                claims = put(claims, place, Claim(player == fact.winner, fact.margin))
                at_table = put(at_table, place, value=True)
            elif at_table[place]:
                claims, at_table = put(claims, place, None), put(at_table, place, value=False)
        return replace(game, report=fact, claims=claims, at_table=at_table)

    return _change_game(night, fact.game, number, change)


def _withdraw(night: Night, fact: facts.TableResultWithdrawn, number: int) -> Night:
    """The game continues: drop its table result and the players' claims about it."""

    def change(game: GameFacts) -> GameFacts:
        withdrawn = (*(one for one in game.withdrawn if not one.is_of(fact.sheet)), fact.sheet)
        if game.report is None or not fact.sheet.is_of(game.report.sheet):
            return replace(game, withdrawn=withdrawn)
        return replace(game, withdrawn=withdrawn, report=None, claims=(None, None), at_table=(False, False))

    return _change_game(night, fact.game, number, change)


def _decide(night: Night, fact: Any, number: int) -> Night:
    return _change_game(night, fact.game, number, lambda game: replace(game, verdict=fact))


def put(pair: tuple[Each, Each], place: int, value: Each) -> tuple[Each, Each]:
    """A copy of the pair with one value replaced."""
    return (value, pair[1]) if place == 0 else (pair[0], value)


def _change_game(night: Night, key: GameKey, number: int, change: Callable[[GameFacts], GameFacts]) -> Night:
    game = night.games.get(key) or _new_game(night, key)
    if game is None:
        return night
    game = change(replace(game, decisions=(*game.decisions, number)))
    return replace(night, games={**night.games, key: game})


def _new_game(night: Night, key: GameKey) -> GameFacts | None:
    """A game without records; if it was not drawn, it is built from its key so that its records are kept."""
    drawn = night.find_game(key)
    pairing = drawn.pairing if drawn else read_game_key(key)
    return None if pairing is None else GameFacts(pairing)


def read_game_key(key: GameKey) -> Pairing | None:
    """Parse the pairing from a key such as "r3:p1-p7"; None if it is not a valid key."""
    begin, _, players = key.partition(":")
    one, _, other = players.partition("-")
    if not (begin[:1] == "r" and begin[1:].isdecimal() and one and other and one != other):
        return None
    return Pairing(int(begin[1:]), (one, other))


STEPS: Mapping[type, Callable[[Night, Any, int], Night]] = {
    facts.ResultClaimed: _claim,
    facts.ResultConfirmed: _claim,
    facts.TableResultReceived: _report,
    facts.TableResultWithdrawn: _withdraw,
    facts.PaperResultEntered: _decide,
    facts.ResultRuled: _decide,
    facts.GameAwarded: _decide,
    facts.GameForfeited: _decide,
}
"""By fact class."""


def say_game_key(night: Night, key: str) -> Message | str:
    """A game in words, by its key; players in the order of the draw."""
    pairing = _pairing_of(night, key)
    return key if pairing is None else say_game_of(night, pairing)


def _pairing_of(night: Night, key: str) -> Pairing | None:
    drawn = night.find_game(key)
    return drawn.pairing if drawn else read_game_key(key)


def _say_card(night: Night, fact: facts.ResultClaimed | facts.ResultConfirmed) -> Message:
    key = "night_did_claim" if isinstance(fact, facts.ResultClaimed) else "night_did_confirm"
    return Message(key, name=night.name(fact.player), game=say_game_key(night, fact.game), claim=say_claim(fact.claim))


def say_claim(claim: Claim) -> Message:
    """What a card says, in words."""
    if claim.margin is None:
        return Message("night_claim_won_blank" if claim.won else "night_claim_lost_blank")
    return Message("night_claim_won" if claim.won else "night_claim_lost", margin=claim.margin)


def _say_result(key: str) -> Callable[[Night, Any], Message]:
    return lambda night, fact: Message(
        key, game=say_game_key(night, fact.game), name=night.name(fact.winner), margin=fact.margin
    )


def _say_table_result(night: Night, fact: facts.TableResultReceived) -> Message:
    said = _say_result("night_did_table_result")(night, fact)
    if not fact.confirmed:
        return said
    return Message("night_did_table_confirmed", result=said, names=join_names(fact.confirmed, night.names))


def _say_ruling(night: Night, fact: facts.ResultRuled) -> Message:
    """A ruling in words; names both players, because the log may list them in another order."""
    pairing = _pairing_of(night, fact.game)
    one, other = ("?", "?") if pairing is None else (night.name(player) for player in pairing.players)
    nets = {"net": f"{fact.values[0].net:+d}", "other_net": f"{fact.values[1].net:+d}"}
    game = say_game_key(night, fact.game)
    return Message("night_did_rule", game=game, letter=fact.letter, one=one, other=other, **nets)


def _say_award(night: Night, fact: facts.GameAwarded) -> Message:
    return Message("night_did_award", game=say_game_key(night, fact.game), name=night.name(fact.against))


def _say_forfeit(night: Night, fact: facts.GameForfeited) -> Message:
    return Message("night_did_forfeit", game=say_game_key(night, fact.game), name=night.name(fact.player))


def claim(_: Night, values: dict[str, Any]) -> facts.ResultClaimed:
    """A claim from a score card."""
    column = values.get("column")
    said = Claim(values["won"], values["margin"], Column(column) if column else None, values.get("points"))
    return facts.ResultClaimed(values["game"], values["player"], said)


def confirm(night: Night, values: dict[str, Any]) -> facts.ResultConfirmed:
    """Confirm the table's result, or else the opponent's card, as a claim of this player.

    Raises:
        RuleError: there is no such game, or nothing to confirm; `Already` if a director has decided it.
    """
    game = require_game(night, values["game"], values["player"])
    require_open_cut(night)
    require_undecided(night, game)
    said = find_claim_to_confirm(night.games.get(game.key) or GameFacts(game.pairing), values["player"])
    if said is None:
        raise RuleError("night_nothing_to_confirm")
    return facts.ResultConfirmed(game.key, values["player"], said)


def require_no_earlier_open_game(night: Night, key: GameKey) -> None:
    """Check that neither player of a game still has an open game in an earlier round.

    Raises:
        RuleError: one of them does; the message names the round.
    """
    game, plays = night.schedule.get(key), _first_open_rounds(night)
    for player in game.players if game is not None else ():
        if game is not None and plays.get(player, game.round) < game.round:
            raise RuleError("night_still_plays", name=night.name(player), round=plays[player])


@lru_cache(maxsize=8)
def _first_open_rounds(night: Night) -> dict[PlayerId, int]:
    """Each player's first round with an open game; cached per event state for all phones."""
    found: dict[PlayerId, int] = {}
    for key in report(night).open_games:
        pairing = report(night).records[key].pairing
        for player in pairing.players:
            found[player] = min(pairing.round, found.get(player, pairing.round))
    return found


def find_claim_to_confirm(game: GameFacts, player: PlayerId) -> Claim | None:
    """The claim a player would confirm: the table's result, else the opponent's card; None if there is neither."""
    if game.report is not None:
        return Claim(player == game.report.winner, game.report.margin)
    other = game.claims[1 - game.pairing.players.index(player)]
    return None if other is None or other.margin is None else Claim(not other.won, other.margin)


def rule(night: Night, values: dict[str, Any]) -> facts.ResultRuled:
    """Rule on a game: the values by the ruling's letter, or those of a judge's own ruling.

    Raises:
        RuleError: there is no such game, or the ruling does not apply, with the reason.
    """
    record = _record(night, values["game"])
    letter, table = values["letter"], night.rules.points
    if letter == JUDGE:
        decided = decide_as_judge(record, _read_judgement(values), table)
    else:
        decided = adjudicate(record, letter, find_apparent_qualifiers(night, record.key), table, night.names)
    return facts.ResultRuled(record.key, letter, _both(decided), values.get("note", ""))


def award_game(night: Night, values: dict[str, Any]) -> facts.GameAwarded:
    """Award a game to one player without play.

    Raises:
        RuleError: there is no such game, or the losing player is not in it; `Already` if the award is possible only
            once.
    """
    decided = _award(night, values["game"], values["kind"], values["against"])
    return facts.GameAwarded(values["game"], values["against"], values["kind"], _both(decided))


def forfeit(night: Night, values: dict[str, Any]) -> facts.GameForfeited:
    """Record a game as forfeited by a player.

    Raises:
        RuleError: there is no such game, or the player is not in it.
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
