"""Games that are opened again at their tables after the hub has had their results, and boards that are exchanged."""

import json
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pegboard.core.moves import Abandon, TakeBack
from pegboard.errors import Already, RuleError
from pegboard.hub.ledger.hub_errors import LedgerNotStored
from pegboard.hub.result_requests import (
    replay_code,
    request_id_of_short,
    request_of,
    request_of_short,
    require_report,
)
from pegboard.mqtt.messages_of_hub import EVENTS
from pegboard.startup import running_hub
from pegboard.storage.games import rows_of_game
from pegboard.table.event_shown import result_of
from pegboard.tournament.night.decisions import word_of
from pegboard.tournament.night.night_report import players_by_names
from pegboard.tournament.result_code import decode, encode_short
from tests.support.finished_game import confirm, game_at_table
from tests.support.hub_at_work import HubAtWork
from tests.support.hub_site import DEE
from tests.support.table_messages import WrittenJournal, journal_of_table
from tests.support.waiting import soon


def send(hub, night, played, table="t1", board=""):
    """The table sends all that it has."""
    hub.say(night, table, EVENTS, journal_of_table(played, table, board).payload())


def said(hub, night):
    """The alarms on the desk: the key of each, and of the fault in it."""
    values = [alarm["said"] for alarm in hub.nights.alarms(night)]
    return [(one["key"], one["values"]["fault"]["key"] if "fault" in one["values"] else "") for one in values]


def close_cut(hub, night):
    """The director enters what is missing, and closes the cut."""
    for game in [one for of in hub.view(night)["rounds"] for one in of["games"] if one["values"][0] is None]:
        low = game["players"][0]
        hub.do(night, "paper_result", game=game["game"], winner=low, margin=int(low[1:]) * 7 + len(game["game"]))
    while ties := [tie for tie in hub.view(night)["cut"]["ties"] if tie["kind"] != "high_non_qualifier"]:
        hub.do(night, "break_tie", players=ties[0]["players"], how="draw")
    hub.do(night, "close_cut")


def deal_with(hub, night, number):
    """Wait until the hub has dealt with so many events of its tables."""
    soon(lambda: len(hub.ledger.rows_of(night)) == number)
    hub.do(night, "announce", text=f"{number} have come")
    soon(lambda: (orders := hub.orders(night)) and orders["announcement"] == f"{number} have come")


@contextmanager
def begun_again(hub):
    """The hub, ended and begun once more."""
    hub.stop()
    again = HubAtWork(hub.folder)
    try:
        yield again
    finally:
        again.stop()


def whole(hub, played):
    """The result code of the game as it stands, which a phone has taken a picture of."""
    return result_of(rows_of_game(hub.folder / "played", played.view.id), "t1")


def scan(hub, night, code):
    """A phone brings a whole code; whether it had come before."""
    stored, was_there = hub.nights.take_result(night, replay_code(code))
    require_report(hub.nights.night(night), stored.decision)
    return was_there


def scan_short(hub, night, code):
    """The director enters what the panel shows."""
    short = decode(encode_short(code))
    values = request_of_short(short, night, hub.nights.night(night))
    return hub.nights.decide(night, values, DEE, request_id_of_short(short))


@pytest.fixture
def reopened(hub, night):
    """A table whose result both have confirmed and the night has, and on which a judge takes the last score back."""
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        hub.key = played.view.game.pairing.partition("/")[2]
        played.win(0)
        confirm(played)
        send(hub, night, played)
        soon(lambda: hub.game(night, hub.key)["state"] == "agreed")
        hub.photo = whole(hub, played)
        played.rule(TakeBack())
        send(hub, night, played)
        yield played


def test_a_game_that_a_judge_opens_again_counts_no_longer(hub, night, reopened):
    game = soon(lambda: (game := hub.game(night, hub.key))["state"] == "running" and game)
    assert (game["report"], game["values"], game["confirmed"]) == (None, [None, None], [False, False])
    assert all(row["games"] == 0 for row in hub.view(night)["standings"])
    assert hub.view(night)["audit"][0]["said"]["key"] == "night_did_table_withdrawal"
    soon(lambda: (orders := hub.orders(night)) and next(order["done"] for order in orders["games"]) is False)


