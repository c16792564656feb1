"""Game state (`Game`) as a score sheet: lines, rulings, revisions, confirmations; derives pegs and outcome."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pegboard.core.best_path import Course
from pegboard.core.course_of_sheet import InferredCourse, Standing
from pegboard.core.entry import Entry, Renaming, true_points
from pegboard.core.moves import Line, PegsSet, PointsRuling, Retracted, Ruling, Substituted
from pegboard.core.position import Lane, Outcome, Phase, Position, start
from pegboard.core.replay import replay
from pegboard.core.rules import Rules, Seat
from pegboard.messages import Message


@dataclass(frozen=True, slots=True)
class Game:
    """A game is its score sheet; pegs, dealer, phase and outcome are derived from the lines that are not undone.

    Attributes:
        rules: the rules of the game.
        players: a name for each seat: those who play now.
        first_dealer: the first dealer, as named at the start.
        entries: the lines in the order they were added; line n is `entries[n - 1]`.
        touches: for each lane, the line of each event that touched the lane.
        undone: the lines undone since the last event of another kind, newest last.
        confirmed: the seats that have confirmed the current result.
        renamings: corrected names, oldest first.
        dealer_said: whether the first dealer was named when the game was started.
        pairing: the game's id at an event, such as "club-night-7/r3:p1-p7"; empty for a casual game.
        first_players: a name for each seat: those who began, for whom the result counts.
        positions: derived: `positions[n]` is the position after line n, `positions[0]` the start.
        former_course: the course of an earlier state of this sheet, as far as computed; reused to save work.
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
    first_players: tuple[str, ...] = ()
    positions: tuple[Position, ...] = field(default=(), compare=False, repr=False)
    former_course: Course | None = field(default=None, compare=False, repr=False)
    _rulings: tuple[tuple[int, Entry], ...] | None = field(default=None, init=False, compare=False, repr=False)
    _followed: InferredCourse | None = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.positions:
            object.__setattr__(self, "positions", start(self.rules, self.first_dealer))
        if not self.first_players:
            object.__setattr__(self, "first_players", self.players)

    @property
    def rulings(self) -> tuple[tuple[int, Entry], ...]:
        """The rulings (not undone) that change what an earlier line counts, each with its line number; cached."""
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
        """The correct points of the lines that rulings (not undone) found wrong, by line number."""
        return true_points([entry for _, entry in self.rulings])

    @property
    def revisions(self) -> tuple[int, ...]:
        """For each lane, the number of events that touched it."""
        return tuple([len(lines) for lines in self.touches])

    @property
    def position(self) -> Position:
        """The position after the whole sheet."""
        return self.positions[-1]

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The pegs of each lane."""
        return self.positions[-1].lanes

    @property
    def followed(self) -> InferredCourse:
        """The inferred course of the game; it moves no peg and never causes a refusal."""
        if self._followed is None:
            first = self.first_dealer, self.dealer_said
            sheet = self.entries, self.positions, self.true_points
            followed = InferredCourse(self.rules, first, *sheet, former=self.former_course)
            object.__setattr__(self, "_followed", followed)
        assert self._followed is not None
        return self._followed

    @property
    def known_course(self) -> Course | None:
        """The course as far as computed, of this state of the sheet or an earlier one."""
        return self.former_course if self._followed is None else self._followed.newest

    @property
    def standing(self) -> Standing:
        """Where the deal stands, as inferred from the sheet."""
        return self.followed.standing

    @property
    def dealer(self) -> Seat:
        """The most likely dealer."""
        return self.standing.dealer

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None if it is still on."""
        return self.positions[-1].outcome

    @property
    def phase(self) -> Phase:
        """The most likely phase of the deal."""
        return self.standing.phase

    def lane_name(self, lane: int, line: int | None = None) -> str:
        """The players of a lane, now or after a line: "Ann", or "Ann and Cy"."""
        players = self.players if line is None else self.players_after(line)
        return " and ".join(name for seat, name in enumerate(players) if self.rules.lane_of(seat) == lane)

    def players_after(self, line: int) -> tuple[str, ...]:
        """The players after a line, in seat order."""
        return players_at(self.first_players, self.entries, self.positions[line])

    def player_replaced(self, line: int, seat: Seat) -> str:
        """The player of `seat` who left at a line; if the line is undone, the one who left when it was made."""
        entry = self.entries[line - 1]
        if entry.stands:
            return self.players_after(line - 1)[seat]
        earlier = self.entries[: line - 1]
        then = [replace(each, stands=each.stood_before(entry.origin.event)) for each in earlier]
        return players_at(self.first_players, then, replay(self.rules, self.positions[:1], then)[-1])[seat]

    def names_at(self, seat: Seat, *, undone: bool = True) -> tuple[str, ...]:
        """Everyone at a seat in this game, beginning with the player who began; by `undone` lines only if wanted."""
        later = (entry.event for entry in self.entries if undone or entry.stands)
        took_over = (event.name for event in later if isinstance(event, Substituted) and event.seat == seat)
        return (*self.first_players[seat : seat + 1], *took_over)

    def player_of(self, lane: int, seat: Seat | None, line: int) -> str:
        """The player of a line, or of its lane if the seat is unknown, when the line was made."""
        return self.lane_name(lane, line - 1) if seat is None else self.players_after(line - 1)[seat]

    @property
    def has_substitutes(self) -> bool:
        """Whether somebody has taken over a seat."""
        return any(self.position.seated_by)

    def message_on(self, lane: int, of_one: str, of_two: str, **values: object) -> Message:
        """A message about the players of a lane, with the key for one player ("Ann is") or two ("Ann and Cy are")."""
        alone = self.rules.seats == self.rules.lanes
        return Message(of_one if alone else of_two, name=self.lane_name(lane), **values)

    def counts(self, line: int) -> bool:
        """Whether a line is not undone and has an effect: a ruling always, other lines only before the end."""
        entry = self.entries[line - 1]
        if not entry.stands or self.withdrawn(line):
            return False
        return isinstance(entry.event, Ruling) or self.positions[line - 1].outcome is None

    def withdrawn(self, line: int) -> bool:
        """Whether the game was rolled back past this line (by a line that is not undone)."""
        return any(
            n > line and isinstance(later.event, Retracted) and later.rules_on(line) for n, later in self.rulings
        )

    def ruling_on(self, line: int) -> int | None:
        """The ruling on this line (not undone), or None."""
        return next((n for n, later in self.rulings if n > line and later.rules_on(line)), None)

    def pin_of(self, lane: int, after: int = 0) -> int | None:
        """The newest line after line `after` that sets the pegs of a lane and counts, or None."""
        for n in range(len(self.entries), after, -1):
            event = self.entries[n - 1].event
            if isinstance(event, PegsSet) and event.lane == lane and self.counts(n):
                return n
        return None

    def newest_standing(self) -> int | None:
        """The newest line that is not undone, or None."""
        return next((n for n in range(len(self.entries), 0, -1) if self.entries[n - 1].stands), None)

    def lanes_to_confirm(self) -> tuple[int, ...]:
        """The lanes that have not confirmed the result; empty before the end, or if the rules do not require it."""
        if not self.rules.confirm or self.outcome is None:
            return ()
        sure = {self.rules.lane_of(seat) for seat in self.confirmed}
        return tuple(lane for lane in range(self.rules.lanes) if lane not in sure)


def players_at(first: tuple[str, ...], entries: Sequence[Entry], position: Position) -> tuple[str, ...]:
    """The players at a position: `first`, except for those who took over a seat."""
    if not any(position.seated_by):
        return first
    seats = zip(first, position.seated_by, strict=True)
    return tuple(_name_by(entries[line - 1].event) if line else name for name, line in seats)


def _name_by(event: Line) -> str:
    assert isinstance(event, Substituted)
    return event.name
