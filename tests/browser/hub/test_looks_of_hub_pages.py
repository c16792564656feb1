"""What every page of a hub looks like at every size: nothing cut, nothing small, nothing one may not read or reach."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from pegboard.tournament.calls import TableCall
from pegboard.tournament.night.night_state import Author, Role
from tests.browser.looks import ENLARGED, READABLE_FAR, assert_clean, others_in_looks, wrong_looks

LANGUAGES = Path(__file__).parents[3] / "web" / "languages"
LONG = ("Ann-of-the-longest Neighbourhood", "Bob-from-the-uppermost Floor", "Cy-behind-the-enormous Bookshelf")
ANNOUNCED = "Game 2 begins at nine, and the coffee is ready in the kitchen"
TABS = ("people", "games", "standings", "finals", "money", "log")
NEAR = ("narrow", "phone", "tablet", "desk", "tv")


@pytest.fixture(scope="module")
def night(shown_hub):
    """A night of nine in the middle: long names, a mismatch, a call, a slow table and one offline, a pot."""
    hub = shown_hub
    night = hub.open_night(games=3, fee=1000)
    names = [*LONG, "Dee", *(f"Player {number}" for number in range(5, 10))]
    for name in names:
        hub.do(night, "enter", name=name, walk_up=True, number="MI101" if name == "Dee" else "")
    hub.do(night, "enter", name="Player 10")
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    first, second, third, fourth = (game for game in hub.view(night)["rounds"][0]["games"])
    for game, (margin, other) in ((first, (21, 16)), (second, (33, 33))):
        for player, won, said in zip(game["players"], (True, False), (margin, other), strict=True):
            by = Author(Role.PLAYER, player)
            hub.do(night, "claim", by, game=game["game"], player=player, won=won, margin=said)
    now = hub.clock[0]
    for game, online, last in ((third, True, now - 400_000), (fourth, False, now - 4_000)):
        state = {"scores": [97, 104], "players": ["Ann", "Bob"]}
        hub.feed.rows[game["table"]] = {"online": online, "since": now - 300_000, "last_at": last, "state": state}
    pot = hub.do(night, "open_pot", kind="q_pool", fee=500).decision.pot
    for player in ("p1", "p2"):
        hub.do(night, "enter_pot", pot=pot, player=player)
    hub.do(night, "announce", text=ANNOUNCED)
    hub.nights.change_calls(night, lambda calls: calls.with_call(TableCall("c1", third["table"], "judge", now)))
    return night


@pytest.fixture(scope="module")
def finished(shown_hub):
    """A night of nine that has come to its bracket."""
    hub = shown_hub
    night = hub.open_night(games=2, cut="half")
    hub.enter(night, 9)
    hub.do(night, "draw")
    for place, game in enumerate(game for one in hub.view(night)["rounds"] for game in one["games"]):
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=3 + 7 * place)
    for tie in hub.view(night)["cut"]["ties"]:
        hub.do(night, "break_tie", players=tie["players"])
    hub.do(night, "close_cut")
    hub.do(night, "draw_bracket", bracket="main")
    return night


def opened(hub, open_device, path, size="desk", **more):
    page = open_device(size, client=hub.director(), **more)
    page.goto(hub.url.rstrip("/") + path)
    if "/print/" not in path and path.startswith("/night/"):
        page.locator(".link.live").wait_for()
    return page


@pytest.mark.parametrize("theme", others_in_looks("light", "dark"))
def test_no_part_of_the_desk_is_cut_small_or_in_the_way(shown_hub, night, finished, open_device, theme):
    wrong = {}
    for stage in (night, finished):
        page = opened(shown_hub, open_device, f"/night/{stage}", theme=theme)
        for tab in TABS:
            page.locator(f"#tab-{tab}").click()
            sizes = NEAR if theme == "light" else ("phone", "desk")
            wrong |= {(tab, size): found for size, found in wrong_looks(page, sizes).items()}
            if theme == "light" or tab in ("games", "people"):
                assert_clean(page, in_each_run=stage == night)
        page.close()
    assert wrong == {}


@pytest.mark.parametrize("language", others_in_looks("fr-FR", "en-GB"))
def test_a_desk_that_is_enlarged_twice_scrolls_nothing_sideways(shown_hub, night, finished, open_device, language):
    wrong = {}
    for stage in (night, finished):
        page = opened(shown_hub, open_device, f"/night/{stage}", "phone", language=language)
        for tab in TABS:
            page.locator(f"#tab-{tab}").click()
            wrong |= {(tab, size): found for size, found in wrong_looks(page, ENLARGED).items()}
            rows = page.locator(":is(.person, .said) > p:first-child:visible").all()
            assert [row.inner_text() for row in rows if row.bounding_box()["width"] < 100] == []
        page.close()
    beyond = wrong.pop(("standings", ENLARGED[0]), [])
    assert wrong == {}
    assert all(re.match(r"beyond the edge: T(HEAD|BODY|R|H|D)\b", one) for one in beyond), "the table alone scrolls"


def test_names_on_a_narrow_roster_have_room_beside_long_keys(shown_hub, night, open_device):
    page = opened(shown_hub, open_device, f"/night/{night}", "narrow", language="fr-FR")
    page.locator("#tab-people").click()
    rows = page.locator(".person > p:first-child:visible").all()
    assert rows
    assert [row.inner_text() for row in rows if row.bounding_box()["width"] < 100] == []
    assert wrong_looks(page, ("narrow",)) == {}


@pytest.mark.looks
def test_sheets_of_the_desk_are_whole_and_clean(shown_hub, night, open_device):
    page = opened(shown_hub, open_device, f"/night/{night}", "phone")
    wrong = {}
    page.locator("#tab-games").click()
    for key in (".needs [data-opens^=rule]", "#games [data-opens^=game]", "#games [data-opens^=result]"):
        page.locator(key).first.click()
        expect(page.locator("#sheet")).to_be_visible()
        wrong |= {(key, size): found for size, found in wrong_looks(page, ("phone", "desk")).items()}
        assert_clean(page)
        page.keyboard.press("Escape")
    assert wrong == {}


@pytest.mark.long
def test_a_key_that_is_out_of_use_says_why_where_it_is_pressed(shown_hub, finished, open_device):
    page = opened(shown_hub, open_device, f"/night/{finished}")
    page.locator("#tab-people").click()
    for key in page.locator("[aria-disabled=true]").all():
        assert key.get_attribute("title"), key.inner_text()
    page.locator("#tab-games").click()
    key = page.locator("#games [aria-disabled=true]").first
    reason = key.get_attribute("title")
    key.click(force=True)  # for it can be pressed, whatever it is called
    expect(page.locator(".why[data-beside]")).to_have_text(reason)


@pytest.mark.parametrize("theme", others_in_looks("light", "dark"))
def test_a_players_phone_is_whole_at_every_size(shown_hub, night, finished, open_device, theme):
    wrong = {}
    for stage in (night, finished):
        page = opened(shown_hub, open_device, f"/night/{stage}/me?player=p1", "phone", theme=theme)
        page.locator("#card-rows tr").first.wait_for()
        wrong |= {
            (stage, size): found for size, found in wrong_looks(page, ("narrow", "phone", "lying", "tablet")).items()
        }
        assert_clean(page, in_each_run=stage == night)
        page.close()
    assert wrong == {}


@pytest.mark.looks
def test_a_players_phone_that_is_enlarged_twice_scrolls_nothing_sideways(shown_hub, night, finished, open_device):
    for stage in (night, finished):
        page = opened(shown_hub, open_device, f"/night/{stage}/me?player=p1", "phone")
        page.locator("#card-rows tr").first.wait_for()
        for width, height in ENLARGED:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("() => document.documentElement.scrollWidth") == width, stage
        page.close()


def test_the_big_screen_is_read_from_across_the_room(shown_hub, night, finished, open_device):
    wrong = {}
    for stage in (night, finished):
        page = opened(shown_hub, open_device, f"/night/{stage}/screen", "tv")
        page.locator("#standings tr").first.wait_for()
        far = wrong_looks(page, ("tv",), readable=READABLE_FAR)
        wrong |= {(stage, size): found for size, found in far.items()}
        wrong |= {(stage, size): found for size, found in wrong_looks(page, ("desk", "tablet", "phone")).items()}
        assert_clean(page, in_each_run=stage == night)
        page.close()
    assert wrong == {}


def test_lists_codes_and_printed_pages_are_whole(shown_hub, finished, open_device):
    page, wrong = open_device("phone", client=shown_hub.director()), {}
    printed = [f"/night/{finished}/print/{kind}" for kind in ("cards", "blank", "seats", "standings", "bracket")]
    for path in ("/", "/season", "/j/", "/d/", "/p/", "/t/482913", "/r/", *printed):
        page.goto(shown_hub.url.rstrip("/") + path)
        sizes = ("phone", "desk") if path not in printed else ("desk",)
        wrong |= {
            (path, size): found
            for size, found in wrong_looks(page, sizes, readable=11 if path in printed else 14).items()
        }
        assert_clean(page)
    assert wrong == {}


ENGLISH = re.compile(r"(?<!-)\b(the|of|with|and|is|are|your|this|has|was)\b(?!-)", re.IGNORECASE)
"""Words that no French sentence has."""

SHOWN = """() => {
    const seen = (node) => node.checkVisibility({visibilityProperty: true}) &&
        !node.closest('script, [lang=en], .name, .code, #announcements');
    const texts = [...document.querySelectorAll('body *')].filter(seen).flatMap(node => [
        ...[...node.childNodes].filter(child => child.nodeType === Node.TEXT_NODE).map(child => child.textContent),
        ...['aria-label', 'title', 'placeholder', 'alt'].map(name => node.getAttribute(name) ?? ''),
    ]);
    return [...new Set(texts.map(text => text.replace(/\\s+/g, ' ').trim()).filter(Boolean))];
}"""


@pytest.mark.looks
def test_every_page_is_french_through_and_through(shown_hub, night, finished, open_device):
    names = {*LONG, "Dee", "Club night", ANNOUNCED, *(f"Player {number}" for number in range(5, 11))}
    english = {
        text
        for text in json.loads((LANGUAGES / "en.json").read_text("utf-8"))["hub"].values()
        if isinstance(text, str) and "{" not in text
    } - {
        text for text in json.loads((LANGUAGES / "fr.json").read_text("utf-8"))["hub"].values() if isinstance(text, str)
    }
    wrong, cut = {}, {}
    for stage in (night, finished):
        page = opened(shown_hub, open_device, f"/night/{stage}", language="fr-FR")
        for tab in TABS:
            page.locator(f"#tab-{tab}").click()
            found = [text for text in page.evaluate(SHOWN) if not any(name in text for name in names)]
            if left := [text for text in found if text in english or ENGLISH.search(text)]:
                wrong[stage, tab] = left
            cut |= {(tab, size): found for size, found in wrong_looks(page, ("phone", "desk")).items()}
        page.close()
    for path in (
        f"/night/{night}/me?player=p1",
        f"/night/{night}/screen",
        "/",
        "/d/",
        f"/night/{finished}/print/standings",
    ):
        page = opened(shown_hub, open_device, path, language="fr-FR")
        found = [text for text in page.evaluate(SHOWN) if not any(name in text for name in names)]
        if left := [text for text in found if text in english or ENGLISH.search(text)]:
            wrong[path] = left
        page.close()
    assert (wrong, cut) == ({}, {})


@pytest.mark.looks
def test_a_desk_without_a_side_column_keeps_no_room_for_one(shown_hub, finished, open_device):
    page = opened(shown_hub, open_device, f"/night/{finished}")
    page.locator("#tab-finals").click()
    expect(page.locator(".rail")).to_be_hidden()
    step, window = page.locator(".step").bounding_box(), page.evaluate("document.documentElement.clientWidth")
    assert window - step["x"] - step["width"] == step["x"]


@pytest.mark.long
def test_a_bracket_too_large_for_the_big_screen_shows_the_matches_that_are_played(shown_hub, open_device):
    hub = shown_hub
    night = hub.open_night(games=1, cut="half")
    hub.enter(night, 40)
    hub.do(night, "draw")
    for place, game in enumerate(game for one in hub.view(night)["rounds"] for game in one["games"]):
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=1 + place)
    hub.do(night, "close_cut")
    hub.do(night, "draw_bracket", bracket="main")
    page = opened(hub, open_device, f"/night/{night}/screen", "tv")
    played = [one for one in hub.view(night)["brackets"][0]["matches"] if one["round"] == 1 and not one["bye"]]
    expect(page.locator("#games .game")).to_have_count(len(played))
    expect(page.locator("#brackets")).to_be_hidden()
    names = hub.view(night)["names"]
    expect(page.locator("#games")).to_contain_text(names[played[0]["players"][0]])


@pytest.mark.long
def test_all_of_eighty_are_in_sight_within_two_pages_of_the_big_screen(shown_hub, open_device):
    hub = shown_hub
    night = hub.open_night(games=1)
    hub.enter(night, 80)
    page = opened(hub, open_device, f"/night/{night}/screen", "tv")
    expect(page.locator("#people li")).to_have_count(40)


CUT_NAMES = """
() => [...document.querySelectorAll(".name")].filter((name) => name.offsetParent)
  .filter((name) => name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1)
  .map((name) => name.textContent)
