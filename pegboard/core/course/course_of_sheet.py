"""The course of a sheet, derived when it is asked for: where the deal stands, what each line was most likely for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pegboard.core.course import best_path, certainty, likeliest_readings
from pegboard.core.course.best_path import Course, CourseStep
from pegboard.core.course.certainty import Certainty, Where
from pegboard.core.course.hidden_markov_model import model_of
from pegboard.core.course.likeliest_readings import Progress, Reading
from pegboard.core.moves import FAULTS, Dealt, Line, Reason, Retracted, Scored, Staged
from pegboard.core.position import Phase, Position
from pegboard.core.rules import Rules, Seat

if TYPE_CHECKING:
    from pegboard.core.board import Entry


BOTH_WAYS_BELOW = 0.6
"""Below this certainty, pages and displays show the two likeliest standings of a deal."""


class Standing(NamedTuple):
    """Where the deal stands, as displays and pages show it; a later line can correct it.

    Attributes:
        dealer: the dealer of this deal.
        deal: its number, from 1.
        phase: where it stands.
        to_count: while hands are counted, the seat whose hand is next.
        begun: whether anything of this deal has been pegged.
        sure: how likely it is that dealer, phase and `to_count` are these, 0 to 1.
        dealer_sure: how likely it is that this is the dealer.
        other: the second likeliest standing; None where `sure` is at least `BOTH_WAYS_BELOW`.
    """

    dealer: Seat
    deal: int
    phase: Phase
    to_count: Seat | None
    begun: bool
    sure: float = 1.0
    dealer_sure: float = 1.0
    other: Where | None = None


class Followed:
    """The course of one state of a sheet, derived on first use.

    `former` is a course of an earlier state, whose steps are taken over as far as its lines are the same.
    """

    def __init__(
        self,
        rules: Rules,
        first: tuple[Seat, bool],
        entries: "Sequence[Entry]",
        positions: Sequence[Position],
        true_points: Mapping[int, int],
        *,
        former: Course | None,
    ) -> None:
        self._rules, self._first = rules, first
        self._entries, self._positions, self._former = entries, positions, former
        self._true_points = true_points
        self._certainties: dict[int, dict[int, Certainty]] = {}

    @property
    def newest(self) -> Course | None:
        """The course as far as it has been derived: of this state, or else of an earlier one."""
        return self.__dict__.get("weighted_course") or self.__dict__.get("course", self._former)

    @cached_property
    def course(self) -> Course:
        """The course; of a solitaire, where nothing is guessed, an empty one."""
        if self._rules.seats == 1:
            return Course((), ())
        dealer, said = self._first
        first = best_path.begin(self._rules, dealer, said=said)
        return best_path.follow(self._rules, first, self._lines(), self._former)

    @cached_property
    def weighted_course(self) -> Course:
        """The course, with the probability of each state after each line."""
        return certainty.weigh(self._rules, self.course, self._former)

    def _lines(self) -> "list[Line | None]":
        """Each line, if it tells something of the deal; None for others, and for those that count no more.

        Those that do not stand or come after the end say nothing. Of two stages that were said with neither a score nor
        a deal in between, the later one holds.
        """
        said = list(self._true_lines())
        later = False
        for number in range(len(said) - 1, -1, -1):
            line = said[number]
            if isinstance(line, Staged):
                said[number], later = None if later else line, True
            elif isinstance(line, Dealt | Retracted) or (isinstance(line, Scored) and line.why not in FAULTS):
                later = False
        return said

    def _true_lines(self) -> "Iterator[Line | None]":
        """Each line, with its true points under a ruling."""
        truth = self._true_points
        for number, entry in enumerate(self._entries, 1):
            event = entry.event
            if not entry.stands:
                yield None
            elif isinstance(event, Retracted):
                yield event
            elif self._positions[number - 1].outcome is not None:
                yield None
            elif number in truth and isinstance(event, Scored):
                yield replace(event, points=truth[number])
            elif isinstance(event, Dealt) and event.new and self._rules.dealer_start:
                yield replace(event, midway=True)  # where the dealer starts ahead, a deal is often announced late
            elif isinstance(event, Dealt) and event.dealer is None and not event.new:
                yield replace(event, dealer=self._positions[number].dealer)
            else:
                yield event

    @cached_property
    def readings(self) -> tuple[Reading | None, ...]:
        """What each line was most likely for; None where the game went back over it."""
        if self._rules.seats == 1:
            return tuple(self._said_readings())
        return tuple(likeliest_readings.readings(self._rules, self.course))

    def _said_readings(self) -> Iterator[Reading | None]:
        """The readings as they were said, where nothing is guessed."""
        for number, entry in enumerate(self._entries, 1):
            before, after = self._positions[number - 1], self._positions[number]
            why = entry.event.why if isinstance(entry.event, Scored) else None
            deal = before.deal if why == Reason.CRIB else after.deal
            yield Reading(why, deal, after.dealer) if entry.stands else None

    def certainties(self, newest: int) -> dict[int, Certainty]:
        """How likely the reading of each of the newest entries is, by the number of its line."""
        if self._rules.seats == 1:
            return {}
        if newest not in self._certainties:
            self._certainties[newest] = certainty.certainties(self._rules, self.weighted_course, self.readings, newest)
        return self._certainties[newest]

    @property
    def is_certain(self) -> bool:
        """Whether nothing is guessed: every reason was said, and each deal has one possible dealer in the end."""
        if self._rules.seats == 1:
            return False
        told = list(zip(self.course.lines, self.readings, self.course.steps[1:], strict=True))
        scores = (line for line, reading, _ in told if reading is not None and isinstance(line, Scored))
        if not all(line.why is not None and not line.guessed for line in scores):
            return False
        known = {reading.deal for _, reading, step in told if reading is not None and self._has_one_dealer(step)}
        return known >= {reading.deal for reading in self.readings if reading is not None}

    def _has_one_dealer(self, step: CourseStep) -> bool:
        """Whether all possible states after a line have the same dealer."""
        places = model_of(self._rules).places
        return len({state // places for state in step.costs}) == 1

    @cached_property
    def progress(self) -> Progress:
        """Which deal is in hand, whose it is, and whether anything of it has been pegged."""
        if self._rules.seats == 1:
            at = self._positions[-1]
            return Progress(at.deal, at.dealer, at.scored)
        last = self._ending()
        if last is not None and last.why == Reason.CRIB:  # the deal has ended with it, and no other has begun
            return Progress(last.deal, last.dealer, begun=True)
        return likeliest_readings.progress_of(self._rules, self.course, self.readings)

    def _ending(self) -> Reading | None:
        """What the line that ended the game was for; None where it goes on."""
        line = len(self._entries)
        while line and self._positions[line - 1].outcome is not None:
            line -= 1
        return self.readings[line - 1] if line and self._positions[line].outcome is not None else None

    @cached_property
    def standing(self) -> Standing:
        """Where the deal stands."""
        at = self._positions[-1]
        if self._rules.seats == 1:
            return Standing(at.dealer, at.deal, at.phase, at.to_count, at.scored)
        found = certainty.standings(self._rules, self.weighted_course)
        first = found[0]
        dealer_sure = sum(each.sure for each in found if each.dealer == first.dealer)
        deal, dealer, begun = self.progress
        if at.outcome is not None:
            return Standing(dealer, deal, Phase.OVER, None, begun=True)
        phase = Phase.CUT if at.phase == Phase.CUT and first.phase == Phase.PLAY else first.phase
        other = certainty.other_than(self._rules, first, found[1:]) if first.sure < BOTH_WAYS_BELOW else None
        return Standing(first.dealer, deal, phase, first.to_count, begun, first.sure, dealer_sure, other)
