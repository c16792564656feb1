"""Counting a hand on a phone: few taps, parts that light their cards, questions about suits, and points pegged."""

import re

import pytest
from playwright.sync_api import expect

from pegboard.messages import Message
from tests.browser.laid_games import DEAL, Table, run_to
from tests.browser.looks import assert_clean, wrong_looks
from tests.support.program import Service
from tests.support.waiting import soon

SHOW = [(1, 2, "play"), (0, 1, "go")]
"""Ann deals, both have pegged, and Bob is the first to count."""


@pytest.fixture
def page(table, look):
    table.lay(*SHOW)
    return look(f"{table.url}/count")


def keys(page):
    return page.locator("#ranks")


def tap(page, *ranks):
    """Lay cards, each by one tap; the number of taps."""
    for rank in ranks:
        keys(page).locator(f'[data-rank="{rank}"]').tap(force=True)
    return len(ranks)


def said(page):
    expect(page.locator("#peg-word")).to_have_text(re.compile(r"Peg \d+|Enter zero"))
    return page.locator(".line .said").all_inner_texts()


def cards(page, kind):
    return [
        place for place in range(5) if kind in page.locator("#hand button").nth(place).get_attribute("class").split()
    ]


def answer(page, what, word):
    page.locator(f"#{what} .choice").get_by_role("button", name=word, exact=True).tap()


# Taps, lines and cards.


def test_six_taps_peg_a_plain_hand_and_five_each_that_follows(table, page):
    taps = tap(page, "A", "4", "5", "6", "6")
    assert said(page) == [
        "Fifteen two",
        "fifteen four",
        "a pair is six",
        "a run of three is nine",
        "and a run of three is twelve",
    ]
    assert page.locator(".line .total").all_inner_texts() == ["2", "4", "6", "9", "12"]
    expect(page.locator("#peg")).to_contain_text("Peg 12")
    expect(page.locator("#peg-then")).to_have_text("Bob, hand: 2\u00a0→\u00a014")
    page.locator("#peg").tap()
    assert taps + 1 == 6
    expect(page.locator("#seat")).to_have_value("0")
    expect(page.locator("#pegged p")).to_have_text("Bob +12, hand 2 → 14")
    assert wrong_looks(page, ("short", "phone")) == {}
    expect(page.locator("#hand button").last).to_have_text("6")
    assert soon(lambda: table.fronts == [1, 14])

    taps = tap(page, "9", "9", "K", "2")
    expect(page.locator("#peg-then")).to_have_text("Ann, hand: 1\u00a0→\u00a07")
    page.locator("#peg").tap()
    assert taps + 1 == 5
    expect(page.locator("#what [value=crib]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#seat")).to_have_value("0")

    tap(page, "2", "4", "10", "Q")
    expect(page.locator("#peg-word")).to_have_text("Enter zero")
    expect(page.locator("#peg-then")).to_have_text("Ann, crib: stays at 7")
    expect(page.locator("#note")).to_have_text("zero")
    page.locator("#peg").tap()
    expect(page.locator("#hand button").last).to_have_text("")
    newest = table.state["entries"][:3]
    assert [(one["seat"], one["points"], one["why"]) for one in newest] == [
        (0, 0, "crib"),
        (0, 6, "hand"),
        (1, 12, "hand"),
    ]
    expect(page.locator("#seat")).to_have_value("0")  # the deal has gone on to Bob, and Ann is pone


@pytest.mark.long
def test_a_touched_part_lifts_its_cards_and_greys_the_rest(page):
    tap(page, "A", "4", "5", "6", "6")
    said(page)
    assert (cards(page, "lit"), cards(page, "dim")) == ([], [])
    line = page.get_by_role("button", name=re.compile("and a run of three is twelve"))
    line.tap()
    expect(line).to_have_attribute("aria-pressed", "true")
    assert (cards(page, "lit"), cards(page, "dim")) == ([1, 2, 4], [0, 3])
    assert line.locator(".card-chip").all_inner_texts() == ["4", "5", "6"]
    expect(page.get_by_role("button", name="six, starter, scores")).to_be_visible()
    line.tap()
    assert (cards(page, "lit"), cards(page, "dim")) == ([], [])
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert cards(page, "lit") == [1, 2, 3]


