"""Scores of paired phones wait for nobody else: requests of strangers, and previews, are answered apart from them."""

import contextlib
import threading
from collections.abc import Callable, Iterator

import pytest

from tests.support.web_server_and_clients import Site
from tests.web.access.test_sessions import Device, paired
from web.http.worker_pool import DaemonExecutor


@pytest.fixture
def closed(serve: Callable[..., Site]) -> Site:
    return serve(open=False)


@contextlib.contextmanager
def held(threads: DaemonExecutor) -> Iterator[None]:
    """Inside this block the one thread there does nothing else."""
    begun, let_go = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        let_go.wait(10)

    threads.post(wait)
    assert begun.wait(5)
    try:
        yield
    finally:
        let_go.set()


def test_strangers_are_answered_without_the_thread_of_the_scores(closed: Site):
    phone, stranger = paired(closed), Device(closed)
    assert phone.score().status == 201
    with held(closed.server._scoring_threads):
        assert stranger.me["role"] == "viewer"
        assert phone.me["role"] == "scorer"
        assert stranger.score().refusal == (403, "not_paired")
        assert stranger.post("/api/v1/preview", {"do": "undo"}).refusal == (403, "not_paired")
        assert stranger.get("/api/v1/commands").refusal == (405, "method")


def test_scores_of_paired_phones_wait_for_no_page(closed: Site):
    phone = paired(closed)
    assert phone.me["role"] == "scorer"
    with held(closed.server._page_threads):
        assert phone.score().status == 201
