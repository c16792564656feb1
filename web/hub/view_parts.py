"""Parts of an event's views (desk, screens, phones), each encoded as a server-sent event and sent when it changes.

The desk of an event with eighty players has a quarter of a megabyte of JSON; a claim changes some two kilobytes of it.
Parts that all phones share (standings, brackets) are encoded once for all.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pegboard.tournament.calls import OpenCalls
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.views.night_views import director_view, player_view, screen_view, shared_view
from web.http.viewers import event

Json: TypeAlias = dict[str, Any]
Kind: TypeAlias = Literal["director", "screen", "player", "players"]

APART = frozenset(
    {
        *("names", "people", "players", "tables", "waiting", "standings", "teams", "totals", "cut", "brackets"),
        *("pots", "money", "announcements", "calls", "audit", "departures", "card", "sitting_out", "next"),
        *("consolations", "remarks", "alarms", "troubles"),
    }
)
"""Members of a view that are separate parts; each round is also a part, and all other members are the part `head`."""

ALIKE = frozenset({"names", "standings", "teams", "cut", "brackets", "announcements"})
"""Parts that are the same for every player."""


@dataclass(frozen=True, slots=True)
class Audience:
    """The audience of a part: directors, screens, one player, or all players.

    Attributes:
        kind: the kind of audience.
        player: the id of the player if the audience is one player, else "".
    """

    kind: Kind
    player: str = ""


DIRECTORS, SCREENS, PLAYERS = Audience("director"), Audience("screen"), Audience("players")

Parts: TypeAlias = dict[tuple[Audience, str], bytes]
"""The encoded event of each part, by the part's audience and name."""


def split_view(view: Mapping[str, Any]) -> Json:
    """The parts of a view by name: `head`, `standings`, `rounds.3` ..."""
    apart = {name: value for name, value in view.items() if name in APART}
    head = {name: value for name, value in view.items() if name not in APART and name != "rounds"}
    if "rounds" in view:
        head["round_numbers"] = [one["round"] for one in view["rounds"]]
    return {"head": head} | apart | {f"rounds.{one['round']}": one for one in view.get("rounds", ())}


@dataclass(frozen=True, slots=True)
class EncodedViews:
    """The encoded views of all audiences.

    Attributes:
        parts: the encoded events of all parts.
        table_of: the table of each player with a viewer.
    """

    parts: Parts
    table_of: dict[str, str]


def encode_views(night: Night, calls: OpenCalls, audiences: Iterable[Audience], of_hub: Json) -> EncodedViews:
    """The events of all parts for these audiences; `of_hub` adds parts for directors."""
    parts: Parts = {}
    table_of: dict[str, str] = {}
    shared = shared_view(night)
    for audience in set(audiences):
        if audience == DIRECTORS:
            parts |= _events_of(DIRECTORS, director_view(night, calls) | of_hub)
        elif audience == SCREENS:
            parts |= _events_of(SCREENS, screen_view(night, shared))
        elif audience.player in night.players:
            view = player_view(night, audience.player, shared)
            table_of[audience.player] = view["now"]["table"] if view["now"] else ""
            parts |= _events_of(audience, {name: value for name, value in view.items() if name not in ALIKE})
            if (PLAYERS, "names") not in parts:
                alike = {name: value for name, value in shared.items() if name in ALIKE}
                common = _events_of(PLAYERS, alike | {"calls": _open(night, calls)})
                parts |= {key: part for key, part in common.items() if key[1] != "head"}
    return EncodedViews(parts, table_of)


def _open(night: Night, calls: OpenCalls) -> list[Json]:
    """The calls that can still be accepted, because they have too few helpers."""
    labels = {table.table: table.label for table in night.tables.values()}
    return [call for call in calls.as_json(labels) if not call["answered"] and not call["ended"]]


def _events_of(audience: Audience, view: Mapping[str, Any]) -> Parts:
    split = split_view(view).items()
    return {(audience, name): event("part", {"part": name, "value": value}) for name, value in split}


def live_event(table: str, row: Mapping[str, Any]) -> bytes:
    """The event with the live state of a table."""
    return event("table", {"table": table, **row})
