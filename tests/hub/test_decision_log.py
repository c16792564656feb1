"""Decisions of a night and packages of others: each once, in order, and nothing changed; on both databases."""

import threading

import pytest
from sqlalchemy.exc import DBAPIError

from pegboard.hub.ledger.database import writing
from pegboard.hub.ledger.decision_log import DecisionLog
from pegboard.hub.ledger.hub_errors import DecisionMoved
from pegboard.hub.ledger.ledger import UploadedPackages, open_ledger

EVENT = "club-night"


def decision(do="announce", **body):
    return {"at": 1_795_000_000_000, "by": {"role": "director", "name": "Dee"}, "do": do, "version": 1, "body": body}


@pytest.fixture
def log(ledger):
    return DecisionLog(ledger, EVENT)


def test_decisions_come_back_in_order_as_they_were_stored(log):
    rows = [decision(text=f"round {n}", players=["p1", "p2"], names={"Zoë": None}) for n in range(1, 4)]
    assert [log.append(row, f"request-{n}").number for n, row in enumerate(rows)] == [1, 2, 3]
    assert [each.row for each in log.read()] == [row | {"number": n} for n, row in enumerate(rows, 1)]
    assert [each.number for each in log.read(2)] == [3]


def test_a_request_that_comes_again_is_stored_once(log):
    first = log.append(decision(text="one"), "request-1")
    again = log.append(decision(text="another text"), "request-1", number=7)
    assert (again.number, again.row, first.replayed, again.replayed) == (1, first.row, False, True)
    assert len(log.read()) == 1


def test_a_number_that_is_given_already_is_refused(log):
    log.append(decision(), "request-1", number=1)
    with pytest.raises(DecisionMoved, match="log entry 1 is taken"):
        log.append(decision(), "request-2", number=1)
    assert [each.id for each in log.read()] == ["request-1"]


def test_each_night_has_numbers_of_its_own(ledger, log):
    other = DecisionLog(ledger, "other-night")
    log.append(decision(), "request-1")
    assert other.append(decision(), "request-1").number == 1


def test_the_chain_tells_what_was_changed(ledger, log):
    for n in range(5):
        log.append(decision(text=str(n)), f"request-{n}")
    assert log.check() is None
    drop = "DROP TRIGGER night_decision_UPDATE_is_refused"
    with writing(ledger.engine) as connection:
        on = " ON night_decision" if ledger.engine.dialect.name == "postgresql" else ""
        connection.exec_driver_sql(drop + on)
        connection.exec_driver_sql('UPDATE night_decision SET body = \'{"text":"9"}\' WHERE number = 3')
    assert log.check() == 3


def test_a_decision_cannot_be_changed_nor_removed(ledger, log):
    log.append(decision(), "request-1")
    for statement in ("UPDATE night_decision SET body = '{}'", "DELETE FROM night_decision"):
        with pytest.raises(DBAPIError, match="only ever added"), writing(ledger.engine) as connection:
            connection.exec_driver_sql(statement)


def test_directors_at_once_get_numbers_without_a_gap(database, ledger):
    """Four of them, two at another hub on the same database."""
    faults = []

    def decide(own, director):
        try:
            for n in range(10):
                while True:
                    try:
                        DecisionLog(own, EVENT).append(decision(n=n), f"request-{director}-{n}")
                        break
                    except DecisionMoved:
                        continue
        except Exception as error:  # noqa: BLE001 - whatever it is fails the test
            faults.append(error)

    with open_ledger(database) as other:
        directors = [threading.Thread(target=decide, args=((ledger, other)[n % 2], n)) for n in range(4)]
        for each in directors:
            each.start()
        for each in directors:
            each.join()
    assert faults == []
    log = DecisionLog(ledger, EVENT)
    assert [each.number for each in log.read()] == list(range(1, 41))
    assert log.check() is None


def test_a_package_is_stored_once(ledger):
    packages = UploadedPackages(ledger)
    assert packages.add("d1", b"\x00night", "{}")
    assert not packages.add("d1", b"\x00night", "{}")
    assert packages.add("d2", b"more", "{}")
    assert packages.digests() == ["d1", "d2"]
    assert packages.content_of("d1") == b"\x00night"
    assert packages.content_of("d3") is None
