"""A view as JSON: every field of an evening added up by hand, and where the game stands in words."""

import json
from dataclasses import replace

import pytest

from pegboard import Deal, Rules, Score, TakeBack, new_game, play
from pegboard.core import sentences, view_as_json
from pegboard.core.course_of_sheet import Where
from pegboard.core.entry import Entry, Origin
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Match
from pegboard.core.moves import OverPeg, PegBack, Penalize, Retract, SetPegs, Stage, Substitute
from pegboard.core.presets import preset_rules
from pegboard.core.referee import apply, decide
from pegboard.core.view import Alarm, Call, Device, EventNews, NextSeat, View
from pegboard.messages import Message
from tests.core.test_wire import EVENING

PAIR = ("Ann", "Bob")
FOUR = ("Ann", "Bob", "Cy", "Dee")

USUAL = {"out-of-turn": 2, "cut-pack": 2, "renege": 2}


@pytest.fixture
def state():
    """Of the evening that `EVENING` tells, one command a second."""
    game = new_game(with_house_rules(Rules.named("short"), ["muggins=on", "over-peg=excess", "confirm=on"]), PAIR)
    for second, command in enumerate(EVENING, 1):
        game = apply(game, decide(game, command), Origin(second, "phone", second * 10**9))
    match = Match("best of 5", (1, 0), (2, 0), (2, 0), (37, -37))
    return view_as_json.snapshot(View(game, match, (0, 3), "look", "game-1", "epoch-1", 16, 1, "match-1"))


def entry(state, line):
    return next(values for values in state["entries"] if values["id"] == str(line))


def moved(line, do, lane, points, **more):
    """A standing line as made: its second is its number, and it counts, until `more` says otherwise."""
    made = {"id": str(line), "do": do, "source": "phone", "at": line, "stands": True, "counts": True}
    return made | {"seat": None, "lane": lane, "points": points, "why": None} | more


def test_the_table_the_game_and_the_match_are_told(state):
    assert {key: state[key] for key in ("epoch", "revision", "dealer", "undo", "redo", "notice")} == {
        "epoch": "epoch-1",
        "revision": 16,
        "dealer": 0,
        "undo": "11",
        "redo": None,
        "notice": "look",
    }
    assert state["game"] == {
        "id": "game-1",
        "variant": "short",
        "game_hole": 61,
        "skunk_lines": [30],
        "rules": {
            "worth": (1, 2, 3),
            "first_deal": "loser",
            "heels_limit": "no limit",
            "muggins": True,
            "misdeal": 0,
            "overpeg_award": "excess",
            "strict": False,
            "peg_out": False,
            "pegging_only": False,
            "lurch": False,
            "crib_flush": 5,
            "penalties": [{"fault": name, "points": points} for name, points in USUAL.items()],
            "pone_chooses": False,
            "enough": 0,
        },
        "deal": 2,  # 20, 29 and 2 more hands of 29: two players count that in two deals
        "phase": "over",
        "to_count": None,
        "scored": True,
        "sure": 1.0,
        "dealer_sure": 1.0,
        "otherwise": None,
        "ask_deal": False,
        "says": "Ann has won, skunk against Bob",
        "over": True,
        "winner": 0,
        "unconfirmed": [1],
        "dealer_next": 1,
    }
    best_of_5 = {"id": "match-1", "format": "best of 5", "to_win": 3, "counted": [2, 0], "winner": None}
    assert state["match"] == best_of_5


