"""A lurch, where the house plays it: on the pad, the board, the list of games and the page of the game."""

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import Table, run_to
from tests.browser.looks import assert_clean, wrong_looks
from tests.support.program import Service

HOME = (*run_to(1, 48), *run_to(0, 100))


@pytest.fixture(scope="module")
def lurch(tmp_path_factory):
    """A program at a table whose one skunk line is the lurch, at the half."""
    with Service(tmp_path_factory.mktemp("lurch") / "state", "--house", "skunks=lurch") as program:
        yield program


@pytest.fixture
def won(lurch):
    """Ann wins, 121 to 48."""
    table = Table(lurch).lay(*HOME)
    table.score(0, 24)
    return table


@pytest.mark.long
def test_the_line_at_the_half_is_called_the_lurch(lurch, look):
    table = Table(lurch).lay(*run_to(0, 55))
    board = look(f"{table.url}/board", "tv")
    expect(board.locator("#slab .gates")).to_contain_text("lurch")
    expect(board.locator("#slab .gates")).not_to_contain_text("skunk")


def test_a_lurch_is_told_on_the_pad_with_what_it_counts(won, look):
    phone = look(won.url, holder=(0, "Ann"))
    expect(phone.locator("body")).to_contain_text(
        "A lurch. Bob was 13 holes short of the lurch line at 61. It counts as two games."
    )
    assert_clean(phone)


@pytest.mark.long
def test_a_lurch_is_told_on_the_board_and_in_the_lists(won, look):
    board = look(f"{won.url}/board", "tv")
    expect(board.locator("#now")).to_have_text("A lurch")
    expect(board.locator(".tile").nth(1)).to_contain_text("In the lurch: 13 short of 61")
    assert wrong_looks(board, ("tv", "phone")) == {}
    games = look(f"{won.url}/history")
    expect(games.get_by_role("link", name="Ann won 121 to 48, a lurch").first).to_be_visible()
    game = look(f"{won.url}/history/now")
    expect(game.locator("body")).to_contain_text("a lurch")


@pytest.mark.looks
def test_in_french_too(won, look):
    page = look(f"{won.url}/board", "tv")
    page.context.add_cookies([{"name": "language", "value": "fr", "url": page.url}])
    try:
        page.reload()
        expect(page.locator("#now")).to_have_text("Lurch")
        expect(page.locator(".tile").nth(1)).to_contain_text("Lurch\u00a0: à 13 du trou 61")
    finally:
        page.context.clear_cookies()


@pytest.mark.long
def test_one_who_has_passed_the_half_is_in_no_lurch(lurch, look):
    table = Table(lurch).lay(*run_to(1, 61), *run_to(0, 100))
    table.score(0, 24)
    board = look(f"{table.url}/board", "tv")
    expect(board.locator(".tile").nth(1)).not_to_contain_text("lurch")
    expect(board.locator("#now")).not_to_contain_text("lurch")
