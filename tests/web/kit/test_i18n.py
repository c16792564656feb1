"""The pages' languages: catalogs that say the same, keys that are used, and the language that a person reads."""

import contextlib
import itertools
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import web.kit.catalogs
import web.kit.i18n
from pegboard.core.board_shape import BOARDS
from pegboard.core.faults import FaultName, Until
from pegboard.core.house_rules import HOUSE_RULES, with_house_rules
from pegboard.core.moves import Reason
from pegboard.core.presets import PRESETS, preset_rules
from pegboard.core.rules import VARIANTS
from pegboard.errors import RuleError
from pegboard.messages import TRANSLATED
from pegboard.storage.transfer.import_parser import FIELDS
from pegboard.tournament_messages import (
    DESK_MESSAGES,
    HUB_MESSAGES,
    MOVEMENT_MESSAGES,
    NIGHT_MESSAGES,
    PACKAGE_MESSAGES,
    PLAYOFF_MESSAGES,
    POT_MESSAGES,
    RESULT_MESSAGES,
    TABLE_MESSAGES,
)
from tests.support.web_server_and_clients import Site
from web.kit.catalogs import ENGLISH, NO_TEXTS
from web.kit.i18n import (
    FIRST_REFUSAL,
    ONLY_ON,
    REFUSAL_KEYS,
    catalog,
    keys_of,
    languages,
    messages,
    module_of,
    negotiate,
    translate,
)
from web.table import rules_texts as sections_and_texts

ROOT = Path(__file__).parents[3]
WEB = ROOT / "web"

SPEAKING = [path for path in WEB.rglob("*.py") if "from web.kit.i18n import" in path.read_text("utf-8")]
SOURCES = {
    path: path.read_text("utf-8")
    for path in (*sorted((WEB / "static").rglob("*.js")), *sorted((WEB / "templates").rglob("*.html")), *SPEAKING)
}
SECTIONS = "|".join(sorted({key.partition(".")[0] for key in catalog(ENGLISH)}))
NAMED = re.compile(rf"""["'`]((?:{SECTIONS})\.[\w-]*)(["'`]?)""")
FILES = (".js", ".css", ".html", ".svg", ".json", ".jsonl", ".csv")

ENDINGS = {
    "bench.key_": "deal|undo|enter",
    "board.": "full|awake",
    "certificate.": "hand|crib",
    "count.": "(hand|crib)_(stays|moves)|flush_(alike|no_starter|starter_alike)"
    "|nobs_(no_starter|no_jack|jack_turned|flush_of_four|flush_of_five|four_jacks)",
    "faults.": f"{'|'.join(FaultName)}|until_({'|'.join(Until)})|about_renege|(dealer|pone)-number_(many|few)",
    "history.": "(play|hand|crib|other)(_in)?|score|(skunk|lurch|double|triple)_line",
    "phone.": "claimed|missed",
    "settings.": "oled|strip",
    "speech.": "voice|sounds|buzz",
    "tablet.": "near|far|third|fourth",
    "words.": f"why_({'|'.join(Reason)})",
}
"""How keys end that a source begins; all that name the section alone but the rules and refusals, which have tables."""

OTHERS = sorted(set(languages()) - {ENGLISH})


def placeholders(text) -> set[str]:
    texts = [text] if isinstance(text, str) else text.values()
    return {name for one in texts for name in re.findall(r"\{(\w+)\}", one)}


def named() -> Iterator[tuple[str, bool, str]]:
    """Each key that a source names, whether wholly, and where."""
    for path, source in SOURCES.items():
        for key, end in NAMED.findall(source):
            if not key.endswith(FILES):
                yield key, bool(end) and not key.endswith((".", "_")), path.name


