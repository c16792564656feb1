"""A head start goes to the dealer who is announced, also after another was put right midway."""

from dataclasses import replace

import pegboard
from pegboard import Amend, Deal, Rules, Score


def test_a_deal_begun_by_an_amended_crib_gives_its_head_start_to_the_dealer_announced():
    rules = replace(Rules.named("partners"), dealer_start=3, pone_start=3)
    game = pegboard.new_game(rules, players=("Ann", "Bob", "Cy", "Dee"))
    for command in (
        Score(seat=3, points=2),
        Deal(dealer=1, new=False),  # midway: Bob's side keeps what Ann's deal gave it
        Deal(dealer=2, new=False),
        Deal(dealer=2, new=True),
        Amend(line=1, was=2, why="crib"),  # so Bob's deal began with it, and the announcement says that it is Cy's
    ):
        game = pegboard.play(game, command)
    assert [tuple(lane) for lane in game.lanes] == [(6, 3), (5, 3)]
    assert game.dealer == 2
