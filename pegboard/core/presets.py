"""Presets: the printed rule sheets that players own, as rows of a variant with house rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

from pegboard.core.house_rules import difference, with_house_rules
from pegboard.core.names import find, likely, suggestion
from pegboard.core.rules import VARIANTS, Rules
from pegboard.errors import RuleError


@dataclass(frozen=True, slots=True)
class Preset:
    """One printed rule sheet.

    Attributes:
        rows: by variant that the sheet describes, the house rules that play it as the sheet does; the first variant is
            the usual one.
        options: house rules that the sheet leaves to the players; choosing one does not change the sheet.
    """

    rows: Mapping[str, tuple[str, ...]]
    options: tuple[str, ...] = field(default=())

    @property
    def seats(self) -> list[int]:
        """The numbers of players that the sheet describes, in ascending order."""
        return sorted({VARIANTS[variant].seats for variant in self.rows})

    def variant_for(self, players: int) -> str | None:
        """The variant that the sheet describes for this number of players, or None."""
        return next((variant for variant in self.rows if VARIANTS[variant].seats == players), None)


_GUIDE = ("muggins=on", "skunks=triple wins match")

PRESETS: Mapping[str, Preset] = {
    "Two-player sheet": Preset({"standard": ()}),
    "Box sheet": Preset({"box-sheet": (), "three-handed": ("dealer start=on",), "partners": ("dealer start=on",)}),
    "1922 laws": Preset(
        {"standard": ("skunks=lurch", "misdeal=2", "pone chooses=on")},
        (
            *("game hole=61", "over-peg=excess", "skunks=on", "worth=games 1-2-4", "heels limit=last five"),
            *("muggins=on", "three for last=on"),
        ),
    ),
    "Complete guide": Preset(
        {
            "standard": _GUIDE,
            "three-handed": (*_GUIDE, "dealer six=on"),
            "partners": _GUIDE,
            "solitaire": (),
        }
    ),
    "ACC tournament": Preset({"acc": ()}, ("muggins=on",)),
}
"""The presets by name (docs/rules.md, Presets)."""

OTHER_NAMES = {
    **dict.fromkeys(("two players", "two", "board"), "Two-player sheet"),
    **dict.fromkeys(("box", "box rules"), "Box sheet"),
    **dict.fromkeys(("1922", "laws", "official", "hoyle", "old"), "1922 laws"),
    **dict.fromkeys(("guide", "complete"), "Complete guide"),
    **dict.fromkeys(("acc", "tournament", "congress"), "ACC tournament"),
}
"""Other names of presets; suggested, but not accepted."""


def preset_named(text: str) -> str:
    """The preset with this name, ignoring case, spaces and dashes.

    Raises:
        RuleError: no preset has that name.
    """
    name = find(text, PRESETS)
    if name is None:
        meant = suggestion(likely(text, PRESETS, OTHER_NAMES))
        raise RuleError("rules_no_preset", preset=repr(text), known=f"{', '.join(PRESETS)}{meant}")
    return name


@cache
def preset_rules(name: str, variant: str | None = None) -> Rules:
    """The rules of a preset, for a variant that its sheet describes; None for the usual one.

    Raises:
        RuleError: the sheet does not describe that variant.
    """
    rows = PRESETS[name].rows
    variant = next(iter(rows)) if variant is None else variant
    if variant not in rows:
        raise RuleError("rules_preset_variant", preset=name, variant=variant, known=" or ".join(rows))
    return replace(with_house_rules(Rules.named(variant), rows[variant]), preset=name)


def plain_rules(rules: Rules) -> Rules:
    """The rules without the changes of the players: those of their preset, or else of their variant.

    If this version knows neither the preset nor the variant, as in a game from a newer version, they stay unchanged.
    """
    if is_by_preset(rules):
        return preset_rules(rules.preset, rules.variant)
    return VARIANTS.get(rules.variant, rules)


def is_by_preset(rules: Rules) -> bool:
    """Whether the rules are those of a preset that this version knows, changed or not."""
    return rules.preset in PRESETS and rules.variant in PRESETS[rules.preset].rows


def changes(rules: Rules) -> tuple[str, ...]:
    """The house rules by which these rules differ from their preset, or else from their variant."""
    return difference(rules, plain_rules(rules))


class PlayersChanges(NamedTuple):
    """What players changed in a preset.

    Attributes:
        chosen: the options of the sheet that they chose.
        changed: the house rules that the sheet does not have.
    """

    chosen: tuple[str, ...]
    changed: tuple[str, ...]


def players_changes(rules: Rules) -> PlayersChanges:
    """The changes of rules that are by a preset, as house rules."""
    options = PRESETS[rules.preset].options
    words = changes(rules)
    chosen = tuple(word for word in words if word in options)
    return PlayersChanges(chosen, tuple(word for word in words if word not in options))


def title(rules: Rules) -> str:
    """The rules in words, such as "1922 laws with game hole=61, changed: skunks=off" or "standard with misdeal=2"."""
    if not is_by_preset(rules):
        return _with(rules.variant, changes(rules))
    name = rules.preset if rules.variant == next(iter(PRESETS[rules.preset].rows)) else _of_variant(rules)
    chosen, changed = players_changes(rules)
    return f"{_with(name, chosen)}{', changed: ' if changed else ''}{' and '.join(changed)}"


def _of_variant(rules: Rules) -> str:
    return f"{rules.preset} ({rules.variant})"


def _with(name: str, words: Iterable[str]) -> str:
    said = " and ".join(words)
    return f"{name} with {said}" if said else name
