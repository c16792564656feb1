"""How often the course is wrong: dealt games entered in several ways, compared with the truth after every entry."""

import contextlib
import random
from dataclasses import dataclass
from unittest import mock

from pegboard.core.course import best_path, certainty, likeliest_readings
from pegboard.core.course.course_of_sheet import BOTH_WAYS_BELOW
from pegboard.core.moves import Scored
from pegboard.core.rules import Rules
from tests.support.dealing import MIX, game, table_of

WAYS = {
    "said": {"go", "thirty-one", "heels"},
    "numbers": {"heels"},
    "buttons": set(),
}
"""The reasons that are said, by how a table enters its points: on pages; on pages, by numbers alone; by buttons."""

BARS = {"said": (0.8, 0.3, 1), "numbers": (1.0, 0.4, 2), "buttons": (2.3, 1.4, 3)}
"""Parts of a hundred allowed: reasons wrong live and finally, games that ever show a wrong dealer."""

OTHER_BARS = {"said": (1.3, 0.6, 3), "numbers": (1.8, 0.8, 5), "buttons": (3.0, 1.8, 5)}
"""The same of players of other kinds than the table knows."""

FAULTY = {"said": 0.7, "buttons": 1.0}
"""Entries under a wrong dealer where 3 of 100 scores are never entered and 2 are wrong by two."""

ZEROS = 0.5
"""How often a zero is entered."""


@dataclass
class Tally:
    """What went wrong in some games."""

    games: int = 0
    entries: int = 0
    live: int = 0
    finally_: int = 0
    under: int = 0
    ever: int = 0
    longest: int = 0

    def rates(self):
        """Parts of a hundred: reason wrong live and finally, entries under a wrong dealer, games that showed one."""
        of = 100 / self.entries
        return self.live * of, self.finally_ * of, self.under * of, 100 * self.ever / self.games


def entered(dice, truths, said, *, zeros=ZEROS, forgotten=0.0, miscounted=0.0):
    """The entries that people make of what is true, each with its truth."""
    for truth in truths:
        if truth.points == 0 and dice.random() >= zeros:
            continue
        if dice.random() < forgotten:
            continue
        points = truth.points
        if dice.random() < miscounted:
            points += 2 if points <= 2 else dice.choice((-2, 2))  # nobody enters 0 for a pair
        why = truth.why if truth.why in said and points == truth.points else None
        yield truth, points, why


def in_parts(dice, truths, part):
    """The same, but now and then a hand or crib of six or more is pegged in two goes."""
    for truth in truths:
        first = 2 * dice.randint(1, 2)
        if truth.why in ("hand", "crib") and truth.points >= 6 and dice.random() < part:
            yield truth._replace(points=first)
            yield truth._replace(points=truth.points - first)
        else:
            yield truth


def without_a_deal(dice, truths):
    """The same, but one deal that nobody has entered."""
    left_out = dice.randint(2, max(2, truths[-1].deal - 1))
    return [truth for truth in truths if truth.deal != left_out]


def group(why):
    """The reasons that count as one."""
    return "play" if why in ("go", "thirty-one") else why


def try_game(tally, dice, rules, kinds, said, *, at_once=0.0, parts=0.0, skips=False, named=True, **faults):
    """One game, entry by entry; `named` tells whether the first dealer was, else the policy has taken anybody."""
    table = table_of(rules)
    first = dice.randrange(table.seats)
    dealt = list(in_parts(dice, game(dice, table, first, kinds, at_once=at_once), parts))
    truths = list(entered(dice, without_a_deal(dice, dealt) if skips else dealt, said, **faults))
    begin = best_path.begin(rules, first if named else dice.randrange(table.seats), said=named)
    so_far, lines, wrong, run = None, [], False, 0
    for truth, points, why in truths:
        seat = truth.seat if table.seats == table.lanes else None
        lines.append(Scored(truth.seat % table.lanes, points, seat, why))
        so_far = certainty.weigh(rules, best_path.follow(rules, begin, lines, so_far), so_far)
        reading = likeliest_readings.readings(rules, so_far)[-1]
        right = {truth.dealer, (truth.dealer + (truth.why == "crib")) % table.seats}
        astray = dealer_shown(rules, so_far) not in {None, *right}
        tally.live += group(reading.why) != group(truth.why)
        tally.under += astray
        wrong |= astray
        run = run + 1 if astray else 0
        tally.longest = max(tally.longest, run)
    tally.ever += wrong
    told = likeliest_readings.readings(rules, so_far)
    tally.finally_ += sum(group(each.why) != group(truth.why) for each, (truth, _, _) in zip(told, truths, strict=True))
    tally.entries += len(truths)
    tally.games += 1


def dealer_shown(rules, so_far):
    """The dealer that displays show as a fact; None where they show two possibilities."""
    found = certainty.standings(rules, so_far)
    sure = sum(each.sure for each in found if each.dealer == found[0].dealer)
    return found[0].dealer if sure >= BOTH_WAYS_BELOW else None


def tried(way, games=300, *, variant="standard", kinds=MIX, seed=77, model=None, **faults):
    """So many games entered in one way; `model` takes the place of the course's own."""
    tally, dice, rules = Tally(), random.Random(seed), Rules.named(variant)
    with contextlib.ExitStack() as patches:
        for module in (best_path, certainty) if model is not None else ():
            patches.enter_context(mock.patch.object(module, "model_of", return_value=model))
        for _ in range(games):
            try_game(tally, dice, rules, [dice.choice(kinds) for _ in range(rules.seats)], WAYS[way], **faults)
    return tally


# --- a worse table ---


def shuffled(table, seed=1):
    """The same table with the costs of each line in other places."""
    dice = random.Random(seed)
    return "\n".join(_shuffled(dice, line) for line in table.splitlines()) + "\n"


def _shuffled(dice, line):
    head, body = line.split(" ")
    width = 2 if head == "show" else 5
    parts = [body[at : at + width] for at in range(0, len(body), width)]
    costs = [part[-2:] for part in parts]
    dice.shuffle(costs)
    return f"{head} " + "".join(part[:-2] + cost for part, cost in zip(parts, costs, strict=True))
