"""Facts (stored decisions of an event): a frozen dataclass for each kind, with all that was chosen; event rules.

Fields missing from an older body get their defaults. Fields are only ever added, with a default.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

from pegboard.core.names import is_earlier, is_unclear
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import request_fields
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
"""Id of a table of an event: the user name of its board at the MQTT broker, [a-z0-9_-]{1,32}."""


class Decision:
    """Base class of the facts."""

    __slots__ = ()


# --- the event itself ---


RULES_VERSION = 1
"""Version of `NightRules` that this program writes; packages contain it."""

RING, SIDES, MATCH = MOVEMENTS = ("ring", "sides", "match")
"""Ways to make rounds."""

SINGLES, PAIRS, TEAMS = FORMATS = ("singles", "pairs", "teams")
"""Kinds of entries: a player, a pair that plays as one, or a member of a team."""


@dataclass(frozen=True, slots=True)
class NightRules:
    """Rules of an event, with tables and orders written out, so that a later version of these changes no old event.

    Attributes:
        games: games of each player in the qualifying rounds.
        points: the table of game points.
        order: the order of tie-breaks.
        cut: the share or number of entrants who qualify, in words that `read_cut_rule` reads.
        fee: the entry fee; free players owe nothing.
        currency: the ISO 4217 code of the currency, such as "USD".
        best_of: maximum games of a match by bracket round, from the first; the last value covers all later rounds.
        movement: how rounds are made: `RING`; `SIDES`: one side stays at its tables and the other moves on; or
            `MATCH`: two teams play each other and nobody moves.
        format: the kind of entries: pages ask for a partner or for a team.
        odd: if players times games is odd, one player has `ONE_MORE` or `ONE_FEWER` game.
        table_games: games at each table of a team match, from the first; other tables play `games`.
        version: the version of these rules, see `RULES_VERSION`.
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
class NightOpened(Decision):
    """An event was opened; `date` as "2026-11-26"."""

    name: str
    date: str
    rules: NightRules = field(default_factory=NightRules)


@dataclass(frozen=True, slots=True)
class NightRulesSet(Decision):
    """The rules were changed."""

    rules: NightRules


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A row of the final standings; players whom no tie-break separated share a place."""

    player: PlayerId
    place: int
    points: int
    won: int
    lost: int
    skunks: int
    plus: int
    minus: int


@dataclass(frozen=True, slots=True)
class NightEnded(Decision):
    """The event ended with these standings, best first."""

    standings: tuple[FinalRow, ...] = ()


@dataclass(frozen=True, slots=True)
class NightOpenedAgain(Decision):
    """The event was reopened after its end."""


# --- people ---


@dataclass(frozen=True, slots=True)
class PlayerEntered(Decision):
    """A player was added to the roster. `number` is the association number, or "".

    `walk_up`: whether they came without an entry; `late`: whether they came after the first draw; `free`: whether they
    owe no fee; `here`: whether they are checked in; `team`: the team's name, "" for none; `partner`: the name of the
    other player of a pair, "" for none; `stays`: whether they must stay at one table.
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
class EntryCorrected(Decision):
    """A player's entry was corrected to this."""

    player: PlayerId
    name: str
    number: str = ""
    free: bool = False
    team: str = ""
    partner: str = ""
    stays: bool = False


@dataclass(frozen=True, slots=True)
class CheckedIn(Decision):
    """These players checked in."""

    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class PlayerLeft(Decision):
    """A player left; their played games stay, and no more are drawn for them."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class PlayerReturned(Decision):
    """A player who had left is back."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class RegistrationClosed(Decision):
    """Registration was closed."""


@dataclass(frozen=True, slots=True)
class RegistrationOpened(Decision):
    """Registration was reopened."""


@dataclass(frozen=True, slots=True)
class FeePaid(Decision):
    """A player paid `cents`; a negative amount is a refund."""

    player: PlayerId
    cents: Cents


# --- tables and schedule ---


