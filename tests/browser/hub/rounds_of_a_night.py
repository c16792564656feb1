"""Rounds of a night: results by every way, the hub killed twice, cards that differ, one who leaves, a tie at last."""

import random

from playwright.sync_api import expect

from tests.browser.hub.plain_night import MINUS
from tests.browser.hub.story_of_a_night import LATE, LEAVING, PLACES
from tests.support.long_runs import is_long
from tests.support.waiting import soon


def round_one_is_played_and_the_hub_killed(story):
    """By two phones, on paper at both desks, by phones that nobody looks at; one is wrong, and undone."""
    desk, plain = story.desk, story.plain
    desk.tab("Games")
    story.differ = next(game for game in by_ann_first(desk.round(2)) if not {LATE, LEAVING} & {*game["names"]})
    hero, rival = story.differ["names"]
    games = desk.round(1)
    (first,) = [game for game in games if hero in game["names"]]
    (second,) = [game for game in games if rival in game["names"]]
    slip, at_tablet, by_cards = [game for game in games if game not in (first, second)]
    play_by_phones_around_a_kill(story, first, hero, second, rival)

    one, other = at_tablet["names"]
    story.tablet.enter_result(at_tablet, one, 10)
    plain.play(at_tablet["key"], one, other, 10)
    story.agrees()

    one, other = by_cards["names"]
    story.plain_phone(one).claim(by_cards, won=True, margin=10)
    story.plain_phone(other).claim(by_cards, won=False, margin=10)
    plain.play(by_cards["key"], one, other, 10)
    story.agrees()

    one, other = slip["names"]
    desk.write_result(slip, one, 500)
    desk.sheet.get_by_role("button", name="Enter the result").click()
    expect(desk.sheet.locator(".why")).to_contain_text("1 to 121")
    desk.field("By how many holes", "31")
    desk.submit("Enter the result")
    plain.play(slip["key"], one, other, 31)
    story.agrees()
    desk.tab("Log")
    desk.page.locator("#audit .said").first.get_by_role("button").click()
    del plain.games[slip["key"]]
    story.agrees()
    expect(desk.page.locator("#audit .undone")).to_have_count(1)
    desk.tab("Games")
    desk.enter_result(slip, one, 10)
    plain.play(slip["key"], one, other, 10)
    story.agrees()


def by_ann_first(games):
    return sorted(games, key=lambda game: "Ann" not in game["names"])


def play_by_phones_around_a_kill(story, first, hero, second, rival):
    """One card is in when the hub dies, and a director is about to enter the other game."""
    desk, plain = story.desk, story.plain
    (loser,) = {*first["names"]} - {hero}
    (winner,) = {*second["names"]} - {rival}
    phones = [story.phone(hero), story.phone_by_its_card(loser)]
    desk.tab("Games")
    phones[0].claim(won=True, margin=31, other=loser)
    expect(phones[0].page.locator("#result")).to_contain_text(f"{loser} has not confirmed yet")
    desk.write_result(second, winner, 10)
    story.kill_hub()
    desk.sheet.get_by_role("button", name="Enter the result").click()
    expect(desk.sheet.locator(".why")).to_have_text("The hub is not answering. It is safe to try again.")
    story.start_hub()
    desk.submit("Enter the result")
    plain.play(second["key"], winner, rival, 10)
    expect(phones[1].page.locator("#result")).to_contain_text(f"{hero} won by 31")
    phones[1].tap("Yes, that’s right")
    plain.play(first["key"], hero, loser, 31)
    story.agrees()


def cards_differ_and_judges_rule(story, game):
    """ACC 12.2 (a): 21 won against 16 lost; of the two the winner alone apparently qualifies, so 16 holds for both."""
    desk, (winner, loser) = story.desk, game["names"]
    others = [one for one in desk.round(2) if one["key"] != game["key"]]
    story.on_board = others[0]
    desk.more(story.on_board)
    desk.sheet.get_by_role("button", name="Move to another table").click()
    desk.sheet.get_by_label("Table").select_option(label="Table 6, free")
    desk.submit("Move the game")
    story.tablet.tap("Start round 2", within="#next-step")
    expect(story.screen.page.locator("#headline")).to_have_text("Round 2 of 4")

    one, other = story.phone(winner), story.phone(loser)
    one.claim(won=True, margin=21, other=loser)
    expect(other.page.locator("#result")).to_contain_text(f"{winner} won by 21")
    other.claim(won=False, margin=16, other=winner, key="No, that’s wrong")
    for device in (desk, story.tablet):
        expect(device.page.locator("#needs")).to_contain_text(
            f"Round 2, {winner} against {loser}: {winner}'s card says won by 21, but {loser}'s card says lost by 16"
        )
    for phone in (one, other):
        expect(phone.page.locator("#result")).to_contain_text("Compare both scorecards")
    story.agrees()

    judges = [story.phone(others[1]["names"][0]), story.phone(others[2]["names"][0])]
    watcher = story.phone(others[1]["names"][1])
    one.tap("Call a judge")
    one.submit("Call")
    expect(desk.page.locator("#needs .call")).to_contain_text(f"Table {game['table']} is calling a judge")
    judges[0].tap("I’m coming")
    expect(watcher.page.locator("#calls")).to_contain_text(f"Coming: {judges[0].name} (2 needed in all)")
    judges[1].tap("I’m coming")
    expect(watcher.page.locator("#calls-card")).not_to_be_visible()
    expect(desk.page.locator("#needs .call")).to_contain_text(f"Coming: {judges[0].name}, {judges[1].name}")
    desk.tap("Mark as settled", within="#needs")
    expect(desk.page.locator("#needs .call")).to_have_count(0)

    desk.tap("Rule", within="#needs")
    letter = desk.sheet.locator("label.choice", has=desk.page.locator("input[value=a]"))
    expect(letter).to_contain_text(f"{winner}: 2 points, +16; {loser}: 0 points, {MINUS}16")
    assert desk.sheet.locator(".choice.out").count() >= 1, "what does not fit is out of use"
    assert all(desk.sheet.locator(".choice.out .reason").all_text_contents()), "and says why, once unfolded"
    letter.click()
    desk.field("Note (for the record)", "both cards seen")
    desk.submit("Apply ruling")
    expect(desk.page.locator("#needs .needs")).to_have_count(0)
    story.plain.play(game["key"], winner, loser, 16)
    story.agrees()


