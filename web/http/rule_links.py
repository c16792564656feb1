"""Where the rules page explains a refusal or a part of a count."""

import re
from functools import cache

PAGE = "/rules"

REFUSALS: tuple[tuple[str, str], ...] = (
    # cards
    (r"is no card: |has no suit: |names a suit, but |: a pack has ", "counters"),
    (r"^the starter is one card|cards cannot be counted: |^a crib has four cards", "counted-cards"),
    (r"^a (crib|hand of \d+ cards) is counted with the starter", "counted-cards"),
    (r"^a flush of \d+ (does not exist|needs the starter|cannot have)", "flush"),
    (r"^a flush of \d+ (has no card|with a jack)|^nobs needs|^four jacks have nobs", "nobs"),
    # the play
    (r"cards cannot have been laid|cards cannot be played: |does not hold |^the play is over", "play-held"),
    (r"^the play is for |players hold as many hands", "play-held"),
    (r"cannot be laid: it would make the count ", "turns"),
    (r"has said go, and waits|cannot say go: ", "go"),
    (r"^it is the turn of ", "turns"),
    # scores
    (r": 19, 25, 26 and 27 cannot be made", "impossible"),
    (r"^one card in the play cannot score", "play-most"),
    (r"^heels (are|score|come|were) ", "heels"),
    (r"^thirty-one is 2 points", "thirty-one"),
    (r"^a go is 1 point", "go"),
    (r"^the crib is the dealer's", "the-crib"),
    (r"is no reason for a score|^a score names the seat|pegs in lane \d+, not in lane", "who-scores"),
    (r"^there is no (seat|lane) |points cannot be scored at once", "who-scores"),
    (r"has the deal, and nothing of it has been scored yet|has been said to deal already", "first-deal"),
    (r"^`new` is true for a new deal|^`dealer` is missing: ", "first-deal"),
    (r"is no stage of a deal|no stage of it$|^the deal is in the ", "the-play"),
    # the end
    (r"^the game is over: |: DEAL starts the next game", "game-hole"),
    (r"yet to confirm, with any key|confirmed the result|^there is no result to confirm", "confirm"),
    (r"^`winner` is a lane or null|^the result is another", "confirm"),
    (r"^there is no match format|match is started by the director|^start_match names", "match"),
    # faults
    (r"^muggins is |points cannot (be claimed|have been missed)", "muggins"),
    (r"^a penalty goes to an opponent|points are no penalty", "penalty"),
    (r"is no opponent of |lanes `opponent` names", "judge"),
    (r"so nothing was pegged too far|so the true points are fewer", "over-peg"),
    (r"so no game was claimed with it|: no false claim", "false-claim"),
    (r"^a peg goes back by ", "backward-penalty"),
    (r"^pegs do not stand at |is under the ruling of |rules on (line|what would be)", "judge"),
    # the sheet
    (
        r"(taken back|retracted|put back) already|stands already|says \d+ (already|now)|nothing to (take|put) back",
        "the-sheet",
    ),
    (r"^an amendment gives |back and enter it anew|has no reason as it is|^line \d+ is .+ already$", "the-sheet"),
    (r"is another player's now, |pegs in the same lane|pegs were set in line ", "the-sheet"),
    (r"so it has no points to put right|^there is no line |^`was` is the points|is no line of the sheet", "the-sheet"),
    (r"^this would open game |^only games of the match on the table ", "corrections"),
    # who, and by which rules
    (r"player's name |^the name .* is too long|^a note |^a note and a format ", "names"),
    (r"is for \w+ players?, not |players cannot sit at one table", "names"),
    (r"^players are a list of names|^two players are called |^that player is called | is the name already$", "names"),
    (
        r"^there is no (variant|house rule) |^the house rule |cannot be played so: |^a variant is a name",
        "variants",
    ),
    (r"^house rules are ", "variants"),
)
"""Beginnings and turns of what the rules refuse, each with the line that explains it."""

RESERVED = "corrections"
"""The line about what only a director may do."""


@cache
def _read() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), anchor) for pattern, anchor in REFUSALS)


def rule_of(code: str, sentence: str) -> str | None:
    """The address of the line that explains a refusal, where there is one."""
    anchor = next((anchor for pattern, anchor in _read() if pattern.search(sentence)), None)
    if anchor is None and code == "role":
        anchor = RESERVED
    return None if anchor is None else f"{PAGE}#{anchor}"
