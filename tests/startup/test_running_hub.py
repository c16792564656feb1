"""A hub that runs: calls and results of its tables, over a broker that is a queue in this process."""

import threading

import pytest

from pegboard.errors import RuleError
from pegboard.hub import hub_transport
from pegboard.hub.ledger.hub_errors import HubNotNow, LedgerNotStored
from pegboard.messages import Message
from pegboard.mqtt.messages_of_hub import EVENTS, STATUS, TableTopics, write_status
from pegboard.startup import running_hub
from pegboard.tournament.calls import TableCall
from tests.support.hub_at_work import HubAtWork
from tests.support.hub_night import publish
from tests.support.hub_site import DEE, NAMES, request_id
from tests.support.mosquitto import Broker
from tests.support.waiting import soon


def test_what_a_table_of_a_night_opened_this_moment_shows_is_not_missed(hub):
    hub.hub._read_all = lambda _: None  # the thread of results has not come to it
    night = hub.nights.open({"do": "open_night", "name": "Now", "date": "2026-11-26", "rules": {}}, DEE, request_id())
    hub.show(night, scores=[5, 0])
    assert hub.hub.transport.tables(night)["t1"].state["scores"] == [5, 0]


def test_orders_that_a_database_held_up_are_sent_once_it_answers(hub, monkeypatch):
    store = hub.hub.transport._store
    acknowledgement_of, left = store.acknowledgement_of, [3]

    def away(*place):
        left[0] -= 1
        if left[0] >= 0:
            raise LedgerNotStored("hub_not_stored", fault="the database is away")
        return acknowledgement_of(*place)

    monkeypatch.setattr(store, "acknowledgement_of", away)
    monkeypatch.setattr(running_hub, "RETRY_S", 0.0)
    night = hub.open_night()
    soon(lambda: (orders := hub.orders(night)) and orders["games"])
    assert left[0] < 0


# --- calls ---


def calls(hub, night):
    return [(call["table"], call["for"]) for call in hub.view(night)["calls"]]


def test_a_call_that_a_phone_makes_outlives_what_the_board_of_its_table_shows(hub, night):
    hub.nights.change_calls(night, lambda before: before.with_call(TableCall("c1", "t1", "judge")))
    hub.show(night, calls=[])
    hub.show(night, scores=[2, 0], calls=[{"id": "d1", "for": "director"}])
    hub.show(night, scores=[4, 0], calls=[])
    assert calls(hub, night) == [("t1", "judge")]


def test_a_call_that_was_ended_stays_so_while_its_table_makes_it_and_another_one_counts(hub, night):
    hub.show(night, calls=[{"id": "d1", "for": "judge"}])
    assert calls(hub, night) == [("t1", "judge")]
    hub.nights.change_calls(night, lambda before: before.without_call("d1"))
    hub.show(night, scores=[2, 0], calls=[{"id": "d1", "for": "judge"}])
    assert calls(hub, night) == []
    soon(lambda: (said := hub.orders(night)) and [call["ended"] for call in said["calls"]] == [True])
    hub.show(night, scores=[2, 0], calls=[{"id": "d2", "for": "judge"}])
    assert calls(hub, night) == [("t1", "judge")]


@pytest.mark.parametrize(
    "said", [7, {"id": "d1"}, ["judge"], [{"for": "judge"}], [{"id": "d1", "for": "waiter"}], None]
)
def test_calls_that_are_none_call_nobody_and_harm_no_other(hub, night, said):
    hub.show(night, calls=said)
    hub.show(night, table="t2", calls=[{"id": "d2", "for": "judge"}])
    assert calls(hub, night) == [("t2", "judge")]


def test_a_table_that_calls_without_end_fills_neither_desk_nor_memory(hub, night):
    for number in range(30):
        hub.show(night, calls=[{"id": f"{number}-{one}" + "x" * 1000, "for": "judge"} for one in range(40)])
        open_calls = hub.nights.calls(night).by_id
        assert (len(open_calls), max(map(len, open_calls))) == (4, 64)
    assert len(hub.hub._heard_calls._heard[night, "t1"]) == 4
    hub.show(night, calls=[])
    assert (hub.nights.calls(night).by_id, hub.hub._heard_calls._heard) == ({}, {})


# --- results ---


@pytest.fixture
def batches(hub, night, monkeypatch):
    """What results are derived from, each time; a hub that is idle, and waits for ever for more events."""
    found = []
    soon(lambda: night in hub.hub._results)
    do_all_work(hub, monkeypatch)
    monkeypatch.setattr(running_hub, "BATCH_S", 3600.0)
    monkeypatch.setattr(hub.hub, "_take_results", lambda _night, _table, rows: found.append(rows))
    return found


