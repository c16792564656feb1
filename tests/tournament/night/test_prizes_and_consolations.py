"""Prizes by place out of the fees of the night, and brackets for who is out: what the desk shows and refuses."""

import pytest

from tests.support.night_at_work import NightAtWork, lower_number_wins

SIX = ("Ann", "Bob", "Cy", "Dee", "Player 5", "Player 6")


def a_night(**rules):
    """Six who owe 10.00 each, and Dee nothing; with prizes 50-30-20."""
    night = NightAtWork().open(SIX, games=5, cut="half", fee=1000, **rules)
    night.do("correct_entry", player="p4", free=True)
    night.do("open_pot", kind="prizes")
    return night


def play(night):
    """All games, so that the lower numbers win, and what ties then."""
    night.do("draw")
    night.play_all(lower_number_wins)
    night.break_seed_ties()


def shares(night):
    (pot,) = night.view()["pots"]
    return {share["player"]: share["cents"] for share in pot["shares"]}


def by_place(night):
    return [row["player"] for row in night.view()["standings"]]


def in_bracket(night, *winners, games=2):
    """The named win their matches, in that order."""
    for winner in winners:
        ready = (one for one in night.view()["brackets"][0]["matches"] if one["state"] == "ready")
        match = next(one for one in ready if winner in one["players"])
        for _ in range(games):
            night.do("bracket_game", match=match["match"], winner=winner)


# --- prizes by place ---


def test_the_fees_of_the_night_are_the_prizes_of_its_places():
    night = a_night()
    (pot,) = night.view()["pots"]
    assert (pot["sum"], pot["entries"], shares(night)) == (5000, [], {})
    assert pot["rule"]["text"].startswith("the event fees by place, 50-30-20 percent")
    assert pot["actions"]["pay_pot"]["why"]["text"].startswith("no games are drawn yet")
    play(night)
    first, second, third, *_ = by_place(night)
    assert shares(night) == {first: 2500, second: 1500, third: 1000}
    night.do("pay_pot", pot="prizes")
    assert {share.player for share in night.night.pots["prizes"].paid.shares} == {first, second, third}
    assert shares(night) == {first: 2500, second: 1500, third: 1000}, "as it was stored"


def test_prizes_cost_nobody_more_than_the_fee_and_leave_the_cash_box_as_they_are_paid():
    night = a_night()
    owing = dict.fromkeys(("p1", "p2", "p3", "p5", "p6"), 1000)
    assert {row["player"]: row["cents"] for row in night.view()["money"]["open"]} == owing
    for player in owing:
        night.do("fee_paid", player=player, cents=1000)
    play(night)
    night.do("pay_pot", pot="prizes")
    assert (night.view()["money"]["in_hand"], night.view()["money"]["open"]) == (0, [])


def test_a_part_is_for_the_house_and_stays_in_the_box():
    night = NightAtWork().open(SIX[:2], games=1, fee=1000)
    night.do("open_pot", kind="prizes", scale="60-40", house_percent=10)
    night.do("draw")
    night.play_all(lower_number_wins)
    assert shares(night) == {"p1": 1080, "p2": 720}
    assert night.view()["pots"][0]["house"] == 200


def test_in_a_night_with_a_bracket_prizes_go_by_it_and_then_by_the_standings():
    night = a_night()
    play(night)
    night.do("close_cut")
    first, second, third, *_ = by_place(night)
    assert shares(night) == {first: 2500, second: 1500, third: 1000}
    night.do("draw_bracket", bracket="main")
    assert shares(night) == {}
    assert "no winner yet" in str(night.refusal("pay_pot", pot="prizes"))
    in_bracket(night, third, third)
    assert shares(night) == {third: 2500, first: 1500, second: 1000}
    night.do("undo", number=night.night.revision)
    assert shares(night) == {}, "the final is open again"


def test_who_lose_in_the_semifinals_share_what_their_places_cover():
    night = NightAtWork().open(SIX, games=5, cut="4", fee=1000)
    night.do("open_pot", kind="prizes", scale="40-30-20-10")
    play(night)
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    one, two, three, four = night.view()["cut"]["qualifiers"]
    in_bracket(night, one, two, one)
    assert shares(night) == {one: 2400, two: 1800, three: 900, four: 900}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"kind": "prizes", "scale": "50-60"}, "use percentages such as 50-30-20"),
        ({"kind": "q_pool", "scale": "50-50"}, "only prizes by place have a scale"),
        ({"kind": "q_pool", "house_percent": 101}, "the house's percentage"),
        ({"kind": "prizes"}, "there are already prizes by place"),
        ({"kind": "prizes", "fee": 777}, "have no fee of their own"),
    ],
)
def test_what_is_no_pot_is_refused(values, said):
    assert said in str(a_night().refusal("open_pot", **values))


