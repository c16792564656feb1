"""The event of a table over the API: joining, leaving, calls and result codes; who may what, and what is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pegboard.core.moves import SetPegs
from pegboard.feed import Feed
from pegboard.table.event_table import EventTable
from pegboard.table.scoreboard import Scoreboard
from pegboard.tournament.result_code import ResultCode, decode, is_sealed_with
from tests.support.table_in_event import ANSWER, PLACE, Link, orders, pair
from tests.support.waiting import soon
from tests.support.web_server_and_clients import Site, tap
from web.access import sessions

PLACE_OF = "/api/v1/event"


class Hub:
    """A table's event, with a link that a test moves and a hub that answers what a test says."""

    def __init__(self, *, joined: bool) -> None:
        self.link = Link(PLACE if joined else None)
        self.answer: Any = (200, ANSWER)
        self.announced: tuple[str, ...] = ("192.168.1.20:8090",)
        self.posted: list[tuple[str, dict[str, Any]]] = []

    def make(self, scoreboard: Scoreboard, feed: Feed, folder: Path) -> EventTable:
        more = {"name": "pegboard-4", "post": self._post, "search": lambda: self.announced}
        self.table = EventTable(scoreboard, feed, folder, self.link, **more)
        return self.table

    def _post(self, url: str, values: dict[str, Any]) -> tuple[int, object]:
        self.posted.append((url, values))
        return self.answer

    def send(self, *games: dict[str, Any], **more: Any) -> None:
        self.table.take_orders(orders(*games, **more))


@pytest.fixture
def hub() -> Hub:
    return Hub(joined=True)


@pytest.fixture
def site(serve: Callable[..., Site], hub: Hub) -> Site:
    """A table in an event."""
    site = serve(event=hub.make)
    soon(lambda: site.scoreboard.view.event)
    return site


@pytest.fixture
def alone(serve: Callable[..., Site]) -> tuple[Site, Hub]:
    """A table in none, which may join one."""
    hub = Hub(joined=False)
    return serve(event=hub.make), hub


def as_role(role: str) -> Any:
    return patch.object(sessions, "role", return_value=role)


def test_the_place_of_the_table_is_told(site: Site):
    told = site.get(PLACE_OF).json
    assert told == {
        "joined": True,
        "event": "Club night 7",
        "table": "4",
        "hub": PLACE.hub,
        "settings": False,
        "joining": False,
        "asks": None,
        "may_answer": False,
        "may_leave": True,
        "trouble": None,
        "trouble_message": None,
    }


def test_no_password_is_told(site: Site):
    for path in (PLACE_OF, "/api/v1/state", "/event"):
        assert b"secret" not in site.get(path).body


def test_the_page_says_which_games_an_event_has(site: Site):
    assert "Games with three or four lanes, such as three partnerships" in site.get("/event").body.decode()


def test_a_table_joins_by_a_code(alone: tuple[Site, Hub]):
    site, hub = alone
    assert site.get(PLACE_OF).json["joined"] is False
    answer = site.post(f"{PLACE_OF}/join", {"code": "http://192.168.1.20:8090/t/482913"})
    assert answer.status == 202
    soon(lambda: site.get(PLACE_OF).json["joined"])
    assert hub.posted == [("http://192.168.1.20:8090/join", {"code": "482913", "name": "pegboard-4"})]


def test_what_the_hub_refuses_is_told_by_its_key(alone: tuple[Site, Hub]):
    site, hub = alone
    hub.answer = (410, {"detail": "used"})
    site.post(f"{PLACE_OF}/join", {"code": "192.168.1.20:8090 482913"})
    told = soon(lambda: (now := site.get(PLACE_OF).json)["trouble"] and now)
    assert told["trouble"] == "the code 482913 was used or has expired; ask the director for a new one"
    assert told["trouble_message"] == {
        "key": "event_code_used",
        "values": {"hub": PLACE.hub, "code": "482913"},
    }


@pytest.mark.parametrize(
    "body", [{}, {"code": ""}, {"code": 482913}, {"code": "x" * 301}, {"code": "1", "now": True}, []]
)
def test_only_a_code_joins(alone: tuple[Site, Hub], body: object):
    site, hub = alone
    with site.as_it_was():
        assert site.post(f"{PLACE_OF}/join", body).refusal[0] == 422
    assert hub.posted == []


WISHES = {
    "join": {"code": "482913"},
    "answer": {"address": PLACE.hub, "join": True},
    "leave": {"leave": True},
    "calls": {"for": "judge", "call": True},
}


@pytest.mark.parametrize(("role", "refusal"), [("viewer", "not_paired"), ("scorer", "role")])
@pytest.mark.parametrize(("path", "body"), WISHES.items())
def test_who_may_not_is_refused(site: Site, hub: Hub, *, role: str, path: str, body: object, refusal: str):
    if (role, path) == ("scorer", "calls"):
        return
    with as_role(role), site.as_it_was():
        assert site.post(f"{PLACE_OF}/{path}", body, Via="elsewhere").refusal == (403, refusal)
    assert hub.link.place == PLACE


