"""Builds the wheel, the same bytes from the same source."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from pegboard.install.building.source import BuildError, copy_source, epoch
from pegboard.install.constraints import plain_constraints

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet")


def build_wheel(folder: Path, as_version: str | None = None) -> Path:
    """Build the wheel into a folder; its file.

    Raises:
        BuildError: pip cannot build it.
    """
    with tempfile.TemporaryDirectory() as temporary:
        source, out, pins = (Path(temporary, name) for name in ("source", "out", "constraints.txt"))
        copy_source(source, as_version)
        pins.write_text(plain_constraints(), "utf-8")
        os.umask(0o022)  # the wheel holds the permissions of the files
        for path in source.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        run_pip("wheel", "--no-deps", "--no-cache-dir", "--wheel-dir", str(out), str(source), pins=pins)
        (built,) = out.glob("*.whl")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / built.name).write_bytes(built.read_bytes())
        return folder / built.name


def run_pip(*words: str, pins: Path | None = None) -> None:
    """Run pip with the time of the source; `pins` are constraints that hold for what builds a package, too.

    Raises:
        BuildError: it fails.
    """
    own = {"SOURCE_DATE_EPOCH": str(epoch())} | ({"PIP_CONSTRAINT": str(pins)} if pins else {})
    ran = subprocess.run([*PIP, *words], env=os.environ | own, capture_output=True, text=True, check=False)  # noqa: S603
    if ran.returncode:
        raise BuildError(f"pip {words[0]} failed: {ran.stderr.strip()[-2000:]}")
