"""Who comes in: directors by a code, players at the door or by their score card, tables by six digits."""

import json

import pytest

from tests.support.hub_site import BROKER, DEE, HERE, HubSite, opened_hub, request_id

MINUTE = 60_000


# --- directors ---


def test_a_directors_code_opens_the_desk_once(hub: HubSite):
    code = hub.server.access.codes.director().text
    first, second = hub.client(), hub.client()
    assert first.post("/night/v1/pair", code=code.lower()).json == {"role": "director"}
    assert second.post("/night/v1/pair", code=code).refusal == (403, "wrong_code")
    assert [client.get("/night/v1/me").json["role"] for client in (first, second)] == ["director", "viewer"]


def test_the_code_of_a_scorer_opens_no_desk(hub: HubSite):
    code = hub.server.access.codes.scorer().text
    assert hub.client().post("/night/v1/pair", code=code).refusal == (403, "wrong_code")


def test_a_director_lets_another_one_in_and_takes_one_off(hub: HubSite):
    dee, other = hub.director(), hub.client()
    made = dee.post("/night/v1/directors/code").json
    assert made["url"].endswith(f"/j/{made['code']}")
    assert other.post("/night/v1/pair", code=made["code"]).status == 200
    listed = dee.get("/night/v1/directors").json["directors"]
    assert [one["this"] for one in listed] == [False, True]
    assert dee.post("/night/v1/unpair", device=listed[0]["device"]).status == 200
    assert other.get("/night/v1/me").json["role"] == "viewer"
    assert other.get("/night/v1/directors").status == 403


# --- players at the door ---


def _code_at(hub: HubSite, night: str) -> str:
    return hub.director().get(f"/night/v1/{night}/door").json["code"]


def test_the_code_at_the_door_is_another_one_each_minute_and_an_old_one_counts_no_more(hub: HubSite):
    night, phone = hub.open_night(), hub.client()
    first = _code_at(hub, night)
    hub.clock[0] += MINUTE
    assert _code_at(hub, night) != first
    assert phone.post("/night/v1/door/list", code=first).json["name"] == "Club night"
    hub.clock[0] += 3 * MINUTE
    answer = phone.post("/night/v1/door/list", code=first)
    assert (answer.status, answer.json["key"]) == (403, "desk_door_code")


def test_the_door_says_when_its_code_changes(hub: HubSite):
    night = hub.open_night()
    hub.clock[0] += 17_000
    shown = hub.director().get(f"/night/v1/{night}/door").json
    assert shown["until"] - hub.clock[0] == MINUTE - 17_000
    assert shown["url"].endswith(f"/d/{shown['code']}")


def test_who_is_on_the_roster_checks_in_at_the_door_and_the_phone_is_theirs(hub: HubSite):
    night, phone = hub.open_night(), hub.client()
    hub.do(night, "enter", name="Ann")
    code = _code_at(hub, night)
    assert phone.post("/night/v1/door/list", code=code).json["players"] == [{"player": "p1", "name": "Ann"}]
    assert phone.post("/night/v1/door", id=request_id(), code=code, player="p1").json == {
        "night": night,
        "player": "p1",
    }
    assert hub.view(night)["players"][0]["state"] == "here"
    assert phone.get(f"/night/v1/{night}/players/p1").status == 200
    assert phone.post("/night/v1/door/list", code=code).json["players"] == [], "who is here is asked no more"


def test_a_player_without_a_number_and_without_an_entry_walks_in(hub: HubSite):
    night, phone, own = hub.open_night(), hub.client(), request_id()
    code = _code_at(hub, night)
    for _ in range(2):  # the answer was lost, and the phone asks again
        answer = phone.post("/night/v1/door", id=own, code=code, name=" Player  5 ")
        assert answer.json == {"night": night, "player": "p1"}
    (player,) = hub.view(night)["players"]
    assert (player["name"], player["state"], player["walk_up"]) == ("Player 5", "here", True)


def test_a_check_in_whose_answer_was_lost_is_answered_again(hub: HubSite):
    night, own = hub.open_night(), request_id()
    hub.do(night, "enter", name="Ann")
    code, phone = _code_at(hub, night), hub.client()
    answers = [phone.post("/night/v1/door", id=own, code=code, player="p1") for _ in range(2)]
    assert [(answer.status, answer.json) for answer in answers] == [(200, {"night": night, "player": "p1"})] * 2
    assert phone.get(f"/night/v1/{night}/players/p1").status == 200


@pytest.mark.parametrize("own", ["", "ann", None, 7])
def test_a_request_at_the_door_has_an_id_of_its_own(hub: HubSite, own: object):
    """Else who sends none either would be who came in before."""
    night = hub.open_night()
    code = _code_at(hub, night)
    for name in ("Ann", "Bob"):
        answer = hub.client().post("/night/v1/door", id=own, code=code, name=name)
        assert (answer.status, answer.json["key"]) == (422, "desk_id")
    assert hub.view(night)["players"] == []


