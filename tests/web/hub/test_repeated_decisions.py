"""Every decision of a night is repeated by its id, as a phone does whose answer was lost: nothing is decided twice."""

import pytest

from pegboard.errors import IdReused
from pegboard.hub.ledger.decision_log import DecisionLog
from pegboard.hub.ledger.hub_errors import DecisionMoved
from pegboard.tournament.night.decisions import BY_WORD
from pegboard.tournament.night.night_state import Author, Role, StoredDecision
from tests.support.hub_site import DEE, HubSite, request_id

SHEET = {"epoch": "e1", "game": "g1", "first": 1, "digest": "5d1f"}

CIRCLE = {frozenset(pair): pair[0] for pair in (("p1", "p2"), ("p2", "p3"), ("p3", "p1"))}
CIRCLE |= {frozenset((player, "p4")): player for player in ("p1", "p2", "p3")}
"""Who wins."""


class NightOfAllDecisions:
    """A night in which each decision of the table is made; `made` has the requests and what they are stored as."""

    def __init__(self, hub: HubSite) -> None:
        self.hub, self.made = hub, []  # type: ignore[var-annotated]
        request = {"do": "open_night", "name": "Club night", "date": "2026-11-26", "rules": {"games": 2, "cut": "4"}}
        id = request_id()  # noqa: A001 - the API's own word
        self.night = hub.nights.open(request, DEE, id)
        self.made.append((request, DEE, id, self.state.rows[0]))
        self._people_and_tables()
        self._games()
        self._cut_and_bracket()

    @property
    def state(self):  # type: ignore[no-untyped-def]
        return self.hub.nights.night(self.night)

    def do(self, word: str, by: Author = DEE, **fields: object) -> StoredDecision:
        request, id = {"do": word, **fields}, request_id()  # noqa: A001 - the API's own word
        stored, was_there = self.hub.nights.decide(self.night, request, by, id)
        assert not was_there
        self.made.append((request, by, id, stored))
        return stored

    def _people_and_tables(self) -> None:
        self.do("set_rules", rules={"games": 3, "cut": "4"})
        for name in ("Ann", "Bob", "Cy", "Dee"):
            self.do("enter", name=name)
        self.do("correct_entry", player="p1", name="Anne")
        self.do("check_in", Author(Role.PLAYER, "p1"), player="p1")
        self.do("check_in", players=["p2", "p3", "p4"])
        self.do("leave", player="p4")
        self.do("come_back", player="p4")
        self.do("close_registration")
        self.do("open_registration")
        self.do("fee_paid", player="p1", cents=100)
        for table in ("t1", "t2", "t3"):
            self.do("add_table", table=table, label=table[1:], kind="board")
        self.do("remove_table", table="t3")
        self.do("open_pot", kind="q_pool", fee=100)
        self.do("open_pot", kind="hand_24", fee=100)
        for player in ("p1", "p2", "p3"):
            self.do("enter_pot", pot="q_pool", player=player)
        self.do("enter_pot", pot="hand_24", player="p3")
        self.do("leave_pot", pot="q_pool", player="p3")
        self.do("pot_hit", pot="hand_24", player="p3")
        self.do("announce", text="Round 1 begins at seven")

    def _games(self) -> None:
        self.do("draw")
        first, second, third, *_ = self.state.schedule.values()
        self.do("move_game", game=first.key, table="t2" if first.table == "t1" else "t1")
        first = self.state.schedule[first.key]
        self.do("start_round", round=1)
        one, other = first.players
        table, result = Author(Role.TABLE, first.table), {"game": first.key, "table": first.table}
        sheet = SHEET | {"table": first.table}
        self.do("table_result", table, **result, winner=one, margin=12, sheet=sheet | {"last": 50})
        self.do("confirm", Author(Role.PLAYER, other), game=first.key, player=other)
        self.do("table_withdrawal", table, **result, sheet=sheet | {"last": 51})
        for player in (one, other):
            self.do("claim", Author(Role.PLAYER, player), game=first.key, player=player, won=player == one, margin=9)
        values = [{"points": 2, "net": 9}, {"points": 0, "net": -9}]
        self.do("rule", game=first.key, letter="judge", values=values, note="both cards seen")
        self.do("award", game=second.key, against=second.players[0], kind="late")
        self.do("forfeit", game=third.key, player=third.players[1])
        for game in self.state.schedule.values():  # three win against each other in a circle, so that they are tied
            self.do("paper_result", game=game.key, winner=CIRCLE[frozenset(game.players)], margin=9)

    def _cut_and_bracket(self) -> None:
        while ties := [tie for tie in self.hub.view(self.night)["cut"]["ties"] if tie["kind"] != "high_non_qualifier"]:
            self.do("break_tie", players=ties[0]["players"], how="draw")
        for word in ("close_cut", "open_cut", "close_cut"):
            self.do(word)
        self.do("draw_bracket", bracket="main")
        self.do("place", bracket="main", place=1, player=self._players_of("main:1:1")[1])
        self.do("bracket_game", match="main:1:1", winner=self._players_of("main:1:1")[0], margin=12)
        self.do("bracket_forfeit", match="main:1:2", player=self._players_of("main:1:2")[0], games=1)
        self.do("undo", number=self.do("announce", text="Dinner").number)
        self.do("pay_pot", pot="q_pool")
        for word in ("end_night", "open_again"):
            self.do(word)

    def _players_of(self, match: str) -> tuple[str, ...]:
        return self.state.brackets["main"].bracket.find_match(match).players


def test_every_decision_is_the_same_one_when_its_request_comes_again(hub: HubSite):
    night = NightOfAllDecisions(hub)
    assert {request["do"] for request, *_ in night.made} == set(BY_WORD)
    before = night.state.rows
    for request, by, id, stored in night.made:  # noqa: A001 - the API's own word
        signed = Author(Role.DIRECTOR, "Cy") if by.role is Role.DIRECTOR else by  # who signs otherwise by now
        assert hub.nights.decide(night.night, request, signed, id) == (stored, True)
    assert night.state.rows == before


def test_the_id_of_a_players_or_tables_decision_is_nobody_elses(hub: HubSite):
    night = NightOfAllDecisions(hub)
    for request, by, id, _ in night.made:  # noqa: A001 - the API's own word
        for other in (Author(by.role, "another"), DEE) if by.role is not Role.DIRECTOR else ():
            with pytest.raises(IdReused) as refused:
                hub.nights.decide(night.night, request, other, id)
            assert refused.value.code == "id_reused"


def test_who_decides_while_others_do_hears_when_to_come_back(hub: HubSite, monkeypatch):
    night = hub.open_night()

    def moved(*_, **__):
        raise DecisionMoved("hub_decision_moved", number=1)

    monkeypatch.setattr(DecisionLog, "append", moved)
    answer = hub.director().post("/night/v1/decisions", id=request_id(), night=night, do="announce", text="Hi")
    assert (answer.status, answer.json["code"], answer.headers["retry-after"]) == (503, "busy", "2")
