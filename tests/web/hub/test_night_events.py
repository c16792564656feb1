"""Events of a night: everyone sees what is theirs, and a change sends what it has changed."""

import json

import pytest

from pegboard.hub.ledger.hub_errors import HubNotNow
from pegboard.hub.ledger.ledger_rows import Refusal, Refused
from pegboard.messages import Message
from pegboard.tournament.night.night_state import Author, Role
from tests.support.hub_site import HubSite, opened_hub, request_id
from tests.support.web_server_and_clients import Watcher
from web.hub.night_events import NightChannels


def read_parts(watcher: Watcher, *wanted: str) -> dict[str, object]:
    """Parts as they come, until each of these has come."""
    found: dict[str, object] = {}
    while not set(wanted) <= found.keys():
        event = watcher.next()
        assert event is not None, f"the stream has ended before {set(wanted) - found.keys()}"
        if event.kind == "part":
            found[event.data["part"]] = event.data["value"]
    return found


def drawn_night(hub: HubSite, players: int = 4) -> str:
    night = hub.open_night()
    hub.enter(night, players)
    hub.do(night, "draw")
    hub.do(night, "start_round", round=1)
    return night


def claim(hub: HubSite, night: str, player: str, *, won: bool, margin: int) -> None:
    game = next(game for game in hub.view(night)["rounds"][0]["games"] if player in game["players"])
    by = Author(Role.PLAYER, player)
    hub.do(night, "claim", by, game=game["game"], player=player, won=won, margin=margin)


def test_a_desk_begins_with_all_that_it_shows(hub: HubSite):
    night = drawn_night(hub)
    parts = read_parts(
        hub.watch(hub.director(), night, "director"), "head", "players", "rounds.3", "audit", "departures"
    )
    view = hub.view(night)
    assert parts["head"]["night"] == view["night"]  # type: ignore[index]
    assert (parts["players"], parts["rounds.1"], parts["standings"]) == (
        *(view["players"], view["rounds"][0]),
        view["standings"],
    )
    assert parts["head"]["round_numbers"] == [1, 2, 3]  # type: ignore[index]


def test_a_decision_sends_only_what_it_has_changed(hub: HubSite):
    night = drawn_night(hub, 12)
    desk = hub.watch(hub.director(), night, "director")
    read_parts(desk, "head", "departures", "rounds.3")
    hub.do(night, "announce", text="Game 2 begins at nine")
    parts = read_parts(desk, "announcements", "audit", "head")
    assert parts.keys() == {"announcements", "audit", "head"}
    assert parts["announcements"][0]["text"] == "Game 2 begins at nine"  # type: ignore[index]
    assert len(json.dumps(parts)) < len(json.dumps(hub.view(night))) / 4


def test_a_claim_is_on_the_desk_the_screen_and_the_other_phone(hub: HubSite):
    night, director = drawn_night(hub, 2), hub.director()
    other = hub.client()
    other.post("/night/v1/card", code=director.get(f"/night/v1/{night}/players/p2/code").json["code"])
    streams = [
        hub.watch(director, night, "director"),
        hub.watch(hub.client(), night, "screen"),
        hub.watch(other, night, "player", player="p2"),
    ]
    for stream, last in zip(streams, ("rounds.3", "rounds.1", "standings"), strict=True):
        read_parts(stream, "head", last)
    claim(hub, night, "p1", won=True, margin=21)
    assert read_parts(streams[0], "rounds.1")["rounds.1"]["games"][0]["state"] == "half"  # type: ignore[index]
    assert read_parts(streams[1], "rounds.1")["rounds.1"]["games"][0]["state"] == "half"  # type: ignore[index]
    now = read_parts(streams[2], "head")["head"]["now"]  # type: ignore[index]
    assert now["claims"][now["players"].index("p1")] == {"won": True, "margin": 21}


def test_a_mismatch_names_its_game_on_the_desk_as_soon_as_the_second_card_is_in(hub: HubSite):
    night = drawn_night(hub, 2)
    desk = hub.watch(hub.director(), night, "director")
    read_parts(desk, "rounds.1", "departures")
    claim(hub, night, "p1", won=True, margin=21)
    claim(hub, night, "p2", won=False, margin=16)
    while True:
        (game,) = read_parts(desk, "rounds.1")["rounds.1"]["games"]  # type: ignore[index]
        if game["state"] == "mismatch":
            break
    assert "Ann" in game["mismatch"]["text"]
    assert "21" in game["mismatch"]["text"]
    assert [choice["letter"] for choice in game["rulings"]][:2] == ["a", "b"]


