"""Alarms over the API: in the state, in the health report, dismissed by who scores, and playing on in memory."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import pytest

from pegboard.messages import Message
from pegboard.startup.start_notice import JoinNotice
from tests.support import web_server_and_clients
from tests.support.troubled_journal import FULL, TroubledJournal
from tests.support.web_server_and_clients import Site, opened
from web.access import sessions

LOST = Message("journal_lost_tail", count=3)
MEMORY = "/api/v1/journal/memory"


@pytest.fixture
def troubled(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Opens a table with a journal that has what a test gives it."""
    with ExitStack() as running:

        def troubled(
            *news: Message, trouble: Message | None = None, house: tuple[str, ...] = (), **web: object
        ) -> Site:
            with patch.object(web_server_and_clients, "Journal", TroubledJournal):
                site = running.enter_context(opened(tmp_path, house=house, **web))
            assert isinstance(site.journal, TroubledJournal)
            site.journal.news, site.journal.trouble = list(news), trouble
            site.scoreboard.look_after()
            return site

        yield troubled


def alarms(site: Site) -> list[dict[str, object]]:
    return site.get("/api/v1/state").json["alarms"]  # type: ignore[no-any-return]


def place(site: Site) -> str:
    return f"/api/v1/alarms/{alarms(site)[0]['id']}/dismiss"


def test_state_and_health_tell_it_with_its_key(troubled: Callable[..., Site]):
    site = troubled(LOST)
    (alarm,) = alarms(site)
    assert alarm == {
        "id": alarm["id"],
        "text": "scores lost: 3; check the pegs and restore what is missing",
        "message": {"key": "journal_lost_tail", "values": {"count": 3}},
        "lasts": False,
        "director": False,
    }
    assert site.get("/api/v1/health").json["alarms"] == [alarm]


def test_open_pages_are_sent_it_at_once(troubled: Callable[..., Site]):
    site = troubled()
    watcher = site.watch()
    assert watcher.until("state").data["alarms"] == []
    site.journal.news.append(LOST)  # type: ignore[attr-defined]
    site.scoreboard.look_after()
    assert watcher.until("state").data["alarms"][0]["text"].startswith("scores lost: 3")


def test_who_scores_dismisses_it_once(troubled: Callable[..., Site]):
    site = troubled(LOST)
    path = place(site)
    with patch.object(sessions, "role", return_value="scorer"):
        answer = site.post(path, {})
        assert (answer.status, answer.json["alarms"]) == (200, [])
        again = site.post(path, {})
    assert again.refusal == (404, "no_alarm")
    assert again.json["detail"] == f'there is no alarm "{path.split("/")[-2]}"; it may already have been dismissed'


@pytest.mark.parametrize(("role", "code"), [("viewer", "not_paired")])
def test_who_only_looks_on_dismisses_nothing(troubled: Callable[..., Site], role: str, code: str):
    site = troubled(LOST)
    with patch.object(sessions, "role", return_value=role), site.as_it_was():
        assert site.post(place(site), {}).refusal == (403, code)


@pytest.mark.parametrize("proxies", [(), ("127.0.0.1",)])
def test_in_a_strict_game_a_director_dismisses_wherever_the_table_is(
    troubled: Callable[..., Site], proxies: tuple[str, ...]
):
    """Through a proxy of its own machine, too, and where only this machine reaches it."""
    site = troubled(LOST, house=("strict=on",), open=False, proxies=proxies)
    JoinNotice(site.server.access, site.scoreboard)
    assert alarms(site)[0]["director"]
    with patch.object(sessions, "role", return_value="scorer"), site.as_it_was():
        answer = site.post(place(site), {})
        assert answer.refusal == (403, "role")
        assert answer.json["detail"] == "in a strict game, only a director can dismiss alarms"
    with patch.object(sessions, "role", return_value="director"):
        assert site.post(place(site), {}).status == 200


def test_in_a_strict_game_who_scores_dismisses_what_cost_no_score(troubled: Callable[..., Site]):
    site = troubled(Message("journal_index_rebuilt"), house=("strict=on",))
    assert not alarms(site)[0]["director"]
    with patch.object(sessions, "role", return_value="scorer"):
        assert site.post(place(site), {}).status == 200


def test_in_a_strict_game_too_an_alarm_that_is_gone_is_gone(troubled: Callable[..., Site]):
    site = troubled(LOST, house=("strict=on",))
    where = place(site)
    assert site.post(where, {}).status == 200
    with patch.object(sessions, "role", return_value="scorer"), site.as_it_was():
        assert site.post(where, {}).refusal == (404, "no_alarm")


@pytest.mark.parametrize("body", [{"now": True}, [], 3, b"{"])
def test_dismissal_says_nothing_else(troubled: Callable[..., Site], body: object):
    site = troubled(LOST)
    with site.as_it_was():
        assert site.post(place(site), body).status in (400, 422)


def test_page_of_somebody_else_may_not(troubled: Callable[..., Site]):
    site = troubled(LOST)
    with site.as_it_was():
        assert site.post(place(site), {}, Origin="https://elsewhere.example").refusal == (403, "foreign_origin")


def test_what_lasts_cannot_be_dismissed(troubled: Callable[..., Site]):
    site = troubled(trouble=FULL)
    with site.as_it_was():
        answer = site.post(place(site), {})
        assert answer.refusal == (409, "lasts")
        assert "this alarm cannot be dismissed; it clears by itself when the problem is over" in answer.json["detail"]


def test_director_has_the_table_play_on_in_memory(troubled: Callable[..., Site]):
    site = troubled(trouble=FULL)
    assert site.score(0, 5).refusal == (503, "not_stored")
    answer = site.post(MEMORY, {"memory": True})
    assert answer.status == 200
    assert [(one["message"]["key"], one["lasts"]) for one in answer.json["alarms"]] == [("scores_in_memory", True)]
    assert answer.json["notice"] is None
    assert site.post(MEMORY, {"memory": True}).status == 200
    assert site.score(0, 5).status == 201


@pytest.mark.parametrize(("role", "code"), [("viewer", "not_paired"), ("scorer", "role")])
def test_only_a_director_may(troubled: Callable[..., Site], role: str, code: str):
    site = troubled(trouble=FULL)
    with patch.object(sessions, "role", return_value=role), site.as_it_was():
        assert site.post(MEMORY, {"memory": True}).refusal == (403, code)


@pytest.mark.parametrize("body", [{}, {"memory": False}, {"memory": "true"}, {"memory": True, "now": True}, []])
def test_nothing_but_the_whole_wish_is_taken(troubled: Callable[..., Site], body: object):
    site = troubled(trouble=FULL)
    with site.as_it_was():
        assert site.post(MEMORY, body).refusal[0] == 422


def test_while_scores_are_stored_there_is_no_need(troubled: Callable[..., Site]):
    site = troubled()
    with site.as_it_was():
        assert site.post(MEMORY, {"memory": True}).refusal == (409, "stores")


def test_command_that_names_another_journal_has_moved(troubled: Callable[..., Site]):
    site = troubled()
    with site.as_it_was():
        answer = site.score(0, 5, epoch="feedfacefeedface")
        assert answer.refusal == (409, "moved")
        assert answer.json["state"]["epoch"] == site.scoreboard.view.epoch
    assert site.score(0, 5, epoch=site.scoreboard.view.epoch).status == 201
    assert site.score(0, 5, epoch=None).status == 201
    assert site.score(0, 5, epoch="no epoch").refusal == (422, "shape")
