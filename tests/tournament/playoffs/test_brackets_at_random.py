"""Brackets of every size with random results, forfeits, departures and undos, beside a knockout on paper."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pegboard.tournament.playoffs.bracket import Ending, draw
from tests.oracles.knockout import Knockout
from tests.support.bracket_changes import (
    matches_ready,
    with_departure,
    with_game_corrected,
    without_departure,
    without_game,
)

seeds = st.integers(0, 2**32)


def on_paper(bracket):
    rows = sorted(bracket.placements, key=lambda row: row.place)
    results = [
        (tuple(int(part) for part in game.match.split(":")[1:]), game.players, game.winner, game.games)
        for game in bracket.games
    ]
    return Knockout([row.player for row in rows], list(bracket.best_of), results, bracket.gone)


def compare(bracket):
    paper = on_paper(bracket)
    for match in bracket.matches:
        winner, _ = paper.judge((match.round, match.number))
        assert (match.winner or ("later" if match.sides and is_open(match) else "nobody")) == winner
    assert bracket.winner == paper.champion()
    assert paper.counted() == set(range(len(bracket.games)))
    assert bracket.idle == ()


def is_open(match):
    return match.state in ("waiting", "ready")


def nobody_plays_twice_in_a_round(bracket):
    for matches in bracket.progress.rounds:
        players = [player for match in matches for player in match.players if player]
        assert len(players) == len(set(players))


class Director:
    """Somebody who enters what comes, and at times undoes it."""

    def __init__(self, count, chance, leaving=0.08):
        self.chance, self.leaving = chance, leaving
        self.best_of = tuple(chance.choice((1, 3, 5)) for _ in range(chance.randint(1, 3)))
        self.bracket = draw("main", [f"p{n}" for n in chance.sample(range(1, count + 1), count)], self.best_of)
        self.undone = 0

    def enter_a_game(self):
        match = self.chance.choice(matches_ready(self.bracket))
        winner = self.chance.choice(match.players)
        if self.chance.random() < 0.15:
            lost = match.best_of // 2 + 1 - match.won[match.players.index(winner)]
            how, games, margin = Ending.NO_SHOW, self.chance.randint(1, lost), None
        else:
            how, games, margin = Ending.PLAYED, 1, self.chance.randint(1, 121)
        self.bracket = self.bracket.with_game(match.key, winner, how, margin, games)

    def undo_a_game(self):
        over = [match for match in self.bracket.matches if match.games]
        if over:
            match = self.chance.choice(over)
            number = self.chance.randint(0, len(match.games))
            self.change(without_game(self.bracket, match.key, number), one_less=1)

    def correct_a_game(self):
        over = [match for match in self.bracket.matches if match.games]
        if over:
            match = self.chance.choice(over)
            number = self.chance.randint(1, len(match.games))
            winner = self.chance.choice(match.players)
            self.change(with_game_corrected(self.bracket, match.key, number, winner, 7), one_less=0)

    def leave_or_come_back(self):
        player = self.chance.choice(self.bracket.players)
        if player in self.bracket.gone:
            self.change(without_departure(self.bracket, player), one_less=0)
        else:
            self.bracket = with_departure(self.bracket, player)

    def change(self, change, one_less):
        """What is dropped and what is left are what was there, but for the one that was undone."""
        assert len(change.bracket.games) + len(change.dropped) == len(self.bracket.games) - one_less
        self.undone += 1
        self.bracket = change.bracket

    def play(self):
        while self.bracket.winner is None:
            roll = self.chance.random()
            if self.undone < 12 and roll < 0.12:
                self.undo_a_game()
            elif self.undone < 12 and roll < 0.18:
                self.correct_a_game()
            elif self.undone < 12 and roll < 0.18 + self.leaving:
                self.leave_or_come_back()
            if matches_ready(self.bracket):
                self.enter_a_game()
            yield self.bracket


@pytest.mark.sampled(least=8)
@pytest.mark.parametrize("count", range(1, 65))
def test_every_bracket_of_up_to_sixty_four_ends_with_one_winner(count):
    director = Director(count, random.Random(count))
    for step, bracket in enumerate(director.play()):
        if step % 25 == 0:
            compare(bracket)
    ended = director.bracket
    compare(ended)
    nobody_plays_twice_in_a_round(ended)
    assert ended.winner in ended.players
    assert matches_ready(ended) == ()
    places = [player for place in ended.places for player in place.players]
    assert sorted(places) == sorted(ended.players)
    assert [place.first for place in ended.places] == [1, *(place.last + 1 for place in ended.places[:-1])]
    assert sum(match.loser is not None for match in ended.matches) == count - 1


@given(st.integers(1, 20), seeds)
def test_a_bracket_agrees_with_paper_after_every_step(count, seed):
    director = Director(count, random.Random(seed))
    for bracket in director.play():
        compare(bracket)
        nobody_plays_twice_in_a_round(bracket)


@example(16, 1898)
@given(st.integers(2, 20), seeds)
def test_what_was_undone_and_dropped_entered_anew_comes_to_the_same(count, seed):
    """A no-show of three games counts as two once a game before it was corrected: it is entered as it counts."""
    director = Director(count, random.Random(seed), leaving=0)
    list(director.play())
    ended = director.bracket
    match = director.chance.choice([match for match in ended.matches if match.games])
    change = without_game(ended, match.key)
    bracket = change.bracket
    counted = {
        id(ended.games[row]): game for one in ended.matches for row, game in zip(one.rows, one.games, strict=True)
    }
    for game in (match.games[-1], *(counted[id(row)] for row in change.dropped)):
        bracket = bracket.with_game(game.match, game.winner, game.how, game.margin, game.games)
    assert [again.winner for again in bracket.matches] == [once.winner for once in ended.matches]
    assert [again.games for again in bracket.matches] == [once.games for once in ended.matches]