@pytest.mark.parametrize("view", ["director", "player", "spy"])
def test_a_stranger_sees_the_screen_alone(hub: HubSite, view: str):
    night = drawn_night(hub)
    watcher = hub.watch(hub.client(), night, view, player="p1")
    assert watcher.status == {"director": 403, "player": 403, "spy": 404}[view]
    assert "me" not in read_parts(hub.watch(hub.client(), night, "screen"), "head")["head"]  # type: ignore[operator]


def test_what_a_table_shows_reaches_desk_and_screen_and_the_phones_of_that_table(hub: HubSite):
    night, director = drawn_night(hub), hub.director()
    games = hub.view(night)["rounds"][0]["games"]
    here, there = games[0], games[1]
    phones = []
    for game in (here, there):
        phone, player = hub.client(), game["players"][0]
        phone.post("/night/v1/card", code=director.get(f"/night/v1/{night}/players/{player}/code").json["code"])
        phones.append(hub.watch(phone, night, "player", player=player))
    streams = [hub.watch(director, night, "director"), hub.watch(hub.client(), night, "screen"), *phones]
    for stream in streams:
        read_parts(stream, "head", "standings")
    for table, score in ((here["table"], 7), (there["table"], 31)):
        hub.feed.rows[table] = {"online": True, "since": 0, "last_at": hub.clock[0], "state": {"scores": [score, 0]}}
        hub.nights.notify_table(night, table)
    assert phones[0].until("table", table=here["table"]).data["state"] == {"scores": [7, 0]}
    first = phones[1].until("table", table=there["table"])
    assert first.data["state"] == {"scores": [31, 0]}, "and it has seen nothing of the other table before"
    for stream in streams[:2]:
        assert stream.until("table", table=here["table"]).data["online"] is True
        assert stream.until("table", table=there["table"]).data["state"]["scores"] == [31, 0]


def test_a_director_who_is_taken_off_hears_no_more(hub: HubSite):
    night, dee, other = drawn_night(hub), hub.director(), hub.director()
    stream = hub.watch(other, night, "director")
    read_parts(stream, "head")
    device = next(one["device"] for one in dee.get("/night/v1/directors").json["directors"] if not one["this"])
    dee.post("/night/v1/unpair", device=device)
    while stream.next() is not None:
        pass
    assert hub.watch(other, night, "director").status == 403


def test_who_comes_later_begins_with_the_newest(hub: HubSite):
    night = drawn_night(hub)
    first = hub.watch(hub.client(), night, "screen")
    read_parts(first, "announcements")
    first.reset()
    hub.do(night, "announce", text="Coffee is ready")
    assert read_parts(hub.watch(hub.client(), night, "screen"), "announcements")["announcements"]


def test_events_are_read_by_get_and_their_responses_have_the_security_headers(hub: HubSite):
    night = hub.open_night()
    answer = hub.director().post("/night/v1/events", night=night)
    assert answer.refusal == (405, "method")
    headers = hub.watch(hub.client(), night, "screen").headers
    assert headers["content-type"].startswith("text/event-stream")
    assert headers["x-accel-buffering"] == "no"
    assert "default-src 'none'" in headers["content-security-policy"]


def test_two_windows_more_than_one_address_may_have_are_refused_with_a_time(tmp_path):
    with opened_hub(tmp_path / "hub", throttle_loopback=True, viewers_per_address=2) as hub:
        night = hub.open_night()
        watchers = [hub.watch(hub.client(), night, "screen") for _ in range(3)]
        assert [watcher.status for watcher in watchers] == [200, 200, 503]
        assert "retry-after" in watchers[2].headers


def test_a_stream_of_a_night_that_is_not_there_is_refused(hub: HubSite):
    assert hub.watch(hub.client(), "none", "screen").status == 404


def test_requests_that_repeat_send_nothing_anew(hub: HubSite):
    night, own = drawn_night(hub), request_id()
    stream = hub.watch(hub.client(), night, "screen")
    read_parts(stream, "announcements")
    for _ in range(2):
        hub.nights.decide(night, {"do": "announce", "text": "Once"}, Author(Role.DIRECTOR, "Dee"), own)
    hub.do(night, "announce", text="Twice")
    texts: list[str] = []
    while "Twice" not in texts:  # a busy stream sends the newest alone
        rows = read_parts(stream, "announcements")["announcements"]
        texts = [row["text"] for row in rows]  # type: ignore[attr-defined]
    assert sorted(texts) == ["Once", "Twice"]


