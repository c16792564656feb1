"""Decisions over HTTP: each counts once, is refused with its reason, and is still there after a restart."""

from pathlib import Path

import pytest

from pegboard.hub.ledger.hub_errors import HubNotNow
from pegboard.hub.night_service import NightService
from pegboard.tournament.night.night_state import Author, Role
from tests.support.hub_site import DEE, HubSite, opened_hub, request_id


def test_a_director_opens_a_night_and_the_same_request_opens_it_once(hub: HubSite):
    director, own = hub.director(), request_id()
    values = {"id": own, "name": "Thursday club", "date": "2026-11-26"}
    first, again = (director.post("/night/v1/nights", **values).json["night"] for _ in range(2))
    assert first == again
    assert first.startswith("2026-11-26-")
    listed = hub.client().get("/night/v1/nights").json["nights"]
    assert [(one["night"], one["name"], one["phase"]) for one in listed] == [(first, "Thursday club", "registration")]


def test_a_night_that_is_refused_is_on_no_list(hub: HubSite):
    answer = hub.director().post("/night/v1/nights", id=request_id(), name="Club night", date="tomorrow, perhaps")
    assert answer.status == 422
    assert hub.client().get("/night/v1/nights").json == {"nights": []}


def test_a_decision_counts_once_however_often_its_request_comes(hub: HubSite):
    night, director, own = hub.open_night(), hub.director(), request_id()
    request = {"id": own, "night": night, "do": "enter", "name": "Ann"}
    first, again = (director.post("/night/v1/decisions", **request) for _ in range(2))
    assert (first.status, again.status) == (201, 200)
    assert (first.json["player"], first.json["replayed"], again.json["replayed"]) == ("p1", False, True)
    assert first.json["number"] == again.json["number"]
    assert len(hub.view(night)["players"]) == 1


def test_the_id_of_a_request_is_that_of_no_other(hub: HubSite):
    night, director, own = hub.open_night(), hub.director(), request_id()
    director.post("/night/v1/decisions", id=own, night=night, do="enter", name="Ann")
    other = director.post("/night/v1/decisions", id=own, night=night, do="close_registration")
    assert other.refusal == (422, "id_reused")
    assert hub.view(night)["night"]["registration_open"]


@pytest.mark.parametrize("own", ["short", "with blanks in it 123", 17, None])
def test_a_request_without_a_proper_id_is_refused(hub: HubSite, own: object):
    answer = hub.director().post("/night/v1/decisions", id=own, night=hub.open_night(), do="enter", name="Ann")
    assert answer.refusal == (422, "shape")


def test_a_refusal_has_the_key_and_the_values_of_its_sentence(hub: HubSite):
    night = hub.open_night()
    hub.enter(night, 1)
    answer = hub.director().post("/night/v1/decisions", id=request_id(), night=night, do="check_in", player="p1")
    assert answer.status in {409, 422}
    assert "Ann" in answer.json["values"].values()
    assert answer.json["detail"]
    assert answer.json["key"]


def test_who_is_not_paired_decides_nothing(hub: HubSite):
    night, stranger = hub.open_night(), hub.client()
    before = hub.nights.night(night).revision
    assert stranger.post("/night/v1/decisions", id=request_id(), night=night, do="enter", name="Ann").status == 403
    assert stranger.post("/night/v1/nights", id=request_id(), name="Mine", date="2026-11-26").status == 403
    assert stranger.get(f"/night/v1/{night}/director").status == 403
    assert hub.nights.night(night).revision == before


def test_a_night_that_is_not_there_is_not_found(hub: HubSite):
    assert hub.director().post("/night/v1/decisions", id=request_id(), night="none", do="draw").refusal[0] == 404
    assert hub.client().get("/night/v1/none/screen").refusal == (404, "no_night")


def test_a_restart_loses_nothing_and_the_same_request_still_counts_once(tmp_path: Path):
    own = request_id()
    with opened_hub(tmp_path / "hub") as hub:
        night = hub.open_night()
        hub.nights.decide(night, {"do": "enter", "name": "Ann"}, DEE, own)
        before = hub.view(night)
    with opened_hub(tmp_path / "hub", again=True) as hub:
        assert hub.view(night) == before
        assert hub.nights.decide(night, {"do": "enter", "name": "Ann"}, DEE, own)[1]
        assert hub.view(night) == before


