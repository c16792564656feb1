"""The rules page: true to the rules in force, in every variant and language, and reached from every refusal."""

import ast
import itertools
import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from math import comb
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pegboard import Score, count_ranks, new_game, play
from pegboard.core.cards.pack import Kind
from pegboard.core.house_rules import HOUSE_RULES, with_house_rules
from pegboard.core.moves import ClaimFalsely, Reason
from pegboard.core.presets import PRESETS
from pegboard.core.rules import VARIANTS, Rules
from pegboard.messages import MESSAGES
from tests.support.web_server_and_clients import Answer, Site, tap
from web.kit.i18n import catalog, languages, translate
from web.table import rules_texts, worked_examples
from web.table.glossary import GLOSSARY

ROOT = Path(__file__).parents[3]
LANGUAGES = ("en", "fr")


class Page(HTMLParser):
    """The ids of a page, where its links go, and its words."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self._words: list[str] = []
        self.feed(answer.body.decode())
        self.words = " ".join(" ".join(self._words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.ids += [told["id"]] if told.get("id") else []
        self.links += [told["href"] or ""] if tag == "a" and "href" in told else []
        self._words += [told["aria-label"]] if told.get("aria-label") else []

    def handle_data(self, data: str) -> None:
        self._words += [data] if self.cdata_elem is None else []  # what a script has is no word of the page


def read(site: Site, language: str = "en", variant: str | None = None) -> Page:
    path = "/rules" if variant is None else f"/rules?variant={variant}"
    answer = site.ask("GET", path, None, {"Accept-Language": language})
    assert answer.status == 200
    return Page(answer)


def anchors_of(rules: Rules) -> set[str]:
    """The anchors of all sections and rules that apply to a game."""
    return {one.anchor for section in rules_texts.sections(rules) for one in (section, *section.rules)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_line_is_there_in_every_variant(quiet: Site, variant: str, language: str):
    page = read(quiet, language, variant)
    assert anchors_of(VARIANTS[variant]) <= set(page.ids)
    assert {anchor for _, anchor in MESSAGES.values() if anchor} <= anchors_of(VARIANTS[variant])
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert "{" not in page.words, "a text names a value that nobody gives"
    assert not re.search(r"\brules\.[a-z]", page.words), "a text is missing"


def test_no_text_of_the_catalog_is_told_by_no_page():
    known = {key for section in rules_texts.SECTIONS for line in section.rules for key in every_text(line)}
    known |= {f"rules.{anchor}" for anchor in rules_texts.anchors() if not anchor.startswith("short_")}
    source = (ROOT / "web/templates/rules.html").read_text("utf-8")
    known |= set(re.findall(r'"(rules\.[\w-]+)"', source))
    scripts = "".join(path.read_text("utf-8") for path in (ROOT / "web/static").rglob("*.js"))
    known |= set(re.findall(r'"(rules\.[\w-]+)"', scripts))
    begun = (*re.findall(r'"(rules\.[\w-]+_)" ~', source), *re.findall(r"`(rules\.\w+_)\$", scripts))
    begun += ("rules.short_",)
    texts = {key for key in catalog("en") if key.startswith("rules.")}
    assert {key for key in texts - known if not key.startswith(begun)} == set()


def every_text(line: rules_texts.Rule) -> set[str]:
    return {key for key in catalog("en") if key.startswith(f"rules.{line.anchor}_")}


def test_an_unknown_variant_is_refused_with_those_that_are_known(quiet: Site):
    answer = quiet.get("/rules?variant=whist")
    assert answer.refusal == (404, "not_found")
    assert answer.json["detail"].startswith('there is no variant "whist"; use one of standard, acc')


# --- presets ---

SHEETS = [(name, variant) for name, preset in PRESETS.items() for variant in preset.rows]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "variant"), SHEETS)
def test_every_sheet_has_its_rules_in_every_language(quiet: Site, name: str, variant: str, language: str):
    path = f"/rules?{urlencode({'preset': name, 'variant': variant})}"
    answer = quiet.ask("GET", path, None, {"Accept-Language": language})
    page = Page(answer)
    assert anchors_of(VARIANTS[variant]) <= set(page.ids)
    assert f"<h2>{translate(language, f'presets.name_{rules_texts.preset_key(name)}')}</h2>" in answer.body.decode()
    assert "{" not in page.words
    assert not re.search(r"\b(rules|presets|settings)\.[a-z]", page.words), "a text is missing"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_a_name_and_says_what_is_special_about_it(name: str, language: str):
    key = rules_texts.preset_key(name)
    assert {f"presets.name_{key}", f"presets.about_{key}"} <= set(catalog(language))


def test_the_rules_in_force_are_named_after_their_sheet_with_what_was_changed(serve: Callable[..., Site]):
    site = serve()
    start = {"variant": "standard", "players": ["Ann", "Bob"], "preset": "1922 Laws"}
    assert site.on_board("start", **start, replaces=site.game, house=["game hole=61", "skunks=off"]).status == 201
    assert site.get("/api/v1/state").json["game"]["preset"]["name"] == "1922 laws"
    page = read(site)
    assert "1922 laws with game hole 61, changed: no skunks" in page.words
    assert "no skunks a misdeal costs 2" in page.words
    assert "hole 61" in page.words


def words_of(site: Site, preset: str, variant: str | None = None, language: str = "en") -> str:
    """The words of the page of a preset."""
    asked = {"preset": preset} | ({"variant": variant} if variant else {})
    answer = site.ask("GET", f"/rules?{urlencode(asked)}", None, {"Accept-Language": language})
    assert answer.status == 200
    return Page(answer).words


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The sheet does not cover misdeals, penalties"),
        ("fr", "La feuille ne traite ni des maldonnes, ni"),
    ],
)
def test_a_sheet_that_says_nothing_about_faults_says_whose_rules_are_used(quiet: Site, language: str, sentence: str):
    silent = [name for name in PRESETS if sentence in words_of(quiet, name, language=language)]
    assert silent == ["Two-player sheet", "Box sheet", "Complete guide"]
    assert sentence not in read(quiet, language, "standard").words


@pytest.mark.parametrize("name", ["Two-player sheet", "Box sheet", "Complete guide"])
def test_a_sheet_that_says_nothing_about_misdeals_says_which_rule_is_whose(quiet: Site, name: str):
    page = quiet.get(f"/rules?{urlencode({'preset': name})}").body.decode()
    misdeal, muggins = words_of_line(page, "misdeal"), words_of_line(page, "muggins")
    assert "By the ACC’s rules, the same dealer redeals without points." in misdeal
    assert "Deadlines, a faulty deck and dealing out of turn are as in the laws of 1922." in misdeal
    assert "No points are awarded" not in misdeal
    assert page.index('id="muggins"') < page.index("does not cover") < page.index('id="penalty"')
    assert "does not cover" not in muggins


def test_where_a_silent_sheet_was_changed_a_misdeal_is_not_said_to_be_the_accs(serve: Callable[..., Site]):
    site = serve()
    start = {"variant": "standard", "players": ["Ann", "Bob"], "preset": "Two-player sheet"}
    assert site.on_board("start", **start, replaces=site.game, house=["misdeal=2"]).status == 201
    words = line_of(site, "misdeal")
    assert "the opponent pegs 2. The same dealer redeals." in words
    assert "By the ACC’s rules" not in words


@pytest.mark.parametrize(
    ("house", "anchor", "said", "unsaid"),
    [
        ([], "over-peg", "The sheet gives the excess to the opponent; here, as by the ACC’s rules", "pegs the excess"),
        (["over-peg=excess"], "over-peg", "the opponent pegs the excess", "The sheet gives"),
        ([], "under-peg", "By the sheet, a score stands once the player’s fingers have left the peg; here", "strict"),
        (["strict=on"], "under-peg", "A score stands once the player’s fingers have left", "By the sheet"),
        ([], "misdeal", "The pone must decide before looking at the cards.", "must claim"),
        ([], "misdeal", "even after looking, but only until the show, which is pegboard’s own limit", "claim"),
    ],
)
def test_the_laws_of_1922_say_where_the_board_departs_from_the_sheet(
    serve: Callable[..., Site], house: list[str], anchor: str, said: str, unsaid: str
):
    site = serve()
    start = {"variant": "standard", "players": ["Ann", "Bob"], "preset": "1922 laws"}
    assert site.on_board("start", **start, replaces=site.game, house=house).status == 201
    words = line_of(site, anchor)
    assert said in words
    assert unsaid not in words
    assert "The sheet" not in line_of(site, "over-peg", "standard") + line_of(site, "under-peg", "standard")


@pytest.mark.parametrize("name", ["Complete guide", "1922 laws"])
def test_muggins_says_what_is_the_accs_and_what_is_the_boards_own(serve: Callable[..., Site], name: str):
    site = serve()
    start = {"variant": "standard", "players": ["Ann", "Bob"], "preset": name}
    assert site.on_board("start", **start, replaces=site.game, house=["muggins=on"]).status == 201
    words = line_of(site, "muggins")
    assert "pegboard also awards no more than you still needed to peg out" in words
    assert "By the ACC’s rule 10.4, you get the claimed points if the claim is wrong." in words


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("standard", "2 if the dealer cuts the deck that was offered to the pone."),
        ("three-handed", "2 if a player other than the pone cuts the deck that was offered to the pone."),
        ("partners", "2 if a player other than the pone cuts the deck that was offered to the pone."),
    ],
)
def test_only_the_pone_can_cut_the_deck(quiet: Site, variant: str, said: str):
    assert said in line_of(quiet, "penalty", variant)


@pytest.mark.parametrize("variant", ["three-handed", "cut-throat-four", "six-partners"])
def test_with_more_than_two_lanes_there_is_more_than_one_opponent(quiet: Site, variant: str):
    claim, penalty = line_of(quiet, "false-claim", variant), line_of(quiet, "penalty", variant)
    assert "With more than two lanes, the ruling names the opponent who scores the overclaim." in claim
    assert "Each opposing side pegs the points" in penalty
    assert "The opponent pegs" not in penalty
    assert "the ruling names" not in line_of(quiet, "false-claim", "partners")


def test_a_ruling_that_names_no_line_is_not_said_to_name_one(quiet: Site):
    words = line_of(quiet, "judge", "standard")
    assert "Each ruling is a line of the score sheet. If it is about another line, as for a false claim" in words


def test_the_laws_of_1922_have_no_false_claim(quiet: Site):
    sentence = "The sheet does not cover this error; pegboard uses the ACC’s rules."
    assert [name for name in PRESETS if sentence in words_of(quiet, name)] == ["1922 laws"]


@pytest.mark.parametrize(
    ("name", "variant", "slip"),
    [
        ("Box sheet", "box-sheet", "The sheet ends runs at six cards, but seven fit under 31."),
        ("Complete guide", "standard", "The sheet once says to keep fives in an opponent’s crib; it means out of it."),
        ("1922 laws", "standard", "The sheet’s four kings cannot follow one another in the play: they count 40."),
    ],
)
def test_a_slip_of_a_sheet_is_named_on_its_page_only(quiet: Site, name: str, variant: str, slip: str):
    assert [each for each in PRESETS if slip in words_of(quiet, each)] == [name]
    assert slip not in read(quiet, variant=variant).words


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("The sheet does not mention muggins.", ["Two-player sheet", "Box sheet"]),
        ("The sheet’s board runs down the outside and up the inside", ["1922 laws"]),
        ("The sheet names the lines once as 91 and 61, once as 90 and 60", ["Complete guide"]),
        ("Raggedy Ann, an 8, a 7, a 6 and two aces, counts 13", ["1922 laws"]),
        ("puts a 29 at 216,000 to 1", ["1922 laws"]),
    ],
)
def test_a_page_names_what_its_sheet_says_differently_or_not_at_all(quiet: Site, said: str, names: list[str]):
    assert [name for name in PRESETS if said in words_of(quiet, name)] == names
    assert said not in read(quiet, variant="standard").words


def test_a_sheet_without_muggins_is_not_said_to_be_silent_where_it_is_played(serve: Callable[..., Site]):
    assert "The sheet" not in line_of(started(serve(), "Box sheet", "muggins=on", variant="box-sheet"), "muggins")


def test_the_named_hands_and_the_odds_of_the_laws_of_1922_are_true(quiet: Site):
    page = quiet.get("/rules?preset=1922+laws").body.decode()
    named = re.findall(r"a 6 and two (\w+), counts (\d+)", words_of_line(page, "double-run"))
    assert named == [("aces", "13"), ("twos", "11")]
    hands = [count_ranks(held, cut, flush=0, nobs=False) for held, cut in (("8 7 6 A", "A"), ("8 7 6 2", "2"))]
    assert [hand.points for hand in hands] == [13, 11]
    deals = comb(52, 6) * 46 / (4 * comb(47, 2))
    assert f"one chance in {deals:,.0f}" in words_of_line(page, "best-hand")


def test_where_the_classic_board_is_shown_the_laws_of_1922_have_no_other(serve: Callable[..., Site]):
    page = serve(board="classic").get("/rules?preset=1922+laws").body.decode()
    assert "The sheet’s board" not in words_of_line(page, "the-board")


def test_what_hole_121_is_worth_alone_is_not_the_guides(quiet: Site):
    said = "The sheet calls hole 121 a greater win, but that it is worth 2 is pegboard’s own rule."
    assert said in words_of(quiet, "Complete guide", "solitaire")
    assert said not in line_of(quiet, "worth", "solitaire")


def test_alone_the_worth_of_a_game_is_named_as_it_is(serve: Callable[..., Site]):
    words = read(started(serve(), "Complete guide", "worth=games 1-2-4", variant="solitaire")).words
    assert "every win worth 1" not in words
    assert "a win with the last hand worth 1, at hole 121 worth 2" in words


@pytest.mark.parametrize(("house", "times"), [(["skunks=on"], 1), (["skunks=on", "worth=games 1-2-4"], 0), ([], 0)])
def test_the_readers_worth_of_skunks_is_named_where_another_counts(serve: Callable[..., Site], house, times: int):
    words = line_of(started(serve(), "1922 laws", *house), "worth")
    assert words.count("The sheet’s readers count a skunk as 2 and a double skunk as 4.") == times


def test_a_sheet_whose_house_rule_was_taken_away_is_not_said_to_need_none(serve: Callable[..., Site]):
    site = started(serve(), "Box sheet", "dealer start=off", variant="three-handed")
    assert "The sheet needs no house rules." not in read(site).words


def test_where_the_acc_was_changed_its_deadlines_are_said_to_be_of_the_laws_of_1922(serve: Callable[..., Site]):
    said = "Deadlines, a faulty deck and dealing out of turn are as in the laws of 1922."
    assert said not in line_of(started(serve(), "ACC tournament", variant="acc"), "misdeal")
    assert said in line_of(started(serve(), "ACC tournament", "misdeal=2", variant="acc"), "misdeal")


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("standard", "The loser deals first in the next game."),
        ("three-handed", "The player in last place deals first in the next game."),
        ("partners", "the side in last place deals first: the first of its players to the left of this game’s first"),
        (
            "six-partners",
            "the side in last place deals first: the first of its players to the left of this game’s first",
        ),
    ],
)
def test_who_deals_first_after_a_loss_is_said_of_the_players_that_there_are(quiet: Site, variant: str, said: str):
    words = line_of(quiet, "first-deal", variant)
    assert said in words
    assert "several losers" not in words


@pytest.mark.parametrize("variant", ["standard", "five-card"])
def test_the_parts_of_a_hand_are_counted_in_the_order_of_the_complete_guide(quiet: Site, variant: str):
    said = "Count fifteens first, then pairs, runs, a flush and nobs."
    assert said in line_of(quiet, "counted-cards", variant)


def test_a_handicap_is_one_of_the_boards_own_things(quiet: Site):
    page = quiet.get("/rules?preset=Two-player+sheet").body.decode()
    assert page.index('id="this-board"') < page.index('id="handicap"')


def test_par_says_that_it_includes_the_holes_of_a_dealer_who_starts_ahead(quiet: Site):
    said = "The dealer’s par includes the head start of 3 holes."
    assert said in line_of(quiet, "par", "box-sheet")
    assert said not in line_of(quiet, "par", "standard") + line_of(quiet, "par", "partners")


@pytest.mark.parametrize(
    ("name", "variant", "said"),
    [
        ("Box sheet", "three-handed", "any points go to each opponent"),
        ("Box sheet", "partners", "any points go to every opposing side"),
    ],
)
def test_a_misdeal_redealt_without_points_is_not_said_to_score(quiet: Site, name: str, variant: str, said: str):
    words = words_of(quiet, name, variant)
    assert said in words
    assert "pegs the points. For a wrong number" not in words


def started(site: Site, preset: str, *house: str, variant: str = "standard") -> Site:
    """The site with a game by a preset, changed by house rules."""
    players = ["Ann", "Bob", "Cy", "Dee"][: VARIANTS[variant].seats]
    start = {"variant": variant, "players": players, "preset": preset, "house": list(house)}
    assert site.on_board("start", **start, replaces=site.game).status == 201
    return site


def summary_of(page: str) -> str:
    """The words under the title: what is special about the rules."""
    section = re.search(r'<section class="force" id="in-force">(.*?)</section>', page, re.DOTALL)
    assert section is not None
    return " ".join(re.sub(r"<[^>]+>", " ", section[1]).split())


@pytest.mark.parametrize(
    ("preset", "house"),
    [
        ("1922 laws", ["skunks=on"]),
        ("1922 laws", ["misdeal=0"]),
        ("Two-player sheet", ["muggins=on"]),
        ("Complete guide", ["skunks=off"]),
    ],
)
def test_the_summary_of_a_sheet_that_was_changed_speaks_of_the_sheet(
    serve: Callable[..., Site], preset: str, house: list[str]
):
    site = serve()
    start = {"variant": "standard", "players": ["Ann", "Bob"], "preset": preset}
    about = translate("en", f"presets.about_{rules_texts.preset_key(preset)}")
    assert site.on_board("start", **start, replaces=site.game).status == 201
    assert f"The sheet: {about}" not in summary_of(site.get("/rules").body.decode())
    assert site.on_board("start", **start, replaces=site.game, house=house).status == 201
    assert f"The sheet: {about}" in summary_of(site.get("/rules").body.decode())


def test_a_title_keeps_rules_apart_that_have_commas_in_them(serve: Callable[..., Site]):
    site = serve()
    start = {"variant": "standard", "players": ["Ann", "Bob"], "preset": "1922 laws"}
    house = ["skunks=on", "worth=games 1-2-4", "three for last=on"]
    assert site.on_board("start", **start, replaces=site.game, house=house).status == 201
    title = "1922 laws with skunks; a skunk counts as 2 games, a double skunk as 4; three for last"
    assert f"<h2>{title}</h2>" in site.get("/rules").body.decode()
    french = site.ask("GET", "/rules", None, {"Accept-Language": "fr"}).body.decode()
    assert "un double pour 4\u00a0; trois pour le dernier</h2>" in french


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Two-player sheet", {"worth": 1, "first-deal": 1, "skunk": 0}),
        ("Box sheet", {"worth": 1, "first-deal": 0, "skunk": 1}),
        ("Complete guide", {"worth": 0, "first-deal": 0, "skunk": 0}),
    ],
)
def test_what_a_sheet_does_not_say_of_skunks_and_the_next_game_is_named(quiet: Site, name: str, said: dict[str, int]):
    page = quiet.get(f"/rules?{urlencode({'preset': name})}").body.decode()
    for anchor, times in said.items():
        assert words_of_line(page, anchor).count("The sheet does not say") == times, anchor
    assert "a skunk counts as 2 games" not in summary_of(page) or name == "Complete guide"


@pytest.mark.parametrize("name", PRESETS)
def test_a_sheet_for_several_numbers_of_players_links_to_each(quiet: Site, name: str):
    links = Page(quiet.ask("GET", f"/rules?{urlencode({'preset': name})}")).links
    rows = [f"/rules?preset={name.replace(' ', '%20')}&variant={variant}" for variant in PRESETS[name].rows]
    assert [link for link in links if link in rows] == (rows if len(rows) > 1 else [])


def test_the_laws_of_1922_say_what_their_readers_play_and_where_it_is(quiet: Site):
    answer = quiet.ask("GET", "/rules?preset=1922+laws")
    summary = summary_of(answer.body.decode())
    assert "Six players, four players each alone, and the old five-card game are variants of their own" in summary
    assert "someone who plays on for another, and a framed hand of 29" in summary
    for variant in ("six-partners", "cut-throat-four", "five-card"):
        assert Page(answer).links.count(f"/rules?variant={variant}") == 2, "there, and among all variants"
    assert "leaves both out on purpose" in words_of_line(answer.body.decode(), "penalty")
    assert "on purpose" not in line_of(quiet, "penalty", "standard")


@pytest.mark.parametrize("language", LANGUAGES)
def test_four_lanes_have_keys_for_three(quiet: Site, language: str):
    lacking = " ".join(translate(language, "rules.keys_four").split())
    assert lacking in line_of(quiet, "keys", "cut-throat-four", language)
    page = quiet.ask("GET", "/rules?variant=cut-throat-four", None, {"Accept-Language": language}).body.decode()
    assert lacking in summary_of(page)
    assert lacking not in line_of(quiet, "keys", "three-handed", language)


@pytest.mark.parametrize(
    ("board", "said", "unsaid"),
    [
        ("streets", "in streets of 30", "outside"),
        ("classic", "down the outside and up the inside, 60 holes once around", "streets"),
    ],
)
def test_the_page_describes_the_board_that_is_shown(serve: Callable[..., Site], board: str, said: str, unsaid: str):
    words = line_of(serve(board=board), "the-board")
    assert said in words
    assert unsaid not in words


def test_a_solo_game_is_not_won_in_the_play(quiet: Site):
    assert "in the play" not in line_of(quiet, "game-hole", "solitaire")
    assert "wins instantly, on heels or in the middle of the show" in line_of(quiet, "game-hole", "solitaire")
    assert "in the play" in line_of(quiet, "game-hole", "standard")


@pytest.mark.parametrize("name", ["Box sheet", "Complete guide"])
def test_a_sheet_for_three_does_not_say_who_is_skunked(quiet: Site, name: str):
    assert "The sheet does not say; here each loser is judged separately" in words_of(quiet, name, "three-handed")
    assert "The sheet does not say" not in read(quiet, variant="three-handed").words


@pytest.mark.parametrize(
    ("house", "won"),
    [(["game hole=61"], "Bob has won; Ann is in the lurch."), ([], "Bob has won."), (["skunks=on"], "a skunk.")],
)
def test_a_false_claim_ends_with_what_the_loser_is_in(serve: Callable[..., Site], house: list[str], won: str):
    site = serve()
    start = {"variant": "standard", "players": ["Ann", "Bob"], "preset": "1922 laws"}
    assert site.on_board("start", **start, replaces=site.game, house=house).status == 201
    assert won in line_of(site, "false-claim")


@pytest.mark.parametrize(
    ("variant", "said", "unsaid"),
    [
        ("standard", "belongs to the dealer alone", "for the dealer’s side"),
        ("partners", "The crib counts for the dealer’s side", "dealer alone"),
        ("six-partners", "The crib counts for the dealer’s side", "dealer alone"),
    ],
)
def test_the_crib_belongs_to_the_dealer_or_to_the_dealers_side(quiet: Site, variant: str, said: str, unsaid: str):
    words = line_of(quiet, "the-crib", variant)
    assert said in words
    assert unsaid not in words


def test_by_the_rules_of_the_acc_a_misdeal_is_redealt_without_points(serve: Callable[..., Site]):
    site = serve(variant="acc")
    words = line_of(site, "misdeal")
    assert "A misdeal is redealt without points." in words
    assert "redealt until the starter is turned up; after that, a judge decides" in words
    assert "before looking at the cards" not in words
    assert "A misdeal is redealt without points." not in line_of(site, "misdeal", "standard")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("preset=1922+law", "there is no preset '1922 law'; use one of Two-player sheet, "),
        ("preset=1922+laws&variant=short", "1922 laws is not played as short; use standard, or another preset"),
    ],
)
def test_an_unknown_sheet_is_refused_with_those_that_are_known(quiet: Site, query: str, sentence: str):
    answer = quiet.get(f"/rules?{query}")
    assert answer.refusal == (404, "not_found")
    assert sentence in answer.json["detail"]


# --- what the rules say ---


def table_of(page: str, name: str) -> list[list[str]]:
    """The rows of the first table of a class, as words."""
    table = re.search(rf'<table class="[^"]*{name}[^"]*">(.*?)</table>', page, re.DOTALL)
    assert table is not None
    rows = re.findall(r"<tr>(.*?)</tr>", table[1], re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]


@pytest.mark.parametrize(
    ("variant", "rows"),
    [
        (
            "standard",
            [["91", "a win", "1"], ["90", "a skunk", "2"], ["61", "a skunk", "2"], ["60", "a double skunk", "3"]],
        ),
        ("acc", [["91", "a win", "2"], ["90", "a skunk", "3"], ["61", "a skunk", "3"], ["60", "a double skunk", "3"]]),
        ("short", [["31", "a win", "1"], ["30", "a skunk", "2"]]),
    ],
)
def test_91_is_safe_and_90_is_skunked(quiet: Site, variant: str, rows: list[list[str]]):
    page = quiet.get(f"/rules?variant={variant}").body.decode()
    assert table_of(page, "skunks")[1:] == rows


def line_of(site: Site, anchor: str, variant: str | None = None, language: str = "en") -> str:
    """The words of one line."""
    path = "/rules" if variant is None else f"/rules?variant={variant}"
    page = site.ask("GET", path, None, {"Accept-Language": language}).body.decode()
    return words_of_line(page, anchor)


def words_of_line(page: str, anchor: str) -> str:
    """The words of one line of a page."""
    section = re.search(rf'<section class="line" id="{anchor}">(.*?)</section>', page, re.DOTALL)
    assert section is not None
    return " ".join(re.sub(r"<[^>]+>", " ", section[1]).split())


@pytest.mark.parametrize(
    ("anchor", "said"),
    [
        (
            "flush-in-the-crib",
            [
                "a flush needs all five cards, including the starter: it scores 5 or nothing",
                "As a crib 0 points",
                "As a crib 5 points",
            ],
        ),
        ("impossible", ["Scores of 19, 25, 26 and 27 are impossible", "0 to 29"]),
        ("heels", ["2 for the dealer", "The dealer pegs these points before playing a card"]),
        ("game-hole", ["first front peg to reach hole 121 wins instantly", "An exact count is not needed"]),
        (
            "false-claim",
            [
                "Ann is at 110, Bob at 100",
                "Ann goes to 103, Bob to 103",
                "Ann goes to 88, Bob to 121",
                "has won with a skunk",
            ],
        ),
        ("best-hand", ["four score 29", "twenty-nine"]),
        ("play-most", ["0 to 15"]),
        ("go", ["up to a count of 21"]),
    ],
)
def test_a_line_says_what_the_rules_say(quiet: Site, anchor: str, said: list[str]):
    words = line_of(quiet, anchor, "standard")
    for part in said:
        assert re.search(part, words), part


@pytest.mark.parametrize(
    ("house", "anchor", "said"),
    [
        ("muggins=on", "muggins", "An opponent can claim points you miss in the play, hand or crib"),
        ("muggins=off", "muggins", "Muggins is not played under these rules"),
        ("misdeal=2", "misdeal", "the opponent pegs 2"),
        (
            "misdeal=2",
            "misdeal",
            "the same dealer redeals without a penalty, and earlier scores stand",
        ),
        ("misdeal=0", "misdeal", "No points are awarded for a misdeal"),
        (
            "misdeal=2",
            "misdeal",
            "a card was exposed during the deal, or a player was dealt the wrong number of cards",
        ),
        (
            "misdeal=2",
            "misdeal",
            "the deck was not cut, a card was dealt incorrectly and not corrected before the next card",
        ),
        ("misdeal=2", "misdeal", "the deck is wrong or incomplete"),
        (
            "misdeal=2",
            "penalty",
            "2 for dealing out of turn and 2 if the dealer cuts the deck that was offered to the pone",
        ),
        ("pone chooses=off", "misdeal", "The same dealer redeals. The pone must claim a misdeal before looking"),
        ("pone chooses=on", "misdeal", "The pone chooses: the same dealer redeals, or the deal stands."),
        ("pone chooses=on", "misdeal", "the pone can decide even after looking"),
        ("pone chooses=on", "misdeal", "the dealer takes cards from the top of the deck"),
        ("misdeal=2", "misdeal", "costs 2 points, but only until the pone takes up the cards"),
        ("muggins=on", "muggins", "no more than you still needed to peg out"),
        (
            "crib flush=five",
            "flush-in-the-crib",
            "a flush needs all five cards, including the starter: it scores 5 or nothing",
        ),
        ("crib flush=four", "flush-in-the-crib", "four crib cards of one suit score 4"),
        ("skunks=lurch", "skunk", "has not passed hole 60 is left in the lurch"),
        ("skunks=lurch", "worth", "In the match, a win counts as 1 and a lurch as 2."),
        ("skunks=off", "worth", "In the match, a win counts as 1."),
        ("skunks=triple wins match", "worth", "A triple skunk wins the whole match"),
        ("over-peg=excess", "over-peg", "the opponent pegs the excess"),
        ("heels limit=120", "heels", "hole 120 or beyond scores nothing"),
        ("heels limit=last five", "heels", "hole 116 or beyond scores nothing"),
        ("skunks=off", "skunk", "No skunks under these rules"),
        ("skunks=triple", "skunk", "At or behind hole 30, it is a triple skunk"),
        ("worth=games 1-2-4", "worth", "a double skunk as 4"),
        ("worth=ACC 2-3-3", "worth", "2 for a win, 3 for a skunk, 3 for a double skunk"),
        ("first deal=cut", "first-deal", "cut for the first deal of every game"),
        ("dealer start=on", "head-start", "3 holes ahead in every deal"),
        ("dealer start=on", "head-start", "stops at hole 120, so it never wins"),
        ("three for last=on", "head-start", "the first pone starts the game 3 holes ahead"),
        ("strict=on", "corrections", "only a director"),
        ("peg out=on", "peg-out", "presses a key once more"),
        ("confirm=on", "confirm", "each player confirms"),
        ("game hole=61", "game-hole", "hole 61 wins"),
    ],
)
def test_a_house_rule_is_told_where_it_is_played(house: str, anchor: str, said: str):
    rules = with_house_rules(Rules.named("standard"), [house])
    line = next(line for section in rules_texts.SECTIONS for line in section.rules if line.anchor == anchor)
    words = " ".join(translate("en", key, **rules_texts.values(rules)) for key in line.texts(rules))
    assert said in words


def test_the_dealer_of_three_takes_six_where_the_house_plays_so(serve: Callable[..., Site]):
    """Sheet A deals the dealer six; the crib still has four."""
    six = serve(variant="three-handed", house=("dealer six=on",))
    assert "The dealer is dealt six cards and each other player five" in line_of(six, "the-deal")
    assert "one card from the deck goes to the crib" in line_of(six, "the-deal", "three-handed")


@pytest.mark.parametrize(
    ("variant", "double"), [("standard", True), ("acc", True), ("short", False), ("five-card", False)]
)
def test_a_double_skunk_is_told_where_the_game_has_its_line(quiet: Site, variant: str, double: bool):
    words = line_of(quiet, "worth", variant) + line_of(quiet, "skunk", variant)
    assert ("double skunk" in words) == double


@pytest.mark.parametrize(
    ("house", "told"),
    [
        (("skunks=off", "worth=games 1-2-4"), ("every win worth 1 ", "In the match, a win counts as 1.")),
        (
            ("game hole=61", "worth=games 1-2-4"),
            ("a skunk worth 2 ", "In the match, a win counts as 1 and a skunk as 2."),
        ),
        (("skunks=lurch", "worth=games 1-2-4"), ("a lurch worth 2 ", "a win counts as 1 and a lurch as 2.")),
        (
            ("worth=games 1-2-4",),
            (
                "a skunk counts as 2 games, a double skunk as 4 ",
                "In the match, a win counts as 1, a skunk as 2 and a double skunk as 4.",
            ),
        ),
    ],
)
def test_what_a_game_is_worth_names_no_skunk_that_it_does_not_have(serve: Callable[..., Site], house, told):
    page = read(serve(house=house)).words
    for words in told:
        assert page.count(words) == 1, "among the house rules, and in its own section"
    assert ("a double skunk as" in page) == ("a double skunk as" in told[1])


@pytest.mark.parametrize(
    ("house", "named"),
    [
        ("worth=games 1-2-4", "1922 laws with a lurch worth 2 "),
        ("worth=flat", "1922 laws, changed: every win counts as 1 game "),
        ("worth=ACC 2-3-3", "1922 laws, changed: a lurch worth 3 "),
    ],
)
def test_a_title_says_in_short_what_a_game_is_worth(serve: Callable[..., Site], house: str, named: str):
    site = serve()
    start = {"variant": "standard", "players": ["Ann", "Bob"], "preset": "1922 laws"}
    assert site.on_board("start", **start, replaces=site.game, house=[house]).status == 201
    assert named in read(site).words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "variant"), SHEETS)
def test_a_sheet_that_is_not_played_here_says_nothing_of_this_table(
    quiet: Site, name: str, variant: str, language: str
):
    words = words_of(quiet, name, variant, language)
    assert not re.search("At this table|À cette table", words)
    assert translate(language, "rules.choose_house") not in words
    assert translate(language, "rules.no_house") not in words


def test_by_strict_rules_a_director_gives_handicaps_and_lets_others_play_on(quiet: Site):
    for anchor in ("handicap", "substitute", "the-sheet"):
        assert line_of(quiet, anchor, "acc").endswith("Only a director can do this.")
        assert "director" not in line_of(quiet, anchor, "standard")


def test_heels_near_home_are_told_by_the_hole_of_this_game(serve: Callable[..., Site]):
    site = serve(variant="short", house=("heels limit=120",))
    assert "hole 60 or beyond scores nothing" in line_of(site, "heels")
    assert "heels score nothing one hole from the game hole" in read(site).words


def test_suits_matter_for_a_flush_and_nobs_and_heels_are_any_jack(quiet: Site):
    assert "Suits matter only for a flush and nobs; any jack makes heels" in line_of(quiet, "the-pack")


def test_solitaire_is_told_without_cutting_skunks_or_opponents(quiet: Site):
    page = read(quiet, variant="solitaire").words
    assert "without cutting" in line_of(quiet, "the-starter", "solitaire")
    assert "every win is worth the same" not in page
    assert "the greater win" not in page
    assert page.count("reaching hole 121 is worth 2") == 1, "what it is worth is said once"
    assert "A solo player has no opponent to award points to" in line_of(quiet, "penalty", "solitaire")


def test_the_hands_of_five_card_have_three_cards(quiet: Site):
    assert "Three hand cards of one suit score 3, or 4 if the starter matches" in line_of(quiet, "flush", "five-card")
    assert "3 points" in line_of(quiet, "flush", "five-card")
    assert "As a crib" in line_of(quiet, "best-hand", "five-card")
    assert "A hand of three cards scores 0 to 15, or 20" in line_of(quiet, "impossible", "five-card")
    assert "3 in hand, 4 with the starter" in read(quiet, variant="five-card").words


def test_the_crib_shows_its_flush_as_the_house_counts_it(serve: Callable[..., Site]):
    site = serve(house=("crib flush=four",))
    assert "As a crib 4 points" in line_of(site, "flush-in-the-crib")
    assert "As a crib 0 points" in line_of(site, "flush-in-the-crib", "standard")


def test_the_page_names_the_house_rules_in_force(serve: Callable[..., Site]):
    site = serve(house=("muggins=on", "misdeal=2"))
    page = read(site)
    assert "muggins a misdeal costs 2 " in page.words
    assert {"#muggins", "/settings#next-title"} <= set(page.links)
    assert "Muggins is not played under these rules" not in page.words
    elsewhere = read(site, variant="standard").words
    assert "missed points are lost. Choose house rules in the settings" in elsewhere
    assert "muggins=on" not in elsewhere


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_a_name_and_words_on_the_rules_page(variant: str, language: str):
    keys = {f"history.variant_{variant.replace('-', '_')}", f"rules.name_{variant}", f"rules.variant_{variant}"}
    assert keys - set(catalog(language)) == set()


def test_statistics_can_be_asked_for_each_variant_of_the_table(quiet: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(VARIANTS, "box-sheet")
    page = quiet.get("/stats").body.decode()
    assert re.findall(r'<option value="([a-z-]+)">', page) == list(VARIANTS)


@pytest.mark.parametrize("language", languages())
def test_every_house_rule_has_a_name_and_words_for_each_value(language):
    """Those of the settings page and of the rules page; a number stands in the words of its rule."""
    texts = catalog(language)
    for name, rule in HOUSE_RULES.items():
        assert f"settings.rule_{name.replace(' ', '_').replace('-', '_')}" in texts
        for value in rule.values or ("7",):
            assert rules_texts._key_of(name, value) in texts, f"{name}={value}"


def test_every_house_rule_has_its_line():
    assert set(rules_texts.HOUSE) == set(HOUSE_RULES)
    assert set(rules_texts.HOUSE.values()) <= rules_texts.anchors()
    assert set(GLOSSARY.values()) <= rules_texts.anchors()


# --- links from refusals and parts ---

FOR_PROGRAMS = {"wire.py"}
"""What only a program can get wrong: its shape, which no rule of the game explains."""

REFUSING = {"RuleError", "SayFirst", "Already", "GameOver", "Moved"}


def keys_refused() -> set[str]:
    """The keys of the messages with which the core refuses."""
    return {
        constant.value
        for path in (ROOT / "pegboard/core").rglob("*.py")
        if path.name not in FOR_PROGRAMS
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in REFUSING and node.args
        for constant in ast.walk(node.args[0])
        if isinstance(constant, ast.Constant) and constant.value in MESSAGES
    }


def test_every_refusal_of_the_core_leads_to_a_line_that_is_there():
    found = keys_refused()
    assert len(found) > 60
    lacking = [key for key in found if MESSAGES[key][1] is None and "{fault}" not in MESSAGES[key][0]]
    assert sorted(lacking) == []


def test_no_message_leads_nowhere():
    assert {anchor for _, anchor in MESSAGES.values() if anchor} <= rules_texts.anchors()


def test_every_part_and_reason_has_its_line():
    script = (ROOT / "web/static/count/shared_by_count_and_play.js").read_text("utf-8")
    lines = set(re.findall(r'"([a-z-]+)"', script.partition("LINES = new Set([")[2].partition("]")[0]))
    played = set(re.findall(r'"([a-z-]+)"', script.partition("IN_THE_PLAY = new Set([")[2].partition("]")[0]))
    reasons = dict(re.findall(r'(\w+): "([a-z-]+)"', script.partition("REASONS = {")[2].partition("}")[0]))
    assert {str(kind).replace(" ", "-") for kind in Kind} <= lines
    assert {reasons.get(why, why) for why in Reason} <= lines
    assert lines | {f"play-{kind}" for kind in played} <= rules_texts.anchors()


def test_a_refusal_says_where_it_is_explained(site: Site):
    assert site.on_board("deal", dealer=0).status == 201
    refused = site.score(1, 2, why="crib")
    assert refused.refusal == (422, "rule")
    assert refused.json["rule"] == "/rules#the-crib"
    assert site.score(0, 19, why="hand").json["rule"] == "/rules#impossible"
    muggins = {"id": tap(), "game": site.game, "do": "muggins", "seat": 1, "claimed": 2, "missed": 2, "base": 2}
    assert site.post("/api/v1/commands", muggins).json["rule"] == "/rules#muggins"
    assert "rule" not in site.score(0, 30).json


# --- each claim is true of its variant ---


def cards_held(rules: Rules) -> int:
    """Cards that all hands of a deal hold together."""
    return 6 if rules.variant == "five-card" else 8 if rules.seats < 3 else 4 * rules.seats


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=lambda rules: rules.variant)
def test_no_example_of_the_play_lays_more_cards_than_two_hands_have(rules: Rules):
    anchors = {line.anchor for section in rules_texts.SECTIONS for line in section.rules}
    plays = [steps for anchor in anchors for steps in worked_examples.plays(anchor, rules)]
    whole = worked_examples.whole_play(rules)
    most = min(8, cards_held(rules))
    assert max(sum(step.card is not None for step in steps) for steps in [*plays, whole]) <= most
    assert sum(step.card is not None for step in whole) == most, "each lays his whole hand"


@pytest.mark.parametrize(("variant", "longest"), [("standard", 7), ("five-card", 6)])
def test_the_longest_run_of_the_play_is_what_the_cards_held_and_31_allow(quiet: Site, variant: str, longest: int):
    """Ace to seven are 28; two hands of three cards are six."""
    fitting = next(n for n in range(1, 14) if sum(range(1, n + 2)) > 31)
    held = min(cards_held(VARIANTS[variant]), fitting)
    assert held == longest
    assert f"3 to {longest}." in line_of(quiet, "play-run", variant)


def test_the_best_hand_of_three_cards_is_20(quiet: Site):
    """All hands of three cards and a starter by ranks, and four different ones with a flush."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    dealt = [
        (hand, starter)
        for hand in itertools.combinations_with_replacement(ranks, 3)
        for starter in ranks
        if max(Counter((*hand, starter)).values()) <= 4
    ]
    best = max(
        count_ranks(" ".join(hand), starter=starter, flush=0, nobs=False).points
        + (4 if len({*hand, starter}) == 4 else 0)
        + ("J" in hand and starter != "J")
        for hand, starter in dealt
    )
    assert best == 20
    words = line_of(quiet, "best-hand", "five-card")
    assert "score 20, the most a three-card hand can make" in words
    assert "As a hand 20 points" in words
    assert "As a crib 29 points" in words


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    "anchor", ["heels", "the-crib", "over-peg", "renege", "false-claim", "penalty", "muggins", "misdeal"]
)
def test_alone_no_line_speaks_of_an_opponent_or_another_dealer(quiet: Site, anchor: str, language: str):
    words = line_of(quiet, anchor, "solitaire", language).lower()
    told = re.sub(r"no opponent to (call|award)|pas d.adversaire|personne", "", words)
    assert not re.search(r"opponent|dealer|adversaire|donneur", told), words


def test_a_false_claim_alone_goes_back_fifteen_from_the_true_hole(quiet: Site):
    """At 116 with 3 points, not 8: 119, and 15 back."""
    game = new_game(Rules.named("solitaire"), ("Ann",))
    for points in (29, 29, 29, 29, 8):
        game = play(game, Score(points, 0, why="hand"))
    assert play(game, ClaimFalsely(5, 3, 8)).lanes[0].front == 104
    assert "to its true hole and then 15 holes farther back" in line_of(quiet, "false-claim", "solitaire")


def test_by_strict_rules_undo_is_not_said_to_take_a_line_back(quiet: Site):
    assert "otherwise it undoes the newest line" in line_of(quiet, "undo", "standard")
    assert "otherwise it undoes the newest line" not in line_of(quiet, "undo", "acc")
    assert "only cancels points being entered" in line_of(quiet, "undo", "acc")


def test_the_counter_of_five_cards_takes_three(quiet: Site):
    assert (
        "Enter three cards and the starter in the hand counter; for a crib, enter four cards and the starter."
        in line_of(quiet, "counters", "five-card")
    )
    assert "Enter four cards and the starter" in line_of(quiet, "counters", "standard")
