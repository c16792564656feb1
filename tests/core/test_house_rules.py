"""House rules: each row of the table in docs/rules.md, played; and combinations that nobody can play."""

import re
from pathlib import Path

import pytest

from pegboard import Deal, RuleError, Rules, Score, count_show, decide, new_game, play
from pegboard.core.house_rules import HOUSE_RULES, difference, with_house_rules
from pegboard.core.match import Match, next_dealer, result
from pegboard.core.moves import CallMuggins, OverPeg, Started, TakeBack
from pegboard.core.names import plain
from pegboard.core.referee import apply, director_only
from pegboard.core.rules import OTHER_NAMES, VARIANTS, check, skunk_lines, variant_for, variant_named
from pegboard.core.sentences import phase_sentence
from tests.support.player_names import SIX

PAGE = (Path(__file__).parent.parent.parent / "docs/rules.md").read_text("utf-8")
TABLE = PAGE.split("| house rule |")[1].split("\n\n")[0]
ROWS = dict(re.findall(r"^\| `([a-z -]+)` \| (.+?) \| .+? \|$", TABLE, re.MULTILINE))


def table(*house, variant="standard", dealer=0):
    rules = with_house_rules(Rules.named(variant), house)
    return new_game(rules, SIX[: rules.seats], dealer)


def at(game, *fronts):
    """The front pegs climbed to these holes, without telling what for."""
    for lane, hole in enumerate(fronts):
        while (left := hole - game.lanes[lane].front) > 0:
            game = play(game, Score(min(29, left), lane=lane))
    return game


def won(house, loser, hole=121):
    """A game that Ann wins while Bob stands at `loser`."""
    return at(at(table(*house), 0, loser), hole)


def the_game_hole(value):
    hole = int(value)
    assert at(table(f"game hole={hole}"), hole - 1).outcome is None
    assert at(table(f"game hole={hole}"), hole).outcome.winner == 0


def skunked_losers(value):
    {"lurch": left_in_the_lurch, "triple wins match": a_triple_skunk}.get(value, skunk_lines_missed)(value)


def skunk_lines_missed(value):
    missed = {"on": (1, 2, 2), "off": (0, 0, 0), "triple": (1, 2, 3)}[value]
    ends = [won([f"skunks={value}"], loser).outcome.skunks[1] for loser in (90, 60, 30)]
    safe = [won([f"skunks={value}"], loser).outcome.skunks[1] for loser in (91, 61, 31)]
    assert (tuple(ends), tuple(safe)) == (missed, (0, missed[0], missed[1]))


def match_points(value):
    points = {"games 1-2-3": [1, 2, 3], "games 1-2-4": [1, 2, 4], "ACC 2-3-3": [2, 3, 3], "flat": [1, 1, 1]}[value]
    results = [result(won([f"worth={value}"], loser)) for loser in (91, 90, 60)]
    assert [one.points for one in results] == points
    in_games = value in {"games 1-2-3", "games 1-2-4"}
    assert [one.games for one in results] == (points if in_games else [1, 1, 1])


def a_triple_skunk(_value):
    for house in (["skunks=triple wins match"], ["triple wins match=on"], ["triple wins match=on", "skunks=triple"]):
        assert [won(house, loser).outcome.skunks[1] for loser in (91, 90, 60, 30)] == [0, 1, 2, 3]
        for loser, outright in ((30, True), (31, False)):
            match = Match.empty(2, "best of 7").plus(result(won([*house, "worth=flat"], loser)))
            assert (match.winner == 0) == outright
    old = ["triple wins match=off", "skunks=triple"]
    assert Match.empty(2, "best of 7").plus(result(won([*old, "worth=flat"], 30))).winner is None


