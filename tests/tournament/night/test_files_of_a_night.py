"""A night as files: CSV that no spreadsheet takes for a formula, a roster in, and JSON that makes the night again."""

import contextlib
import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import RuleError
from pegboard.storage.transfer.exporting import FORMULA_FIRST, FORMULA_WITHIN
from pegboard.tournament.night.decide import fold
from pegboard.tournament.night.decisions import from_row
from pegboard.tournament.night.exchange.csv_text import BOM, defuse, fuse, read_csv, write_csv
from pegboard.tournament.night.exchange.files_in import MOST_LINES, is_results, read_results, read_roster
from pegboard.tournament.night.exchange.files_out import (
    cards_csv,
    night_json,
    pots_csv,
    results_csv,
    roster_csv,
    standings_csv,
)
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import EMPTY_NIGHT
from pegboard.tournament.night.views.night_views import director_view
from tests.support.night_at_work import NightAtWork, lower_number_wins


def a_night():
    night = NightAtWork().open(("Ann", "Bob", "=SUM(A1)", "Dee, of Ash"), cut="1")
    night.do("open_pot", kind="q_pool", fee=500)
    for player in ("p1", "p2"):
        night.do("enter_pot", pot="q_pool", player=player)
    night.do("draw")
    night.play_all(lower_number_wins, ("paper", "cards", "table"))
    night.break_seed_ties()
    night.do("close_cut")
    night.do("pay_pot", pot="q_pool")
    return night


def rows_of(text):
    """The rows as Python's own reader has them, each by the words of the first line."""
    assert text.startswith(BOM)
    return list(csv.DictReader(text[1:].splitlines()))


@pytest.mark.parametrize("make", [roster_csv, results_csv, cards_csv, standings_csv, pots_csv])
def test_no_cell_of_a_file_is_a_formula(make):
    text = make(a_night().night)
    cells = [cell for row in csv.reader(text[1:].splitlines()) for cell in row]
    numbers = [cell for cell in cells if cell.lstrip("-").isdecimal()]
    assert not any(FORMULA_FIRST.match(cell) for cell in cells if cell not in numbers)
    assert make is pots_csv or "'=SUM(A1)" in cells


@given(st.text(alphabet="=+-@\u2212\uff1d a1;\t\r\n'\","))
def test_cells_are_defused_as_those_of_the_journal(text):
    """The export of the journal does it by its patterns; here is neither, and both say the same."""
    inner = FORMULA_WITHIN.sub(lambda separator: f"{separator[0]}'", text)
    assert defuse(text) == (f"'{inner}" if FORMULA_FIRST.match(text) else inner)


@pytest.mark.parametrize("text", ["=1+1", "Ann", "'Ann", "-5", " @x", ""])
def test_a_defused_name_comes_back_as_it_was(text):
    assert fuse(defuse(text)) == text


def test_standings_are_in_the_order_of_their_places():
    night = a_night()
    rows = rows_of(standings_csv(night.night))
    assert [int(row["place"]) for row in rows] == sorted(int(row["place"]) for row in rows)
    assert {row["name"] for row in rows} == {"Ann", "Bob", "'=SUM(A1)", "Dee, of Ash"}
    assert sum(int(row["net"]) for row in rows) == 0


def test_results_hold_both_claims_and_both_values():
    rows = rows_of(results_csv(a_night().night))
    assert len(rows) == 6
    for row in rows:
        assert int(row["player_net"]) == -int(row["opponent_net"])
    assert any(row["player_claims"].startswith("won") for row in rows)


def test_paid_pots_add_up():
    (row,) = rows_of(pots_csv(a_night().night))
    assert (row["sum"], row["share"], row["player"]) == ("10.00", "10.00", "Ann")


def test_the_json_of_a_night_makes_it_again():
    night = a_night().night
    values = json.loads(json.dumps(night_json(night)))
    assert director_view(fold(map(from_row, values["decisions"]))) == director_view(night)
    assert len(values["results"]) == 6


# --- a roster in ---


