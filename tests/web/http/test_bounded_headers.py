"""Headers that are parsed are bounded: a hostile one takes hardly more steps than one of a browser."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.long_runs import some_combinations
from tests.support.machine_clock import MachineClock
from tests.support.web_server_and_clients import Site
from tests.web.access.test_sessions import CLOSED, WAY, paired
from web.access.sessions import Access
from web.http.client_address import Proxies, address_of
from web.http.request_head import LONGEST_LIST, MOST_COOKIES, bounded_headers
from web.http.static_files import accepts_gzip

ROOM = 7_900
"""Bytes of a value that fits the head of a request."""

HOSTILE = {
    "cookie": ("a=b;", ";", "=", '"\\"', "pegboard-1=x;", "language=fr;", 'pegboard-1="\\101\\"";', " ", "\u00e9"),
    "accept-language": ("a,", "fr;q=0.1,", "fr-", "9", '"\\"', " ", ",", "fr;q=9", "de;level=1;q=0.5,", ";"),
    "accept-encoding": ("gzip;q=0,", "a,", ",", ";q=", " "),
    "accept": ("text/html;q=0.5,", ";a=b", '"\\"', ","),
    "if-none-match": ('"a",', "W/", '"', ",", "*,"),
    "x-forwarded-for": ("1.2.3.4,", "127.0.0.1,", "[", ":", ",", '"', "[::1]:80,"),
}
CASES = [(name, part) for name, parts in HOSTILE.items() for part in parts]


def steps(act: Callable[[], object]) -> int:
    """How many calls of functions, of Python and of C, something takes."""
    count = 0

    def tick(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    act()
    sys.setprofile(tick)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


def filled(part: str) -> str:
    return (part * ROOM)[:ROOM]


def as_wsgi(name: str, value: str) -> dict[str, str]:
    """The header as a view gets it."""
    bounded = bounded_headers([(name.encode(), value.encode("latin-1"))])
    return {key.decode(): text.decode("latin-1") for key, text in bounded}


@pytest.mark.parametrize(("name", "part"), CASES)
def test_what_is_left_of_a_hostile_header_is_short(name: str, part: str):
    left = as_wsgi(name, filled(part)).get(name, "")
    assert len(left) <= (MOST_COOKIES * 540 if name == "cookie" else LONGEST_LIST)
    assert left.count(",") < 17


@pytest.mark.sampled(least=4)
@pytest.mark.parametrize(("header", "path"), some_combinations(CASES, ["/", "/api/v1/me", "/nothing"]))
def test_a_page_takes_hardly_more_steps_for_it(site: Site, header: tuple[str, str], path: str):
    name, part = header
    client = site.server._flask.test_client()

    def get(headers: dict[str, str]) -> object:
        return client.get(path, headers={"Host": "localhost"} | headers)

    usual = {"cookie": "language=en", "accept-language": "en-GB,en;q=0.9,de;q=0.8", "accept": "text/html,*/*;q=0.8"}
    plain = steps(lambda: get(usual))
    hostile = steps(lambda: get(as_wsgi(name, filled(part))))
    assert hostile < plain + 2_000


@pytest.mark.parametrize("part", HOSTILE["x-forwarded-for"])
def test_a_proxys_list_takes_few_steps(part: str):
    proxies = Proxies(["127.0.0.1", "10.0.0.0/8"])

    def resolve() -> object:
        headers = bounded_headers([(b"x-forwarded-for", filled(part).encode())])
        return proxies.resolve_client({"client": ("127.0.0.1", 5), "headers": headers})

    assert steps(resolve) < 600


@pytest.mark.parametrize("part", HOSTILE["cookie"])
def test_a_session_is_looked_for_in_few_steps(tmp_path: Path, part: str):
    access = Access(tmp_path, CLOSED, lambda _: WAY, clock=MachineClock())
    access.pair("scorer")

    def look() -> str:
        return access.device_of({"headers": bounded_headers([(b"cookie", filled(part).encode("latin-1"))])})

    assert look() == ""
    assert steps(look) < 1_500


# --- what browsers send stays ---


def test_the_cookie_of_this_table_is_found_among_those_of_others(site: Site):
    noise = [f"session_{n}={'x' * 40}" for n in range(60)]
    kept = bounded_headers(
        [(b"cookie", "; ".join([*noise[:30], "pegboard-1=ab", *noise[30:], "language=fr"]).encode())]
    )
    assert kept == [(b"cookie", b"pegboard-1=ab; language=fr")]


def test_a_paired_phone_with_many_foreign_cookies_scores(serve: Callable[..., Site]):
    closed = serve(open=False)
    phone = paired(closed)
    phone.cookie = "; ".join([f"other_{n}={'y' * 50}" for n in range(60)] + [phone.cookie])
    assert phone.score().status == 201


@pytest.mark.parametrize(
    "value",
    ["fr", "fr-FR,fr;q=0.9,en;q=0.8", "en-US,en;q=0.5", "*", ", ".join(f"a{chr(97 + n)};q=0.{n}" for n in range(10))],
)
def test_languages_of_browsers_stay_as_they_are(value: str):
    assert as_wsgi("accept-language", value) == {"accept-language": value}


def test_a_list_is_cut_between_its_items():
    items = [f'"{n:030}"' for n in range(100)]
    left = as_wsgi("if-none-match", ", ".join(items))["if-none-match"]
    assert [item.strip() for item in left.split(",")] == items[: left.count(",") + 1]
    assert left.count(",") > 10


def test_the_nearest_proxies_are_believed_and_the_rest_of_a_long_list_is_left_out():
    hops = [f"10.0.{n // 250}.{n % 250}" for n in range(400)] + ["203.0.113.9", "10.1.1.1"]
    headers = bounded_headers([(b"x-forwarded-for", ", ".join(hops).encode())])
    resolved = Proxies(["127.0.0.1", "10.0.0.0/8"]).resolve_client({"client": ("127.0.0.1", 5), "headers": headers})
    assert address_of(resolved) == "203.0.113.9"


def test_headers_that_come_twice_are_bounded_together():
    headers = [(b"accept-language", b"fr" * 200), (b"host", b"x"), (b"accept-language", b"de")] * 2
    assert len(dict(bounded_headers(headers)).get(b"accept-language", b"")) <= LONGEST_LIST
    assert (b"host", b"x") in bounded_headers(headers)


def test_gzip_is_still_understood():
    assert accepts_gzip(as_wsgi("accept-encoding", "gzip, deflate, br, zstd")["accept-encoding"])
