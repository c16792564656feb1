"""Finals of a night: the tie at the cut, bracket and consolation, pots, the end, and the files that are taken home."""

import csv
import re
import subprocess

from playwright.sync_api import expect

from tests.browser.hub.story_of_a_night import PLACES
from tests.support.hub_program import HUB


def the_tie_is_broken_and_the_cut_closed(story):
    desk = story.desk
    why = desk.tap_in_vain("Close qualifying", within="#next-step")
    for name in story.tied:
        expect(why).to_contain_text(name)
    order = sorted(story.tied)
    desk.tap("Tie at the cutoff", within="#next-step")
    for name in order:
        desk.choose(name)
    desk.choose("A playoff game")
    desk.submit("Save order")
    desk.tab("Finals")
    above = [group[0] for group in story.plain.levels() if story.plain.key(group[0]) > story.plain.key(order[0])]
    story.seeds = [*above, *order][:PLACES]
    desk.tap("Close qualifying", within="#next-step")
    expect(desk.page.locator("#qualifiers .name")).to_have_text(story.seeds)
    expect(desk.page.locator("#cut")).to_contain_text(f"High non-qualifier: {[*above, *order][PLACES]}")
    story.agrees()


def the_bracket_is_played_to_its_winner(story):
    """Three in a bracket of four: the first seed has a bye. One game is entered for the wrong player, and undone."""
    desk, (first, second, third) = story.desk, story.seeds
    desk.tap("Draw the bracket", within="#next-step")
    expect(story.screen.page.locator("#headline")).to_have_text("The bracket")
    main = desk.page.locator("#brackets > section").first
    expect(main.locator(".bracket-round").nth(1)).to_contain_text(first)
    semi_final = [second, third]
    desk.enter_match_game(main, semi_final, third, 12)
    desk.enter_match_game(main, semi_final, third, 7)
    expect(main.locator(".bracket-round").nth(1)).to_contain_text(third)
    desk.tab("Log")
    desk.page.locator("#audit .said").first.get_by_role("button").click()
    desk.tab("Finals")
    expect(main.locator(".bracket-round").nth(1)).not_to_contain_text(third)
    desk.enter_match_game(main, semi_final, second, 7)
    desk.enter_match_game(main, semi_final, second, 31)
    final = [first, second]
    phone = story.phone(first)
    expect(phone.page.locator("#next")).to_contain_text("Final, first to 2")
    expect(phone.page.locator("#next")).to_contain_text(f"against {second}")
    desk.does_not_come(main, final, first)
    for _ in range(2):
        desk.enter_match_game(main, final, first, 10)
    for device in (desk, story.tablet):
        expect(device.page.locator("#next-step")).to_contain_text(f"{first} has won")
    expect(story.screen.page.locator("#headline")).to_have_text(f"{first} has won")
    story.agrees()


def who_is_out_plays_on(story):
    """A consolation of four, by their places; who chooses to go home is left out."""
    desk = story.desk
    out = [name for group in story.plain.levels() for name in group if name not in story.seeds]
    desk.tap("Draw a consolation")
    for name in out[4:]:
        desk.choose(name)
    desk.submit("Draw a consolation")
    bracket = desk.page.locator("#brackets > section").nth(1)
    expect(bracket.locator(".match")).to_have_count(3)
    matches = bracket.locator(".bracket-round").first.locator(".match")
    pairs = [matches.nth(at).locator(".side .name").all_inner_texts() for at in (0, 1)]
    assert sorted(name for pair in pairs for name in pair) == sorted(out[:4])
    for pair in pairs:
        for _ in range(2):
            desk.enter_match_game(bracket, pair, pair[0], 9)
    desk.tab("Finals")
    final = [pair[0] for pair in pairs]
    for _ in range(2):
        desk.enter_match_game(bracket, final, final[1], 9)
    expect(bracket).to_contain_text(f"{final[1]} has won")
    story.agrees()


