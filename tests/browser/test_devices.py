"""Every display and input is seen as it is: on a page of its own, on the bench, and as a quiet line elsewhere."""

import dataclasses
import re

import pytest
from playwright.sync_api import expect

from pegboard.messages import Message
from tests.browser.conftest import SIZES
from tests.browser.looks import REACHABLE, READABLE, READABLE_FAR, RULER, assert_clean
from tests.browser.toy_workbench import BROKEN, KEYPAD, KEYS, OLED, WELL, Workbench
from tests.support.long_runs import some_combinations, some_in_turn
from tests.support.program import Service
from tests.support.waiting import soon
from tests.support.web_server_and_clients import ToyDevices, opened

EASY_TO_HIT = 24  # px, WCAG 2.2
WITHOUT_NEWS = 8_000  # ms: a page has asked again by then

PLACES = """() => [...document.querySelectorAll('.key, .slab, .hero, .who, .link')].filter(n => n.checkVisibility())
    .map(n => n.getBoundingClientRect()).map(r => [r.top, r.bottom, r.left, r.right].map(Math.round).join())"""


@pytest.fixture
def site(tmp_path):
    """A table whose LED strip and keypad are broken, with a bench."""
    devices = ToyDevices([OLED, BROKEN, KEYS, KEYPAD])
    with opened(tmp_path, Workbench(), devices=devices) as site:
        devices.put(site, BROKEN)
        site.url, site.devices = f"http://127.0.0.1:{site.port}", devices
        yield site


def card(page, name):
    return page.locator(".device").filter(has=page.get_by_role("heading", name=name, exact=True))


def unplug(bench, name):
    card(bench, name).get_by_role("switch").click()


def test_a_pulled_plug_is_told_with_the_next_picture_and_so_is_its_return(table, look):
    name = "OLED"
    health = look(f"{table.url}/health", "tablet")
    phone, board = look(table.url), look(f"{table.url}/board", "tv")
    bench = look(f"{table.url}/bench", "desk")
    expect(card(health, name).locator(".state")).to_have_text("working")
    unplug(bench, name)
    try:
        expect(card(bench, name).locator(".state")).to_have_text("not plugged in")
        table.score(0, 5, "play")
        expect(card(health, name).locator(".state")).to_contain_text("failing since")
        expect(card(health, name)).to_contain_text("No answer")
        for page in (phone, board):
            expect(page.get_by_role("link", name=f"{name}: no answer")).to_be_visible()
    finally:
        unplug(bench, name)
    expect(card(health, name).locator(".state")).to_have_text("working")
    for page in (phone, board):
        expect(page.locator("#ailing")).to_be_hidden()


@pytest.mark.long
def test_a_pulled_strip_is_dark_on_the_bench_but_nobody_else_can_know(table, look):
    bench, health = look(f"{table.url}/bench", "desk"), look(f"{table.url}/health", "tablet")
    expect(bench.locator(".led.lit").first).to_be_attached()
    unplug(bench, "LED strip")
    expect(card(bench, "LED strip").locator(".state")).to_have_text("not plugged in")
    expect(bench.locator(".led.lit")).to_have_count(0)
    expect(card(health, "LED strip").locator(".state")).to_have_text("everything sent")
    expect(card(health, "LED strip").locator(".about")).to_contain_text("pegboard cannot tell whether it lights up")
    unplug(bench, "LED strip")
    expect(bench.locator(".led.lit").first).to_be_attached()


@pytest.mark.long
def test_a_device_that_fails_as_it_was_told_to_says_so_until_it_is_mended(table, look):
    bench = look(f"{table.url}/bench", "phone")
    fault = card(bench, "OLED").get_by_role("button", name="no answer")
    expect(fault).to_have_attribute("aria-pressed", "false")
    fault.tap()
    expect(fault).to_have_attribute("aria-pressed", "true")
    table.score(0, 5, "play")
    expect(card(bench, "OLED").locator(".state")).to_have_text("failing")
    expect(card(bench, "OLED").locator(".ailment")).to_contain_text("No answer")
    fault.tap()
    expect(fault).to_have_attribute("aria-pressed", "false")
    expect(card(bench, "OLED").locator(".state")).to_have_text("working")


