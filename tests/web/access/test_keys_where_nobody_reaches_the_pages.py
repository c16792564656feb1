"""In a strict game the keys alone dismiss alarms only where nobody can reach the pages over a network."""

from collections.abc import Callable, Iterator
from unittest.mock import PropertyMock, patch

import pytest

from pegboard.messages import Message
from pegboard.startup.start_notice import JoinNotice
from tests.support.web_server_and_clients import Site
from tests.web.access.test_sessions import paired
from web.access import invitation
from web.access.pairing_file import StateFileError
from web.access.sessions import Access

EVERYWHERE = "0.0.0.0"
PULLED, PLUGGED_IN = False, True


class StrictTable:
    """A table with a strict game and an alarm, which is told how it is joined."""

    def __init__(self, site: Site) -> None:
        self.site = site
        site.scoreboard.raise_alarm(Message("journal_lost_tail", count=3))
        self._notice = JoinNotice(site.server.access, site.scoreboard)

    def lets_keys_dismiss(self) -> bool:
        self._notice.refresh()
        (alarm,) = self.site.scoreboard.view.alarms
        assert alarm.director, "over the API it is a director's anyway"
        return alarm.by_keys


@pytest.fixture
def strict(serve: Callable[..., Site]) -> Callable[..., StrictTable]:
    return lambda **web: StrictTable(serve(house=("strict=on",), **{"open": False} | web))


@pytest.fixture
def cable() -> Iterator[Callable[[bool], None]]:
    """Plugs in or pulls the only cable of a machine without an IPv4 address."""
    with (
        patch.object(invitation, "own_address", return_value="127.0.0.1"),
        patch.object(invitation, "has_network", return_value=PULLED) as has_network,
    ):

        def cable(is_plugged_in: bool) -> None:
            has_network.return_value = is_plugged_in

        yield cable


@pytest.mark.parametrize("is_open", [True, False])
def test_at_a_table_that_its_own_machine_alone_reaches_the_keys_may(strict: Callable[..., StrictTable], is_open: bool):
    assert strict(open=is_open).lets_keys_dismiss()


@pytest.mark.parametrize("is_open", [True, False])
def test_at_a_table_with_an_address_they_may_not(strict: Callable[..., StrictTable], is_open: bool):
    with patch.object(invitation, "own_address", return_value="192.168.1.7"):
        assert not strict(host=EVERYWHERE, open=is_open).lets_keys_dismiss()


@pytest.mark.parametrize("is_open", [True, False])
def test_behind_a_proxy_of_its_own_machine_they_may_not(strict: Callable[..., StrictTable], is_open: bool):
    assert not strict(proxies=("127.0.0.1",), open=is_open).lets_keys_dismiss()


def test_while_a_device_is_paired_they_may_not_though_the_cable_is_out(
    strict: Callable[..., StrictTable], cable: Callable[[bool], None]
):
    cable(PULLED)
    table = strict(host=EVERYWHERE)
    assert table.lets_keys_dismiss()
    phone = paired(table.site)
    assert not table.lets_keys_dismiss()
    assert phone.post("/api/v1/unpair", {"all": False}).status == 200
    assert table.lets_keys_dismiss()


def test_on_a_network_without_ipv4_they_may_not(strict: Callable[..., StrictTable], cable: Callable[[bool], None]):
    table = strict(host=EVERYWHERE)
    cable(PLUGGED_IN)
    assert not table.lets_keys_dismiss()
    cable(PULLED)
    assert table.lets_keys_dismiss()


def test_a_pairing_is_noticed_though_codes_cannot_be_stored(strict: Callable[..., StrictTable]):
    table = strict()
    assert table.lets_keys_dismiss()
    paired(table.site)
    full = StateFileError("codes_locked", path="pairing.json", holder="another program")
    with patch.object(table.site.server.access, "keep_time", side_effect=full):
        assert not table.lets_keys_dismiss()


def test_while_pairings_cannot_be_read_they_may_not(strict: Callable[..., StrictTable]):
    table = strict()
    unreadable = StateFileError("codes_locked", path="pairing.json", holder="another program")
    with patch.object(Access, "devices", PropertyMock(side_effect=unreadable)):
        assert not table.lets_keys_dismiss()


def test_any_connected_interface_but_loopback_is_a_network():
    """Read from the kernel of this very machine."""
    if list(invitation._addresses_of_interfaces()):
        assert invitation.has_network()
    with patch.object(invitation, "RUNNING", 0):
        assert not invitation.has_network()


def test_where_the_system_lists_no_interfaces_there_may_be_a_network():
    with patch.object(invitation, "INTERFACES", invitation.INTERFACES / "none"):
        assert invitation.has_network()
