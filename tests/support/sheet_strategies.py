"""Everything that can be asked of a sheet, drawn so that ends, rulings and their undoing really come about."""

from hypothesis import HealthCheck, Phase, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from pegboard import Deal, Restore, Rules, Score, TakeBack
from pegboard.core.house_rules import with_house_rules
from pegboard.core.moves import (
    UNCHANGED,
    Amend,
    CallMuggins,
    ClaimFalsely,
    Confirm,
    GiveHeadStart,
    OverPeg,
    PegBack,
    Penalize,
    Rename,
    Retract,
    SetPegs,
    Stage,
    Substitute,
)
from pegboard.core.position import start
from pegboard.core.replay import replay

VARIANTS = {  # by name: seats, lanes, game hole, whether there are skunks
    "standard": (2, 2, 121, True),
    "acc": (2, 2, 121, True),
    "short": (2, 2, 61, True),
    "three-handed": (3, 3, 121, True),
    "partners": (4, 2, 121, True),
    "solitaire": (1, 1, 121, False),
    "five-card": (2, 2, 61, True),
    "box-sheet": (2, 2, 121, True),
    "cut-throat-four": (4, 4, 121, True),
    "six-partners": (6, 3, 121, True),
}
HOUSE = (
    ["muggins=on", "muggins=on", "muggins=off"],
    ["over-peg=excess", "over-peg=none"],
    ["heels limit=no limit", "heels limit=120", "heels limit=last five"],
    ["dealer start=off", "dealer start=on"],
    ["three for last=off", "three for last=on"],
    ["peg out=on"],
    ["strict=off", "strict=on"],
    ["confirm=on"],
    ["skunks=on", "skunks=off", "skunks=triple", "skunks=triple wins match", "skunks=lurch"],
    ["game hole=31", "game hole=61", "game hole=92", "game hole=121", "game hole=361"],
    ["worth=games 1-2-3", "worth=games 1-2-4", "worth=ACC 2-3-3", "worth=flat"],
)

house_words = st.tuples(*(st.none() | st.sampled_from(words) for words in HOUSE)).map(
    lambda words: [word for word in words if word is not None]
)
TRIPLE_BACK = 91  # holes from the game hole back to the line of a triple skunk
ENOUGH = 91  # the hole that wins a solitaire whose deals are done

variants = st.sampled_from(sorted(VARIANTS))

picks = st.integers(0, 99)
amounts = st.sampled_from([0, 1, 2, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 28, 29])
whys = st.sampled_from([None, None, "play", "play", "go", "thirty-one", "heels", "hand", "crib", "muggins", "penalty"])
few = st.integers(1, 40)
new_names = st.sampled_from(
    ["Ann", "ann", " Bob  by ", "Bob", "Cy", "Dee", "", "  ", "D\N{COMBINING ACUTE ACCENT}", "x" * 65]
)


def laid_out_anew(game):
    """Where the pegs stand after each line when the whole sheet is read once more."""
    return replay(game.rules, start(game.rules, game.first_dealer), game.entries)


def hole_said(words, hole):
    return next((int(word.split("=")[1]) for word in words if word.startswith("game hole")), hole)


