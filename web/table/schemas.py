"""JSON schemas of the table's state, score sheet and receipts; validation and schemas of command requests."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pegboard.core import wire
from pegboard.core.faults import FaultName, Until
from pegboard.core.moves import COMMANDS, ROWS, Command, CommandRow, DealStage, Reason
from pegboard.core.position import Phase
from pegboard.core.rules import FirstDeal, HeelsLimit, OverpegAward
from pegboard.values import Components, Misfit, Takes, fields_from, object_schema, schema
from web.kit.documented_endpoints import problem_of_misfit, wrong_field
from web.kit.openapi_writer import MessageJson

# --- command requests, from the table of commands ---


def _maxima(row: CommandRow) -> dict[str, int]:
    """The maximum of each number, and the maximum characters of each note and name, by field."""
    schemas = {one.key: schema(one.kind, {}) for one in fields_from(row.own_fields)}
    found = {key: one.get("maximum", one.get("maxLength")) for key, one in schemas.items()}
    return {key: most for key, most in found.items() if most is not None}


COMMANDS_ON_PAGES: list[dict[str, Any]] = [
    {"do": row.do, "base": row.base, "who": row.who, "names_line": row.names_line, "most": _maxima(row)}
    for row in COMMANDS
]
"""The properties of each command that the pages' scripts need, in the order of the table."""


def read_command(values: Mapping[str, Any]) -> tuple[dict[str, Any], Command]:
    """Validate a request, and split it into its envelope (`ENVELOPE`) and the command.

    Raises:
        Problem: 422, the command is unknown, or a field is unknown, missing or wrong.
    """
    do = values.get("do")
    if not isinstance(do, str) or do not in ROWS:
        raise wrong_field("do", f"one of {', '.join(ROWS)}", values)
    try:
        return wire.read_request(values)
    except Misfit as error:
        raise problem_of_misfit(error, values, ROWS[do].fields.values(), do) from None


def command_schema(components: Components) -> dict[str, Any]:
    """The JSON schema of a command request; the schema of each command is added to `components`."""
    names = {row.do: "".join(word.capitalize() for word in row.do.split("_")) for row in COMMANDS}
    for row in COMMANDS:
        components[names[row.do]] = object_schema(tuple(row.fields.values()), components, strict=True)
    refs = {do: f"#/components/schemas/{name}" for do, name in names.items()}
    return {
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "do", "mapping": refs},
    }


# --- schemas of a line of the score sheet with its changes ---


class ChangeJson(TypedDict):
    """A change to a line."""

    did: Annotated[Literal["undo", "redo", "amend"], "the change"]
    source: Annotated[str, "how it was entered, such as phone or button"]
    at: Annotated[float, "seconds since 1970"]
    was: Annotated[int | None, "`amend`: the points before, or null if unchanged"]
    was_why: NotRequired[Annotated[Reason | None, "`amend`: the reason before, if that changed"]]
    was_seat: NotRequired[Annotated[int | None, "`amend`: the seat before, if that changed"]]
    was_lane: NotRequired[Annotated[int, "`amend`: the lane before, if the seat changed"]]


class LikelyJson(TypedDict):
    """The most likely reason for points."""

    why: Annotated[Reason | None, "the reason, or null for an award pegged as a score"]
    sure: Annotated[float, "how likely this reason is, 0 to 1"]


