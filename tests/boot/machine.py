"""A Debian machine in qemu with systemd as its first process: its disk over that of `build_image`, reached by ssh."""

import contextlib
import http.client
import json
import shlex
import socket
import subprocess
import time
from pathlib import Path

IMAGE = Path(__file__).with_name("build_image")

BOOT_S = 240
"""Seconds that a start may take, without a processor's help for virtual machines."""


class Machine:
    """One machine; its disk stays when it is switched off."""

    def __init__(self, folder, suite="trixie"):
        made = subprocess.run([IMAGE, suite], stdout=subprocess.PIPE, text=True, check=True)
        self.image, self.disk = Path(made.stdout.strip()), folder / "disk.qcow2"
        words = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(self.image / "disk.ext4"), self.disk]
        subprocess.run(words, check=True)
        self.log, self.process = folder / "console.log", None
        self.ssh_port, self.http_port = free_port(), free_port()

    def start(self):
        """Switch on, and wait until somebody can log in."""
        doors = f"hostfwd=tcp:127.0.0.1:{self.ssh_port}-:22,hostfwd=tcp:127.0.0.1:{self.http_port}-:80"
        fast = ["-cpu", "max", "-accel", "tcg,thread=multi"]  # KVM within a virtual machine often fails
        words = ["qemu-system-x86_64", *fast, "-m", "1024", "-smp", "2", "-nographic", "-no-reboot", "-monitor", "none"]
        words += ["-kernel", self.image / "vmlinuz", "-initrd", self.image / "initrd.img"]
        words += ["-append", "root=/dev/vda rw console=ttyS0 quiet systemd.show_status=0"]
        words += ["-drive", f"file={self.disk},if=virtio,cache=none", "-serial", f"file:{self.log}"]
        words += ["-netdev", f"user,id=net,restrict=off,{doors}", "-device", "virtio-net-pci,netdev=net"]
        words += ["-device", "virtio-rng-pci"]
        self.process = subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL)
        begun = time.monotonic()
        while self.run("true", check=False).returncode != 0:
            assert self.process.poll() is None, "qemu has ended"
            assert time.monotonic() - begun < BOOT_S, self.log.read_text(errors="replace")[-3000:]
            time.sleep(0.5)

    def run(self, line, *, check=True, timeout=300):
        """Run a line of the shell as root."""
        own = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"]
        own += ["-o", "ConnectTimeout=5", "-i", str(self.image / "key"), "-p", str(self.ssh_port)]
        words = ["ssh", *own, "root@127.0.0.1", f"exec bash -c {shlex.quote(line)}"]
        ran = subprocess.run(words, capture_output=True, text=True, check=False, timeout=timeout)
        assert not check or ran.returncode == 0, f"{line}: {ran.returncode}\n{ran.stdout}{ran.stderr}"
        return ran

    def says(self, line):
        """What a line of the shell prints, as root."""
        return self.run(line).stdout.strip()

    def copy(self, *paths):
        """Copy files into root's home."""
        for path in paths:
            own = ["-q", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]
            words = ["scp", *own, "-i", self.image / "key", "-P", self.ssh_port, path, "root@127.0.0.1:"]
            subprocess.run(list(map(str, words)), check=True)

    def pull_plug(self):
        """Cut the power: what the machine has not written is lost."""
        self.process.kill()
        self.process.wait()

    def switch_off(self):
        """Let systemd switch off, and wait for it."""
        self.run("systemctl poweroff", check=False)
        self.process.wait(120)

    def ask(self, method, path, body=None, timeout=10, **headers):
        """Status, JSON and cookie of the table's answer at port 80, to a body of bytes or of values for JSON."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.http_port, timeout=timeout)) as connection:
            own = {"Host": "pegboard.local", "Content-Type": "application/json"} | headers
            connection.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body), own)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null"), answer.getheader("Set-Cookie")

    def version(self):
        """The version that answers; None where none does."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.ask("GET", "/api/v1/health")[1]["service"]["version"]
        return None

    def wait_for(self, version, seconds=120):
        """Wait until a version answers."""
        until = time.monotonic() + seconds
        while (found := self.version()) != version:
            assert time.monotonic() < until, (
                f"{found} answers, not {version}: {self.says('journalctl -b -n 40 -o cat')}"
            )
            time.sleep(0.2)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