def test_the_id_of_a_directors_request_lets_nobody_in_as_somebody_else(hub: HubSite):
    night, own = hub.open_night(), request_id()
    hub.nights.decide(night, {"do": "enter", "name": "Ann"}, DEE, own)
    answer = hub.client().post("/night/v1/door", id=own, code=_code_at(hub, night), name="Ann")
    assert answer.refusal == (422, "id_reused")


def test_a_failed_check_in_says_why(hub: HubSite):
    night = hub.open_night()
    hub.enter(night, 1)
    code = _code_at(hub, night)
    twice = hub.client().post("/night/v1/door", id=request_id(), code=code, player="p1")
    assert (twice.status, twice.json["key"], twice.json["values"]) == (409, "desk_here_already", {"name": "Ann"})
    same_name = hub.client().post("/night/v1/door", id=request_id(), code=code, name="ann")
    assert same_name.status in {409, 422}
    assert same_name.json["detail"]
    gone = hub.client().post("/night/v1/door", id=request_id(), code=code, player="p9")
    assert gone.json["key"] == "desk_no_such_player"
    nonsense = hub.client().post("/night/v1/door", id=request_id(), code="!", name="Bob")
    assert nonsense.refusal == (422, "shape")


def test_a_late_player_comes_in_after_the_draw_and_is_drawn_into_what_is_left(hub: HubSite):
    night = hub.open_night()
    hub.enter(night, 4)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    answer = hub.client().post("/night/v1/door", id=request_id(), code=_code_at(hub, night), name="Player 5")
    assert answer.status == 200
    late = hub.view(night)["players"][-1]
    assert (late["state"], late["late"]) == ("here", True)
    hub.do(night, "draw")
    assert any("p5" in game["players"] for one in hub.view(night)["rounds"] for game in one["games"])


def test_the_door_of_a_night_that_is_over_lets_nobody_in(hub: HubSite):
    night = hub.open_night()
    hub.do(night, "end_night")
    code = _code_at(hub, night)
    assert hub.client().post("/night/v1/door/list", code=code).json["key"] == "desk_door_code"


# --- players by their score card ---


def test_a_code_on_a_score_card_is_of_one_player_all_night(hub: HubSite):
    night, director = hub.open_night(), hub.director()
    hub.enter(night, 3)
    codes = [director.get(f"/night/v1/{night}/players/p{number}/code").json["code"] for number in (1, 2, 3)]
    assert len(set(codes)) == 3
    hub.clock[0] += 500 * MINUTE
    assert hub.client().post("/night/v1/card", code=codes[1]).json == {"night": night, "player": "p2"}
    assert hub.client().get(f"/night/v1/{night}/players/p2/code").status == 403


def test_a_wrong_code_of_a_card_is_refused_and_tries_are_counted(tmp_path):
    with opened_hub(tmp_path / "hub", throttle_loopback=True) as hub:
        night, phone = hub.open_night(), hub.client()
        hub.enter(night, 1)
        answers = [phone.post("/night/v1/card", code="000000") for _ in range(7)]
        assert [answer.status for answer in answers] == [403] * 5 + [429] * 2


def test_a_cookie_that_the_hub_has_not_signed_makes_nobody_a_player(hub: HubSite):
    night, phone = hub.open_night(), hub.client()
    hub.enter(night, 2)
    code = hub.director().get(f"/night/v1/{night}/players/p1/code").json["code"]
    phone.post("/night/v1/card", code=code)
    (name, value), thief = next(iter(phone.cookies.items())), hub.client()
    content, _, signature = value.rpartition(".")  # the last letter of a signature has bits that stand for nothing
    other = f"{content}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
    for forged in (other, "p1", "", value.replace(".", ""), f"{content[:-1]}.{signature}"):
        thief.cookies = {name: forged}
        assert thief.get(f"/night/v1/{night}/players/p1").status == 403
    thief.cookies = {name: value}
    assert thief.get(f"/night/v1/{night}/players/p1").status == 200


def test_a_phone_of_one_night_is_nobody_at_another(hub: HubSite):
    night, other, phone = hub.open_night(), hub.open_night(games=5), hub.client()
    for one in (night, other):
        hub.enter(one, 1)
    code = hub.director().get(f"/night/v1/{night}/players/p1/code").json["code"]
    phone.post("/night/v1/card", code=code)
    name, value = next(iter(phone.cookies.items()))
    phone.cookies[name.replace(night, other)] = value
    assert phone.get(f"/night/v1/{other}/players/p1").status == 403


