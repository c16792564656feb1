"""Who can score: pairing, roles, cookies that are worth nothing, and how fast one may go."""

import base64
import contextlib
import json
import os
import stat
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from flask import Request

from pegboard.startup.start_notice import JoinNotice
from tests.support.machine_clock import MachineClock
from tests.support.waiting import soon
from tests.support.web_server_and_clients import OPEN, Answer, Site, tap
from web.access import paired_devices
from web.access.invitation import qr
from web.access.paired_devices import Session, TooManyPaired
from web.access.pairing_codes import Codes
from web.access.pairing_file import StateFileError
from web.access.sessions import Access, secret
from web.http.problems import Problem
from web.http.rate_limit import RateLimits

CLOSED = replace(OPEN, open=False)

WAY = {"url": "http://192.168.1.7:8080/", "host": "pegboard.local:8080", "qr": {"size": 33, "path": ""}}


@dataclass
class Device:
    """A phone with its cookies."""

    site: Site
    cookie: str = ""

    def get(self, path: str, **headers: str) -> Answer:
        return self.site.get(path, **headers, **({"Cookie": self.cookie} if self.cookie else {}))

    def post(self, path: str, values: Any, **headers: str) -> Answer:
        return self.site.post(path, values, **headers, **({"Cookie": self.cookie} if self.cookie else {}))

    def pair(self, code: str, **headers: str) -> Answer:
        answer = self.post("/api/v1/pair", {"code": code}, **headers)
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def score(self, seat: int = 0, points: int = 2, **more: Any) -> Answer:
        base = self.site.scoreboard.view.game.revisions[seat]
        values = {"id": tap(), "game": self.site.game, "do": "score", "seat": seat, "points": points, "base": base}
        return self.post("/api/v1/commands", values | more)

    @property
    def me(self) -> dict[str, Any]:
        answer = self.get("/api/v1/me")
        assert answer.status == 200
        return answer.json


def codes_of(site: Site) -> Codes:
    return site.server.access.codes


def paired(site: Site, role: str = "scorer") -> Device:
    device = Device(site)
    code = codes_of(site).director() if role == "director" else codes_of(site).scorer()
    answer = device.pair(code.text)
    assert (answer.status, answer.json["role"]) == (200, role)
    return device


@pytest.fixture
def closed(serve: Callable[..., Site]) -> Site:
    """A table that only paired devices may score at."""
    return serve(open=False)


# --- roles ---


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("do", ["undo", "redo", "amend", "over_peg"])
@pytest.mark.parametrize("strict", [True, False])
def test_a_win_is_taken_away_by_the_director_where_rules_are_strict(serve: Callable[..., Site], do: str, strict: bool):
    site = serve(open=False, house=("strict=on",) if strict else ())
    scorer, director = paired(site), paired(site, "director")
    while site.scoreboard.view.game.outcome is None:
        scorer.score(0, 29)
    newest = f"{len(site.scoreboard.view.game.entries)}"
    asked = {"game": site.game, "do": do, "entry": newest}
    asked |= {"points": 1, "was": 29} if do in {"amend", "over_peg"} else {}
    if do == "redo":
        asked["entry"] = ruled_and_undone(director, asked)
    told = scorer.post("/api/v1/preview", asked)
    if strict:
        assert told.refusal == (403, "role")
        assert scorer.post("/api/v1/commands", asked | {"id": tap()}).refusal == (403, "role")
    else:
        assert told.json["loses_win"] == 0, "the page asks"
    assert site.scoreboard.view.game.outcome is not None
    assert director.post("/api/v1/preview", asked).json["loses_win"] == 0
    assert director.post("/api/v1/commands", asked | {"id": tap()}).status == 201
    assert site.scoreboard.view.game.outcome is None


def ruled_and_undone(director: Device, asked: dict[str, Any]) -> str:
    """That the line was pegged too far, which was undone; answers the line that says so."""
    ruling = {"id": tap(), "do": "over_peg", "points": 1, "was": 29}
    answer = director.post("/api/v1/commands", asked | ruling)
    assert answer.status == 201
    line = str(answer.json["entry"])
    assert director.post("/api/v1/commands", asked | {"id": tap(), "do": "undo", "entry": line}).status == 201
    return line


