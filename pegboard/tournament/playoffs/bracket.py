"""A bracket: its stored rows, what they come to, and how a result or a placement changes them.

Who is gone loses each match that is open by forfeit, so a bracket always ends.
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

# --- rows of a bracket that are stored, and what is read from them: games, matches, sides, places ---


MatchKey: TypeAlias = str
"""Of a match: "main:1:2" is the second match from the top in the first round of the bracket "main"."""


class Ending(StrEnum):
    """How a game of a bracket ended."""

    PLAYED = "played"
    NO_SHOW = "no_show"


class MatchState(StrEnum):
    """Where a match stands."""

    BYE = "bye"
    WAITING = "waiting"
    READY = "ready"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class BracketGame:
    """A game of a match, or several that somebody lost at once by not coming: a stored row.

    Attributes:
        match: whose game it is.
        players: who met; the row counts only while these two meet in that match.
        winner: one of them.
        how: whether it was played.
        margin: holes that it was won by; None where nobody played, or nobody wrote them down.
        games: how many games the row stands for.
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
        player: who plays there; None where nobody does, or not yet.
        awaited: whether a match before has to be decided first.
        source: that match; None in the first round.
    """

    player: PlayerId | None
    awaited: bool = False
    source: MatchKey | None = None


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match as it stands.

    Attributes:
        key: of the match.
        round: from 1.
        number: from 1 at the top of the bracket.
        sides: upper and lower.
        best_of: its length in games.
        state: whether it can be played, or is over.
        winner: who goes on; None where nobody does, or not yet.
        won: games that each side has won.
        games: those that count, as they were entered.
        rows: where each of them stands among the games of the bracket, from 0.
        by_departure: whether the winner goes on because the other one is gone.
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
        """Who plays on each side, as far as that is known."""
        return self.sides[0].player, self.sides[1].player

    @property
    def loser(self) -> PlayerId | None:
        """Who is out by it; None where nobody is, or not yet."""
        if self.state is not MatchState.DECIDED:
            return None
        return next((one for one in self.players if one != self.winner), None)


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """Places of a bracket, such as 3 to 4, and who shares them as far as that is known."""

    first: int
    last: int
    players: tuple[PlayerId, ...]


def match_key(bracket: str, round_number: int, number: int) -> MatchKey:
    """The key of a match."""
    return f"{bracket}:{round_number}:{number}"


# --- how a bracket goes on: each match from the stored rows, who goes on from it, and the rows that fit no match ---
#
# Nothing here refuses: rows of an earlier version, or that a correction left behind, are read as far as they fit.


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


@dataclass(frozen=True, slots=True)
class Bracket:
    """The stored rows of a bracket; all else is derived from them, and never refused.

    Attributes:
        name: such as "main", "consolation" or "plate"; the keys of matches begin with it.
        placements: who begins where.
        best_of: length of the play-offs by round, in games; the last one holds for all later rounds.
        games: results, as they were entered.
        gone: players who have left, in the order in which they did.
    """

    name: str
    placements: tuple[Placement, ...]
    best_of: tuple[int, ...] = (3,)
    games: tuple[BracketGame, ...] = ()
    gone: tuple[PlayerId, ...] = ()

    # --- what it comes to ---

    @property
    def progress(self) -> BracketProgress:
        """Every match as it stands."""
        return _progress(self)

    @property
    def matches(self) -> tuple[BracketMatch, ...]:
        """All matches, round by round, from the top."""
        return tuple(match for matches in self.progress.rounds for match in matches)

    @property
    def winner(self) -> PlayerId | None:
        """Who has won it; None while it goes on."""
        return self.progress.last.player

    @property
    def places(self) -> tuple[BracketPlace, ...]:
        """The places, best first, with who has reached them."""
        return list_places(self.progress)

    @property
    def idle(self) -> tuple[BracketGame, ...]:
        """Games that fit no match, and count for nothing."""
        return tuple(self.games[row] for row in self.progress.idle)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Everybody in it, by seed."""
        rows = sorted(self.placements, key=lambda row: row.seed)
        return tuple(row.player for row in rows if row.player is not None)

    def find_match(self, key: MatchKey) -> BracketMatch:
        """The match of a key.

        Raises:
            RuleError: there is none.
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
        """The bracket with one more game of a match, or with several that one of the two lost by not coming.

        Raises:
            RuleError: the match is not there or cannot be played yet, the winner does not play in it, nobody wins by so
                many holes, or nobody loses so many games at once.
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

    # --- who is there ---

    def with_player_at(self, place: int, player: PlayerId) -> "Bracket":
        """The bracket with a player in a place of the first round; one who stands elsewhere changes with who is there.

        Games that fit no match after that are not in it.

        Raises:
            RuleError: there is no such place, or nobody is to stand in it.
            Already: the player is there.
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
    """The bracket of players by seed, best first; the highest have the byes.

    Raises:
        RuleError: nobody is there, or somebody twice, or no play-off has that length.
    """
    lengths = tuple(check_best_of(length) for length in best_of)
    return Bracket(name, place_seeds(players), lengths or (3,))