def pots_are_opened_and_hit(story):
    desk, here = story.desk, [name for name in story.plain.people if name not in story.plain.gone]
    desk.tab("Money")
    story.in_pot = {"Q-pool": [name for name in here if name != "Cy"], "24-hand pot": ["Ann", "Bob", "Cy"]}
    for pot, fee in (("Q-pool", "5"), ("24-hand pot", "1.50")):
        desk.tap("Open a pot", within="#open-pot")
        desk.choose(pot)
        desk.field("Price per share (USD)", fee)
        desk.submit("Open a pot")
        desk.enter_pot(pot, story.in_pot[pot])
    for name, times in (("Ann", 1), ("Bob", 2)):
        desk.pot("24-hand pot").get_by_role("button", name="Record a hit").click()
        desk.sheet.get_by_label("Player").select_option(label=name)
        desk.field("How many times", f"{times}")
        desk.submit("Record a hit")
    expect(desk.pot("24-hand pot").locator(".shares").last).to_have_text("Ann$1.50Bob$3")


def pots_are_paid(story):
    """To the cent: nine shares of 5.00 among the qualifiers who are in it, 4.50 by three hands of 24."""
    desk = story.desk
    desk.tab("Money")
    winners = [name for name in story.seeds if name in story.in_pot["Q-pool"]]
    share = 9 * 500 // len(winners)
    amount = f"${share / 100:.2f}".replace(".00", "")
    for pot, paid in (("Q-pool", [f"{name}{amount}" for name in winners]), ("24-hand pot", ["Bob$3", "Ann$1.50"])):
        desk.pot(pot).get_by_role("button", name="Pay out").click()
        desk.submit("Pay out")
        expect(desk.pot(pot)).to_contain_text("Paid")
        assert sorted(desk.pot(pot).locator(".shares").last.locator("li").all_text_contents()) == sorted(paid)


def the_night_ends(story):
    """Ended, opened again, and ended: nothing has changed by that."""
    desk = story.desk
    for key in ("End the event", "Reopen the event", "End the event"):
        desk.tap(key, within="#next-step")
        if key == "End the event":
            expect(desk.sheet).to_contain_text("You can reopen the event.")
            desk.submit(key)
    expect(desk.page.locator("#next-step")).to_contain_text("The event is over.")
    for phone in story.phones.values():
        expect(phone.page.locator("#next")).to_contain_text("The event is over.")
    expect(story.screen.page.locator("#headline")).to_have_text(f"{story.seeds[0]} has won")
    story.agrees()
    season = story.open_device("tablet")
    season.goto(story.url("season"))
    for name in story.plain.people:
        points = story.plain.key(name)[0]
        row = season.locator("tbody tr").filter(has=season.get_by_role("rowheader", name=re.compile(f"^{name}( |$)")))
        expect(row.locator("td").nth(2)).to_have_text(f"{points}")


def files_are_taken_home(story, folder):
    """Spreadsheets that say what was added up, and a package that any machine verifies, unless a byte is altered."""
    desk, plain = story.desk, story.plain
    desk.tab("Log")
    files = {}
    for link in desk.page.locator("#part-log a[download]").all():
        with desk.page.expect_download() as download:
            link.click()
        name = download.value.suggested_filename
        files[name.removeprefix(f"{story.night}-")] = path = folder / name
        download.value.save_as(path)
    rows = list(csv.DictReader(files["standings.csv"].read_text("utf-8").splitlines()))
    standings = {row["name"]: tuple(int(row[column]) for column in ("points", "won", "net", "plus")) for row in rows}
    assert standings == {name: plain.key(name) for name in plain.people}
    package = files[f"{story.night}.pegboard"]
    verified = verify(package)
    assert verified.returncode == 0, verified.stderr
    sealed = bytearray(package.read_bytes())
    sealed[len(sealed) // 2] ^= 1
    package.write_bytes(sealed)
    assert verify(package).returncode != 0


def verify(package):
    return subprocess.run([*HUB, "verify", str(package)], capture_output=True, text=True, check=False)
