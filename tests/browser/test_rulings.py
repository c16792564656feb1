"""Penalties, rulings, confirmations and matches are told in words on every page; no void line looks valid."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import Table, near_the_end, rulings, run_to
from tests.browser.pad import SAID, touch_again
from tests.support.program import Service
from tests.support.waiting import soon

A_FINGER = 60  # ms that it is lifted at least before it is down again

DEALT = [(1, 12, "hand"), (0, 10, "hand")]  # line 1: Bob 12; line 2: Ann 10


@pytest.fixture(scope="module")
def muggins(tmp_path_factory):
    """A program at a table where muggins is played."""
    with Service(tmp_path_factory.mktemp("muggins") / "state", "--house", "muggins=on") as program:
        yield program


COMMANDS = [
    ("penalty", {"seat": 1, "points": 2, "note": "misdeal"}, "Bob +2, penalty: misdeal", "12 → 14"),
    ("penalty", {"seat": 1, "points": 2}, "Bob +2, penalty", "12 → 14"),
    ("over_peg", {"entry": "2", "points": 8, "was": 10}, "Line 2 changed: 8, not 10", ""),
    ("amend", {"entry": "2", "points": 8, "was": 10}, "Ann +8, hand", "0 → 8, not 10"),
    ("peg_back", {"seat": 0, "holes": 4}, "Ann back 4", "10 → 6"),
    ("peg_back", {"seat": 0, "holes": 15, "note": "fumble"}, "Ann back 15: fumble", "10 → 0"),
    ("set_pegs", {"seat": 0, "front": 4, "rear": 2, "note": "pegs fell"}, "Judge: Ann to 4, pegs fell", "10 → 4"),
    ("retract", {"to": "1"}, "Back to line 1", ""),
    ("retract", {"to": "0", "note": "renege"}, "Back to the start: renege", ""),
]


@pytest.mark.long
def test_the_strip_tells_each_kind_of_line(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    for do, values, said, moved in COMMANDS:
        table.lay(*DEALT)
        table.ask(do, **values)
        expect(phone.locator("#what")).to_have_text(said)
        expect(phone.locator("#when")).to_have_text(re.compile(rf"^{re.escape(moved)}(, )?(just now|\d+ s ago)$"))
        expect(phone.locator(".mine .hero")).to_have_text(f"{table.fronts[0]}")


HEARD = [
    ("penalty", {"seat": 1, "points": 2, "note": "misdeal"}, "Bob +2, penalty: misdeal, now 14"),
    ("over_peg", {"entry": "2", "points": 8, "was": 10}, "Line 2 changed: 8, not 10, now 8"),
    ("amend", {"entry": "2", "points": 8, "was": 10}, "Line 2 changed: 8, not 10, now 8"),
    ("peg_back", {"seat": 0, "holes": 4}, "Ann back 4, now 6"),
    (
        "set_pegs",
        {"seat": 0, "front": 105, "rear": 97, "note": "pegs fell"},
        "Judge: Ann to 105, pegs fell, now 105",
    ),
    ("retract", {"to": "1"}, "Back to line 1. Board. Ann at 0, rear peg at 0. Bob at 12, rear peg at 0."),
]


@pytest.mark.long
def test_the_live_region_tells_each_ruling_and_its_undo(table, look):
    phone, board = look(table.url, holder=(0, "Ann")), look(f"{table.url}/board", "tv")
    for do, values, said in HEARD:
        table.lay(*DEALT)
        for page in (phone, board):
            expect(page.locator(".hero").filter(has_text=re.compile("^12$"), visible=True).first).to_be_visible()
        line = table.ask(do, **values)
        for page in (phone, board):
            expect(page.get_by_role("status")).to_contain_text(said)
        if do != "amend":
            table.ask("undo", entry=line)
            expect(phone.get_by_role("status")).to_have_text(re.compile(r"^Undone: "))


@pytest.mark.long
def test_the_board_lists_rulings_with_whose_they_are_and_where_the_peg_stands(table, look):
    rulings(table)
    board = look(f"{table.url}/board", "tv")
    parts = "rows => rows.map(row => [...row.children].map(part => part.textContent).join(' '))"
    rows = [" ".join(row.split()) for row in board.locator("#last li").evaluate_all(parts)]
    assert rows == [
        "set by the judge: pegs fell Bob, now 40",
        "back 5: talked of the cards Ann, now 13",
        "line 2: 8, not 10 Ann, now 18",
        "+2 penalty: misdeal Bob, now 16",
        "+6 play, not 7 Ann, now 18",
    ]
    assert board.locator("#last .mark").count() == 5
    expect(board.locator(".seat .chip")).to_have_text("set by the judge")


def test_a_line_under_a_ruling_is_struck_and_says_what_it_truly_was(table, look):
    table.lay(*DEALT)
    table.ask("over_peg", entry="2", points=8, was=10)
    board = look(f"{table.url}/board", "tv")
    struck = board.locator("#last li.struck")
    expect(struck.locator("s")).to_have_text("+10")
    expect(struck.locator(".why")).to_have_text("hand, actually 8")
    expect(struck.locator(".to")).to_have_text("8")
    assert "line-through" in struck.locator("s").evaluate("node => getComputedStyle(node).textDecorationLine")


@pytest.mark.long
def test_retracted_lines_are_struck_and_stand_nowhere(table, look):
    table.lay(*DEALT)
    table.ask("retract", to="1", note="renege")
    board = look(f"{table.url}/board", "tv")
    expect(board.locator("#last li").first).to_have_text("Back to line 1: renege")
    struck = board.locator("#last li.struck")
    expect(struck.locator(".why")).to_have_text("hand, rolled back")
    expect(struck.locator(".to")).to_have_text("")
    expect(board.locator("#last li:not(.struck)")).to_have_count(2)
    expect(board.locator(".seat .hero").first).to_have_text("0")


@pytest.mark.long
def test_a_line_taken_back_is_struck_and_leaves_the_board_with_the_next(table, look):
    table.lay(*DEALT)
    table.ask("undo", entry="2")
    board = look(f"{table.url}/board", "tv")
    expect(board.locator("#last li.struck .why")).to_have_text(re.compile("undone"))
    table.score(0, 1, "play")
    expect(board.locator("#last li")).to_have_count(2)
    expect(board.locator("#last li.struck")).to_have_count(0)


def test_a_score_after_an_earlier_end_does_not_count(table, look):
    table.lay(*run_to(0, 97), (1, 2, None), (0, 20, None), (1, 5, None))
    table.ask("amend", entry="7", points=24, was=20)
    board = look(f"{table.url}/board", "tv")
    expect(board.locator(".victory")).to_have_text("Ann wins")
    expect(board.locator("#last li.struck .why")).to_have_text(re.compile("after the game ended"))
    expect(board.locator(".seat .hero").last).to_have_text("2")


@pytest.mark.long
def test_a_false_claim_opens_the_game_again_and_is_told_whole(table, look):
    table.lay(*near_the_end(), (0, 9, "crib"), dealer=1)
    phone = look(table.url, holder=(0, "Ann"))
    board = look(f"{table.url}/board", "tv")
    expect(phone.get_by_role("heading", name="Ann wins")).to_be_visible()
    ended = table.state["entries"][0]["id"]
    table.ask("false_claim", entry=ended, points=6, was=9)
    expect(phone.locator("#what")).to_have_text("False claim: Ann 6, Bob +3, Ann back 15")
    expect(phone.locator(".mine .hero")).to_have_text("103")
    expect(phone.get_by_role("status")).to_contain_text("False claim: Ann 6, Bob +3, Ann back 15, now 103")
    expect(board.locator(".victory")).to_have_count(0)
    expect(board.locator(".seat .chip").first).to_have_text("back 15")
    expect(board.locator("#last li.ruling .why")).to_have_text("false claim, Bob +3")
    expect(board.locator(".won")).to_have_count(0)
    phone.get_by_role("button", name="Undo").tap()
    phone.get_by_role("button", name="Undo", exact=True).tap()
    expect(phone.get_by_role("button", name="Undo +9")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize(
    "ruling", [("peg_back", {"holes": 3}, 11), ("set_pegs", {"front": 40, "rear": 31, "note": "pegs fell"}, 40)]
)
def test_after_a_ruling_no_ghost_tells_a_move_that_was_none(table, look, ruling):
    do, values, front = ruling
    board = look(f"{table.url}/board", "tv")
    hero, drawn = board.locator(".seat .hero").first, board.locator(".hop > *")
    table.lay((1, 12, "hand"), (0, 10, "hand"), (0, 4, "crib"))
    expect(board.locator(".pill")).to_have_text("+4")
    table.ask(do, seat=0, **values)
    expect(hero).to_have_text(f"{front}")
    expect(drawn).to_have_count(0)
    table.score(0, 5, "play")
    expect(hero).to_have_text(f"{front + 5}")
    expect(drawn).to_have_count(0)  # the lines do not tell where this peg stood before
    table.score(0, 2, "play")
    expect(board.locator(".pill")).to_have_text("+2")


@pytest.mark.long
def test_a_question_tells_rulings_and_what_was_taken_back(table, look):
    look.excuse("409")
    look.excuse("ERR_FAILED")
    table.lay(*DEALT)
    phone = look(table.url, holder=(0, "Ann"))
    phone.route("**/events", lambda route: route.abort())
    phone.evaluate("dispatchEvent(new Event('pagehide'))")
    table.ask("undo", entry="2")
    table.ask("penalty", seat=0, points=2, note="misdeal")
    table.ask("peg_back", seat=0, holes=1)
    phone.get_by_role("button", name="5", exact=True).tap()
    question = phone.get_by_role("dialog", name="Ann is already at 1")
    expect(question).to_contain_text("Ann back 1, ")
    expect(question).to_contain_text("Ann +2, penalty: misdeal, ")
    expect(question).to_contain_text("+10, hand, undone, ")


NOTE = "مخالفة <b>&amp; 規則違反"


def test_a_note_is_only_ever_text(table, look):
    table.lay(*DEALT, players=("Ann", "Bob"))
    table.ask("penalty", seat=1, points=2, note=NOTE)
    for path, size in (("/", "phone"), ("/board", "tv")):
        page = look(table.url + path, size)
        expect(page.locator("#what, #last li .why").first).to_contain_text(NOTE)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


# --- muggins ---


def test_muggins_asks_for_claimed_and_missed_and_pegs_the_lesser(muggins, look):
    table = Table(muggins).lay(*DEALT)
    phone = look(table.url, holder=(0, "Ann"))
    phone.get_by_role("button", name="Muggins").tap()
    sheet = phone.get_by_role("dialog", name="Ann calls muggins")
    touch_again(phone, sheet.get_by_role("button", name="One more claimed"), A_FINGER, A_FINGER)
    expect(sheet.locator("output")).to_have_text(["5", "5"])
    sheet.get_by_role("button", name="One fewer missed").tap()
    sheet.get_by_role("button", name="Ann +4 10 → 14").tap()
    expect(phone.locator("#what")).to_have_text("Muggins: Ann +4")
    expect(phone.locator(".mine .hero")).to_have_text("14")
    line = table.state["entries"][0]
    assert (line["do"], line["caller"], line["claimed"], line["missed"]) == ("muggins", 0, 5, 4)


@pytest.mark.long
def test_a_wrong_call_of_muggins_goes_to_the_opponent(muggins, look):
    table = Table(muggins).lay(*DEALT)
    phone = look(table.url, holder=(0, "Ann"))
    board = look(f"{table.url}/board", "tv")
    phone.get_by_role("button", name="Muggins").tap()
    touch_again(phone, phone.get_by_role("button", name="One fewer missed"), A_FINGER, A_FINGER)
    expect(phone.locator("#muggins-reason")).to_have_text("0 is the minimum")
    phone.get_by_role("button", name="Wrong call: Bob +2 12 → 14").tap()
    expect(phone.locator("#what")).to_have_text("Wrong muggins call by Ann: Bob +2")
    expect(board.locator("#last li .why").first).to_have_text("wrong muggins call")
    assert soon(lambda: table.fronts == [10, 14])


@pytest.mark.long
def test_with_three_a_wrong_call_asks_whom_it_awards(muggins, look):
    table = Table(muggins).lay(players=("Ann", "Bob", "Cy"), variant="three-handed")
    phone = look(table.url, "short", holder=(1, "Bob"))
    phone.get_by_role("button", name="More").tap()
    phone.get_by_role("dialog", name="Points for Bob").get_by_role("button", name="Muggins").tap()
    touch_again(phone, phone.get_by_role("button", name="One fewer missed"), A_FINGER)
    expect(phone.locator("#muggins-awards button")).to_have_text([re.compile(r"Ann \+2"), re.compile(r"Cy \+2")])
    phone.get_by_role("button", name="Cy +2").tap()
    expect(phone.locator("#what")).to_have_text("Wrong muggins call by Bob: Cy +2")
    assert soon(lambda: table.fronts == [0, 0, 2])


@pytest.mark.long
def test_muggins_says_before_it_is_sent_that_the_game_hole_cuts_it_short(muggins, look):
    table = Table(muggins).lay(*run_to(1, 118), (1, 1, "hand"))
    phone = look(table.url, holder=(0, "Ann"))
    phone.get_by_role("button", name="Muggins").tap()
    expect(phone.locator("#muggins-reason")).to_have_text("")
    phone.get_by_role("button", name="One more claimed").tap()
    expect(phone.locator("#muggins-reason")).to_have_text("Bob has 2 holes to go, so at most 2 points could be missed")
    phone.get_by_role("button", name="Ann +2 0 → 2").tap()
    assert soon(lambda: table.fronts == [2, 119])


@pytest.mark.long
def test_with_three_muggins_asks_who_has_missed_the_points(muggins, look):
    table = Table(muggins).lay(*run_to(1, 120), players=("Ann", "Bob", "Cy"), variant="three-handed")
    phone = look(table.url, "short", holder=(0, "Ann"))
    phone.get_by_role("button", name="More").tap()
    phone.get_by_role("dialog", name="Points for Ann").get_by_role("button", name="Muggins").tap()
    keys = [re.compile(r"Ann \+1, missed by Bob"), re.compile(r"Ann \+2, missed by Cy")]
    expect(phone.locator("#muggins-awards button")).to_have_text(keys)
    expect(phone.locator("#muggins-reason")).to_contain_text("Bob")
    expect(phone.locator("#muggins-reason")).not_to_contain_text("Cy")
    phone.get_by_role("button", name="missed by Bob").tap()
    assert soon(lambda: table.fronts == [1, 120, 0])


@pytest.mark.long
def test_the_same_miss_called_on_two_phones_is_pegged_once_and_the_second_call_asks(muggins, look):
    look.excuse("409")
    table = Table(muggins).lay(*DEALT)
    first, second = look(table.url, holder=(0, "Ann")), look(table.url, holder=(0, "Ann"))
    answers = []
    look.listen(second, "response", lambda answer: answer.request.method == "POST" and answers.append(answer.status))
    for phone in (first, second):
        phone.get_by_role("button", name="Muggins").tap()
    first.get_by_role("button", name="Ann +2").tap()
    expect(second.locator(".mine .hero")).to_have_text("12")  # it heard of the first call while its sheet was open
    second.get_by_role("dialog").get_by_role("button", name="Ann +2").tap()
    question = second.get_by_role("dialog", name="The score has changed")
    expect(question).to_contain_text("Muggins: Ann +2")
    expect(question).to_contain_text("Call muggins anyway?")
    expect(question.get_by_role("button", name="Yes, Ann +2 12 → 14")).to_be_visible()
    question.get_by_role("button", name="No, leave it").tap()
    assert answers == [409]
    assert soon(lambda: table.fronts == [12, 12])


@pytest.mark.long
def test_the_sheet_for_muggins_closes_with_its_game(muggins, look):
    table = Table(muggins).lay(*run_to(0, 120))
    phone = look(table.url, holder=(0, "Ann"))
    sheet = phone.locator("#muggins-dialog")
    phone.get_by_role("button", name="Muggins").tap()
    expect(sheet).to_be_visible()
    table.score(0, 1)
    expect(sheet).to_be_hidden()
    table.lay(*DEALT)
    phone.get_by_role("button", name="Muggins").tap()
    expect(sheet).to_be_visible()
    table.lay()
    expect(sheet).to_be_hidden()
    assert soon(lambda: table.fronts == [0, 0])


@pytest.mark.long
def test_partners_on_everybodys_phone_say_who_of_them_calls(muggins, look):
    table = Table(muggins).lay(players=("Ann", "Bob", "Cy", "Dee"), variant="partners")
    phone = look(table.url)
    phone.get_by_role("button", name="Muggins").tap()
    sheet = phone.get_by_role("dialog", name="Ann & Cy call muggins")
    expect(sheet.locator("output").first).to_have_attribute("aria-live", "polite")
    expect(sheet.locator("output").last).to_have_attribute("aria-live", "off")
    sheet.get_by_role("button", name="Cy calls: Ann & Cy +2").tap()
    expect(phone.locator("#what")).to_have_text("Muggins: Cy +2")
    assert table.state["entries"][0]["caller"] == 2


# --- the end of a game, and of a match ---


@pytest.mark.long
def test_what_the_skunk_is_worth_is_said_by_the_tables_rules(table, look):
    table.lay(*near_the_end(), (0, 9, "crib"), dealer=1)
    phone = look(table.url, holder=(0, "Ann"))
    expect(phone.locator("#won-rest")).to_have_text(
        "Bob was 4 holes short of the skunk line at 91. It counts as two games."
    )
    table.lay(*near_the_end(), (0, 9, "crib"), dealer=1, variant="acc")
    expect(phone.locator("#won-rest")).to_have_text(re.compile("It is worth 3 game points.$"))


@pytest.mark.long
def test_both_players_confirm_the_result_where_the_rules_ask_for_it(table, look):
    table.lay(*near_the_end(), (0, 9, "crib"), dealer=1, variant="acc")
    ann, bob = look(table.url, holder=(0, "Ann")), look(table.url, holder=(1, "Bob"))
    board = look(f"{table.url}/board", "tv")
    expect(board.locator("#now")).to_have_text("Still to confirm: Ann, Bob")
    expect(ann.locator("#next-game")).to_be_hidden()
    ann.get_by_role("button", name="Confirm the result 121 to 87").tap()
    expect(ann.get_by_role("button", name="Next game Still to confirm: Bob")).to_be_visible()
    expect(board.locator("#now")).to_have_text("Still to confirm: Bob")
    expect(bob.get_by_role("status")).to_have_text("Ann has confirmed the result")
    bob.get_by_role("button", name="Confirm the result").tap()
    expect(ann.get_by_role("button", name="Next game Ann deals first")).to_be_visible()
    assert [seat["confirmed"] for seat in table.state["seats"]] == [True, True]


@pytest.mark.long
def test_everybodys_phone_confirms_for_each(table, look):
    table.lay(*near_the_end(), (0, 9, "crib"), dealer=1, variant="acc")
    phone = look(table.url)
    phone.get_by_role("button", name="Bob confirms").tap()
    expect(phone.get_by_role("button", name="Bob confirms")).to_have_count(0)
    phone.get_by_role("button", name="Ann confirms").tap()
    expect(phone.get_by_role("button", name="Next game")).to_be_visible()


@pytest.mark.long
def test_a_confirmation_of_a_result_that_has_changed_is_refused_in_words(table, look):
    look.excuse("409")
    look.excuse("ERR_FAILED")
    table.lay(*near_the_end(), (0, 9, "crib"), dealer=1, variant="acc")
    phone = look(table.url, holder=(0, "Ann"))
    phone.route("**/events", lambda route: route.abort())
    phone.evaluate("dispatchEvent(new Event('pagehide'))")
    table.ask("peg_back", seat=1, holes=3)
    phone.get_by_role("button", name="Confirm the result 121 to 87").tap()
    expect(phone.locator("#trouble")).to_contain_text("The result has changed")
    expect(phone.locator("#question")).to_be_hidden()
    phone.get_by_role("button", name="Hide").tap()
    expect(phone.locator("#trouble")).to_be_hidden()
    phone.get_by_role("button", name="Confirm the result 121 to 84").tap()
    expect(phone.get_by_role("button", name="Next game Still to confirm: Bob")).to_be_visible()


@pytest.mark.long
def test_a_match_is_counted_in_its_format_and_won(table, look):
    table.lay(*run_to(1, 100), *run_to(0, 120), match="best of 3")
    phone = look(table.url, holder=(0, "Ann"))
    board = look(f"{table.url}/board", "tv")
    expect(board.locator("#games-title")).to_have_text("Games, best of 3")
    phone.get_by_role("button", name="1", exact=True).tap()
    expect(phone.locator("#games b")).to_have_text(["1", "0"])
    expect(phone.locator("#match-won")).to_be_hidden()
    table.lay(*run_to(1, 100), *run_to(0, 120), goes_on=True)
    phone.get_by_role("button", name="1", exact=True).tap()
    expect(phone.locator("#match-won")).to_have_text("Ann has won the match")
    expect(phone.locator("#hint")).to_have_text("The match is over")
    expect(board.locator("#now")).to_have_text("Ann has won the match")
    expect(board.locator("#games b")).to_have_text(["2", "0"])
    phone.evaluate(SAID)
    phone.get_by_role("button", name="Next match").tap()
    expect(phone.get_by_role("dialog", name="Who deals first?")).to_be_visible()
    phone.locator("#choices").get_by_role("button", name="Bob").tap()
    expect(phone.locator(".mine .hero")).to_have_text("0")
    expect(board.locator("#games b")).to_have_text(["0", "0"])
    phone.wait_for_function("() => window.said.includes('New game: Bob deals')")


@pytest.mark.long
def test_a_skunk_counts_twice_towards_the_end_of_the_match(table, look):
    table.lay(*near_the_end(), (0, 9, "crib"), dealer=1, match="best of 3")
    phone = look(table.url, holder=(0, "Ann"))
    expect(phone.locator("#won-rest")).to_contain_text("It counts as two games.")
    expect(phone.locator("#games b")).to_have_text(["2", "0"])
    expect(phone.locator("#match-won")).to_have_text("Ann has won the match")


@pytest.mark.long
def test_an_abandoned_game_puts_the_one_before_back(table, look):
    table.lay(*near_the_end(), (0, 9, "crib"), dealer=1)
    phone = look(table.url, holder=(0, "Ann"))
    table.lay()
    expect(phone.locator(".mine .hero")).to_have_text("0")
    table.ask("abandon")
    expect(phone.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(phone.get_by_role("status")).to_have_text(re.compile("^Back to an earlier game. Board. Ann at 121"))
