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


def test_a_play_is_told_card_by_card():
    assert told("--play", "4 5 3 3 3 7 6 KH") == [
        "card  count  points",
        "   4      4       0",
        "   5      9       0",
        "   3     12       3  run 3 (3 4 5)",
        "   3     15       4  fifteen 2 (4 5 3 3), pair 2 (3 3)",
        "   3     18       6  pair royal 6 (3 3 3)",
        "   7     25       0",
        "   6     31       2  thirty-one 2 (4 5 3 3 3 7 6)",
        "  KH     10       0",
    ]


def test_a_program_reads_a_play_as_json():
    assert values("--play", "10 5") == {
        "points": 2,
        "laid": [
            {"card": "10", "count": 10, "points": 0, "parts": []},
            {
                "card": "5",
                "count": 15,
                "points": 2,
                "parts": [{"kind": "fifteen", "cards": ["10", "5"], "points": 2}],
            },
        ],
    }


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
        (["--play", "K K K K"], "K cannot be played: the count would be 40, and the limit is 31"),
        (["--play", "4 5 4X"], "'4X' is not a card"),
        (["--play", ""], "0 cards cannot have been played; 1 to 24 are possible"),
        (["--play", "4H 4H"], "4H appears 2 times; a deck has each card once"),
        (["--play", "4 5", "--crib"], "--play can only be combined with --json"),
        (["--play", "4 5", "--alone"], "--play can only be combined with --json"),
        (["--play", "4 5", "--nineteen"], "--play can only be combined with --json"),
    ],
)
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_what_cannot_be_counted_is_one_sentence_and_nothing_else(arguments, sentence, more):
    status, output, error = count(*arguments, *more)
    assert (status, output) == (2, "")
    (line,) = error.splitlines()
    assert line.startswith(f"pegboard: {sentence}")
