"""A real broker, mosquitto."""

import pytest

from tests.support.mosquitto import Broker


@pytest.fixture
def broker(tmp_path):
    """mosquitto, which every test may end and begin."""
    one = Broker(tmp_path).start()
    yield one
    one.stop()