class EntryJson(TypedDict):
    """A line of the score sheet; which of the further fields it has depends on `do`."""

    id: str
    do: Annotated[str, Takes(one_of=tuple(sorted(row.do for row in COMMANDS if row.makes_line)))]
    seat: Annotated[int | None, "the seat, if the line belongs to one player"]
    lane: Annotated[int | None, "the lane, if the line is about one"]
    points: Annotated[int | None, "points as claimed; for a ruling, the actual points"]
    why: Annotated[Reason | None, "the reason for the points; null if nobody gave one"]
    guessed: NotRequired[Annotated[bool, "true if a page of an older version guessed `why`"]]
    likely: NotRequired[Annotated[LikelyJson, "the most likely reason, if nobody gave one and the line counts"]]
    source: Annotated[str, "how it was entered, such as phone or button"]
    at: Annotated[float, "seconds since 1970"]
    stands: Annotated[bool, "false if undone"]
    counts: Annotated[bool, "false if undone, rolled back, or after the end of the game"]
    dealer: NotRequired[Annotated[int, "deal: the seat that deals"]]
    stage: NotRequired[Annotated[DealStage, "stage: the stage of the deal that starts"]]
    front_before: NotRequired[Annotated[int, Takes(words="if there is a lane: its score before the line", key="from")]]
    front_after: NotRequired[Annotated[int, Takes(words="if there is a lane: its score after the line", key="to")]]
    note: NotRequired[Annotated[str, "the note, if there is one"]]
    entry: NotRequired[
        Annotated[str, 'ruling: the line it is about; retract: the line to go back to, "0" for the start']
    ]
    awarded: NotRequired[Annotated[int | None, "over_peg, false_claim: the lane that gets the award, or null"]]
    was: NotRequired[Annotated[int, "over_peg, false_claim: the points on the line ruled on"]]
    award: NotRequired[Annotated[int, "over_peg, false_claim: the points awarded"]]
    holes: NotRequired[
        Annotated[int, "peg_back, false_claim: how many holes a peg goes back; head_start: how many it starts ahead"]
    ]
    name: NotRequired[Annotated[str, "substitute: who plays at the seat from here on"]]
    former: NotRequired[Annotated[str, "substitute: who played there until then"]]
    by: NotRequired[Annotated[str, "if someone took over a seat: who played at the seat or lane of this line then"]]
    front: NotRequired[Annotated[int, "set_pegs: the hole of the front peg"]]
    rear: NotRequired[Annotated[int, "set_pegs: the hole of the rear peg"]]
    caller: NotRequired[Annotated[int, "muggins: the seat that called"]]
    claimed: NotRequired[Annotated[int, "muggins: the points claimed"]]
    missed: NotRequired[Annotated[int, "muggins: the points actually missed, 0 for a wrong call"]]
    fault: NotRequired[Annotated[FaultName, "penalty: the fault, if it was named"]]
    redeal: NotRequired[Annotated[int, "penalty: the seat that deals again"]]
    accepted: NotRequired[Annotated[bool, "penalty: true if the pone at `seat` lets the deal stand"]]
    ruled_by: NotRequired[Annotated[str, "the ruling on this line, unless that ruling is undone"]]
    truth: NotRequired[Annotated[int, "under an over_peg or false_claim: the points that count"]]
    retracted: NotRequired[Annotated[bool, "true if a retract rolled the line back"]]
    history: NotRequired[Annotated[list[ChangeJson], "changes to the line, oldest first"]]


class UsualPenaltyJson(TypedDict):
    """The usual award to the opponent for a fault."""

    fault: Annotated[FaultName, "the fault's name"]
    points: Annotated[int, "the usual award"]


class UsualFaultJson(UsualPenaltyJson):
    """A common fault by the rules of a game."""

    until: Annotated[
        Until | None,
        "when it is too late to claim it: once the pone has looked at the cards, at the show (shown), once the pone has"
        " taken up the cards, once the starter is turned up, never (always), or the rules do not say (unstated); null"
        " for a fault that leaves the deal as it is",
    ]


class FaultsJson(TypedDict):
    """The common faults."""

    faults: Annotated[list[UsualFaultJson], "each fault, in the order in which the pages offer them; `points` can be 0"]


class RulesJson(TypedDict):
    """The rules of the game, as far as they affect what can be done."""

    worth: Annotated[
        list[int], "match points for a win, a skunk and a double skunk; a triple skunk is worth as much as a double one"
    ]
    first_deal: Annotated[FirstDeal, "who deals first in the next game"]
    heels_limit: Annotated[HeelsLimit, "where heels near the game hole score nothing"]
    muggins: Annotated[bool, "whether muggins is played"]
    misdeal: Annotated[int, "points usually awarded for a misdeal, 0 for none"]
    pone_chooses: Annotated[bool, "whether the pone may let the deal stand after a misdeal"]
    overpeg_award: Annotated[OverpegAward, "the opponent's award for over-pegging"]
    strict: Annotated[bool, "whether only a director can correct lines"]
    peg_out: Annotated[bool, "whether the winner must confirm the winning peg at the keys"]
    pegging_only: Annotated[bool, "whether hands have three cards, as in five-card cribbage"]
    lurch: Annotated[bool, "whether the only skunk line is the lurch line at halfway"]
    penalties: Annotated[
        list[UsualPenaltyJson], "the faults that cost points, each with its usual award to the opponent"
    ]
    crib_flush: Annotated[int, "cards of one suit needed for a flush in the crib: 5, or 4 as a house rule"]
    enough: Annotated[int, "the hole that is enough to win after the last deal, as in solitaire; 0 for none"]


