"""The page of the statistics says the sums of the sheets that were played."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.browser.history_game import ANN, BOB, DEALS, drawn
from tests.browser.laid_games import Table, run_to
from tests.browser.looks import EVERYWHERE, assert_clean, wrong_looks
from tests.support.long_runs import some_in_turn
from tests.support.program import Service

LONG = "Bartholomew-Maximilian Featherstonehaugh"
ARABIC = "محمد عبد الله"


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    """Three games of Ann and Bob: that of the drawing, then one with a 24 and a 28 that Bob wins, one given up."""
    with Service(tmp_path_factory.mktemp("club") / "state") as program:
        table = drawn(Table(program))
        faults = [
            (seat, points, "penalty") for seat, points, _ in run_to(BOB, 93)
        ]  # of no hand, whatever they are taken for
        deal = [(ANN, 3, "play"), (BOB, 28, "hand"), (ANN, 24, "hand"), (ANN, 2, "crib")]
        table.lay(*deal, *faults, dealer=ANN)
        table.lay((ANN, 3, "play"))
        table.lay((ANN, 1, "go"), players=(LONG, ARABIC))
        yield program


def player(page, name):
    return page.locator(".player-card").filter(has=page.get_by_role("heading", name=name, exact=True))


def deals_of(seat, *, dealing):
    """What each whole deal gave to a seat, of those that it dealt or did not, in the drawing and the second game."""
    drawing = [
        play[seat] + hand[seat] + (crib if dealing else 0)
        for dealer, play, hand, crib, _ in DEALS[:-1]
        if (dealer == seat) == dealing
    ]
    second = [{ANN: 3 + 24 + 2, BOB: 28}[seat]] if (seat == ANN) == dealing else []
    return drawing + second


def test_a_day_begins_where_the_viewer_is(club, look, browser):
    """On 2 November 2026 the clocks of Los Angeles are eight hours behind UTC."""
    with browser.new_context(timezone_id="America/Los_Angeles") as context:
        page = look(f"{club.url}/stats", context=context)
        with page.expect_request("**/api/v1/stats*") as wanted:
            page.goto(f"{club.url}/stats?since=2026-11-02")
        since = datetime(2026, 11, 2, 8, tzinfo=UTC).timestamp()
        assert wanted.value.url.endswith(f"since={since:.0f}")
        expect(page.locator("#since")).to_have_value("2026-11-02")


@pytest.mark.long
def test_a_players_card_says_the_sums_of_the_sheets(club, look):
    page = look(f"{club.url}/stats", "desk")
    for seat, name in ((ANN, "Ann"), (BOB, "Bob")):
        averages = player(page, name).locator(".averages > div")
        for row, dealing, par in ((0, True, 16.2), (1, False, 10.2)):
            deals = deals_of(seat, dealing=dealing)
            mean = sum(deals) / len(deals)
            expect(averages.nth(row).locator("b")).to_have_text(f"{mean:.2f}")
            side = "over" if mean > par else "under"
            expect(averages.nth(row).locator("small")).to_have_text(
                f"{abs(mean - par):.1f} {side} par {par}, {len(deals)} deals"
            )
    ann = player(page, "Ann")
    expect(ann.locator(".record")).to_have_text("won 1, lost 1 of 2 games")
    expect(ann.locator(".facts-of")).to_contain_text("Skunks given1 single")
    expect(ann.locator(".facts-of")).to_contain_text("Skunks taken1 double")
    assert ann.locator(".often li").all_inner_texts() == ["24\nonce", "28\nnever", "29\nnever"]
    best = sorted([hand[ANN] for _, _, hand, _, _ in DEALS] + [24, *(c for d, *_, c, _ in DEALS if d == ANN)])[:-6:-1]
    assert ann.locator(".best .points").all_inner_texts() == [f"{points}" for points in best]
    expect(page.locator("#counted")).to_have_text("2 finished games. 1 abandoned game is not counted.")


@pytest.mark.long
def test_a_bar_ends_at_the_average_and_its_notch_stands_at_par(club, look):
    page = look(f"{club.url}/stats", "desk")
    bar = player(page, "Ann").locator(".bar").first
    reach = float(bar.locator(".reach").get_attribute("width"))
    notch = float(re.match(r"M([\d.]+)", bar.locator(".par").get_attribute("d"))[1])
    dealt = deals_of(ANN, dealing=True)
    assert reach / notch == pytest.approx(sum(dealt) / len(dealt) / 16.2, abs=0.01)


@pytest.mark.long
def test_head_to_head_and_the_wall_of_fame(club, look):
    page = look(f"{club.url}/stats", "phone")
    pair = page.locator("#pairs li")
    expect(pair).to_have_count(1)
    won = dict(zip(pair.locator("bdi").all_inner_texts(), pair.locator("b").all_inner_texts(), strict=True))
    assert won == {"Ann": "1", "Bob": "1"}
    ahead = (121 - 29) - (121 - 88)
    expect(pair).to_contain_text(f"2 games · Bob {ahead} holes ahead overall")
    famous = page.locator("#wall li")
    assert famous.locator(".points").all_inner_texts() == ["28", "24"]
    expect(famous.first).to_contain_text("Bob, hand")
    famous.first.get_by_role("link").click()
    expect(page.locator("#result")).to_have_text("Bob won 121 to 29, a double skunk")


@pytest.mark.long
def test_a_filter_is_in_the_address_and_says_when_nothing_fits(club, look):
    page = look(f"{club.url}/stats", "phone")
    page.get_by_label("Variant").select_option("acc")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("#empty")).to_have_text("No finished games match. Try another player, day or variant.")
    assert page.url.endswith("/stats?variant=acc")
    assert_clean(page)
    page.get_by_role("button", name="All games").click()
    expect(page.locator(".player-card")).to_have_count(2)
    page.get_by_label("Since").fill("2099-01-01")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("#empty")).to_be_visible()
    page.go_back()
    expect(page.locator(".player-card")).to_have_count(2)
    page.get_by_label("Games with").fill("Ann")
    page.get_by_label("Games with").press("Enter")
    expect(page.locator("#counted")).to_contain_text("2 finished games.")


@pytest.mark.long
def test_a_table_without_a_finished_game_says_so_and_fills_when_one_ends(tmp_path, look):
    with Service(tmp_path / "state") as program:
        page = look(f"{program.url}/stats", "phone")
        expect(page.locator("#empty")).to_contain_text("No finished games yet.")
        assert_clean(page)
        table = Table(program).lay(*run_to(BOB, 40), players=(LONG, ARABIC))
        for one in run_to(ANN, 121):
            table.score(*one)
        expect(page.locator(".player-card")).to_have_count(2)
        expect(page.locator(".player-card").first).to_contain_text("no deals to average yet")
        assert wrong_looks(page, ("short", "tv")) == {}
        page.goto(f"{program.url}/history")
        expect(page.locator(".game-row")).to_have_count(1)


@pytest.mark.looks
@pytest.mark.parametrize("theme", some_in_turn(["light", "dark"], 1))
def test_the_page_is_whole_and_clean_at_every_size(club, look, theme):
    page = look(f"{club.url}/stats", "phone", theme=theme)
    expect(page.locator(".player-card")).to_have_count(2)
    assert wrong_looks(page, (*EVERYWHERE, "narrow")) == {}
    assert_clean(page)
    page.emulate_media(forced_colors="active")
    edge = "() => getComputedStyle(document.querySelector('.often li')).borderStyle"
    assert page.evaluate(edge) == "solid"
    fills = [
        page.locator(f".bar {part}").first.evaluate("n => getComputedStyle(n).fill") for part in (".reach", ".par")
    ]
    assert len(set(fills)) == 2


@pytest.mark.looks
def test_the_statistics_speak_french(club, browser):
    context = browser.new_context(locale="fr", viewport={"width": 820, "height": 1180})
    page = context.new_page()
    page.goto(f"{club.url}/stats")
    ann = player(page, "Ann")
    expect(ann.locator(".record")).to_have_text("1 gagnée, 1 perdue sur 2 parties")
    dealt = deals_of(ANN, dealing=True)
    expect(ann.locator(".averages b").first).to_have_text(f"{sum(dealt) / len(dealt):.2f}".replace(".", ","))
    assert wrong_looks(page, ("short", "tablet")) == {}
    context.close()


@pytest.mark.long
def test_hands_of_which_nobody_said_that_they_were_some_say_how_sure_it_is(table, look):
    table.lay((ANN, 3, "play"), (BOB, 24, "hand"), *run_to(ANN, 121 - 3), dealer=ANN)
    page = look(f"{table.url}/stats", "phone")
    famous = page.locator("#wall li")
    expect(famous.first).to_be_visible()
    hung = page.request.get(f"{table.url}/api/v1/stats").json()["wall"]
    assert min(hand["sure"] for hand in hung) < 0.98
    for n, hand in enumerate(hung):
        sure = [f"{hand['sure']:.0%} sure"] if hand["sure"] < 0.98 else []
        expect(famous.nth(n).locator("span")).to_have_text(", ".join([" & ".join(hand["names"]), hand["why"], *sure]))
    expect(player(page, "Ann").locator(".best")).to_contain_text("% sure")
    assert not wrong_looks(page)
