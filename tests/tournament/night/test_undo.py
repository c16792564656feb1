"""Undo of any decision by its number: as if it had never been made, or refused with what has to be undone first."""

from pegboard.tournament.night.decisions import word_of
from pegboard.tournament.night.views.night_views import audit_lines, director_view
from tests.support.night_at_work import NightAtWork, lower_number_wins, player_of, without

TRAIL = ("audit", "revision")
"""What of a view tells that something was decided and undone."""


def apart_from_the_trail(night):
    return {name: part for name, part in director_view(night).items() if name not in TRAIL}


def a_night():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), cut="2", fee=500)
    night.do("open_pot", kind="q_pool", fee=100)
    night.do("enter_pot", pot="q_pool", player="p1")
    night.do("fee_paid", player="p1", cents=600)
    night.do("draw")
    night.do("start_round", round=1)
    night.play_all(lower_number_wins, ("paper", "cards", "table"))
    night.break_seed_ties()
    night.do("announce", text="The cut is closed at nine")
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    night.do("bracket_game", match="main:1:1", winner=night.night.cut.qualifiers[0], margin=9)
    night.do("pay_pot", pot="q_pool")
    return night


def test_each_decision_is_undone_as_if_it_had_never_been_or_another_is_named():
    refused, undone = [], []
    for number in range(1, a_night().night.revision + 1):
        night = a_night()
        try:
            undoing = night.do("undo", number=number)
        except Exception as error:  # noqa: BLE001 - each is a refusal with a sentence, which is looked at below
            refused.append((number, error))
            continue
        undone.append(number)
        assert apart_from_the_trail(night.night) == apart_from_the_trail(without(night.night, {number, undoing}))
        assert director_view(night.night) == director_view(night.replayed())
    assert undone
    keys = {error.message.key for _, error in refused}
    assert keys <= {"night_undo_first", "night_cut_closed"}
    named = [error.message.values["number"] for _, error in refused if error.message.key == "night_undo_first"]
    assert all(
        number < first
        for (number, error), first in zip(
            [row for row in refused if row[1].message.key == "night_undo_first"], named, strict=True
        )
    )


def test_a_whole_night_is_undone_from_its_end_to_its_beginning():
    night = a_night()
    for number in range(night.night.revision, 0, -1):
        night.do("undo", number=number)
    assert night.view()["night"]["phase"] == "none"
    assert night.view()["players"] == []


def test_what_was_undone_is_put_back_by_undoing_that():
    night = a_night()
    before = apart_from_the_trail(night.night)
    undoing = night.do("undo", number=night.night.revision)
    assert apart_from_the_trail(night.night) != before
    night.do("undo", number=undoing)
    assert apart_from_the_trail(night.night) == before


def test_the_trail_keeps_all_and_says_what_was_undone_by_what():
    night = NightAtWork().open(("Ann", "Bob"))
    left = night.do("leave", player="p2")
    undoing = night.do("undo", number=left)
    lines = {line["number"]: line for line in audit_lines(night.night)}
    assert len(lines) == night.night.revision
    assert not lines[left]["stands"]
    assert lines[left]["undone_by"] == undoing
    assert lines[left]["said"]["text"] == "Bob left"
    assert not lines[left]["actions"]["undo"]["possible"]
    assert night.refusal("undo", number=left).code == "already"


def test_the_id_of_an_undone_entry_is_never_used_again():
    night = NightAtWork().open(("Ann", "Bob"))
    entry = night.do("enter", name="Cy")
    night.do("undo", number=entry)
    night.do("enter", name="Dee")
    assert list(night.night.players) == ["p1", "p2", "p4"]


def test_an_entry_on_which_the_schedule_rests_names_the_draw():
    night = NightAtWork().open(("Ann", "Bob"))
    drawn = night.do("draw")
    error = night.refusal("undo", number=2)
    assert (error.message.key, error.message.values["number"]) == ("night_undo_first", drawn)


