"""The source that is built: its files, its version and its time, by which two builds of it are the same bytes."""

import os
import shutil
import tomllib
from pathlib import Path

from pegboard.install.building.programs import run_program

ROOT = Path(__file__).parents[3]
"""The folder of the repository."""

BUILT = ("pyproject.toml", "README.md", "LICENSE", "pegboard", "web", "hardware")
"""What of it a wheel is built from."""


class BuildError(Exception):
    """It cannot be built; the message says why, and what helps."""


def version() -> str:
    """The version of this source, as pyproject.toml says."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def epoch() -> int:
    """The time of the source in seconds since 1970: SOURCE_DATE_EPOCH, or the newest commit, or pyproject.toml's own.

    Raises:
        BuildError: SOURCE_DATE_EPOCH tells no time.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given and not given.isdecimal():
        raise BuildError("SOURCE_DATE_EPOCH tells no time; it takes whole seconds since 1970")
    return int(given or _git("log", "-1", "--format=%ct") or (ROOT / "pyproject.toml").stat().st_mtime)


def copy_source(folder: Path, as_version: str | None = None) -> None:
    """Copy what a wheel is built from into a new folder; under another version where one is given."""
    for name in _files():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    if as_version is not None:
        project = folder / "pyproject.toml"
        own = f'version = "{version()}"'
        project.write_text(project.read_text("utf-8").replace(own, f'version = "{as_version}"', 1), "utf-8")


def _files() -> list[str]:
    """The files of the source, without what git ignores."""
    known = _git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *BUILT)
    if known:
        return [name for name in known.split("\0") if name]
    return [
        str(path.relative_to(ROOT))
        for name in BUILT
        for path in ((ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name])
        if "__pycache__" not in path.parts
    ]


def _git(*words: str) -> str:
    """What git says; "" where this is no repository, or there is no git."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return ""
    ran = run_program("git", "-C", str(ROOT), *words)
    return ran.stdout.strip("\n") if ran.returncode == 0 else ""
