"""A table in its event: who plays next and when, what is shown of it, calls, and results that do not reach the hub."""

import pytest

from pegboard.core.moves import Deal, Rename, Score, Start, TakeBack
from pegboard.core.view import Call, NextSeat
from pegboard.core.view_as_json import snapshot
from pegboard.errors import DeviceError, NotAllowed
from pegboard.messages import Message
from pegboard.table.event_shown import result_of
from pegboard.tournament.result_code import decode, encode_short
from tests.support.table_in_event import ANSWER, PLACE, TableInEvent, orders, pair, renamed

ELSEWHERE = {"table": "7", "against": "Dee", "deals": True}
HERE = {"table": "4", "against": "Cy", "deals": False}


# --- seating ---


def test_the_first_game_begins_at_once_as_the_hub_has_it(in_event):
    in_event.send(pair(dealer=1))
    game = in_event.view.game
    assert (game.players, game.dealer, game.dealer_said) == (("Ann", "Bob"), 1, True)
    assert game.pairing == "club-night-7/r1:p1-p2"
    assert (game.rules.variant, game.rules.strict, game.rules.confirm) == ("acc", True, True)
    assert in_event.view.match.format == "single"


@pytest.mark.parametrize("house", [[], ["strict=off", "confirm=off"], ["muggins=on"]])
def test_every_game_of_an_event_is_strict_and_confirmed(in_event, house):
    in_event.send(pair(house=house))
    assert (in_event.view.game.rules.strict, in_event.view.game.rules.confirm) == (True, True)


def test_a_game_that_has_not_begun_is_played_by_the_rules_of_newer_orders(in_event):
    in_event.send(pair())
    in_event.send(pair(house=["game hole=61", "skunks=lurch"]), revision=2)
    assert in_event.view.game.rules.game_hole == 61
    in_event.table.score(0, 6)
    in_event.send(pair(), revision=3)
    assert (in_event.view.game.rules.game_hole, in_event.table.fronts()) == (61, [6, 0])


def test_a_game_that_has_begun_is_not_cleared_off_the_table(in_event):
    in_event.table.score(0, 6)
    in_event.send(pair("Cy", "Dee"))
    assert in_event.view.game.players == ("Ann", "Bob")
    assert in_event.shown.here == ("Cy", "Dee")


def test_a_result_stays_until_somebody_begins_the_next_game(in_event):
    in_event.send(pair(), pair("Cy", "Dee", number=2, dealer=1))
    in_event.play()
    assert in_event.view.game.outcome is not None
    assert in_event.shown.here == ("Cy", "Dee")
    in_event.table.board.keys.deal()
    in_event.settle()
    assert (in_event.view.game.players, in_event.view.game.dealer) == (("Cy", "Dee"), 1)
    assert in_event.view.game.pairing == "club-night-7/r2:p1-p2"
    assert in_event.shown.here == ()


def test_a_phone_begins_the_next_game_of_the_event_too(in_event):
    in_event.send(pair(), pair("Cy", "Dee", number=2))
    in_event.play()
    again = in_event.view.game

    in_event.table.ask(Start(again.rules, again.players), game=None)
    assert in_event.view.game.pairing == "club-night-7/r2:p1-p2"


def test_without_a_next_game_no_player_begins_another(in_event):
    in_event.send(pair())
    in_event.play()
    in_event.table.board.keys.deal()
    assert in_event.view.notice == Message("event_next_unknown", event="Club night 7")
    assert in_event.view.game.outcome is not None


def test_games_are_played_in_the_order_of_the_hub_without_hearing_from_it_again(in_event):
    in_event.send(*(pair(number=number) for number in (1, 2, 3)))
    for number in (1, 2, 3):
        assert in_event.view.game.pairing == f"club-night-7/r{number}:p1-p2"
        in_event.play(number % 2)
        if number < 3:
            in_event.table.board.keys.deal()
            in_event.settle()


def test_after_a_restart_without_a_network_the_table_goes_on(in_event):
    in_event.send(pair(), pair("Cy", "Dee", number=2, after=(ELSEWHERE, None)))
    in_event.play()
    in_event.reopen()
    in_event.until(lambda: in_event.shown.here == ("Cy", "Dee"))
    in_event.table.board.keys.deal()
    in_event.settle()
    assert in_event.shown.round == 2


