"""The pages of the games that are kept: the list, and one game with its sheet, its picture and every line."""

import itertools
import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.history_game import ANN, BOB, DEALS, drawn, peg
from tests.browser.laid_games import Table, run_to
from tests.browser.looks import EVERYWHERE, assert_clean, wrong_looks
from tests.support.program import Service

STRANGE = ("محمد عبد الله", "<script>alert('peg')</script>", "山田太郎")
LONG = "Bartholomew-Maximilian Featherstonehaugh"


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A table of its own: its history is what these tests have played."""
    with Service(tmp_path_factory.mktemp("evening") / "state") as program:
        yield program


@pytest.fixture(scope="module")
def played(evening):
    """The game of the drawing is over, with its correction; the id of the game."""
    return drawn(Table(evening), players=("Ann", LONG)).state["game"]["id"]


def rows(page):
    return page.locator("#score-sheet tbody tr")


def cells(row):
    """The cells of a row as they are read: "D 4" for a dealer's crib, "4 6" where 4 is struck."""
    texts = row.locator("th, td").evaluate_all(
        "cells => cells.map(cell =>"
        " [...cell.childNodes].filter(n => n.className !== 'unseen').map(n => n.textContent).join(' '))"
    )
    return [re.sub(r"\s+", " ", text).strip() for text in texts]


def as_drawn(number, deal):
    dealer, play, hand, crib, score = deal
    found = [f"{number}"]
    for seat in (ANN, BOB):
        ours = "" if seat != dealer else f"D {crib}" if crib is not None else "D"
        counted = "" if hand[seat] is None else f"{hand[seat]}"
        struck = "4 " if (number, seat) == (6, ANN) else ""
        found += [f"{play[seat]}", struck + counted, ours, f"{score[seat]}"]
    return found


def test_the_sheet_shows_the_numbers_of_the_drawing(evening, played, look):
    page = look(f"{evening.url}/history/{played}", "desk")
    expect(page.locator("#result")).to_have_text("Ann won 121 to 88, a skunk")
    expect(page).to_have_title("Ann won 121 to 88, a skunk · pegboard")
    assert [cells(row) for row in rows(page).all()] == [as_drawn(n, deal) for n, deal in enumerate(DEALS, 1)]
    expect(page.locator("#score-sheet s")).to_have_text("4")
    assert "line-through" in page.locator("#score-sheet s").evaluate("s => getComputedStyle(s).textDecorationLine")
    note = page.locator("#sheet-notes li")
    expect(note).to_have_text(re.compile(r"^Deal 6: Ann \+6, hand; 4 changed to 6, program, \d\d:\d\d\.$"))
    expect(page.locator("#marks")).to_have_text(re.compile("changed"))


def leads(deals):
    """Who leads after each line, level not counted: by the drawing's numbers."""
    fronts, found = [0, 0], []
    for dealer, play, hand, crib, _ in deals:
        for seat, points in [
            (ANN, play[ANN]), (BOB, play[BOB]), (1 - dealer, hand[1 - dealer]), (dealer, hand[dealer]), (dealer, crib)
        ]:  # fmt: skip
            fronts[seat] += points or 0
            if fronts[0] != fronts[1]:
                found.append(fronts[0] > fronts[1])
    return found


def average(seat, *, deals):
    """Holes a whole deal, of those that the seat deals or does not."""
    whole = [deal for deal in DEALS[:-1] if (deal[0] == seat) == deals]
    return sum(play[seat] + hand[seat] + (crib if deals else 0) for _, play, hand, crib, _ in whole) / len(whole)


@pytest.mark.long
def test_the_figures_are_sums_of_the_sheet(evening, played, look):
    page = look(f"{evening.url}/history/{played}", "desk")
    figures = page.locator("#figures > div")
    expect(figures).to_have_count(7)
    told = [re.sub(r"\s+", " ", text).strip() for text in figures.all_inner_texts()]
    assert told[0] == f"Ann, dealing {average(ANN, deals=True):.1f} par 16.2, 4 deals"
    assert told[1] == f"Ann, not dealing {average(ANN, deals=False):.1f} par 10.2, 4 deals"
    assert f"{average(BOB, deals=True):.1f} par 16.2, 4 deals" in told[2]
    led = leads(DEALS)
    changes = sum(one != other for one, other in itertools.pairwise(led))
    assert "Best hand 20 Ann, deal 7" in told
    assert f"Lead changed {changes} times" in told
    expect(page.locator("#left-out")).to_have_text("1 unfinished deal is left out of the averages.")


