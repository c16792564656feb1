"""Installation paths, host detection (Raspberry Pi, `make`), version order, install commands. Standard library only."""

import os
import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias


def default_state() -> Path:
    """The state folder: systemd's STATE_DIRECTORY; else for root, the installed service's; else the user's (XDG)."""
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given)
    if os.geteuid() == 0 and is_installed():
        return INSTALLED.state
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    home = named if named.is_absolute() else Path.home() / ".local" / "state"  # XDG ignores relative paths
    return home / "pegboard"


FOLDER = "hub"
"""Name of the hub's folder in the state folder, since a table on the same machine has its own codes and files."""


def default_hub_folder() -> Path:
    """The hub's folder: systemd's STATE_DIRECTORY, else `FOLDER` in the default state folder."""
    return default_state() if os.environ.get("STATE_DIRECTORY") else default_state() / FOLDER


def code_command(folder: Path) -> str:
    """The command that prints a director's code for the hub with this folder."""
    return "pegboard hub code" + ("" if folder == default_hub_folder() else f" --state {shlex.quote(str(folder))}")


# --- host detection: Raspberry Pi, started by `make` ---


MODEL = Path(os.environ.get("PEGBOARD_MODEL", "/proc/device-tree/model"))
"""The file with a Raspberry Pi's model name; for tests elsewhere, the environment can name another file."""

STARTED_BY = "PEGBOARD_STARTED_BY"
"""Environment variable that `make run` sets when it starts the program."""

BY_MAKE = "make"


def on_a_pi() -> bool:
    """Whether this machine is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in MODEL.read_text("utf-8", "replace")
    except OSError:
        return False


def started_by_make(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether `make run` has started the program."""
    return environment.get(STARTED_BY) == BY_MAKE


# --- version and build comparison, as in Python's packaging (PEP 440) and Debian's dpkg ---


VersionOrder: TypeAlias = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
"""Sort key of versions: the numbers of the release, then the stage and number of each part after them."""

STAGES = {
    "dev": -5,
    "a": -4,
    "alpha": -4,
    "b": -3,
    "beta": -3,
    "c": -2,
    "rc": -2,
    "pre": -2,
    "preview": -2,
    "post": 2,
}
"""Order of suffixes around their release: suffixes below 0 come before the release."""

BEFORE, WHOLE, AFTER = -1, (0, 0), 1
"""Stages of parts not in `STAGES`: `BEFORE` after a tilde (deb-version(7)), else `AFTER`; `WHOLE` ends a version."""

_COMMIT = re.compile(r"\+g[0-9a-f]{7,40}(?:\.dirty)?(?![0-9a-z])")
"""The commit of a build between releases; commit hashes say nothing about order."""

_RELEASE = re.compile(r"\d+(?:\.\d+)*")

_PART = re.compile(r"(?P<tilde>~?)(?P<word>[a-z]*)[._-]?(?P<number>\d*)")


def version_order(version: str) -> VersionOrder:
    """Sort key of a version: 1.5.0~rc1 comes before 1.5.0, which equals 1.5 and comes before 1.5.0+1.

    A commit comes directly after its release, and all commits of one release are equal in this order. A file name is
    ordered by the version in it; text without a number comes first.
    """
    version, commits = _COMMIT.subn("", version)
    found = _RELEASE.search(version)
    if found is None:
        return (), ()
    release = [int(part) for part in found[0].split(".")]
    while release and not release[-1]:
        release.pop()
    parts = [
        (STAGES.get(part["word"], BEFORE if part["tilde"] else AFTER), int(part["number"] or 0))
        for part in _PART.finditer(version.lower(), found.end())
        if part["number"] or part["word"] in STAGES
    ]
    return tuple(release), (*parts, *[(AFTER, 0)] * commits, WHOLE)


class Build(NamedTuple):
    """A build of a version.

    Attributes:
        version: pegboard's version; between releases with its commit, such as 0.2.0+g1a2b3c4.
        source_time: the time when the source was committed, in seconds since 1970.
    """

    version: str
    source_time: int

    @property
    def order(self) -> tuple[VersionOrder, int]:
        """Sort key: the release, then the time of the source."""
        return version_order(_COMMIT.sub("", self.version)), self.source_time


