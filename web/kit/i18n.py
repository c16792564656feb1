"""Internationalization (i18n) of the pages: a request's language, its texts, and the texts that each page loads."""

import hashlib
import json
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, request, url_for
from jinja2 import pass_context
from jinja2.runtime import Context
from werkzeug.exceptions import NotFound

from web.http.static_files import IMMUTABLE, assets
from web.kit.catalogs import ENGLISH, REFUSALS, Catalog, Text, form_for, read_all

# --- refusals that each page can show, so that other pages need not load their translations ---


REFUSAL_KEYS = f"{REFUSALS}."
"""The prefix of the keys of the server's own messages."""

NOWHERE = (
    *("score_of_whom", "lane_of_seat", "was_points", "result_form", "no_reason", "no_lane", "no_seat", "only_zero"),
    *("zero_to", "id_reused", "base_missing", "viewers", "windows", "which_opponent", "no_opponent", "running_over"),
    *("no_line", "many_lines", "one_line", "deal_new", "deal_whose", "stage_none", "stage_alone", "amend_nothing"),
    *("say_who_first", "fault_both", "fault_no_choice", "fault_no_deal", "fault_unknown"),
)
"""Keys of refusals that no page can show, so no page loads them."""

ON_PAGE_OF_REFUSAL = (
    *("certificate_cards", "certificate_game", "no_certificate", "no_certificate_game", "no_certificate_line"),
    *("no_such_variant", "not_found"),
)
"""Keys that only the page of a refusal shows; it arrives translated, so no page loads them."""

CORRECTING = (
    *(
        "amend_moved",
        "amend_no_why",
        "amend_penalty",
        "amend_same_lane",
        "amend_to_penalty",
        "amend_whose",
        "amend_why",
    ),
    *("deal_said", "stage_already", "thirty_one_two", "heels_two", "not_a_score", "note_unseen"),
    *("penalty_alone", "muggins_alone", "muggins_not_played", "no_penalty", "no_result", "not_finished"),
    "amend_pinned",
)
"""Keys of refusals that a score pad rarely shows, because it offers only what is possible."""

HUB_PAGES = {
    f"hub/{page}.html"
    for page in ("card", "desk", "door", "join", "nights", "phone", "result", "screen", "season", "seat")
}
"""Hub pages that show messages; printed pages use `translate`."""