def test_a_game_that_was_opened_again_counts_as_it_ends(hub, night, reopened):
    reopened.win(1)
    confirm(reopened)
    send(hub, night, reopened)
    soon(lambda: (game := hub.game(night, hub.key))["report"] and game["report"]["winner"] == game["players"][1])
    assert hub.game(night, hub.key)["state"] == "agreed"
    assert [row["points"] for row in hub.view(night)["standings"] if row["games"]] == [2, 0]


def test_a_game_that_was_opened_again_and_given_up_has_no_result(hub, night, reopened):
    reopened.rule(Abandon())
    send(hub, night, reopened)
    soon(lambda: hub.game(night, hub.key)["report"] is None)


def test_a_game_that_is_opened_again_after_the_cut_is_on_the_desk(hub, night):
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.win(0)
        confirm(played)
        send(hub, night, played)
        soon(lambda: hub.game(night, key)["state"] == "agreed")
        close_cut(hub, night)
        played.rule(TakeBack())
        send(hub, night, played)
    soon(lambda: hub.nights.alarms(night))
    assert said(hub, night) == [("hub_still_counts", "night_cut_closed")]
    assert hub.nights.alarms(night)[0]["said"]["values"]["table"] == "1"
    assert hub.game(night, key)["state"] == "agreed"
    hub.do(night, "open_cut")
    soon(lambda: hub.game(night, key)["state"] == "running")


# --- what waits, codes, other boards ---


def test_a_game_that_is_opened_again_takes_away_no_sheet_that_waits_elsewhere(hub, night):
    """The pair has changed the table in mid-game; one sheet waits until the director moves the game there."""
    state = hub.nights.night(night)
    swap = {"t1": "t2", "t2": "t1"}
    elsewhere = replace(
        state, schedule={key: replace(one, table=swap[one.table]) for key, one in state.schedule.items()}
    )
    with game_at_table(hub.folder / "p1", state, night) as one:
        key = one.view.game.pairing.partition("/")[2]
        one.win(0)
        confirm(one)
        send(hub, night, one)
        with game_at_table(hub.folder / "p2", elsewhere, night, table="t2") as two:
            assert two.view.game.pairing == one.view.game.pairing
            two.win(1)
            confirm(two)
            send(hub, night, two, "t2")
        soon(lambda: said(hub, night) == [("hub_not_counted", "night_wrong_table")])
        one.rule(TakeBack())
        one.rule(Abandon())
        send(hub, night, one)
        soon(lambda: hub.game(night, key)["report"] is None)
    hub.do(night, "move_game", game=key, table="t2")
    game = soon(lambda: (game := hub.game(night, key))["report"] and game)
    assert (game["state"], game["report"]["winner"]) == ("agreed", game["players"][1])


@pytest.mark.parametrize("scans", [scan, scan_short])
def test_a_code_of_before_the_game_was_opened_again_counts_no_more(hub, night, reopened, scans):
    soon(lambda: hub.game(night, hub.key)["state"] == "running")
    before = hub.nights.night(night).revision
    with pytest.raises(RuleError, match="was reopened at its table"):
        scans(hub, night, hub.photo)
    assert hub.nights.night(night).revision == before


def test_a_code_counts_no_more_where_the_hub_heard_of_the_end_with_what_came_after_it(hub, night):
    """The table had no network while the game ended and was opened again, and a phone has a picture of the end."""
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.win(0)
        confirm(played)
        photo = whole(hub, played)
        played.rule(TakeBack())
        send(hub, night, played)
        soon(lambda: key in hub.nights.night(night).games)
        for scans in (scan, scan_short):
            with pytest.raises(RuleError, match="was reopened at its table"):
                scans(hub, night, photo)
        played.score(1, 1)
        send(hub, night, played)
        played.win(1)
        confirm(played)
        send(hub, night, played)
        soon(lambda: hub.game(night, key)["state"] == "agreed")
        words = [word_of(row.decision) for row in hub.nights.night(night).rows]
        assert words.count("table_withdrawal") == 1  # however much is played after it
        with pytest.raises(Already, match="was reopened at its table"):
            scan(hub, night, photo)
        assert scan(hub, night, whole(hub, played))


