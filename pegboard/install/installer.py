"""Installer, updates (package, USB stick, director's request), rollback and crash recovery, all run as root."""

import contextlib
import fcntl
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from pegboard.errors import PegboardError
from pegboard.install.director_updates import (
    PACKAGES,
    UpdateRequest,
    pop_request,
    read_package,
    read_regular,
    remove_package,
)
from pegboard.install.host import INSTALLED, Build, InstalledPaths, is_newer
from pegboard.install.installed_versions import (
    InstalledVersions,
    compile_tree,
    remove_partial_trees,
    require_newer,
    unpack,
)
from pegboard.install.package_file import (
    FILE_NAME,
    KEYS,
    MOST_BYTES,
    InstallError,
    InstallFailed,
    build_of,
    file_name,
    keys_in,
    members,
    read_bytes,
    require_signed,
    tree_archive,
    trusted_keys,
)
from pegboard.install.service_control import SystemdService
from pegboard.install.switching import SETTINGS_REFUSED, Switch, run_as_service, try_tree
from pegboard.messages import escape_control

# --- updates from a USB stick: the newest signed package is copied to the folder from which the director can choose ---


MOST_FILES = 32
"""Maximum number of packages checked on one stick."""

WRITE_S = 120.0
"""Timeout in seconds for writing a package; a slow card takes about ten."""

MOUNT = ("mount", "-t", "vfat,exfat,ntfs3,iso9660", "-o", "ro,nosuid,nodev,noexec")
"""The mount command: read-only, and only the usual file systems of sticks, as others write to replay their journal."""

WRITE = """
import os, sys
folder, name = sys.argv[1:]
os.makedirs(folder, mode=0o700, exist_ok=True)
new = os.path.join(folder, "package.new")
try:
    with open(new, "wb") as file:
        file.write(sys.stdin.buffer.read())
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, os.path.join(folder, name))
except OSError:
    os.path.lexists(new) and os.unlink(new)
    raise
"""
"""A program run as the account that owns the folder, so that root follows no link that the service may have made."""


@contextlib.contextmanager
def mount(device: Path) -> Iterator[Path]:
    """Mount a device read-only in a temporary folder.

    Raises:
        InstallError: the device cannot be mounted.
    """
    with tempfile.TemporaryDirectory(prefix="pegboard-stick-") as folder:
        ran = subprocess.run([*MOUNT, str(device), folder], capture_output=True, text=True, check=False)  # noqa: S603
        if ran.returncode:
            raise InstallError("stick_unreadable", device=device, error=" ".join(ran.stderr.split()))
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=False)  # noqa: S603, S607


def newest_package(folder: Path, keys: Sequence[bytes], newer_than: Build | None) -> tuple[str, bytes] | None:
    """The newest signed package in a folder, if newer than `newer_than`: its name, by its version, and its content."""
    found = []
    names = sorted(path.name for path in folder.iterdir() if FILE_NAME.fullmatch(path.name))
    for name in names[:MOST_FILES]:
        with contextlib.suppress(InstallError, OSError):
            content = read_regular(folder / name, MOST_BYTES)
            parts = members(content, name)
            require_signed(content, folder / name, keys)
            found.append((build_of(parts, name), content))
    if not found:
        return None
    newest, content = max(found, key=lambda one: one[0].order)
    return (file_name(newest.version), content) if newer_than is None or is_newer(newest, newer_than) else None


def store_package(state: Path, name: str, content: bytes) -> None:
    """Store a package in the folder whose packages the service shows to a director.

    Raises:
        InstallError: the package cannot be written.
    """
    words = [sys.executable, "-I", "-c", WRITE, str(state / PACKAGES), name]
    if run_as_service(words, WRITE_S, content).returncode:
        raise InstallError("install_package_not_kept", file=name)


WELCOME_S = 60.0
"""Timeout in seconds for the welcome message, which itself waits for the table."""

WELCOME = """
import sys
tree, state = sys.argv[1:]
sys.path.insert(0, tree)
from pathlib import Path
from pegboard.startup.welcome import welcome
welcome(Path(state))
"""

ARCHIVE = "usr/lib/pegboard/tree.tar.xz"

LOCK = ".lock"
"""Lock file in the folder of trees; held by the installing process."""

AGAIN_S = 30.0
"""Delay in seconds before a service that keeps crashing is restarted."""


