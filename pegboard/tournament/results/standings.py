"""Standings: score cards ranked by tie-break criteria, each place with its deciding tie-break in words; teams."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TypeAlias

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import player_number
from pegboard.tournament.results.claims import NOBODY, DecidedBy, Names, name_of
from pegboard.tournament.results.score_cards import ScoreCard, ScoreCardTotals

# --- team standings: the sums of the players' cards, by game points, games won, net spread and plus points ---


@dataclass(frozen=True, slots=True)
class TeamPlacing:
    """A team's place; teams tied on everything share a place.

    Attributes:
        place: the team's place, from 1.
        team: the team's name.
        players: the team's members.
        totals: the sums of the members' cards.
    """

    place: int
    team: str
    players: tuple[PlayerId, ...]
    totals: ScoreCardTotals


def rank_teams(teams: Mapping[PlayerId, str], cards: Mapping[PlayerId, ScoreCard]) -> list[TeamPlacing]:
    """Rank the teams, best first.

    Args:
        teams: team names by player; players without a team are missing.
        cards: the score cards; a player without a card adds nothing.
    """
    members: dict[str, list[PlayerId]] = {}
    for player, team in teams.items():
        members.setdefault(team, []).append(player)
    sums = {team: _add(cards[one].totals for one in players if one in cards) for team, players in members.items()}
    order = sorted(members, key=lambda team: _rank(sums[team]), reverse=True)
    places = {team: 1 + sum(_rank(other) > _rank(sums[team]) for other in sums.values()) for team in order}
    return [TeamPlacing(places[team], team, tuple(members[team]), sums[team]) for team in order]


def _rank(totals: ScoreCardTotals) -> tuple[int, int, int, int]:
    return totals.points, totals.won, totals.net, totals.plus


def _add(cards: Iterable[ScoreCardTotals]) -> ScoreCardTotals:
    rows = [(one.games, one.points, one.won, one.skunks, one.plus, one.minus) for one in cards]
    return ScoreCardTotals(*map(sum, zip(*rows, strict=True))) if rows else ScoreCardTotals()


# --- tie-breaks: ordered criteria as data; each criterion splits players who are tied on all earlier ones ---


class Criterion(StrEnum):
    """A tie-break criterion between players who are tied on all earlier ones."""

    GAME_POINTS = "game_points"
    GAMES_WON = "games_won"
    NET_SPREAD = "net_spread"
    PLUS_POINTS = "plus_points"
    SKUNKS = "skunks"
    LOSING_POINTS = "losing_points"
    HEAD_TO_HEAD = "head_to_head"
    PLAY_OFF = "play_off"


class LastResort(StrEnum):
    """What happens to players who are tied on every criterion."""

    PLAY_OFF = "play_off"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class TieBreakOrder:
    """An order of tie-break criteria; stored with the event, with name and version.

    Attributes:
        name: the name by which a director chooses the order.
        criteria: the criteria in order; each breaks ties on all earlier ones.
        last_resort: what happens if players are tied on all criteria; the order of entry never decides anything.
        version: the order's version.
    """

    name: str
    criteria: tuple[Criterion, ...]
    last_resort: LastResort = LastResort.PLAY_OFF
    version: int = 1


ACC_ORDER = TieBreakOrder(
    "acc",
    (
        Criterion.GAME_POINTS,
        Criterion.GAMES_WON,
        Criterion.NET_SPREAD,
        Criterion.PLUS_POINTS,
        Criterion.HEAD_TO_HEAD,
    ),
)
"""American Cribbage Congress (2025), cross-checking guideline 20. It leaves out minus points, which could not break a
tie: players tied on net and plus are tied on minus."""

TIE_BREAK_ORDERS: Mapping[str, TieBreakOrder] = {
    order.name: order
    for order in (
        ACC_ORDER,
        TieBreakOrder(
            "brewery-2017",
            (Criterion.GAME_POINTS, Criterion.GAMES_WON, Criterion.SKUNKS, Criterion.NET_SPREAD),
        ),
        TieBreakOrder(
            "pairs-wins-only",
            (Criterion.GAMES_WON, Criterion.HEAD_TO_HEAD, Criterion.LOSING_POINTS),
            LastResort.SHARED,
        ),
    )
}
"""The orders a director can choose: the ACC's, and those of two houses that publish theirs. The last order ignores
spread and counts the holes by which games were lost, as that house's own rule does."""


def tie_break_order(name: str) -> TieBreakOrder:
    """The order with this name.

    Raises:
        RuleError: there is no such order.
    """
    if name not in TIE_BREAK_ORDERS:
        raise RuleError("results_no_tie_breaks", name=repr(name), known=", ".join(TIE_BREAK_ORDERS))
    return TIE_BREAK_ORDERS[name]


# --- scores by criterion: higher ranks better ---

