"""The referee: `decide` judges what is asked and may refuse; `apply` lays what has happened on the sheet."""

from typing import NoReturn

from pegboard.core.board import UNMARKED, Entry, Game, Lane, Mark, Outcome, Position
from pegboard.core.moves import (
    WHYS,
    Abandoned,
    Command,
    Deal,
    Dealt,
    Event,
    Line,
    Restore,
    Restored,
    Score,
    Scored,
    Start,
    Started,
    TakeBack,
    TakenBack,
)
from pegboard.core.rules import IMPOSSIBLE_SHOWS, MOST_AT_ONCE, MOST_FOR_A_CARD, Rules, Seat
from pegboard.errors import Already, GameOver, RuleError

LONGEST_NAME = 64
"""Letters of a player's name; the snapshot of four such names still fits one live event."""

JOINERS = {0x200C: None, 0x200D: None}
"""Zero-width letters that join or part their neighbours."""

OUTSIDE_THE_DEAL = ("muggins", "penalty")
"""The whys that tell nothing about where the deal stands."""


def new_game(rules: Rules, players: tuple[str, ...], dealer: Seat = 0) -> Game:
    """An empty sheet for `players` in seat order, `dealer` dealing first.

    Raises:
        RuleError: the number of players or the dealer does not fit the rules, or a name is empty or too long.
    """
    return apply(Game(), _start(Start(rules, tuple(players), dealer)))


def play(game: Game, command: Command) -> Game:
    """The game after `command`.

    Raises:
        RuleError: the rules do not allow it.
    """
    return apply(game, decide(game, command))


def decide(game: Game, command: Command) -> Event:
    """What happens when `command` is asked of `game`.

    Raises:
        RuleError: the rules do not allow it; `GameOver` after the end, `Already` where there is nothing to do.
    """
    match command:
        case Score():
            return _score(game, command)
        case Deal():
            return _deal(game, command)
        case TakeBack():
            return TakenBack(_line_to_take_back(game, command.line))
        case Restore():
            return Restored(_line_to_restore(game, command.line))
        case Start():
            return _start(command)


def apply(game: Game, event: Event, mark: Mark = UNMARKED) -> Game:
    """The game after `event`, which came by the way that `mark` tells; never refuses."""
    match event:
        case Scored() | Dealt():
            return _append(game, event, mark)
        case TakenBack(line):
            return _change(game, line, (*game.undone, line), stands=False, mark=mark)
        case Restored(line):
            return _change(game, line, tuple(n for n in game.undone if n != line), stands=True, mark=mark)
        case Started():
            return Game(event.rules, event.players, event.dealer, revisions=(0,) * event.rules.lanes)
        case Abandoned():
            return game


# --- judging ---


def _start(asked: Start) -> Started:
    rules, names = asked.rules, tuple(" ".join(name.split()) for name in asked.players)
    if len(names) != rules.seats:
        raise RuleError(f"{rules.variant} is for {_counted(rules.seats, 'player')}, not {len(names)}")
    for name in names:
        if not 1 <= len(name) <= LONGEST_NAME:
            raise RuleError(f"a player's name has 1 to {LONGEST_NAME} letters, and {name!r} has {len(name)}")
        if not is_legible(name):
            raise RuleError(f"a player's name is written in letters one can see, and {name!r} is not")
    if asked.dealer is not None:
        _seat_exists(rules, asked.dealer)
    return Started(rules, names, asked.dealer or 0)


def is_legible(name: str) -> bool:
    """Whether a name can be written on every window; the joiners of Persian, Hindi and emoji belong to the letters."""
    return name.translate(JOINERS).isprintable()


def _score(game: Game, asked: Score) -> Scored:
    seat, lane = whose(game.rules, asked)
    _amount_is_possible(asked.points, asked.why)
    if game.outcome is not None:
        raise GameOver(f"the game is over: {how_it_ended(game)}; only corrections are taken")
    if game.phase != "unknown":
        _why_fits(game, lane, asked.why)
    return Scored(lane, asked.points, seat, asked.why)