class WhereJson(TypedDict):
    """A possible stage of a deal."""

    dealer: Annotated[int | None, "the seat that deals; null until the cards are cut for the first deal"]
    phase: Annotated[str, Takes(one_of=(Phase.PLAY, Phase.HAND, Phase.CRIB))]
    to_count: Annotated[int | None, "in the phase hand: the seat that counts next"]
    sure: Annotated[float, "how likely this is, 0 to 1"]


class PresetJson(TypedDict):
    """The printed rule sheet that a game is played by, and what the players changed in it."""

    name: str
    chosen: Annotated[list[str], "options of the sheet that the players chose, such as game hole=61"]
    changed: Annotated[list[str], "house rules that the sheet does not have, such as muggins=on"]


class GameJson(TypedDict):
    """The running game.

    Dealer, phase and the hand to count next are derived from the whole sheet, as the likeliest course of the game;
    later lines can change values that nobody has stated.
    """

    id: str
    pairing: NotRequired[Annotated[str, "for a game of an event: the event's id, a slash and the pairing's id"]]
    preset: NotRequired[Annotated[PresetJson, "if a preset was chosen"]]
    variant: str
    game_hole: int
    skunk_lines: Annotated[list[int], "the skunk lines, highest first; a loser at or below a line is skunked"]
    rules: RulesJson
    deal: Annotated[int, "the number of the deal, from 1"]
    phase: Phase
    to_count: Annotated[int | None, "in the phase hand: the seat that counts next"]
    scored: Annotated[bool, "whether anything has been scored in this deal"]
    sure: Annotated[float, "how likely dealer, phase and to_count are, 0 to 1"]
    dealer_sure: Annotated[float, "how likely the dealer is, 0 to 1"]
    otherwise: Annotated[WhereJson | None, "the next likely stage of the deal if `sure` is below 0.6; otherwise null"]
    ask_deal: Annotated[bool, "whether each new deal must be marked, because its dealer starts ahead"]
    says: Annotated[str, "the stage of the game in words, as said at the table"]
    over: bool
    winner: Annotated[int | None, "a lane"]
    unconfirmed: Annotated[
        list[int], "once the game is over: the lanes whose players must still confirm, if the rules require it"
    ]
    dealer_next: Annotated[int | None, "the seat that deals first in the next game, once this one is over"]


class MatchJson(TypedDict):
    """The match that the running game belongs to."""

    id: Annotated[str, "the id of its first game"]
    format: Annotated[str, "open, single, best of 3 ... first to 9"]
    to_win: Annotated[int | None, "games needed to win, or null if the match has no end"]
    counted: Annotated[list[int], "by lane: games won as they count toward the match; a skunk can count as two"]
    winner: Annotated[int | None, "the lane that won, or null"]


class SeatJson(TypedDict):
    """A player's place at the table."""

    name: str
    lane: int
    confirmed: Annotated[bool, "whether the player has confirmed the result"]


class LikelyNextJson(TypedDict):
    """The reason and the points that are usually pegged next."""

    why: Annotated[Literal["play", "hand", "crib"], "the reason"]
    points: Annotated[list[int], "the usual amounts"]


class LaneJson(TypedDict):
    """A row of holes and its two pegs."""

    front: Annotated[int, "the front peg's hole: the score"]
    rear: Annotated[int, "the rear peg's hole: the previous score"]
    revision: Annotated[int, "the `base` of the next score"]
    dialled: Annotated[int, "points keyed in but not yet pegged"]
    skunks: Annotated[int, "once the game is over: how many skunk lines it did not pass"]
    games_won: int
    match_points: int
    spread: Annotated[int, "in the match: holes won minus holes lost"]
    awarded: Annotated[int, "points awarded in this game for opponents' faults"]
    corrections: Annotated[int, "number of corrections to the lane in this game"]
    pinned_by: Annotated[str | None, "the line in which a judge set the pegs, or null"]
    likely: Annotated[LikelyNextJson | None, "what the lane most likely pegs next; null if it is not its turn"]


class NeedsJson(TypedDict):
    """The holes that a lane still needs."""

    out: Annotated[int, "holes to the game hole"]
    save: Annotated[int | None, "holes needed to pass the next skunk line, or null if all are passed"]
    skunks: Annotated[int | None, "the skunk this would avoid: 1 for a skunk, 2 for a double skunk, or null"]


