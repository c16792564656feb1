"""The certificate of a perfect hand: says what the sheet and the hand counter know, and leaves the rest for a pen."""

import json
import re
from pathlib import Path

import pytest

from tests.support.web_server_and_clients import Site
from web.kit.i18n import catalog

FREQUENCY = Path(__file__).parents[2] / "data/hand_frequency.json"


def page_of(site: Site, path: str, language: str = "en") -> str:
    answer = site.ask("GET", path, None, {"Accept-Language": language})
    assert answer.status == 200, answer.body
    main = answer.body.decode().partition("<main>")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


def score(site: Site, seat: int, points: int, why: str | None = None) -> str:
    answer = site.score(seat, points, why=why)
    assert answer.status == 201
    return str(answer.json["entry"])


def address(site: Site, points: int, line: str, more: str = "") -> str:
    return f"/print/{points}?game={site.game}&line={line}{more}"


CARDS = "&cards=5-5-5-J&starter=5"


def test_a_perfect_hand_has_its_cards_players_date_and_lines_to_sign(site: Site):
    line = score(site, 1, 29, "hand")
    page = page_of(site, address(site, 29, line, CARDS))
    assert "A perfect hand 29" in page
    assert "5 5 5 J 5 starter" in page
    assert "Player Bob Against Ann Counted as Hand Date Place Bob Ann Witness" in page
    body = site.get(address(site, 29, line)).body.decode()
    at = re.search(r'id="date" data-at="([\d.]+)"', body)
    assert at is not None
    assert float(at[1]) == site.get(f"/api/v1/games/{site.game}").json["entries"][0]["at"]


def test_a_twenty_eight_has_its_own_title_and_a_crib_is_called_one(site: Site):
    line = score(site, 0, 28, "crib")
    page = page_of(site, address(site, 28, line))
    assert "Twenty-eight 28" in page
    assert "Counted as Crib" in page


def test_cards_that_nobody_has_counted_are_left_to_write_in(site: Site):
    """Neither the ranks of a hand that was only pegged nor suits are guessed, though 29 leaves few."""
    line = score(site, 1, 29)
    body = site.get(address(site, 29, line)).body.decode()
    assert body.count('aria-label="a card to write in"') == 5
    assert re.search(r'Counted as</dt><dd class="write"></dd>', body), "nobody said whether hand or crib"
    assert site.get(address(site, 29, line, CARDS)).body.decode().count("suit to write in") == 5


def test_without_a_game_everything_is_written_by_hand(site: Site):
    body = site.get("/print/29").body.decode()
    assert body.count('<dd class="write">') == 5
    assert 'id="date"' not in body


def test_in_french_the_ranks_are_those_of_french_cards(site: Site):
    line = score(site, 1, 29, "hand")
    page = page_of(site, address(site, 29, line, CARDS), "fr")
    assert "La main parfaite 29" in page
    assert "5 5 5 V 5 retourne" in page
    assert "Joueur Bob Contre Ann" in page


def test_partners_sign_both_if_nobody_said_which_of_them_held_the_hand(serve):
    site = serve(variant="partners")
    lane = site.command(do="score", lane=0, points=29, why="hand", base=site.scoreboard.view.game.revisions[0])
    assert lane.status == 201
    assert "Players Ann , Cy Against Bob , Dee" in page_of(site, address(site, 29, str(lane.json["entry"])))
    known = score(site, 1, 28, "hand")
    assert "Player Bob Against Ann , Cy" in page_of(site, address(site, 28, known))


@pytest.mark.parametrize(
    ("cards", "starter", "points", "fits"),
    [
        ("5-5-5-J", "5", 29, True),
        ("5-5-5-J", "5", 28, True),
        ("5-5-5-5", "K", 28, True),
        ("5-5-5-10", "5", 28, True),
        ("5-5-5-10", "5", 29, False),
        ("5-5-5-J", "4", 29, False),
        ("5-5-5-4", "5", 29, False),
        ("5-5-5", "5", 29, False),
        ("5-5-5-J-6", "5", 29, False),
        ("5H,5C,5S,JD", "5D", 29, True),
        ("5H,5C,5S,JD", "5D", 28, False),
        ("5H,5C,5S,JC", "5D", 29, False),
        ("5H,5C,5S,JC", "5D", 28, True),
        ("5,5,5,JD", "5", 29, True),
        ("5,5,5,JD", "5C", 29, False),
    ],
)
def test_only_cards_that_can_score_it_are_printed(site: Site, cards: str, starter: str, points: int, fits: bool):
    answer = site.get(f"/print/{points}?cards={cards}&starter={starter}")
    if fits:
        assert answer.status == 200
    else:
        assert answer.refusal == (422, "shape")
        assert answer.json["detail"].startswith(f"these cards do not score {points}; leave `cards`")


