"""Entry at the speed of the table: many hands at once, and every page through a power cut."""

import pytest
from playwright.sync_api import expect

from tests.bench.entry_taps_and_seconds import game
from tests.browser.laid_games import Table
from tests.support.program import Service

KILLED = ("ERR_CONNECTION", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONTENT_LENGTH_MISMATCH")

EMPTY = "() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))"
ASKED_OR_EMPTY = f"() => document.getElementById('question').open ? 'asked' : ({EMPTY})() && 'empty'"


def hero(page):
    return page.locator(".mine .hero")


def sheet(table):
    """Every score of the running game, oldest first."""
    entries = table.client.ask("GET", "/api/v1/sheet")[1]["entries"]
    return [(entry["seat"], entry["points"]) for entry in reversed(entries) if entry["do"] == "score"]


SOON = """([keys, at]) => {
  const tap = points => document.querySelector(`#keys [data-points='${points}']`).click();
  window.tapped = 0;
  keys.forEach((points, i) => setTimeout(() => { tap(points); window.tapped += 1; }, at + 7 * i));
}"""

TAPPED = "() => window.tapped === 3"


def test_four_who_tap_at_once_lose_and_double_nothing(table, look):
    """Partners share a lane, so a tap may meet another's; each that is asked says yes."""
    look.excuse("409")
    names = ("Ann", "Bob", "Cy", "Dee")
    table.lay(players=names, variant="partners")
    phones = [look(table.url, holder=(seat, name)) for seat, name in enumerate(names)]
    for phone in phones:
        phone.evaluate(SOON, [[1, 2, 3], 40])
    for phone in phones:
        phone.wait_for_function(TAPPED)
    for phone in phones:
        while phone.wait_for_function(ASKED_OR_EMPTY).json_value() == "asked":
            phone.locator("#question-yes").click()
    assert sorted(sheet(table)) == [(seat, points) for seat in range(4) for points in (1, 2, 3)]
    for phone in phones:
        expect(hero(phone)).to_have_text("12")


@pytest.mark.long
def test_two_phones_a_tablet_the_board_and_the_bench_through_a_power_cut(tmp_path, look):
    for broken in KILLED:
        look.excuse(broken)
    lines = game()[:8]
    with Service(tmp_path / "state") as program:
        table = Table(program).lay()
        ann, bob = look(table.url, holder=(0, "Ann")), look(table.url, holder=(1, "Bob"))
        tablet, board, bench = (
            look(f"{table.url}/tablet", "flat"),
            look(f"{table.url}/board", "tv"),
            look(f"{table.url}/bench", "desk"),
        )
        for seat, points, _ in lines[:4]:
            (ann, bob)[seat].locator(f"#keys [data-points='{points}']").first.tap()
        bench.locator("[data-key=a5]").click()
        expect(tablet.locator("#near-half .mine .hero")).to_have_text("5")
        for page in (ann, bob):
            page.wait_for_function(EMPTY)
        program.kill()
        for seat, points, _ in lines[4:]:
            (ann, bob)[seat].locator(f"#keys [data-points='{points}']").first.tap()
    with Service(tmp_path / "state", "--port", f"{program.port}") as program:
        table = Table(program)
        sums = [sum(points for one, points, _ in lines if one == seat) for seat in (0, 1)]
        fronts = [f"{sums[0] + 5}", f"{sums[1]}"]
        for page in (ann, bob):
            page.wait_for_function(EMPTY)
        expect(board.locator(".seat .hero")).to_have_text(fronts)
        expect(tablet.locator("#near-half .mine .hero")).to_have_text(fronts[0])
        expect(tablet.locator("#far-half .mine .hero")).to_have_text(fronts[1])
        assert sorted(sheet(table)) == sorted([(seat, points) for seat, points, _ in lines] + [(0, 5)])
