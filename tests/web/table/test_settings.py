"""What the table is set to: told to everyone, changed by a director, and at once in every page's view."""

from collections.abc import Callable
from unittest.mock import patch

import pytest

from pegboard.core.house_rules import HOUSE_RULES
from pegboard.core.presets import PRESETS
from pegboard.core.view import Brightness
from tests.support.web_server_and_clients import Site
from tests.web.access.test_sessions import paired
from web.access import sessions

PLACE = "/api/v1/settings"


def test_everybody_may_read_what_the_table_is_set_to(quiet: Site):
    told = quiet.get(PLACE)
    assert told.status == 200
    assert told.headers["cache-control"] == "no-store"
    values = told.json
    assert values["formats"][:2] == ["open", "single"]
    assert {one["name"]: one["seats"] for one in values["variants"]}["partners"] == 4
    assert values["journal"]["events"] == quiet.scoreboard.view.revision
    assert values["journal"]["began"] == pytest.approx(quiet.journal.rows()[0].at / 1e9)
    assert values["fitted"] == {"oled": True, "strip": True}
    assert values["night"] is None


def test_the_rules_of_the_house_are_told_for_the_running_game_and_for_each_variant(serve: Callable[..., Site]):
    values = serve(house=("muggins=on",)).get(PLACE).json
    assert values["house"] == ["muggins=on"]
    assert {one["name"]: one["house"] for one in values["variants"]}["short"] == ["muggins=on"]


def test_a_variant_that_cannot_be_played_by_the_rules_of_the_house_says_why(serve: Callable[..., Site]):
    values = serve(house=("triple wins match=on", "skunks=triple")).get(PLACE).json
    refused = {one["name"]: one["refused"] for one in values["variants"]}
    assert refused["standard"] is None
    assert "cannot be played this way" in refused["short"]


def test_brightness_is_in_the_next_view(site: Site):
    seen: list[Brightness] = []
    site.feed.follow(lambda view: seen.append(view.brightness))
    answer = site.post(PLACE, {"brightness": {"oled": 40, "strip": 0.25}})
    assert answer.status == 200
    assert answer.json["brightness"] == {"oled": 40, "strip": 0.25}
    assert seen == [Brightness(40, 0.25)]
    assert site.get(PLACE).json["brightness"] == {"oled": 40, "strip": 0.25}
    assert site.post(PLACE, {"brightness": {"oled": None}}).status == 200
    assert seen[-1] == Brightness(None, 0.25)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "`brightness` is missing"),
        ({"brightness": 7}, "`brightness` must be an object with"),
        ({"brightness": {"oled": 256}}, "`oled` (0 to 255)"),
        ({"brightness": {"oled": "40"}}, "not {"),
        ({"brightness": {"strip": 0}}, "`strip` (above 0, at most 1)"),
        ({"brightness": {"strip": True}}, "`strip` (above 0, at most 1)"),
        ({"brightness": {"strip": "0.5"}}, "not {"),
        ({"brightness": {"lamp": 1}}, "`brightness` must be an object"),
        ({"brightness": {}, "name": "x"}, "has no field"),
    ],
)
def test_what_is_no_brightness_is_refused(quiet: Site, body: dict[str, object], words: str):
    with quiet.as_it_was():
        answer = quiet.post(PLACE, body)
    assert answer.refusal == (422, "shape")
    assert words in answer.json["detail"]


@pytest.mark.parametrize(("role", "code"), [("viewer", "not_paired"), ("scorer", "role")])
def test_only_a_director_changes_them(quiet: Site, role: str, code: str):
    with patch.object(sessions, "role", return_value=role), quiet.as_it_was():
        assert quiet.post(PLACE, {"brightness": {"oled": 1}}).refusal == (403, code)
        assert quiet.get(PLACE).status == 200


# --- house rules of the next game ---


def begin(site: Site, **values: object):
    start = {"variant": "standard", "players": ["Ann", "Bob"], "replaces": site.game}
    return site.on_board("start", **start | values)


def plays(site: Site) -> list[str]:
    return list(site.get(PLACE).json["house"])


def test_every_house_rule_is_told_with_what_it_takes_and_what_each_variant_says_of_it(quiet: Site):
    values = quiet.get(PLACE).json
    rules = {one["name"]: one for one in values["house_rules"]}
    assert rules["muggins"] == {"name": "muggins", "values": ["off", "on"], "least": None, "most": None} | {
        "seats": [2, 3, 4, 5, 6]
    }
    assert rules["dealer six"]["seats"] == [3]
    assert (rules["game hole"]["least"], rules["game hole"]["most"], rules["game hole"]["values"]) == (31, 361, None)
    assert rules["skunks"]["values"] == ["on", "off", "triple", "triple wins match", "lurch"]
    usual = {one["name"]: one["usual"] for one in values["variants"]}
    assert (usual["short"]["game hole"], usual["acc"]["strict"], usual["acc"]["worth"]) == ("61", "on", "ACC 2-3-3")
    assert {name: set(said) for name, said in usual.items()} == {name: set(rules) for name in usual}


def test_a_game_is_begun_with_the_house_rules_that_it_names_and_no_others(serve: Callable[..., Site]):
    site = serve(house=("muggins=on",))
    assert begin(site, house=["skunks=triple", "misdeal=2"]).status == 201
    assert plays(site) == ["skunks=triple", "misdeal=2"]
    assert begin(site, house=[]).status == 201
    assert plays(site) == []


