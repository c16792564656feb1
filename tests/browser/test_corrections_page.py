"""Every correction and ruling through the page of a game: what the preview says is what then happens."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import paired
from tests.browser.history_game import ANN, BOB
from tests.browser.laid_games import Table, near_the_end, run_to
from tests.browser.looks import assert_clean, wrong_looks
from tests.support.program import Service

BEGUN = [(BOB, 12, "hand"), (ANN, 10, "hand"), (ANN, 4, "crib")]
"""Line 1: Bob 12; line 2: Ann 10; line 3: Ann 4, in the crib. Ann dealt."""

WON = [*near_the_end(), (ANN, 9, "crib")]
"""Ann is home with her crib, line 15: she stood at 112 after 12 in hand, line 14; Bob counted 8 in line 13."""


@pytest.fixture(scope="module")
def muggins(tmp_path_factory):
    """A table where muggins is played and an over-pegger's opponent scores the excess; what is misdealt costs two."""
    house = ("muggins=on", "over-peg=excess", "misdeal=2")
    options = [word for rule in house for word in ("--house", rule)]
    with Service(tmp_path_factory.mktemp("muggins") / "state", *options) as program:
        yield program


def opened(page, kind, line=None):
    """Choose a correction of a line, or at the table."""
    page.get_by_role("button", name="Change a line").click()
    if line is not None:
        page.get_by_label("Score sheet line").select_option(f"{line}")
    page.locator(f"[data-kind={kind}]").click()


def fill(page, **values):
    for name, value in values.items():
        field = page.locator(f"#correct [name={name}]")
        if field.first.get_attribute("type") == "radio":
            page.locator(f"#correct [name={name}][value='{value}']").check()
        else:
            field.fill(f"{value}")


def seen(page):
    page.get_by_role("button", name="Preview").click()
    return told(page)


def told(page):
    """What the preview says of each lane."""
    page.locator("#correct-do").wait_for()
    return page.locator("#correct .preview b").all_inner_texts()


def then(texts, fronts):
    """Where front pegs stand after what the preview says."""
    return [int(re.match(r"(?:\d+ → |stays at )(\d+)", text)[1]) for text in texts]


def done(page):
    page.locator("#correct-do").click()
    expect(page.locator("#correct")).not_to_be_visible()


CORRECTIONS = [  # laid, kind, line, fields, what each lane shows, the result in words
    (BEGUN, "undo", 2, {}, ["14 → 4", "stays at 12"], ""),
    (BEGUN, "amend", 1, {"points": 16}, ["stays at 14", "12 → 16"], ""),
    (BEGUN, "over_peg", 2, {"points": 8}, ["14 → 12", "stays at 12"], ""),
    (BEGUN, "retract", 1, {"note": "renege"}, ["14 → 0", "stays at 12"], ""),
    (BEGUN, "penalty", None, {"seat": 1, "points": 2, "note": "talked"}, ["stays at 14", "12 → 14"], ""),
    (BEGUN, "peg_back", None, {"seat": 0, "holes": 15}, ["14 → 0", "stays at 12"], ""),
    (BEGUN, "set_pegs", None, {"seat": 1, "front": 40, "rear": 31, "note": "fell"}, ["stays at 14", "12 → 40"], ""),
    (BEGUN, "restart", None, {}, ["14 → 0", "12 → 0"], ""),
    (WON, "undo", 15, {}, ["121 → 112", "stays at 87"], "The game is open again."),
    (WON, "false_claim", 15, {"points": 6}, ["121 → 103", "87 → 90"], "The game is open again."),
    (
        WON,
        "amend",
        14,
        {"points": 14},
        ["stays at 121", "stays at 87"],
        "The result is unchanged: Ann won 121 to 87, a skunk.",
    ),
    (WON, "amend", 13, {"points": 12}, ["stays at 121", "87 → 91"], "New result: Ann won 121 to 91."),
]


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("correction", CORRECTIONS, ids=lambda one: f"{one[1]}-{one[2]}")
def test_what_the_preview_says_is_what_happens(table, look, correction):
    laid, kind, line, fields, shows, result = correction
    table.lay(*laid, dealer=BOB if laid is WON else ANN)
    before = table.state
    page = look(f"{table.url}/history/now", "phone")
    opened(page, kind, line)
    fill(page, **fields)
    texts = seen(page) if page.locator("#correct form").count() else told(page)
    assert [text.split(",")[0] for text in texts] == shows
    expect(page.locator("#correct .outcome")).to_have_text(result) if result else None
    now = table.state
    assert (now["revision"], now["lanes"]) == (before["revision"], before["lanes"])
    done(page)
    assert table.fronts == then(texts, table.fronts)
    assert table.state["revision"] == before["revision"] + 1
    expect(page.locator("#correct-closed")).not_to_have_text("")