class Installer:
    """Installs versions, and rolls back to earlier versions."""

    def __init__(self, paths: InstalledPaths = INSTALLED, service: SystemdService | None = None) -> None:
        self._paths = paths
        self.versions = InstalledVersions(paths.trees)
        self._service = service or SystemdService(paths.state)
        self._switch = Switch(self.versions, self._service)

    def install_package_tree(self) -> str:
        """Install the tree from the installed Debian package; return its version.

        Raises:
            InstallError: the tree does not fit this machine, or the installer is not run as root.
            InstallFailed: the version does not start; the earlier version runs again.
        """
        with self._lock():
            return self._install((self._paths.root / ARCHIVE).read_bytes(), "installed", by_hand=True)

    def update(self, package: Path, keys: Sequence[bytes] | None = None, *, during_game: bool = False) -> str:
        """Install the tree of a signed package that is newer than the running version; return its version.

        `keys` are trusted instead of the keys that this version ships.

        Raises:
            InstallError: the file is not a signed, newer pegboard package that fits this machine, a game is being
                played, or the installer is not run as root.
            InstallFailed: the version does not start; the earlier version runs again.
        """
        with self._lock():
            trusted = self._keys() if keys is None else keys
            return self._update(package.name, read_bytes(package), trusted, during_game=during_game)

    def back(self, *, during_game: bool = False) -> str:
        """Roll back to the previous version; return its number.

        Raises:
            InstallError: there is no previous version, a game is being played, or the installer is not run as root.
            InstallFailed: the previous version does not start; the current version runs again.
        """
        with self._lock():
            return self._back(during_game=during_game)

    def do_requested(self) -> None:
        """Carry out a director's request from the settings page; record the outcome for that page.

        Raises:
            InstallError: there is no valid request, or the installer is not run as root.
        """
        request = pop_request(self._paths.runtime)
        with self._lock():
            if self._do(request) and request.do == "update":
                remove_package(self._paths.state, request.file)

    def _do(self, request: UpdateRequest) -> bool:
        """Carry out the request, or record why not; False if the request can be repeated after the game."""
        try:
            if request.do == "back":
                self._back(during_game=request.during_game)
            else:
                content = read_package(self._paths.state, request.file)
                self._update(request.file, content, self._keys(), during_game=request.during_game)
        except InstallError as error:
            if error.message.key != "install_went_back":  # a rollback is already recorded
                self._switch.refuse(request.file, error.message)
            return error.message.key != "install_in_game"
        except OSError as error:
            fault = InstallError("install_package_unreadable", file=request.file, error=error.strerror or str(error))
            self._switch.refuse(request.file, fault.message)
        return True

    def offer_from_stick(self, device: Path) -> None:
        """Offer the director the newest signed package on a USB stick, if it is newer than the running version.

        Raises:
            InstallError: the stick cannot be read, or the package cannot be stored.
        """
        with mount(device) as folder:
            found = newest_package(folder, self._keys(), self.versions.running)
        if found is not None:
            store_package(self._paths.state, *found)

    def _keys(self) -> list[bytes]:
        """The keys that this program trusts, plus the keys of the running version, which may be newer."""
        newer = self._paths.current / "pegboard" / "install" / KEYS
        return trusted_keys() + (keys_in(newer.read_text("utf-8")) if newer.is_file() else [])

    def finish(self) -> None:
        """Complete a switch interrupted by a power cut: watch the new version, or roll back.

        Raises:
            InstallError: the installer is not run as root.
            InstallFailed: the new version was rolled back.
        """
        with self._lock():
            remove_partial_trees(self._paths.trees)
            self._switch.finish()

    def recover(self) -> None:
        """Recover a service that keeps crashing: roll back if that may help, else restart it later.

        The previous version cannot help if it does not start, perhaps because it cannot read the newer scores.

        Waits for a running installation, which may fail before it starts the service. A version that rejects its
        settings is not restarted, either here or by a phone's request: it would only reject them again. Exception: if
        the start limit is reached, somebody may have changed the settings and tried again, so it is restarted.
        """
        with self._lock():
            if self._switch.recover(self._can_start):
                return
        now = self._service.look()
        if now.status == SETTINGS_REFUSED and not now.start_limit_reached:
            self._service.stop_listening()
        else:
            time.sleep(AGAIN_S)
            self._service.start()

    def compile(self) -> None:
        """Compile the current version for this machine's Python, which may have been upgraded."""
        current = self.versions.current
        if current is not None:
            compile_tree(self._paths.trees / current)

    def welcome(self) -> None:
        """Let the current version print the table's address, and which buses must still be turned on."""
        words = [sys.executable, "-I", "-c", WELCOME, str(self._paths.current), str(self._paths.state)]
        ran = run_as_service(words, WELCOME_S)  # the message needs files of the service's account
        for stream, said in ((sys.stdout, ran.stdout), (sys.stderr, ran.stderr)):
            for line in said.decode("utf-8", "replace").splitlines():
                print(escape_control(line), file=stream)

    def _update(self, file: str, content: bytes, keys: Sequence[bytes], *, during_game: bool) -> str:
        parts = members(content, file)
        require_signed(content, Path(file), keys)
        require_newer(file, build_of(parts, file), self.versions.running)
        self._require_no_game(during_game=during_game)
        return self._install(tree_archive(parts, file), "updated", by_hand=False)

    def _back(self, *, during_game: bool) -> str:
        previous = self.versions.previous
        if previous is None:
            raise InstallError("install_no_way_back")
        self._require_no_game(during_game=during_game)
        self._switch.to(previous, "back", more_s=self._try(previous))
        return str(self.versions.version(previous))

    def _try(self, name: str) -> float:
        """Try an installed version on a copy of the scores; return how long that took, in seconds."""
        version = str(self.versions.version(name))
        return try_tree(self._paths.trees / name, self._paths.state, self._paths.settings, version)

    def _can_start(self, name: str) -> bool:
        """Whether an installed version starts on a copy of the scores; True if it cannot be tried."""
        try:
            self._try(name)
        except (InstallError, OSError) as error:
            sys.stderr.write(f"pegboard: {error}\n")
            return not isinstance(error, InstallError) or error.message.key != "install_trial_failed"
        return True

    def _install(self, archive: bytes, what: str, *, by_hand: bool) -> str:
        trees = self._paths.trees
        remove_partial_trees(trees)
        with unpack(archive, trees, by_hand=by_hand) as (part, manifest):
            name = self.versions.same_as(manifest)
            if name is not None and name == self.versions.current:
                return manifest.version
            took_s = try_tree(part, self._paths.state, self._paths.settings, manifest.version)
            if name is None:
                name = self.versions.add(part, manifest)
        self._switch.to(name, what, more_s=took_s)
        return manifest.version

    def _require_no_game(self, *, during_game: bool) -> None:
        if not during_game and self._service.is_playing():
            raise InstallError("install_in_game")

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        """Wait for the installation lock, and hold it.

        Raises:
            InstallError: not run as root.
        """
        if os.geteuid() != 0 and self._paths == INSTALLED:
            raise InstallError("needs_root")
        self._paths.trees.mkdir(mode=0o755, parents=True, exist_ok=True)
        lock = os.open(self._paths.trees / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(lock, 0o600)  # a reader could lock it and block updates
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


COMMANDS = ("install", "finish", "recover", "requested", "compile")
"""The installer's commands, apart from `stick DEVICE`."""


def _run(installer: Installer, words: Sequence[str]) -> None:
    match words:
        case ["install"]:
            version = installer.install_package_tree()
            sys.stdout.write(f"pegboard {version} is installed\n")
            installer.welcome()
        case ["finish"]:
            installer.finish()
        case ["recover"]:
            installer.recover()
        case ["requested"]:
            installer.do_requested()
        case ["compile"]:
            installer.compile()
        case ["stick", device]:
            installer.offer_from_stick(Path(device))
        case _:
            sys.exit(f"use {', '.join(COMMANDS)}, or stick with a device")


def main(words: Sequence[str] | None = None) -> None:
    """Run one of `COMMANDS` or `stick DEVICE`, as the package's scripts and units do.

    Raises:
        SystemExit: the command failed; one sentence says why.
    """
    given = list(sys.argv[1:] if words is None else words)
    try:
        _run(Installer(), given)
    except PegboardError as error:
        sys.exit(f"pegboard: {error}")
    except OSError as error:
        sys.exit(f"pegboard: {InstallFailed('tree_not_written', folder=INSTALLED.trees, error=error)}")
