"""The middleware: checks of Host and Origin, trusted proxies, rate limits, and the headers of every response."""

import base64
import contextlib
import hashlib
import re
import socket
import struct
import time
from collections.abc import Callable

import pytest

from pegboard.config import WebSettings
from pegboard.errors import SettingError
from tests.support.web_server_and_clients import OPEN, Site, tap
from web.http.client_address import Proxies, address_of, is_local, limited_address, url_by_ip
from web.http.problems import Problem
from web.http.rate_limit import REFUSALS_A_SECOND
from web.http.security_middleware import RequestLimiter, cost_of
from web.kit.site import STYLE

STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
PAGE_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' 'sha256-{STYLE_HASH}'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
FILE_POLICY = "default-src 'none'; frame-ancestors 'none'"


def security_of(headers: dict[str, str]) -> dict[str, str]:
    """What a response must carry; one without content-type has no body that could load anything."""
    is_page = headers.get("content-type", "").startswith("text/html")
    return {
        "content-security-policy": PAGE_POLICY if is_page else FILE_POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "x-frame-options": "DENY",
    }


ROUTES = ["/api/v1/state", "/api/openapi.json", "/events", "/static/icons/icon.svg", "/api/v1/bench", "/"]


@pytest.mark.parametrize("route", [*ROUTES, "/nothing", "/api/nothing", "/static/nothing.js", "/static/../app.py"])
def test_every_answer_carries_the_security_headers(quiet: Site, route):
    watcher = quiet.watch(route)
    assert security_of(watcher.headers).items() <= watcher.headers.items()
    assert "date" in watcher.headers
    assert "server" not in watcher.headers
    assert not [name for name in watcher.headers if name.startswith("access-control")]


def test_every_route_there_is_carries_the_security_headers(quiet: Site):
    app = quiet.server._flask
    paths = {re.sub(r"<(\w+:)?\w+>", "x", str(rule)) for rule in app.url_map.iter_rules()}
    assert {"/", "/j/x", "/api/v1/me", "/api/v1/pair", "/api/v1/commands", "/api/openapi.json"} <= paths
    for path in sorted(paths | {"/events/x", "/nothing"}):
        for method in ("GET", "POST", "DELETE"):
            headers = quiet.ask(method, path).headers
            assert security_of(headers).items() <= headers.items(), (method, path)
            assert "strict-transport-security" not in headers


def test_what_is_refused_for_coming_too_fast_carries_them_too(serve: Callable[..., Site]):
    site = serve(throttle_loopback=True, requests_a_second=1, requests_at_once=1)
    answers = [site.get(path) for path in ("/", "/", "/events", "/static/icons/icon.svg")]
    assert [answer.status for answer in answers] == [200, 429, 429, 429]
    for answer in answers:
        assert security_of(answer.headers).items() <= answer.headers.items()


@pytest.mark.parametrize(("path", "policy"), [("/", PAGE_POLICY), ("/static/icons/icon.svg", FILE_POLICY)])
def test_only_a_page_may_load_anything(quiet: Site, path, policy):
    assert quiet.get(path).headers["content-security-policy"] == policy


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:8080",
        "192.168.1.7:8080",
        "[::1]:8080",
        "[fe80::1]",
        "localhost",
        "LOCALHOST:1",
        "pegboard.local",
        "pegboard.local.:8080",
        f"{socket.gethostname()}:8080",
        f"{socket.gethostname().partition('.')[0]}.local",
    ],
)
def test_the_table_answers_to_addresses_and_its_own_names(quiet: Site, host):
    assert quiet.get("/api/v1/state", Host=host).status == 200


@pytest.mark.parametrize(
    "host",
    ["example.org", "example.org:8080", "pegboard.local.example.org", "localhost.example.org", "1.2.3", "", "[x]"],
)
@pytest.mark.parametrize("route", [*ROUTES, "/nothing"])
def test_any_other_name_is_refused_before_anything_is_looked_at(quiet: Site, host, route):
    answer = quiet.get(route, Host=host)
    assert answer.refusal == (400, "bad_host")
    assert "use its IP address, or add the name to web.names" in answer.json["detail"]


def test_a_foreign_name_is_refused_for_commands_too(quiet: Site):
    with quiet.as_it_was():
        values = {"id": tap(), "game": quiet.game, "do": "score", "seat": 0, "points": 2, "base": 0}
        assert quiet.post("/api/v1/commands", values, Host="example.org").refusal == (400, "bad_host")


def test_configured_names_are_answered_to(serve: Callable[..., Site]):
    site = serve(names=("Club.Example.org",))
    assert site.get("/api/v1/state", Host="club.example.org:8080").status == 200


