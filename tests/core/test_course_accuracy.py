"""The course on dealt games that its table was not learned from, against bars; a table that is shuffled misses them."""

import math
import random
from statistics import mean

import pytest

from pegboard.core.cards.pack import Card
from pegboard.core.cards.play import begin_play
from pegboard.core.course_model import Model
from pegboard.core.learned_tables import TABLES
from pegboard.core.rules import IMPOSSIBLE_SHOWS, Rules
from tests.core import learn
from tests.core.course_accuracy import BARS, FAULTY, OTHER_BARS, PLAYERS, shuffled, tried, tried_players
from tests.support import dealing
from tests.support.dealing import CAREFUL, MIX, OTHERS, Truth, deal, table_of
from tests.support.long_runs import is_long
from tests.support.player_names import SIX

GAMES = 300 if is_long() else 25

OTHERWISE = ("three-handed", "partners", "five-card", "cut-throat-four", "six-partners")
"""Variants that are dealt otherwise than the standard game."""


def allowed(bar, of):
    """A bar in parts of a hundred, with what chance adds in so few (three standard deviations)."""
    part = bar / 100
    return 100 * (part + 3 * math.sqrt(part * (1 - part) / of))


@pytest.mark.parametrize("way", BARS)
@pytest.mark.parametrize(("kinds", "bars"), [(MIX, BARS), (OTHERS, OTHER_BARS)], ids=["mix", "others"])
def test_reasons_and_dealers_are_as_right_as_promised(way, kinds, bars):
    tally = tried(way, GAMES, kinds=kinds)
    live, finally_, _, ever = tally.rates()
    assert live <= allowed(bars[way][0], tally.entries)
    assert finally_ <= allowed(bars[way][1], tally.entries)
    assert ever <= allowed(bars[way][2], tally.games)


@pytest.mark.parametrize("players", PLAYERS)
def test_players_who_enter_it_otherwise_are_followed_too(players):
    """With room for a quarter more mistakes: the bench holds the bars, with as many games as that takes."""
    for way, bars in PLAYERS[players][1].items():
        tally = tried_players(players, way, GAMES)
        live, finally_, _, ever = tally.rates()
        assert live <= allowed(1.25 * bars[0], tally.entries), way
        assert finally_ <= allowed(1.25 * bars[1], tally.entries), way
        assert ever <= allowed(1.25 * bars[2], tally.games), way