def whose(rules: Rules, asked: Score) -> tuple[Seat | None, int]:
    """The seat, or None where only its lane is known, and the lane that a score is for.

    Raises:
        RuleError: there is no such seat or lane, neither is named, or they are not the same player's.
    """
    if asked.seat is not None:
        lane = rules.lane_of(_seat_exists(rules, asked.seat))
        if asked.lane not in (None, lane):
            raise RuleError(f"seat {asked.seat} pegs in lane {lane}, not in lane {asked.lane}")
        return asked.seat, lane
    if asked.lane is None:
        raise RuleError("a score names the seat or the lane that scores")
    if type(asked.lane) is not int or not 0 <= asked.lane < rules.lanes:
        raise RuleError(f"there is no lane {asked.lane!r} on this board; lanes are {_span(rules.lanes)}")
    return (asked.lane if rules.seats == rules.lanes else None), asked.lane


def _seat_exists(rules: Rules, seat: Seat) -> Seat:
    if type(seat) is not int or not 0 <= seat < rules.seats:
        raise RuleError(f"there is no seat {seat!r} at this table; seats are {_span(rules.seats)}")
    return seat


def _amount_is_possible(points: int, why: str | None) -> None:
    if type(points) is not int or not 0 <= points <= MOST_AT_ONCE:
        raise RuleError(f"{points!r} points cannot be scored at once (a whole number, 0 to {MOST_AT_ONCE})")
    if why is not None and why not in WHYS:
        raise RuleError(f"{why!r} is no reason for a score; reasons are {', '.join(WHYS)}")
    if why in ("hand", "crib") and points in IMPOSSIBLE_SHOWS:
        raise RuleError(f"no {why} counts {points}: 19, 25, 26 and 27 cannot be made")
    if why == "play" and points > MOST_FOR_A_CARD:
        raise RuleError(f"one card in the play cannot score {points}; the most is {MOST_FOR_A_CARD}")
    if why == "heels" and points != 2:  # noqa: PLR2004 - two for his heels
        raise RuleError(f"heels are 2 points, not {points}")
    if why == "go" and points != 1:
        raise RuleError(f"a go is 1 point, not {points}")


def _why_fits(game: Game, lane: int, why: str | None) -> None:
    """Heels and cribs are the dealer's; heels come before any card (ACC rules of the cut; RULES, the game)."""
    at = game.position
    passed = at.phase == "crib" and why == "heels"
    dealer = game.rules.after(at.dealer) if passed else at.dealer
    name = game.players[dealer]
    if why in ("heels", "crib") and lane != game.rules.lane_of(dealer):
        raise RuleError(f"{'heels are' if why == 'heels' else 'the crib is'} the dealer's, and {name} deals")
    if why != "heels" or passed:
        return
    if at.heels:
        raise RuleError(f"{name} has pegged heels in this deal; one starter is turned a deal")
    if at.carded or at.phase == "hand":
        raise RuleError("heels are pegged before the first card scores, and this deal's cards have scored")


def _deal(game: Game, asked: Deal) -> Dealt:
    at = game.position
    if asked.dealer is not None:
        _seat_exists(game.rules, asked.dealer)
    if at.outcome is not None:
        raise GameOver(f"the game is over: {how_it_ended(game)}; only corrections are taken")
    if at.scored or at.deal == game.rules.last_deal:
        return Dealt(asked.dealer)
    if asked.dealer not in (None, at.dealer):
        return Dealt(asked.dealer, new=False)
    if asked.dealer is None and at.deal == 1 and game.rules.seats > 1:
        return Dealt(None, new=False)
    raise Already(f"{game.players[at.dealer]} has the deal, and nothing of it has been scored yet")


def _line_to_take_back(game: Game, line: int | None) -> int:
    if line is None:
        line = game.newest_standing()
        return _nothing("there is nothing to take back") if line is None else line
    if not _entry(game, line).stands:
        raise Already(f"line {line} has been taken back already")
    return line


