"""Presets: each row of the table in docs/rules.md, what players change in it, and names that nobody knows."""

import json
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from pegboard import RuleError, Rules, Score, new_game, play
from pegboard.core import wire
from pegboard.core.house_rules import difference, with_house_rules
from pegboard.core.match import Match, result
from pegboard.core.moves import Started
from pegboard.core.names import plain
from pegboard.core.presets import (
    OTHER_NAMES,
    PRESETS,
    changes,
    is_by_preset,
    plain_rules,
    preset_named,
    preset_rules,
    title,
)
from pegboard.core.rules import VARIANTS, check

PAGE = (Path(__file__).parents[2] / "docs/rules.md").read_text("utf-8")
TABLE = PAGE.split("| preset |")[1].split("\n\n")[0]
ROWS = {
    name: (re.findall("`([^`]+)`", variants), options)
    for name, variants, options in re.findall(r"^\| `([^`]+)` \| \w+ \| (.+?) \| .+? \| (.+?) \|$", TABLE, re.MULTILINE)
}
EACH_ROW = [(name, variant) for name, preset in PRESETS.items() for variant in preset.rows]


def at(game, *fronts):
    """The front pegs climbed to these holes, without telling what for."""
    for lane, hole in enumerate(fronts):
        while (left := hole - game.lanes[lane].front) > 0:
            game = play(game, Score(min(29, left), lane=lane))
    return game


def test_the_table_of_presets_has_their_variants_and_options():
    assert list(ROWS) == list(PRESETS)
    for name, preset in PRESETS.items():
        variants, options = ROWS[name]
        assert variants == list(preset.rows)
        assert re.findall("`([^`]+)`", options) == list(preset.options)


@pytest.mark.parametrize(
    ("name", "variant", "house"),
    [
        ("Two-player sheet", "standard", ()),
        ("Box sheet", "box-sheet", ()),
        ("Box sheet", "three-handed", ("dealer start=on",)),
        ("Box sheet", "partners", ("dealer start=on",)),
        ("1922 laws", "standard", ("skunks=lurch", "misdeal=2", "pone chooses=on")),
        ("Complete guide", "standard", ("skunks=triple wins match", "muggins=on")),
        ("Complete guide", "three-handed", ("skunks=triple wins match", "muggins=on", "dealer six=on")),
        ("Complete guide", "partners", ("skunks=triple wins match", "muggins=on")),
        ("Complete guide", "solitaire", ()),
        ("ACC tournament", "acc", ()),
    ],
)
def test_a_preset_plays_its_variant_with_its_house_rules(name, variant, house):
    assert difference(preset_rules(name, variant)) == house


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "house", ["dealer six=on", "muggins=on", "misdeal=2", "pone chooses=on", "first deal=cut", "over-peg=excess"]
)
def test_a_house_rule_is_said_only_where_it_can_matter(variant, house):
    """Only with three players does the dealer take six; a player alone has no opponent, and always deals."""
    rules = with_house_rules(Rules.named(variant), [house])
    matters = rules.seats == 3 if house == "dealer six=on" else rules.seats > 1
    assert (difference(rules), changes(rules)) == (((house,),) * 2 if matters else ((), ()))
    assert (house in title(rules)) is matters


@pytest.mark.parametrize(("name", "variant"), EACH_ROW)
def test_every_row_can_be_played_and_differs_from_its_variant_by_what_it_says(name, variant):
    rules = check(preset_rules(name, variant))
    assert (rules.preset, rules.variant, rules.seats) == (name, variant, VARIANTS[variant].seats)
    assert set(difference(rules)) == set(PRESETS[name].rows[variant])
    assert changes(rules) == ()


@pytest.mark.parametrize("name", PRESETS)
def test_every_option_can_be_chosen_and_does_not_change_the_sheet(name):
    for option in PRESETS[name].options:
        chosen = with_house_rules(preset_rules(name), [option])
        assert changes(chosen)
        assert ", changed" not in title(chosen)


def test_the_dealer_of_the_box_sheet_starts_three_ahead_at_each_table():
    for variant, fronts in (("box-sheet", [3, 0]), ("three-handed", [3, 0, 0]), ("partners", [3, 0])):
        rules = preset_rules("Box sheet", variant)
        game = new_game(rules, ("Ann", "Bob", "Cy", "Dee")[: rules.seats])
        assert [lane.front for lane in game.lanes] == fronts


def test_by_the_1922_laws_the_loser_at_the_half_is_in_the_lurch_which_counts_two():
    for house, hole, half in ((), 121, 60), (("game hole=61",), 61, 30):
        rules = with_house_rules(preset_rules("1922 laws"), house)
        for loser, games in ((half, 2), (half + 1, 1)):
            game = at(at(new_game(rules, ("Ann", "Bob")), 0, loser), hole)
            assert result(game).games == games
    assert {one["points"] for one in rules.penalties if one["fault"].endswith("-number")} == {2}


def test_a_triple_skunk_of_the_complete_guide_wins_the_whole_match():
    for loser, winner in ((30, 0), (31, None)):
        game = at(at(new_game(preset_rules("Complete guide"), ("Ann", "Bob")), 0, loser), 121)
        assert Match.empty(2, "best of 7").plus(replace(result(game), games=1)).winner == winner


