"""The consolation and the plate: brackets of their own for who did not qualify, or lost early in the main bracket.

Each of them may come in or go home: the field is who chooses it. Where a house plays rounds before the bracket, these
are a small event of their own, whose standings are cut as those of the main one.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.playoffs.bracket import Bracket, BracketMatch, MatchState, draw
from pegboard.tournament.playoffs.qualifying import Ranking, strict_order


class ConsolationField(StrEnum):
    """Who may play."""

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
"""Second brackets by their names. In an open plate plays, too, who had a bye and lost the first match after it."""


def eligible(ranking: Ranking, main: Bracket, field: ConsolationField) -> Ranking:
    """Who may play, by place in the standings: by that they are seeded; ties in the standings stay ties.

    A substitute in the main bracket has qualified, and who gave up the place has not.

    Args:
        ranking: all entrants by place.
        main: the bracket of those who qualified, as it stands.
        field: who may play.
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
    """How many matches of the main bracket still have to be decided before everybody who may play is known."""
    if field is ConsolationField.NON_QUALIFIERS:
        return 0
    rounds = main.progress.rounds
    opening = list(rounds[0]) if rounds else []
    if field is ConsolationField.FIRST_MATCH_LOSERS:
        opening += [match for match in rounds[1] if _has_rested(match, rounds)] if len(rounds) > 1 else []
    return sum(match.state in (MatchState.READY, MatchState.WAITING) for match in opening)


def draw_consolation(
    name: str,
    may: Ranking,
    chosen: Collection[PlayerId],
    best_of: Sequence[int] = (3,),
) -> Bracket:
    """The bracket of those who may play and choose to, seeded by the standings.

    Raises:
        RuleError: somebody chooses it who may not, some who choose it tie for a seed, or nobody chooses it.
    """
    strangers = set(chosen).difference(player for group in may for player in group)
    if strangers:
        raise RuleError("playoffs_consolation_not_eligible", count=len(strangers))
    return draw(name, strict_order(_choose(may, chosen)), best_of)


def find_ineligible(bracket: Bracket, may: Ranking) -> tuple[PlayerId, ...]:
    """Who plays in it and may not, since a result was corrected after it was drawn; the director decides what then."""
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


def _has_rested(match: BracketMatch, rounds: Sequence[Sequence[BracketMatch]]) -> bool:
    """Whether somebody comes to a match of the second round from a bye."""
    before = {earlier.key: earlier for earlier in rounds[0]}
    sources = (before.get(side.source or "") for side in match.sides)
    return any(source is not None and source.state is MatchState.BYE for source in sources)