def test_a_game_that_goes_on_though_a_director_has_entered_its_short_code_is_on_the_desk(hub, night):
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.win(0)
        confirm(played)
        scan_short(hub, night, whole(hub, played))
        send(hub, night, played)
        soon(lambda: hub.game(night, key)["report"])
        assert said(hub, night) == []
        played.rule(TakeBack())
        send(hub, night, played)
        soon(lambda: said(hub, night) == [("hub_entered_stands", "")])
        assert hub.game(night, key)["state"] == "agreed"
        played.win(1)
        confirm(played)
        send(hub, night, played)
        game = soon(lambda: (game := hub.game(night, key))["report"] and game)
        assert (game["mismatch"] is not None, len(hub.nights.alarms(night))) == (True, 1)


def test_the_result_of_another_board_waits_while_both_have_confirmed_one(hub, night):
    """A board was exchanged in mid-game, and the first one is played to the end as well."""
    state = hub.nights.night(night)
    with (
        game_at_table(hub.folder / "A", state, night) as first,
        game_at_table(hub.folder / "B", state, night) as second,
    ):
        key = first.view.game.pairing.partition("/")[2]
        first.score(0, 20)
        send(hub, night, first, board="a")
        second.win(0)
        confirm(second)
        send(hub, night, second, board="b")
        soon(lambda: hub.game(night, key)["state"] == "agreed")
        first.win(1)
        confirm(first)
        send(hub, night, first, board="a")
        soon(lambda: ("hub_not_counted", "night_other_result") in said(hub, night))
        game = hub.game(night, key)
        assert (game["state"], game["report"]["winner"]) == ("agreed", game["players"][0])
        second.rule(TakeBack())
        send(hub, night, second, board="b")
        soon(lambda: (game := hub.game(night, key))["report"] and game["report"]["winner"] == game["players"][1])


def test_a_result_that_nobody_has_confirmed_makes_way_for_another_boards(hub, night):
    state = hub.nights.night(night)
    with (
        game_at_table(hub.folder / "A", state, night) as first,
        game_at_table(hub.folder / "B", state, night) as second,
    ):
        key = first.view.game.pairing.partition("/")[2]
        first.win(1)
        send(hub, night, first, board="a")
        soon(lambda: hub.game(night, key)["report"])
        second.win(0)
        confirm(second)
        send(hub, night, second, board="b")
        soon(lambda: hub.game(night, key)["state"] == "agreed")
        game = hub.game(night, key)
        assert game["report"]["winner"] == game["players"][0]


def test_results_that_count_raise_no_alarm_after_another_point_table_and_a_restart(hub, night):
    code = hub.play(night)
    hub.send(night, code)
    soon(lambda: hub.game(night, code.pairing)["state"] == "agreed")
    hub.do(night, "set_rules", rules={"points": "lurch-61"})
    with begun_again(hub) as again:
        soon(lambda: night in again.hub._results)
        assert (again.nights.alarms(night), again.game(night, code.pairing)["state"]) == ([], "agreed")
        assert scan(again, night, code)


def in_two_epochs(played, at, *, ends=None, epochs=("", "--5d1f07aa")):
    """The journal of a table that was renewed after event `at`, and went on with what it had until then to `ends`."""
    rows = list(played.journal.rows())
    first, then = (WrittenJournal("t1", f"{rows[0].epoch}{epoch}") for epoch in epochs)
    then.first = at + 1
    for row in rows[: ends or at]:
        first.add(row.game, row.kind, **json.loads(row.body))
    then.places, then.links = {rows[0].game: at}, {0: "", at: first.links[at]}
    for row in rows[at:]:
        then.add(row.game, row.kind, **json.loads(row.body))
    return first, then


def whole_in_two_epochs(hub, played, then):
    """The result code of a game whose newest events are in that journal."""
    rows = rows_of_game(hub.folder / "played", played.view.id)
    return result_of([replace(row, epoch=then.epoch) if row.id >= then.first else row for row in rows], "t1")