def test_the_nights_of_a_season_are_listed_and_added_up_without_being_derived(tmp_path: Path):
    with opened_hub(tmp_path / "hub") as hub:
        ended, going_on, opened_again = (hub.open_night(games=games) for games in (1, 2, 3))
        for night in (ended, opened_again):
            (ann, bob) = hub.enter(night, 2)
            hub.do(night, "correct_entry", player=bob, name="Bob B.", number="MI7")
            hub.do(night, "draw")
            game = next(iter(hub.nights.night(night).schedule))
            hub.do(night, "paper_result", game=game, winner=ann, margin=12)
            hub.do(night, "end_night")
        hub.do(opened_again, "open_again")
    with opened_hub(tmp_path / "hub", again=True) as hub:
        listed = {one["night"]: one for one in hub.client().get("/night/v1/nights").json["nights"]}
        assert {night: one["phase"] for night, one in listed.items()} == {
            ended: "ended",
            going_on: "registration",
            opened_again: "playing",
        }
        assert (listed[ended]["name"], listed[ended]["date"], listed[ended]["ended"]) == (
            "Club night",
            "2026-11-26",
            True,
        )
        page = hub.client().get("/season").body.decode()
        assert [name in page for name in ("Ann", "Bob B.", "MI7")] == [True] * 3
        assert ended not in hub.nights._opened
        hub.do(ended, "open_again")
        assert {line.id for line in hub.nights.open_lines()} == {ended, going_on, opened_again}


def test_a_database_that_is_away_is_no_fault_of_the_program(hub: HubSite, monkeypatch):
    def be_away():
        raise HubNotNow("hub_database_away", database="hub.db", error="it sleeps")

    monkeypatch.setattr(hub.ledger, "open_events", be_away)
    answer = hub.client().get("/night/v1/nights")
    assert (answer.status, answer.json["key"]) == (503, "hub_database_away")


def test_two_hubs_on_one_ledger_decide_after_each_other(hub: HubSite):
    """The second one reads what the first has stored, and judges anew."""
    night = hub.open_night()
    other = NightService(hub.ledger, clock_ms=lambda: hub.clock[0])
    other.night(night)
    hub.do(night, "enter", name="Ann")
    other.decide(night, {"do": "enter", "name": "Bob"}, DEE, request_id())
    hub.do(night, "enter", name="Cy")
    assert list(hub.nights.night(night).names.values()) == ["Ann", "Bob", "Cy"]
    assert hub.nights.night(night).names == {"p1": "Ann", "p2": "Bob", "p3": "Cy"}


def test_a_request_that_came_to_two_hubs_on_one_ledger_is_the_same_decision_at_both(hub: HubSite):
    """As a table's result does, which every hub of an event hears."""
    night, own, request = hub.open_night(), request_id(), {"do": "announce", "text": "Round 3 begins at nine"}
    other = NightService(hub.ledger, clock_ms=lambda: hub.clock[0])
    other.night(night)
    hub.do(night, "enter", name="Ann")
    first, _ = hub.nights.decide(night, request, DEE, own)
    hub.do(night, "enter", name="Bob")
    assert other.decide(night, request, DEE, own) == (first, True)
    other.decide(night, {"do": "enter", "name": "Cy"}, DEE, request_id())
    assert list(other.night(night).names.values()) == ["Ann", "Bob", "Cy"]
    assert [row.number for row in other.night(night).rows] == [1, 2, 3, 4, 5]


def test_a_player_decides_for_himself_alone(hub: HubSite):
    night = hub.open_night()
    hub.enter(night, 4)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    ann = _phone_of(hub, night, "p1")
    game = next(game for game in hub.view(night)["rounds"][0]["games"] if "p1" in game["players"])
    other = next(player for player in game["players"] if player != "p1")
    claim = {"night": night, "do": "claim", "game": game["game"], "won": True, "margin": 12}
    assert ann.post("/night/v1/decisions", id=request_id(), player=other, **claim).status == 403
    assert ann.post("/night/v1/decisions", id=request_id(), player="p1", **claim).status == 201
    assert (
        ann.post("/night/v1/decisions", id=request_id(), night=night, do="announce", text="Free drinks").status == 403
    )
    assert ann.get(f"/night/v1/{night}/players/p1").json["me"]["name"] == "Ann"
    assert ann.get(f"/night/v1/{night}/players/{other}").status == 403