@dataclass(frozen=True, slots=True)
class TableAdded(Decision):
    """A table was added: with a pegboard ("board") or with paper only ("paper"). `label` is its name."""

    table: TableId
    label: str
    kind: str = "board"


@dataclass(frozen=True, slots=True)
class TableRemoved(Decision):
    """A table was removed."""

    table: TableId


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A scheduled game: its players, table and first dealer; `table` is "" if no table was free."""

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
        """The two players and the round."""
        return Pairing(self.round, self.players)


@dataclass(frozen=True, slots=True)
class SitOut:
    """A player who sits out a round."""

    round: int
    player: PlayerId


@dataclass(frozen=True, slots=True)
class ScheduleDrawn(Decision):
    """The complete new schedule, including the games already played, unchanged.

    `remarks`: what the draw could not achieve; `movement`: how it was made; `tables`: tables added for it.
    """

    games: tuple[ScheduledGame, ...]
    rests: tuple[SitOut, ...] = ()
    remarks: tuple[dict[str, Any], ...] = ()
    movement: str = ""
    tables: tuple[TableAdded, ...] = ()


@dataclass(frozen=True, slots=True)
class GameMoved(Decision):
    """A game was moved to another table."""

    game: GameKey
    table: TableId


@dataclass(frozen=True, slots=True)
class RoundStarted(Decision):
    """A round was started."""

    round: int


# --- results ---


@dataclass(frozen=True, slots=True)
class ResultClaimed(Decision):
    """What `player`'s score card says about a game."""

    game: GameKey
    player: PlayerId
    claim: Claim


@dataclass(frozen=True, slots=True)
class ResultConfirmed(Decision):
    """A player confirmed the table's result or the opponent's card; `claim` is that result from this player's side."""

    game: GameKey
    player: PlayerId
    claim: Claim


@dataclass(frozen=True, slots=True)
class PaperResultEntered(Decision):
    """The director entered a result on which both cards agree."""

    game: GameKey
    winner: PlayerId
    margin: int


@dataclass(frozen=True, slots=True)
class SheetReference:
    """Reference to a result's score sheet: board, journal epoch, game, first and last journal entry, and digest."""

    table: request_fields.TableRef
    epoch: Annotated[str, request_fields.text("the epoch of the table's journal", least=1)]
    game: Annotated[str, request_fields.text("the game's id at the table", least=1)]
    first: Annotated[int, request_fields.number("the first event", 0, 2**53)]
    last: Annotated[int, request_fields.number("the last event", 0, 2**53)]
    digest: Annotated[str, request_fields.text("the digest of the sheet", most=128)]

    def is_of(self, other: "SheetReference | None") -> bool:
        """Whether both are states of the same score sheet."""
        return other is not None and (self.table, self.game) == (other.table, other.game)

    def is_earlier(self, other: "SheetReference | None") -> bool:
        """Whether this is an earlier state of the same score sheet."""
        return (
            other is not None and self.is_of(other) and is_earlier((self.epoch, self.last), (other.epoch, other.last))
        )

    def is_unclear(self, other: "SheetReference | None") -> bool:
        """Whether the order of two states of a score sheet is unknown: its table lost journal entries twice."""
        return other is not None and self.is_of(other) and is_unclear(self.epoch, other.epoch)


@dataclass(frozen=True, slots=True)
class TableResultReceived(Decision):
    """A result that the hub derived from a table's score sheet; `confirmed`: players who confirmed it there."""

    game: GameKey
    table: TableId
    winner: PlayerId
    margin: int
    confirmed: tuple[PlayerId, ...] = ()
    sheet: SheetReference | None = None


@dataclass(frozen=True, slots=True)
class TableResultWithdrawn(Decision):
    """A score sheet continued after a win: a judge reopened the game at its table, or the game was abandoned.

    The sheet's earlier result no longer counts, even if it arrives only after this, by a code.
    """

    game: GameKey
    table: TableId
    sheet: SheetReference


@dataclass(frozen=True, slots=True)
class ResultRuled(Decision):
    """A ruling by ACC 12.2, or a judge's own: its letter and both players' values, which need not mirror each other."""

    game: GameKey
    letter: str
    values: tuple[Value, Value]
    note: str = ""