class DeviceJson(TypedDict):
    """A display or an input."""

    name: str
    trouble: Annotated[str | None, "what is wrong, possibly shortened; null if the device works"]
    trouble_message: NotRequired[Annotated[MessageJson, "`trouble` as a message, unless that is too long"]]


class AlarmJson(TypedDict):
    """An alarm, which every window shows until a person dismisses it."""

    id: Annotated[str, "the id for dismissing it"]
    text: Annotated[str, "what happened"]
    message: Annotated[MessageJson | None, "`text` as a message, for translation; null if too long"]
    lasts: Annotated[
        bool,
        "whether the cause lasts; if so, the alarm clears by itself once the cause is gone, and nobody can dismiss it",
    ]
    director: Annotated[bool, "whether only a director can dismiss it (in a strict game, if scores may be lost)"]


class NextSeatJson(TypedDict):
    """The next game of the player of a seat: table, opponent, and whether the player deals first."""

    table: Annotated[str | None, "the table's name; null if no next game is known"]
    against: Annotated[str, "the opponent's name"]
    deals: Annotated[bool | None, "whether the player deals first; null if the cards are cut"]
    stays: Annotated[bool, "whether the next game is at this table"]


class CallJson(TypedDict):
    """A call from this table."""

    kind: Annotated[Literal["judge", "director"], Takes(words="the helper called", key="for")]
    needed: Annotated[int, "how many helpers are needed"]
    accepted: Annotated[list[str], "names of the helpers who are coming"]


class EventJson(TypedDict):
    """The event that the table plays in."""

    name: Annotated[str, "the event's name"]
    table: Annotated[str, "this table's name in the event"]
    round: Annotated[int | None, "the round of the current game; null if it is not a game of the event"]
    rounds: Annotated[int | None, "number of rounds; null if unknown"]
    settled: Annotated[
        str | None,
        "how the finished game came to count at the hub, if not all players confirmed it here; otherwise null",
    ]
    settled_message: Annotated[MessageJson | None, "`settled` as a message, if short enough"]
    next: Annotated[list[NextSeatJson], "by seat, once the game is over and confirmed or settled; otherwise empty"]
    here: Annotated[list[str], "names of the players waiting for their next game at this table"]
    calls: Annotated[list[CallJson], "open calls from this table"]
    linked: Annotated[bool, "whether the hub is connected"]
    unsent: Annotated[
        bool,
        "true if the finished game has been waiting for the hub for a while; a phone can take its code to the hub",
    ]
    announcement: Annotated[str, "the director's message to all, possibly shortened; empty if none"]


class StateJson(TypedDict):
    """The whole state of the table."""

    epoch: str
    revision: Annotated[int, "the number of the journal's newest event"]
    game: GameJson
    match: MatchJson
    seats: list[SeatJson]
    dealer: Annotated[int | None, "the dealer's seat; null until the first dealer is known"]
    lanes: list[LaneJson]
    needs: Annotated[list[NeedsJson], "by lane"]
    entries: Annotated[list[EntryJson], "the newest ten lines, newest first; fewer if they do not fit in 4 kB"]
    undo: Annotated[str | None, "the line that an undo would undo; may be older than those in `entries`"]
    redo: Annotated[str | None, "the line that a redo would redo"]
    notice: Annotated[str | None, "the latest refusal of a key press, or the question it raised"]
    notice_message: Annotated[MessageJson | None, "`notice` as a message, for translation; null if too long"]
    devices: Annotated[list[DeviceJson], "as many displays and inputs as fit, those with problems first"]
    alarms: Annotated[list[AlarmJson], "as many alarms as fit: lasting ones first, then newest first"]
    event: NotRequired[Annotated[EventJson, "the event the table is in, if any"]]


class SheetJson(TypedDict):
    """The whole score sheet of a game."""

    epoch: str
    revision: Annotated[int, "the number of the journal's newest event"]
    game: Annotated[str, "the id of the game"]
    revisions: Annotated[list[int], "by lane: the `base` of commands for that lane"]
    entries: Annotated[list[EntryJson], "every line, newest first"]


class ReceiptJson(TypedDict):
    """The result of a command."""

    replayed: Annotated[bool, "whether the command had been accepted before"]
    entry: Annotated[str | None, "the line added or changed"]
    note: NotRequired[Annotated[str, "what was not done in full, if anything"]]
    state: StateJson
