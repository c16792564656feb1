"""Result codes: a finished game as letters for a QR code, which carry its result where no network does. Pure.

A whole code has the game's events, so that whoever reads it replays them; a short one, for a small panel, has marks by
which the hub finds the game, the final holes, and the beginning of the sheet's digest. A whole code is sealed with a
key that the hub has given the table as it joined: anybody could make one without. Letters are those of base 32, which
QR codes and people take in capitals or not; the last four bytes are a CRC-32, which sees every damage of up to 32 bits
in a row (six letters).
"""

import hashlib
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from pegboard.core.names import original_journal
from pegboard.json_parser import parse_json
from pegboard.tournament.code_letters import (
    MOST_LETTERS,
    ResultCodeError,
    add_seal,
    has_seal,
    read_letters,
    without_seal,
    write_letters,
)
from pegboard.tournament.packed_sheet import Json, SheetRow, as_json, pack_lines, unpack_lines

VERSION = 1
"""Of whole codes; a short one has `SHORT` added to it, a whole one that is sealed `SEALED`."""

SHORT, SEALED = 0x80, 0x40

PAIRING_BYTES, GAME_BYTES, NAMES_BYTES, DIGEST_BYTES = MARKS = 5, 5, 2, 6
"""Bytes of the marks of a short code: 2**40 pairings and games are distinct, one pair of names in 2**16 looks like
another, and one sheet in 2**48."""

MOST_SEATS, MOST_LANES = 4, 3

ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
"""An id of an event, a table, a journal, a game or a pairing."""

BODY_VERSION = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class ResultCode:
    """A finished game.

    Attributes:
        event: the id of the event.
        table: the id of the table.
        epoch: of the table's journal, as its newest event was stored under it.
        game: the id of the game in that journal.
        pairing: the id of the pairing that was played, such as "r3:p1-p7".
        players: their names, in seat order.
        holes: for each lane, the hole of the front peg at the end.
        confirmed: the seats that have confirmed the result.
        first: the number of the game's first event in the journal; `last` that of its last one.
        rows: the game's events in their order.
    """

    event: str
    table: str
    epoch: str
    game: str
    pairing: str
    players: tuple[str, ...]
    holes: tuple[int, ...]
    confirmed: tuple[int, ...]
    first: int
    last: int
    rows: tuple[SheetRow, ...]

    @property
    def digest(self) -> str:
        """The digest of the sheet."""
        return sheet_digest(self.rows)


