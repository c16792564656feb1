"""Keys of a table in an event, from the edges of a key: calling a judge or the director, and typing a code."""

import pytest

from pegboard.messages import Message
from pegboard.table.joining import TypedCode
from tests.support.keys_at_a_table import NAMES, Input
from tests.support.table_in_event import TableInEvent, pair


@pytest.fixture(params=NAMES)
def scheme(request):
    return request.param


@pytest.fixture
def keys(in_event, scheme):
    """The keys of each kind of input at a table in an event."""
    return Input(in_event.table, scheme)


@pytest.fixture
def alone(tmp_path):
    table = TableInEvent(tmp_path, place=None)
    yield table
    table.close()


def kinds(table):
    table.settle()
    return [call.kind for call in table.shown.calls]


# --- calls ---


@pytest.mark.parametrize(
    ("taps", "said", "called"),
    [
        (2, "release UNDO to call a judge", ["judge"]),
        (3, "release UNDO to call the director", ["director"]),
        (4, None, []),
        (5, "release UNDO to call a judge", ["judge"]),
    ],
)
def test_deal_tapped_while_undo_is_held_says_and_then_does(in_event, keys, taps, said, called):
    keys.edge(0, keys.undo, True)
    for tap in range(taps):
        keys.press(200 + 300 * tap, keys.deal)
    keys.wait(200 + 300 * taps)
    assert in_event.view.notice == said
    assert kinds(in_event) == [], "nothing is done while UNDO is held"
    keys.edge(3000, keys.undo, False)
    keys.wait(3100)
    assert kinds(in_event) == called
    assert in_event.view.notice is None


def test_a_call_is_taken_back_by_the_same_chord(in_event, keys):
    at = keys.hold_undo_and_tap(0, 2)
    assert kinds(in_event) == ["judge"]
    keys.edge(at, keys.undo, True)
    keys.press(at + 200, keys.deal)
    keys.press(at + 500, keys.deal)
    keys.wait(at + 800)
    assert in_event.view.notice == "release UNDO to cancel the judge call"
    keys.edge(at + 1000, keys.undo, False)
    keys.wait(at + 1100)
    assert kinds(in_event) == []


def test_judge_and_director_are_called_one_after_the_other(in_event, keys):
    keys.hold_undo_and_tap(keys.hold_undo_and_tap(0, 3), 2)
    assert kinds(in_event) == ["judge", "director"]


def test_a_chord_scores_deals_and_takes_back_nothing(in_event, keys):
    in_event.send(pair())
    in_event.table.score(0, 6)
    before = in_event.view.game
    keys.hold_undo_and_tap(0, 2)
    keys.wait(60_000)
    assert (in_event.view.game, in_event.view.dialled) == (before, (0, 0))


def test_one_tap_still_shows_how_to_join_and_calls_nobody(in_event, keys):
    keys.chord(0)
    keys.wait(10_000)
    assert kinds(in_event) == []


def test_a_score_of_a_phone_while_undo_is_held_calls_nobody(in_event, keys):
    in_event.send(pair())
    keys.edge(0, keys.undo, True)
    keys.press(200, keys.deal)
    keys.press(500, keys.deal)
    keys.wait(700)
    in_event.table.score(0, 6)
    keys.edge(900, keys.undo, False)
    keys.wait(1000)
    assert kinds(in_event) == []


def test_both_held_still_ask_whether_to_switch_off_after_a_first_tap(in_event, keys):
    keys.edge(0, keys.undo, True)
    keys.press(200, keys.deal)
    keys.edge(600, keys.deal, True)
    keys.wait(3700)
    assert in_event.view.notice == Message("power_elsewhere")
    keys.edge(3800, keys.deal, False)
    keys.edge(3900, keys.undo, False)
    keys.wait(4000)
    assert kinds(in_event) == [], "letting go calls nobody then"


def test_deal_alone_deals_after_a_chord(in_event, keys):
    at = keys.hold_undo_and_tap(0, 2)
    keys.press(at, keys.deal)
    keys.wait(at + 200)
    assert in_event.view.game.standing.deal == 1
    assert in_event.view.game.entries, "DEAL has passed the deal"


def test_keys_that_are_unplugged_in_a_chord_forget_it(in_event, keys):
    keys.edge(0, keys.undo, True)
    keys.press(200, keys.deal)
    keys.machine.release_all(500_000_000)
    keys.press(1000, keys.deal)
    keys.wait(1200)
    assert in_event.view.game.entries, "DEAL is pressed alone"


# --- typing a code ---


def test_two_taps_begin_a_code_where_the_table_plays_in_no_event(alone, scheme):
    keys = Input(alone.table, scheme)
    keys.edge(0, keys.undo, True)
    keys.press(200, keys.deal)
    keys.press(500, keys.deal)
    keys.wait(700)
    assert alone.view.notice == "release UNDO to type an event code"
    keys.edge(900, keys.undo, False)
    keys.wait(1000)
    assert alone.view.notice == Message("event_typing", code="_.....")
    assert alone.table.board.keys.is_typing_code()