HOLES = """lane => {
  const label = (text) => [...document.querySelectorAll('.graph text')].find(node => node.textContent === text);
  const line = hole => Number(label(hole).getAttribute('y')) - 5;
  const [top, bottom] = [line('121'), line('0')];
  const [path] = document.querySelectorAll(`.trace.colour.l${lane}`);
  const corners = path.getAttribute('d').slice(1).split('L').map(one => one.split(' ').map(Number));
  return corners.slice(0, -1).map(([, y]) => Math.round(121 * (bottom - y) / (bottom - top)));
}"""


@pytest.mark.long
def test_the_lines_of_the_picture_climb_as_the_pegs_did(evening, played, look):
    page = look(f"{evening.url}/history/{played}", "desk")
    expect(page.locator(".graph .end-number")).to_have_text(["121", "88"])
    for lane in (ANN, BOB):
        holes = page.evaluate(HOLES, lane)
        assert holes == sorted(holes)
        after_deals = [deal[4][lane] for deal in DEALS]
        assert set(after_deals) <= set(holes)
    assert page.locator(".graph .line-name").all_text_contents() == ["skunk line", "double skunk line"]
    assert page.locator(".graph .shade").count() == len(DEALS) // 2
    assert [page.locator(f".graph .end .l{lane} {shape}").count() for lane, shape in ((0, "circle"), (1, "rect"))] == [
        2,
        2,
    ]
    said = page.locator("#graph").get_attribute("aria-label")
    assert ", ".join(f"{deal[4][ANN]}" for deal in DEALS) in said


@pytest.mark.long
def test_every_line_tells_its_source_its_time_and_its_history(evening, played, look):
    page = look(f"{evening.url}/history/{played}", "phone")
    page.locator("#entries summary").click()
    lines = evening.client().ask("GET", f"/api/v1/games/{played}")[1]["entries"]
    told = page.locator("#entry-list .entry")
    expect(told).to_have_count(len(lines))
    assert told.locator(".line-number").all_inner_texts() == [line["id"] for line in lines]
    moved = [f"{line['from']} → {line['to']}" if line["from"] != line["to"] else "" for line in lines]
    assert told.locator(".moved").all_inner_texts() == moved
    assert all(re.fullmatch(r"program, \d\d:\d\d", source) for source in told.locator(".door").all_inner_texts())
    trail = told.filter(has=page.locator(".trail li")).locator(".trail")
    expect(trail).to_have_text(re.compile(r"^Changed from 4 \(program, \d\d:\d\d\)$"))
    expect(page.locator("#deal-list li")).to_have_count(len(DEALS))
    assert page.locator("#deal-list .deal-number").all_inner_texts() == [f"{n}" for n in range(len(DEALS), 0, -1)]
    assert page.locator("#deal-list .gained").first.inner_text() == "+18"


APART = """() => {
  const box = node => [node.textContent, node.getBoundingClientRect()];
  const texts = [...document.querySelectorAll('.graph text')].map(box);
  const frame = document.querySelector('.graph').getBoundingClientRect();
  const found = [];
  for (const [one, a] of texts) {
    if (a.left < frame.left || a.right > frame.right || a.bottom > frame.bottom + 1) found.push(`${one} is cut`);
  }
  texts.forEach(([one, a], i) => texts.slice(i + 1).forEach(([other, b]) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 3) found.push(`${one} / ${other}`);
  }));
  return found;
}"""


@pytest.mark.looks
@pytest.mark.parametrize("size", ["short", "tv"])
def test_no_two_words_of_the_picture_lie_on_each_other(evening, look, size):
    """Three who stand almost level, whose numbers would."""
    table = Table(evening).lay(players=STRANGE, variant="three-handed")
    for seat, points in ((1, 24), (2, 24), (0, 24), (1, 24), (2, 24), (0, 24), (1, 12), (2, 11), (0, 12)):
        table.score(seat, points)
    page = look(f"{evening.url}/history/now", size)
    expect(page.locator(".graph .end-number")).to_have_count(3)
    assert page.evaluate(APART) == []


@pytest.mark.looks
def test_one_game_is_whole_at_every_size_in_both_themes_with_names_of_any_kind(evening, played, look):
    pages = [f"{evening.url}/history/{played}"]
    table = Table(evening).lay(players=STRANGE, variant="three-handed")
    for n, (seat, why) in enumerate(((1, "play"), (2, "play"), (1, "hand"), (2, "hand"), (0, "hand"), (0, "crib"))):
        table.score(seat, 2 + n, why)
    table.ask("undo", entry="1")
    pages.append(f"{evening.url}/history/now")
    for url, theme in zip(pages, ("light", "dark"), strict=True):
        page = look(url, "phone", theme=theme)
        page.locator("#entries summary").click()
        assert wrong_looks(page, (*EVERYWHERE, "narrow")) == {}
        assert_clean(page)
    expect(page.locator("#entry-list .struck")).to_have_count(1)
    expect(page.locator("#result")).to_contain_text(STRANGE[0].split()[0])


