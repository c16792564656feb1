"""A hub that runs, and a night of it whose first round has begun."""

import pytest

from tests.support.hub_at_work import HubAtWork


@pytest.fixture
def hub(tmp_path):
    hub = HubAtWork(tmp_path)
    yield hub
    hub.stop()


@pytest.fixture
def night(hub):
    return hub.open_night()