@pytest.mark.long
def test_twenty_nine_is_told_by_kinds_part_by_part(page):
    taps = tap(page, "5", "5", "5", "J", "5")
    answer(page, "nobs", "Yes")
    expect(page.locator("#peg-word")).to_have_text("Peg 29")
    page.locator("#peg").hover()
    assert taps + 2 == 7
    assert said(page) == [
        "Fifteen two, four, six, eight, ten, twelve, fourteen, sixteen",
        "a double pair royal is twenty-eight",
        "and one for his nobs is twenty-nine",
    ]
    fifteens = page.locator(".line").first
    lit = []
    for _ in range(8):
        fifteens.tap()
        lit.append(cards(page, "lit"))
    assert lit == [[0, 3], [1, 3], [2, 3], [3, 4], [0, 1, 2], [0, 1, 4], [0, 2, 4], [1, 2, 4]]
    fifteens.tap()
    assert cards(page, "lit") == []
    page.locator(".line").last.tap()
    assert cards(page, "lit") == [3]


@pytest.mark.long
def test_it_is_said_part_by_part_with_the_cards_lit_in_step(page):
    page.evaluate("""() => {
        window.heard = [];
        const cards = () => [...document.querySelectorAll('#hand button')];
        const lit = () => cards().flatMap((card, i) => card.matches('.lit') ? i : []);
        speechSynthesis.getVoices = () => [{lang: 'en-GB', default: true}];
        window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text } };
        speechSynthesis.speak = (said) => { heard.push([said.text, lit()]); setTimeout(() => said.onend()) };
    }""")
    tap(page, "7", "8", "J", "2", "K")
    said(page)
    assert page.evaluate("heard") == []  # off, until it is asked for
    page.get_by_role("button", name="Say it aloud").tap()
    page.wait_for_function("() => heard.length === 1")
    expect(page.locator("#say-word")).to_have_text("Say it aloud")
    assert page.evaluate("heard") == [["fifteen two", [0, 1]]]
    page.get_by_label("Call a zero hand “nineteen”").check()
    keys(page).get_by_role("button", name="Clear").tap()
    tap(page, "2", "4", "6", "8", "K")
    expect(page.locator("#note")).to_have_text("nineteen")
    page.get_by_role("button", name="Say it aloud").tap()
    page.wait_for_function("() => heard.length === 2")
    assert page.evaluate("heard[1]") == ["nineteen", []]


# Suits.


@pytest.mark.long
def test_a_flush_is_asked_for_only_when_four_ranks_differ_and_costs_one_tap(table, page):
    tap(page, "2", "8", "9", "9", "Q")
    said(page)
    expect(page.locator("#flush")).to_be_hidden()
    expect(page.locator("#nobs")).to_be_hidden()
    keys(page).get_by_role("button", name="Clear").tap()
    taps = tap(page, "2", "4", "8", "Q", "Q")
    five = page.locator("#flush").get_by_role("button", name="All five")
    expect(five).to_have_attribute("aria-disabled", "true")
    expect(five).to_have_css("text-decoration-line", "line-through")
    expect(page.locator("#flush small")).to_have_text("Not the starter: the queen appears twice, in two suits")
    five.tap(force=True)
    expect(page.locator("#note")).to_have_text("Not the starter: the queen appears twice, in two suits")
    answer(page, "flush", "Four")
    expect(page.locator("#peg-word")).to_have_text("Peg 6")
    page.locator("#peg").tap()
    expect(page.locator("#pegged")).to_contain_text("Bob +6, hand")
    assert taps + 2 == 7
    assert soon(lambda: table.fronts == [1, 8])


