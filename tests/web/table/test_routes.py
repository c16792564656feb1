"""The pages as they are served, and the way to the table that they show."""

import ipaddress
import re
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import pytest
import segno

from pegboard.core.rules import LONGEST_MATCH
from tests.support.web_server_and_clients import Site
from web.access import invitation as join
from web.access.invitation import invitation, qr
from web.kit.i18n import languages, translate


@pytest.mark.parametrize("path", ["/", "/board", "/bench"])
def test_pages_are_served_and_never_kept(quiet: Site, path):
    answer = quiet.get(path)
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert b"Ann" in answer.body


def test_a_match_can_be_as_long_on_the_pages_as_in_the_game(quiet: Site):
    games = re.search(r'<input id="games"[^>]*>', quiet.get("/settings").body.decode())[0]
    assert f'min="1" max="{LONGEST_MATCH}"' in games
    for language in languages():
        assert re.findall(r"\d+", translate(language, "settings.games_wrong")) == ["1", f"{LONGEST_MATCH}"]


@pytest.mark.parametrize("path", ["/", "/board", "/bench"])
def test_pages_obey_the_content_policy(quiet: Site, path):
    page = quiet.get(path).body.decode()
    assert not re.search(r"\sstyle\s*=", page)
    assert not re.search(r"\son[a-z]+\s*=", page)
    assert not re.search(r"<style", page)
    for script in re.findall(r"<script[^>]*>", page):
        assert "src=" in script or 'type="application/json"' in script
    for place in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert place.startswith("/")


@pytest.mark.parametrize("path", ["/", "/board", "/bench"])
def test_everything_a_page_names_is_there(quiet: Site, path):
    for place in re.findall(r'(?:src|href)="(/static/[^"]*)"', quiet.get(path).body.decode()):
        assert quiet.get(place).status == 200, place


def test_a_name_cannot_break_out_of_a_page(site: Site):
    names = ["</script><script>", 'Bob" onload="']
    start = {"do": "start", "variant": "standard", "players": names, "replaces": site.game, "base": 1}
    assert site.command(**start).status == 201
    for path in ("/", "/board"):
        page = site.get(path).body.decode()
        assert "</script><script>" not in page
        assert '" onload="' not in page


def test_a_table_on_this_machine_alone_is_joined_here():
    assert invitation("127.0.0.1", 8080)["url"] == "http://127.0.0.1:8080/"
    assert invitation("127.0.0.1", 8080)["host"] == "127.0.0.1:8080"
    assert invitation("localhost", 80)["url"] == "http://127.0.0.1/"


LET_IN = "pegboard run --host 0.0.0.0 --open"


def at(address, *, announced=False):
    """A machine of that address, or of none, on a network that leads on."""
    stack = ExitStack()
    stack.enter_context(patch.object(join, "_address_towards_others", return_value=address))
    stack.enter_context(patch.object(join, "_addresses_of_interfaces", return_value=iter(())))
    stack.enter_context(patch.object(join, "AVAHI", Path("/" if announced else "/nowhere")))
    stack.enter_context(patch.object(join.socket, "gethostname", return_value="Pegboard.home"))
    return stack


def test_a_table_on_the_network_is_joined_by_address():
    with at("192.168.1.7"):
        shown = invitation("0.0.0.0", 8080, command=LET_IN)
    assert shown["url"] == "http://192.168.1.7:8080/"
    assert shown["host"] == "192.168.1.7:8080"
    assert (shown["reach"], shown["command"]) == ("network", None)
    assert shown["qr"] == qr("http://192.168.1.7:8080/")


def test_a_machine_that_announces_its_name_is_joined_by_that_name():
    with at("192.168.1.7", announced=True):
        assert invitation("0.0.0.0", 8080)["host"] == "pegboard.local:8080"
        assert invitation("127.0.0.1", 8080)["host"] == "127.0.0.1:8080"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_an_address_that_no_phone_reaches_has_no_code_to_scan_but_what_lets_phones_in(host):
    shown = invitation(host, 8080, "7KQ2AB", command=LET_IN)
    assert (shown["reach"], shown["qr"], shown["command"]) == ("machine", None, LET_IN)
    assert shown["url"].endswith(":8080/j/7KQ2AB")


