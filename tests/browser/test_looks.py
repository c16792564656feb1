"""What every page must look like at every size: nothing cut, nothing small, nothing one may not read or reach."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.laid_games import near_the_end, rulings, run_to, three_late
from tests.browser.looks import (
    ENLARGED,
    LOW,
    REACHABLE,
    READABLE_FAR,
    ZOOMED,
    assert_clean,
    is_written_on,
    unseen_names,
    visit,
    wrong_looks,
)
from tests.support.long_runs import some_combinations, some_in_turn

THEMES = ["light", "dark"]

LONG = ("Ann-of-the-longest Neighbourhood", "Bob-from-the-uppermost Floor", "Cy-behind-the-enormous Bookshelf")
LONGER = (*LONG, "Dee-under-the-wonderful Staircase", "Player 5 of the Extraordinary Evening", "Player 6")

TABLES = {
    "late": {"scores": near_the_end(), "dealer": 1},
    "long names": {"scores": [*run_to(0, 103), *run_to(1, 110)], "players": LONG[:2]},
    "three": {"scores": three_late(), "players": LONG, "variant": "three-handed", "dealer": 2},
    "four": {"scores": [*three_late()[:-5], *run_to(3, 99)], "players": LONGER[:4], "variant": "cut-throat-four"},
    "four won": {"scores": [*run_to(1, 80), *run_to(3, 121)], "players": LONGER[:4], "variant": "cut-throat-four"},
    "six": {"scores": [*run_to(0, 85), *run_to(4, 80)], "players": LONGER, "variant": "six-partners"},
    "partners": {"scores": run_to(1, 55), "players": ("Ann", "Bob", "Cy", "Dee"), "variant": "partners"},
    "won": {"scores": [*near_the_end(), (0, 9, "crib")], "dealer": 1},
    "rulings": {},
    "confirm": {"scores": [*near_the_end(), (0, 9, "crib")], "dealer": 1, "variant": "acc"},
    "match won": {"scores": [*near_the_end(), (0, 9, "crib")], "dealer": 1, "match": "best of 3", "players": LONG[:2]},
}
EVERY_PAGE = (
    *("/", "/tablet", "/board", "/count", "/play", "/history", "/stats", "/rules", "/settings", "/health", "/bench"),
)
PAGES = [
    ("/", ("phone", "short", "narrow", "lying", "tablet", "flat", "tv")),
    ("/board", ("phone", "tablet", "flat", "tv", "lying", (568, 320), (640, 360), (900, 600), (1280, 500), (320, 568))),
    ("/bench", ("phone", "tablet", "desk")),
    ("/health", ("phone", "tablet", "tv")),
]


def lay(table, scores=None, **more):
    return rulings(table) if scores is None else table.lay(*scores, **more)


@pytest.mark.looks
@pytest.mark.parametrize("name", TABLES)
def test_nothing_is_cut_small_or_in_the_way(table, look, name):
    lay(table, **TABLES[name])
    page, wrong = look(table.url), {}
    for path, all_sizes in PAGES:
        sizes = some_in_turn(all_sizes, list(TABLES).index(name), len(TABLES))
        visit(page, table.url + path)
        far = [size for size in sizes if path == "/board" and size == "tv"]
        near = [size for size in sizes if size not in far]
        found = wrong_looks(page, near) | wrong_looks(page, far, readable=READABLE_FAR)
        wrong |= {(path, size): words for size, words in found.items()}
    assert wrong == {}


def test_the_dealer_of_four_stands_off_the_large_score(table, look):
    table.lay((0, 4, "play"), players=LONGER[:4], variant="cut-throat-four")
    page = look(table.url, holder=(0, LONGER[0]))
    expect(page.locator(".mine .crib")).to_contain_text("crib")
    crib, hero = (page.locator(f".mine {one}").bounding_box() for one in (".crib", ".hero"))
    assert hero["x"] - crib["x"] - crib["width"] >= 8


@pytest.mark.parametrize("path", EVERY_PAGE)
def test_a_page_is_whole_and_clean_on_a_phone_and_on_a_large_screen(table, look, path):
    lay(table, **TABLES["late"])
    page = look(table.url + path)
    found = wrong_looks(page, ("phone", "tv"), reachable=0 if path == "/rules" else REACHABLE)
    assert found == {}
    assert_clean(page, in_each_run=path != "/rules")  # which is long to look through


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["pegboard", "-".join(["a-long-name-of-a-machine"] * 2)])
def test_the_page_under_a_wrong_name_is_whole_and_clean(table, look, name, theme):
    look.excuse("400")
    page = look(table.url, theme=theme)
    page.goto(table.url.replace("127.0.0.1", f"{name}.localhost"))
    expect(page.get_by_role("heading")).to_have_text(f"This pegboard is not called {name}.localhost")
    assert wrong_looks(page, ("phone", "narrow", "tablet")) | wrong_looks(page, ("tv",), readable=READABLE_FAR) == {}
    assert_clean(page, in_each_run=True)
    page.get_by_role("link").click()
    expect(page).to_have_url(f"{table.url}/")


UPRIGHT = ((390, 844), (360, 640), (412, 915))
LYING = ((568, 320), (640, 320), (640, 360), (667, 375), (844, 390))


LANGUAGES = ["en-GB", "fr-FR"]


def some_pages(language, *others):
    """Pages of a table that are looked at in this language: every other one, and the rest in the other language."""
    return some_in_turn((*EVERY_PAGE, "/j/", *others), LANGUAGES.index(language))


@pytest.mark.looks
@pytest.mark.parametrize(("language", "sizes"), [("en-GB", (*LOW, *ZOOMED, "narrow")), ("fr-FR", (LOW[0], *ZOOMED))])
def test_every_page_goes_into_low_and_zoomed_windows(table, look, browser, language, sizes):
    lay(table, **TABLES["three"])
    with browser.new_context(locale=language, reduced_motion="reduce", has_touch=True) as context:
        context.add_init_script("localStorage.setItem('pegboard.holder', '{\"seat\": null, \"name\": null}')")
        page, wrong = look(table.url, context=context), {}
        for turn, path in enumerate(some_pages(language, f"/history/{table.state['game']['id']}")):
            visit(page, table.url + path)
            tried = some_in_turn(sizes, turn, 4)
            found = wrong_looks(page, tried, reachable=0 if path == "/rules" else 56)  # it has links within sentences
            wrong |= {(path, size): words for size, words in found.items()}
    assert wrong == {}


@pytest.mark.looks
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_that_is_enlarged_twice_scrolls_no_page_sideways(table, look, browser, language):
    lay(table, **TABLES["late"])
    with browser.new_context(
        locale=language, reduced_motion="reduce", has_touch=True, device_scale_factor=2
    ) as context:
        context.add_init_script("localStorage.setItem('pegboard.holder', '{\"seat\": null, \"name\": null}')")
        page, wrong = look(table.url, context=context), {}
        for turn, path in enumerate(some_pages(language, f"/history/{table.state['game']['id']}")):
            visit(page, table.url + path)
            tried = some_in_turn(ENLARGED, turn)
            found = wrong_looks(page, tried, reachable=0 if path == "/rules" else 56)
            wrong |= {(path, size): words for size, words in found.items()}
    assert wrong == {}


@pytest.mark.looks
@pytest.mark.parametrize("name", ["late", "three"])
def test_all_keys_that_count_are_in_reach_on_the_smallest_phone_that_lies(table, look, name):
    lay(table, **TABLES[name])
    page = look(f"{table.url}/count", "lying")
    page.set_viewport_size({"width": 568, "height": 320})
    for key in (*page.locator(".ranks .key").all(), *page.locator(".pegging > *").filter(visible=True).all()):
        expect(key).to_be_in_viewport(ratio=1)


@pytest.mark.looks
def test_the_count_of_four_who_play_stands_clear_of_what_is_under_it(table, look):
    lay(table, **TABLES["partners"])
    page = look(f"{table.url}/play", "lying")
    for width, height in ((568, 320), (640, 360)):
        page.set_viewport_size({"width": width, "height": height})
        count, laid = page.locator(".counting .hero").bounding_box(), page.locator(".laid").bounding_box()
        assert count["y"] + count["height"] <= laid["y"] + 1


MATCH_WON = TABLES["match won"] | {"players": ("Ann-of-the-long-hillside", "Bob-from-the-upper-floor")}
TWO_SKUNKED = TABLES["three"] | {"scores": [*run_to(1, 50), *run_to(2, 40), *run_to(0, 100), (0, 21, None)]}


@pytest.mark.looks
@pytest.mark.parametrize(
    ("size", "seen", "laid"),
    [
        ((844, 390), ("/tablet", "#near-won .sentence", "deux parties"), MATCH_WON),
        ((390, 844), ("/", "#won .sentence", "trois parties"), TWO_SKUNKED),
        ((320, 568), ("/", "#won .sentence", "trois parties"), TWO_SKUNKED),
        ((568, 320), ("/", "#won .sentence", "trois parties"), TWO_SKUNKED),
    ],
)
def test_a_phone_and_half_of_a_lying_tablet_say_the_whole_sentence_at_the_end(table, browser, size, seen, laid):
    lay(table, **laid)
    path, where, said = seen
    viewport = dict(zip(("width", "height"), size, strict=True))
    with browser.new_context(locale="fr-FR", viewport=viewport, has_touch=True) as context:
        context.add_init_script("localStorage.setItem('pegboard.holder', '{\"seat\": null, \"name\": null}')")
        page = context.new_page()
        page.goto(table.url + path)
        page.locator(".link.live").wait_for()
        sentence = page.locator(where)
        expect(sentence).to_contain_text(said)
        assert sentence.evaluate("node => node.scrollHeight <= node.clientHeight + 1")


@pytest.mark.looks
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_way_to_the_other_pages_stands_beside_the_heading(table, browser, language):
    lay(table, **TABLES["three"])
    headed = ("/history", "/stats", "/rules", "/settings", "/health", "/bench", "/j/")
    with browser.new_context(locale=language) as context:
        page, wrong = context.new_page(), {}
        for path in some_in_turn((*headed, f"/history/{table.state['game']['id']}"), LANGUAGES.index(language)):
            visit(page, table.url + path)
            for width in (568, 640, 720, 844, 1180):
                page.set_viewport_size({"width": width, "height": 400})
                heading, way = page.locator("h1").bounding_box(), page.locator(".nav summary").bounding_box()
                middle = way["y"] + way["height"] / 2
                if not heading["y"] <= middle <= heading["y"] + heading["height"]:
                    wrong[path, width] = (heading, way)
    assert wrong == {}


@pytest.mark.looks
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_leads_on_to_how_phones_get_in_within_a_low_window(table, browser, language):
    lay(table, **TABLES["three"])
    with browser.new_context(locale=language) as context:
        page = context.new_page()
        page.goto(f"{table.url}/board")
        page.locator(".link.live").wait_for()
        for width, height in ((568, 320), (640, 360), (844, 390), (900, 500)):
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator(".join a[href='/join']")).to_be_in_viewport(ratio=1)
            expect(page.locator("#screen")).to_be_in_viewport(ratio=1)


SCROLLED = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"

OUTSIDE = """() => [...document.querySelectorAll('.keys .key, .status .key')].filter(key => {
    if (!key.checkVisibility()) return false;
    const {bottom, right} = key.getBoundingClientRect();
    return bottom > innerHeight || right > innerWidth;
}).map(key => key.textContent)"""


@pytest.mark.parametrize("name", ["late", "three"])
def test_all_keys_of_a_phone_are_in_reach_without_scrolling(table, look, name):
    lay(table, **TABLES[name])
    page = look(table.url)
    for width, height in UPRIGHT + LYING:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SCROLLED) == [width, height]
        assert page.evaluate(OUTSIDE) == [], (width, height)


@pytest.mark.looks
@pytest.mark.parametrize(("turn", "name", "theme"), [(0, "late", "light"), (1, "three", "dark")])
def test_forced_colours_hide_no_name_no_word_and_no_switch(table, look, turn, name, theme):
    lay(table, **TABLES[name])
    page = look(table.url, theme=theme)
    page.emulate_media(forced_colors="active")
    unseen = {}
    for path in ("/", "/tablet", "/board", "/play"):
        page.goto(table.url + path)
        page.locator(".name").filter(visible=True).nth(1).wait_for()
        for width, height in some_in_turn(((390, 844), (1180, 820), (568, 320)), turn):
            page.set_viewport_size({"width": width, "height": height})
            if found := unseen_names(page, least=2):
                unseen[path, width] = found
    assert unseen == {}
    page.goto(f"{table.url}/settings")
    expect(page.locator(".solid:not([aria-disabled])").first).to_have_text("Start this game")
    for drawn in (".solid:not([aria-disabled])", ".switch i", ".link"):
        picture = Image.open(io.BytesIO(page.locator(drawn).first.screenshot())).convert("L")
        assert is_written_on(picture.crop((4, 4, picture.width - 4, picture.height - 4)), share=0.01), drawn


@pytest.mark.long
def test_a_page_that_is_not_there_is_read_as_well_as_others(table, look):
    look.excuse("404")
    page = look(table.url)
    page.goto(f"{table.url}/nothing")
    for part in ("h1", "p", "a"):
        box = page.locator(part).first.bounding_box()
        assert box["x"] >= 16, part
    assert_clean(page)


def test_nothing_jumps_when_a_score_is_pegged_refused_or_not_sent(table, look):
    look.excuse("ERR_FAILED")
    phone = look(table.url, holder=(0, "Ann"))
    where = """() => [...document.querySelectorAll('.key, .slab, .hero')].filter(n => n.checkVisibility())
        .map(n => n.getBoundingClientRect()).map(r => [r.top, r.bottom].map(Math.round).join())"""
    before = phone.evaluate(where)
    table.score(0, 12, "play")
    expect(phone.locator(".mine .hero")).to_have_text("12")
    assert phone.evaluate(where) == before
    phone.get_by_role("button", name="Muggins").first.tap(force=True)
    assert phone.evaluate(where) == before
    phone.route("**/api/v1/commands", lambda route: route.abort())
    phone.get_by_role("button", name="5", exact=True).tap()
    expect(phone.locator("#trouble")).to_be_visible()
    assert phone.evaluate(where) == before


SEEN_AT = [("/", "phone"), ("/board", "tv"), ("/bench", "desk"), ("/health", "tv"), ("/board", "phone")]


@pytest.mark.looks
@pytest.mark.parametrize(("seen", "theme"), some_combinations(SEEN_AT, THEMES))
def test_axe_finds_nothing(table, look, seen, theme):
    path, size = seen
    lay(table, **TABLES["late"])
    page = look(table.url + path, size, theme=theme)
    assert_clean(page)


@pytest.mark.looks
def test_axe_finds_nothing_on_sheets_strip_and_win(table, look):
    look.excuse("ERR_FAILED")
    lay(table, **TABLES["late"])
    page = look(table.url, holder=None)
    assert_clean(page)
    page.get_by_role("button", name="Ann", exact=True).tap()
    page.get_by_role("button", name="More").tap()
    assert_clean(page)
    page.get_by_role("button", name="Close").tap()
    page.route("**/api/v1/commands", lambda route: route.abort())
    page.get_by_role("button", name="31 +2").tap()
    expect(page.locator("#trouble")).to_be_visible()
    assert_clean(page)
    page.get_by_role("button", name="Cancel").tap()
    table.score(0, 9, "crib")
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    assert_clean(page)


@pytest.mark.looks
@pytest.mark.parametrize(("name", "theme"), some_combinations(["rulings", "confirm"], THEMES))
def test_axe_finds_nothing_on_rulings_and_confirmations(table, look, name, theme):
    lay(table, **TABLES[name])
    assert_clean(look(f"{table.url}/board", "tv", theme=theme))
    assert_clean(look(table.url, theme=theme))


@pytest.mark.looks
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_on_a_claim_of_muggins(table, look, theme):
    lay(table, **TABLES["rulings"])
    phone = look(table.url, theme=theme)
    phone.evaluate(
        """async () => {
            const { openMuggins } = await import("/static/pad/amend_penalty_muggins_dialogs.js");
            openMuggins(JSON.parse(state.textContent), [0]);
        }"""
    )
    assert_clean(phone)


def luminance(colour):
    """Relative luminance after WCAG 2.2."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.looks
