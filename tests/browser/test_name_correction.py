"""A misspelt name is corrected in place: on the phone under More and in the settings, by touch, keys and ear."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SIZES, paired
from tests.browser.laid_games import Table
from tests.browser.looks import assert_clean, wrong_looks
from tests.browser.pad import SAID
from tests.support.long_runs import some_in, some_in_turn
from tests.support.program import Service


@pytest.fixture
def misspelt(table):
    return table.lay((0, 12, "play"), players=("Ann", "Bbo"))


def opened(page):
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Change a name").click()
    expect(page.locator("dialog.names")).to_be_visible()
    return page


def settings(table, look, **more):
    page = look(f"{table.url}/settings", **more)
    page.locator("#facts dd").first.wait_for()
    page.locator(".names summary").click()
    return page


def names(table):
    return [seat["name"] for seat in table.state["seats"]]


@pytest.mark.long
def test_the_phone_corrects_a_name_under_more(misspelt, look):
    page = opened(look(misspelt.url))
    field = page.get_by_role("textbox", name="Player 2")
    expect(field).to_have_value("Bbo")
    field.fill("Bob")
    page.evaluate(SAID)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog.names")).to_be_hidden()
    expect(page.locator(".tile.other .name")).to_have_text("Bob")
    assert names(misspelt) == ["Ann", "Bob"]
    assert "Bbo is now Bob." in page.evaluate("window.said")
    assert misspelt.state["lanes"][0]["front"] == 12


@pytest.mark.long
def test_a_name_is_corrected_by_the_keyboard_alone(misspelt, look):
    page = look(misspelt.url, "desk")
    page.get_by_role("button", name="More", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Change a name").focus()
    page.keyboard.press("Enter")
    first = page.get_by_role("textbox", name="Player 1")
    expect(first).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Player 2")).to_be_focused()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("Bob 12")  # digits are letters here and peg nothing
    page.keyboard.press("Enter")
    expect(page.locator("dialog.names")).to_be_hidden()
    expect(page.get_by_role("button", name="More", exact=True)).to_be_focused()
    assert (names(misspelt), misspelt.state["lanes"][0]["front"]) == (["Ann", "Bob 12"], 12)


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Bbo", "Change a name first."),
        ("  ", "Enter a name for player 2."),
        ("aNN", "two players are called aNN. Give each a different name"),
        ("Bo\u200bb", "a player's name must consist of visible characters only"),
    ],
)
def test_what_is_no_name_is_said_in_place_and_nothing_is_lost(misspelt, look, name, sentence):
    look.excuse("the server responded with a status of 4")
    page = opened(look(misspelt.url))
    field = page.get_by_role("textbox", name="Player 2")
    field.fill(name)
    page.get_by_role("button", name="Save").click()
    wrong = page.locator("dialog.names [role=alert]")
    expect(wrong).to_contain_text(sentence[0].upper() + sentence[1:])
    at_fault = page.locator("dialog.names [aria-invalid=true]")
    expect(at_fault).to_be_focused()
    expect(at_fault).to_have_attribute("aria-describedby", wrong.get_attribute("id"))
    expect(field).to_have_value(name)
    assert names(misspelt) == ["Ann", "Bbo"]
    field.fill("Bob")
    expect(wrong).to_be_empty()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog.names")).to_be_hidden()
    assert names(misspelt) == ["Ann", "Bob"]


@pytest.mark.long
def test_a_name_that_another_has_corrected_meanwhile_is_said(misspelt, look):
    look.excuse("the server responded with a status of 4")
    page = opened(look(misspelt.url))
    field = page.get_by_role("textbox", name="Player 2")
    field.fill("Bobby")
    misspelt.ask("rename", **{"seat": 1, "from": "Bbo", "to": "Bob"})
    misspelt.ask("rename", **{"seat": 0, "from": "Ann", "to": "Anna"})
    expect(page.get_by_role("textbox", name="Player 1")).to_have_value("Anna")
    expect(field).to_have_value("Bobby")
    correct = page.get_by_role("button", name="Save")
    correct.click()
    expect(page.locator("dialog.names [role=alert]")).to_contain_text("is now called Bob, not 'Bbo'")
    assert names(misspelt) == ["Anna", "Bob"]
    correct.click()  # it has been read
    expect(page.locator("dialog.names")).to_be_hidden()
    assert names(misspelt) == ["Anna", "Bobby"]


@pytest.mark.long
def test_a_correction_whose_answer_is_lost_is_sent_again_and_done_once(misspelt, look):
    look.excuse("net::ERR_FAILED")
    page = opened(look(misspelt.url))
    before = misspelt.state["revision"]
    sent = []

    def lose_the_answer(route):
        sent.append(route.request.post_data_json["id"])
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/api/v1/commands", lose_the_answer)
    page.get_by_role("textbox", name="Player 2").fill("Bob")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog.names")).to_be_hidden()
    assert (len(sent), len(set(sent)), misspelt.state["revision"]) == (2, 1, before + 1)


def test_who_holds_the_phone_still_holds_it_under_the_corrected_name(misspelt, look):
    page = look(misspelt.url, holder=None)
    page.locator("#holders").get_by_role("button", name="Bbo").click()
    opened(page).get_by_role("textbox", name="Player 2").fill("Bob")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".tile.mine .name")).to_have_text("Bob")
    expect(page.locator("#holder")).to_be_hidden()
    page.reload()
    page.locator(".link.live").wait_for()
    expect(page.locator(".tile.mine .name")).to_have_text("Bob")
    expect(page.locator("#holder")).to_be_hidden()


@pytest.mark.long
def test_every_page_shows_the_corrected_name_at_once(misspelt, look):
    phone, tablet = look(misspelt.url), look(f"{misspelt.url}/tablet", "flat")
    board, history = look(f"{misspelt.url}/board", "tv"), look(f"{misspelt.url}/history")
    game = look(f"{misspelt.url}/history/now")
    expect(game.locator("#parts")).to_be_visible()
    misspelt.ask("rename", **{"seat": 1, "from": "Bbo", "to": "Bob"})
    for page in (phone, tablet, board, history):
        expect(page.locator("main")).to_contain_text("Bob")
        expect(page.locator("main")).not_to_contain_text("Bbo", use_inner_text=True)
    expect(game.locator("#score-sheet")).to_contain_text("Bob")


@pytest.mark.long
def test_the_audit_trail_says_who_corrected_which_name_and_when(misspelt, look):
    misspelt.ask("rename", **{"seat": 1, "from": "Bbo", "to": "Bob"})
    misspelt.score(1, 3)
    page = look(f"{misspelt.url}/history/now#entries", "desk")
    rows = page.locator("#entry-list .entry")
    expect(rows).to_have_count(3)
    expect(rows.nth(1).locator(".what-line")).to_have_text("Name changed: Bbo → Bob")
    expect(rows.nth(1).locator(".door")).to_contain_text("program")
    assert wrong_looks(page, ["phone", "desk"]) == {}
    assert_clean(page)


@pytest.mark.long
def test_a_viewer_is_told_why_a_name_is_closed(closed, look, browser):
    Table(closed, "director").lay(players=("Ann", "Bbo"))
    page = look(closed.url)
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Change a name").dispatch_event("click")
    expect(page.locator("#more-reason")).to_contain_text("paired")
    page = look(f"{closed.url}/settings")
    page.locator(".names summary").click()
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    expect(page.locator("#names [role=alert]")).to_contain_text("paired")


@pytest.fixture
def own_closed(tmp_path):
    """A closed table of its own: strict rules stay for the games after them."""
    with Service(tmp_path / "state", closed=True) as program:
        yield program


@pytest.mark.long
def test_a_scorer_corrects_names_where_the_settings_are_the_directors(own_closed, look, browser):
    Table(own_closed, "director").lay(players=("Ann", "Bbo"))
    page = settings(own_closed, look, context=paired(browser.new_context(), own_closed))
    expect(page.locator("#start")).to_be_disabled()
    page.locator("#names").get_by_role("textbox", name="Player 2").fill("Bob")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#told")).to_have_text("Bbo is now Bob.")
    assert names(Table(own_closed)) == ["Ann", "Bob"]
    page.context.close()


@pytest.mark.long
def test_by_strict_rules_a_scorer_is_told_whose_names_are_and_a_director_corrects_them(own_closed, look, browser):
    Table(own_closed, "director").lay((0, 12, "play"), players=("Ann", "Bbo"), variant="acc")
    reason = "Only the director can change lines at this table"
    context = paired(browser.new_context(viewport={"width": 390, "height": 844}), own_closed)
    context.add_init_script("localStorage.setItem('pegboard.holder', '{\"seat\":null,\"name\":null}')")
    page = look(own_closed.url, context=context)
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Change a name").click(force=True)
    expect(page.locator("#more-reason")).to_have_text(reason)
    expect(page.locator("dialog.names")).to_have_count(0)
    page = settings(own_closed, look, context=context)
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    expect(page.locator("#names [role=alert]")).to_have_text(reason)
    context.close()

    context = paired(browser.new_context(), own_closed, "director")
    page = settings(own_closed, look, context=context)
    page.locator("#names").get_by_role("textbox", name="Player 2").fill("Bob")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#told")).to_have_text("Bbo is now Bob.")
    context.close()


def test_the_settings_correct_a_name_and_the_next_game_takes_it_over(misspelt, look):
    page = settings(misspelt, look)
    page.locator("#names").get_by_role("textbox", name="Player 2").fill("Bob")
    page.locator("#players").get_by_role("textbox", name="Player 1").fill("Annabel")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#told")).to_have_text("Bbo is now Bob.")
    expect(page.locator("#players").get_by_role("textbox", name="Player 2")).to_have_value("Bob")
    expect(page.locator("#players").get_by_role("textbox", name="Player 1")).to_have_value("Annabel")
    expect(page.locator("#facts dd").first).to_have_text("Ann and Bob")
    assert names(misspelt) == ["Ann", "Bob"]
    page.locator("#names").get_by_role("textbox", name="Player 2").fill("Ann")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#names [role=alert]")).to_contain_text("Two players are called Ann")
    expect(page.locator("#told")).to_be_empty()  # what was done before is not said beside it


@pytest.mark.looks
@pytest.mark.parametrize("theme", some_in_turn(["light", "dark"], 0))
def test_sheet_and_card_look_right_at_every_size_and_axe_finds_nothing(table, look, theme):
    look.excuse("the server responded with a status of 4")
    four = ("Ann-of-the-longest Neighbourhood", "Bbo", "Cy", "Dee-from-the-uppermost Floor")
    table.lay((0, 12, "play"), players=four, variant="partners")
    page = opened(look(table.url, theme=theme))
    page.get_by_role("textbox", name="Player 2").fill("Cy")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog.names [role=alert]")).to_contain_text("Two players are called Cy")
    assert wrong_looks(page, [size for size in SIZES if size != "tv"]) == {}
    assert_clean(page)
    page = settings(table, look, theme=theme)
    assert wrong_looks(page) == {}
    assert_clean(page)


@pytest.mark.looks
def test_the_sheet_speaks_french_and_so_does_a_refusal(misspelt, browser):
    context = browser.new_context(locale="fr-FR", viewport={"width": 390, "height": 844})
    context.add_init_script("localStorage.setItem('pegboard.holder', '{\"seat\":null,\"name\":null}')")
    page = context.new_page()
    page.goto(misspelt.url)
    page.locator(".link.live").wait_for()
    page.locator("[data-call=more]").click()
    page.get_by_role("button", name="Corriger un nom").click()
    page.get_by_role("textbox", name="Joueur 2").fill("Ann")
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.locator("dialog.names [role=alert]")).to_contain_text(
        "deux joueurs s\N{RIGHT SINGLE QUOTATION MARK}appellent Ann", ignore_case=True
    )
    page.get_by_role("textbox", name="Joueur 2").fill("Bob")
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.locator("#said")).to_have_text("Bbo s\N{RIGHT SINGLE QUOTATION MARK}appelle maintenant Bob.")
    context.close()


def press_names(page):
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Change a name").click()
    expect(page.locator("#more-dialog")).to_be_hidden()


@pytest.mark.long
def test_who_presses_again_while_the_sheet_is_on_its_way_gets_one_sheet(misspelt, look):
    page = look(misspelt.url)
    waiting = []

    def hold_back(route):
        waiting.append(route)

    page.route("**/pad_dialog_words-later.js", hold_back)
    with page.expect_request("**/pad_dialog_words-later.js"):
        press_names(page)
    press_names(page)
    for route in waiting:
        route.continue_()
    expect(page.locator("dialog.names")).to_be_visible()
    page.get_by_role("textbox", name="Player 2").fill("Bob")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog.names")).to_be_hidden()
    expect(page.locator("dialog.names")).to_have_count(1)
    assert names(misspelt) == ["Ann", "Bob"]


@pytest.mark.long
def test_words_that_did_not_come_are_fetched_again_by_the_next_press(misspelt, look):
    look.excuse("net::ERR_FAILED")
    page = look(misspelt.url)
    page.route("**/pad_dialog_words-later.js", lambda route: route.abort())
    press_names(page)
    expect(page.locator("#trouble")).to_be_visible()
    page.unroute("**/pad_dialog_words-later.js")
    opened(page)


CHANGED = [
    (("Ann", "Bob"), ("Bob", "Ann")),
    (("Ann", "Bob"), ("bob", "ANN")),
    (("Ann", "Bob", "Cy"), ("Bob", "Cy", "Ann")),
    (("Ann", "Bob", "Cy"), ("Bob", "Cy", "Dee")),
    (("Player 1", "Bob"), ("Bob", "Player 1")),
]


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize(("players", "written"), CHANGED)
def test_players_who_sit_under_each_others_names_change_them(table, look, players, written):
    table.lay(players=players, variant="standard" if len(players) == 2 else "three-handed")
    page = opened(look(table.url))
    page.evaluate(SAID)
    for seat, name in enumerate(written, 1):
        page.get_by_role("textbox", name=f"Player {seat}").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog.names")).to_be_hidden()
    assert names(table) == list(written)
    said = " ".join(f"{one} is now {other}." for one, other in zip(players, written, strict=True))
    assert said in page.evaluate("window.said")


@pytest.mark.long
def test_a_name_that_somebody_keeps_is_refused_and_the_others_may_follow(table, look):
    look.excuse("the server responded with a status of 4")
    table.lay(players=("Ann", "Bob", "Cy"), variant="three-handed")
    page = opened(look(table.url))
    page.get_by_role("textbox", name="Player 1").fill("Cy")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog.names [role=alert]")).to_contain_text("Two players are called Cy. Give each")
    page.get_by_role("textbox", name="Player 3").fill("Ann")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog.names")).to_be_hidden()
    assert names(table) == ["Cy", "Bob", "Ann"]


@pytest.mark.long
@pytest.mark.parametrize("written", some_in([("Bob", "Cy", "Bob"), ("Cy", "Cy", "Ann"), ("Bob", "Bob", "Bob")], 2))
def test_a_name_for_two_is_refused_before_any_is_changed(table, look, written):
    table.lay(players=("Ann", "Bob", "Cy"), variant="three-handed")
    page = opened(look(table.url))
    for seat, name in enumerate(written, 1):
        page.get_by_role("textbox", name=f"Player {seat}").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog.names [role=alert]")).to_contain_text("Two players are called")
    assert names(table) == ["Ann", "Bob", "Cy"]


def test_a_change_of_names_that_broke_off_is_ended_by_pressing_again(table, look):
    look.excuse("the server responded with a status of 4")
    table.lay(players=("Ann", "Bob"))
    page = opened(look(table.url))
    sent = []

    def spoil_the_second(route):
        sent.append(route.request.post_data_json)
        if len(sent) == 2:
            table.ask("rename", **{"seat": 1, "from": "Bob", "to": "Bobby"})
        route.continue_()

    page.route("**/api/v1/commands", spoil_the_second)
    page.get_by_role("textbox", name="Player 1").fill("Bob")
    page.get_by_role("textbox", name="Player 2").fill("Ann")
    correct = page.get_by_role("button", name="Save")
    correct.click()
    expect(page.locator("dialog.names [role=alert]")).to_contain_text("is now called Bobby, not 'Bob'")
    assert names(table) == ["Player 1", "Bobby"]
    correct.click()
    expect(page.locator("dialog.names")).to_be_hidden()
    assert names(table) == ["Bob", "Ann"]


def half(page, side):
    return page.locator(f"#{side}-half")


def open_in_half(page, side):
    half(page, side).get_by_role("button", name="More", exact=True).tap()
    half(page, side).get_by_role("button", name="Change a name").tap()
    sheet = half(page, side).locator("dialog.names")
    expect(sheet).to_be_visible()
    return sheet


@pytest.mark.long
def test_each_half_of_the_tablet_corrects_a_name_while_the_other_plays_on(misspelt, look):
    page = look(f"{misspelt.url}/tablet", "flat")
    sheet = open_in_half(page, "far")
    half(page, "near").get_by_role("button", name="4", exact=True).tap()
    expect(half(page, "near").locator(".tile .hero")).to_have_text("16")
    other = open_in_half(page, "near")
    ids = page.locator("[id]").evaluate_all("all => all.map((one) => one.id)")
    assert len(ids) == len(set(ids))
    sheet.get_by_role("textbox", name="Player 2").fill("Bob")
    sheet.get_by_role("button", name="Save").tap()
    expect(sheet).to_be_hidden()
    expect(other.get_by_role("textbox", name="Player 2")).to_have_value("Bob")
    other.get_by_role("button", name="Close").tap()
    assert names(misspelt) == ["Ann", "Bob"]


@pytest.mark.looks
@pytest.mark.parametrize(("turn", "side"), list(enumerate(["near", "far"])))
def test_the_tablets_sheet_of_names_can_be_used_in_every_half(table, look, turn, side):
    table.lay(players=("Ann", "Bob", "Cy"), variant="three-handed")
    page = look(f"{table.url}/tablet", "flat")
    sheet = open_in_half(page, side)
    parts = [sheet.get_by_role("textbox", name=f"Player {seat}") for seat in (1, 2, 3)]
    parts += [sheet.get_by_role("button", name=name) for name in ("Save", "Close")]
    windows = ((1180, 820), (820, 1180), (844, 390), (390, 844), (568, 320), (1920, 1080))
    for width, height in some_in_turn(windows, turn, 3):
        page.set_viewport_size({"width": width, "height": height})
        for part in parts:
            part.scroll_into_view_if_needed()
            expect(part).to_be_in_viewport(ratio=0.99)
            part.click(trial=True)
            assert min(part.bounding_box()[side] for side in ("width", "height")) >= 56
    assert_clean(page)


@pytest.mark.long
def test_the_form_comes_only_when_it_is_opened(misspelt, look):
    page = look(misspelt.url)
    loaded = []
    look.listen(page, "request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    opened(page)
    assert set(loaded) == {
        *("amend_penalty_muggins_dialogs.js", "pad_dialog_words-later.js", "games.js", "name_correction_form.js"),
    }


def deal(table, first):
    """A deal as it goes: the play, both hands, the crib; `first` is the seat that does not deal."""
    table.score(first, 2, "play")
    table.score(first, 8, "hand")
    table.score(1 - first, 6, "hand")
    table.score(1 - first, 4, "crib")


@pytest.mark.long
def test_an_evening_with_a_misspelt_name_ends_under_the_right_one_alone(table, look):
    """Three deals, the name corrected while the tablet is tapped, the end of the game, and a next one."""
    table.lay(players=("Ann", "Bbo"))
    for first in (1, 0, 1):
        deal(table, first)
    tablet, phone = look(f"{table.url}/tablet", "flat"), opened(look(table.url))
    phone.get_by_role("textbox", name="Player 2").fill("Bob")
    before = table.state
    for n, half in enumerate(("near", "far", "near")):
        tablet.locator(f"#{half}-half").get_by_role("button", name=f"{n + 1}", exact=True).tap()
        if n == 1:
            phone.get_by_role("button", name="Save").tap()
    expect(phone.locator("dialog.names")).to_be_hidden()
    expect(tablet.locator("#far-half .tile .name")).to_have_text("Bob")
    expect(tablet.locator("#near-half .tile .hero")).to_have_text(f"{before['lanes'][0]['front'] + 4}")
    expect(tablet.locator("#far-half .tile .hero")).to_have_text(f"{before['lanes'][1]['front'] + 2}")
    while not table.state["game"]["over"]:
        table.score(0, 29)
    phone.locator("#next-game").tap()
    expect(phone.locator(".tile.mine .hero")).to_have_text("0")
    state = table.state
    assert [seat["name"] for seat in state["seats"]] == ["Ann", "Bob"]
    assert (state["match"]["id"], state["lanes"][0]["games_won"]) == (before["match"]["id"], 1)
    while not table.state["game"]["over"]:
        table.score(1, 29)
    stats = look(f"{table.url}/stats")
    expect(stats.locator("main")).to_contain_text("Bob")
    found = table.client.ask("GET", "/api/v1/stats?player=Bob")[1]["players"]
    assert {tuple(row["names"]) for row in found} >= {("Bob",)}
