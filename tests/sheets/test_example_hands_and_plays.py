"""Every example hand and play of the four rule sheets, counted through the public Python API and `pegboard count`.

Where a sheet's own number is wrong or incomplete, the row says so, and what it says instead is counted here.
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import pegboard
from pegboard.cli.main import main

EXAMPLES = json.loads((Path(__file__).parents[1] / "data" / "rule_sheet_examples.json").read_text("utf-8"))["examples"]


def of_kind(kind, *, whole=None):
    """The examples of a kind; of hands only those of four cards, or only those of fewer."""
    rows = [row for row in EXAMPLES if row["kind"] == kind]
    return [row for row in rows if whole is None or (len(row["hand"]) == 4) == whole]


PLAYS, FRAGMENTS = of_kind("play"), of_kind("play-fragment")
HANDS, COMBINATIONS = of_kind("show", whole=True), of_kind("show", whole=False)

KINDS = {"fifteen": "fifteens", "run": "runs", "flush": "flush", "nobs": "nobs"} | dict.fromkeys(
    ("pair", "pair royal", "double pair royal"), "pairs"
)


def name_of(row):
    return row["id"]


def printed(*arguments):
    """What `pegboard count` prints as JSON."""
    ended = CliRunner().invoke(main, ["count", *arguments, "--json"], prog_name="pegboard")
    assert (ended.exit_code, ended.stderr) == (0, "")
    return json.loads(ended.stdout)


def test_every_example_is_here():
    assert len(EXAMPLES) == len(PLAYS + FRAGMENTS + HANDS + COMBINATIONS) == 31
    assert [row["id"] for row in PLAYS] == ["A-play-1", "A-play-2", "A-play-3", "C-play-1"]


# --- the play ---


def line_of(row):
    """The cards and goes of a play in one line, as a sheet tells them."""
    return " ".join(act for _, act in row["sequence"])


def hands_of(row):
    return [" ".join(row["hands"][player]) for player in ("pone", "dealer")]


def steps_of(row):
    """The sheet's steps; a go that is said stands in its sequence, and one that scores among its points."""
    return [(step["player"], step["card"], step["count"], step["points"]) for step in row["computed"]["steps"]]


def scoring_steps(steps):
    """Steps of the program as the sheets tell them: a go only where it scores."""
    said = [(player, card or "go point", total, points) for player, card, total, points in steps]
    return [step for step in said if step[1] != "go"]


@pytest.mark.parametrize("known", [True, False], ids=["with the hands", "without the hands"])
@pytest.mark.parametrize("row", PLAYS, ids=name_of)
def test_a_play_comes_out_step_by_step(row, known):
    play = pegboard.follow_play(line_of(row), hands_of(row) if known else ())
    steps = [
        (step.player, str(step.card) if step.card else None if step.parts else "go", step.count, step.points)
        for step in play.steps
    ]
    assert scoring_steps(steps) == steps_of(row)
    assert dict(zip(play.players, play.state.points, strict=True)) == row["computed"]["totals"]
    assert play.state.over
    assert [step.points for step in play.steps if step.points] == row["claimed"]["points"]


@pytest.mark.parametrize("row", PLAYS, ids=name_of)
def test_the_command_prints_a_play_step_by_step(row):
    told = printed("--play", line_of(row))
    steps = [(step["player"], step["card"], step["count"], step["points"]) for step in told["laid"]]
    assert scoring_steps(steps) == steps_of(row)
    assert (told["totals"], told["turn"]) == (row["computed"]["totals"], None)
    pone, dealer = hands_of(row)
    assert printed("--deal", f"pone: {pone} | dealer: {dealer} | play: {line_of(row)}")["play"] == told


@pytest.mark.parametrize("row", PLAYS, ids=name_of)
def test_each_card_of_a_play_goes_as_the_players_lay_it(row):
    play = pegboard.begin_play(("pone", "dealer"), [4, 4], dealer=1)
    for player, act in row["sequence"]:
        while play.players[play.turn] != player:  # who takes the go says it without a word of the sheet
            play = play.go(play.turn)
        play = play.go(play.turn) if act == "go" else play.lay(play.turn, *read(act))
    assert dict(zip(play.players, play.points, strict=True)) == row["computed"]["totals"]


def read(card):
    return pegboard.count_play(card).cards


@pytest.mark.parametrize("row", FRAGMENTS, ids=name_of)
def test_cards_in_a_row_score_card_by_card(row):
    counts = [pegboard.count_play(" ".join(row["cards"][:end])) for end in range(1, len(row["cards"]) + 1)]
    assert [each.points for each in counts] == row["computed_points_per_card"]
    told = printed("--play", *row["cards"])
    assert [step["points"] for step in told["laid"]] == row["computed_points_per_card"]


