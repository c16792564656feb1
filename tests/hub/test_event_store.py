"""What the ledger makes of messages: new events once, repeats, gaps, and what it puts aside; on both databases."""

import json
import random

import pytest
from sqlalchemy.exc import DBAPIError

from pegboard.hub.ledger.database import writing
from pegboard.hub.ledger.event_store import EventStore, MessageOutcome, read_arrival
from pegboard.hub.ledger.ledger_rows import Refused
from tests.support.table_messages import WrittenJournal

EVENT = "club-night"


def store(ledger, *arrivals):
    return list(ledger.events_of_tables.store(arrivals).outcomes)


def numbers(ledger, table="t1"):
    return [row.seq for row in ledger.rows_of(EVENT, table)]


def watermark(ledger, table="t1", epoch="a1b2c3d4e5f60718"):
    found = ledger.events_of_tables.acknowledgement_of(EVENT, table).get(epoch)
    return 0 if found is None else found.seq


def kinds(ledger):
    return [each.kind for each in ledger.read_quarantine(EVENT)]


def test_what_was_sent_is_there_as_it_was_sent(ledger):
    own = WrittenJournal()
    own.add("game-7", kind="scored", at=-5, lane=1, points=12, seat=1, why="hand", note='Zoë \u0000 "crib"')
    assert store(ledger, own.arrival()) == [MessageOutcome.STORED]
    (row,) = ledger.rows_of(EVENT)
    assert (row.table, row.epoch, row.seq, row.game, row.place, row.at) == ("t1", own.epoch, 1, "game-7", 1, -5)
    assert json.loads(row.body) == json.loads(own.lines[0])["body"]
    assert (row.kind, row.source, row.version) == ("scored", "phone", 3)


def test_the_largest_numbers_and_the_longest_messages_are_stored_as_they_are(ledger):
    own = WrittenJournal()
    for at in (2**63 - 1, -(2**63), 0):
        own.add("game-7", kind="scored", at=at, lane=1, points=12, seat=1, why="hand", note="ß€😀'\\" * 999)
    store(ledger, own.arrival())
    assert [row.at for row in ledger.rows_of(EVENT)] == [2**63 - 1, -(2**63), 0]
    assert [json.loads(row.body) for row in ledger.rows_of(EVENT)] == [json.loads(line)["body"] for line in own.lines]


def test_a_repeat_is_stored_once(ledger):
    own = WrittenJournal().score(3)
    assert store(ledger, own.arrival(), own.arrival()) == [MessageOutcome.STORED, MessageOutcome.REPEATED]
    assert store(ledger, own.arrival()) == [MessageOutcome.REPEATED]
    assert numbers(ledger) == [1, 2, 3]
    assert kinds(ledger) == []


def test_after_a_gap_nothing_is_accepted_until_it_is_filled(ledger):
    own = WrittenJournal().score(6)
    assert store(ledger, own.arrival(3, 4)) == [MessageOutcome.GAP]
    assert (numbers(ledger), watermark(ledger)) == ([], 0)
    assert store(ledger, own.arrival(1, 2), own.arrival(5, 6)) == [MessageOutcome.STORED, MessageOutcome.GAP]
    assert watermark(ledger) == 2
    assert store(ledger, own.arrival(3, 4), own.arrival(5, 6)) == [MessageOutcome.STORED, MessageOutcome.STORED]
    assert (numbers(ledger), watermark(ledger)) == ([1, 2, 3, 4, 5, 6], 6)


def test_a_message_that_overlaps_what_is_there_adds_the_rest(ledger):
    own = WrittenJournal().score(6)
    store(ledger, own.arrival(1, 4))
    assert store(ledger, own.arrival(3, 6)) == [MessageOutcome.STORED]
    assert (numbers(ledger), watermark(ledger)) == ([1, 2, 3, 4, 5, 6], 6)


@pytest.mark.parametrize("seed", range(3))
def test_in_any_order_and_repeated_all_of_it_comes_once(ledger, seed):
    """Twelve messages of three tables, shuffled and doubled, until nothing new comes."""
    dice = random.Random(seed)
    tables = [WrittenJournal(f"t{n}", epoch=f"{n}" * 16).score(32) for n in (1, 2, 3)]
    messages = [own.arrival(first, first + 7) for own in tables for first in (1, 9, 17, 25)]
    for _ in range(12):
        some = dice.sample(messages * 2, 9)
        store(ledger, *some)
    store(ledger, *messages)
    assert [numbers(ledger, own.table) for own in tables] == [list(range(1, 33))] * 3
    assert kinds(ledger) == []


def test_numbers_may_leave_out_what_is_not_of_the_event(ledger):
    own = WrittenJournal().score(9)
    own.lines[3:6] = []
    renumbered = own.payload(1, 3)
    after = own.payload(4, 6, after=3)
    assert [json.loads(line)["id"] for line in own.lines] == [1, 2, 3, 7, 8, 9]
    messages = [read_arrival(EVENT, "t1", payload) for payload in (renumbered, after)]
    assert store(ledger, *messages) == [MessageOutcome.STORED] * 2
    assert numbers(ledger) == [1, 2, 3, 7, 8, 9]


