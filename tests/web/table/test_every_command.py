"""Every command of the score sheet over HTTP: done once, repeated, and refused for each reason."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import pytest

from pegboard.core.moves import ROWS
from tests.support.web_server_and_clients import Answer, Site, tap
from web.access import sessions

HOUSE = ("muggins=on", "over-peg=excess", "confirm=on")
LANE, BOARD = "lane", "board"


def played(site: Site) -> None:
    """Line 1: Ann 10. Line 2: Bob 8."""
    done(site.score(0, 10), site.score(1, 8))


def undone(site: Site) -> None:
    played(site)
    done(site.command(do="undo", entry="2"))


def dealt(site: Site) -> None:
    """A deal of which nothing has been scored."""
    played(site)
    done(site.on_board("deal"))


def staged(site: Site) -> None:
    played(site)
    done(site.on_board("stage", stage="show"))


def ruled(site: Site) -> None:
    """Line 3 rules on line 1."""
    played(site)
    done(site.command(do="over_peg", entry="1", points=8, was=10))


def won(site: Site) -> None:
    """Lines 1 to 4: Bob to 100. Lines 5 to 8: Ann to 100. Line 9: Ann claims 24 and stands in the game hole."""
    for seat in (1, 0):
        done(*[site.score(seat, points) for points in (29, 29, 29, 13)])
    done(site.score(0, 24))


def confirmed(site: Site) -> None:
    won(site)
    done(site.command(do="confirm", seat=1, winner=0, fronts=[121, 100]))


def thought_better(site: Site) -> None:
    """Line 1, Bob 8, is undone: nothing is pegged."""
    done(site.score(1, 8), site.command(do="undo", entry="1"))


def fresh(site: Site) -> None:
    """An empty sheet."""


def done(*answers: Answer) -> None:
    for answer in answers:
        assert answer.status == 201, answer.json


@dataclass
class Case:
    """A command: what was played before, its fields, whose revision it needs, and the front pegs after it."""

    do: str
    before: Callable[[Site], None]
    values: dict[str, Any]
    base: str | None
    fronts: list[int]
    entry: str | None = None
    state: dict[str, Any] = field(default_factory=dict)

    def body(self, site: Site, **more: Any) -> dict[str, Any]:
        game = site.scoreboard.view.game
        asked = {"id": tap(), "game": site.game, "do": self.do} | self.values
        if self.base == LANE:
            asked["base"] = game.revisions[self.values["seat"]]
        if self.base == BOARD:
            asked["base"] = site.scoreboard.view.revision
        if self.do.startswith("start") and not game.outcome:
            asked["replaces"] = site.game
        return {name: value for name, value in (asked | more).items() if value is not ...}


TWO = {"variant": "standard", "players": ["Ann", "Bob"]}

CASES = [
    Case("score", played, {"seat": 0, "points": 5}, LANE, [15, 8], "3"),
    # Ann's 10 before Bob's 8: pone counts first, so Bob has dealt, and Ann does now
    Case("deal", played, {}, BOARD, [10, 8], "3", {"dealer": 0}),
    Case("stage", played, {"stage": "show"}, BOARD, [10, 8], "3"),
    Case("undo", played, {"entry": "2"}, None, [10, 0], "2", {"redo": "2"}),
    Case("redo", undone, {"entry": "2"}, None, [10, 8], "2", {"redo": None}),
    Case("amend", played, {"entry": "1", "points": 12, "was": 10}, None, [12, 8], "1"),
    Case("penalty", played, {"seat": 1, "points": 2, "note": "a six", "fault": "cut-pack"}, LANE, [10, 10], "3"),
    Case("muggins", played, {"seat": 1, "claimed": 4, "missed": 3}, BOARD, [10, 11], "3"),
    Case("over_peg", played, {"entry": "1", "points": 8, "was": 10}, None, [8, 10], "3"),
    Case("peg_back", played, {"seat": 0, "holes": 4, "note": "fumble"}, LANE, [6, 8], "3"),
    Case("set_pegs", played, {"seat": 0, "front": 105, "rear": 97, "note": "pegs fell"}, LANE, [105, 8], "3"),
    Case("false_claim", won, {"entry": "9", "points": 6, "was": 24}, None, [91, 115], "10"),
    Case("retract", played, {"to": "1", "note": "renege"}, BOARD, [10, 0], "3"),
    Case("abandon", played, {"note": "the train leaves"}, BOARD, [0, 0]),
    Case("confirm", won, {"seat": 1, "winner": 0, "fronts": [121, 100]}, None, [121, 100]),
    Case("rename", played, {"seat": 1, "from": "Bob", "to": "Bobby"}, None, [10, 8]),
    Case("substitute", played, {"seat": 0, "former": "Ann", "name": "Cy"}, None, [10, 8], "3"),
    Case("head_start", thought_better, {"seat": 1, "holes": 20}, LANE, [0, 20], "2"),
    Case("start", played, TWO, BOARD, [0, 0]),
    Case("start_match", played, TWO | {"format": "best of 3"}, BOARD, [0, 0]),
]

BY_NAME = {case.do: case for case in CASES}

every_command = pytest.mark.parametrize("case", CASES, ids=lambda case: case.do)


@pytest.fixture
def family(serve: Callable[..., Site]) -> Site:
    """A table that plays muggins, awards the excess of an over-peg, and asks for confirmation."""
    return serve(house=HOUSE)


def post(site: Site, body: dict[str, Any]) -> Answer:
    return site.post("/api/v1/commands", body)


def test_these_are_all_the_commands_there_are():
    assert [case.do for case in sorted(CASES, key=lambda case: case.do)] == sorted(ROWS)


@every_command
def test_a_command_is_stored_once_and_answered_with_the_new_state(family: Site, case: Case):
    case.before(family)
    kept = family.journal.last_id
    answer = post(family, case.body(family))
    receipt, state = answer.json, family.get("/api/v1/state").json
    assert (answer.status, receipt["replayed"], receipt["entry"]) == (201, False, case.entry)
    assert receipt["state"] == state
    assert [lane["front"] for lane in state["lanes"]] == case.fronts
    assert {name: state[name] for name in case.state} == case.state
    assert family.journal.last_id == kept + 1 == state["revision"]
    assert answer.headers["etag"] == f'"{state["epoch"]}-{state["revision"]}"'
    if case.entry is not None:
        line = next(line for line in state["entries"] if line["id"] == case.entry)
        told = {name: value for name, value in case.values.items() if name not in ("was", "to")}
        assert case.do in ("undo", "redo", "amend") or {name: line.get(name) for name in told} == told


@pytest.mark.sampled(least=4)
@every_command
def test_a_repeat_is_answered_and_not_done_again(family: Site, case: Case):
    case.before(family)
    body = case.body(family)
    first = post(family, body)
    with family.as_it_was():
        again = post(family, body)
    assert (first.status, again.status) == (201, 200)
    kept = {name: value for name, value in first.json.items() if name != "note"}
    assert again.json == kept | {"replayed": True}


@pytest.mark.sampled(least=4)
@every_command
def test_a_repeat_after_the_end_is_still_a_repeat(family: Site, case: Case):
    case.before(family)
    body = case.body(family)
    done(post(family, body))
    while family.scoreboard.view.game.outcome is None:
        done(family.score(0, 29))
    with family.as_it_was():
        again = post(family, body)
    assert again.status == 200
    assert again.json["entry"] == case.entry
    assert again.json["state"]["game"]["over"] is True


def refused(site: Site, body: dict[str, Any] | bytes, status: int, code: str, words: str = "") -> None:
    with site.as_it_was():
        answer = site.post("/api/v1/commands", body)
    assert answer.refusal == (status, code), answer.json
    assert words in answer.json["detail"]
    assert ("state" in answer.json) == (status == 409)


@pytest.mark.sampled(least=3)
@every_command
def test_what_is_not_json_is_not_done(family: Site, case: Case):
    case.before(family)
    refused(family, json.dumps(case.body(family)).encode()[:-1], 400, "not_json")


@pytest.mark.sampled(least=4)
@every_command
def test_a_field_that_is_not_of_the_command_is_refused(family: Site, case: Case):
    case.before(family)
    refused(family, case.body(family, colour="red"), 422, "shape", f'{case.do} has no field "colour"; use id, ')


@every_command
def test_another_game_is_refused(family: Site, case: Case):
    case.before(family)
    refused(family, case.body(family, game="yesterday"), 409, "other_game")


@pytest.mark.sampled(least=4)
@every_command
def test_an_id_with_other_content_is_refused(family: Site, case: Case):
    case.before(family)
    body = case.body(family)
    done(post(family, body))
    refused(family, body | {"game": "yesterday"}, 422, "id_reused")


@pytest.mark.sampled(least=4)
@every_command
def test_a_table_that_is_not_open_takes_none(serve: Callable[..., Site], case: Case):
    site = serve(open=False)
    refused(site, case.body(site), 403, "not_paired")


WITH_BASE = [case for case in CASES if case.base]


@pytest.mark.parametrize("case", WITH_BASE, ids=lambda case: case.do)
def test_a_base_that_is_missing_or_old_is_refused(family: Site, case: Case):
    case.before(family)
    for missing in (..., None):
        refused(family, case.body(family, base=missing), 428, "base_missing", "`base` is missing")
    refused(family, case.body(family, base=0), 409, "moved")


@pytest.mark.parametrize("do", ["undo", "redo"])
def test_undo_and_redo_that_name_no_line_need_the_boards_base(family: Site, do: str):
    undone(family)
    case = BY_NAME[do]
    for nothing in (..., None):
        refused(family, case.body(family, entry=nothing), 428, "base_missing", "of the board")
        refused(family, case.body(family, entry=nothing, base=0), 409, "moved")
    assert family.on_board(do).status == 201


@pytest.mark.parametrize(
    ("do", "other"), [("amend", {"was": 9}), ("over_peg", {"was": 9}), ("false_claim", {"was": 9})]
)
def test_a_line_that_says_something_else_has_moved(family: Site, do: str, other: dict[str, Any]):
    BY_NAME[do].before(family)
    with family.as_it_was():
        answer = post(family, BY_NAME[do].body(family, **other))
    assert answer.refusal == (409, "moved")
    assert [line["id"] for line in answer.json["entries"]] == [BY_NAME[do].values["entry"]]


def test_a_name_that_is_not_the_one_shown_has_moved(family: Site):
    played(family)
    body = BY_NAME["rename"].body(family)
    done(post(family, body))
    refused(family, body | {"id": tap()}, 409, "moved", "that player is now called Bobby, not 'Bob'; check the names")


def test_a_corrected_name_is_in_the_next_event_of_every_viewer(family: Site):
    played(family)
    state = post(family, BY_NAME["rename"].body(family)).json["state"]
    assert [seat["name"] for seat in state["seats"]] == ["Ann", "Bobby"]
    assert [lane["revision"] for lane in state["lanes"]] == [1, 1], "a score that is on its way fits"


def test_a_corrected_name_stands_in_the_audit_trail_of_its_game(family: Site):
    played(family)
    done(post(family, BY_NAME["rename"].body(family)), family.score(0, 5))
    (told,) = family.get(f"/api/v1/games/{family.game}").json["renamings"]
    assert told["at"] > 0
    lasting = {name: told[name] for name in ("seat", "from", "to", "source", "after")}
    assert lasting == {"seat": 1, "from": "Bob", "to": "Bobby", "source": "program", "after": "2"}


@pytest.mark.parametrize("other", [{"winner": 1}, {"winner": None}, {"fronts": [121, 99]}, {"fronts": [121]}])
def test_a_confirmation_of_another_result_has_moved(family: Site, other: dict[str, Any]):
    won(family)
    refused(family, BY_NAME["confirm"].body(family, **other), 409, "moved", "the result has changed")


@pytest.mark.parametrize("do", ["score", "deal", "stage", "penalty", "muggins"])
def test_after_the_end_only_corrections_are_taken(family: Site, do: str):
    won(family)
    refused(family, BY_NAME[do].body(family), 409, "over", "Ann has won")


@pytest.mark.parametrize(
    ("do", "before", "other"),
    [
        ("deal", dealt, {}),
        ("undo", undone, {}),
        ("undo", ruled, {"entry": "1"}),
        ("redo", played, {}),
        ("amend", played, {"points": 10}),
        ("amend", played, {"points": ..., "seat": 0}),
        ("amend", played, {"points": ..., "why": None}),
        ("amend", ruled, {}),
        ("stage", staged, {}),
        ("over_peg", ruled, {}),
        ("over_peg", undone, {"entry": "2", "was": 8, "points": 4}),
        ("retract", played, {"to": "2"}),
        ("retract", fresh, {"to": "0"}),
        ("confirm", confirmed, {}),
        ("rename", played, {"to": " Bob "}),
    ],
)
def test_what_is_done_already_is_not_done_again(family: Site, do, before, other):
    before(family)
    refused(family, BY_NAME[do].body(family, **other), 409, "already")


def test_a_second_false_claim_on_the_same_line_is_one_too_many(family: Site):
    won(family)
    done(post(family, BY_NAME["false_claim"].body(family)))
    refused(family, BY_NAME["false_claim"].body(family), 409, "already", "line 9 is covered by the ruling in line 10")


@pytest.mark.parametrize("do", ["undo", "redo"])
def test_on_an_empty_sheet_there_is_nothing_to_undo_or_redo(family: Site, do: str):
    refused(
        family, BY_NAME[do].body(family, entry=..., base=family.scoreboard.view.revision), 409, "already", "nothing"
    )


@pytest.mark.parametrize(
    ("do", "before", "other", "words"),
    [
        ("score", played, {"points": 19, "why": "hand"}, "19, 25, 26 and 27 are impossible"),
        ("deal", played, {"dealer": 3}, "there is no seat 3"),
        ("undo", played, {"entry": "9"}, "there is no line 9"),
        ("redo", undone, {"entry": "9"}, "there is no line 9"),
        ("amend", played, {"points": 30}, "30 points cannot be scored at once"),
        ("amend", dealt, {"entry": "3"}, "line 3 is neither a score nor a penalty"),
        ("amend", dealt, {"entry": "3", "points": ..., "seat": 0}, "line 3 is neither a score nor a penalty"),
        ("amend", played, {"points": ...}, "a change needs at least one of `points`, `why` and `seat`"),
        ("amend", played, {"points": ..., "why": "go"}, "a go is 1 point, not 10"),
        ("amend", played, {"seat": 2}, "there is no seat 2"),
        (
            "deal",
            played,
            {"new": False},
            "`dealer` is missing; name the seat that deals now, or set `new` to true for a new deal",
        ),
        ("penalty", played, {"points": 122}, "a penalty cannot be 122 points"),
        ("muggins", played, {"seat": 2}, "there is no seat 2"),
        ("muggins", played, {"missed": 0, "opponent": 1}, "Bob is not an opponent of Bob"),
        ("over_peg", played, {"points": 10}, "the actual points must be fewer"),
        ("peg_back", played, {"holes": 122}, "a peg can go back 1 to 121 holes"),
        ("set_pegs", played, {"front": 5, "rear": 9}, "the pegs cannot be at 5 and 9"),
        ("set_pegs", played, {"front": 122}, "no farther than hole 121"),
        ("false_claim", won, {"entry": "8", "was": 13}, "line 8 did not end the game"),
        ("false_claim", won, {"points": 21}, "the claim is not false"),
        ("retract", played, {"to": "9"}, "there is no line 9"),
        ("confirm", played, {}, "no result to confirm until the game is over"),
        ("confirm", won, {"seat": 2}, "there is no seat 2"),
        ("rename", played, {"seat": 2}, "there is no seat 2"),
        ("rename", played, {"to": "  "}, "a player's name must have 1 to 64 characters"),
        ("rename", played, {"to": "x" * 65}, "a player's name must have 1 to 64 characters"),
        ("rename", played, {"to": "Bob\nby"}, "must consist of visible characters only"),
        ("rename", played, {"to": "aNN"}, "two players are called aNN"),
        ("start", played, {"players": ["Ann"]}, "standard is for 2 players, not 1"),
        ("start_match", played, {"players": ["Ann", "Bob", "Cy"]}, "standard is for 2 players, not 3"),
    ],
)
def test_what_the_rules_forbid_is_refused(family: Site, do, before, other, words):
    before(family)
    refused(family, BY_NAME[do].body(family, **other), 422, "rule", words)


def test_muggins_is_called_only_where_it_is_played(site: Site):
    played(site)
    refused(site, BY_NAME["muggins"].body(site), 422, "rule", "muggins is not played at this table")


def test_with_three_lanes_the_opponent_is_named(serve: Callable[..., Site]):
    site = serve(variant="three-handed", house=HOUSE)
    played(site)
    refused(site, BY_NAME["over_peg"].body(site), 422, "rule", "`opponent` must name the opponent's seat")
    refused(site, BY_NAME["muggins"].body(site, missed=0), 422, "rule", "`opponent` must name the opponent's seat")
    done(post(site, BY_NAME["over_peg"].body(site, opponent=2)))
    done(post(site, BY_NAME["muggins"].body(site, missed=0, opponent=0)))
    assert site.fronts == [12, 8, 2]


DIRECTORS = ("peg_back", "set_pegs", "false_claim", "retract", "start_match")


@every_command
def test_rulings_on_the_pegs_and_the_start_of_a_match_are_the_directors(family: Site, case: Case):
    case.before(family)
    body = case.body(family)
    with patch.object(sessions, "is_director", return_value=False):
        if case.do in DIRECTORS:
            refused(family, body, 403, "role", "director")
        else:
            assert post(family, body).status == 201
    assert post(family, body).status == (201 if case.do in DIRECTORS else 200)


@pytest.mark.parametrize("do", ["undo", "redo", "amend", "over_peg", "abandon", "rename"])
def test_in_strict_mode_corrections_are_the_directors(serve: Callable[..., Site], do: str):
    site = serve(house=(*HOUSE, "strict=on"))
    BY_NAME[do].before(site)
    with patch.object(sessions, "is_director", return_value=False):
        refused(site, BY_NAME[do].body(site), 403, "role", "only the director can change lines at this table")


@pytest.mark.parametrize(
    ("do", "wrong", "words"),
    [
        ("rename", {"from": ...}, "`from` is missing: the name you saw in the state"),
        ("rename", {"from": 1}, "`from` must be the name you saw in the state, not 1"),
        ("rename", {"from": ""}, "`from` must be the name you saw in the state"),
        ("rename", {"to": None}, "`to` must be the correct name, 1 to 64 characters, not null"),
        ("rename", {"to": 7}, "`to` must be the correct name"),
        ("rename", {"seat": "1"}, "`seat` must be the seat of the player"),
        ("rename", {"note": "typed in haste"}, 'rename has no field "note"'),
        ("amend", {"entry": None}, "`entry` must be the id of a line, from the state, not null"),
        ("amend", {"entry": ...}, "`entry` is missing"),
        ("amend", {"entry": 1}, "`entry` must be the id of a line"),
        ("amend", {"points": 362}, "`points` must be a whole number from 0 to 361, not 362"),
        ("amend", {"points": None}, "`points` must be a whole number from 0 to 361, not null"),
        ("amend", {"was": ...}, "`was` is missing: the points you saw on the line"),
        ("amend", {"was": True}, "not true"),
        ("amend", {"opponent": 0}, 'amend has no field "opponent"'),
        ("penalty", {"points": -1}, "`points` must be a whole number from 0 to 361, not -1"),
        ("penalty", {"points": 362}, "not 362"),
        ("penalty", {"fault": "marked-card"}, "`fault` must be one of not-cut, wrong-card, faced-card, dealer-number"),
        ("penalty", {"redeal": 6}, "`redeal` must be the seat that deals again after a fault of the deal"),
        ("penalty", {"accepted": None}, "not null"),
        (
            "penalty",
            {"seat": None},
            "`seat` must be the seat that gets the award, a whole number from 0 to 5, not null",
        ),
        ("penalty", {"seat": 6}, "`seat` must be the seat that gets the award"),
        ("penalty", {"lane": 1}, 'penalty has no field "lane"'),
        ("penalty", {"note": None}, "`note` must be a note of up to 80 visible characters, not null"),
        ("penalty", {"note": "x" * 81}, "`note` must be a note of up to 80 visible characters"),
        ("penalty", {"note": "a\u0000b"}, "`note` must be a note of"),
        ("penalty", {"note": 5}, "`note` must be a note of"),
        (
            "muggins",
            {"claimed": 0},
            "`claimed` must be the points claimed, a whole number from 1 to 29, not 0",
        ),
        ("muggins", {"claimed": 30}, "not 30"),
        ("muggins", {"missed": -1}, "`missed` must be the points actually missed"),
        ("muggins", {"missed": None}, "not null"),
        ("muggins", {"opponent": 6}, "`opponent` must be the seat of the opponent who gets the award"),
        ("muggins", {"note": "why"}, 'muggins has no field "note"'),
        ("over_peg", {"points": 362}, "`points` must be the actual points, a whole number from 0 to 361, not 362"),
        ("over_peg", {"entry": ...}, "`entry` is missing"),
        ("false_claim", {"was": 362}, "`was` must be the points you saw on the line"),
        ("false_claim", {"entry": "ten"}, "`entry` must be the id of a line"),
        ("peg_back", {"holes": 0}, "`holes` must be a whole number from 1 to 361, not 0"),
        ("peg_back", {"points": 4}, 'peg_back has no field "points"'),
        (
            "set_pegs",
            {"front": 362},
            "`front` must be the hole of the front peg, a whole number from 0 to 361, not 362",
        ),
        ("set_pegs", {"note": ...}, "`note` is missing: a note of"),
        ("set_pegs", {"note": "  "}, "`note` must be a note of"),
        ("set_pegs", {"rear": 1.0}, "`rear` must be the hole of the rear peg, a whole number from 0 to 361, not 1.0"),
        (
            "retract",
            {"to": None},
            '`to` must be the id of the line to go back to, or "0" for the empty sheet, not null',
        ),
        ("retract", {"to": 0}, "not 0"),
        ("retract", {"entry": "1"}, 'retract has no field "entry"'),
        ("abandon", {"note": "x" * 81}, "`note` must be a note of"),
        ("abandon", {"seat": 0}, 'abandon has no field "seat"'),
        ("confirm", {"winner": 4}, "`winner` must be the lane that won, a whole number from 0 to 3, or null"),
        ("confirm", {"winner": ...}, "`winner` is missing"),
        ("confirm", {"fronts": []}, "`fronts` must be a list of the holes of 1 to 4 front pegs"),
        ("confirm", {"fronts": [1, 2, 3, 4, 5]}, "`fronts` must be a list"),
        ("confirm", {"fronts": [121, 362]}, "`fronts` must be a list"),
        ("confirm", {"fronts": 121}, "`fronts` must be a list"),
        ("confirm", {"seat": ...}, "`seat` is missing"),
        ("start_match", {"format": "best of 4"}, "`format` must be the match's format: open, single, best of 3"),
        ("start_match", {"format": "first to 0"}, "or first to N with N from 1 to 99"),
        ("start_match", {"format": ...}, "`format` is missing"),
        ("start", {"format": "open"}, 'start has no field "format"'),
    ],
)
def test_a_field_out_of_its_range_is_refused_in_one_sentence(quiet: Site, do, wrong, words):
    body = BY_NAME[do].body(quiet, **{"base": 0} | wrong)
    refused(quiet, body, 422, "shape", words)


@pytest.mark.parametrize("do", ["amend", "over_peg", "false_claim", "confirm"])
def test_a_command_that_names_its_line_needs_no_base_and_minds_none(family: Site, do: str):
    BY_NAME[do].before(family)
    assert post(family, BY_NAME[do].body(family, base=0)).status == 201


# --- games of a match ---


def test_a_finished_game_of_the_match_is_put_right_while_the_next_is_played(family: Site):
    won(family)
    earlier = family.game
    done(family.on_board("start", **TWO, game=...))
    assert [lane["spread"] for lane in family.get("/api/v1/state").json["lanes"]] == [21, -21]
    amended = family.command(do="amend", game=earlier, entry="4", points=12, was=13)
    assert (amended.status, amended.json["entry"]) == (201, "4")
    assert [lane["spread"] for lane in amended.json["state"]["lanes"]] == [22, -22]
    assert family.fronts == [0, 0]
    opens = {"id": tap(), "game": earlier, "do": "over_peg", "entry": "9", "points": 6, "was": 24}
    refused(family, opens, 409, "other_game", f"this would reopen game {earlier}; abandon the later game")
    with patch.object(sessions, "is_director", return_value=False):
        undo = {"id": tap(), "game": earlier, "do": "undo", "entry": "4"}
        refused(family, undo, 403, "role", "only the director can change a finished game")
    refused(family, {"id": tap(), "game": earlier, "do": "score", "seat": 0, "points": 1, "base": 0}, 409, "other_game")
    done(family.on_board("start_match", **TWO, format="single", replaces=family.game))
    late = {"id": tap(), "game": earlier, "do": "amend", "entry": "4", "points": 13, "was": 12}
    refused(family, late, 409, "other_game", "only games of the current match can be changed")


def test_a_match_is_begun_in_its_format_and_decided_by_its_games(site: Site):
    state = site.on_board("start_match", **TWO, format="best of 3", replaces=site.game).json["state"]
    first = {"id": site.game, "format": "best of 3", "to_win": 2, "counted": [0, 0], "winner": None}
    assert state["match"] == first
    won(site)
    assert site.get("/api/v1/state").json["match"] == first | {"counted": [1, 0]}
    done(site.on_board("start", **TWO))
    won(site)
    assert site.get("/api/v1/state").json["match"] == first | {"counted": [2, 0], "winner": 0}
    state = site.on_board("start", **TWO).json["state"]
    assert state["match"] == first | {"id": site.game}


def test_what_a_correction_leaves_as_it_was_is_noted(family: Site):
    played(family)
    done(family.on_lane("set_pegs", 0, front=20, rear=10, note="pegs fell"))
    receipt = family.command(do="amend", entry="1", points=12, was=10).json
    assert receipt["note"] == "Ann's pegs stay where line 3 set them"
    assert "note" not in family.score(1, 2).json


# --- the whole sheet ---


def test_the_sheet_tells_every_line_in_full_newest_first(family: Site):
    played(family)
    for number in range(12):
        done(family.on_lane("penalty", number % 2, points=1, note=f"fault {number}"))
    answer, state = family.get("/api/v1/sheet"), family.get("/api/v1/state").json
    sheet = answer.json
    assert answer.headers["etag"] == f'"{state["epoch"]}-{state["revision"]}"'
    assert (sheet["game"], sheet["epoch"], sheet["revision"]) == (family.game, state["epoch"], state["revision"])
    assert [line["id"] for line in sheet["entries"]] == [f"{line}" for line in range(14, 0, -1)]
    assert sheet["entries"][: len(state["entries"])] == state["entries"]
    assert sheet["entries"][0]["note"] == "fault 11"
    assert family.get(f"/api/v1/sheet?game={family.game}").json == sheet


def test_the_sheet_of_an_earlier_game_of_the_match_is_there(family: Site):
    family.score(0, 6)
    first = family.game
    done(family.on_lane("set_pegs", 1, front=121, rear=110, note="Bob was out"))
    done(family.command(do="start", variant="standard", players=["Ann", "Bob"], base=family.scoreboard.view.revision))
    assert family.game != first
    sheet = family.get(f"/api/v1/sheet?game={first}").json
    assert (sheet["game"], [line["do"] for line in sheet["entries"]]) == (first, ["set_pegs", "score"])
    assert family.get("/api/v1/sheet").json["entries"] == []


@pytest.mark.parametrize("game", ["yesterday", "", "%00", "..%2F"])
def test_the_sheet_of_an_unknown_game_is_not_there(site: Site, game: str):
    answer = site.get(f"/api/v1/sheet?game={game}")
    assert answer.refusal == (404, "no_game")
    assert site.game in answer.json["detail"]


# --- what was said of the deal ---


def test_what_contradicts_a_said_dealer_is_offered_after_the_deal_is_said(site: Site):
    done(site.on_board("start", **TWO, dealer=1, replaces=site.game))
    refusal = site.score(0, 2, why="heels")
    assert refusal.refusal == (422, "rule")
    assert refusal.json["offer"] == {"dealer": 0, "new": False}
    done(site.on_board("deal", **refusal.json["offer"]), site.score(0, 2, why="heels"))
    assert site.get("/api/v1/state").json["lanes"][0]["front"] == 2


def test_an_entry_of_the_wrong_player_is_moved(site: Site):
    played(site)
    answer = site.command(do="amend", entry="1", seat=1, was=10)
    done(answer)
    state = answer.json["state"]
    assert [lane["front"] for lane in state["lanes"]] == [0, 18]
    assert [lane["revision"] for lane in state["lanes"]] == [2, 2]
    (moved,) = [line for line in state["entries"] if line["id"] == "1"]
    (change,) = moved["history"]
    assert (moved["seat"], moved["lane"], change["was_seat"], change["was_lane"], change["was"]) == (1, 1, 0, 0, None)
