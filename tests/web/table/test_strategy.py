"""The strategy on the rules page: each example shows its rule, and every figure is counted a second time."""

import re
from itertools import combinations
from statistics import mean

import pytest

from pegboard import count_show
from pegboard.core.cards.pack import RANKS, Card, read_cards
from pegboard.core.house_rules import with_house_rules
from pegboard.core.rules import VARIANTS, Rules
from tests.oracles.hand_counter import scoring
from tests.support.web_server_and_clients import Site
from tests.web.table.test_rules_page import line_of, read
from web.kit.i18n import catalog
from web.table import rules_texts, strategy_examples, worked_examples

DISCARDING, PLAYING, POSITION = (
    [rule.anchor for rule in section.rules]
    for section in rules_texts.SECTIONS
    if section.anchor in ("strategy", "strategy-play", "position")
)
PLAYED = [rules for rules in VARIANTS.values() if rules.seats > 1]
FEEDING = [rules for rules in PLAYED if rules.variant != "six-partners"]
"""Games in which a player discards to a crib of the own side too."""


def test_strategy_has_five_rules_of_discarding_seven_of_the_play_and_three_of_position():
    assert (len(DISCARDING), len(PLAYING), len(POSITION)) == (5, 7, 3)


@pytest.mark.parametrize("rules", PLAYED, ids=lambda rules: rules.variant)
def test_each_rule_of_discarding_and_the_play_has_an_example(rules: Rules):
    own = {} if rules in FEEDING else {"own-crib"}
    for anchor in (*DISCARDING, *PLAYING):
        assert anchor in own or strategy_examples.split(anchor, rules) or worked_examples.plays(anchor, rules), anchor


# --- discarding ---


@pytest.mark.parametrize("rules", PLAYED, ids=lambda rules: rules.variant)
def test_the_better_discard_is_worth_more(rules: Rules):
    for anchor in DISCARDING:
        if split := strategy_examples.split(anchor, rules):
            better, worse = split.choices
            assert better.net > worse.net, anchor
            assert split.own == (anchor != "their-crib" and rules in FEEDING)


@pytest.mark.parametrize("rules", FEEDING, ids=lambda rules: rules.variant)
def test_the_same_cards_go_to_the_own_crib_and_not_to_the_opponents(rules: Rules):
    own, their = (strategy_examples.split(anchor, rules) for anchor in ("own-crib", "their-crib"))
    assert own
    assert their
    assert own.choices[0].thrown == their.choices[1].thrown
    assert own.choices[1].thrown == their.choices[0].thrown


@pytest.mark.parametrize("rules", PLAYED, ids=lambda rules: rules.variant)
def test_of_hands_with_the_same_points_more_starters_improve_the_better_one(rules: Rules):
    split = strategy_examples.split("many-starters", rules)
    assert split
    better, worse = split.choices
    assert better.now == worse.now
    assert better.hand > worse.hand + 0.5


@pytest.mark.parametrize(
    ("dealt", "thrown"),
    [("5H 6C 6D 7S JC KH", "JC KH"), ("2D 3S 4H 7D 8S 10S", "7D 8S"), ("2H 6H 8H KH 9D JC", "9D JC")],
)
def test_the_average_of_a_hand_is_that_of_every_starter_counted_by_itself(dealt: str, thrown: str):
    cards = read_cards(dealt)
    held = [card for card in cards if card not in read_cards(thrown)]
    starters = [rank + suit for rank in RANKS for suit in "CDHS" if rank + suit not in map(str, cards)]
    assert len(starters) == 46
    each = [count_show(" ".join(map(str, held)), starter).points for starter in starters]
    assert strategy_examples.average_hand(held, cards) == pytest.approx(mean(each))


def test_the_average_of_a_crib_is_that_of_every_way_to_fill_it():
    """All three other cards of a small deck, by a counter of its own: 5 and 5 thrown of fives, tens and aces alone."""
    dealt = read_cards("5H 5C AH AC 10H 10C")
    rest = [card for card in strategy_examples.DECK if card not in dealt]
    thrown = dealt[:2]
    sample = list(combinations(rest, 3))
    assert len(sample) == 15_180
    each = mean(ranks_only([*thrown, *more]) for more in sample)
    assert strategy_examples.average_crib(thrown, dealt) == pytest.approx(each)


def ranks_only(cards) -> int:
    return sum(points for _, points in scoring([card.rank for card in cards]))


