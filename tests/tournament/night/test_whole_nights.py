"""Whole nights as stories, from ten people in a room to the last cent of the pots."""

from dataclasses import fields

import pytest

from pegboard.tournament.night.decide import add, fold
from pegboard.tournament.night.night_state import EMPTY_NIGHT, Night
from pegboard.tournament.night.play_offs import find_eligible
from pegboard.tournament.night.views.night_views import director_view, player_view, screen_view
from tests.support.night_at_work import NightAtWork, lower_number_wins, player_of, table_of

ELEVEN = ("Ann", "Bob", "Cy", "Dee", *(f"Player {n}" for n in range(5, 12)))


def totals_by_hand(night):
    """Points, wins and net of each player, added up from paper results alone."""
    totals = {}
    for row in night.rows:
        if row["do"] == "paper_result":
            body = row["body"]
            players = body["game"].split(":")[1].split("-")
            for player in players:
                won = player == body["winner"]
                points = (3 if body["margin"] >= 31 else 2) if won else 0
                old = totals.get(player, (0, 0, 0))
                net = body["margin"] if won else -body["margin"]
                totals[player] = (old[0] + points, old[1] + won, old[2] + net)
    return totals


def test_ten_people_in_a_room_play_their_first_game_after_six_decisions():
    night = NightAtWork()
    night.do("open_night", name="Club night", date="2026-11-26")
    for name in ELEVEN[:10]:
        night.do("enter", player_of("door"), name=name)  # each by their own phone, at the door
    for do in (("draw", {}), ("start_round", {"round": 1})):
        night.do(do[0], **do[1])
    by_director = [row for row in night.rows if row["by"]["role"] == "director"]
    assert len(by_director) <= 6
    view = night.view()
    assert [table["state"] for table in view["tables"]] == ["running"] * 5
    assert all(player["next"]["round"] == 1 for player in view["players"])


def test_somebody_comes_late_and_plays_without_touching_what_was_played():
    night = NightAtWork().open(ELEVEN[:10], games=5)
    night.do("draw")
    night.do("start_round", round=1)
    first = [key for key in night.open_games() if key.startswith("r1:")]
    for key in first:
        night.play(key, night.night.schedule[key].players[0], 12)
    played = {key: night.night.schedule[key] for key in first}
    night.do("enter", name="Player 11", walk_up=True)
    assert night.night.players["p11"].late
    night.do("draw")
    assert {key: night.night.schedule[key] for key in first} == played
    assert any("p11" in game.players for game in night.night.schedule.values())
    assert player_view(night.night, "p11")["next"] is not None
    assert night.view()["departures"] == []


def test_somebody_leaves_and_nobody_waits_for_them():
    night = NightAtWork().open(ELEVEN[:10], games=5)
    night.do("draw")
    night.do("start_round", round=1)
    gone = night.night.schedule[night.open_games()[0]].players[0]
    night.do("leave", player=gone)
    assert all(gone not in night.night.schedule[key].players for key in night.open_games())
    assert next(player for player in night.view()["players"] if player["player"] == gone)["state"] == "left"
    night.do("draw")
    assert all(gone not in game.players for key, game in night.night.schedule.items() if key not in night.night.games)
    night.play_all(lower_number_wins)
    night.break_seed_ties()
    night.do("close_cut")
    assert gone not in night.night.cut.qualifiers


def test_who_leaves_and_comes_back_plays_on():
    night = NightAtWork().open(ELEVEN[:6], games=3)
    night.do("draw")
    night.do("leave", player="p3")
    night.do("come_back", player="p3")
    night.do("draw")
    assert any("p3" in game.players for game in night.night.schedule.values())


def test_standings_are_those_that_are_added_up_by_hand():
    night = NightAtWork().open(ELEVEN, games=5)
    night.do("draw")
    night.play_all(lower_number_wins)
    rows = {row["player"]: (row["points"], row["won"], row["net"]) for row in night.view()["standings"]}
    assert rows == totals_by_hand(night)
    assert all(check["state"] == "holds" for check in night.view()["totals"]["checks"])


