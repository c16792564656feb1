"""How often the course is wrong: dealt games entered in several ways, compared with the truth after every entry."""

import contextlib
import random
from dataclasses import dataclass, replace
from unittest import mock

from pegboard.core import best_path, course_of_sheet
from pegboard.core.course_of_sheet import BOTH_WAYS_BELOW
from pegboard.core.moves import Scored
from pegboard.core.rules import MOST_AT_ONCE, Rules
from tests.support.dealing import MIX, OTHERS, game, table_of

WAYS = {
    "said": {"go", "thirty-one", "heels", "muggins"},
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

PLAYERS = {
    "no zeros entered": ({"zeros": 0}, {"said": (1.5, 1.1, 3), "numbers": (2.3, 1.3, 7.5), "buttons": (3.6, 2.4, 7.5)}),
    "5 % of goes forgotten": (
        {"goes_forgotten": 0.05},
        {"said": (1.4, 0.7, 3), "numbers": (2.2, 0.9, 6), "buttons": (3.4, 2.2, 6)},
    ),
    "two scores lumped into one": (
        {"lumps": 0.1},
        {"said": (1.6, 0.9, 5), "numbers": (2.8, 1.3, 9), "buttons": (4.1, 2.5, 9)},
    ),
    "crib entered before the hand, the first time said": (
        {"crib_first": True},
        {"said": (3, 2, 4), "numbers": (4, 2.5, 7), "buttons": (5, 3.5, 9)},
    ),
    "muggins pegged as scores": (
        {"muggins": 0.03},
        {"said": (1.2, 0.8, 3), "numbers": (4.2, 2.2, 30), "buttons": (5.5, 3.4, 30)},
    ),
    "five cards": ({"variant": "five-card"}, {"buttons": (4.5, 3.2, 4)}),
}
"""Players whom the table does not know, by what they do otherwise, with bars for each way to enter points."""


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


def entered(dice, truths, said, *, zeros=ZEROS, forgotten=0.0, goes_forgotten=0.0, miscounted=0.0):
    """The entries that people make of what is true, each with its truth."""
    for truth in truths:
        if truth.points == 0 and dice.random() >= zeros:
            continue
        if dice.random() < forgotten or (truth.why == "go" and goes_forgotten and dice.random() < goes_forgotten):
            continue
        points = truth.points
        if dice.random() < miscounted:
            points += 2 if points <= 2 else dice.choice((-2, 2))  # nobody enters 0 for a pair
        why = truth.why if (truth.why in said or truth.told) and points == truth.points else None
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


def with_lumps(dice, truths, part):
    """The same, but now and then two scores that a player pegs one after the other are entered as their sum."""
    held = truths[0]
    for truth in truths[1:]:
        alike = (held.seat, held.deal) == (truth.seat, truth.deal) and min(held.points, truth.points) > 0
        if alike and held.points + truth.points <= MOST_AT_ONCE and dice.random() < part:
            held = held._replace(points=held.points + truth.points, ends=truth.ends, last=truth.last)
        else:
            yield held
            held = truth
    yield held


def with_crib_first(dice, truths):
    """The same, but one of two players counts the crib before the hand, and says so the first time."""
    seat, told = dice.randrange(2), False
    truths = list(truths)
    for at, truth in enumerate(truths[1:], 1):
        if truth.why == "crib" and truth.seat == seat:
            truths[at - 1 : at + 1] = truth._replace(told=not told), truths[at - 1]
            told = True
    return truths


def with_muggins(dice, truths, part):
    """The same of two players, but now and then two points of a hand or crib are missed, and the opponent pegs them."""
    for truth in truths:
        if truth.why in {"hand", "crib"} and truth.points >= 2 and dice.random() < part:
            yield truth._replace(points=truth.points - 2)
            yield truth._replace(points=2, seat=1 - truth.seat, why="muggins")
        else:
            yield truth


def without_a_deal(dice, truths):
    """The same, but one deal that nobody has entered."""
    left_out = dice.randint(2, max(2, truths[-1].deal - 1))
    return [truth for truth in truths if truth.deal != left_out]


def group(why):
    """The reasons that count as one; muggins pegged as a score is no reason."""
    return {"go": "play", "thirty-one": "play", "muggins": None}.get(why, why)


def try_game(tally, dice, rules, kinds, said, *, named=True, at_once=0.0, **faults):
    """One game, entry by entry; `named` tells whether the first dealer was, else the policy has taken anybody."""
    table = table_of(rules)
    first = dice.randrange(table.seats)
    truths, entries = as_entered(dice, game(dice, table, first, kinds, at_once=at_once), said, **faults)
    begin = best_path.begin(rules, first if named else dice.randrange(table.seats), said=named)
    lines = [
        Scored(truth.seat % table.lanes, points, truth.seat if table.seats == table.lanes else None, why)
        for truth, points, why in entries
    ]
    course = course_of_sheet.weigh(rules, best_path.follow(rules, begin, lines))
    told = best_path.readings(rules, course)
    over, wrong, run = ends_of_deals(truths), False, 0
    for number, (truth, points, why) in enumerate(entries, 1):
        fault = why == "muggins"
        live = None if fault else reading_at(course, number, points)
        right = {truth.dealer, (truth.dealer + (truth in over)) % table.seats}
        astray = dealer_shown(rules, until(course, number)) not in {None, *right}
        tally.live += group(live) != group(truth.why)
        tally.finally_ += not fault and group(told[number - 1].why) != group(truth.why)
        tally.under += astray
        wrong |= astray
        run = run + 1 if astray else 0
        tally.longest = max(tally.longest, run)
    tally.ever += wrong
    tally.entries += len(entries)
    tally.games += 1


def as_entered(dice, dealt, said, *, parts=0.0, skips=False, lumps=0.0, crib_first=False, muggins=0.0, **faults):
    """What is true of a dealt game, and what is entered of it."""
    truths = list(in_parts(dice, dealt, parts))
    truths = without_a_deal(dice, truths) if skips else truths
    truths = list(with_lumps(dice, truths, lumps)) if lumps else truths
    truths = with_crib_first(dice, truths) if crib_first else truths
    truths = list(with_muggins(dice, truths, muggins)) if muggins else truths
    return truths, list(entered(dice, truths, said, **faults))


def ends_of_deals(truths):
    """The truths after which nothing more can be entered of their deal, so that the next one may be shown."""
    found, later, over = set(), None, True
    for truth in reversed(truths):
        over = over or truth.deal != later
        if over:
            found.add(truth)
        over = over and (truth.points == 0 or truth.why == "muggins")
        later = truth.deal
    return found


def reading_at(course, number, points):
    """What the newest entry was taken for when there were so many."""
    step = course.steps[number]
    return best_path.why_of(step.back[step.best] & best_path.NOTHING, points)


def until(course, number):
    """The course as it was when there were so many entries."""
    return course._replace(steps=course.steps[: number + 1], weights=course.weights[: number + 1])


def dealer_shown(rules, so_far):
    """The dealer that displays show as a fact; None where they show two possibilities."""
    found = course_of_sheet.standings(rules, so_far)
    sure = sum(each.sure for each in found if each.dealer == found[0].dealer)
    return found[0].dealer if sure >= BOTH_WAYS_BELOW else None


def tried(way, games=300, *, variant="standard", kinds=MIX, seed=77, model=None, **faults):
    """So many games entered in one way; `model` takes the place of the course's own."""
    tally, dice = Tally(), random.Random(seed)
    rules = replace(Rules.named(variant), muggins="muggins" in faults)
    with contextlib.ExitStack() as patches:
        for module in (best_path, course_of_sheet) if model is not None else ():
            patches.enter_context(mock.patch.object(module, "model_of", return_value=model))
        for _ in range(games):
            try_game(tally, dice, rules, [dice.choice(kinds) for _ in range(rules.seats)], WAYS[way], **faults)
    return tally


def tried_players(players, way, games):
    """So many games of a row of `PLAYERS`."""
    return tried(way, games, kinds=OTHERS, **PLAYERS[players][0])


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