def test_a_game_that_was_played_is_not_seated_again_when_the_hub_is_behind(in_event):
    in_event.send(pair(), pair("Cy", "Dee", number=2))
    in_event.play()
    in_event.table.board.keys.deal()
    in_event.settle()
    in_event.send(pair(), pair("Cy", "Dee", number=2), revision=2)
    assert in_event.view.game.pairing == "club-night-7/r2:p1-p2"
    assert in_event.shown.here == ()


def test_a_pairing_that_was_moved_before_it_began_makes_room(in_event):
    in_event.send(pair())
    in_event.send(pair("Cy", "Dee", number=2), revision=2)
    assert in_event.view.game.players == ("Cy", "Dee")


def test_a_name_that_is_corrected_at_the_table_seats_nobody_twice(in_event):
    in_event.send(pair())
    in_event.table.score(0, 6)

    in_event.table.rule(Rename(0, "Ann", "Anne"))
    in_event.send(pair(), revision=2)
    assert in_event.view.game.players == ("Anne", "Bob")
    assert in_event.shown.here == ()


def test_a_game_of_an_event_that_has_begun_is_given_up_by_no_player(in_event):
    in_event.send(pair())
    in_event.table.score(0, 6)
    game, keys = in_event.view, in_event.table.board.keys
    with pytest.raises(NotAllowed, match="only the director can abandon a game of Club night 7 that has started"):
        in_event.table.ask(Start(game.game.rules, game.game.players), game=None, replaces=game.id)
    keys.ask_new_game()
    keys.new_game()
    assert in_event.view.notice == Message("event_game_on", event="Club night 7")
    assert in_event.table.fronts() == [6, 0]


def test_a_game_given_up_by_the_director_is_begun_again_as_the_same_pairing(in_event):
    in_event.send(pair())
    in_event.table.score(0, 6)

    game = in_event.view
    in_event.table.rule(Start(game.game.rules, game.game.players), game=None, replaces=game.id)
    assert (in_event.view.game.entries, in_event.view.game.pairing) == ((), "club-night-7/r1:p1-p2")


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (pair(house=["luck=on"]), "luck"),
        (pair(one="", other="Bob"), "must have 1 to 64 characters"),
        (pair(one="Ann", other="ann"), "ann"),
    ],
)
def test_a_game_that_cannot_be_played_here_is_refused_in_one_sentence(in_event, game, fault):
    in_event.send(game)
    notice = in_event.view.notice
    assert notice.key == "event_order_unfit"
    assert fault in notice
    assert in_event.view.game.players == ("Ann", "Bob")
    assert in_event.view.game.pairing == ""


def test_orders_for_another_table_are_left_alone(in_event):
    values = orders(pair()) | {"table": {"id": "t5", "label": "5"}}
    in_event.event.take_orders(values)
    in_event.settle()
    assert in_event.view.game.pairing == ""


def test_orders_that_make_no_sense_change_nothing_and_say_so(in_event):
    in_event.send(pair())
    in_event.event.take_orders({"v": 1})
    in_event.settle()
    assert in_event.view.notice == Message("event_orders_form")
    assert in_event.view.game.pairing == "club-night-7/r1:p1-p2"


# --- strict ---


def test_no_player_takes_back_what_was_pegged(in_event):
    in_event.send(pair())
    in_event.table.score(0, 6)
    with pytest.raises(NotAllowed):
        in_event.table.ask(TakeBack())
    in_event.table.board.keys.undo()
    assert in_event.table.fronts() == [6, 0]
    in_event.table.rule(TakeBack())
    assert in_event.table.fronts() == [0, 0]


def test_what_is_dialled_and_not_yet_pegged_a_player_may_drop(in_event):
    in_event.send(pair())
    in_event.table.board.keys.dial(0, 5)
    in_event.table.board.keys.undo()
    assert in_event.view.dialled == (0, 0)


# --- what is shown ---


def test_where_players_go_is_shown_once_both_have_confirmed(in_event):
    in_event.send(pair(after=(ELSEWHERE, HERE)))
    in_event.table.win()
    in_event.confirm(0)
    in_event.settle()
    assert in_event.shown.next == ()
    in_event.confirm(1)
    in_event.settle()
    assert in_event.shown.next == (NextSeat("Ann", "7", "Dee", True), NextSeat("Bob", "4", "Cy", False, True))