@pytest.mark.sampled
@pytest.mark.parametrize(("kind", "fields"), [("undo", {}), ("amend", {"points": 1}), ("over_peg", {"points": 1})])
def test_a_correction_that_takes_a_win_back_asks_so(table, look, kind, fields):
    table.lay(*WON, dealer=BOB)
    page = look(f"{table.url}/history/now", "tablet")
    opened(page, kind, 15)
    fill(page, **fields)
    seen(page) if fields else told(page)
    expect(page.locator("#correct-title")).to_have_text("Ann has won. Undo the win?")
    done(page)
    assert table.state["game"]["over"] is False


@pytest.mark.long
def test_a_line_is_put_back_as_it_was_taken(table, look):
    table.lay(*BEGUN)
    table.ask("undo", entry="2")
    page = look(f"{table.url}/history/now", "desk")
    page.locator("#entries summary").click()
    page.get_by_role("button", name="Change line 2").click()
    expect(page.locator("[data-kind=undo]")).to_have_attribute("title", re.compile("is undone"))
    page.locator("[data-kind=redo]").click()
    assert told(page) == ["4 → 14", "stays at 12"]
    done(page)
    assert table.fronts == [14, 12]
    trail = page.locator("#line-2 .trail li")
    expect(trail).to_have_text([re.compile(r"^Undone \(program, \d\d:\d\d\)$"), re.compile(r"^Redone \(phone, ")])


@pytest.mark.long
def test_the_sheet_strikes_what_was_amended_and_what_a_ruling_found(table, look):
    table.lay(*BEGUN)
    page = look(f"{table.url}/history/now", "desk")
    opened(page, "amend", 1)
    fill(page, points=8)
    seen(page)
    done(page)
    opened(page, "over_peg", 2)
    fill(page, points=6)
    seen(page)
    done(page)
    struck = page.locator("#score-sheet s")
    expect(struck).to_have_text(["10", "12"])
    notes = page.locator("#sheet-notes li")
    expect(notes).to_have_count(2)
    expect(notes.first).to_have_text(re.compile(r"^Deal 1: Bob \+8, hand; 12 changed to 8, phone, \d\d:\d\d\.$"))
    expect(notes.last).to_have_text(re.compile(r"^Deal \d: Line 2 changed: 6, not 10; phone, \d\d:\d\d\.$"))
    page.locator("#entries summary").click()
    expect(page.locator("#line-2 .trail")).to_have_text("Covered by the ruling in line 4")
    expect(page.locator("#line-2 s")).to_be_visible()
    page.get_by_role("button", name="Change line 2").click()
    page.locator("[data-kind=amend]").click(force=True)
    expect(page.locator("#correct-answer")).to_have_text(
        "Line 2 is covered by the ruling in line 4. Undo the ruling first."
    )
    assert_clean(page)


@pytest.mark.long
def test_pegs_that_a_judge_has_set_stay_and_the_preview_says_so(table, look):
    table.lay(*BEGUN)
    table.ask("set_pegs", seat=BOB, front=40, rear=31, note="pegs fell")
    page = look(f"{table.url}/history/now", "phone")
    opened(page, "amend", 1)
    fill(page, points=20)
    assert seen(page) == ["stays at 14", "stays at 40"]
    expect(page.locator(".stays-note")).to_have_text("Bob's pegs stay where line 4 set them")
    assert_clean(page)


@pytest.mark.long
def test_a_game_is_given_up_from_its_page(table, look):
    table.lay(*BEGUN)
    game = table.state["game"]["id"]
    page = look(f"{table.url}/history/{game}", "phone")
    opened(page, "abandon")
    fill(page, note="the train leaves")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#correct .outcome")).to_contain_text("The table will show:")
    done(page)
    assert table.state["game"]["id"] != game
    expect(page.locator("#result")).to_have_text("Abandoned at 14 to 12")


@pytest.mark.long
def test_muggins_and_penalties_by_the_rules_of_the_house(muggins, look):
    table = Table(muggins).lay(*BEGUN)
    page = look(f"{muggins.url}/history/now", "phone")
    opened(page, "muggins")
    fill(page, seat=1, claimed=4, missed=2)
    assert seen(page) == ["stays at 14", "12 → 14"]
    done(page)
    opened(page, "muggins")
    fill(page, seat=1, claimed=3, missed=0)
    assert seen(page) == ["14 → 17", "stays at 14"]
    done(page)
    opened(page, "penalty")
    page.get_by_role("button", name="Dealer has the wrong number of cards: 2").click()
    fill(page, seat=0)
    assert seen(page) == ["17 → 19", "stays at 14"]
    done(page)
    assert table.state["entries"][0]["fault"] == "dealer-number"
    opened(page, "over_peg", 2)
    fill(page, points=7)
    assert seen(page) == ["19 → 16", "14 → 17"]
    done(page)
    assert table.fronts == [16, 17]


