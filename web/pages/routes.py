"""The routes of the pages, and the values that every template can use."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, render_template, request

from pegboard.core import view_as_json
from pegboard.core.rules import VARIANTS
from pegboard.table.scoreboard import Scoreboard
from web.access import sessions
from web.api.contract.commands import COMMANDS_ON_PAGES
from web.api.games import no_game

if TYPE_CHECKING:
    from web.pages.rules.page import RulesPage

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

EVENT, EVENT_PAGE = "/event", "event.html"
"""The page of the table's event; the id of a game may follow, whose result is then shown as a code."""

RUNNING_GAME = "now"
"""Stands for the id of the running game in the path of its page."""


def add_pages(
    app: Flask, scoreboard: Scoreboard, join: Callable[[], dict[str, Any]], *, is_open: bool, has_bench: bool
) -> None:
    """Add the pages to an application; `join` says how others join the table, which pairs no phones if it `is_open`."""
    pages = {path: template for path, template in PAGES.items() if has_bench or path != "/bench"}
    names = [(path, template.removesuffix(".html")) for path, template in pages.items()]
    names += [] if is_open else [(JOIN, "join")]
    app.jinja_env.globals |= {"rules_page": partial(_rules_page, scoreboard, {}), "variants": VARIANTS}

    @app.context_processor
    def _page_values() -> dict[str, Any]:
        role = sessions.role(request)
        return {
            "state": view_as_json.snapshot(scoreboard.view),
            "commands": COMMANDS_ON_PAGES,
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
    join_page = partial(_page, "join.html", code="")
    for path in ("/join", "/j", JOIN, f"{JOIN}<code>", f"{JOIN.upper()}<code>"):
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
