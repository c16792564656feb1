"""What a stranger on the Wi-Fi, and a player who means ill, try at a hub: each is refused, and nothing has changed."""

import itertools
import json
from dataclasses import replace
from urllib.parse import quote

import pytest

from pegboard.hub.result_requests import replay_code
from pegboard.hub.result_requests import request_id as id_of_result
from tests.support.hub_site import BROKER, HERE, WEB, HubSite, opened_hub, request_id
from tests.web.hub.test_result_codes import played
from web.http import rate_limit
from web.http.rate_limit import RateLimits
from web.hub.hub_app import BLUEPRINTS
from web.hub.hub_parts import TableSeats

BY_CODE = {
    "/join",
    "/night/v1/card",
    "/night/v1/door",
    "/night/v1/door/list",
    "/night/v1/forget",
    "/night/v1/packages",
    "/night/v1/pair",
    "/night/v1/result-codes",
    "/night/v1/unpair",
}
"""Whoever sends these has to know a code, or has a package that a known hub has signed, or gives up what is theirs."""

FOR_PLAYERS = {"/night/v1/calls", "/night/v1/decisions"}

FOR_DIRECTORS = {
    "/night/v1/<night>/players/<player>/code": {},
    "/night/v1/<night>/tables/<table>/code": {},
    "/night/v1/alarms": {"alarm": 1},
    "/night/v1/directors/code": {},
    "/night/v1/import": {"text": "name\nAnn\n"},
    "/night/v1/nights": {"name": "Mine", "date": "2026-11-26"},
}
"""With what they want."""

READ_BY_DIRECTORS = [
    *("/night/v1/{night}/director", "/night/v1/{night}/audit", "/night/v1/directors", "/night/v1/{night}/door"),
    *("/night/v1/{night}/players/p1/code", "/night/v1/{night}/players/p1", "/night/{night}/print/cards"),
    *(f"/night/v1/{{night}}/files/{name}" for name in ("roster.csv", "results.csv", "cards.csv", "pots.csv")),
    *("/night/v1/{night}/files/night.json", "/night/v1/{night}/files/night.pegboard"),
    *("/night/v1/events?night={night}&view=director", "/night/v1/events?night={night}&view=player&player=p1"),
]


def posted_routes():
    """Every path of the API that takes a POST."""
    described = [(one, blueprint.url_prefix) for blueprint in BLUEPRINTS for one in blueprint.operations]
    return {f"{prefix}{one.rule}" for one, prefix in described if one.method == "POST"}


def test_every_request_that_changes_something_is_on_a_list_of_who_may():
    assert posted_routes() == BY_CODE | FOR_PLAYERS | FOR_DIRECTORS.keys()


@pytest.fixture
def night(hub: HubSite):
    """A night of four that has begun."""
    night = hub.open_night()
    hub.enter(night, 4)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    return night


def phone_of(hub: HubSite, night: str, player: str):
    phone = hub.client()
    code = hub.director().get(f"/night/v1/{night}/players/{player}/code").json["code"]
    assert phone.post("/night/v1/card", code=code).json == {"night": night, "player": player}
    return phone


def strangers(hub: HubSite, night: str):
    """A browser without a cookie, a player's phone, and one with cookies that nobody here has signed."""
    forger = hub.client()
    forger.cookies = {name: f"x.{value}" for name, value in hub.director().cookies.items()}
    return [hub.client(), phone_of(hub, night, "p2"), forger]


def test_what_is_a_directors_is_nobody_elses(hub: HubSite, night: str):
    revision = hub.nights.night(night).revision
    for client, (path, values) in itertools.product(strangers(hub, night), FOR_DIRECTORS.items()):
        wanted = path.replace("<night>", night).replace("<table>", "t1").replace("<player>", "p1")
        answer = client.post(wanted, id=request_id(), night=night, **values)
        assert answer.refusal == (403, "not_paired"), path
    for client in strangers(hub, night)[::2]:
        assert client.get(f"/night/v1/events?night={night}&view=player&player=").status == 403
    for client, path in itertools.product(strangers(hub, night), READ_BY_DIRECTORS):
        assert client.get(path.format(night=night)).status == 403, path
    assert hub.nights.night(night).revision == revision
    assert len(hub.nights.lines()) == 1