def test_each_seat_and_lane_is_told_with_what_a_judge_must_see(state):
    """Ann was awarded the penalty's 8 and the overclaim's 18, Bob the 8 of her over-peg.

    Her over-peg, her pegging back, her amended penalty and her set pegs are 4 corrections in her lane.

    Events in her lane: 1, 3, 4, 6, 9, 10 and 11 are lines or amendments; 8 gave her 18, 12 took the set pegs back,
    13 and 14 let them stand and fall again. In Bob's: 2, 5, 7, 8, the 8 of line 4, and his muggins undone.
    """
    assert state["seats"] == [
        {"name": "Ann", "lane": 0, "confirmed": True},
        {"name": "Bob", "lane": 1, "confirmed": False},
    ]
    ann, bob = state["lanes"]
    assert ann == {
        "front": 61,
        "rear": 35,
        "revision": 11,
        "dialled": 0,
        "skunks": 0,
        "games_won": 1,
        "match_points": 2,
        "spread": 37,
        "awarded": 26,
        "corrections": 4,
        "pinned_by": None,
        "likely": None,
    }
    assert bob == {
        "front": 24,
        "rear": 23,
        "revision": 6,
        "dialled": 3,
        "skunks": 1,
        "games_won": 0,
        "match_points": 0,
        "spread": -37,
        "awarded": 8,
        "corrections": 2,
        "pinned_by": None,
        "likely": None,
    }
    assert state["needs"] == [{"out": 0, "save": None, "skunks": None}, {"out": 37, "save": 7, "skunks": 1}]


def test_each_kind_of_line_is_told_under_the_names_of_its_command(state):
    from_to = [
        moved(2, "score", 1, 29, seat=1) | {"from": 0, "to": 29},
        moved(4, "over_peg", 0, 12, entry="1", was=20, awarded=1, award=8) | {"from": 20, "to": 20},
        moved(6, "peg_back", 0, None, seat=0, holes=3, note="pegged out of turn") | {"from": 20, "to": 17},
        moved(7, "score", 1, 29, seat=1, ruled_by="8", truth=2) | {"from": 37, "to": 39},
        moved(8, "false_claim", 1, 2, entry="7", was=29, awarded=0, award=18, holes=15) | {"from": 39, "to": 24},
        moved(
            9,
            "set_pegs",
            0,
            None,
            seat=0,
            front=60,
            rear=51,
            note="as both remember",
            counts=False,
            ruled_by="10",
            retracted=True,
        )
        | {"from": 35, "to": 60},
        moved(11, "score", 0, 29, seat=0, at=15) | {"from": 35, "to": 61},
    ]
    told = [entry(state, int(values["id"])) for values in from_to]
    assert [values.pop("likely", None) is not None for values in told] == [each["do"] == "score" for each in told]
    assert told == from_to


def test_a_line_that_was_changed_in_its_place_tells_when_and_how(state):
    penalty = moved(3, "penalty", 0, 8, seat=0, why="penalty", note="a card exposed") | {"from": 12, "to": 20}
    amended = [{"did": "amend", "source": "phone", "at": 10, "was": 9}]
    assert entry(state, 3) == penalty | {"history": amended}
    called = moved(5, "muggins", 1, 4, seat=1, why="muggins", caller=1, claimed=4, missed=6) | {"from": 37, "to": 37}
    undone = [{"did": "undo", "source": "phone", "at": 11, "was": None}]
    assert entry(state, 5) == called | {"stands": False, "counts": False, "history": undone}
    renege = moved(10, "retract", None, None, entry="8", note="a renege", at=12)
    twice = [{"did": did, "source": "phone", "at": at, "was": None} for did, at in (("undo", 13), ("redo", 14))]
    assert entry(state, 10) == renege | {"history": twice}


def test_the_newest_ten_lines_come_first(state):
    assert [values["id"] for values in state["entries"]] == ["11", "10", "9", "8", "7", "6", "5", "4", "3", "2"]


def after(rules, players, *commands):
    game = new_game(rules, players)
    for command in commands:
        game = play(game, command)
    return game


def test_a_deal_tells_its_dealer_and_no_lane():
    game = after(Rules(), PAIR, Score(2, 0), Deal())
    told = view_as_json.entry_state(game, 2)
    assert {key: told[key] for key in ("do", "dealer", "lane", "seat", "points")} == {
        "do": "deal",
        "dealer": 1,
        "lane": None,
        "seat": None,
        "points": None,
    }
    assert not {"new", "from", "to"} & set(told)


