"""The security log: who paired, who guessed, what was refused; no secret in it, no forged line, and no flood."""

import http.client
import json
import logging
import re
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from pegboard.errors import JournalError
from tests.support.program import Service
from tests.support.waiting import soon
from tests.support.web_server_and_clients import Site
from tests.web.access.test_access_of_real_program import make_certificate
from tests.web.access.test_sessions import Device, codes_of, paired
from web.access import paired_devices
from web.access.pairing_codes import Codes
from web.access.pairing_file import StateFileError
from web.http import listener
from web.http.security_log import BURST, BURST_OF_ALL, SecurityLog, quote_request

ELSEWHERE = {"X_Forwarded_For": "192.0.2.7"}
"""A header that no direct client sends: so the request is not the table's own machine's."""


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Callable[[str], list[str]]:
    """The lines of the security log that contain a word."""
    caplog.set_level(logging.INFO, "pegboard.security")

    def find(word: str = "") -> list[str]:
        said = [one.getMessage() for one in caplog.records if one.name == "pegboard.security"]
        return [line for line in said if word in line]

    return find


@pytest.fixture
def closed(serve: Callable[..., Site]) -> Site:
    return serve(open=False)


# --- pairings ---


def test_a_pairing_is_logged_with_time_address_device_and_role(closed: Site, lines):
    code = codes_of(closed).scorer().text
    phone = Device(closed)
    phone.pair(code)
    (device,) = closed.server.access.devices
    (line,) = lines()
    assert re.fullmatch(
        rf"\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ 127\.0\.0\.1 paired device {device.id} as a scorer, by its code", line
    )
    assert code not in line
    assert device.session not in line


def test_who_unpairs_whom_is_logged(closed: Site, lines):
    director, phone, other = paired(closed, "director"), paired(closed), paired(closed)
    last, first, by = (one.id for one in closed.server.access.devices)
    phone.post("/api/v1/unpair", {})
    director.post("/api/v1/unpair", {"device": last})
    director.post("/api/v1/unpair", {"all": True})
    said = [line.partition(" 127.0.0.1 ")[2] for line in lines("unpaired")]
    assert said == [
        f"unpaired device {first}, by itself",
        f"unpaired device '{last}', by device {by}",
        f"unpaired all devices, by device {by}",
    ]
    assert other.me["role"] == "viewer"


def test_what_another_program_unpairs_is_logged_and_once(closed: Site, lines):
    paired(closed)
    access = closed.server.access
    access.keep_time()
    (device,) = access.devices
    Codes(access._folder).unpair(device.id)
    access.keep_time()
    access.keep_time()
    (line,) = lines("unpaired")
    assert line.endswith(f" here unpaired device {device.id}, by pegboard unpair")


def test_what_the_table_unpairs_is_not_logged_as_another_programs(closed: Site, lines):
    phone = paired(closed)
    closed.server.access.keep_time()
    phone.post("/api/v1/unpair", {"all": False})
    closed.server.access.keep_time()
    assert len(lines("unpaired")) == 1


def test_what_the_table_unpairs_while_it_looks_for_others_is_not_logged_as_another_programs(
    closed: Site, lines, monkeypatch: pytest.MonkeyPatch
):
    phone, access = paired(closed), closed.server.access
    unpair = access.codes.unpair
    monkeypatch.setattr(access.codes, "unpair", lambda device: [access.keep_time(), unpair(device)][1])
    access.keep_time()
    phone.post("/api/v1/unpair", {"all": False})
    access.keep_time()
    (line,) = lines("unpaired")
    assert line.endswith(", by itself")


def test_a_device_that_makes_room_for_another_one_is_logged_so(closed: Site, lines, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paired_devices, "MOST_DEVICES", 1)
    monkeypatch.setattr(paired_devices, "SILENT_S", -1.0)
    paired(closed)
    access = closed.server.access
    access.keep_time()
    (first,) = access.devices
    paired(closed)
    access.keep_time()
    (second,) = access.devices
    (line,) = lines("unpaired")
    assert line.endswith(f" here unpaired device {first.id}, to make room for device {second.id}")


# --- attempts ---


def test_a_wrong_code_is_logged_without_the_code(closed: Site, lines):
    codes_of(closed).scorer()
    Device(closed).pair("ZZZZZZ")
    (line,) = lines()
    assert line.endswith("127.0.0.1 wrong_code: POST '/api/v1/pair'")


