"""The settings: the next game with its question, brightness down to the devices, and what is closed says why."""

import re

import pytest
from playwright.sync_api import expect

from pegboard.messages import Message
from tests.browser.conftest import paired
from tests.browser.laid_games import Table, run_to
from tests.browser.looks import assert_clean, wrong_looks
from tests.support.long_runs import some_in_turn


def settings(table, look, **more):
    page = look(f"{table.url}/settings", **more)
    page.locator("#facts dd").first.wait_for()
    return page


def contrast(table):
    devices = table.client.ask("GET", "/api/v1/bench")[1]
    return devices["panel"]["contrast"]


@pytest.mark.looks
@pytest.mark.parametrize("theme", some_in_turn(["light", "dark"], 1))
def test_they_look_right_at_every_size_and_axe_finds_nothing_in_card_and_question(table, look, theme):
    table.lay((0, 12, "play"), players=("Ann-of-the-longest Neighbourhood", "Bob-from-the-uppermost Floor"))
    page = settings(table, look, theme=theme)
    page.locator("#variant").select_option("partners")
    page.locator("#match").select_option("first to ")
    assert wrong_looks(page) == {}
    page.locator("#start").click()
    assert_clean(page)
    page.locator("#variant").select_option("standard")
    page.locator("#start").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert wrong_looks(page, ["short", "tv"]) == {}
    assert_clean(page)


def test_a_next_game_says_what_becomes_of_the_running_one_and_is_started_once(table, look):
    table.lay((0, 12, "play"), (1, 3, "play"))
    before = table.state
    page = settings(table, look)
    page.locator("#variant").select_option("three-handed")
    page.locator("#start").click()
    expect(page.locator("#wrong")).to_have_text("Enter a name for player 3.")
    expect(page.get_by_role("textbox", name="Player 3")).to_be_focused()
    page.get_by_role("textbox", name="Player 3").fill("  ANN ")
    page.locator("#start").click()
    expect(page.locator("#wrong")).to_contain_text("Two players are called ANN")
    page.get_by_role("textbox", name="Player 3").fill(" Cy  Kay ")
    page.locator("#dealer").select_option("2")
    page.locator("#start").click()
    expect(page.locator("#confirm-title")).to_have_text("Start a game for Ann, Bob, and Cy Kay?")
    expect(page.locator("#confirm-then")).to_contain_text("The current game (Ann 12 and Bob 3) will be abandoned")
    expect(page.get_by_role("button", name="Keep playing")).to_be_focused()
    page.keyboard.press("Enter")
    assert table.state == before
    page.locator("#start").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#keys")).to_be_visible()  # it leads on to the pad
    state = table.state
    assert [seat["name"] for seat in state["seats"]] == ["Ann", "Bob", "Cy Kay"]
    assert (state["dealer"], state["game"]["variant"], state["entries"]) == (2, "three-handed", [])


def test_others_play_the_next_game_and_finished_games_keep_their_names(table, look):
    table.lay(*run_to(0, 121), match="best of 5")
    page = look(table.url, holder=None)
    page.get_by_role("button", name="Both").tap()
    page.get_by_role("link", name="Settings").click()
    expect(page.locator("main h2").first).to_have_text("Next game")
    page.locator(".names summary").click()
    name = page.locator("#names").get_by_role("textbox", name="Player 1")
    name.fill("Cy")
    page.get_by_role("button", name="Save").click()
    question = page.get_by_role("dialog", name="Same person, or someone else?")
    expect(question).to_contain_text(re.compile("Ann.* → .*Cy.*every game of this match, including finished ones"))
    assert wrong_looks(page, ["phone", "short", "tv"]) == {}
    assert_clean(page)
    question.get_by_role("button", name="Someone else", exact=True).click()
    expect(name).to_have_value("Ann")
    expect(page.locator("#players").get_by_role("textbox", name="Player 1")).to_have_value("Cy")
    page.locator("#match").select_option("best of 3")
    page.locator("#start").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".tile.mine .name")).to_have_text("Cy")
    page.get_by_role("button", name="4", exact=True).tap()
    expect(page.locator(".tile.mine .hero")).to_have_text("4")  # a phone that everyone uses stays one
    games = table.client.ask("GET", "/api/v1/games")[1]["games"]
    assert games[1]["players"] == ["Ann", "Bob"]


