"""A night as its decisions have made it: a frozen value, which every view and every limit reads."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.facts import (
    Announced,
    CutClosed,
    Decision,
    GameAwarded,
    GameForfeited,
    NightEnded,
    NightOpened,
    NightRules,
    PaperResultEntered,
    PotEntered,
    PotHitNoted,
    PotOpened,
    PotPaid,
    ResultRuled,
    ScheduledGame,
    SheetReference,
    TableAdded,
    TableId,
    TableResultReceived,
    TieBroken,
)
from pegboard.tournament.pairings import GameKey, Pairing, join_pair
from pegboard.tournament.playoffs.bracket import Bracket
from pegboard.tournament.results.claims import Claim, say_game


class Role(StrEnum):
    """Who makes a decision."""

    DIRECTOR = "director"
    PLAYER = "player"
    TABLE = "table"


DIRECTOR = frozenset({Role.DIRECTOR})


ALSO_PLAYERS = frozenset({Role.DIRECTOR, Role.PLAYER})


TABLES = frozenset({Role.TABLE})


@dataclass(frozen=True, slots=True)
class Author:
    """Who has decided: a director by name, a player or a table by id."""

    role: Role
    name: str = ""


@dataclass(frozen=True, slots=True)
class StoredDecision:
    """A decision as it is stored.

    Attributes:
        number: from 1, without gaps.
        at: milliseconds since 1970 by the hub's clock; 0 where it is not known. Nothing is ordered by it.
        by: who has decided.
        decision: the fact.
    """

    number: int
    at: int
    by: Author
    decision: Decision


class Presence(StrEnum):
    """Whether a player of the roster is here."""

    ENTERED = "entered"
    HERE = "here"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Participant:
    """A player of the roster.

    `stays`: they have to stay at one table; `missed` are rounds in which they were not here; `came`: they were here at
    some time; `left_in` is the round that was open when they left.
    """

    player: PlayerId
    name: str
    number: str = ""
    walk_up: bool = False
    late: bool = False
    free: bool = False
    presence: Presence = Presence.ENTERED
    missed: tuple[int, ...] = ()
    came: bool = False
    left_in: int = 0
    team: str = ""
    partner: str = ""
    stays: bool = False

    @property
    def display_name(self) -> str:
        """What they are called: by both names, where two play as one."""
        return join_pair(self.name, self.partner)


Verdict: TypeAlias = PaperResultEntered | ResultRuled | GameAwarded | GameForfeited
"""What a director has decided about a game; the last one counts."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """All that was said of a game.

    Attributes:
        pairing: who meets in which round.
        claims: what both cards say, in the order of the pairing.
        at_table: whose claim was made by confirming the table's result, and goes when the table sends another.
        report: the last result of a table.
        withdrawn: the score sheets that went on after somebody had won, each as far as it had come by then.
        verdict: what the director has decided.
        decisions: the numbers of the decisions, in order.
    """

    pairing: Pairing
    claims: tuple[Claim | None, Claim | None] = (None, None)
    at_table: tuple[bool, bool] = (False, False)
    report: TableResultReceived | None = None
    withdrawn: tuple[SheetReference, ...] = ()
    verdict: Verdict | None = None
    decisions: tuple[int, ...] = ()

    @property
    def is_confirmed(self) -> bool:
        """Whether both have said that the result of the table is so, there or by their cards."""
        if (report := self.report) is None:
            return False
        return all(
            claim == Claim(player == report.winner, report.margin)
            for player, claim in zip(self.pairing.players, self.claims, strict=True)
        )

    def has_gone_on(self, sheet: SheetReference) -> bool:
        """Whether a score sheet went on after this state of it: a judge has opened the game again."""
        return any(one == sheet or sheet.is_earlier(one) for one in self.withdrawn)


@dataclass(frozen=True, slots=True)
class NightPot:
    """A pot: how it was opened, who is in it, its hits, and how it was paid."""

    opened: PotOpened
    entries: tuple[PotEntered, ...] = ()
    hits: tuple[PotHitNoted, ...] = ()
    paid: PotPaid | None = None


@dataclass(frozen=True, slots=True)
class NightBracket:
    """A bracket, and the numbers of the decisions that its games came by, in their order."""

    bracket: Bracket
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Departure:
    """A decision that today's rules would refuse, and why; it counts all the same.

    `idle`: it only says what was so already.
    """

    number: int
    why: Message
    idle: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Night:
    """A night.

    Attributes:
        opened: its name, day and first rules; None before it is planned.
        rules: what is played for now.
        players: by id, in the order of entry, which decides nothing.
        tables: by id, as they were added.
        schedule: every drawn game by its key, in order of rounds.
        sit_outs: by round, who sits out.
        remarks: what the draw could not do, as `movement.schedule.Remark` writes it.
        started: the rounds that have begun.
        games: all that was said of games, by their keys.
        ties_broken: play-offs among tied players, with the numbers of their decisions.
        cut: as it was closed; None while it is open.
        gone_at_cut: who had left when it was closed; who leaves later has qualified, or not, all the same.
        brackets: by name.
        pots: by id.
        payments: cents by player.
        announcements: what was said to all, with the numbers of their decisions.
        ended: the end with its standings; None while the night goes on.
        rows: every decision, undone ones as well.
        undone: the number of an undone decision, and of the one that undid it.
        departures: decisions that today's limits would refuse.
    """

    opened: NightOpened | None = None
    rules: NightRules = field(default_factory=NightRules)
    players: Mapping[PlayerId, Participant] = field(default_factory=dict)
    registration_open: bool = True
    tables: Mapping[TableId, TableAdded] = field(default_factory=dict)
    schedule: Mapping[GameKey, ScheduledGame] = field(default_factory=dict)
    sit_outs: Mapping[int, tuple[PlayerId, ...]] = field(default_factory=dict)
    remarks: tuple[dict[str, object], ...] = ()
    started: frozenset[int] = frozenset()
    games: Mapping[GameKey, GameFacts] = field(default_factory=dict)
    ties_broken: tuple[tuple[int, TieBroken], ...] = ()
    cut: CutClosed | None = None
    gone_at_cut: frozenset[PlayerId] = frozenset()
    brackets: Mapping[str, NightBracket] = field(default_factory=dict)
    pots: Mapping[str, NightPot] = field(default_factory=dict)
    payments: Mapping[PlayerId, int] = field(default_factory=dict)
    announcements: tuple[tuple[int, Announced], ...] = ()
    ended: NightEnded | None = None
    rows: tuple[StoredDecision, ...] = ()
    undone: Mapping[int, int] = field(default_factory=dict)
    departures: tuple[Departure, ...] = ()

    @property
    def revision(self) -> int:
        """The number of the newest decision; 0 before the first."""
        return self.rows[-1].number if self.rows else 0

    @property
    def opening(self) -> NightOpened | None:
        """How it was opened, also where it was called off; None where nobody has opened it yet."""
        made = (row.decision for row in self.rows if isinstance(row.decision, NightOpened))
        return self.opened or next(made, None)

    @property
    def names(self) -> dict[PlayerId, str]:
        """The players' names by id."""
        return {player.player: player.display_name for player in self.players.values()}

    @property
    def former_boards(self) -> tuple[TableId, ...]:
        """The boards that were at a table of this night, and are no longer: removed, or never meant to be there."""
        made = (row.decision for row in self.rows if isinstance(row.decision, TableAdded))
        boards = dict.fromkeys(one.table for one in made if one.kind == "board")
        return tuple(table for table in boards if table not in self.tables or self.tables[table].kind != "board")

    @property
    def present(self) -> tuple[PlayerId, ...]:
        """Who is here."""
        return tuple(one.player for one in self.players.values() if one.presence is Presence.HERE)

    @property
    def last_round(self) -> int:
        """The last drawn round; 0 before the first draw."""
        return max((game.round for game in self.schedule.values()), default=0)

    @property
    def begun_round(self) -> int:
        """The last round that has begun, or of whose games something was said; 0 before the first."""
        return max((*self.started, *(game.pairing.round for game in self.games.values())), default=0)

    @property
    def open_round(self) -> int:
        """The first round in which somebody who comes now can be drawn: the one that is played, or the next."""
        begun = self.begun_round
        waits = any(game.round == begun and key not in self.games for key, game in self.schedule.items())
        return begun if waits else begun + 1

    @property
    def teams(self) -> list[str]:
        """The names of the teams, in the order in which they were entered."""
        return list(dict.fromkeys(one.team for one in self.players.values() if one.team))

    def name(self, player: PlayerId) -> str:
        """What a player is called, or the id of one who is not on the roster."""
        known = self.players.get(player)
        return known.display_name if known else player

    def label(self, table: TableId) -> str:
        """What people call a table, or called it while it was here; its id where nobody has said."""
        if (known := self.tables.get(table)) is not None:
            return known.label
        made = (row.decision for row in reversed(self.rows) if isinstance(row.decision, TableAdded))
        return next((one.label for one in made if one.table == table), table)

    def is_here(self, player: PlayerId) -> bool:
        """Whether a player is here."""
        return player in self.players and self.players[player].presence is Presence.HERE

    def has_left(self, player: PlayerId) -> bool:
        """Whether a player has gone."""
        return player in self.players and self.players[player].presence is Presence.LEFT

    def find_game(self, game: GameKey) -> ScheduledGame | None:
        """A game of the schedule; None where there is none of that key."""
        return self.schedule.get(game)

    def standing_rows(self) -> Iterator[StoredDecision]:
        """The decisions that count."""
        return (row for row in self.rows if row.number not in self.undone)