def test_a_stranger_is_a_viewer_who_may_look_and_not_score(closed: Site):
    phone = Device(closed)
    assert phone.me == {"role": "viewer", "until": None, "open": False}
    with closed.as_it_was():
        assert phone.score().refusal == (403, "not_paired")
    assert phone.get("/").status == phone.get("/api/v1/state").status == phone.get("/board").status == 200
    assert b'data-role="viewer"' in phone.get("/").body


def test_a_phone_with_the_code_scores_and_does_not_direct(closed: Site):
    phone = paired(closed)
    assert phone.me["role"] == "scorer"
    assert phone.score().status == 201
    assert b'data-role="scorer"' in phone.get("/").body
    start = {"do": "start_match", "variant": "standard", "players": ["Ann", "Bob"], "format": "best of 3"}
    asked = {"id": tap(), "game": closed.game, "replaces": closed.game, "base": closed.scoreboard.view.revision}
    assert phone.post("/api/v1/commands", start | asked).refusal == (403, "role")
    assert paired(closed, "director").post("/api/v1/commands", start | asked).status == 201


def test_a_scorer_who_knows_the_directors_code_becomes_one_and_stays_the_same_device(closed: Site):
    phone = paired(closed)
    before = closed.server.access.session_of(cookies(phone))
    assert phone.pair(codes_of(closed).director().text).json["role"] == "director"
    now = closed.server.access.session_of(cookies(phone))
    assert (now.role, now.device) == ("director", before.device)


def test_a_director_who_scans_a_scorers_code_stays_one(closed: Site):
    phone = paired(closed, "director")
    before = phone.cookie
    assert phone.pair(codes_of(closed).scorer().text).json["role"] == "director"
    assert phone.cookie == before


def cookies(phone: Device) -> dict[str, str]:
    name, _, value = phone.cookie.partition("=")
    return {name: value}


def test_at_an_open_table_everybody_directs_and_there_is_no_code(site: Site):
    phone = Device(site)
    assert phone.me == {"role": "director", "until": None, "open": True}
    assert phone.pair("7KQ2AB").json == {"role": "director", "until": None}
    assert phone.cookie == ""
    told = site.get("/api/v1/pairing").json
    assert (told["code"], told["until"], told["url"]) == (None, None, f"http://127.0.0.1:{site.port}/")


def test_keys_are_always_trusted(closed: Site):
    closed.scoreboard.keys.dial(0, 5)
    closed.scoreboard.keys.peg(0)
    assert closed.fronts == [5, 0]


def test_the_bench_is_closed_with_the_table(serve: Callable[..., Site], bench):
    site = serve(bench, open=False)
    key = {"key": "a1", "level": "down"}
    assert Device(site).post("/api/v1/bench/keys", key).refusal == (403, "not_paired")
    assert paired(site).post("/api/v1/bench/keys", key).status == 204


# --- the code ---


def test_the_code_is_told_to_this_machine_and_to_who_is_paired(closed: Site):
    told = closed.get("/api/v1/pairing").json
    assert told["code"] == codes_of(closed).scorer().text
    assert told["url"] == f"http://127.0.0.1:{closed.port}/j/{told['code']}"
    assert (told["reach"], told["qr"]) == ("machine", None)
    assert 0 < told["until"] - time.time() <= 600
    elsewhere = {"X_Forwarded_For": "192.168.1.9"}
    assert Device(closed).get("/api/v1/pairing", **elsewhere).refusal == (403, "not_paired")
    assert paired(closed).get("/api/v1/pairing", **elsewhere).status == 200


def test_the_code_is_in_no_state_page_or_stream(closed: Site):
    code = codes_of(closed).scorer().text.encode()
    assert closed.get("/api/v1/pairing").body.find(code) > 0
    for path in ("/", "/board", "/api/v1/state", "/api/v1/health", "/api/openapi.json"):
        assert code not in closed.get(path).body
    assert code.decode() not in json.dumps(closed.watch().next().data)


def test_looking_at_the_page_of_a_code_redeems_nothing(closed: Site):
    code = codes_of(closed).scorer().text
    for path in (f"/j/{code}", f"/J/{code}", f"/j/{code.lower()}", "/j/", "/j"):
        answer = closed.get(path)
        assert (answer.status, answer.headers.get("set-cookie")) == (200, None)
    assert f'value="{code}"'.encode() in closed.get(f"/J/{code}").body
    assert Device(closed).pair(code).status == 200