@pytest.mark.long
def test_the_buses_tell_what_passes_on_them(table, look):
    bench = look(f"{table.url}/bench", "desk")
    rows = bench.locator("#buses div")
    expect(rows).to_have_count(2)
    before = rows.first.inner_text()
    table.score(0, 5, "play")
    expect(rows.first).not_to_have_text(before)
    expect(rows.first).to_have_text(re.compile(r"I2C1[\d,]+ bytes/s[\d,]+ in total"))


@pytest.mark.long
def test_an_answer_that_comes_late_brings_no_trouble_back(site, look):
    site.devices.put(site, KEYPAD.__class__("keypad", ""))
    phone, held = look(site.url, holder=(0, "Ann")), []
    line = phone.get_by_role("link", name="LED strip: no answer: Input/output error")
    expect(line).to_be_visible()
    phone.route("**/api/v1/commands", lambda route: held.append(route))  # noqa: PLW0108 - no builtin is taken
    phone.get_by_role("button", name="6", exact=True).tap()
    expect(phone.locator(".coming")).to_have_count(1)
    soon(lambda: phone.evaluate("1") and held)
    answer = held[0].fetch()
    site.devices.put(site, WELL)
    expect(line).to_be_hidden()
    with phone.expect_response("**/api/v1/commands"):
        held[0].fulfill(response=answer)
    expect(phone.locator(".coming")).to_have_count(0)
    expect(phone.locator(".mine .hero")).to_have_text("6")
    expect(line).to_be_hidden()


@pytest.mark.long
def test_a_device_in_trouble_moves_nothing_on_the_phone_and_covers_no_key(site, look):
    site.devices.put(site, WELL)
    site.devices.put(site, KEYPAD.__class__("keypad", ""))
    phone = look(site.url, holder=(0, "Ann"))
    expect(phone.locator("#ailing")).to_be_hidden()
    before = phone.evaluate(PLACES)
    site.devices.put(site, BROKEN)
    line = phone.get_by_role("link", name="LED strip: no answer: Input/output error")
    expect(line).to_be_visible()
    assert line.bounding_box()["height"] >= EASY_TO_HIT
    assert phone.evaluate(PLACES) == before
    expect(phone.get_by_role("status")).to_have_text("LED strip: no answer: Input/output error")
    phone.get_by_role("button", name="6", exact=True).tap()
    expect(phone.locator(".mine .hero")).to_have_text("6")
    site.devices.put(site, WELL)
    expect(line).to_be_hidden()
    expect(phone.get_by_role("status")).to_have_text("All devices are working again")
    site.devices.put(site, BROKEN)
    line.tap()
    expect(phone.get_by_role("heading", name="LED strip")).to_be_visible()


@pytest.mark.long
def test_several_in_trouble_are_named(site, look):
    said = "LED strip and keypad not working"
    expect(look(site.url).get_by_role("link", name=said)).to_be_visible()
    expect(look(f"{site.url}/board", "tv").get_by_role("link", name=said)).to_be_visible()


@pytest.mark.long
def test_the_page_tells_all_that_is_known(site, look):
    page = look(f"{site.url}/health", "tablet")
    strip = card(page, "LED strip")
    expect(strip.locator(".state")).to_have_text(re.compile(r"^failing since \d\d:\d\d:\d\d$"))
    expect(strip.locator(".about")).to_have_text("WS2812 on SPI0, 242 LEDs")
    expect(strip.locator(".ailment")).to_contain_text("No answer: Input/output error. Check its plug")
    expect(strip.locator("dl div")).to_have_text(["frames977", "errors7", "retries6"])
    expect(card(page, "keypad").locator(".ailment")).to_contain_text("sudo usermod -aG input pegboard")
    expect(card(page, "This table")).to_contain_text("journal entries1")
    site.devices.put(site, WELL)
    expect(strip.locator(".state")).to_have_text("working")
    expect(strip.locator(".ailment")).to_have_text("Last problem: no answer: Input/output error")
    expect(strip.locator("dl div")).to_have_text(["frames978", "errors7"])


