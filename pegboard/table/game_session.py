"""The running game and its match: judges a command, stores the event in the journal, and applies it to the sheet."""

import contextlib
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pegboard.core.board import Game
from pegboard.core.command_fields import line_id
from pegboard.core.entry import Origin
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import GameInMatch, Match, Result, Setup, first_dealer, next_dealer, result
from pegboard.core.moves import Abandon, Abandoned, Command, Confirmed, Event, Restore, Start, Started, TakeBack, row_of
from pegboard.core.referee import apply, decide, director_only
from pegboard.core.rules import Rules
from pegboard.core.view_as_json import with_entries
from pegboard.errors import Moved, NotAllowed, NotStored, OtherGame, RuleError
from pegboard.messages import Message
from pegboard.storage.event_row import EventRow, replay_rows
from pegboard.storage.journal.journal import Journal
from pegboard.storage.rescue.quarantine import delete_unreported

# --- journal upkeep while the table runs: faults become alarms, and the game is reloaded if the journal changed ---


class ReloadableSession(Protocol):
    """Holds the running game, and can read it from the journal."""

    running: GameInMatch

    def reload(self) -> None:
        """Read the running game again."""


class AlarmedTable(Protocol):
    """The table that the journal belongs to."""

    @property
    def lock(self) -> contextlib.AbstractContextManager[object]:
        """Must be held while anything of the table is changed."""

    @property
    def session(self) -> ReloadableSession:
        """Its running game."""

    def raise_alarm(self, message: Message, /) -> None:
        """Show an alarm."""

    def publish(self) -> None:
        """Publish the table's state."""


class JournalUpkeep:
    """Maintains the journal of a table."""

    def __init__(
        self, journal: Journal, table: AlarmedTable, begin: Callable[[], None], drop_dialled: Callable[[], None]
    ) -> None:
        """Raise alarms for faults found when the journal was opened; if it has no game, `begin` stores the first one.

        `drop_dialled` is called when another game has come on the table.

        Raises:
            RuleError: the players do not fit the rules.
        """
        self._journal, self._table = journal, table
        self._begin, self._drop_dialled = begin, drop_dialled
        self._raise_alarms(journal.take_findings())
        self._begin_first_game()

    def _begin_first_game(self) -> None:
        if not self._table.session.running.id:
            with contextlib.suppress(NotStored):  # shown as a notice
                self._begin()

    def _raise_alarms(self, findings: Sequence[Message]) -> None:
        for message in findings:
            self._table.raise_alarm(message)
        if findings:
            delete_unreported(self._journal.folder)

    def look_after(self) -> None:
        """Maintain the journal; call it about once a second, in a thread that does not hold the table's lock."""
        journal, table = self._journal, self._table
        with table.lock:
            epoch = journal.epoch
            self._raise_alarms(journal.look_after())
            if journal.epoch != epoch:
                before = table.session.running.id
                table.session.reload()
                if table.session.running.id != before:
                    self._drop_dialled()
            if journal.fault is None or journal.is_in_memory:
                self._begin_first_game()
            table.publish()
        journal.checkpoint()


def new_id() -> str:
    """A fresh game id."""
    return secrets.token_hex(6)


@dataclass(frozen=True, slots=True)
class Projection:
    """The table as it is or would be: the running game, the newest event's number, and a corrected sheet."""

    running: GameInMatch
    revision: int
    sheet: Game | None = None


PREVIEW_ID = "preview"
"""The id of the next game when its start is previewed."""