@pytest.mark.long
def test_a_crib_flush_of_four_is_explained_and_shuts_nobs(page):
    page.locator("#what [value=crib]").tap()
    tap(page, "2", "7", "8", "J", "K")
    answer(page, "flush", "Four")
    explained = page.locator("#explained")
    expect(explained).to_have_text("No flush. A flush in the crib needs all five cards. The king is a different suit.")
    expect(page.locator("#peg-word")).to_have_text("Peg 2")
    yes = page.locator("#nobs").get_by_role("button", name="Yes")
    expect(yes).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#nobs small")).to_have_text("No: the king is a different suit")
    assert_clean(page)
    assert wrong_looks(page) == {}
    answer(page, "flush", "All five")
    expect(page.locator("#peg-word")).to_have_text("Peg 8")
    expect(explained).to_be_hidden()
    expect(page.locator("#nobs").get_by_role("button", name="Yes")).to_have_attribute("aria-pressed", "true")
    page.locator("#what [value=hand]").tap()
    answer(page, "flush", "Four")
    expect(page.locator("#peg-word")).to_have_text("Peg 6")


# Putting right, the keyboard, and what is closed.


@pytest.mark.long
def test_a_wrong_card_is_put_right_by_touching_it(page):
    tap(page, "A", "4", "5", "6", "7")
    expect(page.locator("#peg-word")).to_have_text("Peg 6")
    tap(page, "K")
    expect(page.locator("#note")).to_have_text("The hand is complete: tap a card to change it")
    page.get_by_role("button", name="seven, starter").tap()
    expect(page.locator("#note")).to_have_text("Choose a card to replace the seven")
    tap(page, "6")
    expect(page.locator("#peg-word")).to_have_text("Peg 12")
    keys(page).get_by_role("button", name="Back").tap()
    expect(page.locator("#peg-then")).to_have_text("1 card to go")
    tap(page, "6", "6")
    expect(page.locator("#hand button").last).to_have_text("6")
    keys(page).get_by_role("button", name="Clear").tap()
    tap(page, "6", "6", "6", "6", "6")
    expect(page.locator("#note")).to_have_text("All four cards of this rank are used")
    expect(page.locator("#hand button").last).to_have_text("")


def test_a_hand_is_counted_and_pegged_without_a_finger(table, page):
    for key in ("a", "4", "0", "Backspace", "5", "6", "6"):
        page.keyboard.press(key)
    expect(page.locator("#peg-word")).to_have_text("Peg 12")
    page.keyboard.press("Enter")
    expect(page.locator("#pegged")).to_contain_text("Bob +12, hand")
    assert soon(lambda: table.fronts == [1, 14])
    for key in ("t", "j", "q", "k"):
        page.keyboard.press(key)
    assert page.locator("#hand button").all_inner_texts() == ["10", "J", "Q", "K", "6"]


@pytest.mark.long
def test_whose_hand_it_is_comes_from_the_table_and_can_be_changed(table, page):
    expect(page.locator("#seat")).to_have_value("1")
    tap(page, "2")
    table.score(1, 4, "hand")  # at another phone
    expect(page.locator("#seat")).to_have_value("1")  # these cards are still Bob's
    tap(page, "2", "3", "4", "K")
    expect(page.locator("#note")).to_have_text(re.compile("^Bob.s hand is already scored for this deal$"))
    page.locator("#seat").select_option("0")
    expect(page.locator("#peg-then")).to_contain_text("Ann, hand: 1")
    page.locator("#what [value=crib]").tap()
    expect(page.locator("#peg-then")).to_contain_text("Ann, crib: 1")