def test_a_forwarded_host_is_ignored(quiet: Site):
    assert quiet.get("/api/v1/state", X_Forwarded_Host="example.org").status == 200
    assert quiet.get("/api/v1/state", Host="example.org", X_Forwarded_Host="localhost").status == 400


@pytest.mark.long
def test_a_hundred_thousand_requests_of_one_address_shut_out_neither_it_nor_others():
    clock, taken = [1000.0], {"192.168.1.9": 0, "192.168.1.10": 0}
    limiter = RequestLimiter(WebSettings(requests_a_second=50, requests_at_once=200), clock=lambda: clock[0])

    def ask(address):
        scope = {"client": (address, 1), "server": ("192.168.1.7", 80), "headers": [], "path": "/api/v1/state"}
        with contextlib.suppress(Problem):
            limiter.admit(scope)
            taken[address] += 1

    for n in range(100_000):
        clock[0] += 0.001
        ask("192.168.1.9")
        if n % 100 == 0:
            ask("192.168.1.10")
    assert taken == {"192.168.1.9": pytest.approx(200 + 50 * 100, abs=2), "192.168.1.10": 1000}
    before = taken["192.168.1.9"]
    clock[0] += 1
    ask("192.168.1.9")
    assert taken["192.168.1.9"] == before + 1


PROXIED = {"X_Forwarded_For": "203.0.113.9", "X_Forwarded_Host": "club.example.org", "X_Forwarded_Proto": "https"}


def test_a_trusted_proxy_tells_host_scheme_and_address(serve: Callable[..., Site]):
    site = serve(open=False, proxies=("127.0.0.0/8",), names=("club.example.org",), pairings_a_minute=1)
    code = {"code": site.server.access.codes.scorer().text}
    answer = site.post("/api/v1/pair", code, Origin="https://club.example.org", **PROXIED)
    assert answer.status == 200
    assert "; Secure" in answer.headers["set-cookie"]
    assert site.post("/api/v1/pair", code, **PROXIED).refusal == (403, "wrong_code")
    assert site.post("/api/v1/pair", code, **PROXIED).refusal == (429, "too_many_tries"), "loopback is not meant"
    elsewhere = PROXIED | {"X_Forwarded_For": "203.0.113.10"}
    assert site.post("/api/v1/pair", code, **elsewhere).refusal == (403, "wrong_code"), "each address has its share"


def test_behind_a_trusted_proxy_the_public_name_is_checked(serve: Callable[..., Site]):
    site = serve(proxies=("127.0.0.1",))
    assert site.get("/api/v1/state", **PROXIED).refusal == (400, "bad_host")
    assert site.get("/api/v1/state", X_Forwarded_Host="table.test, pegboard.local").status == 200


def test_a_proxy_that_is_not_trusted_is_not_believed(serve: Callable[..., Site]):
    site = serve(open=False, proxies=("192.0.2.0/24",))
    code = {"code": site.server.access.codes.scorer().text}
    answer = site.post("/api/v1/pair", code, X_Forwarded_Proto="https", X_Forwarded_Host="example.org")
    assert answer.status == 200
    assert "Secure" not in answer.headers["set-cookie"]
    assert site.get("/api/v1/pairing").status == 200
    assert site.get("/api/v1/pairing", X_Forwarded_For="127.0.0.1").refusal == (403, "not_paired")


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("127.0.0.1, 203.0.113.9", "203.0.113.9"),
        ("198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("203.0.113.9:4711", "203.0.113.9"),
        ('"[2001:db8::9]:4711"', "2001:db8::9"),
        ("10.0.0.9, 10.0.0.2", "10.0.0.9"),
        ("unknown", "unknown"),
    ],
)
def test_the_last_address_that_is_no_proxy_is_the_client(forwarded: str, client: str):
    headers = [(b"x-forwarded-for", forwarded.encode()), (b"host", b"pegboard.local")]
    scope = {"client": ("10.0.0.1", 80), "server": ("10.0.0.7", 80), "scheme": "http", "headers": headers}
    reached = Proxies(("10.0.0.0/8",)).resolve_client(scope)
    assert address_of(reached) == client
    assert not is_local(reached)


def test_a_proxy_that_names_nobody_is_not_this_machine(serve: Callable[..., Site]):
    site = serve(open=False, proxies=("127.0.0.1",))
    assert site.get("/api/v1/pairing").refusal == (403, "not_paired")
    scope = {"client": ("127.0.0.1", 80), "server": ("127.0.0.1", 80), "scheme": "http", "headers": []}
    assert is_local(scope)
    assert not is_local(Proxies(("127.0.0.1",)).resolve_client(scope))


def test_a_costly_page_counts_more():
    paths = ("/api/v1/me", "/", "/rules", "/api/v1/games/5b0e7c1f92aa", "/api/v1/stats", "/static/1/pad.js")
    assert [cost_of(path) for path in paths] == [1, 3, 3, 10, 20, 1]


