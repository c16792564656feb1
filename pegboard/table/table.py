"""The table: running game and match, journal, displayed data, starts of games; judges, stores and projects commands.

The table is one object with one lock. Pages and programs reach it through `scoreboard`, keys through `key_entry`.
"""

import contextlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import (
    GameInMatch,
    Match,
    Result,
    Setup,
    first_dealer,
    is_next_dealer_known,
    next_dealer,
    result,
)
from pegboard.core.moves import (
    Abandon,
    Abandoned,
    Command,
    Confirmed,
    Event,
    Renamed,
    Restore,
    Start,
    Started,
    TakeBack,
    Who,
    row_of,
)
from pegboard.core.presets import preset_rules
from pegboard.core.referee import apply, decide, director_only
from pegboard.core.rules import VARIANTS, Rules, Seat
from pegboard.core.view import Alarm, Brightness, Device, EventNews, Invitation, View, lanes_to_confirm
from pegboard.core.view_as_json import with_entries
from pegboard.devices.alarms import Alarms
from pegboard.errors import Moved, NotAllowed, NotStored, OtherGame
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.storage.event_row import replay_rows
from pegboard.storage.journal.journal import Journal
from pegboard.storage.rescue.quarantine import delete_unreported
from pegboard.table.dialled import Dialled, KeyQuestion
from pegboard.watchdog import Activity, TimedLock

TABLE, EVENT = "table", "event"
"""The sources of games that the table starts itself (its first game, or a game for players named at startup), and of
games that a hub seated."""

PREVIEW_ID = "preview"
"""The id of the next game when its start is previewed."""


def new_id() -> str:
    """A fresh game id."""
    return secrets.token_hex(6)


@dataclass(frozen=True, slots=True)
class Projection:
    """The table as it is or would be: the running game, the newest event's number, and a corrected sheet."""

    running: GameInMatch
    revision: int
    sheet: Game | None = None