def test_a_line_tells_who_played_it_once_somebody_took_over():
    game = after(Rules(), PAIR, Score(2, 0), Substitute(0, "Ann", "Cy"), Score(3, 0), Score(4, lane=1), Stage("show"))
    told = [view_as_json.entry_state(game, line) for line in range(1, 6)]
    assert [line.get("by") for line in told] == ["Ann", None, "Cy", "Bob", None]
    assert told[1]["former"] == "Ann"
    dealt = after(Rules(), PAIR, Score(2, 0), Substitute(1, "Bob", "Dee"), Deal())
    assert view_as_json.entry_state(dealt, 3)["by"] == "Dee", "the deal's dealer"
    four = after(Rules("partners", seats=4, lanes=2), ("Ann", "Bob", "Cy", "Dee"), Substitute(1, "Bob", "a guest"))
    assert view_as_json.entry_state(play(four, Score(2, lane=0)), 2)["by"] == "Ann and Cy"


def test_lines_that_were_missed_are_told_newest_first():
    game = after(Rules(), PAIR, *(Score(n, n % 2) for n in range(1, 14)))
    assert [values["id"] for values in view_as_json.entries_since(game, 11)] == ["13", "12"]
    assert [values["points"] for values in view_as_json.entries_since(game, 0)] == list(range(13, 0, -1))


def test_a_line_taken_back_is_what_redo_means():
    game = after(Rules(), PAIR, Score(2, 0), Score(3, 1), TakeBack(1))
    assert view_as_json.snapshot(View(game))["redo"] == "1"


def test_a_lane_tells_which_ruling_has_pinned_it():
    game = after(Rules(), PAIR, SetPegs(1, 20, 9), Score(4, 1))
    assert [lane["pinned_by"] for lane in view_as_json.snapshot(View(game))["lanes"]] == [None, "1"]


def test_points_awarded_are_told_as_far_as_they_count():
    game = after(Rules(), PAIR, Penalize(2, 0), Penalize(7, 1), Score(9, 1), Penalize(5, 1), TakeBack(4))
    assert [lane["awarded"] for lane in view_as_json.snapshot(View(game))["lanes"]] == [2, 7]


def test_a_retraction_takes_its_awards_along_and_is_no_lanes_correction():
    game = after(Rules(), PAIR, Penalize(2, 0), PegBack(1, 1), Retract(0))
    lanes = view_as_json.snapshot(View(game))["lanes"]
    assert [(lane["awarded"], lane["corrections"]) for lane in lanes] == [(0, 0), (0, 1)]


def test_a_match_without_end_names_no_number_to_win():
    assert view_as_json.snapshot(View(after(Rules(), PAIR)))["match"]["to_win"] is None


def test_before_the_end_nobody_has_won_and_nobody_is_skunked():
    state = view_as_json.snapshot(View(after(Rules(), PAIR)))
    assert (state["game"]["over"], state["game"]["winner"], state["game"]["unconfirmed"]) == (False, None, [])
    assert [lane["skunks"] for lane in state["lanes"]] == [0, 0]


@pytest.mark.parametrize(
    ("front", "save", "skunks"),
    [(0, 61, 2), (60, 1, 2), (61, 30, 1), (90, 1, 1), (91, 0, 0), (120, 0, 0)],
)
def test_how_many_holes_save_which_skunk(front, save, skunks):
    """On 90 a skunk, on 60 a double skunk; 91 and 61 are safe from them."""
    assert view_as_json.to_save(Rules(), front) == (save, skunks)