def test_a_proxy_is_set_by_its_address():
    with pytest.raises(SettingError, match=r"web\.proxies must be an address or network.*not 'nginx'"):
        Proxies(("nginx",))


@pytest.mark.parametrize(
    "origin",
    [
        "http://example.org",
        "null",
        "http://localhost",
        "http://127.0.0.1:1",
        "http://127.0.0.1",
        "127.0.0.1:{port}",
        "chrome-extension://127.0.0.1:{port}",
        "ftp://127.0.0.1:{port}",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/commands", "/api/v1/bench/keys", "/events", "/nothing"])
def test_a_foreign_page_changes_nothing(quiet: Site, origin, path):
    values = {"id": tap(), "game": quiet.game, "do": "score", "seat": 0, "points": 2, "base": 0}
    with quiet.as_it_was():
        answer = quiet.post(path, values, Origin=origin.format(port=quiet.port))
    assert answer.refusal == (403, "foreign_origin")
    assert "open the table's own page" in answer.json["detail"]


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("pegboard.local", "http://pegboard.local"),
        ("pegboard.local:80", "http://pegboard.local"),
        ("pegboard.local", "https://pegboard.local:443"),
        ("[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_the_tables_own_page_may_score(site: Site, host, origin):
    values = {"id": tap(), "game": site.game, "do": "score", "seat": 0, "points": 2, "base": 0}
    assert site.post("/api/v1/commands", values, Host=host, Origin=origin).status == 201


def test_looking_is_free_from_anywhere(quiet: Site):
    assert quiet.get("/api/v1/state", Origin="http://example.org").status == 200


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "not_found"),
        ("GET", "/api/v1/", 404, "not_found"),
        ("GET", "/static/", 404, "not_found"),
        ("GET", "/events/", 404, "not_found"),
        ("POST", "/api/v1/state", 405, "method"),
        ("GET", "/api/v1/commands", 405, "method"),
        ("DELETE", "/api/v1/commands", 405, "method"),
        ("BREW", "/api/v1/commands", 405, "method"),
        ("POST", "/events", 405, "method"),
        ("HEAD", "/events", 405, "method"),
    ],
)
def test_what_is_not_there_is_said_as_a_problem(quiet: Site, method, path, status, code):
    answer = quiet.ask(method, path)
    assert answer.status == status
    assert ("allow" in answer.headers) == (status == 405)
    if method != "HEAD":
        assert answer.refusal == (status, code)
        assert path in answer.json["detail"] or path == "/events"


def test_a_browser_gets_a_page(quiet: Site):
    answer = quiet.get("/nothing<b>", Accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert answer.status == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "Nothing at /nothing&lt;b&gt;;" in answer.body.decode()
    assert "style=" not in answer.body.decode()


def test_a_browser_under_a_foreign_name_gets_a_page_too(quiet: Site):
    answer = quiet.get("/board", Accept="text/html", Host="example.org")
    assert (answer.status, answer.headers["content-type"]) == (400, "text/html; charset=utf-8")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en-US,en;q=0.9", "This pegboard is not called pegboard.fritz.box"),
        ("fr-CA,fr;q=0.9", "Ce pegboard ne s’appelle pas pegboard.fritz.box"),
    ],
)
def test_a_browser_under_the_routers_name_gets_the_address_that_works_and_the_setting(quiet: Site, language, said):
    answer = quiet.get("/board", Accept="text/html", Host="pegboard.fritz.box", Accept_Language=language)
    page = answer.body.decode()
    assert (answer.status, page.count("<script"), page.count("stylesheet")) == (400, 0, 0)
    assert f'<html lang="{language[:2]}">' in page
    assert said in page
    assert f'<a href="http://127.0.0.1:{quiet.port}/board">' in page
    assert "web.names" in page
    assert "names = [&quot;pegboard.fritz.box&quot;]" in page


def test_a_name_in_the_page_of_wrong_names_is_escaped(quiet: Site):
    page = quiet.get("/", Accept="text/html", Host="<b>{url}").body.decode()
    assert "<b>" not in page
    assert page.count("<a ") == 1


@pytest.mark.parametrize(
    ("server", "headers", "url"),
    [
        (("192.168.1.7", 80), [], "http://192.168.1.7/a%20b"),
        (("::ffff:192.168.1.7", 8080), [], "http://192.168.1.7:8080/a%20b"),
        (("2001:db8::7", 8080), [], "http://[2001:db8::7]:8080/a%20b"),
        (("fe80::1", 8080), [], None),
        (("127.0.0.1", 8080), [(b"x-forwarded-for", b"203.0.113.9")], None),
        (("/run/socket", None), [], None),
        (None, [], None),
    ],
)
def test_the_address_that_works_is_the_one_that_was_reached(server, headers, url):
    assert url_by_ip({"server": server, "scheme": "http", "path": "/a b", "headers": headers}) == url