# --- names ---


@pytest.mark.parametrize("typed", ["1922 laws", "1922-LAWS", " 1922laws "])
def test_a_preset_is_named_in_any_capitals_blanks_and_dashes(typed):
    assert preset_named(typed) == "1922 laws"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("1922 law", "1922 laws"), ("acc", "ACC tournament"), ("box", "Box sheet"), ("complete gide", "Complete guide")],
)
def test_the_preset_that_was_probably_meant_is_said(typed, meant):
    with pytest.raises(RuleError, match=rf"^there is no preset '{typed}'; use one of .+; did you mean {meant}\?$"):
        preset_named(typed)


def test_nothing_is_suggested_for_a_sheet_of_another_game():
    with pytest.raises(RuleError, match=f"; use one of {', '.join(PRESETS)}$"):
        preset_named("whist")


def test_each_other_name_of_a_preset_is_none_and_means_one():
    assert set(OTHER_NAMES.values()) <= set(PRESETS)
    assert not {plain(name) for name in OTHER_NAMES} & {plain(name) for name in PRESETS}


def test_a_variant_that_the_sheet_does_not_describe_is_refused():
    with pytest.raises(RuleError, match=r"^1922 laws is not played as partners; use standard, or another preset$"):
        preset_rules("1922 laws", "partners")


# --- what players change ---


@pytest.mark.parametrize(
    ("name", "house", "said"),
    [
        ("1922 laws", [], "1922 laws"),
        ("1922 laws", ["confirm=on"], "1922 laws, changed: confirm=on"),
        ("1922 laws", ["muggins=on", "over-peg=excess"], "1922 laws with muggins=on and over-peg=excess"),
        ("1922 laws", ["game hole=61", "skunks=lurch"], "1922 laws with game hole=61"),
        (
            "1922 laws",
            ["skunks=on", "worth=games 1-2-4", "misdeal=0"],
            "1922 laws with skunks=on and worth=games 1-2-4, changed: misdeal=0",
        ),
        ("ACC tournament", ["muggins=on"], "ACC tournament with muggins=on"),
        ("Two-player sheet", ["muggins=on"], "Two-player sheet, changed: muggins=on"),
    ],
)
def test_a_changed_preset_says_so(name, house, said):
    assert title(with_house_rules(preset_rules(name), house)) == said


@pytest.mark.parametrize("hole", [61, 91, 181])
@pytest.mark.parametrize(("name", "variant"), EACH_ROW)
def test_every_row_can_be_played_to_another_game_hole(name, variant, hole):
    house = [f"game hole={hole}"]
    if variant == "solitaire" and hole < VARIANTS[variant].enough:
        with pytest.raises(RuleError, match="91"):
            with_house_rules(preset_rules(name, variant), house)
        return
    rules = with_house_rules(preset_rules(name, variant), house)
    assert rules.game_hole == hole
    guide = name == "Complete guide" and variant != "solitaire"
    assert rules.triple_wins_match is (guide and hole > 91)
    assert ("skunks=on" in changes(rules)) is (guide and hole <= 91)


def test_a_triple_skunk_that_somebody_wants_needs_its_line():
    with pytest.raises(RuleError, match="triple skunk"):
        with_house_rules(preset_rules("Complete guide"), ["game hole=61", "skunks=triple wins match"])


def test_another_variant_of_the_sheet_is_named():
    assert title(preset_rules("Box sheet", "partners")) == "Box sheet (partners)"


def test_rules_without_a_preset_are_named_after_their_variant():
    assert title(Rules()) == "standard"
    assert title(with_house_rules(Rules(), ["muggins=on", "misdeal=2"])) == "standard with muggins=on and misdeal=2"


def test_a_preset_is_never_guessed_from_rules_that_happen_to_be_its_own():
    alike = with_house_rules(Rules(), PRESETS["1922 laws"].rows["standard"])
    assert alike == replace(preset_rules("1922 laws"), preset="")
    assert not is_by_preset(alike)


@pytest.mark.parametrize("preset", ["1925 laws", "ACC tournament"])
def test_a_preset_that_this_version_does_not_know_so_is_no_preset(preset):
    rules = Rules(preset=preset, muggins=True)
    assert not is_by_preset(rules)
    assert plain_rules(rules) == Rules()
    assert title(rules) == "standard with muggins=on"


# --- stored ---


@pytest.mark.parametrize(("name", "variant"), EACH_ROW)
def test_the_preset_is_stored_with_the_start_and_read_back(name, variant):
    rules = with_house_rules(preset_rules(name, variant), ["first deal=winner"] if variant != "solitaire" else [])
    kind, body = wire.event_values(Started(rules, ("Ann", "Bob")))
    assert wire.read_event(kind, json.loads(json.dumps(body))).rules == rules
    assert body["rules"]["preset"] == name


def test_a_start_without_a_preset_is_stored_as_release_0_2_0_stores_and_imports_it():
    _, body = wire.event_values(Started(Rules(), ("Ann", "Bob")))
    assert set(body["rules"]) == {field.name for field in fields(Rules)} - {"preset"}