def test_what_stands_behind_j_is_shown_as_text(closed: Site):
    page = closed.get("/j/%22%3E%3Cscript%3E" + "A" * 100).body
    assert b"<script>A" not in page
    assert b'value="&#34;&gt;&lt;script&gt;AAAA' in page


def test_a_used_code_is_refused_in_a_sentence(closed: Site):
    code = codes_of(closed).scorer().text
    assert Device(closed).pair(code).status == 200
    answer = Device(closed).pair(code)
    assert answer.refusal == (403, "wrong_code")
    assert "wrong or expired code; the table shows the current one" in answer.json["detail"]
    assert "pegboard code director" in answer.json["detail"], "the table never shows a director's code"
    assert "set-cookie" not in answer.headers


def test_ten_wrong_codes_renew_the_one_that_is_shown(closed: Site):
    shown = codes_of(closed).scorer()
    guess = "222222" if shown.text != "222222" else "333333"
    assert [Device(closed).pair(guess).refusal for _ in range(9)] == [(403, "wrong_code")] * 9
    assert closed.get("/api/v1/pairing").json["code"] == shown.text
    assert Device(closed).pair(guess).status == 403
    assert closed.get("/api/v1/pairing").json["code"] != shown.text
    assert Device(closed).pair(shown.text).status == 403


def test_codes_are_tried_five_times_a_minute_and_the_sixth_waits(serve: Callable[..., Site]):
    site = serve(open=False, throttle_loopback=True)
    phone = Device(site)
    assert [phone.pair("222222").status for _ in range(5)] == [403] * 5
    answer = phone.pair(codes_of(site).scorer().text)
    assert answer.refusal == (429, "too_many_tries")
    assert 1 <= int(answer.headers["retry-after"]) <= 12
    assert f"in {answer.headers['retry-after']} s" in answer.json["detail"]


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({}, (422, "shape")),
        ({"code": 123456}, (422, "shape")),
        ({"code": "7KQ2A"}, (422, "shape")),
        ({"code": "7KQ2AU"}, (422, "shape")),
        ({"code": "7KQ2AB", "role": "director"}, (422, "shape")),
        ({"code": "A" * 500}, (422, "shape")),
        (b"code=7KQ2AB", (400, "not_json")),
    ],
)
def test_what_is_no_code_is_said(closed: Site, body: Any, refusal: tuple[int, str]):
    assert closed.post("/api/v1/pair", body).refusal == refusal


def test_a_foreign_page_cannot_pair_or_unpair(closed: Site):
    code = codes_of(closed).scorer().text
    foreign = {"Origin": "http://example.org"}
    assert Device(closed).pair(code, **foreign).refusal == (403, "foreign_origin")
    assert paired(closed).post("/api/v1/unpair", {"all": False}, **foreign).refusal == (403, "foreign_origin")


def test_the_panel_shows_the_code_and_the_next_one_once_it_has_been_used(closed: Site):
    welcome = JoinNotice(closed.server.access, closed.scoreboard)
    closed.scoreboard.keys.invite()
    first = codes_of(closed).scorer().text
    assert closed.scoreboard.view.invitation.url == f"http://127.0.0.1:{closed.port}/j/{first}"
    welcome.refresh()
    assert closed.scoreboard.view.invitation.url.endswith(first)
    paired(closed)
    welcome.refresh()
    assert closed.scoreboard.view.invitation.url.endswith(codes_of(closed).scorer().text)
    assert not closed.scoreboard.view.invitation.url.endswith(first)


def test_a_new_code_does_not_come_back_to_a_panel_from_which_it_was_taken(closed: Site):
    welcome = JoinNotice(closed.server.access, closed.scoreboard)
    closed.scoreboard.keys.deal()
    assert closed.scoreboard.view.invitation is None
    paired(closed)
    welcome.refresh()
    assert closed.scoreboard.view.invitation is None
    closed.scoreboard.keys.invite()
    assert closed.scoreboard.view.invitation.url.endswith(codes_of(closed).scorer().text)


@pytest.mark.parametrize("place", ["http://255.255.255.255:65535", "https://255.255.255.255:65535", "http://10.0.0.7"])
def test_every_address_with_its_code_fits_the_panels_25_modules(place: str):
    assert qr(f"{place}/j/7KQ2AB")["size"] == 25 + 2 * 4


