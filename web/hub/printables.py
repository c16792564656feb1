"""What is printed: score cards with the schedule, blank ones, seats by round, standings, brackets."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from flask import request

from pegboard.tournament.night.play_offs import MAIN
from pegboard.tournament.night.views.night_views import director_view
from pegboard.tournament.playoffs.consolation import CONSOLATION, CONSOLATIONS
from web.http.problems import Problem
from web.hub.api.night_api import require_director
from web.hub.hub_parts import HubParts

Json: TypeAlias = dict[str, Any]

CARDS_A_SHEET = 4
PUBLIC = ("night", "names", "rounds", "standings", "cut", "brackets")
"""Members of the director's view that anybody may print."""

ROUNDS_FROM_END = ("hub.the_final", "hub.the_semi_finals", "hub.the_quarter_finals")
"""The names of a bracket's last rounds, as on its page."""

MOST_BLANKS = 100
"""Blank cards that are printed at once."""


def printed_page(hub: HubParts, night: str, kind: str) -> Json:
    """The values of the template that prints a night.

    Raises:
        Problem: 403, score cards have codes, so they are printed for directors alone; or there is no such night.
    """
    found = director_view(hub.nights.night(night))
    view = {name: found[name] for name in PUBLIC}
    return {"view": view, "names": view["names"]} | PRINTABLES[kind](hub, night, view)


def _score_cards(hub: HubParts, night: str, view: Json) -> Json:
    require_director({})
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
    """The rounds of a player, with who sits opposite and where; those that are sat out as well."""
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
    """With the key of each bracket's name; one of another name is a consolation."""
    known = (MAIN, *CONSOLATIONS)
    names = [one["bracket"] if one["bracket"] in known else CONSOLATION for one in view["brackets"]]
    return {"rounds_from_end": ROUNDS_FROM_END} | {
        "titles": [f"hub.bracket_{name.replace(' ', '_')}" for name in names]
    }


def _seats(_hub: HubParts, _night: str, view: Json) -> Json:
    """The seats of each round by name, as one looks for oneself; they are printed by table as well."""
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
"""What can be printed, by the word in its address, with what its template needs besides the big screen's view."""
