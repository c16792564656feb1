"""Setup of the next game (preset, variant, players, ...) from options, changed settings and the running game."""

import contextlib
import logging
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pegboard.config import Settings, TableSettings
from pegboard.core.board import Game
from pegboard.core.board_shape import board_named
from pegboard.core.house_rules import difference, with_house_rules
from pegboard.core.match import Setup
from pegboard.core.moves import Start
from pegboard.core.presets import PRESETS, preset_named, preset_rules, title
from pegboard.core.referee import decide
from pegboard.core.rules import OPEN, VARIANTS, Rules, format_named, variant_for, variant_named
from pegboard.core.sentences import join_names, number_of_players
from pegboard.core.view import View
from pegboard.errors import RuleError, SettingError
from pegboard.storage.state_files import read_values, write_values
from pegboard.table.scoreboard import Scoreboard

# --- detection of changed [table] settings, which apply to the next game ---
#
# Players who start games from a phone choose players, variant, house rules and match, and a restart must not undo that
# choice. But an edit of the file must take effect. So the file's values are stored beside the journal, and only values
# that have changed since are used for the next game, until a game has started with them.


FILE = "table_settings.json"
"""The file in the state folder that stores the last [table] settings."""

NAMES = ("preset", "variant", "players", "house", "match")
"""The settings of [table], in the order in which they are printed."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Record:
    """The stored [table] settings of the settings file at the last start.

    Attributes:
        values: each setting that the settings file has named so far, with its newest value.
        pending: the names of settings that had changed and apply after `game`.
        game: the id of the game that was running.
    """

    values: Mapping[str, Any]
    pending: tuple[str, ...] = ()
    game: str = ""


def named_values(settings: Settings) -> dict[str, Any]:
    """The settings of [table] that the file names, JSON-ready."""
    values = {name: getattr(settings.table, name) for name in NAMES if settings.origin.has(f"table.{name}")}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def newest(record: Record | None, named: Mapping[str, Any], differing: frozenset[str], game: str) -> Record:
    """The record to store while `game` runs, if the file names the values `named`.

    `differing` are the settings that the running game does not use. Without an earlier record they count as changed,
    since they have had no effect.
    """
    if record is None:
        return Record(named, tuple(name for name in NAMES if name in differing), game)
    waits = record.pending if record.game == game else ()
    changed = {name for name, value in named.items() if name in waits or value != record.values.get(name)}
    return Record({**record.values, **named}, tuple(name for name in NAMES if name in changed), game)


def remember(folder: Path, named: Mapping[str, Any], differing: frozenset[str], game: str) -> frozenset[str]:
    """Store the file's values; return the changed settings, which apply to the next game."""
    path = folder / FILE
    record = _read(path)
    new = newest(record, named, differing, game)
    if new != record:
        _write(path, new)
    return frozenset(new.pending)


