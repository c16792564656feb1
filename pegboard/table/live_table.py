"""The game session with all that displays show beside it: notices, dialled points, devices, who waits to play."""

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

# --- dialled amounts: points shown by the keys and not yet pegged, who pressed first, and which lane has to ask ---


@dataclass(frozen=True, slots=True)
class Amount:
    """What one lane's keys show.

    Attributes:
        points: how many.
        base: the lane's revision when dialling began.
        asking: whether the keys ask, because the lane has moved since or its winner must peg out.
    """

    points: int
    base: int
    asking: bool = False

    def has_moved(self, lane: int, game: Game) -> bool:
        """Whether another input has moved the lane since its dialling began."""
        return self.base != game.revisions[lane]

    def wins_by_itself(self, lane: int, game: Game) -> bool:
        """Whether the points would peg out without a press of the winner, where the rules ask for it."""
        return game.rules.peg_out and game.lanes[lane].front + self.points >= game.rules.game_hole


class Dialled(dict[int, Amount]):
    """The amounts of all lanes, in the order in which their dialling began."""

    def copy(self) -> "Dialled":
        """The same amounts, to try something with."""
        return Dialled(self)

    def add(self, lane: int, points: int, revision: int) -> None:
        """Show `points` more for a lane that is at `revision`.

        Raises:
            RuleError: nothing scores so much at once; what was shown stays.
        """
        old = self.get(lane, Amount(0, revision))
        if old.points + points > MOST_AT_ONCE:
            raise RuleError("key_too_many", points=old.points + points, most=MOST_AT_ONCE, still=old.points)
        self[lane] = replace(old, points=old.points + points)

    def ask(self, lane: int) -> None:
        """From now on the lane's keys ask."""
        self[lane] = replace(self[lane], asking=True)

    def due(self, but: int | None = None) -> Iterator[int]:
        """The lanes whose amounts may peg now, except `but`, those who pressed first before others."""
        for lane in list(self):
            if lane != but and lane in self and not self[lane].asking:
                yield lane

    def points_by_lane(self, lanes: int) -> tuple[int, ...]:
        """The points of each of so many lanes."""
        return tuple(self[lane].points if lane in self else 0 for lane in range(lanes))

    def question(self, game: Game) -> Message | None:
        """What the keys ask, or None."""
        for lane, amount in self.items():
            if amount.asking:
                if amount.base == game.revisions[lane]:
                    return Message("key_peg_out", name=game.lane_name(lane), points=amount.points)
                values = {"hole": game.lanes[lane].front, "points": amount.points}
                return game.message_on(lane, "key_press_more", "key_press_more_two", **values)
        return None


class KeyQuestion(Enum):
    """What the keys ask by the notice, until another notice replaces it or it is answered."""

    NEW_GAME = auto()
    TAKE_WIN_BACK = auto()
    POWER_OFF = auto()
    DISMISS_ALARM = auto()
    EVENT_CODE = auto()
    EVENT_HUB = auto()
    CALL = auto()


class LiveTable:
    """A table while it is played at; who changes anything of it holds its `lock`, and publishes it afterwards.

    Attributes:
        lock: held by whoever changes anything.
        committing: the storing of events, which the watchdog sees.
        session: the running game and its match.
        waiting: who plays what next, where somebody waits, or None.
        notice: a sentence for everybody, until the next command is accepted; `set_notice` replaces it.
        question: what the keys ask by that notice, or None.
        dialled: points that the keys show and that are not pegged yet.
        typed: an amount that was typed and is no lane's yet, or None.
        devices: how displays and inputs are.
        invitation: how one joins, or None.
        inviting: whether displays show the invitation.
        brightness: how bright displays shine.
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
        """Whether anyone may ask `command` of a finished game because the hub counts it, though it waits here."""
        is_settled = self.event is not None and self.event.settled is not None
        return is_settled and isinstance(command, Start)

    @property
    def lanes_to_confirm(self) -> tuple[int, ...]:
        """The lanes in which nobody has confirmed the result yet; none once the hub of its event counts it."""
        return lanes_to_confirm(self.game, self.event)

    def set_notice(self, notice: Message | None, question: KeyQuestion | None = None) -> None:
        """Replace the notice, and with it the question that the old one asked by the one that the new one asks."""
        self.notice, self.question = notice, question

    def raise_alarm(self, message: Message) -> None:
        """Show `message` on every display until a person dismisses it."""
        self._alarms.raise_alarm(message)

    def dismiss_alarm(self, id: str) -> bool:  # noqa: A002 - the contract's own word
        """Take an alarm away; False where there is none of that id that can be dismissed."""
        return self._alarms.dismiss(id)

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """What nobody may overlook: first what lasts, then the newest."""
        trouble = self.session.lasting_trouble
        lasting = () if trouble is None else (Alarm(trouble.key, trouble, lasts=True),)
        reachable = self.invitation is None or self.invitation.is_reachable  # None: it is not known yet
        return (*lasting, *self._alarms.with_rights(strict=self.game.rules.strict, reachable=reachable))

    # --- stored, then seen ---

    def start_game(self, setup: Setup, source: str) -> None:
        """Begin a game for `setup`, in the match on the table where that goes on.

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
        """Begin the next game: for those who wait, else for those who play now.

        Raises:
            NotAllowed: only a director may, in an event.
            NotStored: the game could not be stored.
        """
        self.require_next()
        self.start_game(self.waiting or self.session.setup, source)

    def require_next(self) -> None:
        """See that players may begin a game: not in place of one of an event, nor after it before the next is known.

        Raises:
            NotAllowed: only a director may.
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
        """Store the event and have on the table what it makes; dialled amounts die with their game, or its end.

        Raises:
            NotStored: it could not be stored, which the notice says.
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
        """Show the table, where anything about it has changed."""
        now = Projection(self.session.running, self.session.revision)
        view = self.view_of(now, self.dialled, self.notice, self.invitation if self.inviting else None)
        if view != self._feed.view:
            self._feed.publish(view)

    def view_of(
        self, now: Projection, dialled: Dialled, notice: Message | None, invitation: Invitation | None = None
    ) -> View:
        """The view of a projected game, with the notice and all that displays show beside it."""
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

    # --- who waits ---

    def rename_waiting(self, before: Game) -> None:
        """A name was corrected: who waits for the next game, where that is who played `before`, is called so too."""
        if self.waiting is not None and self.waiting.players == before.players:
            self.waiting = replace(self.waiting, players=self.game.players)

    def for_who_waits(self, command: Command) -> Command:
        """A next game for those who play now is one for those who were named for it, and wait.

        Where it names no other rules than those that are played now, they stay, house rules that were chosen at the
        table too; those who wait bring the house rules of their variant.
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

    # --- what was seen ---

    def check_base(self, command: Command, sheet: Game, base: int | None, epoch: str | None) -> None:
        """See that a command was decided on what is so now.

        Raises:
            BaseMissing: it names no base and needs one.
            Moved: what was seen is no longer so, or was in another journal.
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
        """The lane that a command is for, at whose revision it was decided; None where it is for the board.

        Raises:
            RuleError: there is no such seat or lane.
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
