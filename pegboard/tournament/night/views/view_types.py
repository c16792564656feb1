"""Types of an event's JSON views, described for OpenAPI: director's desk, big screen, each player's own page."""

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from pegboard.tournament.night.facts import NightRules
from pegboard.tournament.night.night_state import Presence, Role
from pegboard.tournament.night.views.actions import ActionJson, Actions, ForDirectors, SaidJson
from pegboard.tournament.playoffs.bracket import MatchState
from pegboard.tournament.playoffs.qualifying import TieKind
from pegboard.tournament.pots.pot_rules import FeeFor
from pegboard.tournament.results.claims import Column, DecidedBy
from pegboard.tournament.results.score_cards import CheckState
from pegboard.values import Takes

# --- the log ---


Milliseconds: TypeAlias = Annotated[int, "milliseconds since 1970"]

Cents: TypeAlias = Annotated[int, "in cents"]

Players: TypeAlias = Annotated[list[str], "players by id"]


class AuthorJson(TypedDict):
    """The author of a decision."""

    role: Role
    name: Annotated[str, "a director's name, or the id of a player or table"]


class LogLineJson(TypedDict):
    """A decision in the log."""

    number: int
    at: Milliseconds
    by: AuthorJson
    do: Annotated[str, "the decision's word"]
    said: SaidJson
    stands: Annotated[bool, "false if the decision is undone"]
    undone_by: Annotated[int | None, "the number of the decision that undid it"]
    actions: Actions


class AnnouncementJson(TypedDict):
    """An announcement to all."""

    number: Annotated[int, "the announcement's number in the log"]
    at: Milliseconds
    text: str
    by: Annotated[str, "the director's name, if known"]
    actions: NotRequired[ForDirectors]


class DepartureJson(TypedDict):
    """A decision that today's limits would refuse; it still counts."""

    number: Annotated[int, "the decision's number in the log"]
    why: SaidJson


class TableCallJson(TypedDict):
    """A call for a judge or the director."""

    call: Annotated[str, "the call's id"]
    table: Annotated[str, "the table's id; empty if no table calls"]
    label: Annotated[str, "the table's name"]
    name: Annotated[str, "the caller's name, if no table calls"]
    wanted: Annotated[Literal["judge", "director"], Takes(words="the official who is called", key="for")]
    since: Milliseconds
    accepted: Annotated[list[str], "names of the people who are coming"]
    needed: Annotated[int, "how many people are needed"]
    answered: Annotated[bool, "whether enough people are coming"]
    ended: bool


class EventAlarmJson(TypedDict):
    """An alarm of an event, until a director dismisses it."""

    alarm: Annotated[int, "the alarm's number"]
    table: str
    at: Milliseconds
    said: SaidJson


# --- the event itself ---


Phase: TypeAlias = Literal["none", "registration", "drawn", "playing", "played", "cut", "bracket", "ended"]


class OpenedEventJson(TypedDict):
    """An event: name, rules, phase and progress."""

    name: str
    date: Annotated[str, "the day, such as 2026-11-26"]
    phase: Phase
    registration_open: bool
    rules: NightRules
    round: Annotated[int, "the first round with an open game"]
    rounds: Annotated[int, "number of drawn rounds"]
    games: Annotated[int, "number of drawn games"]
    games_done: Annotated[int, "number of settled games"]
    cut_closed: Annotated[bool, "whether qualifying is closed"]
    ended: bool
    called_off_by: Annotated[int | None, "the number of the decision that canceled the event"]


class PeopleJson(TypedDict):
    """Counts of players."""

    entered: int
    checked_in: int
    missing: int
    late: int
    left: int
    free: Annotated[int, "players who owe no fee"]


class FieldJson(TypedDict):
    """A preview of a draw for the checked-in players."""

    players: int
    games: Annotated[int, "games per player"]
    possible: bool
    rounds: int
    rounds_one_fewer: Annotated[int, "rounds if every player had one game fewer"]
    needs_rematches: bool


# --- games and tables ---


GameState: TypeAlias = Literal[
    "drawn", "running", "half", "mismatch", "agreed", "ruled", "awarded", "forfeited", "void"
]

