"""A second reading of what a table refuses, by the codes that a refusal may have, and of what is the director's."""

import unicodedata

from pegboard.core.moves import (
    UNCHANGED,
    Amend,
    CallMuggins,
    ClaimFalsely,
    Confirm,
    Deal,
    GiveHeadStart,
    OverPeg,
    PegBack,
    Penalize,
    Rename,
    Restore,
    Retract,
    Score,
    SetPegs,
    Stage,
    Substitute,
    TakeBack,
)
from tests.oracles.score_keeper import HEELS_FROM, RULINGS

MOST = {
    None: 29,
    "play": 15,
    "thirty-one": 15,
    "go": 1,
    "heels": 2,
    "hand": 29,
    "crib": 29,
    "muggins": 29,
    "penalty": 29,
}
LEAST = {"go": 1, "heels": 2, "thirty-one": 2}


def refusals(sheet, command):
    """The codes with which the command may be refused; empty when it is to be taken."""
    return set(JUDGED[type(command)](sheet, command))


def can_be(sheet, points, why):
    impossible = why in ("hand", "crib") and points in (19, 25, 26, 27)
    if why == "hand" and sheet.rules["pegging_only"]:  # three cards and the starter
        impossible = points > 15 and points != 20
    return LEAST.get(why, 0) <= points <= MOST[why] and not impossible


def can_say(sheet, line, points):
    """Whether a score or penalty that has been made can have had so many."""
    return 1 <= points <= sheet.now.hole if line["why"] == "penalty" else can_be(sheet, points, line["why"])


def can_be_true(sheet, line, points):
    """Nothing at all can always be the truth: it was no go, no heels, no fault."""
    return points == 0 or can_say(sheet, line, points)


def is_seat(sheet, seat):
    return 0 <= seat < sheet.rules["seats"]


def score(sheet, asked):
    now, lanes = sheet.now, sheet.rules["lanes"]
    lane = asked.lane if asked.seat is None else asked.seat % lanes
    sits = asked.seat is None or is_seat(sheet, asked.seat)
    if not sits or lane not in range(lanes) or asked.lane not in (None, lane):
        yield "rule"
    elif asked.why in ("heels", "crib") and not now.over:
        alone = sheet.rules["seats"] == lanes
        yield from the_dealers_own(sheet, lane if alone else asked.seat, lane, asked.why)
    if not can_be(sheet, asked.points, asked.why) or (asked.why == "muggins" and not plays_muggins(sheet)):
        yield "rule"
    if asked.why == "penalty" and (lanes == 1 or asked.points < 1):
        yield "rule"
    if now.over:
        yield "over"


def the_dealers_own(sheet, seat, lane, why):
    """Heels and cribs must not contradict what was said and no score lies between; heels may count no longer."""
    now, said = sheet.now, sheet.said_to_deal()
    if said is not None and (lane_of(sheet, said) != lane or seat not in (None, said)):
        yield "rule"
    if why == "crib":
        return
    line = sheet.newest_of_the_deal()
    if line and line["kind"] == "scored" and not guessed(line):
        played = line["why"] in ("play", "go", "thirty-one")
        if line["why"] == "heels" or (played and seat is not None and seat == line["seat"]):
            yield "rule"
    front = now.pegs[lane][0]
    if now.phase == "crib" and now.lane_of(now.left_of(now.dealer)) == lane and front < now.hole - 1:
        front = min(front + now.rules.get("dealer_start", 0), now.hole - 1)
    if front >= now.hole - HEELS_FROM[now.rules["heels_limit"]]:
        yield "rule"


def plays_muggins(sheet):
    return sheet.rules["muggins"] and sheet.rules["lanes"] > 1


def penalty(sheet, asked):
    if not is_seat(sheet, asked.seat) or sheet.rules["lanes"] == 1 or not 1 <= asked.points <= sheet.now.hole:
        yield "rule"
    if sheet.now.over:
        yield "over"


def muggins(sheet, asked):
    if not plays_muggins(sheet) or not is_seat(sheet, asked.seat):
        yield "rule"
    else:
        yield from opponent(sheet, asked.seat % sheet.rules["lanes"], asked.opponent)
    if not (1 <= asked.claimed <= 29 and 0 <= asked.missed <= 29):
        yield "rule"
    if sheet.now.over:
        yield "over"


