"""Parts of a night arrive one by one on a slow connection: whatever comes last, a page shows what a new one shows."""

import pytest

from tests.browser.hub.devices_of_a_night import Device, soon_shows

SLOW = """() => {
    const waiting = [], Own = EventSource;
    EventSource = class extends Own {
        addEventListener(kind, listener) {
            super.addEventListener(kind, kind === "part" ? (event) => waiting.push(() => listener(event)) : listener);
        }
    };
    let frames = 0;
    const deliver = () => {
        frames += 1;
        if (frames % 2 === 0) waiting.shift()?.();
        requestAnimationFrame(deliver);
    };
    deliver();
    window.partsWaiting = () => waiting.length;
}"""
"""Run in a page before its own scripts: it takes one part in each second frame."""

EVENING = "2026-11-26T20:00:00Z"
"""What all clocks of these pages say, for two may be opened on either side of a minute."""

SHOWN = """() => [...document.querySelectorAll("main li, main tr, main dl, main p, main h1")]
    .filter((node) => !node.closest("[hidden]:not([role=tabpanel])") && !node.querySelector("li"))
    .map((node) => `${node.id} ${node.textContent}`)"""
"""What stands on a page, in every part of the desk."""


def play(hub, night):
    """One decision of each kind that changes what pages show; a step at a time."""
    yield hub.do(night, "draw")
    yield hub.do(night, "start_round", round=1)
    first, second = (game for game in hub.view(night)["rounds"][0]["games"])
    one, other = first["players"]
    for player, won, margin in ((one, True, 21), (other, False, 16)):
        hub.do(night, "claim", game=first["game"], player=player, won=won, margin=margin)
    yield
    yield hub.do(
        night, "rule", game=first["game"], letter="judge", values=[{"points": 2, "net": 16}, {"points": 0, "net": -21}]
    )
    yield hub.do(night, "paper_result", game=second["game"], winner=second["players"][0], margin=40)
    hub.do(night, "enter", name="Player 5", walk_up=True)
    yield hub.do(night, "fee_paid", player=one, cents=1000)
    hub.do(night, "leave", player="p5")
    for game in [game for each in hub.view(night)["rounds"] for game in each["games"] if None in game["values"]]:
        hub.do(night, "paper_result", game=game["game"], winner=min(game["players"]), margin=9)
    yield
    hub.do(night, "close_cut")
    yield hub.do(night, "draw_bracket", bracket="main")
    yield hub.do(night, "end_night")


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize(("size", "path"), [("phone", "/me?player=p1"), ("desk", ""), ("tv", "/screen")])
def test_a_slow_page_ends_up_as_a_new_one(hub, open_device, size, path):
    night = hub.open_night(games=3, cut="2", fee=1000)
    hub.enter(night, 4)
    url, director = f"{hub.url}night/{night}{path}", hub.director()
    page = open_device(size, client=director)
    page.add_init_script(f"({SLOW})()")
    page.clock.set_fixed_time(EVENING)
    slow = Device(page).open(url)
    for _ in play(hub, night):
        new = open_device(size, client=director)
        new.clock.set_fixed_time(EVENING)
        newest = Device(new).open(url)
        new.wait_for_function("() => !document.querySelector('main.waiting')")
        slow.page.wait_for_function("() => !window.partsWaiting()")
        soon_shows(slow.page, SHOWN, newest.page.evaluate(SHOWN))
        new.close()
