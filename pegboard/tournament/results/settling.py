"""Settle a game: two claims that fit each other, or a table's score sheet, become what it counts for each player."""

from dataclasses import replace

from pegboard.tournament.pairings import Pairing
from pegboard.tournament.results.claims import Claim, Claims, DecidedBy, GameRecord, SheetResult, Value, Values
from pegboard.tournament.results.cross_checks import find_mismatch, find_wrong_margin
from pegboard.tournament.results.scoring import PointTable


def settle(pairing: Pairing, claims: Claims, table: PointTable, sheet: SheetResult | None = None) -> GameRecord:
    """The record of a game: settled where what is there fits together, else open.

    Both players have to have said what it came to, by a card or by confirming what the table shows; where there is a
    score sheet, it says by how much. Where a claim fits neither the other one nor the sheet, the game stays open: the
    director rules.

    Args:
        pairing: who plays whom.
        claims: of the two cards, in the order of the pairing's players.
        table: what a win is worth.
        sheet: what the table's score sheet says; None where no table has sent one.
    """
    record = GameRecord(pairing, claims, sheet=sheet)
    if find_mismatch(record) or find_wrong_margin(record):
        return record
    one, other = claims
    if one is None or other is None:
        return record
    if sheet is not None:
        return replace(record, values=values_of_sheet(record, sheet, table), decided_by=DecidedBy.SHEET)
    return replace(record, values=values_of_claims((one, other), record, table), decided_by=DecidedBy.CLAIMS)


def values_of_sheet(record: GameRecord, sheet: SheetResult, table: PointTable) -> Values:
    """What a game counts by its score sheet, in the order of the pairing's players."""
    one, other = (
        value_of_game(sheet.margin if player == sheet.winner else -sheet.margin, record, table)
        for player in record.pairing.players
    )
    return one, other


def values_of_claims(claims: tuple[Claim, Claim], record: GameRecord, table: PointTable) -> Values:
    """What a game counts by two claims that both have a spread, each player by his own card."""
    one, other = (
        value_of_game((claim.margin or 0) if claim.won else -(claim.margin or 0), record, table) for claim in claims
    )
    return one, other


def value_of_game(net: int, record: GameRecord, table: PointTable) -> Value:
    """What a game counts for a player who has won it by so many holes, or lost it (a negative number)."""
    return Value(table.points(net, record.pairing.round) if net > 0 else 0, net)
