"""The pages in another language: every word of it, and names of any writing left as they are."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from pegboard.messages import TRANSLATED as TRANSLATIONS
from pegboard.messages import Message
from tests.browser.laid_games import near_the_end
from tests.browser.looks import assert_clean, wrong_looks
from web.pages.i18n import catalog
from web.pages.routes import PAGES

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


@pytest.mark.parametrize("language", ["en", "fr"])
def test_names_of_any_writing_stay_names(table, look, in_french, language):
    table.lay((0, 12, "hand"), (1, 8, "hand"), players=NAMES, variant="partners", dealer=3)
    page = look(f"{table.url}/board", "tv", context=in_french if language == "fr" else None)
    dialogs = []
    look.listen(page, "dialog", lambda dialog: dialogs.append(dialog.message) or dialog.dismiss())
    table.score(1, 2, "play")
    expect(page.locator("#said")).to_have_text(re.compile(r"^<script>alert\(1\)</scrip"))
    assert [
        name
        for name in NAMES
        if name not in page.locator("#seats").inner_text().replace("\u2068", "").replace("\u2069", "")
    ] == []
    assert page.locator("#seats script").count() == 0
    assert "\u2068" in page.locator("#seats").inner_text()
    assert dialogs == []
    page.close()


TRANSLATED = """async (messages) => {
    const { translate, languageOf } = await import('/static/lib/browser.js');
    return messages.map(([message, english]) => translate(message, english)).map((one) => [one, languageOf(one)]);
}"""


def sent(*messages):
    """Messages as the server sends them, beside their sentences."""
    return [[message.as_json(), str(message)] for message in messages]


def test_the_tables_own_sentences_are_translated_or_said_to_be_english(table, look, in_french):
    page = look(f"{table.url}/board", context=in_french)
    said = page.evaluate(
        TRANSLATED,
        sent(
            Message("points_at_once", points=40, least=0, most=29),
            Message("game_is_over", ended=Message("has_won", name="Ann")),
            Message("no_show", why="hand", points=19),
            Message("moved_lane", name="Ann", hole=69),
            Message("verbatim", text="nobody has ever said this"),
        ),
    )
    plain = [[re.sub(r"\s", " ", text), language] for text, language in said]
    assert plain == [
        ["on ne marque pas 40 points d\u2019un coup (un nombre entier, de 0 à 29)", None],
        ["la partie est finie : Ann a gagné ; seules les corrections sont admises", None],
        ["aucun décompte (main) ne vaut 19 : 19, 25, 26 et 27 sont impossibles", None],
        ["Ann est déjà au 69 ; à revoir avant d\u2019en ajouter", None],
        ["nobody has ever said this", "en"],
    ]
    page.close()


GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "messages.json").read_text("utf-8"))
"""Sentences of tables and pages from before messages had keys, in both languages, and what they are made of."""


def made_of(row):
    values = {name: made_of(value) if isinstance(value, dict) else value for name, value in row["values"].items()}
    return Message(row["key"], **values)


def test_every_message_is_the_sentence_that_it_has_always_been(table, look, in_french):
    assert [row["english"] for row in GOLDEN if made_of(row) != row["english"]] == []
    page = look(f"{table.url}/health", context=in_french)
    texts = {key: text for key, text in catalog("fr").items() if not key.startswith("refusals.") or key in MESSAGE_KEYS}
    page.route("**/words/fr/all-*", lambda route: route.fulfill(content_type="text/javascript", body=words_of(texts)))
    page.evaluate("import('/static/lib/browser.js').then(({ loadTexts }) => loadTexts('all'))")
    said = page.evaluate(TRANSLATED, sent(*map(made_of, GOLDEN)))
    others = [(row["english"], text, row["french"]) for row, (text, _) in zip(GOLDEN, said, strict=True)]
    assert [other for other in others if other[1] != other[2]] == []
    page.close()


def words_of(texts):
    return f"export default {json.dumps(texts)};"


MESSAGE_KEYS = {f"refusals.{key}" for key in TRANSLATIONS if str(catalog("fr")[f"refusals.{key}"]) != TRANSLATIONS[key]}


def test_what_is_wrong_with_an_imported_line_is_said_in_the_readers_language(table, look, in_french):
    page = look(f"{table.url}/history", context=in_french)
    said = page.evaluate(
        TRANSLATED,
        sent(
            *(
                Message("nothing_imported", line=3, fault=fault)
                for fault in (
                    Message("import_json"),
                    Message("import_kind", kinds="started, scored", value='"sung"'),
                    Message("import_refused", fault=Message("no_show", why="hand", points=19)),
                    Message("import_would_be", name="note", due='""', told="null"),
                    Message("import_refused", fault=Message("verbatim", text="nobody ever said this")),
                )
            )
        ),
    )
    *translated, other = [[re.sub(r"\s", " ", text).replace("\u2019", "'"), language] for text, language in said]
    faults = [
        "ce n'est pas du JSON ; une ligne d'un export est un objet JSON",
        '« kind » est un de started, scored, pas "sung"',
        "une table refuse cela, « aucun décompte (main) ne vaut 19 : 19, 25, 26 et 27 sont impossibles »",
        '« note » serait "" à la table, pas null',
    ]
    assert translated == [[f"ligne 3 : {fault} ; rien n'a été importé", None] for fault in faults]
    assert other == ["line 3: a table refuses this, “nobody ever said this”; nothing was imported", "en"]
    page.close()


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
    phone.get_by_role("button", name="12", exact=True).click()
    expect(phone.locator("#said")).to_contain_text("19")
    expect(phone.locator("#said")).not_to_have_attribute("lang", "en")
    phone.close()


@pytest.mark.parametrize(("page", "key"), [("", "#keys"), ("tablet", "#near-keys")])
def test_a_refusal_begins_with_a_capital_in_every_language(table, look, in_french, page, key):
    look.excuse("422")
    refusal = {"type": "about:blank", "title": "no", "status": 422, "code": "rule", "key": "moved_board", "values": {}}
    body = json.dumps(refusal | {"detail": "the board has moved since; look again"})
    answer = {"status": 422, "content_type": "application/problem+json", "body": body}
    french = "Le plateau a changé depuis\u00a0; à revoir"
    for context, said in ((None, "The board has moved since; look again"), (in_french, french)):
        pad = look(f"{table.url}/{page}", context=context)
        pad.route("**/api/v1/commands", lambda route: route.fulfill(**answer))
        pad.locator(f"{key} [data-points='4']").click()
        for place in (pad.locator("#said"), pad.locator(f"{key.replace('keys', 'trouble-what')}")):
            expect(place).to_have_text(said)
        if context is not None:
            pad.close()


def test_plurals_are_those_of_the_language(table, look, in_french):
    table.lay((0, 12, "hand"), dealer=1)
    script = "import('/static/lib/browser.js').then(({ t }) => [0, 1, 1.5, 2].map(n => t('words.by_holes', { n })))"
    english, french = look(table.url), look(table.url, context=in_french)
    assert english.evaluate(script) == ["By 0 holes.", "By 1 hole.", "By 1.5 holes.", "By 2 holes."]
    assert french.evaluate(script) == [
        "Avec 0 trou d\u2019avance.",
        "Avec 1 trou d\u2019avance.",
        "Avec 1.5 trou d\u2019avance.",
        "Avec 2 trous d\u2019avance.",
    ]
    french.close()


OTHERS = {
    "pl": {
        "words.by_holes": {"one": "{n} dziurka", "few": "{n} dziurki", "many": "{n} dziurek", "other": "{n} dziurka i"},
        "words.back": {"one": "{name} {holes} raz", "few": "{name} {holes} dwa", "other": "{name} {holes} wiele"},
        "words.worth": {"one": "It is worth {n} point.", "other": "It is worth {n} points.", "language": "en"},
    },
    "ar": {"words.by_holes": {form: f"{form} {{n}}" for form in ("zero", "one", "two", "few", "many", "other")}},
}
"""A few words of other languages, one of which stayed English."""

SAY = """async ([words, numbers]) => {
    const { t } = await import('/static/lib/browser.js');
    const counted = words === 'words.back' ? 'holes' : 'n';
    return numbers.map((number) => t(words, { name: '7', [counted]: number }));
}"""


@pytest.mark.parametrize(
    ("language", "key", "said"),
    [
        ("pl", "words.by_holes", {0: "0 dziurek", 1: "1 dziurka", 2: "2 dziurki", 1.5: "1.5 dziurka i"}),
        ("pl", "words.worth", {0: "It is worth 0 points.", 1: "It is worth 1 point.", 2: "It is worth 2 points."}),
        ("pl", "words.back", {1: "7 1 raz", 2: "7 2 dwa", 5: "7 5 wiele"}),
        ("ar", "words.by_holes", {0: "zero 0", 2: "two 2", 3: "few 3", 11: "many 11"}),
    ],
)
def test_plurals_of_a_third_language_are_those_of_unicode(table, page, language, key, said):
    """On an empty page in that language; what is counted may have another name than n."""
    words = f"export default {json.dumps(OTHERS[language])};"
    empty = f"<html lang={language} data-words='/words/{language}/a-b.js'><title>x</title>"
    page.route("**/words/**", lambda route: route.fulfill(content_type="text/javascript", body=words))
    page.route("**/empty", lambda route: route.fulfill(content_type="text/html", body=empty))
    page.goto(f"{table.url}/empty")
    assert page.evaluate(SAY, [key, list(said)]) == list(said.values())
