"""A table with a real journal behind a real server on a free port of this machine."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.web_server_and_clients import Site, ToyBench, opened


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Lay out a table and open its server; what `opened` takes may be told, settings of `[web]` too."""
    with contextlib.ExitStack() as stack:
        yield lambda *told, **more: stack.enter_context(opened(tmp_path, *told, **more))


@pytest.fixture
def site(serve: Callable[..., Site]) -> Site:
    """An open table of Ann and Bob."""
    return serve()


@pytest.fixture(scope="session")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One for all tests whose requests are all refused."""
    with opened(tmp_path_factory.mktemp("quiet"), ToyBench()) as site:
        yield site


@pytest.fixture
def bench() -> ToyBench:
    return ToyBench()