def opponent(sheet, lane, named):
    lanes = sheet.rules["lanes"]
    if named is None:
        if lanes > 2:
            yield "rule"
    elif not is_seat(sheet, named) or named % lanes == lane:
        yield "rule"


def deal(sheet, asked):
    now = sheet.now
    if (asked.dealer is None and asked.new is False) or not (asked.dealer is None or is_seat(sheet, asked.dealer)):
        yield "rule"
    elif now.over:
        yield "over"
    elif asked.new is False:
        if asked.dealer == sheet.said_to_deal():
            yield "already"
    elif begins(sheet, asked):
        return
    else:
        later = any(line["kind"] == "dealt" and line["new"] for line in sheet.counting())
        if asked.dealer is None:
            again = later or sheet.rules["seats"] == 1
        else:
            again = asked.dealer == sheet.said_to_deal() or (asked.new and later)
        if again:
            yield "already"


def begins(sheet, asked):
    """Whether DEAL begins a new deal, rather than putting the dealer of this one right."""
    return asked.new is not False and (sheet.scored_in_this_deal() or sheet.now.deal == sheet.rules["last_deal"])


def stage(sheet, asked):
    if asked.stage not in ("play", "show") or sheet.rules["seats"] == 1:
        yield "rule"
    if sheet.now.over:
        yield "over"
    standing = [line for line in sheet.lines if line["stands"]]
    if standing and standing[-1].get("stage") == asked.stage:
        yield "already"


def a_line(sheet, line):
    """Nothing, when the line is there, stands and is under no ruling."""
    if not 1 <= line <= len(sheet.lines):
        yield "rule"
    elif not sheet.lines[line - 1]["stands"] or sheet.ruled_by(line) is not None:
        yield "already"


def take_back(sheet, asked):
    standing = [n for n, line in enumerate(sheet.lines, 1) if line["stands"]]
    if asked.line is not None:
        yield from a_line(sheet, asked.line)
    elif not standing or sheet.ruled_by(standing[-1]):
        yield "already"
    line = asked.line if asked.line is not None else (standing or [0])[-1]
    if line in standing and sheet.ruled_by(line) is None:
        yield from for_themselves(sheet, "taken_back", line)


def for_themselves(sheet, kind, line):
    """Somebody would take over from themselves, where they do not now."""
    is_of_seats = sheet.lines[line - 1]["kind"] in ("substituted", "retracted")
    if is_of_seats and takeovers_of_nobody(sheet.after(kind, {"line": line})) - takeovers_of_nobody(sheet):
        yield "already"


def takeovers_of_nobody(sheet):
    found = set()
    for n, line in enumerate(sheet.lines, 1):
        if line["kind"] == "substituted" and sheet.counts(n):
            there = sheet.at(n - 1).seated.get(line["seat"], {"name": sheet.began[line["seat"]]})
            if look(there["name"]) == look(line["name"]):
                found.add(n)
    return found


def put_back(sheet, asked):
    if asked.line is None and not sheet.undone:
        yield "already"
        return
    n = sheet.undone[-1] if asked.line is None else asked.line
    if not 1 <= n <= len(sheet.lines):
        yield "rule"
        return
    line = sheet.lines[n - 1]
    if line["stands"] or sheet.ruled_by(n) is not None:
        yield "already"
    yield from beside_other_lines(sheet, n, line)


def beside_other_lines(sheet, n, line):
    """What other lines say against the redo of this one."""
    if line["kind"] in ("over_pegged", "falsely_claimed"):
        yield from a_line(sheet, line["line"])
        named = sheet.lines[line["line"] - 1]
        if named["points"] != line["was"] or named["lane"] != line["lane"]:
            yield "moved"
    if line["kind"] == "retracted":
        yield from tears(sheet, line["to"], n)
    if line["kind"] == "substituted" and cannot_be_called(sheet, line["seat"], line["name"]):
        yield "rule"
    if not line["stands"]:
        yield from for_themselves(sheet, "restored", n)
    if line["kind"] == "head_start_given":
        others = [m for m, other in enumerate(sheet.lines, 1) if other["kind"] == line["kind"] and m != n]
        if any(sheet.counts(m) and sheet.lines[m - 1]["lane"] == line["lane"] for m in others):
            yield "already"
    elif line["kind"] not in ("dealt", "staged", "substituted"):
        later = range(n + 1, len(sheet.lines) + 1)
        if any(sheet.counts(m) and sheet.lines[m - 1]["kind"] == "head_start_given" for m in later):
            yield "already"