def test_another_site_has_a_directors_browser_do_nothing(hub: HubSite, night: str):
    """With the cookies, and as forms can send it, too; browsers say where it comes from."""
    director, revision = hub.director(), hub.nights.night(night).revision
    for path, kind in itertools.product(sorted(posted_routes()), ("application/json", "text/plain")):
        wanted = path.replace("<night>", night).replace("<table>", "t1").replace("<player>", "p1")
        for origin in ("http://elsewhere.example", "null", f"http://127.0.0.1:{hub.server.port + 1}"):
            answer = director.ask("POST", wanted, b"{}", {"Content-Type": kind, "Origin": origin})
            assert answer.refusal == (403, "foreign_origin"), path
    assert hub.nights.night(night).revision == revision
    assert director.get("/night/v1/me").json["role"] == "director"


@pytest.mark.parametrize("number", [10**30, -1, True, "1", None, 1.5])
def test_an_alarm_that_there_cannot_be_is_refused(hub: HubSite, night: str, number):
    assert hub.director().post("/night/v1/alarms", night=night, alarm=number).status == 422


def test_a_viewer_decides_and_calls_nothing(hub: HubSite, night: str):
    for path, do in itertools.product(sorted(FOR_PLAYERS), ("enter", "claim", "confirm", "draw", "call", "undo")):
        answer = hub.client().post(path, id=request_id(), night=night, do=do, player="p1", **{"as": "player"})
        assert answer.refusal == (403, "not_paired"), (path, do)


# --- players who mean ill ---


def test_a_player_enters_nobody(hub: HubSite, night: str):
    """At the door one stands there with its code; from a chair one could fill the roster."""
    phone = phone_of(hub, night, "p1")
    answer = phone.post("/night/v1/decisions", id=request_id(), night=night, do="enter", name="Player 5")
    assert answer.status == 403
    assert len(hub.view(night)["players"]) == 4


def test_a_player_calls_from_the_own_table_alone_and_ends_no_call(hub: HubSite, night: str):
    games = hub.view(night)["rounds"][0]["games"]
    own = next(game for game in games if "p1" in game["players"])
    tables = {game["table"] for one in hub.view(night)["rounds"] for game in one["games"] if "p1" in game["players"]}
    hub.do(night, "add_table", table="t9", label="9")
    phone, asked = phone_of(hub, night, "p1"), {"night": night, "as": "player", "for": "judge"}
    for table in {"t9", *(game["table"] for game in games)} - tables:
        assert phone.post("/night/v1/calls", do="call", table=table, **asked).json["key"] == "desk_call_own_table"
    made = phone.post("/night/v1/calls", do="call", table=own["table"], **asked).json["calls"]
    other = phone_of(hub, night, next(player for player in ("p2", "p3", "p4") if player not in own["players"]))
    ended = other.post("/night/v1/calls", do="end_call", call=made[0]["call"], night=night)
    assert ended.status == 403
    assert len(hub.view(night)["calls"]) == 1


def test_a_player_cannot_take_the_id_by_which_the_result_of_a_table_will_come(hub: HubSite, night: str):
    """Else the result would be refused as another request's, and lost."""
    game = hub.view(night)["rounds"][0]["games"][0]
    names = tuple(hub.view(night)["names"][player] for player in game["players"])
    result = replay_code(played(night, game["game"], game["table"], names))
    phone = phone_of(hub, night, game["players"][0])
    claim = {"do": "claim", "game": game["game"], "player": game["players"][0], "won": False, "margin": 3}
    taken = phone.post("/night/v1/decisions", id=id_of_result(result), night=night, **claim)
    assert taken.refusal == (422, "shape")
    assert hub.nights.take_result(night, result)


