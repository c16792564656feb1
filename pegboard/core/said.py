"""What has been said of the deal, by the lines of a sheet that count: who deals, and whether it has scored."""

import itertools
from collections.abc import Iterator

from pegboard.core.board import Game
from pegboard.core.moves import FAULTS, Dealt, Line, Scored
from pegboard.core.rules import Seat


def has_scored(game: Game) -> bool:
    """Whether anything of the deal in hand has scored, by the lines that count: since the start or the last new deal.

    Penalties and muggins tell nothing of the deal; after a ruling has opened a game again, its deal had scored.
    """
    since = itertools.takewhile(lambda line: not _begins_a_deal(line), _counting(game))
    return game.position.scored or any(_tells_of_cards(line) for line in since)


def said_dealer(game: Game) -> Seat | None:
    """Who was said to deal, with no score since; None where nobody was, or another deal may have begun."""
    newest = next((line for line in _counting(game) if _tells_of_the_deal(line)), None)
    if newest is None:
        return game.first_dealer if game.dealer_said else None
    return newest.dealer if isinstance(newest, Dealt) else None


def deals_begun(game: Game) -> bool:
    """Whether somebody has said that a new deal begins."""
    return any(_begins_a_deal(line) for line in _counting(game))


def _counting(game: Game) -> Iterator[Line]:
    """The lines that count, newest first."""
    return (game.entries[n - 1].event for n in range(len(game.entries), 0, -1) if game.counts(n))


def _begins_a_deal(line: Line) -> bool:
    return isinstance(line, Dealt) and line.new


def _tells_of_cards(line: Line) -> bool:
    return isinstance(line, Scored) and line.why not in FAULTS


def _tells_of_the_deal(line: Line) -> bool:
    return isinstance(line, Dealt) or _tells_of_cards(line)
