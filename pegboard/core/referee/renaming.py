"""The decision that a player's name is corrected, in the running game and in all games of its match."""

from pegboard.core.board import Game
from pegboard.core.moves import Rename, Renamed
from pegboard.core.naming.player_names import check_distinct, cite, clean_name
from pegboard.core.referee.decision_registry import decides
from pegboard.core.referee.decisions import seat_exists
from pegboard.errors import Already, Moved


@decides(Rename)
def rename(game: Game, asked: Rename) -> Renamed:
    """Judge a corrected name by the rules of a start; it moves no peg, so it is allowed after the end too.

    Raises:
        RuleError: there is no such seat, or the name is none, or looks like another player's; `Already` when the
            player is called so.
        Moved: the player is not called `asked.former`.
    """
    seat = seat_exists(game.rules, asked.seat)
    name, shown = clean_name(asked.to), game.players[seat]
    if asked.former != shown:
        raise Moved("called_now", name=shown, former=cite(asked.former))
    if name == shown:
        raise Already("called_already", name=shown)
    for other in (*game.players[:seat], *game.players[seat + 1 :]):
        check_distinct((name, other))
    return Renamed(seat, shown, name)
