"""How this program was installed: where the Debian package keeps things, and what is there. Standard library only."""

import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent.parent
"""The folder that this program is in: a version's tree, a checkout, or site-packages."""

TRIAL_VARIABLE = "PEGBOARD_TRIAL"
"""Set in the environment of a version that is only tried, on a copy of the scores: it tells nobody that it is there."""


@dataclass(frozen=True, slots=True)
class InstalledPaths:
    """Where the package keeps things.

    Attributes:
        root: the folder that stands for `/`; tests name another.
    """

    root: Path = Path("/")

    @property
    def trees(self) -> Path:
        """The installed versions, each in a folder of its own, beside the link `current`; only root writes there."""
        return self.root / "var/lib/pegboard-trees"

    @property
    def current(self) -> Path:
        """The link to the version that runs."""
        return self.trees / "current"

    @property
    def state(self) -> Path:
        """The scores, as the service keeps them."""
        return self.root / "var/lib/pegboard"

    @property
    def runtime(self) -> Path:
        """What does not outlive a restart of the machine, such as requests to the services that root runs."""
        return self.root / "run/pegboard"

    @property
    def settings(self) -> Path:
        """The settings file, which may be missing."""
        return self.root / "etc/pegboard/pegboard.toml"


INSTALLED = InstalledPaths()


def is_installed(program: Path = PROGRAM, paths: InstalledPaths = INSTALLED) -> bool:
    """Whether this program is one of the versions that the package has installed."""
    return program.parent == paths.trees.resolve()


def install_command(library: str, debian: str, environment: Path = Path(sys.prefix)) -> str:
    """The command that installs a missing library for the Python that runs this program.

    Args:
        library: as pip takes it, such as `sqlalchemy>=2`.
        debian: the Debian package that has it.
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
    """The version of an installed distribution; None if there is none, or its files are empty after a power cut.

    `metadata.version` would return None for empty files, warn from Python 3.12 on, and raise KeyError later.
    """
    from importlib import metadata  # noqa: PLC0415 - few need it, and it is slow to load

    try:
        about = metadata.metadata(distribution)
    except (metadata.PackageNotFoundError, FileNotFoundError):
        return None
    return about["Version"] if about and "Version" in about else None


def _is_of_uv(environment: Path) -> bool:
    """Whether uv made a virtual environment, which then has no pip."""
    try:
        settings = (environment / "pyvenv.cfg").read_text("utf-8").splitlines()
    except OSError:
        return False
    return any(line.partition("=")[0].strip() == "uv" for line in settings)


def service_runtime_folder(
    environment: Mapping[str, str] = os.environ, *, installed: bool | None = None
) -> Path | None:
    """The runtime folder of the installed service, where root waits for its requests; None for any other program.

    systemd names it in RUNTIME_DIRECTORY (systemd.exec(5)).
    """
    folders = environment.get("RUNTIME_DIRECTORY", "")
    if not folders or not (is_installed() if installed is None else installed):
        return None
    return Path(folders.split(":", maxsplit=1)[0])
