"""Commands over HTTP: statuses, codes and sentences of every refusal, and that a refusal changes nothing."""

import threading
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest

from pegboard.core.faults import FAULT_RULES
from pegboard.errors import NotStored
from pegboard.storage.journal.journal import Journal
from tests.support.web_server_and_clients import Answer, Site, opened, tap


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A table on which Ann has five points."""
    with opened(tmp_path_factory.mktemp("played")) as site:
        site.score(0, 5, why="play")
        yield site


def test_an_accepted_score_is_answered_with_the_new_state(site: Site):
    answer = site.score(0, 12, why="hand")
    assert answer.status == 201
    receipt = answer.json
    assert receipt["replayed"] is False
    assert receipt["state"]["lanes"][0]["front"] == 12
    line = receipt["state"]["entries"][0]
    assert (line["id"], line["points"], line["why"], line["seat"]) == (receipt["entry"], 12, "hand", 0)
    assert receipt["state"] == site.get("/api/v1/state").json


def test_the_etag_names_epoch_and_revision(site: Site):
    answer = site.score(0, 2)
    state = answer.json["state"]
    assert answer.headers["etag"] == f'"{state["epoch"]}-{state["revision"]}"'
    assert site.get("/api/v1/state").headers["etag"] == answer.headers["etag"]


def test_a_lost_answer_is_looked_up_by_a_read_that_never_stores(site: Site):
    stored, lost = tap(), tap()
    answer = site.score(0, 12, id=stored).json
    with site.as_it_was():
        assert site.get(f"/api/v1/commands/{stored}").json == answer | {"replayed": True}
        assert site.get(f"/api/v1/commands/{lost}").refusal == (404, "no_command")
    assert site.score(0, 12, id=lost).status == 201


def test_state_is_always_sent_whole_because_dialled_points_carry_no_revision(site: Site):
    etag = site.get("/api/v1/state").headers["etag"]
    site.scoreboard.keys.dial(0, 5)
    answer = site.get("/api/v1/state", If_None_Match=etag)
    assert (answer.status, answer.json["lanes"][0]["dialled"]) == (200, 5)


def test_a_page_is_told_from_a_program_by_its_origin(site: Site):
    site.score(0, 2)
    values = {"id": tap(), "game": site.game, "do": "score", "seat": 1, "points": 3, "base": 0}
    site.post("/api/v1/commands", values, Origin=f"http://127.0.0.1:{site.port}")
    assert [line["source"] for line in site.get("/api/v1/state").json["entries"]] == ["phone", "program"]


def test_a_repeat_is_answered_200_and_stored_once(site: Site):
    same = {"id": tap(), "game": site.game, "do": "score", "seat": 0, "points": 12, "base": 0}
    first = site.post("/api/v1/commands", same)
    with site.as_it_was():
        again = site.post("/api/v1/commands", same | {"base": 1})
    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json | {"replayed": True}


@pytest.mark.parametrize(
    ("asked", "status", "code", "words"),
    [
        ({"base": 0}, 409, "moved", "Ann is already at 5"),
        ({"base": ...}, 428, "base_missing", "`base` is missing"),
        ({"base": None}, 428, "base_missing", "`base` is missing"),
        ({"game": "yesterday"}, 409, "other_game", "game yesterday is not the current one"),
        ({"seat": 1, "base": 0, "why": "heels", "points": 3}, 422, "rule", "heels are 2 points"),
        ({"points": 19, "why": "hand"}, 422, "rule", "19, 25, 26 and 27 are impossible"),
        ({"seat": 3}, 422, "rule", "there is no seat 3"),
        ({"seat": ...}, 422, "rule", "a score must name its seat or lane"),
        ({"do": "undo", "entry": "9", "seat": ..., "points": ...}, 422, "rule", "there is no line 9"),
        ({"do": "redo", "entry": "1", "seat": ..., "points": ...}, 409, "already", "line 1 is not undone"),
        ({"do": "undo", "seat": ..., "points": ..., "base": ...}, 428, "base_missing", "of the board"),
        (
            {"do": "start", "variant": "standard", "players": ["Ann", "Bob"], "seat": ..., "points": ...},
            409,
            "other_game",
            "`replaces`",
        ),
    ],
)
def test_a_refused_command_is_a_problem_and_changes_nothing(played: Site, asked, status, code, words):
    with played.as_it_was():
        answer = played.score(0, 12, **asked)
    assert answer.refusal == (status, code)
    assert words in answer.json["detail"]
    assert ("state" in answer.json) == (status == 409)


def test_moved_tells_the_entries_since_and_the_state(site: Site):
    site.score(0, 5)
    site.score(0, 12, why="hand")
    problem = site.score(0, 12, base=1).json
    assert [line["points"] for line in problem["entries"]] == [12]
    assert problem["state"]["lanes"][0] == site.get("/api/v1/state").json["lanes"][0]


def test_the_same_tap_goes_through_with_the_base_from_the_answer(site: Site):
    site.score(0, 5)
    same = {"id": tap(), "base": 0}
    base = site.score(0, 12, **same).json["state"]["lanes"][0]["revision"]
    assert site.score(0, 12, **same | {"base": base}).status == 201
    assert site.scoreboard.view.game.lanes[0].front == 17


def test_an_id_with_other_content_is_refused(site: Site):
    same = {"id": tap()}
    site.score(0, 5, **same)
    with site.as_it_was():
        answer = site.score(0, 6, **same)
    assert answer.refusal == (422, "id_reused")


def test_a_game_that_is_over_takes_no_score(site: Site):
    for _ in range(5):
        assert site.score(0, 29).status == 201
    with site.as_it_was():
        answer = site.score(1, 2)
    assert answer.refusal == (409, "over")
    assert answer.json["state"]["game"]["over"] is True


def test_a_repeat_after_the_end_is_still_a_repeat(site: Site):
    same = {"id": tap(), "base": 4}
    for _ in range(4):
        site.score(0, 29)
    first = site.score(0, 29, **same)
    assert (first.status, site.score(0, 29, **same).status) == (201, 200)


def test_what_cannot_be_stored_is_not_scored(site: Site):
    with (
        site.as_it_was(),
        patch.object(Journal, "append", side_effect=NotStored("NOT SAVED, so not scored: disk full")),
    ):
        answer = site.score(0, 12)
    assert answer.refusal == (503, "not_stored")
    assert answer.json["detail"] == "NOT SAVED, so not scored: disk full"


def test_a_fault_of_ours_shows_no_details(site: Site, caplog: pytest.LogCaptureFixture):
    with patch.object(Journal, "find", side_effect=ZeroDivisionError("secret")):
        answer = site.score(0, 12)
    assert answer.refusal == (500, "internal")
    assert b"secret" not in answer.body
    assert "secret" in caplog.text


def test_undo_redo_deal_and_start_go_through(site: Site):
    entry = site.score(0, 5).json["entry"]
    assert site.command(do="undo", entry=entry).json["state"]["lanes"][0]["front"] == 0
    state = site.command(do="redo", entry=entry).json["state"]
    assert state["lanes"][0]["front"] == 5
    state = site.command(do="deal", base=state["revision"]).json["state"]
    assert (state["dealer"], state["game"]["deal"]) == (1, 2)
    start = {"do": "start", "variant": "three-handed", "players": ["Ann", "Bob", "Cy"]}
    state = site.command(**start, replaces=site.game, game=..., base=state["revision"]).json["state"]
    assert [seat["name"] for seat in state["seats"]] == ["Ann", "Bob", "Cy"]
    assert state["game"]["variant"] == "three-handed"


def test_two_phones_with_the_same_base_are_told_apart_a_hundred_times(site: Site):
    for _ in range(100):
        if site.scoreboard.view.game.outcome is not None:
            view = site.scoreboard.view
            site.command(do="start", variant="standard", players=["Ann", "Bob"], base=view.revision)
        base = site.scoreboard.view.game.revisions[0]
        answers = _together(*[lambda base=base: site.score(0, 12, base=base)] * 2)
        assert sorted(answer.status for answer in answers) == [201, 409]
        assert {answer.json.get("code") for answer in answers} <= {None, "moved", "over"}


def test_a_table_that_is_not_open_takes_no_scores_but_may_be_looked_at(serve: Callable[..., Site]):
    site = serve(open=False)
    with site.as_it_was():
        answer = site.score(0, 12)
    assert answer.refusal == (403, "not_paired")
    assert "open /j/" in answer.json["detail"]
    assert site.get("/api/v1/state").status == 200


def _together(*calls: Callable[[], Answer]) -> list[Answer]:
    answers: list[Answer] = []
    threads = [threading.Thread(target=lambda call=call: answers.append(call())) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_an_award_of_muggins_that_the_game_hole_cuts_short_is_said(serve: Callable[..., Site]):
    site = serve(house=("muggins=on",))
    for points in (29, 29, 29, 29, 3):
        site.score(1, points)
    told = site.on_board("muggins", seat=0, claimed=11, missed=11).json
    assert told["note"] == "the award is only 2, because the player who missed the points could not have pegged more"
    assert site.fronts == [2, 119]
    assert "note" not in site.on_board("muggins", seat=0, claimed=2, missed=2).json


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"house": ("misdeal=2",)}, [("dealer-number", 2, "shown"), ("wrong-pack", 0, "always"), ("renege", 2, None)]),
        ({"variant": "acc"}, [("dealer-number", 0, "turned"), ("not-cut", 0, "unstated")]),
    ],
)
def test_every_fault_is_told_with_its_award_and_its_deadline(
    serve: Callable[..., Site], rules: dict[str, Any], told: list[tuple[str, int, str | None]]
):
    faults = serve(**rules).get("/api/v1/faults").json["faults"]
    assert [one["fault"] for one in faults] == list(FAULT_RULES)
    for fault, points, until in told:
        assert {"fault": fault, "points": points, "until": until} in faults