@pytest.mark.long
def test_with_three_the_opponent_who_is_awarded_is_named(table, look):
    table.lay(
        *run_to(0, 100),
        *run_to(1, 50),
        *run_to(2, 60),
        (0, 24, None),
        variant="three-handed",
        players=("Ann", "Bob", "Cy"),
    )
    claim = table.state["entries"][0]["id"]
    page = look(f"{table.url}/history/now", "phone")
    opened(page, "false_claim", claim)
    assert page.locator("[name=opponent]").evaluate_all("all => all.map(one => one.value)") == ["1", "2"]
    fill(page, points=12, opponent=2)
    assert seen(page) == ["121 → 97", "stays at 50", "60 → 69"]
    done(page)
    assert table.fronts == [97, 50, 69]


@pytest.mark.long
def test_a_form_says_what_is_wanting_and_keeps_what_was_typed(table, look):
    look.excuse("422")
    table.lay(*BEGUN)
    page = look(f"{table.url}/history/now", "phone")
    opened(page, "set_pegs")
    fill(page, front=40)
    page.get_by_role("button", name="Preview").click()
    answer = page.locator("#correct-answer")
    expect(answer).to_have_text("Rear peg: enter a whole number from 0 to 121.")
    expect(page.locator("[name=rear]")).to_be_focused()
    fill(page, rear=50)
    page.get_by_role("button", name="Preview").click()
    expect(answer).to_have_text("Enter a reason. It appears on the score sheet.")
    page.get_by_role("button", name="pegs fell out").click()
    page.get_by_role("button", name="Preview").click()
    expect(answer).to_contain_text("The pegs cannot be at 40 and 50: the front peg must be ahead of the rear peg")
    expect(page.get_by_role("link", name="The rule")).to_have_attribute("href", re.compile("^/rules#"))
    expect(page.locator("[name=front]")).to_have_value("40")
    expect(page.locator("[name=note]")).to_have_value("pegs fell out")
    assert wrong_looks(page, ("short",)) == {}
    assert table.fronts == [14, 12]


def test_a_table_that_moves_meanwhile_is_shown_anew_before_anything_is_done(table, look):
    look.excuse("409")
    table.lay(*BEGUN)
    page = look(f"{table.url}/history/now", "phone")
    opened(page, "peg_back")
    fill(page, seat=0, holes=5)
    assert seen(page) == ["14 → 9", "stays at 12"]
    expect(page.get_by_role("button", name="Leave unchanged")).to_be_focused()
    table.score(ANN, 6, "play")
    expect(page.locator("#correct .preview b").first).to_have_text("20 → 15")
    expect(page.locator("#correct-answer")).to_have_text("The score has changed; the preview is up to date.")
    done(page)
    assert table.fronts == [15, 12]


@pytest.mark.long
def test_an_amount_that_another_has_amended_is_asked_about_anew(table, look):
    look.excuse("409")
    table.lay(*BEGUN)
    page = look(f"{table.url}/history/now", "phone")
    opened(page, "amend", 1)
    fill(page, points=8)
    assert seen(page) == ["stays at 14", "12 → 8"]

    def meanwhile(route):
        table.ask("amend", entry="1", points=14, was=12)
        route.continue_()

    page.route("**/api/v1/commands", meanwhile, times=1)
    page.locator("#correct-do").click()
    expect(page.locator("#correct-answer")).to_have_text("The score has changed; the preview is up to date.")
    assert told(page) == ["stays at 14", "14 → 8"]
    assert table.fronts == [14, 14]
    done(page)
    assert table.fronts == [14, 8]


@pytest.mark.long
def test_what_could_not_be_sent_is_said_and_sent_once(table, look):
    look.excuse("ERR_FAILED")
    look.excuse("ERR_CONNECTION")
    table.lay(*BEGUN)
    page = look(f"{table.url}/history/now", "phone")
    opened(page, "peg_back")
    fill(page, seat=1, holes=3)
    seen(page)
    answered = []

    def lost(route):
        answered.append(route.fetch().status)
        route.abort()

    page.route("**/api/v1/commands", lost)
    page.locator("#correct-do").click()
    expect(page.locator("#correct-answer")).to_contain_text("The table did not confirm the change. Nothing is lost")
    assert answered == [201]
    page.unroute("**/api/v1/commands")
    page.locator("#correct-do").click()
    expect(page.locator("#correct")).not_to_be_visible()
    assert table.fronts == [14, 9]


