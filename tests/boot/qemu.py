"""A machine in qemu: its own kernel and disk, emulated, so some ten times slower than this machine."""

import subprocess
import time

from tests.boot.machine import Machine, free_port

BOOT_S = 240
"""Seconds that a start may take, without a processor's help for virtual machines."""


class QemuMachine(Machine):
    """A disk over that of `build_image`; it stays when the machine is switched off."""

    def __init__(self, folder, suite):
        super().__init__(suite)
        self.disk = folder / "disk.qcow2"
        words = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(self.image / "disk.ext4"), self.disk]
        subprocess.run(words, check=True)
        self.log, self.process = folder / "console.log", None
        self.ports = {port: free_port() for port in Machine.ports}

    def start(self):
        doors = ",".join(f"hostfwd=tcp:{self.address}:{here}-:{port}" for port, here in self.ports.items())
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

    def pull_plug(self):
        self.process.kill()
        self.process.wait()
