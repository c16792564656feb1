"""A package file of ours: the members of its ar archive (deb(5)), its version, and the archive of the tree in it."""

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

# --- the error of everything that installs, updates or goes back ---


class InstallError(PegboardError):
    """What was given cannot be installed: the sentence says why, and what would be taken. Nothing is changed."""

    code = "install"


class InstallFailed(InstallError, NotNow):
    """It could have been installed, but something failed on the way; what ran before runs again."""


# --- the signature of a package: Ed25519 over everything before it, by one of the keys that this version trusts ---


KEYS = "versions/release_keys.txt"
"""The file of the public keys in `pegboard/install`; installers of earlier releases look for it there, too."""


def trusted_keys() -> list[bytes]:
    """The public keys in `release_keys.txt`: one that signs, and a spare one should that be lost."""
    text = resources.files("pegboard.install").joinpath(*KEYS.split("/")).read_text("utf-8")
    return keys_in(text)


def keys_in(text: str) -> list[bytes]:
    """The public keys of a text: 64 hexadecimal digits a line, after which anything may stand.

    Raises:
        InstallError: a line has none.
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
    """Refuse a package that none of the keys has signed.

    Raises:
        InstallError: it is no package, has no signature, or that of another key, or has been changed since.
    """
    parts = members(content, path.name)
    if not parts or parts[-1].name != SIGNATURE:
        raise InstallError("install_package_unsigned", file=path.name)
    signed, signature = content[: parts[-1].start], parts[-1].content
    whole = signed + member_header(SIGNATURE, len(signature)) + signature == content
    if not whole or not any(_fits(key, signature, signed) for key in keys):
        raise InstallError("install_package_signature", file=path.name)


def _fits(key: bytes, signature: bytes, content: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - only an update needs it
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except InvalidSignature:
        return False
    return True


MAGIC = b"!<arch>\n"


HEADER_BYTES = 60


SIGNATURE = "_pegboard.sig"
"""The member that carries the signature; dpkg passes over members whose names begin with a line (deb(5))."""


MOST_BYTES = 16 * 2**20
"""A file larger than this is no package of ours."""


FILE_NAME = re.compile(r"pegboard_[0-9A-Za-z.+~-]{1,40}_all\.deb", re.ASCII)
"""How the file of a package is called."""


TREE = "./usr/lib/pegboard/tree.tar.xz"


class Member(NamedTuple):
    """One member of the archive: its name, and its bytes."""

    name: str
    start: int
    content: bytes


def read_bytes(path: Path) -> bytes:
    """The content of a file that may be a package.

    Raises:
        InstallError: it cannot be read, or is too large to be one.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe without a writer would hang
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
        InstallError: it is none, or it is cut off.
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
    """The header of a member of the archive, as deb(5) describes it."""
    return f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{size:<10}`\n".encode()


def signed_content(path: Path) -> bytes:
    """All of a package that its signature covers: everything before the signature.

    Raises:
        InstallError: it is no package, or cut off.
    """
    content = read_bytes(path)
    last = members(content, path.name)[-1:]
    return content[: last[0].start] if last and last[0].name == SIGNATURE else content + b"\n" * (len(content) % 2)


def file_name(version: str) -> str:
    """What the file of a version's package is called."""
    return f"pegboard_{version}_all.deb"


def build_of(parts: list[Member], name: str) -> Build:
    """The version that the package's control file names, with the time of that file, which is the source's.

    Raises:
        InstallError: it is no package of ours.
    """
    with _tar(parts, "control.tar", name) as archive:
        control = _read(archive, "./control", name).decode("utf-8", "replace")
        source_time = int(archive.getmember("./control").mtime)
    fields = dict(re.findall(r"(?m)^(Package|Version): *(\S+)", control))
    if fields.get("Package") != "pegboard" or "Version" not in fields:
        raise InstallError("install_package_foreign", file=name)
    return Build(str(fields["Version"]), source_time)


def tree_archive(parts: list[Member], name: str) -> bytes:
    """The archive of the tree.

    Raises:
        InstallError: there is none.
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
        if archive.getmember(path).size > MOST_BYTES:  # its size, unpacked, is in its header
            raise InstallError("install_package_foreign", file=name)
        file = archive.extractfile(path)
        content = file.read() if file else b""
    except (KeyError, tarfile.TarError, OSError, EOFError) as error:
        raise InstallError("install_package_foreign", file=name) from error
    return content