def test_keys_count_a_digit_up_deal_goes_on_and_the_sixth_joins(alone):
    keys = Input(alone.table, "several")
    at = keys.hold_undo_and_tap(0, 2)
    alone.table.board.keys.dial(0, 2)
    alone.table.board.keys.dial(1, 2)
    assert alone.view.notice == Message("event_typing", code="4.....")
    keys.press(at, keys.deal)
    for digit in (8, 2, 9, 1, 3):
        for _ in range(digit):
            alone.table.board.keys.dial(0, 1)
        at += 300
        keys.press(at, keys.deal)
    keys.wait(at + 200)
    alone.settle()
    assert alone.posted[0][1]["code"] == "482913"
    assert alone.view.notice == Message("event_joined", label="4", event="Club night 7")
    assert alone.view.dialled == (0, 0)
    assert not alone.table.view.game.entries


def test_a_keypad_types_the_digits_themselves_and_the_sixth_joins(alone):
    keys = Input(alone.table, "keypad")
    at = keys.hold_undo_and_tap(0, 2)
    for place, digit in enumerate("482913"):
        keys.press(at + 300 * place, f"KEY_KP{digit}")
    keys.wait(at + 9000)
    alone.settle()
    assert alone.posted[0][1]["code"] == "482913"
    assert alone.view.dialled == (0, 0)


def test_undo_goes_back_digit_by_digit_and_then_out(alone):
    board = Input(alone.table, "several")
    board.hold_undo_and_tap(0, 2)
    keys = alone.table.board.keys
    keys.dial(0, 5)
    keys.deal()
    keys.dial(0, 1)
    shown = []
    for _ in range(3):
        keys.undo()
        shown.append(alone.view.notice)
    assert shown == [Message("event_typing", code="5 _...."), Message("event_typing", code="_....."), None]
    keys.dial(0, 5)
    assert alone.view.dialled == (5, 0), "and keys score again"


def test_a_score_of_a_phone_ends_the_typing(alone):
    Input(alone.table, "several").hold_undo_and_tap(0, 2)
    alone.table.score(1, 6)
    assert not alone.table.board.keys.is_typing_code()
    alone.table.board.keys.dial(0, 5)
    assert alone.view.dialled == (5, 0)


def test_a_refused_code_is_a_sentence_on_every_display(alone):
    alone.answer = (410, {"detail": "used"})
    keys = Input(alone.table, "keypad")
    at = keys.hold_undo_and_tap(0, 2)
    for place, digit in enumerate("482913"):
        keys.press(at + 300 * place, f"KEY_KP{digit}")
    keys.wait(at + 9000)
    alone.settle()
    assert alone.view.notice == "the code 482913 was used or has expired; ask the director for a new one"


def test_a_digit_goes_round_from_nine_to_nought():
    assert TypedCode().count_up(5).count_up(5).as_text == "0....."
    assert TypedCode("48291", 9).count_up(2).go_on().digits == "482911"


# --- confirming a hub, and leaving ---


@pytest.fixture
def asked(alone):
    """A table that asks whether to join a hub that nobody knows."""
    alone.announced = ()
    alone.event.join("192.168.1.20:8090/t/482913", "phone")
    alone.settle()
    return alone


def test_undo_with_deal_confirms_a_hub(asked, scheme):
    assert asked.view.notice == "join http://192.168.1.20:8090? UNDO+DEAL: yes, UNDO: no"
    Input(asked.table, scheme).chord(0)
    asked.settle()
    assert [url for url, _ in asked.posted] == ["http://192.168.1.20:8090/join"]


def test_undo_declines_a_hub_and_takes_nothing_back(asked):
    asked.table.score(0, 6)
    asked.event.join("192.168.1.20:8090/t/482913", "phone")
    asked.settle()
    asked.table.board.keys.undo()
    asked.settle()
    assert (asked.posted, asked.event.question, asked.table.fronts()) == ([], None, [6, 0])


@pytest.mark.parametrize("key", ["deal", "dial"])
def test_a_key_pressed_for_the_game_confirms_no_hub(asked, key):
    keys = asked.table.board.keys
    keys.deal() if key == "deal" else keys.dial(0, 2)
    keys.invite()
    asked.settle()
    assert asked.posted == []


def test_an_address_that_no_panel_shows_in_full_is_not_confirmed_at_the_keys(alone):
    alone.event.join(f"http://{'x' * 40}.example/t/482913", "phone")
    alone.settle()
    assert alone.view.notice == Message("event_ask_on_page")
    alone.table.board.keys.invite()
    alone.settle()
    assert alone.posted == []


def test_the_keys_leave_an_event_that_they_joined(alone, scheme):
    alone.event.join("482913", "keys")
    alone.settle()
    assert alone.shown is not None
    keys = Input(alone.table, scheme)
    keys.edge(0, keys.undo, True)
    for tap in range(4):
        keys.press(200 + 300 * tap, keys.deal)
    keys.wait(1500)
    assert alone.view.notice == "release UNDO to leave the event"
    keys.edge(3000, keys.undo, False)
    keys.wait(3100)
    alone.settle()
    assert (alone.shown, alone.link.place) == (None, None)