# --- cookies ---


def test_the_cookie_is_for_this_table_alone_and_no_script_reads_it(closed: Site):
    answer = Device(closed).pair(codes_of(closed).scorer().text)
    _, *attributes = answer.headers["set-cookie"].split("; ")
    wanted = {"Max-Age=43200", "HttpOnly", "Path=/", "SameSite=Strict"}
    assert {attribute for attribute in attributes if not attribute.startswith("Expires")} == wanted
    secret_of = (codes_of(closed)._file.folder / "secret").read_bytes()
    assert secret_of not in base64.urlsafe_b64decode(answer.headers["set-cookie"].split("=")[1].split(".")[0] + "===")


@pytest.fixture
def clock() -> MachineClock:
    return MachineClock()


@pytest.fixture
def access(tmp_path: Path, clock: MachineClock) -> Access:
    kept = Access(tmp_path, CLOSED, lambda _: WAY, clock=clock)
    kept.codes.scorer()
    return kept


def paired_cookie(access: Access, role: str = "scorer", **more: str) -> dict[str, str]:
    """The cookie of a device that has just been paired."""
    return {access.cookie: access.pair(role, **more)[1]}


def forged(access: Access, **values: Any) -> dict[str, str]:
    """A cookie of a paired device with other values, which the table's own secret has signed."""
    usual = {"session": access.devices[0].session, "epoch": access.codes.epoch}
    return {access.cookie: str(access._signer.dumps(usual | values))}


def test_a_signed_cookie_counts(access: Access):
    session, cookie = access.pair("scorer", "d")
    assert session == Session("scorer", "d", 1_795_000_000 + 12 * 3600)
    assert access.session_of({access.cookie: cookie}) == session


def test_an_expired_cookie_is_a_viewers(access: Access, clock: MachineClock):
    cookie = paired_cookie(access)
    clock.wait(12 * 3600 - 1)
    assert access.session_of(cookie).role == "scorer"
    clock.wait(1)
    assert access.session_of(cookie).role == "viewer"


def test_a_cookie_of_an_older_epoch_is_a_viewers(access: Access):
    cookie = paired_cookie(access)
    assert access.session_of(forged(access)).role == "scorer"
    assert access.session_of(forged(access, epoch="")).role == "viewer"
    access.codes.unpair_all()
    assert access.session_of(cookie).role == "viewer"


@pytest.mark.parametrize("session", ["", "x", None, 7, []])
def test_a_cookie_of_no_session_that_is_stored_is_a_viewers(access: Access, session: Any):
    paired_cookie(access)
    assert access.session_of(forged(access, session=session)).role == "viewer"


def test_a_cookie_of_another_table_is_a_viewers(access: Access, tmp_path: Path):
    folder = tmp_path / "other"
    folder.mkdir()
    other = Access(folder, CLOSED, lambda _: WAY)
    _, cookie = other.pair("director")
    assert other.cookie != access.cookie
    assert access.session_of({access.cookie: cookie}).role == "viewer"


def test_a_cookie_survives_a_restart(access: Access, clock: MachineClock, tmp_path: Path):
    _, cookie = access.pair("director")
    again = Access(tmp_path, CLOSED, lambda _: WAY, clock=clock)
    assert again.session_of({again.cookie: cookie}).role == "director"


@pytest.mark.parametrize(
    "value", ["", "x", "a.b", "." * 50, "e30.x", "A" * 4000, "\u00e9", "null", '{"role": "director"}']
)
def test_a_forged_cookie_is_a_viewers_and_no_error(access: Access, value: str):
    assert access.session_of({access.cookie: value}).role == "viewer"


def test_no_letter_of_a_cookie_may_be_changed(access: Access):
    _, cookie = access.pair("scorer")
    for place in range(len(cookie)):
        for letter in "Ab1":
            changed = cookie[:place] + letter + cookie[place + 1 :]
            if changed != cookie and _means_another(changed, cookie):
                assert access.session_of({access.cookie: changed}).role == "viewer", place


def _means_another(changed: str, cookie: str) -> bool:
    """The last letter of base 64 has bits that mean nothing."""

    def read(text: str) -> list[bytes]:
        return [base64.urlsafe_b64decode(part + "===") for part in text.split(".")]

    return changed.count(".") != cookie.count(".") or read(changed) != read(cookie)