def the_board_sends_its_result_though_the_hub_was_killed(story, table):
    """The table plays on without the hub; both confirm there, and its result comes by itself."""
    game, desk = story.on_board, story.desk
    soon(lambda: (table.state().get("event") or {}).get("round") == 2, 30)
    names = [seat["name"] for seat in table.state()["seats"]]
    assert {*names} == {*game["names"]}
    for points in (29, 29, 29, 24):
        table.score(1, points)
    desk.round(2)
    expect(desk.tile(game)).to_contain_text("111")
    expect(story.screen.page.locator(f'.game[data-key="{game["key"]}"]')).to_contain_text("111")
    if is_long():
        story.kill_hub()
    for points in (29, 29, 29, 29, 5):
        table.score(0, points)
    state = table.state()
    assert state["game"]["over"]
    for seat in (0, 1):
        status, answer = table.command(do="confirm", seat=seat, winner=0, fronts=[121, 111], game=state["game"]["id"])
        assert status in (200, 201), answer
    if is_long():
        story.start_hub()
    story.plain.play(game["key"], *names, 10)
    story.agrees()
    expect(desk.page.locator("#audit li").filter(has_text=f"from the table: {names[0]} wins by 10")).not_to_have_count(
        0
    )


def one_leaves(story):
    """All other games of the round are played; who leaves is waited for by nobody."""
    desk = story.desk
    for game in desk.round(2):
        if game["state"] == "running":
            one, other = game["names"]
            story.plain_phone(one).claim(game, won=True, margin=10)
            story.plain_phone(other).confirm(game)
            story.plain.play(game["key"], one, other, 10)
    story.agrees()
    desk.tab("People")
    desk.tap(f"Mark as left: {LEAVING}")
    story.plain.gone.add(LEAVING)
    expect(desk.page.locator("#roster")).to_contain_text("Left (1)")
    desk.tab("Games")
    desk.tap("Redraw", within="#round-games")
    desk.submit("Redraw")
    expect(desk.page.locator("#roster .person").filter(has_text=LEAVING)).to_contain_text("Mark as back")
    story.agrees()


TYPED = 3
"""Results of the last games that are typed at the desk in each run."""


def the_last_games_end_in_a_tie(story):
    """One does not come to a game, which blocks nothing; after the last result nothing is pressed."""
    desk, plain = story.desk, story.plain
    games = [game for number in range(1, desk.rounds() + 1) for game in desk.round(number) if game["state"] == "drawn"]
    wins, story.tied = results_that_tie(plain, games)
    begun = 2
    for place, (game, (winner, loser, margin)) in enumerate(zip(games, wins, strict=True)):
        number = int(game["key"][1])
        while begun < number:
            begun += 1
            (desk if begun % 2 else story.tablet).tap(f"Start round {begun}", within="#next-step")
        desk.round(number)
        if place == 0:
            desk.more(game)
            desk.sheet.get_by_role("button", name="Forfeit", exact=True).click()
            desk.choose(loser)
            desk.submit("Forfeit the game")
            plain.unplayed.add(game["key"])
        elif place < TYPED or is_long():
            desk.enter_result(game, winner, margin)
        else:
            for player in (winner, loser):
                story.plain_phone(player).claim(game, won=player == winner, margin=margin)
        plain.play(game["key"], winner, loser, margin)
        if place < TYPED or is_long():
            story.agrees()
        taps = desk.taps
    story.agrees()
    expect(desk.page.locator("#next-step")).to_contain_text("All games are played: the standings are final.")
    expect(story.screen.page.locator("#headline")).to_have_text("All games are played")
    assert desk.taps == taps, "from the last result to the final standings"
    desk.soon_has_places_of(plain)


def results_that_tie(plain, games):
    """Results of the games to come after which players tie at the cut; the first game is a forfeit."""
    chance = random.Random(11)
    for _ in range(2000):
        wins = [(*chance.sample(game["names"], 2), chance.choice((5, 10, 10, 12))) for game in games]
        wins[0] = (*wins[0][:2], 10)
        end = plain.copy()
        end.unplayed.add(games[0]["key"])
        for game, won in zip(games, wins, strict=True):
            end.play(game["key"], *won)
        if tied := end.tie_at(PLACES):
            return wins, tied
    raise AssertionError("no results tie")