def test_the_next_game_of_any_input_keeps_house_rules_that_were_chosen_at_the_table(serve: Callable[..., Site]):
    site = serve(house=("muggins=on",))
    begin(site, house=["peg out=on"])
    assert begin(site).status == 201
    assert plays(site) == ["peg out=on"]
    site.scoreboard.keys.ask_new_game()
    site.scoreboard.keys.new_game()
    assert plays(site) == ["peg out=on"]


def test_another_variant_is_played_by_the_tables_own_house_rules_unless_it_names_some(serve: Callable[..., Site]):
    site = serve(house=("muggins=on",))
    begin(site, house=[])
    assert begin(site, variant="short").status == 201
    assert plays(site) == ["muggins=on"]


@pytest.mark.parametrize(
    ("house", "words"),
    [
        (["skunk=on"], "there is no house rule 'skunk'"),
        (["skunks=of"], "the house rule skunks must be on, off, triple, triple wins match, lurch, not 'of'"),
        (["game hole=30"], "the house rule game hole must be 31 to 361"),
        (["triple wins match=on", "skunks=off"], "a triple skunk needs three skunk lines"),
        ("muggins=on", "`house`"),
        ([7], "`house`"),
        (["x" * 41], "`house`"),
        (["muggins=on"] * (len(HOUSE_RULES) + 1), "`house`"),
    ],
)
def test_house_rules_that_nobody_can_play_are_refused(site: Site, house: object, words: str):
    with site.as_it_was():
        answer = begin(site, house=house)
        assert answer.status == 422
        assert words in answer.json["detail"]


def test_house_rules_are_chosen_by_the_director(serve: Callable[..., Site]):
    site = serve(open=False)
    device = paired(site)
    start = {"do": "start", "variant": "standard", "players": ["Ann", "Bob"], "replaces": site.game}
    board = {"id": "a" * 22, "game": site.game, "base": site.scoreboard.view.revision}
    answer = device.post("/api/v1/commands", start | board | {"house": ["muggins=on"]})
    assert (answer.status, answer.json["detail"]) == (403, "only the director can choose house rules")
    assert device.post("/api/v1/commands", start | board).status == 201


# --- presets ---


def sheet_of(site: Site) -> dict[str, list[str] | str]:
    return dict(site.get("/api/v1/state").json["game"]["preset"])


def test_every_preset_is_told_with_its_variants_and_what_they_say_of_each_house_rule(quiet: Site):
    values = quiet.get(PLACE).json
    laws = next(one for one in values["presets"] if one["name"] == "1922 laws")
    assert [row["variant"] for row in laws["rows"]] == ["standard"]
    assert (laws["rows"][0]["usual"]["misdeal"], laws["rows"][0]["usual"]["skunks"]) == ("2", "lurch")
    assert "game hole=61" in laws["options"]
    assert [one["name"] for one in values["presets"]] == list(PRESETS)
    assert all(set(row["usual"]) == set(HOUSE_RULES) for one in values["presets"] for row in one["rows"])


def test_a_game_by_a_preset_names_it_with_what_the_players_changed(serve: Callable[..., Site]):
    site = serve(house=("muggins=on",))
    assert "preset" not in site.get("/api/v1/state").json["game"]
    assert begin(site, preset="1922 laws").status == 201
    assert sheet_of(site) == {"name": "1922 laws", "chosen": [], "changed": []}
    assert begin(site, preset="1922 laws", house=["game hole=61", "misdeal=0"]).status == 201
    assert sheet_of(site) == {"name": "1922 laws", "chosen": ["game hole=61"], "changed": ["misdeal=0"]}
    assert plays(site) == ["game hole=61", "misdeal=0"]
    assert begin(site).status == 201
    assert sheet_of(site)["name"] == "1922 laws", "the next game goes on by the sheet"
    assert begin(site, house=[]).status == 201
    assert "preset" not in site.get("/api/v1/state").json["game"]


def test_the_list_of_games_names_the_preset(serve: Callable[..., Site]):
    site = serve()
    assert begin(site, preset="Box sheet", variant="box-sheet").status == 201
    first, *_ = site.get("/api/v1/games").json["games"]
    assert first["preset"] == {"name": "Box sheet", "chosen": [], "changed": []}
    assert site.get(f"/api/v1/games/{site.game}").json["preset"] == first["preset"]
    assert begin(site, house=[]).status == 201
    assert site.get("/api/v1/games").json["games"][0]["preset"] is None


@pytest.mark.parametrize(
    ("start", "refusal", "sentence"),
    [
        ({"preset": "1922 law"}, (422, "rule"), "there is no preset '1922 law'"),
        ({"preset": 1922}, (422, "shape"), "`preset` must be the name of a printed rule sheet"),
        ({"preset": "1922 laws", "variant": "short"}, (422, "rule"), "1922 laws is not played as short"),
        ({"preset": "1922 laws", "house": ["jokers=wild"]}, (422, "rule"), "there is no house rule"),
    ],
)
def test_a_preset_that_cannot_be_played_is_refused(quiet: Site, start, refusal, sentence: str):
    with quiet.as_it_was():
        answer = begin(quiet, **start)
    assert answer.refusal == refusal
    assert sentence in answer.json["detail"]


def test_only_a_director_chooses_a_preset(quiet: Site):
    with patch.object(sessions, "role", return_value="scorer"), quiet.as_it_was():
        answer = begin(quiet, preset="1922 laws")
    assert answer.status == 403
    assert "only the director can choose house rules" in answer.json["detail"]
