"""Late arrivals, departures and forfeits: games that have begun stay, and the rest is as fair as a new night."""

from collections import Counter
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from pegboard.tournament.schedule.ring import ONE_FEWER, ONE_MORE
from pegboard.tournament.schedule.schedule import Schedule, draw
from tests.support.replanning import replan, rounds_before


def ids(number):
    return [f"p{player}" for player in range(1, number + 1)]


@dataclass
class Night:
    """A night under way: who is there, what was drawn, what has begun, and what is drawn again."""

    players: list
    games: int
    first: Schedule
    begun: list
    arrived: dict
    again: Schedule
    odd: str

    @property
    def all_games(self):
        return [*self.begun, *self.again.pairings]


@st.composite
def changed_nights(draw_from):
    """Some rounds are over, of the next one some games have begun; then people leave and others come."""
    field, games = draw_from(st.integers(4, 17)), draw_from(st.integers(2, 11))
    odd = draw_from(st.sampled_from([ONE_MORE, ONE_FEWER]))
    order = draw_from(st.permutations(ids(field)))
    first = draw(order, games, odd=odd)
    over = draw_from(st.integers(0, len(first.rounds) - 1))
    current = [game.pairing for game in first.rounds[over].games]
    running = current[: draw_from(st.integers(0, len(current) - 1))]
    begun = [one for one in first.pairings if one.round <= over] + running
    leaving = set(draw_from(st.lists(st.sampled_from(order), max_size=3, unique=True)))
    latecomers = [f"p{field + number}" for number in range(1, draw_from(st.integers(0, 3)) + 1)]
    players = [player for player in order if player not in leaving] + latecomers
    arrived = dict.fromkeys(latecomers, over + 1)
    again = replan(first.pairings, {one.key for one in begun}, players, games, missed=rounds_before(arrived), odd=odd)
    return Night(players, games, first, begun, arrived, again, odd)


@given(changed_nights())
def test_what_has_begun_is_not_drawn_again_and_nobody_plays_twice_in_a_round(night):
    assert not {one.key for one in night.begun} & {one.key for one in night.again.pairings}
    at = Counter((one.round, player) for one in night.all_games for player in one.players)
    assert set(at.values()) <= {1}
    assert {player for one in night.again.pairings for player in one.players} <= set(night.players)


@given(changed_nights())
def test_everybody_has_the_games_he_came_for_but_one_player_of_odd_sums_or_it_is_said(night):
    """Who has had his one game more already was named by the first draw."""
    games = Counter(player for one in night.all_games for player in one.players)
    said = {player for remark in (*night.first.remarks, *night.again.remarks) for player in remark.players}
    for player in night.players:
        assert games[player] == night.games or player in said or player in night.arrived
    off = [remark for remark in night.again.remarks if remark.key.startswith("movement_one_")]
    for remark in off:
        assert remark.values["games"] == games[remark.players[0]]
    assert len(off) <= 1


@given(changed_nights())
def test_sit_outs_of_those_who_were_there_all_the_time_are_within_one_or_it_is_said(night):
    """Counted over the whole night: rounds without a game, as long as there was one to come."""
    rounds = range(1, max((one.round for one in night.all_games), default=0) + 1)
    last = dict.fromkeys(night.players, 0)
    playing = {number: set() for number in rounds}
    for one in night.all_games:
        playing[one.round] |= set(one.players)
        last |= {player: max(last.get(player, 0), one.round) for player in one.players}
    there = [player for player in night.players if player not in night.arrived]
    sat = {player: sum(player not in playing[number] for number in range(1, last[player])) for player in there}
    uneven = any(remark.key in ("movement_sitting_uneven", "movement_nobody_left") for remark in night.again.remarks)
    assert not sat or uneven or max(sat.values()) - min(sat.values()) <= 1


@given(changed_nights())
def test_rematches_are_said_with_their_number(night):
    met, rematches = Counter(frozenset(one.players) for one in night.begun), 0
    for one in night.again.pairings:
        met[frozenset(one.players)] += 1
        rematches += met[frozenset(one.players)] > 1
    said = [remark for remark in night.again.remarks if remark.key.startswith("movement_rematches")]
    assert [remark.values["number"] for remark in said] == ([rematches] if rematches else [])