def _phone_of(hub: HubSite, night: str, player: str):
    """A phone with the code of that player's score card."""
    phone = hub.client()
    code = hub.director().get(f"/night/v1/{night}/players/{player}/code").json["code"]
    assert phone.post("/night/v1/card", code=code).json == {"night": night, "player": player}
    return phone


def test_a_director_who_plays_claims_on_his_own_card(hub: HubSite):
    """The same device is a director and a player: the phone page says as whom it asks."""
    night, director = hub.open_night(), hub.director()
    hub.enter(night, 4)
    hub.do(night, "draw")
    code = director.get(f"/night/v1/{night}/players/p2/code").json["code"]
    director.post("/night/v1/card", code=code)
    game = next(game for game in hub.view(night)["rounds"][0]["games"] if "p2" in game["players"])
    values = {"do": "claim", "game": game["game"], "player": "p2", "won": False, "margin": 7, "as": "player"}
    assert director.post("/night/v1/decisions", id=request_id(), night=night, **values).status == 201
    assert hub.nights.night(night).rows[-1].by == Author(Role.PLAYER, "p2")


def test_the_trail_has_the_name_that_a_director_signs_with(hub: HubSite):
    night, director = hub.open_night(), hub.director()
    director.post("/night/v1/decisions", id=request_id(), night=night, do="enter", name="Ann", signature=" Dee \n")
    assert hub.view(night)["audit"][0]["by"] == {"role": "director", "name": "Dee"}
    assert hub.director().get(f"/night/v1/{night}/audit").json["audit"][0]["by"]["name"] == "Dee"


def test_a_judge_is_called_and_two_come_and_nothing_of_it_is_stored(hub: HubSite):
    night = hub.open_night()
    hub.enter(night, 6)
    hub.do(night, "draw")
    before = hub.nights.night(night).revision
    games = hub.view(night)["rounds"][0]["games"]
    game = next(game for game in games if "p1" in game["players"])
    table, others = game["table"], [f"p{n}" for n in range(2, 7) if f"p{n}" not in game["players"]]
    caller, *judges = (_phone_of(hub, night, player) for player in ("p1", *others[:3]))
    asked = {"night": night, "as": "player"}
    made = caller.post("/night/v1/calls", do="call", table=table, **asked | {"for": "judge"}).json["calls"]
    (call,) = (one["call"] for one in made)
    answers = [judge.post("/night/v1/calls", do="accept_call", call=call, **asked) for judge in judges]
    assert [answer.status for answer in answers[:2]] == [200, 200]
    assert answers[2].status in {409, 422}, "two come, so nobody else is asked"
    (open_call,) = hub.view(night)["calls"]
    assert (open_call["accepted"], open_call["answered"]) == (
        [hub.view(night)["names"][player] for player in others[:2]],
        True,
    )
    assert hub.director().post("/night/v1/calls", night=night, do="end_call", call=call).json["calls"] == []
    assert hub.nights.night(night).revision == before


def test_a_player_ends_no_call_and_does_not_come_in_the_directors_place(hub: HubSite):
    night = hub.open_night()
    hub.enter(night, 4)
    hub.do(night, "draw")
    table = hub.view(night)["rounds"][0]["games"][0]["table"]
    player, values = _phone_of(hub, night, "p1"), {"night": night, "as": "player"}
    for whom in ("judge", "director"):
        player.post("/night/v1/calls", do="call", table=table, **values, **{"for": whom})
    judge, director = (one["call"] for one in hub.view(night)["calls"])
    answers = [
        player.post("/night/v1/calls", do="end_call", call=judge, **values),
        player.post("/night/v1/calls", do="accept_call", call=director, **values),
    ]
    assert [(answer.status, answer.json["key"]) for answer in answers] == [(403, "night_director_only")] * 2
    assert [one["accepted"] for one in hub.view(night)["calls"]] == [[], []]


