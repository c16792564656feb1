"""Package verification: signature, signer, and differences from rederived results; report as JSON or text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pegboard.errors import PegboardError
from pegboard.hub.packages.hub_keys import fingerprint
from pegboard.hub.packages.night_package import (
    SealedPackage,
    derived_content,
    open_package,
    read_sheet,
    reported_sheets,
)
from pegboard.hub.table_results import TableResult, results_of
from pegboard.messages import Message
from pegboard.tournament.night.decide import fold
from pegboard.tournament.night.decisions import from_row
from pegboard.tournament.night.facts import RULES_VERSION, TableResultReceived
from pegboard.tournament.night.night_report import players_by_names
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.pairings import GameKey

# --- rederiving a package: standings from the decisions, margins from the score sheets; differences are listed ---


ReadJson: TypeAlias = Mapping[str, Any]

UNREADABLE = (
    PegboardError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    RecursionError,
)
"""Exceptions from deriving content that no hub wrote."""

PARTS: Mapping[str, str] = {
    "games": "package_games_differ",
    "standings": "package_standings_differ",
    "invariants": "package_invariants_differ",
    "qualifiers": "package_qualifiers_differ",
    "winners": "package_winners_differ",
}
"""Parts of the content derived from the decisions, each with the key of the message if it differs."""


@dataclass(frozen=True, slots=True)
class Rederived:
    """The results of a package, derived here.

    Attributes:
        departures: differences from what the package says; empty if there are none.
        night: the event; None if nothing could be derived.
        margins: how many margins were derived from score sheets and match the stored ones.
    """

    departures: tuple[Message, ...] = ()
    night: Night | None = None
    margins: int = 0


def rederive(content: ReadJson) -> Rederived:
    """Rederive the results; skipped if the rules are newer than ours, since the event was played under those rules."""
    version = content.get("rules", {}).get("version") if isinstance(content.get("rules"), Mapping) else None
    if type(version) is int and version > RULES_VERSION:
        return Rederived((Message("package_newer_rules", version=version, known=RULES_VERSION),))
    try:
        return _rederive(content)
    except UNREADABLE as error:
        return Rederived((Message("package_not_derived", error=type(error).__name__),))


def _rederive(content: ReadJson) -> Rederived:
    night = fold(from_row(row) for row in content["decisions"])
    departures = [*_numbering(content), *_limits(night), *_parts(content, night)]
    margins = 0
    for key, received in reported_sheets(night).items():
        wrong = list(_sheet_departures(content, night, key, received))
        departures += wrong
        margins += not wrong and received.sheet is not None
    return Rederived(tuple(departures), night, margins)


def _numbering(content: ReadJson) -> Iterator[Message]:
    """Check that decisions are numbered from 1 without gaps."""
    for place, row in enumerate(content["decisions"], 1):
        if row["number"] != place:
            yield Message("package_numbering", number=str(row["number"]), place=place)
            return


def _limits(night: Night) -> Iterator[Message]:
    """Decisions that the limits of this version would refuse; they still count."""
    for departure in night.departures:
        yield Message("package_departs", number=departure.number, why=departure.why)


def _parts(content: ReadJson, night: Night) -> Iterator[Message]:
    derived = derived_content(night)
    for part, key in PARTS.items():
        if derived[part] != content[part]:
            yield Message(key)


# --- margins ---


def _sheet_departures(
    content: ReadJson, night: Night, key: GameKey, received: TableResultReceived
) -> Iterator[Message]:
    """The differences between the score sheet of a game and its stored result."""
    if received.sheet is None:
        return
    rows = content["sheets"].get(key)
    if not rows:
        yield Message("package_no_sheet", game=key)
        return
    found = next(
        (one for one in results_of(read_sheet(content["event"], rows)) if one.game == received.sheet.game), None
    )
    if found is None or found.digest != received.sheet.digest:
        yield Message("package_other_sheet", game=key)
    elif found.impossible is not None:
        yield Message("package_impossible_sheet", game=key, why=found.impossible)
    elif (found.margin, _winner_of(found, night, key)) != (received.margin, received.winner):
        yield Message("package_margin", game=key, stored=received.margin, derived=found.margin or 0)


def _winner_of(found: TableResult, night: Night, key: GameKey) -> str | None:
    """The winner of a drawn game by its score sheet, whose lanes are the game's two seats; None if nobody has won."""
    drawn = night.schedule.get(key)
    if drawn is None or found.winner is None or found.winner >= len(drawn.players):
        return None
    return players_by_names(night, drawn, found.players)[found.winner]


Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class VerifiedPackage:
    """A package whose signature is valid, checked here.

    Attributes:
        sealed: the content and the signer.
        signer: the name of the signing hub in the file of known hubs; "" if unknown here.
        rederived: the results derived here, with the differences.
    """

    sealed: SealedPackage
    signer: str
    rederived: Rederived

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the signer's key."""
        return fingerprint(self.sealed.public)

    @property
    def is_known(self) -> bool:
        """Whether the signer is known here."""
        return bool(self.signer)

    @property
    def departures(self) -> tuple[Message, ...]:
        """Differences from what the package says."""
        return self.rederived.departures


def verify_package(file: bytes, known: Mapping[bytes, str]) -> VerifiedPackage:
    """Verify the package in a file; `known` has the names of hubs by public key.

    Raises:
        PackageRefused: the file is not a package, or was altered.
    """
    sealed = open_package(file)
    return VerifiedPackage(sealed, known.get(sealed.public, ""), rederive(sealed.content))


def verified_lines(verified: VerifiedPackage) -> list[str]:
    """A report on the package, line by line, in English."""
    content = verified.sealed.content
    signer = verified.signer if verified.is_known else "unknown hub"
    counts = ", ".join(f"{name} {_count(content, part)}" for name, part in COUNTED.items())
    return [
        f"{content.get('name')}, {content.get('date')}: {counts}",
        f"Signed by {verified.fingerprint} ({signer})",
        f"SHA-256 {verified.sealed.digest}",
        *(str(departure) for departure in verified.departures),
        _summary(verified),
    ]


COUNTED = {"players": "roster", "games": "games", "score sheets": "sheets", "log entries": "decisions"}
"""Label of each count in the report, and the counted part of the content."""


def _count(content: Json, part: str) -> int:
    found = content.get(part)
    return len(found) if isinstance(found, list | dict) else 0


def _summary(verified: VerifiedPackage) -> str:
    if verified.departures:
        return f"Differences: {len(verified.departures)}; the standings in the package count"
    return f"Standings, totals and score sheet margins ({verified.rederived.margins}) recomputed: all match"


def verified_json(verified: VerifiedPackage) -> Json:
    """The report as JSON for programs."""
    content = verified.sealed.content
    return {
        "event": content.get("event"),
        "name": content.get("name"),
        "date": content.get("date"),
        "finished": content.get("finished") is True,
        "digest": verified.sealed.digest,
        "fingerprint": verified.fingerprint,
        "signer": verified.signer,
        "known": verified.is_known,
        "margins": verified.rederived.margins,
        "departures": [departure.as_json() | {"text": str(departure)} for departure in verified.departures],
    }