def left_in_the_lurch(_value):
    """One line at the half, of 121 holes and of 61; it counts as a skunk (sheet C: a game at the half counts two)."""
    for hole, half in ((121, 60), (61, 30)):
        lurch = [won(["skunks=lurch", f"game hole={hole}"], loser, hole) for loser in (half + 1, half, 1)]
        assert [game.outcome.skunks[1] for game in lurch] == [0, 1, 1]
        assert [result(game).points for game in lurch] == [1, 2, 2]
        assert phase_sentence(lurch[1]) == "Ann has won, lurch against Bob"


def the_flush_of_the_crib(value):
    rules = table(f"crib flush={value}").rules
    crib = count_show("2H 6H 8H KH", "10C", crib=True, crib_flush=rules.crib_flush)
    assert crib.flush == {"five": 0, "four": 4}[value]
    assert count_show("2H 6H 8H KH", "10H", crib=True, crib_flush=rules.crib_flush).flush == 5


def the_next_first_dealer(value):
    for dealer in (0, 1):
        next_one = {"loser": 1, "winner": 0, "alternate": 1 - dealer, "cut": dealer}[value]
        assert next_dealer(at(table(f"first deal={value}", dealer=dealer), 121)) == next_one


def the_dealers_three_holes(value):
    ahead = 3 if value == "on" else 0
    game = table(f"dealer start={value}")
    assert [lane.front for lane in game.lanes] == [ahead, 0]
    game = play(play(game, Score(2, 0, why="heels")), Deal())
    assert [lane.front for lane in game.lanes] == [ahead + 2, ahead]


def three_for_the_first_pone(value):
    ahead = 3 if value == "on" else 0
    game = table(f"three for last={value}")
    assert [lane.front for lane in game.lanes] == [0, ahead]
    game = play(play(game, Score(2, 0, why="heels")), Deal())
    assert [lane.front for lane in game.lanes] == [2, ahead], "once"


def heels_near_home(value):
    first_barred = {"no limit": 121, "120": 120, "last five": 116}[value]
    for hole in range(114, 121):
        game = at(table(f"heels limit={value}"), hole)
        if hole < first_barred:
            assert play(game, Score(2, 0, why="heels")).lanes[0].front == min(121, hole + 2)
        else:
            with pytest.raises(RuleError, match=f"from hole {first_barred} on"):
                play(game, Score(2, 0, why="heels"))


def muggins(value):
    game = table(f"muggins={value}")
    if value == "off":
        with pytest.raises(RuleError, match="not played at this table"):
            play(game, CallMuggins(0, 4, 2))
    else:
        assert play(game, CallMuggins(0, 4, 2)).lanes[0].front == 2


def what_a_misdeal_costs(value):
    """Sheet C: two to the opponent for a player's misdeal, nothing for a faulty deck; two for other faults."""
    usual = {one["fault"]: one["points"] for one in table(f"misdeal={value}").rules.penalties}
    misdeals = ("not-cut", "wrong-card", "faced-card", "dealer-number", "pone-number")
    costs = {"out-of-turn": 2, "cut-pack": 2, "renege": 2}
    assert usual == costs | (dict.fromkeys(misdeals, int(value)) if int(value) else {})
    assert table(variant="solitaire").rules.penalties == []


def who_lets_a_misdeal_stand(value):
    assert table(f"pone chooses={value}").rules.pone_chooses == (value == "on")  # the page's part: tests/web


def how_many_the_dealer_takes(value):
    three = table(f"dealer six={value}", variant="three-handed").rules
    assert three.dealer_six == (value == "on")  # the page's part: tests/web


def what_an_over_peg_costs(value):
    game = play(play(table(f"over-peg={value}"), Score(10, 0)), OverPeg(1, 8, 10))
    assert [lane.front for lane in game.lanes] == [8, 2 if value == "excess" else 0]


def who_corrects(value):
    game = at(table(f"strict={value}"), 10)
    assert (director_only(game, decide(game, TakeBack(1))) is not None) == (value == "on")


def who_places_the_last_peg(value):
    assert table(f"peg out={value}").rules.peg_out == (value == "on")  # the keys' part: tests/pegboard


