"""The hub's own key (Ed25519): made once, in a file for its owner alone; its fingerprint is what people compare."""

import contextlib
import logging
import os
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pegboard.errors import NotNow
from pegboard.hub.packages.package_errors import CryptographyMissing, HubKeyLost
from pegboard.install.host import install_command
from pegboard.storage.state_files import open_private, read_owned, sync_folder

if TYPE_CHECKING:
    from types import ModuleType

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

log = logging.getLogger("pegboard")

FILE = "hub_key.hex"
"""In the hub's state folder: 64 hexadecimal digits."""

SEED_BYTES, SIGNATURE_BYTES = 32, 64
"""Of an Ed25519 key and of its signatures."""

GROUP = 4
"""Digits of a fingerprint that stand together."""

SHOWN_BYTES = 16
"""Of the digest of a key, that its fingerprint shows: 128 bits."""


@dataclass(frozen=True, slots=True)
class HubKey:
    """A private key, by the seed from which it is made; its text does not tell the seed."""

    seed: bytes = field(repr=False)

    @property
    def public(self) -> bytes:
        """The public half, 32 bytes.

        Raises:
            CryptographyMissing: that library is not there.
        """
        key = self._key().public_key()
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415

        return key.public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, content: bytes) -> bytes:
        """The signature of some bytes; the same each time.

        Raises:
            CryptographyMissing: that library is not there.
        """
        return self._key().sign(content)

    def _key(self) -> "Ed25519PrivateKey":
        key: Ed25519PrivateKey = _load_ed25519().Ed25519PrivateKey.from_private_bytes(self.seed)
        return key


def _load_ed25519() -> "ModuleType":
    """The module with these keys.

    Raises:
        CryptographyMissing: it is not there.
    """
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
    except ImportError as error:
        raise CryptographyMissing(
            "package_no_cryptography", command=install_command("cryptography>=38", "python3-cryptography")
        ) from error
    return ed25519


def fingerprint(public: bytes) -> str:
    """What people compare of a public key: 32 hexadecimal digits in groups of four."""
    digits = sha256(public).hexdigest()[: 2 * SHOWN_BYTES]
    return " ".join(digits[at : at + GROUP] for at in range(0, len(digits), GROUP))


def is_signed_by(public: bytes, signature: bytes, content: bytes) -> bool:
    """Whether a key has signed these bytes.

    Raises:
        CryptographyMissing: that library is not there.
    """
    keys = _load_ed25519()
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415

    try:
        keys.Ed25519PublicKey.from_public_bytes(public).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def load_or_make_key(folder: Path) -> HubKey:
    """The key of the hub whose state folder this is; it is made where there is none.

    Raises:
        HubKeyLost: it cannot be read or made, or its file holds something else.
    """
    found = load_key(folder)
    if found is None:
        try:
            _make(folder / FILE)
        except OSError as error:
            raise HubKeyLost("package_key_unreadable", path=str(folder / FILE), error=error) from error
        found = load_key(folder)
    if found is None:
        raise HubKeyLost("package_key_no_key", path=str(folder / FILE))
    return found


def load_key(folder: Path) -> HubKey | None:
    """The key of the hub whose state folder this is; None where none was made yet.

    Raises:
        HubKeyLost: it cannot be read, or its file holds something else; a link is not followed.
    """
    path = folder / FILE
    try:
        seed = bytes.fromhex(read_owned(path, 4 * SEED_BYTES).decode("ascii").strip())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HubKeyLost("package_key_unreadable", path=str(path), error=error) from error
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise HubKeyLost("package_key_no_key", path=str(path))
    return HubKey(seed)


def own_public_key(folder: Path) -> bytes | None:
    """The public half of the key of the hub whose state folder this is; None where there is none that can be read."""
    try:
        found = load_key(folder)
    except NotNow as error:
        log.warning("%s", error)
        return None
    return None if found is None else found.public


def _make(path: Path) -> None:
    """Write a new key to disk; where another process does so at the same time, one of the two keys stays for both.

    Raises:
        OSError: it could not be written.
    """
    new = path.with_suffix(f".{os.getpid()}")
    descriptor = open_private(new, os.O_WRONLY | os.O_TRUNC)
    try:
        with open(descriptor, "w", encoding="ascii") as file:  # noqa: PTH123 - a descriptor
            file.write(os.urandom(SEED_BYTES).hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(new, path)
        sync_folder(path.parent)
    finally:
        new.unlink(missing_ok=True)
