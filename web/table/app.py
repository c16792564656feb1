"""The Flask application of a table: pages, the cached rules page, API, OpenAPI document and error handlers."""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, render_template, request
from markupsafe import Markup

from pegboard.config import Settings
from pegboard.core import presets, view_as_json
from pegboard.core.board_shape import board_named
from pegboard.core.rules import VARIANTS, Rules
from pegboard.errors import PegboardError, RuleError
from pegboard.table.scoreboard import Scoreboard
from web.access import sessions
from web.http.client_address import address_of_request
from web.http.problems import Problem, problem_of
from web.http.security_log import quote_request, quote_text
from web.kit.documented_endpoints import quote
from web.kit.i18n import catalog_reports
from web.kit.openapi_writer import openapi_document
from web.kit.site import ErrorHandlers, create_flask
from web.table import glossary, pairing_api, rules_texts, strategy_examples, table_api, worked_examples
from web.table.bench_api import workbench
from web.table.certificate import make_certificate
from web.table.counting_api import counting
from web.table.event_api import events
from web.table.games_api import history, no_game, statistics
from web.table.openapi_document import TABLE_API
from web.table.program_parts import EXTENSION, Bench, Parts, Service, version_of_program
from web.table.schemas import COMMANDS_ON_PAGES
from web.table.settings_api import power
from web.table.settings_api import settings as table_settings
from web.table.table_api import previews
from web.table.transfer_api import transfers
from web.table.versions_api import versions

# --- page routes, and the values that all templates can use ---


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
"""The page that pairs a phone; the code may follow, in upper case after a scan, because such QR codes are smaller."""

EVENT, EVENT_PAGE = "/event", "event.html"
"""The page of the table's event; a game's id may follow, to show its result as a code."""

PRINT = "/print"
"""The certificates of hands of 29 and 28; a query names the game, the line and the cards."""

RUNNING_GAME = "now"
"""Used for the id of the running game in its page's path."""


def add_pages(
    app: Flask,
    scoreboard: Scoreboard,
    join: Callable[[], dict[str, Any]],
    settings: Settings,
    *,
    has_bench: bool,
) -> None:
    """Add the pages; `join` returns how to join the table, and an open table pairs no phones."""
    is_open, board = settings.web.open, board_named(settings.table.board)
    pages = {path: template for path, template in PAGES.items() if has_bench or path != "/bench"}
    names = [(path, template.removesuffix(".html")) for path, template in pages.items()]
    names += [] if is_open else [(JOIN, "join")]
    app.jinja_env.globals |= {"rules_page": partial(rules_page, scoreboard, {}), "variants": VARIANTS}

    @app.context_processor
    def _page_values() -> dict[str, Any]:
        role = sessions.role(request)
        return {
            "state": view_as_json.snapshot(scoreboard.view),
            "commands": COMMANDS_ON_PAGES,
            "board": board,
            "open_table": is_open,
            "exposed_at": sessions.current_access().exposure.address,
            "may_score": role != "viewer",
            "sees_codes": sessions.sees_codes(request),
            "role": role,
            "pages": names,
            "join": join(),
        }

    for path, template in pages.items():
        app.add_url_rule(path, f"{template.removesuffix('.html')}_page", partial(_page, template))
    app.add_url_rule("/history/<game>", "game_page", partial(_game_page, scoreboard))
    app.add_url_rule(EVENT, "event_page", partial(_page, EVENT_PAGE))
    app.add_url_rule(f"{EVENT}/<game>", "result_page", partial(_page, EVENT_PAGE))
    app.add_url_rule(f"{PRINT}/<hand>", "certificate_page", partial(_certificate_page, scoreboard))
    join_page = partial(_page, "join.html", code="")
    for path in ("/join", "/j", JOIN, f"{JOIN}<code>", f"{JOIN.upper()}<code>"):
        app.add_url_rule(path, "join_page", join_page)


def _page(template: str, **values: object) -> Response:
    return Response(render_template(template, **values), headers={"Cache-Control": "no-store"}, mimetype="text/html")


def _game_page(scoreboard: Scoreboard, game: str) -> Response:
    if game != RUNNING_GAME and not scoreboard.history.has_game(game):
        raise no_game(game)
    return _page("game.html")