"""


@pytest.mark.looks
def test_no_long_name_of_seventy_five_is_cut_on_the_big_screen(shown_hub, open_device):
    hub = shown_hub
    night = hub.open_night(games=1)
    for number in range(1, 76):
        hub.do(night, "enter", name=f"Maximiliane Featherstonehaugh-Cholmondeley {number}", walk_up=True)
    page = opened(hub, open_device, f"/night/{night}/screen", "tv")
    found = {}
    for word, fields, shown in (
        (None, {}, "#people li"),
        ("draw", {}, "#seats li"),
        ("start_round", {"round": 1}, "#games li"),
    ):
        if word:
            hub.do(night, word, **fields)
        expect(page.locator(shown).first).to_be_visible()
        if cut := page.evaluate(CUT_NAMES):
            found[shown] = len(cut)
    assert found == {}


@pytest.mark.long
def test_who_has_left_before_the_draw_is_gone_from_the_big_screen_even_if_nobody_is_left(shown_hub, open_device):
    hub = shown_hub
    night = hub.open_night(games=1)
    hub.enter(night, 1)
    page = opened(hub, open_device, f"/night/{night}/screen", "tv")
    expect(page.locator("#people li")).to_have_count(1)
    hub.do(night, "leave", player="p1")
    expect(page.locator("#people li")).to_have_count(0)