def test_a_mismatch_is_named_at_once_and_ruled_by_12_2():
    """ACC 12.2 (a): a win by 21 is claimed against a loss by 16; one of the two qualifies, so 16 holds for both."""
    night = NightAtWork().open(ELEVEN[:8], games=3, cut="2")
    night.do("draw")
    key = night.open_games()[0]
    one, other = night.night.schedule[key].players
    for rest in night.open_games()[1:]:
        players = night.night.schedule[rest].players
        winner = one if one in players else next(player for player in players if player != other)
        night.play(rest, winner, 40 if winner == one else 5)
    night.do("claim", player_of(one), game=key, player=one, won=True, margin=21)
    night.do("claim", player_of(other), game=key, player=other, won=False, margin=16)
    game = game_of(night, key)
    assert game["state"] == "mismatch"
    assert game["mismatch"]["key"] == "results_margins_differ"
    assert game["values"] == [None, None]
    ruling = next(choice for choice in game["rulings"] if choice["letter"] == "a")
    assert ruling["possible"]
    night.do("rule", game=key, letter="a", note="both cards seen")
    game = game_of(night, key)
    assert game["state"] == "ruled"
    assert game["claims"] == [{"won": True, "margin": 21}, {"won": False, "margin": 16}]  # as they were written
    assert [value["net"] for value in game["values"]] == [16, -16]
    assert [value["points"] for value in game["values"]] == [2, 0]


@pytest.mark.parametrize(("margin", "notice"), [(18, "{cy} would qualify, and {ann} no longer would"), (12, None)])
def test_the_director_sees_before_he_rules_who_qualifies_by_that(margin, notice):
    """ACC 12.2 (i): as the cards are written the win by 21 qualifies; ruled to 16, a win by 18 is better."""
    night = NightAtWork().open(ELEVEN[:4], games=1, cut="1")
    night.do("draw")
    key, other_key = night.open_games()
    ann, bob = night.night.schedule[key].players
    cy = night.night.schedule[other_key].players[0]
    night.play(other_key, cy, margin)
    night.do("claim", player_of(ann), game=key, player=ann, won=True, margin=21)
    night.do("claim", player_of(bob), game=key, player=bob, won=False, margin=16)
    notices = {choice["letter"]: choice["notice"] for choice in game_of(night, key)["rulings"]}
    names = {"ann": night.night.names[ann], "cy": night.night.names[cy]}
    told = notice and "with this ruling, " + notice.format(**names)
    assert (notices["a"] and notices["a"]["text"]) == told
    night.do("rule", game=key, letter="a")
    assert (night.view()["cut"]["qualifiers"] == [cy]) is bool(notice)


def test_two_cards_that_agree_on_a_wrong_margin_are_found_by_the_score_sheet():
    night = NightAtWork().open(ELEVEN[:4])
    night.do("draw")
    key = night.open_games()[0]
    one, other = night.night.schedule[key].players
    for player in (one, other):
        night.do("claim", player_of(player), game=key, player=player, won=player == one, margin=12)
    assert game_of(night, key)["state"] == "agreed"
    table = night.night.schedule[key].table
    night.do("table_result", table_of(table), game=key, table=table, winner=one, margin=21)
    game = game_of(night, key)
    assert game["state"] == "mismatch"
    assert game["mismatch"]["key"] == "results_sheet_margin"
    night.do("rule", game=key, letter="sheet")
    assert [value["net"] for value in game_of(night, key)["values"]] == [21, -21]


def test_a_corrected_sheet_takes_the_confirmations_of_the_last_one_with_it():
    night = NightAtWork().open(ELEVEN[:4])
    night.do("draw")
    key = night.open_games()[0]
    night.play(key, night.night.schedule[key].players[0], 12, "table")
    assert game_of(night, key)["confirmed"] == [True, True]
    table, winner = night.night.schedule[key].table, night.night.schedule[key].players[0]
    night.do("table_result", table_of(table), game=key, table=table, winner=winner, margin=14)
    game = game_of(night, key)
    assert game["confirmed"] == [False, False]
    assert (game["state"], game["values"]) == ("half", [None, None]), "nobody has said yes to this one yet"
    for player in night.night.schedule[key].players:
        night.do("confirm", player_of(player), game=key, player=player)
    assert [value["net"] for value in game_of(night, key)["values"]] == [14, -14]


