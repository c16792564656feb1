"""Nights that come as packages: only those of known hubs come by themselves, and none disturbs what is here."""

import http.client
import json
import re
import socket
from dataclasses import replace

import pytest
from sqlalchemy import update

from pegboard.hub.ledger.database import writing
from pegboard.hub.ledger.ledger import UploadedPackages
from pegboard.hub.ledger.ledger_tables import UPLOADED_PACKAGE
from pegboard.hub.packages import night_package
from pegboard.hub.packages.hub_keys import HubKey, add_known_hub, fingerprint, load_or_make_key
from pegboard.hub.packages.night_package import open_package, package_content, seal
from pegboard.tournament.night.decide import fold
from pegboard.tournament.night.decisions import from_row
from tests.support.hub_site import DEE, Client, HubSite, request_id
from tests.support.waiting import soon
from web.hub import season_page
from web.hub.file_api import LARGEST_PACKAGE
from web.hub.season_page import SeasonOfHub

RIVERSIDE = HubKey(bytes(range(32)))


def night_of(hub: HubSite, winner: str = "p1") -> str:
    """A night of two that has ended."""
    night = hub.open_night(games=1)
    hub.enter(night, 2)
    hub.do(night, "draw")
    game = hub.view(night)["rounds"][0]["games"][0]["game"]
    hub.do(night, "paper_result", game=game, winner=winner, margin=12)
    hub.do(night, "end_night")
    return night


def package_of(hub: HubSite, night: str, event: str, key: HubKey = RIVERSIDE) -> bytes:
    return seal(package_content(event, hub.nights.night(night), {}, "0.1.0"), key)


def upload(client: Client, file: bytes):
    return client.ask("POST", "/night/v1/packages", file, {"Content-Type": "application/octet-stream"})


@pytest.fixture
def riverside(hub: HubSite):
    """A hub that this one knows."""
    add_known_hub(hub.server._folder, RIVERSIDE.public, "Riverside")


def records(hub: HubSite):
    """The games won and lost in the season, by place."""
    return re.findall(r">(\d+\N{EN DASH}\d+)<", hub.client().get("/season").body.decode())


def stored(hub: HubSite):
    packages = UploadedPackages(hub.ledger)
    return [open_package(packages.content_of(digest)).content["event"] for digest in packages.digests()]


@pytest.mark.usefixtures("riverside")
def test_the_package_of_a_known_hub_is_stored_once(hub: HubSite):
    file = package_of(hub, night_of(hub), "2026-11-25-aaaaa")
    assert [upload(hub.client(), file).status for _ in range(2)] == [201, 200]
    assert stored(hub) == ["2026-11-25-aaaaa"]


def test_ones_own_package_comes_back(hub: HubSite):
    night = night_of(hub)
    assert upload(hub.client(), package_of(hub, night, night, load_or_make_key(hub.server._folder))).status == 201


def test_a_stranger_who_signs_a_package_fills_neither_disk_nor_season(hub: HubSite, monkeypatch):
    """Anyone can make a key; the refusal says whose fingerprint a director would compare."""
    file = package_of(hub, night_of(hub), "2026-11-25-aaaaa")
    monkeypatch.setattr(night_package, "_read", lambda _: pytest.fail("it was read before it was known"))
    answer = upload(hub.client(), file)
    assert answer.refusal == (403, "hub_unknown")
    assert fingerprint(RIVERSIDE.public) in answer.json["detail"]
    assert stored(hub) == []


@pytest.mark.usefixtures("riverside")
def test_whoever_writes_a_known_key_below_a_file_is_found_out_before_it_is_read(hub: HubSite, monkeypatch):
    file = package_of(hub, night_of(hub), "2026-11-25-aaaaa")
    altered = file.replace(b"Ann", b"Eve")
    monkeypatch.setattr(night_package, "_read", lambda _: pytest.fail("it was read"))
    answers = [upload(hub.client(), one) for one in (altered, b"[" * 100_000, b"{}", b"", file[:-1])]
    assert [answer.status for answer in answers] == [422] * 5
    assert {answer.json["code"] for answer in answers} == {"package"}
    assert stored(hub) == []