def test_the_same_roster_taken_in_once_more_enters_nobody_and_blames_nobody():
    night = a_night()
    again = read_roster(roster_csv(night.night), night.night)
    assert (again.requests, again.faults) == ((), ())
    more = read_roster("name,number\nAnn,\nPlayer 5,\nPlayer 5,\n", night.night)
    assert [request["name"] for request in more.requests] == ["Player 5"]
    assert [fault.values["why"].key for fault in more.faults] == ["night_name_twice"]


def test_a_roster_comes_back_as_it_went_out():
    night = a_night()
    again = NightAtWork()
    again.do("open_night", name="Club night", date="2026-11-26")
    roster = read_roster(roster_csv(night.night), again.night)
    assert roster.faults == ()
    for request in roster.requests:
        again.do(**request)
    assert list(again.night.names.values()) == list(night.night.names.values())


def test_a_roster_says_what_each_has_paid():
    night = a_night()
    night.do("fee_paid", player="p1", cents=1250)
    assert [row["paid"] for row in rows_of(roster_csv(night.night))][:2] == ["12.50", "0.00"]


@pytest.mark.parametrize("title", ["paid", "due_paid"])
def test_a_roster_comes_in_without_what_was_paid_under_its_former_header_too(title):
    assert read_roster(f"name,{title}\nAnn,12.50\n", EMPTY_NIGHT).requests == ({"do": "enter", "name": "Ann"},)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_roster_is_read_whatever_parts_its_cells(separator):
    text = BOM + "\r\n".join(separator.join(row) for row in (("Name", "Number"), ("Ann", "MI101"), ("Bob", "")))
    requests = read_roster(text, EMPTY_NIGHT).requests
    assert requests == ({"do": "enter", "name": "Ann", "number": "MI101"}, {"do": "enter", "name": "Bob"})


def test_a_line_that_cannot_be_entered_is_named_and_the_others_come_in():
    night = NightAtWork().open(("Ann",))
    text = "name,number,free\nann,5,\nBob,7,maybe\nCy,7,\nDee,7,yes\n,,\n" + "x" * 65 + ",,\n"
    roster = read_roster(text, night.night)
    assert [request["name"] for request in roster.requests] == ["Cy"]
    assert [(fault.values["line"], fault.values["why"].key) for fault in roster.faults] == [
        (2, "night_name_twice"),
        (3, "night_file_word"),
        (5, "night_number_twice"),
        (7, "night_field"),
    ]


def test_a_fault_names_the_column_as_the_file_does():
    (fault,) = read_roster("Name,Here\nAnn,maybe\n", EMPTY_NIGHT).faults
    assert str(fault) == "line 2: Here must be yes or no, not 'maybe'"


HEADINGS = {
    "Name,ACC No": {"name": "Ann Lee", "number": "MI101"},
    "name,ACC #": {"name": "Ann Lee", "number": "MI101"},
    "FULL NAME,member-no.": {"name": "Ann Lee", "number": "MI101"},
    " full_name ,N°": {"name": "Ann Lee", "number": "MI101"},
    "Player,Member #": {"name": "Ann Lee", "number": "MI101"},
}


@pytest.mark.parametrize(("header", "values"), HEADINGS.items())
def test_headings_are_known_whatever_their_case_blanks_and_signs(header, values):
    roster = read_roster(f"{header}\nAnn Lee,MI101\n", EMPTY_NIGHT)
    assert (roster.requests, roster.notes) == (({"do": "enter"} | values,), ())


def test_a_column_that_counts_the_lines_gives_nobody_a_member_number():
    roster = read_roster("#,Name\n1,Ann\n2,Bob\n", EMPTY_NIGHT)
    assert roster.requests == ({"do": "enter", "name": "Ann"}, {"do": "enter", "name": "Bob"})
    assert list(map(str, roster.notes)) == ["columns that were not imported: #"]


@pytest.mark.parametrize("header", ["First Name,Last Name", "first_name,surname", "Prénom,Nom", "First,Name"])
def test_a_name_in_two_columns_is_one_name(header):
    night = NightAtWork().open(("Bob Ash",))
    roster = read_roster(f"{header}\nAnn,Lee\nBob,Ash\nCy,\n", night.night)
    assert [request["name"] for request in roster.requests] == ["Ann Lee", "Cy"]
    assert roster.requests[0].keys() == {"do", "name"}


