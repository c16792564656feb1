"""Event packages: content from the decision log and score sheets, and the signed file format (canonical JSON).

A file holds the content, its digest, the signer's public key and the signature, and nothing else. There is only one way
to serialize the values, so an added, missing or changed byte is detected before any value is used.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeAlias

from pegboard.hub.ledger.ledger_rows import TableEvent
from pegboard.hub.packages.hub_keys import HubKey, PackageRefused, is_signed_by
from pegboard.install.program_version import program_version
from pegboard.json_parser import canonical_json
from pegboard.tournament.night.decide import fold
from pegboard.tournament.night.decisions import as_row, from_row
from pegboard.tournament.night.evening import final_rows
from pegboard.tournament.night.exchange.files_out import record_json
from pegboard.tournament.night.facts import SheetReference, TableResultReceived
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.pairings import GameKey
from pegboard.values import MESSAGE, Misfit, Takes, read, write

if TYPE_CHECKING:
    from pegboard.hub.ledger.ledger import Ledger

# --- package content: decisions, score sheets, and the results derived from both ---


Json: TypeAlias = dict[str, Any]

Sheets: TypeAlias = Mapping[GameKey, Iterable[TableEvent]]
"""The events of the score sheets of games, in the order of the ledger."""


def package_content(event: str, night: Night, sheets: Sheets, program: str) -> Json:
    """The content of an event's package; always the same for the same event.

    Args:
        event: the event's id at its hub.
        night: the event's current state, finished or not.
        sheets: the score sheets of games whose result came from a table.
        program: the version of pegboard that writes the package.
    """
    return {
        "event": event,
        "program": program,
        "name": night.opened.name if night.opened else "",
        "date": night.opened.date if night.opened else "",
        "rules": write(night.rules),
        "roster": [{"player": one.player, "name": one.name, "number": one.number} for one in night.players.values()],
        "decisions": [as_row(row) for row in night.rows],
        "sheets": {key: [_event(row) for row in rows] for key, rows in sheets.items()},
        "finished": night.ended is not None,
    } | derived_content(night)


def derived_content(night: Night) -> Json:
    """The parts of the content derived from the decisions: games, standings, invariants, cutoff, winners."""
    derived = report(night)
    standings = night.ended.standings if night.ended is not None else final_rows(night)
    return {
        "games": [record_json(record) for record in derived.records.values()],
        "standings": write(standings),
        "invariants": [
            {"check": str(check.check), "state": str(check.state), "difference": check.difference}
            for check in derived.panel.checks
        ],
        "qualifiers": list(night.cut.qualifiers) if night.cut else [],
        "winners": {name: state.bracket.winner for name, state in night.brackets.items()},
    }


def choose_sheets(night: Night, rows: Iterable[TableEvent]) -> dict[GameKey, list[TableEvent]]:
    """The score sheets of the results that count, each up to its result, chosen from all events sent by tables.

    `rows` must be in the order of `Ledger.rows_of`: by table, epoch and number.
    """
    wanted = {(sheet.table, sheet.game): (key, sheet) for key, sheet in _references(night)}
    chosen: dict[GameKey, list[TableEvent]] = {}
    whole: set[GameKey] = set()
    for row in rows:
        key, sheet = wanted.get((row.table, row.game), ("", None))
        if sheet is None or key in whole:
            continue  # not the sheet of a result, or events after its result
        chosen.setdefault(key, []).append(row)
        if (row.epoch, row.seq) == (sheet.epoch, sheet.last):
            whole.add(key)
    return chosen


def _references(night: Night) -> Iterable[tuple[GameKey, SheetReference]]:
    for key, game in night.games.items():
        if game.report is not None and game.report.sheet is not None:
            yield key, game.report.sheet


def _event(row: TableEvent) -> Json:
    """An event of a score sheet as JSON; the body is the object that the table sent."""
    return {
        "table": row.table,
        "epoch": row.epoch,
        "seq": row.seq,
        "game": row.game,
        "place": row.place,
        "at": row.at,
        "kind": row.kind,
        "body": json.loads(row.body),
        "source": row.source,
        "version": row.version,
    }


def read_sheet(event: str, rows: Iterable[Any]) -> list[TableEvent]:
    """Parse the events of a score sheet in a package.

    Raises:
        KeyError: an event lacks a value; TypeError if an event is not an object.
    """
    names = ("table", "epoch", "seq", "game", "place", "at", "kind", "source", "version")
    return [
        TableEvent(event=event, received=0, body=json.dumps(row["body"]), digest="", **{n: row[n] for n in names})
        for row in rows
    ]


def reported_sheets(night: Night) -> Mapping[GameKey, TableResultReceived]:
    """The games whose result came from a table, with the result the hub derived."""
    return {key: game.report for key, game in night.games.items() if game.report is not None}


# --- making a package from the hub's ledger: decisions, and the score sheets of the results that count ---


def package_of_event(ledger: "Ledger", event: str, key: HubKey) -> bytes:
    """Make the package of an event in the hub's ledger.

    Raises:
        HubNotNow: the database does not answer.
        PackageRefused: the event has no decisions, or its log was altered.
    """
    from pegboard.hub.ledger.decision_log import DecisionLog  # noqa: PLC0415 - needs SQLAlchemy

    log = DecisionLog(ledger, event)
    altered = log.check()
    if altered is not None:
        raise PackageRefused("package_log_altered", event=repr(event), number=altered)
    night = fold(from_row(logged.row) for logged in log.read())
    if not night.rows:
        raise PackageRefused("package_no_event", event=repr(event))
    sheets = choose_sheets(night, ledger.rows_of(event))
    return seal(package_content(event, night, sheets, program_version()), key)


FORMAT = "pegboard-package/1"
"""Name and version of the file format; signed together with the content."""

FAMILY = FORMAT.partition("/")[0]

MEMBERS = frozenset({"content", "digest", "format", "key", "signature"})

HEAD = b'{"content":'

TAIL = re.compile(
    rb',"digest":"[0-9a-f]{64}","format":"(?P<format>pegboard-package/[0-9]{1,9})",'
    rb'"key":"(?P<key>[0-9a-f]{64})","signature":"(?P<signature>[0-9a-f]{128})"\}\n\Z'
)
"""The bytes before and after the content, in the only valid serialization."""

LONGEST_TAIL = 400

MOST_BYTES = 256 * 1024 * 1024
"""Maximum size of a package: an event of a thousand tables and a dozen games has about two hundred million bytes."""

BYTES_OF_A_PART, BYTES_OF_A_VALUE = 16, 10
"""Minimum bytes of a package per list or object, and per comma; real packages have at least twice as many.

