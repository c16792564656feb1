"""The pages follow the deal: what they ask, what one tap says, and whose points the keys are for."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import DEAL
from tests.browser.looks import assert_clean, wrong_looks
from tests.browser.pad import SAID
from tests.browser.test_play_page import WORKED
from tests.support.long_runs import some_combinations

ANN, BOB, CY, DEE = range(4)  # Ann deals where nothing else is said

UNSURE = ((BOB, 1, None), (ANN, 2, "thirty-one"))
"""After these Bob may count his hand, or the play goes on."""

PLAYED = ((BOB, 2, None),)


def begun(table, players=("Ann", "Bob"), variant="standard", **more):
    """A game of which nobody has said who deals."""
    table.lay()
    state = table.state
    start = {"variant": variant, "players": list(players), "replaces": state["game"]["id"], "base": state["revision"]}
    status, answer = table.client.command(do="start", **start, **more)
    assert status == 201, answer
    return table


def key(page, name):
    return page.get_by_role("button", name=name, exact=True)


def course(page):
    return page.locator("#course")


def in_show(table):
    table.lay(*PLAYED)
    table.ask("stage", stage="show")
    return table


def newest(table):
    return table.state["entries"][0]


# --- who deals first ---


@pytest.mark.sampled
@pytest.mark.parametrize(("path", "size"), [("/", "phone"), ("/tablet", "flat")])
def test_where_nobody_has_named_the_dealer_it_is_asked_in_place(table, look, path, size):
    begun(table)
    page = look(table.url + path, size)
    expect(page.locator("#hint")).to_have_text("Who deals first?")
    assert course(page).locator("button").all_inner_texts() == ["Ann", "Bob"]
    assert wrong_looks(page, (size,)) == {}
    assert_clean(page)
    course(page).get_by_role("button", name="Bob").tap()
    expect(page.locator("#hint")).to_have_text("Bob deals")
    expect(course(page).get_by_role("button", name="Bob deals: change")).to_be_visible()
    assert (table.state["dealer"], table.state["game"]["dealer_sure"]) == (BOB, 1)


PAIRS = ("Bartholomew Featherstone & Wilhelmina Th", "Maximiliana Hohenzollern & Christopher L")


@pytest.mark.parametrize(
    ("players", "variant"), [(PAIRS, "standard"), ((*PAIRS, *PAIRS[0].split(" & "), "Eve", "Flo"), "six-partners")]
)
def test_long_names_leave_the_question_who_deals_first_its_room(table, look, players, variant):
    begun(table, players, variant)
    page = look(table.url, "narrow")
    assert wrong_looks(page, ("narrow",)) == {}
    assert page.locator("#hint").evaluate("hint => [hint.scrollWidth - hint.clientWidth, hint.scrollHeight > 36]") == [
        0,
        False,
    ]


def test_who_deals_first_is_read_in_full_in_french_and_what_does_not_fit_ends_in_an_ellipsis(table, look, browser):
    table.lay(players=("Annabella", "Bob", "Cy", "Dee", "Eve", "Flo"), variant="six-partners")
    context = browser.new_context(locale="fr", viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    context.add_init_script("""localStorage.setItem('pegboard.holder', '{"seat": null, "name": null}')""")
    page = look(table.url, context=context)
    hint = page.locator("#hint")
    expect(hint).to_have_text("Annabella donne d’abord")
    assert hint.evaluate("hint => hint.scrollHeight - hint.clientHeight") <= 0
    assert hint.evaluate("hint => getComputedStyle(hint).webkitLineClamp") == "2"
    context.close()


def test_the_first_entry_puts_the_question_away(table, look):
    page = look(begun(table).url)
    expect(page.locator("#hint")).to_have_text("Who deals first?")
    page.locator("#keys [data-points='2']").first.tap()
    expect(page.locator("#hint")).not_to_have_text("Who deals first?")
    expect(key(page, "Play")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("players", [("Ann", "Bob", "Cy"), ("Ann", "Bob", "Cy", "Dee")])
def test_every_player_can_be_the_first_dealer(table, look, players):
    begun(table, players, "three-handed" if len(players) == 3 else "partners")
    page = look(table.url)
    assert course(page).locator("button").all_inner_texts() == list(players)
    assert wrong_looks(page, ("phone", "short", "narrow")) == {}
    course(page).get_by_role("button", name=players[-1]).tap()
    expect(course(page).get_by_role("button", name=f"{players[-1]} deals: change")).to_be_visible()
    assert table.state["dealer"] == len(players) - 1


@pytest.mark.long
def test_a_dealer_who_was_named_at_the_start_is_not_asked_for(table, look):
    page = look(table.lay(dealer=BOB).url)
    expect(key(page, "Play")).to_be_visible()
    expect(page.locator("#hint")).not_to_have_text("Who deals first?")


# --- play or show, and who deals ---


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize(("path", "size"), [("/", "phone"), ("/", "short"), ("/", "lying"), ("/tablet", "flat")])
def test_play_show_and_the_dealer_are_one_tap_each(table, look, path, size):
    table.lay(*PLAYED)
    page = look(table.url + path, size)
    key(page, "Show").tap()
    expect(page.locator("#course [data-stage=show]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#hint")).to_contain_text("Bob")
    assert (newest(table)["do"], newest(table)["stage"]) == ("stage", "show")
    key(page, "Play").tap()
    expect(page.locator("#course [data-stage=play]")).to_have_attribute("aria-pressed", "true")
    assert (newest(table)["stage"], table.state["game"]["deal"]) == ("play", 1)
    key(page, "Ann deals: change").tap()
    expect(key(page, "Bob deals: change")).to_be_visible()
    assert (newest(table)["do"], newest(table)["dealer"]) == ("deal", BOB)
    assert table.fronts == [0, 2]
    assert wrong_looks(page, (size,)) == {}


@pytest.mark.long
def test_of_three_it_is_asked_who_deals_now(table, look):
    table.lay((BOB, 2, None), players=("Ann", "Bob", "Cy"), variant="three-handed")
    page = look(table.url)
    key(page, "Ann deals: change").tap()
    leaf = page.get_by_role("dialog", name="Who deals now?")
    assert_clean(page)
    leaf.get_by_role("button", name="Cy").tap()
    expect(key(page, "Cy deals: change")).to_be_visible()
    assert table.state["dealer"] == 2


@pytest.mark.long
def test_who_only_looks_on_and_who_plays_alone_have_no_such_keys(table, look):
    table.lay(players=("Ann",), variant="solitaire")
    page = look(table.url)
    expect(course(page)).to_be_hidden()


# --- where it is not sure ---


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("screen", "way"), some_combinations([("/", "phone"), ("/", "narrow"), ("/tablet", "flat")], [0, 1])
)
def test_below_sixty_percent_both_ways_stand_there_and_one_tap_says_which(table, look, screen, way):
    path, size = screen
    table.lay(*UNSURE)
    game = table.state["game"]
    assert game["sure"] < 0.6, "the example must be an unsure one"
    phases = [game["phase"], game["otherwise"]["phase"]]
    page = look(table.url + path, size)
    words = {"hand": "Bob counts the hand", "play": "Still in the play"}
    expect(key(page, words[phases[1 - way]])).to_be_visible()
    assert wrong_looks(page, (size,)) == {}
    assert_clean(page)
    key(page, words[phases[way]]).tap()
    expect(page.locator("#course [data-stage]")).to_have_count(2)
    now = table.state["game"]
    assert (now["phase"], now["otherwise"]) == (phases[way], None)
    assert now["sure"] > game["sure"]


@pytest.mark.long
def test_a_board_says_both_ways(table, look):
    table.lay(*UNSURE)
    page = look(f"{table.url}/board", "tv")
    hand, play = "Bob counts the hand", "still in the play"
    expect(page.locator("#now")).to_have_text(re.compile(f"{hand}, or {play}|{play}, or {hand}"))


# --- one phone for all ---


def test_a_shared_phone_goes_along_with_whoever_counts_and_says_so(table, look):
    in_show(table)
    page = look(table.url)
    page.evaluate(SAID)
    table.score(BOB, 8)
    expect(page.locator("#keys")).to_have_attribute("aria-label", "Points for Ann")
    expect(page.locator("#hint")).to_have_text("Points for Ann: the hand")
    assert page.evaluate("said.at(-1)") == "Bob 8, now 10. Ann counts the hand. Points for Ann"
    page.locator("#keys [data-points='6']").first.tap()
    expect(page.locator("#hint")).to_have_text("Points for Ann: the crib")
    assert [entry["seat"] for entry in table.state["entries"][:2]] == [ANN, BOB]


def test_the_keys_change_hands_when_the_show_begins(table, look):
    table.lay(*PLAYED)
    page = look(table.url)
    page.evaluate(SAID)
    expect(page.locator("#keys")).to_have_attribute("aria-label", "Points for Ann")
    key(page, "Show").tap()
    expect(page.locator("#keys")).to_have_attribute("aria-label", "Points for Bob")
    expect(page.locator(".mine .name")).to_have_text("Bob")
    assert page.evaluate("said.at(-1)").endswith("Points for Bob")


@pytest.mark.long
def test_whom_somebody_has_just_chosen_by_hand_keeps_the_keys(table, look):
    page = look(in_show(table).url)
    expect(page.locator("#keys")).to_have_attribute("aria-label", "Points for Bob")
    page.locator(".other").tap()
    expect(page.locator("#keys")).to_have_attribute("aria-label", "Points for Ann")
    page.locator("#keys [data-label=go]").tap()
    expect(page.locator(".mine .hero")).to_have_text("1")
    expect(page.locator("#keys")).to_have_attribute("aria-label", "Points for Ann")


@pytest.mark.long
def test_the_phone_of_one_player_stays_that_players(table, look):
    in_show(table)
    page = look(table.url, holder=(ANN, "Ann"))
    table.score(BOB, 8)
    expect(page.locator("#hint")).to_have_text("Show: count your hand")
    expect(page.locator("#keys")).to_have_attribute("aria-label", "Points for Ann")
    table.score(ANN, 6)
    table.score(ANN, 4)
    expect(page.locator("#hint")).to_have_text("Bob deals")
    expect(page.locator("#keys")).to_have_attribute("aria-label", "Points for Ann")


@pytest.mark.long
def test_while_an_amount_is_typed_the_keys_stay(table, look):
    table.lay(*PLAYED)
    page = look(table.url, "desk")
    page.keyboard.type("1")
    table.ask("stage", stage="show")
    expect(page.locator("#course [data-stage=show]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#keys")).to_have_attribute("aria-label", "Points for Ann")
    page.keyboard.press("Escape")


# --- one tap instead of a refusal, and another player ---


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize(("path", "size", "at"), [("/", "phone", ""), ("/tablet", "flat", "far-")])
def test_refused_heels_offer_to_say_who_deals(table, look, path, size, at):
    look.excuse("422")
    page = look(table.lay(dealer=ANN).url + path, size, holder=(BOB, "Bob"))
    page.locator(f"#{at}keys [data-label=heels]").tap()
    expect(page.locator(f"#{at}trouble-what")).to_contain_text("the dealer is Ann")
    assert wrong_looks(page, (size,)) == {}
    assert_clean(page)
    page.locator(f"#{at}trouble").get_by_role("button", name="Bob deals: peg 2").tap()
    expect(page.locator(f"#{at}trouble")).to_be_hidden()
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))")
    assert [(entry["do"], entry["seat"]) for entry in table.state["entries"]] == [("score", BOB), ("deal", None)]
    assert (table.fronts, table.state["dealer"]) == ([0, 2], BOB)


def test_the_last_line_goes_to_the_other_player_in_one_tap_and_back(table, look):
    table.lay((BOB, 2, None), (ANN, 6, None))
    page = look(table.url)
    key(page, "It was Bob\u2019s").tap()
    expect(page.locator("#what")).to_contain_text("Bob +6")
    assert table.fronts == [0, 8]
    assert [entry["seat"] for entry in table.state["entries"]] == [BOB, BOB]
    key(page, "It was Ann\u2019s").tap()
    expect(page.locator("#what")).to_contain_text("Ann +6")
    assert table.fronts == [6, 2]
    assert wrong_looks(page, ("phone", "short", "narrow", "lying")) == {}


@pytest.mark.looks
def test_a_long_name_stays_inside_the_key_that_names_it(table, look):
    table.lay((BOB, 2, None), (ANN, 6, None), players=("Ann-of-the-Neighbourhood", "Bob-from-the-uppermost-floor"))
    for path, size, at in (("/", "phone", ""), ("/", "narrow", ""), ("/tablet", "flat", "near-")):
        page = look(table.url + path, size)
        inside = page.locator(f"#{at}was-of button")
        expect(inside).to_be_visible()
        expect(inside).to_have_accessible_name(re.compile("It was .*Bob-from"))
        assert inside.evaluate("key => key.scrollHeight <= key.clientHeight && key.scrollWidth <= key.clientWidth")


@pytest.mark.long
def test_of_three_each_other_player_has_a_key(table, look):
    table.lay((BOB, 2, None), players=("Ann", "Bob", "Cy"), variant="three-handed")
    page = look(table.url)
    expect(key(page, "It was Ann\u2019s")).to_be_visible()
    key(page, "It was Cy\u2019s").tap()
    expect(page.locator("#what")).to_contain_text("Cy +2")
    assert table.fronts == [0, 0, 2]
    assert wrong_looks(page, ("phone", "short", "narrow", "lying")) == {}


@pytest.mark.long
def test_of_partners_it_is_said_whose_it_was(table, look):
    """Which of the two is not guessed: heels and cribs are the dealer's."""
    table.lay((BOB, 2, None), players=("Ann", "Bob", "Cy", "Dee"), variant="partners")
    page = look(table.url)
    expect(key(page, "It was Ann\u2019s")).to_be_visible()
    key(page, "It was Cy\u2019s").tap()
    expect(page.locator("#what")).to_contain_text("Cy")
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))")
    assert table.fronts == [2, 0]
    assert [entry["seat"] for entry in table.state["entries"]] == [CY]
    assert wrong_looks(page, ("phone", "short", "narrow", "lying")) == {}
    page.locator("#last").tap()
    page.locator("#choices li").get_by_role("button", name="Change").tap()
    page.locator("#choices").get_by_role("button", name="It was Dee\u2019s").tap()
    expect(page.locator("#what")).to_contain_text("Dee")
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))")
    assert (table.fronts, [entry["seat"] for entry in table.state["entries"]]) == ([0, 2], [DEE])


