"""The game session and everything displays show with it: notices, pending points, devices, waiting players."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from pegboard.core.board import Game
from pegboard.core.decisions import whose
from pegboard.core.match import GameInMatch, Setup, is_next_dealer_known, next_dealer
from pegboard.core.moves import Base, Command, Event, Score, Start, row_of
from pegboard.core.rules import MOST_AT_ONCE, VARIANTS
from pegboard.core.view import Alarm, Brightness, Device, EventNews, Invitation, View, lanes_to_confirm
from pegboard.core.view_as_json import lines_since, with_entries
from pegboard.devices.alarms import Alarms
from pegboard.errors import BaseMissing, Moved, NotAllowed, NotStored, RuleError
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.table.game_session import GameSession, Projection
from pegboard.watchdog import Activity, TimedLock

# --- pending points: shown by the keys but not pegged yet, in the order of the presses; some lanes ask first ---


@dataclass(frozen=True, slots=True)
class Amount:
    """The pending points of one lane.

    Attributes:
        points: how many.
        base: the lane's revision when the first of them was keyed in.
        asking: whether the keys ask for confirmation, because the lane has moved since or its winner must peg out.
    """

    points: int
    base: int
    asking: bool = False

    def has_moved(self, lane: int, game: Game) -> bool:
        """Whether another input has moved the lane since the first press."""
        return self.base != game.revisions[lane]

    def would_win_without_key(self, lane: int, game: Game) -> bool:
        """Whether pegging the points would end the game without the winner's key, if the rules require that."""
        return game.rules.peg_out and game.lanes[lane].front + self.points >= game.rules.game_hole


class Dialled(dict[int, Amount]):
    """The pending points of all lanes, in the order of their first presses."""

    def copy(self) -> "Dialled":
        """A copy, to try something with."""
        return Dialled(self)

    def add(self, lane: int, points: int, revision: int) -> None:
        """Add `points` for a lane that is at `revision`.

        Raises:
            RuleError: more than any hand or play scores at once; the amount is unchanged.
        """
        old = self.get(lane, Amount(0, revision))
        if old.points + points > MOST_AT_ONCE:
            raise RuleError("key_too_many", points=old.points + points, most=MOST_AT_ONCE, still=old.points)
        self[lane] = replace(old, points=old.points + points)

    def ask(self, lane: int) -> None:
        """Make the lane's keys ask for confirmation."""
        self[lane] = replace(self[lane], asking=True)

    def due(self, but: int | None = None) -> Iterator[int]:
        """The lanes whose points may be pegged now, except `but`, in the order of their first presses."""
        for lane in list(self):
            if lane != but and lane in self and not self[lane].asking:
                yield lane

    def points_by_lane(self, lanes: int) -> tuple[int, ...]:
        """The pending points of each lane."""
        return tuple(self[lane].points if lane in self else 0 for lane in range(lanes))

    def question(self, game: Game) -> Message | None:
        """The question that the keys ask, or None."""
        for lane, amount in self.items():
            if amount.asking:
                if amount.base == game.revisions[lane]:
                    return Message("key_peg_out", name=game.lane_name(lane), points=amount.points)
                values = {"hole": game.lanes[lane].front, "points": amount.points}
                return game.message_on(lane, "key_press_more", "key_press_more_two", **values)
        return None


class KeyQuestion(Enum):
    """A question that the keys ask with the notice, until it is answered or another notice replaces it."""

    NEW_GAME = auto()
    TAKE_WIN_BACK = auto()
    POWER_OFF = auto()
    DISMISS_ALARM = auto()
    EVENT_CODE = auto()
    EVENT_HUB = auto()
    CALL = auto()


