"""A tournament night at work: requests are decided, stored as JSON rows, and added, as a hub does it."""

import json

from pegboard.errors import PegboardError
from pegboard.tournament.night.decide import add, decide, fold
from pegboard.tournament.night.decisions import as_row, from_row
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import EMPTY_NIGHT, Author, Role, StoredDecision
from pegboard.tournament.night.views.night_views import director_view

DIRECTOR = Author(Role.DIRECTOR, "Dee")

EVENING = 1_795_720_000_000
"""Milliseconds since 1970: when the first decision is made; each later one comes a second after the last."""


class NightAtWork:
    """A hub's loop without a hub."""

    def __init__(self, shuffle=tuple):
        self.night, self.rows, self.shuffle = EMPTY_NIGHT, [], shuffle

    def do(self, do, by=DIRECTOR, **values):
        """Decide, store and add; the decision's number."""
        request = json.loads(json.dumps({"do": do, **values}))
        decision = decide(self.night, request, by, self.shuffle)
        number = self.night.revision + 1
        stored = StoredDecision(number, EVENING + 1000 * number, by, decision)
        self.rows.append(json.loads(json.dumps(as_row(stored))))
        self.night = add(self.night, from_row(self.rows[-1]))
        return number

    def refusal(self, do, by=DIRECTOR, **values):
        """The error of a decision that is refused; the night is as it was."""
        before, rows = self.view(), len(self.rows)
        try:
            self.do(do, by, **values)
        except PegboardError as error:
            assert (self.view(), len(self.rows)) == (before, rows)
            return error
        raise AssertionError(f"{do} {values} was not refused")

    def view(self):
        """The director's view."""
        return director_view(self.night)

    def replayed(self):
        """The night that the stored rows alone make."""
        return fold(map(from_row, json.loads(json.dumps(self.rows))))

    # --- short ways through a night ---

    def open(self, players, **rules):
        """Open a night with these people, who are all here."""
        self.do("open_night", name="Club night", date="2026-11-26", rules={"games": 3, **rules})
        for name in players:
            self.do("enter", name=name)
        self.do("check_in", players=list(self.night.players))
        return self

    def id_of(self, name):
        """The id of a player."""
        return next(one.player for one in self.night.players.values() if one.name == name)

    def key(self, one, other, round_number=None):
        """The key of a drawn game of two players."""
        return next(
            key
            for key, game in self.night.schedule.items()
            if set(game.players) == {one, other} and round_number in (None, game.round)
        )

    def open_games(self):
        """The keys of games without a result."""
        return list(report(self.night).open_games)

    def play(self, key, winner, margin, way="paper"):
        """Enter a result: from paper, by both cards, or from the table."""
        one, other = self.night.schedule[key].players
        if way == "paper":
            self.do("paper_result", game=key, winner=winner, margin=margin)
        elif way == "cards":
            for player in (one, other):
                self.do("claim", player_of(player), game=key, player=player, won=player == winner, margin=margin)
        else:
            table = self.night.schedule[key].table
            values = {"game": key, "table": table, "winner": winner, "margin": margin, "confirmed": [one, other]}
            self.do("table_result", table_of(table), **values)

    def play_all(self, result, ways=("paper",)):
        """Play every open game; `result(one, other, number)` is (winner, margin)."""
        for number, key in enumerate(self.open_games()):
            winner, margin = result(*self.night.schedule[key].players, number)
            self.play(key, winner, margin, ways[number % len(ways)])

    def standing(self, player):
        """A player's row of the standings."""
        return next(row for row in self.view()["standings"] if row["player"] == player)

    def break_seed_ties(self):
        """Let every tie that hinders the cut be drawn by cards, in the order in which it is listed."""
        while ties := [tie for tie in self.view()["cut"]["ties"] if tie["kind"] != "high_non_qualifier"]:
            self.do("break_tie", players=ties[0]["players"], how="draw")


def without(night, numbers):
    """The night without these decisions, as if they had never been listed."""
    return fold(row for row in night.rows if row.number not in numbers)


def player_of(player):
    """The player as an author."""
    return Author(Role.PLAYER, player)


def table_of(table):
    """The table as an author."""
    return Author(Role.TABLE, table)


def lower_number_wins(one, other, number):
    """A result by the players' numbers; margins differ from game to game, some are skunks."""
    margin = 1 + (number * 17) % 60
    return (one if int(one[1:]) < int(other[1:]) else other), margin
