"""A field of a tournament: a ring of pairings, games dealt and replayed by the core, and the cards they make."""

import random

from pegboard.core.match import result
from pegboard.core.moves import Score
from pegboard.core.referee import new_game, play
from pegboard.core.rules import Rules
from pegboard.tournament.pairings import Pairing
from pegboard.tournament.results.claims import Claim, GameRecord, SheetResult, settle
from pegboard.tournament.results.scoring import ACC
from tests.support.dealing import MIX, game, table_of
from tests.support.paper_cards import WrittenScoreCard, WrittenTotals


def ids(players):
    """p1, p2 ... in order of entry."""
    return [f"p{number}" for number in range(1, players + 1)]


def ring(players, rounds):
    """The pairings of an even field: the first stays, all others move one seat each round (circle method)."""
    anchor, *others = ids(players)
    for number in range(rounds):
        turned = [anchor, *others[number % len(others) :], *others[: number % len(others)]]
        half = len(turned) // 2
        yield from (Pairing(number + 1, pair) for pair in zip(turned[:half], reversed(turned[half:]), strict=True))


def dealt_games(players=14, rounds=9, seed=63):
    """Each pairing of a field with the result that follows from the score sheet of a game that was dealt for it."""
    dice, rules = random.Random(seed), Rules.named("acc")
    for pairing in ring(players, rounds):
        sheet = new_game(rules, pairing.players, 0)
        for truth in game(dice, table_of(rules), 0, [dice.choice(MIX) for _ in range(2)]):
            sheet = play(sheet, Score(truth.points, truth.seat, why=truth.why))
        won = result(sheet)
        yield pairing, SheetResult(pairing.players[won.winner], won.spread[won.winner])


def right_claims(pairing, sheet):
    """What both cards say where nobody errs, game points written out."""
    points = 3 if sheet.margin >= 31 else 2
    return tuple(
        Claim(player == sheet.winner, sheet.margin, points=points if player == sheet.winner else 0)
        for player in pairing.players
    )


def chance_records(players, rounds, seed=22):
    """Settled records of a field, with results by chance."""
    dice = random.Random(seed)
    for pairing in ring(players, rounds):
        sheet = SheetResult(dice.choice(pairing.players), dice.randint(1, 60))
        yield settle(pairing, right_claims(pairing, sheet), ACC)


def added_up(claims):
    """The totals of a card's claims, written out here once more: what a player adds up by hand."""
    spreads = [(claim.margin, claim.spread_column) for claim in claims]
    plus, minus = (sum(margin for margin, at in spreads if at == column) for column in ("plus", "minus"))
    points, won = sum(claim.points for claim in claims), sum(claim.won for claim in claims)
    return WrittenTotals(points, won, plus, minus, plus - minus)


def written_cards(games):
    """The paper cards of (pairing, both claims), each added up by its player."""
    cards = {}
    for pairing, claims in games:
        for player, claim in zip(pairing.players, claims, strict=True):
            cards.setdefault(player, {})[pairing] = claim
    return [WrittenScoreCard(player, claims, added_up(claims.values())) for player, claims in cards.items()]


def records_of(games, sheets=None):
    """A record of each (pairing, both claims), settled where they fit; `sheets` by pairing."""
    sheets = sheets or {}
    return [settle(pairing, claims, ACC, sheets.get(pairing)) for pairing, claims in games]


def open_record(claims, sheet=None, rounds=1):
    """A game of Ann (p1) and Bob (p2) that nobody has settled."""
    return GameRecord(Pairing(rounds, ("p1", "p2")), claims, sheet=sheet)


NAMES = {"p1": "Ann", "p2": "Bob", "p3": "Cy", "p4": "Dee", **{f"p{n}": f"Player {n}" for n in range(5, 201)}}


def is_reciprocal(record):
    """Whether one has won by what the other has lost by."""
    one, other = record.both_values
    return one.net + other.net == 0 and one.won != other.won
