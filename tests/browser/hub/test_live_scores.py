"""Pegs of a table that plays: each score beside its own player, however the two sit at the board."""

import pytest
from playwright.sync_api import expect

LINES = """(lines) => lines.map((line) => [
    line.querySelector(".name").textContent, line.querySelector("b.number").textContent,
])"""


@pytest.mark.sampled
@pytest.mark.parametrize("is_turned", [True, False])
def test_a_score_stands_beside_its_player_on_desk_and_screen(hub, open_desk, open_device, is_turned):
    night = hub.open_night(games=1)
    hub.enter(night, 2)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    view = hub.view(night)
    (game,) = view["rounds"][0]["games"]
    seats = [(view["names"][player], score) for player, score in zip(game["players"], (97, 104), strict=True)]
    at_the_board = seats[::-1] if is_turned else seats
    state = {"players": [name for name, _ in at_the_board], "scores": [score for _, score in at_the_board]}
    now = hub.clock[0]
    hub.feed.rows[game["table"]] = {"online": True, "since": now, "last_at": now, "state": state}
    desk = open_desk(night)
    desk.tab("Games")
    screen = open_device("tv")
    screen.goto(f"{hub.url}night/{night}/screen")
    for page in (desk.page, screen):
        expect(page.locator("#games .line b.number")).to_have_count(2)
        assert page.locator("#games .line").evaluate_all(LINES) == [[name, f"{score}"] for name, score in seats]