@given(changed_nights())
def test_without_a_change_nobody_sees_another_opponent(night):
    order = [player for drawn in night.first.rounds[:1] for player in drawn.sitting]
    order += sorted({player for one in night.first.pairings for player in one.players} - set(order))
    again = replan(night.first.pairings, {one.key for one in night.begun}, order, night.games, odd=night.odd)
    unchanged = {one.key for one in night.first.pairings} - {one.key for one in night.begun}
    assert {one.key for one in again.pairings} == unchanged


def test_a_latecomer_takes_the_place_of_who_sits_out():
    first = draw(ids(9), 6)
    begun = {one.key for one in first.pairings if one.round <= 2}
    again = replan(first.pairings, begun, ids(10), 6, missed=rounds_before({"p10": 3}))
    met = Counter(frozenset(one.players) for one in (*first.pairings[:8], *again.pairings))
    assert set(met.values()) == {1}
    stand = {one.key for one in first.pairings} & {one.key for one in again.pairings}
    assert len(stand) >= len(first.pairings[8:]) * 0.7
    assert set(again.sit_outs.values()) <= {1}


def test_a_departure_leaves_most_games_as_they_are_and_each_sits_out_once():
    """Of ten one leaves: his opponent of each round sits out in it, and the last round is for them."""
    first = draw(ids(10), 6)
    begun = {one.key for one in first.pairings if one.round <= 2}
    again = replan(first.pairings, begun, ids(9), 6)
    assert [len(drawn.sitting) for drawn in again.rounds] == [1, 1, 1, 1, 0]
    assert set(again.sit_outs.values()) == {1}
    stand = {one.key for one in first.pairings if one.round > 2 and "p10" not in one.players}
    assert len(stand & {one.key for one in again.pairings}) >= len(stand) * 0.6
    assert again.remarks[0].key == "movement_sit_outs"


def test_a_forfeit_never_blocks_the_end():
    """All leave but one: the rest of the night is empty, and it is said to whom."""
    first = draw(ids(4), 3)
    begun = {one.key for one in first.pairings if one.round == 1}
    again = replan(first.pairings, begun, ["p3"], 3)
    assert again.rounds == ()
    (remark,) = again.remarks
    assert str(remark.say({"p3": "Cy"})) == "nobody is left for Cy to play: 1 games instead of 3"
    assert replan(first.pairings, begun, [], 3) == Schedule()


def test_a_round_that_runs_is_drawn_again_for_those_alone_who_have_not_begun():
    """Ann's opponent has gone home in the middle of round 2, where two games run; a latecomer sits down with her."""
    first = draw(ids(6), 4)
    current = [game.pairing for game in first.rounds[1].games]
    leaving, ann = current[2].players
    begun = {one.key for one in first.pairings if one.round == 1} | {one.key for one in current[:2]}
    players = [player for player in ids(7) if player != leaving]
    again = replan(first.pairings, begun, players, 4, missed=rounds_before({"p7": 2}))
    assert [set(one.players) for one in again.pairings if one.round == 2] == [{ann, "p7"}]


@given(st.permutations(ids(10)))
def test_who_comes_while_everybody_plays_costs_nobody_a_game(order):
    """Eleven places of three games are odd: somebody who has the time for it plays a fourth, and nobody only two."""
    first = draw(order, 3)
    running = {game.key for game in (one.pairing for one in first.rounds[0].games)}
    again = replan(first.pairings, running, [*order, "p11"], 3, first_round=1, last_round=4)
    begun = [one for one in first.pairings if one.key in running]
    games = Counter(player for one in (*begun, *again.pairings) for player in one.players)
    assert sorted(games.values()) == [3] * 10 + [4]
    assert [one.key for one in again.remarks] == ["movement_one_more", "movement_sit_outs"]
    assert games[again.remarks[0].players[0]] == 4