# --- the catalogs ---


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_every_key_and_no_other(language):
    paths = {code: json.loads((WEB / "languages" / f"{code}.json").read_text("utf-8")) for code in (ENGLISH, language)}
    own, english = (
        {f"{section}.{key}" for section, keys in paths[code].items() if section not in NO_TEXTS for key in keys}
        for code in (language, ENGLISH)
    )
    assert own == english | {f"refusals.{key}" for key in TRANSLATED}


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_same_values_to_fill_in(language):
    english, own = catalog(ENGLISH), catalog(language)
    for key in english:
        assert placeholders(own[key]) <= placeholders(english[key]), key
        if not key.startswith("refusals."):  # a sentence for people may leave a program's id away
            assert placeholders(own[key]) == placeholders(english[key]), key


@pytest.mark.parametrize("language", languages())
def test_a_plural_has_a_form_for_whatever_is_left(language):
    plurals = {key: text for key, text in catalog(language).items() if not isinstance(text, str)}
    assert plurals
    assert [key for key, forms in plurals.items() if "other" not in forms] == []
    assert [
        key for key, forms in plurals.items() if not set(forms) <= {"zero", "one", "two", "few", "many", "other"}
    ] == []


@pytest.mark.parametrize("language", languages())
def test_no_text_is_empty_or_begins_or_ends_blank(language):
    texts = [
        text for entry in catalog(language).values() for text in ([entry] if isinstance(entry, str) else entry.values())
    ]
    assert [text for text in texts if not text or text != text.strip()] == []


def test_every_key_that_is_used_exists():
    known = catalog(ENGLISH)
    missing = sorted((key, where) for key, whole, where in named() if whole and key not in known)
    assert missing == []


def test_every_key_is_used():
    whole = {key for key, is_whole, _ in named() if is_whole}
    begun = {key for key, is_whole, _ in named() if not is_whole}
    sections = {key for key in begun if key.endswith(".")} - {REFUSAL_KEYS, sections_and_texts.PREFIX}
    assert sections <= set(ENDINGS) <= begun
    put_together = re.compile("|".join(rf"{re.escape(begin)}({ends})" for begin, ends in ENDINGS.items()))
    beginnings = (*(begun - set(ENDINGS) - {sections_and_texts.PREFIX}), REFUSAL_KEYS)
    rest = set(catalog(ENGLISH)) - whole - rules_texts()
    assert sorted(key for key in rest if not key.startswith(beginnings) and not put_together.fullmatch(key)) == []


def rules_texts() -> set[str]:
    """The keys that the rules page puts together: of every variant with each house rule, and skunks with worths."""
    one = [f"{name}={value}" for name, rule in HOUSE_RULES.items() for value in rule.values or rule.span[-1:]]
    two = itertools.product(*([word for word in one if word.startswith(name)] for name in ("skunks", "worth")))
    rules = [each for words in ((), *zip(one), *two) for each in with_each_variant(words)]
    rules += [preset_rules(name, variant) for name, preset in PRESETS.items() for variant in preset.rows]
    rules += [
        with_house_rules(preset_rules(name), (own,)) for name, preset in PRESETS.items() for own in preset.options
    ]
    lines = [line for section in sections_and_texts.SECTIONS for line in section.rules]
    texts = {key for each in rules for line in lines for board in BOARDS for key in line.texts(each, board)}
    short = {key for each in rules for key in sections_and_texts.in_short(each)}
    houses = {key for each in rules for key, *_ in sections_and_texts.house_rules(each)}
    headings = {f"{sections_and_texts.PREFIX}{anchor}" for anchor in sections_and_texts.anchors()}
    return texts | short | houses | headings


def with_each_variant(words):
    for rules in VARIANTS.values():
        with contextlib.suppress(RuleError):
            yield with_house_rules(rules, words)


def test_every_text_of_the_rules_exists():
    assert rules_texts() - set(catalog(ENGLISH)) == set()


