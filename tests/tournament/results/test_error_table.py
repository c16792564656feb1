"""Errors written into the cards of 63 dealt games: which check finds how many of each (TOURNAMENT: the error table).

The games are dealt and pegged, and their margins follow from the score sheets that the core has replayed. Each error is
tried on every card or game of the night, one at a time; a check is right that finds all of them, or none.
"""

from dataclasses import replace
from functools import cache

import pytest

from pegboard.tournament.results.claims import Column, find_mismatch, find_wrong_margin
from pegboard.tournament.results.scoring import ACC
from tests.support.paper_cards import WrittenTotals, check_field_sums, check_written_card
from tests.support.tournament_field import dealt_games, records_of, right_claims, written_cards

GAMES = 63


@cache
def sheets():
    return dict(dealt_games(14, 9))


@cache
def right_games():
    return tuple((pairing, right_claims(pairing, sheet)) for pairing, sheet in sheets().items())


def other_margin(margin):
    """Another spread of the same game points: what is misread."""
    return margin + 1 if margin not in (30, 121) else margin - 1


def with_claim(game, place, claim):
    """The games of the night, one of them with another claim on one card."""
    pairing, claims = right_games()[game]
    wrong = (claim, claims[1]) if place == 0 else (claims[0], claim)
    return [*right_games()[:game], (pairing, wrong), *right_games()[game + 1 :]]


def misread_spreads():
    for game, (pairing, claims) in enumerate(right_games()):
        for place, claim in enumerate(claims):
            games = with_claim(game, place, replace(claim, margin=other_margin(claim.margin)))
            yield pairing, games, written_cards(games)


def wrong_columns():
    for game, (pairing, claims) in enumerate(right_games()):
        for place, claim in enumerate(claims):
            column = Column.MINUS if claim.won else Column.PLUS
            games = with_claim(game, place, replace(claim, column=column))
            yield pairing, games, written_cards(games)


def skunks_misvalued():
    for game, (pairing, claims) in enumerate(right_games()):
        winner = 0 if claims[0].won else 1
        games = with_claim(game, winner, replace(claims[winner], points=5 - claims[winner].points))
        yield pairing, games, written_cards(games)


def wrong_additions():
    games, cards = list(right_games()), written_cards(right_games())
    for at, card in enumerate(cards):
        for name in WrittenTotals.__dataclass_fields__:
            totals = replace(card.totals, **{name: getattr(card.totals, name) + 1})
            yield None, games, [*cards[:at], replace(card, totals=totals), *cards[at + 1 :]]


def both_alike():
    """Both players write the same wrong margin."""
    for game, (pairing, claims) in enumerate(right_games()):
        wrong = tuple(replace(claim, margin=other_margin(claim.margin)) for claim in claims)
        games = [*right_games()[:game], (pairing, wrong), *right_games()[game + 1 :]]
        yield pairing, games, written_cards(games)


def is_in_card_arithmetic(_pairing, _games, cards):
    return any(check_written_card(card, ACC) for card in cards)


def is_in_field_sums(_pairing, _games, cards):
    return bool(check_field_sums(cards, ACC))


def is_in_reciprocal_check(pairing, games, _cards):
    """Whether it is found, and just the game at fault is named."""
    found = [record.key for record in records_of(games) if find_mismatch(record)]
    assert found in ([], [pairing and pairing.key])
    return bool(found)


def is_in_derived_margin(pairing, games, _cards):
    """Whether the score sheets find it, and just the game at fault."""
    found = [wrong.game for record in records_of(games, sheets()) if (wrong := find_wrong_margin(record))]
    assert found in ([], [pairing and pairing.key])
    return bool(found)


def percent(found):
    assert len(found) >= GAMES
    return 100 * sum(found) / len(found)


def test_the_night_has_63_games_with_wins_and_skunks():
    margins = [sheet.margin for sheet in sheets().values()]
    assert len(margins) == GAMES
    assert min(margins) < 31 <= max(margins)
    assert len({pairing.key for pairing in sheets()}) == GAMES


def test_cards_without_an_error_pass_every_check():
    cards = written_cards(right_games())
    checks = (is_in_card_arithmetic, is_in_field_sums, is_in_reciprocal_check, is_in_derived_margin)
    assert [check(None, right_games(), cards) for check in checks] == [False] * 4


@pytest.mark.parametrize(
    ("errors", "card_arithmetic", "field_sums", "reciprocal", "derived_margin"),
    [
        pytest.param(misread_spreads, 0, 100, 100, 100, id="misread spread"),
        pytest.param(wrong_columns, 100, 100, 100, 0, id="wrong column"),
        pytest.param(skunks_misvalued, 100, 100, 0, 0, id="skunk 2 for 3 or 3 for 2"),
        pytest.param(wrong_additions, 100, 100, 0, 0, id="addition"),
        pytest.param(both_alike, 0, 0, 0, 100, id="both write the same wrong margin"),
    ],
)
def test_each_check_finds_all_of_an_error_or_none(errors, card_arithmetic, field_sums, reciprocal, derived_margin):
    nights = list(errors())
    checks = (is_in_card_arithmetic, is_in_field_sums, is_in_reciprocal_check, is_in_derived_margin)
    found = [percent([check(*night) for night in nights]) for check in checks]
    assert found == [card_arithmetic, field_sums, reciprocal, derived_margin]
