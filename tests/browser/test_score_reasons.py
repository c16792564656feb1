"""A page says what its keys say and nothing else: what a number was for is worked out by the table, and only shown."""

import json

import pytest
from playwright.sync_api import expect

ANN, BOB = 0, 1  # Ann deals, so Bob counts first


def bodies(look, page):
    """What the page sends from now on, as a list that grows."""
    sent = []
    look.listen(
        page,
        "request",
        lambda request: request.url.endswith("/commands") and sent.append(json.loads(request.post_data)),
    )
    return sent


def pressed(page, key):
    with page.expect_response(lambda answer: answer.url.endswith("/commands")):
        page.locator(f"#keys {key}").first.tap()


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize("points", [6, 1, 2, 12, 24])
def test_a_number_says_no_reason_whatever_is_likely(table, look, points):
    table.lay((BOB, 2, None), (ANN, 1, "go"))
    page = look(table.url, holder=(BOB, "Bob"))
    sent = bodies(look, page)
    pressed(page, f"[data-points='{points}']:not([data-label])")
    assert [(one["points"], "why" in one) for one in sent] == [(points, False)]
    assert table.state["entries"][0]["why"] is None


def test_zero_and_typed_numbers_say_no_reason(table, look):
    page = look(table.url, "desk", holder=(BOB, "Bob"))
    sent = bodies(look, page)
    page.locator("#keys .zero").click()
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    expect(page.locator(".mine .hero")).to_have_text("8")
    assert [(one["points"], "why" in one) for one in sent] == [(0, False), (8, False)]


@pytest.mark.parametrize(
    ("key", "why"),
    [("[data-label=go]", "go"), ("[data-label='31']", "thirty-one"), ("[data-label=nobs]", "hand")],
)
def test_a_key_with_a_word_says_it(table, look, key, why):
    table.lay((BOB, 2, None))
    page = look(table.url, holder=(BOB, "Bob"))
    sent = bodies(look, page)
    pressed(page, key)
    assert [one["why"] for one in sent] == [why]
    assert table.state["entries"][0]["why"] == why


@pytest.mark.long
def test_heels_say_so(table, look):
    page = look(table.url, holder=(ANN, "Ann"))
    sent = bodies(look, page)
    pressed(page, "[data-label=heels]")
    assert [one["why"] for one in sent] == ["heels"]


@pytest.mark.long
def test_likely_keys_show_their_reason_as_the_table_tells_it(table, look):
    table.lay((BOB, 2, None), (ANN, 1, "go"), (BOB, 3, None), (ANN, 1, "go"))
    table.ask("stage", stage="show")
    page = look(table.url, holder=(BOB, "Bob"))
    likely = table.state["lanes"][BOB]["likely"]
    assert likely["why"] == "hand"
    told = "keys => keys.map(key => [+key.dataset.points, key.dataset.for])"
    marked = page.locator("#keys .likely").evaluate_all(told)
    assert marked == [[points, "hand"] for points in likely["points"]]


@pytest.mark.long
def test_taps_that_wait_say_what_was_said_and_no_more(table, look):
    look.excuse("ERR_FAILED")
    table.lay((BOB, 2, None), (ANN, 1, "go"))
    page = look(table.url, holder=(BOB, "Bob"))
    page.route("**/api/v1/commands", lambda route: route.abort())
    for key in ("[data-points='8']", "[data-label=go]", "[data-points='4']"):
        page.locator(f"#keys {key}").tap()
    page.unroute("**/api/v1/commands")
    expect(page.locator(".mine .hero")).to_have_text("15")
    assert [entry["why"] for entry in table.state["entries"][:3]] == [None, "go", None]


@pytest.mark.long
def test_alone_every_number_is_said_to_be_the_hand_or_the_crib_in_turn(table, look):
    table.lay(players=("Ann",), variant="solitaire")
    page = look(table.url)
    for points in (8, 4, 6):
        page.locator(f"#keys [data-points='{points}']").first.tap()
    expect(page.locator(".mine .hero")).to_have_text("18")
    assert [entry["why"] for entry in reversed(table.state["entries"])] == ["hand", "crib", "hand"]


@pytest.mark.long
def test_what_is_only_likely_looks_and_sounds_so_on_every_page(table, look):
    table.lay((BOB, 2, None), (ANN, 1, "go"), (BOB, 8, None))
    game = table.state["game"]["id"]
    sheet = f"/history/{game}"
    for path, where in (("/", "#what"), ("/board", "#last"), ("/tablet", "#far-what"), (sheet, "#entries")):
        page = look(table.url + path, "flat" if path == "/tablet" else "tablet", holder=(BOB, "Bob"))
        expect(page.locator(f"{where} .maybe").first).to_have_attribute("title", "most likely")
        expect(page.locator(f"{where} .maybe").first).to_contain_text("likely")
        page.close()
