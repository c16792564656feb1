"""Event state: an immutable snapshot built from the stored decisions; lookups and checks for views and limits."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.pairings import GameKey, Pairing, join_pair
from pegboard.tournament.playoffs.bracket import Bracket
from pegboard.tournament.results.claims import Claim, say_game


class Role(StrEnum):
    """Role of a decision's author."""

    DIRECTOR = "director"
    PLAYER = "player"
    TABLE = "table"


DIRECTOR = frozenset({Role.DIRECTOR})

DIRECTOR_AND_PLAYERS = frozenset({Role.DIRECTOR, Role.PLAYER})

TABLES = frozenset({Role.TABLE})


@dataclass(frozen=True, slots=True)
class Author:
    """Author of a decision: a director by name, a player or a table by id."""

    role: Role
    name: str = ""


@dataclass(frozen=True, slots=True)
class StoredDecision:
    """A stored decision.

    Attributes:
        number: the number of the decision, from 1 without gaps.
        at: the time in milliseconds since 1970 by the hub's clock; 0 if unknown. Never used for ordering.
        by: the author.
        decision: the fact.
    """

    number: int
    at: int
    by: Author
    decision: facts.Decision


class Presence(StrEnum):
    """Whether a player on the roster is checked in."""

    ENTERED = "entered"
    HERE = "here"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Participant:
    """A player on the roster.

    `stays`: whether they must stay at one table; `missed`: the rounds in which they were absent; `came`: whether they
    were checked in at some time; `left_in`: the round that was open when they left.
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
        """Display name: both names if two play as one."""
        return join_pair(self.name, self.partner)


Verdict: TypeAlias = facts.PaperResultEntered | facts.ResultRuled | facts.GameAwarded | facts.GameForfeited
"""A director's decision about a game; the last one counts."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """Everything recorded about a game.

    Attributes:
        pairing: the two players and the round.
        claims: the claims of both score cards, in the order of the pairing.
        at_table: whether each claim came from confirming the table's result; a new table result drops such a claim.
        report: the last result from a table.
        withdrawn: the score sheets that continued after a win, each in its state at that time.
        verdict: the director's decision.
        decisions: the numbers of the decisions about the game, in order.
    """

    pairing: Pairing
    claims: tuple[Claim | None, Claim | None] = (None, None)
    at_table: tuple[bool, bool] = (False, False)
    report: facts.TableResultReceived | None = None
    withdrawn: tuple[facts.SheetReference, ...] = ()
    verdict: Verdict | None = None
    decisions: tuple[int, ...] = ()

    @property
    def is_confirmed(self) -> bool:
        """Whether both players confirmed the table's result, at the table or by their cards."""
        if (report := self.report) is None:
            return False
        return all(
            claim == Claim(player == report.winner, report.margin)
            for player, claim in zip(self.pairing.players, self.claims, strict=True)
        )

    def has_continued(self, sheet: facts.SheetReference) -> bool:
        """Whether a score sheet continued after this state of it: a judge reopened the game."""
        return any(one == sheet or sheet.is_earlier(one) for one in self.withdrawn)


@dataclass(frozen=True, slots=True)
class NightPot:
    """A pot: how it was opened, its entries, its hits, and how it was paid."""

    opened: facts.PotOpened
    entries: tuple[facts.PotEntered, ...] = ()
    hits: tuple[facts.PotHitNoted, ...] = ()
    paid: facts.PotPaid | None = None