def test_a_result_that_a_code_has_brought_stays_while_its_sheet_comes_in_pieces_of_two_epochs(hub, night):
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.score(1, 3)
        played.win(0)
        confirm(played)
        first, then = in_two_epochs(played, 2)
        scan(hub, night, whole_in_two_epochs(hub, played, then))
        for number, payload in (
            (2, first.payload()),
            (4, then.payload(last=4)),
            (len(then.lines) + 2, then.payload(first=5)),
        ):
            hub.say(night, "t1", EVENTS, payload)
            deal_with(hub, night, number)
        assert hub.game(night, key)["state"] == "agreed"
        assert "table_withdrawal" not in [word_of(row.decision) for row in hub.nights.night(night).rows]


@pytest.mark.parametrize("is_heard_together", [False, True])
def test_a_code_counts_no_more_where_the_game_was_opened_again_under_another_epoch(hub, night, is_heard_together):
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.win(0)
        confirm(played)
        photo = whole(hub, played)
        ended = len(list(played.journal.rows()))
        played.rule(TakeBack())
        first, then = in_two_epochs(played, ended - 3 if is_heard_together else ended)
        hub.say(night, "t1", EVENTS, first.payload())
        if not is_heard_together:
            soon(lambda: hub.game(night, key)["report"])
        hub.say(night, "t1", EVENTS, then.payload())
        soon(lambda: (known := hub.nights.night(night).games.get(key)) and known.withdrawn)
        for scans in (scan, scan_short):
            with pytest.raises(RuleError, match="was reopened at its table"):
                scans(hub, night, photo)
        assert hub.game(night, key)["state"] == "running"


@pytest.mark.parametrize("is_heard_together", [False, True])
def test_cards_of_a_game_that_goes_on_count_no_longer_or_the_desk_says_that_they_do(hub, night, is_heard_together):
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.win(0)
        confirm(played)
        code = whole(hub, played)
        state, drawn = hub.nights.night(night), hub.nights.night(night).schedule[key]
        for seat, player in enumerate(players_by_names(state, drawn, code.players)):
            margin = max(code.holes) - min(code.holes)
            hub.do(night, "claim", game=key, player=player, won=code.holes[seat] == max(code.holes), margin=margin)
        if not is_heard_together:
            send(hub, night, played)
            soon(lambda: hub.game(night, key)["report"])
        played.rule(TakeBack())
        send(hub, night, played)
        soon(lambda: hub.nights.night(night).games[key].withdrawn)
        if is_heard_together:
            soon(lambda: said(hub, night) == [("hub_entered_stands", "")])
        assert hub.game(night, key)["state"] == ("agreed" if is_heard_together else "running")


def test_the_desk_hears_of_an_entered_result_also_where_the_database_was_away_just_then(hub, night, monkeypatch):
    monkeypatch.setattr(running_hub, "RETRY_S", 0.01)
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.win(0)
        confirm(played)
        scan_short(hub, night, whole(hub, played))
        send(hub, night, played)
        soon(lambda: hub.game(night, key)["report"])
        quarantine, away = hub.ledger.quarantine, [True]

        def fail_once(refusal):
            if away and away.pop():
                raise LedgerNotStored("hub_not_stored", fault="the database is away")
            return quarantine(refusal)

        monkeypatch.setattr(hub.ledger, "quarantine", fail_once)
        played.rule(TakeBack())
        send(hub, night, played)
        soon(lambda: said(hub, night) == [("hub_entered_stands", "")])
        assert not away


def test_an_alarm_that_the_hub_could_not_raise_is_raised_as_it_begins_again(hub, night, monkeypatch):
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.win(0)
        confirm(played)
        scan_short(hub, night, whole(hub, played))
        monkeypatch.setattr(running_hub, "alarm_of_entered", lambda *_: None)
        played.rule(TakeBack())
        send(hub, night, played)
        soon(lambda: hub.nights.night(night).games[key].withdrawn)
        played.score(1, 1)
        send(hub, night, played)
        soon(lambda: len(hub.ledger.rows_of(night)) == len(list(played.journal.rows())))
        monkeypatch.undo()
        with begun_again(hub) as again:
            soon(lambda: said(again, night) == [("hub_entered_stands", "")])


