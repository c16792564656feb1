"""`pegboard count` as a stranger meets it: points, parts and the spoken line, or one sentence and exit status 2."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from pegboard.cli.main import main


def count(*arguments):
    """Exit status, output and error output of the command."""
    ended = CliRunner().invoke(main, ["count", *arguments], prog_name="pegboard")
    return ended.exit_code, ended.stdout, ended.stderr


def told(*arguments):
    status, output, error = count(*arguments)
    assert (status, error) == (0, "")
    return output.splitlines()


@pytest.mark.parametrize("arguments", [["5♥ 5♣ 5♠ J♦", "5♦", "--json"], ["5♥ 5♣ 5♠ JX", "5♦"]])
def test_the_program_says_the_same_in_a_process_of_its_own(arguments):
    command = [sys.executable, "-m", "pegboard", "count", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == count(*arguments)


def values(*arguments):
    (line,) = told(*arguments, "--json")
    return json.loads(line)


def test_a_hand_is_told_with_its_points_its_parts_and_as_players_say_it():
    assert told("4H 5H 6H JS", "10S") == [
        "10 points",
        "   2  fifteen  5H 10S",
        "   2  fifteen  5H JS",
        "   2  fifteen  4H 5H 6H",
        "   3  run      4H 5H 6H",
        "   1  nobs     JS",
        "fifteen two, fifteen four, fifteen six, a run of three is nine, and one for his nobs is ten",
    ]


def test_a_hand_of_five_card_has_three_cards_and_the_starter():
    assert told("--five-card", "2H 6H KH", "10H")[0] == "4 points"
    assert told("--five-card", "--crib", "2H 6H 8H KH", "10C")[0] == "0 points"


def test_the_house_says_how_many_of_a_suit_are_a_flush_in_the_crib():
    crib = ["--crib", "2H 6H 8H KH", "10C"]
    assert told(*crib)[0] == "0 points"
    assert told(*crib, "--crib-flush", "four")[0] == "4 points"


def test_one_point_is_one_point():
    assert told("2H 4C 6D JS", "8S")[0] == "1 point"


def test_the_best_hand_is_29():
    lines = told("5H 5C 5S JD", "5D")
    assert lines[0] == "29 points"
    assert sum(int(line.split()[0]) for line in lines[1:-1]) == 29
    assert lines[-1].endswith("a double pair royal is twenty-eight, and one for his nobs is twenty-nine")


@pytest.mark.parametrize(
    "typed",
    [
        ["5H", "5C", "5S", "JD", "5D"],
        ["5h5c5sjd", "5d"],
        ["5h5c5sjd5d"],
        ["5H 5C 5S JD 5D"],
        ["5♥", "5♣", "5♠", "J♦", "5♦"],
        ["5♥️5♣️5♠️J♦️", "5♦️"],
        ["5H,5C,5S,JD,5D"],
        ["5H,", "5C,", "5S,", "JD,", "5D"],
        ["5H 5C", "5S JD", "5D"],
        ["H5;C5;S5;DJ", "D5"],
        ["🂵🃕🂥🃋", "🃅"],
        ["5H-5C-5S-JD-5D"],
    ],
)
def test_a_hand_is_counted_however_its_cards_are_typed(typed):
    assert values(*typed) == values("5H 5C 5S JD", "5D")


@pytest.mark.parametrize("typed", ["45333", "4♣5♥3333"[:-1], "4,5,3,3,3", "4C 5H3S 33"])
def test_a_play_is_counted_however_its_cards_are_typed(typed):
    assert values("--play", typed)["points"] == 6


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("7 7 8 9 8", 24),
        ("5 5 5 5 K", 28),
        ("5h 5c 5s 5d k", 28),
        ("4 5 6 6 5", 24),
        ("J J J J 5", 21),
        ("5 5 5 J J", 22),
    ],
)
def test_ranks_are_enough_if_no_suit_matters(typed, points):
    """Two cards of a rank are never one flush; four jacks have nobs with any starter, a jack turned has none."""
    assert values(typed)["points"] == points


def test_the_crib_needs_five_of_a_suit():
    assert told("2C 4C 6C 8C", "KD")[0] == "4 points"
    assert told("2C 4C 6C 8C", "KD", "--crib")[0] == "0 points"


def test_no_points_are_nineteen_when_asked_so():
    assert told("2H 4C 8S 10D", "QS") == ["0 points", "zero"]
    assert told("2H 4C 8S 10D", "QS", "--nineteen") == ["0 points", "nineteen"]
    assert values("2H 4C 8S 10D", "QS", "--nineteen")["spoken"] == "nineteen"


def test_four_cards_are_counted_alone_when_it_is_said_so():
    assert told("4H 5H 6H JH", "--alone")[0] == "11 points"
    assert values("4H 5H 6H JH", "--alone")["starter"] is None


def test_a_program_reads_a_hand_as_json():
    assert values("7c,8d,Qh,Ks", "2c", "--crib") == {
        "hand": ["7C", "8D", "QH", "KS"],
        "starter": "2C",
        "points": 2,
        "parts": [{"kind": "fifteen", "cards": ["7C", "8D"], "points": 2}],
        "spoken": "fifteen two",
        "crib": True,
    }


def test_a_play_is_told_step_by_step_with_the_players_goes_and_the_last_card():
    assert told("--play", "4 5 3 3 3 7 go 6 9H") == [
        "player  card  count  points",
        "pone       4      4       0",
        "dealer     5      9       0",
        "pone       3     12       3  run 3 (3 4 5)",
        "dealer     3     15       4  fifteen 2 (4 5 3 3), pair 2 (3 3)",
        "pone       3     18       6  pair royal 6 (3 3 3)",
        "dealer     7     25       0",
        "pone      go     25       0",
        "dealer     6     31       2  thirty-one 2 (4 5 3 3 3 7 6)",
        "pone      9H      9       1  last card 1",
        "pone 10, dealer 6",
    ]


def test_a_go_is_scored_in_a_line_of_its_own_and_the_next_player_is_named():
    assert told("--play", "9", "10", "9", "go", "go", "--players", "3")[4:] == [
        "pone        go     28       0",
        "player 2    go     28       0",
        "pone 0, player 2 0, dealer 0 so far; dealer plays next",
    ]
    assert told("--play", "9 K J go / K")[4:] == [
        "dealer    go     29       0",
        "pone             29       1  go 1",
        "dealer     K     10       0",
        "pone 1, dealer 0 so far; pone plays next",
    ]


def test_hands_of_five_card_are_played_with_three_cards():
    assert told("--play", "--five-card", "5 K 6 K A", "4")[2:] == [
        "dealer     K     15       2  fifteen 2 (5 K)",
        "pone       6     21       0",
        "dealer     K     31       2  thirty-one 2 (5 K 6 K)",
        "pone       A      1       0",
        "dealer     4      5       1  last card 1",
        "pone 0, dealer 5",
    ]


def test_a_program_reads_a_play_as_json():
    assert values("--play", "10 5") == {
        "points": 2,
        "laid": [
            {"player": "pone", "card": "10", "count": 10, "points": 0, "parts": []},
            {
                "player": "dealer",
                "card": "5",
                "count": 15,
                "points": 2,
                "parts": [{"kind": "fifteen", "cards": ["10", "5"], "points": 2}],
            },
        ],
        "totals": {"pone": 0, "dealer": 2},
        "turn": "pone",
    }
    steps = values("--play", "9 K J go / K")["laid"]
    assert [(step["player"], step["card"], step["points"]) for step in steps[3:5]] == [
        ("dealer", "go", 0),
        ("pone", None, 1),
    ]


DEAL = "pone: 4H 3C 3D 9S | dealer: 5H 3S 7D 6C | crib: AS KD KH 2H | starter: JC | play: 4 5 3 3 3 7 go 6 9"


def test_a_deal_is_told_in_order_with_what_each_player_scores():
    lines = told("--deal", DEAL)
    assert lines[0] == "starter JC: heels, 2 for the dealer"
    headings = ["the play", "pone's hand: 4H 3C 3D 9S", "dealer's hand: 5H 3S 7D 6C", "the crib: AS KD KH 2H"]
    assert [line for line in lines if line in headings] == headings
    assert lines[2:15] == ["the play", *told("--play", "4 5 3 3 3 7 go 6 9"), ""]
    assert lines[15:20] == [headings[1], *told("4H 3C 3D 9S JC")]
    assert lines[-3:] == [
        "points  heels  play  hand  crib  total",
        "pone        0    10     4     0     14",
        "dealer      2     6     7     2     17",
    ]


def test_what_is_missing_from_a_deal_is_named():
    assert told("--deal", "starter: 5S | pone: 2H 4C 8S 10D", "--nineteen")[-4:] == [
        "points  heels  play  hand  crib  total",
        "pone        0     -     4     0      4",
        "dealer      0     -     -     -      0",
        "not counted (not given): the play, dealer's hand, the crib",
    ]
    assert told("--deal", "play: 4 5 3")[-1] == (
        "not counted (no starter): heels, pone's hand, dealer's hand, the crib"
    )
    assert "nineteen" in told("--deal", "starter: QS | pone: 2H 4C 8S 10D", "--nineteen")


def test_a_program_reads_a_deal_as_json():
    deal = values("--deal", DEAL)
    assert deal["starter"] == "JC"
    assert deal["play"] == values("--play", "4 5 3 3 3 7 go 6 9")
    assert {**deal["hands"]["pone"], "crib": False} == values("4H 3C 3D 9S JC")
    assert {**deal["crib"], "crib": True} == values("AS KD KH 2H JC", "--crib")
    assert deal["points"] == {
        "pone": {"heels": 0, "play": 10, "hand": 4, "crib": 0, "total": 14},
        "dealer": {"heels": 2, "play": 6, "hand": 7, "crib": 2, "total": 17},
    }
    part = values("--deal", "play: 4 5 3")
    assert [part["starter"], part["hands"], part["crib"]] == [None, {"pone": None, "dealer": None}, None]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["5H 5C 5S JD", "5H"], "5H appears 2 times; a deck has each card once"),
        (["5H 5C 5S JX", "5D"], "'JX' is not a card; use a rank (A 2 3 4 5 6 7 8 9 10 J Q K) and a suit (C D H S)"),
        (
            ["5H 5C 5S J", "5D"],
            "nobs? that depends on the suits of the jack and the starter: give the suits too",
        ),
        (["2 4 6 8", "10"], "flush? that depends on the suits: give the suits too, as in 10H"),
        (["2 4 6 J", "10"], "flush? nobs? both depend on the suits: give the suits too, as in 10H"),
        (["5 5 J 4", "--five-card", "--alone"], "--alone counts four cards, and a hand of --five-card has three"),
        (["5H 5C 5S", "5D"], "no starter given; add one card after the hand, or use --alone"),
        (["5H 5C 5S", "--alone"], "a hand of 3 cards needs the starter"),
        (["5H 5C", "--alone"], "cannot count 2 cards; a hand or crib has four"),
        (["5H 5C JD", "--five-card"], "no starter given; add one card after the hand"),
        (
            ["5H 5C", "--five-card"],
            "cannot count 2 cards; give three cards of a five-card hand, then the starter",
        ),
        (["5H 5C 5S 5D", "--crib", "--five-card"], "no starter given"),
        (["5H 5C 5S 6C 7C 8C", "5D"], "cannot count 7 cards; give four cards of a hand or crib, then the starter"),
        (["5H"], "cannot count 1 card; give four cards of a hand or crib, then the starter"),
        (["5H 5C 5S JD"], "no starter given; add one card after the hand, or use --alone"),
        (["5H 5C 5S JD", "5D 6D"], "cannot count 6 cards; give four cards of a hand or crib, then the starter"),
        (["5H 5C 5S JD", "5D", "--alone"], "--alone counts four cards without a starter; leave the starter out"),
        (["5H 5C 5S JD", "--alone", "--crib"], "a crib is counted with the starter; add it"),
        ([], "no cards given; give cards such as 5H 5C 5S JD 5D, with the starter last, or use --play 4 5 3 3 3"),
        (
            ["--play", "K K K K"],
            "K cannot be played: the count would be 40, and the limit is 31; if dealer cannot play, write go before it",
        ),
        (["--play", "4 5 go"], "pone cannot say go: any card can be played on a count of 9"),
        (["--play", "A A A A 2 2 2 2 3"], "3 comes after the last card: 2 players have played all 8; leave it out"),
        (["--play", "4", "--players", "7"], "--players: use 2, 3, 4, 5 or 6, not '7'"),
        (["4", "--players", "3"], "--players can only be combined with --play"),
        (["--deal", DEAL, "--play"], "--deal can only be combined with --five-card, --crib-flush, --nineteen and"),
        (["--deal", DEAL, "--crib"], "--deal can only be combined with"),
        (["--deal", "pone:", "4", "5", "6", "J"], "put the whole deal in quotes, because the shell takes | as a pipe"),
        (
            ["--deal", "pone: 4 5 6 J"],
            "nothing to count: a deal needs a play, or a starter and a hand or crib; put all",
        ),
        (["--deal", "pone: 4 5 6 J | starter: 10"], "pone: flush? nobs? both depend on the suits: give the suits too"),
        (["--play", "4 5 4X"], "'4X' is not a card"),
        (["--play", ""], "0 cards cannot have been played; 1 to 8 are possible"),
        (["--play", "4H 4H"], "4H appears 2 times; a deck has each card once"),
        (["--play", "4 5", "--crib"], "--play can only be combined with --players, --five-card and --json"),
        (["--play", "4 5", "--alone"], "--play can only be combined with --players, --five-card and --json"),
        (["--play", "4 5", "--nineteen"], "--play can only be combined with --players, --five-card and --json"),
    ],
)
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_what_cannot_be_counted_is_one_sentence_and_nothing_else(arguments, sentence, more):
    status, output, error = count(*arguments, *more)
    assert (status, output) == (2, "")
    (line,) = error.splitlines()
    assert line.startswith(f"pegboard: {sentence}")
