"""Scores of paired phones wait for nobody else: requests of strangers, and previews, are answered apart from them."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pegboard.core.moves import Event
from pegboard.table.table import Table
from tests.support.web_server_and_clients import Answer, Site
from tests.web.access.test_sessions import Device, paired
from web.http.worker_pool import DaemonExecutor
from web.table import table_api


@pytest.fixture
def closed(serve: Callable[..., Site]) -> Site:
    return serve(open=False)


@contextlib.contextmanager
def held(threads: DaemonExecutor) -> Iterator[None]:
    """Inside this block the one thread there does nothing else."""
    begun, let_go = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        let_go.wait(60)

    threads.post(wait)
    assert begun.wait(60)
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


def test_scores_wait_for_no_preview(closed: Site):
    phone = paired(closed)
    tap = {"game": closed.game, "do": "undo", "entry": "1"}
    assert phone.score().status == 201
    assert phone.post("/api/v1/preview", tap).status == 200
    with held(closed.server._preview_threads):
        assert phone.score(1).status == 201


def test_a_preview_is_judged_without_the_lock_of_the_table(closed: Site, monkeypatch: pytest.MonkeyPatch):
    phone, other = paired(closed), paired(closed)
    assert phone.score().status == 201
    begun, let_go = threading.Event(), threading.Event()
    judge = Table.judge

    def long_judge(table: Table, *args: Any, **more: Any) -> Event:
        if threading.current_thread().name.startswith("previews"):
            begun.set()
            assert let_go.wait(60)
        return judge(table, *args, **more)

    monkeypatch.setattr(Table, "judge", long_judge)
    answers: list[Answer] = []
    tap = {"game": closed.game, "do": "amend", "entry": "1", "points": 3, "was": 2}
    asking = threading.Thread(target=lambda: answers.append(phone.post("/api/v1/preview", tap)))
    asking.start()
    assert begun.wait(60)
    assert other.score(1).status == 201
    let_go.set()
    asking.join(60)
    assert answers[0].json["after"]["fronts"] == [3, 0]
    assert closed.fronts == [2, 2]


def test_previews_of_one_device_have_a_rate_limit_whatever_its_address(serve: Callable[..., Site]):
    site = serve(open=False, throttle_loopback=True, commands_a_second=0.1, commands_at_once=3)
    phone, other = paired(site), paired(site)
    assert phone.score().status == 201
    tap = {"game": site.game, "do": "undo", "entry": "1"}
    statuses = [phone.post("/api/v1/preview", tap).status for _ in range(3)]
    assert statuses == [200] * 3
    refused = phone.post("/api/v1/preview", tap)
    assert refused.refusal == (429, "too_fast")
    assert 1 <= int(refused.headers["retry-after"]) <= 10
    assert phone.score().status == 201
    assert other.post("/api/v1/preview", tap).status == 200


def test_a_preview_that_takes_long_counts_as_several(serve: Callable[..., Site], monkeypatch: pytest.MonkeyPatch):
    site = serve(open=False, throttle_loopback=True, commands_a_second=0.1, commands_at_once=3)
    phone = paired(site)
    assert phone.score().status == 201
    monkeypatch.setattr(table_api, "TAP_S", 1e-9)
    tap = {"game": site.game, "do": "undo", "entry": "1"}
    assert phone.post("/api/v1/preview", tap).status == 200
    assert phone.post("/api/v1/preview", tap).refusal == (429, "too_fast")