@dataclass(frozen=True, slots=True)
class ShortResult:
    """What a short code says of a finished game.

    Attributes:
        pairing_mark: of event, table and pairing (`pairing_mark`), in hexadecimal.
        game_mark: of journal and game (`game_mark`).
        names_mark: of the players' names in seat order (`names_mark`).
        holes: for each lane, the hole of the front peg at the end.
        confirmed: the seats that have confirmed the result.
        digest: how the digest of the sheet begins.
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
        digest.update(as_json([kind, body, v]).encode() + b"\n")
    return digest.hexdigest()


def pairing_mark(event: str, table: str, pairing: str) -> str:
    """By which a short code names what was played, and where."""
    return _mark(PAIRING_BYTES, event, table, pairing)


def game_mark(epoch: str, game: str) -> str:
    """By which a short code names a game of a journal, whichever epoch of the journal that is."""
    return _mark(GAME_BYTES, original_journal(epoch), game)


def names_mark(names: Iterable[str]) -> str:
    """By which a short code says who sits where."""
    return _mark(NAMES_BYTES, *names)


# --- letters ---


def encode(result: ResultCode, key: bytes = b"") -> str:
    """The letters of a whole code, sealed with the table's key where it has one.

    Raises:
        ResultCodeError: it is too long for a QR code.
    """
    head = [getattr(result, name) for name in HEAD]
    lines = [as_json(head), *(f"{row.kind} {row.v}{as_json(row.body)}" for row in result.rows)]
    content = bytes([VERSION | SEALED if key else VERSION]) + pack_lines(lines)
    letters = write_letters(add_seal(content, key) if key else content)
    if len(letters) > MOST_LETTERS:
        raise ResultCodeError("result_code_long", letters=len(letters), most=MOST_LETTERS)
    return letters


def encode_short(result: ResultCode) -> str:
    """The letters of a short code: 42 of them for two lanes."""
    short = _shorten(result)
    seats = sum(1 << seat for seat in short.confirmed)
    counts = bytes([VERSION | SHORT, len(short.holes) << MOST_SEATS | seats])
    holes = b"".join(hole.to_bytes(2, "big") for hole in short.holes)
    marks = bytes.fromhex(short.pairing_mark + short.game_mark + short.names_mark + short.digest)
    return write_letters(counts + holes + marks)


def decode(text: str) -> ResultCode | ShortResult:
    """What a code says, sealed or not; an address that ends in one does as well.

    Raises:
        ResultCodeError: it is no code, a letter of it is wrong, or a newer pegboard has made it.
    """
    content = read_letters(text)
    version, rest = content[0], content[1:]
    try:
        if version == VERSION | SHORT:
            return _read_short(rest)
        if version == VERSION:
            return _read_whole(rest)
        if version == VERSION | SEALED:
            return _read_whole(without_seal(rest))
    except (zlib.error, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        if isinstance(error, ResultCodeError):
            raise
        raise ResultCodeError("result_code_content") from error
    raise ResultCodeError("result_code_version", version=version & ~(SHORT | SEALED), known=VERSION)


def is_sealed_with(text: str, key: bytes) -> bool:
    """Whether a whole code is sealed with this key.

    Raises:
        ResultCodeError: it is no code, or a letter of it is wrong.
    """
    content = read_letters(text)
    return content[0] == VERSION | SEALED and has_seal(content, key)


HEAD = ("event", "table", "epoch", "game", "pairing", "players", "holes", "confirmed", "first", "last")
"""What the first line of a whole code has, in this order."""


# --- whole codes ---


def _read_whole(packed: bytes) -> ResultCode:
    first, *lines = unpack_lines(packed)
    values = dict(zip(HEAD, json.loads(first), strict=True))
    result = ResultCode(
        event=_as_id(values["event"]),
        table=_as_id(values["table"]),
        epoch=_as_id(values["epoch"]),
        game=_as_id(values["game"]),
        pairing=_as_id(values["pairing"]),
        players=tuple(_as_text(name) for name in values["players"]),
        holes=_as_numbers(values["holes"]),
        confirmed=_as_numbers(values["confirmed"]),
        first=_as_number(values["first"]),
        last=_as_number(values["last"]),
        rows=tuple(_read_row(line) for line in lines),
    )
    if not (1 <= len(result.players) <= MOST_SEATS and 1 <= len(result.holes) <= MOST_LANES and result.rows):
        raise ResultCodeError("result_code_content")
    return result


def _read_row(line: str) -> SheetRow:
    kind, _, rest = line.partition(" ")
    version, brace, body = rest.partition("{")
    values = parse_json(brace + body)
    if not ID.fullmatch(kind) or not BODY_VERSION.fullmatch(version) or not isinstance(values, dict):
        raise ResultCodeError("result_code_content")
    return SheetRow(kind, values, int(version))


def _as_id(value: object) -> str:
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise ResultCodeError("result_code_content")
    return value


def _as_text(value: object) -> str:
    if not isinstance(value, str):
        raise ResultCodeError("result_code_content")
    return value


def _as_numbers(values: Iterable[object]) -> tuple[int, ...]:
    return tuple(_as_number(value) for value in values)


def _as_number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ResultCodeError("result_code_content")
    return value


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
    lanes, seats = content[0] >> MOST_SEATS, content[0] & ((1 << MOST_SEATS) - 1)
    marks = content[1 + 2 * lanes :]
    if not 1 <= lanes <= MOST_LANES or len(marks) != sum(MARKS):
        raise ResultCodeError("result_code_content")
    ends = tuple(accumulate(MARKS))
    pairing, game, names, digest = (marks[end - size : end].hex() for size, end in zip(MARKS, ends, strict=True))
    return ShortResult(
        pairing,
        game,
        names,
        tuple(int.from_bytes(content[at : at + 2], "big") for at in range(1, 1 + 2 * lanes, 2)),
        tuple(seat for seat in range(MOST_SEATS) if seats >> seat & 1),
        digest,
    )


def _mark(size: int, *parts: str) -> str:
    return hashlib.blake2s("\n".join(parts).encode(), digest_size=size).hexdigest()
