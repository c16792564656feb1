"""A game whose sheet is full, and lists that replay only what is new of the game in progress."""

import pytest

from pegboard.core import referee
from pegboard.storage.games import History
from tests.support.web_server_and_clients import Site


def test_a_full_sheet_is_refused_in_words_in_both_languages_and_the_next_game_begins(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(referee, "MOST_LINES", 3)
    for _ in range(3):
        assert site.score(0, 1).status == 201
    with site.as_it_was():
        answer = site.score(0, 1)
        assert answer.refusal == (422, "rule")
        assert answer.json["key"] == "sheet_full"
        assert answer.json["detail"] == "the score sheet has 3 lines, which is the limit; start the next game"
        assert answer.json["rule"].endswith("#the-sheet")
    assert site.command(do="undo", entry="3").status == 201
    start = {"variant": "standard", "players": ["Ann", "Bob"], "replaces": site.game}
    assert site.on_board("start", **start).status == 201
    assert site.score(0, 1).status == 201


def test_the_keys_say_so_too(site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(referee, "MOST_LINES", 1)
    for _ in range(2):
        site.scoreboard.keys.dial(0, 5)
        site.scoreboard.keys.peg(0)
    assert site.fronts == [5, 0]
    assert site.scoreboard.view.notice.startswith("the score sheet has 1 lines, which is the limit")


def test_what_is_cached_of_the_game_on_the_table_is_what_a_fresh_look_finds(site: Site):
    lists = site.scoreboard.history
    for n in range(12):
        assert site.score(n % 2, n % 5).status == 201
        if n % 3 == 2:
            assert site.on_board("undo").status == 201
        if n == 7:
            assert site.command(do="rename", seat=0, to="Cy", **{"from": "Ann"}).status == 201
        fresh = History(lists.folder)
        assert lists.games(20) == fresh.games(20)
        assert lists.game(site.game) == fresh.game(site.game)
        sheets = [history.render_sheet(site.game, lambda sheet: sheet) for history in (lists, fresh)]
        assert sheets == [site.scoreboard.view.game] * 2
