"""The Flask application of a hub: pages (desk, screen, phone, season), printable cards and standings, API, errors."""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, redirect, render_template, request, url_for
from jinja2 import pass_context
from jinja2.runtime import Context
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as Answer

from pegboard.errors import PegboardError
from pegboard.hub.packages.hub_keys import hubs_known_here
from pegboard.messages import Message
from pegboard.tournament.night.play_offs import MAIN
from pegboard.tournament.night.views.night_views import NOT_OPEN, director_view
from pegboard.tournament.playoffs.consolation import CONSOLATION, CONSOLATIONS
from pegboard.tournament.playoffs.qualifying import CUT_RULES
from pegboard.tournament.playoffs.seeding import BEST_OF
from pegboard.tournament.pots.pot_rules import POT_RULES
from pegboard.tournament.results.scoring import POINT_TABLES
from pegboard.tournament.results.standings import TIE_BREAK_ORDERS
from web.access.sessions import current_access, is_director
from web.http.problems import Problem, problem_of
from web.hub.file_api import DOWNLOADS, file_api, package_api
from web.hub.hub_answers import HUB_API
from web.hub.hub_parts import EXTENSION, HubParts, Json, hub_parts
from web.hub.joining_api import joining_api
from web.hub.night_api import call_api, night_api, require_director, result_api
from web.kit.i18n import WEB, module_of, respond_with_texts, translate_message
from web.kit.openapi_writer import openapi_document
from web.kit.site import ErrorHandlers, create_flask

# --- pages of a hub, and the texts that their modules load ---


CHOICES = {
    "points": list(POINT_TABLES),
    "orders": list(TIE_BREAK_ORDERS),
    "pots": list(POT_RULES),
    "best_of": list(BEST_OF),
    "cuts": list(CUT_RULES),
}
"""Choices for the director, from the tables of the tournament code."""

FOLDER = WEB / "templates" / "hub"

ALL_YEARS = "all"
"""The value of `year` for all years."""

hub_pages = Blueprint("hub_pages", __name__)


@hub_pages.get("/")
def list_page() -> Response:
    """The list of events; canceled events only for directors."""
    lines = [line.as_json() for line in hub_parts().nights.lines()]
    called_off = [line for line in lines if line["phase"] == NOT_OPEN] if is_director(request) else []
    return _page("nights", nights=[line for line in lines if line["phase"] != NOT_OPEN], called_off=called_off)


@hub_pages.get("/season")
def season_page() -> Response:
    """The season of the newest year, of another year by `?year=2026`, or of all events by `?year=all`."""
    own, wanted = hub_parts(), request.args.get("year", "")
    years = own.season.years()
    year = wanted if wanted in years else "" if wanted == ALL_YEARS or not years else years[0]
    values = {"season": own.season.of_year(year), "year": year, "years": years, "all_years": ALL_YEARS}
    if not is_director(request):
        return _page("season", **values, packages=[], earlier=0, trouble=None)
    known, trouble = _known_hubs(own.folder)
    found = own.season.packages()
    packages = [
        {"digest": digest, "name": one.name, "date": one.date, "hub": known.get(bytes.fromhex(one.public), "")}
        for digest, one in found[:LISTED_PACKAGES]
    ]
    return _page("season", **values, packages=packages, earlier=len(found) - len(packages), trouble=trouble)


LISTED_PACKAGES = 200
"""Maximum packages listed for a season, newest first; packages that are not listed count too."""


def _known_hubs(folder: Path) -> tuple[Mapping[bytes, str], Message | None]:
    """The names of hubs by their public keys, or an error message, because the page also works without the names."""
    try:
        return hubs_known_here(folder), None
    except PegboardError as error:
        return {}, error.message


@hub_pages.get("/night/<night>")
def desk_page(night: str) -> Response:
    """The director's desk; for anyone else, the page for signing in."""
    if not is_director(request):
        return _page("join", night=night, code="")
    return _page("desk", night=night, name=_name_of(night), downloads=DOWNLOADS, choices=CHOICES)


@hub_pages.get("/night/<night>/screen")
def screen_page(night: str) -> Response:
    """The big screen, with the check-in QR code if a director has opened it."""
    return _page("screen", night=night, name=_name_of(night))