@pytest.mark.long
def test_where_the_pegs_were_set_since_it_is_refused_in_words(table, look):
    look.excuse("422")
    table.lay((BOB, 2, None))
    table.ask("set_pegs", seat=BOB, front=10, rear=2, note="pegs fell")
    page = look(table.url)
    page.locator("#last").tap()
    page.locator("#choices li").filter(has_text="Bob +2").get_by_role("button", name="Change").tap()
    page.locator("#choices").get_by_role("button", name="It was Ann\u2019s").tap()
    expect(page.locator("#trouble-what")).not_to_be_empty()
    assert table.fronts == [0, 10]


@pytest.mark.long
def test_redo_has_its_place_back_while_something_can_be_put_back(table, look):
    table.lay((BOB, 2, None), (ANN, 6, None))
    table.ask("undo", entry="2")
    page = look(table.url)
    expect(page.get_by_role("button", name="Redo")).to_be_visible()
    expect(page.locator("#was-of")).to_be_hidden()


# --- head starts that wait for the deal ---


@pytest.mark.long
def test_where_the_dealer_starts_ahead_the_page_asks_for_the_deal(table, look):
    table.lay((BOB, 2, "play"), (ANN, 1, "go"), (BOB, 8, None), (ANN, 6, None), (ANN, 4, None), variant="box-sheet")
    assert table.state["game"]["ask_deal"]
    page = look(table.url)
    expect(page.locator("#hint")).to_contain_text("Is it Bob’s deal now? If so, tap Deal")
    assert wrong_looks(page, ("phone", "short", "narrow", "lying")) == {}
    before = table.fronts
    course(page).get_by_role("button", name="Deal").tap()
    expect(key(page, "Bob deals: change")).to_be_visible()
    assert table.fronts[BOB] > before[BOB]
    assert not table.state["game"]["ask_deal"]


