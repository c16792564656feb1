"""The pages of a hub as they are served: by role, in the reader's language, within the content policy, and printed."""

import re

import pytest

from tests.support.hub_site import Client, HubSite, opened_hub


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A hub with a night of seven, its rounds drawn: nothing of it changes."""
    with opened_hub(tmp_path_factory.mktemp("pages") / "hub") as hub:
        night = hub.open_night(games=3)
        hub.enter(night, 7)
        hub.do(night, "draw")
        yield hub, night, hub.director()


def paths(night: str) -> list[str]:
    printed = [f"/night/{night}/print/{kind}" for kind in ("cards", "blank", "seats", "standings", "bracket")]
    codes = ["/j/", "/d/", "/p/", "/t/", "/r/", "/D/7KQ2AB", "/p/7kq2ab"]
    return ["/", f"/night/{night}", f"/night/{night}/screen", *printed, *codes]


def test_every_page_obeys_the_content_policy_and_names_what_is_there(shown):
    _, night, director = shown
    for path in paths(night):
        answer = director.get(path)
        page = answer.body.decode()
        assert (answer.status, answer.headers["cache-control"]) == (200, "no-store"), path
        assert not re.search(r"\sstyle\s*=|\son[a-z]+\s*=|<style", page), path
        for script in re.findall(r"<script[^>]*>", page):
            assert "src=" in script or 'type="application/json"' in script, path
        for place in re.findall(r'(?:src|href)="([^"]*)"', page):
            assert place.startswith("/"), (path, place)


def test_everything_that_a_page_loads_is_there(shown):
    _, night, director = shown
    places = {
        place
        for path in paths(night)
        for place in re.findall(
            r'(?:src|href|data-words)="(/(?:static|words)/[^"]*)"', director.get(path).body.decode()
        )
    }
    assert {place: director.get(place).status for place in places if director.get(place).status != 200} == {}
    assert any(place.startswith("/words/hub/") for place in places)


def test_a_stranger_gets_the_page_that_pairs_instead_of_the_desk(shown):
    hub, night, _ = shown
    page = hub.client().get(f"/night/{night}").body.decode()
    assert 'data-act="pair"' in page
    assert 'id="roster"' not in page


def test_score_cards_with_codes_are_printed_for_directors_alone(shown):
    hub, night, director = shown
    assert hub.client().get(f"/night/{night}/print/cards").status == 403
    page = director.get(f"/night/{night}/print/cards").body.decode()
    assert page.count('class="score-card"') == 7
    one = director.get(f"/night/{night}/print/cards?player=p3").body.decode()
    assert (one.count('class="score-card"'), "Cy" in one) == (1, True)


def test_a_printed_card_has_each_game_with_its_table_and_opponent(shown):
    hub, night, director = shown
    page = director.get(f"/night/{night}/print/cards?player=p1").body.decode()
    view = hub.view(night)
    for one in view["rounds"]:
        for game in one["games"]:
            if "p1" in game["players"]:
                other = next(player for player in game["players"] if player != "p1")
                row = rf'<td class="number">{one["round"]}</td><td class="number">{game["label"]}</td>'
                assert re.search(rf"{row}<td[^>]*>{view['names'][other]}", page)


def test_a_printed_card_names_who_deals_first(shown):
    """Beside the opponent's name, "deals first" could be said of either."""
    hub, night, director = shown
    page = director.get(f"/night/{night}/print/cards?player=p1").body.decode()
    own = [game for one in hub.view(night)["rounds"] for game in one["games"] if "p1" in game["players"]]
    assert re.findall(r"<small>(.*?) deals first</small>", page) == [game["dealer"] for game in own]


def test_seats_are_printed_by_name_and_by_table(shown):
    hub, night, director = shown
    page = director.get(f"/night/{night}/print/seats").body.decode()
    view = hub.view(night)
    first, names = view["rounds"][0], view["names"]
    by_name, by_table = re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)[:2]
    seated = sorted(names[player] for game in first["games"] for player in game["players"])
    assert re.findall(r'<tr><th dir="auto">(.*?)</th>', by_name) == seated
    for game in first["games"]:
        one, other = (names[player] for player in game["players"])
        table, dealer = game["label"] or "\N{EN DASH}", game["dealer"]
        cells = (f'<td class="number">{table}</td>', *(f'<td dir="auto">{name}</td>' for name in (one, other, dealer)))
        assert "".join(cells) in by_table


@pytest.mark.parametrize(
    ("cards", "status"), [("1", 200), ("8", 200), ("0", 422), ("101", 422), ("-1", 422), ("x", 422)]
)
def test_blank_cards_are_printed_by_their_number(shown, cards: str, status: int):
    _, night, director = shown
    answer = director.get(f"/night/{night}/print/blank?cards={cards}")
    assert answer.status == status
    if status == 200:
        assert answer.body.decode().count('class="score-card"') == int(cards)


