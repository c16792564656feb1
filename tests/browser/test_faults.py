"""Faults in two taps on a pad: which one, then what follows; what the pone chose is a line of the sheet."""

import pytest
from playwright.sync_api import expect

from tests.browser.looks import assert_clean
from tests.browser.pad import touch_again
from tests.support.waiting import soon

LAWS = ("misdeal=2", "pone chooses=on")
THREE = ("Ann", "Bob", "Cy")


def tap(page, name):
    page.get_by_role("button", name=name, exact=True).tap()


def open_faults(page):
    tap(page, "More")
    tap(page, "Fault or penalty")
    return page.locator("#choices")


def test_a_fault_is_two_taps_with_its_deadline_and_the_remedy_and_a_line(table, look):
    table.lay(house=LAWS)
    phone = look(table.url)
    dialog = open_faults(phone)
    assert_clean(phone)
    tap(phone, "Dealer has the wrong number of cards: 2")
    expect(dialog).to_contain_text("Bob can decide even after looking at the cards.")
    expect(dialog.locator(".awards button")).to_contain_text(["Ann redeals", "Bob lets the deal stand"])
    assert_clean(phone)
    dialog.get_by_role("button", name="Bob lets the deal stand").tap()
    expect(dialog).to_contain_text("Too many cards: Bob draws the extra cards from Ann’s hand")
    expect(dialog).to_contain_text("Too few cards: Ann takes the missing cards from the top of the deck.")
    assert_clean(phone)
    tap(phone, "Close")
    expect(phone.locator("#what")).to_have_text("Bob lets the deal stand: dealer has the wrong number of cards, Bob +2")
    open_faults(phone)
    tap(phone, "Wrong deck")
    expect(dialog).to_contain_text("No penalty. Earlier scores stand.")
    dialog.get_by_role("button", name="Ann redeals").tap()
    expect(phone.locator("#what")).to_have_text("Ann redeals: wrong deck")
    assert table.fronts == [0, 2]


GHOST_TAPS = {
    "a closed dialog": (["More", "Fault or penalty", "Deck not cut: 2"], "Ann redeals", ["penalty"]),
    "a closed head start": (["More", "Head start"], "→ 10", ["head_start"]),
}
"""Where a key comes under the finger: the taps before, the key that is tapped twice, and the lines that follow."""

SENT = "() => !Object.keys(localStorage).some((key) => key.startsWith('pegboard.tap.'))"


@pytest.mark.parametrize("case", GHOST_TAPS)
@pytest.mark.parametrize("pause", [30, 250])
def test_a_key_that_has_just_come_under_the_finger_ignores_its_second_tap(table, look, case, pause):
    before, key, lines = GHOST_TAPS[case]
    table.lay(house=LAWS)
    phone = look(table.url)
    for name in before:
        tap(phone, name)
    under = phone.locator("dialog[open] button", has_text=key).first
    under.tap(trial=True)  # until it does not count as just come
    touch_again(phone, under, pause)
    phone.wait_for_function(SENT)
    soon(lambda: table.state["entries"])
    assert [line["do"] for line in table.state["entries"]] == lines


def test_by_the_acc_other_deadlines_are_told_and_in_the_show_a_judge_decides(table, look):
    table.lay(variant="acc", house=())
    phone = look(table.url)
    dialog = open_faults(phone)
    tap(phone, "Dealer has the wrong number of cards")
    expect(dialog).to_contain_text("Redealt until the starter is turned up; after that, a judge decides.")
    tap(phone, "Close")
    table.lay((1, 2, "play"), (1, 8, "hand"), variant="acc", house=())
    phone = look(table.url)
    dialog = open_faults(phone)
    tap(phone, "Dealer has the wrong number of cards")
    expect(dialog.locator(".reason")).to_have_text(
        "The show has begun; by the ACC’s rules, a judge decides."
        " If a new deal has started, mark it first with Next deal."
    )


def test_a_pad_says_if_the_faults_do_not_come_and_other_penalties_are_left(table, look):
    table.lay(house=LAWS)
    look.excuse("net::ERR_FAILED")
    phone = look(table.url)
    phone.route("**/api/v1/faults", lambda route: route.abort())
    dialog = open_faults(phone)
    expect(dialog).to_contain_text("The table is not answering.")
    tap(phone, "Other penalty")
    tap(phone, "All faults")
    expect(dialog).to_contain_text("The table is not answering.")


def test_any_player_but_the_pone_may_have_cut_the_deck_offered_to_the_pone(table, look):
    table.lay(variant="three-handed", players=THREE, house=())
    phone = look(table.url)
    dialog = open_faults(phone)
    tap(phone, "Deck cut by the wrong player: 2")
    outcomes = [f"{name} cut the deck offered to the pone" for name in ("Ann", "Cy")]
    expect(dialog.locator(".awards b")).to_have_text(outcomes)


def test_a_fault_at_the_wrong_time_gets_one_sentence(table, look):
    table.lay((1, 2, "play"), house=("misdeal=2",))
    phone = look(table.url)
    dialog = open_faults(phone)
    tap(phone, "Deck not cut: 2")
    expect(dialog.locator(".reason")).to_have_text(
        "The play has begun, so the deal stands without a penalty."
        " If a new deal has started, mark it first with Next deal."
    )
    dialog.get_by_role("button", name="Ann redeals").tap(force=True)
    expect(dialog).to_be_visible()
    assert table.fronts == [0, 2]


def test_if_the_choice_is_refused_no_other_side_gets_its_points(table, look):
    table.lay(variant="three-handed", players=THREE, house=LAWS)
    phone = look(table.url)
    look.excuse("409")
    dialog = open_faults(phone)
    tap(phone, "Deck not cut: 2")
    dialog.get_by_role("button", name="Ann redeals").tap()
    soon(lambda: table.fronts == [0, 2, 2])
    table.ask("undo", entry="2")
    open_faults(phone)
    tap(phone, "Deck not cut: 2")
    dialog.get_by_role("button", name="Bob lets the deal stand").tap()
    expect(phone.locator("#trouble")).to_contain_text("undo line 1 first")
    phone.wait_for_function(SENT)
    assert table.fronts == [0, 2, 0]


def test_where_three_play_a_deal_out_of_turn_gives_both_others_their_points(table, look):
    table.lay(variant="three-handed", players=THREE, house=())
    phone = look(table.url)
    dialog = open_faults(phone)
    tap(phone, "Dealt out of turn: 2")
    dialog.get_by_role("button", name="Ann deals instead of Cy").tap()
    expect(phone.locator("#what")).to_have_text("Bob +2, penalty: dealt out of turn")
    expect(phone.locator(".mine .hero, .other .hero")).to_have_text(["2", "2", "0"])
    table.score(1, 4, "play")
    expect(phone.locator("#what")).to_contain_text("Bob +4")
    open_faults(phone)
    tap(phone, "Dealt out of turn: 2")
    dialog.get_by_role("button", name="Cards taken up: Bob’s deal stands").tap()
    expect(phone.locator("#what")).to_have_text("Cy lets the deal stand: dealt out of turn")
    assert (table.fronts, table.state["dealer"]) == ([2, 6, 0], 1)