@pytest.mark.parametrize("header", ["Name", "Name,", "Name,,"])
def test_a_line_with_more_cells_than_headings_is_a_fault_and_nobody_is_entered(header):
    roster = read_roster(f'{header}\nSmith, Ann\n"Smith, Bob"\nCy,,,\n', EMPTY_NIGHT)
    assert [request["name"] for request in roster.requests] == ["Smith, Bob", "Cy"]
    assert [str(fault) for fault in roster.faults] == [
        "line 2: more cells (2) than headings (1); put names with a comma in quotes"
    ]


def test_a_player_on_the_roster_already_does_not_hide_a_cell_too_many():
    night = NightAtWork().open(("Smith",))
    assert [fault.values["line"] for fault in read_roster("Name\nSmith, Ann\n", night.night).faults] == [2]


def test_what_a_roster_leaves_out_is_said():
    night = NightAtWork().open(("Ann",))
    roster = read_roster("Name,Town,,Club\nAnn,Ash,,\nBob,Elm,x,\n", night.night)
    assert list(map(str, roster.notes)) == ["columns that were not imported: Town, #3", "lines with nothing new: 1"]


@pytest.mark.parametrize("header", ["name,player", "ACC,Member No", "name,last name", "full name,first name,last name"])
def test_two_columns_of_one_field_are_refused(header):
    with pytest.raises(RuleError, match="name the same column; keep one of them"):
        read_roster(f"{header}\nAnn,Bob,Cy\n", EMPTY_NIGHT)


REFUSED = {
    "night_file_empty": "\n\n",
    "night_file_columns": "club,town\nAnn,Ash\n",
    "night_file_long": "name\n" + "Ann\n" * (MOST_LINES + 1),
    "night_file_no_csv": 'name\n"Ann\n',
}


@pytest.mark.parametrize(("key", "text"), REFUSED.items())
def test_a_file_that_is_no_roster_is_refused_with_a_sentence(key, text):
    with pytest.raises(RuleError) as refused:
        read_roster(text, EMPTY_NIGHT)
    assert refused.value.message.key == key


@given(st.text())
def test_no_file_does_more_than_be_refused(text):
    try:
        roster = read_roster(text, EMPTY_NIGHT)
    except RuleError:
        return
    assert all(request["name"] for request in roster.requests)


def test_blank_lines_are_no_lines():
    assert read_csv("name\n\n , \nAnn\n") == [(1, ["name"]), (4, ["Ann"])]
    assert write_csv([("a", 1)]) == f"{BOM}a,1\r\n"


# --- results in ---


def a_drawn_night():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), games=3)
    night.do("draw")
    return night


def enter(night, text):
    """Enter what a file of results says; the lines that were refused, by the key of the reason."""
    found = read_results(text, night.night)
    for request in found.requests:
        night.do(**request)
    return {fault.values["line"]: fault.values["why"].key for fault in found.faults}


def test_results_come_back_as_they_went_out():
    night, again = a_night(), NightAtWork().open(("Ann", "Bob", "=SUM(A1)", "Dee, of Ash"))
    again.do("draw")
    text = results_csv(night.night)
    assert is_results(text)
    assert not is_results(roster_csv(night.night))
    assert enter(again, text) == {}
    values = [{key: record.values for key, record in report(one.night).records.items()} for one in (night, again)]
    assert values[0] == values[1]
    before = again.night.revision
    assert (enter(again, text), again.night.revision) == ({}, before), "the same file again changes nothing"


@pytest.mark.parametrize("header", ["player,oponent,winner,margin", "name,opponent", "player,margin"])
def test_results_with_a_heading_that_nobody_knows_are_no_roster(header):
    assert is_results(f"{header}\nBob,Cy,Bob,9\n")
    with pytest.raises(RuleError, match="a results file needs both players"):
        read_results(f"{header}\nBob,Cy,Bob,9\n", EMPTY_NIGHT)