def test_others_named_before_the_settings_have_come_play_the_next_game(table, look):
    table.lay(*run_to(0, 121))
    page = look(table.url)
    page.route("**/api/v1/settings", lambda _: None)  # held until no longer routed
    page.get_by_role("link", name="Settings").click()
    page.locator(".names summary").click()
    page.locator("#names").get_by_role("textbox", name="Player 1").fill("Cy")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Someone else", exact=True).click()
    page.unroute("**/api/v1/settings")
    expect(page.locator("#players").get_by_role("textbox", name="Player 1")).to_have_value("Cy")


def test_a_misspelled_name_is_corrected_in_finished_games_too_after_a_question(table, look):
    table.lay(*run_to(0, 121), players=("Ann", "Bbo"))
    page = look(table.url)
    page.get_by_role("link", name="Settings").click()
    page.locator(".names summary").click()
    page.locator("#names").get_by_role("textbox", name="Player 2").fill("Bob")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Same person", exact=True).click()
    expect(page.locator("#told")).to_have_text("Bbo is now Bob.")
    assert [seat["name"] for seat in table.state["seats"]] == ["Ann", "Bob"]


def test_house_rules_are_chosen_in_words_and_played(table, look):
    page = settings(table, look)
    page.locator(".house summary").click()
    muggins = page.get_by_role("combobox", name="Muggins", exact=True)
    expect(muggins.locator("option")).to_have_text(["Default: no muggins", "Muggins"])
    assert [said for said in page.locator("#house-rules option").all_text_contents() if "=" in said] == []
    expect(page.get_by_role("combobox", name="Over-pegging")).to_have_value("none")
    muggins.select_option("Muggins")
    page.get_by_role("combobox", name="Skunks", exact=True).select_option("Triple skunks")
    hole = page.get_by_role("spinbutton", name="Game hole, 31 to 361 (default: 121)")
    hole.fill("30")
    expect(page.locator("#house")).to_have_text("Game hole: enter a whole number from 31 to 361.")
    page.locator(".house summary").click()
    page.locator("#start").click()
    expect(page.locator("#wrong")).to_have_text("Game hole: enter a whole number from 31 to 361.")
    expect(hole).to_be_focused()
    hole.fill("121")
    page.get_by_role("combobox", name="Three players: six to the dealer").select_option("on")
    expect(page.locator("#house")).to_have_text("House rules: triple skunks and muggins")
    assert wrong_looks(page) == {}
    assert_clean(page)
    page.locator("#start").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#keys")).to_be_visible()
    assert table.client.ask("GET", "/api/v1/settings")[1]["house"] == ["skunks=triple", "muggins=on"]
    page = settings(table, look)
    page.locator(".house summary").click()
    page.locator("#variant").select_option("acc")
    expect(page.get_by_role("combobox", name="Changes").locator("option:checked")).to_have_text(
        "Default: only the director can change lines"
    )
    expect(page.locator("#house")).to_have_text("The variant’s own rules; no house rules.")