@pytest.mark.long
def test_scorers_correct_and_directors_rule(closed, look, browser):
    table = Table(closed, "director").lay(*BEGUN, match="best of 3")
    game = table.state["game"]["id"]
    scorer = paired(browser.new_context(viewport={"width": 390, "height": 844}), closed, "scorer")
    page = look(f"{closed.url}/history/now", context=scorer)
    page.get_by_role("button", name="Change a line").click()
    closed_to = "[data-kind][aria-disabled=true]"
    page.locator(closed_to).first.wait_for()
    order = page.locator("[data-kind]").evaluate_all("keys => keys.map(key => key.dataset.kind)")
    assert order == [
        *("undo", "redo", "amend", "over_peg", "false_claim", "retract"),
        *("penalty", "muggins", "peg_back", "set_pegs", "restart", "abandon"),
    ]
    kinds = page.locator(closed_to).evaluate_all("keys => keys.map(key => key.dataset.kind)")
    assert {"false_claim", "retract", "peg_back", "set_pegs", "restart"} <= set(kinds)
    assert not {"undo", "amend", "over_peg", "penalty", "abandon"} & set(kinds)
    page.locator("[data-kind=peg_back]").click(force=True)
    expect(page.locator("#correct-answer")).to_have_text("Only the director can rule on this.")
    assert_clean(page)
    page.locator("[data-kind=undo]").click()
    done(page)
    assert table.fronts == [10, 12]

    for one in (*run_to(BOB, 80), *run_to(ANN, 111)):
        table.score(*one)
    state = table.state
    start = {"do": "start", "variant": "standard", "players": ["Ann", "Bob"], "game": game}
    assert table.client.command(**start, base=state["revision"])[0] == 201
    page.goto(f"{closed.url}/history/{game}")
    page.get_by_role("button", name="Change a line").click(force=True)
    expect(page.locator("#correct-closed")).to_have_text("Only the director can change a finished game.")
    page.close()

    director = paired(browser.new_context(viewport={"width": 1280, "height": 800}), closed, "director")
    page = look(f"{closed.url}/history/{game}", context=director)
    opened(page, "peg_back")
    fill(page, seat=1, holes=15)
    assert seen(page) == ["stays at 121", "92 → 77"]
    expect(page.locator("#correct .outcome")).to_have_text("New result: Ann won 121 to 77, a skunk.")
    done(page)
    expect(page.locator("#result")).to_have_text("Ann won 121 to 77, a skunk")
    scorer.close()
    director.close()


@pytest.mark.long
def test_by_strict_rules_the_director_corrects(closed, look, browser):
    Table(closed, "director").lay(*BEGUN, variant="acc")
    scorer = paired(browser.new_context(viewport={"width": 390, "height": 844}), closed, "scorer")
    page = look(f"{closed.url}/history/now", context=scorer)
    page.get_by_role("button", name="Change a line").click()
    page.locator("[data-kind=amend]").click(force=True)
    expect(page.locator("#correct-answer")).to_have_text(
        "Strict rules: only the director can change lines at this table."
    )
    scorer.close()


@pytest.mark.looks
def test_every_step_is_clean_and_whole_with_long_names_and_a_script(table, look):
    names = ("Bartholomew-Maximilian Featherstonehaugh", "<script>alert(1)</script>", "محمد عبد الله")
    table.lay(*[(seat, 12, "hand") for seat in (1, 2, 0)], players=names, variant="three-handed")
    page = look(f"{table.url}/history/now", "phone", theme="dark")
    page.get_by_role("button", name="Change a line").click()
    assert_clean(page)
    assert wrong_looks(page) == {}
    page.locator("[data-kind=penalty]").click()
    assert_clean(page)
    assert wrong_looks(page, ("short", "tv")) == {}
    fill(page, seat=1, points=2)
    seen(page)
    assert_clean(page)
    assert wrong_looks(page) == {}
    boxes = page.locator(".two-keys > *").evaluate_all("keys => keys.map(key => key.getBoundingClientRect())")
    assert len({(round(box["width"]), round(box["height"])) for box in boxes}) == 1
    page.keyboard.press("Escape")
    expect(page.locator("#correct")).not_to_be_visible()
    assert table.fronts == [12, 12, 12]


def test_the_trail_tells_the_reason_and_the_player_that_an_entry_had_before(table, look):
    table.lay((1, 8, None), (0, 4, "hand"))
    table.ask("amend", entry="1", seat=0, why="crib", was=8)
    table.ask("stage", stage="show")
    page = look(f"{table.url}/history/{table.state['game']['id']}", "phone")
    page.locator("#entries summary").click()
    told = page.locator("#entry-list")
    expect(told.locator("#line-1 .what-line")).to_have_text("Ann +8, crib")
    expect(told.locator("#line-1 .trail li")).to_have_text(re.compile(r"^Changed from no reason, Bob \(program, "))
    expect(told.locator("#line-3 .what-line")).to_have_text("In the show")
