"""The listening socket: on every network, whatever the kernel has; and units that ask systemd for the same."""

import errno
import socket
from configparser import ConfigParser
from pathlib import Path

import pytest

from web.http import listener

UNITS = Path(__file__).parents[3] / "systemd"


class WithoutIpv6(socket.socket):
    """As on a kernel that was started with `ipv6.disable=1`."""

    def __init__(self, family=-1, *arguments, **more):
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        super().__init__(family, *arguments, **more)


def read_unit(name):
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read_string((UNITS / name).read_text("utf-8"))
    return unit


def test_every_network_is_ipv4_alone_on_a_kernel_without_ipv6(monkeypatch):
    monkeypatch.setattr(listener, "EVERYWHERE_BY_IPV4", "127.0.0.1")  # no other address is opened here
    monkeypatch.setattr(socket, "socket", WithoutIpv6)
    with listener.listen("::", 0) as found:
        assert (found.family, found.getsockname()[0]) == (socket.AF_INET, "127.0.0.1")


def test_an_address_of_ipv6_is_refused_by_name_on_such_a_kernel(monkeypatch):
    monkeypatch.setattr(socket, "socket", WithoutIpv6)
    with pytest.raises(listener.SettingError, match="::1"):
        listener.listen("::1", 0)


@pytest.mark.parametrize("host", ["nope..x", ".", "a" * 64, "a b"])
def test_what_can_be_no_name_is_refused_as_such(host):
    with pytest.raises(listener.SettingError, match="is not an address to listen on"):
        listener.listen(host, 0)


def test_the_unit_names_a_port_alone_so_that_systemd_falls_back_to_ipv4():
    """systemd.socket(5): a single number is any address of IPv6, or of IPv4 if the kernel has no IPv6."""
    assert read_unit("pegboard.socket")["Socket"]["ListenStream"] == "80"


def test_the_kiosk_has_a_new_profile_at_each_start():
    """Chromium's SingletonLock in an old one names the host, which may have another name now."""
    service = read_unit("pegboard-kiosk.service")["Service"]
    assert service["RuntimeDirectory"] == "pegboard-kiosk"
    assert "RuntimeDirectoryPreserve" not in service
    assert "--user-data-dir=%t/pegboard-kiosk " in service["ExecStart"]