def _read(path: Path) -> Record | None:
    """The record; None if its file is missing or unreadable, which must not keep a game from starting."""
    try:
        values = read_values(path)
        return Record(dict(values["values"]), tuple(map(str, values["pending"])), str(values["game"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("%s cannot be read, so the settings file counts as changed: %s", path, error)
        return None


def _write(path: Path, record: Record) -> None:
    try:
        write_values(path, asdict(record))
    except OSError as error:
        log.warning("%s cannot be written, so the next start will say the same again: %s", path, error.strerror)


CHANGED = {
    "preset": "sets the preset {}; it starts with the next game",
    "variant": "sets variant {}; it starts with the next game",
    "players": "names {}; they play from the next game on",
    "house": "sets {}; this starts with the next game",
    "match": "sets match {}; it starts with the next game",
}
"""Sentences about a setting of [table] that has changed since the last start."""

UNCHANGED = {
    "preset": "sets the preset {}, but a newer choice stays",
    "variant": "sets variant {}, but a newer choice stays",
    "players": "names {}, but the players chosen since stay",
    "house": "sets {}, but the house rules chosen since stay",
    "match": "sets match {}, but the match chosen since goes on",
}
"""Sentences about an unchanged setting that the current game does not use."""


@dataclass(frozen=True)
class NextGame:
    """The next game, as set by options (None or empty if not given), else by the settings.

    A preset sets the variant and its rules; house rules then change it. The option for a preset also replaces the
    variant and house rules of the settings.
    """

    settings: Settings
    variant: str | None = None
    players: str | None = None
    match: str | None = None
    house: tuple[str, ...] = ()
    preset: str | None = None

    @cached_property
    def table(self) -> TableSettings:
        """[table] with the rules' spelling of names: "Three handed" becomes three-handed.

        Raises:
            SettingError: a setting in [table] is invalid.
        """
        table = self.settings.table
        with self._name_place("variant"):
            variant = variant_named(table.variant)
        with self._name_place("preset"):
            preset = preset_named(table.preset) if table.preset else ""
            if preset:
                variant = preset_rules(preset, variant if self.settings.origin.has("table.variant") else None).variant
        with self._name_place("house"):
            rules = with_house_rules(preset_rules(preset, variant) if preset else Rules.named(variant), table.house)
        with self._name_place("match"):
            match = format_named(table.match)
        with self._name_place("board"):
            board = board_named(table.board)
        with self._name_place("players"):
            decide(Game(), Start(rules, table.players[: rules.seats]))
        return replace(table, preset=preset, variant=variant, match=match, board=board)

    def add_house_rules(self, rules: Rules) -> Rules:
        """A variant's rules with the preset and house rules of the settings and options."""
        of_table = () if self.preset else self.table.house
        return with_house_rules(_by_preset(self.preset or self.table.preset, rules), of_table, self.house)

    def first_setup(self) -> Setup:
        """The setup of the first game of a new journal.

        Raises:
            RuleError: an option is invalid.
            SettingError: a setting is invalid.
        """
        rules = self.add_house_rules(Rules.named(self._variant(self.table.variant)))
        return Setup(rules, self._names(self.table.players[: rules.seats]), self._form())

    def next_setup(self, view: View, changed: frozenset[str]) -> Setup:
        """The setup after the running game: by options, else changed settings, else the running game if it fits."""
        rules = self._rules_after(view.game.rules, changed)
        same_players = rules.seats == view.game.rules.seats and "players" not in changed
        players = view.game.players if same_players else self._players_for(rules)
        form = self._form() if self.match or "match" in changed else view.match.format
        return Setup(rules, self._names(players), form)

    def differences(self, setup: Setup) -> frozenset[str]:
        """The settings of [table] that differ from a game's setup."""
        table, now = self.table, setup.rules
        rules = _by_preset(table.preset, Rules.named(now.variant if now.variant in VARIANTS else table.variant))
        plays = {
            "preset": table.preset == now.preset,
            "variant": table.variant == now.variant,
            "players": table.players[: now.seats] == setup.players,
            "house": difference(with_house_rules(rules, table.house)) == difference(now),
            "match": table.match == setup.format,
        }
        return frozenset(name for name, is_played in plays.items() if not is_played)

    def _rules_after(self, now: Rules, changed: frozenset[str]) -> Rules:
        variant = self._variant(self.table.variant if changed & {"preset", "variant"} else now.variant)
        is_as_now = variant == now.variant and not (self.preset or self.house or changed & {"preset", "house"})
        return now if is_as_now or variant not in VARIANTS else self.add_house_rules(Rules.named(variant))

    def _variant(self, usual: str) -> str:
        """The option's variant; else `usual` if it fits preset and number of named players, else a variant that fits.

        Raises:
            RuleError: no variant has that number of players, or the options contradict each other.
        """
        if self.preset is not None:
            rows = PRESETS[self.preset].rows
            usual = preset_rules(self.preset, self.variant or (usual if usual in rows else None)).variant
        if self.players is None or (self.variant is None and usual not in VARIANTS):
            return self.variant or usual
        players = self.players.count(",") + 1
        if Rules.named(self.variant or usual).seats == players:
            return self.variant or usual
        fitting = self._variant_for(players)
        if self.variant is None:
            return fitting
        seats = number_of_players(Rules.named(self.variant).seats)
        raise RuleError("players_fitting", variant=self.variant, players=seats, number=players, fitting=fitting)

    def _variant_for(self, players: int) -> str:
        """The variant for a number of players: that of the preset if its sheet describes one, or else the usual one.

        Raises:
            RuleError: no variant, or none of the option's preset, has that many players.
        """
        preset = self.preset or self.table.preset
        fitting = PRESETS[preset].variant_for(players) if preset else None
        if fitting is None and self.preset is not None:
            *fewer, most = PRESETS[self.preset].seats
            fit = " or ".join([*([", ".join(map(str, fewer))] if fewer else []), number_of_players(most)])
            raise RuleError("preset_fitting", preset=self.preset, players=fit, number=players)
        return fitting or variant_for(players)

    def _players_for(self, rules: Rules) -> tuple[str, ...]:
        """The players in the settings, one per seat; checked only if no option names other players.

        Raises:
            SettingError: the settings name too few players, or a name is invalid.
        """
        players = self.table.players[: rules.seats]
        if self.players is None:
            with self._name_place("players"):
                decide(Game(), Start(rules, players))
        return players

    def _names(self, players: tuple[str, ...]) -> tuple[str, ...]:
        """The players named by the option, else `players`."""
        return players if self.players is None else tuple(" ".join(name.split()) for name in self.players.split(","))

    def _form(self) -> str:
        """The match format given by the option, else by the settings."""
        return self.match or self.table.match

    @contextlib.contextmanager
    def _name_place(self, name: str) -> Iterator[None]:
        try:
            yield
        except RuleError as error:
            origin = self.settings.origin
            if origin.file:
                raise SettingError("at_place", place=origin.place(f"table.{name}"), fault=error.message) from error
            raise


def _by_preset(preset: str, rules: Rules) -> Rules:
    """A variant's own rules as a preset plays them, if there is one and its sheet describes the variant."""
    if not preset or rules != VARIANTS.get(rules.variant) or rules.variant not in PRESETS[preset].rows:
        return rules
    return preset_rules(preset, rules.variant)


def describe(setup: Setup) -> str:
    """A setup in words, such as "Ann, Bob play standard with muggins=on, best of 3"."""
    plays = "plays" if len(setup.players) == 1 else "play"
    parts = [f"{', '.join(setup.players)} {plays} {title(setup.rules)}"]
    return ", ".join(parts if setup.format == OPEN else [*parts, setup.format])


def seat_next(scoreboard: Scoreboard, next_game: NextGame, state: Path) -> list[str]:
    """Seat the players of the next game, at once or after the running game; return the sentences to print about it.

    Raises:
        RuleError: the players do not fit the variant.
        NotStored: the journal does not answer.
    """
    view, settings = scoreboard.view, next_game.settings
    if not view.id:  # not even the first game can be stored yet
        return []
    named = named_values(settings)
    running = Setup(view.game.rules, view.game.players, view.match.format)
    by_options = {name for name in NAMES if getattr(next_game, name)}
    by_options |= {"variant", "house"} if next_game.preset else set()
    differing = next_game.differences(running).intersection(named) - by_options
    changed = remember(state, named, differing, view.id)
    following = scoreboard.with_corrected_names(next_game.next_setup(view, changed))
    is_seated = scoreboard.seat_players(following)
    waits = [] if is_seated else [f"Next game: {describe(following)}."]
    chosen_otherwise = changed & next_game.differences(
        following
    )  # by an option, such as a variant by so many --players
    mentioned = differing - chosen_otherwise - (changed if is_seated else set())
    return waits + [
        _sentence(settings, name, CHANGED if name in changed else UNCHANGED) for name in NAMES if name in mentioned
    ]


def _sentence(settings: Settings, name: str, sentences: dict[str, str]) -> str:
    value = getattr(settings.table, name)
    nothing = {"house": "no house rules", "preset": "no preset"}
    words = (value if isinstance(value, str) else join_names(value)) or nothing[name]
    return f"{settings.origin.file} {sentences[name].format(words)}."