@pytest.mark.parametrize(
    ("cards", "starter", "sentence"),
    [
        ("<b>", "5", "'<B>' is not a card"),
        ("5-5-5-J", "", "the starter is one card, not 0"),
        ("5H,5C,5S,JD", "5D,5H", "the starter is one card, not 2"),
        ("5H,5H,5S,JD", "5D", "5H appears 2 times; a deck has each card once"),
        ("5H,5C,5S,JD", "5H", "5H appears 2 times; a deck has each card once"),
        ("5-5-5-5", "5", "5 appears 5 times; a deck has four cards of each rank"),
    ],
)
def test_cards_that_cannot_be_read_are_named(site: Site, cards: str, starter: str, sentence: str):
    answer = site.get(f"/print/29?cards={cards}&starter={starter}")
    assert answer.refusal == (422, "shape")
    assert answer.json["detail"].startswith(sentence)


def test_suits_that_were_given_are_printed(site: Site):
    body = site.get("/print/29?cards=5H,5C,5S,JD&starter=5D").body.decode()
    said = ["five of hearts", "five of clubs", "five of spades", "jack of diamonds", "five of diamonds"]
    assert re.findall(r'role="img" aria-label="([^"]*)"', body) == said
    assert re.findall(r'<i class="suit">(.)', body) == ["♥", "♣", "♠", "♦", "♦"]


def test_without_a_line_it_takes_the_newest_such_hand_of_the_game(site: Site):
    assert site.get(f"/print/29?game={site.game}").json["detail"] == "no line of this game is a hand or crib of 29"
    score(site, 0, 29, "hand")
    line = score(site, 1, 29, "hand")
    score(site, 0, 12, "hand")
    body = site.get(f"/print/29?game={site.game}").body.decode()
    assert f'href="/history/{site.game}#line-{line}"' in body
    assert "<bdi>Bob</bdi></dd>" in body


def test_a_line_needs_its_game(site: Site):
    answer = site.get("/print/29?line=1")
    assert answer.refusal == (422, "shape")
    assert answer.json["detail"] == '`line` "1" is a line of a game; name its `game`, or leave both out'


def test_there_is_none_for_other_hands_lines_and_games(site: Site):
    line = score(site, 0, 24, "hand")
    for path, sentence in {
        "/print/24": 'there is no certificate for a hand of "24"; use 29 or 28',
        "/print/029": 'there is no certificate for a hand of "029"; use 29 or 28',
        "/print/29?game=5b0e7c1f92aa&line=1": "there is no game",
        address(site, 29, line): 'line "1" of this game is not a hand or crib of 29',
        address(site, 29, "9"): 'line "9" of this game is not a hand or crib of 29',
        address(site, 29, "x"): 'line "x" of this game is not a hand or crib of 29',
    }.items():
        answer = site.get(path)
        assert answer.refusal == (404, "not_found"), path
        assert answer.json["detail"].startswith(sentence)


def test_a_line_that_was_undone_or_ruled_false_has_none(site: Site):
    line = score(site, 1, 29, "hand")
    ruled = site.on_board("over_peg", entry=line, points=8, was=29)
    assert ruled.status == 201, ruled.json
    assert site.get(address(site, 29, line)).status == 404
    other = score(site, 0, 29, "hand")
    assert site.get(address(site, 29, other)).status == 200
    assert site.command(do="undo", entry=other).status in (200, 201)
    assert site.get(address(site, 29, other)).status == 404


def test_it_names_those_who_played_when_the_hand_was_scored(site: Site):
    line = score(site, 1, 29, "hand")
    for seat, former, name in ((1, "Bob", "Cy"), (0, "Ann", "Dee")):
        assert site.command(do="substitute", seat=seat, former=former, name=name).status == 201
    assert "Player Bob Against Ann" in page_of(site, address(site, 29, line))
    assert "Player Cy Against Dee" in page_of(site, address(site, 28, score(site, 1, 28, "hand")))


def test_a_penalty_of_29_is_no_perfect_hand(site: Site):
    given = site.command(do="penalty", seat=1, points=29, base=site.scoreboard.view.game.revisions[1])
    assert given.status == 201, given.json
    assert site.get(address(site, 29, str(given.json["entry"]))).status == 404


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("points", [28, 29])
def test_the_odds_are_those_of_the_published_table(points: int, language: str):
    published = json.loads(FREQUENCY.read_text("utf-8"))
    said = str(catalog(language)[f"certificate.odds_{points}"])
    numbers = {int(re.sub(r"\D", "", number)) for number in re.findall(r"\d[\d,\u202f]*", said)}
    assert {published["hand"]["frequency"][str(points)], published["total"]} <= numbers