def test_a_line_names_the_winner_and_the_margin():
    night = a_drawn_night()
    assert enter(night, "Round;Player;Opponent;Winner;Margin\n;ann;Bob;BOB;31\n;Cy;Dee;;\n") == {}
    (row,) = [row for row in night.view()["standings"] if row["points"]]
    assert (row["player"], row["points"], row["net"]) == (night.id_of("Bob"), 3, 31)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("Ann,Eve,Ann,3", "night_file_no_name"),
        ("Ann,Ann,Ann,3", "night_file_no_game"),
        ("Ann,Bob,Cy,3", "night_file_winner"),
        ("Ann,Bob,Ann,three", "night_file_margin"),
        ("Ann,Bob,Ann,", "night_file_margin"),
        ("Ann,Bob,Ann,122", "results_margin"),
        ("Ann,Bob,Ann,0", "results_margin"),
    ],
)
def test_a_line_that_is_no_result_is_named_and_the_others_come_in(line, key):
    night = a_drawn_night()
    assert enter(night, f"player,opponent,winner,margin\n{line}\nCy,Dee,Dee,12\n") == {2: key}
    assert [row["player"] for row in night.view()["standings"] if row["points"]] == [night.id_of("Dee")]


def test_a_line_of_results_with_more_cells_than_headings_is_a_fault():
    night = a_drawn_night()
    assert enter(night, "player,opponent,winner,margin\nAnn,Bob,Ann,1,000\nCy,Dee,,,7\n") == {
        2: "night_file_cells",
        3: "night_file_cells",
    }


def test_what_a_file_of_results_leaves_out_is_said():
    night = a_drawn_night()
    found = read_results("Player,Opponent,Winner,Margin,Judge\nAnn,Bob,,,Eve\nCy,Dee,Cy,4,\n", night.night)
    assert list(map(str, found.notes)) == ["columns that were not imported: Judge", "lines with nothing new: 1"]


def test_another_result_than_the_one_that_stands_is_left_to_the_desk():
    night = a_drawn_night()
    enter(night, "player,opponent,winner,margin\nAnn,Bob,Ann,3\n")
    assert enter(night, "player,opponent,winner,margin\nAnn,Bob,Ann,4\n") == {2: "night_file_other_result"}


@pytest.mark.parametrize("again", ["Cy,Dee,Cy,4", "Dee,Cy,Cy,4", "Cy,Dee,Dee,4", "Cy,Dee,Cy,four"])
@pytest.mark.parametrize("entered", [False, True])
def test_a_file_with_a_game_in_two_lines_is_refused_as_a_whole(again, entered):
    night = a_drawn_night()
    if entered:
        enter(night, "player,opponent,winner,margin\nCy,Dee,Cy,4\n")
    with pytest.raises(RuleError) as refused:
        read_results(f"player,opponent,winner,margin\nAnn,Bob,Ann,3\nCy,Dee,Cy,4\n{again}\n", night.night)
    assert str(refused.value) == ("line 4 repeats the game of Cy and Dee from line 3; nothing was imported")


def test_a_game_in_two_lines_of_which_one_has_no_result_is_in_the_file_once():
    night = a_drawn_night()
    assert enter(night, "player,opponent,winner,margin\nCy,Dee,,\nCy,Dee,Cy,4\n") == {}
    assert [row["player"] for row in night.view()["standings"] if row["points"]] == [night.id_of("Cy")]


def test_two_who_meet_twice_are_told_apart_by_the_round():
    night = NightAtWork().open(("Ann", "Bob"), games=2)
    night.do("draw")
    assert enter(night, "player,opponent,winner,margin\nAnn,Bob,Ann,3\n") == {2: "night_file_games"}
    assert enter(night, "round,player,opponent,winner,margin\n2,Ann,Bob,Ann,3\n") == {}


@pytest.mark.parametrize("text", ["player,opponent\nAnn,Bob\n", "player,winner,margin\nAnn,Ann,3\n"])
def test_results_without_their_columns_are_refused(text):
    with pytest.raises(RuleError) as refused:
        read_results(text, EMPTY_NIGHT)
    assert refused.value.message.key == "night_file_result_columns"


@given(st.text())
def test_no_file_of_results_does_more_than_be_refused(text):
    with contextlib.suppress(RuleError):
        assert read_results("player,opponent,player_net\n" + text, EMPTY_NIGHT).requests == ()
