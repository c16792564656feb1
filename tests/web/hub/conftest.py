"""A hub on a free port of this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hub_site import HubSite, opened_hub


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubSite]:
    """One at which directors must be paired."""
    with opened_hub(tmp_path / "hub") as hub:
        yield hub


@pytest.fixture(scope="session")
def quiet_hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubSite]:
    """One for all tests whose requests change nothing."""
    with opened_hub(tmp_path_factory.mktemp("quiet") / "hub") as hub:
        yield hub
