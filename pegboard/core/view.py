"""The view that displays and pages get: the running game with its match, dialled amounts and the last notice."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from pegboard.core.board import Game
from pegboard.core.match import Match
from pegboard.core.position import Phase
from pegboard.core.rules import FirstDeal
from pegboard.messages import Message


class Device(NamedTuple):
    """A display or an input with its error, a sentence, or None while it works."""

    name: str
    trouble: str | None = None


class Brightness(NamedTuple):
    """The brightness of the displays; None where a display has that of its settings.

    Attributes:
        oled: contrast of the panel, 0 to 255.
        strip: part of its full light that the LED strip shows, more than 0, up to 1.
    """

    oled: int | None = None
    strip: float | None = None


AS_SET = Brightness()
"""The brightness of the settings, for both."""


Reach: TypeAlias = Literal["network", "machine", "offline"]
"""Who reaches the pages: everybody on the network; this machine alone, as set; or alone while it has no network."""


class Invitation(NamedTuple):
    """How one joins the table.

    Attributes:
        url: the address of its pages, or of the page that pairs a phone.
        reach: who reaches that address; a phone does on "network" only.
        command: the command line that starts the table so that phones reach it; None where they do, or it is unknown.
        is_reachable: whether anybody may reach the pages over a network, whatever address is shown: through a proxy, by
            IPv6, or as a device that is paired and comes back.
    """

    url: str
    reach: Reach = "network"
    command: str | None = None
    is_reachable: bool = True


class Alarm(NamedTuple):
    """What every display shows until a person dismisses it.

    Attributes:
        id: names it where it is dismissed.
        message: what has happened.
        lasts: whether it is so still: it then goes by itself once it is over, and nobody can dismiss it before.
        director: whether only a director may dismiss it now, of those who score on pages or over the API.
        by_keys: whether the keys may dismiss it now.
    """

    id: str
    message: Message
    lasts: bool = False
    director: bool = False
    by_keys: bool = True


class NextSeat(NamedTuple):
    """Where a player of the game on the table goes after it.

    Attributes:
        name: the player's.
        table: what the table is called; "" where no next game is known.
        against: who plays there, too.
        deals: whether the player deals first; None where the cards are cut.
        stays: whether it is this table.
    """

    name: str
    table: str = ""
    against: str = ""
    deals: bool | None = None
    stays: bool = False


CallFor: TypeAlias = Literal["judge", "director"]
"""Who can be called to a table."""


class Call(NamedTuple):
    """A call of this table, until somebody comes or it is taken back; it is stored nowhere.

    Attributes:
        id: names it.
        kind: who is called.
        accepted: the names of those who come.
        needed: how many are to come.
    """

    id: str
    kind: CallFor
    accepted: tuple[str, ...] = ()
    needed: int = 1

    @property
    def is_answered(self) -> bool:
        """Whether enough people come."""
        return len(self.accepted) >= self.needed


class EventNews(NamedTuple):
    """What the event that the table plays in says here now.

    Attributes:
        name: what the event is called.
        table: what the table is called there.
        round: the round of the game on the table, from 1, of `rounds`; 0 where it is no game of the event.
        settled: how the finished game came to count at the hub, where not all players confirmed it at the table: who
            confirmed by phone, or that the director decided; else None.
        next: for each seat where its player goes, once the game is over and confirmed, or settled.
        here: who plays at this table next, where they wait.
        calls: who is called.
        is_linked: whether the hub is reached.
        result_url: an address with the code of the finished game, which has not reached the hub for a while; else "".
        announcement: what the director says to all.
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
        """Whether a call waits for somebody to come."""
        return any(not call.is_answered for call in self.calls)


@dataclass(frozen=True, slots=True)
class View:
    """The newest state of the table.

    Attributes:
        game: the running game.
        match: games won and match points so far, the running game included when it is over.
        dialled: for each lane, points shown by the keys and not yet pegged.
        notice: the last refusal or a question of the keys, or None.
        id: the running game's id.
        epoch: the id of the journal, made with it.
        revision: the number of the journal's newest event.
        dealer_next: who deals first in the next game; None while this one goes on, or if the cards are cut for
            it, as after a match.
        match_id: the id of the match, which is that of its first game.
        devices: every display and input, with its error if it has one.
        invitation: how one joins, while displays show it, else None.
        brightness: the brightness of the displays, where it has been chosen at the table.
        alarms: what nobody may overlook: first what lasts, then the newest.
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
        """Whether the cards are to be cut for the first deal: nobody has said who deals, nor has an earlier game."""
        at, rules = self.game.standing, self.game.rules
        is_open = at.phase == Phase.CUT and at.dealer_sure < 1 and rules.seats > 1
        return is_open and (rules.first_deal == FirstDeal.CUT or not any(self.match.games_won))

    @property
    def lanes_to_confirm(self) -> tuple[int, ...]:
        """The lanes in which nobody has confirmed the result yet; none once the hub of its event counts it."""
        return lanes_to_confirm(self.game, self.event)


def lanes_to_confirm(game: Game, event: EventNews | None) -> tuple[int, ...]:
    """The lanes of a game in which nobody has confirmed the result yet; none once the hub of its event counts it."""
    return () if event is not None and event.settled is not None else game.lanes_to_confirm()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a command.

    Attributes:
        replayed: whether it had been accepted before, and nothing was done now.
        entry: the id of the line it made or changed, or None.
        view: the table now.
        note: what a correction has left as it was, in words, or None.
    """

    replayed: bool
    entry: str | None
    view: View
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What would become of a command.

    Attributes:
        entry: the id of the line it would make or change, or None.
        view: the table as it would be.
        note: what a correction would leave as it is, in words, or None.
        game: the id of the game it is for.
        before: that game as it is now.
        after: the same as it would be; for a start the new one.
        loses_win: the lane whose win a correction would take away, or None.
    """

    entry: str | None
    view: View
    note: str | None
    game: str
    before: Game
    after: Game
    loses_win: int | None