def test_a_player_who_changes_a_card_for_ever_is_stopped(hub: HubSite, night: str, monkeypatch):
    monkeypatch.setattr("web.hub.night_api.MOST_OF_A_PLAYER", 3)
    game = next(game for game in hub.view(night)["rounds"][0]["games"] if "p1" in game["players"])
    phone, other = phone_of(hub, night, "p1"), phone_of(hub, night, "p2")
    claim = {"night": night, "do": "claim", "game": game["game"], "won": True}
    statuses = [
        phone.post("/night/v1/decisions", id=request_id(), player="p1", margin=margin, **claim).status
        for margin in range(1, 6)
    ]
    assert statuses == [201, 201, 201, 403, 403]
    game = next(game for game in hub.view(night)["rounds"][0]["games"] if "p2" in game["players"])
    claim["game"] = game["game"]
    assert other.post("/night/v1/decisions", id=request_id(), player="p2", margin=9, **claim).status == 201


# --- at the door ---


@pytest.mark.parametrize("own", ["", None, "0", "x" * 65, 5])
def test_who_comes_in_without_a_proper_id_is_nobody_else(hub: HubSite, own):
    """Two phones that sent the same id would be one player: the second would get the cookie of the first."""
    night = hub.open_night()
    code = hub.director().get(f"/night/v1/{night}/door").json["code"]
    for name in ("Ann", "Bob"):
        answer = hub.client().post("/night/v1/door", id=own, code=code, name=name)
        assert answer.refusal == (422, "shape")
    assert hub.view(night)["players"] == []


def test_the_id_of_another_who_came_in_makes_nobody_that_player(hub: HubSite):
    night, own = hub.open_night(), request_id()
    code = hub.director().get(f"/night/v1/{night}/door").json["code"]
    assert hub.client().post("/night/v1/door", id=own, code=code, name="Ann").status == 200
    thief = hub.client()
    assert thief.post("/night/v1/door", id=own, code=code, name="Bob").refusal == (422, "id_reused")
    assert thief.get(f"/night/v1/{night}/players/p1").status == 403


def come_in(hub: HubSite, code: str, **who):
    return hub.client().post("/night/v1/door", id=request_id(), code=code, **who).status


def test_a_room_behind_one_address_comes_in_at_once_and_wrong_codes_wait(tmp_path):
    with opened_hub(tmp_path / "hub", throttle_loopback=True) as hub:
        night = hub.open_night()
        guests = [hub.do(night, "enter", name=name).decision.player for name in ("Ann", "Bob", "Cy", "Dee")]
        code = hub.director().get(f"/night/v1/{night}/door").json["code"]
        assert [come_in(hub, code, player=player) for player in guests] == [200] * 4
        assert [come_in(hub, code, name=f"Player {number}") for number in range(5, 30)] == [200] * 25
        wrong = "222222" if code != "222222" else "333333"
        assert [come_in(hub, wrong, name="Eve") for _ in range(6)] == [403] * 5 + [429]
        assert come_in(hub, code, name="Eve") == 429


def test_one_address_fills_no_roster(tmp_path, monkeypatch):
    monkeypatch.setattr(rate_limit, "NEW_NAMES_AT_ONCE", 3)
    with opened_hub(tmp_path / "hub", throttle_loopback=True) as hub:
        night = hub.open_night()
        code = hub.director().get(f"/night/v1/{night}/door").json["code"]
        assert [come_in(hub, code, name=f"Player {number}") for number in range(5, 10)] == [200] * 3 + [429] * 2


def test_a_cookie_is_given_back_for_a_night_alone(hub: HubSite):
    for night in ("a; Path=/x", "a\r\nSet-Cookie: b=c", "a=b", "é", "", 5, None, {"a": 1}):
        answer = hub.client().post("/night/v1/forget", night=night)
        assert answer.refusal == (404, "no_night"), night


# --- six digits ---


def from_address(hub: HubSite, address: str, code: str):
    """A try at a table's code from an address."""
    headers = {"Content-Type": "application/json", "X-Forwarded-For": address}
    return hub.client().ask("POST", "/join", json.dumps({"code": code}).encode(), headers)