A denser file cannot be an event, and parsing it would take thirty times its size in memory.
"""

SMALL = 1_000_000
"""Files up to this many bytes are parsed whatever their density."""


@dataclass(frozen=True, slots=True)
class SealedPackage:
    """A package whose signature is valid.

    Attributes:
        content: the signed values.
        public: the signer's public key.
        digest: SHA-256 of the content, in hexadecimal; the same for the same event by the same hub.
    """

    content: Json
    public: bytes
    digest: str


@dataclass(frozen=True, slots=True)
class _Seal:
    key: Annotated[str, Takes(pattern=r"[0-9a-f]{64}")]
    signature: Annotated[str, Takes(pattern=r"[0-9a-f]{128}")]


def seal(content: Json, key: HubKey) -> bytes:
    """Sign the content, and return the package file."""
    signed = _signed_bytes(content)
    values = {
        "format": FORMAT,
        "content": content,
        "digest": sha256(signed).hexdigest(),
        "key": key.public.hex(),
        "signature": key.sign(signed).hex(),
    }
    return canonical_json(values).encode() + b"\n"


def open_package(file: bytes) -> SealedPackage:
    """Verify a package file's signature, and return its content.

    Raises:
        PackageRefused: the file is not a package, has a newer format, or was altered; the message says which.
    """
    values = _read(file)
    signed = _signed_bytes(values["content"])
    digest = sha256(signed).hexdigest()
    if digest != values["digest"]:
        raise PackageRefused("package_digest")
    try:
        seal = read(_Seal, values, MESSAGE)
    except Misfit:
        raise PackageRefused("package_signature") from None
    public = bytes.fromhex(seal.key)
    if not is_signed_by(public, bytes.fromhex(seal.signature), signed):
        raise PackageRefused("package_signature")
    return SealedPackage(values["content"], public, digest)


def signer_of(file: bytes) -> bytes:
    """Verify a file's signature on its raw bytes and return the signer's public key; parses nothing before that.

    Raises:
        PackageRefused: the file is not a package, has a newer format, or was altered.
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
    return f"{FORMAT}\n".encode() + canonical_json(content).encode()


def _read(file: bytes) -> Json:
    """Parse a file that is serialized exactly like a package.

    Raises:
        PackageRefused: the file is not serialized like a package.
    """
    if len(file) > MOST_BYTES:
        raise PackageRefused("package_too_long", most=MOST_BYTES)
    if len(file) > SMALL and _is_dense(file):
        raise PackageRefused("package_too_dense")
    try:
        values = json.loads(file, parse_constant=_refuse_constant)
        is_canonical = canonical_json(values).encode() + b"\n" == file
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
