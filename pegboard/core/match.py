"""Match score: games won, match points, spread, the winner, and the first dealer of the next game."""

from dataclasses import dataclass, replace

from pegboard.core.board import Game
from pegboard.core.moves import Dealt
from pegboard.core.rules import IN_GAMES, OPEN, TRIPLE, FirstDeal, Rules, Seat, read_format


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game that has a winner.

    Attributes:
        winner: the winning lane.
        points: the winner's match points.
        games: number of games won that the game counts as.
        spread: for each lane, the holes it won or lost by; they add up to 0.
        whole_match: whether the game wins the whole match, by a triple skunk.
    """

    winner: int
    points: int
    games: int = 1
    spread: tuple[int, ...] = (0, 0)
    whole_match: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """The score of a match.

    Attributes:
        format: "open", "single", "best of 3" ... "first to 9".
        games_won: for each lane, games won.
        points: for each lane, match points.
        counted: for each lane, games won as counted toward winning the match: a skunk can count as two.
        spread: for each lane, holes won minus holes lost.
        winner: the lane that has won the match, or None.
    """

    format: str = OPEN
    games_won: tuple[int, ...] = (0, 0)
    points: tuple[int, ...] = (0, 0)
    counted: tuple[int, ...] = (0, 0)
    spread: tuple[int, ...] = (0, 0)
    winner: int | None = None

    @staticmethod
    def empty(lanes: int, format: str = OPEN) -> "Match":  # noqa: A002 - the players' own word
        """A match without any finished games."""
        nothing = (0,) * lanes
        return Match(format, nothing, nothing, nothing, nothing)

    def plus(self, result: Result | None) -> "Match":
        """The match after one more game, which counts only if it has a winner and the match is not decided."""
        if result is None or self.winner is not None:
            return self
        counted, needed = _raise_at(self.counted, result.winner, result.games), read_format(self.format)
        decided = result.whole_match or (needed and counted[result.winner] >= needed)
        return replace(
            self,
            games_won=_raise_at(self.games_won, result.winner, 1),
            points=_raise_at(self.points, result.winner, result.points),
            counted=counted,
            spread=tuple(old + more for old, more in zip(self.spread, result.spread, strict=True)),
            winner=result.winner if decided else None,
        )


@dataclass(frozen=True, slots=True)
class Setup:
    """Rules, players and match format of the next game.

    Attributes:
        dealer: the seat that deals first; None leaves it to the rules.
        pairing: the game's id at an event, which makes it a match of its own; empty for a casual game.
    """

    rules: Rules
    players: tuple[str, ...]
    format: str = OPEN
    dealer: Seat | None = None
    pairing: str = ""


@dataclass(frozen=True, slots=True)
class GameInMatch:
    """A game in its match: its id, the id of the match, and the match score before the game."""

    id: str
    game: Game
    match: str
    before: Match

    @property
    def standing(self) -> Match:
        """The current match score, including this game if it has a winner."""
        return self.before.plus(result(self.game))


def result(game: Game) -> Result | None:
    """The result of a game: winner, and points by the skunk of the lowest loser; None without a winner."""
    if game.outcome is None or game.outcome.winner is None:
        return None
    rules, winner, skunks = game.rules, game.outcome.winner, max(game.outcome.skunks)
    points = rules.worth[min(skunks, len(rules.worth) - 1)]
    if rules.enough and game.lanes[winner].front >= rules.game_hole:
        points = rules.worth[min(1, len(rules.worth) - 1)]  # solitaire: the game hole is worth more than `enough`
    triple = rules.triple_wins_match and skunks >= TRIPLE
    return Result(winner, points, points if rules.worth in IN_GAMES else 1, _spread(game, winner), triple)


def first_dealer(game: Game) -> Seat:
    """The first dealer: as named at the start, unless corrected before the second deal."""
    first = game.first_dealer
    for line, entry in enumerate(game.entries, 1):
        event = entry.event
        if game.positions[line].deal == 1 and isinstance(event, Dealt) and not event.midway and game.counts(line):
            first = game.positions[line].dealer
    return first


def next_dealer(game: Game) -> Seat:
    """The first dealer of the next game; unchanged after an unfinished game.

    "loser": the first seat of the lowest lane, starting at the left of this game's first dealer; "winner": the same for
    the winning lane; "alternate", or if nobody won: the seat after this game's first dealer; "cut": unchanged until the
    cards are cut.
    """
    rules, outcome, first = game.rules, game.outcome, first_dealer(game)
    if outcome is None or rules.first_deal == FirstDeal.CUT:
        return first
    if outcome.winner is None or rules.first_deal == FirstDeal.ALTERNATE:
        return rules.after(first)
    fronts = [lane.front for lane in game.lanes]
    lanes = (
        [outcome.winner]
        if rules.first_deal == FirstDeal.WINNER
        else [n for n in range(rules.lanes) if fronts[n] == min(fronts)]
    )
    seats = [(first + 1 + n) % rules.seats for n in range(rules.seats)]
    return next(seat for seat in seats if rules.lane_of(seat) in lanes)


def is_next_dealer_known(game: Game, match: Match) -> bool:
    """Whether a finished game determines the next first dealer; after a match the cards are cut."""
    return game.outcome is not None and match.winner is None and game.rules.first_deal != FirstDeal.CUT


def _spread(game: Game, winner: int) -> tuple[int, ...]:
    behind = [game.lanes[winner].front - lane.front for lane in game.lanes]
    return tuple(sum(behind) if lane == winner else -holes for lane, holes in enumerate(behind))


def _raise_at(values: tuple[int, ...], place: int, by: int) -> tuple[int, ...]:
    return tuple(value + by if at == place else value for at, value in enumerate(values))
