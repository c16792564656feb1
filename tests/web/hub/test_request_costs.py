"""Requests to a hub count by what they cost, so that nobody holds the pages up by asking for the dear ones."""

from pathlib import Path

import pytest

from tests.support.hub_site import opened_hub
from web.hub.hub_server import cost_at_hub


@pytest.mark.parametrize(
    ("path", "cost"),
    [
        ("/static/hub/desk/desk.js", 1),
        ("/night/v1/events", 1),
        ("/night/v1/decisions", 2),
        ("/join", 2),
        ("/", 3),
        ("/night/2026-11-26-3fa21/screen", 3),
        ("/night/v1/2026-11-26-3fa21/files/standings.csv", 10),
        ("/night/v1/packages", 10),
        ("/night/v1/2026-11-26-3fa21/screen", 20),
        ("/night/v1/2026-11-26-3fa21/players/p3", 20),
        ("/night/v1/2026-11-26-3fa21/players/p3/code", 2),
        ("/night/2026-11-26-3fa21/print/seats", 20),
        ("/season", 20),
    ],
)
def test_what_takes_long_costs_more(path: str, cost: int):
    assert cost_at_hub(path) == cost


def test_an_address_prints_ten_times_at_once_and_then_waits(tmp_path: Path):
    """Two hundred at once, of which a page to be printed costs twenty."""
    with opened_hub(tmp_path / "hub", throttle_loopback=True) as hub:
        night, client = hub.open_night(), hub.client()
        statuses = [client.get(f"/night/{night}/print/standings").status for _ in range(14)]
        assert statuses[:10] == [200] * 10
        assert 429 in statuses[10:]
