"""Files that a director has taken in: each line counts once, whatever happens meanwhile."""

import csv

import pytest

from pegboard.errors import RuleError
from pegboard.hub.ledger.hub_errors import HubNotNow
from pegboard.hub.ledger.ledger_rows import Refusal, Refused
from pegboard.hub.night_service import NightService
from pegboard.messages import Message
from tests.support.hub_site import HubSite, request_id

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
    ((entered, fault),) = [(answer["entered"], fault) for fault in answer["faults"]]
    assert (entered, fault["key"], fault["values"]["line"]) == (3, "night_file_line", 3)
    assert "Bob" in fault["text"]
    assert names(hub, night) == ["Ann", "Cy", "Dee"]


def test_of_results_with_a_game_in_two_lines_none_is_entered(hub: HubSite, night: str):
    hub.enter(night, 4)
    hub.do(night, "draw")
    (one, other), *_ = [game["players"] for game in hub.view(night)["rounds"][0]["games"]]
    called = hub.view(night)["names"]
    line = f"1,{called[one]},{called[other]},{called[one]},7\n"
    text = f"round,player,opponent,winner,margin\n{line}{line}"
    answer = hub.director().post("/night/v1/import", id=request_id(), night=night, text=text)
    assert (answer.status, answer.json["key"]) == (422, "night_file_twice")
    assert {row["points"] for row in hub.view(night)["standings"]} == {0}


def test_a_file_for_a_night_that_has_ended_is_refused_once(hub: HubSite, night: str):
    hub.do(night, "end_night")
    answer = take_in(hub, night, request_id())
    assert (answer.status, answer.json["key"]) == (422, "night_ended")
    assert names(hub, night) == []


def test_what_was_put_aside_of_a_table_comes_as_a_file(hub: HubSite, night: str):
    for body, cause in ((b'{"v": 9}', "one"), (b"\xff\x00", "other"), (b'{"v": 9}', "one")):
        refusal = Refusal(night, "t4", Refused.POISON, Message("hub_message_order"), body, cause=cause)
        hub.ledger.quarantine(refusal)
    path = f"/night/v1/{night}/files/quarantine.csv"
    assert hub.client().get(path).status == 403
    rows = list(csv.DictReader(hub.director().get(path).body.decode("utf-8-sig").splitlines()))
    assert [(row["table"], row["kind"], row["times"], row["message"]) for row in rows] == [
        ("t4", "poison", "2", '{"v": 9}'),
        ("t4", "poison", "1", "ff00"),
    ]
    assert {row["why"] for row in rows} == {"the journal entries are not in order"}