def test_games_that_hang_on_an_undone_game_of_the_bracket_go_with_it():
    night = NightAtWork().open([f"Player {n}" for n in range(1, 5)], cut="4", best_of=[1])
    night.do("draw")
    night.play_all(lower_number_wins)
    night.break_seed_ties()
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    first = winner_of(night, "main:1:1")
    semi = night.do("bracket_game", match="main:1:1", winner=first, margin=9)
    night.do("bracket_game", match="main:1:2", winner=winner_of(night, "main:1:2"), margin=9)
    night.do("bracket_game", match="main:2:1", winner=first, margin=9)
    assert night.view()["brackets"][0]["winner"] == first
    night.do("undo", number=semi)
    night.do("bracket_game", match="main:1:1", winner=first, margin=9)
    assert night.view()["brackets"][0]["winner"] is None  # the final is played anew
    assert night.view()["departures"] == []


def winner_of(night, key):
    return next(match for match in night.view()["brackets"][0]["matches"] if match["match"] == key)["players"][0]


def test_several_directors_at_once_overwrite_nothing_unseen():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), cut="2")
    night.do("draw")
    seen = night.night.revision
    key = night.open_games()[0]
    winner, loser = night.night.schedule[key].players
    night.do("paper_result", base=seen, game=key, winner=winner, margin=5)  # the first director
    error = night.refusal(
        "paper_result", base=seen, game=key, winner=loser, margin=5
    )  # the second, who has not seen it
    assert (error.code, error.message.key) == ("moved", "night_moved")
    night.do("check_in", base=seen, player="p1") if not night.night.is_here("p1") else None
    night.do("announce", base=seen, text="Food is here")  # nothing else has changed that
    night.do("paper_result", base=night.night.revision, game=key, winner=loser, margin=5)
    assert night.standing(loser)["won"] == 1


def test_two_directors_do_not_draw_one_over_the_other():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"))
    seen = night.night.revision
    night.do("draw", base=seen)
    assert night.refusal("draw", base=seen).code == "moved"


def test_players_decide_only_for_themselves():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"))
    night.do("draw")
    key = night.open_games()[0]
    one, other = night.night.schedule[key].players
    assert night.refusal("claim", player_of(one), game=key, player=other, won=True, margin=3).code == "role"
    assert night.refusal("draw", player_of(one)).code == "role"
    assert night.refusal("check_in", player_of(one), players=[other]).code == "role"


def test_the_log_names_what_is_undone_with_a_game_of_the_bracket():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), games=3, cut="all", best_of=[1])
    night.do("draw")
    night.play_all(lower_number_wins)
    night.break_seed_ties()
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    numbers = []
    while ready := [one for one in night.view()["brackets"][0]["matches"] if one["state"] == "ready"]:
        numbers.append(night.do("bracket_game", match=ready[0]["match"], winner=ready[0]["players"][0]))
    first, _, final = numbers
    night.do("undo", number=first)
    said = night.view()["audit"][0]["said"]["text"]
    assert said == f"log entry {first} undone, with the entries that depended on it: {final}"


def test_how_a_night_was_called_off_is_known_however_much_was_written_before():
    night = NightAtWork()
    night.do("open_night", name="Club night", date="2026-11-26", rules={"games": 3})
    for _ in range(20):
        night.do("undo", number=night.do("announce", text="Welcome"))
    assert night.view()["night"]["called_off_by"] is None
    night.do("undo", number=1)
    assert (night.view()["night"]["phase"], night.view()["night"]["called_off_by"]) == ("none", 42)
    night.do("undo", number=42)
    assert night.view()["night"]["called_off_by"] is None


def test_an_entry_on_which_later_decisions_rest_is_called_by_its_name():
    night = NightAtWork().open(("Ann", "Bob"))
    night.do("draw")
    number = next(row.number for row in night.night.rows if word_of(row.decision) == "enter")
    said = str(night.refusal("undo", number=number))
    assert "Ann" in said
    assert "p1" not in said
