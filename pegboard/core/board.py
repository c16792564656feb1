"""The game as its score sheet: its lines, what has changed them, and what follows from those that stand."""

from dataclasses import dataclass, field

from pegboard.core.best_path import Course
from pegboard.core.course_of_sheet import Followed, Standing
from pegboard.core.entry import Entry, Renaming, true_points
from pegboard.core.moves import PegsSet, PointsRuling, Retracted, Ruling
from pegboard.core.position import Lane, Outcome, Phase, Position, start
from pegboard.core.rules import Rules, Seat
from pegboard.messages import Message


@dataclass(frozen=True, slots=True)
class Game:
    """A game is its score sheet; pegs, dealer, phase and outcome follow from the lines that stand.

    Attributes:
        rules: the rules it is played by.
        players: a name for each seat.
        first_dealer: who dealt first, as the game was started.
        entries: the lines in the order they were made; line n is `entries[n - 1]`.
        touches: for each lane, the lines of the events that have touched it, one for each event.
        undone: the lines taken back since the last event of another kind, newest last.
        confirmed: the seats that have confirmed the result as it is.
        renamings: the names that were corrected, oldest first.
        dealer_said: whether somebody said who deals first when the game was started.
        pairing: what an event calls the game, such as "club-night-7/r3:p1-p7"; empty for one of the players' own.
        positions: derived: `positions[n]` is the position after line n, `positions[0]` the start.
        former_course: the course of an earlier state of this sheet, as far as it was derived; it saves work.
    """

    rules: Rules = field(default_factory=Rules)
    players: tuple[str, ...] = ("", "")
    first_dealer: Seat = 0
    entries: tuple[Entry, ...] = ()
    touches: tuple[tuple[int, ...], ...] = ((), ())
    undone: tuple[int, ...] = ()
    confirmed: tuple[Seat, ...] = ()
    renamings: tuple[Renaming, ...] = ()
    dealer_said: bool = False
    pairing: str = ""
    positions: tuple[Position, ...] = field(default=(), compare=False, repr=False)
    former_course: Course | None = field(default=None, compare=False, repr=False)
    _rulings: tuple[tuple[int, Entry], ...] | None = field(default=None, init=False, compare=False, repr=False)
    _followed: Followed | None = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.positions:
            object.__setattr__(self, "positions", start(self.rules, self.first_dealer))

    @property
    def rulings(self) -> tuple[tuple[int, Entry], ...]:
        """The standing rulings that change what an earlier line counts, each with its number; gathered once."""
        if self._rulings is None:
            found = [
                (n, entry)
                for n, entry in enumerate(self.entries, 1)
                if entry.stands and isinstance(entry.event, PointsRuling | Retracted)
            ]
            object.__setattr__(self, "_rulings", tuple(found))
        assert self._rulings is not None
        return self._rulings

    @property
    def true_points(self) -> dict[int, int]:
        """The true points of the lines that standing rulings found wrong, by the number of the line."""
        return true_points([entry for _, entry in self.rulings])

    @property
    def revisions(self) -> tuple[int, ...]:
        """For each lane, how many events have touched it."""
        return tuple([len(lines) for lines in self.touches])

    @property
    def position(self) -> Position:
        """The position after the whole sheet."""
        return self.positions[-1]

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The pegs."""
        return self.positions[-1].lanes

    @property
    def followed(self) -> Followed:
        """The course of the game by this sheet; it moves no peg and is no reason to refuse anything."""
        if self._followed is None:
            first = self.first_dealer, self.dealer_said
            sheet = self.entries, self.positions, self.true_points
            followed = Followed(self.rules, first, *sheet, former=self.former_course)
            object.__setattr__(self, "_followed", followed)
        assert self._followed is not None
        return self._followed

    @property
    def known_course(self) -> Course | None:
        """The course as far as it has been derived, of this state of the sheet or an earlier one."""
        return self.former_course if self._followed is None else self._followed.newest

    @property
    def standing(self) -> Standing:
        """Where the deal stands, as far as the sheet tells."""
        return self.followed.standing

    @property
    def dealer(self) -> Seat:
        """Who most likely deals, or has dealt."""
        return self.standing.dealer

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.positions[-1].outcome

    @property
    def phase(self) -> Phase:
        """Where the deal most likely stands."""
        return self.standing.phase

    def lane_name(self, lane: int) -> str:
        """Who pegs in a lane: "Ann", or "Ann and Cy"."""
        return " and ".join(name for seat, name in enumerate(self.players) if self.rules.lane_of(seat) == lane)

    def message_on(self, lane: int, of_one: str, of_two: str, **values: object) -> Message:
        """A message about who pegs in a lane, by the key for one player ("Ann is") or for two ("Ann and Cy are")."""
        alone = self.rules.seats == self.rules.lanes
        return Message(of_one if alone else of_two, name=self.lane_name(lane), **values)

    def counts(self, line: int) -> bool:
        """Whether a line stands and has an effect: a ruling always, another line if it came before the end."""
        entry = self.entries[line - 1]
        if not entry.stands or self.withdrawn(line):
            return False
        return isinstance(entry.event, Ruling) or self.positions[line - 1].outcome is None

    def withdrawn(self, line: int) -> bool:
        """Whether a standing line has retracted this one."""
        return any(
            n > line and isinstance(later.event, Retracted) and later.rules_on(line) for n, later in self.rulings
        )

    def ruling_on(self, line: int) -> int | None:
        """The standing line that rules on this one, or None."""
        return next((n for n, later in self.rulings if n > line and later.rules_on(line)), None)

    def pin_of(self, lane: int, after: int = 0) -> int | None:
        """The newest counting line after line `after` that set the pegs of a lane, or None."""
        for n in range(len(self.entries), after, -1):
            event = self.entries[n - 1].event
            if isinstance(event, PegsSet) and event.lane == lane and self.counts(n):
                return n
        return None

    def newest_standing(self) -> int | None:
        """The newest line that stands, or None."""
        return next((n for n in range(len(self.entries), 0, -1) if self.entries[n - 1].stands), None)

    def lanes_to_confirm(self) -> tuple[int, ...]:
        """The lanes in which nobody has confirmed the result, where the rules ask for it; empty before the end."""
        if not self.rules.confirm or self.outcome is None:
            return ()
        sure = {self.rules.lane_of(seat) for seat in self.confirmed}
        return tuple(lane for lane in range(self.rules.lanes) if lane not in sure)