@pytest.mark.parametrize("values", [[], "x", {"role": "scorer"}, {"session": 7, "epoch": 1}, None, 7])
def test_a_signed_cookie_of_another_shape_is_a_viewers(access: Access, values: Any):
    assert access.session_of({access.cookie: str(access._signer.dumps(values))}).role == "viewer"


def test_a_revoked_phone_is_a_viewer_at_its_next_tap_and_when_it_asks(closed: Site):
    phone = paired(closed)
    assert phone.score().status == 201
    codes_of(closed).unpair_all()
    with closed.as_it_was():
        assert phone.score().refusal == (403, "not_paired")
    assert phone.me["role"] == "viewer"
    assert phone.get("/").status == 200


def test_a_forged_cookie_over_the_wire_is_a_viewers(closed: Site):
    name = closed.server.access.cookie
    for value in ("x", "A" * 3000, "a.b.c", '"quoted"'):
        assert Device(closed, f"{name}={value}").me["role"] == "viewer"


# --- unpairing ---


def test_a_phone_unpairs_itself(closed: Site):
    phone, other = paired(closed), paired(closed)
    answer = phone.post("/api/v1/unpair", {"all": False})
    assert answer.json == {"role": "viewer", "until": None}
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert other.me["role"] == "scorer"


def test_only_a_director_unpairs_all_and_is_unpaired_too(closed: Site):
    phone, director = paired(closed), paired(closed, "director")
    assert phone.post("/api/v1/unpair", {"all": True}).refusal == (403, "role")
    assert Device(closed).post("/api/v1/unpair", {"all": True}).refusal == (403, "role")
    assert phone.me["role"] == "scorer"
    shown = codes_of(closed).scorer()
    assert director.post("/api/v1/unpair", {"all": True}).status == 200
    assert phone.me["role"] == director.me["role"] == "viewer"
    assert Device(closed).pair(shown.text).status == 403


def test_a_phone_that_has_left_the_table_cannot_come_back_with_its_old_cookie(closed: Site):
    phone = paired(closed)
    stolen = Device(closed, phone.cookie)
    assert phone.post("/api/v1/unpair", {"all": False}).status == 200
    assert stolen.me["role"] == phone.me["role"] == "viewer"
    with closed.as_it_was():
        assert stolen.score().refusal == (403, "not_paired")


def test_a_phone_that_pairs_again_is_one_device_whose_old_cookie_counts_no_more(closed: Site):
    phone = paired(closed, "director")
    before = Device(closed, phone.cookie)
    assert phone.pair(codes_of(closed).director().text).status == 200
    assert before.me["role"] == "viewer"
    assert len(phone.get("/api/v1/paired").json["devices"]) == 1


def test_a_director_sees_the_paired_devices_by_system_and_browser_and_no_more(closed: Site):
    phone, director = Device(closed), paired(closed, "director")
    agent = "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/SECRET) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36"
    assert phone.pair(codes_of(closed).scorer().text, User_Agent=agent).status == 200
    devices = director.get("/api/v1/paired").json["devices"]
    assert [(one["label"], one["role"], one["this"]) for one in devices] == [
        ("Android, Chrome", "scorer", False),
        ("", "director", True),
    ]
    assert devices[0]["seen"] is None
    phone.score()
    seen = director.get("/api/v1/paired").json["devices"][0]
    assert seen["since"] <= seen["seen"] < seen["until"]
    assert seen["until"] - seen["since"] == pytest.approx(12 * 3600, abs=1)
    kept = (codes_of(closed)._file.folder / "pairing.json").read_text()
    assert "Pixel" not in kept
    assert "SECRET" not in kept


def test_only_a_director_sees_them_or_unpairs_another(closed: Site):
    phone, director = paired(closed), paired(closed, "director")
    assert phone.get("/api/v1/paired").refusal == (403, "role")
    assert Device(closed).get("/api/v1/paired").refusal == (403, "not_paired")
    (other,) = [one["id"] for one in director.get("/api/v1/paired").json["devices"] if one["this"]]
    assert phone.post("/api/v1/unpair", {"device": other}).refusal == (403, "role")
    assert Device(closed).post("/api/v1/unpair", {"device": other}).refusal == (403, "role")
    assert director.me["role"] == "director"


