"""The Flask application: routes of the pages, the API, its OpenAPI document, and error handlers."""

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, render_template, request
from flask.logging import default_handler
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from pegboard.config import Settings
from pegboard.core import snapshot
from pegboard.errors import PegboardError
from pegboard.scoreboard import Scoreboard
from web.access import sessions
from web.api import pairing, table
from web.api.bench import workbench
from web.api.bench_protocol import Bench
from web.api.contract.commands import COMMANDS_ON_PAGES
from web.api.contract.document import Document
from web.api.counting import counting
from web.api.games import history, no_game
from web.api.parts import EXTENSION, Parts
from web.api.preview import previews
from web.api.service_info import Service
from web.api.settings import settings as table_settings
from web.api.statistics import statistics
from web.api.transfer import transfers
from web.http import static_files
from web.http.problems import Problem, internal_error, method_not_allowed, problem_of, render
from web.pages.i18n import add_languages, catalog_reports

if TYPE_CHECKING:
    from web.pages.rules.page import RulesPage

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
"""The template of each page, in the order of the navigation."""

JOIN = "/j/"
"""The page that pairs a phone; the code may follow, in capitals after a scan: QR codes of capitals are smaller."""

RUNNING_GAME = "now"
"""Stands for the id of the running game in the path of its page."""

LONGEST_PATH = 80
"""Letters of a path that a refusal repeats."""

BENCH_PAGES = frozenset({"/bench"})
"""Pages that are there only in mock mode."""


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
    app.extensions[EXTENSION] = Parts(scoreboard, settings, service, bench, catalog_reports)
    app.extensions[sessions.EXTENSION] = access
    app.before_request(_refuse_double_slash)
    static_files.add_to(app)
    _add_pages(app, scoreboard, settings, bench, join)
    _add_api(app, bench)
    app.register_error_handler(PegboardError, _refuse)
    app.register_error_handler(HTTPException, _refuse_http)
    app.register_error_handler(Exception, _refuse_fault)
    return app


def _add_api(app: Flask, bench: Bench | None) -> None:
    past_games = (history, statistics, previews, transfers)
    blueprints = [table.table, pairing.pairings, counting, *past_games, table_settings]
    blueprints += [] if bench is None else [workbench]
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    document = Document(blueprints)
    app.add_url_rule("/api/openapi.json", "openapi_json", document.answer)


def _add_pages(
    app: Flask, scoreboard: Scoreboard, settings: Settings, bench: Bench | None, join: Callable[[], dict[str, Any]]
) -> None:
    pages = {path: template for path, template in PAGES.items() if bench is not None or path not in BENCH_PAGES}
    names = [(path, template.removesuffix(".html")) for path, template in pages.items()]
    names += [] if settings.web.open else [(JOIN, "join")]
    add_languages(app)
    app.jinja_env.globals["rules_page"] = partial(_rules_page, scoreboard, {})

    @app.context_processor
    def _shared() -> dict[str, Any]:
        role = sessions.role(request)
        return {
            "state": snapshot.snapshot(scoreboard.view),
            "commands": COMMANDS_ON_PAGES,
            "open_table": settings.web.open,
            "may_score": role != "viewer",
            "sees_codes": sessions.sees_codes(request),
            "role": role,
            "pages": names,
            "bench": bench is not None,
            "join": join(),
        }

    for path, template in pages.items():
        app.add_url_rule(path, f"{template.removesuffix('.html')}_page", partial(_page, template))
    app.add_url_rule("/history/<game>", "game_page", partial(_game_page, scoreboard))
    join_page = partial(_page, "join.html", code="")
    for path in ("/j", JOIN, f"{JOIN}<code>", f"{JOIN.upper()}<code>"):
        app.add_url_rule(path, "join_page", join_page)


def _page(template: str, **values: str) -> Response:
    return Response(render_template(template, **values), headers={"Cache-Control": "no-store"}, mimetype="text/html")


def _rules_page(scoreboard: Scoreboard, cache: dict[Any, Any]) -> "RulesPage":
    from web.pages.rules.page import rules_page  # noqa: PLC0415 - no start waits for it

    return rules_page(scoreboard, cache)


def _game_page(scoreboard: Scoreboard, game: str) -> Response:
    if game != RUNNING_GAME and not scoreboard.history.has_game(game):
        raise no_game(game)
    return _page("game.html")


# --- error handlers ---


def _refuse_double_slash() -> None:
    """A path that begins with several slashes is not found: Flask would drop all but one of them."""
    if request.environ["PATH_INFO"].startswith("//"):
        raise NotFound


def _refuse(error: PegboardError) -> Response:
    problem = error if isinstance(error, Problem) else problem_of(error, **table.conflict(error))
    content_type, body = render(problem, request.path, request.headers.get("Accept", ""))
    headers = {"Cache-Control": "no-store"} | problem.headers
    return Response(body, problem.status, headers, content_type=content_type)


def _refuse_http(error: HTTPException) -> Response:
    path = request.path if len(request.path) <= LONGEST_PATH else f"{request.path[:LONGEST_PATH]}..."
    match error:
        case NotFound():
            return _refuse(Problem(404, "not_found", "not_found", path=path))
        case MethodNotAllowed():
            return _refuse(method_not_allowed(request.method, path, sorted(error.valid_methods or ())))
    return _refuse(Problem(error.code or 500, "request", "verbatim", text=error.description))


def _refuse_fault(error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return _refuse(internal_error())
