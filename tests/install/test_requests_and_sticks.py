"""What a director asks for on the page, what a USB stick offers, and that neither is believed."""

import contextlib
import fcntl
import json
import os
import shutil

import pytest

from pegboard.install import installer as installer_module
from pegboard.install.host import Build
from pegboard.install.installer import LOCK, newest_package, store_package
from pegboard.install.package_file import InstallError


@pytest.fixture
def asked(machine, workshop):
    """A machine whose running version trusts the workshop's key, and a function that asks as the service would."""
    machine.install("0.1.0")
    keys = machine.paths.trees / "0.1.0" / "pegboard/install/versions/release_keys.txt"
    keys.parent.mkdir(parents=True)
    keys.write_text(f"{workshop.public.hex()} of the workshop\n")
    packages = machine.paths.state / "packages"
    packages.mkdir()
    machine.paths.runtime.mkdir(parents=True)

    def ask(package=None, **values):
        if package is not None:
            shutil.copy(package, packages / f"pegboard_{values.pop('version')}_all.deb")
        (machine.paths.runtime / "update-request.json").write_text(json.dumps(values))
        machine.installer.do_requested()

    return machine, ask


def test_an_uploaded_package_is_installed_and_removed(asked, workshop):
    machine, ask = asked
    ask(workshop.package("0.2.0"), version="0.2.0", do="update", file="pegboard_0.2.0_all.deb")
    assert machine.versions.current == "0.2.0"
    assert machine.versions.last.what == "updated"
    assert list((machine.paths.state / "packages").iterdir()) == []
    assert not (machine.paths.runtime / "update-request.json").exists()


def test_going_back_is_asked_for(asked, workshop):
    machine, ask = asked
    machine.update(workshop.package("0.2.0"))
    ask(do="back")
    assert machine.versions.current == "0.1.0"


def test_what_is_refused_is_noted_for_the_page(asked, workshop):
    machine, ask = asked
    package = workshop.package("0.2.0", "unsigned", signed=False)
    ask(package, version="0.2.0", do="update", file="pegboard_0.2.0_all.deb")
    assert machine.versions.current == "0.1.0"
    assert (machine.versions.last.what, machine.versions.last.why["key"]) == ("refused", "install_package_unsigned")
    assert "is not signed" in machine.versions.last.why["text"]


def test_a_package_waits_while_a_game_is_played(asked, workshop):
    machine, ask = asked
    machine.service.playing = True
    ask(workshop.package("0.2.0"), version="0.2.0", do="update", file="pegboard_0.2.0_all.deb")
    assert machine.versions.last.why["key"] == "install_in_game"
    assert [path.name for path in (machine.paths.state / "packages").iterdir()] == ["pegboard_0.2.0_all.deb"]
    ask(do="update", file="pegboard_0.2.0_all.deb", during_game=True)
    assert machine.versions.current == "0.2.0"


def test_a_version_that_fails_is_noted_once(asked, workshop):
    machine, ask = asked
    machine.service.how["0.2.0"] = "ends"
    ask(workshop.package("0.2.0"), version="0.2.0", do="update", file="pegboard_0.2.0_all.deb")
    assert (machine.versions.current, machine.versions.last.what) == ("0.1.0", "failed")


def test_a_refusal_leaves_the_protection_of_a_new_version(asked, workshop):
    machine, ask = asked
    machine.update(workshop.package("0.2.0"))
    ask(do="update", file="pegboard_9.9.9_all.deb")
    assert machine.versions.last.why["key"] == "install_package_unreadable"
    machine.installer.recover()
    assert machine.versions.current == "0.1.0"


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize(
    "request_text",
    [
        "",
        "null",
        "[]",
        "{",
        "[" * 5000,
        '{"do": "remove"}',
        '{"do": "update"}',
        '{"do": "update", "file": "../../../etc/shadow"}',
        '{"do": "update", "file": "pegboard_../../x_all.deb"}',
        '{"do": "update", "file": "pegboard_0.2.0_all.deb\\n"}',
        '{"do": "update", "file": ["pegboard_0.2.0_all.deb"]}',
    ],
)
def test_a_request_that_is_none_does_nothing(asked, request_text):
    machine, _ = asked
    before = machine.content()
    (machine.paths.runtime / "update-request.json").write_text(request_text)
    with pytest.raises(InstallError, match="no other version was requested"):
        machine.installer.do_requested()
    assert machine.content() == before