@pytest.mark.long
def test_however_many_addresses_guess_few_of_a_million_codes_of_tables_are_tried(tmp_path, caplog):
    """40 and 20 at once, 10 and 6 a minute: 300 while a code counts, from a thousand addresses; all of it is logged."""
    caplog.set_level("INFO", "pegboard.security")
    with opened_hub(tmp_path / "hub", throttle_loopback=True, proxies=("127.0.0.1",)) as hub:
        seconds = [0.0]
        hub.server.access.rates = RateLimits(replace(WEB, throttle_loopback=True), lambda: seconds[0])
        night, director = hub.open_night(), hub.director()
        code = director.post(f"/night/v1/{night}/tables/t4/code").json["code"]
        wrong, tried = "000000" if code != "000000" else "000001", 0
        for minute in range(15):
            seconds[0] = 60.0 * minute
            for host in range(60):
                tried += from_address(hub, f"10.{minute % 3}.0.{host}", wrong).status == 404
        assert tried <= 300
        seconds[0] += 60.0
        assert from_address(hub, "10.0.9.9", code).status == 200, "a table that has tried no wrong one joins still"
    assert "wrong_code: POST '/join'" in caplog.text
    assert "10.0.9.9 table t4 has joined" in caplog.text
    assert code not in caplog.text


def test_sixty_tables_join_at_once(tmp_path):
    with opened_hub(tmp_path / "hub", throttle_loopback=True) as hub:
        night, director = hub.open_night(), hub.director()
        codes = [director.post(f"/night/v1/{night}/tables/t{n}/code").json["code"] for n in range(60)]
        assert {hub.client().post("/join", code=code).status for code in codes} == {200}


def test_a_new_code_of_a_table_is_none_that_stands_or_stood_for_another(monkeypatch):
    seats = TableSeats(lambda *_: BROKER | {"url_here": HERE}, lambda: 0.0)
    numbers = iter([5, 5, 6, 5, 6, 7])
    monkeypatch.setattr("web.hub.hub_parts.secrets.randbelow", lambda _: next(numbers))
    assert [seats.make_code("night", table, "") for table in ("t1", "t2")] == ["000005", "000006"]
    assert seats.redeem("000005")[0].table == "t1"
    assert seats.make_code("night", "t3", "") == "000007"


# --- names that are more than names ---

EVIL = """<script>alert(1)</script>"'><img src=x onerror=alert(1)>{{7*7}}"""[:60]


EVIL_WORD = quote(EVIL.replace("/", ""), safe="")
"""The same as a part of an address."""


def test_a_name_is_text_on_every_page_that_the_hub_renders(hub: HubSite):
    night = hub.open_night(games=1)
    for number in (1, 2):
        hub.do(night, "enter", name=f"{number}{EVIL}"[:60], number=f"{number}{EVIL}"[:20], walk_up=True)
    hub.do(night, "add_table", table="t1", label="<b>1", kind="board")
    hub.do(night, "draw")
    game = hub.view(night)["rounds"][0]["games"][0]["game"]
    hub.do(night, "paper_result", game=game, winner="p1", margin=12)
    hub.do(night, "announce", text=EVIL)
    hub.do(night, "end_night")
    director, phone = hub.director(), phone_of(hub, night, "p1")
    pages = [
        *("/", "/season", f"/night/{night}", f"/night/{night}/screen"),
        *(f"/night/{night}/print/{kind}" for kind in ("cards", "seats", "standings", "bracket", "blank")),
        *(f"/{word}/{EVIL_WORD}" for word in "jdptr"),
    ]
    seen = {page: director.get(page, Accept="text/html") for page in pages}
    seen["phone"] = phone.get(f"/night/{night}/me", Accept="text/html")
    for page, answer in seen.items():
        assert answer.status == 200, page
        assert b"<script>alert" not in answer.body, page
        assert b"<img src=x" not in answer.body, page
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
    assert b"&lt;script&gt;" in seen[f"/night/{night}/print/standings"].body, "else nothing was tried"


def test_what_is_wrong_in_an_address_comes_back_as_text(hub: HubSite):
    client = hub.client()
    evil = EVIL_WORD
    for path in (f"/night/{evil}/screen", f"/night/v1/{evil}/screen", f"/night/x/print/{evil}", f"/{evil}"):
        answer = client.get(path, Accept="text/html")
        assert answer.status == 404, path
        kind = answer.headers["content-type"]
        assert kind == "application/problem+json" or b"<script>" not in answer.body, path
        assert answer.headers["x-content-type-options"] == "nosniff"
