"""A season: a journal of many short matches, for what is done to all games by several processes."""

from pegboard import Rename, Rules, Start
from pegboard.core.match import Setup
from tests.support.scoreboard_on_a_folder import Table

GAMES = 7
"""Games that are over, of which one was given up; another one goes on."""

GIVEN_UP = 4


def play_season(folder):
    """Play matches of two games, in each of which a name is corrected."""
    table = Table(folder, Setup(Rules(), ("Ann", "Bbo"), "first to 9"))
    for game in range(GAMES):
        table.now += 60_000_000_000
        if game == GIVEN_UP:
            table.score(0, 5)
        else:
            table.win(game % 2)
        if game % 2:
            table.ask(Rename(1, table.view.game.players[1], "Bob"), base=None)
            start = Start(table.view.game.rules, ("Ann", "Bbo"), format="first to 9")
        else:
            start = Start(table.view.game.rules, table.view.game.players)
        table.ask(start, director=True, replaces=table.view.id if game == GIVEN_UP else None)
    table.score(0, 5)
    table.journal.close()
