"""The rules and the counting: microseconds of a command on a long sheet, and of a hand or a play."""

import itertools
import random
import time
import timeit

import pegboard
from pegboard.core.cards.pack import RANKS, SUITS, VALUES
from pegboard.core.moves import Amend, OverPeg, Penalize, Retract, SetPegs
from pegboard.core.view import View
from pegboard.core.view_as_json import snapshot
from tests.support.program import Service


def timed(act, number, rounds):
    """Microseconds of one call, once a round."""
    return [seconds / number * 1e6 for seconds in timeit.repeat(act, number=number, repeat=rounds)]


def core(budgets, _folder):
    """Entries and corrections on a sheet of 120 lines, hands and cribs among them; the first line costs the most."""
    game, rounds, times = long_game(), budgets.samples(200, quick=60), budgets.samples(5, quick=1)
    undone = pegboard.play(game, pegboard.TakeBack(1))
    entries = {"score": pegboard.Score(2, 0, why="play"), "penalty": Penalize(2, 1, "misdeal"), "deal": pegboard.Deal()}
    corrections = {
        "undo of line 1": (game, pegboard.TakeBack(1)),
        "redo of line 1": (undone, pegboard.Restore(1)),
        "amend of line 1": (game, Amend(1, 2, 1)),
        "over-peg at line 1": (game, OverPeg(1, 0, 1)),
        "retract to line 1": (game, Retract(1)),
        "set pegs": (game, SetPegs(0, 100, 90)),
    }
    for name, command in entries.items():
        took = timed(lambda command=command: pegboard.apply(game, pegboard.decide(game, command)), 50, rounds)
        budgets.add(f"decide + apply a new {name}, 120 on the sheet", took, 40, "us")
    for name, (sheet, command) in corrections.items():
        took = timed(lambda sheet=sheet, command=command: pegboard.play(sheet, command), 5, rounds)
        budgets.add(f"decide + apply {name}, 120 on the sheet", took, 500, "us")
    each = [once(pegboard.play, game, pegboard.TakeBack(line)) for line in range(1, 121) for _ in range(times)]
    budgets.add("decide + apply undo of each of 120 lines", each, 500, "us")
    budgets.add(
        "the state of the table as JSON-ready values", timed(lambda: snapshot(View(game)), 5, rounds), None, "us"
    )


def long_game():
    """A sheet of 120 lines that nobody has won: five cards, both hands and an empty crib in each deal."""
    game = pegboard.new_game(pegboard.Rules(), ("Ann", "Bob"))
    for line in range(120):
        pone, dealer = game.rules.after(game.dealer), game.dealer
        in_turn = [(pone, 1, "play"), (dealer, 1, "play")] * 2 + [
            (pone, 1, "hand"),
            (dealer, 1, "hand"),
            (dealer, 0, "crib"),
        ]
        seat, points, why = in_turn[line % 7]
        game = pegboard.play(game, pegboard.Score(points, seat, why=why))
    return game


def counting(budgets, folder):
    """Text to points, each hand and each play only once: nothing can be remembered from an earlier call."""
    dice = random.Random(29)
    pack = [rank + suit for rank in RANKS for suit in SUITS]
    many = budgets.samples(10_000, quick=1000)
    hands = {tuple(dice.sample(pack, 5)) for _ in range(many)}
    shows = [(" ".join(cards), starter) for *cards, starter in hands]
    plays = {lay(dice, pack[: low * len(SUITS)]) for low in (7, 13) for _ in range(many // 2)}
    budgets.add("count_show, each hand once", [once(count_show_points, *show) for show in shows], 20, "us")
    budgets.add(
        "count_play, each play once, 3 cards and more", [once(count_play_points, play) for play in plays], 10, "us"
    )
    with Service(folder / "state") as service:
        client, requests = service.client(), budgets.samples(200, quick=40)
        client.state()
        for what in ("count?ranks=5,5,5,J&starter=5&nobs=1", "play?laid=4,5,3,3,3,7,6,K"):
            answers = [once(client.ask, "GET", f"/api/v1/{what}") / 1e3 for _ in range(requests)]
            budgets.add(f"/api/v1/{what.partition('?')[0]} over HTTP", answers, 20, "ms", of="median")


def count_show_points(hand, starter):
    return pegboard.count_show(hand, starter).points


def count_play_points(laid):
    return pegboard.count_play(laid).points


def lay(dice, pack):
    """Cards from a shuffled pack, as many as do not pass 31."""
    cards = dice.sample(pack, len(pack))
    counts = itertools.accumulate(VALUES[RANKS.index(card[:-1]) + 1] for card in cards)
    return " ".join(card for card, count in zip(cards, counts, strict=True) if count <= 31)


def once(act, *what):
    """Microseconds of this one call."""
    begun = time.perf_counter_ns()
    act(*what)
    return (time.perf_counter_ns() - begun) / 1e3
