"""What each decision about a game does to the night: the newest claim and report, the last verdict."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pegboard.tournament.night import facts
from pegboard.tournament.night.night_state import GameFacts, Night
from pegboard.tournament.pairings import GameKey, Pairing
from pegboard.tournament.results.claims import Claim

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
    """A new result of the table takes the place of the last, and of the claims that were made by agreeing with that."""

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
    """The game goes on: what its table and its players have said of its end is said of none."""

    def change(game: GameFacts) -> GameFacts:
        withdrawn = (*(one for one in game.withdrawn if not one.is_of(fact.sheet)), fact.sheet)
        if game.report is None or not fact.sheet.is_of(game.report.sheet):
            return replace(game, withdrawn=withdrawn)
        return replace(game, withdrawn=withdrawn, report=None, claims=(None, None), at_table=(False, False))

    return _change_game(night, fact.game, number, change)


def _decide(night: Night, fact: Any, number: int) -> Night:
    return _change_game(night, fact.game, number, lambda game: replace(game, verdict=fact))


def put(pair: tuple[Each, Each], place: int, value: Each) -> tuple[Each, Each]:
    """A pair with another value in one of its two places."""
    return (value, pair[1]) if place == 0 else (pair[0], value)


def _change_game(night: Night, key: GameKey, number: int, change: Callable[[GameFacts], GameFacts]) -> Night:
    game = night.games.get(key) or _new_game(night, key)
    if game is None:
        return night
    game = change(replace(game, decisions=(*game.decisions, number)))
    return replace(night, games={**night.games, key: game})


def _new_game(night: Night, key: GameKey) -> GameFacts | None:
    """An untouched game; one that nobody drew is made from its key, so that what was said of it is not lost."""
    drawn = night.find_game(key)
    pairing = drawn.pairing if drawn else read_game_key(key)
    return None if pairing is None else GameFacts(pairing)


def read_game_key(key: GameKey) -> Pairing | None:
    """The pairing of a key such as "r3:p1-p7"; None where it is no key."""
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
"""By the class of a fact."""