SAYS = [
    (Rules(), PAIR, (), "Ann deals first"),
    (Rules(), PAIR, (Deal(),), "Bob deals"),
    (Rules(), PAIR, (Score(2, 0, why="heels"),), "Play"),
    (Rules(), PAIR, (Score(2, 1, why="play"),), "Play"),
    (Rules(), PAIR, (Score(8, 1, why="hand"),), "Show: now count Ann's hand"),
    (Rules(), PAIR, (Score(8, 1, why="hand"), Score(4, 0, why="hand")), "Show: now count Ann's crib"),
    (Rules(), PAIR, (Score(5, 0),), "Play"),
    (Rules.named("three-handed"), FOUR[:3], (Score(8, 1, why="hand"),), "Show: now count Cy's hand"),
    (Rules(), PAIR, (SetPegs(1, 91, 80), SetPegs(0, 121, 120)), "Ann has won"),
    (Rules(), PAIR, (SetPegs(1, 90, 80), SetPegs(0, 121, 120)), "Ann has won, skunk against Bob"),
    (Rules(), PAIR, (SetPegs(0, 60, 50), SetPegs(1, 121, 120)), "Bob has won, double skunk against Ann"),
    (
        Rules.named("three-handed"),
        FOUR[:3],
        (SetPegs(0, 61, 50), SetPegs(2, 60, 50), SetPegs(1, 121, 120)),
        "Bob has won, skunk against Ann, double skunk against Cy",
    ),
    (Rules.named("partners"), FOUR, (SetPegs(0, 91, 9), SetPegs(3, 121, 9)), "Bob and Dee have won"),
    (
        with_house_rules(Rules(), ["skunks=triple"]),
        PAIR,
        (SetPegs(0, 30, 20), SetPegs(1, 121, 120)),
        "Bob has won, triple skunk against Ann",
    ),
    (Rules(skunk_lines=(90, 60, 30, 10)), PAIR, (SetPegs(1, 121, 9),), "Bob has won, triple skunk against Ann"),
    (
        Rules.named("solitaire"),
        PAIR[:1],
        (*(Score(4, 0, why="crib") for _ in range(6)), Score(8, 0, why="hand")),
        "The goal was not reached",
    ),
    (Rules.named("solitaire"), PAIR[:1], (Score(2, 0),), "Play or show"),
]


@pytest.mark.parametrize(("rules", "players", "commands", "words"), SAYS, ids=[words for *_, words in SAYS])
def test_where_the_game_stands_is_said_as_at_the_table(rules, players, commands, words):
    assert sentences.phase_sentence(after(rules, players, *commands)) == words


def test_a_whole_sheet_asks_only_its_rulings_what_they_say_of_each_line(monkeypatch):
    """However long it is: a sheet without a ruling asks nothing, one ruling is asked about the lines before it."""
    asked = []
    own = Entry.rules_on
    monkeypatch.setattr(Entry, "rules_on", lambda entry, line: asked.append(line) or own(entry, line))
    game = new_game(Rules(), ("Ann", "Bob"))
    for line in range(40):
        game = play(game, Score(2, line % 2, why="play"))
    view_as_json.entries_since(game, 0)
    assert asked == []
    game = play(game, OverPeg(7, 1, 2))
    asked.clear()
    assert [line["id"] for line in view_as_json.entries_since(game, 0) if "ruled_by" in line] == ["7"]
    assert len(asked) <= 41


def test_a_snapshot_holds_about_as_many_lines_as_fit_4_kilobytes_of_json():
    note = "“" * 80
    game = after(Rules(), ("A" * 64, "B" * 64), *(Penalize(1, 0, note) for _ in range(12)))
    state = view_as_json.snapshot(View(game))
    text = json.dumps(state, separators=(",", ":"), ensure_ascii=False)
    one_more = json.dumps(view_as_json.entry_state(game, 1), separators=(",", ":"), ensure_ascii=False)
    assert 0 < len(state["entries"]) < 10
    assert len(text.encode()) <= 4096 < len(text.encode()) + 2 * len(one_more.encode())


def room_of(values):
    """The bytes that values may have as JSON: Python's `repr` is never shorter, but where quotes are escaped."""
    return len(str(values).encode()) + str(values).count('"')


@pytest.mark.parametrize("notice", ["wait", Message("device_no_answer", error="timeout"), None])
def test_as_many_lines_are_told_as_fit_and_a_message_that_is_not_there_takes_no_room(notice):
    for letters in range(60, 76):
        game = after(Rules(), ("A" * 64, "B" * 64), *(Penalize(1, 0, "n" * letters) for _ in range(12)))
        state = view_as_json.snapshot(View(game, notice=notice))
        beside = {name: value for name, value in state.items() if name != "notice_message" or value} | {"entries": []}
        room, fitting = 4096 - room_of(beside), 0
        for line in view_as_json.entries_since(game, 0):
            room -= room_of(line)
            fitting += room >= 0
        assert len(state["entries"]) == fitting, letters


