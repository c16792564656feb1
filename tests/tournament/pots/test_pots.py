"""Pots: who is in one, what it pays, and what becomes of it where nobody wins; always to the cent."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import RuleError
from pegboard.errors import Already
from pegboard.tournament.playoffs.qualifying import Cut
from pegboard.tournament.pots.money import RestRule
from pegboard.tournament.pots.payouts import EntryShare, Pot, PotEntry, PotHit, hits_of_cut, pay_out
from pegboard.tournament.pots.pot_rules import (
    POT_RULES,
    HalfRule,
    HitKind,
    SharedBy,
    Unwon,
    pot_rule,
    pot_rule_as_json,
    pot_rule_from_json,
)


def pot(name, *, fee=500, full="abcd", half="", hits=(), carried=0, skunked=(), **otherwise):
    entries = (*(PotEntry(one) for one in full), *(PotEntry(one, EntryShare.HALF) for one in half))
    rule = replace(POT_RULES[name], **otherwise)
    return Pot("pot1", rule, fee, entries, tuple(PotHit(*hit) for hit in hits), skunked, carried)


def paid(payout):
    return {share.player: share.cents for share in payout.shares}


def adds_up(payout):
    parts = sum(share.cents for share in (*payout.shares, *payout.refunds)) + payout.carried + payout.house
    return parts == payout.total


# --- who is in it ---


def test_a_player_is_in_a_pot_by_choice_and_once():
    empty = pot("hand_24", full="")
    one = empty.with_entry("a").with_entry("b", EntryShare.HALF)
    assert (one.total, one.dues) == (750, {"a": 500, "b": 250})
    with pytest.raises(Already, match=r"^this player is already in the pot$"):
        one.with_entry("a", EntryShare.HALF)


def test_a_fee_without_a_half_has_full_shares_alone():
    odd = pot("hand_24", fee=25, full="")
    with pytest.raises(RuleError, match=r"^a fee of 0\.25 cannot be halved exactly, so this pot has only full shares$"):
        odd.with_entry("a", EntryShare.HALF)
    assert odd.with_entry("a").total == 25


# --- what it pays ---


def test_each_hand_of_24_is_a_share():
    payout = pay_out(pot("hand_24", hits=[("a", HitKind.HAND_24), ("b", HitKind.HAND_24, 2), ("b", HitKind.HAND_24)]))
    assert paid(payout) == {"a": 500, "b": 1500}
    assert adds_up(payout)


def test_hits_of_who_is_not_in_the_pot_win_nothing():
    payout = pay_out(pot("hand_24", hits=[("x", HitKind.HAND_24), ("a", HitKind.HAND_28)]))
    assert payout.shares == ()
    assert payout.carried == 2000


def test_where_nobody_wins_the_pot_is_carried_over_and_said():
    payout = pay_out(pot("four_of_a_kind", carried=300))
    assert (payout.carried, payout.total) == (2300, 2300)
    assert payout.sentences == ("23.00 of this pot was not won and carries over to the next event",)


def test_what_is_carried_over_is_won_on_the_next_night():
    first = pay_out(pot("four_of_a_kind"))
    second = pay_out(pot("four_of_a_kind", carried=first.carried, hits=[("d", HitKind.FOUR_OF_A_KIND)]))
    assert paid(second) == {"d": 4000}


def test_a_29_wins_the_pot_and_a_28_half_of_it():
    only_28 = pay_out(pot("hand_28_29", hits=[("a", HitKind.HAND_28)]))
    assert (paid(only_28), only_28.carried) == ({"a": 1000}, 1000)
    assert only_28.sentences == ("10.00 of this pot was not won and carries over to the next event",)
    both = pay_out(pot("hand_28_29", hits=[("a", HitKind.HAND_28), ("b", HitKind.HAND_29)]))
    assert (paid(both), both.carried) == ({"b": 2000}, 0)


def test_the_skunk_bank_is_paid_by_the_skunked_and_goes_to_who_skunked_most():
    bank = pot("skunk_bank", fee=100, skunked=(("a", 2), ("b", 1), ("x", 5)), hits=[("c", HitKind.SKUNK, 2)])
    assert bank.dues == {"a": 200, "b": 100, "c": 0, "d": 0}
    assert paid(pay_out(bank)) == {"c": 300}


def test_who_skunked_most_share_where_they_tie():
    hits = [("c", HitKind.SKUNK, 2), ("d", HitKind.SKUNK, 2), ("a", HitKind.SKUNK, 1)]
    payout = pay_out(pot("skunk_bank", fee=100, skunked=(("a", 3),), hits=hits))
    assert (paid(payout), adds_up(payout)) == ({"c": 150, "d": 150}, True)


def test_the_q_pool_is_shared_by_those_in_it_who_qualified_and_the_last_cent_goes_by_place():
    hits = [("c", HitKind.QUALIFIED), ("a", HitKind.QUALIFIED), ("x", HitKind.QUALIFIED), ("b", HitKind.QUALIFIED)]
    payout = pay_out(pot("q_pool", fee=500, hits=hits), places={"a": 2, "b": 1, "c": 3})
    assert paid(payout) == {"a": 667, "b": 667, "c": 666}
    assert len(payout.sentences) == 1
    assert adds_up(payout)


def test_where_nobody_in_the_q_pool_qualified_everybody_gets_back_what_it_cost():
    payout = pay_out(pot("q_pool", half="e", carried=10))
    assert {share.player: share.cents for share in payout.refunds} == dict.fromkeys("abcd", 500) | {"e": 250}
    assert payout.carried == 10
    assert payout.sentences[0] == "nobody won this pot: all players in it get their money back, 22.50 in total"
    assert adds_up(payout)


def test_a_half_share_gets_half_of_a_full_one_beside_it():
    hits = [("a", HitKind.QUALIFIED), ("e", HitKind.QUALIFIED)]
    assert paid(pay_out(pot("q_pool", full="ab", half="e", hits=hits))) == {"a": 833, "e": 417}
    assert paid(pay_out(pot("q_pool", full="ab", half="e", hits=hits[1:]))) == {"e": 1250}


def test_a_strict_half_share_that_wins_alone_wins_half():
    payout = pay_out(pot("high_non_qualifier", half="ef", hits=[("e", HitKind.HIGH_NON_QUALIFIER)]))
    assert (paid(payout), payout.carried, payout.total) == ({"e": 1250}, 1250, 2500)
    ratio = pot("high_non_qualifier", half="ef", hits=[("e", HitKind.HIGH_NON_QUALIFIER)], halves=HalfRule.RATIO)
    assert paid(pay_out(ratio)) == {"e": 2500}


def test_the_house_gets_its_part_of_tonight_and_what_nobody_wins_where_the_rule_says_so():
    house = {"house_percent": 10, "unwon": Unwon.HOUSE}
    won = pay_out(pot("hand_24", carried=1000, hits=[("a", HitKind.HAND_24)], **house))
    assert (paid(won), won.house) == ({"a": 2800}, 200)
    lost = pay_out(pot("hand_24", carried=1000, **house))
    assert (lost.house, lost.carried) == (3000, 0)
    assert lost.sentences == ("28.00 of this pot was not won and goes to the house",)


SEVERAL = [PotHit(player, kind, count) for player in "abcdefx" for kind in HitKind for count in (1, 2)]


rules = st.builds(
    replace,
    st.sampled_from(sorted(POT_RULES.values(), key=lambda rule: rule.name)),
    rest=st.sampled_from(RestRule),
    unwon=st.sampled_from(Unwon),
    halves=st.sampled_from(HalfRule),
    shared_by=st.sampled_from(SharedBy),
    house_percent=st.integers(0, 100),
    unit=st.sampled_from([1, 25, 100]),
)
hits_of_all = st.lists(st.sampled_from(SEVERAL), max_size=8)


@given(rules, st.integers(0, 2000), st.integers(0, 6), st.integers(0, 5000), hits_of_all)
def test_every_pot_adds_up_to_the_cent(rule, fee, halves, carried, hits):
    entries = tuple(PotEntry(one, EntryShare.HALF if n < halves else EntryShare.FULL) for n, one in enumerate("abcdef"))
    one = Pot("pot1", rule, fee, entries, tuple(hits), (("a", 2), ("b", 1)), carried)
    payout = pay_out(one, {"a": 1, "b": 2, "c": 2, "d": 4})
    assert adds_up(payout)
    assert min([payout.carried, payout.house, *(share.cents for share in (*payout.shares, *payout.refunds))]) >= 0
    assert {share.player for share in payout.shares} <= set("abcdef")
    backwards = replace(one, entries=entries[::-1], hits=one.hits[::-1])
    assert paid(pay_out(backwards, {"a": 1, "b": 2, "c": 2, "d": 4})) == paid(payout)


# --- what the standings tell ---

CUT = Cut((("a",), ("b",), ("c", "d"), ("e",), ("f",)), 2)


def test_the_cut_tells_who_in_the_pot_has_qualified():
    entries = [PotEntry(player) for player in "bcf"]
    assert hits_of_cut(CUT, HitKind.QUALIFIED, entries) == (PotHit("b", HitKind.QUALIFIED),)


@pytest.mark.parametrize(("inside", "highest"), [("abcdef", "cd"), ("adf", "d"), ("ae", "e"), ("ab", "")])
def test_the_highest_of_those_in_the_pot_who_did_not_qualify_win_it_and_share_where_they_tie(inside, highest):
    hits = hits_of_cut(CUT, HitKind.HIGH_NON_QUALIFIER, [PotEntry(player) for player in inside])
    assert [hit.player for hit in hits] == list(highest)


@pytest.mark.parametrize("kind", [HitKind.QUALIFIED, HitKind.HIGH_NON_QUALIFIER])
def test_a_pot_that_hangs_on_an_open_tie_waits_for_it(kind):
    tied = Cut(CUT.ranking, 3)
    with pytest.raises(RuleError, match=r"^there is still a tie at the cutoff, so this pot has no winner"):
        hits_of_cut(tied, kind, [PotEntry("c"), PotEntry("e")])
    hits = hits_of_cut(tied, kind, [PotEntry("a"), PotEntry("e")])
    assert [hit.player for hit in hits] == ["a" if kind is HitKind.QUALIFIED else "e"]


# --- rules ---


@pytest.mark.parametrize("name", sorted(POT_RULES))
def test_a_rule_is_read_back_as_it_was_stored(name):
    rule = POT_RULES[name]
    assert pot_rule_from_json(json.loads(json.dumps(pot_rule_as_json(rule)))) == rule
    assert pot_rule(name) is rule


def test_a_rule_that_was_stored_before_there_were_scales_has_none():
    row = pot_rule_as_json(POT_RULES["hand_24"])
    del row["scale"]
    assert pot_rule_from_json(row) == POT_RULES["hand_24"]


def test_there_are_the_pots_that_clubs_play():
    assert set(POT_RULES) == {
        "q_pool",
        "hand_24",
        "hand_28_29",
        "four_of_a_kind",
        "skunk_bank",
        "high_non_qualifier",
        "prizes",
    }
    with pytest.raises(RuleError, match=r"^unknown pot 'raffle'; use q_pool, "):
        pot_rule("raffle")


# --- prizes by place ---


def test_the_fees_of_the_night_are_shared_by_place_whoever_is_in_the_pot():
    """Nobody enters it, and it costs nobody more than the night does."""
    prizes = replace(pot("prizes", full="a"), pool=11_000)
    assert (prizes.total, prizes.dues) == (11_000, {"a": 0})
    assert paid(pay_out(prizes, {"c": 1, "a": 2, "d": 3, "b": 4})) == {"c": 5_500, "a": 3_300, "d": 2_200}


def test_who_tie_share_the_prizes_of_their_places():
    payout = pay_out(replace(pot("prizes", full=""), pool=10_000), {"a": 1, "b": 2, "c": 2, "d": 4})
    assert paid(payout) == {"a": 5_000, "b": 2_500, "c": 2_500}


@pytest.mark.parametrize("rest", RestRule)
@pytest.mark.parametrize("percent", [0, 15, 100])
@given(st.integers(0, 100_000), st.integers(0, 500), st.lists(st.integers(1, 5), max_size=6))
def test_prizes_the_house_and_what_is_carried_add_up(rest, percent, pool, carried, places):
    prizes = replace(pot("prizes", full="", carried=carried, rest=rest, house_percent=percent), pool=pool)
    payout = pay_out(prizes, {f"p{number}": place for number, place in enumerate(sorted(places))})
    assert adds_up(payout)
    assert payout.house >= pool * percent // 100


def test_prizes_of_a_night_without_people_are_carried():
    payout = pay_out(replace(pot("prizes", full=""), pool=500))
    assert (payout.shares, payout.carried) == ((), 500)