@hub_pages.get("/night/<night>/me")
def phone_page(night: str) -> Answer:
    """A player's own page; a director can view any player's by `?player=p3`."""
    own = hub_parts().access.player_of(request.cookies, night)
    player = request.args.get("player", own) if is_director(request) else own
    found = hub_parts().nights.night(night)
    if player not in found.players:
        return redirect(url_for("hub_pages.screen_page", night=night))
    return _page("phone", night=night, name=_name_of(night), player=player, own_name=found.name(player))


@hub_pages.get("/night/<night>/print/<kind>")
def print_page(night: str, kind: str) -> Response:
    """Printable score cards, standings or brackets."""
    if kind not in PRINTABLES:
        raise NotFound
    return _page(f"print/{kind}", night=night, **printed_page(hub_parts(), night, kind))


def _code_page(template: str, code: str = "") -> Response:
    """The page of a code. Only a tap redeems the code; fetching the page, as a link preview does, does not."""
    return _page(template, night="", code=code[:LONGEST_CODE])


LONGEST_CODE = 4500
"""Maximum characters of a code in an address; a result code contains a score sheet."""

CODE_PAGES = {"j": "join", "d": "door", "p": "card", "t": "seat", "r": "result"}
"""The pages of QR codes, by the first word of the path, which is in upper case in a QR code."""


def _name_of(night: str) -> str:
    opening = hub_parts().nights.night(night).opening
    return night if opening is None else opening.name


def _page(template: str, **values: Any) -> Response:
    page = render_template(f"hub/{template}.html", **values)
    return Response(page, headers={"Cache-Control": "no-store"}, mimetype="text/html")


# --- texts ---


@hub_pages.get("/words/hub/<language>/<page>-<version>.js")
def page_texts(language: str, page: str, version: str) -> Response:
    """The texts of a page."""
    template = f"{page.replace('.', '/')}.html"
    return respond_with_texts(language, f"hub/{template}", version, lambda: template in _list_templates())


def _list_templates() -> set[str]:
    return {f"{path.relative_to(FOLDER)}" for path in FOLDER.rglob("*.html")}


@pass_context
def _texts_url(context: Context) -> str:
    """The path of the texts of the page that is being rendered."""
    template = context.name or "hub/nights.html"
    version = module_of(context["language"], template)[1]
    page = template.removeprefix("hub/").removesuffix(".html").replace("/", ".")
    path = {"language": context["language"], "page": page, "version": version}
    return url_for("hub_pages.page_texts", **path)


@pass_context
def _say(context: Context, message: Mapping[str, Any]) -> str:
    """A view's message in the reader's language, with true minus signs; nested messages are translated too."""
    text = translate_message(context["language"], message["key"], message["values"])
    return re.sub(r"(^|[\s(])-(?=\d)", "\\1\N{MINUS SIGN}", text)


def _with_sign(number: int) -> str:
    """A number with its sign, as a true minus sign if negative."""
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


def add_hub_pages(app: Flask) -> None:
    """Add the pages to an application whose translations are set up."""
    for word, template in CODE_PAGES.items():
        view = partial(_code_page, template)
        for path in (f"/{word}/", f"/{word}/<code>", f"/{word.upper()}/<code>"):
            app.add_url_rule(path, f"{template}_code_page", view)
    app.register_blueprint(hub_pages)
    app.jinja_env.globals |= {"words_url": _texts_url, "said": _say, "signed": _with_sign}

    @app.context_processor
    def _page_values() -> dict[str, Any]:
        role = "director" if is_director(request) else "viewer"
        return {"is_director": role == "director", "page_role": role, "open_table": current_access().is_open}


# --- printable pages: score cards with the schedule, blank cards, seats by round, standings, brackets ---


CARDS_A_SHEET = 4

PUBLIC = ("night", "names", "rounds", "standings", "cut", "brackets")
"""Members of the director's view that anyone may print."""

ROUNDS_FROM_END = ("hub.the_final", "hub.the_semi_finals", "hub.the_quarter_finals")
"""The text keys of a bracket's last rounds, the final first, as on the bracket's page."""

MOST_BLANKS = 100
"""Maximum blank cards printed at once."""


