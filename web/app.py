"""The Flask application: the pages, the API behind `/api/`, its OpenAPI document, and one way to say no."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Flask, Response, render_template, request
from flask.logging import default_handler
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from pegboard.config import Settings
from pegboard.core import snapshot
from pegboard.errors import PegboardError
from pegboard.scoreboard import Scoreboard
from web.access import sessions as access_to
from web.api import pairing, table
from web.api.bench_protocol import Bench
from web.api.contract.document import Document
from web.api.counting import counting
from web.api.games import history, no_game
from web.api.parts import EXTENSION, Parts
from web.api.service_info import Service
from web.api.settings import settings as table_settings
from web.http import static_files
from web.http.problems import Problem, internal_error, method_not_allowed, problem_of, render
from web.pages.i18n import catalog_reports, speak
from web.pages.rules.page import rules_page

log = logging.getLogger(__name__)

PAGES = {
    "/": "phone.html",
    "/tablet": "tablet.html",
    "/board": "board.html",
    "/count": "count.html",
    "/play": "play.html",
    "/history": "history.html",
    "/stats": "stats.html",
    "/rules": "rules.html",
    "/settings": "settings.html",
    "/health": "health.html",
    "/bench": "bench.html",
}
"""Every page and its template, in the order in which the pages name each other."""

JOIN = "/j/"
"""The page that pairs a phone; a code may follow, and a scanned one does, in capitals as all of its address."""

THE_RUNNING_ONE = "now"
"""The name under which the page of the running game is found, whichever that is."""

LONGEST_PLACE = 80
"""Letters of an address that a refusal says back."""

BENCH_PAGES = frozenset({"/bench"})
"""Those that only a table with a bench has."""


def create_app(
    scoreboard: Scoreboard,
    settings: Settings,
    bench: Bench | None = None,
    *,
    service: Service,
    join: Callable[[], dict[str, Any]],
    access: access_to.Access,
) -> Flask:
    """The application for one table; `join` tells how to come to it, `bench` is there in mock mode only."""
    app = Flask(__name__, static_folder=None)  # the shelf has the assets
    app.url_map.merge_slashes = False  # it would send people on to an address that nobody asked for
    app.logger.removeHandler(default_handler)  # it would write to standard output
    app.extensions[EXTENSION] = Parts(scoreboard, settings, service, bench, catalog_reports)
    app.extensions[access_to.EXTENSION] = access
    app.before_request(_as_it_is_written)
    static_files.add_to(app)
    _add_pages(app, scoreboard, settings, bench, join)
    _add_api(app, bench)
    app.register_error_handler(PegboardError, _refused)
    app.register_error_handler(HTTPException, _not_served)
    app.register_error_handler(Exception, _failed)
    return app


def _add_api(app: Flask, bench: Bench | None) -> None:
    blueprints = [table.table, pairing.doors, counting, history, table_settings]
    blueprints += [] if bench is None else [table.bench]
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    document = Document(blueprints)
    app.add_url_rule("/api/openapi.json", "openapi_json", document.answer)


def _add_pages(
    app: Flask, scoreboard: Scoreboard, settings: Settings, bench: Bench | None, join: Callable[[], dict[str, Any]]
) -> None:
    pages = {path: template for path, template in PAGES.items() if bench is not None or path not in BENCH_PAGES}
    named = [(path, template.removesuffix(".html")) for path, template in pages.items()]
    named += [] if settings.web.open else [(JOIN, "join")]
    speak(app)
    app.jinja_env.globals["rules_page"] = partial(rules_page, scoreboard, {})

    @app.context_processor
    def _table() -> dict[str, Any]:
        role = access_to.role(request)
        return {
            "state": snapshot.snapshot(scoreboard.view),
            "open_table": settings.web.open,
            "may_score": role != "viewer",
            "sees_codes": access_to.sees_codes(request),
            "role": role,
            "pages": named,
            "bench": bench is not None,
            "join": join(),
        }

    for path, template in pages.items():
        app.add_url_rule(path, f"{template.removesuffix('.html')}_page", partial(_page, template))
    app.add_url_rule("/history/<game>", "game_page", partial(_game_page, scoreboard))
    page_of_the_code = partial(_page, "join.html", code="")
    for path in ("/j", JOIN, f"{JOIN}<code>", f"{JOIN.upper()}<code>"):
        app.add_url_rule(path, "join_page", page_of_the_code)


def _page(template: str, **told: str) -> Response:
    return Response(render_template(template, **told), headers={"Cache-Control": "no-store"}, mimetype="text/html")


def _game_page(scoreboard: Scoreboard, game: str) -> Response:
    if game != THE_RUNNING_ONE and not scoreboard.history.has_game(game):
        raise no_game(game)
    return _page("game.html")


# --- one way to say no ---


def _as_it_is_written() -> None:
    """Of the slashes that an address begins with all but one are dropped before its page is looked for."""
    if request.environ["PATH_INFO"].startswith("//"):
        raise NotFound


def _refused(error: PegboardError) -> Response:
    problem = error if isinstance(error, Problem) else problem_of(error, **table.conflict(error))
    content_type, body = render(problem, request.path, request.headers.get("Accept", ""))
    headers = {"Cache-Control": "no-store"} | problem.headers
    return Response(body, problem.status, headers, content_type=content_type)


def _not_served(error: HTTPException) -> Response:
    place = request.path if len(request.path) <= LONGEST_PLACE else f"{request.path[:LONGEST_PLACE]}..."
    match error:
        case NotFound():
            return _refused(Problem(404, "not_found", "not_found", path=place))
        case MethodNotAllowed():
            return _refused(method_not_allowed(request.method, place, sorted(error.valid_methods or ())))
    return _refused(Problem(error.code or 500, "request", "verbatim", text=error.description))


def _failed(error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return _refused(internal_error())