def tears(sheet, to, before):
    """Whether a ruling and the line it names would be torn apart by leaving out what lies between."""
    if to and sheet.withdrawn(to):
        yield "already"
    for n, line in enumerate(sheet.lines, 1):
        if line["stands"] and line["kind"] in ("over_pegged", "falsely_claimed"):
            if n >= before > line["line"] > to:
                yield "already"
            if line["line"] <= to < n < before:
                yield "rule"


def a_score(sheet, asked):
    yield from a_line(sheet, asked.line)
    if 1 <= asked.line <= len(sheet.lines):
        line = sheet.lines[asked.line - 1]
        if line["kind"] != "scored":
            yield "rule"
        elif line["points"] != asked.was:
            yield "moved"


def amend(sheet, asked):
    given = amended(asked)
    if not given:
        yield "rule"
    yield from a_score(sheet, asked)
    if given and 1 <= asked.line <= len(sheet.lines) and sheet.lines[asked.line - 1]["kind"] == "scored":
        line = sheet.lines[asked.line - 1]
        then = line | given
        if (then["why"] == "penalty") != (line["why"] == "penalty"):
            yield "rule"
        if then["why"] == "muggins" != line["why"] and not plays_muggins(sheet):
            yield "rule"
        if not can_say(sheet, then, then["points"]):
            yield "rule"
        if "seat" in given:
            yield from another_players(sheet, asked.line, given["seat"])
        elif then == line and not ("why" in given and guessed(line)):
            yield "already"


def amended(asked):
    """What an amendment gives: points, a reason, or whose they are."""
    given = {"points": asked.points, "why": asked.why, "seat": asked.seat}
    return {name: value for name, value in given.items() if value is not (UNCHANGED if name == "why" else None)}


def guessed(line):
    """Pages of older versions wrote down a reason that nobody had said, but for these."""
    return line.get("v", 3) < 3 and line["why"] not in (None, "go", "heels", "muggins", "penalty")


def another_players(sheet, n, seat):
    """A line goes to another player's lane, unless pegs of one of the lanes were set after it."""
    line = sheet.lines[n - 1]
    if not is_seat(sheet, seat):
        yield "rule"
    elif seat == line["seat"]:
        yield "already"
    elif lane_of(sheet, seat) == line["lane"]:
        yield "rule"
    else:
        lanes = (line["lane"], lane_of(sheet, seat))
        later = [m for m in range(n + 1, len(sheet.lines) + 1) if sheet.lines[m - 1]["kind"] == "pegs_set"]
        if any(sheet.lines[m - 1]["lane"] in lanes and sheet.counts(m) for m in later):
            yield "rule"


def over_peg(sheet, asked):
    yield from a_score(sheet, asked)
    if 1 <= asked.line <= len(sheet.lines) and sheet.lines[asked.line - 1]["kind"] == "scored":
        line = sheet.lines[asked.line - 1]
        late = sheet.at(asked.line - 1).over
        if late or asked.points >= line["points"] or not can_be_true(sheet, line, asked.points):
            yield "rule"
        if sheet.rules["overpeg_award"] == "excess":
            yield from opponent(sheet, line["lane"], asked.opponent)


def claim_falsely(sheet, asked):
    yield from a_score(sheet, asked)
    if 1 <= asked.line <= len(sheet.lines) and sheet.lines[asked.line - 1]["kind"] == "scored":
        line = sheet.lines[asked.line - 1]
        before, after = sheet.at(asked.line - 1), sheet.at(asked.line)
        ended = not before.over and line["lane"] in after.arrived
        rightly = before.pegs[line["lane"]][0] + asked.points >= before.hole
        if not ended or rightly or not can_be_true(sheet, line, asked.points):
            yield "rule"
        yield from opponent(sheet, line["lane"], asked.opponent)


def peg_back(sheet, asked):
    if not is_seat(sheet, asked.seat) or not 1 <= asked.holes <= sheet.now.hole:
        yield "rule"


def set_pegs(sheet, asked):
    on_board = 0 <= asked.rear < asked.front <= sheet.now.hole or asked.front == asked.rear == 0
    if not is_seat(sheet, asked.seat) or not on_board:
        yield "rule"


def retract(sheet, asked):
    newest = len(sheet.lines)
    if not 0 <= asked.to <= newest:
        yield "rule"
        return
    if asked.to == newest or (asked.to and not sheet.lines[asked.to - 1]["stands"]):
        yield "already"
    yield from tears(sheet, asked.to, newest + 1)