def test_no_link_is_followed(asked, tmp_path, workshop):
    machine, ask = asked
    secret = tmp_path / "secret"
    secret.write_text('{"do": "back"}')
    (machine.paths.runtime / "update-request.json").symlink_to(secret)
    with pytest.raises(InstallError):
        machine.installer.do_requested()
    assert secret.exists()
    (machine.paths.state / "packages" / "pegboard_0.2.0_all.deb").symlink_to(workshop.package("0.2.0"))
    ask(do="update", file="pegboard_0.2.0_all.deb")
    assert machine.versions.current == "0.1.0"
    os.mkfifo(machine.paths.state / "packages" / "pegboard_0.3.0_all.deb")
    ask(do="update", file="pegboard_0.3.0_all.deb")
    assert machine.versions.current == "0.1.0"


def test_no_folder_that_is_a_link_is_read_or_changed(asked, tmp_path, workshop):
    machine, ask = asked
    elsewhere = tmp_path / "elsewhere"
    shutil.move(machine.paths.state / "packages", elsewhere)
    (machine.paths.state / "packages").symlink_to(elsewhere)
    shutil.copy(workshop.package("0.2.0"), elsewhere / "pegboard_0.2.0_all.deb")
    ask(do="update", file="pegboard_0.2.0_all.deb")
    assert machine.versions.current == "0.1.0"
    assert machine.versions.last.why["key"] == "install_package_unreadable"
    assert (elsewhere / "pegboard_0.2.0_all.deb").exists()


def test_a_refusal_is_noted_while_nobody_else_installs(asked, monkeypatch):
    """Noting it removes trees that are of no use, and one that is just being installed would look so."""
    machine, ask = asked
    locked = []

    def refuse(*_):
        with (machine.paths.trees / LOCK).open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                locked.append(True)

    monkeypatch.setattr(machine.installer._switch, "refuse", refuse)
    ask(do="update", file="pegboard_9.9.9_all.deb")
    assert locked == [True]


def test_the_newest_signed_package_of_a_stick_is_offered(asked, workshop, tmp_path, monkeypatch):
    machine, _ = asked
    stick = tmp_path / "stick"
    stick.mkdir()
    (stick / "holiday.jpg").write_bytes(b"JPEG")
    (stick / "pegboard_9.0.0_all.deb").write_bytes(b"!<arch>\nforged")
    (stick / "pegboard_8.0.0_all.deb").symlink_to("/etc/passwd")
    for version in ("0.2.0", "0.10.0"):
        shutil.copy(workshop.package(version), stick / f"pegboard_{version}_all.deb")
    monkeypatch.setattr(installer_module, "mount", contextlib.nullcontext)
    machine.installer.offer_from_stick(stick)
    waiting = machine.paths.state / "packages"
    assert [path.name for path in waiting.iterdir()] == ["pegboard_0.10.0_all.deb"]
    assert (waiting / "pegboard_0.10.0_all.deb").read_bytes() == workshop.package("0.10.0").read_bytes()


EARLIER = Build("0.1.0", 0)


def test_of_two_builds_between_releases_a_stick_offers_the_later(workshop, tmp_path, monkeypatch):
    builds = [Build("0.2.0+gfffffff", 1795000000), Build("0.2.0+g0000000", 1795000060)]
    for version, source_time in builds:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(source_time))
        shutil.copy(workshop.package(version, "on a stick"), tmp_path / f"pegboard_{version}_all.deb")
    for running, offered in ((EARLIER, builds[1]), (builds[0], builds[1]), (builds[1], None)):
        found = newest_package(tmp_path, [workshop.public], running)
        assert (found and found[0]) == (offered and f"pegboard_{offered.version}_all.deb")


def test_a_stick_without_something_newer_offers_nothing(workshop, tmp_path):
    shutil.copy(workshop.package("0.2.0"), tmp_path / "pegboard_0.2.0_all.deb")
    assert newest_package(tmp_path, [workshop.public], Build("0.2.0", 0)) is None
    assert newest_package(tmp_path, [bytes(32)], EARLIER) is None
    assert newest_package(tmp_path, [workshop.public], EARLIER)[0] == "pegboard_0.2.0_all.deb"


def test_a_package_is_offered_under_the_version_in_it(workshop, tmp_path):
    shutil.copy(workshop.package("0.2.0"), tmp_path / "pegboard_9.9.9_all.deb")
    assert newest_package(tmp_path, [workshop.public], EARLIER)[0] == "pegboard_0.2.0_all.deb"


def test_of_a_package_that_cannot_be_kept_nothing_stays(tmp_path):
    (tmp_path / "packages" / "pegboard_0.2.0_all.deb").mkdir(parents=True)  # nothing takes the place of a folder
    with pytest.raises(InstallError):
        store_package(tmp_path, "pegboard_0.2.0_all.deb", b"package")
    assert [path.name for path in (tmp_path / "packages").iterdir()] == ["pegboard_0.2.0_all.deb"]