def do_all_work(hub, monkeypatch):
    """Until the hub has done all that was there to do, and waits for more."""
    sent = []
    monkeypatch.setattr(hub.hub, "_send_orders", sent.append)
    hub.hub._work.put("last")
    soon(lambda: "last" in sent)


def test_results_are_derived_of_all_that_has_come_and_at_once_if_an_event_changes(hub, night, batches, monkeypatch):
    for batch in (["a", "b"], ["c", "d"]):
        hub.hub._note_events(night, "t1", batch[:1])
        soon(hub.hub._work.empty)  # the first has been begun with
        hub.hub._note_events(night, "t1", batch[1:])
        hub.do(night, "announce", text="Round 2 begins at nine")
        soon(lambda last=batch: last in batches)
        do_all_work(hub, monkeypatch)
    assert batches == [["a", "b"], ["c", "d"]]


def test_a_hub_that_ends_waits_for_no_more_events(hub, night, batches):
    hub.hub._note_events(night, "t1", ["a"])
    soon(hub.hub._work.empty)
    hub.stop()
    assert not hub.hub._thread.is_alive()


def test_a_result_that_the_night_refuses_is_on_the_desk_and_counts_once_it_may(hub, night):
    """The director has moved the game to another table while it was played at this one."""
    code = hub.play(night)
    hub.do(night, "move_game", game=code.pairing, table="t2")
    hub.send(night, code)
    (alarm,) = soon(lambda: hub.nights.alarms(night))
    assert (alarm["table"], alarm["said"]["key"]) == ("t1", "hub_not_counted")
    assert hub.game(night, code.pairing)["report"] is None
    hub.do(night, "announce", text="Round 2 begins at nine")
    hub.do(night, "move_game", game=code.pairing, table="t1")
    soon(lambda: hub.game(night, code.pairing)["report"])
    assert len(hub.nights.alarms(night)) == 1


def test_a_result_whose_database_was_away_for_a_moment_counts(hub, night, monkeypatch):
    monkeypatch.setattr("pegboard.startup.running_hub.RETRY_S", 0.01)
    code, read, tries = hub.play(night), hub.nights.night, []

    def fail_twice(name):
        tries.append(name)
        if len(tries) <= 2:
            raise HubNotNow("hub_database_away", database="hub.db", error="it sleeps")
        return read(name)

    soon(lambda: hub.hub._work.empty() and night in hub.hub._results)
    monkeypatch.setattr(hub.nights, "night", fail_twice)
    hub.send(night, code)
    soon(lambda: len(tries) > 3)
    soon(lambda: hub.game(night, code.pairing)["report"])


def test_a_game_that_was_played_to_another_hole_than_the_nights_is_on_the_desk(hub, night):
    """Its table had begun when the director chose another point table."""
    code = hub.play(night)
    hub.do(night, "set_rules", rules={"points": "lurch-61"})
    hub.send(night, code)
    (alarm,) = soon(lambda: hub.nights.alarms(night))
    assert alarm["said"]["values"]["fault"]["key"] == "desk_other_game_hole"
    assert hub.game(night, code.pairing)["report"] is None


def test_a_board_plays_to_the_hole_that_the_director_chooses(hub, night):
    hub.do(night, "set_rules", rules={"points": "lurch-61"})
    code = hub.play(night)
    hub.send(night, code)
    game = soon(lambda: (game := hub.game(night, code.pairing))["state"] == "agreed" and game)
    assert (max(code.holes), game["values"][0]) == (61, {"points": 2, "net": 61})


@pytest.mark.parametrize("how", ["removed", "undone"])
def test_a_board_that_is_removed_hears_that_it_plays_nothing_and_paper_takes_no_id_of_it(hub, tmp_path, how):
    request = {"do": "open_night", "name": "Club night", "date": "2026-11-26", "rules": {"games": 1}}
    night = hub.nights.open(request, DEE, request_id())
    added = hub.do(night, "add_table", table="t1", label="1", kind="board")
    for name in NAMES[:2]:
        hub.do(night, "enter", name=name, walk_up=True)
    hub.do(night, "draw")
    soon(lambda: (orders := hub.orders(night)) and orders["games"])
    if how == "removed":
        hub.do(night, "remove_table", table="t1")
    else:
        hub.do(night, "undo", number=added.number)
    soon(lambda: (orders := hub.orders(night)) and not orders["games"])
    with pytest.raises(RuleError, match="use another ID for a table that scores on paper"):
        hub.do(night, "add_table", table="t1", label="1", kind="paper")
    hub.do(night, "draw")
    assert [(one["table"], one["kind"]) for one in hub.view(night)["tables"]] == [("t2", "paper")]
    hub.stop()
    again = HubAtWork(tmp_path)
    try:
        soon(lambda: (orders := again.orders(night)) and not orders["games"])
        again.do(night, "add_table", table="t1", label="1", kind="board")
        assert [one["table"] for one in again.view(night)["tables"]] == ["t2", "t1"]
    finally:
        again.stop()


