"""What the table is set to: told to everybody, changed by a director, and at once in every window's view."""

from collections.abc import Callable
from unittest.mock import patch

import pytest

from pegboard.core.view import Brightness
from tests.web.client import Site
from web import access

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
    assert "cannot be played so" in refused["short"]


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
        ({"brightness": 7}, "`brightness` is an object with"),
        ({"brightness": {"oled": 256}}, "`oled`, from 0 to 255"),
        ({"brightness": {"oled": "40"}}, "not {"),
        ({"brightness": {"strip": 0}}, "`strip`, over 0 up to 1"),
        ({"brightness": {"strip": True}}, "`strip`, over 0 up to 1"),
        ({"brightness": {"strip": "0.5"}}, "not {"),
        ({"brightness": {"lamp": 1}}, "`brightness` is an object"),
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
    with patch.object(access, "role", return_value=role), quiet.as_it_was():
        assert quiet.post(PLACE, {"brightness": {"oled": 1}}).refusal == (403, code)
        assert quiet.get(PLACE).status == 200
