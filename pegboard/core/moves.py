"""Commands and events of the game: command classes (present tense), event classes (past tense), and the command table.

A new command needs its classes and its row here, a decision in `decisions` or `corrections`, and a step in `replay`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, NotRequired, TypeAlias, get_args

from pegboard.core import command_fields as fields
from pegboard.core.command_fields import Fields
from pegboard.core.faults import FaultName
from pegboard.core.house_rules import HOUSE_RULES
from pegboard.core.names import GAME_ID, JOURNAL_ID, LONGEST_NAME, REQUEST_ID, TextEnum
from pegboard.core.rules import (
    FIRST_TO,
    FORMATS,
    LENGTH_PATTERN,
    LONGEST_MATCH,
    MOST_AT_ONCE,
    MOST_LANES,
    MOST_SEATS,
    OPEN,
    Hole,
    Rules,
    Seat,
)
from pegboard.values import Field, Takes, fields_from


class Reason(TextEnum):
    """The reasons for points; None is used if no reason was stated."""

    PLAY = "play"
    GO = "go"
    THIRTY_ONE = "thirty-one"
    HEELS = "heels"
    HAND = "hand"
    CRIB = "crib"
    MUGGINS = "muggins"
    PENALTY = "penalty"


REASONS = tuple(Reason)

FOR_CARDS = (Reason.PLAY, Reason.GO, Reason.THIRTY_ONE)
"""The reasons for points scored by a card in the play."""

FAULTS = (Reason.MUGGINS, Reason.PENALTY)
"""The reasons for points awarded for an opponent's fault; they say nothing about the deal."""


class DealStage(TextEnum):
    """The stages of a deal that can be announced."""

    PLAY = "play"
    SHOW = "show"


class InPlaceChange(TextEnum):
    """Changes to a line in place, by the name of the command."""

    UNDO = "undo"
    REDO = "redo"
    AMEND = "amend"


