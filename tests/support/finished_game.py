"""A game of a night that was played at a real table, as its result code has it."""

from contextlib import closing, contextmanager

from pegboard.core.moves import Confirm
from pegboard.storage.games import rows_of_game
from pegboard.table.event_shown import result_of, setup_of
from pegboard.tournament.night.views.event_orders import event_orders
from tests.support.scoreboard_on_a_folder import Table


@contextmanager
def game_at_table(folder, state, night, *, table="t1"):
    """A table with the first game that it has to play, by the state of the event."""
    orders = event_orders(state, night)[table]
    order = next(order for order in orders.games if not order.is_done)
    played = Table(folder, setup_of(orders, order))
    with closing(played.journal):
        yield played


def confirm(played, confirmed=(0, 1)):
    """The seats agree that the game has ended so."""
    game = played.view.game
    for seat in confirmed:
        played.ask(Confirm(seat, game.outcome.winner, tuple(lane.front for lane in game.lanes)))


def play_game(folder, state, night, *, table="t1", winner=0, confirmed=(0, 1)):
    """That game, won by the seat `winner`, and confirmed."""
    with game_at_table(folder, state, night, table=table) as played:
        played.win(winner)
        confirm(played, confirmed)
        return result_of(rows_of_game(folder, played.view.id), table)
