"""Games into a match: what a game is worth, when a match is decided, who deals next, what is needed."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pegboard import Deal, RuleError, Rules, Score, TakeBack, new_game, play
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import GameInMatch, Match, Result, is_next_dealer_known, next_dealer, result
from pegboard.core.moves import CallMuggins, ClaimFalsely, OverPeg, Penalize, Retract, SetPegs, Start
from pegboard.core.referee import decide
from pegboard.core.rules import LENGTH_PATTERN, LONGEST_MATCH, WORTH, format_named, read_format
from pegboard.core.sentences import phase_sentence
from pegboard.core.view import View
from pegboard.core.view_as_json import snapshot, to_save
from tests.support.player_names import SIX

CASES = json.loads((Path(__file__).parent.parent / "data" / "tournament_cases.json").read_text("utf-8"))


def ended(*fronts, variant="standard", house=(), dealer=0):
    """A game that ended with the front pegs there; the first lane in the game hole has won."""
    rules = with_house_rules(Rules.named(variant), house)
    game = new_game(rules, SIX[: rules.seats], dealer)
    for lane, front in sorted(enumerate(fronts), key=lambda pegs: pegs[1]):
        game = play(game, SetPegs(lane, front, front - 1)) if front else game
    return game


def test_the_pattern_of_a_length_takes_the_lengths_that_a_match_can_have():
    taken = [games for games in range(10 * LONGEST_MATCH) if re.fullmatch(LENGTH_PATTERN, str(games))]
    assert taken == list(range(1, LONGEST_MATCH + 1))


@pytest.mark.parametrize("case", CASES["game_scoring"], ids=lambda case: f"{case['winner']}-{case['loser']}")
def test_game_points_and_margins_of_the_congress(case):
    won = result(ended(case["winner"], case["loser"], variant="acc"))
    assert (won.winner, won.points) == (0, case["winner_game_points"])
    assert won.spread == (case["margin"], -case["margin"])
    assert Match.empty(2).plus(won).points == (case["winner_game_points"], case["loser_game_points"])


def worth_by_house(row):
    """The house rules that play a row of the skunk tables."""
    name = {"ACC": "ACC 2-3-3", "games-1-2-3": "games 1-2-3", "games-1-2-4": "games 1-2-4"}.get(row["name"], "flat")
    return [f"worth={name}", "skunks=triple"]


@pytest.mark.parametrize("row", CASES["house_skunk_tables"], ids=lambda row: row["name"])
def test_houses_value_skunks_as_their_tables_say(row):
    if "lurch" in row:
        lurched = Rules(skunk_lines=(row["lurch_if_loser_at_most_121"],), worth=(row["win"], row["lurch"]))
        games = {91: row["win"], 61: row["win"], 60: row["lurch"], 0: row["lurch"]}
        for loser, points in games.items():
            game = new_game(lurched, ("Ann", "Bob"))
            game = play(game, SetPegs(1, loser, loser - 1)) if loser else game
            assert result(play(game, SetPegs(0, 121, 120))).points == points
        assert Rules.named("short").skunk_lines == (row["lurch_if_loser_at_most_61"],)
        return
    house = worth_by_house(row)
    lines = (row.get("skunk_if_loser_at_most", 90), row.get("double_if_loser_at_most", 60))
    for loser, kind in (
        (lines[0] + 1, "win"),
        (lines[0], "skunk"),
        (lines[1] + 1, "skunk"),
        (lines[1], "double_skunk"),
    ):
        assert result(ended(121, loser, house=house)).points == row.get(kind, row["win"])
    assert result(ended(121, 30, house=house)).points == row.get("triple_skunk", row.get("double_skunk", row["win"]))


def test_the_worst_off_loser_decides_what_a_game_is_worth():
    assert result(ended(121, 100, 60, variant="three-handed")).points == 3
    assert result(ended(121, 100, 91, variant="three-handed")).points == 1


def test_spread_adds_up_to_nothing():
    assert result(ended(121, 100, 60, variant="three-handed")).spread == (82, -21, -61)
    assert result(ended(100, 121)).spread == (-21, 21)


def test_a_game_in_its_match_counts_once_it_is_won():
    game = new_game(Rules.named("short"), ("Ann", "Bob"))
    running = GameInMatch("a", game, "a", Match.empty(2, "best of 3"))
    assert running.standing == running.before
    for _ in range(3):
        game = play(game, Score(24, 0))
    assert replace(running, game=game).standing.games_won == (1, 0)


def test_an_unfinished_game_has_no_result():
    assert result(new_game(Rules(), ("Ann", "Bob"))) is None
    assert Match.empty(2).plus(None) == Match.empty(2)


@pytest.mark.parametrize(("front", "points"), [(91, 1), (120, 1), (121, 2)])
def test_a_solitaire_is_won_past_the_skunk_line_and_a_greater_win_in_the_game_hole(front, points):
    game = new_game(Rules.named("solitaire"), ("Ann",))
    for _ in range(6):
        game = play(play(game, Score(0, 0, why="hand")), Score(0, 0, why="crib"))
    game = play(game, SetPegs(0, front, front - 1)) if front < 121 else play(game, SetPegs(0, 120, 110))
    game = play(game, Score(1 if front == 121 else 0, 0, why="hand"))
    assert (result(game).winner, result(game).points) == (0, points)


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        *(("open", 0), ("single", 1), ("best of 3", 2), ("best of 5", 3), ("best of 7", 4)),
        *(("first to 1", 1), ("first to 9", 9), ("first to 99", 99)),
    ],
)
def test_a_format_says_how_many_games_win_the_match(name, needed):
    assert read_format(name) == needed
    match, one = Match.empty(2, name), Result(1, 1)
    for played in range(1, 6):
        match = match.plus(one)
        assert (match.winner == 1) == (0 < needed <= played)


@pytest.mark.parametrize(
    "name", ["", "best of 4", "best of 9", "first to 0", "first to 100", "first to x", "first to 03", "first to ٣", "5"]
)
def test_other_formats_are_refused_with_those_known(name):
    with pytest.raises(RuleError, match=r"open, single, best of 3, .+, or first to N with N from 1 to 99"):
        read_format(name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Best of 3", "best of 3"),
        ("bestof3", "best of 3"),
        ("best-of-7", "best of 7"),
        ("OPEN", "open"),
        ("First To 12", "first to 12"),
    ],
)
def test_a_format_is_named_in_any_capitals_and_blanks(typed, name):
    assert format_named(typed) == name


@pytest.mark.parametrize(
    ("typed", "meant"), [("best of", "best of [357]"), ("singel", "single"), ("best 5", "best of 5")]
)
def test_the_format_that_was_probably_meant_is_said(typed, meant):
    with pytest.raises(RuleError, match=rf"^there is no match format '{typed}'; .+; did you mean {meant}\?$"):
        format_named(typed)


@pytest.mark.parametrize("typed", ["best of 4", "first to 0", "first to 100", "bestof9"])
def test_another_number_is_never_what_was_probably_meant(typed):
    with pytest.raises(RuleError, match=r"N from 1 to 99$"):
        format_named(typed)


def test_a_match_of_an_unknown_format_does_not_start():
    with pytest.raises(RuleError, match="no match format"):
        decide(new_game(Rules(), ("Ann", "Bob")), Start(Rules(), ("Ann", "Bob"), format="best of 4"))


def test_a_skunk_counts_as_two_games_where_the_worth_is_in_games():
    skunk = result(ended(121, 90))
    assert Match.empty(2, "best of 3").plus(skunk).winner == 0
    congress = result(ended(121, 90, variant="acc"))
    assert Match.empty(2, "best of 3").plus(congress).winner is None


def test_games_after_the_deciding_one_count_nothing():
    match = Match.empty(2, "best of 3").plus(Result(0, 1)).plus(Result(0, 1))
    assert match.plus(Result(1, 3, 3, (-9, 9))) == match


def test_a_match_tells_games_points_and_spread():
    match = Match.empty(2).plus(result(ended(121, 90))).plus(result(ended(100, 121)))
    assert (match.games_won, match.points, match.counted, match.spread) == ((1, 1), (2, 1), (2, 1), (10, -10))


def test_a_triple_skunk_wins_the_match_where_that_is_played():
    house = ["skunks=triple", "triple wins match=on"]
    assert Match.empty(2).plus(result(ended(121, 30, house=house))).winner == 0
    assert Match.empty(2).plus(result(ended(121, 31, house=house))).winner is None
    assert Match.empty(2).plus(result(ended(121, 30, house=["skunks=triple"]))).winner is None


@pytest.mark.parametrize("worth", WORTH.values())
def test_the_last_value_counts_for_anything_beyond(worth):
    rules = Rules(skunk_lines=(90, 60, 30, 10), worth=worth)
    game = play(new_game(rules, ("Ann", "Bob")), SetPegs(0, 121, 120))
    assert result(game).points == worth[2]


def test_the_next_dealer_of_a_game_nobody_won_is_the_next_in_turn():
    game = new_game(Rules.named("solitaire"), ("Ann",))
    for _ in range(6):
        game = play(play(game, Score(0, 0, why="hand")), Score(0, 0, why="crib"))
    assert next_dealer(play(game, Score(0, 0, why="hand"))) == 0


@pytest.mark.parametrize(
    ("front", "save", "skunks"), [(0, 61, 2), (60, 1, 2), (61, 30, 1), (87, 4, 1), (90, 1, 1), (91, 0, 0), (121, 0, 0)]
)
def test_what_a_lane_needs_to_save_the_skunk(front, save, skunks):
    assert to_save(Rules(), front) == (save, skunks)


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([], "Ann deals first"),
        ([(1, 2, "play")], "Play"),
        ([(1, 8, "hand")], "Show: now count Ann's hand"),
        ([(1, 8, "hand"), (0, 6, "hand")], "Show: now count Ann's crib"),
        ([(1, 8, "hand"), (0, 6, "hand"), (0, 4, "crib")], "Bob deals"),
        ([(1, 1, None), (0, 1, None), (1, 8, None)], "Show: now count Ann's hand"),
    ],
)
def test_the_phase_is_said_as_at_the_table(scores, words):
    game = new_game(Rules(), ("Ann", "Bob"))
    for seat, points, why in scores:
        game = play(game, Score(points, seat, why=why))
    assert phase_sentence(game) == words


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (ended(121, 91), "Ann has won"),
        (ended(121, 90), "Ann has won, skunk against Bob"),
        (ended(121, 60), "Ann has won, double skunk against Bob"),
        (ended(121, 30, house=["skunks=triple"]), "Ann has won, triple skunk against Bob"),
        (ended(90, 121, variant="partners"), "Bob and Dee have won, skunk against Ann and Cy"),
        (ended(121, 90, 60, variant="three-handed"), "Ann has won, skunk against Bob, double skunk against Cy"),
    ],
)
def test_the_end_is_said_with_its_skunks(game, words):
    assert phase_sentence(game) == words


def test_heels_that_are_believed_do_not_change_who_dealt_first():
    game = new_game(with_house_rules(Rules(), ["first deal=alternate"]), ("Ann", "Bob"))
    game = play(play(game, Score(6, lane=0)), Score(2, 1, why="heels"))
    assert (game.dealer, next_dealer(play(game, SetPegs(0, 121, 120)))) == (1, 1)


def test_the_first_dealer_is_who_dealt_first_after_all():
    game = new_game(with_house_rules(Rules(), ["first deal=alternate"]), ("Ann", "Bob"))
    moved = play(game, Deal())
    assert next_dealer(play(moved, SetPegs(0, 121, 120))) == 0
    assert next_dealer(play(play(moved, TakeBack()), SetPegs(0, 121, 120))) == 1


@pytest.mark.parametrize(("dealer", "next_one"), [(0, 1), (1, 2), (2, 1)])
def test_of_two_hindmost_losers_the_first_round_the_table_deals_next(dealer, next_one):
    assert next_dealer(ended(121, 80, 80, variant="three-handed", dealer=dealer)) == next_one


def test_the_next_dealer_is_known_after_a_game_inside_a_match_unless_the_house_cuts():
    game = ended(121, 90)
    assert is_next_dealer_known(game, Match(games_won=(1, 0)))
    assert not is_next_dealer_known(game, Match(games_won=(1, 0), winner=0))
    assert not is_next_dealer_known(ended(120, 90), Match())
    assert not is_next_dealer_known(ended(121, 90, house=["first deal=cut"]), Match(games_won=(1, 0)))


def test_a_table_of_one_worth_counts_it_for_a_greater_win_too():
    game = new_game(Rules("solo", 1, 1, skunk_lines=(), worth=(1,), last_deal=7, enough=91), ("Ann",))
    assert result(play(game, SetPegs(0, 121, 120))).points == 1


def awarded(game, lane):
    return snapshot(View(game))["lanes"][lane]["awarded"]


def test_what_opponents_faults_have_given_is_told_as_it_truly_counts():
    rules = with_house_rules(Rules(), ["over-peg=excess", "muggins=on"])
    game = play(new_game(rules, ("Ann", "Bob")), Penalize(10, 0))
    assert awarded(game, 0) == 10
    game = play(game, OverPeg(1, 2, 10))
    assert (awarded(game, 0), awarded(game, 1)) == (2, 8)
    game = play(game, CallMuggins(1, 4, 3))
    assert awarded(game, 1) == 11
    game = play(play(game, SetPegs(0, 110, 100)), Score(11, 0))
    assert awarded(play(game, ClaimFalsely(5, 8, 11)), 1) == 14
    assert awarded(play(game, Retract(0)), 1) == 0