class LiveTable:
    """A table in play; hold its `lock` to change anything, and publish it afterwards.

    Attributes:
        lock: must be held to change anything.
        committing: the storing of events, monitored by the watchdog.
        session: the running game and its match.
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

    def __init__(self, session: GameSession, feed: Feed, alarms: Alarms) -> None:
        self.lock, self.committing = TimedLock(), Activity()
        self.session = session
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
        self._alarms = alarms
        self._feed = feed

    @property
    def game(self) -> Game:
        """The running game."""
        return self.session.game

    def may_go_on(self, command: Command) -> bool:
        """Whether anyone may start the next game: the hub counts the finished one though it is unconfirmed here."""
        is_settled = self.event is not None and self.event.settled is not None
        return is_settled and isinstance(command, Start)

    @property
    def lanes_to_confirm(self) -> tuple[int, ...]:
        """The lanes that have not confirmed the result yet; none once the event's hub counts it."""
        return lanes_to_confirm(self.game, self.event)

    def set_notice(self, notice: Message | None, question: KeyQuestion | None = None) -> None:
        """Replace the notice and its question."""
        self.notice, self.question = notice, question

    def raise_alarm(self, message: Message) -> None:
        """Show `message` on every display until a person dismisses it."""
        self._alarms.raise_alarm(message)

    def dismiss_alarm(self, id: str) -> bool:  # noqa: A002 - the contract's own word
        """Dismiss an alarm; False if no alarm has that id that can be dismissed."""
        return self._alarms.dismiss(id)

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """The alarms: lasting ones first, then the newest first."""
        trouble = self.session.lasting_trouble
        lasting = () if trouble is None else (Alarm(trouble.key, trouble, lasts=True),)
        reachable = self.invitation is None or self.invitation.is_reachable  # None: not known yet
        return (*lasting, *self._alarms.with_rights(strict=self.game.rules.strict, reachable=reachable))

    # --- store, then publish ---

    def start_game(self, setup: Setup, source: str) -> None:
        """Start a game for `setup`, in the current match if that continues.

        Raises:
            RuleError: the players do not fit the rules.
            NotStored: the game could not be stored.
        """
        session, running = self.session, self.session.running
        unfinished = "" if self.game.outcome else running.id
        goes_on = running.id and setup.format == session.setup.format
        house = () if setup.pairing or (running.id and setup.rules == self.game.rules) else None
        form = None if goes_on and not setup.pairing else setup.format
        start = Start(setup.rules, setup.players, setup.dealer, form, house, setup.pairing)
        next_game = session.resolve(start, running)
        event = session.judge(next_game, running, unfinished, director=self.may_go_on(next_game))
        self.commit(event, source, running)
        self.waiting = None

    def start_next(self, source: str) -> None:
        """Start the next game: for the waiting players, else for the current ones.

        Raises:
            NotAllowed: in an event, only a director may do it now.
            NotStored: the game could not be stored.
        """
        self.require_next()
        self.start_game(self.waiting or self.session.setup, source)

    def require_next(self) -> None:
        """Check that players may start a game: not instead of an event's game, nor after it before the next is known.

        Raises:
            NotAllowed: only a director may do it.
        """
        if self.event is None or not self.game.pairing:
            return
        if self.game.outcome is None and self.game.entries:
            raise NotAllowed("event_game_on", event=self.event.name)
        if self.game.outcome is not None and self.waiting is None:
            raise NotAllowed("event_next_unknown", event=self.event.name)

    def commit(
        self, event: Event, source: str, target: GameInMatch, command_id: str | None = None, request: str | None = None
    ) -> None:
        """Store the event and apply it; pending points are dropped when their game ends or another one begins.

        Raises:
            NotStored: the event could not be stored; the notice says so.
        """
        before = self.session.running.id
        try:
            with self.committing:
                self.session.commit(event, source, target, command_id, request)
        except NotStored as error:
            self.set_notice(error.message)
            raise
        if self.session.running.id != before or self.game.outcome is not None:
            self.dialled.clear()
        self.set_notice(None)
        self.inviting = False

    def publish(self) -> None:
        """Publish the table if anything about it has changed."""
        now = Projection(self.session.running, self.session.revision)
        view = self.view_of(now, self.dialled, self.notice, self.invitation if self.inviting else None)
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
            self.session.epoch,
            now.revision,
            next_dealer(game) if is_next_dealer_known(game, running.standing) else None,
            running.match,
            self.devices,
            invitation,
            self.brightness,
            self.alarms,
            self.event,
        )

    # --- waiting players ---

    def rename_waiting(self, before: Game) -> None:
        """Apply a corrected name to the waiting players too, if they are the players of `before`."""
        if self.waiting is not None and self.waiting.players == before.players:
            self.waiting = replace(self.waiting, players=self.game.players)

    def for_waiting_players(self, command: Command) -> Command:
        """Turn the start of a next game for the current players into one for the waiting players, if there are any.

        If the command names no other rules, the current ones stay, including house rules chosen at the table; waiting
        players bring the house rules of their variant.
        """
        if not isinstance(command, Start) or command.house is not None:
            return command
        now, waiting = self.session.setup, self.waiting
        if command.rules not in (VARIANTS.get(now.rules.variant), now.rules):
            return command
        if waiting is not None and command.players == now.players and command.format is None:
            form = None if waiting.format == now.format and not waiting.pairing else waiting.format
            dealer = waiting.dealer if command.dealer is None else command.dealer
            return Start(waiting.rules, waiting.players, dealer, form, (), waiting.pairing)
        same_variant = waiting is not None and waiting.rules.variant == now.rules.variant
        return replace(command, rules=waiting.rules if waiting and same_variant else now.rules, house=())

    # --- base revisions ---

    def check_base(self, command: Command, sheet: Game, base: int | None, epoch: str | None) -> None:
        """Check that a command is based on the current state.

        Raises:
            BaseMissing: it needs a base revision and names none.
            Moved: the state has changed since, or was seen in another journal.
        """
        if epoch not in (None, self.session.epoch):
            raise with_entries(Moved("moved_journal"), sheet)
        if not row_of(command).needs_base(getattr(command, "line", None)):
            return
        lane = self.lane_of(command)
        now = self.session.revision if lane is None else sheet.revisions[lane]
        if base is None:
            raise BaseMissing("base_missing", seen="of the board" if lane is None else f"of lane {lane}", now=now)
        if base != now:
            raise _moved_error(sheet, lane, base)

    def lane_of(self, command: Command) -> int | None:
        """The lane whose revision a command is based on; None if it is for the board.

        Raises:
            RuleError: no such seat or lane.
        """
        if row_of(command).base is not Base.LANE:
            return None
        by_seat = Score(0, getattr(command, "seat", None))
        return whose(self.game.rules, command if isinstance(command, Score) else by_seat)[1]


def _moved_error(sheet: Game, lane: int | None, base: int) -> Moved:
    message = Message("moved_board")
    if lane is not None:
        message = sheet.message_on(lane, "moved_lane", "moved_lanes", hole=sheet.lanes[lane].front)
    return with_entries(Moved(message, lines_since(sheet, lane, base)), sheet)
