"""One-game play-offs for a tie: each game puts one player out, until as many are left as there are places.

Who meets whom, and who rests where the players are odd, goes by the order in which they were drawn: by cutting cards,
never by entry. Those who rested play first in the next round of games.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pegboard.errors import Already, RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.playoffs.ties import Decider, TieDecision


@dataclass(frozen=True, slots=True)
class TieGame:
    """A game of a tie: a stored row. A player who does not come to it loses it."""

    winner: PlayerId
    loser: PlayerId


@dataclass(frozen=True, slots=True)
class TiePlayOff:
    """The one-game play-offs of a tie: stored rows; all else is derived from them.

    Attributes:
        players: who tie, as they were drawn.
        places: how many of them get what they tie for.
        games: those that were played, in any order.
    """

    players: tuple[PlayerId, ...]
    places: int = 1
    games: tuple[TieGame, ...] = ()

    @property
    def remaining(self) -> tuple[PlayerId, ...]:
        """Who is not out."""
        return _follow(self)[0]

    @property
    def pairs(self) -> tuple[tuple[PlayerId, PlayerId], ...]:
        """Who meet in the games that can be played now."""
        return _follow(self)[1]

    @property
    def decision(self) -> TieDecision | None:
        """What the games have decided, once they have; who is through is not put in an order, nor who is out."""
        if self.pairs:
            return None
        through = self.remaining
        return TieDecision((through, tuple(one for one in self.players if one not in through)), Decider.GAME)

    def with_game(self, winner: PlayerId, loser: PlayerId) -> "TiePlayOff":
        """The play-offs with one more game.

        Raises:
            RuleError: these two do not meet now.
        """
        if not any({winner, loser} == set(pair) for pair in self.pairs):
            raise RuleError("playoffs_not_paired")
        return replace(self, games=(*self.games, TieGame(winner, loser)))

    def without_game(self, winner: PlayerId, loser: PlayerId) -> "TiePlayOff":
        """The play-offs without a game, and without later ones that hang on it.

        Raises:
            Already: there is no such game.
        """
        game = TieGame(winner, loser)
        if game not in self.games:
            raise Already("playoffs_no_tie_game")
        fewer = replace(self, games=tuple(other for other in self.games if other != game))
        played = _follow(fewer)[2]
        return replace(fewer, games=tuple(other for other in fewer.games if other in played))


def _follow(tie: TiePlayOff) -> tuple[tuple[PlayerId, ...], tuple[tuple[PlayerId, PlayerId], ...], frozenset[TieGame]]:
    """Who remains, who meet now, and the games that count."""
    lost_by, counted = {game.loser: game for game in tie.games}, set[TieGame]()
    left = tie.players
    while len(left) > max(tie.places, 1):
        pairs = pair_up(left, tie.places)
        games = {pair: _game_of(pair, lost_by) for pair in pairs}
        counted |= {game for game in games.values() if game}
        out = {game.loser for game in games.values() if game}
        if open_pairs := tuple(pair for pair in pairs if games[pair] is None):
            return tuple(one for one in left if one not in out), open_pairs, frozenset(counted)
        paired = [one for pair in pairs for one in pair]
        left = (*(one for one in left if one not in paired), *(one for one in paired if one not in out))
    return left, (), frozenset(counted)


def pair_up(left: tuple[PlayerId, ...], places: int) -> tuple[tuple[PlayerId, PlayerId], ...]:
    """The games of the next round, first with second and so on: no more than put the right number out."""
    games = min(len(left) // 2, len(left) - places)
    return tuple((left[2 * n], left[2 * n + 1]) for n in range(games))


def _game_of(pair: tuple[PlayerId, PlayerId], lost_by: dict[PlayerId, TieGame]) -> TieGame | None:
    found = (lost_by.get(one) for one in pair)
    return next((game for game in found if game and game.winner in pair), None)


def begin_tie_play_off(players: Iterable[PlayerId], places: int) -> TiePlayOff:
    """The play-offs of players in the order in which they were drawn.

    Raises:
        RuleError: there is nothing to decide among them.
    """
    drawn = tuple(players)
    if len(set(drawn)) < len(drawn) or not 0 < places < len(drawn):
        raise RuleError("playoffs_no_tie")
    return TiePlayOff(drawn, places)
