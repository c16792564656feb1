"""The API of packages: a night as one signed file, out of this hub and into it; each counts once."""

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from pegboard.hub.packages.hub_keys import PackageRefused, fingerprint, hubs_known_here, load_or_make_key
from pegboard.hub.packages.night_package import package_of_event, signer_of
from pegboard.hub.packages.package_exchange import MEDIA_TYPE, receive_package
from pegboard.hub.packages.verification import verified_json
from web.access.sessions import current_access
from web.api.contract.strict_json import json_response
from web.http.problems import Problem
from web.hub.api.night_api import MADE, REPLAYED, require_director
from web.hub.hub_parts import hub_parts

PACKAGES = "/night/v1/packages"

LARGEST_PACKAGE = 20 * 2**20
"""Bytes of a package: a score sheet has some 16,000, so that forty tables and twenty-two games fit."""

FILE_DIGITS = 16
"""Of a package's digest, in the name of its file."""

package_api = Blueprint("package_api", __name__)


@package_api.get("/night/v1/<night>/files/night.pegboard")
def make_package(night: str) -> Response:
    """The night as a signed package, with the score sheets of the results that count."""
    require_director({})
    hub = hub_parts()
    hub.nights.night(night)  # or there is none
    return _as_file(package_of_event(hub.nights.ledger, night, load_or_make_key(hub.folder)), night)


@package_api.get(f"{PACKAGES}/<digest>")
def give_package(digest: str) -> Response:
    """A package of another hub, as it came."""
    require_director({})
    file = hub_parts().packages.content_of(digest)
    if file is None:
        raise NotFound
    return _as_file(file, digest[:FILE_DIGITS])


def _as_file(file: bytes, name: str) -> Response:
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}.pegboard"'}
    return Response(file, headers=headers, content_type=MEDIA_TYPE)


@package_api.post(PACKAGES)
def take_package() -> Response:
    """Verify a package and store it: of a hub that is known here, or one that a director hands in.

    One that is there already changes nothing.
    """
    access, hub, file = current_access(), hub_parts(), request.get_data()
    access.rates.check_pairing(request)
    known = hubs_known_here(hub.folder)
    try:
        signer = signer_of(file)  # which shows that nothing was altered, before anything of it is read
        if access.session_of(request.cookies).role != "director" and signer not in known:
            raise Problem(403, "hub_unknown", "package_hub_unknown", fingerprint=fingerprint(signer))
        upload = receive_package(file, hub.packages, known)
    except PackageRefused as error:
        raise Problem(422, error.code, error.message) from None
    values = verified_json(upload.verified) | {"new": upload.is_new}
    return json_response(values, MADE if upload.is_new else REPLAYED)
