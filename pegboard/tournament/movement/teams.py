"""Teams and sides: one side stays and the other moves, and matches table by table.

Teams whose players all meet each other singly are drawn by `schedule.draw` with `teams`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.movement.drawn_rounds import DrawnGame, DrawnRound, Schedule
from pegboard.tournament.movement.first_deals import share_first_deals
from pegboard.tournament.movement.remarks import Remark
from pegboard.tournament.pairings import Pairing


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


def table_by_table(pairs: Mapping[int, tuple[PlayerId, PlayerId]], games_at: Callable[[int], int]) -> list[DrawnRound]:
    """A match of two teams at which nobody moves: in each round the same two meet at a table.

    First deals go to and fro between the teams from round to round, and on over the tables in their order, also where
    nobody sits at one of them any more.

    Args:
        pairs: one of the home team and one of the other, by the number of their table.
        games_at: how many are played at a table, by its number.
    """
    rounds: dict[int, list[DrawnGame]] = {}
    for table, pair in sorted(pairs.items()):
        turn = sum(map(games_at, range(1, table)))
        for number in range(1, games_at(table) + 1):
            dealer = pair[(turn + number - 1) % len(pair)]
            rounds.setdefault(number, []).append(DrawnGame(Pairing(number, pair), table, dealer))
    return [DrawnRound(number, tuple(drawn)) for number, drawn in sorted(rounds.items())]


def _remarks(schedule: Schedule, players: int) -> Iterator[Remark]:
    met = Counter(one.players for one in schedule.pairings)
    rematches, last = sum(met.values()) - len(met), len(schedule.rounds)
    if rematches:
        yield Remark("movement_rematches_of_sides", (), {"number": rematches, "most": max(met.values())})
    if schedule.sit_outs:
        most = max(schedule.sit_outs.values())
        yield Remark("movement_sit_outs", (), {"last": last, "players": players, "fewest": 0, "most": most})
