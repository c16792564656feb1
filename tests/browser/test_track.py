"""The pegs on the track: where the table has them, and how they leap."""

import itertools
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import near_the_end

PEGS = Path(__file__).with_name("holes_of_pegs.js").read_text("utf-8")
FLIGHT = Path(__file__).with_name("rear_peg_flight.js").read_text("utf-8")


def pegs(page):
    return page.evaluate(PEGS)


ENDS = """() => [0, 1].map((lane) => {
    const thread = document.querySelector(`.thread.l${lane}`);
    const [end, peg] = [thread.getPointAtLength(thread.getTotalLength()), document.querySelector(`.rears .l${lane}`)];
    const { e, f } = peg.transform.baseVal[0].matrix;
    return Math.hypot(end.x - e, end.y - f);
})"""
"""How far from each rear peg its trail ends, in px."""


def test_pegs_stand_where_the_table_has_them(table, look):
    table.lay(*near_the_end(), dealer=1)
    board = look(f"{table.url}/board", "tv")
    assert pegs(board) == [[100, 112], [79, 87]]
    assert board.evaluate(ENDS) == pytest.approx([0, 0], abs=0.1)
    table.score(0, 9, "crib")
    expect(board.locator(".pill text")).to_have_text("+9")  # the peg has landed
    assert pegs(board) == [[112, 121], [79, 87]]
    assert board.locator(".rears .rear .bore").count() == 2
    assert board.locator(".fronts .rear").count() == 0


@pytest.mark.long
def test_the_rear_peg_leaps_over_the_front_peg(table, look):
    table.lay((0, 10, "play"), (0, 5, "play"))
    phone = look(table.url, holder=(0, "Ann"), motion="no-preference")
    phone.evaluate(FLIGHT)
    phone.get_by_role("button", name="8", exact=True).tap()
    expect(phone.locator(".mine .hero")).to_have_text("23")
    xs, ys, scales = zip(*phone.evaluate("() => window.flight"), strict=True)
    street = phone.evaluate("() => document.querySelector('.fronts .l0').transform.baseVal[0].matrix.f")
    assert all(b >= a - 0.01 for a, b in itertools.pairwise(xs))
    assert xs[0] < xs[len(xs) // 2] < xs[-1]
    assert max(scales) == pytest.approx(1.2)
    assert max(street - y for y in ys) > 8  # off its street, over the other peg
    assert pegs(phone)[0] == [15, 23]


@pytest.mark.long
def test_without_motion_the_peg_is_simply_there(table, look):
    table.lay((0, 10, "play"))
    phone = look(table.url, holder=(0, "Ann"))
    phone.evaluate(FLIGHT)
    phone.get_by_role("button", name="5", exact=True).tap()
    expect(phone.locator(".hop.fading .hopline")).to_have_count(1)
    assert pegs(phone)[0] == [10, 15]
    assert phone.evaluate("() => window.flight") == []


@pytest.mark.long
def test_only_the_last_move_has_a_ghost_and_its_points(table, look):
    table.lay(*near_the_end(), dealer=1)
    board = look(f"{table.url}/board", "tv")
    expect(board.locator(".ghost.left")).to_have_count(1)
    expect(board.locator(".pill text")).to_have_text("+12")
    table.score(1, 2, "play")
    expect(board.locator(".pill text")).to_have_text("+2")
    expect(board.locator(".ghost.left")).to_have_count(1)


OVERLAPPING_WORDS = """async ([width, height, lanes]) => {
    const { layClassic } = await import('/static/board/classic_track.js');
    const { drawFrame } = await import('/static/board/shapes.js');
    const node = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    node.style.cssText = `position: fixed; inset: 0; width: ${width}px; height: ${height}px`;
    document.body.append(node);
    const ground = layClassic({width, height, lanes, gameHole: 121, skunkLines: [90, 60], lurch: false});
    drawFrame(node, ground, true);
    const laps = document.createElementNS('http://www.w3.org/2000/svg', 'g');
    laps.setAttribute('class', 'laps');
    laps.append(...ground.lapWords(Array(lanes).fill({front: 70}), true));
    node.append(laps);
    const words = [...node.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
    node.remove();
    const meet = ([, a], [, b]) => Math.min(a.right, b.right) > Math.max(a.left, b.left)
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    return {
        turned: words.filter(([text]) => text === words[0][0]).length / lanes,
        overlapping: words.flatMap((one, i) =>
            words.slice(i + 1).filter((other) => meet(one, other)).map(([text]) => [one[0], text])),
    };
}"""
"""The words of a classic board in lap 2 that lie over another, and how often each lane has the word of its gate."""


@pytest.mark.parametrize("lanes", [2, 3, 4])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_word_of_a_classic_board_lies_over_another(table, look, browser, language, lanes):
    """As on a tablet whose words are turned, too; where there is no room for that, those of the gates are not."""
    context = browser.new_context(locale=language)
    page = look(f"{table.url}/tablet", context=context)
    for width, turned in ((346, 1), (376, 1), (450, 1), (560, 2), (788, 2), (1248, 2)):
        assert page.evaluate(OVERLAPPING_WORDS, [width, 134, lanes]) == {"turned": turned, "overlapping": []}, width
    context.close()
