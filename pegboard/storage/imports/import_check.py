"""Check of an import: replays each game, and asks the referee whether every event can have happened at a table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.command_fields import GAME_ID, PAIRING
from pegboard.core.entry import Origin
from pegboard.core.moves import Abandoned, Event, Renamed, Scored, Started
from pegboard.core.names import LONGEST_NOTE, original_journal
from pegboard.core.referee import MOST_CHANGES, MOST_LINES, apply, redecide
from pegboard.core.rules import VARIANTS, Rules
from pegboard.errors import BadImport, PegboardError, SayFirst
from pegboard.storage.event_row import EventRow, canonical_json, replay_rows
from pegboard.storage.imports.import_parser import (
    ImportLine,
    is_text,
    is_words,
    parse_line,
    read_event,
    refuse_line,
    shorten,
)
from pegboard.storage.imports.import_transaction import ImportedEvent, SkippedGame
from pegboard.storage.summary.game_summary import summarize

MOST_EVENTS = MOST_LINES + MOST_CHANGES + 100
"""Events of one game: its lines, their changes, and the few that are neither, such as its start and corrected names."""


def check_import(
    lines: Iterable[bytes], last: Mapping[str, int], stored: Callable[[str], Sequence[EventRow]], first: int = 1
) -> Iterator[ImportedEvent | SkippedGame]:
    """The new events of an export in their order, each game summarized with its last one.

    `stored` gives the events of a game that are in the journal already. A game of this table is skipped; one that was
    imported goes on where it ended, if the export has the same events up to there.
    `last` has the number of each game's last line: only unfinished games are held in memory. Lines are counted from
    `first`.

    Raises:
        BadImport: a line is not one of an export, or cannot follow those before; the sentence begins with its number.
    """
    games: dict[str, _GameCheck | None] = {}
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        parsed = parse_line(number, line)
        name, found = parsed.game, None
        if name not in last:
            refuse_line(number, "import_two")
        game = games[name] if name in games else _GameCheck(stored(name), name)
        if game is not None:
            found = game.add(number, parsed, last=last[name] == number)
            if isinstance(found, ImportedEvent) and isinstance(found.event, Renamed):
                _correct_others(games.values(), game, found.event, Origin(number, found.source, found.at))
        games[name] = None if isinstance(found, SkippedGame) or last[name] == number else game
        if found is not None:
            yield found


def _correct_others(games: Iterable["_GameCheck | None"], game: "_GameCheck", event: Renamed, origin: Origin) -> None:
    """Correct a name in the other games of a match."""
    for other in games:
        if other is not None and other is not game and other.match == game.match:
            other.correct_name(event, origin)


class _GameCheck:
    """A game while its lines are checked, after those of its events that are stored already.

    Attributes:
        match: the id of its journal and the id of its match.
    """

    def __init__(self, stored: Sequence[EventRow], name: str) -> None:
        self._stored, self._seq = [row for row in stored if row.game == name], 0
        self._corrections = [(row.event, row.origin) for row in stored if row.game != name]
        self._game, self._abandoned = Game(), False
        self.match = ("", "")

    def correct_name(self, event: Renamed, origin: Origin) -> None:
        """Correct a name that was corrected in another game of the match."""
        self._corrections.append((event, origin))
        if self._seq > len(self._stored):
            self._game = apply(self._game, event, origin)

    def add(self, number: int, line: ImportLine, *, last: bool) -> ImportedEvent | SkippedGame | None:
        """Check one more line: it is a new event, or this game is to be skipped, or it is stored already (None)."""
        if self._stored and not self._stored[0].is_imported:
            return SkippedGame(line.game)
        if line.seq > MOST_EVENTS:
            refuse_line(number, "import_many", game=line.game, most=MOST_EVENTS)
        if line.seq != self._seq + 1:
            refuse_line(number, "import_due", due=self._seq + 1, game=line.game, seq=line.seq)
        (event, body), self._seq = read_event(number, line), line.seq
        if isinstance(event, Started):
            self.match = (original_journal(line.epoch), event.match)
        if line.seq <= len(self._stored):
            return self._compare(self._stored[line.seq - 1], line, event, last=last)
        if self._stored and line.seq == len(self._stored) + 1:
            self._replay_stored()
        return self._check_new(number, line, event, body, last=last)

    def _replay_stored(self) -> None:
        self._game, self._abandoned = replay_rows(self._stored), isinstance(self._stored[-1].event, Abandoned)
        for event, origin in self._corrections:
            self._game = apply(self._game, event, origin)

    @staticmethod
    def _compare(row: EventRow, line: ImportLine, event: Event, *, last: bool) -> SkippedGame | None:
        same = (row.event, row.at, row.source) == (event, line.at, line.source)
        return SkippedGame(row.game, differs=not same) if last or not same else None

    def _check_new(self, number: int, line: ImportLine, event: Event, body: str, *, last: bool) -> ImportedEvent:
        if self._abandoned:
            refuse_line(number, "import_after_end", game=line.game)
        try:
            event = _decide_again(event, self._game, line.version, first=self._seq == 1)
            self._game = apply(self._game, event, Origin(number, line.source, line.at))
        except BadImport as error:
            refuse_line(number, error.message)
        except PegboardError as error:
            refuse_line(number, "import_refused", fault=error.message)
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
            refuse_line(number, "import_follow", kind=line.kind)
        self._abandoned = isinstance(event, Abandoned)
        summary = summarize(self._game) if last else None
        stored_body = body or canonical_json(wire.event_values(event)[1])
        return ImportedEvent(line.game, line.seq, line.at, event, stored_body, line.source, line.epoch, summary)


def _decide_again(event: Event, game: Game, version: int, *, first: bool) -> Event:
    """What a table would have made of an event; the match, the replaced game and the note of a start are as given.

    Raises:
        PegboardError: it cannot have happened.
    """
    if isinstance(event, Started) != first:
        raise BadImport("import_begins")
    due = _decide_by_phase(event, game) if version <= wire.GUESSING else redecide(game, event)
    if isinstance(event, Started) and isinstance(due, Started):
        _check_start(event)
        due = replace(due, match=event.match, replaces=event.replaces, note=event.note)
    if due != event:
        names = (field.name for field in fields(due))
        name, right, wrong = next((n, at, to) for n in names if (at := getattr(due, n)) != (to := getattr(event, n)))
        raise BadImport("import_would_be", name=name, due=shorten(right), told=shorten(wrong))
    return due


def _decide_by_phase(event: Event, game: Game) -> Event:
    """The same for the oldest version, which took a score for heels or a crib by the phase, whatever had been said."""
    try:
        return redecide(game, event)
    except SayFirst:
        assert isinstance(event, Scored)
        due = redecide(game, replace(event, why=None))
        assert isinstance(due, Scored)
        return replace(due, why=event.why)


def _check_start(event: Started) -> None:
    """Check what the referee leaves unchecked: the types of the rules, and the ids.

    Raises:
        BadImport: one of them is wrong.
    """
    for field in fields(Rules):
        value = getattr(event.rules, field.name)
        if not _is_alike(value, field.default):
            raise BadImport("import_rule", name=field.name, value=shorten(value))
    if event.rules.variant not in VARIANTS:
        raise BadImport("import_variant", variant=shorten(event.rules.variant))
    checks = {
        "import_match": is_text(event.match, GAME_ID),
        "import_replaces": is_text(event.replaces, f"({GAME_ID})?"),
        "import_note": is_words(event.note, LONGEST_NOTE),
        "import_dealer_said": type(event.dealer_said) is bool,
        "import_pairing": is_text(event.pairing, f"({PAIRING})?"),
    }
    for key, is_right in checks.items():
        if not is_right:
            raise BadImport(key)


def _is_alike(value: Any, default: Any) -> bool:
    """Whether a rule has the type of its default: a number for a number, numbers for numbers."""
    if isinstance(default, tuple):
        return isinstance(value, tuple) and all(type(each) is int for each in value)
    return type(value) is type(default)