FAMILIES = {
    "backup_": "damaged event failed no_room under_way",
    "alarm_": "brightness_lost director lasts others_lost unknown",
    "brightness_": "contrast director not_kept strip",
    "called_": "already now twice",
    "card_": "crib_of_four crib_starter flush_of flush_pair flush_starter hand_of_four in_event no_card no_suit"
    " nobs_flush_five nobs_flush_four nobs_four nobs_jack one_starter rank_five suit_named three_alone twice",
    "catalog_": "blank code depth empty encoding file form half json lacks large name no_name no_section no_text"
    " object other plural same_name section text twice unknown unreadable",
    "device_": "backup begins budget current keypad_digit keypad_enter keypad_enters keypad_key keypad_twice"
    " keys_lane keys_number keys_scheme keys_single keys_stuck keys_twice leds line_oled_bus line_oled_clock"
    " line_oled_data line_oled_dc line_oled_reset line_strip_bus line_strip_data oled_chip oled_layout oled_size"
    " oled_turn oled_wire on pin_held_key pin_held_oled pin_keys pin_same pins strip_chip strip_games_hole"
    " strip_games_twice strip_lane strip_layout strip_share strip_time supply transfer transfer_kernel"
    " transfer_lanes transfer_set",
    "desk_": " ".join(sorted(key.removeprefix("desk_") for key in DESK_MESSAGES)),
    "event_": " ".join(sorted(key.removeprefix("event_") for key in TABLE_MESSAGES if key.startswith("event_"))),
    "head_start_": "alone before given holes late",
    "result_code_": "content damaged letters long none version",
    "stall_": "answering committing display keys look_bench look_code look_event look_exposure look_journal"
    " look_terminal look_unpaired main_loop pages scores scoring",
    "import_": "after_end at begins body body_kind dealer_said director due epoch follow game json kind long many"
    " match missing note object pairing preset refused replaces rule seq source twice two unknown v variant would_be",
    "install_": "another_sent director game_on in_game media_type no_request no_way_back not_asked package_cut_off"
    " package_damaged package_foreign package_gone package_not_kept package_older package_same package_signature"
    " package_too_large package_unreadable package_unsigned too_large tree_damaged tree_host_files tree_no_room"
    " tree_not_written tree_python tree_without_manifest trial_failed trial_no_copy under_way version_died"
    " version_ended version_silent went_back",
    "key_": "alarm confirm digit_refused next no_key no_lane no_pages peg_out power_question"
    " press_more press_more_two question stuck_until too_many typed typed_dropped win",
    "power_": "director elsewhere failed switching",
    "trouble_": "backup bus_stuck hangs hub_away hub_event hub_history hub_silent mqtt_begins mqtt_broker mqtt_file"
    " mqtt_lost mqtt_no_paho mqtt_refused mqtt_silent mqtt_twin mqtt_unreachable silent torn voltage",
    "journal_": "changed_by_others emptied file_cut file_gone file_replaced found_damaged game_damaged goes_on"
    " head_damaged in_memory index_rebuilt lost_tail no_game other_events read_only rescue_resumed row_broken"
    " row_broken_in rows_missing salvaged salvaged_in_part salvaged_unsure stores summary_rebuilt trigger_removed"
    " written_anew written_out",
    "memory_": "director not_needed",
    "name_": "length the_game unseen wide",
    "playoffs_": " ".join(sorted(key.removeprefix("playoffs_") for key in PLAYOFF_MESSAGES)),
    "pots_": " ".join(sorted(key.removeprefix("pots_") for key in POT_MESSAGES)),
    "night_": " ".join(sorted(key.removeprefix("night_") for key in NIGHT_MESSAGES)),
    "package_": " ".join(sorted(key.removeprefix("package_") for key in PACKAGE_MESSAGES)),
    "hub_": " ".join(sorted(key.removeprefix("hub_") for key in HUB_MESSAGES if key.startswith("hub_"))),
    "movement_": " ".join(sorted(key.removeprefix("movement_") for key in MOVEMENT_MESSAGES)),
    "play_": "every fits hands held laid many over passed passed_go players sizes turn waits",
    "results_": " ".join(sorted(key.removeprefix("results_") for key in RESULT_MESSAGES)),
    "rules_": "cannot_be_played choice enough game_hole head_alone head_start head_starts house_rule_takes"
    " house_rule_twice lurch no_format no_house_rule no_preset no_variant players preset_variant seats skunk_line"
    " skunk_order triple worth",
    "scores_": "in_memory not_stored",
    "state_": "in_memory on_overlay",
    "unpair_": "all another",
}
"""What each family of refusals has that few pages meet, by how its keys go on: another one may be for every page."""


