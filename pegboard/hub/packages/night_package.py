"""The file of a package: canonical JSON with its digest, the signer's public key and the signature; nothing else fits.

The file is the one way to write its values down, so that a byte more, less or other is seen before anything is read.
"""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NoReturn, TypeAlias

from pegboard.hub.packages.hub_key import SEED_BYTES, SIGNATURE_BYTES, HubKey, is_signed_by
from pegboard.hub.packages.package_errors import PackageRefused
from pegboard.mqtt.messages_of_hub import canonical_json

Json: TypeAlias = dict[str, Any]

FORMAT = "pegboard-package/1"
"""Of the file; it is signed with the content."""

FAMILY = FORMAT.partition("/")[0]

MEMBERS = frozenset({"content", "digest", "format", "key", "signature"})

HEAD = b'{"content":'
TAIL = re.compile(
    rb',"digest":"[0-9a-f]{64}","format":"(?P<format>pegboard-package/[0-9]{1,9})",'
    rb'"key":"(?P<key>[0-9a-f]{64})","signature":"(?P<signature>[0-9a-f]{128})"\}\n\Z'
)
"""Before and behind the content, as the one way to write a package down has them."""

LONGEST_TAIL = 400

MOST_BYTES = 256 * 1024 * 1024
"""Of a package: a night of a thousand tables and a dozen games has some two hundred million."""

BYTES_OF_A_PART, BYTES_OF_A_VALUE = 16, 10
"""Of a package, as many at least for each list or object, and for each comma: a real one has twice of either and more.

What has less holds nothing of a night, and would take thirty times its size of memory to be read.
"""

SMALL = 1_000_000
"""Bytes of a file that is read whatever it holds."""


@dataclass(frozen=True, slots=True)
class SealedPackage:
    """A package that is as it was signed.

    Attributes:
        content: what it holds.
        public: the signer's public key.
        digest: SHA-256 of the content, in hexadecimal; the same night by the same hub has the same.
    """

    content: Json
    public: bytes
    digest: str


def canonical_bytes(values: Any) -> bytes:
    """Values as JSON, always in the same bytes.

    Raises:
        ValueError: they hold a number that is none, or text that is no Unicode.
    """
    return canonical_json(values).encode()


def seal(content: Json, key: HubKey) -> bytes:
    """The file of a content, signed."""
    signed = _signed_bytes(content)
    values = {
        "format": FORMAT,
        "content": content,
        "digest": sha256(signed).hexdigest(),
        "key": key.public.hex(),
        "signature": key.sign(signed).hex(),
    }
    return canonical_bytes(values) + b"\n"


def open_package(file: bytes) -> SealedPackage:
    """What a file holds, if it is as it was signed.

    Raises:
        PackageRefused: it is no package, of a newer format, or altered; the sentence says which.
    """
    values = _read(file)
    signed = _signed_bytes(values["content"])
    digest = sha256(signed).hexdigest()
    if digest != values["digest"]:
        raise PackageRefused("package_digest")
    public = _read_hex(values["key"], SEED_BYTES)
    if not is_signed_by(public, _read_hex(values["signature"], SIGNATURE_BYTES), signed):
        raise PackageRefused("package_signature")
    return SealedPackage(values["content"], public, digest)


def signer_of(file: bytes) -> bytes:
    """The public key of who has signed a file, as its bytes alone tell: before that, nothing of it is read.

    Raises:
        PackageRefused: it is no package, of a newer format, or altered.
    """
    tail = TAIL.search(file, max(0, len(file) - LONGEST_TAIL))
    if tail is None or not file.startswith(HEAD):
        raise PackageRefused("package_none")
    if tail["format"].decode() != FORMAT:
        raise PackageRefused("package_newer", format=repr(tail["format"].decode()), known=FORMAT)
    public, signature = (bytes.fromhex(tail[name].decode()) for name in ("key", "signature"))
    if not is_signed_by(public, signature, f"{FORMAT}\n".encode() + file[len(HEAD) : tail.start()]):
        raise PackageRefused("package_signature")
    return public


def _signed_bytes(content: Json) -> bytes:
    return f"{FORMAT}\n".encode() + canonical_bytes(content)


def _read(file: bytes) -> Json:
    """The values of a file that is written as packages are.

    Raises:
        PackageRefused: it is not.
    """
    if len(file) > MOST_BYTES:
        raise PackageRefused("package_too_long", most=MOST_BYTES)
    if len(file) > SMALL and _is_dense(file):
        raise PackageRefused("package_too_dense")
    try:
        values = json.loads(file, parse_constant=_refuse_constant)
        is_canonical = canonical_bytes(values) + b"\n" == file
    except (ValueError, RecursionError):
        raise PackageRefused("package_no_json") from None
    if not isinstance(values, dict) or not str(values.get("format", "")).startswith(f"{FAMILY}/"):
        raise PackageRefused("package_none")
    if values["format"] != FORMAT:
        raise PackageRefused("package_newer", format=repr(values["format"])[:40], known=FORMAT)
    if not is_canonical or values.keys() != MEMBERS or not isinstance(values["content"], dict):
        raise PackageRefused("package_not_canonical")
    return values


def _is_dense(file: bytes) -> bool:
    parts, values = file.count(b"{") + file.count(b"["), file.count(b",")
    return parts * BYTES_OF_A_PART > len(file) or values * BYTES_OF_A_VALUE > len(file)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(word)


def _read_hex(text: Any, length: int) -> bytes:
    """The bytes of small hexadecimal digits.

    Raises:
        PackageRefused: they are none.
    """
    if isinstance(text, str) and len(text) == 2 * length and set(text) <= set("0123456789abcdef"):
        return bytes.fromhex(text)
    raise PackageRefused("package_signature")
