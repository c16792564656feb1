"""Tables on folders of their own, and a table in an event with a hub that answers what a test says."""

import pytest

from pegboard import Rules
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Setup
from tests.support.keys_at_a_table import NAMES, Input
from tests.support.scoreboard_on_a_folder import PLAYERS, Table
from tests.support.table_in_event import TableInEvent


@pytest.fixture
def in_event(tmp_path):
    """A table that has joined `club-night-7` as table `t4`, closed at the end."""
    table = TableInEvent(tmp_path)
    yield table
    table.close()


@pytest.fixture
def seated(tmp_path):
    """Tables by variant and house rules, closed at the end."""
    tables = []

    def sit(variant="standard", *house, match="open", **more):
        rules = with_house_rules(Rules.named(variant), house)
        folder = tmp_path / str(len(tables))
        more["house"] = lambda named: with_house_rules(named, house)
        tables.append(Table(folder, Setup(rules, PLAYERS, match), **more))
        return tables[-1]

    yield sit
    for table in tables:
        table.journal.close()


@pytest.fixture
def table(seated):
    return seated()


@pytest.fixture(params=NAMES)
def keys(request, table):
    """The keys of each kind of input at the table."""
    return Input(table, request.param)
