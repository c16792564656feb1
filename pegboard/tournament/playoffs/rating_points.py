"""Rating points of the congress: the game points that a card needs in an event of so many games.

Published sheets for singles (ACC, since 2016-08-01). An event that is in no row gets no points by guessing.
"""

from dataclasses import dataclass

from pegboard.errors import RuleError


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A row of the sheets.

    Attributes:
        event: "main" or "consolation".
        games: qualifying games of the event.
        least_points: game points from which on a card counts.
    """

    event: str
    games: int
    least_points: int


RATING_ROWS = (
    RatingRow("main", 12, 14),
    RatingRow("main", 14, 17),
    RatingRow("main", 16, 20),
    RatingRow("main", 18, 22),
    RatingRow("main", 20, 25),
    RatingRow("main", 21, 26),
    RatingRow("main", 22, 27),
    RatingRow("consolation", 7, 9),
)


def rating_row(event: str, games: int) -> RatingRow:
    """The row of an event.

    Raises:
        RuleError: the sheets have no such event, or none of so many games.
    """
    found = next((row for row in RATING_ROWS if (row.event, row.games) == (event, games)), None)
    if found is None:
        known = ", ".join(f"{row.event} {row.games}" for row in RATING_ROWS)
        raise RuleError("playoffs_rating_unknown", event=event, games=games, known=known)
    return found
