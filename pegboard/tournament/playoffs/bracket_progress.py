"""How a bracket goes on: each match from the stored rows, who goes on from it, and the rows that fit no match.

Nothing here refuses: rows of an earlier version, or that a correction left behind, are read as far as they fit.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.playoffs.bracket_games import (
    BracketGame,
    BracketMatch,
    BracketPlace,
    MatchKey,
    MatchState,
    Side,
    match_key,
)
from pegboard.tournament.playoffs.play_off import PlayOff
from pegboard.tournament.playoffs.seeding import Placement


@dataclass(frozen=True, slots=True)
class BracketProgress:
    """What the rows of a bracket come to.

    Attributes:
        rounds: the matches of each round, from the top.
        last: the side that the final leaves, or who is alone in the bracket.
        idle: the rows, from 0, of games that count for nothing: others meet in that match, it was over before, or there
            is no such match.
    """

    rounds: tuple[tuple[BracketMatch, ...], ...]
    last: Side
    idle: tuple[int, ...]

    @property
    def by_key(self) -> Mapping[MatchKey, BracketMatch]:
        """The matches by their keys."""
        return {match.key: match for matches in self.rounds for match in matches}


@dataclass(frozen=True, slots=True)
class _Reading:
    """What each match is read from."""

    name: str
    lengths: Sequence[int]
    games: Mapping[MatchKey, Sequence[tuple[int, BracketGame]]]
    gone: Mapping[PlayerId, int]

    def read_match(self, round_number: int, number: int, sides: tuple[Side, Side]) -> BracketMatch:
        best_of = self.lengths[min(round_number, len(self.lengths)) - 1]
        upper, lower = (side.player for side in sides)
        is_awaited = any(side.awaited for side in sides)
        state = MatchState.WAITING if is_awaited else MatchState.BYE
        match = BracketMatch(match_key(self.name, round_number, number), round_number, number, sides, best_of, state)
        if upper is None or lower is None:
            return match if is_awaited else replace(match, winner=upper or lower)
        return self._read_games(match, PlayOff((upper, lower), best_of))

    def _read_games(self, match: BracketMatch, play_off: PlayOff) -> BracketMatch:
        """A match of two with the games that just these two played before it was over.

        Of games that one lost together by not coming no more count than were left, whatever was corrected before them.
        """
        counted = []
        for row, game in self.games.get(match.key, ()):
            fits = set(game.players) == set(play_off.players) and game.winner in game.players
            if fits and play_off.winner is None:
                left = play_off.games_needed - play_off.won[play_off.players.index(game.winner)]
                counted.append((row, replace(game, games=min(game.games, left))))
                play_off = play_off.plus(game.winner, game.games)
        winner = play_off.winner or self._staying_player(*play_off.players)
        return replace(
            match,
            state=MatchState.READY if winner is None else MatchState.DECIDED,
            winner=winner,
            won=play_off.won,
            games=tuple(game for _, game in counted),
            rows=tuple(row for row, _ in counted),
            by_departure=winner is not None and play_off.winner is None,
        )

    def _staying_player(self, *players: PlayerId) -> PlayerId | None:
        """Who goes on because the other one is gone, or was gone first; None where both are there.

        Went the better seed on where both are gone, a second departure could take back what the first one decided.
        """
        here = [one for one in players if one not in self.gone]
        return None if len(here) == len(players) else (here or sorted(players, key=self.gone.__getitem__))[-1]


def follow(
    name: str,
    placements: Iterable[Placement],
    lengths: Sequence[int],
    games: Sequence[BracketGame],
    gone: Iterable[PlayerId],
) -> BracketProgress:
    """Each match of a bracket, round by round, as `Bracket` has its rows."""
    rows = sorted(placements, key=lambda row: row.place)
    by_match: defaultdict[MatchKey, list[tuple[int, BracketGame]]] = defaultdict(list)
    for at, game in enumerate(games):
        by_match[game.match].append((at, game))
    reading = _Reading(name, lengths, by_match, {player: turn for turn, player in enumerate(gone)})
    sides, rounds = [Side(row.player) for row in rows], list[tuple[BracketMatch, ...]]()
    while len(sides) > 1:
        number = len(rounds) + 1
        pairs = zip(sides[::2], sides[1::2], strict=False)  # rows of no full bracket leave one alone
        matches = tuple(reading.read_match(number, n, pair) for n, pair in enumerate(pairs, 1))
        rounds.append(matches)
        sides = [_side_after(match) for match in matches]
    counted = {row for matches in rounds for match in matches for row in match.rows}
    idle = tuple(row for row in range(len(games)) if row not in counted)
    return BracketProgress(tuple(rounds), sides[0] if sides else Side(None), idle)


def _side_after(match: BracketMatch) -> Side:
    return Side(match.winner, match.state in (MatchState.WAITING, MatchState.READY), match.key)


def list_places(progress: BracketProgress) -> tuple[BracketPlace, ...]:
    """The places of a bracket, best first: 1, 2, 3 to 4, 5 to 8 ...; who loses in one round shares them."""
    last = progress.last
    places = [BracketPlace(1, 1, () if last.player is None else (last.player,))]
    for matches in reversed(progress.rounds):
        losing = [match for match in matches if match.state is not MatchState.BYE]
        first = places[-1].last + 1
        losers = tuple(match.loser for match in losing if match.loser is not None)
        if losing:
            places.append(BracketPlace(first, first + len(losing) - 1, losers))
    return tuple(places)
