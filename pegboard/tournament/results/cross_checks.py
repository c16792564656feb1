"""Reciprocal check: two cards that do not fit each other, or the table's score sheet; each names the game at fault."""

from dataclasses import dataclass
from enum import StrEnum

from pegboard.messages import Message
from pegboard.tournament.pairings import GameKey
from pegboard.tournament.results.claims import NOBODY, Claim, GameRecord, Names, SheetResult, name_of, say_game


class MismatchKind(StrEnum):
    """In what two cards, or a card and a score sheet, do not fit."""

    RESULT = "result"
    MARGIN = "margin"
    COLUMN = "column"
    BLANK = "blank"
    SHEET_WINNER = "sheet_winner"
    SHEET_MARGIN = "sheet_margin"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A game whose cards do not fit.

    Attributes:
        game: its key.
        kind: in what.
        said: the sentence for the director, which names round and players.
    """

    game: GameKey
    kind: MismatchKind
    said: Message


def find_mismatch(record: GameRecord, names: Names = NOBODY) -> Mismatch | None:
    """In what the two claims of a game do not fit each other; None where they do, or one is not there yet."""
    one, other = record.claims
    if one is None or other is None:
        return None
    game = say_game(record.pairing, names)
    if one.won == other.won:
        both = Message("results_both_won" if one.won else "results_both_lost", game=game)
        return Mismatch(record.key, MismatchKind.RESULT, both)
    if one.margin is None or other.margin is None:
        return Mismatch(record.key, MismatchKind.BLANK, _say_blank(record, game, names))
    alike = one.spread_column == other.spread_column
    if alike or one.spread_column != one.own_column:
        said = Message("results_same_column" if alike else "results_wrong_columns", game=game)
        return Mismatch(record.key, MismatchKind.COLUMN, said)
    if one.margin != other.margin:
        return Mismatch(record.key, MismatchKind.MARGIN, _say_margins(record, (one, other), game, names))
    return None


def _say_blank(record: GameRecord, game: Message, names: Names) -> Message:
    blank = [
        player
        for player, claim in zip(record.pairing.players, record.claims, strict=True)
        if claim is not None and claim.margin is None
    ]
    if len(blank) > 1:
        return Message("results_both_blank", game=game)
    return Message("results_blank", game=game, name=name_of(blank[0], names))


def _say_margins(record: GameRecord, claims: tuple[Claim, Claim], game: Message, names: Names) -> Message:
    winner = 0 if claims[0].won else 1
    called = [name_of(player, names) for player in record.pairing.players]
    return Message(
        "results_margins_differ",
        game=game,
        winner=called[winner],
        plus=claims[winner].margin,
        loser=called[1 - winner],
        minus=claims[1 - winner].margin,
    )


def find_wrong_margin(record: GameRecord, names: Names = NOBODY) -> Mismatch | None:
    """In what a card differs from the result that follows from the table's score sheet; None where none does.

    Both players can write the same wrong margin: their cards fit each other then, and all sums are right. Only the
    score sheet, which knows the hole that the loser has reached, finds it.
    """
    if record.sheet is None:
        return None
    for player, claim in zip(record.pairing.players, record.claims, strict=True):
        if claim is not None and (wrong := _compare(player, claim, record, record.sheet, names)):
            return wrong
    return None


def _compare(player: str, claim: Claim, record: GameRecord, sheet: SheetResult, names: Names) -> Mismatch | None:
    game = say_game(record.pairing, names)
    if claim.won != (player == sheet.winner):
        one, other = record.pairing.players
        claimed = player if claim.won else other if player == one else one
        said = Message(
            "results_sheet_winner", game=game, claimed=name_of(claimed, names), derived=name_of(sheet.winner, names)
        )
        return Mismatch(record.key, MismatchKind.SHEET_WINNER, said)
    if claim.margin not in (None, sheet.margin):
        said = Message("results_sheet_margin", game=game, claimed=claim.margin, derived=sheet.margin)
        return Mismatch(record.key, MismatchKind.SHEET_MARGIN, said)
    return None