@dataclass(frozen=True, slots=True)
class GameAwarded(Decision):
    """A game was awarded without play to the opponent of `against`: `kind` is "late" (ACC 11.4) or "refused_judges"."""

    game: GameKey
    against: PlayerId
    kind: str
    values: tuple[Value, Value]


@dataclass(frozen=True, slots=True)
class GameForfeited(Decision):
    """`player` forfeited the game; `values` are the values of both players."""

    game: GameKey
    player: PlayerId
    values: tuple[Value, Value]


# --- cutoff, playoffs, brackets ---


@dataclass(frozen=True, slots=True)
class TieBroken(Decision):
    """A tie was broken: by a playoff game, a draw or the director."""

    decision: TieDecision


@dataclass(frozen=True, slots=True)
class CutClosed(Decision):
    """Qualifying was closed: the qualifiers by seed, and the high non-qualifier (several if tied)."""

    qualifiers: tuple[PlayerId, ...]
    high_non_qualifiers: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, slots=True)
class CutOpened(Decision):
    """Qualifying was reopened; brackets already drawn wait for it."""


@dataclass(frozen=True, slots=True)
class BracketDrawn(Decision):
    """A bracket was drawn: its first-round places, and the maximum games of a match by round."""

    bracket: str
    placements: tuple[Placement, ...]
    best_of: tuple[int, ...] = (3,)


@dataclass(frozen=True, slots=True)
class BracketPlaced(Decision):
    """The director changed first-round places of a bracket; games that then fit no match do not count."""

    bracket: str
    placements: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class BracketGamePlayed(Decision):
    """A game of a match, or several games lost by a no-show (ACC 13.1)."""

    game: BracketGame

    @property
    def match(self) -> MatchKey:
        """The key of the match to which the game belongs."""
        return self.game.match


# --- pots ---


@dataclass(frozen=True, slots=True)
class PotOpened(Decision):
    """A pot that players may enter.

    Attributes:
        pot: the pot's id at this event.
        rule: the pot's row of `POT_RULES`, written out.
        name: the pot's display name.
        fee: the fee for a full share, or for each game lost by a skunk.
        carried: the amount carried over from an earlier event.
    """

    pot: str
    rule: dict[str, Any]
    name: str = ""
    fee: Cents = 0
    carried: Cents = 0


@dataclass(frozen=True, slots=True)
class PotEntered(Decision):
    """A player entered a pot; `half`: whether with half a share, for half the fee."""

    pot: str
    player: PlayerId
    half: bool = False


@dataclass(frozen=True, slots=True)
class PotLeft(Decision):
    """A player left a pot."""

    pot: str
    player: PlayerId


@dataclass(frozen=True, slots=True)
class PotHitNoted(Decision):
    """A player's hits in a pot, such as hands of 24; `kind`: the kind of hit, if the pot has several."""

    pot: str
    player: PlayerId
    kind: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class PotShare:
    """Payment to one player."""

    player: PlayerId
    cents: Cents


@dataclass(frozen=True, slots=True)
class PotPaid(Decision):
    """A pot was paid out: shares, refunds, the house's part, and the amount carried over to the next event."""

    pot: str
    shares: tuple[PotShare, ...]
    refunds: tuple[PotShare, ...] = ()
    house: Cents = 0
    carried: Cents = 0


# --- announcements, undo, unknown decisions ---


@dataclass(frozen=True, slots=True)
class Announced(Decision):
    """An announcement to everyone."""

    text: str


@dataclass(frozen=True, slots=True)
class DecisionUndone(Decision):
    """A decision was undone: it counts as never made. Undoing an undo redoes the decisions that it undid.

    `also`: decisions that depended on it and are undone with it.
    """

    number: int
    also: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownDecision(Decision):
    """A decision that this version cannot read because a newer version wrote it. It is listed but changes nothing."""

    do: str
    body: dict[str, Any]
