"""Every button tells the truth: a grey one is refused with its very sentence, and any other decides."""

import pytest

from pegboard.errors import PegboardError
from tests.support.night_at_work import NightAtWork, lower_number_wins

VALUES = {
    "open_night": {"name": "Other night", "date": "2026-11-27"},
    "set_rules": {"rules": {"games": 8}},
    "enter": {"name": "Somebody new"},
    "add_table": {"table": "t99"},
    "announce": {"text": "Hear, hear"},
    "draw_bracket": {"bracket": "main"},
    "draw_consolation": {"bracket": "consolation"},
    "open_pot": {"kind": "q_pool"},
    "check_in": {"player": "p5"},
}
"""What is asked for with the buttons of the night itself."""

STAGES = ("none", "opened", "drawn", "begun", "played", "closed", "drawn bracket", "ended")


def night_at(stage):
    """A night of five, as far as that."""
    work = NightAtWork()
    steps = {
        "opened": lambda: (work.open(("Ann", "Bob", "Cy", "Dee"), cut="3"), work.do("enter", name="Player 5")),
        "drawn": lambda: work.do("draw"),
        "begun": lambda: (work.do("start_round", round=1), work.play(work.open_games()[0], *first_result(work))),
        "played": lambda: (work.play_all(lower_number_wins), work.break_seed_ties()),
        "closed": lambda: work.do("close_cut"),
        "drawn bracket": lambda: (work.do("draw_bracket", bracket="main"), work.do("open_pot", kind="hand_24")),
        "ended": lambda: work.do("end_night"),
    }
    for each in STAGES[1 : STAGES.index(stage) + 1]:
        steps[each]()
    return work


def first_result(work):
    return work.night.schedule[work.open_games()[0]].players[0], 5


@pytest.mark.parametrize("stage", STAGES)
def test_buttons_of_the_night_say_what_its_decisions_do(stage):
    buttons = night_at(stage).view()["actions"]
    for do, button in buttons.items():
        if do == "break_tie":
            continue  # who is tied stands beside it
        tell(night_at(stage), do.replace("draw_consolation", "draw_bracket"), VALUES.get(do, {}), button)


@pytest.mark.parametrize("stage", STAGES[1:])
def test_buttons_of_players_say_what_their_decisions_do(stage):
    for player in night_at(stage).view()["players"]:
        for do, button in player["actions"].items():
            more = {"fee_paid": {"cents": 5}, "correct_entry": {"name": f"{player['name']} of Ash"}}.get(do, {})
            tell(night_at(stage), do, {"player": player["player"]} | more, button)


@pytest.mark.parametrize("stage", STAGES[2:])
def test_buttons_of_games_and_rounds_say_what_their_decisions_do(stage):
    work = night_at(stage)
    other = {table["table"]: work.view()["tables"][n - 1]["table"] for n, table in enumerate(work.view()["tables"])}
    for each in work.view()["rounds"][:2]:
        tell(night_at(stage), "start_round", {"round": each["round"]}, each["actions"]["start_round"])
        for game in each["games"]:
            one = game["players"][0]
            more = {
                "paper_result": {"winner": one, "margin": 9},
                "claim": {"player": one, "won": True, "margin": 9},
                "confirm": {"player": one},
                "rule": {"letter": "judge", "values": [{"points": 2, "net": 9}, {"points": 0, "net": -9}]},
                "award": {"against": one, "kind": "refused_judges"},
                "forfeit": {"player": one},
                "move_game": {"table": other[game["table"]]},
            }
            for do, button in game["actions"].items():
                tell(night_at(stage), do, {"game": game["game"]} | more[do], button)


@pytest.mark.parametrize("stage", ["drawn bracket", "ended"])
def test_buttons_of_matches_and_pots_say_what_their_decisions_do(stage):
    view = night_at(stage).view()
    for match in view["brackets"][0]["matches"]:
        player = next(one for one in match["players"] if one)
        wanted = {"bracket_game": {"winner": player}, "bracket_forfeit": {"player": player}}
        for do, button in match["actions"].items():
            tell(night_at(stage), do, {"match": match["match"]} | wanted[do], button)
    for do, button in view["pots"][0]["actions"].items():
        if do != "leave_pot":  # of whom stands beside it
            more = {} if do == "pay_pot" else {"player": "p1"}
            half = {"half": True} if do == "enter_half" else {}
            what = "enter_pot" if half else do
            tell(night_at(stage), what, {"pot": "hand_24"} | more | half, button, lenient=do == "pot_hit")


@pytest.mark.parametrize("fee", [500, 501])
def test_half_a_share_is_offered_where_a_fee_has_a_half(fee):
    work = night_at("opened")
    work.do("open_pot", kind="q_pool", fee=fee)
    (pot,) = work.view()["pots"]
    tell(work, "enter_pot", {"pot": pot["pot"], "player": "p1", "half": True}, pot["actions"]["enter_half"])
    assert pot["actions"]["enter_half"]["possible"] == (fee % 2 == 0)


def tell(work, do, values, button, *, lenient=False):
    """See that a button and its decision agree; `lenient` about which sentence."""
    error = refused(work, do, values)
    assert button["possible"] == (error is None), (do, values, button, str(error))
    if error is not None and not lenient:
        assert button["why"]["key"] == error.message.key or is_of_match(button, error), (do, button, error)


def refused(work, do, values):
    """The error of a decision; None where it was decided."""
    try:
        work.do(do, **values)
    except PegboardError as error:
        return error
    return None


def is_of_match(button, error):
    """A match says in a word of its own what the bracket refuses."""
    return button["why"]["key"].startswith("night_match_") and error.message.key.startswith("playoffs_bracket_")