STRANGE = "http://169.254.169.254:80"


@pytest.mark.parametrize("role", ["scorer", "director"])
def test_at_an_open_table_nobody_elsewhere_sends_it_to_a_hub_of_their_own(alone: tuple[Site, Hub], role: str):
    site, hub = alone
    with as_role(role):
        assert site.post(f"{PLACE_OF}/join", {"code": f"{STRANGE}/t/482913"}, Via="elsewhere").status == 202
        told = soon(lambda: (now := site.get(PLACE_OF, Via="elsewhere").json)["asks"] and now)
        assert told["asks"] == {"hub": STRANGE, "broker": "", "address": STRANGE}
        assert told["may_answer"] is False
        yes = {"address": STRANGE, "join": True}
        answer = site.post(f"{PLACE_OF}/answer", yes, Via="elsewhere")
        assert (answer.refusal, answer.json["key"]) == ((403, "role"), "event_confirm")
        assert site.post(f"{PLACE_OF}/answer", yes | {"join": False}, Via="elsewhere").status == 202
        soon(lambda: not site.get(PLACE_OF).json["asks"])
    assert hub.posted == []


def test_the_tables_own_machine_confirms_a_hub(alone: tuple[Site, Hub]):
    site, hub = alone
    site.post(f"{PLACE_OF}/join", {"code": "10.0.0.5/t/482913"}, Via="elsewhere")
    soon(lambda: site.get(PLACE_OF).json["may_answer"])
    hub.answer = (200, ANSWER | {"broker": ANSWER["broker"] | {"url": "mqtt://10.0.0.5"}})
    assert site.post(f"{PLACE_OF}/answer", {"address": "http://10.0.0.5", "join": True}).status == 202
    soon(lambda: site.get(PLACE_OF).json["joined"])
    assert hub.posted[0][0] == "http://10.0.0.5/join"


def test_a_paired_director_names_a_hub_and_who_has_joined_may_leave(serve: Callable[..., Site]):
    hub = Hub(joined=False)
    site = serve(event=hub.make, open=False)
    access = site.server.access
    cookies = {role: f"{access.cookie}={access.pair(role)[1]}" for role in ("scorer", "director")}
    another = f"{access.cookie}={access.pair('scorer')[1]}"
    site.post(f"{PLACE_OF}/join", {"code": "482913"}, Cookie=cookies["scorer"])
    soon(lambda: site.get(PLACE_OF).json["joined"])
    assert [site.get(PLACE_OF, Cookie=one).json["may_leave"] for one in (cookies["scorer"], another)] == [True, False]
    assert site.post(f"{PLACE_OF}/leave", {"leave": True}, Cookie=another).refusal == (403, "role")
    assert site.post(f"{PLACE_OF}/leave", {"leave": True}, Cookie=cookies["scorer"]).status == 202
    soon(lambda: not site.get(PLACE_OF).json["joined"])
    hub.answer = (404, {"detail": "no"})
    site.post(f"{PLACE_OF}/join", {"code": "10.0.0.5/t/482913"}, Cookie=cookies["director"])
    soon(lambda: hub.posted[-1][0] == "http://10.0.0.5/join")


def test_a_director_has_the_table_leave(site: Site):
    assert site.post(f"{PLACE_OF}/leave", {"leave": True}).status == 202
    soon(lambda: not site.get(PLACE_OF).json["joined"])
    assert "event" not in site.get("/api/v1/state").json


def test_who_scores_calls_and_takes_back_and_nothing_is_stored(site: Site):
    with as_role("scorer"):
        before = site.journal.last_id
        for call, expected in ((True, ["judge"]), (True, ["judge"]), (False, [])):
            assert site.post(f"{PLACE_OF}/calls", {"for": "judge", "call": call}).status == 202
            soon(lambda expected=expected: called(site) == expected)
        assert site.journal.last_id == before


def called(site: Site) -> list[str]:
    return [call["for"] for call in site.get("/api/v1/state").json["event"]["calls"]]


@pytest.mark.parametrize("body", [{}, {"for": "judge"}, {"for": "cook", "call": True}, {"for": "judge", "call": 1}])
def test_nobody_else_is_called(site: Site, body: object):
    assert site.post(f"{PLACE_OF}/calls", body).refusal[0] == 422


def test_a_call_without_its_kind_is_told_the_name_of_the_field(site: Site):
    assert site.post(f"{PLACE_OF}/calls", {"call": True}).json["detail"].startswith("`for` is missing")


def test_a_table_in_no_event_calls_nobody(alone: tuple[Site, Hub]):
    assert alone[0].post(f"{PLACE_OF}/calls", {"for": "judge", "call": True}).refusal == (404, "no_event")