def test_a_family_of_refusals_that_few_pages_meet_has_only_what_is_written_here():
    begun = [begin.removeprefix(REFUSAL_KEYS) for begin in ONLY_ON if begin.endswith("_")]
    found = {begin: sorted(key.removeprefix(begin) for key in TRANSLATED if key.startswith(begin)) for begin in begun}
    assert found == {begin: keys.split() for begin, keys in FAMILIES.items()}


def test_a_whole_key_that_few_pages_meet_is_that_of_a_sentence_and_no_beginning():
    whole = {key.removeprefix(REFUSAL_KEYS) for key in ONLY_ON if not key.endswith("_")}
    assert whole <= TRANSLATED.keys()
    assert "refusals.too_large" not in messages("fr", "phone.html")
    assert "refusals.retracted" in messages("fr", "game.html")


@pytest.mark.parametrize("template", ["game.html", "phone.html", "tablet.html"])
def test_a_ruling_that_forbids_a_retraction_is_told_of_where_one_is_made(template):
    told = messages("fr", template) | messages("fr", FIRST_REFUSAL)
    assert {"refusals.ruled", "refusals.ruled_on_it", "refusals.ruled_on_line"} <= told.keys()


def test_a_text_is_filled_in():
    assert translate("en", "words.deals", name="Ann") == "Ann deals"
    assert translate("fr", "words.deals", name="{n}") == "{n} donne"
    assert translate("en", "no.such_key") == "no.such_key"


def test_french_says_one_of_none():
    assert translate("fr", "words.by_holes", n=0) == "Avec 0 trou d\u2019avance."
    assert translate("en", "words.by_holes", n=0) == "By 0 holes."


def test_french_punctuation_never_begins_a_line():
    loose = re.compile(r" [:;?!»]|« ")
    assert [text for text in catalog("fr").values() if isinstance(text, str) and loose.search(text)] == []


def test_no_french_word_before_a_name_would_have_to_be_elided():
    """Names are filled in as they are, so "de Eve" would be wrong before a vowel, and "d’Bob" before a consonant."""
    people = "name|names|one|other|former|dealer|winner|loser"
    elided = re.compile(rf"(\b(de|que|jusque|lorsque|puisque)\s|’)\{{({people})\}}", re.IGNORECASE)
    texts = ((key, text) for key, text in catalog("fr").items())
    assert [key for key, text in texts if elided.search(text if isinstance(text, str) else str([*text.values()]))] == []


# --- which language ---


@pytest.mark.parametrize(
    ("tags", "language"),
    [
        (["fr"], "fr"),
        (["fr-CA", "en"], "fr"),
        (["FR_be"], "fr"),
        (["tlh", "fr;q=0.5", "fr"], "fr"),
        (["tlh", "tok"], "en"),
        (["*"], "en"),
        ([], "en"),
        (["../fr"], "en"),
    ],
)
def test_the_browser_says_what_is_preferred(tags, language):
    assert negotiate(tags) == language


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"Accept-Language": "fr-FR,fr;q=0.9,en;q=0.8"}, "fr"),
        ({"Accept-Language": "en;q=0.4,fr;q=0.9"}, "fr"),
        ({"Accept-Language": ";;;q=x,,"}, "en"),
        ({"Accept-Language": "fr", "Cookie": "language=en"}, "en"),
        ({"Cookie": "language=fr"}, "fr"),
        ({"Accept-Language": "fr", "Cookie": "language=../../etc"}, "fr"),
        ({"Cookie": "language=<script>"}, "en"),
    ],
)
def test_a_page_is_in_the_language_that_was_chosen_or_is_preferred(quiet: Site, headers, language):
    page = quiet.ask("GET", "/", headers=headers).body.decode()
    assert re.search(r'<html lang="(\w+)"', page)[1] == language
    assert "<script>" not in page


