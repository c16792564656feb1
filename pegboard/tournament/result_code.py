"""Result codes: a finished game encoded as letters for a QR code, for tables without a network. Pure functions.

A full code holds the game's events, so the reader can replay them. A short code, for a small panel, holds marks by
which the hub finds the game, the final holes, and the start of the sheet's digest. A full code is sealed with a key
that the hub gave the table when it joined; otherwise anybody could forge one. The letters are base 32, which QR codes
and people accept in either case; the last four bytes are a CRC-32, which detects any damage of up to 32 bits in a row
(six letters).
"""

import base64
import hashlib
import hmac
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Annotated, Any, NamedTuple, TypeAlias

from pegboard.core.names import PAIRING_ID, original_journal
from pegboard.core.rules import MOST_LANES, MOST_SEATS
from pegboard.errors import PegboardError
from pegboard.json_parser import canonical_json, parse_json
from pegboard.values import MESSAGE, Takes, fields_of, object_reader, read

# --- base-32 letters with a checksum, and the HMAC seal by which a hub recognizes its own table ---


CHECK_BYTES = 4
"""Bytes of the checksum at the end."""

SEAL_BYTES = 8
"""Bytes of HMAC-SHA-256 after the content of a sealed code; 64 bits cannot be guessed against a hub."""

MOST_LETTERS = 4200
"""Maximum letters of a code; a QR code holds hardly more (version 40-L, alphanumeric: 4,296)."""

CODE = re.compile(r"[A-Z2-7]+")


class ResultCodeError(PegboardError, ValueError):
    """The text is not a result code, or one of its letters is wrong."""

    code = "result_code"


def encode_base32(content: bytes) -> str:
    """Base-32 letters of the content followed by its checksum."""
    checked = content + zlib.crc32(content).to_bytes(CHECK_BYTES, "big")
    return base64.b32encode(checked).decode().rstrip("=")


def decode_base32(text: str) -> bytes:
    """The bytes of a code without the checksum; also accepts a URL that ends in a code.

    Raises:
        ResultCodeError: the text is not a code, or one of its letters is wrong.
    """
    typed = text.strip().rstrip("/").rsplit("/", maxsplit=1)[-1]
    letters = typed.upper()
    if len(letters) > MOST_LETTERS or not typed.isascii() or not CODE.fullmatch(letters):
        raise ResultCodeError("result_code_letters")
    try:
        content = base64.b32decode(letters + "=" * (-len(letters) % 8))[:-CHECK_BYTES]
    except ValueError as error:
        raise ResultCodeError("result_code_damaged") from error
    if not content or encode_base32(content) != letters:  # the last letter also has unused bits
        raise ResultCodeError("result_code_damaged")
    return content


def add_seal(content: bytes, key: bytes) -> bytes:
    """The content followed by its seal under a key."""
    return content + _seal(content, key)


def has_seal(sealed: bytes, key: bytes) -> bool:
    """Whether the bytes end in a valid seal under this key; the comparison resists timing attacks."""
    return hmac.compare_digest(sealed[-SEAL_BYTES:], _seal(strip_seal(sealed), key))


def strip_seal(sealed: bytes) -> bytes:
    """The bytes without their seal."""
    return sealed[:-SEAL_BYTES]


def _seal(content: bytes, key: bytes) -> bytes:
    return hmac.digest(key, content, "sha256")[:SEAL_BYTES]


# --- compressed score sheets: deflate (RFC 1951) with a preset dictionary of common sheet lines ---


Json: TypeAlias = dict[str, Any]

MAX_TEXT_BYTES = 100_000
"""Maximum bytes after unpacking; a game of 500 lines takes half of it."""

STANDARD_RULES = (
    '"confirm":true,"crib_flush":5,"dealer_six":false,"dealer_start":0,"enough":0,"first_deal":"alternate",'
    '"game_hole":121,"heels_limit":"no limit","lanes":2,"last_deal":0,"lurch":false,"misdeal":0,"muggins":false,'
    '"overpeg_award":"none","peg_out":false,"pegging_only":false,"pone_chooses":false,"pone_start":0,"seats":2,'
    '"skunk_lines":[90,60],"strict":true,"triple_wins_match":false,"variant":"acc","worth":[2,3,3]'
)
"""The ACC rules as a start event lists them."""


class SheetRow(NamedTuple):
    """An event of a game as stored in the journal: its kind, its body, and the body's version."""

    kind: str
    body: Json
    v: int