def test_trouble_is_told_in_the_readers_language_at_first_and_with_later_news(site, look, browser):
    """Its words are loaded later than the page."""
    site.devices.health = [OLED, BROKEN]
    told = [dataclasses.replace(BROKEN, trouble=Message("trouble_silent", seconds=seconds)) for seconds in (9, 12)]
    site.devices.put(site, told[0])
    with browser.new_context(locale="fr-FR") as french:
        phone = look(site.url, context=french)
        expect(phone.locator("#ailing")).to_contain_text("Ruban LED : aucun signe depuis 9 s")
        site.devices.put(site, told[1])
        expect(phone.locator("#ailing")).to_contain_text("Ruban LED : aucun signe depuis 12 s")
        phone.close()


@pytest.mark.long
def test_figures_are_asked_again_without_any_news(site, look):
    page = look(f"{site.url}/health", "tablet")
    page.clock.install()
    page.reload()
    expect(card(page, "OLED")).to_contain_text("1,204")
    site.devices.health = [OLED.__class__("OLED", OLED.about, frames=1205)]
    page.clock.fast_forward(WITHOUT_NEWS)
    expect(card(page, "OLED")).to_contain_text("1,205")


@pytest.mark.looks
@pytest.mark.parametrize(("turn", "path"), list(enumerate(["/health", "/bench", "/", "/board"])))
def test_trouble_in_long_words_is_neither_cut_small_nor_in_the_way(site, look, turn, path):
    page = look(site.url + path)
    expect(page.get_by_text("keypad").first).to_be_visible()
    wrong = {}
    for size in some_in_turn(("phone", "narrow", "lying", "tablet", "flat", "desk", "tv"), turn):
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        far = path == "/board" and size == "tv"
        limits = {"smallestText": READABLE_FAR if far else READABLE, "smallestTarget": REACHABLE}
        if found := page.evaluate(RULER, limits):
            wrong[size] = found
    assert wrong == {}


PATHS = ["/health", "/bench", "/", "/board"]


@pytest.mark.looks
@pytest.mark.parametrize(
    ("path", "size", "theme"), some_combinations(PATHS, ["phone", "tablet", "tv"], ["light", "dark"])
)
def test_axe_finds_nothing_where_devices_are_in_trouble(site, look, path, size, theme):
    page = look(site.url + path, size, theme=theme)
    expect(page.get_by_text("keypad").first).to_be_visible()
    assert_clean(page)


def test_the_page_of_the_devices_keeps_to_the_strict_policy(site):
    policy = site.get("/health").headers["content-security-policy"]
    assert policy == site.get("/").headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


SHAPES = [((128, 64), 4), ((128, 32), 4), ((128, 128), 3), ((256, 64), 2)]


@pytest.mark.looks
@pytest.mark.parametrize(("panel", "magnified"), SHAPES, ids=[f"{w}x{h}" for (w, h), _ in SHAPES])
def test_a_panel_of_any_size_is_shown_whole_and_in_its_shape(tmp_path, look, panel, magnified):
    look.excuse("willReadFrequently")  # this test looks at the canvas, the page does not
    with opened(tmp_path, Workbench(panel)) as site:
        page = look(f"http://127.0.0.1:{site.port}/bench", "desk")
        expect(page.locator("#panel-size")).to_have_text(
            f"OLED {panel[0]} \N{MULTIPLICATION SIGN} {panel[1]}, as displayed"
        )
        box = page.locator("#panel").bounding_box()
        assert min(box["width"] / panel[0], box["height"] / panel[1]) == pytest.approx(magnified, abs=0.05)
        lit = page.evaluate("""() => { const c = document.getElementById('panel');
            const data = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            return Array.from({length: data.length / 4}, (_, i) => i).filter(i => data[4 * i]) }""")
        assert lit == [panel[0] * panel[1] - 1]


SINGLE = [("a", 0, 1, "A"), ("b", 1, 1, "J"), ("undo", None, 0, "U"), ("deal", None, 0, "G")]
KEYPAD_KEYS = [
    *((f"{digit}", None, 0, f"{digit}") for digit in range(10)),
    *((f"enter {letter}", lane, 0, "") for lane, letter in enumerate("ab")),
    ("keypad undo", None, 0, ""),
    ("keypad deal", None, 0, ""),
]