ONLY_ON = {
    **{f"{REFUSAL_KEYS}{key}": set[str]() for key in (*NOWHERE, *ON_PAGE_OF_REFUSAL)},
    f"{REFUSAL_KEYS}too_large": {"history.html"},
    f"{REFUSAL_KEYS}no_game": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}other_match": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}opens_again": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}retracted": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}muggins_cut": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}card_": {"count.html", "play.html"},
    f"{REFUSAL_KEYS}play_": {"count.html", "play.html"},
    f"{REFUSAL_KEYS}rules_": {"settings.html", "history.html"},
    f"{REFUSAL_KEYS}brightness_": {"settings.html"},
    f"{REFUSAL_KEYS}note_length": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}director_house": {"settings.html"},
    f"{REFUSAL_KEYS}device_": {"health.html", "bench.html"},
    f"{REFUSAL_KEYS}stall_": {"health.html"},
    f"{REFUSAL_KEYS}trouble_": {"health.html", "bench.html", "later/notice_words.html"},
    f"{REFUSAL_KEYS}key_": {"health.html", "bench.html", "later/notice_words.html"},
    f"{REFUSAL_KEYS}power_": {"settings.html", "later/notice_words.html"},
    f"{REFUSAL_KEYS}supply_low": {"later/notice_words.html"},
    f"{REFUSAL_KEYS}open_to_internet": {"health.html", "bench.html", "later/notice_words.html"},
    f"{REFUSAL_KEYS}name_": {"settings.html", "history.html", "later/pad_dialog_words.html"},
    **{
        f"{REFUSAL_KEYS}{key}": {"settings.html", "history.html", "later/pad_dialog_words.html"}
        for key in ("head_start_", "plays_already")
    },
    **{
        f"{REFUSAL_KEYS}{key}": {"game.html", "history.html", "later/pad_dialog_words.html"}
        for key in (
            *("fault_dealer", "fault_in_show", "fault_in_show_acc", "fault_late", "fault_no_points", "fault_of_deck"),
            *("fault_own", "fault_points", "fault_pone", "fault_settled", "fault_taken_up", "played_elsewhere"),
        )
    },
    f"{REFUSAL_KEYS}event_": {"event.html", "later/event_words.html"},
    f"{REFUSAL_KEYS}result_code_": {"event.html", "hub/result.html"},
    f"{REFUSAL_KEYS}called_": {"settings.html", "history.html", "later/pad_dialog_words.html"},
    f"{REFUSAL_KEYS}players": {"settings.html", "history.html"},
    f"{REFUSAL_KEYS}many_players": {"settings.html", "history.html"},
    f"{REFUSAL_KEYS}one_player": {"settings.html", "history.html"},
    f"{REFUSAL_KEYS}director_match": {"settings.html"},
    f"{REFUSAL_KEYS}unpair_": {"settings.html"},
    f"{REFUSAL_KEYS}see_paired": {"settings.html"},
    f"{REFUSAL_KEYS}no_such_device": {"settings.html"},
    f"{REFUSAL_KEYS}power_director": {"settings.html"},
    f"{REFUSAL_KEYS}install_": {"settings.html"},
    f"{REFUSAL_KEYS}after_the_end": {"game.html", "history.html"},
    **{f"{REFUSAL_KEYS}{key}": {"game.html", "history.html"} for key in CORRECTING},
    f"{REFUSAL_KEYS}not_ended": {"game.html", "history.html"},
    f"{REFUSAL_KEYS}import_": {"history.html"},
    f"{REFUSAL_KEYS}nothing_imported": {"history.html"},
    f"{REFUSAL_KEYS}since": {"stats.html", "history.html"},
    f"{REFUSAL_KEYS}no_such_game": {"stats.html", "history.html", "game.html"},
    **{f"{REFUSAL_KEYS}{key}": {"health.html"} for key in ("backup_", "catalog_")},
    f"{REFUSAL_KEYS}code_form": {"join.html"},
    f"{REFUSAL_KEYS}foreign_origin": {"join.html"},  # on this table's pages only behind a faulty proxy
    f"{REFUSAL_KEYS}wrong_code": {"join.html"},
    **{
        f"{REFUSAL_KEYS}{key}": {"join.html"}
        for key in ("too_many_tries", "too_many_paired", "too_many_pairings", "too_many_wrong_codes")
    },
    f"{REFUSAL_KEYS}peg_back": {"game.html", "history.html"},
    **{f"{REFUSAL_KEYS}{key}": {"game.html", "history.html"} for key in ("pegs_stand", "pegs_stay", "reserved_ruling")},
    **{f"{REFUSAL_KEYS}{key}": {"game.html", "history.html"} for key in ("nothing_after_line", "sheet_empty")},
    **{f"{REFUSAL_KEYS}{key}": {"game.html", "history.html"} for key in ("points_claimed", "points_missed")},
    f"{REFUSAL_KEYS}no_false_claim": {"game.html", "history.html"},
    **{
        f"{REFUSAL_KEYS}{key}": {"later/alarm_words.html"}
        for key in ("alarm_", "journal_", "memory_", "moved_journal", "scores_", "state_")
    },
    f"{REFUSAL_KEYS}true_fewer": {"game.html", "history.html"},
    **{
        f"{REFUSAL_KEYS}{key}": HUB_PAGES
        for key in ("desk_", "hub_", "movement_", "night_", "playoffs_", "pots_", "results_")
    },
    f"{REFUSAL_KEYS}package_": {"hub/season.html"},
}
"""Keys of refusals that only these pages can show, so phones need not load them. A final `_` makes a key a prefix."""

WEB = Path(__file__).parents[1]

COOKIE = "language"

LATER = "later/"
"""The folder of templates that only name modules which pages load later, so that these modules get their texts."""

LATER_VERSION = "later"
"""The word in place of the version, in addresses of the texts of modules that are loaded later."""

FIRST_REFUSAL = f"{LATER}notice_words.html"
"""The template that names what a pad loads with the first refusal, notice or device trouble."""

PADS = {"phone.html", "tablet.html"}
"""The pages whose first load is small."""

STREAM = "live/table_stream.js"
"""The module that shows the table live, and loads other modules when needed."""

DYNAMIC = {"live/alarms.js", "live/speech.js", "pad/amend_penalty_muggins_dialogs.js", "event/strip.js"}
"""Modules that are imported when first needed; their texts are those of the template in `LATER` that names them."""

