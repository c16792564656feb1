"""Event files: CSV (roster, results, cards, standings, brackets, pots), JSON, imports, signed packages, quarantine."""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from flask import Response, request
from werkzeug.exceptions import NotFound

from pegboard.errors import RuleError
from pegboard.hub.packages.hub_keys import PackageRefused, fingerprint, hubs_known_here, load_or_make_key
from pegboard.hub.packages.night_package import package_of_event, signer_of
from pegboard.hub.packages.package_exchange import MEDIA_TYPE, receive_package
from pegboard.hub.packages.verification import verified_json
from pegboard.messages import Message
from pegboard.tournament.night.deciding import check_phase
from pegboard.tournament.night.exchange import files_out as files
from pegboard.tournament.night.exchange.csv_text import write_csv
from pegboard.tournament.night.exchange.files_in import is_results, read_results, read_roster
from pegboard.tournament.night.facts import PaperResultEntered, PlayerEntered
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.views.actions import say
from web.access.sessions import current_access, is_director
from web.http.problems import Problem
from web.hub.hub_answers import ImportedJson, PackageJson
from web.hub.hub_openapi import (
    A_REQUEST,
    AT_EVENT,
    EVENT,
    OF_ANY,
    OF_DIRECTOR,
    OF_POST,
    EventRef,
    RequestId,
    SignedRequest,
    any_text,
    example_event,
    load_leniently,
)
from web.hub.hub_parts import hub_parts
from web.hub.night_api import MADE, REPLAYED, require_director, require_id
from web.kit.documented_endpoints import (
    TEXT,
    DocumentedBlueprint,
    Parameter,
    RequestBody,
    ResponseDoc,
    json_object,
    json_response,
)

# --- package API: an event as one signed file, exported and imported; an event counts once ---


PACKAGES = "/night/v1/packages"

LARGEST_PACKAGE = 20 * 2**20
"""Maximum bytes of a package: a score sheet has some 16,000, so forty tables and twenty-two games fit."""

FILE_DIGITS = 16
"""Digits of a package's digest in its file name."""

package_api = DocumentedBlueprint("packages", tag="files", root="/night/v1")

A_PACKAGE = {"event": EVENT, "name": "Club night", "date": "2026-11-26", "finished": True, "digest": "5b" * 32} | {
    "fingerprint": "2f1c 77b0 9a3e d514",
    "signer": "Riverside club",
    "known": True,
    "margins": 12,
    "departures": [],
    "new": True,
}

PACKAGE = {"type": "object"}


@package_api.view(
    "GET",
    "/<night>/files/night.pegboard",
    path=AT_EVENT,
    answers={200: ResponseDoc("The package", PACKAGE, content_type=MEDIA_TYPE)},
    refuses=(*OF_DIRECTOR, "hub_key", "no_cryptography"),
)
def make_package(night: str) -> Response:
    """The event as a signed package, with the score sheets of the results that count."""
    require_director()
    hub = hub_parts()
    hub.nights.night(night)  # raises if there is no such event
    package = package_of_event(hub.nights.ledger, night, load_or_make_key(hub.folder))
    return _as_file(package, f"{night}.pegboard", MEDIA_TYPE)


@package_api.view(
    "GET",
    "/packages/<digest>",
    path={"digest": Parameter("the digest of the package's content", example="5b" * 32)},
    answers={200: ResponseDoc("The package", PACKAGE, content_type=MEDIA_TYPE)},
    refuses=(*OF_ANY, "not_paired", "not_found"),
)
def download_package(digest: str) -> Response:
    """A package from another hub, as received."""
    require_director()
    file = hub_parts().packages.content_of(digest)
    if file is None:
        raise NotFound
    return _as_file(file, f"{digest[:FILE_DIGITS]}.pegboard", MEDIA_TYPE)


def _as_file(content: bytes | str, name: str, content_type: str) -> Response:
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, headers=headers, content_type=content_type)


@package_api.view(
    "POST",
    "/packages",
    takes=RequestBody(PACKAGE, {}, content_type=MEDIA_TYPE),
    answers={
        201: ResponseDoc("Stored", PackageJson, A_PACKAGE),
        200: ResponseDoc("Stored before", PackageJson, A_PACKAGE | {"new": False}),
    },
    refuses=(
        *OF_ANY,
        *("foreign_origin", "too_slow", "too_large", "too_many_tries", "hub_unknown", "package", "no_cryptography"),
    ),
)
def upload_package() -> Response:
    """Verify and store a package, from a hub that is known here or uploaded by a director.

    A package that is already stored changes nothing.
    """
    access, hub, file = current_access(), hub_parts(), request.get_data()
    access.rates.check_pairing(request)
    known = hubs_known_here(hub.folder)
    try:
        signer = signer_of(file)  # this verifies the signature before anything else is read
        if not is_director(request) and signer not in known:
            raise Problem(403, "hub_unknown", "package_hub_unknown", fingerprint=fingerprint(signer))
        upload = receive_package(file, hub.packages, known)
    except PackageRefused as error:
        raise Problem(422, error.code, error.message) from None
    values = verified_json(upload.verified) | {"new": upload.is_new}
    return json_response(values, MADE if upload.is_new else REPLAYED)


IMPORT = "/night/v1/import"

