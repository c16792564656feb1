"""The table of the pictures is one that phones reach, by what it tells, and listens on this machine alone."""

import http.client
from pathlib import Path

import pytest

from tests.pictures import networked_table
from web.access.invitation import qr


@pytest.fixture
def table(tmp_path):
    with networked_table.start(tmp_path / "state") as program:
        yield program


def page(table, path):
    connection = http.client.HTTPConnection("127.0.0.1", table.port, timeout=60)
    connection.request("GET", path)
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def test_the_pages_of_the_pictures_invite_phones_and_show_no_command_of_this_machine(table):
    _, told = table.client().ask("GET", "/api/v1/pairing")
    assert (told["url"], told["host"], told["reach"]) == (networked_table.URL, "pegboard.local:8080", "network")
    assert (told["qr"], told["command"]) == (qr(networked_table.URL), None)
    for path in ("/board", "/settings"):
        assert "-m pegboard" not in page(table, path)
        assert "Phones cannot reach" not in page(table, path)
    assert qr(networked_table.URL)["path"] in page(table, "/board")


def test_the_table_of_the_pictures_listens_on_this_machine_alone(table):
    sockets = [line.split() for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
    listening = {place for _, place, _, state, *_ in sockets if state == "0A"}  # proc(5): TCP_LISTEN
    assert {place for place in listening if place.endswith(f":{table.port:04X}")} == {f"0100007F:{table.port:04X}"}
