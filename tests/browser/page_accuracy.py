"""Whole games of dealt cards tapped through a page, and what it shows after every tap beside the truth.

`page_rates(games, *ways)` starts a program and a browser of its own and tells how often the page is wrong.
"""

import random
import re
import tempfile
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

from pegboard.core.house_rules import with_house_rules
from pegboard.core.rules import Rules
from tests.browser.conftest import SIZES
from tests.browser.laid_games import Table
from tests.browser.pad import mean_it
from tests.conftest import chromium
from tests.core.course_accuracy import WAYS, ZEROS, group
from tests.core.shown_mistakes import Wrong, true_hints, wrong_reasons
from tests.support.dealing import MIX, game, table_of
from tests.support.player_names import SIX
from tests.support.program import Service

PLAYERS = ("Ann", "Bob")
ON_THE_PAD = {*range(1, 13), 14, 16, 20, 24}
"""Points that have a key of their own; the others stand behind More."""

EVERYBODY = "localStorage.setItem('pegboard.holder', JSON.stringify({seat: null, name: null}))"

SETTLED = """([at, line]) => {
    if (Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))) return false;
    if (document.body.classList.contains('over')) return true;
    const key = document.querySelector(`#${at}was-of [data-line]`);
    return key?.dataset.line === line || !document.getElementById(`${at}trouble`).hidden;
}"""
"""Whether a tap has been answered and is the last line that the page shows, or was refused, or ended the game."""

SEEN = """at => ({
    over: document.body.classList.contains('over'),
    refused: !document.getElementById(`${at}trouble`).hidden,
    hint: document.getElementById('hint').textContent,
    unsure: document.querySelector('.course.either') !== null,
    said: document.getElementById(`${at}what`).textContent,
    dealers: [...document.querySelectorAll('.tile:has(.d)')].map(tile => tile.querySelector('.name').textContent),
})"""
"""What a page shows to somebody who looks at it."""

LINES = """() => [...document.querySelectorAll('#entry-list .entry .what-line > :first-child')]
    .map(line => line.textContent)"""
"""The lines of the sheet as the page of the game tells them, newest first."""


class Phone:
    """One phone for all players: its keys are for one lane, until another is chosen; `names` are those of the lanes."""

    path, size = "/", "phone"

    def __init__(self, page, names=PLAYERS):
        self.page, self.names = page, names

    def at(self, _seat):
        return ""

    def choose(self, seat):
        """Choose whose points come, where the page has not done it; whether a tap was needed."""
        name = self.names[seat % len(self.names)]
        if self.page.locator("#keys").get_attribute("aria-label") == f"Points for {name}":
            return False
        self.page.locator("#scores .other", has=self.page.get_by_text(name, exact=True)).tap()
        return True


class Tablet(Phone):
    """A tablet between them: each lane has keys of its own."""

    path, size = "/tablet", "flat"

    def at(self, seat):
        return ("near-", "far-", "third-", "fourth-")[seat % len(self.names)]

    def choose(self, _seat):
        return False


DEVICES = {"phone": Phone, "tablet": Tablet}


def tap(device, seat, points, why):
    """Tap what a player taps: the key of a reason that is said, else the number."""
    keys = device.page.locator(f"#{device.at(seat)}keys")
    label = {("go", 1): "go", ("thirty-one", 2): "31", ("heels", 2): "heels"}.get((why, points))
    if label is not None:
        keys.locator(f"[data-label='{label}']").tap()
    elif points in ON_THE_PAD or not points:
        keys.locator(f"[data-points='{points}']:not([data-label])").first.tap()
    else:
        keys.locator("[data-call=more]").tap()
        device.page.locator(f"#{device.at(seat)}more-points [data-points='{points}']").tap()
    mean_it(device.page, device.at(seat))


def play_through(page, table, device, way, *, dice, wrong, kinds=MIX, zeros=ZEROS):
    """One dealt game through a page that is open; the first dealer is named at its start."""
    device = DEVICES[device](page)
    first = dice.randrange(2)
    table.lay(dealer=first)
    page.wait_for_function("() => !document.body.classList.contains('over')")
    page.locator("#course [data-stage]").first.wait_for()
    truths = game(dice, table_of(Rules.named("standard")), first, [dice.choice(kinds) for _ in PLAYERS])
    entered = [n for n, truth in enumerate(truths) if truth.points or dice.random() < zeros]
    for line, n in enumerate(entered, 1):
        truth, at = truths[n], device.at(truths[n].seat)
        wrong.besides["player chosen by hand"] += device.choose(truth.seat)
        tap(device, truth.seat, truth.points, truth.why if truth.why in WAYS[way] else None)
        page.wait_for_function(SETTLED, arg=[at, f"{line}"])
        compare(page.evaluate(SEEN, at), truths, n, set(entered), wrong)
    final(page, table, [truths[n] for n in entered], wrong)
    wrong.games += 1