def test_a_player_who_lends_the_phone_hands_back_the_card(hub: HubSite):
    night, phone = hub.open_night(), hub.client()
    hub.enter(night, 1)
    phone.post("/night/v1/card", code=hub.director().get(f"/night/v1/{night}/players/p1/code").json["code"])
    phone.post("/night/v1/forget", night=night)
    phone.cookies = {name: value for name, value in phone.cookies.items() if value}
    assert phone.get(f"/night/v1/{night}/players/p1").status == 403


def test_a_director_disconnects_the_phone_of_somebody_else_who_came_in_as_a_player(tmp_path):
    """Who stands at the door can pick any name that is not here yet; its owner says so at the desk."""
    with opened_hub(tmp_path / "hub") as hub:
        night, director = hub.open_night(), hub.director()
        hub.do(night, "enter", name="Ann")
        thief, ann, bob = hub.client(), hub.client(), hub.client()
        assert thief.post("/night/v1/door", id=request_id(), code=_code_at(hub, night), player="p1").status == 200
        hub.do(night, "enter", name="Bob", walk_up=True)
        bob.post("/night/v1/card", code=director.get(f"/night/v1/{night}/players/p2/code").json["code"])
        own = f"/night/v1/{night}/players/p1"
        before = director.get(f"{own}/code").json["code"]
        stream = hub.watch(thief, night, "player", player="p1")
        stream.until("part", part="head")
        made = director.post(f"{own}/code").json
        assert made["url"].endswith(f"/p/{made['code']}")
        assert made["code"] != before
        assert thief.get(own).status == 403
        while stream.next() is not None:
            pass  # until the stream ends
        assert thief.post("/night/v1/card", code=before).refusal == (403, "wrong_code")
        assert ann.post("/night/v1/card", code=made["code"]).json == {"night": night, "player": "p1"}
        assert ann.get(own).status == 200
        assert bob.get(f"/night/v1/{night}/players/p2").status == 200, "others stay who they are"
        assert director.post(f"/night/v1/{night}/players/p9/code").status == 404
    with opened_hub(tmp_path / "hub", again=True) as hub:
        for phone, status in ((thief, 403), (ann, 200)):
            phone.port = hub.server.port
            assert phone.get(own).status == status, "after a restart as well"


# --- tables ---


def test_a_table_elsewhere_is_told_where_the_broker_is_in_the_network(hub: HubSite):
    night = hub.open_night()
    hub.do(night, "add_table", table="t4", label="4", kind="board")
    code = hub.director().post(f"/night/v1/{night}/tables/t4/code").json["code"]
    headers = {"Content-Type": "application/json", "X-Forwarded-For": "192.168.1.44"}
    body = json.dumps({"code": code, "name": "pi-four"}).encode()
    assert hub.client().ask("POST", "/join", body, headers).json["broker"] == BROKER


def test_a_table_joins_by_six_digits_once(hub: HubSite):
    night = hub.open_night()
    hub.do(night, "add_table", table="t4", label="4", kind="board")
    code = hub.director().post(f"/night/v1/{night}/tables/t4/code").json["code"]
    assert (len(code), code.isdigit()) == (6, True)
    joined = hub.client().post("/join", code=code, name="pi-four")
    assert (joined.status, joined.json["event"], joined.json["table"]) == (
        *(200, {"id": night, "name": "Club night"}),
        {"id": "t4", "label": "4"},
    )
    assert joined.json["broker"] == BROKER | {"url": HERE}, "it is on the hub's own machine"
    assert (joined.json["v"], joined.json["hub"]) == (1, f"http://127.0.0.1:{hub.server.port}")
    assert hub.client().post("/join", code=code, name="pi-four").status == 410


def test_a_code_that_nobody_has_made_joins_no_table(hub: HubSite):
    answer = hub.client().post("/join", code="123456", name="pi-four")
    assert (answer.status, answer.json["key"]) == (404, "desk_seat_unknown")


def test_a_new_code_of_a_table_takes_the_place_of_the_one_before(hub: HubSite):
    night, director = hub.open_night(), hub.director()
    first, second = (director.post(f"/night/v1/{night}/tables/t4/code").json["code"] for _ in range(2))
    assert hub.client().post("/join", code=first).status == 404
    assert hub.client().post("/join", code=second).status == 200


def test_without_a_broker_no_table_can_join_and_the_desk_says_so(tmp_path):
    with opened_hub(tmp_path / "hub", broker=False) as hub:
        night = hub.open_night()
        answer = hub.director().post(f"/night/v1/{night}/tables/t4/code")
        assert (answer.status, answer.json["key"]) == (409, "desk_no_broker")


@pytest.mark.parametrize("path", ["pair", "card", "door", "door/list", "result-codes"])
def test_a_request_from_another_site_is_refused(quiet_hub: HubSite, path: str):
    headers = {"Content-Type": "application/json", "Origin": "http://elsewhere.example"}
    answer = quiet_hub.client().ask("POST", f"/night/v1/{path}", b"{}", headers)
    assert answer.refusal == (403, "foreign_origin")
