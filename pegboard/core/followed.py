"""What the course tells of a sheet: where the deal stands now, and what each of its lines was most likely for."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pegboard.core import course, course_odds
from pegboard.core.course import Course, Reached, Reading
from pegboard.core.course_odds import Certainty, Where
from pegboard.core.moves import Dealt, FalselyClaimed, Line, OverPegged, Retracted, Scored
from pegboard.core.rules import Rules, Seat

if TYPE_CHECKING:
    from pegboard.core.board import Entry, Position

SURE = 0.6
"""Below this the windows show the two likeliest ways in which a deal can stand."""


class Standing(NamedTuple):
    """Where the deal stands, as every window shows it; a later line can put it right.

    Attributes:
        dealer: who deals this deal.
        deal: its number, from 1.
        phase: "cut" (nothing dealt), "play", "hand", "crib", "over" or "unknown".
        to_count: in "hand", the seat whose hand is next.
        begun: whether anything of this deal has been pegged.
        sure: how likely it is that dealer, phase and `to_count` are these, 0 to 1.
        dealer_sure: how likely it is that this is the dealer.
        other: where it stands otherwise, as likely as not; None where `sure` is at least `SURE`.
    """

    dealer: Seat
    deal: int
    phase: str
    to_count: Seat | None
    begun: bool
    sure: float = 1.0
    dealer_sure: float = 1.0
    other: Where | None = None


class Followed:
    """The course of one state of a sheet, derived when it is asked for.

    `former` is a course of an earlier state, whose steps are taken over as far as its lines are the same.
    """

    def __init__(
        self,
        rules: Rules,
        first: tuple[Seat, bool],
        entries: "Sequence[Entry]",
        positions: "Sequence[Position]",
        former: Course | None,
    ) -> None:
        self._rules, self._first = rules, first
        self._entries, self._positions, self._former = entries, positions, former

    @property
    def newest(self) -> Course | None:
        """The course as far as it has been derived: of this state, or else of an earlier one."""
        return self.__dict__.get("weighed") or self.__dict__.get("course", self._former)

    @cached_property
    def course(self) -> Course:
        """The course; of a solitaire, where nothing is guessed, an empty one."""
        if self._rules.seats == 1:
            return Course((), ())
        dealer, said = self._first
        first = course.begin(self._rules, dealer, said=said)
        return course.follow(self._rules, first, tuple(self._lines()), self._former)

    @cached_property
    def weighed(self) -> Course:
        """The course, with how likely everything is after each line."""
        return course_odds.weigh(self._rules, self.course, self._former)

    def _lines(self) -> "Iterator[Line | None]":
        """What each line truly says; None for one that does not stand or comes after the end."""
        truth = {
            entry.event.line: entry.event.points
            for entry in self._entries
            if entry.stands and isinstance(entry.event, (OverPegged, FalselyClaimed))
        }
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
            elif isinstance(event, Dealt) and event.dealer is None and not event.new:
                yield replace(event, dealer=self._positions[number].dealer)
            else:
                yield event

    @cached_property
    def readings(self) -> tuple[Reading | None, ...]:
        """What each line was most likely for; None where the game went back over it."""
        if self._rules.seats == 1:
            return tuple(self._as_said())
        return tuple(course.readings(self._rules, self.course))

    def _as_said(self) -> Iterator[Reading | None]:
        """What was said, where nothing is guessed."""
        for number, entry in enumerate(self._entries, 1):
            before, after = self._positions[number - 1], self._positions[number]
            why = entry.event.why if isinstance(entry.event, Scored) else None
            deal = before.deal if why == "crib" else after.deal
            yield Reading(why, deal, after.dealer) if entry.stands else None

    def certainties(self, newest: int) -> dict[int, Certainty]:
        """How likely the reading of each of the newest entries is, by the number of its line."""
        if self._rules.seats == 1:
            return {}
        return course_odds.certainties(self._rules, self.weighed, self.readings, newest)

    @property
    def is_said(self) -> bool:
        """Whether somebody has said the reason of every score, so that nothing of it is guessed."""
        if self._rules.seats == 1:
            return False
        told = zip(self.course.lines, self.readings, strict=True)
        scores = (line for line, reading in told if reading is not None and isinstance(line, Scored))
        return all(line.why is not None and not line.guessed for line in scores)

    @cached_property
    def reached(self) -> Reached:
        """Which deal is in hand, whose it is, and whether anything of it has been pegged."""
        if self._rules.seats == 1:
            at = self._positions[-1]
            return Reached(at.deal, at.dealer, at.scored)
        return course.reached(self._rules, self.course, self.readings)

    @cached_property
    def standing(self) -> Standing:
        """Where the deal stands."""
        at = self._positions[-1]
        if self._rules.seats == 1:
            return Standing(at.dealer, at.deal, at.phase, at.to_count, at.scored)
        found = course_odds.standings(self._rules, self.weighed)
        first = found[0]
        dealer_sure = sum(each.sure for each in found if each.dealer == first.dealer)
        deal, _, begun = self.reached
        if at.outcome is not None:
            return Standing(first.dealer, deal, "over", None, begun=True)
        phase = "cut" if at.phase == "cut" and first.phase == "play" else first.phase
        other = found[1] if len(found) > 1 and first.sure < SURE else None
        return Standing(first.dealer, deal, phase, first.to_count, begun, first.sure, dealer_sure, other)
