"""A ledger on each of the two databases, and a broker."""

import pytest

from pegboard.hub.ledger.ledger import open_ledger
from tests.support.mosquitto import Broker
from tests.support.postgresql_server import PostgresqlServer

EVENT = "club-night"


@pytest.fixture(scope="session")
def postgresql():
    """A server for all tests of a worker; each makes a database of its own there."""
    server = PostgresqlServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.debian)])
def database(request, tmp_path):
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/hub.db"
    return request.getfixturevalue("postgresql").new_database()


class SetClock:
    """Nanoseconds since 1970, as a test says."""

    def __init__(self):
        self.now = 1_795_000_000_000_000_000

    def __call__(self):
        self.now += 1
        return self.now


@pytest.fixture
def ledger(database):
    """A ledger in which one event is open."""
    with open_ledger(database, SetClock()) as found:
        found.open_event(EVENT, "Club night")
        yield found


@pytest.fixture
def broker(tmp_path):
    """mosquitto, which every test may end and begin."""
    one = Broker(tmp_path).start()
    yield one
    one.stop()