def is_newer(build: Build, than: Build) -> bool:
    """Whether a build is newer: a later release, or a later commit of the same release.

    Two builds of the same release, both without a commit in their versions, count as equally new.
    """
    (release, time), (other, since) = build.order, than.order
    between = build.version != than.version and any(_COMMIT.search(one.version) for one in (build, than))
    return release > other or (release == other and between and time > since)


PROGRAM = Path(__file__).resolve().parent.parent.parent
"""The folder that contains this program: a version's tree, a checkout, or site-packages."""

TRIAL_VARIABLE = "PEGBOARD_TRIAL"
"""Environment variable of a trial start, which uses a copy of the scores and must not announce itself to others."""


@dataclass(frozen=True, slots=True)
class InstalledPaths:
    """Paths of the installed Debian package.

    Attributes:
        root: the root folder; tests use another folder.
    """

    root: Path = Path("/")

    @property
    def trees(self) -> Path:
        """The installed versions, each in its own folder, and the symlink `current`; only root can write there."""
        return self.root / "var/lib/pegboard-trees"

    @property
    def current(self) -> Path:
        """The symlink to the running version."""
        return self.trees / "current"

    @property
    def state(self) -> Path:
        """The service's state folder, with the scores."""
        return self.root / "var/lib/pegboard"

    @property
    def runtime(self) -> Path:
        """The runtime folder, cleared at each boot; it holds requests to services that run as root."""
        return self.root / "run/pegboard"

    @property
    def settings(self) -> Path:
        """The settings file, which may be missing."""
        return self.root / "etc/pegboard/pegboard.toml"


INSTALLED = InstalledPaths()


def is_installed(program: Path = PROGRAM, paths: InstalledPaths = INSTALLED) -> bool:
    """Whether this program is a version installed by the Debian package."""
    return program.parent == paths.trees.resolve()


def install_command(library: str, debian: str, environment: Path = Path(sys.prefix)) -> str:
    """The command that installs a missing library for the Python that runs this program.

    Args:
        library: a pip requirement, such as `sqlalchemy>=2`.
        debian: the Debian package that contains it.
        environment: the virtual environment that runs this program.
    """
    if is_installed():
        return f"sudo apt install {debian}"
    quoted = shlex.quote(library)
    if environment.parent.name == "venvs" and environment.parent.parent.name == "pipx":
        return f"pipx inject {environment.name} {quoted}"
    python = environment / "bin" / "python"
    here = shlex.quote(str(python.relative_to(Path.cwd()) if environment.parent == Path.cwd() else python))
    return f"uv pip install --python {here} {quoted}" if _is_of_uv(environment) else f"{here} -m pip install {quoted}"


def installed_version(distribution: str) -> str | None:
    """The version of an installed distribution; None if it is missing, or its files are empty after a power cut.

    `metadata.version` would return None for empty files, warn from Python 3.12 on, and raise KeyError later.
    """
    from importlib import metadata  # noqa: PLC0415 - rarely needed, and slow to load

    try:
        about = metadata.metadata(distribution)
    except (metadata.PackageNotFoundError, FileNotFoundError):
        return None
    return about["Version"] if about and "Version" in about else None


def _is_of_uv(environment: Path) -> bool:
    """Whether a virtual environment was made by uv, and so has no pip."""
    try:
        settings = (environment / "pyvenv.cfg").read_text("utf-8").splitlines()
    except OSError:
        return False
    return any(line.partition("=")[0].strip() == "uv" for line in settings)


def service_runtime_folder(
    environment: Mapping[str, str] = os.environ, *, installed: bool | None = None
) -> Path | None:
    """The runtime folder of the installed service, where root waits for requests; None for any other program.

    systemd names it in RUNTIME_DIRECTORY (systemd.exec(5)).
    """
    folders = environment.get("RUNTIME_DIRECTORY", "")
    if not folders or not (is_installed() if installed is None else installed):
        return None
    return Path(folders.split(":", maxsplit=1)[0])
