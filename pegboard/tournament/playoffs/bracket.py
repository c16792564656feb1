"""A bracket: its stored rows, what they come to, and how a result or a placement changes them.

Who is gone loses each match that is open by forfeit, so a bracket always ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pegboard.errors import Already, RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.playoffs.bracket_games import (
    BracketGame,
    BracketMatch,
    BracketPlace,
    Ending,
    MatchKey,
    MatchState,
)
from pegboard.tournament.playoffs.bracket_progress import BracketProgress, follow, list_places
from pegboard.tournament.playoffs.play_off import check_best_of
from pegboard.tournament.playoffs.seeding import Placement, place_seeds
from pegboard.tournament.results.scoring import GAME_HOLE


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
