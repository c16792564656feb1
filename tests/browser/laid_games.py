"""A table that a test lays: players, variant, and what has been scored so far."""

DEAL = "deal"


class Table:
    """The program's table, seen by a client that always knows the newest state and may be paired as a `role`."""

    def __init__(self, program, role=None):
        self.url, self.client = program.url, program.client(role=role)

    def lay(
        self,
        *scores,
        players=("Ann", "Bob"),
        variant="standard",
        dealer=0,
        match=None,
        goes_on=False,
        house=None,
        **more,
    ):
        """Begin a new game, of a new match of that format, and peg `scores`: a seat, points and why each, or DEAL.

        The house rules stay those of the table, unless `house` names others. Without a format the match is open and
        new, whatever an earlier test has left, unless that one `goes_on`. `more` are further fields, such as `preset`.
        """
        start = {"variant": variant, "players": list(players), "dealer": dealer} | more
        start |= {} if house is None else {"house": list(house)}
        status, answer = self._begin(start, match, goes_on=goes_on)
        while answer.get("code") == "moved":  # by a tap that an earlier test's page still had on its way
            status, answer = self._begin(start, match, goes_on=goes_on)
        assert status == 201, answer
        state = answer["state"]
        for one in scores:
            if one == DEAL:
                self.deal()
                state = self.state
            else:
                state = self.score(*one, seen=state)
        return self

    def _begin(self, start, match, *, goes_on):
        state = self.state
        used = state["match"]["format"] != "open" or any(lane["games_won"] for lane in state["lanes"])
        match = match or ("open" if used and not goes_on else None)
        how = {"do": "start"} if match is None else {"do": "start_match", "format": match}
        unfinished = {} if state["game"]["over"] else {"replaces": state["game"]["id"]}
        return self.client.command(**start, **how, **unfinished, base=state["revision"])

    def deal(self):
        self.ask("deal")

    def ask(self, do, **values):
        """Any command of the running game; where it names a seat, the base is its lane's."""
        state = self.state
        lane = state["seats"][values["seat"]]["lane"] if "seat" in values and do != "muggins" else None
        base = state["revision"] if lane is None else state["lanes"][lane]["revision"]
        status, answer = self.client.command(**{"game": state["game"]["id"], "do": do, "base": base} | values)
        assert status == 201, answer
        return answer["entry"]

    def score(self, seat, points, why=None, seen=None):
        """A score by who has `seen` a state, or looks at the newest one; the state with it."""
        status, answer = self.client.score(seat, points, why, seen)
        assert status == 201, answer
        return answer["state"]

    @property
    def state(self):
        return self.client.state()

    @property
    def fronts(self):
        return [lane["front"] for lane in self.state["lanes"]]


def run_to(seat, hole):
    """Scores without a reason that bring a seat from the start to a hole."""
    full, rest = divmod(hole, 24)
    return [(seat, 24, None)] * full + ([(seat, rest, None)] if rest else [])


def rulings(table):
    """Bob is penalized, a hand was over-pegged, a score amended, a peg sent back, and a judge has set pegs."""
    table.lay((1, 12, "hand"), (0, 10, "hand"), (0, 4, "crib"), (1, 2, "play"), (0, 7, "play"))
    table.ask("penalty", seat=1, points=2, note="misdeal")
    table.ask("over_peg", entry="2", points=8, was=10)
    table.ask("amend", entry="5", points=6, was=7)
    table.ask("peg_back", seat=0, holes=5, note="talked of the cards")
    table.ask("set_pegs", seat=1, front=40, rear=31, note="pegs fell")


def near_the_end():
    """Ann deals and has 112 after 12 in hand, Bob, who dealt first, 87 and is in danger; next is Ann's crib."""
    play = [(1, 3, "play"), (0, 2, "play")]
    return [*run_to(0, 98), *run_to(1, 76), DEAL, *play, (1, 8, "hand"), (0, 12, "hand")]


def three_late():
    """Ann deals and has 103 after 6 in the crib; both others are in danger."""
    play = [(1, 1, "go"), (2, 1, "play")]
    hands = [(1, 7, "hand"), (2, 1, "hand"), (0, 12, "hand"), (0, 6, "crib")]
    return [*run_to(0, 85), *run_to(1, 80), *run_to(2, 39), DEAL, *play, *hands]
