"""A device that is unpaired keeps nothing: its connections end, and its streams with them."""

from collections.abc import Callable

from tests.support.waiting import soon
from tests.support.web_server_and_clients import Site
from tests.web.access.test_sessions import Device
from web.access.pairing_codes import Codes


def phone(site: Site, role: str) -> Device:
    codes = site.server.access.codes
    device = Device(site)
    assert device.pair((codes.director() if role == "director" else codes.scorer()).text).status == 200
    return device


def count(site: Site) -> int:
    return len(site.server._events._viewers)


def test_streams_of_a_device_end_when_a_director_unpairs_it(serve: Callable[..., Site]):
    site = serve(open=False)
    director, thief = phone(site, "director"), phone(site, "scorer")
    streams = [site.watch(Cookie=one.cookie) for one in (director, thief, thief)]
    silent = site.raw(f"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nCookie: {thief.cookie}\r\n\r\n".encode())
    answer = silent.makefile("rb")
    assert answer.readline().startswith(b"HTTP/1.1 200 ")
    assert count(site) == 3
    (scorer,) = (one.id for one in site.server.access.devices if one.role == "scorer")
    assert director.post("/api/v1/unpair", {"device": scorer}).status in {200, 204}
    assert soon(lambda: count(site) == 1, 5)
    assert answer.read().endswith(b"}"), "and then it ends"
    site.score(0, 0)
    assert streams[0].next().kind == "state"


def test_streams_of_a_device_end_when_another_program_unpairs_it(serve: Callable[..., Site]):
    site = serve(open=False)
    one, thief = phone(site, "scorer"), phone(site, "scorer")
    for device in (one, thief):
        site.watch(Cookie=device.cookie)
    site.server.look_for_unpaired()
    (newest, _) = site.server.access.devices
    Codes(site.server._folder).unpair(newest.id)
    site.server.look_for_unpaired()
    assert soon(lambda: count(site) == 1, 5)
    assert one.me["role"] == "scorer"


def test_a_phone_that_unpairs_itself_is_answered(serve: Callable[..., Site]):
    site = serve(open=False)
    device = phone(site, "scorer")
    site.watch(Cookie=device.cookie)
    assert device.post("/api/v1/unpair", {}).status in {200, 204}
    assert soon(lambda: count(site) == 0, 5)