@dataclass(frozen=True, slots=True)
class NightBracket:
    """A bracket, and the decision numbers of its games, in order."""

    bracket: Bracket
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LimitViolation:
    """A decision that today's rules would refuse, and why; it still counts.

    `idle`: the decision only repeats what was already true.
    """

    number: int
    why: Message
    idle: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Night:
    """State of an event.

    Attributes:
        opened: the event's name, date and first rules; None before it is opened.
        rules: the current rules.
        players: players by id, in order of entry, which decides nothing.
        tables: tables by id, in the order they were added.
        schedule: every drawn game by its key, in order of rounds.
        sit_outs: the players who sit out, by round.
        remarks: remarks on the draw, as `schedule.schedule.Remark` writes them.
        started: the rounds that have begun.
        games: everything recorded about games, by their keys.
        ties_broken: decided ties, with the numbers of their decisions.
        cut: the qualifiers when qualifying was closed; None while it is open.
        left_before_cutoff: players who had left by then; leaving later does not change who qualified.
        brackets: brackets by name.
        pots: pots by id.
        payments: cents paid, by player.
        announcements: announcements with the numbers of their decisions.
        ended: the end with its standings; None while the event goes on.
        rows: every decision, including undone ones.
        undone: the number of each undone decision, mapped to the number of the decision that undid it.
        departures: decisions that today's limits would refuse.
    """

    opened: facts.NightOpened | None = None
    rules: facts.NightRules = field(default_factory=facts.NightRules)
    players: Mapping[PlayerId, Participant] = field(default_factory=dict)
    registration_open: bool = True
    tables: Mapping[facts.TableId, facts.TableAdded] = field(default_factory=dict)
    schedule: Mapping[GameKey, facts.ScheduledGame] = field(default_factory=dict)
    sit_outs: Mapping[int, tuple[PlayerId, ...]] = field(default_factory=dict)
    remarks: tuple[dict[str, object], ...] = ()
    started: frozenset[int] = frozenset()
    games: Mapping[GameKey, GameFacts] = field(default_factory=dict)
    ties_broken: tuple[tuple[int, facts.TieBroken], ...] = ()
    cut: facts.CutClosed | None = None
    left_before_cutoff: frozenset[PlayerId] = frozenset()
    brackets: Mapping[str, NightBracket] = field(default_factory=dict)
    pots: Mapping[str, NightPot] = field(default_factory=dict)
    payments: Mapping[PlayerId, int] = field(default_factory=dict)
    announcements: tuple[tuple[int, facts.Announced], ...] = ()
    ended: facts.NightEnded | None = None
    rows: tuple[StoredDecision, ...] = ()
    undone: Mapping[int, int] = field(default_factory=dict)
    departures: tuple[LimitViolation, ...] = ()

    @property
    def revision(self) -> int:
        """The number of the newest decision; 0 before the first."""
        return self.rows[-1].number if self.rows else 0

    @property
    def opening(self) -> facts.NightOpened | None:
        """The opening of the event, even if the event was canceled; None if it has never been opened."""
        made = (row.decision for row in self.rows if isinstance(row.decision, facts.NightOpened))
        return self.opened or next(made, None)

    @property
    def names(self) -> dict[PlayerId, str]:
        """The players' names by id."""
        return {player.player: player.display_name for player in self.players.values()}

    @property
    def former_boards(self) -> tuple[facts.TableId, ...]:
        """Boards that were once at a table of this event and no longer are: removed, or added by mistake."""
        made = (row.decision for row in self.rows if isinstance(row.decision, facts.TableAdded))
        boards = dict.fromkeys(one.table for one in made if one.kind == "board")
        return tuple(table for table in boards if table not in self.tables or self.tables[table].kind != "board")

    @property
    def present(self) -> tuple[PlayerId, ...]:
        """Checked-in players."""
        return tuple(one.player for one in self.players.values() if one.presence is Presence.HERE)

    @property
    def last_round(self) -> int:
        """The last drawn round; 0 before the first draw."""
        return max((game.round for game in self.schedule.values()), default=0)

    @property
    def last_started_round(self) -> int:
        """The last round that was started or has a recorded game; 0 before the first."""
        return max((*self.started, *(game.pairing.round for game in self.games.values())), default=0)

    @property
    def open_round(self) -> int:
        """The first round for which a newcomer can be drawn: the current one or the next."""
        begun = self.last_started_round
        waits = any(game.round == begun and key not in self.games for key, game in self.schedule.items())
        return begun if waits else begun + 1

    @property
    def teams(self) -> list[str]:
        """The names of the teams, in the order in which they were entered."""
        return list(dict.fromkeys(one.team for one in self.players.values() if one.team))

    def name(self, player: PlayerId) -> str:
        """A player's display name; falls back to the id if they are not on the roster."""
        known = self.players.get(player)
        return known.display_name if known else player

    def label(self, table: facts.TableId) -> str:
        """A table's label, or its last label if it was removed; falls back to the id."""
        if (known := self.tables.get(table)) is not None:
            return known.label
        made = (row.decision for row in reversed(self.rows) if isinstance(row.decision, facts.TableAdded))
        return next((one.label for one in made if one.table == table), table)

    def is_here(self, player: PlayerId) -> bool:
        """Whether a player is checked in."""
        return player in self.players and self.players[player].presence is Presence.HERE

    def has_left(self, player: PlayerId) -> bool:
        """Whether a player has left."""
        return player in self.players and self.players[player].presence is Presence.LEFT

    def find_game(self, game: GameKey) -> facts.ScheduledGame | None:
        """The scheduled game with this key, or None."""
        return self.schedule.get(game)

    def active_rows(self) -> Iterator[StoredDecision]:
        """Decisions that are not undone."""
        return (row for row in self.rows if row.number not in self.undone)