EMPTY_NIGHT = Night()
"""A night of which nothing has been decided yet."""


# --- checks that several limits share: a player of the roster, a game of the schedule, a cut that is open ---


def say_game_of(night: Night, pairing: Pairing) -> Message:
    """A game in words: "round 3, Ann against Bob"."""
    return say_game(pairing, night.names)


def require_player(night: Night, player: str) -> Participant:
    """The player of the roster.

    Raises:
        RuleError: there is none of that id.
    """
    known = night.players.get(player)
    if known is None:
        raise RuleError("night_no_player", player=player)
    return known


def require_round(night: Night, number: int) -> None:
    """See that a round has been drawn.

    Raises:
        RuleError: it has not.
    """
    if not any(game.round == number for game in night.schedule.values()):
        raise RuleError("night_no_round", round=number, last=night.last_round)


def require_game(night: Night, key: str, player: str | None = None) -> ScheduledGame:
    """The game of the schedule, in which `player` plays where one is named.

    Raises:
        RuleError: there is no such game, or that player plays in another one.
    """
    game = night.find_game(key)
    if game is None:
        raise RuleError("night_no_game", game=key)
    if player is not None and player not in game.players:
        raise RuleError("night_not_in_game", name=night.name(player), game=say_game_of(night, game.pairing))
    return game


def require_open_cut(night: Night) -> None:
    """See that results can still change.

    Raises:
        RuleError: the cut is closed.
    """
    if night.cut is not None:
        raise RuleError("night_cut_closed")