def pack_lines(lines: Iterable[str]) -> bytes:
    """Lines of text, compressed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=_dictionary())
    return packer.compress("\n".join(lines).encode()) + packer.flush()


def unpack_lines(packed: bytes) -> list[str]:
    """Unpack lines that `pack_lines` compressed.

    Raises:
        ValueError: the lines have more than `MAX_TEXT_BYTES`, or trailing data follows them.
        zlib.error: the bytes were not compressed this way.
    """
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_dictionary())
    text = unpacker.decompress(packed, MAX_TEXT_BYTES)
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError(len(packed))
    return text.decode().split("\n")


@cache
def _dictionary() -> bytes:
    """The preset compression dictionary: parts of common sheet lines. Changing it would make old codes unreadable.

    Text near the end is cheaper to reference.
    """
    return "\n".join([*_rare_lines(), *_common_lines()]).encode()


def _rare_lines() -> Iterable[str]:
    start = '"dealer":0,"dealer_said":true,"format":"single","match":"","pairing":"/r1:p1-p2","players":["","'
    yield f'started 3{{{start}"],"replaces":"","rules":{{{STANDARD_RULES}}}}}'
    yield 'taken_back 3{"line":1}'
    yield 'amended 3{"line":1,"points":2,"why":"hand"}'
    yield 'dealt 3{"dealer":null,"new":true}'
    yield 'confirmed 3{"fronts":[121,90],"seat":0,"winner":0}'
    yield 'confirmed 3{"fronts":[90,121],"seat":1,"winner":1}'


def _common_lines() -> Iterable[str]:
    shows = ((points, why) for why in ("crib", "hand") for points in (*range(0, 17, 2), 5, 7, 9, 11))
    pegs = ((points, why) for why in ("heels", "thirty-one", "go", "play") for points in (6, 3, 4, 5, 2, 1))
    for points, why in (*shows, *pegs):
        for seat in (0, 1):
            yield f'scored 3{{"lane":{seat},"points":{points},"seat":{seat},"why":"{why}"}}'
    for points in range(29, -1, -1):
        for seat in (0, 1):
            yield f'scored 3{{"lane":{seat},"points":{points},"seat":{seat},"why":null}}'


VERSION = 1
"""Version of full codes; short codes add `SHORT`, sealed full codes add `SEALED`."""

SHORT, SEALED = 0x80, 0x40

PAIRING_BYTES, GAME_BYTES, NAMES_BYTES, DIGEST_BYTES = MARKS = 5, 5, 2, 6
"""Bytes of the marks of a short code: 2**40 distinct pairings and games; one pair of names in 2**16 collides, and one
sheet in 2**48."""

LANE_BIT, SEAT_BITS = 4, (0, 1, 2, 3, 6, 7)
"""Bits of a short code's counts. Programs up to 0.2.0 read bits 4 to 7 as the lanes, and refuse what is not 1 to 3."""

ID = re.compile(PAIRING_ID)
"""An id of an event, a table, a journal, a game or a pairing."""

Id: TypeAlias = Annotated[str, Takes(pattern=ID.pattern)]

Number: TypeAlias = Annotated[int, Takes(least=0)]

BODY_VERSION = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class ResultCode:
    """The content of a full code for a finished game.

    Attributes:
        event: the id of the event.
        table: the id of the table.
        epoch: the epoch of the table's journal under which its newest event was stored.
        game: the id of the game in that journal.
        pairing: the id of the pairing that was played, such as "r3:p1-p7".
        players: the players' names, in seat order.
        holes: for each lane, the hole of the front peg at the end.
        confirmed: the seats that have confirmed the result.
        first: the number of the game's first event in the journal; `last` is the number of its last event.
        rows: the game's events, in order.
    """

    event: Id
    table: Id
    epoch: Id
    game: Id
    pairing: Id
    players: Annotated[tuple[str, ...], Takes(least=1, most=MOST_SEATS)]
    holes: Annotated[tuple[Number, ...], Takes(least=1, most=MOST_LANES)]
    confirmed: tuple[Number, ...]
    first: Number
    last: Number
    rows: tuple[SheetRow, ...]

    @property
    def digest(self) -> str:
        """The digest of the sheet."""
        return sheet_digest(self.rows)


@dataclass(frozen=True, slots=True)
class ShortResult:
    """The content of a short code for a finished game.

    Attributes:
        pairing_mark: hash of event, table and pairing (`pairing_mark`), in hexadecimal.
        game_mark: hash of journal and game (`game_mark`).
        names_mark: hash of the players' names in seat order (`names_mark`).
        holes: for each lane, the hole of the front peg at the end.
        confirmed: the seats that have confirmed the result.
        digest: the start of the sheet's digest.
    """

    pairing_mark: str
    game_mark: str
    names_mark: str
    holes: tuple[int, ...]
    confirmed: tuple[int, ...]
    digest: str


def sheet_digest(rows: Iterable[tuple[str, Json, int]]) -> str:
    """The digest of a score sheet: SHA-256 over its events (kind, body, version), in hexadecimal."""
    digest = hashlib.sha256()
    for kind, body, v in rows:
        digest.update(canonical_json([kind, body, v]).encode() + b"\n")
    return digest.hexdigest()


def pairing_mark(event: str, table: str, pairing: str) -> str:
    """Short hash that identifies the pairing and its table in a short code."""
    return _mark(PAIRING_BYTES, event, table, pairing)


def game_mark(epoch: str, game: str) -> str:
    """Short hash that identifies a game of a journal in a short code, in any epoch of the journal."""
    return _mark(GAME_BYTES, original_journal(epoch), game)


def names_mark(names: Iterable[str]) -> str:
    """Short hash of the names in seat order in a short code."""
    return _mark(NAMES_BYTES, *names)


# --- encoding and decoding of full and short codes ---