EMPTY_NIGHT = Night()
"""An event without decisions."""


# --- checks shared by several limits: players on the roster, games in the schedule, open qualifying ---


def say_game_of(night: Night, pairing: Pairing) -> Message:
    """A game in words: "round 3, Ann against Bob"."""
    return say_game(pairing, night.names)


def say_game_key(night: Night, key: str) -> Message | str:
    """A game in words, by its key; players in the order of the draw."""
    pairing = pairing_of_game(night, key)
    return key if pairing is None else say_game_of(night, pairing)


def pairing_of_game(night: Night, key: str) -> Pairing | None:
    """The pairing of a game, from the draw or else from its key; None if the key is not valid."""
    drawn = night.find_game(key)
    return drawn.pairing if drawn else read_game_key(key)


def read_game_key(key: GameKey) -> Pairing | None:
    """Parse the pairing from a key such as "r3:p1-p7"; None if the key is not valid."""
    begin, _, players = key.partition(":")
    one, _, other = players.partition("-")
    if not (begin[:1] == "r" and begin[1:].isdecimal() and one and other and one != other):
        return None
    return Pairing(int(begin[1:]), (one, other))


def collapse_spaces(text: str) -> str:
    """A text without spaces around it, and with single spaces in it."""
    return " ".join(text.split())


def require_player(night: Night, player: str) -> Participant:
    """The player on the roster.

    Raises:
        RuleError: no player has this id.
    """
    known = night.players.get(player)
    if known is None:
        raise RuleError("night_no_player", player=player)
    return known


def require_round(night: Night, number: int) -> None:
    """Check that a round has been drawn.

    Raises:
        RuleError: the round has not been drawn.
    """
    if not any(game.round == number for game in night.schedule.values()):
        raise RuleError("night_no_round", round=number, last=night.last_round)


def require_game(night: Night, key: str, player: str | None = None) -> facts.ScheduledGame:
    """The scheduled game; if `player` is given, they must play in it.

    Raises:
        RuleError: there is no such game, or the player is not in it.
    """
    game = night.find_game(key)
    if game is None:
        raise RuleError("night_no_game", game=key)
    if player is not None and player not in game.players:
        raise RuleError("night_not_in_game", name=night.name(player), game=say_game_of(night, game.pairing))
    return game


def require_open_cut(night: Night) -> None:
    """Check that results can still change.

    Raises:
        RuleError: qualifying is closed.
    """
    if night.cut is not None:
        raise RuleError("night_cut_closed")