def test_a_director_unpairs_one_device_and_all_others_stay(closed: Site):
    phone, other, director = paired(closed), paired(closed), paired(closed, "director")
    devices = director.get("/api/v1/paired").json["devices"]
    answer = director.post("/api/v1/unpair", {"device": devices[2]["id"]})
    assert (answer.status, answer.json["role"]) == (200, "director")
    assert "set-cookie" not in answer.headers
    assert [phone.me["role"], other.me["role"], director.me["role"]] == ["viewer", "scorer", "director"]
    with closed.as_it_was():
        assert phone.score().refusal == (403, "not_paired")
    assert director.post("/api/v1/unpair", {"device": devices[2]["id"]}).refusal == (404, "no_device")
    assert director.post("/api/v1/unpair", {"device": devices[0]["id"]}).json["role"] == "viewer", "itself"
    assert director.me["role"] == "viewer"


@pytest.mark.parametrize("elsewhere", [False, True])
def test_an_unpaired_device_cannot_come_back_with_a_code_that_it_has_read(closed: Site, elsewhere: bool):
    director, phone = paired(closed, "director"), paired(closed)
    read = [phone.get("/api/v1/pairing").json["code"], codes_of(closed).director().text]
    device = director.get("/api/v1/paired").json["devices"][0]["id"]
    if elsewhere:
        Codes.of_table(codes_of(closed)._file.folder).unpair(device)
    else:
        assert director.post("/api/v1/unpair", {"device": device}).status == 200
    assert [phone.pair(code).refusal for code in read] == [(403, "wrong_code")] * 2
    assert phone.me["role"] == "viewer"
    assert paired(closed).me["role"] == "scorer", "with the code that is shown now"


def test_an_unpaired_device_is_unpaired_after_a_restart(access: Access, clock: MachineClock, tmp_path: Path):
    gone, stays = paired_cookie(access, device="a"), paired_cookie(access, device="b")
    access.unpair("a")
    again = Access(tmp_path, CLOSED, lambda _: WAY, clock=clock)
    assert (again.session_of(gone).role, again.session_of(stays).role) == ("viewer", "scorer")


def test_devices_whose_time_is_over_are_forgotten(access: Access, clock: MachineClock):
    for n in range(3):
        access.pair("scorer", f"old {n}")
    clock.wait(12 * 3600)
    assert access.devices == []
    access.pair("scorer", "new")
    assert [one.id for one in access.codes.devices] == ["new"]


def test_when_a_device_was_seen_is_forgotten_with_it(access: Access):
    gone, stays = paired_cookie(access, device="a"), paired_cookie(access, device="b")
    for cookie in (gone, stays):
        assert access.session_of(cookie).role == "scorer"
    access.codes.unpair("a")  # as another program does
    access.keep_time()
    assert list(access._seen) == ["b"]


