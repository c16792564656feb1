"""The Flask application of a hub: its pages and API put together, and the error handlers."""

import logging
from http import HTTPStatus

from flask import Flask, Response, request
from flask.logging import default_handler
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from pegboard.errors import PegboardError
from web.access import sessions
from web.http import static_files
from web.http.client_address import address_of_request
from web.http.problems import Problem, internal_error, method_not_allowed, problem_of, render
from web.http.security_log import LOGGED_REFUSALS, quote_request
from web.hub.api.call_api import call_api
from web.hub.api.file_api import file_api
from web.hub.api.joining_api import joining_api
from web.hub.api.night_api import night_api
from web.hub.api.package_api import package_api
from web.hub.api.result_api import result_api
from web.hub.hub_pages import add_hub_pages
from web.hub.hub_parts import EXTENSION, HubParts
from web.pages.i18n import add_languages

log = logging.getLogger(__name__)

LONGEST_PATH = 80
"""Letters of a path that a refusal repeats."""


def create_hub_app(parts: HubParts) -> Flask:
    """Make the application of one hub."""
    app = Flask("web", static_folder=None)  # whose folder of templates it has; `StaticFiles` serves the others
    app.url_map.merge_slashes = False  # or Flask would redirect
    app.logger.removeHandler(default_handler)  # it would write to standard output
    app.extensions[EXTENSION] = parts
    app.extensions[sessions.EXTENSION] = parts.access.directors
    app.before_request(_refuse_double_slash)
    static_files.add_to(app)
    add_languages(app)
    add_hub_pages(app)
    for blueprint in (night_api, joining_api, call_api, result_api, package_api, file_api):
        app.register_blueprint(blueprint)
    app.register_error_handler(PegboardError, _refuse)
    app.register_error_handler(HTTPException, _refuse_http)
    app.register_error_handler(Exception, _refuse_fault)
    return app


def _refuse_double_slash() -> None:
    """A path that begins with several slashes is not found: Flask would drop all but one of them."""
    if request.environ["PATH_INFO"].startswith("//"):
        raise NotFound


def _refuse(error: PegboardError) -> Response:
    problem = error if isinstance(error, Problem) else problem_of(error)
    if problem.code in LOGGED_REFUSALS:
        access = sessions.current_access()
        access.security_log.note_refusal(problem.code, address_of_request(request), request.method, request.path)
    content_type, body = render(problem, _path_of_api(), request.headers.get("Accept", ""))
    return Response(body, problem.status, {"Cache-Control": "no-store"} | problem.headers, content_type=content_type)


def _path_of_api() -> str:
    """The path by which `render` tells programs from people: the API of a hub is under another one."""
    return "/api/" if request.path.startswith("/night/v1/") or request.path == "/join" else request.path


def _refuse_http(error: HTTPException) -> Response:
    path = request.path if len(request.path) <= LONGEST_PATH else f"{request.path[:LONGEST_PATH]}..."
    match error:
        case NotFound():
            return _refuse(Problem(HTTPStatus.NOT_FOUND, "not_found", "hub_no_page", path=path))
        case MethodNotAllowed():
            return _refuse(method_not_allowed(request.method, path, sorted(error.valid_methods or ())))
    return _refuse(
        Problem(error.code or HTTPStatus.INTERNAL_SERVER_ERROR, "request", "verbatim", text=error.description)
    )


def _refuse_fault(error: Exception) -> Response:
    log.error("%s failed", quote_request(request.method, request.path), exc_info=error)
    return _refuse(internal_error())
