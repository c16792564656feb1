"""The orders of a table: what the hub writes the table reads, and what makes no sense is refused in one sentence."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import PegboardError
from pegboard.table.event_shown import setup_of
from pegboard.tournament.calls import EMPTY_CALLS, TableCall
from pegboard.tournament.night.decide import fold
from pegboard.tournament.night.facts import (
    Announced,
    NightOpened,
    PaperResultEntered,
    PlayerEntered,
    ResultClaimed,
    RoundStarted,
    ScheduledGame,
    ScheduleDrawn,
    TableAdded,
)
from pegboard.tournament.night.night_state import StoredDecision
from pegboard.tournament.night.views.event_orders import event_orders
from pegboard.tournament.results.claims import Claim
from pegboard.tournament.results.scoring import POINT_TABLES
from pegboard.tournament.table_orders import (
    CallAnswer,
    OrderedGame,
    OrdersError,
    SeatAfter,
    Settlement,
    TableOrders,
    read_orders,
)
from tests.support.night_at_work import DIRECTOR, NightAtWork, player_of, table_of
from tests.support.table_in_event import orders, pair

TEXTS = st.text(max_size=40)
IDS = st.text("abcz019_-", min_size=1, max_size=32)
SEATS = st.none() | st.builds(SeatAfter, TEXTS, TEXTS, st.none() | st.booleans())
GAMES = st.builds(
    lambda game, number, names, seats, house, done: OrderedGame(
        game, number, 9, tuple(f"p{n}" for n in range(len(names))), names, 0, seats[: len(names)], house, is_done=done
    ),
    st.sampled_from(["r1:p1-p2", "main:1:2"]),
    st.integers(1, 30),
    st.lists(TEXTS, min_size=1, max_size=4).map(tuple),
    st.lists(SEATS, min_size=4, max_size=4).map(tuple),
    st.lists(TEXTS, max_size=3).map(tuple),
    st.booleans(),
)
CALLS = st.builds(
    CallAnswer, IDS, st.sampled_from(["judge", "director"]), st.lists(TEXTS, max_size=3).map(tuple), st.integers(1, 3)
)
ORDERS = st.builds(
    TableOrders,
    st.integers(0, 10**6),
    IDS,
    IDS,
    TEXTS,
    TEXTS,
    st.lists(GAMES, max_size=5).map(tuple),
    st.dictionaries(st.sampled_from(["r1:p1-p2", "r2:p1-p3"]), st.sampled_from(["in", "mismatch"])),
    st.dictionaries(
        st.just("r1:p1-p2"), st.sampled_from([Settlement((0,), 1, 12), Settlement((0, 1), 0, 121), Settlement()])
    ),
    st.lists(CALLS, max_size=3).map(tuple),
    TEXTS,
)


@given(ORDERS)
def test_what_a_hub_writes_a_table_reads(written):
    assert read_orders(json.loads(json.dumps(written.as_json()))) == written


def test_what_a_newer_hub_adds_is_left_out():
    assert read_orders(orders(pair(colour="red"), weather="fine")) == read_orders(orders(pair()))


def test_what_is_left_out_is_played_by_the_acc():
    players = [{"id": "p1", "name": "Ann"}, {"id": "p2", "name": "Bob"}]
    (game,) = read_orders(orders({"game": "r1:p1-p2", "players": players})).games
    assert (game.house, game.dealer, game.after) == ((), None, (None, None))


WRONG = [
    None,
    [],
    "orders",
    {},
    {"v": 1},
    orders() | {"revision": "1"},
    orders() | {"revision": True},
    orders() | {"revision": -1},
    orders() | {"event": {"id": "No Night"}},
    orders() | {"table": "t4"},
    orders() | {"games": 7},
    orders() | {"games": [pair()] * 101},
    orders(pair(dealer=2)),
    orders(pair(dealer="Ann")),
    orders(pair(one=7)),
    orders(pair(one="A" * 201)),
    orders(pair(game="r1 p1 p2")),
    orders() | {"calls": [{"for": "judge"}]},
    orders() | {"results": {"r1:p1-p2": 1}},
    orders() | {"announcement": ["x"]},
]


@pytest.mark.parametrize("values", WRONG)
def test_what_makes_no_sense_is_refused_in_one_sentence(values):
    with pytest.raises(PegboardError) as refusal:
        read_orders(values)
    assert isinstance(refusal.value, OrdersError)
    assert str(refusal.value) == "the hub sent this table invalid data; tell the director"


def test_the_version_of_a_newer_hub_is_named():
    with pytest.raises(OrdersError, match="the hub sent version 2, but this table knows only 1; update pegboard"):
        read_orders(orders() | {"v": 2})


# --- what a night has for one table ---


def second_round():
    """An event of five players in its second round: Ann has beaten Bob and Cy Dee; the cards of Ann and Cy disagree."""
    games = [("p1", "p2", "t1"), ("p3", "p4", "t2"), ("p1", "p3", "t1"), ("p2", "p5", "t2"), ("p2", "p4", "t1")]
    drawn = [ScheduledGame(1 + n // 2, (one, other), table, one) for n, (one, other, table) in enumerate(games)]
    drawn[3] = replace(drawn[3], deals_first="p5")
    drawn.append(ScheduledGame(3, ("p3", "p5"), "t2", "p3"))
    names = ("Ann", "Bob", "Cy", "Dee", "Player 5")
    made = [
        NightOpened("Thursday club", "2026-11-26"),
        *(PlayerEntered(f"p{n}", name, walk_up=True, here=True) for n, name in enumerate(names, 1)),
        *(TableAdded(f"t{n}", str(n)) for n in (1, 2)),
        ScheduleDrawn(tuple(drawn)),
        RoundStarted(1),
        PaperResultEntered("r1:p1-p2", "p1", 12),
        PaperResultEntered("r1:p3-p4", "p3", 5),
        RoundStarted(2),
        ResultClaimed("r2:p1-p3", "p1", Claim(won=True, margin=4)),
        ResultClaimed("r2:p1-p3", "p3", Claim(won=True, margin=9)),
        Announced("Round 3 begins at nine"),
    ]
    return fold(StoredDecision(number, 0, DIRECTOR, fact) for number, fact in enumerate(made, 1))


CALL = EMPTY_CALLS.with_call(TableCall("c1", "t2", "judge", accepted=("Dee",)))


def orders_at(table, night=None, calls=CALL):
    """The orders of a table, of the event in its second round unless another one is given."""
    return event_orders(second_round() if night is None else night, "club-night-7", calls)[table]


def test_a_table_is_told_its_games_and_where_their_players_go():
    told = orders_at("t2")
    assert (told.event_name, told.label, told.revision) == ("Thursday club", "2", 16)
    (done, now, later) = told.games
    assert [(game.game, game.is_done) for game in (done, now, later)] == [
        *[("r1:p3-p4", True), ("r2:p2-p5", False), ("r3:p3-p5", False)]
    ]
    assert now.players == ("Bob", "Player 5")
    assert now.dealer == 1, "Player 5 deals first"
    assert now.after == (SeatAfter("1", "Dee", deals=True), SeatAfter("2", "Cy", deals=False))


def test_a_player_who_sits_out_is_told_the_game_after_that():
    """Dee sits round 2 out, and Cy has played it."""
    done = orders_at("t2").games[0]
    assert done.players == ("Cy", "Dee")
    assert done.after == (SeatAfter("2", "Player 5", deals=True), SeatAfter("1", "Bob", deals=False))


def test_of_games_that_are_done_a_table_is_told_its_last_one_alone():
    told = orders_at("t1")
    assert [(game.game, game.is_done) for game in told.games] == [("r2:p1-p3", True), ("r3:p2-p4", False)]


def test_results_of_the_table_are_told_and_a_mismatch_is_named():
    told = orders_at("t1")
    assert told.results == {"r1:p1-p2": "in", "r2:p1-p3": "mismatch"}


def test_a_card_of_one_player_takes_no_game_from_the_table():
    """Ann has typed a result on her phone, by mistake or before the board was done; the board has it to play still."""
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"))
    night.do("add_table", table="t1", label="1")
    night.do("draw")
    game = next(game for game in night.night.schedule.values() if game.table == "t1")
    one, other = game.players
    night.do("claim", player_of(one), game=game.key, player=one, won=True, margin=12)
    told = orders_at("t1", night.night)
    assert (told.games[0].game, told.games[0].is_done, told.results) == (game.key, False, {})
    night.do("claim", player_of(other), game=game.key, player=other, won=False, margin=12)
    told = orders_at("t1", night.night)
    assert (told.games[0].game, told.games[0].is_done, told.results) == (game.key, True, {game.key: "in"})


def one_game(margin=12):
    """A night with one game, which table t1 has sent: Ann has won it, and confirmed it there."""
    night = NightAtWork().open(("Ann", "Bob"), games=1)
    night.do("add_table", table="t1", label="1")
    night.do("draw")
    game = next(iter(night.night.schedule.values()))
    sheet = {"table": "t1", "epoch": "e1", "game": "g1", "first": 1, "last": 9, "digest": "d" * 64}
    values = {"game": game.key, "table": "t1", "winner": game.players[0], "margin": margin, "sheet": sheet}
    night.do("table_result", table_of("t1"), **values, confirmed=[game.players[0]])
    return night, game


def settled_at_t1(night):
    return orders_at("t1", night.night).settled


def test_a_board_is_told_who_confirmed_its_game_by_phone():
    night, game = one_game()
    assert settled_at_t1(night) == {}
    night.do("confirm", player_of(game.players[1]), game=game.key, player=game.players[1])
    assert settled_at_t1(night) == {game.key: Settlement((1,), 0, 12)}


def test_a_board_is_told_that_the_director_decided_its_game():
    night, game = one_game()
    night.do("paper_result", game=game.key, winner=game.players[0], margin=12)
    assert settled_at_t1(night) == {game.key: Settlement()}


def test_a_board_at_which_both_confirmed_is_told_nothing_more():
    night, game = one_game()
    sheet = {"table": "t1", "epoch": "e1", "game": "g1", "first": 1, "last": 10, "digest": "e" * 64}
    values = {"game": game.key, "table": "t1", "winner": game.players[0], "margin": 12, "sheet": sheet}
    night.do("table_result", table_of("t1"), **values, confirmed=list(game.players))
    assert settled_at_t1(night) == {}


def test_a_table_that_was_removed_is_told_that_it_has_nothing_to_play():
    night, _ = one_game()
    night.do("add_table", table="t2", label="2")
    night.do("remove_table", table="t2")
    assert orders_at("t2", night.night) == TableOrders(
        night.night.revision, "club-night-7", "t2", event_name=night.night.opened.name, label="t2"
    )


def test_a_table_with_paper_only_is_told_nothing():
    night = NightAtWork().open(("Ann", "Bob"), games=1)
    night.do("add_table", table="t1", label="1", kind="paper")
    assert event_orders(night.night, "club-night-7") == {}


def test_calls_of_other_tables_are_not_told():
    assert orders_at("t1").calls == ()
    (call,) = orders_at("t2").calls
    assert call == CallAnswer("c1", "judge", ("Dee",), 2)


def test_what_is_told_of_a_night_is_read_by_the_table():
    told = orders_at("t2")
    assert read_orders(told.as_json()) == told


@pytest.mark.parametrize("points", POINT_TABLES)
def test_a_board_plays_by_the_point_table_of_the_night(points):
    """Each win is worth there what the night counts for it; where later rounds count more, what is a skunk agrees."""
    night = NightAtWork().open(("Ann", "Bob"), games=1, points=points)
    night.do("add_table", table="t1", label="1")
    night.do("draw")
    told, table = orders_at("t1", night.night), POINT_TABLES[points]
    rules = setup_of(told, told.games[0]).rules
    assert (rules.game_hole, rules.lurch) == (table.game_hole, table.lurch)
    for margin in range(1, table.game_hole + 1):
        skunks = rules.skunks_of(table.game_hole - margin)
        worth = rules.worth[min(skunks, len(rules.worth) - 1)]
        assert worth == (1 if table.by_round else table.points(margin))