def test_the_api_speaks_json_to_browsers_too(quiet: Site):
    assert quiet.get("/api/nothing", Accept="text/html").refusal == (404, "not_found")


def test_a_changed_file_is_always_seen(quiet: Site):
    answer = quiet.get("/static/icons/icon.svg")
    assert answer.headers["cache-control"] == "no-cache"
    assert quiet.get("/static/icons/icon.svg", If_None_Match=answer.headers["etag"]).status == 304


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01 hello\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\nHost: 127.0.0.1\n\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\nAccept: */*\r\n\r\n",
        (
            b"POST /api/v1/preview HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: a,\r\n b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: a,\r\n\tb\r\n\r\n",
        b"GET / HTTP/1.1\r\n Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"POST /api/v1/preview HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2, 2\r\n\r\n{}",
        b"POST /api/v1/preview HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-length:2\r\nContent-Length: 2\r\n\r\n{}",
    ],
)
def test_what_is_not_http_is_refused_like_everything_else(quiet: Site, data):
    connection = quiet.raw(data)
    answer = b""
    while part := connection.recv(65536):
        answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"x-frame-options: DENY" in head
    assert b'"code":"not_http"' in body


ASKED = b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def fields(number, length=1):
    return b"".join(b"X-%d: %b\r\n" % (n, b"a" * length) for n in range(number))


@pytest.mark.parametrize("sent_before", [b"", ASKED + b"\r\n"], ids=["alone", "behind another request"])
@pytest.mark.parametrize(
    "more", [fields(100), fields(3500), fields(1, 8200), fields(1, 60_000)], ids=["100", "3500", "8 kB", "60 kB"]
)
def test_head_beyond_its_limits_is_refused_before_it_is_parsed(quiet: Site, more, sent_before):
    connection = quiet.raw(sent_before + ASKED + more + b"\r\n")
    answer = b""
    while part := connection.recv(65536):
        answer += part
    assert answer.count(b"HTTP/1.1 200 ") == bool(sent_before)
    assert b"HTTP/1.1 431 " in answer
    assert b'"code":"head_too_large"' in answer


def test_heads_beyond_their_limits_are_refused_one_after_another_and_no_faster(quiet: Site):
    number, begun = 40, time.monotonic()
    connections = [quiet.raw(ASKED + fields(3500) + b"\r\n") for _ in range(number)]
    for connection in connections:
        assert connection.recv(65536).startswith(b"HTTP/1.1 431 ")
    assert time.monotonic() - begun >= (number - 1) / REFUSALS_A_SECOND * 0.9


def test_whoever_leaves_before_its_refusal_is_sent_disturbs_nobody(quiet: Site, caplog):
    *leaving, last = [quiet.raw(ASKED + fields(3500) + b"\r\n") for _ in range(20)]
    for connection in leaving:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()  # with a reset
    assert last.recv(65536).startswith(b"HTTP/1.1 431 ")
    assert {record.name for record in caplog.records} <= {"pegboard.security"}


def test_head_within_its_limits_is_taken(quiet: Site):
    connection = quiet.raw(ASKED + b"Connection: close\r\n" + fields(98, 60) + b"\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")


# --- networks of IPv6 ---


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.168.1.9", "192.168.1.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("fe80::1%wlan0", "fe80::/64"),
        ("::ffff:192.168.1.9", "192.168.1.9"),
        ("::ffff:c0a8:109", "192.168.1.9"),
        ("0:0:0:0:0:ffff:192.168.1.9", "192.168.1.9"),
        ("::1", "::1"),
        ("", ""),
    ],
)
def test_an_ipv6_network_counts_as_one_address_and_a_mapped_address_as_that_of_ipv4(address, counted):
    assert limited_address(address) == counted


def test_the_addresses_of_one_ipv6_network_have_a_limit_of_requests_together():
    def admitted(addresses: list[str], device: str = "") -> int:
        limiter, count = RequestLimiter(OPEN, lambda: 0.0, device_of=lambda _: device), 0
        for address in addresses:
            with contextlib.suppress(Problem):
                limiter.admit({"client": (address, 1), "server": ("::2", 1), "headers": [], "path": "/api/v1/stats"})
                count += 1
        return count

    assert admitted([f"2001:db8::{n:x}" for n in range(300)]) == 4 * 10
    assert admitted([f"2001:db8:0:{n:x}::9" for n in range(30)]) == 30
    assert admitted(["2001:db8::9"] * 300) == 10
    assert admitted([f"192.168.1.{n}" for n in range(30)], "a phone") == 10, "whatever its address"