@pytest.mark.long
def test_of_partners_each_deal_names_who_dealt(evening, look):
    scores = [(1, 3, "play"), (0, 8, "hand"), (1, 6, "hand"), (2, 2, "crib"), (0, 2, "play"), (2, 4, "play")]
    Table(evening).lay(*scores, players=("Ann", "Bob", "Cy", "Dee"), variant="partners", dealer=2)
    page = look(f"{evening.url}/history/now", "desk")
    expect(page.locator("#result")).to_have_text("Ann & Cy lead 16 to 9")
    expect(rows(page).locator("th")).to_have_text(["1Cy", "2Dee"])
    assert wrong_looks(page) == {}
    expect(page.locator("#score-sheet .name").first).to_have_text("Ann & Cy")


@pytest.mark.long
def test_a_game_is_live_while_it_runs(evening, look):
    table = Table(evening).lay((BOB, 6, "hand"))
    page = look(f"{evening.url}/history/now", "phone")
    expect(page.locator("#result")).to_have_text("Bob leads 6 to 0")
    table.score(ANN, 12, "hand")
    expect(page.locator("#result")).to_have_text("Ann leads 12 to 6")
    expect(page.locator("#deal-list li").first).to_contain_text("hand 12")
    table.lay((BOB, 1, "go"))
    expect(page.locator("#result")).to_have_text("Bob leads 1 to 0")


@pytest.mark.long
def test_the_sheet_fits_one_page_of_paper_and_is_signed_where_players_confirm(evening, look):
    table = Table(evening).lay(dealer=BOB, variant="acc")
    peg(table)
    page = look(f"{evening.url}/history/now", "desk", theme="dark")
    expect(page.locator("#result")).to_have_text("Ann won 121 to 88, a skunk")
    page.emulate_media(media="print")
    assert page.locator("#signatures").is_visible()
    assert page.locator("#signatures p").all_inner_texts() == ["Ann", "Bob"]
    assert not page.locator(".nav").is_visible()
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("() => getComputedStyle(document.querySelector('#score-sheet td')).color") == "rgb(0, 0, 0)"
    paper = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


# --- the list ---


@pytest.fixture(scope="module")
def many(evening, played):
    """More games than a page of the list has, newest last: of Cy and Dee, each given up with one line."""
    table = Table(evening)
    table.lay(players=("Ann", "Bob"))
    table.score(ANN, 2)
    for n in range(21):
        table.lay(players=("Cy", "Dee"))
        table.score(n % 2, 1 + n % 8)
    return evening


@pytest.mark.long
def test_the_list_is_newest_first_with_older_games_on_request(many, played, look):
    told = many.client().ask("GET", "/api/v1/games?limit=100")[1]["games"]
    page = look(f"{many.url}/history", "tablet")
    listed = page.locator(".game-row")
    expect(listed).to_have_count(20)
    expect(listed.first.locator(".tag")).to_have_text("in progress")
    expect(listed.nth(1).locator(".tag")).to_have_text("abandoned")
    page.get_by_role("button", name="Older games").click()
    expect(listed).to_have_count(min(40, len(told)))
    assert listed.evaluate_all("rows => rows.map(row => row.dataset.game)") == [card["id"] for card in told[:40]]
    expect(listed.nth(20).locator("a")).to_be_focused()
    won = page.locator(f"[data-game='{played}']")
    expect(won.locator("a")).to_have_text("Ann won 121 to 88, a skunk")
    expect(won.locator(".names")).to_have_text(f"Ann, {LONG}")
    expect(won.locator(".tag")).to_have_text("changed")
    assert wrong_looks(page) == {}
    assert_clean(page)


@pytest.mark.long
def test_the_list_is_of_one_player_on_request_and_says_when_there_is_none(many, played, look):
    page = look(f"{many.url}/history", "phone")
    page.get_by_label("Games with").fill(LONG)
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".game-row")).to_have_count(1)
    assert page.url.endswith("player=Bartholomew-Maximilian+Featherstonehaugh")
    page.get_by_label("Games with").fill("Nobody")
    page.get_by_label("Games with").press("Enter")
    expect(page.locator("#empty")).to_have_text("No games here with a player named exactly “Nobody”.")
    assert_clean(page)
    page.get_by_role("button", name="All players").click()
    expect(page.locator(".game-row")).to_have_count(20)


