"""Any decisions in any order, beside a plain model: nothing blocks the end, undo forgets, replay equals live."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pegboard.errors import PegboardError
from pegboard.tournament.night.views.night_views import director_view
from tests.support.long_runs import some_of
from tests.support.night_at_work import NightAtWork, player_of, without

TRAIL = ("audit", "revision")
"""What of a view tells that something was decided and undone."""


class Deciding(RuleBasedStateMachine):
    """The model: a list of what was decided and stands, and sums that are added up from paper results alone."""

    @initialize(players=st.integers(2, 7))
    def open(self, players):
        self.work = NightAtWork().open([f"Player {n}" for n in range(1, players + 1)], games=3, cut="half", fee=700)
        self.log = [(row["number"], row["do"], row["body"]) for row in self.work.rows]

    def standing(self):
        """The plain list of what counts: who undoes last is looked at first."""
        dead = set()
        for number, do, body in reversed(self.log):
            if do == "undo" and number not in dead:
                dead.update((body["number"], *body["also"]))
        return [(do, body) for number, do, body in self.log if number not in dead]

    def people(self):
        """Who is here, by the plain list."""
        state = {}
        for do, body in self.standing():
            if do == "enter":
                state[body["player"]] = "here" if body["here"] else "entered"
            elif do == "check_in":
                state |= dict.fromkeys(body["players"], "here")
            elif do in ("leave", "come_back"):
                state[body["player"]] = "left" if do == "leave" else "here"
        return state

    def attempt(self, do, **values):
        """Decide; a refusal has a sentence and changes nothing. Whether it was decided."""
        before, error, number = len(self.work.rows), None, None
        try:
            number = self.work.do(do, **values)
        except PegboardError as refused:
            error = refused
        assert error is None or (error.message.key != "verbatim" and len(self.work.rows) == before)
        if number is not None:
            self.log.append((number, do, self.work.rows[-1]["body"]))
        return number

    @rule(name=st.sampled_from(["Ann", "Bob", "Cy", "Dee"]), walk_up=st.booleans())
    def enter(self, name, walk_up):
        self.attempt("enter", name=name, walk_up=walk_up)

    @precondition(lambda self: self.work.night.players)
    @rule(data=st.data(), do=st.sampled_from(["check_in", "leave", "come_back"]))
    def move(self, data, do):
        self.attempt(do, player=data.draw(st.sampled_from(sorted(self.work.night.players))))

    @rule()
    def draw(self):
        self.attempt("draw")

    @precondition(lambda self: self.work.night.schedule)
    @rule(data=st.data())
    def result(self, data):
        key = data.draw(st.sampled_from(sorted(self.work.night.schedule)))
        winner = data.draw(st.sampled_from(self.work.night.schedule[key].players))
        self.attempt("paper_result", game=key, winner=winner, margin=data.draw(st.integers(1, 121)))

    @precondition(lambda self: self.work.night.schedule)
    @rule(data=st.data(), won=st.booleans(), margin=st.integers(1, 5))
    def card(self, data, won, margin):
        key = data.draw(st.sampled_from(sorted(self.work.night.schedule)))
        player = data.draw(st.sampled_from(self.work.night.schedule[key].players))
        self.attempt("claim", by=player_of(player), game=key, player=player, won=won, margin=margin)

    @precondition(lambda self: self.work.night.schedule)
    @rule(data=st.data(), letter=st.sampled_from("abcdefh"))
    def ruling(self, data, letter):
        self.attempt("rule", game=data.draw(st.sampled_from(sorted(self.work.night.schedule))), letter=letter)

    @precondition(lambda self: self.work.night.schedule)
    @rule(data=st.data())
    def forfeit(self, data):
        key = data.draw(st.sampled_from(sorted(self.work.night.schedule)))
        self.attempt("forfeit", game=key, player=data.draw(st.sampled_from(self.work.night.schedule[key].players)))

    @rule(do=st.sampled_from(["close_cut", "open_cut", "close_registration", "open_registration", "open_again"]))
    def door(self, do):
        self.attempt(do)

    @rule()
    def tie(self):
        for tie in self.work.view()["cut"]["ties"][:1]:
            self.attempt("break_tie", players=tie["players"], how="draw")

    @precondition(lambda self: self.work.night.cut is not None)
    @rule(data=st.data())
    def bracket(self, data):
        if "main" not in self.work.night.brackets:
            self.attempt("draw_bracket", bracket="main")
            return
        matches = [match for match in self.work.view()["brackets"][0]["matches"] if match["state"] == "ready"]
        if matches:
            match = data.draw(st.sampled_from(matches))
            self.attempt("bracket_game", match=match["match"], winner=data.draw(st.sampled_from(match["players"])))

    @rule(data=st.data())
    def undo(self, data):
        target = data.draw(st.integers(2, self.work.night.revision))
        if self.attempt("undo", number=target) is not None:
            undoings = {number for number, do, _ in self.log if do == "undo"}
            never_made = without(self.work.night, {*self.work.night.undone, *undoings})
            assert apart(self.work.night) == apart(never_made)

    @rule()
    def end(self):
        """The end is possible whatever is open, unless it is there already."""
        if self.work.night.ended is None:
            assert self.work.view()["actions"]["end_night"]["possible"]
            assert self.attempt("end_night") is not None
            assert self.attempt("open_again") is not None

    @invariant()
    def people_are_as_the_model_has_them(self):
        assert {one.player: str(one.presence) for one in self.work.night.players.values()} == self.people()

    @invariant()
    def standings_are_the_sums_of_what_stands(self):
        """Of nights with paper results alone, added up without any of the night's code."""
        standing = self.standing()
        if any(do in ("claim", "rule", "forfeit") for do, _ in standing):
            return
        results = {body["game"]: body for do, body in standing if do == "paper_result"}
        sums = {}
        for key, body in results.items():
            for player in key.split(":")[1].split("-"):
                points, net = sums.get(player, (0, 0))
                won = player == body["winner"]
                worth = (2 if body["margin"] < 31 else 3) if won else 0
                sums[player] = (points + worth, net + (body["margin"] if won else -body["margin"]))
        rows = {row["player"]: (row["points"], row["net"]) for row in self.work.view()["standings"] if row["games"]}
        assert rows == sums

    @invariant()
    def no_decision_of_today_departs_from_the_limits_of_today(self):
        assert [one for one in self.work.night.departures if not one.idle] == []

    def teardown(self):
        if hasattr(self, "work"):
            assert director_view(self.work.replayed()) == self.work.view()


def apart(night):
    return {name: part for name, part in director_view(night).items() if name not in TRAIL}


Deciding.TestCase.settings = settings(max_examples=some_of(100), stateful_step_count=25, deadline=None)
TestDeciding = Deciding.TestCase
