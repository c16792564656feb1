"""View model of the table for displays and pages: game, match, keyed-in amounts, devices, alarms, event, previews."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from pegboard.core.board import Game
from pegboard.core.match import Match
from pegboard.core.position import Phase
from pegboard.core.rules import FirstDeal
from pegboard.messages import Message


class Device(NamedTuple):
    """A display or an input; `trouble` is its error as a sentence, None while it works."""

    name: str
    trouble: str | None = None


class Brightness(NamedTuple):
    """The brightness of the displays; None for a display that follows the settings.

    Attributes:
        oled: contrast of the panel, 0 to 255.
        strip: fraction of the LED strip's full brightness, more than 0, up to 1.
    """

    oled: int | None = None
    strip: float | None = None


AS_SET = Brightness()
"""The brightness from the settings, for panel and strip."""

Reach: TypeAlias = Literal["network", "machine", "offline"]
"""Who can reach the pages: everyone on the network, only this machine (by setting), or only this machine (offline)."""


class Invitation(NamedTuple):
    """How to join the table.

    Attributes:
        url: the address of its pages, or of the page that pairs a phone.
        reach: who can reach that address; phones can only if it is "network".
        command: the command line that starts the table reachable for phones; None if it already is,
            or if the command is unknown.
        is_reachable: whether anyone may reach the pages over a network, regardless of the address shown: through a
            proxy, by IPv6, or as a paired device that returns.
    """

    url: str
    reach: Reach = "network"
    command: str | None = None
    is_reachable: bool = True


class Alarm(NamedTuple):
    """An alarm that every display shows until a person dismisses it.

    Attributes:
        id: the alarm's id, by which it is dismissed.
        message: the alarm's text.
        lasts: whether the problem persists; the alarm then clears by itself when it is over, and cannot be dismissed.
        director: whether, on pages and over the API, only a director may dismiss the alarm now.
        by_keys: whether the keys may dismiss the alarm now.
    """

    id: str
    message: Message
    lasts: bool = False
    director: bool = False
    by_keys: bool = True


class NextSeat(NamedTuple):
    """A player's next seat after the current game.

    Attributes:
        name: the player's name.
        table: the table's name; "" if no next game is known.
        against: the opponents there.
        deals: whether the player deals first; None if the cards are cut.
        stays: whether the player stays at this table.
    """

    name: str
    table: str = ""
    against: str = ""
    deals: bool | None = None
    stays: bool = False


CallFor: TypeAlias = Literal["judge", "director"]
"""The officials who can be called to a table."""


class Call(NamedTuple):
    """A call from this table, shown until someone comes or the call is canceled; never stored.

    Attributes:
        id: the call's id.
        kind: the official who is called.
        accepted: names of the people who are coming.
        needed: how many people are needed.
    """

    id: str
    kind: CallFor
    accepted: tuple[str, ...] = ()
    needed: int = 1

    @property
    def is_answered(self) -> bool:
        """Whether enough people are coming."""
        return len(self.accepted) >= self.needed


class EventNews(NamedTuple):
    """The event's current information for this table.

    Attributes:
        name: the event's name.
        table: the table's name at the event.
        round: the round of the current game, from 1, of `rounds`; 0 if it is not a game of the event.
        settled: how the finished game came to count at the hub if not all players confirmed it at the table: which
            player confirmed it by phone, or that the director decided; else None.
        next: for each seat, where its player goes once the game is over and confirmed or settled.
        here: the players of the next game at this table, if they are waiting.
        calls: the table's calls.
        is_linked: whether the table is connected to the hub.
        result_url: an address with the code of a finished game that has not reached the hub for a while; else "".
        announcement: the director's announcement to all tables.
    """

    name: str
    table: str
    round: int = 0
    rounds: int = 0
    next: tuple[NextSeat, ...] = ()
    here: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    is_linked: bool = True
    result_url: str = ""
    announcement: str = ""
    settled: Message | None = None

    @property
    def is_calling(self) -> bool:
        """Whether a call is still unanswered."""
        return any(not call.is_answered for call in self.calls)


@dataclass(frozen=True, slots=True)
class View:
    """The newest state of the table.

    Attributes:
        game: the current game.
        match: games won and match points so far, including the current game once it is over.
        dialled: for each lane, points keyed in and not yet pegged.
        notice: the last refusal or a question of the keys, or None.
        id: the current game's id.
        epoch: the journal's epoch: its id, with a suffix once it has lost events.
        revision: the number of the journal's newest event.
        dealer_next: the seat that deals first in the next game; None during this game, or if the cards are cut, as
            after a match.
        match_id: the id of the match, which is that of its first game.
        devices: every display and input, with its error, if any.
        invitation: how to join, while displays show it, else None.
        brightness: the brightness of the displays, if chosen at the table.
        alarms: persisting problems first, then the newest.
        event: the event that the table plays in, or None.
    """

    game: Game = field(default_factory=Game)
    match: Match = field(default_factory=Match)
    dialled: tuple[int, ...] = (0, 0)
    notice: str | None = None
    id: str = ""
    epoch: str = ""
    revision: int = 0
    dealer_next: int | None = None
    match_id: str = ""
    devices: tuple[Device, ...] = ()
    invitation: Invitation | None = None
    brightness: Brightness = AS_SET
    alarms: tuple[Alarm, ...] = ()
    event: EventNews | None = None

    @property
    def awaits_cut(self) -> bool:
        """Whether the cards must be cut for the first deal: neither a player nor an earlier game decided the dealer."""
        at, rules = self.game.standing, self.game.rules
        is_open = at.phase == Phase.CUT and at.dealer_sure < 1 and rules.seats > 1
        return is_open and (rules.first_deal == FirstDeal.CUT or not any(self.match.games_won))

    @property
    def lanes_to_confirm(self) -> tuple[int, ...]:
        """The lanes that have not confirmed the result; empty once the event's hub counts it."""
        return lanes_to_confirm(self.game, self.event)


def lanes_to_confirm(game: Game, event: EventNews | None) -> tuple[int, ...]:
    """The lanes of a game that have not confirmed the result; empty once the event's hub counts it."""
    return () if event is not None and event.settled is not None else game.lanes_to_confirm()


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of a command.

    Attributes:
        replayed: whether the command had been accepted before, so that nothing was done now.
        entry: the id of the line that the command added or changed, or None.
        view: the table now.
        note: what a correction left unchanged, in words, or None.
    """

    replayed: bool
    entry: str | None
    view: View
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """The result that a command would have (dry run).

    Attributes:
        entry: the id of the line that the command would add or change, or None.
        view: the table after the command.
        note: what a correction would leave unchanged, in words, or None.
        game: the id of the game that the command is for.
        before: that game now.
        after: that game after the command; for a start, the new game.
        loses_win: the lane that would lose its win by a correction, or None.
    """

    entry: str | None
    view: View
    note: str | None
    game: str
    before: Game
    after: Game
    loses_win: int | None