def test_the_same_number_with_something_else_is_put_aside_and_the_first_stays(ledger):
    own, other = WrittenJournal().score(3), WrittenJournal().score(2)
    store(ledger, own.arrival())
    other.add(lane=0, points=29, seat=0, why=None)
    assert store(ledger, other.arrival()) == [MessageOutcome.REFUSED]
    assert ([row.digest for row in ledger.rows_of(EVENT)][2], watermark(ledger)) == (
        own.arrival().message.events[2].digest,
        3,
    )
    (found,) = ledger.read_quarantine(EVENT)
    assert (found.kind, found.table, found.body) == (Refused.OTHER_BODY, "t1", other.payload())
    assert [alarm.kind for alarm in ledger.alarms(EVENT)] == [Refused.OTHER_BODY]


def test_what_follows_another_history_is_put_aside_as_well(ledger):
    """It repeats nothing that could be compared: its link to the event before tells."""
    own, other = WrittenJournal().score(3), WrittenJournal()
    store(ledger, own.arrival())
    for points in (1, 2, 3, 4):
        other.add(lane=0, points=points, seat=0, why=None)
    assert store(ledger, other.arrival(4, 4)) == [MessageOutcome.REFUSED]
    assert (numbers(ledger), kinds(ledger)) == ([1, 2, 3], [Refused.OTHER_BODY])


def test_one_that_leaves_out_what_it_has_sent_is_put_aside(ledger):
    own = WrittenJournal().score(5)
    store(ledger, own.arrival(1, 3))
    short = WrittenJournal().score(5)
    del short.lines[2]
    payload = short.payload(2, 4, after=1)
    assert store(ledger, read_arrival(EVENT, "t1", payload)) == [MessageOutcome.REFUSED]
    assert numbers(ledger) == [1, 2, 3]


def test_a_table_speaks_for_itself_alone(ledger):
    own = WrittenJournal("t2").score(2)
    assert store(ledger, own.arrival(topic="t1")) == [MessageOutcome.REFUSED]
    assert (ledger.rows_of(EVENT), kinds(ledger)) == ([], [Refused.OTHER_TABLE])


POISON = [
    b"",
    b"\xff\xfe",
    b"null",
    b"[1, 2]",
    b'{"v": 1}',
    b'{"v": 1, "table": "t1", "epoch": "e", "after": NaN}',
    b"[" * 100_000,
    b'{"a":' * 5_000,
    b"x" * 300_000,
    b'{"v": 1, "after": ' + b"9" * 5_000 + b"}",
]


@pytest.mark.sampled(least=5)
@pytest.mark.parametrize("payload", POISON, ids=range(len(POISON)))
def test_what_is_no_message_is_put_aside_and_all_else_is_stored(ledger, payload):
    own = WrittenJournal("t2").score(2)
    outcomes = store(ledger, read_arrival(EVENT, "t1", payload), own.arrival(), read_arrival(EVENT, "t1", payload))
    assert outcomes == [MessageOutcome.REFUSED, MessageOutcome.STORED, MessageOutcome.REFUSED]
    (found,) = ledger.read_quarantine(EVENT)
    assert (found.kind, found.times, found.body) == (Refused.POISON, 2, payload[:65_536])
    assert numbers(ledger, "t2") == [1, 2]


CHANGES = [
    ("v", 2),
    ("v", True),
    ("table", "T1"),
    ("epoch", ""),
    ("epoch", "a b"),
    ("after", -1),
    ("after", 2.0),
    ("after", 2**63),
    ("before", "xyz"),
    ("chain", None),
    ("events", []),
    ("events", {}),
    ("events", [1]),
]


@pytest.mark.sampled(least=6)
@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_each_field_of_a_message_is_looked_at(ledger, name, value):
    own = WrittenJournal().score(2)
    values = json.loads(own.payload()) | {name: value}
    assert store(ledger, read_arrival(EVENT, "t1", json.dumps(values).encode())) == [MessageOutcome.REFUSED]
    assert kinds(ledger) == [Refused.POISON]


EVENT_CHANGES = [
    ("id", 0),
    ("id", "1"),
    ("id", 5),
    ("epoch", "other"),
    ("game", "a/b"),
    ("game", "g" * 65),
    ("seq", 0),
    ("at", 1.5),
    ("at", 2**63),
    ("source", "a\nb"),
    ("source", "s" * 33),
    ("kind", "\ud800"),
    ("kind", None),
    ("v", 0),
    ("body", []),
    ("body", {"note": "\ud800"}),
]


@pytest.mark.sampled(least=8)
@pytest.mark.parametrize(("name", "value"), EVENT_CHANGES)
def test_each_field_of_an_event_is_looked_at(ledger, name, value):
    own = WrittenJournal().score(2)
    values = json.loads(own.payload())
    values["events"][0][name] = value
    assert store(ledger, read_arrival(EVENT, "t1", json.dumps(values).encode())) == [MessageOutcome.REFUSED]
    assert (kinds(ledger), ledger.rows_of(EVENT)) == ([Refused.POISON], [])