def test_of_six_nobody_discards_to_the_own_crib(quiet: Site):
    """The dealer and partner are dealt four cards, so the crib has the discards of the others."""
    assert "own-crib" not in read(quiet, variant="six-partners").ids
    assert "for the opponent" in line_of(quiet, "keep-most", "six-partners")


DEALER_SIX = with_house_rules(Rules.named("three-handed"), ["dealer six=on"])


@pytest.mark.parametrize("anchor", DISCARDING[:4])
def test_a_dealer_of_three_who_takes_six_discards_two_to_the_own_crib(anchor: str):
    """The others are dealt five and discard one, to a crib that is not theirs."""
    split = strategy_examples.split(anchor, DEALER_SIX)
    assert split
    assert [(len(choice.held), len(choice.thrown)) for choice in split.choices] == [(4, 2 if split.own else 1)] * 2
    assert split.own == (anchor != "their-crib")


def test_that_dealer_is_told_to_discard_cards_that_score_together(quiet: Site):
    six = quiet.get("/rules?preset=Complete+guide&variant=three-handed").body.decode()
    assert "Give it cards that score together" in six
    assert "Give it a card that scores with many others" not in six


@pytest.mark.parametrize(
    ("variant", "crib"),
    [
        ("three-handed", "Your own crib"),
        ("cut-throat-four", "Your own crib"),
        ("partners", "The crib of your own side"),
    ],
)
def test_only_partners_have_a_crib_of_their_side(quiet: Site, variant: str, crib: str):
    assert f"{crib} brings the discard back to you. Give it a card" in line_of(quiet, "own-crib", variant)


# --- the play ---


def points_of(anchor: str) -> list[list[int]]:
    return [[step.points for step in steps] for steps in worked_examples.plays(anchor, VARIANTS["standard"])]


@pytest.mark.parametrize(
    ("anchor", "points"),
    [
        ("low-cards", [[0, 0, 0, 0, 4]]),
        ("lead-low", [[0, 0]]),
        ("lead-no-five", [[0, 2]]),
        ("lead-a-pair", [[0, 2, 6]]),
        ("lead-to-five", [[0, 0, 2]]),
        ("not-twenty-one", [[0, 0, 2], [0, 0, 0, 2]]),
        ("answer-runs", [[0, 0, 3, 4]]),
        ("save-low", [[0, 0, 0, 0, 2]]),
    ],
)
def test_each_example_of_the_play_scores_what_its_rule_says(anchor: str, points: list[list[int]]):
    assert points_of(anchor) == points


def test_no_card_makes_fifteen_on_a_lead_of_four_or_lower_and_sixteen_do_on_a_five():
    makers = [card for card in strategy_examples.DECK if card.value == 15 - 5]
    assert max(card.value for card in strategy_examples.DECK) + 4 < 15
    assert rules_texts.values(VARIANTS["standard"])["tens"] == len(makers) == 16


# --- position ---


def test_par_puts_two_good_players_level_after_every_second_deal():
    """Dealer 16.2 and pone 10.2, added up by hand."""
    rows = strategy_examples.expected_holes(VARIANTS["standard"])
    assert [tuple(row) for row in rows[:4]] == [(1, 16, 10), (2, 26, 26), (3, 43, 37), (4, 53, 53)]
    assert rows[-1] == (9, 121, 116)
    assert strategy_examples.expected_holes(VARIANTS["box-sheet"])[0] == (1, 19, 10), "with the dealer's three"
    assert strategy_examples.expected_holes(VARIANTS["three-handed"]) == []


@pytest.mark.parametrize("variant", ["standard", "short", "box-sheet"])
@pytest.mark.parametrize("house", [(), ("game hole=61",), ("three for last=on",)])
def test_par_never_puts_both_players_in_the_game_hole(variant: str, house: tuple[str, ...]):
    """The first to get there has won; which of the two that is, par does not say."""
    rules = with_house_rules(Rules.named(variant), house)
    rows = strategy_examples.expected_holes(rules)
    assert rows
    assert all(min(row.dealer, row.pone) < rules.game_hole for row in rows)
    assert rows[-1].deal == len(rows)


