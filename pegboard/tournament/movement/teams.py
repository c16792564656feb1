"""Teams and pairs: one side stays and the other moves, matches table by table, partners who share a lane.

Teams whose players all meet each other singly are drawn by `schedule.draw` with `teams`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.movement.drawn_rounds import DrawnGame, DrawnRound, Schedule
from pegboard.tournament.movement.first_deals import share_first_deals
from pegboard.tournament.movement.remarks import Remark
from pegboard.tournament.movement.team_formats import PAIR, MatchFormat
from pegboard.tournament.pairings import GameKey, Pairing


def one_side_stays(staying: Sequence[PlayerId], moving: Sequence[PlayerId], games: int) -> Schedule:
    """Rounds in which one side stays at its tables, and the other moves on by one table after each.

    Nobody meets his own side. Everybody of the one side has met everybody of the other after as many rounds as there
    are tables; then it begins again. Where one side has one more, one of that side sits out in each round.

    Args:
        staying: ids of players or pairs; the first stays at table 1.
        moving: those of the other side; the first begins at table 1.
        games: how many rounds are played.

    Raises:
        RuleError: the sides differ by more than one, or are empty.
    """
    if not staying or not moving or abs(len(staying) - len(moving)) > 1:
        raise RuleError("movement_sides", staying=len(staying), moving=len(moving))
    tables = max(len(staying), len(moving))
    rounds = [list(_round_of_sides(staying, moving, number, tables)) for number in range(games)]
    pairings = [Pairing(number + 1, pair) for number, pairs in enumerate(rounds) for _, pair in pairs]
    dealers = iter(share_first_deals(pairings))
    drawn = []
    for number, pairs in enumerate(rounds, 1):
        placed = tuple(DrawnGame(Pairing(number, pair), table, next(dealers)) for table, pair in pairs)
        playing = {player for _, pair in pairs for player in pair}
        sitting = tuple(player for player in (*staying, *moving) if player not in playing)
        drawn.append(DrawnRound(number, placed, sitting))
    schedule = Schedule(tuple(drawn))
    return Schedule(schedule.rounds, tuple(_remarks(schedule, len(staying) + len(moving))))


def _round_of_sides(
    staying: Sequence[PlayerId], moving: Sequence[PlayerId], number: int, tables: int
) -> Iterator[tuple[int, tuple[PlayerId, PlayerId]]]:
    """Each table at which there are two, with them."""
    for place, one in enumerate(staying):
        comes = (place - number) % tables
        if comes < len(moving):
            yield place + 1, (one, moving[comes])


def table_by_table(pairs: Mapping[int, tuple[PlayerId, PlayerId]], games: int) -> list[DrawnRound]:
    """A match of two teams at which nobody moves: in each round the same two meet at a table.

    First deals go to and fro between the teams from round to round, and from table to table, as `seat_match` has them.

    Args:
        pairs: one of the home team and one of the other, by the number of their table.
        games: how many rounds are played.
    """
    return [
        DrawnRound(
            number,
            tuple(
                DrawnGame(Pairing(number, pair), table, pair[((table - 1) * games + number - 1) % len(pair)])
                for table, pair in sorted(pairs.items())
            ),
        )
        for number in range(1, games + 1)
    ]


def _remarks(schedule: Schedule, players: int) -> Iterator[Remark]:
    met = Counter(one.players for one in schedule.pairings)
    rematches, last = sum(met.values()) - len(met), len(schedule.rounds)
    if rematches:
        yield Remark("movement_rematches_of_sides", (), {"number": rematches, "most": max(met.values())})
    if schedule.sit_outs:
        most = max(schedule.sit_outs.values())
        yield Remark("movement_sit_outs", (), {"last": last, "players": players, "fewest": 0, "most": most})


@dataclass(frozen=True, slots=True)
class Leg:
    """One game of a match table.

    Attributes:
        number: counts from 1.
        dealer: who deals first.
    """

    number: int
    dealer: PlayerId


@dataclass(frozen=True, slots=True)
class MatchTable:
    """A table of a match of two teams, at which all legs are between the same players.

    Attributes:
        number: counts from 1, over the tables of pairs and then those of singles.
        home: one player, or two who share a lane.
        away: their opponents.
        legs: in their order.
    """

    number: int
    home: tuple[PlayerId, ...]
    away: tuple[PlayerId, ...]
    legs: tuple[Leg, ...]

    @property
    def seats(self) -> tuple[PlayerId, ...]:
        """The players in the order of the seats: partners sit opposite each other, and share a lane."""
        return tuple(chain.from_iterable(zip(self.home, self.away, strict=True)))


def seat_match(match_format: MatchFormat, home: Sequence[PlayerId], away: Sequence[PlayerId]) -> list[MatchTable]:
    """The tables of a match; players stand in the order in which their captains name them, pairs side by side.

    First deals go to and fro between the teams from leg to leg, and from table to table; within a pair from one to the
    other.

    Raises:
        RuleError: a team has more or fewer players than the format takes.
    """
    for team in (home, away):
        if len(team) != match_format.players:
            raise RuleError("movement_team_size", wanted=match_format.players, players=len(team))
    sides = [(PAIR * at, PAIR, legs) for at, legs in enumerate(match_format.pairs_legs)]
    sides += [(at, 1, legs) for at, legs in enumerate(match_format.singles_legs)]
    tables, turn = [], 0
    for number, (begin, size, legs) in enumerate(sides, 1):
        ours, theirs = tuple(home[begin : begin + size]), tuple(away[begin : begin + size])
        tables.append(MatchTable(number, ours, theirs, tuple(_legs(ours, theirs, legs, turn))))
        turn += legs
    return tables


def _legs(home: Sequence[PlayerId], away: Sequence[PlayerId], legs: int, turn: int) -> Iterator[Leg]:
    for leg in range(legs):
        side = (home, away)[(turn + leg) % 2]
        yield Leg(leg + 1, side[leg // 2 % len(side)])


@dataclass(frozen=True, slots=True)
class PartnersAtTable:
    """Two pairs at a table of four.

    Attributes:
        players: in the order of the seats: partners sit opposite each other, at seats 0 and 2, and 1 and 3.
        dealer: the seat that deals first.
    """

    players: tuple[PlayerId, PlayerId, PlayerId, PlayerId]
    dealer: int


def seat_partners(
    schedule: Schedule, pairs: Mapping[PlayerId, tuple[PlayerId, PlayerId]]
) -> dict[GameKey, PartnersAtTable]:
    """The players at each table of a schedule of pairs; where a pair deals first, its two players take turns in that.

    Args:
        schedule: whose players are the ids of pairs.
        pairs: the partners of each pair.
    """
    dealt: Counter[PlayerId] = Counter()
    seated = {}
    for game in (game for drawn in schedule.rounds for game in drawn.games):
        one, other = game.pairing.players
        (first, third), (second, fourth) = pairs[one], pairs[other]
        seat = (0 if game.dealer == one else 1) + 2 * (dealt[game.dealer] % 2)
        dealt[game.dealer] += 1
        seated[game.pairing.key] = PartnersAtTable((first, second, third, fourth), seat)
    return seated
