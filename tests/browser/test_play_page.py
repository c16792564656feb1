"""Counting the play on a page: the count to thirty-one, go and last card, pegs for everyone, and undone cards."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import Table
from tests.browser.looks import assert_clean, wrong_looks
from tests.support.waiting import soon

WORKED = ("4", "5", "3", "3", "3", "7", "6")
"""Run 3; 15 and a pair 4; pair royal 6; 0; thirty-one for 2."""

FOUR = ("Ann", "Bob", "Cy", "Dee")


@pytest.fixture
def page(table, look):
    """Ann deals, so that Bob leads."""
    table.lay()
    return look(f"{table.url}/play")


def key(page, act):
    return page.locator("#go") if act == "go" else page.locator(f'#ranks [data-rank="{act}"]')


def lay(page, *acts):
    """Lay cards, or say go, each by one tap."""
    for act in acts:
        before = page.locator("#log li").count()
        key(page, act).tap()
        expect(page.locator("#log li")).to_have_count(before + 1)


def log(page):
    """What was laid, newest last: who, what it said, and what it scored or counted."""
    rows = page.locator("#log li").all()
    return [re.sub(r"\s+", " ", " | ".join(row.locator("b, span").all_inner_texts())) for row in reversed(rows)]


def turn(page):
    return page.locator(".sitting.turn .name").inner_text()


def test_the_worked_play_is_said_counted_and_pegged_for_both(table, page):
    counts, said = [], []
    for act in WORKED:
        lay(page, act)
        counts.append(page.locator("#count").inner_text())
        said.append(page.locator("#said-now").text_content())
    assert counts == ["4", "9", "12", "15", "18", "25", "31"]
    assert said == [
        "four",
        "nine",
        "a run of three",
        "fifteen two, and a pair for two",
        "a pair royal for six",
        "twenty-five",
        "thirty-one for two",
    ]
    expect(page.locator("#gain")).to_have_text("Bob +2")
    assert page.locator("#pile li.lit").count() == 7
    assert turn(page) == "Ann"
    lay(page, "K")
    assert page.locator("#pile li").count() == 1
    expect(page.locator("#said-now")).to_have_text("one for last card")
    expect(page.locator("#note")).to_have_text("The play is over. Now count the hands")
    expect(page.locator("#gain")).to_have_text("Ann +1")
    assert soon(lambda: table.fronts == [5, 11] and table.state["entries"][0]["do"] == "stage")
    show, *scores = table.state["entries"]
    pegged = [(one["seat"], one["points"], one["why"]) for one in reversed(scores)]
    assert pegged == [(1, 3, "play"), (0, 4, "play"), (1, 6, "play"), (1, 2, "thirty-one"), (0, 1, "go")]
    assert show["stage"] == "show"
    onward = page.get_by_role("link", name="Count Bob")
    expect(onward).to_have_attribute("href", "/count")
    assert_clean(page)
    onward.tap()
    expect(page.locator("#seat")).to_have_value("1")


@pytest.mark.long
def test_a_rank_that_would_pass_thirty_one_is_closed_and_go_is_offered_only_then(table, page):
    lay(page, "K", "9")
    expect(page.locator("#go")).to_have_attribute("aria-disabled", "true")
    page.locator("#go").tap(force=True)
    expect(page.locator("#note")).to_have_text("No go yet: any card can be played on 19")
    lay(page, "8")
    shut = [one for one in ("A", "2", "4", "5", "9", "K") if key(page, one).get_attribute("aria-disabled")]
    assert shut == ["5", "9", "K"]
    key(page, "9").tap(force=True)
    expect(page.locator("#note")).to_have_text("The nine would make 36; the limit is 31")
    expect(page.locator("#count")).to_have_text("27")
    lay(page, "go")
    assert turn(page) == "Bob"
    expect(page.locator("#note")).to_have_text("Bob plays on, or takes the go")
    lay(page, "2", "go")
    expect(page.locator("#said-now")).to_have_text("one for the go")
    expect(page.locator("#gain")).to_have_text("Bob +1")
    assert turn(page) == "Ann"
    assert soon(lambda: table.fronts == [0, 1])
    lay(page, "5")
    expect(page.locator("#count")).to_have_text("5")


@pytest.mark.long
def test_a_card_is_taken_back_and_its_points_only_after_a_question(table, page):
    lay(page, "7", "8", "8")
    expect(page.locator("#gain")).to_have_text("Bob +2")
    assert soon(lambda: table.fronts == [2, 2])
    back = page.locator("#back")
    back.tap()
    expect(page.locator("#question-title")).to_have_text(re.compile("Undo Bob.s eight"))
    expect(page.locator("#question-since")).to_have_text("Bob +2, play")
    expect(page.locator("#question-yes")).to_contain_text("2 → 0")
    assert_clean(page)
    page.locator("#question-no").tap()
    expect(page.locator("#count")).to_have_text("23")
    back.tap()
    page.locator("#question-yes").tap()
    expect(page.locator("#count")).to_have_text("15")
    assert soon(lambda: table.fronts == [2, 0])
    assert turn(page) == "Bob"
    lay(page, "2")  # no points: undone without a question
    back.tap()
    expect(page.locator("#log li")).to_have_count(2)
    assert not page.locator("#question").is_visible()
    back.tap()
    page.locator("#question-yes").tap()
    expect(page.locator("#count")).to_have_text("7")
    back.tap()
    expect(page.locator("#count")).to_have_text("0")
    back.tap(force=True)
    expect(page.locator("#note")).to_have_text("No cards played yet")
    assert soon(lambda: table.fronts == [0, 0])


@pytest.mark.long
def test_it_survives_a_reload_and_a_new_deal_begins_afresh(table, page):
    lay(page, "7", "8", "K")
    page.reload()
    expect(page.locator("#count")).to_have_text("25")
    assert [row.split(" | ")[0] for row in log(page)] == ["7", "8", "K"]
    page.locator("#back").tap()
    expect(page.locator("#count")).to_have_text("15")
    page.locator("#back").tap()
    page.locator("#question-yes").tap()  # the line is known again
    expect(page.locator("#count")).to_have_text("7")
    table.score(1, 4, "hand")
    table.score(0, 4, "hand")
    table.score(0, 4, "crib")
    expect(page.locator("#count")).to_have_text("0")
    assert turn(page) == "Ann"
    assert page.locator("#log li").count() == 0


@pytest.mark.long
def test_before_the_first_answer_nothing_is_taken_back(table, page, look):
    look.excuse("ERR_FAILED")
    lay(page, "7", "8", "8")
    page.route("**/api/v1/play?*", lambda route: route.abort())
    page.reload()
    page.locator("#back").tap(force=True)
    expect(page.locator("#note")).to_have_text("Waiting for the table")
    page.unroute("**/api/v1/play?*")
    expect(page.locator("#count")).to_have_text("23")
    expect(page.locator("#note")).to_have_text(re.compile("Ann"))
    page.locator("#back").tap()
    expect(page.locator("#question-title")).to_have_text(re.compile("Undo Bob.s eight"))
    page.locator("#question-no").tap()
    assert soon(lambda: table.fronts == [2, 2])


@pytest.mark.long
def test_a_coach_only_pegs_nothing(table, page):
    page.get_by_label("Peg at once").uncheck()
    lay(page, "7", "8")
    expect(page.locator("#gain")).to_have_text("Ann +2 · not pegged")
    assert table.state["entries"] == []
    page.reload()
    expect(page.get_by_label("Peg at once")).not_to_be_checked()
    page.locator("#back").tap()
    expect(page.locator("#count")).to_have_text("7")


@pytest.mark.long
def test_three_players_pass_the_turn_round_the_table(table, look):
    table.lay(players=FOUR[:3], variant="three-handed", dealer=2)
    page = look(f"{table.url}/play")
    lay(page, "K", "J", "9", "go", "go", "2")
    assert page.locator("#count").inner_text() == "31"
    expect(page.locator("#gain")).to_have_text("Cy +2")
    assert turn(page) == "Ann"
    assert soon(lambda: table.fronts == [0, 0, 2])
    lay(page, "5", "5", "5")
    expect(page.locator("#said-now")).to_have_text("fifteen two, and a pair royal for six")
    assert soon(lambda: table.fronts == [0, 2, 10])
    assert wrong_looks(page) == {}


def test_cards_laid_before_the_table_has_answered_are_laid_when_it_has(table, look):
    table.lay()
    page = look(table.url)
    held = []
    page.route("**/api/v1/play?*", lambda route: held.append(route), times=1)  # noqa: PLW0108 - it looks at its arguments
    with page.expect_request("**/api/v1/play?*"):
        page.goto(f"{table.url}/play")
    page.locator(".link.live").wait_for()
    page.keyboard.press("5")
    key(page, "K").tap()
    expect(page.locator("#log li")).to_have_count(0)
    soon(lambda: page.evaluate("1") and held)
    held.pop().continue_()
    expect(page.locator("#log li")).to_have_count(2)
    assert page.locator("#count").inner_text() == "15"


@pytest.mark.long
def test_four_partners_peg_in_two_lanes_and_play_to_the_last_card(table, look):
    table.lay(players=FOUR, variant="partners", dealer=3)
    page = look(f"{table.url}/play")
    for key_ in ("a", "a", "2", "2", "g"):  # the go comes too early, and is refused
        page.keyboard.press(key_)
        if key_ != "g":
            expect(page.locator("#log li").first).to_contain_text(key_.upper())
            expect(page.locator("#ranks [data-rank='3']")).not_to_have_attribute("aria-disabled", "true")
    expect(page.locator("#note")).to_have_text("No go yet: any card can be played on 6")
    lay(page, "3", "4", "5", "6")
    expect(page.locator("#said-now")).to_have_text("a run of five")
    assert soon(lambda: table.fronts == [4, 2 + 2 + 3 + 5])
    assert page.locator(".sitting").count() == 4
    assert wrong_looks(page) == {}


@pytest.mark.long
def test_five_card_hands_have_three_cards(table, look):
    table.lay(variant="five-card")
    page = look(f"{table.url}/play")
    assert page.locator(".sitting .left").all_inner_texts() == ["3 cards", "3 cards"]
    lay(page, "K", "Q", "J", "A", "2", "3")
    expect(page.locator("#note")).to_have_text("The play is over. Now count the hands")


@pytest.mark.long
def test_solitaire_has_no_play(table, look):
    table.lay(players=("Ann",), variant="solitaire")
    page = look(f"{table.url}/play")
    expect(page.locator("#note")).to_have_text("Solitaire has no play: count the hand and the crib")
    key(page, "5").tap(force=True)
    assert page.locator("#log li").count() == 0


@pytest.mark.long
def test_what_is_not_sent_waits_and_says_so(table, page, look):
    look.excuse("ERR_FAILED")
    page.route("**/api/v1/commands", lambda route: route.abort())
    lay(page, "7", "8")
    expect(page.locator("#trouble-what")).to_have_text("+2, play: not sent yet")
    expect(page.locator("#gain")).to_have_text("Ann +2 · not saved yet")
    page.locator("#back").tap(force=True)
    expect(page.locator("#note")).to_have_text("Waiting for the table")
    assert wrong_looks(page, ("short", "phone")) == {}
    assert soon(lambda: table.fronts == [0, 0])
    page.get_by_role("button", name="Cancel").tap()
    expect(page.locator("#gain")).to_have_text("Ann +2 · not pegged")
    page.route("**/api/v1/play?*", lambda route: route.abort())
    key(page, "9").tap()
    expect(page.locator("#note")).to_have_text(
        "The table is not answering. Your cards are saved, and pegboard will keep trying."
    )
    page.unroute("**/api/v1/commands")
    page.unroute("**/api/v1/play?*")
    expect(page.locator("#said-now")).to_have_text("a run of three")
    expect(page.locator("#gain")).to_have_text("Bob +3")
    assert soon(lambda: table.fronts == [0, 3])


@pytest.mark.long
def test_a_viewer_is_coached_and_told_where_to_pair(closed, look):
    Table(closed, "director").lay()
    page = look(f"{closed.url}/play", holder=None)
    lay(page, "7", "8")
    expect(page.locator("#gain")).to_have_text("Ann +2 · not pegged")
    expect(page.get_by_label(re.compile("Peg at once"))).to_be_disabled()
    expect(page.locator("#pair")).to_have_attribute("href", "/j/")
    assert_clean(page)
    assert wrong_looks(page) == {}


@pytest.mark.looks
def test_the_page_looks_right_at_every_size(table, look):
    table.lay(players=("Ann-of-the-longest Neighbourhood", "آنّا بنت الجبل"))
    page = look(f"{table.url}/play")
    lay(page, "A", "A", "A", "A", "2", "2", "2", "2")
    assert wrong_looks(page) == {}
    assert_clean(page)
    assert page.locator("[style]").count() == 0


@pytest.mark.looks
def test_the_dark_page_can_be_read(table, look):
    table.lay()
    page = look(f"{table.url}/play", theme="dark")
    assert_clean(page)
    lay(page, "K", "5", "J")
    assert_clean(page)


@pytest.mark.looks
def test_a_name_without_a_blank_leaves_the_page_as_wide_as_the_phone(table, look):
    table.lay(players=("M" * 40, "W" * 40))
    page = look(f"{table.url}/play")
    for act in (None, "5", "10"):
        lay(page, *([act] if act else []))
        assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0, act


def test_four_long_names_are_told_apart_and_hide_no_key_in_low_windows(table, look):
    names = tuple(
        f"{name} of the Extraordinary Evening"[:40] for name in ("Bartholomew", "Wilhelmina", "Maximiliana", "Dee")
    )
    table.lay(players=names, variant="cut-throat-four")
    page = look(f"{table.url}/play")
    for size in ((900, 600), (320, 256)):
        assert wrong_looks(page, (size,)) == {}
    page.set_viewport_size({"width": 900, "height": 600})
    assert page.locator(".sitting .name").evaluate_all("names => Math.min(...names.map(name => name.clientWidth))") > 90
