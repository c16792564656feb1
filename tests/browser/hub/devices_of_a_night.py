"""Devices of a night, by what people do with them: the desk, a phone, a phone without a picture, the big screen."""

import contextlib
import json
import re

from playwright.sync_api import TimeoutError as NotInTime
from playwright.sync_api import expect

from tests.browser.hub.plain_night import signed
from tests.support.hub_site import Client, request_id
from tests.support.waiting import soon

STANDINGS = """() => [...document.querySelectorAll("#standings tr")].map((row) => [
    row.querySelector(".name").textContent,
    [...row.querySelectorAll("td")].slice(1).map((cell) => cell.textContent),
]).sort(([one], [other]) => (one < other ? -1 : 1))"""
"""Rows of a page by name, without the place: on the desk points, won and lost, spread, plus, skunks, games."""

PLACES = """() => [...document.querySelectorAll("#standings tr")].map((row) => [
    row.querySelector(".name").textContent, Number(row.querySelector("td").textContent),
])"""

CARD = """() => [...document.querySelectorAll("#card-rows tr")].map((row) => [
    row.querySelector(".name").textContent,
    ...[...row.querySelectorAll(".number")].slice(1).map((cell) => cell.textContent),
]).filter((row) => row.length > 1).sort(([one], [other]) => (one < other ? -1 : 1))"""
"""What counts on a player's card: against whom, game points, spread."""

GAMES = """() => [...document.querySelectorAll("#games li.game")].map((tile) => ({
    key: tile.dataset.key,
    table: tile.querySelector("header b").textContent.replace("Table ", ""),
    names: [...tile.querySelectorAll(".line .name")].map((name) => name.textContent),
    state: tile.classList[1],
}))"""

DECISIONS = "**/night/v1/decisions"
"""Where a page sends what is decided."""

LIVE, LOST = ".link.live", ".link.lost"


def soon_shows(page, script, wanted):
    """Wait until what `script` reads from a page is `wanted`; else say how they differ."""
    try:
        page.wait_for_function(f"(wanted) => JSON.stringify(({script})()) === wanted", arg=packed(wanted))
    except NotInTime:
        found, wanted = page.evaluate(script), json.loads(packed(wanted))
        lacks, has = [one for one in wanted if one not in found], [one for one in found if one not in wanted]
        raise AssertionError(f"{page.url} lacks {lacks}, and has {has}") from None


def packed(value):
    """JSON as a browser writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Device:
    """A page that is opened once, and never again: whatever ends, it comes back by itself."""

    def __init__(self, page):
        self.page, self.sheet = page, page.locator("#sheet")

    def open(self, url):
        self.page.goto(url)
        return self.was_opened()

    def was_opened(self):
        expect(self.page.locator(LIVE)).to_be_visible()
        self.page.evaluate("() => { window.neverReloaded = true; }")
        return self

    def is_as_it_was_opened(self):
        return self.page.evaluate("() => window.neverReloaded === true")

    def choose(self, text):
        """One of the choices in a sheet, by how it begins."""
        beginning = re.compile(rf"^{re.escape(text)}")
        self.sheet.locator("label.choice").filter(has=self.page.locator("b", has_text=beginning)).first.click()

    def submit(self, name):
        """Press the key of a sheet, which closes."""
        self.sheet.get_by_role("button", name=name, exact=True).click()
        expect(self.sheet).not_to_be_visible()


class Screen(Device):
    """The big screen."""

    def soon_agrees(self, plain):
        if plain.games:
            soon_shows(self.page, STANDINGS, [[name, plain.short_row(name)] for name in sorted(plain.people)])


class Desk(Device):
    """A director's desk; every press is counted."""

    def __init__(self, page):
        super().__init__(page)
        self.taps = 0

    def tap(self, name, within="main", exact=True):
        self.page.locator(within).get_by_role("button", name=name, exact=exact).first.click()
        self.taps += 1

    def tap_in_vain(self, name, within="main"):
        """Press a key that is out of use; the reason that stands beside it then."""
        self.page.locator(within).get_by_role("button", name=name, exact=True).click(force=True)
        self.taps += 1
        return self.page.locator(within).locator(".why")

    def tab(self, name):
        """Turn to a part of the desk, unless it is there."""
        if self.page.get_by_role("tab", name=name, selected=False).count():
            self.page.get_by_role("tab", name=name).click()
            self.taps += 1

    def submit(self, name):
        super().submit(name)
        self.taps += 1

    def field(self, label, value):
        self.sheet.get_by_label(label).fill(value)

    @contextlib.contextmanager
    def first_answer_lost(self, lose):
        """Meanwhile one decision is made, whose first answer comes to nothing by `lose(route, answer)`.

        It is sent again, and its route stays until then: a test does not always hear of answers that come while a
        browser takes a route away.
        """
        answers = []

        def answer(route):
            answers.append(route.fetch())
            return lose(route, answers[0]) if len(answers) == 1 else route.fulfill(response=answers[-1])

        self.page.route(DECISIONS, answer)
        yield
        soon(lambda: self.page.title() and len(answers) == 2)  # routes are served while something is asked of the page
        self.page.unroute(DECISIONS)
        assert [one.status for one in answers] == [201, 200]
        assert answers[1].json()["replayed"]

    # --- games ---

    def round(self, number):
        """Show a round; the games that it has."""
        self.tab("Games")
        key = self.page.locator(f'#rounds [data-opens="round {number}"]')
        key.click()
        expect(self.page.locator(f'#rounds [data-opens="round {number}"][aria-pressed=true]')).to_be_visible()
        return self.page.evaluate(GAMES)

    def rounds(self):
        return self.page.locator("#rounds li").count()

    def tile(self, game):
        return self.page.locator(f'#games li.game[data-key="{game["key"]}"]')

    def write_result(self, game, winner, margin):
        """Fill in the sheet of a result on paper; it is not sent yet."""
        self.tile(game).get_by_role("button", name=re.compile("^Result")).click()
        self.taps += 1
        self.choose(winner)
        self.field("By how many holes", f"{margin}")

    def enter_result(self, game, winner, margin):
        self.write_result(game, winner, margin)
        self.submit("Enter the result")

    def more(self, game):
        """Open all that can be done about a game."""
        self.tile(game).get_by_role("button", name=re.compile("^More")).click()
        self.taps += 1

    # --- matches and pots ---

    def match(self, bracket, names):
        found = bracket.locator(".match:has(button)")
        for name in names:
            found = found.filter(has=self.page.get_by_text(name, exact=True))
        return found

    def enter_match_game(self, bracket, names, winner, margin):
        self.tab("Finals")
        self.match(bracket, names).get_by_role("button", name="Result").click()
        self.choose(winner)
        self.field("By how many holes", f"{margin}")
        self.submit("Enter the result")

    def does_not_come(self, bracket, names, player):
        self.match(bracket, names).get_by_role("button", name="Result").click()
        self.sheet.get_by_role("button", name="No-show").click()
        self.choose(player)
        self.submit("Record no-show")

    def pot(self, name):
        return self.page.locator("#pots li.pot").filter(has=self.page.get_by_role("heading", name=name, exact=True))

    def enter_pot(self, name, players):
        """Have these players in a pot, each by a tap."""
        self.pot(name).get_by_role("button", name="Choose players").click()
        for player in players:
            row = self.sheet.locator("li").filter(has=self.page.get_by_text(player, exact=True))
            row.get_by_role("button", name="Full share", exact=True).click()
        expect(self.sheet.get_by_role("button", name="Remove")).to_have_count(len(players))
        self.submit("Close")

    # --- standings ---

    def soon_has_places_of(self, plain):
        """Who has more is before who has less; equals share a place, unless their own games have parted them."""
        self.soon_agrees(plain)
        for name, place in self.page.evaluate(PLACES):
            better = sum(plain.key(other) > plain.key(name) for other in plain.people)
            equal = sum(plain.key(other) == plain.key(name) for other in plain.people)
            assert better < place <= better + equal, name

    def soon_agrees(self, plain):
        """What the desk shows is what the test has added up."""
        soon_shows(self.page, STANDINGS, [[name, plain.row(name)] for name in sorted(plain.people)])
        assert self.page.locator("#checks .ill").count() == 0