def who_confirms(value):
    over = won([f"confirm={value}"], 100)
    assert over.lanes_to_confirm() == ((0, 1) if value == "on" else ())
    assert (director_only(over, Started(over.rules, over.players)) is not None) == (value == "on")


PLAYED = {
    "game hole": the_game_hole,
    "skunks": skunked_losers,
    "worth": match_points,
    "first deal": the_next_first_dealer,
    "dealer start": the_dealers_three_holes,
    "three for last": three_for_the_first_pone,
    "heels limit": heels_near_home,
    "muggins": muggins,
    "crib flush": the_flush_of_the_crib,
    "misdeal": what_a_misdeal_costs,
    "pone chooses": who_lets_a_misdeal_stand,
    "dealer six": how_many_the_dealer_takes,
    "over-peg": what_an_over_peg_costs,
    "strict": who_corrects,
    "peg out": who_places_the_last_peg,
    "confirm": who_confirms,
}


def values(takes):
    """The values a row says are taken; of a span both ends."""
    span = re.search(r"(\d+) to (\d+)", takes)
    return [*re.findall(r"`([^`]+)`", takes), *(span.groups() if span else ())]


def test_every_house_rule_has_its_row_and_is_played_here():
    assert list(ROWS) == list(HOUSE_RULES)
    assert set(PLAYED) == set(ROWS)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, takes in ROWS.items() for value in values(takes)])
def test_each_house_rule_is_played_as_its_row_says(name, value):
    PLAYED[name](value)


@pytest.mark.parametrize(("name", "takes"), ROWS.items())
def test_what_a_row_names_first_is_the_standard_game(name, takes):
    assert with_house_rules(Rules(), [f"{name}={values(takes)[0]}"]) == Rules()


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_what_a_house_rule_does_not_take_is_refused_with_what_it_takes(name):
    with pytest.raises(RuleError, match=f"the house rule {name} must be .+, not 'maybe'"):
        with_house_rules(Rules(), [f"{name}=maybe"])


@pytest.mark.parametrize("word", ["jokers=on", "jokers", "", "=on"])
def test_an_unknown_house_rule_is_refused_with_those_known(word):
    with pytest.raises(RuleError, match="use one of game hole, skunks, worth"):
        with_house_rules(Rules(), [word])


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("muggins", "muggins=on"),
        ("muggins=yes", "muggins=on"),
        ("muggins=of", "muggins=off"),
        ("muggins on", "muggins=on"),
        ("Muggins:ON", "muggins=on"),
        ("mugins=on", "muggins"),
        ("worth=ACC 2-3", "worth=ACC 2-3-3"),
        ("skunks=tripple", "skunks=triple"),
        ("first deal=looser", "first deal=loser"),
        ("game whole=61", "game hole"),
    ],
)
def test_what_was_probably_meant_is_said(word, meant):
    with pytest.raises(RuleError, match=rf"; did you mean {meant}\?$"):
        with_house_rules(Rules(), [word])


@pytest.mark.parametrize("word", ["jokers=wild", "game hole", "worth=", "skunks=9", "=", "🃏=🃏"])
def test_nothing_is_suggested_where_nothing_is_like_it(word):
    with pytest.raises(RuleError) as refusal:
        with_house_rules(Rules(), [word])
    assert "did you mean" not in str(refusal.value)


@pytest.mark.parametrize(
    "word", ["Game Hole=61", "game_hole=61", "gamehole=61", "WORTH=Games 1-2-4", "overpeg=EXCESS", "Peg-Out=on"]
)
def test_capitals_blanks_and_dashes_do_not_matter(word):
    assert with_house_rules(Rules(), [word]) != Rules()


@pytest.mark.parametrize("value", ["30", "362", "12x", "-61", "1e2", "٦١"])
def test_a_game_hole_out_of_reach_is_refused(value):
    with pytest.raises(RuleError, match="31 to 361"):
        with_house_rules(Rules(), [f"game hole={value}"])


