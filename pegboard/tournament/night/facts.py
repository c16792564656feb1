"""What can be decided on a night: each decision is a frozen fact with everything that was chosen.

A field that an older body lacks has its default. Fields are only ever added, with a default.
"""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pegboard.core.names import is_earlier, is_unclear
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing
from pegboard.tournament.playoffs.bracket import BracketGame, MatchKey
from pegboard.tournament.playoffs.qualifying import TieDecision
from pegboard.tournament.playoffs.seeding import Placement
from pegboard.tournament.pots.money import Cents
from pegboard.tournament.results.claims import Claim, Value
from pegboard.tournament.results.scoring import POINT_TABLES, PointTable
from pegboard.tournament.results.standings import TIE_BREAK_ORDERS, TieBreakOrder
from pegboard.tournament.schedule.ring import ONE_MORE, OffByOne

TableId: TypeAlias = str
"""A table of a night: the user name of its board at the broker, [a-z0-9_-]{1,32}."""


# --- the night itself ---


RULES_VERSION = 1
"""Of `NightRules` as this version writes them; packages name it."""

RING, SIDES, MATCH = MOVEMENTS = ("ring", "sides", "match")
"""How rounds are made."""

SINGLES, PAIRS, TEAMS = FORMATS = ("singles", "pairs", "teams")
"""What an entry is: a player, two who play as one, or a player of a team."""


@dataclass(frozen=True, slots=True)
class NightRules:
    """What is played for, written out, so that a later version of a table changes no old night.

    Attributes:
        games: games of each player in the qualifying rounds.
        points: the table of game points.
        order: the order of tie-breaks.
        cut: the share or number of entrants who go on, in words that `read_cut_rule` reads.
        fee: what a player pays to enter; free players owe nothing.
        currency: ISO 4217, such as "USD".
        best_of: games of a match at most, by round of the bracket from the first; the last holds on.
        movement: how rounds are made: `RING`; `SIDES`, where one side stays at its tables and the other moves on; or
            `MATCH`, where two teams play each other and nobody moves.
        format: what an entry is: the pages ask for a partner, or for a team.
        odd: who is off by one, where players times games is odd: `ONE_MORE` or `ONE_FEWER`.
        table_games: of a match, the games at each table from the first on; at tables beyond, `games`.
        version: see `RULES_VERSION`.
    """

    games: int = 9
    points: PointTable = POINT_TABLES["acc"]
    order: TieBreakOrder = TIE_BREAK_ORDERS["acc"]
    cut: str = "1/4"
    fee: Cents = 0
    currency: str = "USD"
    best_of: tuple[int, ...] = (3,)
    version: int = RULES_VERSION
    movement: str = RING
    format: str = SINGLES
    table_games: tuple[int, ...] = ()
    odd: OffByOne = ONE_MORE


@dataclass(frozen=True, slots=True)
class NightOpened:
    """A night is planned; `date` as "2026-11-26"."""

    name: str
    date: str
    rules: NightRules = field(default_factory=NightRules)


@dataclass(frozen=True, slots=True)
class NightRulesSet:
    """Other rules are played."""

    rules: NightRules


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A row of the standings as the night ended; several share a place that nothing parted."""

    player: PlayerId
    place: int
    points: int
    won: int
    lost: int
    skunks: int
    plus: int
    minus: int


@dataclass(frozen=True, slots=True)
class NightEnded:
    """The night is over, with these standings, best first."""

    standings: tuple[FinalRow, ...] = ()


@dataclass(frozen=True, slots=True)
class NightOpenedAgain:
    """The night goes on after its end."""


# --- people ---


@dataclass(frozen=True, slots=True)
class PlayerEntered:
    """Somebody is on the roster. `number` is that of the association, "" where there is none.

    `walk_up`: came without an entry; `late`: came after the first draw; `free`: owes no fee; `here`: is checked in;
    `team`: the name of the team, "" for none; `partner`: who plays with them as one, "" for nobody;
    `stays`: has to stay at one table.
    """

    player: PlayerId
    name: str
    number: str = ""
    walk_up: bool = False
    late: bool = False
    free: bool = False
    here: bool = False
    team: str = ""
    partner: str = ""
    stays: bool = False


@dataclass(frozen=True, slots=True)
class EntryCorrected:
    """A player's entry says this instead."""

    player: PlayerId
    name: str
    number: str = ""
    free: bool = False
    team: str = ""
    partner: str = ""
    stays: bool = False


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """These players are here."""

    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player has gone; what was played stays, and nothing more is drawn for them."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class PlayerReturned:
    """A player who had gone is back."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class RegistrationClosed:
    """No more entries are expected."""


@dataclass(frozen=True, slots=True)
class RegistrationOpened:
    """Entries are possible again."""


@dataclass(frozen=True, slots=True)
class FeePaid:
    """A player has paid `cents`; less than nothing was paid back."""

    player: PlayerId
    cents: Cents


# --- tables and schedule ---


@dataclass(frozen=True, slots=True)
class TableAdded:
    """A table is there: with a pegboard ("board"), or with paper alone ("paper"). `label` is what people call it."""

    table: TableId
    label: str
    kind: str = "board"


@dataclass(frozen=True, slots=True)
class TableRemoved:
    """A table is no longer used."""

    table: TableId


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game of the schedule: who, where, and who deals first; `table` "" where none was left."""

    round: int
    players: tuple[PlayerId, PlayerId]
    table: TableId = ""
    deals_first: PlayerId = ""

    @property
    def key(self) -> GameKey:
        """The id of the game."""
        return self.pairing.key

    @property
    def pairing(self) -> Pairing:
        """Who meets in which round."""
        return Pairing(self.round, self.players)