def test_tries_beyond_the_limit_are_logged(serve: Callable[..., Site], lines):
    site = serve(open=False, throttle_loopback=True)
    for _ in range(6):
        Device(site).pair("ZZZZZZ")
    assert len(lines("wrong_code")) == 5
    assert len(lines("too_many_tries")) == 1


def test_a_foreign_host_and_a_foreign_origin_are_logged(closed: Site, lines):
    closed.get("/", Host="evil.example")
    closed.post("/api/v1/pair", {}, Origin="http://evil.example")
    host, origin = lines()
    assert host.endswith("127.0.0.1 bad_host: GET '/' of 'evil.example'")
    assert origin.endswith("127.0.0.1 foreign_origin: POST '/api/v1/pair' of 'http://evil.example'")


def test_a_viewer_who_would_score_is_logged_and_a_scorer_who_would_direct_by_its_device(closed: Site, lines):
    assert Device(closed).score().status == 403
    paired(closed).get("/api/v1/paired")
    (device,) = closed.server.access.devices
    assert [line.partition(" 127.0.0.1 ")[2] for line in lines(": ") if " paired device" not in line] == [
        "not_paired: POST '/api/v1/commands'",
        f"role: GET '/api/v1/paired' by device {device.id}",
    ]


def test_a_forged_cookie_is_logged_once_a_request_and_not_its_words(closed: Site, lines):
    forged = Device(closed, f"{closed.server.access.cookie}=eyJzZXNzaW9uIjoieCJ9.forged")
    assert forged.me["role"] == "viewer"
    (line,) = lines()
    assert line.endswith("bad_cookie: a cookie not signed by this table, with GET '/api/v1/me'")


def test_a_cookie_that_was_unpaired_is_no_attempt(closed: Site, lines):
    phone = paired(closed)
    closed.server.access.unpair_all()
    assert phone.me["role"] == "viewer"
    assert lines("bad_cookie") == []


def test_what_is_not_http_is_logged(closed: Site, lines):
    connection = closed.raw(b"GET / SMTP\r\n\r\n")
    assert connection.recv(100).startswith(b"HTTP/1.1 400 ")
    assert lines()[0].endswith("127.0.0.1 not_http: invalid request")


# --- TLS ---


@pytest.fixture
def secure(serve: Callable[..., Site], tmp_path: Path) -> Site:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    make_certificate(certificate, key)
    return serve(tls=listener.tls_context(str(certificate), str(key)))


def handshake(site: Site, ciphers: str, newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_2) -> str:
    """The suite that is agreed on with a client that offers these."""
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode, client.maximum_version = False, ssl.CERT_NONE, newest
    client.set_ciphers(ciphers)
    with client.wrap_socket(socket.create_connection(("127.0.0.1", site.port), 10)) as connection:
        return str((connection.cipher() or ("",))[0])


@pytest.mark.parametrize("ciphers", ["ECDHE+AESGCM", "ECDHE+CHACHA20"])
def test_tls_1_2_is_spoken_with_authenticated_encryption(secure: Site, ciphers: str):
    assert re.search("GCM|CHACHA20", handshake(secure, ciphers))


def test_tls_1_3_is_spoken(secure: Site):
    assert handshake(secure, "ALL", ssl.TLSVersion.TLSv1_3).startswith("TLS_")


@pytest.mark.parametrize("ciphers", ["ECDHE+AES:!AESGCM:!AESCCM", "ECDHE-RSA-AES128-SHA", "DHE+AESGCM", "RSA+AESGCM"])
def test_a_client_with_older_suites_alone_is_refused_and_logged(secure: Site, lines, ciphers: str):
    with pytest.raises(ssl.SSLError):
        handshake(secure, ciphers)
    soon(lambda: lines("tls_failed") != [])
    assert lines()[0].endswith("127.0.0.1 tls_failed: the handshake was not completed")


# --- floods, forgeries, secrets ---


def test_a_flood_of_one_address_writes_a_few_lines_and_counts_the_rest(lines):
    now = [0.0]
    log = SecurityLog(lambda: now[0], lambda: 0.0)
    for _ in range(100_000):
        log.note_suspect("wrong_code", "192.0.2.7", "x")
    assert lines() == BURST * ["1970-01-01T00:00:00Z 192.0.2.7 wrong_code: x"]
    now[0] = 60
    log.note_suspect("wrong_code", "192.0.2.7", "x")
    assert lines()[-1] == "1970-01-01T00:00:00Z 192.0.2.7 wrong_code: x (and 99,995 before it)"