def test_a_tie_at_the_cut_is_played_off_and_the_order_of_entry_decides_nothing():
    """Ann beats Bob, Bob Cy, and Cy Ann, each by 5, and Dee loses to all by 10: three are level on everything."""
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), cut="2")
    night.do("draw")
    beats = {("p1", "p2"): "p1", ("p2", "p3"): "p2", ("p1", "p3"): "p3"}
    for key in night.open_games():
        pair = tuple(sorted(night.night.schedule[key].players))
        night.play(key, beats.get(pair, pair[0]), 5 if pair in beats else 10)
    cut = night.view()["cut"]
    assert cut["state"] == "tied"
    (tie,) = [tie for tie in cut["ties"] if tie["kind"] == "cut"]
    assert set(tie["players"]) == {"p1", "p2", "p3"}
    assert {row["place"] for row in night.view()["standings"] if row["player"] != "p4"} == {1}
    refused = night.refusal("close_cut")
    assert refused.message.key.startswith("playoffs_")
    night.do("break_tie", players=["p3", "p1", "p2"])
    night.do("close_cut")
    assert night.night.cut.qualifiers == ("p3", "p1")
    assert night.view()["cut"]["high_non_qualifier"] == ["p2"]


def test_bracket_and_consolation_are_played_to_their_winners():
    night = NightAtWork().open(ELEVEN, games=5, cut="1/2")
    night.do("draw")
    night.play_all(lower_number_wins)
    night.break_seed_ties()
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    qualifiers = night.night.cut.qualifiers
    assert len(qualifiers) == 6
    assert night.view()["brackets"][0]["byes"] == list(qualifiers[:2])  # byes go to the highest seeds
    may = night.view()["consolations"][0]["players"]
    assert set(may) == set(night.night.players) - set(qualifiers)
    night.do("draw_bracket", bracket="consolation", players=may[:4], best_of=[1])
    for name in ("main", "consolation"):
        play_bracket(night, name)
    winners = {bracket["bracket"]: bracket["winner"] for bracket in night.view()["brackets"]}
    assert winners["main"] == qualifiers[0]
    assert winners["consolation"] is not None


@pytest.mark.parametrize("lots", [tuple, lambda players: tuple(reversed(players))], ids=["as they are", "turned round"])
def test_who_are_level_in_a_consolation_are_drawn_by_lot_once(lots):
    """Every game is won by 10, so that most of those who are out are level: no game is played for a seed of theirs."""
    night = NightAtWork()
    night.open(("Ann", "Bob", "Cy", "Dee", "Player 5", "Player 6"), games=1, cut="1")
    night.do("draw")
    for key in night.open_games():
        night.play(key, night.night.schedule[key].players[0], 10)
    night.break_seed_ties()
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    night.shuffle = lots
    *level, last = [row["player"] for row in night.view()["standings"] if row["points"] == 0]
    night.do("draw_bracket", bracket="consolation", players=[*level, last])
    drawn = night.night.brackets["consolation"].bracket.players
    assert set(drawn) == {*level, last}
    assert drawn == lots(next(group for group in find_eligible(night.night, "consolation") if last in group))
    assert night.replayed().brackets == night.night.brackets


def play_bracket(night, name):
    """Let the higher seed win every match, the second game of each by the other's not coming."""
    while ready := [
        m for b in night.view()["brackets"] if b["bracket"] == name for m in b["matches"] if m["state"] == "ready"
    ]:
        match = ready[0]
        order = [row["player"] for row in night.view()["standings"]]
        winner, loser = sorted(match["players"], key=order.index)
        if match["won"] == [0, 0]:
            night.do("bracket_game", match=match["match"], winner=winner, margin=9)
        else:
            night.do("bracket_forfeit", match=match["match"], player=loser)