def as_json(state):
    return json.dumps(state, separators=(",", ":"), ensure_ascii=False).encode()


def test_every_device_is_told_those_in_trouble_first():
    devices = (Device("OLED"), Device("LED strip"), Device("keys", "no answer"), Device("keypad"))
    assert view_as_json.snapshot(View(devices=devices))["devices"] == [
        {"name": "keys", "trouble": "no answer"},
        {"name": "OLED", "trouble": None},
        {"name": "LED strip", "trouble": None},
        {"name": "keypad", "trouble": None},
    ]


def test_a_trouble_that_is_a_message_is_told_by_its_key_as_well():
    no_answer = Message("device_no_answer", error="timeout")
    (device,) = view_as_json.snapshot(View(devices=(Device("OLED", no_answer),)))["devices"]
    assert device["trouble_message"] == {"key": "device_no_answer", "values": {"error": "timeout"}}
    long = Message("device_no_answer", error="x" * 400)
    (device,) = view_as_json.snapshot(View(devices=(Device("OLED", long),)))["devices"]
    assert "trouble_message" not in device


@pytest.mark.parametrize("letter", ["x", "ö", "一", "🐪"])
def test_a_long_trouble_is_cut_to_120_bytes_of_whole_letters(letter):
    (device,) = view_as_json.snapshot(View(devices=(Device("OLED", letter * 121),)))["devices"]
    kept = device["trouble"].removesuffix("…")
    assert kept == letter * len(kept)
    assert 120 - len(letter.encode()) < len(device["trouble"].encode()) <= 120


def test_a_trouble_of_120_bytes_is_told_whole():
    (device,) = view_as_json.snapshot(View(devices=(Device("OLED", "x" * 120),)))["devices"]
    assert device["trouble"] == "x" * 120


@pytest.mark.parametrize("letter", ["x", '"', "🐪"])
def test_many_devices_in_long_trouble_take_the_room_of_a_line_or_two(letter):
    devices = tuple(Device("OLED", letter * 200) for _ in range(30))
    given_way = []
    for letters in range(10, 81, 10):
        game = after(Rules(), ("A" * 64, "B" * 64), *(Penalize(1, 0, letter * letters) for _ in range(12)))
        alone, beside = (view_as_json.snapshot(View(game, devices=some)) for some in ((), devices))
        assert len(as_json(beside)) <= 4096
        assert beside["devices"]
        given_way.append(len(alone["entries"]) - len(beside["entries"]))
    assert 0 < max(given_way) <= 2


@pytest.mark.parametrize(
    ("likeliest", "other", "said"),
    [
        ((0, "play", None), (0, "hand", 1), "Play, or count Bob's hand"),
        ((0, "hand", 0), (0, "crib", None), "Show: now count Ann's hand, or Ann's crib"),
        ((0, "crib", None), (1, "play", None), "Show: now count Ann's crib, or Bob deals"),
        ((1, "play", None), (0, "play", None), "Play, or Ann deals"),
        ((0, "hand", 1), (0, "play", None), "Show: now count Bob's hand, or play"),
        ((0, "crib", None), (0, "play", None), "Show: now count Ann's crib, or play"),
    ],
)
def test_where_two_ways_are_as_likely_both_are_said(likeliest, other, said):
    game = play(new_game(Rules(), PAIR, dealer=0), Score(2, 1))
    dealer, phase, to_count = likeliest
    game.followed.__dict__["standing"] = game.standing._replace(
        dealer=dealer, phase=phase, to_count=to_count, sure=0.5, other=Where(*other, 0.45)
    )
    assert sentences.phase_sentence(game) == said
    assert sentences.to_count(game) is None


