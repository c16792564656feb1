"""How fast a game is entered: taps and seconds on the real pages, against the scheme of adding by ones to sixes."""

import itertools
import json
import math
import random
import statistics
from pathlib import Path

from playwright.sync_api import sync_playwright

import pegboard
from tests.browser.laid_games import Table
from tests.browser.pad import mean_it
from tests.conftest import chromium
from tests.support.program import Service

OPTIONS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
]

ENTRIES = 54
"""Of a game of real length: the mean of simulated games of 6.2 entries a deal is 53.5."""

DECIDE, TAP = 1.35, 0.4
"""Seconds, by the keystroke-level model: to make up one's mind (M), and to tap a key that one sees (K, thumbs)."""

PEERS = range(1, 7)
"""Keys of the best peer: +1 to +6 add up, and a key of its own enters the sum."""

UNDER_MORE = {13, 15, 17, 18, 21, 22, 23, 28, 29}

PACK = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "CDHS"]
COUNTS = {rank: min(place, 10) for place, rank in enumerate("A23456789TJQK", 1)}


# --- a game ---


def game(entries=ENTRIES):
    """The first game of so many entries, by seed: a seat, its points and what they are for, each."""
    return next(lines for seed in itertools.count() if len(lines := dealt(seed)) == entries)


def dealt(seed):
    """One game between two who keep what counts most and lay what pegs most."""
    dice, fronts, lines = random.Random(seed), [0, 0], []
    for dealer in itertools.cycle((0, 1)):
        for seat, points, why in deal(dice, dealer):
            lines.append((seat, points, why))
            fronts[seat] += points
            if fronts[seat] >= 121:
                return lines
    raise AssertionError("somebody always wins")


def deal(dice, dealer):
    """The entries of one deal, in the order of the table; an empty hand is entered as zero, an empty crib is not."""
    cards = dice.sample(PACK, 13)
    starter, pone = cards[12], 1 - dealer
    hands = {pone: kept(cards[:6]), dealer: kept(cards[6:12])}
    crib = [card for card in cards[:12] if card not in hands[0] + hands[1]]
    if starter[0] == "J":
        yield dealer, 2, "heels"
    yield from played(hands, pone)
    for seat in (pone, dealer):
        yield seat, pegboard.count_show(" ".join(hands[seat]), starter=starter, crib=False).points, "hand"
    if points := pegboard.count_show(" ".join(crib), starter=starter, crib=True).points:
        yield dealer, points, "crib"


def kept(six):
    """The four cards that count most before the starter is turned."""
    return max((list(four) for four in itertools.combinations(six, 4)), key=lambda four: sum(pairs(four)))


def pairs(four):
    """What fifteens, pairs and runs of four cards are worth."""
    for many in (2, 3, 4):
        for cards in itertools.combinations(four, many):
            places = sorted("A23456789TJQK".index(card[0]) for card in cards)
            yield 2 * (sum(COUNTS[card[0]] for card in cards) == 15)
            yield 2 * (many == 2 and places[0] == places[1])
            yield many * (many > 2 and places == list(range(places[0], places[0] + many)))


def played(hands, leads):
    """The play: the card that pegs most, else the highest that fits; a go and the last card are one each."""
    left, turn, laid, last = {seat: list(cards) for seat, cards in hands.items()}, leads, [], leads
    while left[0] or left[1]:
        room = 31 - sum(COUNTS[card[0]] for card in laid)
        fits = [card for card in left[turn] if COUNTS[card[0]] <= room]
        if not fits:
            other = [card for card in left[1 - turn] if COUNTS[card[0]] <= room]
            if not other:
                yield last, 1, "go"
                laid, turn = [], 1 - last
            else:
                turn = 1 - turn
            continue
        card = max(fits, key=lambda card: (pegged([*laid, card]), COUNTS[card[0]]))
        laid.append(card)
        left[turn].remove(card)
        last = turn
        if points := pegged(laid):
            yield turn, points, "play"
        if sum(COUNTS[one[0]] for one in laid) == 31:
            laid = []
        turn = 1 - turn
    if laid:
        yield last, 1, "play"


def pegged(laid):
    return pegboard.count_play(" ".join(card[0] for card in laid)).points


# --- taps ---


def taps_here(points):
    """One, or two where the points are under More."""
    return 2 if points in UNDER_MORE else 1


def taps_there(points):
    """Enough of +1 to +6 for the sum, and one to enter it."""
    return math.ceil(points / max(PEERS)) + 1


def modelled(taps, entries):
    return entries * DECIDE + taps * TAP