class Table:
    """A table in play; hold its `lock` to change anything, and publish it afterwards.

    Attributes:
        lock: the lock that must be held to change anything.
        committing: the storing of events, monitored by the watchdog.
        journal: the journal, which stores the events.
        add_house_rules: the function that adds the house rules to a variant's rules.
        running: the running game and its match.
        waiting: the setup of the players who play next, or None.
        notice: a message for everyone, until the next command is accepted; `set_notice` replaces it.
        question: the question that the keys ask with that notice, or None.
        dialled: points that were keyed in but are not pegged yet.
        typed: an amount that was typed but not assigned to a lane, or None.
        devices: the health of displays and inputs.
        invitation: how to join, or None.
        inviting: whether displays show the invitation.
        brightness: the brightness of the displays.
        event: the event that the table plays in, or None.
    """

    def __init__(
        self,
        journal: Journal,
        feed: Feed,
        setup: Setup,
        *,
        house: Callable[[Rules], Rules],
        clock: Callable[[], int],
        new_id: Callable[[], str],
    ) -> None:
        """Load the running game of `journal`; if it has none, start one for `setup` as soon as that can be stored.

        `house` adds the house rules to a variant's rules, `clock` returns wall time in nanoseconds, `new_id` a game id.

        Raises:
            RuleError: the players do not fit the rules.
            NotStored: the journal does not respond.
        """
        self.lock, self.committing = TimedLock(), Activity()
        self.journal, self.add_house_rules = journal, house
        self.waiting: Setup | None = None
        self.notice: Message | None = None
        self.question: KeyQuestion | None = None
        self.dialled = Dialled()
        self.typed: int | None = None
        self.devices: tuple[Device, ...] = ()
        self.invitation: Invitation | None = None
        self.inviting = False
        self.brightness = Brightness()
        self.event: EventNews | None = None
        self._alarms, self._feed, self._first = Alarms(journal.folder), feed, setup
        self._clock, self._new_id = clock, new_id
        self.running = self._load_running()
        self._raise_alarms(journal.take_findings())
        self._start_first()
        if not self.running.id:  # nothing can be stored yet
            self.running = GameInMatch("", Game(setup.rules, setup.players), "", Match())

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Hold the lock, and publish what has changed at the end of the block."""
        with self.lock:
            yield
            self.publish()

    # --- displayed data ---

    @property
    def game(self) -> Game:
        """The running game."""
        return self.running.game

    @property
    def setup(self) -> Setup:
        """The current setup."""
        return Setup(self.game.rules, self.game.players, self.running.before.format)

    @property
    def now(self) -> Projection:
        """The table as it is."""
        return Projection(self.running, self.journal.last_id)

    @property
    def lanes_to_confirm(self) -> tuple[int, ...]:
        """The lanes that have not confirmed the result yet; none once the event's hub counts it."""
        return lanes_to_confirm(self.game, self.event)

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """The alarms: lasting ones first, then the newest first."""
        trouble = self._lasting_trouble()
        lasting = () if trouble is None else (Alarm(trouble.key, trouble, lasts=True),)
        reachable = self.invitation is None or self.invitation.is_reachable  # None: not known yet
        return (*lasting, *self._alarms.with_rights(strict=self.game.rules.strict, reachable=reachable))

    def _lasting_trouble(self) -> Message | None:
        """The reason why scores are not on disk: they are only in memory, or storing fails; None if all is well."""
        if self.journal.is_in_memory:
            return Message("scores_in_memory")
        return None if self.journal.fault is None else Message("scores_not_stored", fault=self.journal.fault)

    def raise_alarm(self, message: Message) -> None:
        """Show `message` on every display until a person dismisses it."""
        self._alarms.raise_alarm(message)

    def dismiss_alarm(self, id: str) -> bool:  # noqa: A002 - the contract's own word
        """Dismiss an alarm; False if no alarm with that id can be dismissed."""
        return self._alarms.dismiss(id)

    def set_notice(self, notice: Message | None, question: KeyQuestion | None = None) -> None:
        """Replace the notice and its question."""
        self.notice, self.question = notice, question

    def publish(self) -> None:
        """Publish the table if anything about it has changed."""
        view = self.view_of(self.now, self.dialled, self.notice, self.invitation if self.inviting else None)
        if view != self._feed.view:
            self._feed.publish(view)

    def view_of(
        self, now: Projection, dialled: Dialled, notice: Message | None, invitation: Invitation | None = None
    ) -> View:
        """The view of a projected game, with the notice and everything else that displays show."""
        running, game = now.running, now.running.game
        typed = None if self.typed is None else Message("key_typed", points=self.typed)
        return View(
            game,
            running.standing,
            dialled.points_by_lane(game.rules.lanes),
            notice or typed or dialled.question(game),
            running.id,
            self.journal.epoch,
            now.revision,
            next_dealer(game) if is_next_dealer_known(game, running.standing) else None,
            running.match,
            self.devices,
            invitation,
            self.brightness,
            self.alarms,
            self.event,
        )

    # --- the start of a game: players, rules, match, and permission to start it ---

    def seat(self, setup: Setup, source: str) -> bool:
        """Seat `setup`: now if the sheet is empty, or if a casual game is over and confirmed; else next.

        Returns whether they play now; if their game cannot be stored, they play next. After a finished game, a game of
        an event waits until someone starts it.

        Raises:
            RuleError: the players do not fit the rules.
        """
        decide(self.game, Start(setup.rules, setup.players, setup.dealer, setup.format))
        if setup == self.setup:
            return True
        over = self.game.outcome is not None
        is_free = not (setup.pairing or self.lanes_to_confirm) if over else not self.game.entries
        self.waiting = setup
        if is_free:
            with contextlib.suppress(NotStored):
                self.start_game(setup, source)
        return self.waiting is None

    def start_next(self, source: str) -> None:
        """Start the next game: for the waiting players, else for the current players.

        Raises:
            NotAllowed: in an event, only a director may start the game now.
            NotStored: the game could not be stored.
        """
        self._require_next()
        self.start_game(self.waiting or self.setup, source)

    def start_game(self, setup: Setup, source: str) -> None:
        """Start a game for `setup`, in the current match if that continues.

        Raises:
            RuleError: the players do not fit the rules.
            NotStored: the game could not be stored.
        """
        unfinished = "" if self.game.outcome else self.running.id
        self.carry_out(self._with_house_rules(self._start_of(setup)), self.running, source, unfinished)

    def _start_first(self) -> None:
        """Start the first game of the journal, if it has none; if that cannot be stored, a notice says so."""
        if not self.running.id:
            with contextlib.suppress(NotStored):
                self.start_game(self._first, TABLE)

    def _start_of(self, setup: Setup, dealer: Seat | None = None) -> Start:
        """The start of a game for `setup`; rules other than the current rules get the house rules of the table."""
        running = self.running.id
        goes_on = running and setup.format == self.setup.format and not setup.pairing
        house = () if setup.pairing or (running and setup.rules == self.game.rules) else None
        form = None if goes_on else setup.format
        dealer = setup.dealer if dealer is None else dealer
        return Start(setup.rules, setup.players, dealer, form, house, setup.pairing)

    def _start_in_full(self, start: Start, *, director: bool) -> Start:
        """A requested start in full; a strict table stays strict unless a director chooses house rules.

        Raises:
            NotAllowed: only a director may start such a game.
            RuleError: the house rules do not fit the variant.
        """
        if not director:
            if row_of(start).who is Who.DIRECTOR:
                raise NotAllowed("director_match")
            if start.house is not None or start.preset is not None:
                raise NotAllowed("director_house")
            self._require_next()
        resolved = self._with_house_rules(self._for_waiting_players(start))
        stays_strict = self.game.rules.strict and start.house is None and start.preset is None
        return replace(resolved, rules=replace(resolved.rules, strict=True)) if stays_strict else resolved

    def _require_next(self) -> None:
        """Check that players may start a game: not during an event's game, nor after it until the next game is known.

        Raises:
            NotAllowed: only a director may start a game now.
        """
        if self.event is None or not self.game.pairing:
            return
        if self.game.outcome is None and self.game.entries:
            raise NotAllowed("event_game_on", event=self.event.name)
        if self.game.outcome is not None and self.waiting is None:
            raise NotAllowed("event_next_unknown", event=self.event.name)

    def _for_waiting_players(self, start: Start) -> Start:
        """Turn the start of a next game for the current players into one for the waiting players, if there are any.

        If the command names no other rules, the current rules stay, including house rules chosen at the table; waiting
        players bring the house rules of their variant.
        """
        now, waiting = self.setup, self.waiting
        if start.house is not None or start.preset is not None:
            return start
        if start.rules not in (VARIANTS.get(now.rules.variant), now.rules):
            return start
        if waiting is not None and start.players == now.players and start.format is None:
            return self._start_of(waiting, start.dealer)
        same_variant = waiting is not None and waiting.rules.variant == now.rules.variant
        return replace(start, rules=waiting.rules if waiting and same_variant else now.rules, house=())

    def _with_house_rules(self, start: Start) -> Start:
        """The start with the preset and house rules that it chooses, or those of the table, in its rules.

        Raises:
            RuleError: the preset does not describe the variant, or the house rules do not fit it.
        """
        if start.preset is not None:
            rules = with_house_rules(preset_rules(start.preset, start.rules.variant), start.house or ())
            return replace(start, rules=rules, house=None, preset=None)
        if start.house is None:
            return replace(start, rules=self.add_house_rules(start.rules))
        rules = with_house_rules(start.rules, start.house) if start.house else start.rules
        return replace(start, rules=rules, house=None)

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

    def resolve(self, command: Command, target: GameInMatch, *, director: bool) -> Command:
        """The command in full: a start with players and rules, an undo or redo with the line on `target` that it means.

        Raises:
            NotAllowed: only a director may start such a game.
            RuleError: the house rules do not fit the variant.
        """
        match command:
            case Start():
                return self._start_in_full(command, director=director)
            case TakeBack(None):
                return TakeBack(target.game.newest_standing())
            case Restore(None) if target.game.undone:
                return Restore(target.game.undone[-1])
        return command

    # --- judge, store and apply ---

    def carry_out(  # noqa: PLR0917 - a command, and the values stored with it
        self,
        command: Command,
        target: GameInMatch,
        source: str,
        replaces: str = "",
        command_id: str | None = None,
        request: str | None = None,
        *,
        director: bool = False,
    ) -> Event:
        """Judge a resolved command, and store and apply its event; see `judge` and `_commit`.

        After a start nobody is waiting any longer. If the players who wait are those who play now, their setup gets
        corrected names, and a player who takes over plays the next game too, unless an event's hub ordered it.
        """
        event = self.judge(command, target, replaces, director=director)
        self._commit(event, source, target, command_id, request)
        waiting = self.waiting
        if isinstance(command, Start):
            self.waiting = None
        elif waiting is not None and waiting.players == target.game.players and target.id == self.running.id:
            self.waiting = replace(waiting, players=self._players_next(event, waiting))
        return event

    def _players_next(self, event: Event, waiting: Setup) -> tuple[str, ...]:
        """The players who wait, where they are those who played when `event` happened."""
        return self.game.players if isinstance(event, Renamed) or not waiting.pairing else waiting.players

    def judge(self, command: Command, target: GameInMatch, replaces: str = "", *, director: bool = False) -> Event:
        """The event that `command` makes on `target`; `replaces` is the game that a start abandons.

        Anyone may start the next game if the hub already counts the finished game, although it is unconfirmed here.

        Raises:
            RuleError: the rules forbid the command.
            Moved: a line or the result has changed since the client saw it.
            OtherGame: the command would reopen an earlier game.
            NotAllowed: only a director may send the command.
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
        if why and not director and not (isinstance(command, Start) and self._is_settled()):
            raise NotAllowed(why)
        if isinstance(command, Start):
            return self._as_next(command, replaces)
        if isinstance(event, Abandoned) and self.journal.previous_game(self.running.id) is None:
            again = Start(self.game.rules, self.game.players, first_dealer(self.game))
            return replace(self._as_next(again, self.running.id), note=event.note, dealer_said=False)
        return event

    def _is_settled(self) -> bool:
        return self.event is not None and self.event.settled is not None

    def _returns_to_previous(self, command: Command, target: GameInMatch) -> bool:
        """Whether this is UNDO in a running game without lines, which returns to the previous game."""
        empty = command == TakeBack() and target.id == self.running.id and not target.game.entries
        return empty and self.journal.previous_game(target.id) is not None

    def _director_only_when_finished(self, target: GameInMatch, event: Event) -> Message | None:
        """The reason why only a director may make this change if `target` is an earlier game, which must stay over."""
        if target.id == self.running.id or isinstance(event, Confirmed):
            return None
        if apply(target.game, event).outcome is None:
            raise OtherGame("opens_again", game=target.id, later=self.running.id)
        return Message("director_finished")

    def _commit(
        self, event: Event, source: str, target: GameInMatch, command_id: str | None, request: str | None
    ) -> None:
        """Store the event and apply it; pending points are dropped when their game ends or another one begins.

        Raises:
            NotStored: the event could not be stored, and nothing has changed; the notice says so.
        """
        before = self.running.id
        try:
            with self.committing:
                self._store(event, source, target, {"command_id": command_id, "request": request})
        except NotStored as error:
            self.set_notice(error.message)
            raise
        if self.running.id != before or self.game.outcome is not None:
            self.dialled.clear()
        self.set_notice(None)
        self.inviting = False

    def _store(self, event: Event, source: str, target: GameInMatch, ids: Mapping[str, str | None]) -> None:
        at, game = self._clock(), target.id
        if isinstance(event, Started):
            game = self._new_id()
            event = replace(event, match=event.match or game)
        after = self._after(event, game, target, Origin(self.journal.last_id + 1, source, at))
        won = None if isinstance(event, Abandoned) else result(after.game)
        summarized = (
            self.game if isinstance(event, Started) else target.game if isinstance(event, Abandoned) else after.game
        )
        after = self._on_the_table(after, target, self.running, won)
        self.journal.append(event, game=game, at=at, source=source, result=won, sheet=summarized, **ids)
        self.running = after

    def project(self, event: Event, ahead: Projection, target: GameInMatch) -> Projection:
        """The table as it would be after `event` on `target`, starting from `ahead`; nothing is stored.

        Raises:
            NotStored: the journal does not respond.
        """
        origin = Origin(ahead.revision + 1, "", self._clock())
        if isinstance(event, Started):
            event = replace(event, match=event.match or PREVIEW_ID)
        after = self._after(event, PREVIEW_ID if isinstance(event, Started) else target.id, target, origin)
        won = None if isinstance(event, Abandoned) else result(after.game)
        return Projection(self._on_the_table(after, target, ahead.running, won), ahead.revision + 1, after.game)

    def _on_the_table(
        self, after: GameInMatch, target: GameInMatch, running: GameInMatch, won: Result | None
    ) -> GameInMatch:
        """The running game after a change of `target`; if that is an earlier game, the match is read again."""
        if target.id == running.id:
            return after
        match = self.journal.match_before(running.id, running.game.rules.lanes, {target.id: won})
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
                return self._from_journal(self.journal.previous_game(id) or id)
        return replace(target, game=apply(target.game, event, origin))

    # --- the journal ---

    def look_after(self) -> None:
        """Maintain the journal; call it about once a second, in a thread that does not hold the lock.

        Faults become alarms, and the game is loaded again if the journal was rescued or rebuilt.
        """
        with self.changing():
            epoch, before = self.journal.epoch, self.running.id
            self._raise_alarms(self.journal.look_after())
            if self.journal.epoch != epoch:
                self.running = self._load_running()
                if self.running.id != before:
                    self.dialled.clear()
            if self.journal.fault is None or self.journal.is_in_memory:
                self._start_first()
        self.journal.checkpoint()

    def _raise_alarms(self, findings: Sequence[Message]) -> None:
        for message in findings:
            self.raise_alarm(message)
        if findings:
            delete_unreported(self.journal.folder)

    def find_game(self, game: str) -> GameInMatch | None:
        """The running game or an earlier game of its match, in its current state; None for any other game.

        Raises:
            NotStored: the journal does not respond.
        """
        if game == self.running.id:
            return self.running
        return self._from_journal(game) if self.journal.match_of(game) == self.running.match else None

    def _load_running(self) -> GameInMatch:
        game = self.journal.running_game()
        return GameInMatch("", Game(), "", Match()) if game is None else self._from_journal(game)

    def _from_journal(self, game: str) -> GameInMatch:
        sheet = replay_rows(self.journal.rows(game))
        match, before = self.journal.match_before(game, sheet.rules.lanes)
        return GameInMatch(game, sheet, match, before)
