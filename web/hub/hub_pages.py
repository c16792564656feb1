"""The pages of a hub, and the texts that their modules load."""

import re
from collections.abc import Mapping
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
from pegboard.tournament.night.views.night_views import NOT_OPEN
from pegboard.tournament.playoffs.qualifying import CUT_RULES
from pegboard.tournament.playoffs.seeding import BEST_OF
from pegboard.tournament.pots.pot_rules import POT_RULES
from pegboard.tournament.results.scoring import POINT_TABLES
from pegboard.tournament.results.standings import TIE_BREAK_ORDERS
from web.access.sessions import current_access
from web.hub.api.file_api import DOWNLOADS
from web.hub.hub_parts import hub_parts
from web.hub.printables import PRINTABLES, printed_page
from web.pages.i18n import IMMUTABLE, WEB, languages, module_of, translate
from web.pages.refusals_of_pages import REFUSAL_KEYS

CHOICES = {
    "points": list(POINT_TABLES),
    "orders": list(TIE_BREAK_ORDERS),
    "pots": list(POT_RULES),
    "best_of": list(BEST_OF),
    "cuts": list(CUT_RULES),
}
"""What a director chooses among, by the tables of the tournament."""

FOLDER = WEB / "templates" / "hub"

ALL_YEARS = "all"
"""In the address of the season: no year of its own."""

hub_pages = Blueprint("hub_pages", __name__)


@hub_pages.get("/")
def list_page() -> Response:
    """The list of nights; those that were called off for directors alone."""
    lines = [line.as_json() for line in hub_parts().nights.lines()]
    called_off = [line for line in lines if line["phase"] == NOT_OPEN] if is_director() else []
    return _page("nights", nights=[line for line in lines if line["phase"] != NOT_OPEN], called_off=called_off)


@hub_pages.get("/season")
def season_page() -> Response:
    """The season: of the newest year, of another one by `?year=2026`, or of all nights by `?year=all`."""
    own, wanted = hub_parts(), request.args.get("year", "")
    years = own.season.years()
    year = wanted if wanted in years else "" if wanted == ALL_YEARS or not years else years[0]
    values = {"season": own.season.of_year(year), "year": year, "years": years, "all_years": ALL_YEARS}
    if not is_director():
        return _page("season", **values, packages=[], earlier=0, trouble=None)
    known, trouble = _known_hubs(own.folder)
    found = own.season.packages()
    packages = [
        {"digest": digest, "name": one.name, "date": one.date, "hub": known.get(bytes.fromhex(one.public), "")}
        for digest, one in found[:LISTED_PACKAGES]
    ]
    return _page("season", **values, packages=packages, earlier=len(found) - len(packages), trouble=trouble)


LISTED_PACKAGES = 200
"""Of a season, the newest; the others count as well."""


def _known_hubs(folder: Path) -> tuple[Mapping[bytes, str], Message | None]:
    """The names of hubs by their public keys, or why nobody's is known: the page is for more than those."""
    try:
        return hubs_known_here(folder), None
    except PegboardError as error:
        return {}, error.message


@hub_pages.get("/night/<night>")
def desk_page(night: str) -> Response:
    """The director's desk; whoever is no director is shown how to become one."""
    if not is_director():
        return _page("join", night=night, code="")
    return _page("desk", night=night, name=_name_of(night), downloads=DOWNLOADS, choices=CHOICES)


@hub_pages.get("/night/<night>/screen")
def screen_page(night: str) -> Response:
    """The big screen; with the door's QR code where a director has opened it."""
    return _page("screen", night=night, name=_name_of(night))


@hub_pages.get("/night/<night>/me")
def phone_page(night: str) -> Answer:
    """A player's own page; a director may look at that of any player by `?player=p3`."""
    own = hub_parts().access.player_of(request.cookies, night)
    player = request.args.get("player", own) if is_director() else own
    found = hub_parts().nights.night(night)
    if player not in found.players:
        return redirect(url_for("hub_pages.screen_page", night=night))
    return _page("phone", night=night, name=_name_of(night), player=player, own_name=found.name(player))


@hub_pages.get("/night/<night>/print/<kind>")
def print_page(night: str, kind: str) -> Response:
    """Score cards, standings or brackets, to be printed."""
    if kind not in PRINTABLES:
        raise NotFound
    return _page(f"print/{kind}", night=night, **printed_page(hub_parts(), night, kind))


def _code_page(template: str, code: str = "") -> Response:
    """A page that a code leads to: it is shown, and redeemed by a tap; whoever only fetches a page redeems nothing."""
    return _page(template, night="", code=code[:LONGEST_CODE])


LONGEST_CODE = 4500
"""Letters of a code in an address: a result holds its score sheet."""

CODE_PAGES = {"j": "join", "d": "door", "p": "card", "t": "seat", "r": "result"}
"""The pages that QR codes lead to, whose addresses are in capitals then, by the first word of their address."""


def is_director() -> bool:
    """Whether a director's device sends the request."""
    return current_access().session_of(request.cookies).role == "director"


def _name_of(night: str) -> str:
    opening = hub_parts().nights.night(night).opening
    return night if opening is None else opening.name


def _page(template: str, **values: Any) -> Response:
    page = render_template(f"hub/{template}.html", **values)
    return Response(page, headers={"Cache-Control": "no-store"}, mimetype="text/html")


# --- texts ---


@hub_pages.get("/words/hub/<language>/<page>-<version>.js")
def page_texts(language: str, page: str, version: str) -> Response:
    """The texts of a page; cached by browsers only under their own version."""
    template = f"{page.replace('.', '/')}.html"
    if language not in languages() or template not in {
        f"{path.relative_to(FOLDER)}" for path in FOLDER.rglob("*.html")
    }:
        raise NotFound
    source, current = module_of(language, f"hub/{template}")
    headers = {"Cache-Control": IMMUTABLE if version == current else "no-store"}
    return Response(source, headers=headers, mimetype="text/javascript")


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
    """A sentence of a view in the reader's language with true minuses; messages in its values are translated too."""
    values = {
        name: _say(context, value) if isinstance(value, Mapping) else value for name, value in message["values"].items()
    }
    text = translate(context["language"], f"{REFUSAL_KEYS}{message['key']}", **values)
    return re.sub(r"(^|[\s(])-(?=\d)", "\\1\N{MINUS SIGN}", text)


def _with_sign(number: int) -> str:
    """A number with its sign, and a true minus."""
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


def add_hub_pages(app: Flask) -> None:
    """Add the pages to an application whose templates speak several languages already."""
    for word, template in CODE_PAGES.items():
        view = partial(_code_page, template)
        for path in (f"/{word}/", f"/{word}/<code>", f"/{word.upper()}/<code>"):
            app.add_url_rule(path, f"{template}_code_page", view)
    app.register_blueprint(hub_pages)
    app.jinja_env.globals |= {"words_url": _texts_url, "said": _say, "signed": _with_sign}

    @app.context_processor
    def _page_values() -> dict[str, Any]:
        role = "director" if is_director() else "viewer"
        return {"is_director": role == "director", "page_role": role, "open_table": current_access().is_open}