def _line_to_restore(game: Game, line: int | None) -> int:
    if line is None:
        return game.undone[-1] if game.undone else _nothing("there is nothing to put back")
    if _entry(game, line).stands:
        raise Already(f"line {line} stands already")
    return line


def _entry(game: Game, line: int) -> Entry:
    if type(line) is not int or not 1 <= line <= len(game.entries):
        raise RuleError(f"there is no line {line!r} on this sheet; it has {_counted(len(game.entries), 'line')}")
    return game.entries[line - 1]


def _nothing(sentence: str) -> NoReturn:
    raise Already(sentence)


def how_it_ended(game: Game) -> str:
    """Who has won, in words: "Ann has won"."""
    winner = None if game.outcome is None else game.outcome.winner
    if winner is None:
        return "it fell short"
    return f"{game.called(winner)} {'has' if game.rules.seats == game.rules.lanes else 'have'} won"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _span(number: int) -> str:
    return "only 0" if number == 1 else f"0 to {number - 1}"


# --- the sheet ---


def _append(game: Game, line: Line, mark: Mark) -> Game:
    before = game.position
    after = step(game.rules, before, line)
    return Game(
        game.rules,
        game.players,
        game.first_dealer,
        (*game.entries, Entry(line, mark)),
        _touched(game.revisions, line, before, after),
        (),
        (*game.positions, after),
    )


def _change(game: Game, line: int, undone: tuple[int, ...], *, stands: bool, mark: Mark) -> Game:
    old = game.entries[line - 1]
    changed = Entry(old.event, old.mark, stands, (*old.history, mark))
    entries = (*game.entries[: line - 1], changed, *game.entries[line:])
    positions = replay(game.rules, game.positions[:line], entries[line - 1 :])
    revisions = _touched(game.revisions, old.event, game.position, positions[-1])
    return Game(game.rules, game.players, game.first_dealer, entries, revisions, undone, positions)


def replay(rules: Rules, positions: tuple[Position, ...], entries: tuple[Entry, ...]) -> tuple[Position, ...]:
    """The positions with one more for each of `entries`, those that do not stand moving nothing."""
    after = list(positions)
    for entry in entries:
        after.append(step(rules, after[-1], entry.event) if entry.stands else after[-1])
    return tuple(after)


def _touched(revisions: tuple[int, ...], line: Line, before: Position, after: Position) -> tuple[int, ...]:
    own = line.lane if type(line) is Scored else None
    pegs = zip(before.lanes, after.lanes, strict=True)
    return tuple(
        revision + (lane == own or old != new)
        for lane, (revision, (old, new)) in enumerate(zip(revisions, pegs, strict=True))
    )


def step(rules: Rules, at: Position, line: Line) -> Position:
    """The position after one more standing line; after the end nothing moves."""
    if at.outcome is not None:
        return at
    if type(line) is Dealt:
        return _dealt(rules, at, line)
    assert type(line) is Scored
    lanes = _pegged(rules, at, line)
    if lanes[line.lane].front >= rules.game_hole:
        return _over(rules, at, lanes, line.lane)
    if at.deal == rules.last_deal and line.why in (None, "hand"):
        return _ran_out(rules, at, lanes)
    return _turned(rules, at, line, lanes)


def _pegged(rules: Rules, at: Position, line: Scored) -> tuple[Lane, ...]:
    lanes = list(at.lanes)
    lanes[line.lane] = lanes[line.lane].leapfrog(line.points, rules.game_hole)
    return tuple(lanes)


def _dealt(rules: Rules, at: Position, line: Dealt) -> Position:
    dealer = rules.after(at.dealer) if line.dealer is None else line.dealer
    if not line.new:
        return at._replace(dealer=dealer, phase="play", to_count=None)
    return _next_deal(rules, at, at.lanes, dealer)