@pytest.mark.long
def test_the_last_hand_of_solitaire_is_four_cards_alone(table, look):
    table.lay(*[(0, 2, "hand"), (0, 1, "crib")] * 6, players=("Ann",), variant="solitaire")
    page = look(f"{table.url}/count")
    expect(page.locator("#note")).to_have_text("Last hand: four cards, no starter")
    assert table.state["game"]["deal"] == 7
    tap(page, "4", "5", "6", "J")
    expect(page.locator("#peg-word")).to_have_text("Peg 7")
    assert page.locator("#hand button:visible").count() == 4
    page.locator("#peg").tap()
    expect(page.locator("#peg")).to_have_attribute("aria-disabled", "true")
    assert soon(lambda: table.state["game"]["over"])


@pytest.mark.long
def test_five_card_hands_of_three_cards_are_counted_with_the_starter(table, look):
    table.lay((1, 2, "play"), (0, 1, "go"), variant="five-card")
    page = look(f"{table.url}/count")
    expect(page.locator("#note")).to_have_text("Three cards, then the starter")
    assert page.locator("#hand button:visible").count() == 4
    tap(page, "2", "6", "K", "10")
    expect(page.locator("#flush .choice button")).to_have_text(["No", "Three", "Four"])
    answer(page, "flush", "Three")
    assert said(page) == ["A flush of three is three"]
    assert cards(page, "lit") == []
    page.locator(".line").first.tap()
    assert cards(page, "lit") == [0, 1, 2]
    answer(page, "flush", "Four")
    page.locator(".line").first.tap()
    assert cards(page, "lit") == [0, 1, 2, 4]
    page.locator("#what").get_by_role("button", name="Crib").tap()
    assert page.locator("#hand button:visible").count() == 5
    expect(page.locator("#flush")).to_be_hidden()
    tap(page, "9")
    expect(page.locator("#flush .choice button")).to_have_text(["No", "Four", "All five"])


@pytest.mark.long
def test_the_house_counts_four_of_a_suit_in_the_crib(tmp_path, look):
    with Service(tmp_path / "state", "--house", "crib flush=four") as program:
        table = Table(program).lay(*SHOW)
        page = look(f"{table.url}/count")
        page.locator("#what").get_by_role("button", name="Crib").tap()
        tap(page, "2", "6", "8", "K", "10")
        answer(page, "flush", "Four")
        assert said(page) == ["A flush of four is four"]
        expect(page.locator("#explained")).to_be_hidden()


@pytest.mark.long
def test_what_was_pegged_is_taken_back_after_a_question(table, page):
    tap(page, "A", "4", "5", "6", "6")
    said(page)
    page.locator("#peg").tap()
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("#question-title")).to_have_text("Undo Bob +12, hand?")
    expect(page.locator("#question-yes")).to_contain_text("14 → 2")
    assert_clean(page)
    page.locator("#question-yes").tap()
    expect(page.locator("#seat")).to_have_value("1")  # his hand is to be counted again
    expect(page.locator("#pegged")).to_be_hidden()
    assert soon(lambda: table.fronts == [1, 2])


@pytest.mark.long
def test_the_starter_goes_with_its_deal(table, page):
    tap(page, "A", "4", "5", "6", "6")
    said(page)
    page.locator("#peg").tap()
    expect(page.locator("#note")).to_have_text("Four cards; the starter is kept")
    table.score(0, 4, "hand")  # at another phone, as is the crib
    expect(page.locator("#what [value=crib]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#hand button").last).to_have_text("6")
    table.score(0, 4, "crib")
    expect(page.locator("#note")).to_have_text("Four cards, then the starter")
    expect(page.locator("#hand button").last).to_have_text("")


# What can go wrong.


@pytest.mark.long
def test_without_the_table_the_cards_stay_and_it_is_asked_again(table, page, look):
    look.excuse("ERR_FAILED")
    page.route("**/api/v1/count?*", lambda route: route.abort())
    tap(page, "A", "4", "5", "6", "6")
    expect(page.locator("#note")).to_have_text(
        "The table is not answering. Your cards are saved, and pegboard will keep trying."
    )
    assert page.locator("#hand button").all_inner_texts() == ["A", "4", "5", "6", "6"]
    page.unroute("**/api/v1/count?*")
    expect(page.locator("#peg-word")).to_have_text("Peg 12")
    page.route("**/api/v1/commands", lambda route: route.abort())
    page.locator("#peg").tap()
    expect(page.locator("#trouble-what")).to_have_text("+12, hand: not sent yet")
    expect(page.get_by_role("status").filter(has_text="+12, hand: not sent yet")).to_have_count(1)
    assert_clean(page)
    page.reload()
    page.unroute("**/api/v1/commands")
    expect(page.locator("#seat")).to_have_value("0")
    assert soon(lambda: table.fronts == [1, 14])