@dataclass(frozen=True, slots=True)
class SitOut:
    """Who sits out a round."""

    round: int
    player: PlayerId


@dataclass(frozen=True, slots=True)
class ScheduleDrawn:
    """The schedule is this, all of it: games that were played stand in it as they were played.

    `remarks` are what the draw could not do; `movement` names the way it was made; `tables` were added for it.
    """

    games: tuple[ScheduledGame, ...]
    rests: tuple[SitOut, ...] = ()
    remarks: tuple[dict[str, Any], ...] = ()
    movement: str = ""
    tables: tuple[TableAdded, ...] = ()


@dataclass(frozen=True, slots=True)
class GameMoved:
    """A game is played at that table."""

    game: GameKey
    table: TableId


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round may begin."""

    round: int


# --- results ---


@dataclass(frozen=True, slots=True)
class ResultClaimed:
    """What `player`'s score card says of a game."""

    game: GameKey
    player: PlayerId
    claim: Claim


@dataclass(frozen=True, slots=True)
class ResultConfirmed:
    """A player agrees with the table's result, or with the other's card: `claim` is what that says of this player."""

    game: GameKey
    player: PlayerId
    claim: Claim


@dataclass(frozen=True, slots=True)
class PaperResultEntered:
    """The director has both cards in hand, and they say the same."""

    game: GameKey
    winner: PlayerId
    margin: int


@dataclass(frozen=True, slots=True)
class SheetReference:
    """Where the score sheet of a result is: board, epoch of its journal, its game, first and last event, and digest."""

    table: TableId
    epoch: str
    game: str
    first: int
    last: int
    digest: str

    def is_of(self, other: "SheetReference | None") -> bool:
        """Whether both are states of one score sheet."""
        return other is not None and (self.table, self.game) == (other.table, other.game)

    def is_earlier(self, other: "SheetReference | None") -> bool:
        """Whether it is a state of a score sheet that had not come as far as another one."""
        return (
            other is not None and self.is_of(other) and is_earlier((self.epoch, self.last), (other.epoch, other.last))
        )

    def is_unclear(self, other: "SheetReference | None") -> bool:
        """Whether nobody knows which of two states of a score sheet came first: its table has lost events twice."""
        return other is not None and self.is_of(other) and is_unclear(self.epoch, other.epoch)


@dataclass(frozen=True, slots=True)
class TableResultReceived:
    """What the hub has derived from the score sheet of a table; `confirmed` have agreed at the table itself."""

    game: GameKey
    table: TableId
    winner: PlayerId
    margin: int
    confirmed: tuple[PlayerId, ...] = ()
    sheet: SheetReference | None = None


@dataclass(frozen=True, slots=True)
class TableResultWithdrawn:
    """A score sheet goes on after somebody had won: a judge has opened the game again at its table, or it was given up.

    What it said until then counts no longer, also where it comes only after this, by a code.
    """

    game: GameKey
    table: TableId
    sheet: SheetReference


@dataclass(frozen=True, slots=True)
class ResultRuled:
    """A ruling by ACC 12.2, or a judge's own: its letter, and the values of both, which need not mirror each other."""

    game: GameKey
    letter: str
    values: tuple[Value, Value]
    note: str = ""


