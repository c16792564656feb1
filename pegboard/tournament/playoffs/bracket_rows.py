"""A bracket, ties and play-offs as JSON: the rows that are stored, and read back."""

from collections.abc import Mapping
from typing import Any

from pegboard.tournament.playoffs.bracket import Bracket
from pegboard.tournament.playoffs.bracket_games import BracketGame, Ending
from pegboard.tournament.playoffs.seeding import Placement
from pegboard.tournament.playoffs.tie_play_off import TieGame, TiePlayOff
from pegboard.tournament.playoffs.ties import Decider, TieDecision

UNREADABLE = (ValueError, TypeError, KeyError)
"""What reading rows that are none ends in."""


def bracket_as_json(bracket: Bracket) -> dict[str, Any]:
    """The stored rows of a bracket."""
    return {
        "bracket": bracket.name,
        "best_of": list(bracket.best_of),
        "placements": [{"place": row.place, "seed": row.seed, "player": row.player} for row in bracket.placements],
        "games": [game_as_json(game) for game in bracket.games],
        "gone": list(bracket.gone),
    }


def bracket_from_json(values: Mapping[str, Any]) -> Bracket:
    """The bracket of its stored rows.

    Raises:
        ValueError: the rows are none; so say the other errors of `UNREADABLE`.
    """
    return Bracket(
        name=values["bracket"],
        placements=tuple(Placement(row["place"], row["seed"], row["player"]) for row in values["placements"]),
        best_of=tuple(values["best_of"]),
        games=tuple(game_from_json(row) for row in values["games"]),
        gone=tuple(values["gone"]),
    )


def game_as_json(game: BracketGame) -> dict[str, Any]:
    """A game of a bracket."""
    return {
        "match": game.match,
        "players": list(game.players),
        "winner": game.winner,
        "how": str(game.how),
        "margin": game.margin,
        "games": game.games,
    }


def game_from_json(values: Mapping[str, Any]) -> BracketGame:
    """The game of its stored row.

    Raises:
        ValueError: the row is none; so say the other errors of `UNREADABLE`.
    """
    upper, lower = values["players"]
    return BracketGame(
        values["match"], (upper, lower), values["winner"], Ending(values["how"]), values["margin"], values["games"]
    )


def tie_decision_as_json(decision: TieDecision) -> dict[str, Any]:
    """What was decided of a tie."""
    return {"groups": [list(group) for group in decision.groups], "how": str(decision.how)}


def tie_decision_from_json(values: Mapping[str, Any]) -> TieDecision:
    """What was decided of a tie, of its stored row.

    Raises:
        ValueError: the row is none; so say the other errors of `UNREADABLE`.
    """
    return TieDecision(tuple(tuple(group) for group in values["groups"]), Decider(values["how"]))


def tie_play_off_as_json(play_off: TiePlayOff) -> dict[str, Any]:
    """The one-game play-offs of a tie."""
    games = [{"winner": game.winner, "loser": game.loser} for game in play_off.games]
    return {"players": list(play_off.players), "places": play_off.places, "games": games}


def tie_play_off_from_json(values: Mapping[str, Any]) -> TiePlayOff:
    """The one-game play-offs of a tie, of their stored rows.

    Raises:
        ValueError: the rows are none; so say the other errors of `UNREADABLE`.
    """
    games = tuple(TieGame(row["winner"], row["loser"]) for row in values["games"])
    return TiePlayOff(tuple(values["players"]), values["places"], games)