def test_what_changed_while_the_database_was_away_is_shown_once_it_is_back(hub: HubSite, monkeypatch):
    monkeypatch.setattr("web.hub.night_events.RETRY_S", 0.01)
    night, read, tries = drawn_night(hub), hub.nights.alarms, []
    desk = hub.watch(hub.director(), night, "director")
    read_parts(desk, "head", "departures", "rounds.3")

    def fail_twice(name):
        tries.append(name)
        if len(tries) <= 2:
            raise HubNotNow("hub_database_away", database="hub.db", error="it sleeps")
        return read(name)

    monkeypatch.setattr(hub.nights, "alarms", fail_twice)
    hub.do(night, "announce", text="Game 2 begins at nine")
    assert read_parts(desk, "announcements")["announcements"][0]["text"] == "Game 2 begins at nine"  # type: ignore[index]


def test_alarms_that_cannot_be_read_now_hold_up_nothing_and_come_later(hub: HubSite, monkeypatch):
    monkeypatch.setattr("web.hub.night_events.RETRY_S", 0.01)
    night, read, is_away = drawn_night(hub), hub.nights.alarms, [True]
    desk = hub.watch(hub.director(), night, "director")
    read_parts(desk, "head", "departures", "rounds.3", "alarms")

    def may_fail(name):
        if is_away[0]:
            raise HubNotNow("hub_database_away", database="hub.db", error="it sleeps")
        return read(name)

    monkeypatch.setattr(hub.nights, "alarms", may_fail)
    hub.ledger.quarantine(Refusal(night, "t1", Refused.POISON, Message("hub_message_json"), b"?"))
    hub.do(night, "announce", text="Game 2 begins at nine")
    assert len(read_parts(desk, "announcements")["announcements"]) == 1  # type: ignore[arg-type]
    is_away[0] = False
    (alarm,) = read_parts(desk, "alarms")["alarms"]  # type: ignore[misc]
    assert alarm["table"] == "t1"


def test_an_alarm_is_dismissed_at_its_own_night_alone(hub: HubSite):
    night, other = drawn_night(hub), drawn_night(hub)
    hub.ledger.quarantine(Refusal(night, "t1", Refused.POISON, Message("hub_message_json"), b"?"))
    (alarm,) = hub.nights.alarms(night)
    dee = hub.director()
    for where, left in ((other, 1), (night, 0)):
        answer = dee.post("/night/v1/alarms", night=where, alarm=alarm["alarm"], name="Dee")
        assert (answer.status, len(hub.nights.alarms(night))) == (200, left)


def test_a_desk_hears_that_the_broker_is_away_and_back(hub: HubSite):
    night = drawn_night(hub)
    hub.do(night, "add_table", table="t9", label="9", kind="board")
    desk = hub.watch(hub.director(), night, "director")
    read_parts(desk, "head", "departures", "rounds.3", "troubles")
    for ill in ([{"key": "hub_broker_away"}], []):
        hub.feed.ill = ill
        hub.nights.notify_troubles()
        assert read_parts(desk, "troubles")["troubles"] == ill


def test_a_night_on_paper_alone_hears_of_no_broker(hub: HubSite):
    night = drawn_night(hub)
    hub.feed.ill = [{"key": "hub_broker_away"}]
    desk = hub.watch(hub.director(), night, "director")
    assert read_parts(desk, "troubles")["troubles"] == []
    hub.do(night, "add_table", table="t9", label="9", kind="board")
    assert read_parts(desk, "troubles")["troubles"] == hub.feed.ill


def test_however_many_changes_a_database_holds_up_the_views_are_tried_again_once(hub: HubSite, monkeypatch):
    streams, again = hub.server._streams, []

    class Loop:
        def call_later(self, *words):
            again.append(words)

    monkeypatch.setattr(streams, "_loop", Loop())
    streams._channels["night"] = NightChannels()
    for _ in range(16):
        streams._compute_later("night")
    assert len(again) == 1
    _, act, *words = again.pop()
    act(*words)
    streams._compute_later("night")
    assert len(again) == 1


def test_an_ended_night_has_no_troubles_of_its_tables_and_is_left_alone(hub: HubSite):
    night, changes = drawn_night(hub), []
    hub.do(night, "add_table", table="t9", label="9", kind="board")
    hub.feed.ill = [{"key": "hub_broker_away"}]
    assert hub.director().get(f"/night/v1/{night}/director").json["troubles"] == hub.feed.ill
    hub.do(night, "end_night")
    hub.nights.follow(lambda *words: changes.append(words))
    hub.nights.notify_troubles()
    assert (hub.nights.troubles(night), changes) == ([], [])