def _certificate_page(scoreboard: Scoreboard, hand: str) -> Response:
    query = {name: request.args.get(name, "") for name in ("game", "line", "cards", "starter")}
    return _page("certificate.html", certificate=make_certificate(scoreboard.history, hand, **query))


# --- rules page: for the rules of the running game, or of a variant or preset in the address ---


MOST_CACHED = 36
"""Maximum cached pages, of some 60 kB each: every variant and preset in two languages, and a few house rules."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The values for the template of the rules page.

    Attributes:
        rules: the rules to explain.
        variant: the variant in the address; None for the running game.
        preset: the preset in the address; None for the running game, or a variant's own rules.
        cache: pages that were rendered before.
    """

    rules: Rules
    variant: str | None
    preset: str | None
    cache: dict[Any, Markup] = field(repr=False)
    outline = rules_texts
    glossary = glossary
    examples = worked_examples
    strategy = strategy_examples
    sheets = presets

    def cache_book(self, language: str, *, caller: Callable[[], Markup]) -> Markup:
        """The rendered page, cached for all readers of these rules in a language."""
        key = (language, self.rules, self.variant, self.preset)
        if key not in self.cache:
            if len(self.cache) >= MOST_CACHED:
                self.cache.clear()
            self.cache[key] = caller()
        return self.cache[key]


def rules_page(scoreboard: Scoreboard, cache: dict[Any, Markup]) -> RulesPage:
    """The rules page of this request; `cache` is shared by all readers.

    Raises:
        Problem: 404, there is no such variant or preset.
    """
    variant, preset = request.args.get("variant"), request.args.get("preset")
    if variant is not None and variant not in VARIANTS:
        raise Problem(404, "not_found", "no_such_variant", variant=quote(variant), known=", ".join(VARIANTS))
    if preset is not None:
        rules = _rules_of_preset(preset, variant)
        return RulesPage(rules, rules.variant, rules.preset, cache)
    if variant is not None:
        return RulesPage(VARIANTS[variant], variant, None, cache)
    return RulesPage(scoreboard.view.game.rules, None, None, cache)


def _rules_of_preset(preset: str, variant: str | None) -> Rules:
    """The rules of the preset in the address.

    Raises:
        Problem: 404, there is no such preset, or its sheet does not describe the variant.
    """
    try:
        return presets.preset_rules(presets.preset_named(preset), variant)
    except RuleError as error:
        raise Problem(404, "not_found", error.message) from error


log = logging.getLogger(__name__)

API = re.compile("/api/")
"""Prefix of API paths."""


def create_app(
    scoreboard: Scoreboard,
    settings: Settings,
    bench: Bench | None = None,
    *,
    service: Service,
    join: Callable[[], dict[str, Any]],
    access: sessions.Access,
) -> Flask:
    """Create the application of one table; `join` returns how to join it, and `bench` is set only in mock mode."""
    errors = ErrorHandlers(log, "not_found", API, _problem_of, names_device=True)
    app = create_flask(access, errors)
    app.extensions[EXTENSION] = Parts(scoreboard, settings, service, bench, catalog_reports, version_of_program())
    add_pages(app, scoreboard, join, settings, has_bench=bench is not None)
    _add_api(app, bench)
    return app


def _add_api(app: Flask, bench: Bench | None) -> None:
    past_games = (history, statistics, previews, transfers)
    blueprints = [table_api.table, pairing_api.pairings, counting, *past_games, table_settings, power, versions, events]
    blueprints += [] if bench is None else [workbench]
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    app.add_url_rule("/api/openapi.json", "openapi_json", partial(openapi_document, TABLE_API, tuple(blueprints)))


def _problem_of(error: PegboardError) -> Problem:
    problem = problem_of(error, **table_api.conflict(error))
    return problem if problem.status < HTTPStatus.INTERNAL_SERVER_ERROR else _without_details(problem)


def _without_details(problem: Problem) -> Problem:
    """Hide details of storage faults, which name this machine's files and programs, from unpaired clients; log them."""
    if sessions.sees_codes(request):
        return problem
    about = f"{quote_request(request.method, request.path)}: {quote_text(str(problem))}"
    sessions.current_access().security_log.note_suspect("fault", address_of_request(request), about)
    return Problem(problem.status, problem.code, "fault_untold")