def test_both_players_confirm_by_their_own_keys(in_event):
    in_event.send(pair(after=(ELSEWHERE, None)))
    in_event.table.win()
    for lane in (0, 1):
        in_event.table.board.keys.dial(lane, 1)
    in_event.settle()
    assert in_event.view.game.confirmed == (0, 1)
    assert in_event.shown.next == (NextSeat("Ann", "7", "Dee", True), NextSeat("Bob"))


# --- games that the hub counts, and that not both players confirmed at the board ---

BY_BOB = {"by_phone": [1], "winner": 0, "margin": 121}
BY_BOTH = BY_BOB | {"by_phone": [0, 1]}
BY_DIRECTOR = {"by_phone": [], "winner": None, "margin": None}

SETTLED = [
    ((0,), BY_BOB, "Bob confirmed by phone"),
    ((), BY_BOTH, "Ann and Bob confirmed by phone"),
    ((1,), BY_DIRECTOR, "the director has decided this game"),
    ((0,), BY_BOB | {"by_phone": [1, 7]}, "Bob confirmed by phone"),  # of whom there is no seat is passed over
]


def counted(in_event, settled, *confirmed):
    """The first of two games of the table is won, and counts by what the hub has heard elsewhere."""
    games = pair(after=(ELSEWHERE, HERE)), pair("Cy", "Dee", number=2)
    in_event.send(*games)
    in_event.table.win()
    in_event.confirm(*confirmed)
    key = games[0]["game"]
    in_event.send(games[0] | {"done": True}, games[1], revision=2, results={key: "in"}, settled={key: settled})


@pytest.mark.parametrize(("confirmed", "settled", "said"), SETTLED)
def test_a_game_that_the_hub_counts_is_settled_at_its_board(in_event, confirmed, settled, said):
    counted(in_event, settled, *confirmed)
    assert in_event.shown.settled == said
    assert [seat.table for seat in in_event.shown.next] == ["7", "4"]
    assert snapshot(in_event.view)["game"]["unconfirmed"] == []
    in_event.table.board.keys.deal()
    in_event.settle()
    assert (in_event.view.game.players, in_event.shown.settled) == (("Cy", "Dee"), None)


def test_a_phone_begins_the_next_game_after_one_that_the_hub_counts(in_event):
    counted(in_event, BY_BOB, 0)
    now = in_event.view
    preview = in_event.table.board.preview(Start(now.game.rules, now.game.players), base=now.revision)
    assert preview.after.players == ("Cy", "Dee")
    in_event.table.ask(Start(now.game.rules, now.game.players), game=None)
    assert in_event.view.game.pairing == "club-night-7/r2:p1-p2"


def test_a_key_of_a_settled_game_confirms_nothing_more_and_says_what_comes_next(in_event):
    counted(in_event, BY_BOB, 0)
    in_event.table.board.keys.dial(1, 2)
    assert (in_event.view.game.confirmed, in_event.view.notice.key) == ((0,), "key_next")


def test_a_settled_game_stays_settled_after_a_restart_without_a_network(in_event):
    counted(in_event, BY_BOB, 0)
    in_event.reopen()
    in_event.until(lambda: in_event.shown.settled == "Bob confirmed by phone")
    in_event.table.board.keys.deal()
    assert in_event.view.game.players == ("Cy", "Dee")


def test_an_end_that_the_hub_has_not_heard_of_waits_to_be_confirmed(in_event):
    counted(in_event, BY_BOB | {"margin": 12}, 0)
    in_event.table.board.keys.deal()
    assert (in_event.shown.settled, in_event.view.notice.key) == (None, "reserved_unconfirmed")
    assert in_event.view.game.players == ("Ann", "Bob")


def test_the_hub_is_told_that_a_game_is_settled_here(in_event):
    counted(in_event, BY_BOB, 0)
    assert in_event.event.more_state()["settled"]


def test_round_and_table_are_shown(in_event):
    in_event.send(pair(number=3), announcement="Lunch at one")
    assert (in_event.shown.table, in_event.shown.round, in_event.shown.rounds) == ("4", 3, 9)
    assert in_event.shown.announcement == "Lunch at one"


def test_a_hub_that_is_not_reached_is_shown(in_event):
    in_event.link.is_linked = False
    in_event.event.wake()
    in_event.until(lambda: not in_event.shown.is_linked)