def test_a_director_hands_in_the_package_of_any_hub(hub: HubSite):
    file = package_of(hub, night_of(hub), "2026-11-25-aaaaa")
    assert upload(hub.director(), file).status == 201


@pytest.mark.usefixtures("riverside")
def test_a_package_takes_the_place_of_no_night_of_this_hub(hub: HubSite):
    own, theirs = night_of(hub, "p1"), night_of(hub, "p2")
    assert upload(hub.client(), package_of(hub, theirs, own, load_or_make_key(hub.server._folder))).status == 201
    assert records(hub) == ["1\N{EN DASH}1"] * 2, "each has won one of the two nights that are this hub's own"


@pytest.mark.usefixtures("riverside")
def test_nights_of_two_hubs_that_have_the_same_id_by_chance_both_count(hub: HubSite):
    lakeside = HubKey(bytes(range(1, 33)))
    add_known_hub(hub.server._folder, lakeside.public, "Lakeside")
    one, other = night_of(hub, "p1"), night_of(hub, "p2")
    for key, night, event in ((RIVERSIDE, one, "same"), (lakeside, other, "same"), (RIVERSIDE, one, "same")):
        upload(hub.client(), package_of(hub, night, event, key))
    assert records(hub) == ["2\N{EN DASH}2"] * 2


@pytest.mark.usefixtures("riverside")
def test_a_night_counts_once_it_has_ended_and_as_its_newest_package_says(hub: HubSite):
    night = hub.open_night(games=1)
    hub.enter(night, 2)
    hub.do(night, "draw")
    game = hub.view(night)["rounds"][0]["games"][0]["game"]
    hub.do(night, "paper_result", game=game, winner="p1", margin=12)
    going_on = upload(hub.client(), package_of(hub, night, "theirs")).json
    assert (going_on["finished"], records(hub)) == (False, [])
    ended = hub.do(night, "end_night")
    first = package_of(hub, night, "theirs")
    hub.do(night, "undo", number=ended.number)
    hub.do(night, "paper_result", game=game, winner="p2", margin=12)
    hub.do(night, "end_night")
    corrected = package_of(hub, night, "theirs")
    hub.do(night, "undo", number=hub.nights.night(night).revision)
    for file in (corrected, first):  # in whatever order they come
        assert upload(hub.client(), file).json["finished"] is True
    season = hub.client().get("/season").body.decode()
    assert re.findall(r'dir="auto">(Ann|Bob)', season) == ["Bob", "Ann"], "the correction counts"


@pytest.mark.usefixtures("riverside")
def test_a_director_gets_a_package_out_again_as_it_came(hub: HubSite):
    file = package_of(hub, night_of(hub), "2026-11-25-aaaaa")
    digest = upload(hub.client(), file).json["digest"]
    path = f"/night/v1/packages/{digest}"
    assert hub.director().get(path).body == file
    assert hub.client().get(path).status == 403
    assert hub.director().get("/night/v1/packages/none").status == 404
    page = hub.director().get("/season").body.decode()
    assert path in page
    assert "Riverside" in page
    assert path not in hub.client().get("/season").body.decode()


@pytest.mark.usefixtures("riverside")
def test_a_package_that_comes_to_nothing_leaves_the_season_as_it_is(hub: HubSite):
    night_of(hub)
    content = package_content("2026-11-25-aaaaa", hub.nights.night(night_of(hub)), {}, "0.1.0")
    ended = content["decisions"][-1]["body"]
    ended["standings"] = [{**row, "player": "p99"} for row in ended["standings"]]
    strange = [content, {}, {"decisions": 5}, {"decisions": [{"number": "x"}]}, {"decisions": [[]]}]
    for number, one in enumerate(strange):
        assert upload(hub.client(), seal({"event": f"n{number}"} | one, RIVERSIDE)).status == 201
    answer = hub.client().get("/season")
    assert answer.status == 200
    assert answer.body.count(b">Ann<") == 1