def test_a_kind_that_only_a_newer_table_knows_is_stored(ledger):
    own = WrittenJournal()
    own.add(kind="counted_by_camera", cards=["5H"])
    assert store(ledger, own.arrival()) == [MessageOutcome.STORED]
    assert ledger.rows_of(EVENT)[0].kind == "counted_by_camera"


def test_another_card_under_the_old_name_counts_and_a_director_is_told(ledger):
    old, new = WrittenJournal(epoch="0" * 16).score(3), WrittenJournal(epoch="f" * 16).score(2, "game-9")
    store(ledger, old.arrival())
    assert store(ledger, new.arrival()) == [MessageOutcome.STORED]
    found = [f"{row.epoch[0]}{row.seq}" for row in ledger.rows_of(EVENT)]
    assert found == ["01", "02", "03", "f1", "f2"]
    assert kinds(ledger) == [Refused.SECOND_EPOCH]
    store(ledger, old.arrival(), new.arrival())
    assert (len(ledger.rows_of(EVENT)), len(ledger.alarms(EVENT))) == (5, 1)


def test_another_epoch_of_the_same_journal_is_no_other_card(ledger):
    """A table that has lost events goes on under its epoch with another ending."""
    old, renewed = WrittenJournal(epoch="0" * 16).score(3), WrittenJournal(epoch=f"{'0' * 16}--ab12cd34").score(1)
    store(ledger, old.arrival(), renewed.arrival())
    assert (len(ledger.rows_of(EVENT)), ledger.alarms(EVENT)) == (4, [])


def test_an_alarm_is_dismissed_once(ledger):
    store(ledger, read_arrival(EVENT, "t1", b"?"))
    (alarm,) = ledger.alarms(EVENT)
    assert "cannot be read" in alarm.message
    assert not ledger.dismiss_alarm("another-night", alarm.number, "Cy")
    assert ledger.dismiss_alarm(EVENT, alarm.number, "Dee")
    assert not ledger.dismiss_alarm(EVENT, alarm.number, "Cy")
    assert ledger.alarms(EVENT)[0].dismissed_by == "Dee"


def test_a_flood_of_poison_fills_no_disk(ledger):
    for n in range(0, 300, 50):
        store(ledger, *(read_arrival(EVENT, "t1", b"%d" % each) for each in range(n, n + 50)))
    assert len(ledger.read_quarantine(EVENT)) == 200


def test_what_is_stored_cannot_be_changed_nor_removed(ledger):
    store(ledger, WrittenJournal().score(2).arrival())
    for statement in ("UPDATE table_event SET body = '{}'", "DELETE FROM table_event"):
        with pytest.raises(DBAPIError, match="only ever added"), writing(ledger.engine) as connection:
            connection.exec_driver_sql(statement)
    assert len(ledger.rows_of(EVENT)) == 2


def test_two_hubs_on_one_database_store_each_event_once(ledger):
    """Each thinks that it knows the watermarks."""
    own = WrittenJournal().score(9)
    other = EventStore(ledger.engine, ledger.clock)
    assert store(ledger, own.arrival(1, 3)) == [MessageOutcome.STORED]
    assert other.store([own.arrival(1, 6)]).outcomes == (MessageOutcome.STORED,)
    assert store(ledger, own.arrival(1, 5), own.arrival(4, 9)) == [MessageOutcome.REPEATED, MessageOutcome.STORED]
    assert other.store([own.arrival(7, 9)]).outcomes == (MessageOutcome.REPEATED,)
    assert (numbers(ledger), watermark(ledger)) == (list(range(1, 10)), 9)


@pytest.mark.parametrize("stored", [0, 3])
def test_two_hubs_on_one_database_mix_no_two_histories(ledger, stored):
    """Of the same card, whose second copy has left out what the first has sent: its numbers are free in the ledger."""
    own, copy = WrittenJournal().score(stored + 2), WrittenJournal().score(stored + 4)
    del copy.lines[stored : stored + 2]
    other = EventStore(ledger.engine, ledger.clock)
    if stored:
        store(ledger, own.arrival(1, stored))
    assert other.acknowledgement_of(EVENT, "t1").keys() == ({own.epoch} if stored else set())
    assert store(ledger, own.arrival(stored + 1, stored + 2)) == [MessageOutcome.STORED]
    left_out = read_arrival(EVENT, "t1", copy.payload(stored + 1, stored + 2, after=stored))
    assert other.store([left_out]).outcomes == (MessageOutcome.REFUSED,)
    assert (numbers(ledger), kinds(ledger)) == (list(range(1, stored + 3)), [Refused.OTHER_BODY])


def test_the_watermarks_are_there_after_a_restart(ledger):
    own = WrittenJournal().score(4)
    store(ledger, own.arrival())
    again = EventStore(ledger.engine, ledger.clock)
    assert again.acknowledgement_of(EVENT, "t1")[own.epoch].seq == 4
    assert again.acknowledgement_of(EVENT, "t1")[own.epoch].chain == own.links[4]
    assert again.tables_of(EVENT) == ["t1"]
