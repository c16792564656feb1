"""Source of reproducible builds: its files, version (with commit) and timestamp; signing keys and package signing."""

import contextlib
import os
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from pegboard.install.package_file import SIGNATURE, member_header, signed_content
from pegboard.install.program_version import with_commit

# --- running build programs ---
# After Ctrl-C the whole process group is killed before its files are removed.


def run_program(*words: str, environment: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    """Run a program to its end, in its own process group, with additional environment variables.

    Returns:
        Its exit status and output.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed; the program and its children are killed.
        OSError: the program does not exist.
    """
    more = os.environ | dict(environment or {})
    with subprocess.Popen(  # noqa: S603
        words,
        env=more,
        process_group=0,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            output, errors = process.communicate()
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
    return CompletedProcess(words, process.returncode, output, errors)


# --- package signing ---


def make_key(path: Path) -> str:
    """Create a private key in a new file that only its owner can read; return the line with its public key.

    Raises:
        BuildError: the file already exists.
    """
    key = Ed25519PrivateKey.generate()
    try:
        path.touch(0o600, exist_ok=False)
    except FileExistsError:
        raise BuildError(f"{path} already exists; a key is never overwritten") from None
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return public_line(key)


def public_line(key: Ed25519PrivateKey) -> str:
    """The public key as a line of `release_keys.txt`: 64 hexadecimal digits."""
    return _public_bytes(key).hex()


def sign(package: Path, key_file: Path) -> bytes:
    """Sign a package in place with a private key (PEM); return the public key, 32 bytes.

    Raises:
        BuildError: the key cannot be read, or is not an Ed25519 key.
        InstallError: the file is not a package.
    """
    try:
        key = load_pem_private_key(key_file.read_bytes(), None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BuildError(f"{key_file} cannot be read as a private key without a password: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BuildError(f"{key_file} is not an Ed25519 key; make release-key KEY={key_file}.new makes one")
    content = signed_content(package)
    signature = key.sign(content)
    package.write_bytes(content + member_header(SIGNATURE, len(signature)) + signature)
    return _public_bytes(key)


def _public_bytes(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


ROOT = Path(__file__).parents[3]
"""The folder of the repository."""

BUILT = ("pyproject.toml", "README.md", "LICENSE", "pegboard", "web", "hardware")
"""The files and folders that a wheel is built from."""

SOURCE = (*BUILT, "Makefile", "constraints.txt", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "systemd", "tests")
"""The contents of a source archive: everything needed to run, build and test pegboard."""


class BuildError(Exception):
    """A build failed; the message gives the cause and the fix."""


def version() -> str:
    """The version in pyproject.toml; between releases with the commit, and ".dirty" if files have changed since."""
    return with_commit(_release(), ROOT, is_changed=bool(_changed_files()))


def require_unchanged() -> None:
    """Refuse a source that differs from its commit: such a release could not be reproduced.

    Raises:
        BuildError: a file has changed since the commit, or is new.
    """
    changed = _changed_files()
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise BuildError(f"a release is built from a commit; commit or remove your changes first: {changed[0]}{more}")


def epoch() -> int:
    """The time of the source in seconds since 1970: SOURCE_DATE_EPOCH, else that of the commit or pyproject.toml.

    Raises:
        BuildError: SOURCE_DATE_EPOCH is not a whole number.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given and not given.isdecimal():
        raise BuildError("SOURCE_DATE_EPOCH must be a whole number of seconds since 1970")
    return int(given or _git("log", "-1", "--format=%ct") or (ROOT / "pyproject.toml").stat().st_mtime)


def copy_source(folder: Path, as_version: str, names: Sequence[str] = BUILT) -> None:
    """Copy the source into a folder, as version `as_version`; by default only what a wheel is built from."""
    for name in _files(names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    project = folder / "pyproject.toml"
    own = f'version = "{_release()}"'
    project.write_text(project.read_text("utf-8").replace(own, f'version = "{as_version}"', 1), "utf-8")


def _release() -> str:
    """The version in pyproject.toml."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def _changed_files() -> list[str]:
    """The source files that differ from the commit, or are new."""
    lines = _git("status", "--porcelain", "--untracked-files=all", "--no-renames", "--", *SOURCE).splitlines()
    return [line[3:] for line in lines]


def _files(names: Sequence[str]) -> list[str]:
    """The files with these names or in these folders, except those that git ignores."""
    known = _git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *names)
    if known:
        return [name for name in known.split("\0") if name]
    return [
        str(path.relative_to(ROOT))
        for name in names
        for path in ((ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name])
        if "__pycache__" not in path.parts
    ]


def _git(*words: str) -> str:
    """Git's output; "" if this is not a repository, or git is missing or fails."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return ""
    ran = run_program("git", "-C", str(ROOT), *words)
    return ran.stdout.strip("\n") if ran.returncode == 0 else ""