@pytest.mark.usefixtures("riverside")
def test_whoever_looks_at_the_season_has_no_package_derived_again(hub: HubSite, monkeypatch):
    upload(hub.client(), package_of(hub, night_of(hub), "2026-11-25-aaaaa"))
    first = hub.client().get("/season").body
    monkeypatch.setattr(UploadedPackages, "season_of", lambda *_: pytest.fail("it was read again"))
    monkeypatch.setattr(UploadedPackages, "content_of", lambda *_: pytest.fail("it was opened again"))
    assert hub.client().get("/season").body == first


def test_packages_that_come_slowly_fill_no_memory(hub: HubSite):
    """Each may hold 20 MB for a minute: the one too many is refused, and all goes on when they have gone."""
    port, open_ones = hub.server.port, []
    for _ in range(6):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.putrequest("POST", "/night/v1/packages")
        connection.putheader("Content-Length", str(LARGEST_PACKAGE))
        connection.endheaders()
        connection.send(b"{" * 1000)
        open_ones.append(connection)
    answer = soon(lambda: (found := upload(hub.client(), b"{}")).status == 503 and found)
    assert answer.json["code"] == "busy"
    for connection in open_ones:
        connection.close()
    assert soon(lambda: upload(hub.client(), b"{}").status == 422)


def test_what_is_too_large_is_refused(hub: HubSite):
    assert upload(hub.client(), b"x" * (LARGEST_PACKAGE + 1)).status == 413
    for path, most in (("/night/v1/decisions", 32_768), ("/night/v1/result-codes", 16_384), ("/join", 2048)):
        body = json.dumps({"code": "x" * most}).encode()
        assert hub.client().ask("POST", path, body, {"Content-Type": "application/json"}).status == 413, path


# --- what counts in the season ---


def ended_night(hub: HubSite, date: str, winner: str):
    request = {"do": "open_night", "name": "Club night", "date": date, "rules": {"games": 1}}
    night = hub.nights.open(request, DEE, request_id())
    hub.enter(night, 2)
    hub.do(night, "draw")
    game = hub.view(night)["rounds"][0]["games"][0]["game"]
    hub.do(night, "paper_result", game=game, winner=winner, margin=12)
    hub.do(night, "end_night")


def test_the_season_is_that_of_the_newest_year_and_leads_to_the_others(hub: HubSite):
    for date, winner in (("2025-11-27", "p1"), ("2026-01-08", "p2"), ("2026-01-15", "p2")):
        ended_night(hub, date, winner)
    page = hub.client().get("/season").body.decode()
    assert re.findall(r'href="/season\?year=(\w+)"( aria-current="page")?', page) == [
        *[("2026", ' aria-current="page"'), ("2025", ""), ("all", "")]
    ]
    won = {
        year: hub.client().get(f"/season?year={year}").body.decode() for year in ("2025", "2026", "all", "1999", "x")
    }
    assert {year: re.findall(r">(\d+\N{EN DASH}\d+)<", text) for year, text in won.items()} == {
        "2025": ["1\N{EN DASH}0", "0\N{EN DASH}1"],
        "all": ["2\N{EN DASH}1", "1\N{EN DASH}2"],
        **{year: ["2\N{EN DASH}0", "0\N{EN DASH}2"] for year in ("2026", "1999", "x")},
    }
    assert "<h1>Season 2026</h1>" in page
    assert "<h1>Season · All years</h1>" in won["all"]


def changed(hub: HubSite, change) -> bytes:
    """A package of a night that has ended, whose content was changed before it was signed."""
    content = json.loads(json.dumps(package_content("theirs", hub.nights.night(night_of(hub)), {}, "0.1.0")))
    return seal(change(content), RIVERSIDE)


def stripped(content):
    return {name: content[name] for name in ("event", "name", "date", "decisions")}


def with_other_standings(content):
    content["standings"][0]["points"] += 1
    return content


def with_points(points):
    def change(content):
        rows = [from_row(row) for row in content["decisions"]]
        end = rows[-1]
        first = replace(end.decision.standings[0], points=points)
        ended = replace(end.decision, standings=(first, *end.decision.standings[1:]))
        night = fold([*rows[:-1], replace(end, decision=ended)])
        return json.loads(json.dumps(package_content("theirs", night, {}, "0.1.0")))

    return change