TableState: TypeAlias = Literal["free", GameState]


class OwnGameJson(TypedDict):
    """A game, as its player sees it."""

    round: int
    game: Annotated[str, "the game's id"]
    table: Annotated[str, "the table's id; empty if the game has none"]
    label: Annotated[str, "the table's name"]
    against: Annotated[str, "the opponent's id"]
    deals_first: bool
    state: GameState


class NextGameJson(OwnGameJson):
    """A player's next game."""

    dealer: Annotated[str, "the first dealer's name; empty if the cards are cut"]


class ClaimJson(TypedDict):
    """The claim of a score card."""

    won: bool
    margin: Annotated[int | None, "holes between winner and loser; null if the card has none"]
    column: NotRequired[Annotated[Column, "the column in which the margin is"]]
    points: NotRequired[Annotated[int, "the game points on the card"]]


class ValueJson(TypedDict):
    """The value of a game for a player."""

    points: Annotated[int, "game points"]
    net: Annotated[int, "holes won minus holes lost"]


class ReportJson(TypedDict):
    """A result that a board sent."""

    winner: Annotated[str, "the winner's id"]
    margin: int
    source: Literal["board"]
    table: str


class RulingChoiceJson(TypedDict):
    """A ruling that a director can choose."""

    letter: Annotated[str, "the letter in ACC rule 12.2, or sheet or stand"]
    possible: bool
    why: Annotated[SaidJson | None, "the reason if it is not possible"]
    values: Annotated[list[ValueJson] | None, "the game's values for both players after the ruling"]
    said: SaidJson | None
    notice: Annotated[SaidJson | None, "a notice if the ruling changes who qualifies"]


class RulingJson(TypedDict):
    """A director's ruling."""

    letter: str
    note: str


class EventGameJson(TypedDict):
    """A game of an event."""

    game: Annotated[str, "the game's id"]
    round: int
    table: Annotated[str, "the table's id; empty if the game has none"]
    label: Annotated[str, "the table's name"]
    players: Players
    deals_first: Annotated[str, "the id of the first dealer; empty if the cards are cut"]
    dealer: Annotated[str, "the first dealer's name"]
    state: GameState
    claims: Annotated[list[ClaimJson | None], "what each player's card says"]
    confirmed: Annotated[list[bool], "whether each player confirmed the result at the table"]
    report: ReportJson | None
    values: list[ValueJson | None]
    source: Annotated[DecidedBy, "the source of the values"]
    mismatch: Annotated[SaidJson | None, "how the cards, or a card and the table's score sheet, differ"]
    rulings: NotRequired[Annotated[list[RulingChoiceJson], "only for directors: the possible rulings on a mismatch"]]
    ruling: RulingJson | None
    award: SaidJson | None
    decisions: NotRequired[Annotated[list[int], "only for directors: the numbers of decisions about the game"]]
    actions: NotRequired[ForDirectors]


RoundState: TypeAlias = Literal["drawn", "running", "done"]


class RoundJson(TypedDict):
    """A round."""

    round: int
    state: RoundState
    games: list[EventGameJson]
    sitting_out: Players
    actions: NotRequired[ForDirectors]


class EventTableJson(TypedDict):
    """A table of an event."""

    table: Annotated[str, "the table's id"]
    label: Annotated[str, "the table's name"]
    kind: Annotated[str, "board: the table has a pegboard; paper: it has none"]
    game: Annotated[str | None, "the id of the table's current or next game"]
    state: Annotated[TableState, "the state of that game"]
    actions: NotRequired[ForDirectors]


# --- people ---


class FeeJson(TypedDict):
    """A player's fees."""

    due: Cents
    paid: Cents


class EntrantJson(TypedDict):
    """A player of an event, or a pair."""

    player: Annotated[str, "the player's id"]
    name: str
    number: Annotated[str, "the association number; empty if none"]
    walk_up: bool
    late: Annotated[bool, "whether the player came after the first draw"]
    free: Annotated[bool, "whether the player owes no fee"]
    stays: Annotated[bool, "whether the player must stay at one table"]
    team: Annotated[str, "the team's name; empty if none"]
    partner: Annotated[str, "the name of the other player of a pair; empty if none"]
    state: Presence


