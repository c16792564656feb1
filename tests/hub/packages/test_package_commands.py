"""The commands `hub verify` and `hub upload`: what they print, how they end, and that an altered file is refused."""

import json
import os
import pwd
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest
from click.testing import CliRunner

from pegboard.cli.hub_commands import NOT_REDERIVED, HubPlace, package, upload, verify
from pegboard.cli.main import main
from pegboard.errors import NotNow
from pegboard.hub.ledger.database import writing
from pegboard.hub.ledger.decision_log import DecisionLog
from pegboard.hub.ledger.ledger import open_ledger
from pegboard.hub.packages.hub_keys import PackageRefused, fingerprint, load_or_make_key
from pegboard.hub.packages.night_package import package_of_event, seal
from pegboard.hub.packages.package_exchange import HubUnreachable, send_package
from pegboard.hub.packages.verification import verify_package
from tests.cli.test_state_owner import let_everybody_through
from tests.hub.packages.conftest import EVENT, OURS


def test_without_the_library_that_verifies_it_is_said_what_installs_it(played, tmp_path, monkeypatch):
    file = tmp_path / "night.pegboard"
    file.write_bytes(played.file)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    with pytest.raises(NotNow, match=r"need the cryptography library; install it: .*cryptography"):
        verify_package(file.read_bytes(), {})


def run(folder, command, *arguments):
    """The result of a command of the hub in a folder; its own return value is the program's exit status."""
    place = HubPlace(folder)
    return CliRunner().invoke(command, [str(argument) for argument in arguments], obj=place, standalone_mode=False)


@pytest.fixture
def file(tmp_path, played):
    path = tmp_path / "thursday.pegboard"
    path.write_bytes(played.file)
    return path


def test_a_package_is_verified_and_its_signer_named(tmp_path, file):
    result = run(tmp_path, verify, file)
    assert result.return_value == 0
    lines = result.output.splitlines()
    assert lines[0] == "Club night, 2026-11-26: players 2, games 1, score sheets 1, log entries 7"
    assert lines[1] == f"Signed by {fingerprint(OURS.public)} (unknown hub)"
    assert lines[-1] == "Standings, totals and score sheet margins (1) recomputed: all match"


def test_a_hub_that_is_remembered_is_known_the_next_time(tmp_path, file):
    run(tmp_path, verify, file, "--remember", "Riverside")
    assert "(Riverside)" in run(tmp_path, verify, file).output


def test_this_hub_knows_itself(tmp_path, played):
    own = tmp_path / "own.pegboard"
    own.write_bytes(seal(played.content, load_or_make_key(tmp_path)))
    assert "(this hub)" in run(tmp_path, verify, own).output


def test_departures_are_printed_and_end_with_one(tmp_path, forge):
    path = tmp_path / "forged.pegboard"
    path.write_bytes(forge(lambda content: content["standings"].reverse()))
    result = run(tmp_path, verify, path)
    assert result.return_value == NOT_REDERIVED
    assert "the standings in the package do not match its log" in result.output


def test_an_altered_package_is_refused(tmp_path, file):
    file.write_bytes(file.read_bytes().replace(b"Bob", b"Rob"))
    assert isinstance(run(tmp_path, verify, file).exception, PackageRefused)


def test_programs_read_one_line_of_json(tmp_path, file):
    values = json.loads(run(tmp_path, verify, file, "--json").output)
    assert (values["event"], values["known"], values["departures"], values["margins"]) == ("club-night", False, [], 1)


@pytest.fixture
def hub():
    """Another hub, which stores what comes first, has what comes again, and refuses what begins with no brace."""

    class Answer(BaseHTTPRequestHandler):
        got: ClassVar[list[bytes]] = []

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = 422 if not body.startswith(b"{") else 200 if body in self.got else 201
            self.got.append(body)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps({"digest": "ab12", "detail": "the file is no package"}).encode())

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_package_is_sent_once_and_again_changes_nothing(hub, file):
    assert "stored the package ab12" in run(file.parent, upload, file, hub).output
    assert "already had the package ab12" in run(file.parent, upload, file, hub).output


def test_the_other_hub_says_why_it_refuses(hub):
    with pytest.raises(PackageRefused) as refused:
        send_package(b"x", hub)
    assert str(refused.value) == f"the hub at {hub} refuses the package: the file is no package"