def test_a_state_says_what_the_event_does(site: Site, hub: Hub):
    after = {"table": "7", "against": "Dee", "deals": True}
    hub.send(pair(number=3, after=[after, None]), announcement="Lunch at one")
    told = soon(lambda: (now := site.get("/api/v1/state").json)["event"]["round"] and now)
    assert told["event"] == {
        "name": "Club night 7",
        "table": "4",
        "round": 3,
        "rounds": 9,
        "next": [],
        "here": [],
        "calls": [],
        "settled": None,
        "settled_message": None,
        "linked": True,
        "unsent": False,
        "announcement": "Lunch at one",
    }
    assert told["game"]["pairing"] == "club-night-7/r3:p1-p2"
    assert [lane["likely"] for lane in told["lanes"]] == [None, None]


def test_all_that_a_state_says_of_the_event_is_in_its_schema(site: Site, hub: Hub):
    after = {"table": "7", "against": "Dee", "deals": True}
    hub.send(pair(after=[after, None]))
    hub.table.toggle_call("judge")
    finish(site, hub, pair(after=[after, None]))
    state = soon(lambda: (now := site.get("/api/v1/state").json)["event"]["next"] and now)
    schemas = site.get("/api/openapi.json").json["components"]["schemas"]
    assert set(state["event"]) == set(schemas["Event"]["properties"])
    assert set(state["event"]["next"][0]) == set(schemas["NextSeat"]["properties"])
    assert set(state["event"]["calls"][0]) == set(schemas["Call"]["properties"])
    assert "pairing" in schemas["Game"]["properties"]
    assert state["event"]["next"][1]["table"] is None


def test_a_table_in_no_event_sends_nothing_of_one(alone: tuple[Site, Hub]):
    told = alone[0].get("/api/v1/state").json
    assert "event" not in told
    assert "pairing" not in told["game"]
    assert told["lanes"][0]["likely"] is not None


# --- results ---


def finish(site: Site, hub: Hub, game_of_event: dict[str, Any] | None = None) -> str:
    hub.send(game_of_event or pair())
    soon(lambda: site.scoreboard.view.game.pairing)
    game = site.game
    for seat, hole in ((1, 95), (0, 110)):
        site.scoreboard.handle(
            SetPegs(seat, hole, hole - 1, "laid"),
            source="phone",
            id=tap(),
            game=game,
            director=True,
            base=site.scoreboard.view.game.revisions[seat],
        )
    site.score(0, 11)
    for seat in (0, 1):
        assert site.command(do="confirm", seat=seat, winner=0, fronts=[121, 95]).status == 201
    return game


def test_a_finished_game_is_a_code_with_all_of_its_events(site: Site, hub: Hub):
    game = finish(site, hub)
    told = site.get(f"{PLACE_OF}/results/{game}").json
    result = decode(told["url"])
    assert isinstance(result, ResultCode)
    assert (result.holes, result.confirmed, result.pairing, result.table) == ((121, 95), (0, 1), "r1:p1-p2", "t4")
    assert result == decode(told["code"])
    assert is_sealed_with(told["code"], bytes.fromhex(PLACE.key))
    assert len(result.rows) == len(list(site.journal.rows(game)))
    assert told["url"].startswith(f"{PLACE.hub}/R/")
    assert told["qr"]["size"] > 60


@pytest.mark.parametrize("game", ["nosuchgame", "unfinished"])
def test_another_game_is_no_code(site: Site, hub: Hub, game: str):
    hub.send(pair())
    soon(lambda: site.scoreboard.view.game.pairing)
    wanted = site.game if game == "unfinished" else game
    assert site.get(f"{PLACE_OF}/results/{wanted}").refusal == (404, "no_result")


# --- no helps ---


@pytest.mark.parametrize("path", ["/api/v1/count?ranks=A,4,5,6&starter=6", "/api/v1/play?laid=4,5"])
def test_while_a_game_of_an_event_is_played_directors_alone_count_here(site: Site, hub: Hub, path: str):
    hub.send(pair())
    soon(lambda: site.scoreboard.view.game.pairing)
    assert site.get(path).status == 200, "an open table's guests are directors"
    for role in ("viewer", "scorer"):
        with patch.object(sessions, "is_director", return_value=False), as_role(role):
            answer = site.get(path)
            assert (answer.refusal, answer.json["key"]) == ((403, "role"), "card_in_event")


def test_between_games_everybody_counts(site: Site):
    with patch.object(sessions, "is_director", return_value=False):
        assert site.get("/api/v1/count?ranks=A,4,5,6&starter=6").status == 200


# --- pages ---


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("path", ["/event", "/event?join=http://hub/t/482913", "/event/5b0e7c1f92aa"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_pages_of_the_event_come_in_both_languages(site: Site, path: str, language: str):
    answer = site.get(path, Cookie=f"language={language}")
    assert answer.status == 200
    assert f'<html lang="{language}"'.encode() in answer.body
    assert b">event." not in answer.body, "every text is there"


def test_the_page_of_a_game_leads_to_its_code_and_settings_to_the_event(site: Site):
    assert b'id="result-code"' in site.get("/history/now").body
    assert b'href="/event"' in site.get("/settings").body