def confirm(sheet, asked):
    now = sheet.now
    if not is_seat(sheet, asked.seat) or not now.over:
        yield "rule"
    if (asked.winner, list(asked.fronts)) != (now.winner, [front for front, _ in now.pegs]):
        yield "moved"
    if asked.seat in sheet.confirmed:
        yield "already"


def rename(sheet, asked):
    if not is_seat(sheet, asked.seat):
        yield "rule"
        return
    name, here = " ".join(asked.to.split()), sheet.names_at(asked.seat)
    if cannot_be_called(sheet, asked.seat, name):
        yield "rule"
    if look(name) in [look(one) for one in here if one != asked.former]:
        yield "rule"
    if asked.former not in here:
        yield "moved"
    if name == asked.former:
        yield "already"


def cannot_be_called(sheet, seat, name):
    """No name, too long a name, or one that somebody at another seat has or had, by a line that is not undone."""
    elsewhere = [other for other in range(sheet.rules["seats"]) if other != seat]
    came = [line["name"] for other in elsewhere for line in sheet.took_over(other) if line["stands"]]
    others = [*(sheet.began[other] for other in elsewhere), *came]
    return not 1 <= len(name) <= 64 or look(name) in map(look, others)


def substitute(sheet, asked):
    if not is_seat(sheet, asked.seat):
        yield "rule"
        return
    name, shown = " ".join(asked.name.split()), sheet.players[asked.seat]
    if cannot_be_called(sheet, asked.seat, name):
        yield "rule"
    if asked.former != shown:
        yield "moved"
    if look(name) == look(shown):
        yield "already"
    if sheet.now.over:
        yield "over"


def head_start(sheet, asked):
    lanes = sheet.rules["lanes"]
    if not is_seat(sheet, asked.seat) or lanes == 1:
        yield "rule"
        return
    lane = asked.seat % lanes
    for line in sheet.counting():
        if line["kind"] in (*RULINGS, "scored", "muggins_called"):
            yield "already"
        if line["kind"] == "head_start_given" and line["lane"] == lane:
            yield "already"
    if not 1 <= asked.holes < sheet.now.hole - sheet.now.pegs[lane][0]:
        yield "rule"
    if sheet.now.over:
        yield "over"


def look(name):
    return unicodedata.normalize("NFKC", name).casefold()


JUDGED = {
    Score: score,
    Penalize: penalty,
    CallMuggins: muggins,
    Deal: deal,
    Stage: stage,
    TakeBack: take_back,
    Restore: put_back,
    Amend: amend,
    OverPeg: over_peg,
    ClaimFalsely: claim_falsely,
    PegBack: peg_back,
    SetPegs: set_pegs,
    Retract: retract,
    Confirm: confirm,
    Rename: rename,
    Substitute: substitute,
    GiveHeadStart: head_start,
}


def is_the_directors(sheet, kind, body):
    """Whether only a director may let that happen on the sheet."""
    if kind in RULINGS:
        return kind != "over_pegged" or sheet.rules["strict"]
    if kind in ("renamed", "substituted", "head_start_given"):
        return sheet.rules["strict"]
    if kind not in ("taken_back", "restored", "amended"):
        return False
    changed = sheet.lines[body["line"] - 1]
    if sheet.rules["strict"] or (changed["kind"] in RULINGS and changed["kind"] != "over_pegged"):
        return True
    silenced = sheet.scores_that_count() - sheet.after(kind, body).scores_that_count()
    return any(n > body["line"] for n in silenced)


# --- what the journal's row says of what is taken ---


def row(sheet, asked):
    """The kind and the body of the row that a command makes."""
    return ROWS[type(asked)](sheet, asked)


def lane_of(sheet, seat):
    return seat % sheet.rules["lanes"]


def other_lane(sheet, lane, named):
    """The lane of the opponent: the named one, or the only one there is."""
    if named is not None:
        return lane_of(sheet, named)
    return {1: None, 2: 1 - lane}[sheet.rules["lanes"]]


def score_row(sheet, asked):
    lane = asked.lane if asked.seat is None else lane_of(sheet, asked.seat)
    alone = sheet.rules["seats"] == sheet.rules["lanes"]
    seat = lane if asked.seat is None and alone else asked.seat
    return "scored", {"lane": lane, "points": asked.points, "seat": seat, "why": asked.why}


