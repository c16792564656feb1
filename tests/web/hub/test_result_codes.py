"""Results that come as codes: whoever carries one, it counts only as the table itself has sealed it."""

from dataclasses import replace

import pytest

import pegboard
from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.moves import Confirmed, Started
from pegboard.core.referee import apply, decide
from pegboard.hub.result_requests import replay_code, request_id_of_short
from pegboard.tournament.night.night_state import Author, Role
from pegboard.tournament.result_code import ResultCode, SheetRow, decode, encode, encode_short
from tests.support.hub_site import HubSite

EPOCH = "9f2c07d1e4b85a369f2c07d1e4b85a36"


def drawn_game(hub: HubSite, night: str):
    """The first game of a night of four, which has begun: its key, its table, and the names in seat order."""
    hub.enter(night, 4)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    game = hub.view(night)["rounds"][0]["games"][0]
    return game["game"], game["table"], tuple(hub.view(night)["names"][player] for player in game["players"])


def played(night: str, key: str, table: str, names: tuple[str, ...], *, winner=0, points=(29, 29, 29, 29, 5)):
    """A game that could have been played at that table, won 121 to 0 by the seat `winner`, and confirmed by both."""
    begun = Started(pegboard.Rules.named("acc"), names, 1, "5b0e7c1f92aa", "single", pairing=f"{night}/{key}")
    events, sheet = [begun], apply(Game(), begun)
    for number in points:
        events.append(decide(sheet, pegboard.Score(number, seat=winner)))
        sheet = apply(sheet, events[-1])
    fronts = tuple(lane.front for lane in sheet.lanes)
    events += [Confirmed(seat, winner, fronts) for seat in (0, 1)]
    rows = tuple(SheetRow(kind, body, 3) for kind, body in map(wire.event_values, events))
    ids = (night, table, EPOCH, "5b0e7c1f92aa", key)
    return ResultCode(*ids, names, fronts, (0, 1), 11, 10 + len(rows), rows)


@pytest.fixture
def night(hub: HubSite):
    return hub.open_night()


def key_of_table(hub: HubSite, night: str, table: str) -> bytes:
    """What a table is given as it joins."""
    code = hub.director().post(f"/night/v1/{night}/tables/{table}/code").json["code"]
    return bytes.fromhex(hub.client().post("/join", code=code).json["key"])


def state_of(hub: HubSite, night: str):
    """Who has won the first game and by how much, and whether each card has confirmed it."""
    game = hub.view(night)["rounds"][0]["games"][0]
    return game["report"] and game["report"]["margin"], game["confirmed"]


def send(client, code: str):
    return client.post("/night/v1/result-codes", code=code)


def test_whoever_carries_the_code_of_a_table_the_result_counts_once(hub: HubSite, night: str):
    key, table, names = drawn_game(hub, night)
    code = encode(played(night, key, table, names), key_of_table(hub, night, table))
    stranger = hub.client()
    assert [send(stranger, f"http://hub/R/{code}").status for _ in range(2)] == [201, 200]
    assert state_of(hub, night) == (121, [True, True])


def test_a_code_that_anybody_could_have_made_decides_nothing(hub: HubSite, night: str):
    """The schedule and the ids of tables are on the big screen: all that a forger needs but the key."""
    key, table, names = drawn_game(hub, night)
    forged = played(night, key, table, names)
    other = key_of_table(hub, night, "t99")
    before = hub.nights.night(night).revision
    for code in (encode(forged), encode(forged, bytes(32)), encode(forged, other)):
        answer = send(hub.client(), code)
        assert (answer.status, answer.json["key"]) == (403, "desk_result_not_sealed")
    assert hub.nights.night(night).revision == before
    assert state_of(hub, night) == (None, [False, False])


def test_a_director_takes_in_a_code_without_a_seal(hub: HubSite, night: str):
    """Of a table that joined by its settings, which has no key: the director has it in sight."""
    key, table, names = drawn_game(hub, night)
    assert send(hub.director(), encode(played(night, key, table, names))).status == 201
    assert state_of(hub, night) == (121, [True, True])