STANDS = """tally => {
    if (Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))) return false;
    const tiles = [...document.querySelectorAll('.tile')].filter(tile => tile.closest('[hidden]') === null);
    const text = (tile, part) => tile.querySelector(part).textContent;
    const shown = Object.fromEntries(tiles.map(tile => [text(tile, '.name'), Number(text(tile, '.hero'))]));
    const names = Object.keys(tally);
    return tiles.length === names.length && names.every(name => shown[name] === tally[name]);
}"""
"""Whether a page shows these scores and no others, by the names of the lanes, and no tap is on its way."""


ONCE_AROUND = ("game hole=61",)
"""A few deals: what more of them show is shown without a browser (`tests/core/test_large_tables.py`)."""


def tally_through(page, table, device, variant, dice):
    """One dealt game of any variant through a page that is open, whose scores are those of a tally after each entry."""
    rules = with_house_rules(Rules.named(variant), ONCE_AROUND)
    players, lanes = SIX[: rules.seats], rules.lanes
    names = [" & ".join(players[lane::lanes]) for lane in range(lanes)]
    first = dice.randrange(rules.seats)
    table.lay(players=players, variant=variant, dealer=first, house=ONCE_AROUND)
    page.reload()  # a phone that was everyone's asks other players whose it is
    device = DEVICES[device](page, names)
    truths = game(dice, table_of(rules), first, [dice.choice(MIX) for _ in players])
    entered = [truth for truth in truths if truth.points or dice.random() < ZEROS]
    tally = dict.fromkeys(names, 0)
    for truth in entered:
        page.wait_for_function(STANDS, arg=tally)
        device.choose(truth.seat)
        tap(device, truth.seat, truth.points, truth.why if truth.why in WAYS["said"] else None)
        whose = names[truth.seat % lanes]
        tally[whose] = min(rules.game_hole, tally[whose] + truth.points)
    page.locator("body.over").wait_for()
    state = table.state
    assert [lane["front"] for lane in state["lanes"]] == [tally[name] for name in names]
    assert tally[names[state["game"]["winner"]]] == rules.game_hole
    assert len(table.client.ask("GET", "/api/v1/sheet")[1]["entries"]) == len(entered), "one tap is one line"


def compare(seen, truths, n, entered, wrong):
    """Count what a page shows wrong after an entry."""
    truth = truths[n]
    wrong.entries += 1
    wrong.refused += seen["refused"]
    if seen["over"]:
        return
    wrong.live += reason_of(seen["said"]) != group(truth.why)
    wrong.under_the_dealer(map(PLAYERS.index, seen["dealers"]), truth)
    wrong.unsure += seen["unsure"]
    wrong.hints += not seen["unsure"] and seen["hint"] not in set(true_hints(truths, n, entered, hints_of))


def reason_of(said):
    """The reason in a line such as "Ann +2, likely play", those of the play as one."""
    why = re.search(r", (?:likely )?([a-z-]+)$", said.strip())
    return why and group(why[1])


def hints_of(truth, begun):
    """What a person at the table would say when this entry is the next; a shared phone names the keys by it."""
    name = PLAYERS[truth.seat]
    if truth.why in ("hand", "crib"):
        return {f"Show: {name} counts the {truth.why}", f"Points for {name}: the {truth.why}"}
    return {"Play" if begun else f"{PLAYERS[truth.dealer]} deals"}


def final(page, table, truths, wrong):
    """Count the reasons that the sheet of the finished game shows wrong."""
    sheet = page.context.new_page()
    sheet.goto(f"{table.url}/history/{table.state['game']['id']}")
    sheet.locator("#entry-list .entry").first.wait_for(state="attached")
    lines = sheet.evaluate(LINES)[::-1]
    sheet.close()
    assert len(lines) == len(truths), "one tap is one line"
    wrong.finally_ += wrong_reasons(map(reason_of, lines), truths)


# --- for the benchmark ---


@contextmanager
def opened(device):
    """A page of a program and a browser that live as long as this: `(page, table)`."""
    width, height = SIZES[DEVICES[device].size]
    with tempfile.TemporaryDirectory() as folder, Service(f"{folder}/state") as program, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, reduced_motion="reduce", locale="en-GB"
        )
        context.add_init_script(EVERYBODY)
        page, table = context.new_page(), Table(program)
        table.lay()
        page.goto(table.url + DEVICES[device].path)
        page.locator(".link.live").wait_for()
        yield page, table
        browser.close()


def page_rates(games, *ways, device="phone", kinds=MIX, seed=77):
    """So many dealt games entered in each way through the real page in a browser: each way, and what was shown wrong.

    The ways are of `course_accuracy.WAYS`; players have not been learned from where `kinds` are others.
    """
    with opened(device) as (page, table):
        for way in ways:
            wrong, dice = Wrong(), random.Random(f"{seed} {way} {device}")
            for _ in range(games):
                play_through(page, table, device, way, dice=dice, wrong=wrong, kinds=kinds)
            yield way, wrong