def test_four_kings_cannot_be_played_one_after_another():
    """Sheet C names them as a double pair royal; they are one in the show only."""
    with pytest.raises(pegboard.RuleError, match=r"^K cannot be played: the count would be 40, and the limit is 31"):
        pegboard.follow_play("K K K K")
    assert pegboard.count_show("K K K K", "2").points == 12


# --- the show ---


def breakdown(show):
    sums = dict.fromkeys(("fifteens", "pairs", "runs", "flush", "nobs"), 0)
    for part in show.parts:
        sums[KINDS[part.kind]] += part.points
    return sums


def is_suited(row):
    return row["hand"][0][-1] in "CDHS"


@pytest.mark.parametrize("row", HANDS, ids=name_of)
def test_a_hand_scores_as_the_sheet_says(row):
    hand = " ".join(row["hand"])
    if is_suited(row):
        show = pegboard.count_show(hand, row["starter"], crib=row["crib"])
    else:  # the sheet tells ranks only and counts no suits
        show = pegboard.count_ranks(hand, row["starter"], flush=0, nobs=False)
    assert (show.points, breakdown(show)) == (row["computed"], row["breakdown"])
    assert row["claimed"] in (None, show.points)


@pytest.mark.parametrize("row", [row for row in HANDS if not is_suited(row)], ids=name_of)
def test_ranks_of_a_sheet_are_counted_or_the_open_question_is_named(row):
    """Without suits the program counts just the hands whose suits cannot matter."""
    cards = [*row["hand"], *([row["starter"]] if row["starter"] else [])]
    alone = [] if row["starter"] else ["--alone"]
    ended = CliRunner().invoke(main, ["count", *cards, *alone], prog_name="pegboard")
    if len(set(row["hand"])) < 4:  # two cards of a rank are no flush
        assert (ended.exit_code, ended.stdout.split()[0]) == (0, str(row["computed"]))
    else:
        assert ended.exit_code == 2
        asked = "flush? nobs?" if "J" in row["hand"] and row["starter"] else "flush?"
        assert ended.stderr.startswith(f"pegboard: {asked} ")


@pytest.mark.parametrize("row", [row for row in HANDS if is_suited(row)], ids=name_of)
@pytest.mark.parametrize(
    "separator", [" ", ", ", "-", ";", "", " + "], ids=["spaces", "commas", "dashes", "semicolons", "none", "plus"]
)
def test_a_hand_is_read_however_it_is_written(row, separator):
    cards = [*row["hand"], row["starter"]]
    crib = ["--crib"] if row["crib"] else []
    signs = dict(zip("CDHS", "♣♦♥♠", strict=True))
    for written in (
        cards,
        [card.lower() for card in cards],
        [card[-1] + card[:-1] for card in cards],
        [card[:-1] + signs[card[-1]] for card in cards],
    ):
        assert printed(separator.join(written), *crib)["points"] == row["computed"]


@pytest.mark.parametrize("row", COMBINATIONS, ids=name_of)
def test_cards_of_a_sheet_score_alone_what_they_score_within_a_hand(row):
    """A combination of two or three cards, among cards of other ranks; its own parts are what it scores."""
    others = (rank for rank in ("K", "Q", "8", "A", "2") if rank not in row["hand"])
    ranks = [*row["hand"], *others][:5]
    hand = [rank + suit for rank, suit in zip(ranks, "HCDHS", strict=True)]  # neither a flush nor nobs
    show = pegboard.count_show(" ".join(hand[:4]), hand[4])
    own = [part for part in show.parts if {str(card) for card in part.cards} <= set(hand[: len(row["hand"])])]
    sums = dict.fromkeys(row["breakdown"], 0)
    for part in own:
        sums[KINDS[part.kind]] += part.points
    assert (sum(sums.values()), sums) == (row["computed"], row["breakdown"])


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("5H 5H 5S JD 5D", "5H appears 2 times; a deck has each card once"),
        ("5 5 5 5 5", "5 appears 5 times; a deck has four cards of each rank"),
        ("5H 5C 5★ JD 5D", "'5★' is not a card; use a rank (A 2 3 4 5 6 7 8 9 10 J Q K) and a suit (C D H S)"),
        ("5H 5C 5E JD 5D", "'5E' is not a card; use a rank"),
        ("5H 5C joker JD 5D", "'JOKER' is not a card"),
        ("5H 5C 🃏 JD 5D", "'🃏' is not a card"),
        ("5H 5C 🙂 JD 5D", "'🙂' is not a card"),
        ("5H 5C 5S", "cannot count 3 cards; give four cards of a hand or crib, then the starter"),
        ("5H 5C 5S JD 5D 6D 7D", "cannot count 7 cards; give four cards of a hand or crib, then the starter"),
    ],
)
def test_cards_that_are_no_hand_are_refused_with_what_would_be_right(cards, sentence):
    ended = CliRunner().invoke(main, ["count", cards], prog_name="pegboard")
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"pegboard: {sentence}")
    assert len(ended.stderr.splitlines()) == 1