class OwnEntryJson(EntrantJson):
    """A player's own entry."""

    fee: FeeJson


class RosterLineJson(OwnEntryJson):
    """A player on the roster."""

    pots: Annotated[list[str], "pots that the player is in"]
    next: NextGameJson | None
    entry: Annotated[int, "the number of the decision that added the player"]
    actions: Actions


class WaitingPlayerJson(TypedDict):
    """A checked-in player who cannot play now."""

    player: str
    why: SaidJson


class AmountJson(TypedDict):
    """A player's amount."""

    player: str
    cents: int


class MoneyJson(TypedDict):
    """All money of an event, in cents."""

    currency: str
    due: Cents
    paid: Cents
    open: Annotated[list[AmountJson], "amounts that players owe"]
    credit: Annotated[list[AmountJson], "amounts that players have overpaid"]
    pots: Annotated[int, "the sum of all pots"]
    in_hand: Annotated[int, "the amount that the cash box must hold"]


# --- standings and qualifying ---


class TotalsJson(TypedDict):
    """The totals of a score card."""

    points: int
    won: int
    lost: int
    skunks: int
    net: int
    plus: int
    minus: int
    games: int


class StandingJson(TotalsJson):
    """A place in the standings."""

    place: int
    player: str
    said: Annotated[SaidJson, "the tie-break that decided the place"]
    qualifies: Annotated[bool | None, "whether the player qualifies; null while this is undecided"]


class TeamJson(TotalsJson):
    """A place in the team standings."""

    place: int
    team: str
    players: Players


class CheckJson(TypedDict):
    """A total that must add up."""

    check: str
    holds: bool
    state: CheckState
    said: SaidJson
    games: Annotated[list[str], "the games that break it"]


class AllTotalsJson(TypedDict):
    """The totals of all cards."""

    games: int
    wins: int
    points: int
    plus: int
    minus: int
    net: int
    skunks: int
    checks: list[CheckJson]


class TieJson(TypedDict):
    """A tie that must be broken."""

    kind: TieKind
    players: Players
    first: Annotated[int, "the first place that they share"]
    places: Annotated[int, "how many of the tied players win the tie"]
    said: SaidJson


CutState: TypeAlias = Literal["waiting", "tied", "ready", "closed"]


class CutJson(TypedDict):
    """Qualifying: the qualifiers, the ties, or what is still missing."""

    state: CutState
    entrants: int
    places: int
    byes: int
    bracket_size: int
    qualifiers: Players
    high_non_qualifier: Players
    ties: list[TieJson]
    said: SaidJson
    actions: NotRequired[ForDirectors]


# --- brackets ---


class BracketGameJson(TypedDict):
    """A game of a match."""

    winner: str
    margin: int | None
    forfeit: bool
    games: Annotated[int, "how many games it counts for"]
    number: Annotated[int | None, "the number of the decision in the log"]


class BracketMatchJson(TypedDict):
    """A match of a bracket."""

    match: Annotated[str, "the match's id"]
    round: int
    place: Annotated[int, "the match's place in the round, from the top"]
    players: Annotated[list[str | None], "the players of the match; null until known"]
    best_of: int
    games: list[BracketGameJson]
    won: Annotated[list[int], "games won by each player"]
    winner: str | None
    state: MatchState
    bye: bool
    by_departure: bool
    no_show: Annotated[list[list[int]], "minutes after which a no-show of each player loses each remaining game"]
    actions: NotRequired[ForDirectors]


class BracketPlaceJson(TypedDict):
    """Places of a bracket that are decided."""

    first: int
    last: int
    players: Players


class BracketJson(TypedDict):
    """A bracket."""

    bracket: Annotated[str, "the bracket's name"]
    best_of: Annotated[list[int], "maximum games of a match by round"]
    size: int
    rounds: int
    byes: list[str | None]
    matches: Annotated[list[BracketMatchJson], "the matches, from the top of the first round"]
    places: list[BracketPlaceJson]
    winner: str | None
    said: Annotated[SaidJson | None, "a message on players who are no longer eligible"]
    actions: NotRequired[ForDirectors]