def test_printed_standings_mark_who_qualifies_once_the_cut_is_closed(tmp_path):
    with opened_hub(tmp_path / "hub") as hub:
        night = hub.open_night(games=1, cut="2")
        hub.enter(night, 4)
        hub.do(night, "draw")
        for margin, game in enumerate(hub.view(night)["rounds"][0]["games"], 10):
            hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=margin)
        assert marked_on_print(hub, night) == set()
        hub.do(night, "close_cut")
        names = hub.view(night)["names"]
        assert marked_on_print(hub, night) == {names[player] for player in hub.view(night)["cut"]["qualifiers"]}
        assert len(marked_on_print(hub, night)) == 2


def marked_on_print(hub: HubSite, night: str) -> set[str]:
    page = hub.director().get(f"/night/{night}/print/standings").body.decode()
    assert page.count('<th dir="auto">') == 4
    return set(re.findall(r'<th dir="auto">(\w+) <span class="qualifies">qualifies</span>', page))


@pytest.mark.parametrize(("language", "sentence"), [("en-GB", "Cy sits out."), ("fr-CA", "Cy se repose.")])
def test_printed_sentences_are_whole_in_each_language(tmp_path, language: str, sentence: str):
    with opened_hub(tmp_path / "hub") as hub:
        night = hub.open_night(games=2)
        hub.enter(night, 3)
        hub.do(night, "draw")
        game = hub.view(night)["rounds"][0]["games"][0]
        hub.do(night, "paper_result", game=game["game"], winner=game["players"][0], margin=9)
        seats, standings = (
            hub.director().get(f"/night/{night}/print/{kind}", accept_language=language).body.decode()
            for kind in ("seats", "standings")
        )
        resting = hub.view(night)["names"][hub.view(night)["rounds"][0]["sitting_out"][0]]
        assert f">{sentence.replace('Cy', resting)}</p>" in seats
        assert "\N{MINUS SIGN}9" in standings
        assert not re.search(r"[\s(]-\d", re.sub(r"\d-\d", "", "".join(re.findall("<small>(.*?)</small>", standings))))


def test_what_cannot_be_printed_is_not_found(shown):
    _, night, director = shown
    assert director.get(f"/night/{night}/print/money").status == 404


@pytest.mark.parametrize(("language", "word"), [("en-GB", "Check in"), ("fr-CA", "S\u2019enregistrer")])
def test_pages_are_in_the_language_that_the_browser_prefers(shown, language: str, word: str):
    hub, _, _ = shown
    page = hub.client().get("/d/", Accept_Language=language).body.decode()
    assert f'<html lang="{language[:2]}"' in page
    assert word in page


def test_the_texts_of_a_page_are_kept_for_ever_under_their_own_name(shown):
    hub, night, director = shown
    place = re.search(r'data-words="([^"]+)"', director.get(f"/night/{night}").body.decode())[1]
    answer = hub.client().get(place)
    assert "immutable" in answer.headers["cache-control"]
    assert hub.client().get("/words/hub/en/nothing-0123456789ab.js").status == 404
    assert hub.client().get("/words/hub/tlh/desk-0123456789ab.js").status == 404


def test_the_phone_page_is_that_of_its_player_and_of_nobody_else(shown):
    hub, night, director = shown
    phone = hub.client()
    assert phone.get(f"/night/{night}/me").status == 302
    phone.post("/night/v1/card", code=director.get(f"/night/v1/{night}/players/p1/code").json["code"])
    assert 'data-player="p1"' in phone.get(f"/night/{night}/me").body.decode()
    assert 'data-player="p1"' in phone.get(f"/night/{night}/me?player=p2").body.decode()
    assert 'data-player="p2"' in director.get(f"/night/{night}/me?player=p2").body.decode()


def test_a_name_cannot_break_out_of_a_page(tmp_path):
    with opened_hub(tmp_path / "hub") as hub:
        night, director = hub.open_night(), hub.director()
        hub.do(night, "enter", name='</script><script>alert("1")</script>', walk_up=True)
        for path in (f"/night/{night}/print/cards", f"/night/{night}/print/standings", f"/night/{night}/me?player=p1"):
            assert "<script>alert" not in director.get(path).body.decode()


def test_a_page_that_is_not_there_says_so_in_words(quiet_hub: HubSite):
    answer = quiet_hub.client().get("/nowhere", Accept="text/html")
    assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert quiet_hub.client().get("/night/v1/nowhere", Accept="text/html").refusal[0] == 404


def test_a_host_that_is_not_the_hubs_own_is_refused(quiet_hub: HubSite):
    client = Client(quiet_hub.server.port)
    assert client.get("/", Host="elsewhere.example").refusal == (400, "bad_host")
    page = client.get("/", Host="elsewhere.example", Accept="text/html").body.decode()
    assert f'<a href="http://127.0.0.1:{quiet_hub.server.port}/">' in page


def test_a_blank_card_has_a_row_for_each_game_that_anybody_can_have(hub: HubSite):
    long, match = (
        hub.open_night(games=14),
        hub.open_night(games=3, table_games=[2, 5, 4], movement="match", format="teams"),
    )
    for night, rows in ((long, 14), (match, 5)):
        page = hub.director().get(f"/night/{night}/print/blank?cards=1").body.decode()
        assert page.count('<td class="number">') == rows
