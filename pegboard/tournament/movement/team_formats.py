"""Formats of team and pairs nights, as data: a format that a club names is a row.

Sources: data/tournament_cases.json of the tests names the page of each. A match is two teams at as many tables as there
are numbers of legs; a night of pairs lets one side stay and the other move.
"""

from dataclasses import dataclass

PAIR = 2
"""Players who share a lane."""


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """A match of two teams.

    Attributes:
        name: of the format.
        pairs_legs: how many legs are played at each table of two pairs.
        singles_legs: how many at each table of two players.
    """

    name: str
    pairs_legs: tuple[int, ...] = ()
    singles_legs: tuple[int, ...] = ()

    @property
    def legs(self) -> int:
        """Of all tables together."""
        return sum(self.pairs_legs) + sum(self.singles_legs)

    @property
    def players(self) -> int:
        """How many a team has; who plays in a pair may play alone afterwards."""
        return max(PAIR * len(self.pairs_legs), len(self.singles_legs))


@dataclass(frozen=True, slots=True)
class PairsNightFormat:
    """A night on which one half of the pairs stays at their tables and the other half moves.

    Attributes:
        name: of the format.
        games: how many rounds are played.
    """

    name: str
    games: int


MATCH_FORMATS = {
    row.name: row
    for row in (
        MatchFormat("Ledbury league", pairs_legs=(5, 5, 5)),
        MatchFormat("Ledbury Shield", pairs_legs=(5, 5, 5), singles_legs=(3, 3, 3, 3, 3)),
        MatchFormat("shgddcl", pairs_legs=(2, 2, 3)),
    )
}
"""Matches of two teams by their names; shgddcl: rules 57-64, a team of six, two games of two legs and one of three."""

PAIRS_NIGHT_FORMATS = {row.name: row for row in (PairsNightFormat("Red Carpet", 5), PairsNightFormat("Ballantrae", 7))}
"""Nights of pairs by their names."""