def test_a_latecomer_has_as_many_games_as_there_are_rounds_left_for_the_others():
    first = draw(ids(10), 9)
    begun = {one.key for one in first.pairings if one.round <= 4}
    again = replan(first.pairings, begun, [*ids(10), "p11", "p12"], 9, missed=rounds_before({"p11": 5, "p12": 5}))
    games = Counter(player for one in again.pairings for player in one.players)
    assert set(games.values()) == {5}
    assert [remark.key for remark in again.remarks] == ["movement_late", "movement_late"]
    assert str(again.remarks[0].say({"p11": "Dee"})) == "Dee missed some rounds: 5 games instead of 9"


def test_who_comes_back_counts_as_having_played_in_the_rounds_he_missed():
    first = draw(ids(8), 6)
    begun = [one for one in first.pairings if one.round <= 4 and not ("p8" in one.players and one.round in (2, 3))]
    again = replan(
        [one for one in first.pairings if one.round > 4] + begun,
        {one.key for one in begun},
        ids(8),
        6,
        missed={"p8": (2, 3)},
    )
    games = Counter(player for one in again.pairings for player in one.players)
    assert games["p8"] <= max(games[player] for player in ids(7))


def test_the_last_round_of_the_house_is_kept_and_what_it_costs_is_said():
    first = draw(ids(10), 9)
    begun = {one.key for one in first.pairings if one.round <= 3}
    again = replan(first.pairings, begun, ids(9), 9, last_round=9)
    assert again.rounds[-1].number == 9
    games = Counter(player for one in again.pairings for player in one.players)
    assert set(games.values()) == {5, 6}
    (said,) = (remark for remark in again.remarks if remark.key == "movement_rounds_end")
    assert set(said.players) == {player for player, number in games.items() if number == 5}
    assert (said.values["games"], said.values["wanted"], said.values["last"]) == (8, 9, 9)
    assert max(again.sit_outs.values()) == 1


def test_who_has_had_one_game_more_already_is_still_said():
    first = draw(ids(5), 3)
    (remark,) = (remark for remark in first.remarks if remark.key == "movement_one_more")
    again = replan(first.pairings, {one.key for one in first.pairings}, ids(5), 3)
    assert again.rounds == ()
    (said,) = again.remarks
    assert (said.key, said.players) == ("movement_more", remark.players)
    assert str(said.say({said.players[0]: "Cy"})) == "Cy: 4 games instead of 3, because that many have already started"


def test_games_that_count_for_nothing_are_played_anew():
    first = draw(ids(6), 3)
    annulled = first.rounds[0].games[0].pairing
    begun = [one for one in first.pairings if one.round <= 2 and one != annulled]
    again = replan([one for one in first.pairings if one != annulled], {one.key for one in begun}, ids(6), 3)
    games = Counter(player for one in (*begun, *again.pairings) for player in one.players)
    assert set(games.values()) == {3}


def test_a_large_field_after_any_games_meets_nobody_twice():
    order = ids(60)
    first = draw(order, 22)
    begun = [one for one in first.pairings if one.round <= 5]
    players = [player for player in order if player not in ("p5", "p17", "p40")] + ["p61", "p62"]
    again = replan(first.pairings, {one.key for one in begun}, players, 22, missed=rounds_before({"p61": 6, "p62": 6}))
    met = Counter(frozenset(one.players) for one in (*begun, *again.pairings))
    assert set(met.values()) == {1}
    kept = {one.key for one in first.pairings} & {one.key for one in again.pairings}
    there = [one for one in first.pairings if one.round > 5 and set(one.players) <= set(players)]
    assert len(kept) > len(there) * 0.8


def test_no_more_sit_out_where_that_saves_no_rematch():
    """Eight play four games, and one leaves after the first round: one of seven sits out, and nobody besides."""
    players = ids(8)
    first = draw(players, 4)
    begun = {one.key for one in first.pairings if one.round == 1}
    again = replan(first.pairings, begun, [player for player in players if player != "p4"], 4)
    assert [len(drawn.games) for drawn in again.rounds][:2] == [3, 3]
    assert max(Counter(frozenset(one.players) for one in [*first.pairings[:4], *again.pairings]).values()) == 1