def test_a_machine_without_a_network_says_so_and_no_command_would_help():
    with at(None):
        shown = invitation("0.0.0.0", 8080, command=LET_IN)
    assert (shown["url"], shown["reach"]) == ("http://127.0.0.1:8080/", "offline")
    assert (shown["qr"], shown["command"]) == (None, None)


def test_a_hotspot_of_the_machine_itself_is_a_network():
    """No network leads out of it, yet phones on it reach the table."""
    with at(None), patch.object(join, "_addresses_of_interfaces", return_value=iter(("10.42.0.1", "10.43.0.1"))):
        shown = invitation("0.0.0.0", 8080)
    assert (shown["url"], shown["reach"]) == ("http://10.42.0.1:8080/", "network")


def test_loopback_is_no_network():
    """Read from the kernel of this very machine."""
    found = [ipaddress.ip_address(address) for address in join._addresses_of_interfaces()]
    assert not [address for address in found if address.is_loopback]
    towards = join._address_towards_others()
    assert towards is None or ipaddress.ip_address(towards) in found


def test_the_board_shows_what_lets_phones_in_instead_of_a_code_that_none_can_use(quiet: Site):
    page = quiet.get("/board").body.decode()
    assert "Phones cannot reach this table" in page
    assert "Join by phone" not in re.sub(r'<div class="how" id="joining" hidden>.*?</div>', "", page)
    assert re.search(r'<svg class="qr" id="qr" hidden', page)
    assert quiet.get("/api/v1/pairing").json["reach"] == "machine"


def test_the_board_of_a_table_on_the_network_shows_its_code(quiet: Site):
    with patch("web.kit.site.invitation", return_value=invitation("192.168.1.7", 8080)):
        page = quiet.get("/board").body.decode()
    assert '<svg class="qr" id="qr" viewBox="0 0 33 33"' in page
    assert "Phones cannot reach" not in page


def test_an_ipv6_address_stands_in_brackets():
    assert invitation("::1", 8080)["url"] == "http://[::1]:8080/"


def test_without_a_network_the_machine_itself_is_shown(tmp_path):
    unreachable = patch.object(join.socket.socket, "connect", side_effect=OSError(101, "Network is unreachable"))
    (tmp_path / "lo").mkdir()
    with unreachable, patch.object(join, "INTERFACES", tmp_path):
        assert invitation("0.0.0.0", 8080)["url"] == "http://127.0.0.1:8080/"
        (tmp_path / "lo").rmdir()
        tmp_path.rmdir()
        assert invitation("0.0.0.0", 8080)["url"] == "http://127.0.0.1:8080/"


def test_interfaces_are_read_without_the_netlink_that_the_sandbox_of_the_service_denies():
    denied = OSError(97, "Address family not supported by protocol")
    with patch.object(join.socket, "if_nameindex", side_effect=denied):
        list(join._addresses_of_interfaces())


def test_the_code_has_twenty_five_modules_and_four_of_quiet_zone_on_each_side():
    assert qr("http://192.168.1.7:8080/j/7kq2")["size"] == 25 + 2 * 4


def test_the_path_covers_exactly_the_dark_modules():
    shown = qr("http://192.168.1.7:8080/")
    painted = set()
    for x, y, run, back in re.findall(r"M(\d+) (\d+)h(\d+)v1H(\d+)z", shown["path"]):
        assert x == back
        painted |= {(int(x) + step, int(y)) for step in range(int(run))}
    code = segno.make("HTTP://192.168.1.7:8080/", error="m", micro=False)
    dark = {(x + 4, y + 4) for y, row in enumerate(code.matrix) for x, module in enumerate(row) if module}
    assert painted == dark
    assert code.mode == "alphanumeric"


def test_the_page_shows_the_port_that_is_really_listened_on(serve: Callable[..., Site]):
    site = serve()
    assert f"127.0.0.1:{site.port}" in site.get("/board").body.decode()