@pytest.mark.long
def test_where_nobody_starts_ahead_it_never_asks(table):
    table.lay(*PLAYED, (BOB, 8, "hand"), (ANN, 6, "hand"), (ANN, 4, "crib"), DEAL)
    assert not table.state["game"]["ask_deal"]


# --- said to those who hear it ---


@pytest.mark.long
def test_a_new_part_of_the_deal_is_said_once(table, look):
    page = look(table.lay(*PLAYED).url, holder=(ANN, "Ann"))
    page.evaluate(SAID)
    table.ask("stage", stage="show")
    expect(page.locator("#said")).to_contain_text("Bob counts the hand")
    table.score(BOB, 8)
    expect(page.locator("#said")).to_contain_text("Ann counts the hand")
    said = page.evaluate("said")
    assert sum("Bob counts" in one for one in said) == 1


# --- the pages that count ---


@pytest.mark.long
def test_the_play_says_when_it_is_over_and_takes_that_back(table, look):
    page = look(f"{table.lay().url}/play")
    expect(page.locator("#note")).to_have_text("Ann deals: Bob leads")
    for laid, rank in enumerate((*WORKED, "K"), 1):
        page.locator(f"#ranks [data-rank='{rank}']").tap()
        expect(page.locator("#log li")).to_have_count(laid)
    expect(page.locator("#to-count.solid")).to_be_visible()
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))")
    assert (newest(table)["do"], newest(table).get("stage")) == ("stage", "show")
    assert table.state["game"]["phase"] == "hand"
    page.locator("#back").tap()
    page.locator("#question-yes").tap()
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))")
    expect(page.locator("#to-count.solid")).to_have_count(0)
    assert not any(entry["stands"] for entry in table.state["entries"] if entry["do"] == "stage")