NUMBERS: Mapping[Criterion, Callable[[ScoreCardTotals], int]] = {
    Criterion.GAME_POINTS: lambda totals: totals.points,
    Criterion.GAMES_WON: lambda totals: totals.won,
    Criterion.NET_SPREAD: lambda totals: totals.net,
    Criterion.PLUS_POINTS: lambda totals: totals.plus,
    Criterion.SKUNKS: lambda totals: totals.skunks,
    Criterion.LOSING_POINTS: lambda totals: -totals.minus,
}
"""Criteria that are computed from a single card."""


def head_to_head(cards: Sequence[ScoreCard]) -> Mapping[PlayerId, int] | None:
    """For each player, how many of the others they have beaten minus how many have beaten them.

    A player has beaten another by winning more of the games between the two. None if any two have not met; a game
    awarded without play is not a meeting.
    """
    players = {card.player for card in cards}
    won = {card.player: _games_won_against(card, players - {card.player}) for card in cards}
    if any(len(others) < len(players) - 1 for others in won.values()):
        return None
    return {
        player: sum(_sign(games - won[other][player]) for other, games in others.items())
        for player, others in won.items()
    }


def _games_won_against(card: ScoreCard, others: set[PlayerId]) -> dict[PlayerId, int]:
    met: dict[PlayerId, int] = {}
    for row in card.rows:
        if row.value is not None and row.opponent in others and row.decided_by != DecidedBy.AWARD:
            met[row.opponent] = met.get(row.opponent, 0) + row.value.won
    return met


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def play_off(
    cards: Sequence[ScoreCard], decisions: Iterable[Sequence[Sequence[PlayerId]]]
) -> Mapping[PlayerId, int] | None:
    """Each player's score from their playoff; None if there was no playoff among exactly these players.

    `decisions` are the outcomes of playoffs, each as groups of players with the better group first.
    """
    players = {card.player for card in cards}
    for groups in decisions:
        if {player for group in groups for player in group} == players and len(groups) > 1:
            return {player: -number for number, group in enumerate(groups) for player in group}
    return None


PlayOffs: TypeAlias = Sequence[Sequence[Sequence[PlayerId]]]
"""Playoff decisions: for each playoff, its players in groups, the better group first."""

SIGNED = {Criterion.NET_SPREAD}
"""Criteria whose numbers are shown with a sign."""

WITHOUT_NUMBERS = {Criterion.HEAD_TO_HEAD, Criterion.PLAY_OFF}
"""Criteria explained by players' names, because a number would mean nothing."""

WHAT: Mapping[Criterion, str] = {
    Criterion.GAME_POINTS: "results_what_game_points",
    Criterion.GAMES_WON: "results_what_games_won",
    Criterion.NET_SPREAD: "results_what_net_spread",
    Criterion.PLUS_POINTS: "results_what_plus_points",
    Criterion.SKUNKS: "results_what_skunks",
    Criterion.LOSING_POINTS: "results_what_losing_points",
    Criterion.HEAD_TO_HEAD: "results_what_head_to_head",
    Criterion.PLAY_OFF: "results_what_play_off",
}
"""The message that names each criterion."""

OVER, BEHIND = "results_over", "results_behind"
"""Messages that compare a place with the next one, and with the one before."""

OF_PLAYERS = {OVER: "results_over_players", BEHIND: "results_behind_players"}
"""The messages that name the neighboring players instead of a number."""

ORDINALS = {1: "results_place_st", 2: "results_place_nd", 3: "results_place_rd"}
"""Messages for ordinals by the last digit; all others end in -th."""

TEENS = range(11, 14)
"""Numbers whose ordinals end in -th, whatever the last digit."""


@dataclass(frozen=True, slots=True)
class Placing:
    """A player's place.

    Attributes:
        place: the place, from 1; players who tie share it.
        shared: whether other players have the same place.
        player: the player's id.
        totals: the totals of the player's card.
        decided_by: the criterion that the sentence names; None if the place is shared.
        said: the sentence, such as "3rd by net spread, +74 over +71".
    """

    place: int
    shared: bool
    player: PlayerId
    totals: ScoreCardTotals
    decided_by: Criterion | None
    said: Message


@dataclass(frozen=True, slots=True)
class _Level:
    """Players whom no criterion has split, and the criterion that put them below the level above."""

    cards: tuple[ScoreCard, ...]
    below_by: Criterion | None = None


def rank(
    cards: Mapping[PlayerId, ScoreCard],
    order: TieBreakOrder = ACC_ORDER,
    play_offs: PlayOffs = (),
    names: Names = NOBODY,
) -> tuple[Placing, ...]:
    """Rank all players; the order among players who share a place has no meaning.

    Args:
        cards: the score cards of the field.
        order: the tie-break criteria in order.
        play_offs: decisions of playoffs among players who were tied on all criteria; ignored if a corrected result
            means that they are no longer tied.
        names: players' names.
    """
    in_row = tuple(sorted(cards.values(), key=lambda card: player_number(card.player)))
    criteria = (*order.criteria, Criterion.PLAY_OFF) if order.last_resort == LastResort.PLAY_OFF else order.criteria
    levels = list(_part(in_row, criteria, play_offs)) if in_row else []
    return tuple(_place(levels, order, names))