class ConsolationJson(TypedDict):
    """A second bracket that can be drawn."""

    bracket: Annotated[str, "the bracket's name"]
    players: Players
    draw: ActionJson


# --- pots ---


class PotEntryJson(AmountJson):
    """An entry in a pot, with its fee in cents."""

    half: bool


class PotHitJson(TypedDict):
    """A player's hits in a pot."""

    player: str
    kind: str
    count: int


class PotSumJson(TypedDict):
    """A pot on the big screen."""

    pot: Annotated[str, "the pot's id"]
    name: str
    sum: Cents


class PotSharesJson(TypedDict):
    """What a pot pays."""

    shares: Annotated[list[AmountJson], "until it is paid: what it would pay now"]
    refunds: list[AmountJson]
    house: Cents
    left: Annotated[int, "in cents, for later events"]
    said: list[SaidJson]
    differs: Annotated[bool, "whether it paid something else than it would now"]


class PotJson(PotSumJson, PotSharesJson):
    """A pot."""

    kind: str
    fee: Cents
    fee_for: FeeFor
    house_percent: int
    entries: list[PotEntryJson]
    hits: list[PotHitJson]
    kinds: Annotated[list[str], "kinds of hits that a director can note"]
    carried: Annotated[int, "cents carried over from earlier events"]
    rule: SaidJson
    paid: bool
    actions: Actions


# --- whole views ---


class ViewJson(TypedDict):
    """Fields that all views have."""

    version: Annotated[int, "the version of the views' structure"]
    revision: Annotated[int, "the number of the newest decision"]
    night: OpenedEventJson
    names: Annotated[dict[str, str], "names by player id"]
    standings: Annotated[list[StandingJson], "best first"]
    teams: list[TeamJson]
    cut: CutJson
    brackets: list[BracketJson]
    announcements: Annotated[list[AnnouncementJson], "newest first"]


class DeskJson(ViewJson):
    """The director's desk, as far as the event itself tells it."""

    view: Literal["director"]
    actions: Actions
    people: PeopleJson
    players: list[RosterLineJson]
    tables: list[EventTableJson]
    rounds: list[RoundJson]
    field: Annotated[FieldJson | None, "a preview of a draw; null with fewer than two players"]
    remarks: Annotated[list[SaidJson], "remarks on the draw"]
    waiting: list[WaitingPlayerJson]
    totals: AllTotalsJson
    consolations: list[ConsolationJson]
    pots: list[PotJson]
    money: MoneyJson
    calls: Annotated[list[TableCallJson], "oldest first"]
    audit: Annotated[list[LogLineJson], "the newest lines of the log, newest first"]
    departures: list[DepartureJson]


class DirectorJson(DeskJson):
    """The director's desk."""

    alarms: list[EventAlarmJson]
    troubles: Annotated[list[SaidJson], "problems with receiving or storing the messages of tables"]


class ScreenJson(ViewJson):
    """The big screen."""

    view: Literal["screen"]
    rounds: Annotated[list[RoundJson], "the running rounds, or the next one"]
    tables: list[EventTableJson]
    sitting_out: Players
    next: Annotated[dict[str, NextGameJson | None], "by player"]
    pots: list[PotSumJson]
    waiting: list[WaitingPlayerJson]


class CardRowJson(OwnGameJson):
    """A row of a player's score card."""

    claim: ClaimJson | None
    other_claim: ClaimJson | None
    value: ValueJson | None
    mismatch: SaidJson | None


class PlayersPageJson(ViewJson):
    """A player's own page."""

    view: Literal["player"]
    me: OwnEntryJson
    actions: Actions
    next: NextGameJson | None
    ahead: Annotated[SaidJson | None, "what is ahead, if no game is drawn"]
    now: Annotated[EventGameJson | None, "the next game with both cards"]
    sits_out: Annotated[int | None, "the current round, if the player sits it out"]
    card: list[CardRowJson]
    totals: TotalsJson
    standing: StandingJson | None
    my_pots: list[str]
