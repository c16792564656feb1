"""The game on the table and its match: what is asked is judged, then kept, then laid on the sheet."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from pegboard.core import shown, wire
from pegboard.core.board import Game, Mark
from pegboard.core.match import Match, first_dealer, next_dealer, result
from pegboard.core.moves import (
    OPEN,
    Abandon,
    Abandoned,
    Amend,
    Amended,
    ClaimFalsely,
    Command,
    Confirm,
    Confirmed,
    Event,
    FalselyClaimed,
    Line,
    OverPeg,
    OverPegged,
    PegBack,
    Restore,
    Restored,
    Retract,
    Retracted,
    SetPegs,
    Start,
    Started,
    TakeBack,
    TakenBack,
)
from pegboard.core.referee import apply, decide, reserved
from pegboard.core.rules import Rules
from pegboard.errors import Moved, NotAllowed, OtherGame, RuleError
from pegboard.journal import Journal, Row, fold


def new_id() -> str:
    """A fresh game id."""
    return secrets.token_hex(6)


PUTS_RIGHT = TakeBack | Restore | Amend | OverPeg | ClaimFalsely | PegBack | SetPegs | Retract | Confirm
"""Commands that can name a finished game of the match."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays what in the next game, and in a match of which format."""

    rules: Rules
    players: tuple[str, ...]
    format: str = OPEN


@dataclass(frozen=True, slots=True)
class Running:
    """A game of the journal: its id, its match, and how that match stood before it."""

    id: str
    game: Game
    match: str
    before: Match

    @property
    def standing(self) -> Match:
        """How the match stands, this game included when somebody has won it."""
        return self.before.plus(result(self.game))


class Table:
    """The running game, over the journal that keeps it."""

    def __init__(
        self,
        journal: Journal,
        house: Callable[[Rules], Rules] = lambda rules: rules,
        clock: Callable[[], int] = time.time_ns,
        new_id: Callable[[], str] = new_id,
    ) -> None:
        """Lay out the running game of `journal`, or an empty board.

        `house` gives a variant's rules as this house plays them, `clock` wall time in nanoseconds, `new_id` a fresh
        game id.
        """
        self._journal, self._house, self._clock, self._new_id = journal, house, clock, new_id
        known = journal.running()
        self.running = Running("", Game(), "", Match()) if known is None else self._from_journal(known)

    @property
    def game(self) -> Game:
        """The running game."""
        return self.running.game

    @property
    def setup(self) -> Setup:
        """Who plays what now."""
        return Setup(self.game.rules, self.game.players, self.running.before.format)

    @property
    def revision(self) -> int:
        """The number of the journal's newest event."""
        return self._journal.last_id

    @property
    def epoch(self) -> str:
        """The journal's own mark, made with it."""
        return self._journal.epoch

    def known(self, command_id: str) -> Row | None:
        """The event that a command made, or None."""
        return self._journal.find(command_id)

    def line_of(self, row: Row) -> str | None:
        """The id of the line that an event made or changed, or None."""
        line = self._journal.line_of(row)
        return None if line is None else wire.line_id(line)

    def sheet_for(self, command: Command, game: str | None, replaces: str | None) -> Running:
        """The sheet a command is for: the running game's, or for a correction an earlier one's of its match.

        Raises:
            OtherGame: `game`, or `replaces`, is not the running game.
            RuleError: no game is named.
        """
        if isinstance(command, Start):
            self._may_start(game, replaces)
        elif game is None:
            raise RuleError("a command names the `game` it is for; the state tells its id")
        elif game != self.running.id:
            if isinstance(command, PUTS_RIGHT) and self._journal.match_of(game) == self.running.match:
                return self._from_journal(game)
            raise OtherGame(f"game {game} is not the running one; that is {self.running.id}")
        return self.running

    def _may_start(self, game: str | None, replaces: str | None) -> None:
        if game not in (None, self.running.id):
            raise OtherGame(f"game {game} is not the running one; that is {self.running.id}")
        unfinished = self.running.id if self.game.outcome is None else None
        if replaces != unfinished:
            wanted = f"name it in `replaces` to give it up: {unfinished}" if unfinished else "`replaces` stays empty"
            stands = "is not finished" if unfinished else "is over"
            raise OtherGame(f"the running game {stands}; {wanted}")

    def as_meant(self, command: Command) -> Command:
        """A start by the house's rules; an undo or redo that names no line, with the line it means now.

        Raises:
            RuleError: the house's rules do not go with the variant.
        """
        match command:
            case Start():
                return replace(command, rules=self._house(command.rules))
            case TakeBack(None):
                return TakeBack(self.game.newest_standing())
            case Restore(None) if self.game.undone:
                return Restore(self.game.undone[-1])
        return command

    # --- judged ---

    def judge(self, command: Command, sheet: Running, replaces: str = "", *, director: bool = False) -> Event:
        """What happens when `command` is asked of `sheet`; `replaces` is the game that a start gives up.

        Raises:
            RuleError: the rules forbid it.
            Moved: a line or the result is not as it was seen.
            OtherGame: it would open a finished game again.
            NotAllowed: only a director may.
        """
        command = self._put_away(command)
        try:
            event = decide(sheet.game, command)
        except Moved as moved:
            raise with_entries(moved, sheet.game) from None
        why = self._reserved_when_finished(sheet, event) or reserved(sheet.game, event)
        if why and not director:
            raise NotAllowed(why)
        if isinstance(command, Start):
            return self._as_next(command, replaces)
        if isinstance(event, Abandoned) and self._journal.before(self.running.id) is None:
            again = Start(self.game.rules, self.game.players, first_dealer(self.game))
            return replace(self._as_next(again, self.running.id), note=event.note)
        return event

    def _put_away(self, command: Command) -> Command:
        """UNDO in a game without lines puts the one before back on the table."""
        empty = command == TakeBack() and not self.game.entries
        return Abandon() if empty and self._journal.before(self.running.id) is not None else command

    def _reserved_when_finished(self, sheet: Running, event: Event) -> str | None:
        """Why a finished game is put right only by a director; it stays finished while a later one is on the table."""
        if sheet.id == self.running.id or isinstance(event, Confirmed):
            return None
        if apply(sheet.game, event).outcome is None:
            raise OtherGame(f"this would open game {sheet.id} again; give up the later game {self.running.id} first")
        return "a finished game is put right by the director"

    def _as_next(self, asked: Start, replaces: str) -> Started:
        """The next game: of this match while players and rules stay and it is not decided, else of a new one."""
        event, now = decide(self.game, asked), self.running
        assert isinstance(event, Started)
        match = now.before if replaces == now.id else now.standing
        same = (event.players, event.rules) == (self.game.players, self.game.rules)
        goes_on = now.id and same and asked.format is None and match.winner is None
        return replace(
            event,
            dealer=self._dealer_for(asked),
            match=now.match if goes_on else "",
            replaces=replaces,
            format=asked.format or match.format,
        )

    def _dealer_for(self, asked: Start) -> int:
        """The dealer that a start names, else the policy's, else the first seat."""
        if asked.dealer is not None:
            return asked.dealer
        same_table = asked.rules.seats == self.game.rules.seats
        return next_dealer(self.game) if self.running.id and same_table else 0

    # --- kept, and laid on the sheet ---

    def keep(
        self, event: Event, source: str, sheet: Running, command_id: str | None = None, request: str | None = None
    ) -> None:
        """Store what has happened to `sheet`, then have on the table what it makes.

        Raises:
            NotStored: it could not be kept; everything is as it was.
        """
        at, game = self._clock(), sheet.id
        if isinstance(event, Started):
            game = self._new_id()
            event = replace(event, match=event.match or game)
        after = self._after(event, game, sheet, Mark(self._journal.last_id + 1, source, at))
        won = None if isinstance(event, Abandoned) else result(after.game)
        if sheet.id != self.running.id:  # an earlier game was put right: the match stands otherwise
            match = self._journal.match_before(self.running.id, self.game.rules.lanes, {sheet.id: won})
            after = replace(self.running, before=match[1])
        self._journal.append(event, game=game, at=at, source=source, result=won, command_id=command_id, request=request)
        self.running = after

    def _after(self, event: Event, id: str, sheet: Running, mark: Mark) -> Running:  # noqa: A002 - as everywhere here
        """The game that the event makes or puts back; all that must be read is read before anything is kept."""
        match event:
            case Started():
                now = self.running
                standing = now.before if event.replaces == now.id else now.standing
                before = standing if event.match == now.match else Match.empty(event.rules.lanes, event.format)
                return Running(id, apply(Game(), event, mark), event.match, before)
            case Abandoned():
                return self._from_journal(self._journal.before(id) or id)
        return replace(sheet, game=apply(sheet.game, event, mark))

    def _from_journal(self, game: str) -> Running:
        sheet = fold(self._journal.rows(game))
        match, before = self._journal.match_before(game, sheet.rules.lanes)
        return Running(game, sheet, match, before)