class Phone(Device):
    """A player's phone."""

    def __init__(self, page, name):
        super().__init__(page)
        self.name = name

    def tap(self, name):
        self.page.locator("main").get_by_role("button", name=name, exact=True).first.tap()

    def claim(self, *, won, margin, other, key="Enter my result"):
        """Say what the card says."""
        self.tap(key)
        self.choose("I won" if won else f"{other} won")
        self.sheet.get_by_label("By how many holes").fill(f"{margin}")
        self.submit("Send")

    def soon_agrees(self, plain):
        """The card is what the test has added up."""
        mine = [values for values in plain.games.values() if self.name in values]
        rows = [[other, *value(values[self.name])] for values in mine for other in values if other != self.name]
        soon_shows(self.page, CARD, sorted(rows))
        expect(self.page.locator("#card-total")).to_have_text(plain.total(self.name))
        soon_shows(self.page, STANDINGS, [[name, plain.short_row(name)] for name in sorted(plain.people)])


def value(counts):
    points, net = counts
    return f"{points}", signed(net)


class PlainPhone:
    """A phone that nobody looks at: it sends what a page would."""

    def __init__(self, port, night, name):
        self.client, self.night, self.name, self.player = Client(port), night, name, ""

    def come_in(self, code):
        """Check in at the door as one who is on the roster, else by the name."""
        listed = self._post("/night/v1/door/list", code=code)["players"]
        found = [one["player"] for one in listed if one["name"] == self.name]
        who = {"player": found[0]} if found else {"name": self.name, "number": ""}
        self.player = self._post("/night/v1/door", code=code, **who)["player"]
        return self

    @classmethod
    def of_page(cls, port, night, phone):
        """What the page of a phone would send, without a tap."""
        found = cls(port, night, phone.name)
        found.client.cookies = {one["name"]: one["value"] for one in phone.page.context.cookies()}
        found.player = phone.page.evaluate("() => document.body.dataset.player")
        return found

    def claim(self, game, *, won, margin):
        self._decide("claim", game, won=won, margin=margin)

    def confirm(self, game):
        self._decide("confirm", game)

    def _decide(self, word, game, **values):
        more = {"night": self.night, "as": "player", "player": self.player, "game": game["key"]}
        self._post("/night/v1/decisions", do=word, **more, **values)

    def _post(self, path, **values):
        answer = self.client.post(path, id=request_id(), **values)
        assert answer.status in (200, 201), answer.body
        return answer.json
