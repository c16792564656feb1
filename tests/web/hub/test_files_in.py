"""Files that a director has taken in: each line counts once, whatever happens meanwhile."""

import pytest

from pegboard.errors import RuleError
from pegboard.hub.hub_errors import HubNotNow
from tests.support.hub_site import HubSite, request_id
from web.hub.night_service import NightService

ROSTER = "name\nAnn\nBob\nCy\nDee\n"


@pytest.fixture
def night(hub: HubSite):
    return hub.open_night()


def names(hub: HubSite, night: str):
    return sorted(one["name"] for one in hub.view(night)["players"])


def take_in(hub: HubSite, night: str, own: str):
    return hub.director().post("/night/v1/import", id=own, night=night, text=ROSTER)


def test_a_database_that_goes_away_in_the_middle_loses_no_line_of_the_same_file_sent_again(
    hub: HubSite, night: str, monkeypatch
):
    own, decide, left = request_id(), NightService.decide, [2]

    def decide_twice(self, *words):
        left[0] -= 1
        if left[0] < 0:
            raise HubNotNow("hub_not_stored", fault="the disk is full")
        return decide(self, *words)

    monkeypatch.setattr(NightService, "decide", decide_twice)
    assert take_in(hub, night, own).status == 503
    assert names(hub, night) == ["Ann", "Bob"]
    left[0] = 100
    assert take_in(hub, night, own).json["entered"] == 2
    assert names(hub, night) == ["Ann", "Bob", "Cy", "Dee"]


def test_a_name_that_another_director_enters_meanwhile_stops_no_other(hub: HubSite, night: str, monkeypatch):
    decide = NightService.decide

    def decide_after_another(self, night, request, by, id):  # noqa: A002 - as in the service
        if request.get("name") == "Bob":
            raise RuleError("night_name_twice", name="Bob")
        return decide(self, night, request, by, id)

    monkeypatch.setattr(NightService, "decide", decide_after_another)
    answer = take_in(hub, night, request_id()).json
    assert (answer["entered"], [fault["key"] for fault in answer["faults"]]) == (3, ["night_name_twice"])
    assert names(hub, night) == ["Ann", "Cy", "Dee"]