def printed_page(hub: HubParts, night: str, kind: str) -> Json:
    """The values of the template that prints an event.

    Raises:
        Problem: 403, score cards have codes, so only directors may print them; 422, a wrong number of blank cards.
        NoNight: there is no such event.
    """
    found = director_view(hub.nights.night(night))
    view: Json = {name: value for name, value in found.items() if name in PUBLIC}
    return {"view": view, "names": view["names"]} | PRINTABLES[kind](hub, night, view)


def _score_cards(hub: HubParts, night: str, view: Json) -> Json:
    require_director()
    found = hub.nights.night(night)
    wanted = request.args.get("player")
    return {
        "cards": [
            {
                "name": one.display_name,
                "number": one.number,
                "rows": list(_rows(view, one.player)),
                "code": hub.access.player_code(night, one.player),
                "join": hub.address_of(f"p/{hub.access.player_code(night, one.player)}"),
            }
            for one in sorted(found.players.values(), key=lambda one: one.display_name.casefold())
            if wanted in (None, one.player)
        ]
    }


def _rows(view: Json, player: str) -> Iterator[Json]:
    """A player's rounds with opponent and table, including rounds that they sit out."""
    for one in view["rounds"]:
        for game in one["games"]:
            if player in game["players"]:
                other = game["players"][1 - game["players"].index(player)]
                row = {"round": one["round"], "table": game["label"], "against": view["names"][other]}
                yield row | {"dealer": game["dealer"]}
        if player in one["sitting_out"]:
            yield {"round": one["round"], "table": "", "against": "", "dealer": ""}


def _blank_cards(_hub: HubParts, _night: str, _view: Json) -> Json:
    text = request.args.get("cards", str(CARDS_A_SHEET))
    if not (text.isdecimal() and len(text) < len(str(MOST_BLANKS)) + 1 and 1 <= int(text) <= MOST_BLANKS):
        raise Problem(422, "shape", "desk_blank_cards", most=MOST_BLANKS)
    return {"blanks": int(text)}


def _brackets(_hub: HubParts, _night: str, view: Json) -> Json:
    """The text keys of the brackets' titles and last rounds; brackets with unknown names are consolations."""
    known = (MAIN, *CONSOLATIONS)
    names = [one["bracket"] if one["bracket"] in known else CONSOLATION for one in view["brackets"]]
    return {"rounds_from_end": ROUNDS_FROM_END} | {
        "titles": [f"hub.bracket_{name.replace(' ', '_')}" for name in names]
    }


def _seats(_hub: HubParts, _night: str, view: Json) -> Json:
    """The seats of each round by name, so that players find theirs; the template also prints the seats by table."""
    names = view["names"]
    by_name = [
        sorted(
            (
                {"name": names[player], "table": game["label"], "against": names[game["players"][1 - seat]]}
                for game in one["games"]
                for seat, player in enumerate(game["players"])
            ),
            key=lambda row: row["name"].casefold(),
        )
        for one in view["rounds"]
    ]
    sitting_out = [[names[player] for player in one["sitting_out"]] for one in view["rounds"]]
    return {"by_name": by_name, "sitting_out": sitting_out}


def _show_as_is(_hub: HubParts, _night: str, _view: Json) -> Json:
    return {}


PRINTABLES: dict[str, Callable[[HubParts, str, Json], Json]] = {
    "cards": _score_cards,
    "blank": _blank_cards,
    "seats": _seats,
    "standings": _show_as_is,
    "bracket": _brackets,
}
"""Printable pages, by the word in the address, with the function that makes their template's extra values."""

log = logging.getLogger(__name__)

API = re.compile(r"/night/v1/|/join\Z")
"""The pattern of API paths; a hub's API is not under /api/."""

BLUEPRINTS = (night_api, result_api, call_api, joining_api, file_api, package_api)
"""The API, in the order of its document."""


def create_hub_app(parts: HubParts) -> Flask:
    """Create the application of one hub."""
    app = create_flask(parts.access.directors, ErrorHandlers(log, "hub_no_page", API, problem_of, names_device=False))
    app.extensions[EXTENSION] = parts
    add_hub_pages(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.add_url_rule("/night/v1/openapi.json", "openapi_json", partial(openapi_document, HUB_API, BLUEPRINTS))
    return app