class GameSession:
    """The running game, and the journal that stores it."""

    def __init__(
        self,
        journal: Journal,
        house: Callable[[Rules], Rules] = lambda rules: rules,
        clock: Callable[[], int] = time.time_ns,
        new_id: Callable[[], str] = new_id,
    ) -> None:
        """Read the running game from `journal`, or start with an empty board.

        `house` adds the house rules to a variant's rules, `clock` returns wall time in nanoseconds, `new_id` a game id.

        Raises:
            NotStored: the journal does not respond.
        """
        self._journal, self._house, self._clock, self._new_id = journal, house, clock, new_id
        self.reload()

    def reload(self) -> None:
        """Read the running game from the journal again; the journal may have been rescued or rebuilt meanwhile.

        Raises:
            NotStored: the journal does not respond.
        """
        game = self._journal.running_game()
        self.running = GameInMatch("", Game(), "", Match()) if game is None else self._from_journal(game)

    @property
    def game(self) -> Game:
        """The running game."""
        return self.running.game

    @property
    def setup(self) -> Setup:
        """The current setup."""
        return Setup(self.game.rules, self.game.players, self.running.before.format)

    def with_corrected_names(self, setup: Setup) -> Setup:
        """The same setup; if it names the current players, with their corrected names.

        Raises:
            NotStored: the journal does not respond.
        """
        named = Game(setup.rules, setup.players)
        for row in self._journal.corrections(self.running.id):
            named = apply(named, row.event)
        return replace(setup, players=named.players) if named.players == self.game.players else setup

    @property
    def revision(self) -> int:
        """The number of the journal's newest event."""
        return self._journal.last_id

    @property
    def epoch(self) -> str:
        """The id of the journal, created with it."""
        return self._journal.epoch

    @property
    def lasting_trouble(self) -> Message | None:
        """Why scores are not being stored on disk: they are kept in memory, or storing fails; None if all is well."""
        if self._journal.is_in_memory:
            return Message("scores_in_memory")
        return None if self._journal.fault is None else Message("scores_not_stored", fault=self._journal.fault)

    def find_event(self, command_id: str) -> EventRow | None:
        """The event of a command, or None.

        Raises:
            NotStored: the journal does not respond.
        """
        return self._journal.find(command_id)

    def line_of(self, row: EventRow) -> str | None:
        """The id of the line that an event created or changed, or None.

        Raises:
            NotStored: the journal does not respond.
        """
        return None if (line := self._journal.line_of(row)) is None else line_id(line)

    def game_for(self, command: Command, game: str | None, replaces: str | None) -> GameInMatch:
        """The game that a command is for: the running one, or for a correction an earlier one of its match.

        Raises:
            OtherGame: `game` or `replaces` is not the running game, or for a correction not a game of its match.
            RuleError: no game is named.
            NotStored: the journal does not respond.
        """
        if isinstance(command, Start):
            self._may_start(game, replaces)
            return self.running
        if game is None:
            raise RuleError("name_the_game")
        if game != self.running.id and not row_of(command).earlier_games:
            raise OtherGame("other_game", game=game, running=self.running.id)
        if (target := self.find_game(game)) is None:
            raise OtherGame("other_match", game=game)
        return target

    def _may_start(self, game: str | None, replaces: str | None) -> None:
        if game not in (None, self.running.id):
            raise OtherGame("other_game", game=game, running=self.running.id)
        unfinished = self.running.id if self.game.outcome is None else None
        if replaces != unfinished:
            raise OtherGame("not_finished", game=unfinished) if unfinished else OtherGame("running_over")

    def resolve(self, command: Command, target: GameInMatch) -> Command:
        """The command in full: a start with its house rules, an undo or redo with the line on `target` that it means.

        Raises:
            RuleError: the house rules do not fit the variant.
        """
        match command:
            case Start(house=None):
                return replace(command, rules=self._house(command.rules))
            case Start(house=house):
                rules = with_house_rules(command.rules, house) if house else command.rules
                return replace(command, rules=rules, house=None)
            case TakeBack(None):
                return TakeBack(target.game.newest_standing())
            case Restore(None) if target.game.undone:
                return Restore(target.game.undone[-1])
        return command

    def judge(self, command: Command, target: GameInMatch, replaces: str = "", *, director: bool = False) -> Event:
        """The event that `command` makes on `target`; `replaces` is the game that a start abandons.

        Raises:
            RuleError: the rules forbid it.
            Moved: a line or the result has changed since the client saw it.
            OtherGame: it would reopen a finished game.
            NotAllowed: only a director may do it.
            NotStored: the journal does not respond.
        """
        if self._returns_to_previous(command, target):
            if target.game.rules.strict and not director:
                raise NotAllowed("director_back")
            command = Abandon()
        try:
            event = decide(target.game, command)
        except Moved as moved:
            raise with_entries(moved, target.game) from None
        why = self._director_only_when_finished(target, event) or director_only(target.game, event)
        if why and not director:
            raise NotAllowed(why)
        if isinstance(command, Start):
            return self._as_next(command, replaces)
        if isinstance(event, Abandoned) and self._journal.previous_game(self.running.id) is None:
            again = Start(self.game.rules, self.game.players, first_dealer(self.game))
            return replace(self._as_next(again, self.running.id), note=event.note, dealer_said=False)
        return event

    def _returns_to_previous(self, command: Command, target: GameInMatch) -> bool:
        """Whether this is UNDO in a running game without lines, which returns to the previous game."""
        empty = command == TakeBack() and target.id == self.running.id and not target.game.entries
        return empty and self._journal.previous_game(target.id) is not None

    def _director_only_when_finished(self, target: GameInMatch, event: Event) -> Message | None:
        """Why only a director may correct a finished game; it must stay finished while a later one is on the table."""
        if target.id == self.running.id or isinstance(event, Confirmed):
            return None
        if apply(target.game, event).outcome is None:
            raise OtherGame("opens_again", game=target.id, later=self.running.id)
        return Message("director_finished")

    def _as_next(self, start: Start, replaces: str) -> Started:
        """The next game: in this match if players and rules are the same and it is undecided, else in a new one."""
        event, now = decide(self.game, start), self.running
        assert isinstance(event, Started)
        match = now.before if replaces == now.id else now.standing
        same = (event.players, event.rules) == (self.game.players, self.game.rules)
        goes_on = now.id and same and start.format is None and match.winner is None and not start.pairing
        return replace(
            event,
            dealer=self._dealer_for(start),
            match=now.match if goes_on else "",
            pairing=start.pairing or (now.game.pairing if same and replaces == now.id else ""),
            replaces=replaces,
            format=start.format or match.format,
        )

    def _dealer_for(self, start: Start) -> int:
        """The dealer that a start names, else by the rules for the next dealer, else the first seat."""
        if start.dealer is not None:
            return start.dealer
        same_table = start.rules.seats == self.game.rules.seats
        return next_dealer(self.game) if self.running.id and same_table else 0

    def commit(
        self, event: Event, source: str, target: GameInMatch, command_id: str | None = None, request: str | None = None
    ) -> None:
        """Store the event, then apply it to `target` and to the running game.

        Raises:
            NotStored: the event could not be stored; nothing has changed.
        """
        at, game = self._clock(), target.id
        if isinstance(event, Started):
            game = self._new_id()
            event = replace(event, match=event.match or game)
        after = self._after(event, game, target, Origin(self._journal.last_id + 1, source, at))
        won = None if isinstance(event, Abandoned) else result(after.game)
        summarized = (
            self.game if isinstance(event, Started) else target.game if isinstance(event, Abandoned) else after.game
        )
        after = self._on_the_table(after, target, self.running, won)
        ids = {"command_id": command_id, "request": request}
        self._journal.append(event, game=game, at=at, source=source, result=won, sheet=summarized, **ids)
        self.running = after

    def project(self, event: Event, running: GameInMatch, revision: int, target: GameInMatch) -> Projection:
        """The table as it would be after `event` on `target`, with `running` as the running game; nothing is stored.

        Raises:
            NotStored: the journal does not respond.
        """
        origin = Origin(revision + 1, "", self._clock())
        if isinstance(event, Started):
            event = replace(event, match=event.match or PREVIEW_ID)
        after = self._after(event, PREVIEW_ID if isinstance(event, Started) else target.id, target, origin)
        won = None if isinstance(event, Abandoned) else result(after.game)
        return Projection(self._on_the_table(after, target, running, won), revision + 1, after.game)

    def _on_the_table(
        self, after: GameInMatch, target: GameInMatch, running: GameInMatch, won: Result | None
    ) -> GameInMatch:
        """The running game after a change of `target`; if that is an earlier game, the match is read again."""
        if target.id == running.id:
            return after
        match = self._journal.match_before(running.id, running.game.rules.lanes, {target.id: won})
        return replace(running, before=match[1])

    def _after(self, event: Event, id: str, target: GameInMatch, origin: Origin) -> GameInMatch:  # noqa: A002 - a game's id
        """The game that the event makes or returns to; all reads come before anything is stored."""
        match event:
            case Started():
                now = self.running
                standing = now.before if event.replaces == now.id else now.standing
                before = standing if event.match == now.match else Match.empty(event.rules.lanes, event.format)
                return GameInMatch(id, apply(Game(), event, origin), event.match, before)
            case Abandoned():
                return self._from_journal(self._journal.previous_game(id) or id)
        return replace(target, game=apply(target.game, event, origin))

    def find_game(self, game: str) -> GameInMatch | None:
        """The running game or an earlier one of its match, in its current state; None for any other.

        Raises:
            NotStored: the journal does not respond.
        """
        if game == self.running.id:
            return self.running
        return self._from_journal(game) if self._journal.match_of(game) == self.running.match else None

    def _from_journal(self, game: str) -> GameInMatch:
        sheet = replay_rows(self._journal.rows(game))
        match, before = self._journal.match_before(game, sheet.rules.lanes)
        return GameInMatch(game, sheet, match, before)