# --- calls ---


def test_a_call_is_shown_and_sent_until_it_is_taken_back_and_never_stored(in_event):
    stored = len(list(in_event.table.journal.rows()))
    in_event.event.toggle_call("judge")
    in_event.settle()
    assert in_event.shown.calls == (Call("c81f", "judge", (), 2),)
    assert in_event.event.more_state()["calls"] == [{"id": "c81f", "for": "judge"}]
    assert in_event.link.wakes
    in_event.event.toggle_call("judge")
    in_event.settle()
    assert in_event.shown.calls == ()
    assert in_event.event.more_state()["calls"] == []
    assert len(list(in_event.table.journal.rows())) == stored


def test_a_call_is_answered_by_two_judges(in_event):
    in_event.event.toggle_call("judge")
    for accepted, answered in (["Cy"], False), (["Cy", "Dee"], True):
        call = {"id": "c81f", "for": "judge", "accepted": accepted, "needed": 2, "ended": False}
        in_event.send(calls=[call], revision=len(accepted))
        assert in_event.shown.calls[0].accepted == tuple(accepted)
        assert in_event.shown.is_calling is not answered
    in_event.send(calls=[call | {"ended": True}], revision=3)
    assert in_event.shown.calls == ()


def test_a_call_stands_while_the_hub_has_not_heard_of_it(in_event):
    in_event.event.toggle_call("director")
    in_event.send(calls=[])
    assert in_event.shown.calls == (Call("c81f", "director", (), 1),)


def test_a_table_in_no_event_calls_nobody(tmp_path):
    table = TableInEvent(tmp_path, place=None)
    table.event.toggle_call("judge")
    table.settle()
    assert table.shown is None
    table.close()


# --- results that do not reach the hub ---


def finish(in_event, **link):
    in_event.send(pair())
    for name, value in link.items():
        setattr(in_event.link, name, value)
    in_event.play()


@pytest.mark.parametrize("link", [{"is_linked": False}, {"waiting": 3}])
def test_a_result_that_waits_for_ten_seconds_is_shown_as_a_code_of_the_game(in_event, link):
    finish(in_event, **link)
    assert in_event.shown.result_url == ""
    in_event.now_s += 10
    in_event.event.wake()
    in_event.until(lambda: in_event.shown.result_url)
    url = in_event.shown.result_url
    assert url.startswith("http://192.168.1.20:8090/R/")
    short = decode(url)
    assert (short.holes, short.confirmed) == ((121, 0), (0, 1))


def test_the_short_code_is_that_of_the_whole_one(in_event):

    finish(in_event, is_linked=False)
    in_event.now_s += 10
    in_event.event.wake()
    in_event.until(lambda: in_event.shown.result_url)
    result = result_of(list(in_event.table.journal.rows(in_event.view.id)), "t4")
    assert decode(in_event.shown.result_url) == decode(encode_short(result))
    assert result.pairing == "r1:p1-p2"
    assert result.epoch == in_event.view.epoch


@pytest.mark.parametrize("word", ["in", "mismatch"])
def test_a_result_that_the_hub_has_is_not_shown_as_a_code(in_event, word):
    finish(in_event, is_linked=False)
    in_event.now_s += 10
    in_event.send(pair(done=True), results={"r1:p1-p2": word}, revision=2)
    assert in_event.shown.result_url == ""


def test_an_unconfirmed_result_is_no_code(in_event):
    in_event.send(pair())
    in_event.link.is_linked = False
    in_event.table.win()
    in_event.confirm(0)
    in_event.now_s += 100
    in_event.settle()
    assert in_event.shown.result_url == ""


# --- joining and leaving ---


@pytest.fixture
def alone(tmp_path):
    table = TableInEvent(tmp_path, place=None)
    yield table
    table.close()


def test_a_table_joins_by_a_code_and_says_so(alone):
    alone.event.join("192.168.1.20:8090/t/482913")
    alone.until(lambda: alone.shown is not None)
    alone.settle()
    assert alone.posted == [("http://192.168.1.20:8090/join", {"code": "482913", "name": "pegboard-4"})]
    assert alone.link.place == PLACE
    assert alone.view.notice == Message("event_joined", label="4", event="Club night 7")
    assert not alone.event.is_joining


