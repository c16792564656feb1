"""The events of a score sheet in few bytes: deflate (RFC 1951) with a dictionary of what most sheets say. Pure."""

import json
import zlib
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

Json: TypeAlias = dict[str, Any]

MOST_TEXT = 100_000
"""Bytes of what is unpacked; a game of 500 lines has half of it."""

STANDARD_RULES = (
    '"confirm":true,"crib_flush":5,"dealer_six":false,"dealer_start":0,"enough":0,"first_deal":"alternate",'
    '"game_hole":121,"heels_limit":"no limit","lanes":2,"last_deal":0,"lurch":false,"misdeal":0,"muggins":false,'
    '"overpeg_award":"none","peg_out":false,"pegging_only":false,"pone_chooses":false,"pone_start":0,"seats":2,'
    '"skunk_lines":[90,60],"strict":true,"triple_wins_match":false,"variant":"acc","worth":[2,3,3]'
)
"""The rules that a start tells."""


class SheetRow(NamedTuple):
    """An event of a game as the journal has it: its kind, its body, and the version of that."""

    kind: str
    body: Json
    v: int


def as_json(values: object) -> str:
    """Values as JSON text that is always the same for equal values."""
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def pack_lines(lines: Iterable[str]) -> bytes:
    """Lines of text in few bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=_dictionary())
    return packer.compress("\n".join(lines).encode()) + packer.flush()


def unpack_lines(packed: bytes) -> list[str]:
    """The same lines again.

    Raises:
        ValueError: they are more than `MOST_TEXT`, or something follows them.
        zlib.error: these bytes were not packed so.
    """
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_dictionary())
    text = unpacker.decompress(packed, MOST_TEXT)
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError(len(packed))
    return text.decode().split("\n")


@cache
def _dictionary() -> bytes:
    """What the lines of most sheets are made of; it never changes, or older codes could not be read any more.

    The packer reaches shorter for what stands nearer to the end.
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
