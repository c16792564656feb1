"""While a score waits for a disk that hangs, everything that only shows the table answers."""

import threading
from collections.abc import Callable, Iterator

import pytest

from tests.support.waiting import soon
from tests.support.web_server_and_clients import Answer, Site


@pytest.fixture
def hanging(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A table with an earlier game, whose disk hangs while a score of the running one is stored."""
    first = site.game
    for points in (29, 29, 29, 29, 5):
        assert site.score(0, points).status == 201
    assert site.on_board("start", variant="standard", players=["Ann", "Bob"]).status == 201
    assert site.game != first
    assert site.score(1, 4).status == 201
    begun, released = threading.Event(), threading.Event()
    append: Callable[..., None] = site.journal.append

    def hang(*arguments: object, **more: object) -> None:
        begun.set()
        assert released.wait(60)
        append(*arguments, **more)

    monkeypatch.setattr(site.journal, "append", hang)
    answers: list[Answer] = []
    scoring = threading.Thread(target=lambda: answers.append(site.score(0, 6)))
    scoring.start()
    assert begun.wait(60)
    yield site
    released.set()
    scoring.join(60)
    assert answers[0].status == 201
    assert site.fronts == [6, 4]


def test_the_sheet_of_the_running_game_is_the_one_last_shown(hanging: Site):
    answer = hanging.get("/api/v1/sheet")
    assert answer.status == 200
    assert [(line["seat"], line["points"]) for line in answer.json["entries"]] == [(1, 4)]
    assert answer.json["revision"] == hanging.get("/api/v1/state").json["revision"]


def test_the_sheet_of_an_earlier_game_of_the_match_too(hanging: Site):
    first = hanging.get("/api/v1/games").json["games"][-1]["id"]
    assert first != hanging.game
    assert len(hanging.get(f"/api/v1/sheet?game={first}").json["entries"]) == 5


@pytest.mark.parametrize(
    "path", ["/", "/board", "/settings", "/api/v1/state", "/api/v1/health", "/api/v1/games", "/api/v1/settings"]
)
def test_pages_and_lists_answer(hanging: Site, path: str):
    assert hanging.get(path).status == 200


def test_the_sheet_shows_the_score_once_it_is_stored(site: Site):
    assert site.score(0, 6).status == 201
    assert soon(lambda: site.get("/api/v1/sheet").json["entries"])[0]["points"] == 6