REPORTED = 5
"""Maximum errors of a file that the API lists, because the health page polls it every few seconds."""

log = logging.getLogger(__name__)

words = Blueprint("words", __name__)


@cache
def catalogs() -> Mapping[str, Catalog]:
    """All catalogs of the languages folder by code, as they were at startup, including ignored files.

    Raises:
        CatalogError: the English texts cannot be read.
    """
    return read_all()


def _tie_punctuation(code: str, texts: Mapping[str, Text]) -> Mapping[str, Text]:
    """Add no-break spaces before punctuation in French texts, so that no line starts with a colon."""
    if code.partition("-")[0] != "fr":
        return texts
    return {key: _tie(text) for key, text in texts.items()}


def _tie(french: Text) -> Text:
    if not isinstance(french, str):
        return {form: str(_tie(text)) for form, text in french.items()}
    return re.sub(r"(?<=\S) (?=[:;?!»%])|(?<=«) ", "\u00a0", french)


def languages() -> Mapping[str, str]:
    """Each language's own name, by its code."""
    return {code: one.name for code, one in sorted(catalogs().items()) if one.is_offered}


def catalog_reports() -> list[dict[str, Any]]:
    """Reports on all files of the languages folder, for the API."""
    return [
        {"file": one.path.name, "language": one.name or None, "missing": len(one.missing), "faults": len(one.faults)}
        | {"first_faults": [found.as_json() | found.message.as_json() for found in one.faults[:REPORTED]]}
        for one in catalogs().values()
    ]


@cache
def catalog(language: str) -> Mapping[str, Text]:
    """All texts of an offered language, by "section.key", with English for missing ones."""
    english = {key: text or key for key, text in catalogs()[ENGLISH].expected_texts.items()}
    return {**english, **_tie_punctuation(language, catalogs()[language].texts)}


def translate(language: str, key: str, /, **values: Any) -> str:
    """The text of a key with its values filled in; an unknown key is returned unchanged, so that no page fails."""
    text = catalog(language).get(key, key)
    if not isinstance(text, str):
        text = _plural_form(_language_of(language, key), text, values)
    return re.sub(r"\{(\w+)\}", lambda name: str(values.get(name[1], name[0])), text)


def _language_of(language: str, key: str) -> str:
    """The language of a text: English if the catalog lacks it."""
    return language if key in catalogs()[language].texts else ENGLISH


def _plural_form(language: str, text: Mapping[str, str], values: Mapping[str, Any]) -> str:
    """The form for the number `n`, or else for the first placeholder that is a number."""
    named = ("n", *re.findall(r"\{(\w+)\}", text["other"]))
    numbers = [values[name] for name in named if isinstance(values.get(name), int | float)]
    return text.get(form_for(language, numbers[0]), text["other"]) if numbers else text["other"]


def translate_message(language: str, key: str, values: Mapping[str, Any]) -> str:
    """The text of a message with the key and values of `Message.as_json`; nested messages are translated too."""
    own = {
        name: translate_message(language, one["key"], one["values"]) if isinstance(one, Mapping) else one
        for name, one in values.items()
    }
    return translate(language, f"{REFUSAL_KEYS}{key}", **own)


def current_language() -> str:
    """The language of this request: the language chosen on the pages, else the one that the browser prefers."""
    cookie = request.cookies.get(COOKIE)
    return cookie if cookie and cookie in languages() else negotiate(tag for tag, _ in request.accept_languages)


def negotiate(tags: Iterable[str]) -> str:
    """The first offered language, also "fr" for "fr-CA"; English if there is none."""
    offered = {code.lower(): code for code in languages()}
    full = (tag.replace("_", "-").lower() for tag in tags)
    wanted = (name for tag in full for name in (tag, tag.partition("-")[0]))
    return next((offered[name] for name in wanted if name in offered), ENGLISH)


# --- the texts that the modules of a page use ---

_NAMED = re.compile(r"[\w/-]+\.js\b")

_KEY = re.compile(r"""["'`]([a-z]+\.[\w-]*)(["'`]?)""")


def _modules(names: set[str]) -> set[str]:
    """These modules and everything they import, except dynamic modules that have texts of their own."""
    known: set[str] = set()
    while names := names - known:
        known |= names
        names = {other for name in names for other in assets().imports(name, dynamic=True)} - DYNAMIC
    return known


def _modules_of(template: str) -> set[str]:
    return _modules(set(_NAMED.findall((WEB / "templates" / template).read_text("utf-8"))))