class Unchanged(Enum):
    """Sentinel for a value that a correction leaves unchanged, because None is a valid value."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED


@dataclass(frozen=True, slots=True)
class Start:
    """Start a game; `dealer` None leaves the first deal to the table's policy.

    `format` starts a match of that format; None continues the current match if players and rules stay the same.
    `house` are the house rules that change `rules`, such as `muggins=on`; None leaves them to the table. `preset` is
    the printed rule sheet by which the variant of `rules` is played, before `house` changes it; None for no sheet.
    `pairing` is the game's id at an event, after the event's id and a slash; empty for a casual game.
    """

    rules: Rules
    players: tuple[str, ...]
    dealer: Seat | None = None
    format: str | None = None
    house: tuple[str, ...] | None = None
    pairing: str = ""
    preset: str | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """A game has started; `match` is the id of the match's first game, `replaces` that of the game abandoned for it.

    `note` says why that game was abandoned. `dealer_said`: whether someone named the dealer, instead of leaving the
    choice to the table's policy. `pairing` is the game's id at an event, such as "club-night-7/r3:p1-p7", or empty.
    """

    rules: Rules
    players: tuple[str, ...]
    dealer: Seat = 0
    match: str = ""
    replaces: str = ""
    format: str = OPEN
    note: str = ""
    dealer_said: bool = False
    pairing: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """Peg `points`, 0 to 29, for `seat`; or for `lane` if the seat is unknown, as with keys that partners share."""

    points: int
    seat: Seat | None = None
    lane: int | None = None
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class Penalize:
    """Award `points`, 1 to the game hole, to `seat` for an opponent's fault, described in `note`.

    After a fault of the deal, `redeal` is the seat that deals again; `accepted` means that `seat`, the pone, lets the
    deal stand. With either of them, `points` can be 0.
    """

    points: int
    seat: Seat
    note: str = ""
    fault: FaultName | None = None
    redeal: Seat | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Scored:
    """Points were claimed and pegged; stored as claimed, before the game hole cuts them short.

    `guessed`: a page of an older version guessed `why`; nobody stated it. The last three fields belong to a penalty:
    programs up to 0.2.0 ignore them, and read a plain penalty. After a redeal, they may take another line for the start
    of a later deal; if the dealer of each deal gets a head start, their pegs then differ by it.
    """

    lane: int
    points: int
    seat: Seat | None = None
    why: Reason | None = None
    note: str = ""
    guessed: bool = False
    fault: FaultName | None = None
    redeal: Seat | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class CallMuggins:
    """`seat` claims `claimed` points that another player missed; `missed` is the actual number, 0 for a wrong call.

    `opponent` is the seat awarded for a wrong call, given if there are several opponents.
    """

    seat: Seat
    claimed: int
    missed: int
    opponent: Seat | None = None


@dataclass(frozen=True, slots=True)
class MugginsCalled:
    """`caller` called muggins, and `points` were pegged in `lane`: the caller's, or an opponent's for a wrong call."""

    why: ClassVar[Reason] = Reason.MUGGINS

    lane: int
    points: int
    seat: Seat | None
    caller: Seat
    claimed: int
    missed: int


@dataclass(frozen=True, slots=True)
class Deal:
    """Announce a new deal before the next line (`new`), or name the current dealer (`new` False), even in mid-deal.

    If `new` is None, it is a new deal if anything has been scored since the last one began; otherwise the dealer is
    corrected. `dealer` None is the next in turn.
    """

    dealer: Seat | None = None
    new: bool | None = None


@dataclass(frozen=True, slots=True)
class Dealt:
    """The deal has passed; with `new` False, only the dealer of the current deal was corrected.

    If a crib has just passed the deal, it does not pass again, except in lines of older versions (`twice`).
    A dealer corrected `midway`, after scores in the deal, moves no head start and does not count as the first dealer.
    """

    dealer: Seat | None = None
    new: bool = True
    midway: bool = False
    twice: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """Announce the play or the show."""

    stage: DealStage


@dataclass(frozen=True, slots=True)
class Staged:
    """The play or the show was announced; no peg has moved."""

    stage: DealStage


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo a line; None is the newest line that is not undone. Lines count from 1."""

    line: int | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The line is undone."""

    line: int


@dataclass(frozen=True, slots=True)
class Restore:
    """Redo an undone line; None is the most recently undone one, if nothing else has happened since."""

    line: int | None = None


@dataclass(frozen=True, slots=True)
class Restored:
    """The line is redone, at its old place."""

    line: int


@dataclass(frozen=True, slots=True)
class Amend:
    """Correct a score or penalty of `was` points: its `points`, its reason or its player.

    At least one of them is given. `points` and `seat` None leave the value unchanged; `why` None removes the reason.
    """

    line: int
    points: int | None = None
    was: int | None = None
    why: Reason | Unchanged | None = UNCHANGED
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Amended:
    """The line now has these `points`, the reason `why`, and the player at `seat` (and that player's lane).

    Values that were not corrected are UNCHANGED, or None for points and seat.
    """

    line: int
    points: int | None = None
    why: Reason | Unchanged | None = UNCHANGED
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class OverPeg:
    """The score at `line` pegged `was` points; `points` was correct. `opponent` gets the award of the rules."""

    line: int
    points: int
    was: int
    opponent: Seat | None = None


@dataclass(frozen=True, slots=True)
class OverPegged:
    """Unless this is undone, `line` of `lane` counts `points` instead of its own `was`.

    `award` points are pegged in the lane `to`, or nowhere if `to` is None.
    """

    lane: int
    line: int
    points: int
    was: int
    to: int | None = None
    award: int = 0


@dataclass(frozen=True, slots=True)
class ClaimFalsely:
    """The score at `line` ended the game with `was` points; `points` was correct (ACC 8.4)."""

    line: int
    points: int
    was: int
    opponent: Seat | None = None


@dataclass(frozen=True, slots=True)
class FalselyClaimed:
    """Unless this is undone, `line` counts `points` instead of its own `was`, and `lane` goes back 15 holes.

    `award` is the overclaim as ruled at the table, pegged in the lane `to`, which is None if there is no opponent.
    """

    lane: int
    line: int
    points: int
    was: int
    to: int | None
    award: int


@dataclass(frozen=True, slots=True)
class PegBack:
    """Move the front peg of `seat` back by `holes`, 1 to the game hole."""

    seat: Seat
    holes: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class PeggedBack:
    """The front peg of `lane` went back by `holes`."""

    lane: int
    holes: int
    seat: Seat | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class SetPegs:
    """Set the pegs of `seat` by a judge's ruling."""

    seat: Seat
    front: Hole
    rear: Hole
    note: str = ""


@dataclass(frozen=True, slots=True)
class PegsSet:
    """The pegs of `lane` were set, regardless of earlier lines."""

    lane: int
    front: Hole
    rear: Hole
    seat: Seat | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Retract:
    """Roll the game back to the position after line `to`; 0 is the empty sheet."""

    to: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Retracted:
    """Unless this is undone, the lines between `to` and this one do not count."""

    to: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Confirm:
    """`seat` confirms that lane `winner` won with the front pegs at `fronts`."""

    seat: Seat
    winner: int | None
    fronts: tuple[Hole, ...]


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The player at `seat` confirmed the result; not a line of the sheet, and void if winner or front pegs change."""

    seat: Seat
    winner: int | None
    fronts: tuple[Hole, ...]


@dataclass(frozen=True, slots=True)
class Abandon:
    """Abandon the current game."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The game was abandoned: it does not count and cannot be resumed."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class Rename:
    """Correct the name of the player at `seat`, shown as `former`, to `to`."""

    seat: Seat
    former: str
    to: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """The player at `seat`, shown as `former`, was renamed `to` in every game of the match; not a line of the sheet."""

    seat: Seat
    former: str
    to: str


@dataclass(frozen=True, slots=True)
class Substitute:
    """Let `name` play on for the player at `seat`, shown as `former`, who leaves the game."""

    seat: Seat
    former: str
    name: str


@dataclass(frozen=True, slots=True)
class Substituted:
    """From here on, `name` plays at `seat`; no peg has moved, and the result stays with the seat."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class GiveHeadStart:
    """Let `seat` start `holes` ahead in this game, as a handicap."""

    seat: Seat
    holes: int


@dataclass(frozen=True, slots=True)
class HeadStartGiven:
    """The player at `seat` starts with the front peg of `lane` `holes` ahead; it stops short of the game hole."""

    lane: int
    holes: int
    seat: Seat


Award: TypeAlias = Scored | MugginsCalled
"""Points scored in normal play; after the end of the game they move nothing."""

Ruling: TypeAlias = OverPegged | FalselyClaimed | PeggedBack | PegsSet | Retracted
"""Rulings that correct the board, even after the end of the game."""

PointsRuling: TypeAlias = OverPegged | FalselyClaimed
"""A ruling on the points of a line: unless it is undone, the line counts the correct points."""

InPlace: TypeAlias = TakenBack | Restored | Amended
"""Changes to a line in place."""

Line: TypeAlias = Award | Dealt | Staged | Substituted | HeadStartGiven | Ruling
"""An event that is a line of the sheet."""

Command: TypeAlias = (
    Start
    | Score
    | Penalize
    | CallMuggins
    | Deal
    | Stage
    | TakeBack
    | Restore
    | Amend
    | OverPeg
    | ClaimFalsely
    | PegBack
    | SetPegs
    | Retract
    | Confirm
    | Abandon
    | Rename
    | Substitute
    | GiveHeadStart
)
Event: TypeAlias = Started | Line | InPlace | Confirmed | Abandoned | Renamed


# --- command table ---


class Base(TextEnum):
    """Optimistic locking: the revision that a command must name; it is refused if anything has happened since."""

    LANE = "lane"
    BOARD = "board"
    NONE = "none"


class Who(TextEnum):
    """The role that a command requires."""

    ANYBODY = "scorer"
    DIRECTOR = "director"
    DIRECTOR_WHEN_STRICT = "director when strict"


ENVELOPE = ("id", "game", "base", "replaces", "epoch")
"""Request fields around a command, which the rules do not see."""

_ID_FIELD = fields.text("16 to 64 characters from A-Z a-z 0-9 - _; new for each tap, same for a retry", REQUEST_ID)
_THE_GAME = fields.text("the id of the current game, from the state", GAME_ID)
_MATCH_GAME_FIELD = fields.text("the id of the current game, or of an earlier game of its match", GAME_ID)
_THE_EPOCH = fields.text_or_null(
    "the `epoch` of the state you saw (another journal refuses the command), or null", JOURNAL_ID
)
_BASES = {
    Base.LANE: "the lane's `revision` in the state you saw, a whole number",
    Base.BOARD: "the board's `revision` in the state you saw, a whole number",
    Base.NONE: "a revision you saw, a whole number, or null; not needed for this command",
}
_BASE_OR_LINE = "the board's `revision` in the state you saw, a whole number; not needed with an entry"

_MOST_REVISIONS = 2**53
"""Largest revision; up to this number, every JSON client represents whole numbers exactly."""

_LONGEST_HOUSE_RULE = 40
"""Maximum length of a house rule with its value."""


@dataclass(frozen=True)
class CommandRow:
    """A row of the command table.

    Attributes:
        do: the name of the command.
        command: the class of the command.
        event: the class of the resulting event.
        base: the revision that a request must name.
        who: the role that the command requires.
        names_line: whether a request can name a line; if it does, it needs no base.
        earlier_games: whether the command can apply to a finished game of the match.
        pegs_dialled: whether points keyed in but not yet pegged are pegged first.
        own_fields: the fields of a request other than `id`, `game`, `base`, `epoch` and `do`, in order: field types by
            attribute of the command.
        example: example values of these fields.
    """

    do: str
    command: type["Command"]
    event: type["Event"]
    base: Base = Base.BOARD
    who: Who = Who.ANYBODY
    names_line: bool = False
    earlier_games: bool = False
    pegs_dialled: bool = True
    own_fields: Fields = field(default_factory=dict)
    example: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def fields(self) -> dict[str, Field]:
        """All fields of a request, in order, by attribute of the command."""
        takes = _BASE_OR_LINE if self.names_line else _BASES[self.base]
        envelope = {
            "id": _ID_FIELD,
            "game": _MATCH_GAME_FIELD if self.earlier_games else _THE_GAME,
            "base": fields.number_or_null(takes, 0, _MOST_REVISIONS),
            "epoch": _THE_EPOCH,
            "do": Annotated[str, Takes(words=f'"{self.do}"', one_of=(self.do,))],
        }
        return {one.name: one for one in fields_from(envelope | dict(self.own_fields))}

    @property
    def makes_line(self) -> bool:
        """Whether the command adds a line to the sheet."""
        return self.event in get_args(Line)

    def needs_base(self, line: int | None) -> bool:
        """Whether a request that names this line (or None) must name a base."""
        return self.base is not Base.NONE and not (self.names_line and line is not None)


_START = {
    "game": fields.text_or_null("the id of the current game, or null", GAME_ID),
    "rules": fields.variant_name(),
    "players": fields.several(
        f"a list of 1 to {MOST_SEATS} names in seat order, each 1 to {LONGEST_NAME} characters",
        fields.player_name("a name"),
        1,
        MOST_SEATS,
    ),
    "house": fields.several_or_null(
        "a list of house rules from `GET /api/v1/settings`, chosen by a director; empty for the variant's or preset's"
        " own, null for the current rules (with another variant, the table's usual ones)",
        fields.text("a house rule such as muggins=on", least=1, most=_LONGEST_HOUSE_RULE),
        0,
        len(HOUSE_RULES),
    ),
    "preset": fields.preset_or_null(),
    "dealer": fields.seat_or_null("the seat that deals first", "to follow the house rules"),
    "replaces": fields.text_or_null("the id of the unfinished game to abandon for this one, or null", GAME_ID),
}
_A_START = {"variant": "standard", "players": ["Ann", "Bob"], "dealer": 0, "replaces": "5b0e7c1f92aa", "base": 24}

COMMANDS = (
    CommandRow("start", Start, Started, pegs_dialled=False, own_fields=_START, example=_A_START),
    CommandRow(
        "score",
        Score,
        Scored,
        Base.LANE,
        own_fields={
            "points": fields.points(0, MOST_AT_ONCE),
            "seat": fields.seat_or_null("a seat of this table", "if `lane` is given"),
            "lane": fields.number_or_null(
                f"a lane of this board, a whole number from 0 to {MOST_LANES - 1}, or null if `seat` is given",
                0,
                MOST_LANES - 1,
            ),
            "why": fields.member_or_null(Reason),
        },
        example={"seat": 0, "points": 6, "why": "hand", "base": 7},
    ),
    CommandRow(
        "deal",
        Deal,
        Dealt,
        own_fields={
            "dealer": fields.seat_or_null("the seat that deals", "for the next in turn"),
            "new": NotRequired[
                Annotated[
                    bool | None,
                    "true for a new deal, false if `dealer` deals the current one, or null for a new deal if anything"
                    " has been scored since the last one",
                ]
            ],
        },
        example={"dealer": 1, "new": True, "base": 24},
    ),
    CommandRow(
        "stage",
        Stage,
        Staged,
        own_fields={
            "stage": fields.member_of(DealStage),
        },
        example={"stage": "show", "base": 24},
    ),
    CommandRow(
        "undo",
        TakeBack,
        TakenBack,
        Base.BOARD,
        Who.DIRECTOR_WHEN_STRICT,
        names_line=True,
        earlier_games=True,
        own_fields={"line": fields.line_or("that is not undone")},
        example={"entry": "7"},
    ),
    CommandRow(
        "redo",
        Restore,
        Restored,
        Base.BOARD,
        Who.DIRECTOR_WHEN_STRICT,
        names_line=True,
        earlier_games=True,
        own_fields={"line": fields.line_or("that is undone")},
        example={"entry": "7"},
    ),
    CommandRow(
        "amend",
        Amend,
        Amended,
        Base.NONE,
        Who.DIRECTOR_WHEN_STRICT,
        earlier_games=True,
        own_fields={
            "line": fields.line(),
            "points": NotRequired[fields.points(0, fields.LAST_HOLE)],
            "why": fields.member_or_null(Reason, " to remove it"),
            "seat": NotRequired[fields.seat("the seat of the player who scored")],
            "was": fields.points_seen(),
        },
        example={"entry": "7", "points": 6, "why": "hand", "was": 5},
    ),
    CommandRow(
        "penalty",
        Penalize,
        Scored,
        Base.LANE,
        own_fields={
            "seat": fields.seat("the seat that gets the award"),
            "points": fields.points(0, fields.LAST_HOLE),
            "note": fields.note(),
            "fault": fields.member_or_null(FaultName),
            "redeal": fields.seat_or_null("the seat that deals again after a fault of the deal", "if nobody does"),
            "accepted": NotRequired[
                Annotated[bool, "true if `seat`, the pone, lets the deal stand after a fault of the deal, or false"]
            ],
        },
        example={"seat": 1, "points": 2, "note": "a six", "fault": "renege", "base": 3},
    ),
    CommandRow(
        "muggins",
        CallMuggins,
        MugginsCalled,
        own_fields={
            "seat": fields.seat("the seat that calls"),
            "claimed": fields.points(1, MOST_AT_ONCE, "the points claimed, "),
            "missed": fields.points(0, MOST_AT_ONCE, "the points actually missed, 0 for a wrong call, "),
            "opponent": fields.opponent(),
        },
        example={"seat": 1, "claimed": 4, "missed": 4, "base": 24},
    ),
    CommandRow(
        "over_peg",
        OverPeg,
        OverPegged,
        Base.NONE,
        Who.DIRECTOR_WHEN_STRICT,
        earlier_games=True,
        own_fields={
            "line": fields.line(),
            "points": fields.points(0, fields.LAST_HOLE, "the actual points, "),
            "was": fields.points_seen(),
            "opponent": fields.opponent(),
        },
        example={"entry": "7", "points": 4, "was": 6},
    ),
    CommandRow(
        "peg_back",
        PegBack,
        PeggedBack,
        Base.LANE,
        Who.DIRECTOR,
        earlier_games=True,
        own_fields={
            "seat": fields.seat("the seat whose peg goes back"),
            "holes": fields.points(1, fields.LAST_HOLE),
            "note": fields.note(),
        },
        example={"seat": 0, "holes": 3, "note": "talked of the cards", "base": 7},
    ),
    CommandRow(
        "set_pegs",
        SetPegs,
        PegsSet,
        Base.LANE,
        Who.DIRECTOR,
        earlier_games=True,
        own_fields={
            "seat": fields.seat("the seat of the pegs"),
            "front": fields.points(0, fields.LAST_HOLE, "the hole of the front peg, "),
            "rear": fields.points(0, fields.LAST_HOLE, "the hole of the rear peg, "),
            "note": fields.note(required=True),
        },
        example={"seat": 0, "front": 105, "rear": 97, "note": "pegs fell", "base": 7},
    ),
    CommandRow(
        "false_claim",
        ClaimFalsely,
        FalselyClaimed,
        Base.NONE,
        Who.DIRECTOR,
        earlier_games=True,
        own_fields={
            "line": fields.line(),
            "points": fields.points(0, fields.LAST_HOLE, "the actual points, "),
            "was": fields.points_seen(),
            "opponent": fields.opponent(),
        },
        example={"entry": "7", "points": 8, "was": 11, "opponent": 1},
    ),
    CommandRow(
        "retract",
        Retract,
        Retracted,
        Base.BOARD,
        Who.DIRECTOR,
        earlier_games=True,
        own_fields={
            "to": fields.line('the id of the line to go back to, or "0" for the empty sheet', key=""),
            "note": fields.note(),
        },
        example={"to": "4", "note": "renege", "base": 24},
    ),
    CommandRow(
        "abandon",
        Abandon,
        Abandoned,
        Base.BOARD,
        Who.DIRECTOR_WHEN_STRICT,
        pegs_dialled=False,
        own_fields={"note": fields.note()},
        example={"note": "the train leaves", "base": 24},
    ),
    CommandRow(
        "confirm",
        Confirm,
        Confirmed,
        Base.NONE,
        earlier_games=True,
        own_fields={
            "seat": fields.seat("the seat that confirms"),
            "winner": Annotated[
                int | None,
                Takes(
                    words=f"the lane that won, a whole number from 0 to {MOST_LANES - 1}, or null if nobody did",
                    least=0,
                    most=MOST_LANES - 1,
                ),
            ],
            "fronts": fields.several(
                f"a list of the holes of 1 to {MOST_LANES} front pegs, in lane order, each from 0 to"
                f" {fields.LAST_HOLE}",
                fields.whole_number(f"a hole, 0 to {fields.LAST_HOLE}", 0, fields.LAST_HOLE),
                1,
                MOST_LANES,
            ),
        },
        example={"seat": 1, "winner": 0, "fronts": [121, 88]},
    ),
    CommandRow(
        "rename",
        Rename,
        Renamed,
        Base.NONE,
        Who.DIRECTOR_WHEN_STRICT,
        pegs_dialled=False,
        own_fields={
            "seat": fields.seat("the seat of the player"),
            "to": fields.player_name(f"the correct name, 1 to {LONGEST_NAME} characters"),
            "former": fields.text("the name you saw in the state", least=1, key="from"),
        },
        example={"seat": 1, "from": "Bbo", "to": "Bob"},
    ),
    CommandRow(
        "substitute",
        Substitute,
        Substituted,
        Base.NONE,
        Who.DIRECTOR_WHEN_STRICT,
        own_fields={
            "seat": fields.seat("the seat of the player who leaves"),
            "former": fields.text("the name of that player, as you saw it in the state", least=1),
            "name": fields.player_name(f"the name of the player who plays on, 1 to {LONGEST_NAME} characters"),
        },
        example={"seat": 0, "former": "Ann", "name": "Cy"},
    ),
    CommandRow(
        "head_start",
        GiveHeadStart,
        HeadStartGiven,
        Base.LANE,
        Who.DIRECTOR_WHEN_STRICT,
        own_fields={
            "seat": fields.seat("the seat that starts ahead"),
            "holes": fields.points(1, fields.LAST_HOLE),
        },
        example={"seat": 1, "holes": 20, "base": 0},
    ),
    CommandRow(
        "start_match",
        Start,
        Started,
        who=Who.DIRECTOR,
        pegs_dialled=False,
        own_fields=_START
        | {
            "format": fields.text(
                f"the match's format: {', '.join(FORMATS)}, or {FIRST_TO}N with N from 1 to {LONGEST_MATCH}",
                f"({'|'.join(FORMATS)}|{FIRST_TO}{LENGTH_PATTERN})",
            ),
        },
        example=_A_START | {"format": "best of 3"},
    ),
)
"""All commands; used by decisions, wire format, request schemas, OpenAPI document and pages."""

ROWS = {row.do: row for row in COMMANDS}
"""The rows by command name."""

_BY_COMMAND = {row.command: row for row in reversed(COMMANDS)}

_BY_EVENT = {row.event: row for row in reversed(COMMANDS)}


def row_of(command: Command) -> CommandRow:
    """The row of a command; a start with a format starts a match."""
    if isinstance(command, Start) and command.format is not None:
        return ROWS["start_match"]
    return _BY_COMMAND[type(command)]


def row_of_event(event: Event) -> CommandRow:
    """The first row that can produce an event; for a penalty, the row of a score."""
    return _BY_EVENT[type(event)]
