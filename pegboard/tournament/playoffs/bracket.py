"""Playoff bracket: its stored rows, the matches and final places computed from them, new results, swapped players.

A player who has left forfeits every open match, so a bracket always ends.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from pegboard.errors import Already, RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.playoffs.seeding import Placement, PlayOff, check_best_of, place_seeds
from pegboard.tournament.results.scoring import GAME_HOLE

# --- types: stored rows of a bracket (games), and computed values (matches, sides, places) ---


MatchKey: TypeAlias = str
"""Key of a match: "main:1:2" is the second match from the top in the first round of the bracket "main"."""


class Ending(StrEnum):
    """How a game of a bracket ended."""

    PLAYED = "played"
    NO_SHOW = "no_show"


class MatchState(StrEnum):
    """The state of a match."""

    BYE = "bye"
    WAITING = "waiting"
    READY = "ready"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class BracketGame:
    """A game of a match, or several games lost at once by a no-show: a stored row.

    Attributes:
        match: the match's key.
        players: the two players who met; the row counts only while these two meet in that match.
        winner: the player who won.
        how: whether the game was played.
        margin: the margin in holes; None if the game was not played, or nobody wrote the margin down.
        games: how many games the row counts for.
    """

    match: MatchKey
    players: tuple[PlayerId, PlayerId]
    winner: PlayerId
    how: Ending = Ending.PLAYED
    margin: int | None = None
    games: int = 1


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match.

    Attributes:
        player: the player on this side; None if there is none, or not yet.
        awaited: whether an earlier match must be decided first.
        source: the key of that match; None in the first round.
    """

    player: PlayerId | None
    awaited: bool = False
    source: MatchKey | None = None


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match with its current state.

    Attributes:
        key: the key of the match.
        round: the number of the round, from 1.
        number: the number of the match in its round, from 1 at the top of the bracket.
        sides: the upper and the lower side.
        best_of: the length of the match in games.
        state: whether the match can be played, or is over.
        winner: the player who advances; None if there is none, or not yet.
        won: games that each side has won.
        games: the games that count, in order of entry.
        rows: the index of each of these games in the games of the bracket.
        by_departure: whether the winner advances because the opponent has left.
    """

    key: MatchKey
    round: int
    number: int
    sides: tuple[Side, Side]
    best_of: int
    state: MatchState
    winner: PlayerId | None = None
    won: tuple[int, int] = (0, 0)
    games: tuple[BracketGame, ...] = ()
    rows: tuple[int, ...] = ()
    by_departure: bool = False

    @property
    def players(self) -> tuple[PlayerId | None, PlayerId | None]:
        """The players on both sides, as far as known."""
        return self.sides[0].player, self.sides[1].player

    @property
    def loser(self) -> PlayerId | None:
        """The player who is eliminated; None for a bye, or until the match is decided."""
        if self.state is not MatchState.DECIDED:
            return None
        return next((one for one in self.players if one != self.winner), None)


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """A range of places in a bracket, such as 3 to 4, and the players known to share it."""

    first: int
    last: int
    players: tuple[PlayerId, ...]


def match_key(bracket: str, round_number: int, number: int) -> MatchKey:
    """The key of a match."""
    return f"{bracket}:{round_number}:{number}"


# --- bracket progress: each match computed from the stored rows, players who advance, rows that fit no match ---
#
# Nothing here refuses: rows of an earlier version, or left over from a correction, are read as far as they fit.


@dataclass(frozen=True, slots=True)
class BracketProgress:
    """The state of a bracket, computed from its rows.

    Attributes:
        rounds: the matches of each round, from the top.
        last: the side left after the final, or the only player in the bracket.
        idle: the indexes of rows that do not count: other players meet in that match, it was over before, or there
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
    """The input from which each match is computed."""

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
        """A match between two players, with the games they played against each other until it was over.

        Of games lost at once by a no-show, only as many count as were left to lose, whatever was corrected before them.
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
        """The player who advances because the other left, or left first; None if neither has left.

        If the better seed advanced when both have left, a second departure could reverse the decision of the first.
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
    """Compute each match of a bracket, round by round, from the fields of `Bracket`."""
    rows = sorted(placements, key=lambda row: row.place)
    by_match: defaultdict[MatchKey, list[tuple[int, BracketGame]]] = defaultdict(list)
    for at, game in enumerate(games):
        by_match[game.match].append((at, game))
    reading = _Reading(name, lengths, by_match, {player: turn for turn, player in enumerate(gone)})
    sides, rounds = [Side(row.player) for row in rows], list[tuple[BracketMatch, ...]]()
    while len(sides) > 1:
        number = len(rounds) + 1
        pairs = zip(sides[::2], sides[1::2], strict=False)  # an incomplete bracket leaves one unpaired
        matches = tuple(reading.read_match(number, n, pair) for n, pair in enumerate(pairs, 1))
        rounds.append(matches)
        sides = [_side_after(match) for match in matches]
    counted = {row for matches in rounds for match in matches for row in match.rows}
    idle = tuple(row for row in range(len(games)) if row not in counted)
    return BracketProgress(tuple(rounds), sides[0] if sides else Side(None), idle)


def _side_after(match: BracketMatch) -> Side:
    return Side(match.winner, match.state in (MatchState.WAITING, MatchState.READY), match.key)


