"""Every hand and crib there is, against the published table: `make oracle` (under a minute).

All 12,994,800 deals of four cards and a starter are counted by the functions of the show, as hands and as cribs; how
often each score comes and the SHA-256 of the whole stream of scores must be those of `hand_frequency.json`. Exits 1 on
any difference.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import combinations
from multiprocessing import Pool
from pathlib import Path
from time import perf_counter

from pegboard.core.cards.pack import SUITS, Card
from pegboard.core.cards.show import flush_points, has_nobs, rank_points

TABLE = Path(__file__).parents[1] / "data" / "hand_frequency.json"
DEALS = json.loads(TABLE.read_text())["total"]
PACK = [Card(rank, suit) for rank in range(1, 14) for suit in SUITS]
"""Card 4 * rank + suit of the table's stream order."""


@cache
def points_by_rank(ranks: tuple[int, ...]) -> int:
    return rank_points([Card(rank, "") for rank in ranks])


def hands_beginning_with(first: int, second: int) -> Iterator[tuple[Card, ...]]:
    for third, fourth in combinations(PACK[second + 1 :], 2):
        yield PACK[first], PACK[second], third, fourth


def scores(places: tuple[int, int]) -> tuple[bytes, bytes]:
    """Scores of all hands whose two lowest cards are these, as hands and as cribs, starters in order."""
    hands, cribs = bytearray(), bytearray()
    for hand in hands_beginning_with(*places):
        ranks = tuple([card.rank for card in hand])
        for starter in PACK:
            if starter not in hand:
                points = points_by_rank((*ranks, starter.rank)) + has_nobs(hand, starter)
                hands.append(points + flush_points(hand, starter, crib=False))
                cribs.append(points + flush_points(hand, starter, crib=True))
    return bytes(hands), bytes(cribs)


def differences(name: str, stream_sum: str, tally: Counter[int]) -> list[str]:
    published = json.loads(TABLE.read_text())[name]
    found = [
        f"{name} {points}: {tally[int(points)]:,}, published {expected:,}"
        for points, expected in published["frequency"].items()
        if tally[int(points)] != expected
    ]
    if stream_sum != published["sha256_of_score_stream"]:
        found.append(f"{name}: SHA-256 of the stream is {stream_sum}")
    return found


def progress(counted: int, newest: bytes) -> None:
    """Print a line at every full tenth of the deals."""
    tenths = 10 * counted // DEALS
    if tenths > 10 * (counted - len(newest)) // DEALS:
        print(f"{10 * tenths:3} % {counted:12,} deals", flush=True)


def main() -> int:
    began = perf_counter()
    sums = {"hand": sha256(), "crib": sha256()}
    tallies: dict[str, Counter[int]] = {"hand": Counter(), "crib": Counter()}
    places = list(combinations(range(len(PACK)), 2))
    with Pool() as pool:
        for streams in pool.imap(scores, places):
            for name, stream in zip(sums, streams, strict=True):
                sums[name].update(stream)
                tallies[name].update(stream)
            progress(tallies["hand"].total(), streams[0])
    found = [line for name in sums for line in differences(name, sums[name].hexdigest(), tallies[name])]
    print(f"{'DIFFERENT' if found else 'equal'}, hands and cribs, in {perf_counter() - began:.0f} s")
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