def line_made(event: Event, sheet: Running) -> str | None:
    """The id of the line that an event has made or changed on `sheet`, as it was before, or None."""
    match event:
        case TakenBack(line) | Restored(line) | Amended(line):
            return wire.line_id(line)
        case Started() | Abandoned() | Confirmed():
            return None
    return wire.line_id(len(sheet.game.entries) + 1)


def left_as_it_was(event: Event, sheet: Running) -> str | None:
    """What a change to an earlier line does not move, in words: a lane whose pegs a later ruling has set."""
    if not isinstance(event, TakenBack | Restored | Amended | OverPegged | FalselyClaimed):
        return None
    game = sheet.game
    lane = getattr(game.entries[event.line - 1].event, "lane", None)
    pin = None if lane is None else game.pinned_by(lane, after=event.line)
    if lane is None or pin is None:
        return None
    return f"{game.called(lane)}'s pegs stay as line {pin} has set them"


def lines_since(sheet: Game, lane: int | None, base: int) -> tuple[int, ...]:
    """The lines made or changed since `base`, which counts a lane's events or is the number of the board's last."""
    made = [
        (mark.event, line)
        for line, entry in enumerate(sheet.entries, 1)
        for mark in (entry.mark, *(change.mark for change in entry.history))
        if lane is None or _touches(entry.event, lane)
    ]
    if lane is None:
        lines = {line for event, line in made if event > base}
    else:
        missed = max(0, sheet.revisions[lane] - base)
        lines = {line for _, line in sorted(made, reverse=True)[:missed]}
    return tuple(sorted(lines, reverse=True)[: shown.NEWEST_SHOWN])


def with_entries(moved: Moved, sheet: Game) -> Moved:
    """The refusal with its lines in the snapshot's form."""
    moved.entries = [shown.entry_state(sheet, line) for line in moved.lines]
    return moved


def _touches(line: Line, lane: int) -> bool:
    """Whether a line can have moved the pegs of a lane."""
    return isinstance(line, Retracted) or lane in (getattr(line, "lane", None), getattr(line, "to", None))