@dataclass(frozen=True, slots=True)
class GameAwarded:
    """A game is given to the other player without play: `kind` is "late" (ACC 11.4) or "refused_judges"."""

    game: GameKey
    against: PlayerId
    kind: str
    values: tuple[Value, Value]


@dataclass(frozen=True, slots=True)
class GameForfeited:
    """`player` does not play the game; both have these values."""

    game: GameKey
    player: PlayerId
    values: tuple[Value, Value]


# --- cut, play-offs, brackets ---


@dataclass(frozen=True, slots=True)
class TieBroken:
    """Players who were tied are so no longer: by a play-off, a draw or the director's word."""

    decision: TieDecision


@dataclass(frozen=True, slots=True)
class CutClosed:
    """Who goes on, in the order of their seeds, and who was the best of the others, several where they are tied."""

    qualifiers: tuple[PlayerId, ...]
    high_non_qualifiers: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, slots=True)
class CutOpened:
    """The cut is open again; the brackets that were drawn wait for it."""


@dataclass(frozen=True, slots=True)
class BracketDrawn:
    """Who stands where in the first round of a bracket; a match has so many games at most, by round."""

    bracket: str
    placements: tuple[Placement, ...]
    best_of: tuple[int, ...] = (3,)


@dataclass(frozen=True, slots=True)
class BracketPlaced:
    """The director has changed places of the first round of a bracket; games that fit no match then do not count."""

    bracket: str
    placements: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class BracketGamePlayed:
    """One game of a match, or several that were lost by not coming (ACC 13.1)."""

    game: BracketGame

    @property
    def match(self) -> MatchKey:
        """The match that it belongs to."""
        return self.game.match


# --- pots ---


@dataclass(frozen=True, slots=True)
class PotOpened:
    """A pot that players may enter.

    Attributes:
        pot: its id in this night.
        rule: the row of the table of pots that it is played by, written out.
        name: what people call it.
        fee: of a full share, or of each game lost by a skunk.
        carried: what an earlier night has left in it.
    """

    pot: str
    rule: dict[str, Any]
    name: str = ""
    fee: Cents = 0
    carried: Cents = 0


@dataclass(frozen=True, slots=True)
class PotEntered:
    """A player is in a pot, with half a share for half of its fee."""

    pot: str
    player: PlayerId
    half: bool = False


@dataclass(frozen=True, slots=True)
class PotLeft:
    """A player is not in that pot."""

    pot: str
    player: PlayerId


@dataclass(frozen=True, slots=True)
class PotHitNoted:
    """A player has had what the pot is for, such as a hand of 24, so many times; `kind` where it has several."""

    pot: str
    player: PlayerId
    kind: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class PotShare:
    """What one player is paid."""

    player: PlayerId
    cents: Cents


@dataclass(frozen=True, slots=True)
class PotPaid:
    """A pot was paid out: shares, what was given back, what the house has and what the next night's pot begins with."""

    pot: str
    shares: tuple[PotShare, ...]
    refunds: tuple[PotShare, ...] = ()
    house: Cents = 0
    carried: Cents = 0


# --- words, and the trail itself ---


@dataclass(frozen=True, slots=True)
class Announced:
    """Said to all."""

    text: str


@dataclass(frozen=True, slots=True)
class DecisionUndone:
    """The decision of that number counts as never made; where it is an undoing itself, what that undid counts again.

    `also`: decisions that hung on it, and go with it.
    """

    number: int
    also: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownDecision:
    """A decision that this version cannot read: a newer one has written it. It changes nothing, and is listed."""

    do: str
    body: dict[str, Any]


Decision: TypeAlias = (
    NightOpened
    | NightRulesSet
    | NightEnded
    | NightOpenedAgain
    | PlayerEntered
    | EntryCorrected
    | CheckedIn
    | PlayerLeft
    | PlayerReturned
    | RegistrationClosed
    | RegistrationOpened
    | FeePaid
    | TableAdded
    | TableRemoved
    | ScheduleDrawn
    | GameMoved
    | RoundStarted
    | ResultClaimed
    | ResultConfirmed
    | PaperResultEntered
    | TableResultReceived
    | TableResultWithdrawn
    | ResultRuled
    | GameAwarded
    | GameForfeited
    | TieBroken
    | CutClosed
    | CutOpened
    | BracketDrawn
    | BracketPlaced
    | BracketGamePlayed
    | PotOpened
    | PotEntered
    | PotLeft
    | PotHitNoted
    | PotPaid
    | Announced
    | DecisionUndone
    | UnknownDecision
)
