"""The letters of result codes: base 32 with a check value; and the seal by which a hub knows its own table. Pure."""

import base64
import hmac
import re
import zlib

from pegboard.errors import PegboardError

CHECK_BYTES = 4
"""Bytes of the check value at the end."""

SEAL_BYTES = 8
"""Bytes of HMAC-SHA-256 that a sealed code has behind its content: nobody guesses 64 bits at a hub."""

MOST_LETTERS = 4200
"""Letters of a code: more fit into no QR code (version 40-L, alphanumeric: 4,296)."""

CODE = re.compile(r"[A-Z2-7]+")


class ResultCodeError(PegboardError, ValueError):
    """These letters are no result code, or one of them is wrong."""

    code = "result_code"


def write_letters(content: bytes) -> str:
    """The letters that stand for some bytes and their check value."""
    checked = content + zlib.crc32(content).to_bytes(CHECK_BYTES, "big")
    return base64.b32encode(checked).decode().rstrip("=")


def read_letters(text: str) -> bytes:
    """The bytes of a code without its check value; an address that ends in one does as well.

    Raises:
        ResultCodeError: it is no code, or a letter of it is wrong.
    """
    typed = text.strip().rstrip("/").rsplit("/", maxsplit=1)[-1]
    letters = typed.upper()
    if len(letters) > MOST_LETTERS or not typed.isascii() or not CODE.fullmatch(letters):
        raise ResultCodeError("result_code_letters")
    try:
        content = base64.b32decode(letters + "=" * (-len(letters) % 8))[:-CHECK_BYTES]
    except ValueError as error:
        raise ResultCodeError("result_code_damaged") from error
    if not content or write_letters(content) != letters:  # the last letter has bits that stand for nothing, too
        raise ResultCodeError("result_code_damaged")
    return content


def add_seal(content: bytes, key: bytes) -> bytes:
    """Some bytes with the seal that is made of them with a key."""
    return content + _seal(content, key)


def has_seal(sealed: bytes, key: bytes) -> bool:
    """Whether some bytes end in the seal that is made of the others with this key; how long that takes says little."""
    return hmac.compare_digest(sealed[-SEAL_BYTES:], _seal(without_seal(sealed), key))


def without_seal(sealed: bytes) -> bytes:
    """The bytes without their seal."""
    return sealed[:-SEAL_BYTES]


def _seal(content: bytes, key: bytes) -> bytes:
    return hmac.digest(key, content, "sha256")[:SEAL_BYTES]