def test_the_key_of_a_table_is_none_of_another_night(hub: HubSite, night: str):
    key, table, names = drawn_game(hub, night)
    other = hub.open_night(games=5)
    code = encode(played(night, key, table, names), key_of_table(hub, other, table))
    assert send(hub.client(), code).status == 403


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"event": "2026-11-26-00000"}, "desk_no_night"),
        ({"pairing": "r1:p1-p9"}, "desk_result_of_no_game"),
        ({"table": "t2"}, "night_wrong_table"),
    ],
)
def test_a_code_of_another_event_game_or_table_says_so(hub: HubSite, night: str, changed, key):
    game, table, names = drawn_game(hub, night)
    values = {"night": night, "key": game, "table": table} | {
        {"event": "night", "pairing": "key", "table": "table"}[name]: value for name, value in changed.items()
    }
    answer = send(hub.director(), encode(played(**values, names=names)))
    assert answer.json["key"] == key
    assert state_of(hub, night) == (None, [False, False])


def test_an_older_code_of_a_game_takes_back_nothing_that_came_later(hub: HubSite, night: str):
    """A judge has corrected the game since; who has a picture of the code before gains nothing by it."""
    key, table, names = drawn_game(hub, night)
    seal = key_of_table(hub, night, table)
    newer = played(night, key, table, names, winner=1, points=(29, 29, 29, 20, 10, 4))
    assert send(hub.client(), encode(newer, seal)).status == 201
    older = send(hub.client(), encode(played(night, key, table, names, winner=0), seal))
    assert older.json["key"] == "night_result_older"
    game = hub.view(night)["rounds"][0]["games"][0]
    assert game["report"]["winner"] == game["players"][1]


def test_tries_at_forging_are_counted(hub: HubSite, night: str, tmp_path):
    key, table, names = drawn_game(hub, night)
    code = encode(played(night, key, table, names))
    limits = hub.server.access.rates
    limits._limits_loopback = True
    answers = [send(hub.client(), code).status for _ in range(7)]
    assert answers == [403] * 5 + [429] * 2


def test_a_directors_phone_takes_the_short_code_of_a_panel_once(hub: HubSite, night: str):
    key, table, names = drawn_game(hub, night)
    code = encode_short(played(night, key, table, names, winner=1))
    stranger = send(hub.client(), f"http://hub/R/{code}")
    assert (stranger.status, stranger.json["key"]) == (403, "desk_short_code")
    director = hub.director()
    assert [send(director, f"http://hub/R/{code}").status for _ in range(2)] == [201, 200]
    game = hub.view(night)["rounds"][0]["games"][0]
    assert [value["net"] for value in game["values"]] == [-121, 121]


def test_a_short_code_of_another_table_or_unconfirmed_is_refused(hub: HubSite, night: str):
    key, table, names = drawn_game(hub, night)
    other = encode_short(played(night, key, "t99", names))
    early = encode_short(replace(played(night, key, table, names), confirmed=(0,)))
    director, before = hub.director(), hub.nights.night(night).revision
    keys = [send(director, code).json["key"] for code in (other, early)]
    assert keys == ["desk_result_of_no_game", "desk_short_unconfirmed"]
    assert hub.nights.night(night).revision == before


def nets(hub: HubSite, night: str):
    """What the first game counts for each of its players, as they were drawn."""
    return [value and value["net"] for value in hub.view(night)["rounds"][0]["games"][0]["values"]]


def short_of(night: str, key: str, table: str, names: tuple[str, ...], *, winner=0):
    return encode_short(played(night, key, table, names, winner=winner))


@pytest.mark.parametrize("winner", [0, 1])
def test_a_short_code_of_turned_seats_counts_for_who_has_won(hub: HubSite, night: str, winner: int):
    """Each sat in the other's place, and the director corrected the names at the table; so do whole codes."""
    key, table, names = drawn_game(hub, night)
    assert send(hub.director(), short_of(night, key, table, names[::-1], winner=winner)).status == 201
    assert nets(hub, night) == ([-121, 121] if winner == 0 else [121, -121])


@pytest.mark.parametrize("code_of", [encode_short, encode])
def test_a_name_that_is_corrected_after_the_game_changes_not_who_has_won_it(hub: HubSite, night: str, code_of):
    key, table, names = drawn_game(hub, night)
    code = code_of(played(night, key, table, names[::-1], winner=0))
    second = hub.view(night)["rounds"][0]["games"][0]["players"][1]
    hub.do(night, "correct_entry", player=second, name="Somebody Else")
    assert send(hub.director(), code).status == 201
    assert nets(hub, night) == [-121, 121]


def test_a_short_code_of_other_names_tells_not_who_has_won(hub: HubSite, night: str):
    key, table, names = drawn_game(hub, night)
    answer = send(hub.director(), short_of(night, key, table, (names[0], "Nobody")))
    assert (answer.status, answer.json["key"]) == (422, "desk_short_names")
    assert nets(hub, night) == [None, None]


