"""Debian package file (deb(5)) of pegboard: ar archive members, signature check, version, archive of the tree."""

import io
import os
import re
import tarfile
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from pegboard.errors import NotNow, PegboardError
from pegboard.install.host import Build

# --- errors of install, update and rollback ---


class InstallError(PegboardError):
    """The package cannot be installed; the message says why, and what would be accepted. Nothing has changed."""

    code = "install"


class InstallFailed(InstallError, NotNow):
    """The package is acceptable, but installing it failed; the version that ran before runs again."""


# --- package signature: Ed25519, over everything before the signature, by a trusted key ---


KEYS = "versions/release_keys.txt"
"""The file of the public keys, by its path in `pegboard/install`, which installers of earlier releases also use."""


def trusted_keys() -> list[bytes]:
    """The public keys in `release_keys.txt`: the signing key, and a spare in case it is lost."""
    text = resources.files("pegboard.install").joinpath(*KEYS.split("/")).read_text("utf-8")
    return keys_in(text)


def keys_in(text: str) -> list[bytes]:
    """The public keys in a text: 64 hexadecimal digits per line, optionally followed by other text.

    Raises:
        InstallError: a line has no key, or the text has no lines with keys.
    """
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    try:
        keys = [bytes.fromhex(words[0]) for words in lines]
    except ValueError as error:
        raise InstallError("release_key_unreadable") from error
    if not keys or any(len(key) != 32 for key in keys):  # noqa: PLR2004 - the length of an Ed25519 key, in bytes
        raise InstallError("release_key_unreadable")
    return keys


def require_signed(content: bytes, path: Path, keys: Sequence[bytes]) -> None:
    """Refuse a package that is not signed by any of the keys.

    Raises:
        InstallError: the file is not a package, is unsigned or signed by another key, or was changed after signing.
    """
    parts = members(content, path.name)
    if not parts or parts[-1].name != SIGNATURE:
        raise InstallError("install_package_unsigned", file=path.name)
    signed, signature = content[: parts[-1].start], parts[-1].content
    whole = signed + member_header(SIGNATURE, len(signature)) + signature == content
    if not whole or not any(_fits(key, signature, signed) for key in keys):
        raise InstallError("install_package_signature", file=path.name)


def _fits(key: bytes, signature: bytes, content: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - only an update needs cryptography
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except InvalidSignature:
        return False
    return True


MAGIC = b"!<arch>\n"

HEADER_BYTES = 60

SIGNATURE = "_pegboard.sig"
"""The member that holds the signature; dpkg ignores members whose names begin with an underscore (deb(5))."""

MOST_BYTES = 16 * 2**20
"""Size limit of a package in bytes; ours are smaller."""

FILE_NAME = re.compile(r"pegboard_[0-9A-Za-z.+~-]{1,40}_all\.deb", re.ASCII)
"""Pattern of a package's file name."""

TREE = "./usr/lib/pegboard/tree.tar.xz"


class Member(NamedTuple):
    """One member of the archive: its name, the offset of its header, and its content."""

    name: str
    start: int
    content: bytes


def read_bytes(path: Path) -> bytes:
    """The content of a file that may be a package.

    Raises:
        InstallError: the file cannot be read, or is too large for a package.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # else opening a pipe might hang
        with open(file, "rb") as opened:  # noqa: PTH123 - a descriptor
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise InstallError("install_package_unreadable", file=path.name, error=error.strerror) from error
    if len(content) > MOST_BYTES:
        raise InstallError("install_package_too_large", file=path.name, most=MOST_BYTES // 2**20)
    return content


def members(content: bytes, name: str) -> list[Member]:
    """The members of a package's ar archive.

    Raises:
        InstallError: the content is not an ar archive, or is truncated.
    """
    if not content.startswith(MAGIC):
        raise InstallError("install_package_foreign", file=name)
    return list(_members(content, name))


def _members(content: bytes, name: str) -> Iterator[Member]:
    at = len(MAGIC)
    while at < len(content):
        header = content[at : at + HEADER_BYTES]
        size = header[48:58].strip()
        if len(header) < HEADER_BYTES or header[58:] != b"`\n" or not size.isdigit():
            raise InstallError("install_package_cut_off", file=name)
        begin, end = at + HEADER_BYTES, at + HEADER_BYTES + int(size)
        if end > len(content):
            raise InstallError("install_package_cut_off", file=name)
        yield Member(header[:16].decode("ascii", "replace").rstrip().rstrip("/"), at, content[begin:end])
        at = end + end % 2


def member_header(name: str, size: int) -> bytes:
    """An ar member header, as described in deb(5)."""
    return f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{size:<10}`\n".encode()


def signed_content(path: Path) -> bytes:
    """The part of a package that its signature covers: everything before the signature.

    Raises:
        InstallError: the file is not a package, or is truncated.
    """
    content = read_bytes(path)
    last = members(content, path.name)[-1:]
    return content[: last[0].start] if last and last[0].name == SIGNATURE else content + b"\n" * (len(content) % 2)


def file_name(version: str) -> str:
    """The file name of a version's package."""
    return f"pegboard_{version}_all.deb"


def build_of(parts: list[Member], name: str) -> Build:
    """The version in the package's control file, and the time of that file, which is the time of the source.

    Raises:
        InstallError: the file is not a pegboard package.
    """
    with _tar(parts, "control.tar", name) as archive:
        control = _read(archive, "./control", name).decode("utf-8", "replace")
        source_time = int(archive.getmember("./control").mtime)
    fields = dict(re.findall(r"(?m)^(Package|Version): *(\S+)", control))
    if fields.get("Package") != "pegboard" or "Version" not in fields:
        raise InstallError("install_package_foreign", file=name)
    return Build(str(fields["Version"]), source_time)


def tree_archive(parts: list[Member], name: str) -> bytes:
    """The archive of the tree in a package.

    Raises:
        InstallError: the package has no archive of a tree, or is damaged.
    """
    with _tar(parts, "data.tar", name) as archive:
        return _read(archive, TREE, name)


def _tar(parts: list[Member], start: str, name: str) -> tarfile.TarFile:
    content = next((part.content for part in parts if part.name.startswith(start)), None)
    if content is None:
        raise InstallError("install_package_foreign", file=name)
    try:
        return tarfile.open(fileobj=io.BytesIO(content))
    except (tarfile.TarError, OSError, EOFError) as error:
        raise InstallError("install_package_damaged", file=name) from error


def _read(archive: tarfile.TarFile, path: str, name: str) -> bytes:
    try:
        if archive.getmember(path).size > MOST_BYTES:  # the header gives the unpacked size
            raise InstallError("install_package_foreign", file=name)
        file = archive.extractfile(path)
        content = file.read() if file else b""
    except (KeyError, tarfile.TarError, OSError, EOFError) as error:
        raise InstallError("install_package_foreign", file=name) from error
    return content
