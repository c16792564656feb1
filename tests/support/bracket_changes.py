"""What a night does to a bracket, without the night: games undone or corrected, and who leaves and comes back."""

from dataclasses import dataclass, replace

from pegboard.tournament.playoffs.bracket import Bracket, BracketGame, Ending, MatchState


@dataclass(frozen=True)
class BracketChange:
    """A bracket as it is now, and the games that went as well, since they hung on what was changed."""

    bracket: Bracket
    dropped: tuple[BracketGame, ...]


def matches_ready(bracket):
    """The matches that can be played now."""
    return tuple(match for match in bracket.matches if match.state is MatchState.READY)


def without_game(bracket, key, number=0):
    """Without a game of a match: the one of that number, from 1, or with 0 the last one."""
    row = bracket.find_match(key).rows[number - 1]
    return _settle(_leave_out(bracket, [row]))


def with_game_corrected(bracket, key, number, winner, margin=None):
    """With another winner or margin of a game that was played."""
    games, row = list(bracket.games), bracket.find_match(key).rows[number - 1]
    games[row] = replace(games[row], winner=winner, how=Ending.PLAYED, margin=margin, games=1)
    return _settle(replace(bracket, games=tuple(games)))


def with_departure(bracket, *players):
    """After these have left, one after the other."""
    return replace(bracket, gone=(*bracket.gone, *players))


def without_departure(bracket, player):
    """As if a player had not left."""
    return _settle(replace(bracket, gone=tuple(one for one in bracket.gone if one != player)))


def _settle(bracket):
    return BracketChange(_leave_out(bracket, bracket.progress.idle), bracket.idle)


def _leave_out(bracket, rows):
    return replace(bracket, games=tuple(game for row, game in enumerate(bracket.games) if row not in rows))
