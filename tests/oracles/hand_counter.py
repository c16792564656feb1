"""Plain second counter of the show, written from the rule sheets with nothing of the first.

It looks at every set of the five cards in turn; cards are (rank, suit), ranks 1 to 13, suits C D H S.
"""

from itertools import combinations, pairwise


def is_of_a_rank(ranks, places):
    return len({ranks[place] for place in places}) == 1


def is_in_a_row(ranks, places):
    return all(b == a + 1 for a, b in pairwise(sorted(ranks[place] for place in places)))


def scoring(ranks):
    """(places, points) of every fifteen, of all cards of a rank together, and of every longest run."""
    sets = [frozenset(chosen) for size in range(2, 6) for chosen in combinations(range(len(ranks)), size)]
    found = [(chosen, 2) for chosen in sets if sum(min(ranks[place], 10) for place in chosen) == 15]
    alike = [chosen for chosen in sets if is_of_a_rank(ranks, chosen)]
    found += [(one, len(one) * (len(one) - 1)) for one in alike if not any(one < other for other in alike)]
    runs = [chosen for chosen in sets if len(chosen) > 2 and is_in_a_row(ranks, chosen)]
    return found + [(one, len(one)) for one in runs if len(one) == max(map(len, runs))]


def suit_points(cards, *, crib):
    """Cards in a flush, what they score, and the point for nobs; the starter is the last card."""
    suits = [suit for _, suit in cards]
    flush = (5 if suits[4] == suits[0] else 4) if len(set(suits[:4])) == 1 else 0
    return flush, (0 if crib and flush == 4 else flush), int((11, suits[4]) in cards[:4])


def show_points(cards, *, crib):
    """Points of four cards of a hand or crib, and the starter after them."""
    _, flush, nobs = suit_points(cards, crib=crib)
    return sum(points for _, points in scoring([rank for rank, _ in cards])) + flush + nobs
