"""Signs packages: the keys, and the member that carries the signature."""

from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from pegboard.install.building.source import BuildError
from pegboard.install.versions.package_file import SIGNATURE, member_header, signed_content


def make_key(path: Path) -> str:
    """Make a private key in a new file that nobody else reads; the line that stands for its public half.

    Raises:
        BuildError: the file is there already.
    """
    key = Ed25519PrivateKey.generate()
    try:
        path.touch(0o600, exist_ok=False)
    except FileExistsError:
        raise BuildError(f"{path} already exists; a key is never overwritten") from None
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return public_line(key)


def public_line(key: Ed25519PrivateKey) -> str:
    """The public half as `release_keys.txt` has it: 64 hexadecimal digits."""
    return _public_bytes(key).hex()


def sign(package: Path, key_file: Path) -> bytes:
    """Sign a package in place, with a private key in PEM; its public half, 32 bytes.

    Raises:
        BuildError: the key cannot be read.
        InstallError: the file is no package.
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
