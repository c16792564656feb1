"""The scripts of the Debian package: what they call for each of dpkg's words, with stand-ins for what they call."""

import subprocess

import pytest

from pegboard.install.building import debian_package

CALLED = (
    "python3",
    "rm",
    "systemctl",
    "systemd-sysusers",
    "systemd-tmpfiles",
    "deb-systemd-helper",
    "deb-systemd-invoke",
)
"""All that a script finds: nothing of this machine is removed."""


@pytest.fixture
def run_script(tmp_path):
    """Runs a script as dpkg does, where systemd runs; returns what it has called."""
    root, programs, log = tmp_path / "root", tmp_path / "bin", tmp_path / "called"
    (tmp_path / "systemd").mkdir()
    programs.mkdir()
    for name in CALLED:
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >>{log}\n', "utf-8")
        (programs / name).chmod(0o755)
    debian_package._put_control_files(root, "0.1.0", debian_package._put_systemd_files(root))

    def run(script, *words):
        text = (root / "DEBIAN" / script).read_text("utf-8")
        text = text.replace("/usr/bin/python3", "python3").replace("/run/systemd/system", str(tmp_path / "systemd"))
        log.unlink(missing_ok=True)
        subprocess.run(["/bin/sh", "-c", text, script, *words], check=True, env={"PATH": str(programs)})
        return log.read_text("utf-8").splitlines() if log.exists() else []

    return run


def test_an_installation_installs_the_version_of_the_package(run_script):
    assert run_script("postinst", "configure")[-1] == "python3 -I /usr/lib/pegboard/installer.pyz install"


@pytest.mark.parametrize("words", [["abort-upgrade", "0.2.0"], ["abort-remove"], ["abort-deconfigure"]])
def test_what_is_given_up_starts_the_table_again_and_installs_nothing(run_script, words):
    """The version that runs may be newer than the package's own, by `pegboard update`."""
    called = run_script("postinst", *words)
    assert called[-1] == "deb-systemd-invoke start pegboard.service"
    assert not [line for line in called if line.startswith("python3")]


def test_a_removal_stops_the_screen_too_and_first_what_would_start_the_table_again(run_script):
    stopped = run_script("prerm", "remove")[0].split()[2:]
    assert {"pegboard.service", "pegboard-kiosk.service", "pegboard.socket"} <= set(stopped)
    services = [name.endswith(".service") for name in stopped]
    assert services == sorted(services)
    assert run_script("prerm", "upgrade", "0.2.0") == []


def test_a_hub_is_neither_enabled_nor_started_until_its_owner_does_so_and_stops_with_the_package(run_script):
    for words in (["configure"], ["abort-upgrade", "0.2.0"]):
        assert not [line for line in run_script("postinst", *words) if "hub" in line]
    assert "pegboard-hub.service" in run_script("prerm", "remove")[0].split()


def test_only_a_purge_removes_the_scores(run_script):
    assert "rm -rf /var/lib/pegboard-trees" in run_script("postrm", "remove")
    assert not [line for line in run_script("postrm", "remove") if line.endswith("/etc/pegboard")]
    assert "rm -rf /var/lib/pegboard /var/lib/pegboard-kiosk /etc/pegboard" in run_script("postrm", "purge")
    assert [line for line in run_script("postrm", "upgrade", "0.2.0") if line.startswith("rm")] == []
