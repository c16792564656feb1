"""The card: what cloud-init itself makes of the user-data, with and without that of Raspberry Pi Imager."""

import email
import json
import shutil
import subprocess

import pytest

from pegboard.install.boot_partition import CONFIG, prepare_card, with_part
from pegboard.install.package_file import InstallError, InstallFailed
from tests.install.small_packages import Workshop

IMAGER = """#cloud-config
hostname: table1
users:
- name: kim
  shell: /bin/bash
rpi:
  interfaces:
    serial: true
runcmd:
- [rfkill, unblock, wifi]
"""
"""As Raspberry Pi Imager writes it, after its settings for name, user and Wi-Fi."""

MERGE = """
import email, json, sys
from cloudinit import mergers, util
merged = {}
for part in email.message_from_bytes(sys.stdin.buffer.read()).walk():
    if part.get_content_type() == "text/cloud-config":
        values = util.load_yaml(part.get_payload(decode=True))
        how = mergers.dict_extract_mergers(values) or mergers.default_mergers()
        merged = mergers.construct(how).merge(merged, values)
merged.pop("merge_how", None)
print(json.dumps(merged))
"""
"""Cloud-init's own mergers, as its handler of cloud-config parts calls them, by the Python of Debian's package."""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return Workshop(tmp_path_factory.mktemp("card")).package("0.7.0")


@pytest.fixture
def partition(tmp_path):
    for name in ("config.txt", "cmdline.txt", "meta-data"):
        (tmp_path / name).write_text("x\n")
    return tmp_path


def merged(user_data):
    ran = subprocess.run(["/usr/bin/python3", "-c", MERGE], input=user_data, capture_output=True, check=True)
    return json.loads(ran.stdout)


@pytest.mark.debian
@pytest.mark.parametrize("own", ["", IMAGER, IMAGER.replace("kim", "Zoë")])
def test_cloud_init_finds_both_configurations(partition, package, own):
    (partition / "user-data").write_text(own)
    assert prepare_card(partition, package) == "0.7.0"
    found = merged((partition / "user-data").read_bytes())
    assert found["rpi"]["interfaces"] == {"i2c": True, "spi": True} | ({"serial": True} if own else {})
    assert found["runcmd"][-1] == ["systemctl", "enable", "--now", "--no-block", "pegboard-install.service"]
    assert ("hostname" in found) == bool(own)
    assert not own or found["runcmd"][0] == ["rfkill", "unblock", "wifi"]
    assert "/boot/firmware/pegboard_0.7.0_all.deb" in found["write_files"][0]["content"]
    assert (partition / "pegboard_0.7.0_all.deb").read_bytes() == package.read_bytes()


@pytest.mark.debian
def test_the_configuration_fits_the_schema_of_cloud_init(tmp_path):
    """But for `rpi`, which the module of Raspberry Pi OS reads and Debian 12's cloud-init does not know."""
    text = CONFIG.format(package="pegboard_0.7.0_all.deb")
    begin, end = text.index("rpi:"), text.index("write_files:")
    (tmp_path / "user-data").write_text(text[:begin] + text[end:])
    words = ["cloud-init", "schema", "--config-file", str(tmp_path / "user-data")]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def unit_of_installation():
    """The unit that the first start writes, by its lines."""
    lines = [line.strip() for line in CONFIG.splitlines()]
    return lines[lines.index("[Unit]") : lines.index("runcmd:")]


def test_an_installation_that_is_cut_off_is_done_again_until_it_is_whole():
    """The program is on the disk before dpkg has made the account and the version that runs: it says nothing."""
    lines = unit_of_installation()
    assert not [line for line in lines if line.startswith("Condition")]
    steps = [line.partition("/usr/bin/")[2] for line in lines if line.startswith("ExecStart=")]
    assert [step.split()[0] for step in steps] == ["dpkg", "apt-get", "apt-get", "systemctl"]
    assert steps[0] == "dpkg --configure -a"
    assert steps[-1] == "systemctl disable pegboard-install.service"


def test_a_card_that_is_full_keeps_the_package_that_its_user_data_names(partition, package, monkeypatch):
    (partition / "pegboard_0.6.0_all.deb").write_bytes(b"older")

    def fail(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", fail)
        with pytest.raises(InstallFailed):
            prepare_card(partition, package)
    assert (partition / "pegboard_0.6.0_all.deb").exists()
    prepare_card(partition, package)
    assert [path.name for path in partition.glob("*.deb")] == ["pegboard_0.7.0_all.deb"]


def test_a_second_time_changes_nothing_but_the_version(partition, package):
    (partition / "user-data").write_text(IMAGER)
    prepare_card(partition, package)
    first = {path.name: path.read_bytes() for path in partition.iterdir()}
    prepare_card(partition, package)
    assert {path.name: path.read_bytes() for path in partition.iterdir()} == first


def test_what_was_there_stays_word_for_word():
    archive = email.message_from_bytes(with_part(IMAGER.encode(), "#cloud-config\n"))
    assert archive.get_payload()[0].get_payload(decode=True).decode() == IMAGER


@pytest.mark.parametrize(
    "own", [b"hostname: table1\n", b"\x00\x01\x02", b"<html>", b"Content-Type: multipart/mixed; boundary=x\n\n--x\n"]
)
def test_a_half_written_user_data_is_refused_and_left(partition, package, own):
    (partition / "user-data").write_bytes(own)
    with pytest.raises(InstallError, match="flash the card again"):
        prepare_card(partition, package)
    assert (partition / "user-data").read_bytes() == own
    assert not list(partition.glob("*.deb"))


@pytest.mark.parametrize(
    ("gone", "sentence"),
    [("config.txt", "is not a Raspberry Pi OS boot partition"), ("meta-data", "only Raspberry Pi OS trixie")],
)
def test_another_folder_is_refused(partition, package, gone, sentence):
    (partition / gone).unlink()
    with pytest.raises(InstallError, match=sentence):
        prepare_card(partition, package)


def test_another_file_is_refused(partition, tmp_path):
    (tmp_path / "holiday.deb").write_bytes(b"!<arch>\n")
    with pytest.raises(InstallError, match="is not a pegboard package"):
        prepare_card(partition, tmp_path / "holiday.deb")


def test_a_full_card_keeps_its_user_data(partition, package, monkeypatch):
    (partition / "user-data").write_text(IMAGER)

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(InstallFailed, match="No space left on device"):
        prepare_card(partition, package)
    assert (partition / "user-data").read_text() == IMAGER
    assert not list(partition.glob("*.new"))


@pytest.mark.debian
def test_cloud_init_is_here():
    assert shutil.which("cloud-init"), "cloud-init is missing: tests/debian-packages installs it"
