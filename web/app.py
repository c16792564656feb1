"""The Flask application: pages, API and OpenAPI document put together, and the error handlers."""

import logging
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, request
from flask.logging import default_handler
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from pegboard.config import Settings
from pegboard.errors import PegboardError
from pegboard.table.scoreboard import Scoreboard
from web.access import sessions
from web.api import pairing, table
from web.api.bench import workbench
from web.api.conditional_responses import program_version
from web.api.contract.openapi_document import openapi_document
from web.api.counting import counting
from web.api.event.event_endpoints import events
from web.api.games import history
from web.api.power import power
from web.api.preview import previews
from web.api.program_parts import EXTENSION, Bench, Parts, Service
from web.api.settings import settings as table_settings
from web.api.statistics import statistics
from web.api.transfer import transfers
from web.api.versions import versions
from web.http import static_files
from web.http.client_address import address_of_request
from web.http.problems import Problem, internal_error, method_not_allowed, problem_of, render
from web.http.security_log import LOGGED_REFUSALS, quote_request, quote_text
from web.pages.i18n import add_languages, catalog_reports
from web.pages.routes import add_pages

log = logging.getLogger(__name__)

LONGEST_PATH = 80
"""Letters of a path that a refusal repeats."""


def create_app(
    scoreboard: Scoreboard,
    settings: Settings,
    bench: Bench | None = None,
    *,
    service: Service,
    join: Callable[[], dict[str, Any]],
    access: sessions.Access,
) -> Flask:
    """Make the application of one table; `join` says how others join it, and `bench` is there only in mock mode."""
    app = Flask(__name__, static_folder=None)  # `StaticFiles` serves them
    app.url_map.merge_slashes = False  # or Flask would redirect
    app.logger.removeHandler(default_handler)  # it would write to standard output
    app.extensions[EXTENSION] = Parts(scoreboard, settings, service, bench, catalog_reports, program_version())
    app.extensions[sessions.EXTENSION] = access
    app.before_request(_refuse_double_slash)
    static_files.add_to(app)
    add_languages(app)
    add_pages(app, scoreboard, join, is_open=settings.web.open, has_bench=bench is not None)
    _add_api(app, bench)
    app.register_error_handler(PegboardError, _refuse)
    app.register_error_handler(HTTPException, _refuse_http)
    app.register_error_handler(Exception, _refuse_fault)
    return app


def _add_api(app: Flask, bench: Bench | None) -> None:
    past_games = (history, statistics, previews, transfers)
    blueprints = [table.table, pairing.pairings, counting, *past_games, table_settings, power, versions, events]
    blueprints += [] if bench is None else [workbench]
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    app.add_url_rule("/api/openapi.json", "openapi_json", partial(openapi_document, tuple(blueprints)))


def _refuse_double_slash() -> None:
    """A path that begins with several slashes is not found: Flask would drop all but one of them."""
    if request.environ["PATH_INFO"].startswith("//"):
        raise NotFound


def _refuse(error: PegboardError) -> Response:
    problem = error if isinstance(error, Problem) else problem_of(error, **table.conflict(error))
    _log_refusal(problem)
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR and problem is not error:
        problem = _without_details(problem)
    content_type, body = render(problem, request.path, request.headers.get("Accept", ""))
    headers = {"Cache-Control": "no-store"} | problem.headers
    return Response(body, problem.status, headers, content_type=content_type)


def _log_refusal(problem: Problem) -> None:
    access = sessions.current_access()
    device = access.session_of(request.cookies).device if problem.code in LOGGED_REFUSALS else ""
    by = f"by device {device}" if device else ""
    access.security_log.note_refusal(problem.code, address_of_request(request), request.method, request.path, by)


def _without_details(problem: Problem) -> Problem:
    """What cannot be read or stored names files and programs of this machine: for its log, and whoever is paired."""
    if sessions.sees_codes(request):
        return problem
    about = f"{quote_request(request.method, request.path)}: {quote_text(str(problem))}"
    sessions.current_access().security_log.note_suspect("fault", address_of_request(request), about)
    return Problem(problem.status, problem.code, "fault_untold")


def _refuse_http(error: HTTPException) -> Response:
    path = request.path if len(request.path) <= LONGEST_PATH else f"{request.path[:LONGEST_PATH]}..."
    match error:
        case NotFound():
            return _refuse(Problem(404, "not_found", "not_found", path=path))
        case MethodNotAllowed():
            return _refuse(method_not_allowed(request.method, path, sorted(error.valid_methods or ())))
    return _refuse(Problem(error.code or 500, "request", "verbatim", text=error.description))


def _refuse_fault(error: Exception) -> Response:
    log.error("%s failed", quote_request(request.method, request.path), exc_info=error)
    return _refuse(internal_error())