def test_what_a_director_enters_of_a_game_that_goes_on_is_no_alarm_after_a_restart(hub, night, reopened):
    soon(lambda: hub.game(night, hub.key)["state"] == "running")
    hub.do(night, "paper_result", game=hub.key, winner=hub.game(night, hub.key)["players"][0], margin=12)
    with begun_again(hub) as again:
        soon(lambda: night in again.hub._results)
        assert said(again, night) == []


def test_an_old_board_that_goes_on_is_no_alarm_where_another_ones_result_counts(hub, night):
    state = hub.nights.night(night)
    with (
        game_at_table(hub.folder / "A", state, night) as first,
        game_at_table(hub.folder / "B", state, night) as second,
    ):
        key = first.view.game.pairing.partition("/")[2]
        first.win(1)
        send(hub, night, first, board="a")
        soon(lambda: hub.game(night, key)["report"])
        second.win(0)
        confirm(second)
        send(hub, night, second, board="b")
        soon(lambda: hub.game(night, key)["state"] == "agreed")
        first.rule(TakeBack())
        first.rule(Abandon())
        send(hub, night, first, board="a")
        soon(lambda: hub.nights.night(night).games[key].withdrawn)
        deal_with(hub, night, len(list(first.journal.rows())) + len(list(second.journal.rows())))
        assert [key for key, _ in said(hub, night)] == ["hub_second_epoch"]


def test_a_night_is_read_also_where_a_director_has_undone_that_a_game_goes_on(hub, night):
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.win(0)
        confirm(played)
        played.rule(TakeBack())
        send(hub, night, played)
        soon(lambda: key in hub.nights.night(night).games)
        hub.do(night, "undo", number=hub.nights.night(night).revision)
    with begun_again(hub) as again:
        soon(lambda: night in again.hub._results)
        assert key not in again.nights.night(night).games


def test_the_result_of_another_board_waits_where_both_have_confirmed_one_on_their_phones(hub, night):
    state = hub.nights.night(night)
    with (
        game_at_table(hub.folder / "A", state, night) as first,
        game_at_table(hub.folder / "B", state, night) as second,
    ):
        key = first.view.game.pairing.partition("/")[2]
        second.win(0)
        send(hub, night, second, board="b")
        soon(lambda: hub.game(night, key)["report"])
        for player in hub.game(night, key)["players"]:
            hub.do(night, "confirm", game=key, player=player)
        first.win(1)
        send(hub, night, first, board="a")
        soon(lambda: ("hub_not_counted", "night_other_result") in said(hub, night))
        assert hub.game(night, key)["state"] == "agreed"


@pytest.mark.parametrize("comes", [scan_short, "by network"])
def test_a_game_that_is_played_anew_counts_though_the_first_was_given_up_after_its_end(hub, night, comes):
    """The same lines, on another board."""
    state = hub.nights.night(night)
    with (
        game_at_table(hub.folder / "A", state, night) as first,
        game_at_table(hub.folder / "B", state, night) as second,
    ):
        key = first.view.game.pairing.partition("/")[2]
        for played in (first, second):
            played.win(1)
            confirm(played)
        send(hub, night, first, board="a")
        soon(lambda: hub.game(night, key)["report"])
        first.rule(TakeBack())
        first.rule(Abandon())
        send(hub, night, first, board="a")
        soon(lambda: hub.game(night, key)["report"] is None)
        if comes is scan_short:
            scan_short(hub, night, replace(result_of(rows_of_game(hub.folder / "B", second.view.id), "t1"), game="b"))
        else:
            send(hub, night, second, board="b")
        game = soon(lambda: (game := hub.game(night, key))["state"] == "agreed" and game)
        assert game["values"][1]["net"] == 121


def test_a_game_that_is_opened_again_after_the_night_has_ended_is_known_once_that_is_opened_again(hub, night):
    """The hub heard of the end and of what came after it at once, so that no result of it counted."""
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        hub.do(night, "end_night")
        played.win(0)
        confirm(played)
        photo = whole(hub, played)
        played.rule(TakeBack())
        send(hub, night, played)
        soon(lambda: hub.hub._refused.get(night))
        assert hub.nights.alarms(night) == []
        hub.do(night, "open_again")
        soon(lambda: key in hub.nights.night(night).games)
        with pytest.raises(RuleError, match="was reopened at its table"):
            scan(hub, night, photo)