@pytest.mark.parametrize("url", ["", "hub", "ftp://hub", "http://", "http://hub:port", "http://hub/some/path"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(PackageRefused) as refused:
        send_package(b"x", url)
    assert refused.value.message.key == "package_no_url"


def test_a_hub_that_does_not_answer_is_named():
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    port = server.server_port
    server.server_close()
    with pytest.raises(HubUnreachable) as refused:
        send_package(b"x", f"http://127.0.0.1:{port}")
    assert isinstance(refused.value, NotNow)


def test_a_package_is_written_from_the_ledger_and_verifies(tmp_path, played):
    database = f"sqlite:///{tmp_path / 'hub.db'}"
    with open_ledger(database) as ledger:
        ledger.open_event("club-night", "Club night")
        for row in played.work.rows:
            DecisionLog(ledger, "club-night").append(row, f"request-{row['number']:08}")
    state, file = tmp_path / "state", tmp_path / "out.pegboard"
    state.mkdir()
    place = HubPlace(state, database)
    result = CliRunner().invoke(package, ["club-night", str(file)], obj=place, standalone_mode=False)
    assert f", signed by {fingerprint(load_or_make_key(state).public)}" in " ".join(result.output.split())
    verified = verify_package(file.read_bytes(), {})
    assert [departure.key for departure in verified.departures] == ["package_no_sheet"]  # none came to this ledger
    assert verified.sealed.content["standings"] == played.content["standings"]


def test_a_package_that_cannot_be_made_leaves_the_file_as_it_was(tmp_path, file):
    place, new = HubPlace(tmp_path, f"sqlite:///{tmp_path / 'hub.db'}"), tmp_path / "new.pegboard"
    before = file.read_bytes()
    open_ledger(place.database).close()
    for path in (file, new):
        with pytest.raises(PackageRefused):
            CliRunner().invoke(package, ["other", str(path)], obj=place, standalone_mode=False, catch_exceptions=False)
    assert file.read_bytes() == before
    assert not new.exists()


LOADED_BEFORE = (
    "import functools, sys, encodings.ascii\n"
    "from importlib import metadata\n"
    "metadata.metadata, metadata.version = map(functools.cache, (metadata.metadata, metadata.version))\n"
    "for name in ('pegboard', 'sqlalchemy'): metadata.metadata(name), metadata.version(name)\n"
    "import pegboard.hub.packages.night_package\n"
    "from cryptography.hazmat.primitives.asymmetric import ed25519\n"
    "from cryptography.hazmat.primitives.serialization import Encoding\n"
    "from pegboard.cli.main import main\n"
    "main(sys.argv[1:])"
)
"""The program if only root can read its folder and Python's: nothing is loaded or looked up as another account."""


def test_a_package_goes_where_the_account_of_the_hub_may_not_write(tmp_path, played):
    """The real command: where root runs it, the hub is nobody's, as that of the service is another account's."""
    state, home = tmp_path / "state", tmp_path / "home"
    for folder in (state, home):
        folder.mkdir(mode=0o700)
    with open_ledger(f"sqlite:///{state / 'hub.db'}") as ledger:
        ledger.open_event("club-night", "Club night")
        for row in played.work.rows:
            DecisionLog(ledger, "club-night").append(row, f"request-{row['number']:08}")
    if os.geteuid() == 0:
        let_everybody_through(tmp_path)
        for path in (state, *state.iterdir()):
            os.chown(path, pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("nobody").pw_gid)
    words = ["hub", "--state", state, "package", "club-night", home / "out.pegboard"]
    ran = subprocess.run([sys.executable, "-c", LOADED_BEFORE, *words], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert verify_package((home / "out.pegboard").read_bytes(), {}).sealed.content["event"] == "club-night"
    assert {path.stat().st_uid for path in state.iterdir()} == {state.stat().st_uid}


def test_an_event_of_which_nothing_was_decided_makes_no_package(tmp_path):
    with open_ledger(f"sqlite:///{tmp_path / 'hub.db'}") as ledger, pytest.raises(PackageRefused) as refused:
        package_of_event(ledger, "other", OURS)
    assert refused.value.message.key == "package_no_event"


def test_a_log_that_somebody_has_altered_in_the_database_is_not_signed(tmp_path, played):
    with open_ledger(f"sqlite:///{tmp_path / 'hub.db'}") as ledger:
        for row in played.work.rows:
            DecisionLog(ledger, EVENT).append(row, f"request-{row['number']}")
        assert verify_package(package_of_event(ledger, EVENT, OURS), {})
        with writing(ledger.engine) as connection:
            connection.exec_driver_sql("DROP TRIGGER night_decision_UPDATE_is_refused")
            connection.exec_driver_sql("UPDATE night_decision SET name = 'Cy' WHERE number = 3")
        with pytest.raises(PackageRefused) as refused:
            package_of_event(ledger, EVENT, OURS)
    assert (refused.value.message.key, refused.value.message.values["number"]) == ("package_log_altered", 3)


@pytest.mark.parametrize("command", ["package", "upload", "verify"])
def test_the_hub_has_the_command(command):
    assert CliRunner().invoke(main, ["hub", command, "--help"]).exit_code == 0
