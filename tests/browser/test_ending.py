"""The end of a game: what is read, what can be pressed, and what is in view, however long the names are."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SIZES
from tests.browser.laid_games import Table, near_the_end, run_to
from tests.browser.looks import others_in_looks
from tests.browser.pad import correct
from tests.support.program import Service

WON = {"scores": [*near_the_end(), (0, 9, "crib")], "dealer": 1, "variant": "acc"}  # Ann wins, 121 to 87

LONG = ("Ann" + "n" * 40, "Bob" + "b" * 40, "Cy" + "y" * 40, "Dee" + "e" * 40)

UNSEEN = """() => [...document.querySelectorAll('#confirm button, #next-game, #undo-win, .winner h2 span')]
    .filter(node => node.checkVisibility()).filter(node => {
        const {left, right, top, bottom} = node.getBoundingClientRect();
        return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    }).map(node => node.textContent)"""

CUT = "node => node.scrollWidth > node.clientWidth"


def lay(table, scores, **more):
    return table.lay(*scores, **more)


@pytest.fixture(scope="module")
def confirming(tmp_path_factory):
    """A program at a table where the players confirm each result."""
    with Service(tmp_path_factory.mktemp("confirm") / "state", "--house", "confirm=on") as program:
        yield program


def confirm_all(table):
    for seat in range(len(table.state["seats"])):
        table.ask("confirm", seat=seat, winner=0, fronts=table.fronts)


@pytest.mark.sampled
@pytest.mark.parametrize(("variant", "count", "keys"), [("partners", 4, 4), ("standard", 2, 2), ("three-handed", 3, 3)])
def test_every_key_of_the_end_is_in_view_with_any_names(confirming, look, variant, count, keys):
    table = Table(confirming).lay(*run_to(0, 121), players=LONG[:count], variant=variant)
    phone = look(table.url)
    for size in ("phone", "short"):
        width, height = SIZES[size]
        phone.set_viewport_size({"width": width, "height": height})
        expect(phone.locator("#confirm button")).to_have_count(keys)
        assert phone.evaluate(UNSEEN) == []
        for key in phone.locator("#confirm button").all():
            assert not key.locator("b").evaluate(CUT)
    confirm_all(table)
    expect(phone.locator("#next-game")).to_be_visible()
    for size in ("short", "phone"):
        width, height = SIZES[size]
        phone.set_viewport_size({"width": width, "height": height})
        assert phone.evaluate(UNSEEN) == []


@pytest.mark.looks
def test_short_names_of_losers_are_whole_on_the_smallest_phone(table, look):
    table.lay(*run_to(1, 100), *run_to(2, 112), *run_to(0, 121), players=("Ann", "Bob", "Dee"), variant="three-handed")
    names = look(table.url, "narrow").locator(".final .name")
    expect(names).to_have_text(["Bob", "Dee"])
    assert [name.inner_text() for name in names.all() if name.evaluate(CUT)] == []


@pytest.mark.looks
def test_a_long_name_is_cut_and_never_the_verb(table, look):
    table.lay(*run_to(0, 121), players=LONG[:2])
    phone = look(table.url, "short")
    title = phone.locator("#won-title")
    expect(title).to_have_text(re.compile("^Ann+… wins$"))
    expect(title.locator(".name")).to_have_attribute("title", LONG[0])
    assert title.locator(".name").evaluate(CUT)
    assert not title.locator("span").last.evaluate(CUT)


@pytest.mark.long
def test_partners_confirm_each_for_himself_on_everybodys_phone(confirming, look):
    table = Table(confirming).lay(*run_to(0, 121), players=("Ann", "Bob", "Cy", "Dee"), variant="partners")
    phone = look(table.url)
    phone.get_by_role("button", name="Cy confirms").tap()
    expect(phone.locator("#confirm button")).to_have_text(["Bob confirms", "Dee confirms"])
    assert [seat["confirmed"] for seat in table.state["seats"]] == [False, False, True, False]


def test_after_confirming_the_next_game_has_the_focus(table, look):
    lay(table, **WON)
    phone = look(table.url)
    ann = phone.get_by_role("button", name="Ann confirms")
    ann.focus()
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("button", name="Bob confirms")).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.locator("#next-game")).to_be_focused()


@pytest.mark.long
def test_a_double_tap_on_confirm_shows_no_refusal(table, look):
    look.excuse("409")
    lay(table, **WON)
    phone = look(table.url, holder=(0, "Ann"))
    answers = []
    look.listen(phone, "response", lambda answer: answer.request.method == "POST" and answers.append(answer.status))
    phone.evaluate("for (const _ of [1, 2]) document.querySelector('#confirm button').click()")
    expect(phone.get_by_role("button", name="Next game")).to_be_visible()
    phone.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))")
    expect(phone.locator("#trouble")).to_be_hidden()
    assert answers == [201, 409]


@pytest.mark.long
def test_the_result_is_read_with_the_winners_score_first(table, look):
    table.lay(*run_to(0, 100), *run_to(1, 120))
    phone = look(table.url)
    table.score(1, 1)
    expect(phone.get_by_role("status")).to_have_text("Bob wins, 121 to 100")


@pytest.mark.long
def test_another_skunk_is_another_result_and_is_read_again(table, look):
    table.lay(*run_to(0, 91), *run_to(1, 120))
    phone = look(table.url)
    table.score(1, 1)
    expect(phone.get_by_role("status")).to_have_text("Bob wins, 121 to 91")
    table.ask("peg_back", seat=0, holes=1)
    expect(phone.get_by_role("status")).to_have_text("Bob wins, 121 to 90. A skunk.")


@pytest.mark.long
def test_two_in_the_game_hole_are_both_home(table, look):
    table.lay(*run_to(0, 120), *run_to(1, 97), (1, 23, "hand"), (0, 1, "hand"))
    table.ask("set_pegs", seat=1, front=121, rear=97, note="pegs fell")
    phone, board = look(table.url), look(f"{table.url}/board", "tv")
    expect(phone.locator("#won-rest")).to_have_text("Both pegged out; Ann was first.")
    expect(board.get_by_text("Pegged out, but not first")).to_be_visible()


@pytest.mark.long
def test_what_undo_has_to_say_at_the_end_is_seen_and_keeps_off_next_game(table, look):
    lay(table, **WON | {"variant": "standard"})
    phone = look(table.url)
    phone.locator("#undo-win").evaluate("key => { key.dataset.reason = 'Nothing to undo'; key.click(); }")
    said = phone.locator("#what")
    expect(said).to_be_visible()
    expect(said).to_have_text("Nothing to undo")
    gap = "() => document.getElementById('next-game').getBoundingClientRect().top"
    assert phone.evaluate(gap) - said.evaluate("node => node.getBoundingClientRect().bottom") >= 7


@pytest.mark.long
def test_undo_asks_in_words_before_it_takes_a_win_back(table, look):
    lay(table, **WON | {"variant": "standard"})
    phone = look(table.url)
    phone.locator("#undo-win").tap()
    expect(phone.locator("#what")).to_have_text("Ann has won. Undo the win?")
    phone.locator("#keep").tap()
    assert table.state["game"]["winner"] == 0
    phone.locator("#undo-win").tap()
    phone.locator("#take").tap()
    expect(phone.locator("#won-title")).to_be_hidden()
    assert table.state["game"]["over"] is False


@pytest.mark.long
def test_a_correction_that_leaves_the_win_is_asked_about_as_ever(table, look):
    lay(table, **WON | {"variant": "standard"})
    newest = next(entry for entry in table.state["entries"] if entry["lane"] == 1)
    table.ask("over_peg", entry=newest["id"], points=0, was=newest["points"])
    phone = look(table.url)
    phone.locator("#undo-win").tap()
    expect(phone.locator("#what")).to_have_text(re.compile("^Undo "))


# --- words of the state ---


@pytest.mark.long
def test_ann_deals_until_something_of_the_deal_has_scored(table, look):
    table.lay(*[(seat, 2, "play") for _ in range(2) for seat in (1, 0)])
    board = look(f"{table.url}/board", "tv")
    expect(board.locator("#now")).to_have_text("Play")
    table.deal()
    expect(board.locator("#now")).to_have_text("Bob deals")


@pytest.mark.long
def test_undo_goes_on_below_the_newest_ten_lines(table, look):
    table.lay(*[(seat, 1, "play") for _ in range(6) for seat in (1, 0)])
    for line in range(12, 2, -1):
        table.ask("undo", entry=f"{line}")
    phone = look(table.url, holder=(0, "Ann"))
    expect(phone.locator("#what")).to_have_text("The newest lines are already undone")
    expect(phone.locator("#undo")).not_to_have_attribute("aria-disabled", "true")
    correct(phone)
    expect(phone.locator(".mine .hero")).to_have_text("0")
    assert table.state["undo"] == "1"


SHUT_WHEN_SHOWN = """() => {
    const after = document.getElementById('after');
    window.shutWhenShown = [];
    new MutationObserver(() => after.hidden || window.shutWhenShown.push(after.inert))
        .observe(after, { attributes: true, attributeFilter: ['hidden'] });
}"""


def win_while_it_is_open(table, look, page="", **more):
    """A page that has seen Ann win, with what was pressed last on it."""
    table.lay(*run_to(0, 120))
    phone = look(f"{table.url}/{page}", **more)
    phone.locator("[data-points='1'][data-label=go]").first.focus()
    table.score(0, 1, "go")
    return phone


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize(("page", "size", "key"), [("", "phone", "next-game"), ("tablet", "flat", "near-next-game")])
def test_the_next_game_has_the_focus_at_the_end(table, look, page, size, key):
    phone = win_while_it_is_open(table, look, page, size=size)
    expect(phone.locator(f"#{key}")).to_be_focused()


def test_what_is_pressed_in_the_moment_of_the_end_starts_no_game(table, look):
    """The finger was meant for a key that has just made room."""
    table.lay(*run_to(0, 120))
    phone = look(table.url)
    phone.evaluate(SHUT_WHEN_SHOWN)
    table.score(0, 1, "go")
    expect(phone.locator("#next-game")).to_be_focused()
    assert phone.evaluate("() => window.shutWhenShown") == [True]
    phone.keyboard.press("Enter")
    phone.locator(".scores").wait_for()
    assert not table.state["game"]["over"]


@pytest.mark.long
def test_the_first_who_confirms_has_the_focus_where_the_result_is_confirmed(confirming, look):
    phone = win_while_it_is_open(Table(confirming), look)
    expect(phone.locator("#confirm button").first).to_be_focused()


@pytest.mark.long
def test_a_question_keeps_the_focus_at_the_end(table, look):
    table.lay(*run_to(0, 120))
    phone = look(table.url)
    phone.get_by_role("button", name="More").tap()
    table.score(0, 1, "go")
    expect(phone.locator("#after")).to_be_visible()
    expect(phone.locator("#after")).not_to_have_attribute("inert", "")
    assert phone.evaluate("() => document.activeElement.closest('dialog')?.id") == "more-dialog"


@pytest.mark.long
@pytest.mark.parametrize("locale", others_in_looks("en", "fr"))
def test_the_end_of_a_game_leads_on_to_every_page_that_is_wanted_then(table, browser, locale):
    table.lay(*run_to(0, 121))
    context = browser.new_context(viewport={"width": 360, "height": 640}, locale=locale)
    context.add_init_script("localStorage.setItem('pegboard.holder', '{\"seat\":null,\"name\":null}')")
    page = context.new_page()
    page.goto(table.url)
    page.locator(".link.live").wait_for()
    links = page.locator("#after a")
    assert links.evaluate_all("nodes => nodes.map(node => node.getAttribute('href'))") == [
        "/history/now",
        "/board",
        "/stats",
        "/settings#next-title",
        "/settings",
    ]
    wide = "nodes => nodes.filter(({scrollWidth, clientWidth}) => scrollWidth > clientWidth).length"
    assert page.locator("#after .key").evaluate_all(wide) == 0
    assert page.evaluate(UNSEEN) == []
    links.first.click()
    page.wait_for_url("**/history/now")
    context.close()
