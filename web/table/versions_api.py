"""The API of program versions: installed and uploaded versions, package upload by a director, update and rollback."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict

from flask import Response, request

from pegboard.install.director_updates import DirectorUpdates
from pegboard.install.package_file import InstallError, InstallFailed
from web.access import sessions
from web.http.problems import Problem
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    BODY_REFUSALS,
    DocumentedBlueprint,
    Parameter,
    RequestBody,
    ResponseDoc,
    json_object,
    json_response,
    load,
)
from web.table.program_parts import parts

versions = DocumentedBlueprint("versions", tag="settings")

DEBIAN_PACKAGE = "application/vnd.debian.binary-package"
"""The content type of a Debian package, as registered with IANA."""

LONGEST_FILE_NAME = 80

BINARY = {"type": "string", "format": "binary"}


@dataclass(frozen=True, slots=True)
class WishRequest:
    """A request to update, or to go back to the previous version."""

    do: Annotated[Literal["update", "back"], '"update" or "back"']
    file: Annotated[str, "for update: the `file` of the uploaded package"] = ""
    during_game: Annotated[bool, "true to make the change even during a game"] = False


class WaitingJson(TypedDict):
    """An uploaded package, ready to install."""

    file: str
    version: str
    bytes: Annotated[int, "the size of the package"]


class LastChangeJson(TypedDict):
    """The last change of version."""

    what: Annotated[str, "installed, updated, back, failed (rolled back automatically) or refused (nothing changed)"]
    version: Annotated[str, "the requested version; if refused, possibly a file name"]
    runs: Annotated[str, "the version that has been running since then"]
    at: Annotated[float, "seconds since 1970"]
    why: Annotated[dict[str, Any] | None, "the reason as a message: key, values and text"]


class VersionsJson(TypedDict):
    """The versions on this machine."""

    current: str | None
    previous: Annotated[str | None, "the version that `back` returns to"]
    waiting: Annotated[list[WaitingJson], "newest first"]
    under_way: Annotated[bool, "whether a change is in progress"]
    last: LastChangeJson | None


EXAMPLE: dict[str, Any] = {
    "current": "0.1.0",
    "previous": None,
    "waiting": [{"file": "pegboard_0.2.0_all.deb", "version": "0.2.0", "bytes": 2_924_092}],
    "under_way": False,
    "last": {"what": "installed", "version": "0.1.0", "runs": "0.1.0", "at": 1795000000.0, "why": None},
}

REFUSALS = ("role", "no_versions", "install", "playing", "not_stored")


@versions.view(
    "GET",
    "/versions",
    answers={200: ResponseDoc("The versions on this machine", VersionsJson, EXAMPLE)},
    refuses=(*ANY_REFUSALS, "no_versions"),
)
def show_versions() -> Response:
    """The versions on this machine, if `updates` in the settings is true."""
    return json_response(_updates().report())


@versions.view(
    "POST",
    "/versions/package",
    takes=RequestBody(BINARY, {}, content_type=DEBIAN_PACKAGE),
    query={"name": Parameter("the file's name, for error messages", example="pegboard_0.2.0_all.deb")},
    answers={201: ResponseDoc("Ready to install", VersionsJson, EXAMPLE)},
    refuses=(*(code for code in BODY_REFUSALS if code not in {"not_json", "shape"}), *REFUSALS[:3], "not_stored"),
)
def send_package() -> Response:
    """Upload a signed package of a newer version, as a director, ready to install.

    It replaces any package uploaded before.
    """
    sessions.require_director(sessions.role(request), "install_director")
    updates = _updates()
    if request.mimetype != DEBIAN_PACKAGE:
        raise Problem(415, "media_type", "install_media_type", due=DEBIAN_PACKAGE, type=request.mimetype or "none")
    name = "".join(letter for letter in request.args.get("name", "") if letter.isprintable())[:LONGEST_FILE_NAME]
    try:
        updates.keep(request.get_data(), name or "pegboard.deb")
    except InstallError as error:
        raise _problem(error) from None
    return json_response(updates.report(), 201)


@versions.view(
    "POST",
    "/versions",
    takes=RequestBody(
        WishRequest, {"update": {"do": "update", "file": "pegboard_0.2.0_all.deb"}, "back": {"do": "back"}}
    ),
    answers={202: ResponseDoc("Requested; the table restarts when it is done", VersionsJson, EXAMPLE)},
    refuses=(*BODY_REFUSALS, *REFUSALS),
)
def change_version() -> Response:
    """Install the uploaded package, or go back to the previous version, as a director.

    A new version is first tested on a copy of the scores. The outcome is `last` in `GET /api/v1/versions`.
    """
    sessions.require_director(sessions.role(request), "install_director")
    wish = load(WishRequest, json_object(request), "a request")
    updates, game = _updates(), parts().scoreboard.view.game
    if game.entries and game.outcome is None and not wish.during_game:
        raise Problem(409, "playing", "install_game_on")
    try:
        updates.request(wish.do, wish.file, during_game=wish.during_game)
    except InstallError as error:
        raise _problem(error) from None
    return json_response(updates.report(), 202)


def _updates() -> DirectorUpdates:
    updates = parts().service.updates
    if updates is None or not updates.is_there:
        raise Problem(404, "no_versions", "not_from_package")
    return updates


def _problem(error: InstallError) -> Problem:
    failed = isinstance(error, InstallFailed)
    return Problem(503 if failed else 422, "not_stored" if failed else "install", error.message)
