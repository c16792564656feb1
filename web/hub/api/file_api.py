"""Files of a night: roster, results, cards, standings and pots as CSV, all as JSON; roster and results come in."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from pegboard.errors import RuleError
from pegboard.tournament.night.exchange import night_files as files
from pegboard.tournament.night.exchange.results_file import is_results, read_results
from pegboard.tournament.night.exchange.roster_file import read_roster
from pegboard.tournament.night.night_state import Night
from web.api.contract.strict_json import json_object, json_response
from web.hub.api.night_api import request_id_of, require_director
from web.hub.hub_parts import hub_parts

IMPORT = "/night/v1/import"

LARGEST_IMPORT = 262_144
"""Bytes of a roster in JSON: two thousand names have some fifty thousand letters."""

CSV_TYPE, JSON_TYPE = "text/csv; charset=utf-8", "application/json"


def _everything(night: Night) -> str:
    return json.dumps(files.night_json(night), ensure_ascii=False, indent=1) + "\n"


FILES: Mapping[str, tuple[Callable[[Night], str], str]] = {
    "roster.csv": (files.roster_csv, CSV_TYPE),
    "results.csv": (files.results_csv, CSV_TYPE),
    "cards.csv": (files.cards_csv, CSV_TYPE),
    "standings.csv": (files.standings_csv, CSV_TYPE),
    "pots.csv": (files.pots_csv, CSV_TYPE),
    "night.json": (_everything, JSON_TYPE),
}
"""By the name of the file: what writes it, and its type."""

FOR_ALL = frozenset({"standings.csv"})
"""Files of which the big screen shows all; the others say who has paid what, what cards say, or who has decided."""

file_api = Blueprint("file_api", __name__, url_prefix="/night/v1")


@file_api.get("/<night>/files/<name>")
def download(night: str, name: str) -> Response:
    """A file of a night."""
    if name not in FILES:
        raise NotFound
    if name not in FOR_ALL:
        require_director({})
    write, kind = FILES[name]
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{night}-{name}"'}
    return Response(write(hub_parts().nights.night(night)), headers=headers, content_type=kind)


@file_api.post("/import")
def take_in() -> Response:
    """Enter the players, or the results, of a CSV file; a line that cannot be entered is named, and stops no other."""
    values = json_object(request)
    by, own = require_director(values), request_id_of(values)
    night, nights = str(values.get("night", "")), hub_parts().nights
    text, state = str(values.get("text", "")), nights.night(night)
    kind, read = ("results", read_results) if is_results(text) else ("roster", read_roster)
    found, refused = read(text, state), []
    for wanted in found.requests:
        try:
            nights.decide(night, dict(wanted), by, _id_of_line(own, wanted))
        except RuleError as error:  # another director has entered the same meanwhile
            refused.append(error.message)
    faults = [fault.as_json() | {"text": str(fault)} for fault in (*found.faults, *refused)]
    return json_response({"kind": kind, "entered": len(found.requests) - len(refused), "faults": faults})


def _id_of_line(own: str, wanted: Mapping[str, Any]) -> str:
    """The id of the request that a line of a file is: the same for the same file sent again, of which less is left."""
    return hashlib.sha256(f"{own} {json.dumps(wanted, sort_keys=True)}".encode()).hexdigest()[:32]
