"""Counting over the network: the published facts, a second counter, and every refusal in a sentence."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegboard.core.cards.show import count_ranks
from tests.core.cards.test_show import suit_answers
from tests.oracles.hand_counter import scoring, suit_points
from tests.oracles.play_counters import Table
from tests.support.long_runs import some_of
from tests.support.web_server_and_clients import Site
from web.table.counting_api import count_by_cards, count_by_ranks, count_values, play_so_far, play_values

DATA = Path(__file__).parents[2] / "data"
PUBLISHED = json.loads((DATA / "hand_frequency.json").read_text())
SHEET = json.loads((DATA / "rule_sheet_examples.json").read_text())["examples"]
NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
FIVE = st.lists(st.tuples(st.integers(1, 13), st.sampled_from("CDHS")), min_size=5, max_size=5, unique=True)
MANY = settings(max_examples=some_of(300))


def ask(site: Site, what: str, **named):
    return site.get(f"/api/v1/{what}?{urlencode(named)}")


# The show, beside a second counter.


@MANY
@given(FIVE, st.booleans())
def test_what_is_told_of_a_hand_is_what_a_second_counter_finds(cards, crib):
    ranks = [rank for rank, _ in cards]
    told, flush, nobs = suit_points(cards, crib=crib)
    names = [NAMES[rank - 1] for rank in ranks]
    counted = count_by_ranks(" ".join(names[:4]), names[4], flush=told, nobs=nobs, crib=crib)
    values = count_values(counted)
    by_rank = [part for part in values["parts"] if part["kind"] not in ("flush", "nobs")]
    found = sorted((sorted(part["cards"]), part["points"]) for part in by_rank)
    assert found == sorted((sorted(places), points) for places, points in scoring(ranks))
    assert values["points"] == sum(points for _, points in scoring(ranks)) + flush + nobs
    assert [part["total"] for part in values["parts"]][-1:] == ([values["points"]] if values["points"] else [])
    suited = {part["kind"]: part["cards"] for part in values["parts"] if part["kind"] in ("flush", "nobs")}
    assert suited.get("flush", []) == list(range(flush))
    assert [ranks[place] for place in suited.get("nobs", [])] == [11] * nobs
    written = [name + suit for name, (_, suit) in zip(names, cards, strict=True)]
    with_suits = count_values(count_by_cards(" ".join(written[:4]), written[4], crib=crib))
    assert (with_suits["points"], with_suits["spoken"]) == (values["points"], values["spoken"])
    assert with_suits["flush"]["answer"] == told


HANDS = [row for row in SHEET if row["kind"] == "show" and len(row["hand"]) == 4]


@pytest.mark.parametrize("row", HANDS, ids=lambda row: row["id"])
def test_hands_of_the_rule_sheets(quiet: Site, row):
    suited = row["hand"][0][-1] in "CDHS"
    asked = {"cards" if suited else "ranks": ",".join(row["hand"]), "crib": int(row["crib"])}
    answer = ask(quiet, "count", **asked, **({"starter": row["starter"]} if row["starter"] else {}))
    assert answer.status == 200, answer.body
    assert answer.json["points"] == row["computed"]


def test_cribs_differ_from_hands_as_the_published_table_says():
    """Told by their ranks and a flush of four, which a crib has as often as a hand and which scores nothing there."""
    moved: Counter[int] = Counter()
    for hand in combinations(range(13), 4):
        text = " ".join(NAMES[rank] for rank in hand)
        for starter in range(13):
            number = next(many for flush, _, many in suit_answers(hand, starter) if flush == 4)
            for crib, sign in ((False, -1), (True, 1)):
                told = count_by_ranks(text, NAMES[starter], flush=4, nobs=0, crib=crib)
                moved[told.show.points] += sign * number
    hands, cribs = (PUBLISHED[name]["frequency"] for name in ("hand", "crib"))
    assert {points: moved[int(points)] for points in hands} == {
        points: cribs[points] - hands[points] for points in hands
    }


def test_the_best_hand_is_29_in_parts_as_they_are_said(quiet: Site):
    answer = ask(quiet, "count", ranks="5,5,5,J", starter="5", nobs=1).json
    assert answer["points"] == 29
    assert [part["said"] for part in answer["parts"]][:2] == ["fifteen two", "fifteen four"]
    assert [part["said"] for part in answer["parts"]][-2:] == [
        "a double pair royal is twenty-eight",
        "and one for his nobs is twenty-nine",
    ]
    assert answer["parts"][-1]["cards"] == [3]


def test_a_flush_of_four_scores_in_the_hand_and_is_explained_in_the_crib(quiet: Site):
    hand = ask(quiet, "count", ranks="2,7,8,J", starter="K", flush=4).json
    assert (hand["points"], hand["flush"]["points"], hand["flush"]["why"]) == (6, 4, None)
    crib = ask(quiet, "count", ranks="2,7,8,J", starter="K", flush=4, crib=1).json
    assert (crib["points"], crib["flush"]["points"], crib["flush"]["code"]) == (2, 0, "crib")
    assert crib["flush"]["why"] == "no flush: in the crib all five must be one suit, and the king is not"
    assert crib["nobs"]["closed"] == [{"answer": 1, "code": "flush_of_four", "why": "the king is a different suit"}]
    assert ask(quiet, "count", ranks="2,7,8,J", starter="K", flush=5, crib=1).json["points"] == 2 + 5 + 1


def test_what_is_left_out_is_answered_as_plainly_as_can_be(quiet: Site):
    plain = ask(quiet, "count", ranks="A,4,5,6", starter="6").json
    assert (plain["points"], plain["flush"]["asked"], plain["nobs"]["asked"]) == (12, True, False)
    assert plain["parts"] == ask(quiet, "count", ranks="A,4,5,6", starter="6", flush=0, nobs=0).json["parts"]
    jacks = ask(quiet, "count", ranks="J,J,J,J", starter="5").json
    assert (jacks["points"], jacks["nobs"]["answer"]) == (8 + 12 + 1, 1)


def test_four_cards_are_counted_alone_without_a_starter(quiet: Site):
    answer = ask(quiet, "count", ranks="4,5,6,J", flush=4).json
    assert answer["points"] == 2 + 2 + 3 + 4
    assert [one["answer"] for one in answer["flush"]["closed"]] == [5]


def test_it_is_the_same_count_as_pegboards_own(quiet: Site):
    for ranks, starter in (("A 4 5 6", "6"), ("7 7 8 9", "9"), ("2 4 6 8", "K")):
        show = count_ranks(ranks, starter, flush=0, nobs=False)
        answer = ask(quiet, "count", ranks=ranks, starter=starter).json
        assert (answer["points"], answer["spoken"]) == (show.points, show.spoken)


REFUSED_COUNTS = {
    "": ("shape", "`ranks` is missing: the four ranks of the hand, such as A,4,5,6"),
    "ranks=A,4": ("rule", "cannot count 2 cards"),
    "ranks=A,4,5": ("rule", "a hand of 3 cards needs the starter"),
    "ranks=A,4,5&starter=6&crib=1": ("rule", "a crib has four cards, not 3"),
    "ranks=A,4,5,6&starter=": ("rule", "the starter is one card, not 0"),
    "ranks=A,4,5,X&starter=6": ("rule", "'X' is not a card"),
    "ranks=5,5,5,5&starter=5": ("rule", "5 appears 5 times"),
    "ranks=5,5,5,J&starter=5&flush=4": ("rule", "a flush of 4 cannot have two cards of the same rank"),
    "ranks=A,4,5,6&starter=6&nobs=1": ("rule", "nobs needs a jack"),
    "ranks=A,4,5,6&crib=1": ("rule", "a crib is counted with the starter"),
    "ranks=A,4,5,6&starter=6&flush=3": ("rule", "there is no flush of 3; use 0, 4 or 5"),
    "ranks=A,4,5,6&starter=6&flush=2": ("shape", '`flush` must be one of 0, 3, 4, 5, not "2"'),
    "ranks=A,4,5,6&starter=6&crib_flush=3": ("shape", '`crib_flush` must be one of 5, 4, not "3"'),
    "ranks=A,4,5,6&starter=6&crib=yes": ("shape", '`crib` must be one of 0, 1, not "yes"'),
    "ranks=A,4,5,6&ranks=A,4,5,7": ("shape", "`ranks` is given 2 times; give it once"),
    "ranks=A,4,5,6&sort=1": ("shape", 'a count has no field "sort"; use ranks, cards, starter'),
    "cards=5H,5C,5S,JD&starter=5D&nobs=1": ("shape", "`nobs` cannot be combined with `cards`"),
    "cards=5H,5C,5S,5H&starter=5D": ("rule", "5H appears 2 times"),
    "cards=5H,5C,5S,JD&starter=5": ("rule", "5 has no suit"),
}


@pytest.mark.parametrize("query", REFUSED_COUNTS, ids=lambda query: query or "nothing")
def test_what_cannot_be_counted_is_refused_in_a_sentence(quiet: Site, query):
    code, sentence = REFUSED_COUNTS[query]
    answer = quiet.get(f"/api/v1/count?{query}")
    assert answer.refusal == (422, code)
    assert answer.json["detail"].startswith(sentence)


# The play.


@pytest.mark.parametrize("row", [row for row in SHEET if row["kind"] == "play"], ids=lambda row: row["id"])
def test_whole_plays_of_the_rule_sheets(quiet: Site, row):
    play, laid = {"turn": 0}, []
    for player, act in row["sequence"]:
        seat = ("pone", "dealer").index(player)
        laid += ["go"] if play["turn"] != seat else []  # which the sheets leave out where a go is only taken
        laid.append(act)
        play = ask(quiet, "play", players=2, dealer=1, laid=",".join(laid)).json
    assert play["points"] == [row["computed"]["totals"]["pone"], row["computed"]["totals"]["dealer"]]


def test_the_worked_adjudication_card_by_card(quiet: Site):
    play = ask(quiet, "play", players=2, dealer=1, laid="4,5,3,3,3,7,6").json
    assert [step["points"] for step in play["steps"]] == [0, 0, 3, 4, 6, 0, 2]
    assert [step["count"] for step in play["steps"]] == [4, 9, 12, 15, 18, 25, 31]
    assert [step["seat"] for step in play["steps"]] == [0, 1, 0, 1, 0, 1, 0]
    said = [part["said"] for step in play["steps"] for part in step["parts"]]
    assert said == ["a run of three", "fifteen two", "a pair for two", "a pair royal for six", "thirty-one for two"]
    assert [part["cards"] for part in play["steps"][3]["parts"]] == [[0, 1, 2, 3], [2, 3]]
    assert (play["count"], play["turn"], play["points"], play["held"]) == (0, 1, [11, 4], [0, 1])
    ended = ask(quiet, "play", players=2, dealer=1, laid="4,5,3,3,3,7,6,K").json
    assert (ended["over"], ended["turn"], ended["points"]) == (True, None, [11, 5])
    assert ended["steps"][-1]["parts"][0]["said"] == "one for last card"
    assert {one["code"] for one in ended["closed"]} == {"over"}


@pytest.mark.parametrize("laid", ["K 9 8 go go 4", "K98gogo4", "K-9-8; GO, Go - 4", "kh9s8cgogo4d", "🂾🃙8go go4"])
def test_the_cards_of_a_play_are_written_as_players_write_them(quiet: Site, laid):
    plain = ask(quiet, "play", laid="K,9,8,go,go,4").json
    written = ask(quiet, "play", laid=laid).json
    assert [step["count"] for step in written["steps"]] == [10, 19, 27, 27, 27, 4]
    assert written["points"] == plain["points"]


def test_go_is_offered_only_when_it_can_be_and_scores_when_nobody_can_go_on(quiet: Site):
    laid = ask(quiet, "play", laid="K,9").json
    assert (laid["may_go"], laid["count"]) == (False, 19)
    assert laid["no_go"] == "seat 1 cannot say go: any card can be played on a count of 19"
    laid = ask(quiet, "play", laid="K,9,8").json
    assert (laid["may_go"], laid["turn"]) == (True, 0)
    assert {one["rank"] for one in laid["closed"]} == {"5", "6", "7", "8", "9", "10", "J", "Q", "K"}
    assert laid["closed"][0]["why"] == "5 cannot be played: the count would be 32, and the limit is 31"
    one = ask(quiet, "play", laid="K,9,8,go").json
    assert (one["points"], one["turn"], one["gone"]) == ([0, 0], 1, [0])
    both = ask(quiet, "play", laid="K,9,8,go,go").json
    assert (both["points"], both["turn"], both["gone"], both["count"]) == ([0, 1], 0, [], 0)
    assert [part["said"] for part in both["steps"][-1]["parts"]] == ["one for the go"]
    assert both["steps"][-1]["to"] == 1


def test_four_of_a_rank_are_all_there_are(quiet: Site):
    laid = ask(quiet, "play", laid="A,A,A,A").json
    assert [(one["rank"], one["code"]) for one in laid["closed"]] == [("A", "all_laid")]
    assert laid["steps"][-1]["points"] == 12


def test_hands_of_three_cards_are_played_out_in_five_card(quiet: Site):
    play = ask(quiet, "play", held=3, laid="K,Q,J,go,go,5,5,5").json
    assert (play["over"], play["held"]) == (True, [0, 0])
    assert play["points"] == [6 + 2 + 1, 3 + 1 + 2]


REFUSED_PLAYS = {
    "players=7": ("shape", '`players` must be one of 2, 3, 4, 5, 6, not "7"'),
    "players=2&dealer=2": ("rule", "there is no seat 2 at this table; the seats are 0 to 1"),
    "laid=K,Z": ("rule", "'Z' is not a card"),
    "laid=go": ("rule", "seat 1 cannot say go: any card can be played on a count of 0"),
    "laid=K,K,K,5": ("rule", "5 cannot be played: the count would be 35, and the limit is 31"),
    "laid=A,A,A,A,A": ("rule", "A appears 5 times"),
    "laid=2,2,3,3,4,4,5,5,6": ("rule", "the play is over: all cards have been played"),
    "laid=5&card=6": ("shape", 'a play has no field "card"'),
}


@pytest.mark.parametrize("query", REFUSED_PLAYS)
def test_what_cannot_be_laid_is_refused_in_a_sentence(quiet: Site, query):
    code, sentence = REFUSED_PLAYS[query]
    answer = quiet.get(f"/api/v1/play?{query}")
    assert answer.refusal == (422, code)
    assert answer.json["detail"].startswith(sentence)


@settings(max_examples=30)
@given(st.integers(2, 4), st.sampled_from([3, 4]), st.randoms(use_true_random=False))
def test_any_play_goes_as_a_play_by_hand(players, held, chance):
    pack = [(rank, suit) for rank in range(1, 14) for suit in "CDHS"]
    chance.shuffle(pack)
    dealer = chance.randrange(players)
    hands = [pack[held * seat : held * (seat + 1)] for seat in range(players)]
    table, laid = Table(hands, dealer, [False] * players), []
    while table.turn is not None:
        play, steps = play_so_far(players, dealer, held, ",".join(laid))
        values = play_values(play, steps)
        assert (values["turn"], values["count"], values["points"]) == (table.turn, table.count(), table.points)
        fitting = table.fitting(table.turn)
        closed = {one["rank"] for one in values["closed"]}
        passing = {name for rank, name in enumerate(NAMES, 1) if table.count() + min(rank, 10) > 31}
        assert closed == passing | {name for name in NAMES if laid.count(name) == 4}
        if fitting:
            card = chance.choice(fitting)
            laid.append(NAMES[card[0] - 1])
            table.lay(card)
        else:
            assert values["may_go"]
            laid.append("go")
            table.go()
    ended = play_values(*play_so_far(players, dealer, held, ",".join(laid)))
    assert (ended["over"], ended["points"], ended["may_go"]) == (True, table.points, False)
    assert sum(step["points"] for step in ended["steps"]) == sum(table.points)


def test_three_cards_of_five_card_are_counted_with_the_starter(quiet: Site):
    told = ask(quiet, "count", ranks="2,6,K", starter="10", flush=3).json
    assert (told["points"], told["flush"]["answer"]) == (3, 3)
    assert ask(quiet, "count", cards="2H,6H,KH", starter="10H").json["points"] == 4
    assert sorted(ask(quiet, "count", ranks="5,J,Q", starter="10", flush=0, nobs=0).json["parts"][-1]["cards"]) == [
        1,
        2,
        3,
    ]


def test_a_house_counts_four_of_a_suit_in_the_crib(quiet: Site):
    asked = {"ranks": "2,6,8,K", "starter": "10", "flush": 4, "crib": 1}
    assert ask(quiet, "count", **asked).json["flush"]["code"] == "crib"
    told = ask(quiet, "count", **asked, crib_flush=4).json
    assert (told["points"], told["flush"]["points"], told["flush"]["code"]) == (4, 4, None)
    assert ask(quiet, "count", cards="2H,6H,8H,KH", starter="10C", crib=1, crib_flush=4).json["points"] == 4