def list_places(progress: BracketProgress) -> tuple[BracketPlace, ...]:
    """The places of a bracket, best first: 1, 2, 3 to 4, 5 to 8 ...; losers of the same round share places."""
    last = progress.last
    places = [BracketPlace(1, 1, () if last.player is None else (last.player,))]
    for matches in reversed(progress.rounds):
        losing = [match for match in matches if match.state is not MatchState.BYE]
        first = places[-1].last + 1
        losers = tuple(match.loser for match in losing if match.loser is not None)
        if losing:
            places.append(BracketPlace(first, first + len(losing) - 1, losers))
    return tuple(places)


@dataclass(frozen=True, slots=True)
class Bracket:
    """The stored rows of a bracket; everything else is computed from them, and never refused.

    Attributes:
        name: the bracket's name, such as "main", "consolation" or "plate"; match keys begin with it.
        placements: the starting places.
        best_of: length of the matches by round, in games; the last length covers all later rounds.
        games: results, in order of entry.
        gone: players who have left, in the order they left.
    """

    name: str
    placements: tuple[Placement, ...]
    best_of: tuple[int, ...] = (3,)
    games: tuple[BracketGame, ...] = ()
    gone: tuple[PlayerId, ...] = ()

    # --- computed state ---

    @property
    def progress(self) -> BracketProgress:
        """Every match in its current state."""
        return _progress(self)

    @property
    def matches(self) -> tuple[BracketMatch, ...]:
        """All matches, round by round, from the top."""
        return tuple(match for matches in self.progress.rounds for match in matches)

    @property
    def winner(self) -> PlayerId | None:
        """The winner; None while the bracket goes on."""
        return self.progress.last.player

    @property
    def places(self) -> tuple[BracketPlace, ...]:
        """The places, best first, with the players who have reached them."""
        return list_places(self.progress)

    @property
    def idle(self) -> tuple[BracketGame, ...]:
        """Games that fit no match and do not count."""
        return tuple(self.games[row] for row in self.progress.idle)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All players, by seed."""
        rows = sorted(self.placements, key=lambda row: row.seed)
        return tuple(row.player for row in rows if row.player is not None)

    def find_match(self, key: MatchKey) -> BracketMatch:
        """Find a match by key.

        Raises:
            RuleError: there is no such match.
        """
        found = self.progress.by_key.get(key)
        if found is None:
            raise RuleError("playoffs_bracket_no_match", match=repr(key))
        return found

    # --- results ---

    def with_game(
        self,
        key: MatchKey,
        winner: PlayerId,
        how: Ending = Ending.PLAYED,
        margin: int | None = None,
        games: int = 1,
    ) -> "Bracket":
        """Add a game of a match, or several that one player lost by not showing up.

        Raises:
            RuleError: there is no such match or it cannot be played yet, the winner is not in it, the margin is
                impossible, or this many games cannot be lost at once.
            Already: the match is decided.
        """
        match = self.find_match(key)
        upper, lower = match.players
        if match.state is MatchState.DECIDED:
            key_of_refusal = "playoffs_bracket_decided_gone" if match.by_departure else "playoffs_bracket_decided"
            raise Already(key_of_refusal, round=match.round, match=match.number)
        if match.state is not MatchState.READY or upper is None or lower is None:
            raise RuleError("playoffs_bracket_not_ready", round=match.round, match=match.number)
        if winner not in (upper, lower):
            raise RuleError("playoffs_bracket_not_in_match", round=match.round, match=match.number)
        most = 1 if how is Ending.PLAYED else match.best_of // 2 + 1 - match.won[(upper, lower).index(winner)]
        if not 0 < games <= most:
            raise RuleError("playoffs_bracket_games_at_once", games=games, most=most)
        if margin is not None and not (how is Ending.PLAYED and 0 < margin <= GAME_HOLE):
            raise RuleError("playoffs_bracket_margin", margin=margin, most=GAME_HOLE)
        return replace(self, games=(*self.games, BracketGame(key, (upper, lower), winner, how, margin, games)))

    # --- players ---

    def with_player_at(self, place: int, player: PlayerId) -> "Bracket":
        """Put a player in a place of the first round; a player placed elsewhere swaps with the player in it.

        Games that no longer fit a match are removed.

        Raises:
            RuleError: there is no such place, or the place must stay empty.
            Already: the player is already in that place.
        """
        there = next((row for row in self.placements if row.place == place), None)
        if there is None or there.player is None:
            raise RuleError("playoffs_bracket_no_place", place=place)
        if there.player == player:
            raise Already("playoffs_bracket_placed")
        moves = {there.player: player, player: there.player}
        rows = (replace(row, player=moves.get(row.player or "", row.player)) for row in self.placements)
        changed = replace(self, placements=tuple(rows))
        idle = changed.progress.idle
        return replace(changed, games=tuple(game for row, game in enumerate(changed.games) if row not in idle))


@lru_cache(maxsize=64)
def _progress(bracket: Bracket) -> BracketProgress:
    return follow(bracket.name, bracket.placements, bracket.best_of, bracket.games, bracket.gone)


def draw(name: str, players: Sequence[PlayerId], best_of: Sequence[int] = (3,)) -> Bracket:
    """Draw the bracket of players by seed, best first; the top seeds get the byes.

    Raises:
        RuleError: there are no players, one is listed twice, or a match cannot have such a length.
    """
    lengths = tuple(check_best_of(length) for length in best_of)
    return Bracket(name, place_seeds(players), lengths or (3,))