def test_a_message_that_cannot_be_read_is_on_the_desk_at_once(hub, night):
    changes = []
    hub.nights.follow(lambda *words: changes.append(words))
    hub.say(night, "t1", EVENTS, b"?")
    soon(lambda: (night, None) in changes)
    assert [one["said"]["key"] for one in hub.nights.alarms(night)] == ["hub_poison"]


@pytest.mark.debian
def test_while_the_broker_is_away_no_table_is_online_and_the_desk_hears_why(tmp_path):
    broker = Broker(tmp_path).start()
    hub = HubAtWork(tmp_path, broker.port)
    try:
        night, changes = hub.open_night(), []
        hub.nights.follow(lambda *words: changes.append(words))
        there = write_status("t1", "0" * 16, is_online=True)
        publish(broker.port, TableTopics(night, "t1").of(STATUS), there, "-r")  # as a table does
        soon(lambda: (live := hub.nights.feed.tables(night).get("t1")) and live["online"])
        soon(lambda: not hub.nights.feed.troubles())
        changes.clear()
        broker.stop()
        soon(lambda: not hub.nights.feed.tables(night)["t1"]["online"])
        soon(lambda: {(night, "t1"), (night, None)} <= {*changes})
        assert [trouble["key"] for trouble in hub.nights.feed.troubles()] == ["hub_broker_away"]
        changes.clear()
        broker.start()
        soon(lambda: not hub.nights.feed.troubles(), 20)
        assert (night, None) in changes
    finally:
        hub.stop()
        broker.stop()


def test_while_nothing_can_be_stored_the_desk_hears_why(hub, night, monkeypatch):
    store, away = hub.hub.transport._store, [True]
    really = store.store

    def may_fail(arrivals):
        if away[0]:
            raise LedgerNotStored("hub_not_stored", fault="the database is away")
        return really(arrivals)

    monkeypatch.setattr(store, "store", may_fail)
    hub.send(night, hub.play(night))
    soon(lambda: [trouble["key"] for trouble in hub.nights.feed.troubles()] == ["hub_ledger_away"])
    away[0] = False
    soon(lambda: not hub.nights.feed.troubles())


@pytest.fixture
def connecting(hub, night, monkeypatch):
    """A hub that has answered its tables, and whose database does not answer at a new connection while `away`."""
    monkeypatch.setattr(hub_transport, "RETRY_S", 3600.0)  # retried by hand
    code = hub.play(night)
    hub.send(night, code)
    soon(lambda: hub.game(night, code.pairing)["report"])
    hub.hub._stopping.set()
    hub.hub._work.put(None)
    hub.hub._thread.join()  # nobody else sends orders
    transport, hub.away = hub.hub.transport, True
    tables_of = transport._store.tables_of

    def may_fail(event):
        if hub.away:
            raise LedgerNotStored("hub_not_stored", fault="the database is away")
        return tables_of(event)

    monkeypatch.setattr(transport._store, "tables_of", may_fail)
    yield transport
    transport._retry.cancel()


def test_a_database_that_did_not_answer_at_a_new_connection_is_tried_again(hub, connecting):
    for _ in range(2):
        connecting.note_connection()
    assert [trouble["key"] for trouble in hub.nights.feed.troubles()] == ["hub_ledger_away"]
    soon(lambda: len([one for one in threading.enumerate() if isinstance(one, threading.Timer)]) == 1)
    hub.away = False
    connecting._retry.function()
    assert hub.nights.feed.troubles() == []


def test_what_cannot_be_stored_stays_on_the_desk_while_the_database_can_be_read(hub, connecting):
    connecting.note_connection()
    connecting._note(hub_transport.DATABASE, Message("hub_disk_full", database="hub.db"))
    hub.away = False
    connecting._retry.function()
    assert [trouble["values"]["fault"]["key"] for trouble in hub.nights.feed.troubles()] == ["hub_disk_full"]


def test_a_hub_that_has_ended_tries_no_database_again(hub, connecting):
    connecting.note_connection()
    connecting.stop()
    connecting._acknowledge_all()
    soon(lambda: not [one for one in threading.enumerate() if isinstance(one, threading.Timer)])


# --- nights that have ended ---


def test_a_night_that_has_ended_is_read_when_a_table_of_it_comes(hub, night, tmp_path):
    going_on = hub.open_night()
    hub.do(night, "end_night")
    hub.stop()
    again = HubAtWork(tmp_path)
    try:
        soon(lambda: going_on in again.hub._results)
        assert night not in again.nights._opened
        again.say(night, "t1", STATUS, write_status("t1", "00", is_online=False))
        again.say(night, "t1", STATUS, write_status("t1", "00", is_online=True))
        soon(lambda: again.orders(night) is not None)
    finally:
        again.stop()
