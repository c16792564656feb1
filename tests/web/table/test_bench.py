"""The workbench over HTTP: in mock mode its keys and plugs are moved, elsewhere there is none."""

import json
from collections.abc import Callable

import pytest

from tests.support.web_server_and_clients import Site, ToyBench


def test_a_key_is_moved(serve: Callable[..., Site], bench: ToyBench):
    site = serve(bench)
    for level in ("down", "up"):
        assert site.post("/api/v1/bench/keys", {"key": "a1", "level": level}).status == 204
    assert bench.done == [("a1", "down"), ("a1", "up")]


def test_a_device_is_pulled_out(serve: Callable[..., Site], bench: ToyBench):
    assert serve(bench).post("/api/v1/bench/plugs", {"device": "oled", "plugged": False}).status == 204
    assert bench.done == [("oled", False)]


def test_a_device_fails_as_it_is_told_to_and_is_mended(serve: Callable[..., Site], bench: ToyBench):
    site = serve(bench)
    for on in (True, False):
        assert site.post("/api/v1/bench/fault", {"device": "oled", "fault": "hang", "on": on}).status == 204
    assert bench.done == [("oled", "hang", True), ("oled", "hang", False)]


def test_the_picture_is_shown(serve: Callable[..., Site], bench: ToyBench):
    bench.change()
    answer = serve(bench).get("/api/v1/bench")
    assert (answer.status, answer.json) == (200, {"number": 1})


@pytest.mark.parametrize(
    ("path", "values", "words"),
    [
        ("keys", {"key": "z9", "level": "down"}, "there is no key 'z9'; keys are a1, b1"),
        ("keys", {"key": "a1", "level": "sideways"}, '`level` must be "down" or "up", not "sideways"'),
        ("keys", {"key": 1, "level": "up"}, "`key` must be the name of a key"),
        ("keys", {"level": "up"}, "`key` is missing"),
        ("keys", {"key": "a1", "level": "up", "hard": True}, 'a key has no field "hard"; use key, level'),
        ("plugs", {"device": "tv", "plugged": True}, "there is no device 'tv'; there is oled"),
        ("plugs", {"device": "oled", "plugged": 1}, "`plugged` must be true or false, not 1"),
        ("plugs", {"device": "oled", "plugged": "true"}, '`plugged` must be true or false, not "true"'),
        ("fault", {"device": "tv", "fault": "hang", "on": True}, "there is no fault 'hang' of 'tv'; there is hang of"),
        ("fault", {"device": "oled", "fault": "rust", "on": True}, "there is no fault 'rust' of 'oled'"),
        ("fault", {"device": "oled", "fault": "hang", "on": 0}, "`on` must be true or false, not 0"),
        ("fault", {"device": "oled", "fault": "hang"}, "`on` is missing: true or false"),
        ("fault", {"device": "oled", "on": True}, "`fault` is missing: the name of a fault of the device"),
    ],
)
def test_what_the_bench_does_not_know_is_refused(quiet: Site, path, values, words):
    answer = quiet.post(f"/api/v1/bench/{path}", values)
    assert answer.refusal == (422, "shape")
    assert words in answer.json["detail"]


def test_keys_of_the_bench_score_so_a_closed_table_does_not_take_them(serve: Callable[..., Site], bench: ToyBench):
    site = serve(bench, open=False)
    assert site.post("/api/v1/bench/keys", {"key": "a1", "level": "down"}).refusal == (403, "not_paired")
    fault = {"device": "oled", "fault": "hang", "on": True}
    assert site.post("/api/v1/bench/fault", fault).refusal == (403, "not_paired")
    assert bench.done == []


def test_who_is_not_paired_sees_no_panel_for_it_shows_the_code(serve: Callable[..., Site], bench: ToyBench):
    site = serve(bench, open=False)
    elsewhere = {"X_Forwarded_For": "192.168.1.9"}
    assert site.get("/api/v1/bench", **elsewhere).refusal == (403, "not_paired")
    refused = site.watch("/events?bench=1", **elsewhere)
    assert (refused.status, json.loads(refused.body())["code"]) == (403, "not_paired")
    assert site.watch("/events", **elsewhere).status == 200
    page = site.get("/bench", **elsewhere).body.decode()
    assert 'href="/j/"' in page
    assert "bench/page.js" not in page
    assert 'id="panel"' not in page


def test_the_panel_is_for_this_machine_and_for_who_is_paired(serve: Callable[..., Site], bench: ToyBench):
    site = serve(bench, open=False)
    given = site.post("/api/v1/pair", {"code": site.server.access.codes.scorer().text})
    paired = {"X_Forwarded_For": "192.168.1.9", "Cookie": given.headers["set-cookie"].partition(";")[0]}
    for named in ({}, paired):
        assert site.get("/api/v1/bench", **named).status == 200
        assert site.watch("/events?bench=1", **named).until("bench").data == {"number": 0}
        assert "bench/page.js" in site.get("/bench", **named).body.decode()


@pytest.mark.parametrize("path", ["/bench", "/api/v1/bench", "/api/v1/bench/keys", "/api/v1/bench/fault"])
def test_without_a_bench_there_is_none(site: Site, path):
    assert site.get(path).refusal == (404, "not_found")


def test_the_bench_is_left_when_the_server_stops(serve: Callable[..., Site], bench: ToyBench):
    site = serve(bench)
    assert bench.followers
    site.server.stop()
    assert not bench.followers
