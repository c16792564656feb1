"""Consolation and plate brackets for players who did not qualify, or lost early in the main bracket.

Each eligible player may play or go home: the field is made up of those who choose to play. If a house plays rounds
before the bracket, they are a small event of their own, with a cutoff like that of the main event.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.playoffs.bracket import Bracket, BracketMatch, MatchState, draw
from pegboard.tournament.playoffs.qualifying import Ranking, strict_order


class ConsolationField(StrEnum):
    """The players who are eligible for a second bracket."""

    NON_QUALIFIERS = "non_qualifiers"
    FIRST_ROUND_LOSERS = "first_round_losers"
    FIRST_MATCH_LOSERS = "first_match_losers"
    BOTH = "both"


CONSOLATION = "consolation"

CONSOLATIONS: Mapping[str, ConsolationField] = {
    CONSOLATION: ConsolationField.NON_QUALIFIERS,
    "plate": ConsolationField.FIRST_ROUND_LOSERS,
    "open plate": ConsolationField.FIRST_MATCH_LOSERS,
    "second chance": ConsolationField.BOTH,
}
"""Eligible players by name of the second bracket. The open plate admits players who lost the match after a bye, too."""


def eligible(ranking: Ranking, main: Bracket, field: ConsolationField) -> Ranking:
    """Eligible players by place in the standings, which seeds them; ties in the standings stay ties.

    A substitute in the main bracket counts as qualified; a player who declined the place does not.

    Args:
        ranking: all entrants by place.
        main: the bracket of the qualifiers, in its current state.
        field: which players are eligible.
    """
    losers = _first_match_losers(main) if field is ConsolationField.FIRST_MATCH_LOSERS else _first_round_losers(main)
    others = {player for group in ranking for player in group}.difference(main.players)
    may = {
        ConsolationField.NON_QUALIFIERS: others,
        ConsolationField.FIRST_ROUND_LOSERS: losers,
        ConsolationField.FIRST_MATCH_LOSERS: losers,
        ConsolationField.BOTH: others | losers,
    }[field]
    return _choose(ranking, may)


def count_open_matches(main: Bracket, field: ConsolationField) -> int:
    """How many main bracket matches must still be decided before all eligible players are known."""
    if field is ConsolationField.NON_QUALIFIERS:
        return 0
    rounds = main.progress.rounds
    opening = list(rounds[0]) if rounds else []
    if field is ConsolationField.FIRST_MATCH_LOSERS:
        opening += [match for match in rounds[1] if _had_bye(match, rounds)] if len(rounds) > 1 else []
    return sum(match.state in (MatchState.READY, MatchState.WAITING) for match in opening)


def draw_consolation(
    name: str,
    may: Ranking,
    chosen: Collection[PlayerId],
    best_of: Sequence[int] = (3,),
) -> Bracket:
    """Draw the bracket of the eligible players who choose to play, seeded by the standings.

    Raises:
        RuleError: an ineligible player is among them, some of them tie for a seed, or nobody chooses to play.
    """
    strangers = set(chosen).difference(player for group in may for player in group)
    if strangers:
        raise RuleError("playoffs_consolation_not_eligible", count=len(strangers))
    return draw(name, strict_order(_choose(may, chosen)), best_of)


def find_ineligible(bracket: Bracket, may: Ranking) -> tuple[PlayerId, ...]:
    """Players in a bracket who are no longer eligible after a result was corrected; the director decides what to do."""
    allowed = {player for group in may for player in group}
    return tuple(player for player in bracket.players if player not in allowed)


def _choose(ranking: Ranking, chosen: Collection[PlayerId]) -> Ranking:
    groups = (tuple(player for player in group if player in chosen) for group in ranking)
    return tuple(group for group in groups if group)


def _first_round_losers(main: Bracket) -> set[PlayerId]:
    opening = main.progress.rounds[:1]
    return {match.loser for matches in opening for match in matches if match.loser is not None}


def _first_match_losers(main: Bracket) -> set[PlayerId]:
    rounds = main.progress.rounds
    rested = {match.winner for match in (rounds[0] if rounds else ()) if match.state is MatchState.BYE}
    second = rounds[1] if len(rounds) > 1 else ()
    return _first_round_losers(main) | {match.loser for match in second if match.loser and match.loser in rested}


def _had_bye(match: BracketMatch, rounds: Sequence[Sequence[BracketMatch]]) -> bool:
    """Whether one of the two players in a second-round match had a bye."""
    before = {earlier.key: earlier for earlier in rounds[0]}
    sources = (before.get(side.source or "") for side in match.sides)
    return any(source is not None and source.state is MatchState.BYE for source in sources)