@pytest.mark.long
def test_a_lane_that_has_moved_on_is_asked_about(table, page, look):
    look.excuse("409")
    tap(page, "A", "4", "5", "6", "6")
    expect(page.locator("#peg-word")).to_have_text("Peg 12")
    page.route("**/events", lambda route: route.abort())
    page.evaluate("""() => {
        const real = fetch;
        window.fetch = (...asked) => new Promise((answer) => { window.go = () => answer(real(...asked)) });
    }""")
    page.locator("#peg").tap()
    table.score(1, 4, "hand")
    page.evaluate("() => go()")
    expect(page.locator("#question-title")).to_have_text("Bob is already at 6")
    page.locator("#question-no").tap()
    expect(page.locator("#peg-word")).to_have_text("Peg 12")
    assert soon(lambda: table.fronts == [1, 6])


@pytest.mark.long
@pytest.mark.parametrize("first", ["count", "peg"])
def test_a_hand_that_another_phone_pegs_is_not_pegged_again_by_one_tap(table, page, look, first):
    """Two phones count Bob's hand: whichever is second is asked, whether it had counted before or not."""
    look.excuse("409")
    other = look(f"{table.url}/count", "short")
    if first == "count":
        tap(page, "A", "4", "5", "6", "6")
        expect(page.locator("#peg-word")).to_have_text("Peg 12")
    tap(other, "A", "4", "5", "6", "6")
    expect(other.locator("#peg-word")).to_have_text("Peg 12")
    tap(page, *(("A", "4", "5") if first == "peg" else ()))
    other.locator("#peg").tap()
    expect(page.locator("#counted" if first == "count" else "#seat")).not_to_be_empty()
    expect(other.locator("#seat")).to_have_value("0")
    tap(page, *(("6", "6") if first == "peg" else ()))
    expect(page.locator("#peg-word")).to_have_text("Peg 12")
    there = re.compile("^Bob.s hand is already scored for this deal$")
    expect(page.locator("#note")).to_have_text(there)
    page.locator("#peg").tap()
    expect(page.locator("#question-title")).to_have_text(there)
    expect(page.locator("#question-yes")).to_contain_text("14 → 26")
    page.locator("#question-no").tap()
    assert soon(lambda: table.fronts == [1, 14])


@pytest.mark.long
def test_points_that_moved_his_peg_while_his_cards_were_counted_are_asked_about(table, page, look):
    look.excuse("409")
    tap(page, "A", "4", "5", "6", "6")
    expect(page.locator("#peg-word")).to_have_text("Peg 12")
    table.score(1, 2, "play")
    expect(page.locator("#peg-then")).to_have_text("Bob, hand: 4\u00a0→\u00a016")
    page.locator("#peg").tap()
    expect(page.locator("#question-title")).to_have_text("Bob is already at 4")
    page.locator("#question-yes").tap()
    expect(page.locator("#seat")).to_have_value("0")
    assert soon(lambda: table.fronts == [1, 16])


HELD = """() => {
    const real = fetch;
    const gate = new Promise((open) => { window.open_up = open });
    const wait = (asked) => (`${asked}`.includes('/count') ? gate : Promise.resolve());
    window.fetch = (asked, ...more) => wait(asked).then(() => real(asked, ...more));
}"""