def test_house_rules_add_up_and_blanks_do_not_matter():
    rules = with_house_rules(Rules(), ["muggins = on", " worth=flat "])
    assert (rules.muggins, rules.worth) == (True, (1, 1, 1))


@pytest.mark.parametrize(("hole", "lines"), [(121, (90, 60)), (61, (30,)), (62, (31, 1)), (31, ()), (361, (330, 300))])
def test_skunk_lines_stand_31_and_61_before_the_game_hole_where_positive(hole, lines):
    assert with_house_rules(Rules(), [f"game hole={hole}"]).skunk_lines == lines
    assert skunk_lines(hole) == lines


@pytest.mark.parametrize("skunks", ["off", "lurch"])
def test_a_triple_skunk_of_older_settings_goes_with_no_other_skunks(skunks):
    with pytest.raises(RuleError, match="a triple skunk needs three skunk lines"):
        with_house_rules(Rules(), ["triple wins match=on", f"skunks={skunks}"])


def test_another_game_hole_brings_no_skunks_where_none_are_played():
    rules = with_house_rules(with_house_rules(Rules(), ["skunks=off"]), ["game hole=61"])
    assert rules.skunk_lines == ()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"skunk_lines": (121,)}, "a skunk line must be between the start and the game hole 121; 121 is not"),
        ({"skunk_lines": (90, 0)}, "0 is not"),
        ({"skunk_lines": (60, 90)}, "from the highest to the lowest"),
        ({"skunk_lines": (90, 90)}, "each only once"),
        ({"game_hole": 61}, "90 is not"),
        ({"game_hole": 30, "skunk_lines": ()}, "the game hole must be 31 to 361, not 30"),
        ({"game_hole": 362}, "the game hole must be 31 to 361, not 362"),
        ({"seats": 4, "lanes": 3}, "4 seats do not fit 3 lanes"),
        ({"seats": 3}, "3 seats do not fit 2 lanes"),
        ({"seats": 1}, "1 seats do not fit 2 lanes"),
        ({"seats": 5, "lanes": 5}, "5 seats do not fit 5 lanes"),
        ({"seats": 8, "lanes": 4}, "8 seats do not fit 4 lanes"),
        ({"seats": 0, "lanes": 0}, "0 seats do not fit 0 lanes"),
        ({"worth": ()}, "at least 1 match point"),
        ({"worth": (0, 2, 3)}, "at least 1 match point"),
        ({"worth": (2, 1, 3)}, "a skunk at least as much as a win"),
        ({"first_deal": "youngest"}, "first deal must be one of loser, alternate, cut, winner, not 'youngest'"),
        ({"heels_limit": "never"}, "the heels limit must be one of no limit, 120, last five, not 'never'"),
        ({"overpeg_award": "double"}, "the over-peg award must be one of none, excess, not 'double'"),
        ({"dealer_start": 121}, "a head start must end before the game hole"),
        ({"seats": 1, "lanes": 1, "pone_start": 3}, "a solo player has none"),
        ({"dealer_start": 3, "pone_start": 2}, "the same as the dealer's"),
        ({"pone_start": -1}, "a head start must end before the game hole"),
        ({"lurch": True}, "a lurch game must have exactly one skunk line, halfway, at hole 60 of 121"),
        ({"crib_flush": 3}, "the flush of the crib must be one of 5, 4, not 3"),
        ({"triple_wins_match": True}, "a triple skunk needs three skunk lines"),
        ({"worth": (1, 100)}, "the worth of a game must be 1 to 99, not 100"),
        ({"misdeal": 30}, "the award for a misdeal must be 0 to 29, not 30"),
        ({"misdeal": -1}, "the award for a misdeal must be 0 to 29, not -1"),
        ({"last_deal": 100}, "the last deal must be 0 to 99, not 100"),
        ({"enough": -1}, "the hole that is enough must be 0 to 121, not -1"),
        ({"enough": 122}, "the winning hole 122 is beyond the game hole 121"),
    ],
)
def test_rules_that_nobody_can_play_are_refused_in_one_sentence(wrong, sentence):
    with pytest.raises(RuleError, match="standard cannot be played this way: ") as refusal:
        check(Rules(**wrong))
    assert sentence in str(refusal.value)
    with pytest.raises(RuleError, match="cannot be played this way"):
        new_game(Rules(**wrong), ("Ann", "Bob"))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("right", [{"dealer_start": 120}, {"enough": 121}, {"seats": 4}, {"seats": 3, "lanes": 3}])
