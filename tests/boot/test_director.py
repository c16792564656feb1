"""A director updates a machine with a real systemd over HTTP alone: the service asks, root acts or says why not."""

import re
import time

import pytest

from tests.boot.test_switch import FAULT

KEYS = "/var/lib/pegboard-trees/current/pegboard/install/versions/release_keys.txt"


@pytest.fixture(scope="module")
def director(machine):
    """The cookie of a director; the version that runs trusts the key of these packages."""
    machine.run(f"cat public >> {KEYS} && systemctl restart pegboard")
    machine.wait_for("1.0.0")
    code = re.match(r"\w+", machine.says("pegboard code director"))[0]
    status, _, cookie = machine.ask("POST", "/api/v1/pair", {"code": code}, timeout=60)
    assert status in {200, 201}
    return {"Cookie": cookie.partition(";")[0]}


def send(machine, director, package):
    kind = {"Content-Type": "application/vnd.debian.binary-package"}
    place = f"/api/v1/versions/package?name={package.name}"
    return machine.ask("POST", place, package.read_bytes(), timeout=120, **kind, **director)[:2]


def ask_for(machine, director, **wish):
    status, answer, _ = machine.ask("POST", "/api/v1/versions", wish | {"during_game": True}, timeout=60, **director)
    assert status == 202, answer


def outcome(machine, before, seconds=600):
    """What came of it, as the pages show it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            status, now, _ = machine.ask("GET", "/api/v1/versions", timeout=60)
        except OSError:
            continue  # the table starts anew
        if status == 200 and not now["under_way"] and now["last"] != before["last"]:
            return now
        time.sleep(1)
    raise AssertionError(machine.says("journalctl -u pegboard-update -n 30 -o cat"))


def versions(machine):
    return machine.ask("GET", "/api/v1/versions", timeout=60)[1]


def test_a_version_that_does_not_start_is_refused_with_its_reason(machine, packages, director):
    before = versions(machine)
    status, answer = send(machine, director, packages.get("1.2.0", FAULT))
    assert (status, answer["waiting"][0]["version"]) == (201, "1.2.0")
    ask_for(machine, director, do="update", file="pegboard_1.2.0_all.deb")
    now = outcome(machine, before)
    assert (now["current"], now["waiting"], now["last"]["what"]) == ("1.0.0", [], "refused")
    assert now["last"]["why"]["key"] == "install_trial_failed"


def test_a_newer_version_is_installed_and_gone_back_from(machine, packages, director):
    before = versions(machine)
    assert send(machine, director, packages.get("1.1.0"))[0] == 201
    ask_for(machine, director, do="update", file="pegboard_1.1.0_all.deb")
    updated = outcome(machine, before)
    assert (updated["current"], updated["previous"], updated["waiting"]) == ("1.1.0", "1.0.0", [])
    assert updated["last"]["what"] == "updated"
    ask_for(machine, director, do="back")
    back = outcome(machine, updated)
    assert (back["current"], back["last"]["what"]) == ("1.0.0", "back")


def test_a_package_that_another_key_has_signed_does_not_get_in(machine, packages, director, tmp_path):
    changed = tmp_path / "pegboard_1.1.0_all.deb"
    content = packages.get("1.1.0").read_bytes()
    changed.write_bytes(content[:-10] + bytes([content[-10] ^ 1]) + content[-9:])
    status, answer = send(machine, director, changed)
    assert (status, answer["key"]) == (422, "install_package_signature")
