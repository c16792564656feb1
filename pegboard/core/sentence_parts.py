"""Parts of sentences: who has won, names in a row, so many of a thing, seats from the first to the last."""

from collections.abc import Sequence

from pegboard.core.board import Game
from pegboard.messages import Message


def how_it_ended(game: Game) -> Message:
    """Who has won: "Ann has won"."""
    winner = None if game.outcome is None else game.outcome.winner
    if winner is None:
        return Message("fell_short")
    return game.message_on(winner, "has_won", "have_won")


def join_names(names: Sequence[str]) -> str:
    """Names in a sentence: "Ann", "Ann and Bob", "Ann, Bob and Cy"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def pluralize(number: int, thing: str) -> str:
    """So many of a thing in English: "1 line", "2 lines"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def number_of_players(number: int) -> Message:
    """So many players."""
    return Message("one_player" if number == 1 else "many_players", n=number)


def span(number: int) -> Message:
    """So many seats or lanes, by their numbers: "0 to 3"."""
    return Message("only_zero") if number == 1 else Message("zero_to", most=number - 1)