def penalty_row(sheet, asked):
    lane = lane_of(sheet, asked.seat)
    return "scored", {"lane": lane, "points": asked.points, "seat": asked.seat, "why": "penalty"} | note(asked)


def note(asked):
    return {"note": asked.note} if asked.note else {}


def muggins_row(sheet, asked):
    told = {"caller": asked.seat, "claimed": asked.claimed, "missed": asked.missed}
    mine = lane_of(sheet, asked.seat)
    if asked.missed == 0:
        theirs = other_lane(sheet, mine, asked.opponent)
        alone = sheet.rules["seats"] == sheet.rules["lanes"]
        seat = theirs if asked.opponent is None and alone else asked.opponent
        return "muggins_called", told | {"lane": theirs, "seat": seat, "points": asked.claimed}
    owner = other_lane(sheet, mine, asked.opponent)
    points = min(asked.claimed, asked.missed, sheet.now.hole - sheet.now.pegs[owner][0])
    return "muggins_called", told | {"lane": mine, "seat": asked.seat, "points": points}


def deal_row(sheet, asked):
    new = begins(sheet, asked)
    midway = {"midway": True} if not new and sheet.now.scored else {}
    return "dealt", {"dealer": asked.dealer, "new": new} | midway


def stage_row(_sheet, asked):
    return "staged", {"stage": asked.stage}


def take_back_row(sheet, asked):
    standing = [n for n, line in enumerate(sheet.lines, 1) if line["stands"]]
    return "taken_back", {"line": asked.line or standing[-1]}


def put_back_row(sheet, asked):
    return "restored", {"line": asked.line or sheet.undone[-1]}


def amend_row(_sheet, asked):
    return "amended", {"line": asked.line} | amended(asked)


def over_peg_row(sheet, asked):
    line = sheet.lines[asked.line - 1]
    body = {"lane": line["lane"], "line": asked.line, "points": asked.points, "was": asked.was, "to": None, "award": 0}
    if sheet.rules["overpeg_award"] == "excess" and sheet.rules["lanes"] > 1:
        body["to"] = other_lane(sheet, line["lane"], asked.opponent)
        body["award"] = line["points"] - asked.points
    return "over_pegged", body


def false_claim_row(sheet, asked):
    lane = sheet.lines[asked.line - 1]["lane"]
    body = {"lane": lane, "line": asked.line, "points": asked.points, "was": asked.was, "to": None, "award": 0}
    if sheet.rules["lanes"] > 1:
        body["to"] = other_lane(sheet, lane, asked.opponent)
        body["award"] = sheet.now.hole - (sheet.at(asked.line - 1).pegs[lane][0] + asked.points)
    return "falsely_claimed", body


def peg_back_row(sheet, asked):
    body = {"lane": lane_of(sheet, asked.seat), "holes": asked.holes, "seat": asked.seat}
    return "pegged_back", body | note(asked)


def set_pegs_row(sheet, asked):
    body = {"lane": lane_of(sheet, asked.seat), "front": asked.front, "rear": asked.rear, "seat": asked.seat}
    return "pegs_set", body | note(asked)


def retract_row(_sheet, asked):
    return "retracted", {"to": asked.to} | note(asked)


def confirm_row(_sheet, asked):
    return "confirmed", {"seat": asked.seat, "winner": asked.winner, "fronts": list(asked.fronts)}


def rename_row(_sheet, asked):
    return "renamed", {"seat": asked.seat, "from": asked.former, "to": " ".join(asked.to.split())}


def substitute_row(_sheet, asked):
    return "substituted", {"seat": asked.seat, "name": " ".join(asked.name.split())}


def head_start_row(sheet, asked):
    return "head_start_given", {"lane": lane_of(sheet, asked.seat), "holes": asked.holes, "seat": asked.seat}


ROWS = {
    Score: score_row,
    Penalize: penalty_row,
    CallMuggins: muggins_row,
    Deal: deal_row,
    Stage: stage_row,
    TakeBack: take_back_row,
    Restore: put_back_row,
    Amend: amend_row,
    OverPeg: over_peg_row,
    ClaimFalsely: false_claim_row,
    PegBack: peg_back_row,
    SetPegs: set_pegs_row,
    Retract: retract_row,
    Confirm: confirm_row,
    Rename: rename_row,
    Substitute: substitute_row,
    GiveHeadStart: head_start_row,
}