@pytest.mark.parametrize("way", FAULTY)
def test_forgotten_and_wrong_entries_heal(way):
    tally = tried(way, GAMES, forgotten=0.03, miscounted=0.02)
    assert tally.rates()[2] <= allowed(FAULTY[way], tally.entries)
    assert tally.longest <= 12, "a wrong dealer lasts no longer than a deal"


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("variant", ["short", *OTHERWISE])
def test_other_ways_to_deal_are_followed_too(variant):
    tally = tried("buttons", max(20, GAMES // 4), variant=variant)
    live, finally_, under, _ = tally.rates()
    assert (live <= 4.5, finally_ <= 3, under <= 0.5) == (True, True, True), tally.rates()


def test_one_for_the_last_card_may_be_pegged_with_what_it_scores():
    assert tried("numbers", GAMES, at_once=0.5).rates()[0] < 2.5


@pytest.mark.parametrize("zeros", [0, 1])
def test_zeros_may_be_entered_always_or_never(zeros):
    live, finally_, under, _ = tried("numbers", GAMES, zeros=zeros).rates()
    assert (live < 2, finally_ < 1, under < 0.3) == (True, True, True), (live, finally_, under)


def test_hands_may_be_pegged_in_parts():
    live, finally_, under, _ = tried("numbers", GAMES, parts=0.1).rates()
    assert (live < 5, finally_ < 4, under < 2) == (True, True, True), (live, finally_, under)


@pytest.mark.parametrize("way", BARS)
def test_a_deal_that_nobody_has_entered_is_made_out(way):
    tally = tried(way, GAMES, skips=True)
    assert tally.rates()[2] < 14
    assert tally.longest <= 14, "two deals"


@pytest.mark.parametrize("way", BARS)
def test_the_first_dealer_is_made_out_where_nobody_has_named_one(way):
    tally = tried(way, GAMES, named=False)
    assert tally.rates()[2] < 6
    assert tally.longest <= 14, "two deals"


def test_a_shuffled_table_misses_the_bars():
    live, finally_, _, ever = tried("numbers", 20, model=Model(shuffled(TABLES["two"]), 2, 2)).rates()
    assert live > 4 * BARS["numbers"][0]
    assert finally_ > 4 * BARS["numbers"][1]
    assert ever > 4 * BARS["numbers"][2]


# --- the dealer of the games ---


def test_dealer_and_pone_peg_what_two_good_players_peg():
    """16.2 and 10.2 holes a deal (the pars of the statistics)."""
    dice, table = random.Random(2), table_of(Rules())
    pegged = {0: [], 1: []}
    for _ in range(1500):
        entries = list(deal(dice, table, 0, [CAREFUL] * 2))
        for seat, holes in pegged.items():
            holes.append(sum(entry.points for entry in entries if entry.seat == seat))
    assert mean(pegged[0]) == pytest.approx(16.2, abs=0.6)
    assert mean(pegged[1]) == pytest.approx(10.2, abs=0.5)


@pytest.mark.parametrize("variant", ["standard", *OTHERWISE])
def test_a_deal_is_pegged_as_it_is_played(variant):
    dice, table = random.Random(3), table_of(Rules.named(variant))
    for _ in range(200):
        entries = list(deal(dice, table, 0, [dice.choice(MIX + OTHERS) for _ in range(table.seats)]))
        whys = [entry.why for entry in entries]
        shows = [entry for entry in entries if entry.why in {"hand", "crib"}]
        assert whys[-len(shows) :] == ["hand"] * table.seats + ["crib"]
        assert [entry.seat for entry in shows] == [*range(1, table.seats), 0, 0]
        assert not {entry.points for entry in shows} & IMPOSSIBLE_SHOWS
        play = [entry for entry in entries if entry.why in {"play", "go", "thirty-one"}]
        assert [entry.last for entry in play] == [False] * (len(play) - 1) + [True]
        assert play[-1].ends


@pytest.mark.parametrize("variant", ["standard", *OTHERWISE])
def test_the_play_pegs_what_the_rules_of_the_play_give(variant):
    """Each card and go again, by the play of the counting page."""
    dice, laid, table = random.Random(4), [], table_of(Rules.named(variant))
    kinds = [watched(laid, seat) for seat in range(table.seats)]
    for _ in range(200 // table.seats):
        laid.clear()
        entries = list(deal(dice, table, 0, kinds))
        play = [entry for entry in entries if entry.why not in {"heels", "hand", "crib"}]
        hands = [[card for owner, card in laid if owner == seat] for seat in range(table.seats)]
        assert points_of(play, table.seats) == as_played(hands, [card for _, card in laid])


@pytest.mark.parametrize(
    ("variant", "dealt"),
    [("standard", (6, 6)), ("cut-throat-four", (5, 5, 5, 5)), ("six-partners", (4, 5, 5, 4, 5, 5))],
)
@pytest.mark.parametrize("dealer", [0, 1])
def test_everyone_is_dealt_so_many_cards_from_the_dealer_on_and_the_crib_has_four(variant, dealt, dealer):
    dice, table, given = random.Random(6), table_of(Rules.named(variant)), []

    def keep(dice, cards, held, own):
        given.append((len(cards), held, own))
        return dealing.keep_well(dice, cards, held, own)

    list(deal(dice, table, dealer, [dealing.Kind(keep, dealing.lay_well)] * table.seats))
    from_dealer = [given[(dealer + turn) % table.seats] for turn in range(table.seats)]
    assert tuple(cards for cards, _, _ in from_dealer) == dealt
    assert sum(cards - held for cards, held, _ in from_dealer) == 4
    assert [own for _, _, own in from_dealer] == [seat % table.lanes == 0 for seat in range(table.seats)]


def watched(laid, seat):
    """A player whose cards are written down as they are laid."""

    def lay(*given):
        laid.append((seat, dealing.lay_well(*given)))
        return laid[-1][1]

    return dealing.Kind(dealing.keep_well, lay)


def as_played(hands, laid):
    """Points of both by the program's own play, goes said where no card fits."""
    play = begin_play(SIX[: len(hands)], [tuple(hand) for hand in hands], dealer=0)
    for card in laid:
        while not play.over and not play.hands[play.turn].fitting(play.laid.count):
            play = play.go(play.turn)
        play = play.lay(play.turn, card)
    return play.points


def points_of(entries, seats):
    return tuple(sum(entry.points for entry in entries if entry.seat == seat) for seat in range(seats))


def test_a_table_is_learned_and_read(tmp_path, monkeypatch):
    monkeypatch.setattr(learn, "RAREST", 1)
    learn.write(tmp_path / "table.py", deals=300)
    tables = {}
    exec((tmp_path / "table.py").read_text(), tables)
    model = Model(tables["TABLES"]["two"], 2, 2)
    assert model.crib == model.show + 3


def test_the_truth_is_told_of_a_whole_game():
    entries = dealing.game(random.Random(5), table_of(Rules()), 1, [CAREFUL] * 2)
    assert isinstance(entries[0], Truth)
    assert entries[0].dealer == 1
    assert max(sum(each.points for each in entries if each.seat == seat) for seat in range(2)) >= 121
    assert Card(1, "S") in dealing.PACK