def test_each_time_that_a_game_goes_on_after_the_cut_is_on_the_desk(hub, night):
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        for winner in (0, 1):
            played.win(winner)
            confirm(played)
            send(hub, night, played)
            soon(lambda: hub.game(night, key)["state"] == "agreed")
            close_cut(hub, night)
            played.rule(TakeBack())
            send(hub, night, played)
            (alarm,) = soon(lambda: hub.nights.alarms(night))
            assert alarm["said"]["key"] == "hub_still_counts"
            hub.nights.dismiss_alarm(night, alarm["alarm"], DEE)
            hub.do(night, "open_cut")
            soon(lambda: hub.game(night, key)["state"] == "running")


def test_a_board_that_loses_its_last_events_and_ends_in_the_same_words_counts(hub, night):
    """It was opened again; that is lost, and so is the second confirmation, which the player gives once more."""
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.win(0)
        confirm(played)
        ended = len(list(played.journal.rows()))
        _, then = in_two_epochs(played, ended - 1)
        played.rule(TakeBack())
        first, _ = in_two_epochs(played, ended - 1, ends=ended + 1)
        hub.say(night, "t1", EVENTS, first.payload(last=ended))
        soon(lambda: hub.game(night, key)["report"])
        hub.say(night, "t1", EVENTS, first.payload(first=ended + 1))
        soon(lambda: hub.game(night, key)["report"] is None)
        hub.say(night, "t1", EVENTS, then.payload())
        soon(lambda: hub.game(night, key)["state"] == "agreed")


@pytest.mark.parametrize("is_begun_again", [False, True])
def test_a_result_that_a_director_has_put_back_stays_while_the_table_goes_on(hub, night, reopened, is_begun_again):
    soon(lambda: hub.game(night, hub.key)["report"] is None)
    number = hub.nights.night(night).games[hub.key].decisions[-1]
    reopened.score(1, 1)
    send(hub, night, reopened)
    deal_with(hub, night, len(list(reopened.journal.rows())))
    hub.do(night, "undo", number=number)
    if is_begun_again:
        with begun_again(hub) as again:
            soon(lambda: night in again.hub._results)
            assert again.game(night, hub.key)["state"] == "agreed"
    else:
        reopened.score(1, 2)
        send(hub, night, reopened)
        deal_with(hub, night, len(list(reopened.journal.rows())))
        assert hub.game(night, hub.key)["state"] == "agreed"


def test_of_a_board_that_has_lost_events_twice_the_director_says_which_end_counts(hub, night):
    with game_at_table(hub.folder / "played", hub.nights.night(night), night) as played:
        key = played.view.game.pairing.partition("/")[2]
        played.score(1, 3)
        middle = len(list(played.journal.rows()))
        played.win(0)
        confirm(played)
        ended = len(list(played.journal.rows()))
        first, then = in_two_epochs(played, middle, ends=ended, epochs=("--aaaaaaaa", "--bbbbbbbb"))
        hub.say(night, "t1", EVENTS, first.payload())
        soon(lambda: hub.game(night, key)["state"] == "agreed")
        number = hub.nights.night(night).revision
        hub.say(night, "t1", EVENTS, then.payload(last=middle + 1))
        soon(lambda: said(hub, night) == [("hub_still_counts", "night_unclear_sheet")])
        hub.say(night, "t1", EVENTS, then.payload(first=middle + 2))
        soon(lambda: ("hub_not_counted", "night_unclear_sheet") in said(hub, night))
        assert hub.game(night, key)["state"] == "agreed"
        hub.do(night, "undo", number=number)
        soon(lambda: (known := hub.nights.night(night).games.get(key)) and known.report.sheet.epoch == then.epoch)


def test_a_game_of_three_is_none_of_a_nights_however_it_ends(hub, night):
    result, state = replay_code(hub.play(night)), hub.nights.night(night)
    assert request_of(result, night, state)["do"] == "table_result"
    assert request_of(replace(result, margin=None), night, state) is None
