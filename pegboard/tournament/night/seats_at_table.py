"""Which player of a drawn game sat where, by the names that its table has: seats may be turned, and names corrected."""

from pegboard.core.names import compose
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.joined_names import join_pair
from pegboard.tournament.night.facts import EntryCorrected, PlayerEntered, ScheduledGame
from pegboard.tournament.night.night_state import Night


def players_by_names(night: Night, game: ScheduledGame, names: tuple[str, ...]) -> tuple[PlayerId, ...]:
    """The players of a game in the order of the seats in which these names are.

    They sit as they were drawn, unless the names say more for the other way round; who was entered under another name
    is meant by that too.
    """
    one, other = (names_so_far(night, player) for player in game.players)
    as_drawn, turned = (sum(map(_is_among, names, known)) for known in ((one, other), (other, one)))
    return game.players[::-1] if turned > as_drawn else game.players


def names_so_far(night: Night, player: PlayerId) -> frozenset[str]:
    """What a player is called, and what he was called before a correction, as a table writes it.

    A table composes letters and their accents (NFC); one of an older version writes them as they were entered.
    """
    entries = (row.decision for row in night.rows if isinstance(row.decision, PlayerEntered | EntryCorrected))
    names = {join_pair(entry.name, entry.partner) for entry in entries if entry.player == player}
    spelled = {" ".join(name.split()) for name in names | {night.name(player)}}
    return frozenset(spelled | {compose(name) for name in spelled})


def _is_among(name: str, known: frozenset[str]) -> bool:
    return name in known