@pytest.mark.usefixtures("riverside")
@pytest.mark.parametrize(
    "change",
    [stripped, with_other_standings, with_points(10**4000), with_points(-(10**7))],
    ids=["stripped", "other standings", "endless points", "lost points"],
)
def test_a_night_that_does_not_come_to_what_it_says_counts_in_no_season(hub: HubSite, change):
    own = night_of(hub)
    assert hub.view(own)["night"]["phase"] == "ended"
    before = records(hub)
    file = changed(hub, change)
    with_theirs = records(hub)
    assert upload(hub.client(), file).status == 201
    assert hub.client().get("/season").status == 200
    assert records(hub) == with_theirs != before


@pytest.mark.usefixtures("riverside")
def test_what_another_version_has_stored_of_a_package_is_derived_once_more(hub: HubSite):
    assert upload(hub.client(), package_of(hub, night_of(hub), "theirs")).status == 201
    twice = records(hub)
    with writing(hub.ledger.engine) as connection:
        connection.execute(update(UPLOADED_PACKAGE).values(season='{"other": 1}'))
    season = SeasonOfHub(hub.nights, UploadedPackages(hub.ledger), lambda: None).of_year("")
    assert [f"{row.won}\N{EN DASH}{row.games - row.won}" for row in season.rows] == twice


@pytest.mark.usefixtures("riverside")
def test_the_season_is_added_up_once_however_often_it_is_looked_at(hub: HubSite, monkeypatch):
    upload(hub.client(), package_of(hub, night_of(hub), "theirs"))
    before = records(hub)
    monkeypatch.setattr(season_page, "season_table", lambda _: pytest.fail("it was added up again"))
    assert records(hub) == before


@pytest.mark.usefixtures("riverside")
def test_a_fault_in_a_file_beside_them_hides_no_season(hub: HubSite):
    upload(hub.client(), package_of(hub, night_of(hub), "theirs"))
    before, director = records(hub), hub.director()
    (hub.server._folder / "known_hubs.txt").write_text("nonsense\n")
    page = director.get("/season")
    assert page.status == 200
    assert "line 1 of known_hubs.txt" in page.body.decode()
    (hub.server._folder / "hub_key.hex").write_text("nonsense")
    hub.do(hub.open_night(), "end_night")  # so that it is added up anew
    assert records(hub) == before
    assert hub.director().get("/season").status == 200


def test_a_file_that_would_take_much_memory_is_refused_before_it_is_read(hub: HubSite, monkeypatch):
    monkeypatch.setattr(night_package, "canonical_json", lambda _: pytest.fail("it was read"))
    for part in (b"{},", b"[0],", b'"ab",'):
        content = b'{"content":{"a":[' + part * 400_000 + b"0]}"
        signed = content[len(night_package.HEAD) :]
        tail = {"digest": "0" * 64, "format": night_package.FORMAT, "key": RIVERSIDE.public.hex()}
        tail["signature"] = RIVERSIDE.sign(f"{night_package.FORMAT}\n".encode() + signed).hex()
        file = content + b"," + json.dumps(tail, separators=(",", ":"), sort_keys=True)[1:].encode() + b"\n"
        answer = hub.director().ask("POST", "/night/v1/packages", file, {"Content-Type": "application/octet-stream"})
        assert (answer.status, answer.json["key"]) == (422, "package_too_dense")


def test_connections_that_send_nothing_hold_up_no_director_and_none_of_another_address(hub: HubSite, riverside):
    file = package_of(hub, night_of(hub), "theirs")
    head = "POST /night/v1/packages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n1"
    for _ in range(3):
        idle = socket.create_connection(("127.0.0.1", hub.server.port), timeout=60)
        hub.sockets.append(idle)
        idle.sendall(head.encode())
    soon(lambda: upload(hub.client(), file).status == 503)  # the first of them is inside
    assert upload(hub.director(), file).status == 201
    other = http.client.HTTPConnection("127.0.0.1", hub.server.port, timeout=60, source_address=("127.0.0.2", 0))
    other.request("POST", "/night/v1/packages", file, {"Content-Type": "application/octet-stream"})
    assert other.getresponse().status == 200
    other.close()