@pytest.mark.parametrize(
    ("likeliest", "other", "said"),
    [
        ((0, "hand", 1), (0, "hand", 0), "Show: now count Show Bob's hand, or Play Ann's hand"),
        ((0, "play", None), (0, "hand", 0), "Play, or count Play Ann's hand"),
        ((1, "hand", 0), (0, "play", None), "Show: now count Play Ann's hand, or Play Ann deals"),
    ],
)
def test_a_name_stays_as_it_is_where_two_ways_are_said(likeliest, other, said):
    game = play(new_game(Rules(), ("Play Ann", "Show Bob"), dealer=0), Score(2, 1))
    dealer, phase, to_count = likeliest
    game.followed.__dict__["standing"] = game.standing._replace(
        dealer=dealer, phase=phase, to_count=to_count, sure=0.5, other=Where(*other, 0.45)
    )
    assert sentences.phase_sentence(game) == said


def test_alarms_are_told_with_their_keys_the_first_ones_first():
    lost = Message("journal_lost_tail", count=3)
    told = view_as_json.snapshot(View(alarms=(Alarm("m", Message("scores_in_memory"), lasts=True), Alarm("a", lost))))
    assert [(one["id"], one["lasts"], one["message"]["key"]) for one in told["alarms"]] == [
        ("m", True, "scores_in_memory"),
        ("a", False, "journal_lost_tail"),
    ]
    assert told["alarms"][1] == {
        "id": "a",
        "text": lost,
        "message": {"key": "journal_lost_tail", "values": {"count": 3}},
        "lasts": False,
        "director": False,
    }
    quiet = view_as_json.snapshot(View())
    assert quiet["alarms"] == quiet["devices"] == []


@pytest.mark.parametrize("letter", ["a", "é", "中"])
def test_many_long_alarms_leave_room_for_the_game_and_the_first_is_told_in_any_case(letter):
    full = Message("scores_not_stored", fault=Message("verbatim", text=letter * 900))
    game = new_game(Rules(), ("Ann", "Bob"))
    for points in range(1, 12):
        game = play(game, Score(points, points % 2))
    told = view_as_json.snapshot(View(game, alarms=tuple(Alarm(f"{n}", full) for n in range(8))))
    assert len(as_json(told)) <= view_as_json.MOST_BYTES
    assert [one["id"] for one in told["alarms"]][:1] == ["0"]
    assert len(told["alarms"][0]["text"].encode()) <= view_as_json.LONGEST_ALARM
    assert told["alarms"][0]["message"] is None
    assert len(told["entries"]) >= 3


def test_long_names_of_many_players_shorten_what_is_said_and_the_notice_but_no_name():
    rules = Rules("six-partners", seats=6, lanes=3)
    names = tuple(f"{seat} {'中' * 50}" for seat in range(6))
    match = Match("open", (0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0))
    state = view_as_json.snapshot(View(new_game(rules, names, dealer=0), match, dialled=(0, 0, 0), notice="é" * 150))
    assert [seat["name"] for seat in state["seats"]] == [*names]
    assert (state["game"]["says"], state["notice"]) == (f"0 {'中' * 38}…", f"{'é' * 58}…")


def test_the_second_way_is_in_the_state_too():
    game = play(new_game(Rules(), PAIR, dealer=0), Score(2, 1))
    game.followed.__dict__["standing"] = game.standing._replace(sure=0.5, other=Where(0, "hand", 1, 0.456))
    told = view_as_json.snapshot(View(game))["game"]["otherwise"]
    assert told == {"dealer": 0, "phase": "hand", "to_count": 1, "sure": 0.46}


def test_what_is_counted_next_is_told_where_it_is_sure():
    game = new_game(Rules(), PAIR, dealer=0)
    for points, seat, why in ((1, 1, "go"), (8, 1, "hand")):
        game = play(game, Score(points, seat, why=why))
    assert sentences.to_count(game) == (0, "hand")
    assert sentences.to_count(play(game, Score(10, 0, why="hand"))) == (0, "crib")
    assert sentences.to_count(new_game(Rules(), PAIR)) is None


def plain(value):
    """Whether Python writes every value as the word that JSON has: the snapshot measures its length by that."""
    return "<" not in str(value)