@cache
def _modules_of_all_pages() -> frozenset[str]:
    """The modules that all live pages of the table have in common; these pages can load more modules later."""
    pages = [path.name for path in (WEB / "templates").glob("*.html")]
    live = [modules for page in pages if STREAM in (modules := _modules_of(page))]
    return frozenset.intersection(*map(frozenset, live))


@cache
def keys_of(template: str) -> frozenset[str]:
    """The keys that the modules of a page use, read from their sources."""
    modules = _modules_of(template)
    if template.startswith(LATER):
        modules -= _modules_of_all_pages()
    found = {key for name in modules for key in _KEY.findall(assets().source(name))}
    keys = {key for key, quote in found if quote and not key.endswith(".")}
    # prefixes of keys built at runtime
    beginnings = tuple({key for key, quote in found if not quote or key.endswith(".")})
    return frozenset(key for key in catalog(ENGLISH) if key in keys or key.startswith(beginnings))


@cache
def module_of(language: str, template: str) -> tuple[str, str]:
    """The source of the JavaScript module with the texts of a page, and its version."""
    wanted = keys_of(template)
    texts = {key: text for key, text in catalog(language).items() if key in wanted and not key.startswith(REFUSAL_KEYS)}
    texts |= {key: _with_language(language, key, text) for key, text in texts.items()}
    written = json.dumps(texts | messages(language, template), ensure_ascii=False, separators=(",", ":"))
    source = f"export default {written};\n"
    return source, hashlib.sha256(source.encode()).hexdigest()[:12]


def _with_language(language: str, key: str, text: Text) -> Text:
    """Mark English plural forms as English, so that the page does not apply another language's plural rule to them."""
    own = _language_of(language, key)
    return text if isinstance(text, str) or own == language else {**text, "language": own}


def messages(language: str, template: str) -> dict[str, Text]:
    """The translated refusals that a page can show; none for English, because the server sends the English text.

    Pads load the common refusals with the first one (`FIRST_REFUSAL`), to be there sooner. Another module that is
    loaded later gets only its own refusals; its page has already loaded the common ones.
    """
    english, own = catalog(ENGLISH), catalog(language)
    met = [key for key in english if key.startswith(REFUSAL_KEYS)]
    families = tuple(key for key in ONLY_ON if key.endswith("_"))
    common = [key for key in met if key not in ONLY_ON and not key.startswith(families)]
    here = tuple(key for key, pages in ONLY_ON.items() if template in pages)
    met = [key for key in met if key in here or key.startswith(tuple(one for one in here if one.endswith("_")))]
    if template == FIRST_REFUSAL or not (template in PADS or template.startswith(LATER)):
        met += common
    return {key: own[key] for key in met if own[key] != english[key]}


@words.get("/words/<language>/<page>-<version>.js")
def page_words(language: str, page: str, version: str) -> Response:
    """The texts of a page, or of the modules that pages load later."""
    template = f"{LATER if version == LATER_VERSION else ''}{page}.html"
    return respond_with_texts(language, template, version, (WEB / "templates" / template).is_file)


def respond_with_texts(language: str, template: str, version: str, exists: Callable[[], bool]) -> Response:
    """The texts of a page that `exists`, as a JavaScript module; browsers cache it only if `version` is current."""
    if language not in languages() or not exists():
        raise NotFound
    source, current = module_of(language, template)
    headers = {"Cache-Control": IMMUTABLE.decode() if version == current else "no-store"}
    return Response(source, headers=headers, mimetype="text/javascript")


@pass_context
def _words_url(context: Context) -> str:
    """The path of the texts of the page that is being rendered."""
    template = context.name or "base.html"
    version = module_of(context["language"], template)[1]
    return url_for("words.page_words", language=context["language"], page=Path(template).stem, version=version)


@pass_context
def _t(context: Context, key: str, /, **values: Any) -> str:
    return translate(context["language"], key, **values)


def add_languages(app: Flask) -> None:
    """Add `/words/` to the application, and `t`, `language`, `languages` and `words_url` to its templates.

    Raises:
        CatalogError: the English texts cannot be read.
    """
    for one in catalogs().values():
        if one.faults:
            log.warning("%s", one.sentence())
    app.register_blueprint(words)
    app.jinja_env.globals |= {"t": _t, "words_url": _words_url}
    app.context_processor(lambda: {"language": current_language(), "languages": languages()})
