"""A small night with one game at a table, its score sheet, and the package that it makes."""

import copy
from types import SimpleNamespace

import pytest

from pegboard import Rules
from pegboard.core.match import Setup
from pegboard.hub.ledger.ledger_rows import TableEvent
from pegboard.hub.packages.hub_keys import HubKey
from pegboard.hub.packages.night_package import choose_sheets, package_content, seal
from pegboard.hub.table_results import results_of
from pegboard.storage.reader import read_snapshot
from tests.support.night_at_work import NightAtWork, table_of
from tests.support.scoreboard_on_a_folder import Table

EVENT = "club-night"

OURS, THEIRS = HubKey(bytes(range(32))), HubKey(bytes(range(1, 33)))


def rows_of(table, name="t1"):
    """The journal of a table as the hub stores it."""
    with read_snapshot(table.folder) as journal:
        return [
            TableEvent(
                EVENT,
                name,
                row.epoch,
                row.id,
                row.game,
                row.seq,
                row.at,
                7,
                row.kind,
                row.body,
                row.source,
                row.version,
                "",
            )
            for row in journal.rows_after(0, journal.newest_event())
        ]


@pytest.fixture(scope="session")
def sheet_rows(tmp_path_factory):
    """A game in which Ann has 121 holes and Bob 84: a margin of 37, a skunk."""
    one = Table(tmp_path_factory.mktemp("table") / "state", Setup(Rules.named("acc"), ("Ann", "Bob")))
    for seat, points in [*[(0, 20), (1, 14)] * 6, (0, 1)]:
        one.score(seat, points)
    rows = rows_of(one)
    one.journal.close()
    return rows


@pytest.fixture
def played(sheet_rows):
    """The night of that game, finished: `night`, `content`, and `file`, the package signed by `OURS`."""
    work = NightAtWork().open(("Ann", "Bob"), games=1, cut="1")
    work.do("draw")
    (result,) = results_of(sheet_rows)
    (key,) = work.night.schedule
    reference = {"table": "t1", "epoch": result.epoch, "game": result.game, "first": result.first}
    work.do(
        "table_result",
        table_of("t1"),
        game=key,
        table="t1",
        winner="p1",
        margin=37,
        confirmed=["p1", "p2"],
        sheet=reference | {"last": result.last, "digest": result.digest},
    )
    work.do("end_night")
    content = package_content(EVENT, work.night, choose_sheets(work.night, sheet_rows), "0.1.0")
    return SimpleNamespace(work=work, night=work.night, key=key, content=content, file=seal(content, OURS))


@pytest.fixture
def forge(played):
    """A package whose content was changed before it was signed, by another hub."""

    def forge(change):
        content = copy.deepcopy(played.content)
        change(content)
        return seal(content, THEIRS)

    return forge