def test_a_player_without_a_table_calls_by_name_once(hub: HubSite):
    night = hub.open_night()
    hub.enter(night, 4)
    phone, judge = _phone_of(hub, night, "p1"), _phone_of(hub, night, "p2")
    asked = {"night": night, "as": "player", "for": "judge", "do": "call"}
    for who in (phone, phone, judge):
        who.post("/night/v1/calls", **asked)
    first, second = hub.view(night)["calls"]
    assert [(one["table"], one["name"]) for one in (first, second)] == [("", "Ann"), ("", "Bob")]
    accepted = judge.post("/night/v1/calls", night=night, do="accept_call", call=first["call"], **{"as": "player"})
    assert accepted.json["calls"][0]["accepted"] == ["Bob"]


@pytest.mark.parametrize("do", ["accept_call", "end_call"])
def test_a_director_is_told_that_a_call_has_ended(hub: HubSite, do: str):
    answer = hub.director().post("/night/v1/calls", night=hub.open_night(), do=do, call="5d21c07e")
    assert (answer.refusal, answer.json["key"]) == ((422, "rule"), "night_no_call")


def test_a_call_from_a_table_that_is_not_there_is_refused(hub: HubSite):
    night = hub.open_night()
    answer = hub.director().post("/night/v1/calls", night=night, do="call", table="t99", **{"for": "judge"})
    assert answer.json["key"] == "desk_call_table"


def test_what_a_pot_has_left_is_offered_to_the_next_night_by_its_kind(hub: HubSite):
    def night_with_pot(date: str, cents: int | None) -> str:
        request = {"do": "open_night", "name": "Club night", "date": date, "rules": {"games": 1}}
        night = hub.nights.open(request, DEE, request_id())
        if cents is not None:
            hub.enter(night, 2)
            hub.do(night, "open_pot", kind="hand_24", fee=cents)
            hub.do(night, "enter_pot", pot="hand_24", player="p1")
            hub.do(night, "pay_pot", pot="hand_24")
        return night

    night_with_pot("2026-11-12", 900)
    for cents in (12, 13, 46):
        night_with_pot("2026-11-19", cents)
    tonight = night_with_pot("2026-11-26", None)
    night_with_pot("2026-11-26", 8)
    night_with_pot("2026-12-03", 7)
    assert hub.director().get(f"/night/v1/{tonight}/carried").json == {"carried": {"hand_24": 46}}
    assert hub.client().get(f"/night/v1/{tonight}/carried").status == 403
    assert hub.director().get("/night/v1/2026-11-26-00000/carried").status == 404


def test_who_plays_at_a_table_is_no_judge_of_its_call(hub: HubSite):
    night = hub.open_night()
    hub.enter(night, 6)
    hub.do(night, "draw")
    game = hub.view(night)["rounds"][0]["games"][0]
    phones = [_phone_of(hub, night, player) for player in game["players"]]
    asked = {"night": night, "as": "player"}
    made = phones[0].post("/night/v1/calls", do="call", table=game["table"], **asked | {"for": "judge"}).json["calls"]
    answers = [phone.post("/night/v1/calls", do="accept_call", call=made[0]["call"], **asked) for phone in phones]
    assert [(answer.status, answer.json["key"]) for answer in answers] == [(403, "desk_call_own")] * 2
    assert phones[0].post("/night/v1/calls", do="accept_call", call="nobody", **asked).json["key"] == "night_no_call"


def test_a_night_that_is_refused_leaves_nothing_behind(hub: HubSite):
    director, before = hub.director(), hub.nights.ledger.open_events()
    for fault in ({"date": ""}, {"rules": {"games": 0}}, {"rules": {"games": "abc"}}, {"rules": {"cut": "nobody"}}):
        request = {"name": "T", "date": "2026-11-26", "rules": {}, "id": request_id()} | fault
        assert director.post("/night/v1/nights", **request).status == 422
    assert hub.nights.ledger.open_events() == before
