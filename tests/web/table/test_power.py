"""Switching the machine off from a page: a director alone, where there is a switch, and only when it is said so."""

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from pegboard.devices.power_and_clock import REQUEST, PowerSwitch
from tests.support.web_server_and_clients import Site
from web.access import sessions

PLACE = "/api/v1/power"


@pytest.fixture
def installed(serve: Callable[..., Site], tmp_path: Path) -> Site:
    site = serve()
    site.scoreboard.keys.power = PowerSwitch(tmp_path)
    return site


def test_director_switches_the_machine_off_and_every_display_says_so(installed: Site, tmp_path: Path):
    assert installed.get("/api/v1/settings").json["power_off"] is True
    answer = installed.post(PLACE, {"off": True})
    assert (answer.status, answer.json) == (200, {"switching_off": True})
    assert (tmp_path / REQUEST).exists()
    assert installed.get("/api/v1/state").json["notice"].startswith("Shutting down: unplug when")


@pytest.mark.parametrize("body", [{}, {"off": False}, {"off": "true"}, {"off": 1}, {"off": True, "now": True}, []])
def test_nothing_but_the_whole_wish_is_taken(installed: Site, tmp_path: Path, body: object):
    with installed.as_it_was():
        assert installed.post(PLACE, body).refusal[0] == 422
    assert not (tmp_path / REQUEST).exists()


@pytest.mark.parametrize(("role", "code"), [("viewer", "not_paired"), ("scorer", "role")])
def test_only_a_director_may(installed: Site, tmp_path: Path, role: str, code: str):
    with patch.object(sessions, "role", return_value=role), installed.as_it_was():
        assert installed.post(PLACE, {"off": True}).refusal == (403, code)
    assert not (tmp_path / REQUEST).exists()


def test_page_of_somebody_else_may_not(installed: Site, tmp_path: Path):
    with installed.as_it_was():
        answer = installed.post(PLACE, {"off": True}, Origin="https://elsewhere.example")
        assert answer.refusal == (403, "foreign_origin")
    assert not (tmp_path / REQUEST).exists()


def test_elsewhere_there_is_no_switch(site: Site):
    assert site.get("/api/v1/settings").json["power_off"] is False
    with site.as_it_was():
        answer = site.post(PLACE, {"off": True})
        assert answer.refusal == (404, "no_switch")
        assert answer.json["key"] == "power_elsewhere"


def test_request_that_cannot_be_written_is_said_and_the_notice_is_as_it_was(installed: Site, tmp_path: Path):
    installed.scoreboard.keys.power = PowerSwitch(tmp_path / "nowhere")
    with installed.as_it_was():
        answer = installed.post(PLACE, {"off": True})
        assert answer.refusal == (503, "not_stored")
        assert answer.json["detail"] == "The machine could not be shut down: No such file or directory"
    assert installed.get("/api/v1/state").json["notice"] is None
