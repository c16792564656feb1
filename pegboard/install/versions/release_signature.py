"""The signature of a package: Ed25519 over everything before it, by one of the keys that this version trusts."""

from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from pegboard.install.versions.install_error import InstallError
from pegboard.install.versions.package_file import SIGNATURE, member_header, members

KEYS = "release_keys.txt"
"""The file of the public keys, beside this module."""


def trusted_keys() -> list[bytes]:
    """The public keys in `release_keys.txt`: one that signs, and a spare one should that be lost."""
    text = resources.files("pegboard.install.versions").joinpath(KEYS).read_text("utf-8")
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