def rules_as_played(variant, words):
    """The rules as the program reads the words, beside as a plain reader does."""
    seats, lanes, hole, skunks = VARIANTS[variant]
    said = dict(word.split("=") for word in words)
    if lanes == 1:  # nobody is ahead of nobody, and hole 91 must be on the board
        words = [word for word in words if not word.startswith(("three for last", "dealer start"))]
        if hole_said(words, hole) < ENOUGH:
            words = [word for word in words if not word.startswith("game hole")]
    if hole_said(words, hole) <= TRIPLE_BACK:  # the board has no third line
        words = [word for word in words if word != "skunks=triple wins match"]
        said = dict(word.split("=") for word in words)
    rules = with_house_rules(Rules.named(variant), words)
    hole = hole_said(words, hole)
    half = {"lurch": (hole - hole // 2,), "triple wins match": (31, 61, 91)}
    back = half | {"on": (31, 61), "off": (), "triple": (31, 61, 91)}
    back = back[said.get("skunks", "on" if skunks else "off")]
    assert (rules.seats, rules.lanes, rules.game_hole) == (seats, lanes, hole)
    assert rules.skunk_lines == tuple(hole - holes for holes in back if hole > holes)
    return rules


def never_come_about(machine, wanted, runs, steps):
    """What a machine should see and has not, in so many runs, nor in as many again, at most ten times."""
    never = set(wanted)
    for _ in range(10):
        never -= seen_in(machine, runs, steps) if never else set()
    return never


def seen_in(machine, runs, steps):
    """All that so many runs of a machine have seen."""
    seen = set()

    class Watched(machine):
        def teardown(self):
            super().teardown()
            seen.update(self.seen)

    once = settings(
        derandomize=False,  # the next try is to be another
        database=None,
        max_examples=runs,
        stateful_step_count=steps,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Watched, settings=once)
    return seen


def told(game):
    """The program's game in the words of the plain sheet."""
    at, outcome = game.position, game.outcome
    return {
        "pegs": [list(lane) for lane in at.lanes],
        "dealer": at.dealer,
        "deal": at.deal,
        "phase": at.phase,
        "to_count": at.to_count,
        "over": outcome is not None,
        "winner": None if outcome is None else outcome.winner,
        "skunks": [0] * len(at.lanes) if outcome is None else list(outcome.skunks),
        "players": list(game.players),
        "revisions": list(game.revisions),
        "confirmed": list(game.confirmed),
    }


class Asking(RuleBasedStateMachine):
    """`sheet` is the plain sheet as it stands; `ask` is what a machine does with a command, and whether it was done."""

    sheet = None

    def __init__(self):
        super().__init__()
        self.seen = set()

    def teardown(self):
        for what in self.seen:
            event(what)

    def ask(self, command):
        raise NotImplementedError

    def note(self, kind, body, old):
        """What this run has seen, for the statistics; `old` is the board before it."""
        now, again = self.sheet.now, kind in ("taken_back", "restored")
        self.seen.add(f"{kind}: {self.sheet.lines[body['line'] - 1]['kind']}" if again else kind)
        if now.over and not old.over:
            self.seen.add(f"ended by {kind}")
        if old.over and not now.over:
            self.seen |= {"opened again", f"opened again by {kind}"}
        if old.over and now.over and old.winner != now.winner:
            self.seen.add(f"another winner by {kind}")
        if len(old.arrived) > 1 and old.arrived[1:] == now.arrived:
            self.seen.add("the second to come wins")
        if max(now.skunks()) > 0:
            self.seen.add(f"{max(now.skunks())} skunk lines missed")

    @property
    def played(self):
        return self.sheet.rules

    @property
    def hole(self):
        return self.played["game_hole"]

    def seat(self, pick):
        return pick % self.played["seats"]

    def opponent(self, seat, pick):
        """Mostly somebody who can be one; nobody named where there is only one, now and then."""
        other = (
            (seat + 1 + pick % 2) % self.played["seats"]
            if self.played["lanes"] == 3
            else self.played["lanes"] - 1 - seat
        )
        return None if pick % 5 == 0 or other not in range(self.played["seats"]) else other

    def lines(self, *kinds, stands=True):
        """The numbers of the lines of these kinds; of all lines where none is named."""
        told = enumerate(self.sheet.lines, 1)
        return [n for n, line in told if (not kinds or line["kind"] in kinds) and line["stands"] in (stands, None)]

    # --- the course of a game ---

    @rule(seat=picks, points=amounts, why=whys)
    def score(self, seat, points, why):
        self.ask(Score(points, self.seat(seat), why=why))

    @rule(lane=picks, points=amounts, why=whys)
    def score_by_a_key(self, lane, points, why):
        self.ask(Score(points, lane=lane % self.played["lanes"], why=why))

    @rule(points=st.lists(amounts, min_size=2, max_size=6))
    def score_what_is_called_for(self, points):
        """As a deal goes: the play, the hands in their order, the crib."""
        for amount in points:
            now = self.sheet.now
            match now.phase:
                case "hand":
                    self.ask(Score(amount, now.due, why="hand"))
                case "crib":
                    self.ask(Score(amount, now.dealer, why="crib"))
                case _ if now.carded:
                    self.ask(Score(amount, now.left_of(now.dealer), why="hand"))
                case _:
                    self.ask(Score(min(amount, 15), self.seat(amount), why="play"))

    @rule(first=picks, count=st.integers(1, 5))
    def climb(self, first, count):
        """Most of a street at a time, in turn."""
        for n in range(count):
            self.ask(Score(29, self.seat(first + n), why="hand" if n % 2 else None))

    @rule(seat=picks, points=amounts, how=st.sampled_from(["pegs", "penalty", "score"]))
    def come_home(self, seat, points, how):
        """Into the game hole, with a few points more than are needed or just so many."""
        seat = self.seat(seat)
        lane = self.sheet.now.lane_of(seat)
        short = self.hole - self.sheet.now.pegs[lane][0]
        if how == "pegs" or short > 29:
            self.ask(SetPegs(seat, self.hole - max(1, points), 0))
            short = max(1, points)
        if how == "penalty" and short > 0:
            self.ask(Penalize(short, seat))
        else:
            self.ask(Score(max(1, min(29, points, short + 2)), seat))

    @rule(seat=picks, short=st.integers(1, 5))
    def deal_near_home(self, seat, short):
        """Where head starts stop, and heels may count no longer."""
        self.ask(SetPegs(self.seat(seat), self.hole - short, 0))
        self.score_what_is_called_for([0])
        self.ask(Deal())
        self.ask(Score(2, self.sheet.now.dealer, why="heels"))

    @precondition(lambda self: self.played["last_deal"])
    @rule(front=st.integers(80, 95), last=amounts)
    def deal_a_solitaire_out(self, front, last):
        """To about the hole that is enough."""
        while self.ask(Score(0, 0, why="crib")) and not self.sheet.now.over:
            if self.sheet.now.deal == self.played["last_deal"]:
                self.ask(SetPegs(0, front, front - 1))
                self.ask(Score(last, 0, why="hand"))

    @rule(seat=picks, points=few)
    def penalty(self, seat, points):
        self.ask(Penalize(points, self.seat(seat), "a card exposed"))

    @rule(seat=picks, claimed=st.integers(1, 29), missed=amounts, pick=picks)
    def muggins(self, seat, claimed, missed, pick):
        seat = self.seat(seat)
        self.ask(CallMuggins(seat, claimed, missed, self.opponent(seat, pick)))

    @rule(dealer=st.none() | picks, new=st.sampled_from([None, None, True, False]))
    def deal(self, dealer, new):
        self.ask(Deal(None if dealer is None else self.seat(dealer), new))

    @rule(dealer=st.none() | picks)
    def deal_twice(self, dealer):
        """As two people press the key at once."""
        for _ in range(2):
            self.ask(Deal(None if dealer is None else self.seat(dealer)))

    @rule(stage=st.sampled_from(["play", "show"]))
    def stage(self, stage):
        """Said by everyone who looks up, so often twice."""
        for _ in range(2):
            self.ask(Stage(stage))

    # --- in place ---

    @rule()
    def take_back_the_newest(self):
        self.ask(TakeBack())

    @rule()
    def put_back_the_newest(self):
        self.ask(Restore())

    @precondition(lambda self: self.lines())
    @rule(pick=picks)
    def take_back(self, pick):
        lines = self.lines()
        self.ask(TakeBack(lines[pick % len(lines)]))

    @precondition(lambda self: self.lines(*("over_pegged", "falsely_claimed", "pegged_back", "pegs_set", "retracted")))
    @rule(pick=picks)
    def take_a_ruling_back(self, pick):
        lines = self.lines("over_pegged", "falsely_claimed", "pegged_back", "pegs_set", "retracted")
        self.ask(TakeBack(lines[pick % len(lines)]))

    @precondition(lambda self: self.lines(stands=False))
    @rule(pick=picks)
    def put_back(self, pick):
        lines = self.lines(stands=False)
        self.ask(Restore(lines[pick % len(lines)]))

    @precondition(lambda self: self.lines("scored"))
    @rule(pick=picks, points=amounts | few)
    def amend(self, pick, points):
        lines = self.lines("scored")
        line = lines[pick % len(lines)]
        self.ask(Amend(line, points, self.sheet.lines[line - 1]["points"]))

    @precondition(lambda self: self.lines("scored"))
    @rule(pick=picks, points=st.none() | amounts, why=whys | st.just(UNCHANGED), seat=st.none() | picks)
    def amend_more_than_the_amount(self, pick, points, why, seat):
        lines = self.lines("scored")
        line = lines[-1 - pick % len(lines)]
        told, seat = self.sheet.lines[line - 1], None if seat is None else self.seat(seat)
        if self.ask(Amend(line, points, told["points"], why, seat)) and seat is not None:
            self.seen.add("an entry is another player's")

    # --- rulings ---

    @precondition(lambda self: self.lines("scored"))
    @rule(pick=picks, less=st.integers(1, 12), other=picks)
    def over_peg(self, pick, less, other):
        lines = self.lines("scored")
        line = lines[-1 - pick % min(3, len(lines))]
        told = self.sheet.lines[line - 1]
        self.ask(OverPeg(line, max(0, told["points"] - less), told["points"], self.opponent(told["lane"], other)))

    @precondition(lambda self: self.sheet.now.arrived)
    @rule(pick=picks, true=amounts, other=picks)
    def claim_falsely(self, pick, true, other):
        """Mostly at the line that ended the game, with fewer points than were needed."""
        lines = self.winning_lines() or self.lines("scored")
        if lines:
            line = lines[pick % len(lines)]
            told = self.sheet.lines[line - 1]
            short = self.hole - self.sheet.at(line - 1).pegs[told["lane"]][0]
            points = max(0, min(true, short - 1)) if other % 8 else true
            self.ask(ClaimFalsely(line, points, told["points"], self.opponent(told["lane"], other)))

    def winning_lines(self):
        scores = [line for line in self.lines("scored") if self.sheet.ruled_by(line) is None]
        return [line for line in scores[-4:] if self.sheet.at(line).arrived and not self.sheet.at(line - 1).over]

    @rule(seat=picks, holes=few, again=st.booleans())
    def peg_back(self, seat, holes, again):
        self.ask(PegBack(self.seat(seat), min(holes, self.hole), "a backward penalty"))
        if again:
            self.think_twice("pegged_back", 0)

    @precondition(lambda self: self.sheet.now.arrived)
    @rule(holes=few)
    def peg_the_winner_back(self, holes):
        self.ask(PegBack(self.sheet.now.arrived[0], min(holes, self.hole)))

    @rule(seat=picks, front=st.integers(0, 361), rear=st.integers(0, 360))
    def set_pegs(self, seat, front, rear):
        front %= self.hole + 1
        self.ask(SetPegs(self.seat(seat), front, rear % front if front else 0, "by the judge"))

    @rule(seat=picks, rear=picks, holes=st.none() | few)
    def set_pegs_home(self, seat, rear, holes):
        """Perhaps a second one in the game hole, and then the first one leaves it."""
        self.ask(SetPegs(self.seat(seat), self.hole, self.hole - 1 - rear % 20))
        if holes is not None and self.ask(SetPegs(self.seat(seat + 1), self.hole, self.hole - 1)):
            self.peg_the_winner_back(holes)

    @precondition(lambda self: self.lines())
    @rule(pick=picks, far=st.booleans(), again=st.booleans())
    def retract(self, pick, far, again):
        newest = len(self.sheet.lines)
        self.ask(Retract(pick % newest if far else newest - 1 - pick % min(4, newest), "a renege"))
        if again:
            self.think_twice("retracted", pick)

    # --- a ruling, and second thoughts ---

    @rule(seat=picks, points=st.integers(1, 29), less=st.integers(1, 12), other=picks)
    def over_peg_and_think_twice(self, seat, points, less, other):
        self.open_again()
        self.ask(Score(points, self.seat(seat)))
        if self.lines("scored"):
            self.over_peg(0, less, other)
            self.think_twice("over_pegged", other)

    @rule(seat=picks, short=st.integers(1, 20), more=st.integers(0, 9), true=amounts, other=picks)
    def claim_falsely_and_think_twice(self, seat, short, more, true, other):
        self.open_again()
        seat = self.seat(seat)
        self.ask(SetPegs(seat, self.hole - short, 0))
        if self.ask(Score(short + more, seat)):
            named = self.opponent(self.sheet.now.lane_of(seat), other)
            self.ask(ClaimFalsely(len(self.sheet.lines), true % short, short + more, named))
            self.think_twice("falsely_claimed", other)

    @rule(seat=picks, claimed=st.integers(1, 29), missed=amounts, pick=picks)
    def call_muggins_and_think_twice(self, seat, claimed, missed, pick):
        self.open_again()
        self.muggins(seat, claimed, missed, pick)
        self.think_twice("muggins_called", pick)

    def open_again(self):
        """Nobody stays in the game hole."""
        for lane in list(self.sheet.now.arrived):
            self.ask(PegBack(lane, min(30, self.hole)))

    def think_twice(self, kind, pick):
        """Take such a newest line back and put it back; the line it names says something else by then, perhaps."""
        newest = len(self.sheet.lines)
        if newest and self.sheet.lines[-1]["kind"] == kind and self.ask(TakeBack(newest)):
            ruled_on = self.sheet.lines[-1].get("line")
            if ruled_on and pick % 5 == 1:
                was = self.sheet.lines[ruled_on - 1]["points"]
                self.ask(Amend(ruled_on, was - 1 if was > 1 else 2, was))
            self.ask(Restore(newest))

    # --- the result ---

    @precondition(lambda self: self.sheet.now.over)
    @rule(seat=picks)
    def confirm(self, seat):
        now = self.sheet.now
        self.ask(Confirm(self.seat(seat), now.winner, tuple(front for front, _ in now.pegs)))

    # --- names ---

    @rule(seat=picks, to=new_names, shown=st.integers(0, 9))
    def correct_a_name(self, seat, to, shown):
        """Mostly the one that is shown, now and then one that was."""
        seat = self.seat(seat)
        self.ask(Rename(seat, self.sheet.players[seat] if shown else "Bob", to))

    @rule(seat=picks, name=new_names, shown=st.integers(0, 9))
    def somebody_else_plays_on(self, seat, name, shown):
        seat = self.seat(seat)
        self.ask(Substitute(seat, self.sheet.players[seat] if shown else "Bob", name))

    @precondition(lambda self: not self.sheet.scores_that_count())
    @rule(seat=picks, holes=st.integers(1, 30) | st.integers(1, 130))
    def start_ahead(self, seat, holes):
        self.ask(GiveHeadStart(self.seat(seat), holes))

    # --- what mostly cannot be ---

    @rule(
        command=st.one_of(
            st.builds(Score, st.integers(-1, 31), st.none() | st.integers(-1, 4), st.none() | st.integers(-1, 3), whys),
            st.builds(Deal, st.none() | st.integers(-1, 4), st.none() | st.booleans()),
            st.builds(Stage, st.sampled_from(["play", "show", "deal"])),
            st.builds(TakeBack, st.integers(0, 9)),
            st.builds(Restore, st.integers(0, 9)),
            st.builds(Amend, st.integers(0, 9), amounts, amounts),
            st.builds(
                Amend, st.integers(0, 9), st.none() | amounts, amounts, whys | st.just(UNCHANGED), st.none() | picks
            ),
            st.builds(Penalize, st.integers(-1, 130), st.integers(-1, 4)),
            st.builds(CallMuggins, st.integers(-1, 3), st.integers(0, 30), st.integers(-1, 30), st.integers(-1, 3)),
            st.builds(OverPeg, st.integers(0, 9), amounts, amounts),
            st.builds(ClaimFalsely, st.integers(0, 9), amounts, amounts),
            st.builds(PegBack, st.integers(-1, 4), st.integers(-1, 130)),
            st.builds(SetPegs, st.integers(-1, 3), st.integers(-1, 122), st.integers(-1, 122)),
            st.builds(Retract, st.integers(-1, 9)),
            st.builds(Rename, st.integers(-1, 4), new_names, new_names),
            st.builds(Substitute, st.integers(-1, 4), new_names, new_names),
            st.builds(GiveHeadStart, st.integers(-1, 4), st.integers(-1, 130)),
            st.builds(
                Confirm, st.integers(-1, 3), st.integers(0, 1), st.tuples(st.integers(0, 122), st.integers(0, 122))
            ),
        )
    )
    def whatever(self, command):
        self.ask(command)