def test_nobody_enters_prizes():
    night = a_night()
    assert "the event fee puts everyone in prizes" in str(night.refusal("enter_pot", pot="prizes", player="p1"))
    assert not night.view()["pots"][0]["actions"]["enter_pot"]["possible"]


def test_what_was_paid_stays_what_it_was():
    night = a_night()
    play(night)
    night.do("pay_pot", pot="prizes")
    night.do("correct_entry", player="p2", free=True)
    (pot,) = night.view()["pots"]
    assert (pot["sum"], night.view()["money"]["pots"], sum(shares(night).values())) == (5000, 5000, 5000)


def test_it_is_said_that_prizes_go_by_the_standings_while_no_bracket_is_drawn():
    night = a_night()
    play(night)
    (said,) = night.view()["pots"][0]["said"]
    assert said["text"] == "there is no bracket, so places come from the standings"
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    first, _, third, *_ = by_place(night)
    in_bracket(night, third, first)
    assert night.view()["pots"][0]["said"] == []


# --- who does not come ---


def test_each_further_game_of_who_does_not_come_is_lost_later():
    """ACC 13.1: after 5, 20 and 35 minutes, however many were entered before."""
    night = NightAtWork().open(SIX[:4], games=3, cut="2", best_of=[5])
    play(night)
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    one, other = night.view()["brackets"][0]["matches"][0]["players"]
    assert [match["no_show"] for match in night.view()["brackets"][0]["matches"]] == [[[5, 20, 35], [5, 20, 35]]]
    night.do("bracket_forfeit", match="main:1:1", player=other)
    assert night.view()["brackets"][0]["matches"][0]["no_show"] == [[5, 20, 35], [20, 35]]
    night.do("bracket_game", match="main:1:1", winner=other)
    assert night.view()["brackets"][0]["matches"][0]["no_show"] == [[5, 20], [20, 35]]
    night.do("bracket_game", match="main:1:1", winner=one)
    assert night.view()["brackets"][0]["matches"][0]["no_show"] == [[5, 20], [20]]


# --- brackets for who is out ---


def consolations(night):
    return {one["bracket"]: one for one in night.view()["consolations"]}


def test_a_plate_waits_for_the_matches_from_which_its_players_come():
    night = NightAtWork().open(SIX, games=5, cut="4")
    play(night)
    assert night.view()["consolations"] == []
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    one, two, three, four = night.view()["cut"]["qualifiers"]
    others = set(night.night.players) - {one, two, three, four}
    shown = consolations(night)
    possible = {name: bracket["draw"]["possible"] for name, bracket in shown.items()}
    assert possible == {"consolation": True, "plate": False, "open plate": False, "second chance": False}
    assert shown["plate"]["draw"]["why"]["text"].endswith("open bracket matches that decide who can enter: 2")
    assert "open bracket matches that decide who can enter: 2" in str(night.refusal("draw_bracket", bracket="plate"))
    in_bracket(night, one, two)
    shown = consolations(night)
    assert set(shown["plate"]["players"]) == {three, four}
    assert set(shown["second chance"]["players"]) == others | {three, four}
    night.do("draw_bracket", bracket="plate")
    assert set(night.night.brackets["plate"].bracket.players) == {three, four}
    assert consolations(night)["plate"]["draw"]["why"]["text"] == "this consolation is already drawn"


def test_who_should_not_play_in_a_plate_any_more_is_named():
    night = NightAtWork().open(SIX, games=5, cut="4", best_of=[1])
    play(night)
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    one, two, _, four = night.view()["cut"]["qualifiers"]
    in_bracket(night, one, games=1)
    wrong = night.night.revision
    in_bracket(night, two, games=1)
    night.do("draw_bracket", bracket="plate")
    assert [bracket["said"] for bracket in night.view()["brackets"]] == [None, None]
    night.do("undo", number=wrong)
    in_bracket(night, four, games=1)
    said = night.view()["brackets"][1]["said"]
    assert (
        said["text"]
        == f"by the current results, these players do not belong in this bracket: {night.night.names[four]}"
    )