def test_the_hub_of_last_time_is_asked_where_only_digits_are_typed(alone):
    alone.event.join("http://192.168.1.20:8099/t/482913", confirmed=True)
    alone.settle()
    alone.event.leave()
    alone.event.join("111111")
    alone.settle()
    assert [url for url, _ in alone.posted] == ["http://192.168.1.20:8099/join"] * 2


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ((410, {"detail": "used"}), "the code 482913 was used or has expired; ask the director for a new one"),
        (
            OSError("no route"),
            f"the hub {PLACE.hub} is not answering (no route); check that this table is on the same network",
        ),
    ],
)
def test_a_refused_code_is_one_sentence_and_the_table_plays_on(alone, answer, sentence):
    alone.answer = answer
    alone.event.join("192.168.1.20:8090/t/482913")
    alone.settle()
    assert alone.view.notice == alone.event.trouble == sentence
    assert (alone.shown, alone.link.place, alone.event.is_joining) == (None, None, False)
    alone.table.score(0, 6)


def test_a_link_that_refuses_leaves_the_table_as_it_was(alone):
    def refuse(_place):
        raise OSError(28, "No space left on device")

    alone.link.join = refuse
    alone.event.join("192.168.1.20:8090/t/482913")
    alone.settle()
    assert alone.view.notice == "the event could not be saved (No space left on device); nothing changed"
    assert alone.shown is None


# --- hubs that must be confirmed ---


STRANGE = "http://169.254.169.254:80"


@pytest.mark.parametrize("text", [f"{STRANGE}/t/482913", "127.0.0.1:1883/t/482913", "192.168.1.20:22/t/482913"])
def test_a_hub_that_is_not_near_and_not_known_is_not_asked_before_it_is_confirmed(alone, text):
    alone.event.join(text, "phone")
    alone.settle()
    assert (alone.posted, alone.link.place) == ([], None)
    assert alone.event.question.hub in alone.view.notice
    assert not alone.event.is_joining


def test_digits_alone_are_confirmed_too_where_no_hub_announces_itself(alone):
    alone.announced = ()
    alone.event.join("482913", "phone")
    alone.settle()
    assert alone.posted == []
    assert alone.view.notice == Message("event_ask_hub", address="http://pegboard-hub.local:8090")


def test_digits_alone_go_to_the_hub_that_announces_itself(alone):
    alone.event.join("482913", "phone")
    alone.settle()
    assert [url for url, _ in alone.posted] == [f"{PLACE.hub}/join"]
    assert alone.link.place.by == "phone"


@pytest.mark.parametrize(("hub", "port"), [("http://192.168.1.20", 80), ("https://192.168.1.20", 443)])
def test_a_hub_at_the_usual_port_is_near_as_its_code_to_scan_says_none(alone, hub, port):
    alone.announced = (f"192.168.1.20:{port}",)
    alone.event.join(f"{hub}/t/482913", "phone")
    alone.settle()
    assert [url for url, _ in alone.posted] == [f"{hub}/join"]


def test_if_several_hubs_announce_themselves_one_must_be_named(alone):
    alone.announced = ("192.168.1.20:8090", "192.168.1.21:8090")
    alone.event.join("482913")
    alone.settle()
    assert alone.view.notice == Message("event_hubs", hubs="192.168.1.20:8090, 192.168.1.21:8090")
    assert alone.posted == []


def test_a_confirmed_hub_is_joined_and_is_known_from_then_on(alone):
    alone.announced = ()
    alone.event.join("192.168.1.20:8090/t/482913", "phone")
    alone.settle()
    alone.event.answer_question(PLACE.hub, yes=True)
    alone.settle()
    assert alone.link.place == renamed(PLACE, by="phone")
    alone.event.leave()
    alone.event.join("111111", "phone")
    alone.settle()
    assert [values["code"] for _, values in alone.posted] == ["482913", "111111"]


MOVED = "http://192.168.1.31:8090"
AT_ITS_NEW_ADDRESS = ANSWER | {"hub": MOVED, "broker": {"url": "mqtt://192.168.1.31"}}


