"""An open table that the internet reaches is said everywhere; one at home is not, whatever addresses a home has."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pegboard.startup.start_notice import JoinNotice
from tests.support.waiting import soon
from tests.support.web_server_and_clients import Site
from web.access.sessions import Exposure, is_from_internet, is_public_ipv4

LOUD = "this table is open and can be reached from the internet at "


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "1.1.1.1"])
def test_a_public_ipv4_address_of_its_own_is_enough(address: str):
    assert is_public_ipv4(address)
    exposure = Exposure(is_open=True)
    exposure.check_own(["192.168.1.7", address])
    assert exposure.address == address


@pytest.mark.parametrize(
    "address",
    [
        *("192.168.1.7", "10.4.4.4", "172.20.0.3", "169.254.7.7", "127.0.0.1", "100.64.9.9", "0.0.0.0", "192.0.2.1"),
        *("2a02:8109:1:2::7", "fe80::1", "fd00::1", "::1", "pegboard.local", ""),
    ],
)
def test_private_shared_and_ipv6_addresses_of_its_own_tell_nothing(address: str):
    exposure = Exposure(is_open=True)
    exposure.check_own([address])
    assert exposure.address is None


@pytest.mark.parametrize(
    ("client", "server", "is_outside"),
    [
        ("8.8.8.8", "192.168.1.7", True),
        ("192.168.1.9", "192.168.1.7", False),
        ("100.100.1.1", "192.168.1.7", False),
        ("8.8.8.8", "8.8.8.8", False),
        ("2a02:8109:1:2::9", "2a02:8109:1:2::7", False),
        ("2a02:8109:1:ab::9", "2a02:8109:1:2::7", False),
        ("2a02:8109:1:200::9", "2a02:8109:1:2::7", True),
        ("2607:f8b0::1", "2a02:8109:1:2::7", True),
        ("fe80::9", "fe80::7", False),
        ("fd00::9", "2a02:8109:1:2::7", False),
        ("::1", "::1", False),
        ("", "192.168.1.7", False),
        ("unix", "", False),
    ],
)
def test_a_client_comes_from_the_internet_when_it_is_in_no_network_of_this_house(
    client: str, server: str, is_outside: bool
):
    assert is_from_internet(client, server) is is_outside
    exposure = Exposure(is_open=True)
    exposure.check_client({"client": (client, 5), "server": (server, 8080)})
    assert (exposure.address == client) is is_outside


def test_a_closed_table_may_be_reached_from_anywhere():
    exposure = Exposure(is_open=False)
    exposure.check_own(["8.8.8.8"])
    exposure.check_client({"client": ("8.8.8.8", 5), "server": ("192.168.1.7", 8080)})
    assert exposure.address is None


@pytest.fixture
def reached(serve: Callable[..., Site]) -> Site:
    """An open table behind a proxy that has forwarded a request from the internet."""
    site = serve(open=True, proxies=("127.0.0.1",))
    assert site.get("/api/v1/health").json["service"]["open_to"] is None
    assert b'class="exposed"' not in site.get("/").body
    assert site.get("/", X_Forwarded_For="93.184.216.34").status == 200
    return site


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("path", ["/", "/board", "/tablet", "/settings", "/health", "/history", "/rules", "/count"])
def test_every_page_says_so_in_its_language(reached: Site, path: str):
    page = reached.get(path).body.decode()
    assert f'<p class="exposed" role="alert">{LOUD}93.184.216.34' in page
    french = reached.get(path, Accept_Language="fr").body.decode()
    assert "joignable d’Internet à 93.184.216.34" in french


def test_panel_health_and_terminal_say_so_once(reached: Site):
    welcome = JoinNotice(reached.server.access, reached.scoreboard)
    reached.server.report_exposure()
    assert str(reached.scoreboard.view.notice).startswith(f"{LOUD}93.184.216.34")
    reached.server._devices.report_changes()
    (device,) = [one for one in reached.scoreboard.view.devices if one.name == "open to the internet"]
    assert str(device.trouble).startswith(LOUD)
    health = reached.get("/api/v1/health").json
    assert health["service"]["open_to"] == "93.184.216.34"
    assert health["devices"][-1]["trouble_message"]["key"] == "open_to_internet"
    for lines in (welcome.lines(), welcome.logged_lines()):
        assert [line for line in lines if line.startswith(f"WARNING: {LOUD}93.184.216.34")]
    assert reached.score(0, 2).status == 201
    assert reached.scoreboard.view.notice is None
    reached.server.report_exposure()
    assert reached.scoreboard.view.notice is None, "it does not come back with every look"
    assert len(reached.get("/api/v1/health").json["devices"]) == len(health["devices"])


def test_a_table_at_a_public_address_says_so_from_its_start(site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("web.table.server.own_addresses", lambda _: ["192.168.1.7", "93.184.216.34"])
    site.server.report_exposure()
    assert soon(lambda: site.get("/api/v1/health").json["service"]["open_to"] == "93.184.216.34")


def test_a_table_at_home_says_nothing(site: Site):
    site.server.report_exposure()
    assert site.get("/api/v1/health").json["service"]["open_to"] is None
    assert replace(site.scoreboard.view, devices=()).notice is None