@pytest.mark.long
def test_a_player_that_is_chosen_before_the_page_has_run_is_chosen(many, browser):
    with browser.new_context() as context:
        page = context.new_page()
        page.route("**/*.js*", lambda route: route.abort())
        page.goto(f"{many.url}/history")
        page.get_by_label("Games with").fill("Bob")
        page.get_by_label("Games with").press("Enter")
        page.wait_for_url("**/history?player=Bob")


def test_the_running_game_leads_the_list_and_stays_live(many, look):
    page = look(f"{many.url}/history", "phone")
    running = page.locator(".game-row").first
    table = Table(many)
    table.lay((BOB, 4, "play"))
    expect(running.locator("a")).to_have_text("Bob leads 4 to 0")
    table.score(ANN, 7, "hand")
    expect(running.locator("a")).to_have_text("Ann leads 7 to 4")
    running.locator("a").click()
    expect(page).to_have_url(f"{many.url}/history/{table.state['game']['id']}")


def next_game(table):
    """The next one of the match; a running one is given up for it."""
    state = table.state
    start = {"do": "start", "variant": "standard", "players": ["Ann", "Bob"], "game": state["game"]["id"]}
    start |= {} if state["game"]["over"] else {"replaces": state["game"]["id"]}
    assert table.client.command(**start, base=state["revision"])[0] == 201


@pytest.mark.long
def test_games_of_a_match_stand_together(many, look):
    table = Table(many).lay(*run_to(BOB, 96), *run_to(ANN, 121), match="best of 3")
    next_game(table)
    page = look(f"{many.url}/history", "phone")
    match = page.locator(".match").first
    expect(match.locator("h2")).to_have_text("A match of 2 games")
    assert match.locator("a").all_inner_texts() == ["Tied at 0", "Ann won 121 to 96"]


@pytest.mark.long
def test_a_match_is_counted_whole_where_a_page_of_the_list_ends_within_it(many, look):
    table = Table(many).lay((ANN, 1, "go"), match="best of 3")
    for _ in range(2):
        next_game(table)
        table.score(ANN, 1, "go")
    table.lay((ANN, 1, "go"), players=("Cy", "Dee"), match="open")
    for _ in range(17):
        table.lay((ANN, 1, "go"), players=("Cy", "Dee"))
    page = look(f"{many.url}/history", "phone")
    expect(page.locator(".match h2")).to_have_text(["A match of 3 games"])
    expect(page.locator(".game-row")).to_have_count(21)
    page.get_by_role("button", name="Older games").click()
    expect(page.locator(".game-row")).not_to_have_count(21)
    shown = page.locator(".game-row").evaluate_all("rows => rows.map(row => row.dataset.game)")
    told = many.client().ask("GET", "/api/v1/games?limit=100")[1]["games"]
    assert shown == [card["id"] for card in told[: len(shown)]]


TOP = "row => row.getBoundingClientRect().top"


@pytest.mark.long
def test_a_new_game_leaves_what_is_read_where_it_is(many, look):
    Table(many).lay((ANN, 2, "play"), players=("Cy", "Dee"))  # given up with a line, it stays on the list
    page = look(f"{many.url}/history", "phone")
    rows_of = page.locator(".game-row")
    expect(rows_of.nth(19)).to_be_visible()
    first = rows_of.count()
    page.get_by_role("button", name="Older games").click()
    expect(rows_of.nth(first).locator("a")).to_be_focused()
    before = rows_of.count()
    row = page.locator(f"[data-game='{rows_of.nth(first).get_attribute('data-game')}']")
    row.scroll_into_view_if_needed()
    page.evaluate("() => scrollBy(0, 40)")
    read = rows_of.evaluate_all("all => all.find(r => r.getBoundingClientRect().bottom > 0).dataset.game")
    at = page.locator(f"[data-game='{read}']")
    top = at.evaluate(TOP)
    Table(many).lay((BOB, 3, "play"), players=("Cy", "Dee"))
    expect(rows_of.first.locator("a")).to_have_text("Dee leads 3 to 0")
    assert rows_of.count() > before
    assert abs(at.evaluate(TOP) - top) < 1
    expect(row.locator("a")).to_be_focused()


@pytest.mark.long
def test_a_correction_of_an_earlier_game_of_the_match_is_seen_at_once(many, look):
    table = Table(many).lay(*run_to(BOB, 96), *run_to(ANN, 121), match="best of 3")
    game = table.state["game"]["id"]
    next_game(table)
    page = look(f"{many.url}/history", "phone")
    row = page.locator(f"[data-game='{game}'] a")
    expect(row).to_have_text("Ann won 121 to 96")
    figures = look(f"{many.url}/stats", "phone")
    figures.locator("#counted").wait_for()
    with figures.expect_response("**/api/v1/stats*"):
        table.ask("amend", game=game, entry="1", points=22, was=24)
    expect(row).to_have_text("Ann won 121 to 94")