@pytest.mark.long
def test_what_a_variant_says_stays_though_the_house_rule_has_no_word_for_it(table, look):
    """Skunk lines at 70 and 45: no words such as "triple" say so, and the game begins with them."""
    page, sent = settings(table, look), []

    def answer(route):
        told = route.fetch().json() | {"house": []}
        for variant in told["variants"]:
            variant["usual"]["skunks"], variant["house"] = "(70, 45)", []
        route.fulfill(json=told)

    page.route("**/api/v1/settings", answer)
    look.listen(
        page, "request", lambda request: sent.append(request.post_data_json) if request.method == "POST" else None
    )
    page.reload()
    page.locator(".house summary").click()
    skunks = page.get_by_role("combobox", name="Skunks", exact=True)
    expect(skunks).to_have_value("(70, 45)")
    expect(skunks.locator("option").first).to_have_text("Default: the variant’s default")
    expect(page.locator("#house")).to_have_text("The variant’s own rules; no house rules.")
    page.locator("#start").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#keys")).to_be_visible()
    assert [command["house"] for command in sent if command.get("do") == "start"] == [[]]


@pytest.mark.long
def test_a_new_match_is_begun_in_any_length(table, look):
    page = settings(table, look)
    page.locator("#match").select_option("first to ")
    page.locator("#games").fill("0")
    page.locator("#start").click()
    expect(page.locator("#wrong")).to_have_text("Enter 1 to 99 games.")
    page.locator("#games").fill("9")
    page.locator("#start").click()
    expect(page.locator("#confirm-then")).to_contain_text("so nothing is lost. The current match will end.")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#keys")).to_be_visible()
    assert table.state["match"]["format"] == "first to 9"


@pytest.mark.long
def test_what_has_moved_since_the_question_is_said_and_nothing_is_done(table, look):
    look.excuse("409")
    page = settings(table, look)
    page.locator("#start").click()
    table.score(0, 4, "play")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#told")).to_have_text("The score has changed since you looked; check it and try again")
    assert table.fronts == [4, 0]


@pytest.mark.long
def test_that_the_table_did_not_answer_is_said_until_it_does(table, look):
    look.excuse("ERR_FAILED")
    page = look(f"{table.url}/settings")
    page.locator("#facts dd").first.wait_for()
    page.route("**/api/v1/settings", lambda route: route.abort())
    table.lay(players=("Cy", "Dee"))
    expect(page.locator("#told")).to_have_text("The table is not answering.")
    page.unroute("**/api/v1/settings")
    table.lay()
    expect(page.locator("#told")).to_have_text("")
    expect(page.locator("#facts")).to_contain_text("Ann and Bob")


@pytest.mark.looks
def test_a_refusal_is_said_in_french_on_a_french_page(closed, browser):
    context = browser.new_context(locale="fr", viewport={"width": 390, "height": 844})
    page = paired(context, closed, "director").new_page()
    page.goto(f"{closed.url}/settings")
    page.locator("#facts dd").first.wait_for()
    moved = Message("moved_board")
    refused = moved.as_json() | {"detail": str(moved), "code": "moved"}
    page.route("**/api/v1/settings", lambda route: route.fulfill(status=422, json=refused))
    page.locator("#light-oled").fill("20")
    expect(page.locator("#told")).to_have_text("Le score a changé depuis ; le vérifier et réessayer")
    page.unroute("**/api/v1/settings")
    page.route("**/api/v1/settings", lambda route: route.abort())
    page.locator("#light-oled").fill("30")
    expect(page.locator("#told")).to_have_text("La table ne répond pas.")
    assert page.locator("#told").get_attribute("lang") is None
    context.close()


def test_brightness_goes_from_the_slider_to_the_devices_and_back_to_as_set(table, look):
    page = settings(table, look)
    usual = contrast(table)
    page.get_by_label("Panel").fill("20")
    expect(page.locator(".lamp output").first).to_have_text("20%")
    page.wait_for_function("async () => (await (await fetch('/api/v1/bench')).json()).panel.contrast === 51")
    assert table.client.ask("GET", "/api/v1/settings")[1]["brightness"]["oled"] == 51
    page.get_by_role("button", name="Reset to 81%").click()
    expect(page.locator(".lamp output").first).to_have_text("81%")
    page.wait_for_function(f"async () => (await (await fetch('/api/v1/bench')).json()).panel.contrast === {usual}")