LARGEST_IMPORT = 262_144
"""Maximum bytes of an import request: a roster of two thousand names has some fifty thousand characters."""

NS_PER_S = 1_000_000_000

CSV_TYPE, JSON_TYPE = "text/csv; charset=utf-8", "application/json"


def _quarantine(event: str) -> str:
    """Refused messages of the tables as CSV; a body that is not text is written in hexadecimal."""
    rows = [
        (
            one.table,
            str(one.kind),
            one.said,
            _day_and_time(one.at),
            one.times,
            _legible(one.body),
        )
        for one in hub_parts().nights.ledger.read_quarantine(event)
    ]
    return write_csv([("table", "kind", "why", "first", "times", "message"), *rows])


def _day_and_time(at: int) -> str:
    return datetime.fromtimestamp(at // NS_PER_S, UTC).isoformat()


def _legible(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body.hex()


FILES: Mapping[str, Callable[[Night], str]] = {
    "roster.csv": files.roster_csv,
    "results.csv": files.results_csv,
    "cards.csv": files.cards_csv,
    "standings.csv": files.standings_csv,
    "brackets.csv": files.brackets_csv,
    "pots.csv": files.pots_csv,
}
"""For each CSV file, the function that writes the event."""

EVERYTHING = "night.json"
"""The file with all data of an event."""

QUARANTINE = "quarantine.csv"
"""The file with the messages from tables that the hub refused."""

DOWNLOADS = (*FILES, EVERYTHING, QUARANTINE)
"""The files that the desk offers."""

FOR_ALL = frozenset({"standings.csv"})
"""Files whose content the big screen shows anyway; others reveal payments, cards, or who decided."""

file_api = DocumentedBlueprint("files", "Events as files: export and import.", root="/night/v1")


class ImportRequest(SignedRequest):
    """A roster or results in CSV."""

    id: RequestId
    night: EventRef
    text: Annotated[str, any_text("the file's text; results have a column for the winner")]


@file_api.view(
    "GET",
    "/<night>/files/<name>",
    path=AT_EVENT | {"name": Parameter("the file's name", {**TEXT, "enum": [*FILES, QUARANTINE]}, "standings.csv")},
    answers={200: ResponseDoc("The file", TEXT, content_type="text/csv")},
    refuses=(*OF_DIRECTOR, "not_found"),
)
def download(night: str, name: str) -> Response:
    """A CSV file of an event."""
    if name not in DOWNLOADS:
        raise NotFound
    if name not in FOR_ALL:
        require_director()
    found = hub_parts().nights.night(night)
    if name == QUARANTINE:
        return _as_file(_quarantine(night), f"{night}-{name}", CSV_TYPE)
    return _as_file(FILES[name](found), f"{night}-{name}", CSV_TYPE)


@file_api.view(
    "GET",
    f"/<night>/files/{EVERYTHING}",
    path=AT_EVENT,
    answers={200: ResponseDoc("The event", {"type": "object"}, lambda: files.night_json(example_event()))},
    refuses=OF_DIRECTOR,
)
def download_everything(night: str) -> Response:
    """All data of an event in JSON: its decision log, and the standings and other results that follow from it."""
    require_director()
    found = files.night_json(hub_parts().nights.night(night))
    return _as_file(json.dumps(found, ensure_ascii=False, indent=1) + "\n", f"{night}-{EVERYTHING}", JSON_TYPE)


@file_api.view(
    "POST",
    "/import",
    takes=RequestBody(ImportRequest, {"roster": {"id": A_REQUEST, "night": EVENT, "text": "name\nAnn\nBob\n"}}),
    answers={
        200: ResponseDoc("Imported", ImportedJson, {"kind": "roster", "entered": 2, "faults": [], "notes": []}),
    },
    refuses=(*OF_POST, "not_paired", "no_night", "rule", "already", "id_reused"),
)
def import_file() -> Response:
    """Import the players or the results of a CSV file; invalid lines are reported, and valid lines are still imported.

    A file with two results for one game is refused as a whole.
    """
    body = load_leniently(ImportRequest, json_object(request))
    by, own = require_director(body["signature"]), require_id(body["id"])
    night, text, nights = body["night"], body["text"], hub_parts().nights
    state = nights.night(night)
    kind, read = ("results", read_results) if is_results(text) else ("roster", read_roster)
    check_phase(state, PaperResultEntered if kind == "results" else PlayerEntered)
    found, refused = read(text, state), []
    for line, wanted in zip(found.lines, found.requests, strict=True):
        try:
            nights.decide(night, dict(wanted), by, _id_of_line(own, wanted))
        except RuleError as error:  # another director has just entered the same
            refused.append(Message("night_file_line", line=line, why=error.message))
    entered, faults = len(found.requests) - len(refused), [say(fault) for fault in (*found.faults, *refused)]
    return json_response(
        {"kind": kind, "entered": entered, "faults": faults, "notes": [say(note) for note in found.notes]}
    )


def _id_of_line(own: str, wanted: Mapping[str, Any]) -> str:
    """The request id of a line; it stays the same if the file is uploaded again, with fewer lines left to import."""
    return hashlib.sha256(f"{own} {json.dumps(wanted, sort_keys=True)}".encode()).hexdigest()[:32]
