"""What one hears of the game: nothing until it is asked for, then each score in the page's language."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.table import near_the_end

VOICES = [{"lang": "de-DE", "name": "Anna"}, {"lang": "en-GB", "name": "Daniel"}, {"lang": "fr_FR", "name": "Thomas"}]

STUB = """
window.spoken = [];
window.buzzed = [];
navigator.vibrate = (ms) => window.buzzed.push(ms);
window.SpeechSynthesisUtterance = class extends EventTarget { constructor(text) { super(); this.text = text; } };
Object.defineProperty(window, 'speechSynthesis', {configurable: true, value: VOICES && {
    getVoices: () => VOICES,
    addEventListener() {},
    cancel() {},
    speak(said) {
        window.spoken.push([said.text, said.lang]);
        setTimeout(() => said.dispatchEvent(new Event('end')));
    },
}});
"""


@pytest.fixture
def board(browser, table, look):
    """The board of a device with these voices; None where it cannot speak."""
    contexts = []

    def board(voices=VOICES, language="en"):
        context = browser.new_context(viewport={"width": 820, "height": 1180}, locale=language, reduced_motion="reduce")
        contexts.append(context)
        context.add_init_script(STUB.replace("VOICES", json.dumps(voices)))
        return look(f"{table.url}/board", context=context)

    yield board
    for context in contexts:
        context.close()


def turned_on(page, name):
    page.locator("#screen").click()
    page.get_by_role("switch", name=name).click()
    expect(page.get_by_role("switch", name=name)).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Escape")


def heard(page, count):
    page.wait_for_function("count => spoken.length >= count", arg=count)
    return page.evaluate("spoken")


def test_nothing_is_said_until_it_is_asked_for(table, board):
    page = board()
    table.score(0, 12, "hand")
    expect(page.locator("#said")).to_have_text("Ann 12, now 12")
    assert page.evaluate("[spoken, buzzed]") == [[], []]


def test_scores_corrections_and_the_end_are_said(table, board):
    page = board()
    table.lay(*near_the_end(), dealer=1)
    turned_on(page, "Say the score aloud")
    table.ask("undo", entry=table.state["undo"])
    heard(page, 2)
    table.score(0, 12, "hand")
    heard(page, 3)
    table.score(0, 9, "crib")
    said = heard(page, 4)
    assert [text for text, _ in said] == [
        "The score is said aloud now",
        "Taken back: Ann 12, now 100. Ann counts the hand",
        "Ann 12, now 112. Ann counts the crib",
        "Ann wins, 121 to 87. A skunk.",
    ]
    assert {language for _, language in said} == {"en-GB"}
    page.reload()
    page.locator(".link.live").wait_for()
    assert page.evaluate("JSON.parse(localStorage['pegboard.hearing']).voice") is True


def test_a_french_page_speaks_french_and_no_fences(table, board):
    table.lay(players=("عبد", "Bob"))
    page = board(language="fr")
    turned_on(page, "Dire le score")
    table.score(0, 12, "hand")
    assert heard(page, 2)[1] == ["عبد 12, maintenant 12", "fr_FR"]


@pytest.mark.parametrize(
    ("voices", "reason"),
    [
        (None, "This browser cannot speak"),
        ([], "This device has no voice"),
        (VOICES[:1], "This device has no voice for English"),
    ],
)
def test_a_switch_that_is_closed_says_why(board, voices, reason):
    page = board(voices)
    page.locator("#screen").click()
    switch = page.get_by_role("switch", name="Say the score aloud")
    switch.click(force=True)
    assert [switch.get_attribute(name) for name in ("aria-checked", "aria-disabled")] == ["false", "true"]
    expect(page.locator("#hear-voice")).to_have_text(reason)
    expect(page.locator("#awake-why")).to_have_text("") if page.evaluate("'wakeLock' in navigator") else None


def test_a_peg_buzzes_where_it_is_asked_for(table, board):
    page = board()
    turned_on(page, "A buzz for each peg")
    table.score(0, 12, "hand")
    page.wait_for_function("buzzed.length === 2")
    assert page.evaluate("[buzzed, spoken]") == [[30, 30], []]
