"""A game of a night that was played at a real table, as its result code has it."""

from contextlib import closing

from pegboard.core.moves import Confirm
from pegboard.event_table.game_result import result_of
from pegboard.event_table.next_pairing import setup_of
from pegboard.storage.summary.played_pairings import rows_of_game
from pegboard.tournament.orders_of_night import orders_of_view
from tests.support.scoreboard_on_a_folder import Table


def play_game(folder, view, night, *, table="t1", winner=0, confirmed=(0, 1)):
    """The first game that a table has to play, by the director's view: won by the seat `winner`, and confirmed."""
    orders = orders_of_view(view, night, table)
    order = next(order for order in orders.games if not order.is_done)
    played = Table(folder, setup_of(orders, order))
    with closing(played.journal):
        played.win(winner)
        game = played.view.game
        for seat in confirmed:
            played.ask(Confirm(seat, game.outcome.winner, tuple(lane.front for lane in game.lanes)))
        return result_of(rows_of_game(folder, played.view.id), table)