def taps_of(schemes, lines):
    return {name: sum(taps(points) for _, points, _ in lines) for name, taps in schemes.items()}


SCHEMES = {"pegboard": taps_here, "+1 to +6 and enter": taps_there}


# --- what the page itself measures ---

STOPWATCH = """() => {
  window.seen = [];
  const at = () => performance.timeOrigin + performance.now();
  const note = what => requestAnimationFrame(() => window.seen.push([what, at()]));
  const slab = document.getElementById("slab"), every = {childList: true, characterData: true, subtree: true};
  const number = new MutationObserver(() => note("number"));
  for (const hero of document.querySelectorAll(".hero")) number.observe(hero, every);
  new MutationObserver(() => slab.querySelector(".coming") && note("mark")).observe(slab, every);
  addEventListener("pointerup", () => window.seen.push(["tap", at()]), true);
}"""


def latencies(tapping, looking, times=12):
    """Milliseconds from a lifted finger: to the waiting mark, to the stored number there, to it on another phone."""
    for page in (tapping, looking):
        page.evaluate(STOPWATCH)
    figures = {"mark": [], "here": [], "there": []}
    for n in range(times):
        before = tapping.locator(".mine .hero").inner_text()
        for page in (tapping, looking):
            page.evaluate("() => { window.seen.length = 0 }")
        tapping.get_by_role("button", name=f"{2 + n % 2}", exact=True).tap()
        for page in (tapping, looking):
            page.wait_for_function("() => window.seen.some(([what]) => what === 'number')")
        assert tapping.locator(".mine .hero").inner_text() != before
        here, there = (dict(reversed(page.evaluate("() => window.seen"))) for page in (tapping, looking))
        figures["mark"].append(here["mark"] - here["tap"])
        figures["here"].append(here["number"] - here["tap"])
        figures["there"].append(there["number"] - here["tap"])
    return figures


# --- the bench ---


def phone(browser, url, seat, name):
    device = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    held = json.dumps(json.dumps({"seat": seat, "name": name}))
    device.add_init_script(f"localStorage.setItem('pegboard.holder', {held})")
    page = device.new_page()
    page.goto(url)
    page.locator(".link.live").wait_for()
    return page


def enter(phones, table, lines):
    """Tap the whole game in, each on the phone of its seat; taps, and milliseconds until each was stored."""
    taps, took = 0, []
    for seat, points, why in lines:
        page = phones[seat]
        begun = page.evaluate("() => performance.now()")
        taps += tap(page, points, why)
        mean_it(page)
        page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('pegboard.tap.'))")
        took.append(page.evaluate("() => performance.now()") - begun)
    state = table.state
    assert state["game"]["over"], "the game was not entered to its end"
    return taps, took


def tap(page, points, why):
    """Tap what a player would: the key of the call where there is one, else the number."""
    if points in UNDER_MORE:
        page.locator("#more").tap()
        page.locator(f"#more-points [data-points='{points}']").tap()
        return 2
    special = (
        f"#keys [data-why={why}][data-label]"
        if why in ("go", "heels")
        else f"#keys [data-points='{points}']:not([data-label])"
    )
    page.locator(special).first.tap()
    return 1


def entry(budgets, folder):
    """A recorded game of 54 entries, tapped into two phones."""
    lines = game()
    with Service(Path(folder) / "state") as service, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=OPTIONS)
        table = Table(service).lay()
        phones = [phone(browser, service.url, seat, name) for seat, name in enumerate(("Ann", "Bob"))]
        taps, took = enter(phones, table, lines)
        table.lay()
        figures = latencies(phones[0], phones[1], times=budgets.samples(40, quick=5))
        browser.close()
    counted = taps_of(SCHEMES, lines)
    assert taps == counted["pegboard"]
    budgets.add(f"taps for {len(lines)} entries on the phone page", [taps], counted["+1 to +6 and enter"] - 1, "")
    budgets.add("  the same with +1 to +6 and enter", [counted["+1 to +6 and enter"]], None, "")
    for name, count in counted.items():
        budgets.add(f"  modelled seconds, {name}", [modelled(count, len(lines))], None, "s")
    budgets.add("entry tapped to stored, with the browser's own hand", took, None, "ms")
    budgets.add("tap to the waiting mark", figures["mark"], 50, "ms", of="median")
    budgets.add("tap to the stored number on the own screen", figures["here"], 150, "ms", of="median")
    budgets.add("tap to the stored number on another phone", figures["there"], 150, "ms", of="median")
    assert statistics.median(took) > 0