@pytest.mark.sampled
@pytest.mark.parametrize("do", ["paper_result", "rule", "award", "forfeit"])
def test_what_a_director_has_decided_stays_whatever_a_short_code_says(hub: HubSite, night: str, do: str):
    key, table, names = drawn_game(hub, night)
    one, other = hub.view(night)["rounds"][0]["games"][0]["players"]
    judged = {"letter": "judge", "values": [{"points": 0, "net": -5}, {"points": 2, "net": 5}]}
    values = {"paper_result": {"winner": other, "margin": 5}, "rule": judged}
    values |= {"award": {"against": one, "kind": "late"}, "forfeit": {"player": one}}
    hub.do(night, do, game=key, **values[do])
    before = nets(hub, night)
    answer = send(hub.director(), short_of(night, key, table, names))
    assert (answer.status, answer.json["key"]) == (409, "night_decided_already")
    assert nets(hub, night) == before


@pytest.mark.parametrize(("winner", "said"), [(0, (409, "night_result_there")), (1, (422, "desk_short_other_sheet"))])
def test_a_short_code_beside_the_score_sheet_itself_decides_nothing(hub: HubSite, night: str, winner: int, said):
    key, table, names = drawn_game(hub, night)
    assert send(hub.director(), encode(played(night, key, table, names))).status == 201
    answer = send(hub.director(), short_of(night, key, table, names, winner=winner))
    assert (answer.status, answer.json["key"]) == said
    assert nets(hub, night) == [121, -121]


def test_two_directors_who_scan_one_short_code_enter_it_once(hub: HubSite, night: str):
    code = short_of(night, *drawn_game(hub, night))
    answers = [send(director, code) for director in (hub.director(), hub.director())]
    assert [answer.status for answer in answers] == [201, 200]


def test_no_phone_can_use_up_the_id_of_a_short_code(hub: HubSite, night: str):
    key, table, names = drawn_game(hub, night)
    director = hub.director()
    code = short_of(night, key, table, names)
    short = decode(code)
    for id in (f"short-{short.game_mark}-{short.digest}", request_id_of_short(short)):  # noqa: A001 - the API's word
        director.post("/night/v1/decisions", id=id, night=night, do="announce", text="Used up")
    assert send(director, code).status == 201


@pytest.mark.parametrize("code_of", [encode_short, encode])
def test_a_code_whose_game_was_opened_again_since_says_so(hub: HubSite, night: str, code_of):
    key, table, names = drawn_game(hub, night)
    game, director = played(night, key, table, names), hub.director()
    assert send(director, encode(game)).status == 201
    sheet = {"table": table, "epoch": EPOCH, "game": game.game, "first": 11, "last": game.last + 1, "digest": "5d1f"}
    request = {"do": "table_withdrawal", "game": key, "table": table, "sheet": sheet}
    hub.nights.decide(night, request, Author(Role.TABLE, table), "sheet:5d1f:")
    answer = send(director, code_of(game))
    assert "was reopened at its table" in answer.json["detail"]
    assert state_of(hub, night) == (None, [False, False])


def test_a_code_that_had_come_says_where_a_newer_result_counts_by_now(hub: HubSite, night: str):
    key, table, names = drawn_game(hub, night)
    first = encode(played(night, key, table, names))
    newer = encode(played(night, key, table, names, points=(29, 29, 29, 20, 10, 4)))
    assert [send(hub.director(), code).status for code in (first, newer)] == [201, 201]
    assert send(hub.director(), first).json["key"] == "night_result_older"
    assert send(hub.director(), newer).status == 200


@pytest.mark.parametrize("code_of", [encode_short, encode])
def test_a_code_whose_result_was_undone_says_so(hub: HubSite, night: str, code_of):
    code, director = code_of(played(night, *drawn_game(hub, night))), hub.director()
    number = send(director, code).json["number"]
    undoing = hub.do(night, "undo", number=number)
    answer = send(director, code)
    assert (answer.json["key"], answer.json["values"]["number"]) == ("desk_code_undone", undoing.number)
    hub.do(night, "undo", number=undoing.number)
    assert send(director, code).status == 200
    assert nets(hub, night) == [121, -121]


def test_a_code_has_come_as_far_as_it_says_whatever_the_table_stored_between_its_lines(hub: HubSite, night: str):
    code = played(night, *drawn_game(hub, night))
    assert replay_code(replace(code, last=code.last + 3)).last == code.last + 3
