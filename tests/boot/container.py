"""A machine in a container of systemd-nspawn: this machine's kernel and speed, with a systemd and a disk of its own."""

import contextlib
import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import time
from pathlib import Path

from tests.boot.machine import SSH, TABLE, Machine

BOOT_S = 60

RUN = Path(__file__).with_name("run_container")

CLONE_NEWNET = 0x40000000

EXT4_IOC_SHUTDOWN, NO_FLUSH = 0x8004587D, struct.pack("I", 2)
"""Of linux/fs/ext4/ext4.h: the file system ends; what is not on its disk yet, its journal too, never gets there."""


class ContainerMachine(Machine):
    """A copy of the disk of `build_image`, in a container that only root can start.

    What it does not have: a kernel and its start, devices beyond those of every container, udev, and limits of memory
    where this machine's control groups of version 2 have none.
    """

    at_full_speed = True
    unproved = frozenset(
        {"device /dev/vda", "device /dev/mem", "device /dev/kmsg", "device /dev/ttyS0", "device /dev/rtc0"}
    )
    address = "10.0.0.2"

    def __init__(self, folder, suite):
        super().__init__(suite)
        self.disk, self.root, self.log = folder / "disk.ext4", folder / "root", folder / "console.log"
        subprocess.run(["cp", "--sparse=always", self.image / "disk.ext4", self.disk], check=True)
        self.root.mkdir()
        self.process = self.within = None
        self.cgroup = control_groups() / f"pegboard-{os.getpid()}"

    def start(self):
        self.cgroup.mkdir()
        words = ["unshare", "--mount", "--net", RUN, self.disk, self.root, self.cgroup]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.within = ("nsenter", f"--net=/proc/{self.process.pid}/ns/net")
        begun = time.monotonic()
        while not self._listens() or self.run("true", check=False).returncode != 0:
            said = self.log.read_text(errors="replace")[-3000:]
            assert self.process.poll() is None, f"the container has ended: {said}"
            assert time.monotonic() - begun < BOOT_S, said
            time.sleep(0.1)

    def pull_plug(self):
        """Cut the power: the file system ends first, at one moment, then every process.

        What was in memory alone is lost, as on a machine, and the next start replays the file system's journal. What a
        cache in a real disk or card would lose too is kept here, as in qemu.
        """
        folder = os.open(f"/proc/{self.process.pid}/root{self.root}", os.O_RDONLY)
        fcntl.ioctl(folder, EXT4_IOC_SHUTDOWN, NO_FLUSH)
        os.close(folder)
        (self.cgroup / "cgroup.kill").write_text("1")
        self.process.wait()
        until = time.monotonic() + 30
        while subprocess.run(["losetup", "-j", self.disk], capture_output=True, check=True).stdout:
            assert time.monotonic() < until, "somebody holds its disk"
            time.sleep(0.02)
        for group in sorted(self.cgroup.rglob("*/"), reverse=True):
            group.rmdir()
        self.cgroup.rmdir()

    def dial(self, timeout, port=TABLE):
        return self._connect(port, timeout)

    def _listens(self):
        """Whether somebody listens for ssh; ssh itself would wait for seconds while there is no network yet."""
        with contextlib.suppress(OSError):
            self._connect(SSH, 0.2).close()
            return True
        return False

    def _connect(self, port, timeout):
        with within_network(self.process.pid):
            connection = socket.socket()
        connection.settimeout(timeout)
        try:
            connection.connect((self.address, port))
        except OSError:
            connection.close()
            raise
        return connection


def control_groups():
    """Where the hierarchy of version 2 is mounted."""
    words = ["findmnt", "--types", "cgroup2", "--noheadings", "--first-only", "--output", "TARGET"]
    return Path(subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip())


@contextlib.contextmanager
def within_network(pid):
    """The sockets that this thread makes belong to the network of a process."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/thread-self/ns/net").open() as own, Path(f"/proc/{pid}/ns/net").open() as other:
        enter(libc, other)
        try:
            yield
        finally:
            enter(libc, own)


def enter(libc, namespace):
    if libc.setns(namespace.fileno(), CLONE_NEWNET) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