@pytest.mark.parametrize(
    ("path", "status", "title", "sentence"),
    [
        ("/nothing", 404, "Page introuvable", "Rien à /nothing\u00a0; la page de marque est à /, "),
        ("/history/nine", 404, "Page introuvable", "Il n’y a pas de partie "),
        ("/print/27", 404, "Page introuvable", "Il n’y a pas de certificat pour une main à &quot;27&quot;\u00a0; "),
        ("/print/29?line=1", 422, "Demande à revoir", "`line` &quot;1&quot; est une ligne d’une partie\u00a0; "),
        ("/print/29?cards=joker&starter=5", 422, "Demande à revoir", "&#x27;JOKER&#x27; n’est pas une carte\u00a0; "),
        ("/rules?preset=nope", 404, "Page introuvable", "Il n’y a pas de feuille &#x27;nope&#x27;\u00a0; "),
        ("/rules?variant=nope", 404, "Page introuvable", "Il n’y a pas de "),
    ],
)
def test_a_page_of_a_refusal_is_in_the_language_that_is_preferred(quiet: Site, path, status, title, sentence):
    answer = quiet.ask("GET", path, headers={"Accept": "text/html", "Accept-Language": "fr-FR,fr;q=0.9"})
    page = answer.body.decode()
    assert answer.status == status
    assert '<html lang="fr">' in page
    assert f"<h1>{title}</h1>\n<p>{sentence}" in page
    assert '<a href="/">Aller à la page d’accueil</a>' in page


def test_a_page_of_a_refusal_that_has_no_translation_is_in_english(quiet: Site):
    page = quiet.ask("POST", "/rules", headers={"Accept": "text/html", "Accept-Language": "fr"}).body.decode()
    assert '<html lang="en">' in page
    assert "<h1>Method Not Allowed</h1>\n<p>POST is not allowed at /rules; use " in page
    assert "Go to the start page" in page


def test_the_words_of_a_page_are_kept_for_ever_under_their_own_name(quiet: Site):
    place = re.search(r'data-words="([^"]+)"', quiet.get("/board").body.decode())[1]
    answer = quiet.get(place)
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    older = quiet.get(re.sub(r"-\w+\.js", "-0123456789ab.js", place))
    assert (older.status, older.headers["cache-control"]) == (200, "no-store")
    assert quiet.get("/words/tlh/board-0123456789ab.js").status == 404
    assert quiet.get("/words/en/nothing-0123456789ab.js").status == 404


def test_a_page_gets_the_words_that_its_modules_speak_and_no_others():
    assert {"words.deals", "bench.keypad"} <= keys_of("bench.html")
    assert "words.deals" in keys_of("board.html")
    assert not any(key.startswith(("bench.", "rules.")) for key in keys_of("board.html"))


def test_the_same_words_have_the_same_name():
    assert module_of("en", "board.html")[1] != module_of("fr", "board.html")[1]


def test_one_file_is_a_language_and_what_it_lacks_is_in_english(tmp_path, monkeypatch):
    caches = (web.kit.i18n.catalogs, web.kit.i18n.catalog, web.kit.i18n.module_of)
    for code in (ENGLISH, "fr"):
        shutil.copy(WEB / "languages" / f"{code}.json", tmp_path)
    texts = {"language": "Deutsch", "words": {"deals": "{name} gibt"}, "refusals": {"go_one": "nicht {points}"}}
    (tmp_path / "de.json").write_text(json.dumps(texts), "utf-8")
    with monkeypatch.context() as there:
        there.setattr(web.kit.catalogs, "FOLDER", tmp_path)
        for one in caches:
            one.cache_clear()
        assert languages() == {"de": "Deutsch", "en": "English", "fr": "Fran\u00e7ais"}
        assert negotiate(["de-AT", "fr"]) == "de"
        assert translate("de", "words.deals", name="Ann") == "Ann gibt"
        assert translate("de", "words.live") == "Live"
        assert '"refusals.go_one":"nicht {points}"}' in module_of("de", "board.html")[0]
    for one in caches:
        one.cache_clear()


# --- what the table itself says ---


@pytest.mark.parametrize("name", FIELDS)
def test_what_a_value_of_an_export_takes_has_its_translation(name):
    assert f"import_{name}" in TRANSLATED