def test_a_snapshot_holds_plain_words_in_every_phase(state):
    cut = after(Rules(), PAIR)
    play_or_show = after(Rules(), PAIR, Score(2, 0))
    shown = after(Rules(), PAIR, Score(2, 1, why="play"), Score(8, 1, why="hand"))
    assert [plain(view_as_json.snapshot(View(game))) for game in (cut, play_or_show, shown)] == [True] * 3
    assert plain(state)


HANDS, CRIBS = [2, 4, 6, 8, 10, 12], [2, 4, 6, 8]


def likely_of(game):
    return [lane["likely"] for lane in view_as_json.snapshot(View(game))["lanes"]]


def test_what_each_lane_most_likely_pegs_next_follows_the_deal():
    play_of_both = [{"why": "play", "points": [1, 2, 3]}] * 2
    game = new_game(Rules(), PAIR, dealer=0)
    assert likely_of(game) == play_of_both
    game = play(play(game, Score(2, 1, why="play")), Score(1, 0, why="go"))
    assert likely_of(game) == play_of_both
    game = play(play(game, Score(1, 1, why="go")), Stage("show"))
    assert likely_of(game) == [None, {"why": "hand", "points": HANDS}]
    game = play(game, Score(8, 1, why="hand"))
    assert likely_of(game) == [{"why": "hand", "points": HANDS}, None]
    game = play(game, Score(6, 0, why="hand"))
    assert likely_of(game) == [{"why": "crib", "points": CRIBS}, None]
    assert likely_of(play(game, Score(4, 0, why="crib"))) == play_of_both


def test_alone_there_is_a_hand_and_no_play():
    assert likely_of(new_game(Rules.named("solitaire"), ("Ann",))) == [{"why": "hand", "points": HANDS}]


def test_hands_of_three_cards_have_no_usual_points():
    game = new_game(Rules.named("five-card"), PAIR, dealer=0)
    assert likely_of(game) == [{"why": "play", "points": [1, 2, 3]}] * 2
    for command in (Score(2, 1, why="play"), Score(1, 0, why="go"), Stage("show")):
        game = play(game, command)
    assert likely_of(game) == [None, {"why": "hand", "points": []}]


def test_a_notice_is_told_by_its_key_as_well():
    notice = Message("key_typed", points=5)
    state = view_as_json.snapshot(View(notice=notice))
    assert (state["notice"], state["notice_message"]) == (
        str(notice),
        {"key": "key_typed", "values": {"points": 5}},
    )
    assert view_as_json.snapshot(View(notice="x"))["notice_message"] is None
    long = Message("verbatim", text="x" * 400)
    assert view_as_json.snapshot(View(notice=long))["notice_message"] is None
    assert view_as_json.snapshot(View())["notice_message"] is None


def test_of_many_devices_only_as_many_messages_are_told_as_fit():
    trouble = Message("device_no_answer", error="y" * 60)
    told = view_as_json.snapshot(View(devices=tuple(Device(f"D{n}", trouble) for n in range(4))))["devices"]
    size = len(json.dumps({"key": "device_no_answer", "values": {"error": "y" * 60}}))
    assert 0 < sum("trouble_message" in device for device in told) <= 300 // size
    assert sum("trouble_message" in device for device in told) < 4


@pytest.mark.parametrize(
    ("house", "games_won", "said", "open_"),
    [
        ((), (0, 0), None, True),
        ((), (0, 0), 1, False),
        ((), (1, 0), None, False),
        (("first deal=cut",), (1, 0), None, True),
    ],
    ids=["nobody said", "said", "loser of the game before deals", "house cuts each game"],
)
def test_no_dealer_is_named_until_the_cards_are_cut(house, games_won, said, open_):
    game = new_game(with_house_rules(Rules.named("standard"), house), PAIR, said)
    view = View(game, Match(games_won=games_won))
    state = view_as_json.snapshot(view)
    assert (state["dealer"] is None) is open_
    assert (state["game"]["says"] == "Cut for the deal: low card deals") is open_
    assert (sentences.marked_dealer(view) is None) is open_