def test_pots_are_paid_to_the_cent():
    """Eleven shares of 5.00 and a half share of 2.50 make 57.50; three qualifiers are in it, one of them by half."""
    night = NightAtWork().open((*ELEVEN, "Player 12"), games=3, cut="3", fee=1000)
    night.do("open_pot", kind="q_pool", fee=500)
    night.do("draw")
    night.play_all(lower_number_wins)
    night.break_seed_ties()
    best = [row["player"] for row in night.view()["standings"]][:3]
    for player in night.night.players:
        night.do("enter_pot", pot="q_pool", player=player, half=player == best[2])
    assert night.refusal("pay_pot", pot="q_pool").message.key == "night_cut_first"
    night.do("close_cut")
    night.do("pay_pot", pot="q_pool")
    (pot,) = night.view()["pots"]
    assert pot["sum"] == 11 * 500 + 250
    shares = {share["player"]: share["cents"] for share in pot["shares"]}
    assert sum(shares.values()) + pot["house"] + pot["left"] == 5750
    assert shares == {best[0]: 2300, best[1]: 2300, best[2]: 1150}
    assert night.refusal("pay_pot", pot="q_pool").code == "already"


def test_a_pot_without_a_hit_goes_on_to_the_next_night():
    night = NightAtWork().open(("Ann", "Bob"))
    night.do("open_pot", kind="hand_24", fee=100, carried=350)
    for player in ("p1", "p2"):
        night.do("enter_pot", pot="hand_24", player=player)
    night.do("pay_pot", pot="hand_24")
    (pot,) = night.view()["pots"]
    assert (pot["sum"], pot["shares"], pot["left"]) == (550, [], 550)


def test_what_was_checked_when_it_was_decided_makes_the_same_night_as_folding_all():
    night = NightAtWork().open(ELEVEN[:8], games=3, cut="1/2")
    night.do("open_pot", kind="q_pool", fee=500)
    night.do("enter_pot", pot="q_pool", player="p1")
    night.do("draw")
    night.play_all(lower_number_wins, ("paper", "cards", "table"))
    night.break_seed_ties()
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    play_bracket(night, "main")
    night.do("undo", number=night.night.revision)
    play_bracket(night, "main")
    night.do("pay_pot", pot="q_pool")
    night.do("end_night")
    added = EMPTY_NIGHT
    for stored in night.night.rows:
        added = add(added, stored, is_checked=True)
        folded = fold(added.rows)
        assert {one.name: getattr(added, one.name) for one in fields(Night)} == {
            one.name: getattr(folded, one.name) for one in fields(Night)
        }
    assert added.ended is not None


def test_a_forfeit_never_blocks_the_end():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"))
    night.do("draw")
    for key in night.open_games():
        night.do("forfeit", game=key, player=night.night.schedule[key].players[1])
    assert night.open_games() == []
    night.break_seed_ties()
    night.do("close_cut")
    night.do("end_night")
    assert night.view()["night"]["phase"] == "ended"


def test_from_the_last_result_to_the_final_standings_nothing_is_pressed():
    night = NightAtWork().open(ELEVEN[:6], games=3)
    night.do("draw")
    night.play_all(lower_number_wins, ("paper", "cards", "table"))
    assert night.view()["night"]["phase"] == "played"
    assert len(night.view()["standings"]) == 6


@pytest.mark.parametrize("do", ["close_cut", "end_night", "close_registration"])
def test_what_is_closed_opens_again(do):
    again = {"close_cut": "open_cut", "end_night": "open_again", "close_registration": "open_registration"}[do]
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), cut="1")
    night.do("draw")
    night.play_all(lower_number_wins)
    before = night.view()
    night.do(do)
    assert night.view()["night"] != before["night"]
    night.do(again)
    assert night.view()["night"] == before["night"]
    assert night.view()["standings"] == before["standings"]


def test_the_big_screen_tells_nothing_of_money_owed_and_has_no_buttons():
    night = NightAtWork().open(("Ann", "Bob"), fee=1000)
    night.do("draw")
    text = repr(screen_view(night.night))
    assert "'actions'" not in text
    assert "'due'" not in text
    assert "'rulings'" not in text


def game_of(night, key):
    """A game in the director's view."""
    return next(game for each in director_view(night.night)["rounds"] for game in each["games"] if game["game"] == key)