@pytest.mark.parametrize("theme", THEMES)
def test_words_and_pegs_stand_out_from_the_wood(table, look, theme):
    lay(table, **TABLES["late"])
    page = look(f"{table.url}/board", "tv", theme=theme)
    colour = "([selector, property]) => getComputedStyle(document.querySelector(selector))[property]"
    wood = page.evaluate(colour, [".slab", "backgroundColor"])
    for selector, least in ((".gates text", 4.5), (".gates .number", 4.5), (".gates line", 3), (".hole.run", 3)):
        shown = page.evaluate(colour, [selector, "stroke" if least == 3 else "fill"])
        assert contrast(wood, shown) >= least, (selector, shown)
    for lane in ("l0", "l1"):
        assert contrast(wood, page.evaluate(colour, [f".fronts .{lane} .body", "fill"])) >= 3
        assert contrast(wood, page.evaluate(colour, [f".fronts .{lane} .body", "stroke"])) >= 3
    pill = [page.evaluate(colour, [f".pill {part}", "fill"]) for part in ("rect", "text")]
    assert contrast(*pill) >= 4.5


@pytest.mark.long
def test_every_page_says_that_the_table_is_open_carries_no_style_of_its_own_and_leads_to_all_others(table, look):
    table.lay(*near_the_end(), dealer=1)
    page = look(table.url)
    wrong = {}
    for path in EVERY_PAGE:
        visit(page, table.url + path)
        expect(page.get_by_text("open table").filter(visible=True).first).to_be_visible()
        found = [what for what in ("[style]", "style") if page.locator(what).count()]
        led = page.locator("a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
        missing = [other for other in EVERY_PAGE if other not in (*led, path) and path not in WITHOUT_WAYS]
        wrong |= {path: [*found, *missing]} if found or missing else {}
    assert wrong == {}


WITHOUT_WAYS = ("/board",)
"""Nobody touches the TV; phone and tablet name the others behind More."""


def test_every_key_can_be_reached_and_pressed_without_a_finger(table, look):
    phone = look(table.url, holder=(0, "Ann"))
    reached = set()
    for _ in range(40):
        phone.keyboard.press("Tab")
        reached.add(phone.evaluate("() => document.activeElement.textContent.trim()"))
    assert {"1", "12", "24", "More", "Undo", "Redo", "Muggins"} <= reached
    phone.get_by_role("button", name="3", exact=True).focus()
    assert phone.evaluate("() => getComputedStyle(document.activeElement).outlineWidth") == "3px"
    phone.keyboard.press("Enter")
    expect(phone.locator(".mine .hero")).to_have_text("3")