@pytest.mark.parametrize("former", [OSError("No route to host"), (200, None), (404, None)])
def test_digits_alone_find_a_hub_that_has_another_address_since_last_time(alone, former):
    alone.event.join("482913")
    alone.settle()
    alone.event.leave()
    alone.announced = (MOVED.removeprefix("http://"),)
    alone.answers = {PLACE.hub: former, MOVED: (200, AT_ITS_NEW_ADDRESS)}
    alone.event.join("111111", "phone")
    alone.settle()
    assert [url for url, _ in alone.posted] == [f"{hub}/join" for hub in (PLACE.hub, PLACE.hub, MOVED)]
    assert alone.link.place.hub == MOVED


def test_of_a_hub_that_refuses_or_was_typed_no_other_is_asked(alone):
    alone.event.join("482913")
    alone.settle()
    alone.event.leave()
    alone.announced = (MOVED.removeprefix("http://"),)
    for text, answer in (("111111", (404, {"detail": "no"})), (f"{PLACE.hub}/t/111111", OSError("No route to host"))):
        alone.answers = {PLACE.hub: answer}
        alone.event.join(text, confirmed=True)
        alone.settle()
        assert alone.link.place is None
    assert [url for url, _ in alone.posted] == [f"{PLACE.hub}/join"] * 3


def test_a_hub_that_is_declined_is_never_asked(alone):
    alone.event.join(f"{STRANGE}/t/482913")
    alone.settle()
    alone.event.answer_question(STRANGE, yes=False)
    alone.settle()
    assert (alone.event.question, alone.posted, alone.view.notice) == (None, [], Message("event_not_joined"))


def test_a_yes_to_one_address_is_no_yes_to_the_next(alone):
    alone.event.join("10.0.0.5/t/482913")
    alone.event.join(f"{STRANGE}/t/482913")
    alone.event.answer_question("http://10.0.0.5", yes=True)
    alone.settle()
    assert (alone.posted, alone.view.notice) == ([], Message("event_question_changed"))
    assert alone.event.question.hub == STRANGE


@pytest.mark.parametrize("url", ["mqtt://127.0.0.1:25", "mqtt://10.0.0.9:1883"])
def test_a_broker_on_another_machine_than_its_hub_is_confirmed_even_after_a_director(alone, url):
    alone.answer = (200, ANSWER | {"broker": {"url": url, "password": "secret"}})
    alone.event.join("192.168.1.20:8090/t/482913", confirmed=True)
    alone.settle()
    assert alone.link.place is None
    assert alone.view.notice == Message("event_ask_broker", address=url)
    alone.event.answer_question(url, yes=True)
    alone.settle()
    assert alone.link.place.broker == url
    assert len(alone.posted) == 1, "the code counts once"


def test_a_hub_sends_phones_to_no_other_machine(alone):
    alone.answer = (200, ANSWER | {"hub": "http://203.0.113.5"})
    alone.event.join("192.168.1.20:8090/t/482913")
    alone.settle()
    assert alone.link.place.hub == PLACE.hub


def test_a_table_leaves_and_nobody_waits_for_the_event_any_more(in_event):
    in_event.send(pair(), pair("Cy", "Dee", number=2))
    in_event.play()
    in_event.event.leave()
    in_event.settle()
    assert (in_event.shown, in_event.link.place) == (None, None)
    in_event.table.board.keys.deal()
    assert in_event.view.game.players == ("Ann", "Bob")
    assert in_event.view.game.pairing == ""


def test_an_event_of_the_settings_is_neither_left_nor_changed_by_a_code(in_event):
    in_event.link.is_set = True
    for wish in (in_event.event.leave, lambda: in_event.event.join("http://hub/t/482913")):
        in_event.event.trouble = None
        wish()
        in_event.settle()
        assert in_event.event.trouble == Message("event_set")
        assert in_event.link.place == PLACE


def test_what_another_program_has_joined_is_taken_up(alone):
    alone.link.stored_elsewhere = (renamed(PLACE, label="9"),)
    alone.event.look()
    alone.until(lambda: alone.shown is not None and alone.shown.table == "9")


def test_what_another_program_has_joined_wrongly_is_a_sentence(alone):
    def refuse():
        raise DeviceError("event_set")

    alone.link.reload = refuse
    alone.event.look()
    assert alone.view.notice == Message("event_set")


def test_a_table_without_an_event_has_no_thread_and_follows_nothing(alone):
    alone.event.look()
    alone.table.ask(Score(6, 0))
    alone.table.ask(Deal())
    assert alone.event._thread is None
    assert alone.event._noticed is None
