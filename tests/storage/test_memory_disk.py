"""Whether a state folder is in memory, by lines that kernels wrote."""

import os

import pytest
from click.testing import CliRunner

from pegboard.cli.main import main
from pegboard.messages import Message
from pegboard.storage.memory_disk import find_memory
from tests.support.program import Service

ROOT = "6 1 999:9 / / rw,relatime - ext4 /dev/vda rw,discard"
DEBIAN_12 = (
    "overlayroot overlayroot rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/media/root-rw/w"
)
DEBIAN_11 = "overlay overlay rw,lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work"
DOCKER = (
    "overlay overlay rw,lowerdir=/l:/m,upperdir=/var/lib/docker/overlay2/7/diff,workdir=/var/lib/docker/overlay2/7/w"
)
MEMORY_BESIDE = "30 6 999:30 / /media/root-rw rw - tmpfs tmpfs-root rw"
DISK_BESIDE = "30 6 999:8 / /media/root-rw rw - ext4 /dev/sda1 rw"


@pytest.fixture
def found(tmp_path):
    """What is said of a folder, by the mounts of the machine and the options of its kernel."""

    def find(*lines, options="quiet", folder=tmp_path / "not made yet"):
        device = tmp_path.stat().st_dev
        here = f"{os.major(device)}:{os.minor(device)}"
        mounts, kernel = tmp_path / "mountinfo", tmp_path / "cmdline"
        mounts.write_text("".join(f"{line.replace('HERE', here)}\n" for line in lines))
        kernel.write_text(f"console=tty1 {options} rootwait\n")
        return find_memory(folder, mounts, kernel)

    return find


def here(file_system, point="/srv"):
    kind, source, options = file_system.split(" ")
    kind = "overlay" if kind.startswith("overlay") else kind
    return f"40 6 HERE / {point} rw,nosuid shared:7 - {kind} {source} {options}"


@pytest.mark.parametrize(
    "file_system", ["tmpfs tmpfs rw,size=1k", "ramfs none rw", "ext4 /dev/ram0 rw", "ext4 /dev/zram1 rw"]
)
def test_folder_in_memory_is_told_with_the_remedy(found, tmp_path, file_system):
    said = found(ROOT, here(file_system), folder=tmp_path)
    assert said == Message("state_in_memory", folder=tmp_path)
    assert (
        said == f"{tmp_path} is in memory: every score is lost at the next restart; use --state with a folder on a disk"
    )


@pytest.mark.parametrize(
    "file_system", ["ext4 /dev/mmcblk0p2 rw", "xfs /dev/sda1 rw", "nfs4 server:/a rw", "zfs a/b rw"]
)
def test_folder_on_a_disk_is_no_fault(found, file_system):
    assert found(ROOT, "30 6 999:30 / /dev/shm rw - tmpfs tmpfs rw", here(file_system)) is None


@pytest.mark.parametrize(
    ("lines", "options", "key"),
    [
        ((MEMORY_BESIDE, here(DEBIAN_12, "/")), "overlayroot=tmpfs", "state_on_overlay"),
        ((MEMORY_BESIDE, here(DEBIAN_12, "/")), "quiet", "state_on_overlay"),
        ((DISK_BESIDE, here(DEBIAN_12, "/")), "overlayroot=device:dev=/dev/sda1", None),
        ((here(DEBIAN_11, "/"),), "boot=overlay", "state_on_overlay"),
        ((here(DEBIAN_11, "/"),), "overlayroot=tmpfs:recurse=0", "state_on_overlay"),
        ((here(DOCKER, "/"),), "quiet", None),
        ((ROOT, here(DEBIAN_12)), "quiet", None),
    ],
    ids=["debian 12", "by hand", "on a USB disk", "debian 11", "of the start", "docker", "on the disk of the root"],
)
def test_overlay_is_in_memory_where_its_upper_layer_is(found, lines, options, key):
    said = found(*lines, options=options)
    assert (said and said.key) == key


@pytest.mark.parametrize("lines", [(), ("nonsense",), (ROOT,)])
def test_nothing_is_said_where_nothing_is_known(found, lines):
    assert found(*lines) is None


def test_blanks_in_the_names_of_mounts_are_octal(found):
    overlay = DEBIAN_12.replace("/media/root-rw/overlay", r"/media/a\040disk/overlay")
    beside = MEMORY_BESIDE.replace("/media/root-rw", r"/media/a\040disk")
    assert found(ROOT, beside, here(overlay)).key == "state_on_overlay"


def test_running_table_check_and_self_test_all_say_so(tmp_path, monkeypatch):
    """A second, for the program and two commands."""
    device, mounts, state = tmp_path.stat().st_dev, tmp_path / "mountinfo", tmp_path / "scores; all"
    mounts.write_text(f"40 6 {os.major(device)}:{os.minor(device)} / /srv rw - tmpfs tmpfs rw\n")
    with Service(state, environment={"PEGBOARD_MOUNTS": str(mounts)}) as service:
        (alarm,) = service.client().ask("GET", "/api/v1/health")[1]["alarms"]
        assert (alarm["message"]["key"], alarm["lasts"]) == ("state_in_memory", False)
    monkeypatch.setenv("PEGBOARD_MOUNTS", str(mounts))
    for words, name in ((["check"], "room"), (["selftest", "--mock"], "disk")):
        ended = CliRunner().invoke(main, [*words, "--state", str(state)])
        assert ended.exit_code == 1
        assert f"FAIL  {name}: {state} is in memory" in ended.output
