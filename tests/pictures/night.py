"""Takes the pictures of a tournament night into docs/pictures, from a demo night: `python -m tests.pictures.night`."""

import contextlib
import random
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from pegboard.startup.hub_demo import RunningDemo
from pegboard.tournament.night.night_state import Author, Role
from tests.conftest import chromium
from tests.pictures.web import keep
from tests.support.hub_site import request_id
from tests.support.scripted_director import ScriptedDirector
from tests.support.waiting import soon

SIZES = {"desk": (1280, 800), "phone": (390, 844), "tv": (1920, 1080)}
SPEED, GAMES = 100, 3
HOLES_IN_MIDST = 130
"""Holes that both players of a game have together in the midst of it."""


class NightCamera:
    """Browsers with the cookies of a director, which look at one night."""

    def __init__(self, browser, demo):
        self._browser, self.demo = browser, demo
        self.director = ScriptedDirector(demo)
        self._url = f"http://127.0.0.1:{demo.hub.server.port}"
        self._shots = {}

    def open(self, size, path=""):
        width, height = SIZES[size]
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, has_touch=size == "phone", reduced_motion="reduce"
        )
        cookies = self.director.client.cookies.items()
        context.add_cookies([{"name": name, "value": value, "url": self._url} for name, value in cookies])
        page = context.new_page()
        page.goto(f"{self._url}/night/{self.demo.night.id}{path}")
        page.locator(".link.live").wait_for()
        return page

    def take(self, page, name):
        page.wait_for_timeout(300)
        self._shots[name] = page.screenshot()

    def keep_all(self):
        """Write the files at last, since that takes longer than a game."""
        for name, shot in self._shots.items():
            keep(shot, f"night_{name}.png")


def before_the_draw(camera):
    desk = camera.open("desk")
    camera.director.check_in_all()
    expect(desk.locator("#roster")).to_contain_text("Checked in (22)")
    camera.take(desk, "people")


def while_a_game_is_played(camera):
    desk, screen = camera.open("desk", "#tab=games"), camera.open("tv", "/screen")
    phone = camera.open("phone", "/me?player=p1")
    camera.director.do("draw")
    camera.director.do("start_round", round=1)
    tables = camera.demo.hub.nights.feed.tables
    soon(lambda: all(is_midway(row) for row in tables(camera.demo.night.id).values()), 30)
    for page, name in ((desk, "games"), (screen, "screen"), (phone, "phone")):
        camera.take(page, name)
    soon(lambda: camera.director.round(1)["state"] == "done", 60)


def is_midway(row):
    state = row["state"] or {}
    return state.get("over") or sum(state.get("scores", ())) > HOLES_IN_MIDST


def a_ruling(camera):
    """Two phones that say otherwise, before the table has the result."""
    desk, director = camera.open("desk", "#tab=games"), camera.director
    director.do("start_round", round=2)
    game = director.round(2)["games"][0]
    for player, won, margin in zip(game["players"], (True, False), (21, 16), strict=True):
        request = {"do": "claim", "game": game["game"], "player": player, "won": won, "margin": margin}
        camera.demo.hub.nights.decide(camera.demo.night.id, request, Author(Role.PLAYER, player), request_id())
    desk.locator("#needs").get_by_role("button", name="Rule").click()
    expect(desk.locator("#sheet")).to_be_visible()
    camera.take(desk, "ruling")
    ruling = next(one for one in director.round(2)["games"][0]["rulings"] if one["possible"])
    director.do("rule", game=game["game"], letter=ruling["letter"])


def the_bracket(camera):
    director = camera.director
    soon(lambda: director.round(2)["state"] == "done", 60)
    director.do("draw")
    for one in director.view()["rounds"]:
        if one["state"] == "drawn":
            director.play_round(one["round"])
    director.settle_ties()
    director.do("close_cut")
    director.do("draw_bracket", bracket="main")
    director.play_matches(2)
    camera.take(camera.open("desk", "#tab=finals"), "bracket")


def main():
    """Take them all."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        demo = RunningDemo(Path(folder), 0, speed=SPEED, games=GAMES, dice=random.Random(19))
        stack.enter_context(demo)
        plays = stack.enter_context(sync_playwright())
        plain = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        browser = plays.chromium.launch(executable_path=chromium(), args=plain)
        stack.callback(browser.close)
        camera = NightCamera(browser, demo)
        for look in (before_the_draw, while_a_game_is_played, a_ruling, the_bracket):
            look(camera)
        camera.keep_all()


if __name__ == "__main__":
    main()
