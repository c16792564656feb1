"""Derived event report: game records, score cards, standings, totals, cutoff, apparent qualifiers; cached."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from pegboard.core.names import compose
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.facts import EntryCorrected, PlayerEntered, ScheduledGame
from pegboard.tournament.night.night_state import GameFacts, Night, Presence
from pegboard.tournament.pairings import GameKey, join_pair
from pegboard.tournament.playoffs.qualifying import Cut, Ranking, cut, read_cut_rule
from pegboard.tournament.results.claims import Claim, DecidedBy, GameRecord, SheetResult, Value, settle
from pegboard.tournament.results.score_cards import ScoreCard, TotalsPanel, score_cards, totals_panel
from pegboard.tournament.results.scoring import PointTable
from pegboard.tournament.results.standings import Placing, groups_of, rank

# --- seats of a drawn game, by the names its table sent: seats may be swapped, names corrected ---


def players_by_names(night: Night, game: ScheduledGame, names: tuple[str, ...]) -> tuple[PlayerId, ...]:
    """The players of a game in the seat order of these names.

    It is the drawn order unless more names match the reverse one; names from before a correction match too.
    """
    one, other = (known_names(night, player) for player in game.players)
    as_drawn, turned = (sum(map(_is_among, names, known)) for known in ((one, other), (other, one)))
    return game.players[::-1] if turned > as_drawn else game.players


def known_names(night: Night, player: PlayerId) -> frozenset[str]:
    """A player's current name and the names before corrections, as tables write them.

    Tables compose letters and their accents (NFC); tables of an older version write them as they were entered.
    """
    entries = (row.decision for row in night.rows if isinstance(row.decision, PlayerEntered | EntryCorrected))
    names = {join_pair(entry.name, entry.partner) for entry in entries if entry.player == player}
    spelled = {" ".join(name.split()) for name in names | {night.name(player)}}
    return frozenset(spelled | {compose(name) for name in spelled})


def _is_among(name: str, known: frozenset[str]) -> bool:
    return name in known


@dataclass(frozen=True, slots=True)
class NightReport:
    """Everything derived from an event.

    Attributes:
        records: every game that was drawn or has a record, by round.
        cards: the score card of every entrant.
        placings: the standings.
        panel: the totals with their invariants.
        entrants: players who are checked in or have played; a part of them qualifies.
        cut: the cutoff of the standings, without players who left before it was closed; None while nobody has entered.
        open_games: games without values whose players have not left.
    """

    records: Mapping[GameKey, GameRecord]
    cards: Mapping[PlayerId, ScoreCard]
    placings: tuple[Placing, ...]
    panel: TotalsPanel
    entrants: tuple[PlayerId, ...]
    cut: Cut | None
    open_games: tuple[GameKey, ...]


@lru_cache(maxsize=8)
def report(night: Night) -> NightReport:
    """The report of an event; cached per event state."""
    records = _records(night)
    entrants = _entrants(night)
    table, order = night.rules.points, night.rules.order
    cards = score_cards(records.values(), table, entrants)
    placings = rank(cards, order, [fact.decision.groups for _, fact in night.ties_broken], night.names)
    panel = totals_panel(records.values(), table, night.names)
    open_games = tuple(key for key, record in records.items() if not record.settled and _can_be_played(night, record))
    return NightReport(records, cards, placings, panel, entrants, _cut(night, placings, len(entrants)), open_games)


def ranking_of(night: Night, placings: tuple[Placing, ...]) -> Ranking:
    """Players by place, without those who have left (or had left when qualifying was closed): they cannot advance."""
    is_gone = night.has_left if night.cut is None else night.left_before_cutoff.__contains__
    groups = (tuple(player for player in group if not is_gone(player)) for group in groups_of(placings))
    return tuple(group for group in groups if group)


def _cut(night: Night, placings: tuple[Placing, ...], entrants: int) -> Cut | None:
    """The cutoff; players who left count as entrants but cannot qualify. Once it is closed, its places are fixed."""
    ranking = ranking_of(night, placings)
    if not ranking:
        return None
    rule = read_cut_rule(night.rules.cut)
    places = rule.count_qualifiers(entrants) if night.cut is None else len(night.cut.qualifiers)
    return replace(cut(ranking, rule), places=min(places, sum(map(len, ranking))))


def _entrants(night: Night) -> tuple[PlayerId, ...]:
    played = {player for game in night.games.values() for player in game.pairing.players}
    return tuple(one.player for one in night.players.values() if one.presence is Presence.HERE or one.player in played)


def _can_be_played(night: Night, record: GameRecord) -> bool:
    return not any(night.has_left(player) for player in record.pairing.players)


# --- records ---


def _records(night: Night) -> dict[GameKey, GameRecord]:
    drawn = {key: night.games.get(key) or GameFacts(game.pairing) for key, game in night.schedule.items()}
    return {key: record_of(state, night.rules.points) for key, state in {**drawn, **night.games}.items()}


def record_of(game: GameFacts, table: PointTable) -> GameRecord:
    """The record of a game: both claims and both values; the director's last decision overrides everything else."""
    sheet = SheetResult(game.report.winner, game.report.margin) if game.report else None
    verdict = game.verdict
    if isinstance(verdict, facts.PaperResultEntered):
        found = settle(game.pairing, both_claims(game, verdict.winner, verdict.margin), table, sheet)
        return replace(found, decided_by=DecidedBy.CLAIMS) if found.settled else found
    if verdict is not None:
        decided_by = DecidedBy.RULING if isinstance(verdict, facts.ResultRuled) else DecidedBy.AWARD
        return GameRecord(game.pairing, game.claims, verdict.values, decided_by, rule_of(verdict), sheet)
    return settle(game.pairing, game.claims, table, sheet)