def test_rules_at_the_edge_are_played(right):
    assert check(Rules(**right))


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, takes in ROWS.items() for value in values(takes)])
def test_a_house_says_what_it_plays_otherwise(name, value):
    three = Rules.named("three-handed")  # with whom each rule can matter
    rules = with_house_rules(three, [f"{name}={value}"])
    assert with_house_rules(three, difference(rules)) == rules
    usual = values(ROWS[name])[0]
    assert (f"{name}={value}" in difference(rules)) == (value != usual)


def test_a_variant_that_nobody_knows_any_more_differs_from_nothing():
    assert difference(Rules("forgotten", muggins=True)) == ()
    assert difference(Rules(skunk_lines=(80,))) == ("skunks=(80,)",)


def test_a_variant_is_one_row_and_is_played_to_its_end(monkeypatch):
    monkeypatch.setitem(VARIANTS, "duel", Rules("duel", game_hole=31, skunk_lines=(10,), worth=(1, 5), muggins=True))
    game = new_game(Rules.named("duel"), ("Ann", "Bob"))
    game = play(play(game, CallMuggins(1, 4, 4)), Score(29, 0, why="hand"))
    game = play(game, Score(2, 0, why="play"))
    assert (game.outcome.winner, game.outcome.skunks, result(game).points) == (0, (0, 1), 5)


@pytest.mark.parametrize("typed", ["three-handed", "Three handed", "three_handed", "THREEHANDED", " three-handed "])
def test_a_variant_is_named_in_any_capitals_blanks_and_dashes(typed):
    assert variant_named(typed) == "three-handed"


def test_a_house_rule_is_given_once():
    for twice in (["muggins=on", "muggins=off"], ["Muggins=on", "worth=flat", " muggins = on"]):
        with pytest.raises(RuleError, match=r"^the house rule muggins is given twice; give it once$"):
            with_house_rules(Rules(), twice)
    assert with_house_rules(Rules(), ["muggins=on", "worth=flat"], ["muggins=off"]) == with_house_rules(
        Rules(), ["worth=flat"]
    ), "a later list goes before an earlier one"


def test_cut_throat_can_be_for_three_or_four():
    with pytest.raises(RuleError, match=r"; did you mean three-handed or cut-throat-four\?$"):
        variant_named("cut-throat")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("three", "three-handed"), ("4-handed", "partners"), ("standrad", "standard"), ("solo", "solitaire")],
)
def test_the_variant_that_was_probably_meant_is_said(typed, meant):
    with pytest.raises(RuleError, match=rf"^there is no variant '{typed}'; .+; did you mean {meant}\?$"):
        variant_named(typed)


def test_nothing_is_suggested_for_a_game_that_is_no_cribbage():
    with pytest.raises(RuleError, match=f"; use one of {', '.join(VARIANTS)}$"):
        variant_named("whist")


def test_each_other_name_of_a_variant_is_none_and_means_one():
    assert {name for meant in OTHER_NAMES.values() for name in meant.split(" or ")} <= set(VARIANTS)
    assert not {plain(name) for name in OTHER_NAMES} & {plain(name) for name in VARIANTS}


@pytest.mark.parametrize(
    ("players", "variant"),
    [(1, "solitaire"), (2, "standard"), (3, "three-handed"), (4, "partners"), (6, "six-partners")],
)
def test_so_many_players_play_the_plainest_variant_for_them(players, variant):
    assert variant_for(players) == variant