def encode(result: ResultCode, key: bytes = b"") -> str:
    """The letters of a full code, sealed if the table has a key.

    Raises:
        ResultCodeError: the code is too long for a QR code.
    """
    head = [getattr(result, name) for name in HEAD]
    lines = [canonical_json(head), *(f"{row.kind} {row.v}{canonical_json(row.body)}" for row in result.rows)]
    content = bytes([VERSION | SEALED if key else VERSION]) + pack_lines(lines)
    letters = encode_base32(add_seal(content, key) if key else content)
    if len(letters) > MOST_LETTERS:
        raise ResultCodeError("result_code_long", letters=len(letters), most=MOST_LETTERS)
    return letters


def encode_short(result: ResultCode) -> str:
    """The letters of a short code: 42 for two lanes."""
    short = _shorten(result)
    counts = bytes([VERSION | SHORT, _pack_counts(len(short.holes), short.confirmed)])
    holes = b"".join(hole.to_bytes(2, "big") for hole in short.holes)
    marks = bytes.fromhex(short.pairing_mark + short.game_mark + short.names_mark + short.digest)
    return encode_base32(counts + holes + marks)


def decode(text: str) -> ResultCode | ShortResult:
    """Decode a result code, sealed or not; also accepts a URL that ends in a code.

    Raises:
        ResultCodeError: the text is not a code, one of its letters is wrong, or a newer pegboard made the code.
    """
    content = decode_base32(text)
    version, rest = content[0], content[1:]
    try:
        if version == VERSION | SHORT:
            return _read_short(rest)
        if version == VERSION:
            return _read_whole(rest)
        if version == VERSION | SEALED:
            return _read_whole(strip_seal(rest))
    except (zlib.error, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        if isinstance(error, ResultCodeError):
            raise
        raise ResultCodeError("result_code_content") from error
    raise ResultCodeError("result_code_version", version=version & ~(SHORT | SEALED), known=VERSION)


def is_sealed_with(text: str, key: bytes) -> bool:
    """Whether a full code is sealed with this key.

    Raises:
        ResultCodeError: the text is not a code, or one of its letters is wrong.
    """
    content = decode_base32(text)
    return content[0] == VERSION | SEALED and has_seal(content, key)


HEAD = ("event", "table", "epoch", "game", "pairing", "players", "holes", "confirmed", "first", "last")
"""Fields of the first line of a full code, in order."""


# --- full codes ---


def _read_whole(packed: bytes) -> ResultCode:
    first, *lines = unpack_lines(packed)
    head = _read_head(dict(zip(HEAD, json.loads(first), strict=True)))
    if not lines:
        raise ResultCodeError("result_code_content")
    return ResultCode(**head, rows=tuple([_read_row(line) for line in lines]))


_read_head = object_reader(tuple(one for one in fields_of(ResultCode) if one.name in HEAD), dict, MESSAGE)


def _read_row(line: str) -> SheetRow:
    kind, _, rest = line.partition(" ")
    version, brace, body = rest.partition("{")
    values = read(dict[str, Any], parse_json(brace + body))
    if not ID.fullmatch(kind) or not BODY_VERSION.fullmatch(version):
        raise ResultCodeError("result_code_content")
    canonical_json(values).encode()  # refuses infinity and half a character
    return SheetRow(kind, values, int(version))


# --- short codes ---


def _shorten(result: ResultCode) -> ShortResult:
    return ShortResult(
        pairing_mark(result.event, result.table, result.pairing),
        game_mark(result.epoch, result.game),
        names_mark(result.players),
        result.holes,
        tuple(sorted(result.confirmed)),
        result.digest[: 2 * DIGEST_BYTES],
    )


def _read_short(content: bytes) -> ShortResult:
    lanes, confirmed = _unpack_counts(content[0])
    marks = content[1 + 2 * lanes :]
    if len(marks) != sum(MARKS):
        raise ResultCodeError("result_code_content")
    ends = tuple(accumulate(MARKS))
    pairing, game, names, digest = (marks[end - size : end].hex() for size, end in zip(MARKS, ends, strict=True))
    return ShortResult(
        pairing,
        game,
        names,
        tuple(int.from_bytes(content[at : at + 2], "big") for at in range(1, 1 + 2 * lanes, 2)),
        confirmed,
        digest,
    )


def _pack_counts(lanes: int, confirmed: Iterable[int]) -> int:
    """One byte: bits 4 and 5 hold the number of lanes, with 0 for four; the others the seats that have confirmed."""
    return lanes % MOST_LANES << LANE_BIT | sum(1 << bit for seat, bit in enumerate(SEAT_BITS) if seat in confirmed)


def _unpack_counts(packed: int) -> tuple[int, tuple[int, ...]]:
    """The number of lanes, and the seats that have confirmed."""
    lanes = packed >> LANE_BIT & (MOST_LANES - 1)
    return lanes or MOST_LANES, tuple(seat for seat, bit in enumerate(SEAT_BITS) if packed >> bit & 1)


def _mark(size: int, *parts: str) -> str:
    return hashlib.blake2s("\n".join(parts).encode(), digest_size=size).hexdigest()
