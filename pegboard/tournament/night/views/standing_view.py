"""JSON views of an event's standings, teams, totals and cutoff."""

from collections.abc import Callable
from functools import partial

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.deciding import find_refusal
from pegboard.tournament.night.evening import final_rows
from pegboard.tournament.night.night_report import NightReport, report
from pegboard.tournament.night.night_state import Night, say_game_of
from pegboard.tournament.night.play_offs import find_ties
from pegboard.tournament.night.views.actions import LOOKS, as_action, say
from pegboard.tournament.night.views.view_types import (
    AllTotalsJson,
    CutJson,
    CutState,
    StandingJson,
    TeamJson,
    TieJson,
    TotalsJson,
)
from pegboard.tournament.pairings import join_names
from pegboard.tournament.playoffs.qualifying import Tie, say_tie
from pegboard.tournament.playoffs.seeding import bracket_size, count_byes
from pegboard.tournament.results.score_cards import CheckState, ScoreCardTotals
from pegboard.tournament.results.standings import Placing, rank_teams


def list_standings(night: Night) -> list[StandingJson]:
    """The standings, best first; those stored at the end if the current ones differ."""
    derived = report(night)
    if night.ended is not None and differs_from_end(night):
        return _stored_standings(night)
    qualifies = _find_qualifying(night, derived)
    return [standing_as_json(placing, qualifies=qualifies(placing.player)) for placing in derived.placings]


def differs_from_end(night: Night) -> bool:
    """Whether the standings stored at the end differ from the current ones."""
    return night.ended is not None and night.ended.standings != final_rows(night)


def standing_as_json(placing: Placing, *, qualifies: bool | None) -> StandingJson:
    """One place in the standings, with the tie-break in words."""
    return {
        "place": placing.place,
        "player": placing.player,
        **totals_as_json(placing.totals),
        "said": say(placing.said),
        "qualifies": qualifies,
    }


def totals_as_json(totals: ScoreCardTotals) -> TotalsJson:
    """The totals of a card."""
    return {
        "points": totals.points,
        "won": totals.won,
        "lost": totals.losses,
        "skunks": totals.skunks,
        "net": totals.net,
        "plus": totals.plus,
        "minus": totals.minus,
        "games": totals.games,
    }


def list_teams(night: Night) -> list[TeamJson]:
    """The team standings, best first; empty if there are no teams."""
    teams = {one.player: one.team for one in night.players.values() if one.team}
    return [
        {"place": one.place, "team": one.team, "players": list(one.players), **totals_as_json(one.totals)}
        for one in rank_teams(teams, report(night).cards)
    ]


def _stored_standings(night: Night) -> list[StandingJson]:
    assert night.ended is not None
    rows: list[StandingJson] = []
    for row in night.ended.standings:
        totals = ScoreCardTotals(row.won + row.lost, row.points, row.won, row.skunks, row.plus, row.minus)
        said = Message("night_standing_stored", place=row.place)
        rows.append(
            {
                "place": row.place,
                "player": row.player,
                **totals_as_json(totals),
                "said": say(said),
                "qualifies": night.cut is not None and row.player in night.cut.qualifiers,
            }
        )
    return rows


def _find_qualifying(night: Night, derived: NightReport) -> Callable[[PlayerId], bool | None]:
    """A function that tells whether a player qualifies; it returns None while this is undecided."""
    if night.cut is not None:
        return night.cut.qualifiers.__contains__
    if derived.cut is None or not derived.panel.games:
        return lambda _: None
    qualifiers, tied = derived.cut.qualifiers, derived.cut.tie.players if derived.cut.tie else ()
    return lambda player: None if night.has_left(player) or player in tied else player in qualifiers


# --- totals ---


def totals_of_night(night: Night) -> AllTotalsJson:
    """The totals panel with its invariants, and the games that break them."""
    panel = report(night).panel
    return {
        "games": panel.games,
        "wins": panel.wins,
        "points": panel.points,
        "plus": panel.plus,
        "minus": panel.minus,
        "net": panel.net,
        "skunks": panel.skunks,
        "checks": [
            {
                "check": str(check.check),
                "holds": check.state is not CheckState.BROKEN,
                "state": check.state,
                "said": say(check.said),
                "games": list(check.games),
            }
            for check in panel.checks
        ],
    }


# --- cutoff ---


def cut_as_json(night: Night) -> CutJson:
    """The cutoff: the qualifiers, the ties, or a message on what is still missing."""
    derived = report(night)
    entrants = len(derived.entrants)
    places = derived.cut.places if derived.cut else 0
    if night.cut is not None:
        places = len(night.cut.qualifiers)
    return {
        "state": _cut_state(night, derived),
        "entrants": entrants,
        "places": places,
        "byes": count_byes(places) if places else 0,
        "bracket_size": bracket_size(places) if places else 0,
        "qualifiers": _qualifiers(night, derived),
        "high_non_qualifier": _highest_others(night, derived),
        "ties": [_tie(night, tie) for tie in find_ties(derived.cut)] if not derived.open_games else [],
        "said": say(_cut_said(night, derived)),
        "actions": {
            do: as_action(find_refusal(partial(LOOKS[do], night))) for do in ("close_cut", "open_cut", "break_tie")
        },
    }


def _cut_state(night: Night, derived: NightReport) -> CutState:
    if night.cut is not None:
        return "closed"
    if derived.cut is None or not derived.records or derived.open_games:
        return "waiting"
    return "tied" if derived.cut.tie or derived.cut.seed_ties else "ready"


def _qualifiers(night: Night, derived: NightReport) -> list[PlayerId]:
    """Qualifiers by seed once qualifying is closed, before that by place."""
    if night.cut is not None:
        return list(night.cut.qualifiers)
    if derived.cut is None:
        return []
    return [player for group in derived.cut.ranking for player in group if player in derived.cut.qualifiers]


def _highest_others(night: Night, derived: NightReport) -> list[PlayerId]:
    if night.cut is not None:
        return list(night.cut.high_non_qualifiers)
    return list(derived.cut.high_non_qualifiers) if derived.cut else []


def _tie(night: Night, tie: Tie) -> TieJson:
    return {
        "kind": tie.kind,
        "players": list(tie.players),
        "first": tie.first,
        "places": tie.places,
        "said": say(say_tie(tie, night.names)),
    }


def _cut_said(night: Night, derived: NightReport) -> Message:
    if night.cut is not None:
        today = derived.cut.qualifiers if derived.cut else frozenset()
        if today != frozenset(night.cut.qualifiers):
            return Message("night_cut_differs")
        return Message("night_cut_is_closed", names=join_names(night.cut.qualifiers, night.names))
    if derived.cut is None or not derived.records:
        return Message("night_no_games")
    if derived.open_games:
        first = derived.records[derived.open_games[0]].pairing
        return Message("night_games_open", count=len(derived.open_games), game=say_game_of(night, first))
    tie = next((tie for tie in (derived.cut.tie, *derived.cut.seed_ties) if tie), None)
    return say_tie(tie, night.names) if tie else Message("night_cut_ready", count=derived.cut.places)