def _next_deal(rules: Rules, at: Position, lanes: tuple[Lane, ...], dealer: Seat) -> Position:
    if at.deal == rules.last_deal:
        return _ran_out(rules, at, lanes)
    return Position(lanes, dealer, at.deal + 1, "play")


def _turned(rules: Rules, at: Position, line: Scored, lanes: tuple[Lane, ...]) -> Position:
    """Where the deal stands after points that did not end the game."""
    why = line.why
    if why in OUTSIDE_THE_DEAL:
        return Position(lanes, at.dealer, at.deal, at.phase, at.to_count, at.scored, at.carded, at.heels)
    if why is None:
        return Position(lanes, at.dealer, at.deal, "unknown", None, scored=True)
    if why == "crib":
        return _next_deal(rules, at, lanes, rules.after(_owner(rules, at, line)))
    if why == "hand":
        return _hand(rules, at, line, lanes)
    return _card(rules, at, line, lanes)


def _owner(rules: Rules, at: Position, line: Scored) -> Seat:
    """The dealer whose crib or heels these are; in "unknown" the line is believed."""
    if rules.lane_of(at.dealer) == line.lane and line.seat in (None, at.dealer):
        return at.dealer
    if at.phase != "unknown":
        return at.dealer
    return rules.after(at.dealer) if line.seat is None else line.seat


def _card(rules: Rules, at: Position, line: Scored, lanes: tuple[Lane, ...]) -> Position:
    heels = line.why == "heels"
    if at.phase == "unknown":
        if heels:
            return Position(lanes, _owner(rules, at, line), at.deal, "play", None, scored=True, heels=True)
        return Position(lanes, at.dealer, at.deal, "unknown", None, scored=True)
    if at.phase == "crib":
        at = _next_deal(rules, at, lanes, rules.after(at.dealer))
        if at.outcome is not None:
            return at
    phase = "hand" if at.phase == "hand" else "play"
    return Position(
        lanes,
        at.dealer,
        at.deal,
        phase,
        at.to_count,
        scored=True,
        carded=at.carded or not heels,
        heels=at.heels or heels,
    )


def _hand(rules: Rules, at: Position, line: Scored, lanes: tuple[Lane, ...]) -> Position:
    phase, to_count = _after_hand(rules, at, line)
    return Position(lanes, at.dealer, at.deal, phase, to_count, scored=True, carded=True, heels=at.heels)


def _after_hand(rules: Rules, at: Position, line: Scored) -> tuple[str, Seat | None]:
    """Pone counts first, the dealer last, then the crib (RULES, the show); a hand already counted changes nothing."""
    if at.phase in ("unknown", "crib"):
        return at.phase, None
    due = rules.after(at.dealer) if at.to_count is None else at.to_count
    seat = line.seat
    if seat is None:
        if rules.lane_of(due) != line.lane:
            return "unknown", None
        seat = due
    if _turn(rules, at.dealer, seat) < _turn(rules, at.dealer, due):
        return at.phase, at.to_count
    return ("crib", None) if seat == at.dealer else ("hand", rules.after(seat))


def _turn(rules: Rules, dealer: Seat, seat: Seat) -> int:
    """The place of a seat in the order of counting, pone 0."""
    return (seat - dealer - 1) % rules.seats


def _over(rules: Rules, at: Position, lanes: tuple[Lane, ...], winner: int) -> Position:
    skunks = tuple(0 if lane == winner else rules.skunks_of(pegs.front) for lane, pegs in enumerate(lanes))
    return Position(lanes, at.dealer, at.deal, "over", None, scored=True, outcome=Outcome(winner, skunks))


def _ran_out(rules: Rules, at: Position, lanes: tuple[Lane, ...]) -> Position:
    """The last deal of a solitaire is done: from `rules.enough` on it is won all the same."""
    if lanes[0].front >= rules.enough:
        return _over(rules, at, lanes, 0)
    return Position(lanes, at.dealer, at.deal, "over", None, scored=True, outcome=Outcome(None, (0,) * rules.lanes))