def test_the_counter_has_the_hand_chosen_that_is_due(table, look):
    page = look(f"{in_show(table).url}/count")
    expect(page.locator("#title-name")).to_have_text("Bob")
    expect(page.locator("#what [aria-pressed=true]")).to_have_text("Hand")
    table.score(BOB, 8)
    expect(page.locator("#title-name")).to_have_text("Ann")
    table.score(ANN, 8)
    expect(page.locator("#what [aria-pressed=true]")).to_have_text("Crib")


@pytest.mark.long
def test_the_form_of_corrections_takes_player_and_reason(table, look):
    table.lay((BOB, 2, None), (ANN, 6, None))
    page = look(f"{table.url}/history/{table.state['game']['id']}", "tablet")
    page.get_by_role("button", name="Change a line").first.tap()
    page.locator("#correct [data-kind=amend]").tap()
    assert_clean(page)
    assert wrong_looks(page, ("phone", "tablet")) == {}
    page.locator("#correct label").filter(has_text="Bob").tap()
    page.locator("#correct label").filter(has_text=re.compile("^crib$")).tap()
    page.get_by_role("button", name="Preview").tap()
    expect(page.locator("#correct-title")).to_have_text("Change line 2 to 6, crib, Bob?")
    expect(page.locator("#correct .preview")).to_contain_text("6 → 0")
    page.locator("#correct-do").tap()
    expect(page.locator("#correct-closed")).to_contain_text("Changed")
    assert [(entry["seat"], entry["why"]) for entry in table.state["entries"]] == [(BOB, "crib"), (BOB, None)]
    assert table.fronts == [0, 8]
