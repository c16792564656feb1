"""A cut that was closed stands: who has qualified has, whoever goes home or comes in later; so the pots pay them."""

import pytest

from tests.support.night_at_work import NightAtWork, lower_number_wins

POTS = ("q_pool", "high_non_qualifier")


@pytest.fixture
def night():
    """Eight players, of whom two qualify, with all of them in two pots that the cut wins; the cut is closed."""
    night = NightAtWork().open([f"Player {number}" for number in range(1, 9)])
    night.do("draw")
    night.play_all(lower_number_wins)
    night.break_seed_ties()
    for pot in POTS:
        night.do("open_pot", kind=pot, fee=500)
        for player in night.night.players:
            night.do("enter_pot", pot=pot, player=player)
    night.do("close_cut")
    return night


def shares(night):
    return [{share["player"]: share["cents"] for share in pot["shares"]} for pot in night.view()["pots"]]


def test_pots_pay_who_qualified_also_when_they_have_gone_home(night):
    cut = night.view()["cut"]
    (first, second), (highest,) = cut["qualifiers"], cut["high_non_qualifier"]
    night.do("leave", player=second)
    night.do("leave", player=highest)
    assert shares(night) == [{first: 2000, second: 2000}, {highest: 4000}]
    night.do("pay_pot", pot="q_pool")
    assert {share.player for share in night.night.pots["q_pool"].paid.shares} == {first, second}


def test_nobody_qualifies_because_somebody_comes_in_after_the_cut(night):
    before, paid = night.view()["cut"], shares(night)
    night.do("enter", name="Player 9", walk_up=True)
    assert night.view()["cut"]["said"] == before["said"]
    assert shares(night) == paid


def test_who_goes_home_is_no_correction_of_the_cut(night):
    before = night.view()["cut"]
    night.do("leave", player=before["qualifiers"][0])
    assert night.view()["cut"]["said"] == before["said"]
    qualifies = {row["player"] for row in night.view()["standings"] if row["qualifies"]}
    assert qualifies == set(before["qualifiers"])


def test_who_had_left_before_the_cut_was_closed_has_qualified_for_nothing(night):
    first = night.view()["cut"]["qualifiers"][0]
    night.do("open_cut")
    night.do("leave", player=first)
    night.break_seed_ties()
    night.do("close_cut")
    night.do("come_back", player=first)
    assert first not in night.view()["cut"]["qualifiers"]
    assert first not in shares(night)[0]


def test_a_consolation_is_not_for_who_has_gone_home(night):
    night.do("draw_bracket", bracket="main")
    gone, *here = night.view()["consolations"][0]["players"]
    night.do("leave", player=gone)
    assert night.view()["consolations"][0]["players"] == here
    assert str(night.refusal("draw_bracket", bracket="consolation", players=[gone, here[0]]))
