"""Names in a row, as a sentence has them: "Ann", "Ann and Bob", "Ann, Bob and Cy"."""

from collections.abc import Iterable, Mapping

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId


def join_pair(name: str, partner: str) -> str:
    """Two who play as one, under both their names in any language; one without a partner under the own one."""
    return f"{name} & {partner}" if partner else name


def join_names(players: Iterable[PlayerId], names: Mapping[PlayerId, str]) -> str:
    """The names of players in their order, as a value of a message; one without a name is called by the id."""
    row = [names.get(player, player) for player in players]
    if len(row) < 2:  # noqa: PLR2004 - one name has no "and"
        return "".join(row)
    return Message("playoffs_names_in_a_row", others=", ".join(row[:-1]), last=row[-1])