def test_the_scorers_silent_for_longest_make_room_after_an_hour_and_none_before(
    access: Access, clock: MachineClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(paired_devices, "MOST_DEVICES", 4)
    cookies = [
        paired_cookie(access, role, device=role + str(n)) for n, role in enumerate(["director"] + ["scorer"] * 3)
    ]
    with pytest.raises(
        TooManyPaired,
        match=r"^4 devices are paired, which is the limit; a director can unpair unused ones on /settings",
    ):
        access.pair("scorer", "one more")
    assert paired_cookie(access, device="scorer3"), "one that is paired pairs again"
    clock.wait(3600)
    assert access.session_of(cookies[1]).role == "scorer"
    cookies.append(paired_cookie(access, device="one more"))
    assert [access.session_of(one).role for one in cookies] == ["director", "scorer", "viewer", "viewer", "scorer"]
    assert [one.id for one in access.devices] == ["one more", "scorer3", "scorer1", "director0"]


def test_a_director_finds_room_among_scorers_at_once_and_no_director_makes_any(
    access: Access, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(paired_devices, "MOST_DEVICES", 2)
    access.pair("director", "first")
    access.pair("scorer", "busy")
    access.pair("director", "second")
    assert [one.id for one in access.devices] == ["second", "first"]
    with pytest.raises(TooManyPaired):
        access.pair("director", "third")


def test_a_program_that_has_just_begun_holds_no_phone_for_silent(
    access: Access, clock: MachineClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(paired_devices, "MOST_DEVICES", 1)
    access.pair("scorer", "first")
    clock.wait(3600)
    again = Access(tmp_path, CLOSED, lambda _: WAY, clock=clock)
    with pytest.raises(TooManyPaired):
        again.pair("scorer", "second")


def test_no_further_device_is_paired_where_too_many_are(closed: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paired_devices, "MOST_DEVICES", 1)
    director = paired(closed, "director")
    phone = Device(closed)
    assert phone.pair(codes_of(closed).scorer().text).refusal == (403, "too_many_paired")
    assert (director.me["role"], phone.me["role"]) == ("director", "viewer")


def test_scorers_are_paired_ten_a_minute_after_thirty_at_once_and_a_director_always(serve: Callable[..., Site]):
    site = serve(open=False, throttle_loopback=True, pairings_a_minute=1000, requests_at_once=1000)
    for _ in range(30):
        paired(site)
    shown = codes_of(site).scorer().text
    answer = Device(site).pair(shown)
    assert answer.refusal == (429, "too_many_tries")
    assert answer.json["key"] == "too_many_pairings"
    assert 1 <= int(answer.headers["retry-after"]) <= 6
    assert codes_of(site).scorer().text == shown, "it is not used up"
    assert paired(site, "director").me["role"] == "director"


# --- the secret ---


def test_the_secret_is_32_bytes_for_the_owner_alone(tmp_path: Path):
    before = os.umask(0)
    try:
        made = secret(tmp_path)
    finally:
        os.umask(before)
    assert len(made) == 32
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert secret(tmp_path) == made


def test_a_secret_that_others_could_read_is_closed(tmp_path: Path):
    made = secret(tmp_path)
    (tmp_path / "secret").chmod(0o644)
    assert secret(tmp_path) == made
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_a_broken_secret_is_made_anew(tmp_path: Path):
    (tmp_path / "secret").write_bytes(b"short")
    assert len(secret(tmp_path)) == 32


def test_whoever_asks_first_all_get_the_same_secret(tmp_path: Path):
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(secret(tmp_path))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12
    assert set(found) == {(tmp_path / "secret").read_bytes()}
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_without_a_secret_everybody_is_a_viewer_and_nobody_is_paired(tmp_path: Path):
    table = Access(tmp_path / "none", CLOSED, lambda _: WAY)
    assert table.session_of({"pegboard-12345678": "x"}).role == "viewer"
    with pytest.raises(StateFileError, match=r"cannot save the secret in .*: No such file or directory"):
        table.pair("scorer")


def test_looking_makes_no_secret(closed: Site):
    assert Device(closed).me["role"] == "viewer"
    assert not (codes_of(closed)._file.folder / "secret").exists()


def test_an_open_table_makes_no_secret(site: Site):
    assert site.score(0, 2).status == 201
    assert not (codes_of(site)._file.folder / "secret").exists()


# --- how fast ---


def test_codes_are_tried_five_times_a_minute_from_an_ipv6_network():
    rates = RateLimits(CLOSED, lambda: 0.0)

    def tried(address: str) -> bool:
        with contextlib.suppress(Problem):
            rates.check_pairing(Request({"REMOTE_ADDR": address, "SERVER_NAME": "2001:db8::2"}))
            return True
        return False

    assert [tried(f"2001:db8::{n}") for n in range(10, 17)] == [True] * 5 + [False] * 2
    assert tried("2001:db8:0:1::10")
    assert [tried("::ffff:192.0.2.9") for _ in range(5)] == [True] * 5
    assert not tried("192.0.2.9"), "it is the same one"


def test_after_sixty_wrong_codes_who_erred_waits_and_a_new_address_does_not():
    now = 0.0
    rates = RateLimits(CLOSED, lambda: now)
    tries = [Request({"REMOTE_ADDR": f"192.0.2.{n}", "SERVER_NAME": "192.0.2.250"}) for n in range(62)]
    for one in tries[:60]:
        rates.check_pairing(one)
        rates.note_wrong(one)
        now += 0.001
    now = 0.5
    with pytest.raises(Problem, match="too many wrong codes"):
        rates.check_pairing(tries[0])
    rates.check_pairing(tries[60])
    now = 1.5
    rates.check_pairing(tries[1])


def test_all_addresses_together_try_ten_codes_a_second():
    rates, looked_at = RateLimits(CLOSED, lambda: 0.0), 0
    for n in range(1000):
        with contextlib.suppress(Problem):
            rates.check_pairing(Request({"REMOTE_ADDR": f"198.18.{n >> 8}.{n & 255}", "SERVER_NAME": "192.0.2.250"}))
            looked_at += 1
    assert looked_at == 60


def test_guests_with_a_right_code_never_wait_however_many_come_from_one_address():
    rates, guest = RateLimits(CLOSED, lambda: 0.0), Request({"REMOTE_ADDR": "192.0.2.1", "SERVER_NAME": "192.0.2.250"})
    for _ in range(300):
        rates.check_guest(guest)()
    together = [rates.check_guest(guest) for _ in range(20)]  # all look before any is found right
    for count_as_right in together:
        count_as_right()
    for _ in range(5):
        rates.check_guest(guest)
        rates.note_wrong_guest(guest)
    with pytest.raises(Problem, match="in 12 s"):
        rates.check_guest(guest)


def test_a_wrong_code_writes_nothing(access: Access, tmp_path: Path):
    before = (tmp_path / "pairing.json").stat()
    guess = next(text for text in ("222222", "333333") if access.codes.role_of(text) is None)
    assert [access.codes.redeem(guess) for _ in range(9)] == [None] * 9
    after = (tmp_path / "pairing.json").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_right_code_is_no_try(serve: Callable[..., Site]):
    site = serve(open=False, throttle_loopback=True)
    assert [paired(site).me["role"] for _ in range(12)] == ["scorer"] * 12


def test_a_device_scores_thirty_times_at_once_and_then_waits(serve: Callable[..., Site]):
    site = serve(open=False, throttle_loopback=True, requests_at_once=1000, commands_a_second=0.1)
    phone, other = paired(site), paired(site)
    answers = [phone.score(points=1) for _ in range(31)]
    assert [answer.status for answer in answers[:30]] == [201] * 30
    assert answers[30].refusal == (429, "too_fast")
    assert int(answers[30].headers["retry-after"]) >= 1
    assert "in " + answers[30].headers["retry-after"] + " s" in answers[30].json["detail"]
    assert other.score(points=1).status == 201, "another device at the same address has its own share"


def test_a_repeated_tap_never_counts(serve: Callable[..., Site]):
    site = serve(open=False, throttle_loopback=True, requests_at_once=1000, commands_a_second=0.1, commands_at_once=3)
    phone = paired(site)
    same = {"id": tap(), "base": 0}
    assert phone.score(**same).status == 201
    assert [phone.score(**same).status for _ in range(40)] == [200] * 40
    assert [phone.score().status for _ in range(3)] == [201, 201, 429]
    assert phone.score(**same).status == 200, "its answer may have been lost"


def test_this_machine_is_not_held_up(closed: Site):
    phone = paired(closed)
    assert {phone.score(points=0).status for _ in range(45)} == {201}
    assert {closed.get("/api/v1/me").status for _ in range(250)} == {200}


def test_an_address_asks_so_often_and_then_waits(serve: Callable[..., Site]):
    site = serve(throttle_loopback=True, requests_a_second=0.01, requests_at_once=18)
    answers = [
        site.get(path) for path in ("/api/v1/me", "/", "/static/icons/icon.svg", "/nothing", "/api/v1/state") * 2
    ]
    assert {answer.status for answer in answers} == {200, 404}
    for path in ("/api/v1/state", "/static/icons/icon.svg", "/events", "/nothing"):
        answer = site.get(path)
        assert answer.refusal == (429, "too_fast")
        assert int(answer.headers["retry-after"]) >= 1
        assert "127.0.0.1" in answer.json["detail"]
    page = site.get("/", Accept="text/html")
    assert (page.status, page.headers["content-type"]) == (429, "text/html; charset=utf-8")


def test_so_many_connections_an_address_may_hold(serve: Callable[..., Site]):
    site = serve(throttle_loopback=True, connections_per_address=8)
    held = [site.raw() for _ in range(8)]
    refused = site.raw().makefile("rb").read()
    assert refused.startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
    assert b"retry-after: 2\r\n" in refused
    assert b"too many connections from 127.0.0.1; close a page" in refused
    assert b"x-frame-options: DENY" in refused
    held[0].close()
    assert soon(lambda: site.get("/api/v1/me").status == 200), "nobody is shut out for good"
