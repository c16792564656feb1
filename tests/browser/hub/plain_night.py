"""A night added up as on a sheet of paper: game points, wins and spread of each name, and who is level with whom."""

from dataclasses import dataclass, field
from itertools import combinations

DASH, MINUS = "\u2013", "\u2212"
"""As a page writes them."""

SKUNK = 31
"""Holes: from this margin on a win is worth three game points."""


def result(winner, loser, margin):
    """What a game counts by the rules of the ACC: game points and signed spread of each."""
    return {winner: (3 if margin >= SKUNK else 2, margin), loser: (0, -margin)}


@dataclass
class PlainNight:
    """Results by their game, whatever names a game; names of people as the pages show them.

    Attributes:
        games: what each game counts for whom: game points and signed spread.
        unplayed: the games that somebody lost without playing.
        people: everyone who has come.
        gone: who of them has left.
    """

    games: dict = field(default_factory=dict)
    unplayed: set = field(default_factory=set)
    people: list = field(default_factory=list)
    gone: set = field(default_factory=set)

    def copy(self):
        return PlainNight(dict(self.games), set(self.unplayed), self.people, self.gone)

    def play(self, game, winner, loser, margin):
        self.games[game] = result(winner, loser, margin)

    def card(self, name):
        """The values of each game of a player."""
        return [values[name] for values in self.games.values() if name in values]

    def key(self, name):
        """What places are made by: game points, games won, net spread, plus points."""
        card = self.card(name)
        nets = [net for _, net in card]
        return sum(points for points, _ in card), sum(net > 0 for net in nets), sum(nets), sum(max(0, n) for n in nets)

    def row(self, name):
        """A row of the standings: points, won and lost, spread, plus, skunks, games, as written on a page."""
        card = self.card(name)
        points, won, net, plus = self.key(name)
        skunks = sum(points > 2 for points, _ in card)
        return [f"{points}", f"{won}{DASH}{len(card) - won}", signed(net), f"{plus}", f"{skunks}", f"{len(card)}"]

    def short_row(self, name):
        """The same on a phone and on the big screen: points, won, spread."""
        points, won, net, _ = self.key(name)
        return [f"{points}", f"{won}", signed(net)]

    def total(self, name):
        """The foot of a card."""
        points, won, net, _ = self.key(name)
        return f"{points} {'point' if points == 1 else 'points'}, {won} won, spread {signed(net)}"

    def met(self, one, other):
        """Whether the two have played a game."""
        return any(one in values and other in values for key, values in self.games.items() if key not in self.unplayed)

    def levels(self):
        """Who is still here, best first; those whom nothing parts together."""
        here = sorted((name for name in self.people if name not in self.gone), key=self.key, reverse=True)
        groups = []
        for name in here:
            if groups and self.key(groups[-1][0]) == self.key(name):
                groups[-1].append(name)
            else:
                groups.append([name])
        return groups

    def tie_at(self, places):
        """Those who are level across the last place that goes on, where not all of them have met; nobody else is."""
        before = 0
        for group in self.levels():
            if before < places < before + len(group):
                return [] if all(self.met(*pair) for pair in combinations(group, 2)) else group
            if before >= places:
                break
            if len(group) > 1:
                return []
            before += len(group)
        return []


def signed(number):
    return f"+{number}" if number > 0 else f"{number}".replace("-", MINUS)
