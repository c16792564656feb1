"""Examples in the OpenAPI document: one evening of Ann and Bob."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

STATE: dict[str, Any] = {
    "epoch": "9f2c61d0a47be835",
    "revision": 17,
    "game": {
        "id": "5b0e7c1f92aa",
        "variant": "standard",
        "game_hole": 121,
        "skunk_lines": [90, 60],
        "deal": 3,
        "phase": "play",
        "to_count": None,
        "over": False,
        "winner": None,
        "dealer_next": None,
    },
    "seats": [{"name": "Ann", "lane": 0}, {"name": "Bob", "lane": 1}],
    "dealer": 1,
    "lanes": [
        {"front": 12, "rear": 6, "revision": 3, "dialled": 0, "skunks": 0, "games_won": 0, "match_points": 0},
        {"front": 9, "rear": 7, "revision": 4, "dialled": 2, "skunks": 0, "games_won": 1, "match_points": 1},
    ],
    "entries": [
        {
            "id": "7",
            "source": "button",
            "at": 1795000000.0,
            "stands": True,
            "counts": True,
            "do": "score",
            "seat": 0,
            "lane": 0,
            "points": 6,
            "why": "hand",
            "from": 6,
            "to": 12,
        }
    ],
    "redo": None,
    "notice": None,
}

RECEIPT = {"replayed": False, "entry": "7", "state": STATE}

_TAP = {"id": "Qm7vX2nLw0aTz5RkD1sYbg", "game": "5b0e7c1f92aa"}

COMMANDS = {
    "score": _TAP | {"do": "score", "seat": 0, "points": 6, "why": "hand", "base": 2},
    "deal": _TAP | {"do": "deal", "base": 16},
    "undo": _TAP | {"do": "undo", "entry": "7"},
    "redo": _TAP | {"do": "redo", "entry": "7"},
    "start": {
        "id": "Qm7vX2nLw0aTz5RkD1sYbg",
        "do": "start",
        "variant": "standard",
        "players": ["Ann", "Bob"],
        "replaces": "5b0e7c1f92aa",
        "base": 17,
    },
}

REFUSALS: dict[str, tuple[int, str]] = {
    "bad_host": (400, "this table does not answer to the name 'example.org'; use its IP address or its own name"),
    "not_json": (400, "the body is not JSON (Expecting value at character 0); send one JSON object"),
    "not_open": (403, "this table takes no scores from here; its keys score, and looking on is free"),
    "foreign_origin": (403, "pages of 'http://example.org' may not change this table; open the table's own page"),
    "too_slow": (408, "the body did not arrive within 5 seconds; send it again"),
    "moved": (409, "Ann is already at 69; look again before adding more"),
    "other_game": (409, "game 5b0e7c1f92aa is not the running one; that is 77d03a9e10c4"),
    "over": (409, "the game is over: Ann has won; only corrections are taken"),
    "already": (409, "line 7 has been taken back already"),
    "too_large": (413, "the body is too large; at most 2048 bytes are taken"),
    "media_type": (415, "the content type is application/json, not text/plain"),
    "shape": (422, "`points` is a whole number from 0 to 29, not 30"),
    "rule": (422, "the crib is the dealer's, and Bob deals"),
    "id_reused": (422, "this id came with other content before; a new tap takes a new id"),
    "base_missing": (428, "`base` is missing: the revision of lane 0 that was seen (it is 3)"),
    "internal": (500, "pegboard has made a mistake; its log tells more, and nothing was scored"),
    "not_stored": (503, "NOT SAVED, so not scored: database or disk is full"),
}
"""What can be refused: for each code its status and a sentence."""


def refusals(codes: Iterable[str]) -> dict[int, dict[str, Any]]:
    """The examples of some refusals, by status and code."""
    by_status: dict[int, dict[str, Any]] = {}
    for code in codes:
        status, detail = REFUSALS[code]
        by_status.setdefault(status, {})[code] = {"value": _problem(status, code, detail)}
    return by_status


def _problem(status: int, code: str, detail: str) -> dict[str, Any]:
    common = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    state = {"state": STATE} if status == HTTPStatus.CONFLICT else {}
    since = {"entries": STATE["entries"]} if code == "moved" else {}
    return common | {"code": code} | state | since
