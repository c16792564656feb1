"""Facts about the deal from the lines that count: who was said to deal, and whether anything has scored."""

import itertools
from collections.abc import Iterator
from typing import TypeGuard

from pegboard.core.board import Game
from pegboard.core.moves import FAULTS, FOR_CARDS, Dealt, Line, Reason, Scored
from pegboard.core.rules import Seat
from pegboard.errors import SayFirst
from pegboard.messages import Message


def has_scored(game: Game) -> bool:
    """Whether anything of the deal in hand has scored, by the lines that count since the start or the last new deal.

    Penalties and muggins tell nothing of the deal; after a ruling has opened a game again, its deal had scored.
    """
    since = itertools.takewhile(lambda line: not _begins_a_deal(line), _counting(game))
    return game.position.scored or any(_tells_of_cards(line) for line in since)


def said_dealer(game: Game) -> Seat | None:
    """Who was said to deal, with no score since; None where nobody was, or another deal may have begun."""
    newest = _newest_of_the_deal(game)
    if newest is None:
        return game.first_dealer if game.dealer_said else None
    return newest.dealer if isinstance(newest, Dealt) else None


def check_against_what_was_said(game: Game, seat: Seat | None, lane: int, why: Reason | None) -> None:
    """Check that heels or a crib do not contradict what was said since the last score.

    Only what was said can be contradicted, never what is likely: between two scores another deal may have begun.

    Raises:
        SayFirst: another was said to deal (heels and crib are the dealer's), heels were pegged just before (one starter
            is turned a deal), or the same player has just scored in the play (heels come before it).
    """
    if why not in (Reason.HEELS, Reason.CRIB):
        return
    _check_against_said_dealer(game, seat, lane, why)
    newest = _newest_of_the_deal(game)
    if why == Reason.CRIB or not isinstance(newest, Scored) or newest.guessed:
        return
    offer = {"new": True} if seat is None else {"dealer": seat, "new": True}
    if newest.why == Reason.HEELS:
        raise SayFirst("say_deal_first", offer, fault=Message("heels_again"))
    if newest.why in FOR_CARDS and seat is not None and seat == newest.seat:
        raise SayFirst("say_deal_first", offer, fault=Message("heels_played", name=game.players[seat]))


def _check_against_said_dealer(game: Game, seat: Seat | None, lane: int, why: Reason) -> None:
    dealer = said_dealer(game)
    if dealer is None or dealer == seat or (seat is None and lane == game.rules.lane_of(dealer)):
        return
    fault = Message("heels_are_dealers" if why == Reason.HEELS else "crib_is_dealers", name=game.players[dealer])
    if seat is None:
        raise SayFirst("say_who_first", fault=fault)
    raise SayFirst("say_dealer_first", {"dealer": seat, "new": False}, fault=fault, other=game.players[seat])


def deals_begun(game: Game) -> bool:
    """Whether somebody has said that a new deal begins."""
    return any(_begins_a_deal(line) for line in _counting(game))


def _newest_of_the_deal(game: Game) -> Scored | Dealt | None:
    """The newest line that counts and tells of the deal: a score that is no opponent's fault, or who deals."""
    return next((line for line in _counting(game) if isinstance(line, Dealt) or _tells_of_cards(line)), None)


def _counting(game: Game) -> Iterator[Line]:
    """The lines that count, newest first."""
    return (game.entries[n - 1].event for n in range(len(game.entries), 0, -1) if game.counts(n))


def _begins_a_deal(line: Line) -> bool:
    return isinstance(line, Dealt) and line.new


def _tells_of_cards(line: Line) -> TypeGuard[Scored]:
    return isinstance(line, Scored) and line.why not in FAULTS