@pytest.mark.long
def test_who_may_not_change_them_reads_them_and_why_and_a_director_unpairs_everybody(closed, look, devices):
    Table(closed, "director").lay()
    kept, context = devices("phone", "everyone", "light", "reduce")
    page = look(f"{closed.url}/settings", context=context)
    expect(page.locator("#closed")).to_contain_text(
        "Only the director can change these settings. This device is view-only: open the pairing page"
    )
    expect(page.locator("#start")).to_be_disabled()
    expect(page.locator("#variant")).to_have_value("standard")
    for slider in page.locator("#lights input").all():
        expect(slider).to_be_disabled()
    expect(page.locator("#language")).to_be_enabled()
    expect(page.locator("#pairing .code")).to_have_count(1)  # this machine is the table's own
    assert_clean(page)
    paired(context, closed, "director")
    page.reload()
    expect(page.locator("#start")).to_be_enabled()
    expect(page.locator("#closed")).to_be_hidden()
    assert wrong_looks(page) == {}
    page.get_by_role("button", name="Unpair all devices").click()
    page.get_by_role("button", name="Unpair all", exact=True).click()
    expect(page.locator("#told")).to_have_text("All devices are unpaired, including this one.")
    expect(page.locator("#start")).to_be_disabled()
    page.close()
    context.clear_cookies()
    kept.append(context)


@pytest.mark.long
def test_a_director_unpairs_one_phone_by_its_line_and_sees_who_is_left(closed, look, devices):
    Table(closed, "director").lay()
    kept, context = devices("phone", "everyone", "light", "reduce")
    phone = closed.client(role="scorer")
    page = look(f"{closed.url}/settings", context=paired(context, closed, "director"))
    lines = page.locator(".paired li")
    expect(lines.first).to_contain_text("this device")
    before = lines.count()
    theirs = lines.filter(has_text="Scorer").first
    theirs.get_by_role("button", name="Unpair").click()
    expect(page.locator("#confirm")).to_contain_text("is view-only until it is paired again. No score is lost.")
    assert wrong_looks(page) == {}
    page.locator("#confirm").get_by_role("button", name="Keep it paired").click()
    assert phone.ask("GET", "/api/v1/me")[1]["role"] == "scorer"
    theirs.get_by_role("button", name="Unpair").click()
    page.locator("#confirm").get_by_role("button", name="Unpair", exact=True).click()
    expect(page.locator("#told")).to_contain_text("is no longer paired.")
    expect(lines).to_have_count(before - 1)
    phone.connection.close()  # the table ends it as well, sooner or later
    assert phone.ask("GET", "/api/v1/me")[1]["role"] == "viewer"
    assert_clean(page)
    assert wrong_looks(page) == {}
    page.close()
    context.clear_cookies()
    kept.append(context)


@pytest.mark.long
def test_machine_is_switched_off_after_a_question_and_only_where_pegboard_may(table, look):
    page = settings(table, look)
    expect(page.locator("#power")).to_be_hidden()
    posted = []

    def with_switch(route):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"power_off": True})

    def switch_off(route):
        posted.append(route.request.post_data_json)
        route.fulfill(json={"switching_off": True})

    page.route("**/api/v1/settings", with_switch)
    page.route("**/api/v1/power", switch_off)
    page.reload()
    page.locator("#facts dd").first.wait_for()
    button = page.locator("#power-off")
    expect(button).to_be_visible()
    expect(button).to_be_enabled()
    assert_clean(page)
    button.click()
    expect(page.locator("#confirm-title")).to_have_text("Shut down the table\u2019s machine?")
    expect(page.get_by_role("button", name="Leave it on")).to_be_focused()
    page.keyboard.press("Enter")
    assert posted == []
    button.click()
    page.get_by_role("dialog").get_by_role("button", name="Shut down").click()
    expect(page.locator("#told")).to_contain_text("unplug when the Pi\u2019s green light stays off")
    assert posted == [{"off": True}]