def test_a_table_of_an_event_tells_where_its_players_go_and_who_is_called():
    event = EventNews(
        "Club night",
        "Table 4",
        round=2,
        rounds=7,
        next=(NextSeat("Ann", "Table 1", "Dee", deals=True), NextSeat("Bob")),
        here=("Cy",),
        calls=(Call("c1", "judge", ("Cy", "Ann"), needed=1), Call("c2", "director")),
        result_url="http://hub/r/1",
        announcement="Supper at eight",
        settled=Message("verbatim", text="The director decided"),
    )
    assert view_as_json.snapshot(View(event=event))["event"] == {
        "name": "Club night",
        "table": "Table 4",
        "round": 2,
        "rounds": 7,
        "next": [
            {"table": "Table 1", "against": "Dee", "deals": True, "stays": False},
            {"table": None, "against": "", "deals": None, "stays": False},
        ],
        "here": ["Cy"],
        "calls": [
            {"for": "judge", "needed": 1, "accepted": ["Cy"]},
            {"for": "director", "needed": 1, "accepted": []},
        ],
        "settled": "The director decided",
        "settled_message": {"key": "verbatim", "values": {"text": "The director decided"}},
        "linked": True,
        "unsent": True,
        "announcement": "Supper at eight",
    }
    quiet = view_as_json.snapshot(View(event=EventNews("Club night", "Table 4")))["event"]
    assert [quiet[key] for key in ("round", "rounds", "settled", "settled_message")] == [None] * 4
    assert (quiet["next"], quiet["here"], quiet["calls"], quiet["unsent"]) == ([], [], [], False)
    assert "event" not in view_as_json.snapshot(View())


def test_a_call_waits_until_as_many_come_as_it_needs():
    def event(*calls):
        return EventNews("Club night", "Table 4", calls=calls)

    assert not event().is_calling
    assert event(Call("c1", "judge")).is_calling
    assert not event(Call("c1", "judge", ("Ann",))).is_calling
    assert event(Call("c1", "judge", ("Ann",), needed=2)).is_calling
    assert event(Call("c1", "judge", ("Ann",)), Call("c2", "director")).is_calling


def test_in_a_game_of_an_event_no_points_are_suggested():
    game = new_game(Rules(), PAIR, dealer=0)
    assert likely_of(game)[0] is not None
    paired = replace(game, pairing="club-night-7/r3:p1-p7")
    assert likely_of(paired) == [None, None]
    assert view_as_json.snapshot(View(paired))["game"]["pairing"] == "club-night-7/r3:p1-p7"
    assert "pairing" not in view_as_json.snapshot(View(game))["game"]


# --- presets ---


def test_the_preset_is_told_with_what_the_players_chose_and_changed():
    rules = with_house_rules(preset_rules("1922 laws"), ["game hole=61", "confirm=on"])
    assert view_as_json.preset_state(rules) == {
        "preset": {"name": "1922 laws", "chosen": ["game hole=61"], "changed": ["confirm=on"]}
    }
    assert view_as_json.preset_state(Rules()) == {}


def test_a_state_fits_one_live_event_though_every_rule_of_the_sheet_was_changed():
    words = ("skunks=triple", "worth=ACC 2-3-3", "first deal=alternate", "dealer start=on", "heels limit=last five")
    more = ("muggins=on", "crib flush=four", "misdeal=29", "pone chooses=off", "over-peg=excess")
    rules = with_house_rules(preset_rules("1922 laws"), (*words, *more, "strict=on", "peg out=on", "confirm=on"))
    game = new_game(rules, tuple(f"{name} {'x' * 58}" for name in PAIR))
    for second in range(60):
        game = play(game, Penalize(1, second % 2, "n" * 80)) if game.outcome is None else game
    state = view_as_json.snapshot(View(game, Match("open", (0, 0), (0, 0), (0, 0), (0, 0)), id="g" * 12))
    assert len(state["game"]["preset"]["changed"]) == 10
    assert len(json.dumps(state).encode()) <= 4096