@pytest.mark.parametrize("rules", PLAYED, ids=lambda rules: rules.variant)
def test_in_the_last_show_the_pone_is_out_before_the_dealer_counts(rules: Rules):
    show = strategy_examples.last_show(rules)
    assert show
    ann, bob = show.hands
    assert show.winner == "Bob"
    assert bob.points >= show.needs[1]
    assert ann.points >= show.needs[0], "Ann would be out, if she counted first"
    assert len(bob.cards) == (3 if rules.pegging_only else 4)


# --- the page ---


@pytest.mark.parametrize(("language", "average"), [("en", "8 before the starter, 11.9 on average"), ("fr", "11,9 en")])
def test_the_page_shows_both_discards_with_their_averages(quiet: Site, language: str, average: str):
    assert average in line_of(quiet, "keep-most", "standard", language)


def test_alone_no_strategy_speaks_of_an_opponent(quiet: Site):
    page = read(quiet, variant="solitaire")
    assert {"strategy", "own-crib", "par"} <= set(page.ids)
    assert not {"strategy-play", "their-crib", "last-deals"} & set(page.ids)
    assert "The crib is always yours" in line_of(quiet, "own-crib", "solitaire")
    par = line_of(quiet, "par", "solitaire")
    assert "you need 13 points on average from each, the crib included; the last hand has no crib." in par


def test_par_of_the_box_sheet_has_the_dealers_start(quiet: Site):
    assert "Par for a deal: 16.2 for the dealer, 10.2 for the pone." in line_of(quiet, "par", "standard")
    assert "Par for a deal: 19.2 for the dealer, 10.2 for the pone." in line_of(quiet, "par", "box-sheet")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_total_of_a_discard_is_rounded_once(quiet: Site, variant: str):
    """The averages are added before they are rounded, so the page calls a total "about" so many points."""
    shown = re.compile(
        r"([\d.]+) on average with it\. The crib averages ([\d.]+)(?: for the opponent)?: about ([\d.]+)"
    )
    page, rules = read(quiet, variant=variant), Rules.named(variant)
    found = shown.findall(page.words)
    told = [anchor for anchor in DISCARDING if anchor in page.ids]
    splits = [split for anchor in told if (split := strategy_examples.split(anchor, rules))]
    assert len(found) == 2 * len(splits) > 0
    exact = [totals for split in splits for totals in exact_figures(split)]
    assert [tuple(map(float, figures)) for figures in found] == [tuple(round(each, 1) for each in row) for row in exact]


def exact_figures(split):
    """Average hand, average crib and their total for both choices, with every digit."""
    for choice in split.choices:
        held, thrown = ([Card(RANKS.index(face.rank) + 1, face.suit) for face in part] for part in choice[:2])
        hand = strategy_examples.average_hand(held, [*held, *thrown])
        crib = strategy_examples.average_crib(thrown, [*held, *thrown])
        yield hand, crib, hand + crib if split.own else hand - crib


@pytest.mark.parametrize("variant", ["three-handed", "partners", "five-card"])
def test_where_no_par_is_known_none_is_told(quiet: Site, variant: str):
    assert "No par is known for this game" in line_of(quiet, "par", variant)


# --- glossary ---

OTHER_NAMES = {"nibs": "heels", "royal-pair": "pair-royal", "turn-up": "the-starter", "box": "the-crib"}


WORDS = (
    *("crib", "dealer", "pone", "starter", "cut", "discard", "deal", "hand", "play", "show", "counting", "fifteen"),
    *("pair", "pair-royal", "royal-pair", "double-pair-royal", "run", "double-run", "flush", "crib-flush", "go"),
    *("thirty-one", "last-card", "heels", "nibs", "nobs", "muggins", "misdeal", "renege", "peg", "leapfrog", "street"),
    *("game-hole", "peg-out", "position", "skunk", "double-skunk", "triple-skunk", "nineteen", "match"),
)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_word_of_the_sheets_is_in_the_glossary(quiet: Site, language: str):
    page = read(quiet, language)
    assert {f"term-{word}" for word in WORDS} <= set(page.ids)
    assert {f"rules.term_{word}" for word in WORDS} <= set(catalog(language))


@pytest.mark.parametrize(("name", "anchor"), OTHER_NAMES.items())
def test_another_name_leads_to_the_same_line(quiet: Site, name: str, anchor: str):
    page = quiet.get("/rules").body.decode()
    entry = re.search(rf'id="term-{name}"><dt><a href="#([\w-]+)">', page)
    assert entry is not None
    assert entry[1] == anchor
