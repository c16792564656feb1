"""The API of packages: a night as one signed file, out of this hub and into it; each counts once."""

from importlib.metadata import version

from flask import Blueprint, Response, request

from pegboard.hub.packages.hub_key import fingerprint, load_or_make_key
from pegboard.hub.packages.known_hubs import hubs_known_here
from pegboard.hub.packages.night_package import seal, signer_of
from pegboard.hub.packages.package_content import choose_sheets, package_content
from pegboard.hub.packages.package_errors import PackageRefused
from pegboard.hub.packages.package_sending import MEDIA_TYPE
from pegboard.hub.packages.package_uploads import receive_package
from pegboard.hub.packages.verification import verified_json
from web.access.sessions import current_access
from web.api.contract.strict_json import json_response
from web.http.problems import Problem
from web.hub.api.night_api import MADE, REPLAYED, require_director
from web.hub.hub_parts import hub_parts

PACKAGES = "/night/v1/packages"

LARGEST_PACKAGE = 8 * 2**20
"""Bytes of a package: a score sheet has some 16,000, so that forty tables and a dozen games fit."""

package_api = Blueprint("package_api", __name__)


@package_api.get("/night/v1/<night>/files/night.pegboard")
def make_package(night: str) -> Response:
    """The night as a signed package, with the score sheets of the results that count."""
    require_director({})
    hub = hub_parts()
    found = hub.nights.night(night)
    sheets = choose_sheets(found, hub.nights.ledger.rows_of(night))
    content = package_content(night, found, sheets, version("pegboard"))
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{night}.pegboard"'}
    return Response(seal(content, load_or_make_key(hub.folder)), headers=headers, content_type=MEDIA_TYPE)


@package_api.post(PACKAGES)
def take_package() -> Response:
    """Verify a package and store it: of a hub that is known here, or one that a director hands in.

    One that is there already changes nothing.
    """
    access, hub, file = current_access(), hub_parts(), request.get_data()
    access.rates.check_pairing(request)
    known = hubs_known_here(hub.folder)
    try:
        if access.session_of(request.cookies).role != "director" and (signer := signer_of(file)) not in known:
            raise Problem(403, "hub_unknown", "package_hub_unknown", fingerprint=fingerprint(signer))
        upload = receive_package(file, hub.packages, known)
    except PackageRefused as error:
        raise Problem(422, error.code, error.message) from None
    values = verified_json(upload.verified) | {"new": upload.is_new}
    return json_response(values, MADE if upload.is_new else REPLAYED)
