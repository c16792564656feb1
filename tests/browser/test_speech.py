"""What one hears of the game: nothing until it is asked for, then each score in the page's language."""

import json
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.laid_games import near_the_end
from tests.support.web_server_and_clients import opened

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

    def board(voices=VOICES, language="en", at=table):
        context = browser.new_context(viewport={"width": 820, "height": 1180}, locale=language, reduced_motion="reduce")
        contexts.append(context)
        context.add_init_script(STUB.replace("VOICES", json.dumps(voices)))
        return look(f"{at.url}/board", context=context)

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
    turned_on(page, "Read the score aloud")
    table.ask("undo", entry=table.state["undo"])
    heard(page, 2)
    table.score(0, 12, "hand")
    heard(page, 3)
    table.score(0, 9, "crib")
    said = heard(page, 4)
    assert [text for text, _ in said] == [
        "The score will be read aloud",
        "Undone: Ann 12, now 100. Ann counts the hand",
        "Ann 12, now 112. Ann counts the crib",
        "Ann wins, 121 to 87. A skunk.",
    ]
    assert {language for _, language in said} == {"en-GB"}
    page.reload()
    page.locator(".link.live").wait_for()
    assert page.evaluate("JSON.parse(localStorage['pegboard.hearing']).voice") is True


@pytest.mark.looks
def test_a_french_page_speaks_french_and_no_fences(table, board):
    table.lay(players=("عبد", "Bob"))
    page = board(language="fr")
    turned_on(page, "Lire le score")
    table.score(0, 12, "hand")
    assert heard(page, 2)[1] == ["عبد 12, maintenant 12", "fr_FR"]


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("voices", "reason"),
    [
        (VOICES[:1], "This device has no English voice"),
        (None, "This browser cannot speak"),
        ([], "This device has no voices"),
    ],
)
def test_a_switch_that_is_closed_says_why(board, voices, reason):
    page = board(voices)
    page.locator("#screen").click()
    switch = page.get_by_role("switch", name="Read the score aloud")
    switch.click(force=True)
    assert [switch.get_attribute(name) for name in ("aria-checked", "aria-disabled")] == ["false", "true"]
    expect(page.locator("#hear-voice")).to_have_text(reason)
    expect(page.locator("#awake-why")).to_have_text("") if page.evaluate("'wakeLock' in navigator") else None


@pytest.mark.long
def test_a_peg_buzzes_where_it_is_asked_for(table, board):
    page = board()
    turned_on(page, "Vibrate for each peg")
    table.score(0, 12, "hand")
    page.wait_for_function("() => buzzed.length === 2")
    assert page.evaluate("[buzzed, spoken]") == [[30, 30], []]


# --- what the table does now ---

PLAYED = ((1, 2), (0, 1), (1, 5), (0, 1))
"""A play of a deal of Ann's, of which nobody has said a reason."""

SHOWN = ((1, 8), (0, 10), (0, 4))
"""Both hands and the crib."""


def turns(page):
    """What was said of whose turn it is, without the scores."""
    said = [part for text, _ in page.evaluate("spoken") for part in text.split(". ")]
    return [part.removeprefix("Most likely: ") for part in said if " counts " in part or " deals" in part]


@pytest.mark.long
def test_whose_hand_and_crib_is_counted_is_said_once_each_from_numbers_alone(table, board):
    page = board()
    turned_on(page, "Read the score aloud")
    for seat, points in (*PLAYED, *SHOWN):
        table.score(seat, points)
    heard(page, 1 + len(PLAYED) + len(SHOWN))
    assert turns(page)[-3:] == ["Ann counts the hand", "Ann counts the crib", "Bob deals"]
    assert all(one != other for one, other in pairwise(turns(page)))


@pytest.mark.long
def test_whose_turn_it_is_is_said_where_only_keys_are_pressed(tmp_path, board):
    """The other player's key pegs at once what is dialled."""
    with opened(tmp_path) as site:
        site.url = f"http://127.0.0.1:{site.port}"
        page = board(at=site)
        turned_on(page, "Read the score aloud")
        for said, (seat, points) in enumerate(((1, 2), (0, 1), (1, 5), (0, 1), (1, 8), (0, 6), (1, 1)), 1):
            site.scoreboard.keys.dial(seat, points)
            heard(page, said)
        expect(page.locator("#said")).to_have_text("Ann 6, now 8. Ann counts the crib")
        assert turns(page)[-2:] == ["Ann counts the hand", "Ann counts the crib"]


@pytest.mark.long
def test_a_line_that_heals_an_earlier_reason_is_spoken_alone(table, board):
    """Ann's 6 is taken for her hand at first; Bob's go makes it a pair royal, of which nobody is told."""
    page = board()
    turned_on(page, "Read the score aloud")
    for seat, points in ((1, 2), (0, 6), (1, 1)):
        table.score(seat, points)
    said = [text for text, _ in heard(page, 4)]
    assert [text.partition(". ")[0] for text in said[1:]] == ["Bob 2, now 2", "Ann 6, now 6", "Bob 1, now 3"]


@pytest.mark.long
def test_a_score_that_was_the_others_is_said_with_whose_it_is(table, board):
    page = board()
    turned_on(page, "Read the score aloud")
    table.score(0, 2)
    table.ask("amend", entry="1", seat=1, was=2)
    said = [text for text, _ in heard(page, 3)]
    assert said[2].startswith("Line 1 changed: Bob 2, now 2")