def groups_of(placings: Iterable[Placing]) -> tuple[tuple[PlayerId, ...], ...]:
    """The players of each place, best first; several if they share it."""
    return tuple(
        tuple(placing.player for placing in level) for _, level in groupby(placings, lambda placing: placing.place)
    )


# --- ranking ---


def _part(cards: tuple[ScoreCard, ...], criteria: Sequence[Criterion], play_offs: PlayOffs) -> Iterator[_Level]:
    """Split players into levels, best first, by the criteria in order."""
    if len(cards) == 1 or not criteria:
        yield _Level(cards)
        return
    first, *rest = criteria
    scores = _score(first, cards, play_offs)
    if scores is None:
        yield from _part(cards, rest, play_offs)
        return
    falling = sorted(cards, key=lambda card: -scores[card.player])
    for number, (_, level) in enumerate(groupby(falling, lambda card: scores[card.player])):
        within = tuple(level)
        again = first == Criterion.HEAD_TO_HEAD and len(within) < len(cards)  # a smaller group may all have met
        parts = _part(within, criteria if again else rest, play_offs)
        highest = next(parts)
        yield _Level(highest.cards, first if number else None)
        yield from parts


def _score(criterion: Criterion, cards: tuple[ScoreCard, ...], play_offs: PlayOffs) -> Mapping[PlayerId, int] | None:
    """Each player's score by a criterion, higher is better; None if it does not apply to them."""
    if criterion == Criterion.HEAD_TO_HEAD:
        return head_to_head(cards)
    if criterion == Criterion.PLAY_OFF:
        return play_off(cards, play_offs)
    return {card.player: NUMBERS[criterion](card.totals) for card in cards}


# --- places and their sentences ---


def _place(levels: Sequence[_Level], order: TieBreakOrder, names: Names) -> Iterator[Placing]:
    place = 1
    for above, level, below in zip([None, *levels], levels, [*levels[1:], None], strict=False):
        said, criterion = _say(place, (above, level, below), order, names)
        shared = len(level.cards) > 1
        for card in level.cards:
            yield Placing(place, shared, card.player, card.totals, None if shared else criterion, said)
        place += len(level.cards)


def _say(
    place: int, around: tuple[_Level | None, _Level, _Level | None], order: TieBreakOrder, names: Names
) -> tuple[Message, Criterion]:
    """The sentence of a place, and the criterion that it names.

    Names the tie-break that separates this place from the one below, or else from the one above, with both numbers; the
    first criterion if no tie was broken.
    """
    above, level, below = around
    first, ordinal = order.criteria[0], say_ordinal(place)
    if len(level.cards) > 1:
        key = "results_shared_play_off" if order.last_resort == LastResort.PLAY_OFF else "results_shared"
        return Message(key, place=ordinal, players=len(level.cards)), first
    if below is not None and below.below_by not in (first, None):
        return _compare(OVER, ordinal, level, below, names)
    if above is not None and level.below_by not in (first, None):
        return _compare(BEHIND, ordinal, level, above, names)
    own = _say_number(first, level.cards[0].totals)
    return Message("results_alone", place=ordinal, what=Message(WHAT[first]), own=own), first


def _compare(key: str, ordinal: Message, level: _Level, other: _Level, names: Names) -> tuple[Message, Criterion]:
    """The sentence that names the criterion separating two adjacent levels, and that criterion."""
    criterion = other.below_by if key == OVER else level.below_by
    assert criterion is not None
    what = Message(WHAT[criterion])
    if criterion in WITHOUT_NUMBERS:
        called = ", ".join(name_of(card.player, names) for card in other.cards)
        return Message(OF_PLAYERS[key], place=ordinal, what=what, names=called), criterion
    own, others = (_say_number(criterion, one.cards[0].totals) for one in (level, other))
    neighbor = {"next" if key == OVER else "before": others}
    return Message(key, place=ordinal, what=what, own=own, **neighbor), criterion


def _say_number(criterion: Criterion, totals: ScoreCardTotals) -> str | int:
    number = totals.minus if criterion == Criterion.LOSING_POINTS else NUMBERS[criterion](totals)
    return f"{number:+d}" if criterion in SIGNED else number


def say_ordinal(place: int) -> Message:
    """A place as an ordinal: 1st, 2nd, 3rd, 4th ... 11th ... 21st."""
    if place == 1:
        return Message("results_place_first", n=place)
    ending = None if place % 100 in TEENS else ORDINALS.get(place % 10)
    return Message(ending or "results_place_th", n=place)