@pytest.mark.long
def test_a_tap_on_peg_before_the_count_is_there_pegs_once_it_is(table, page):
    page.evaluate(HELD)
    tap(page, "A", "4", "5", "6", "6")
    expect(page.locator("#peg-then")).to_have_text("Counting")
    expect(page.locator("#note")).to_be_hidden()
    page.locator("#say").tap(force=True)
    expect(page.locator("#note")).to_have_text("Counting")
    page.locator("#peg").tap()
    expect(page.locator("#peg-then")).to_have_text("after the count")
    assert wrong_looks(page, ("short", "phone")) == {}
    page.evaluate("() => open_up()")
    expect(page.locator("#pegged p")).to_have_text("Bob +12, hand 2 → 14")
    expect(page.locator("#note")).to_have_text("Four cards; the starter is kept")
    assert soon(lambda: table.fronts == [1, 14])


@pytest.mark.long
def test_such_a_tap_waits_for_the_answer_about_a_jack(table, page):
    page.evaluate(HELD)
    tap(page, "5", "5", "5", "J", "5")
    page.locator("#peg").tap()
    page.evaluate("() => open_up()")
    expect(page.locator("#peg-word")).to_have_text("Peg 28")
    answer(page, "nobs", "Yes")
    expect(page.locator("#peg-word")).to_have_text("Peg 29")
    assert soon(lambda: table.fronts == [1, 2])


@pytest.mark.long
def test_a_viewer_counts_freely_and_is_told_where_to_pair(closed, look):
    page = look(f"{closed.url}/count", holder=None)
    tap(page, "A", "4", "5", "6", "6")
    assert len(said(page)) == 5
    expect(page.locator("#peg")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#peg-then")).to_have_text(re.compile("not paired"))
    expect(page.locator("#pair")).to_have_attribute("href", "/j/")
    assert_clean(page)
    assert wrong_looks(page) == {}


# Looks.


@pytest.mark.looks
def test_the_page_looks_right_at_every_size(table, look):
    names = ("Ann-of-the-longest Neighbourhood", "آنّا بنت الجبل")
    table.lay(*run_to(0, 69), *run_to(1, 60), DEAL, (0, 2, "play"), players=names)
    page = look(f"{table.url}/count")
    assert wrong_looks(page) == {}
    page.set_viewport_size({"width": 390, "height": 844})
    tap(page, "4", "5", "6", "J", "6")
    page.locator(".line").nth(1).tap()
    assert wrong_looks(page) == {}
    assert_clean(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("() => peg.getBoundingClientRect().bottom <= innerHeight")
    assert page.locator("[style]").count() == 0


@pytest.mark.looks
def test_the_dark_page_can_be_read(table, look):
    table.lay(*SHOW)
    page = look(f"{table.url}/count", theme="dark")
    tap(page, "4", "5", "6", "J", "6")
    page.locator(".line").nth(1).tap()
    assert_clean(page)


@pytest.mark.looks
def test_in_french_it_is_said_in_french(table, look):
    look.excuse("422")
    table.lay(*SHOW)
    page = look(f"{table.url}/count")
    page.context.add_cookies([{"name": "language", "value": "fr", "url": table.url}])
    page.reload()
    tap(page, "5", "5", "J", "K", "6")
    expect(page.locator("#peg-word")).to_have_text("Marquer 10")
    assert page.locator(".line .said").all_inner_texts()[-1] == "et une paire, dix"
    assert page.locator("#hand button").all_inner_texts() == ["5", "5", "V", "R", "6"]
    assert wrong_looks(page, ("short", "phone")) == {}
    gone = Message("gone_already", line=7)
    refused = gone.as_json() | {"detail": str(gone), "code": "gone"}
    page.route("**/api/v1/commands", lambda route: route.fulfill(status=422, json=refused))
    page.locator("#peg").tap()
    expect(page.locator("#trouble-what")).to_have_text("La ligne 7 est déjà annulée")
    page.unroute("**/api/v1/commands")
    page.context.clear_cookies()
    assert page.evaluate("document.documentElement.lang") == "fr"
