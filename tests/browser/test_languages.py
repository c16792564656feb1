"""The pages in another language: every word of it, and names of any writing left as they are."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import near_the_end
from tests.browser.looks import assert_clean, wrong_looks
from web.table.app import PAGES

LANGUAGES = Path(__file__).parents[2] / "web" / "languages"

NAMES = ("عبد الرحمن الأندلسي", "<script>alert(1)</script>", "ボブ・ザ・ビルダー", "Dee" * 13 + "e")

ENGLISH = re.compile(r"(?<!-)\b(the|of|with|and|is|are|to|your|this|has|was)\b(?!-)", re.IGNORECASE)
"""Words that no French sentence has, for what stands in no catalog."""

SHOWN = """() => {
    const seen = (node) => node.checkVisibility({visibilityProperty: true}) && !node.closest('script, [lang=en]');
    const texts = [...document.querySelectorAll('body *')].filter(seen).flatMap(node => [
        ...[...node.childNodes].filter(child => child.nodeType === Node.TEXT_NODE).map(child => child.textContent),
        ...['aria-label', 'title', 'placeholder', 'alt'].map(name => node.getAttribute(name) ?? ''),
    ]);
    return [...new Set(texts.map(text => text.replace(/\\s+/g, ' ').trim()).filter(Boolean))];
}"""


def texts(language):
    """Every text of a catalog that has words in it, plurals one by one."""
    sections = json.loads((LANGUAGES / f"{language}.json").read_text("utf-8"))
    for section, keys in sections.items():
        for text in keys.values() if section not in ("language", "refusals") else ():
            yield from [text] if isinstance(text, str) else text.values()


def told_by(found):
    """Whether a text is one of these with its values filled in."""
    parts = {re.sub(r"\s+", " ", text) for text in found if re.search(r"[A-Za-z]{3}", re.sub(r"\{\w+\}", "", text))}
    filled = [".*".join(re.escape(part) for part in re.split(r"\{\w+\}", text)) for text in parts if "{" in text]
    pattern = re.compile("|".join(filled))
    return lambda text: text in parts or pattern.fullmatch(text) is not None


def only_english():
    """The English texts that no French page may show: those that are not French as well."""
    return set(texts("en")) - set(texts("fr"))


@pytest.fixture(scope="module")
def in_french(browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="fr-FR", reduced_motion="reduce")
    context.add_init_script("localStorage.setItem('pegboard.holder', '{\"seat\": null, \"name\": null}')")
    yield context
    context.close()


@pytest.mark.looks
def test_every_page_is_french_through_and_through(table, look, in_french):
    table.lay(*near_the_end(), dealer=1)
    english, french, wrong = told_by(only_english()), told_by(texts("fr")), {}
    for path in PAGES:
        page = look(table.url + path, context=in_french)
        assert page.evaluate("document.documentElement.lang") == "fr", path
        shown = [text for text in page.evaluate(SHOWN) if not french(text)]
        if left := [text for text in shown if english(text) or ENGLISH.search(text)]:
            wrong[path] = left
        if path in ("/", "/board"):
            assert_clean(page)
        page.close()
    assert wrong == {}


@pytest.mark.looks
def test_french_cuts_nothing_off(table, look, in_french):
    table.lay(*near_the_end(), dealer=1)
    wrong = {}
    for path, far in (("/", False), ("/board", True), ("/health", False)):
        page = look(table.url + path, context=in_french)
        if found := wrong_looks(page, ("short", "phone", "tablet", "flat")):
            wrong[path] = found
        if far and (found := wrong_looks(page, ("tv",), readable=24)):
            wrong[path, "tv"] = found
        page.close()
    assert wrong == {}


def test_another_language_is_chosen_on_the_board_and_kept(table, look):
    board = look(f"{table.url}/board", "tv")
    board.get_by_role("button", name="Screen").click()
    assert_clean(board)
    board.locator("#language").select_option(label="Français")
    expect(board.locator("html")).to_have_attribute("lang", "fr")
    expect(board.locator("#screen")).to_have_text("Écran")
    board.reload()
    expect(board.locator("html")).to_have_attribute("lang", "fr")
    board.context.clear_cookies()


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
def test_names_of_any_writing_stay_names(table, look, in_french, language):
    table.lay((0, 12, "hand"), (1, 8, "hand"), players=NAMES, variant="partners", dealer=3)
    page = look(f"{table.url}/board", "tv", context=in_french if language == "fr" else None)
    dialogs = []
    look.listen(page, "dialog", lambda dialog: dialogs.append(dialog.message) or dialog.dismiss())
    table.score(1, 2, "play")
    expect(page.locator("#said")).to_have_text(re.compile(r"^<script>alert\(1\)</scrip"))
    seats = page.locator("#seats").inner_text()
    assert [name for name in NAMES if name.split()[0][:20] not in seats] == []
    assert page.locator("#seats script").count() == 0
    assert "\u2068" in seats
    assert dialogs == []
    page.close()


@pytest.mark.long
def test_a_refusal_that_stayed_english_is_read_aloud_as_english_and_what_follows_is_not(table, look, in_french):
    look.excuse("422")
    table.lay((0, 7, "play"))
    phone = look(table.url, context=in_french)
    refusal = {"type": "about:blank", "title": "no", "status": 422, "code": "rule", "detail": "nobody ever said this"}
    answer = {"status": 422, "content_type": "application/problem+json", "body": json.dumps(refusal)}
    phone.route("**/api/v1/commands", lambda route: route.fulfill(**answer), times=1)
    phone.get_by_role("button", name="12", exact=True).click()
    for place in (phone.locator("#said"), phone.locator("#trouble-what")):
        expect(place).to_have_text("Nobody ever said this")
        expect(place).to_have_attribute("lang", "en")
    phone.get_by_role("button", name="8", exact=True).click()
    expect(phone.locator("#said")).to_contain_text("15")
    expect(phone.locator("#said")).not_to_have_attribute("lang", "en")
    phone.close()


@pytest.mark.long
@pytest.mark.parametrize(("page", "key"), [("", "#keys"), ("tablet", "#near-keys")])
def test_a_refusal_begins_with_a_capital_in_every_language(table, look, in_french, page, key):
    look.excuse("422")
    refusal = {"type": "about:blank", "title": "no", "status": 422, "code": "rule", "key": "moved_board", "values": {}}
    body = json.dumps(refusal | {"detail": "the score has changed since you looked; check it and try again"})
    answer = {"status": 422, "content_type": "application/problem+json", "body": body}
    english = "The score has changed since you looked; check it and try again"
    french = "Le score a changé depuis\u00a0; le vérifier et réessayer"
    for context, said in ((None, english), (in_french, french)):
        pad = look(f"{table.url}/{page}", context=context)
        pad.route("**/api/v1/commands", lambda route: route.fulfill(**answer))
        pad.locator(f"{key} [data-points='4']").click()
        for place in (pad.locator("#said"), pad.locator(f"{key.replace('keys', 'trouble-what')}")):
            expect(place).to_have_text(said)
        if context is not None:
            pad.close()