@pytest.mark.long
def test_single_keys_and_a_keypad_are_pressed_like_any_other(tmp_path, look):
    bench = Workbench(keys=[*SINGLE, *KEYPAD_KEYS])
    with opened(tmp_path, bench) as site:
        page = look(f"http://127.0.0.1:{site.port}/bench", "desk")
        keypad = page.locator("#keys .card").filter(has=page.get_by_role("heading", name="Keypad"))
        shown = [*(f"{digit}" for digit in range(10)), "Enter", "Enter", "Undo", "Deal"]
        expect(keypad.locator(".pin b")).to_have_text(shown)
        expect(page.locator("#keys .pin b")).to_have_text(["+1", "Undo", "Deal", "+1", *shown])
        page.get_by_role("button", name="+1 J Bob").click()
        page.get_by_role("button", name="Enter Bob").click()
        page.keyboard.press("7")
        wanted = [(key, level) for key in ("b", "enter b", "7") for level in ("down", "up")]
        soon(lambda: len(bench.done) >= len(wanted))
        assert bench.done == wanted


SETTINGS = """
[keys]
scheme = "single"
[keypad]
enabled = true
[oled]
size = "128x32"
"""


@pytest.mark.long
def test_single_keys_and_a_keypad_of_the_program_score(tmp_path, look):
    look.excuse("ERR_CONNECTION_REFUSED")  # the pages outlive the program
    (tmp_path / "settings.toml").write_text(SETTINGS)
    with Service(tmp_path / "state", "--config", str(tmp_path / "settings.toml")) as program:
        bench = look(f"{program.url}/bench", "desk")
        phone = look(program.url, holder=(0, "Ann"))
        expect(bench.locator("#panel-size")).to_contain_text("128 \N{MULTIPLICATION SIGN} 32")
        for digit in "12":
            bench.keyboard.press(digit)
        bench.get_by_role("button", name="Enter Ann").click()
        expect(phone.locator(".mine .hero")).to_have_text("12")
        bench.locator("[data-key=b]").click()
        expect(phone.locator(".other .hero")).to_have_text("1")
        unplug(bench, "keypad")
        expect(phone.get_by_role("link", name="keypad")).to_be_visible()
        unplug(bench, "keypad")
        expect(phone.locator("#ailing")).to_be_hidden()


@pytest.mark.long
def test_each_device_has_a_plug_and_its_own_faults(tmp_path, look):
    bench = Workbench()
    with opened(tmp_path, bench) as site:
        page = look(f"http://127.0.0.1:{site.port}/bench", "desk")
        expect(page.get_by_role("switch")).to_have_count(4)
        page.get_by_role("switch", name="OLED: Plugged in").click()
        page.get_by_role("switch", name="keypad: Unplugged").click()
        page.get_by_role("group", name="Simulated faults: keypad").get_by_role("button", name="hang").click()
        page.get_by_role("group", name="Simulated faults: keys").get_by_role("button", name="bus stuck").click()
        wanted = [("OLED", False), ("keypad", True), ("keypad", "hang", False), ("keys", "bus stuck", True)]
        soon(lambda: len(bench.done) >= len(wanted))
        assert bench.done == wanted


@pytest.mark.looks
def test_a_name_from_right_to_left_does_not_turn_a_line_of_the_bus_round(tmp_path, look):
    name = "\u0645\u062d\u0645\u062f \u0639\u0628\u062f"
    with opened(tmp_path, Workbench(lines=[f"{name} +5 down"])) as site:
        page = look(f"http://127.0.0.1:{site.port}/bench", "desk")
        line = page.locator("#lines p span").last
        expect(line).to_have_text(f"\u2068{name}\u2069 +5 down")
        place = """node => { const range = document.createRange();
            const at = (text) => { const from = node.textContent.indexOf(text);
                range.setStart(node.firstChild, from); range.setEnd(node.firstChild, from + text.length);
                return range.getBoundingClientRect().left };
            return [at("\u0645"), at("+5"), at("down")] }"""
        places = line.evaluate(place)
        assert places == sorted(places)
