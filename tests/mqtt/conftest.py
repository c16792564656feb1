"""A real broker, mosquitto, a hub with a file for its ledger, and a table that is linked to it."""

import pytest

from tests.support.hub_night import Hub, LinkedTable, ended
from tests.support.mosquitto import Broker


@pytest.fixture
def broker(tmp_path):
    """mosquitto, which every test may end and begin."""
    one = Broker(tmp_path).start()
    yield one
    one.stop()


@pytest.fixture
def hub(broker, tmp_path):
    with ended(Hub(f"sqlite:///{tmp_path}/hub.db", broker.port).start()) as (one,):
        yield one


@pytest.fixture
def linked(broker, tmp_path):
    """A table with a link that is not begun."""
    with ended(LinkedTable(tmp_path / "state", broker.port)) as (one,):
        yield one
