"""Messages of tables and texts of pages, said by the scripts of the pages in the language of who reads them."""

import json
import re
from pathlib import Path

import pytest

from pegboard.messages import Message

TRANSLATED = """async (messages) => {
    const { translate, languageOf } = await import('/static/lib/browser.js');
    return messages.map(([message, english]) => translate(message, english)).map((one) => [one, languageOf(one)]);
}"""


def sent(*messages):
    """Messages as the server sends them, beside their sentences."""
    return [[message.as_json(), str(message)] for message in messages]


def test_the_tables_own_sentences_are_translated_or_said_to_be_english(scripts_in):
    said = scripts_in("fr").evaluate(
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
        ["impossible de marquer 40 points d\u2019un coup (un nombre entier, de 0 à 29)", None],
        ["la partie est finie : Ann a gagné ; seules des corrections sont possibles", None],
        ["aucun décompte (main) ne vaut 19 : 19, 25, 26 et 27 sont impossibles", None],
        ["Ann est déjà à 69 ; vérifier le score avant d\u2019en ajouter", None],
        ["nobody has ever said this", "en"],
    ]


ROWS = json.loads((Path(__file__).parents[2] / "data" / "messages.json").read_text("utf-8"))
"""Keys of messages, each with values that tables have given it; a value may be a message itself."""


def made_of(row):
    values = {name: made_of(value) if isinstance(value, dict) else value for name, value in row["values"].items()}
    return Message(row["key"], **values)


FOR_PROGRAMS = {"base_missing", "not_finished", "since"}
"""Messages whose English gives a program the form of a value; people are told what to do without it."""

IN_ENGLISH = {"brightness_not_kept", "device_begins", "not_saved", "players_fitting"}
"""Messages in which the system's own words are quoted, and those of programs and of the terminal."""


def numbers_in(text):
    return sorted(re.findall(r"\d+", text))


def test_french_messages_give_the_same_numbers_and_leave_nothing_unfilled(scripts_in):
    messages = [
        made_of(row) for row in ROWS if row["key"] not in FOR_PROGRAMS and not row["key"].startswith("catalog_")
    ]
    said = scripts_in("fr").evaluate(TRANSLATED, sent(*messages))
    assert {one.key for one, (_, language) in zip(messages, said, strict=True) if language == "en"} == IN_ENGLISH
    pairs = [(str(english), french) for english, (french, _) in zip(messages, said, strict=True)]
    assert [pair for pair in pairs if numbers_in(pair[0]) != numbers_in(pair[1])] == []
    assert [pair for pair in pairs if re.search(r"\{\w+\}", "".join(pair))] == []


def test_what_is_wrong_with_an_imported_line_is_said_in_the_readers_language(scripts_in):
    said = scripts_in("fr").evaluate(
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
        "pas du JSON ; chaque ligne d'un export est un objet JSON",
        '`kind` doit être l\'un de started, scored, pas "sung"',
        "une table refuse ceci : « aucun décompte (main) ne vaut 19 : 19, 25, 26 et 27 sont impossibles »",
        '`note` serait "" à cette table, pas null',
    ]
    assert translated == [[f"ligne 3 : {fault} ; rien n'a été importé", None] for fault in faults]
    assert other == ["line 3: a table would refuse this: “nobody ever said this”; nothing was imported", "en"]


def test_plurals_are_those_of_the_language(scripts_in):
    script = "import('/static/lib/browser.js').then(({ t }) => [0, 1, 1.5, 2].map(n => t('words.by_holes', { n })))"
    english, french = (scripts_in(language).evaluate(f"() => {script}") for language in ("en", "fr"))
    assert english == ["By 0 holes.", "By 1 hole.", "By 1.5 holes.", "By 2 holes."]
    assert french == [
        "Avec 0 trou d\u2019avance.",
        "Avec 1 trou d\u2019avance.",
        "Avec 1.5 trou d\u2019avance.",
        "Avec 2 trous d\u2019avance.",
    ]


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
def test_plurals_of_a_third_language_are_those_of_unicode(scripts_in, language, key, said):
    """What is counted may have another name than n."""
    assert scripts_in(language, OTHERS[language]).evaluate(SAY, [key, list(said)]) == list(said.values())
