"""Hub keys (Ed25519): this hub's signing key and fingerprint, and the file of known hubs' public keys and names.

The signing key is generated once, in a file that only its owner can read. People compare fingerprints.
"""

import contextlib
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pegboard.errors import NotNow, PegboardError
from pegboard.install.host import install_command
from pegboard.storage.state_files import open_private, read_owned, replace_file, sync_folder

if TYPE_CHECKING:
    from types import ModuleType

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# --- known hubs: a text file of public keys and names, which people can read and edit ---


KNOWN_HUBS_FILE = "known_hubs.txt"
"""File of known hubs in the state folder: each line has 64 hexadecimal digits, a space, and a name."""

MOST_BYTES = 1_000_000
"""Maximum size of the file of known hubs."""

LONGEST_NAME = 64


def read_known_hubs(folder: Path) -> Mapping[bytes, str]:
    """The names of known hubs by public key; empty if there is no file.

    Raises:
        PackageRefused: a line does not start with a key, or the file cannot be read.
    """
    path = folder / KNOWN_HUBS_FILE
    try:
        lines = read_owned(path, MOST_BYTES).decode().splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise PackageRefused("package_hubs_unreadable", path=str(path), error=error) from error
    known = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            digits, _, name = line.strip().partition(" ")
            known[_read_key(digits, number)] = name.strip()
    return known


def hubs_known_here(folder: Path) -> Mapping[bytes, str]:
    """The names of hubs by public key, including the hub with this state folder.

    Raises:
        PackageRefused: the file of known hubs cannot be read.
        HubKeyLost: this hub's own key cannot be read.
    """
    own = load_key(folder)
    return dict(read_known_hubs(folder)) | ({own.public: "this hub"} if own is not None else {})


def _read_key(digits: str, line: int) -> bytes:
    try:
        key = bytes.fromhex(digits)
    except ValueError:
        key = b""
    if len(key) != SEED_BYTES:
        raise PackageRefused("package_hubs_line", line=line, file=KNOWN_HUBS_FILE)
    return key


def add_known_hub(folder: Path, public: bytes, name: str) -> None:
    """Save a known hub under a name; a hub that is known already is renamed.

    Raises:
        PackageRefused: the name is blank or too long, or the file cannot be read.
        OSError: the file cannot be written.
    """
    words = " ".join(name.split())
    if not words or len(words) > LONGEST_NAME or not words.isprintable():
        raise PackageRefused("package_hub_name", most=LONGEST_NAME)
    known = dict(read_known_hubs(folder)) | {public: words}
    replace_file(folder / KNOWN_HUBS_FILE, "".join(f"{key.hex()} {one}\n" for key, one in known.items()))


# --- package errors ---


class PackageRefused(PegboardError, ValueError):
    """The file is not a package, or was altered after signing; the message says what is wrong."""

    code = "package"


class HubKeyLost(NotNow):
    """The hub's own key cannot be read or generated, so nothing can be signed."""

    code = "hub_key"


class CryptographyMissing(NotNow):
    """The library that signs and verifies is not installed."""

    code = "no_cryptography"


log = logging.getLogger("pegboard")

KEY_FILE = "hub_key.hex"
"""File of the signing key in the hub's state folder: 64 hexadecimal digits."""

SEED_BYTES = 32
"""Size of an Ed25519 key."""

GROUP = 4
"""Digits per group of a fingerprint."""

SHOWN_BYTES = 16
"""Bytes of the key's digest in its fingerprint: 128 bits."""


@dataclass(frozen=True, slots=True)
class HubKey:
    """A private key, kept as the seed it is derived from; its repr does not reveal the seed."""

    seed: bytes = field(repr=False)

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes.

        Raises:
            CryptographyMissing: the library is not installed.
        """
        key = self._key().public_key()
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415

        return key.public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, content: bytes) -> bytes:
        """Sign some bytes; the same bytes always get the same signature.

        Raises:
            CryptographyMissing: the library is not installed.
        """
        return self._key().sign(content)

    def _key(self) -> "Ed25519PrivateKey":
        key: Ed25519PrivateKey = _load_ed25519().Ed25519PrivateKey.from_private_bytes(self.seed)
        return key


def _load_ed25519() -> "ModuleType":
    """Import the module for Ed25519 keys.

    Raises:
        CryptographyMissing: the library is not installed.
    """
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
    except ImportError as error:
        raise CryptographyMissing(
            "package_no_cryptography", command=install_command("cryptography>=38", "python3-cryptography")
        ) from error
    return ed25519


def fingerprint(public: bytes) -> str:
    """Fingerprint of a public key for people to compare: 32 hexadecimal digits in groups of four."""
    digits = sha256(public).hexdigest()[: 2 * SHOWN_BYTES]
    return " ".join(digits[at : at + GROUP] for at in range(0, len(digits), GROUP))


def is_signed_by(public: bytes, signature: bytes, content: bytes) -> bool:
    """Whether a key has signed these bytes.

    Raises:
        CryptographyMissing: the library is not installed.
    """
    keys = _load_ed25519()
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415

    try:
        keys.Ed25519PublicKey.from_public_bytes(public).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def load_or_make_key(folder: Path) -> HubKey:
    """Load the key of the hub with this state folder, or generate it.

    Raises:
        HubKeyLost: the key cannot be read or generated, or its file is malformed.
    """
    found = load_key(folder)
    if found is None:
        try:
            _make(folder / KEY_FILE)
        except OSError as error:
            raise HubKeyLost("package_key_unreadable", path=str(folder / KEY_FILE), error=error) from error
        found = load_key(folder)
    if found is None:
        raise HubKeyLost("package_key_no_key", path=str(folder / KEY_FILE))
    return found


def load_key(folder: Path) -> HubKey | None:
    """Load the key of the hub with this state folder; None if none has been generated yet.

    Raises:
        HubKeyLost: the key cannot be read, or its file is malformed; a symbolic link is not followed.
    """
    path = folder / KEY_FILE
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
    """The public key of the hub with this state folder; None if it has no readable key."""
    try:
        found = load_key(folder)
    except NotNow as error:
        log.warning("%s", error)
        return None
    return None if found is None else found.public


def _make(path: Path) -> None:
    """Write a new key to disk; if another process writes one at the same time, both end up with the same key.

    Raises:
        OSError: the key could not be written.
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
