"""Builds the wheel, the same bytes from the same source."""

import os
import sys
import tempfile
from pathlib import Path

from pegboard.install.building.programs import run_program
from pegboard.install.building.source import BuildError, copy_source, epoch

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet")


def build_wheel(folder: Path, as_version: str) -> Path:
    """Build the wheel of a version into a folder; its file.

    Raises:
        BuildError: pip cannot build it.
    """
    with tempfile.TemporaryDirectory() as temporary:
        source, out = Path(temporary, "source"), Path(temporary, "out")
        copy_source(source, as_version)
        os.umask(0o022)  # the wheel holds the permissions of the files
        for path in source.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        own = ("--no-deps", "--no-build-isolation")  # setuptools is this environment's, whose hash was checked
        run_pip("wheel", *own, "--no-cache-dir", "--wheel-dir", str(out), str(source))
        (built,) = out.glob("*.whl")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / built.name).write_bytes(built.read_bytes())
        return folder / built.name


def run_pip(*words: str) -> None:
    """Run pip with the time of the source.

    Raises:
        BuildError: it fails.
    """
    with tempfile.TemporaryDirectory() as aside:  # where pip works: nothing of it is left when it is killed
        ran = run_program(*PIP, *words, environment={"SOURCE_DATE_EPOCH": str(epoch()), "TMPDIR": aside})
    if ran.returncode:
        raise BuildError(f"pip {words[0]} failed: {ran.stderr.strip()[-2000:]}")