@pytest.mark.parametrize("players", [0, 5, 7])
def test_no_table_seats_so_many(players):
    with pytest.raises(RuleError, match=f"a table seats 1, 2, 3, 4 or 6 players, not {players}$"):
        variant_for(players)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_can_be_played(variant):
    assert check(Rules.named(variant))


def test_the_standard_rules_are_the_defaults():
    assert Rules.named("standard") == Rules()


def test_a_started_game_keeps_the_rules_it_was_started_by():
    rules = with_house_rules(Rules(), ["muggins=on"])
    assert apply(new_game(Rules(), ("Ann", "Bob")), Started(rules, ("Ann", "Bob"))).rules == rules


# --- the table of variants in docs/rules.md ---


def two_to_121_with_skunks_as_games():
    assert result(won([], 90)).games == 2
    assert result(won([], 60)).games == 3
    assert next_dealer(won([], 100)) == 1


def the_tournament_game():
    over = at(at(table(variant="acc"), 0, 90), 121)
    assert (result(over).points, result(over).games, over.lanes_to_confirm()) == (3, 1, (0, 1))
    assert next_dealer(over) == 1
    assert next_dealer(at(table(variant="acc", dealer=1), 121)) == 0
    assert director_only(over, decide(over, TakeBack())) is not None


def once_around():
    assert [at(at(table(variant="short"), 0, loser), 61).outcome.skunks[1] for loser in (30, 31)] == [1, 0]
    assert at(table(variant="short"), 60).outcome is None


def three_lanes():
    game = at(table(variant="three-handed"), 0, 60, 91)
    assert at(game, 121).outcome.skunks == (0, 2, 0)


def four_in_two_lanes():
    game = table(variant="partners")
    for seat in range(4):
        game = play(game, Score(seat + 1, seat))
    assert [lane.front for lane in game.lanes] == [4, 6]


def alone():
    game = table(variant="solitaire")
    for _ in range(6):
        game = play(play(game, Score(15, 0, why="hand")), Score(0, 0, why="crib"))
    assert play(game, Score(0, 0, why="hand")).outcome.winner is None
    assert result(play(game, Score(1, 0, why="hand"))).points == 1
    at_120 = at(table(variant="solitaire"), 120)
    assert result(play(at_120, Score(1, 0, why="play"))).points == 2


def five_cards():
    assert [lane.front for lane in table(variant="five-card").lanes] == [0, 3]
    assert table(variant="five-card").rules.game_hole == 61
    assert count_show("5H 5C JD", "5D").points == 15, "hands of three cards"


def the_box_sheet():
    game = play(table(variant="box-sheet"), Score(2, 0, why="heels"))
    assert [lane.front for lane in play(game, Deal()).lanes] == [5, 3]


def four_lanes():
    game = at(table(variant="cut-throat-four"), 0, 60, 90, 91)
    assert at(game, 121).outcome.skunks == (0, 2, 1, 0)


def six_in_three_lanes():
    game = table(variant="six-partners")
    for seat in range(6):
        game = play(game, Score(seat + 1, seat))
    assert [lane.front for lane in game.lanes] == [1 + 4, 2 + 5, 3 + 6]


VARIANTS_PLAYED = {
    "standard": two_to_121_with_skunks_as_games,
    "acc": the_tournament_game,
    "short": once_around,
    "three-handed": three_lanes,
    "partners": four_in_two_lanes,
    "solitaire": alone,
    "five-card": five_cards,
    "box-sheet": the_box_sheet,
    "cut-throat-four": four_lanes,
    "six-partners": six_in_three_lanes,
}


def test_every_variant_has_its_row_and_is_played_here():
    rows = re.findall(r"^\| `([a-z-]+)` \|", PAGE.split("| variant |")[1].split("\n\n")[0], re.MULTILINE)
    assert rows == list(VARIANTS) == list(VARIANTS_PLAYED)


@pytest.mark.parametrize("variant", VARIANTS_PLAYED)
def test_each_variant_is_played_as_its_row_says(variant):
    VARIANTS_PLAYED[variant]()