SPANS = """(node, word) => {
  const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const left = (text) => {
    for (walk.currentNode = node; walk.nextNode();) {
      const from = walk.currentNode.data.indexOf(text);
      if (from < 0) continue;
      const range = new Range();
      range.setStart(walk.currentNode, from);
      range.setEnd(walk.currentNode, from + text.length);
      return range.getBoundingClientRect().left;
    }
  };
  return [word, 'leads', '20'].map(left);
}"""


@pytest.mark.looks
def test_a_name_from_right_to_left_does_not_turn_the_sentence_round(many, look):
    name = STRANGE[0].split()[0]
    Table(many).lay((ANN, 20, "hand"), players=(name, "Bob"))
    for path, where in (("/history", ".game-row a"), ("/history/now", "h1")):
        page = look(f"{many.url}{path}", "desk")
        sentence = page.locator(where).first
        expect(sentence).to_contain_text("leads")
        places = sentence.evaluate(SPANS, name)
        assert places == sorted(places), (path, places)
        expect(page.locator(".nav [aria-current]").first).to_have_attribute("href", "/history")


def test_games_go_out_and_come_in(many, played, look, tmp_path):
    page = look(f"{many.url}/history", "phone")
    with page.expect_download() as coming:
        page.get_by_role("link", name="Export JSON lines").click()
    path = coming.value.path()
    lines = path.read_text("utf-8").splitlines()
    known = {json.loads(line)["game"] for line in lines}
    assert played in known
    page.get_by_label("Import games").set_input_files(
        {"name": "evening.jsonl", "mimeType": "application/x-ndjson", "buffer": path.read_bytes()}
    )
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#imported")).to_have_text(f"Games imported: 0 (0 journal entries); {len(known)} already here.")
    told = {"games": 1, "events": 30, "skipped": 3, "continued": 1, "differing": 2}
    page.route("**/api/v1/import", lambda route: route.fulfill(json=told), times=1)
    page.get_by_label("Import games").set_input_files(path)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#imported")).to_have_text(
        "Games imported: 1 (30 journal entries); 3 already here. Continued: 1. Different here and left unchanged: 2."
    )
    look.excuse("422")
    page.get_by_label("Import games").set_input_files(
        {"name": "bad.jsonl", "mimeType": "application/x-ndjson", "buffer": b"{]\n"}
    )
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#imported")).to_contain_text("Line 1")
    assert_clean(page)


@pytest.mark.long
def test_who_only_looks_on_imports_nothing_and_corrects_nothing(closed, look, browser):
    page = look(f"{closed.url}/history", "phone")
    expect(page.locator("#imported")).to_have_text("Only the director can import games; this device is view-only.")
    page.get_by_role("button", name="Import", exact=True).click(force=True)
    expect(page.locator("#file")).to_be_disabled()
    assert_clean(page)
    page.goto(f"{closed.url}/history/now")
    expect(page.locator("#correct-key")).to_have_attribute("aria-disabled", "true")  # the page has read the game
    page.get_by_role("button", name="Change a line").click(force=True)
    expect(page.locator("#correct-closed")).to_contain_text("This device is view-only")
    expect(page.get_by_role("link", name="Pair this device")).to_have_attribute("href", "/j/")
    expect(page.locator("#correct")).not_to_be_visible()


@pytest.mark.long
def test_a_game_that_is_not_kept_is_said_to_be_none(evening, look):
    look.excuse("404")
    page = look(f"{evening.url}/history", "phone")
    assert page.goto(f"{evening.url}/history/yesterday").status == 404
    expect(page.locator("body")).to_contain_text("yesterday")
    page.go_back()


@pytest.mark.looks
def test_the_pages_speak_french(evening, played, browser):
    Table(evening).lay(match="best of 3")  # another than that of the game which is looked at
    context = browser.new_context(locale="fr", viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{evening.url}/history/{played}")
    expect(page.locator("#result")).to_have_text(re.compile("^Ann gagne 121 à 88, un skunk$"))
    expect(page.locator("#figures")).to_contain_text("par 16,2")
    page.get_by_role("button", name="Corriger une ligne").click(force=True)
    expect(page.locator("#correct-closed")).to_have_text(re.compile("^Seules les parties du match en cours"))
    assert wrong_looks(page, ("short", "tablet", "tv")) == {}
    context.close()
