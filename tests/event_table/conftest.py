"""A table in an event, with a hub that answers what a test says."""

import pytest

from tests.support.table_in_event import TableInEvent


@pytest.fixture
def in_event(tmp_path):
    """A table that has joined `club-night-7` as table `t4`, closed at the end."""
    table = TableInEvent(tmp_path)
    yield table
    table.close()
