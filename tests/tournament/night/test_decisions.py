"""The table of decisions: each is stored and read back as it is, by every version that comes after this one."""

import gc
import inspect
import json

import pytest

from pegboard.errors import RuleError
from pegboard.tournament.night import facts
from pegboard.tournament.night.decide import fold
from pegboard.tournament.night.deciding import Request, kind_of, read_request
from pegboard.tournament.night.decisions import BY_WORD, DECISIONS, as_row, from_row
from pegboard.tournament.night.night_state import Author, Role, StoredDecision
from pegboard.tournament.night.views.night_views import director_view
from tests.support.night_at_work import NightAtWork, lower_number_wins


@pytest.mark.parametrize("row", DECISIONS, ids=lambda row: row.do)
def test_the_example_of_each_decision_has_its_fields(row):
    read_request(row, row.example)


@pytest.mark.parametrize("row", DECISIONS, ids=lambda row: row.do)
def test_each_decision_has_a_limit_and_a_sentence(row):
    speaker = kind_of(row.fact)
    assert speaker is not None
    assert speaker.check is not Request.check
    assert speaker.say is not Request.say


def test_each_decision_is_listed():
    """One that is not would be stored, but could not be read any more."""
    gc.collect()  # a class with slots is made from another one
    assert {kind for kind in Request.__subclasses__() if hasattr(kind, "do")} == set(DECISIONS)


@pytest.mark.parametrize("row", DECISIONS, ids=lambda row: row.do)
def test_the_first_listed_decision_speaks_for_its_fact(row):
    speaker = next(one for one in DECISIONS if one.fact is row.fact)
    assert kind_of(row.fact) is speaker
    for phases in ("before_opening", "after_end", "before_cut"):
        assert getattr(row, phases) == getattr(speaker, phases), "only the speaker's counts"


@pytest.mark.parametrize("name", ["check", "apply", "changes", "say"])
@pytest.mark.parametrize("row", DECISIONS, ids=lambda row: row.do)
def test_what_becomes_of_a_fact_needs_no_request(row, name):
    assert isinstance(inspect.getattr_static(row, name), staticmethod)


@pytest.mark.parametrize("row", DECISIONS, ids=lambda row: row.do)
def test_a_field_more_is_refused_by_its_name(row):
    with pytest.raises(RuleError) as refused:
        read_request(row, {**row.example, "colour": "red"})
    assert refused.value.message.key == "night_field_unknown"


WRONG = {
    "enter": {"name": 5},
    "claim": {"game": "r1:p1-p2", "player": "p1", "won": "yes", "margin": 4},
    "paper_result": {"game": "r1:p1-p2", "winner": "p1", "margin": 0},
    "check_in": {"players": []},
    "fee_paid": {"player": "p1", "cents": 1.5},
    "open_night": {"name": "", "date": "2026-11-26"},
    "announce": {"text": "x" * 281},
    "undo": {"number": True},
    "rule": {"game": "r1:p1-p2", "letter": "z"},
    "bracket_game": {"match": "main:1:1", "winner": "p1", "margin": 122},
    "open_pot": {"kind": "lottery"},
}


@pytest.mark.parametrize(("do", "values"), WRONG.items())
def test_a_value_of_another_shape_is_refused_with_what_is_taken(do, values):
    with pytest.raises(RuleError) as refused:
        read_request(BY_WORD[do], values)
    assert refused.value.message.key == "night_field"
    assert refused.value.message.values["takes"]


def test_every_stored_row_of_a_night_is_read_back_as_it_was():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), cut="2")
    night.do("draw")
    night.play_all(lower_number_wins, ("paper", "cards", "table"))
    assert [as_row(from_row(row)) for row in night.rows] == night.rows
    assert [row["number"] for row in night.rows] == list(range(1, len(night.rows) + 1))


def test_a_decision_of_a_newer_version_is_listed_and_changes_nothing():
    night = NightAtWork().open(("Ann", "Bob"))
    newer = {
        "number": len(night.rows) + 1,
        "at": 0,
        "by": {"role": "director", "name": "Dee"},
        "do": "sing",
        "body": {},
    }
    later = fold([*night.night.rows, from_row(newer)])
    assert later.players == night.night.players
    assert [departure["why"]["key"] for departure in director_view(later)["departures"]] == ["night_unknown_decision"]
    assert as_row(later.rows[-1])["body"] == {}


@pytest.mark.parametrize("body", [None, [], {}, {"player": 5}, {"player": None, "name": []}, "x", {"name": "Ann"}])
def test_a_body_that_cannot_be_read_never_stops_a_night(body):
    night = NightAtWork().open(("Ann", "Bob"))
    row = {"number": 99, "at": 0, "by": {"role": "x"}, "do": "enter", "version": 1, "body": body}
    assert fold([*night.night.rows, from_row(row)]).players == night.night.players


def test_a_field_that_an_older_body_lacks_has_its_default():
    row = {"number": 1, "by": {"role": "director"}, "do": "enter", "body": {"player": "p1", "name": "Ann"}}
    stored = from_row(row)
    assert stored == StoredDecision(1, 0, Author(Role.DIRECTOR), facts.PlayerEntered("p1", "Ann"))


def test_what_today_would_refuse_is_listed_and_counts():
    """A night of a version that let a name stand twice stays readable, and says so."""
    rows = [
        {"do": "open_night", "body": {"name": "Club night", "date": "2026-11-26"}},
        {"do": "enter", "body": {"player": "p1", "name": "Ann"}},
        {"do": "enter", "body": {"player": "p2", "name": "Ann"}},
    ]
    night = fold(from_row({"number": n, "by": {"role": "director"}} | row) for n, row in enumerate(rows, 1))
    assert list(night.players) == ["p1", "p2"]
    assert [(one.number, one.why.key) for one in night.departures] == [(3, "night_name_twice")]


def test_replay_reads_the_stored_draw_and_never_draws_again():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"))
    night.do("draw")
    body = next(row for row in night.rows if row["do"] == "draw")["body"]
    body["games"] = body["games"][:1]  # as another version might have drawn
    assert len(night.replayed().schedule) == 1


def test_replay_reads_the_stored_point_table():
    night = NightAtWork().open(("Ann", "Bob"))
    night.do("draw")
    night.play(night.open_games()[0], "p1", 5)
    rules = night.rows[0]["body"]["rules"]
    rules["points"] = json.loads(json.dumps(rules["points"])) | {"worth": [7, 8]}
    assert director_view(night.replayed())["standings"][0]["points"] == 7