def test_a_flood_from_many_addresses_writes_few_lines_too_and_hides_no_other_kind(lines):
    log = SecurityLog(lambda: 0.0, lambda: 0.0)
    for number in range(1000):
        log.note_suspect("bad_host", f"2001:db8:0:{number:x}::1", "x")
    log.note_suspect("wrong_code", "192.0.2.7", "x")
    assert len(lines("bad_host")) == BURST_OF_ALL
    assert len(lines("wrong_code")) == 1


def test_no_client_begins_a_line_of_its_own(lines):
    log = SecurityLog()
    log.note_refusal("bad_host", "fe80::1%\nINFO", "GET", "/a\nWARNING pegboard: forged\x1b[2J\u2028\u202e", "")
    (line,) = lines()
    assert line.isascii()
    assert line.isprintable()


@pytest.mark.parametrize("path", ["/j/7KQ2AB", "/J/7KQ2AB", "//j/7KQ2AB", "/j//7KQ2AB", "/j/x/\n7KQ2AB"])
def test_no_code_of_an_invitation_is_logged(path: str):
    said = quote_request("GET", path)
    assert "7KQ2" not in said
    assert "\n" not in said


@pytest.mark.parametrize("path", ["/J/7KQ2AB%0AERROR%20pegboard:%20forged", "/j/7KQ2AB", "/static/x%0AERROR"])
@pytest.mark.parametrize("part", ["web.table.app.render_template", "web.http.static_files.StaticFiles.__call__"])
def test_after_a_fault_neither_a_code_nor_a_forged_line_is_logged(
    quiet: Site, caplog: pytest.LogCaptureFixture, path: str, part: str
):
    with patch(part, side_effect=ZeroDivisionError("fault")):
        quiet.get(path)
    said = [one.getMessage() for one in caplog.records if "failed" in one.getMessage()]
    assert all("7KQ2" not in line and "\n" not in line for line in said)
    assert said or path.startswith("/static"), "pages are not asked for a static file"


# --- what is said of faults ---


def failing(error: Exception) -> object:
    return patch.object(Codes, "redeem", side_effect=error)


LOCKED = StateFileError("codes_locked", path="/var/lib/pegboard/pairing.json", holder="process 4711 (sleep) of ann")


def test_who_is_not_paired_is_not_told_of_files_and_programs_and_the_log_is(closed: Site, lines):
    with failing(LOCKED):
        answer = Device(closed).pair("7KQ2AB", **ELSEWHERE)
    assert answer.refusal == (503, "not_stored")
    assert not re.search(rb"pairing\.json|4711|sleep|ann\b|/var", answer.body)
    assert answer.json["detail"] == "the table cannot do that now; see its log"
    (line,) = lines("fault")
    assert "4711" in line


def test_a_page_does_not_tell_either(closed: Site):
    fault = JournalError("codes_failed", path="/var/lib/x", error="disk full")
    with patch("pegboard.storage.games.History.has_game", side_effect=fault):
        away = Device(closed).get("/history/abc", Accept="text/html", **ELSEWHERE)
        here = Device(closed).get("/history/abc", Accept="text/html")
    assert (away.status, here.status) == (503, 503)
    assert b"<h1>" in away.body
    assert (b"/var/lib" in away.body, b"/var/lib" in here.body) == (False, True)


def test_a_paired_device_and_the_tables_machine_are_told(closed: Site):
    phone = paired(closed)
    with failing(LOCKED):
        assert "4711" in phone.pair("7KQ2AB", **ELSEWHERE).json["detail"]
        assert "4711" in Device(closed).pair("7KQ2AB").json["detail"]


def test_what_is_too_busy_says_so_to_everybody(closed: Site):
    assert Device(closed).get("/api/v1/state", **ELSEWHERE).status == 200


# --- the real program ---


def test_the_log_of_a_service_tells_of_a_pairing_and_of_a_wrong_code(tmp_path: Path):
    with Service(tmp_path / "state", closed=True) as program:
        code = program.code()
        program.client(role="scorer")
        connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=60)
        values = json.dumps({"code": "ZZZZZZ"})
        connection.request("POST", "/api/v1/pair", values, {"Content-Type": "application/json"})
        assert connection.getresponse().status == 403
        program.stop()
        said = program.process.stdout.read()
    assert re.search(
        r"^INFO pegboard\.security: \S+Z 127\.0\.0\.1 paired device \w{16} as a scorer", said, re.MULTILINE
    )
    assert re.search(r"^WARNING pegboard\.security: \S+Z 127\.0\.0\.1 wrong_code: POST", said, re.MULTILINE)
    assert not [line for line in said.splitlines() if code in line and "pegboard.security" in line]