def rule_of(verdict: facts.ResultRuled | facts.GameAwarded | facts.GameForfeited) -> str:
    """The letter of a ruling, or the name of an award."""
    match verdict:
        case facts.ResultRuled(letter=letter):
            return letter
        case facts.GameAwarded(kind=kind):
            return kind
        case facts.GameForfeited():
            return "forfeit"


def both_claims(game: GameFacts, winner: PlayerId, margin: int) -> tuple[Claim, Claim]:
    """Both players' claims if their cards agree on this result."""
    one, other = (Claim(player == winner, margin) for player in game.pairing.players)
    return one, other


# --- apparent qualifiers (ACC 12.2) ---


@lru_cache(maxsize=256)
def find_apparent_qualifiers(night: Night, key: GameKey) -> frozenset[PlayerId]:
    """Players who would qualify, or tie at the cutoff, if both cards of a game counted as written (ACC 12.2).

    Cached per event state and game, because the desk, the screen and phones all show it.
    """
    record = report(night).records[key]
    one, other = (_claimed_value(claim, night.rules.points, record) for claim in record.claims)
    return find_qualifiers_with(night, key, (one, other) if one and other else record.values)


@lru_cache(maxsize=1024)
def find_qualifiers_with(night: Night, key: GameKey, values: tuple[Value | None, Value | None]) -> frozenset[PlayerId]:
    """Players who would qualify, or tie at the cutoff, if a game counted with these values."""
    derived = report(night)
    record = derived.records[key]
    others = [other for other in derived.records.values() if other is not record and _shares_player(other, record)]
    changed = score_cards([replace(record, values=values), *others], night.rules.points)
    cards = {**derived.cards, **{player: changed[player] for player in record.pairing.players}}
    found = _cut(night, rank(cards, night.rules.order), len(derived.entrants))
    if found is None:
        return frozenset()
    return found.qualifiers | frozenset(found.tie.players if found.tie else ())


def _shares_player(one: GameRecord, other: GameRecord) -> bool:
    return not set(one.pairing.players).isdisjoint(other.pairing.players)


def _claimed_value(claim: Claim | None, table: PointTable, record: GameRecord) -> Value | None:
    if claim is None:
        return None
    margin = claim.margin or 0
    return Value(table.points(margin, record.pairing.round), margin) if claim.won else Value(0, -margin)
