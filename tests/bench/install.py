"""What is handed out, and the installed program: bytes of package and wheel, seconds to READY and to be back."""

import itertools
import os
import socket
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path

from pegboard.install.installed_versions import compile_tree
from pegboard.install.package_file import members, tree_archive
from tests.bench.service_probe import undisturbed
from tests.support.program import Service

ROOT = Path(__file__).parents[2]


def install(budgets, folder):
    """Bytes of what is handed out; seconds of the installed tree, and of a change of version."""
    built = folder / "built"
    words = [sys.executable, "-m", "pegboard.install.building", "--folder", str(built), "deb"]
    subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (package,), (wheel,) = built.glob("*.deb"), built.glob("*.whl")
    budgets.add("the Debian package", [package.stat().st_size / 1e6], 4.0, "MB")
    budgets.add("the wheel", [wheel.stat().st_size / 1e6], 1.5, "MB")
    tree = unpacked(package, folder)
    ready, answer, away = zip(*undisturbed(changes(tree, folder), budgets.samples(12, quick=2)), strict=True)
    budgets.add("start of the installed program to READY=1", ready, 1.5, "s")
    budgets.add("  to the first HTTP answer", answer, 0.7, "s", of="median")
    budgets.add("out of service while versions change: SIGTERM to the next one's answer", away, 3.0, "s")


def unpacked(package, folder):
    """The tree of a package, compiled as the installer does."""
    archive, tree = folder / "tree.tar.xz", folder / "tree"
    archive.write_bytes(tree_archive(members(package.read_bytes(), package.name), package.name))
    with tarfile.open(archive) as files:
        files.extractall(tree, filter="data")
    compile_tree(tree)
    return tree


def changes(tree, folder):
    """Seconds from a start to READY and to an answer, and from the end of one program to the answer of the next."""
    words = [
        sys.executable,
        "-I",
        str(tree / "run.py"),
        *["run", "--mock", "--open", "--host", "127.0.0.1", "--port", "0", "--state"],
    ]
    for n in itertools.count():
        command = [*words, str(folder / f"installed{n}")]
        with Service(folder / f"installed{n}", command=command) as before:
            before.client().score(0, 2)
            begun_ns = time.monotonic_ns()
            before.stop()
        with Notified(folder / "notify") as notified, Service(folder / f"installed{n}", command=command) as service:
            assert service.client().state()["lanes"][0]["front"] == 2
            answered_ns = time.monotonic_ns()
            yield (
                (notified.wait() - service.begun_ns) / 1e9,
                (answered_ns - service.begun_ns) / 1e9,
                (answered_ns - begun_ns) / 1e9,
            )


class Notified:
    """The end of systemd's line, which notes when READY=1 came."""

    def __init__(self, path):
        self._path, self.ready_ns = path, None

    def __enter__(self):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self._path))
        os.environ["NOTIFY_SOCKET"] = str(self._path)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        return self

    def wait(self):
        """Nanoseconds of the steady clock at which READY=1 came."""
        self._thread.join(10)
        return self.ready_ns

    def _listen(self):
        while self._socket.recv(256) != b"READY=1":
            pass
        self.ready_ns = time.monotonic_ns()

    def __exit__(self, *_):
        del os.environ["NOTIFY_SOCKET"]
        self._socket.close()
        self._path.unlink()
