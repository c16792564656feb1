"""Every press counts, and at once: our machine beside lgpio's debounce filter and beside ignoring what comes after."""

import random

from hardware.key_roles_and_actions import AddKey, Dial
from hardware.keys.debounce import Timing
from hardware.keys.machine import KeyMachine
from tests.support.contact_bounce import MS, presses
from tests.support.real_time_keys import pressed_under_hold_ups

PRESSES, FEW = 20_000, 1000
HELD_UP, FEW_HELD_UP, MANY_HELD_UP = 280, 10, 1120
"""Presses of each of nine keys while the interpreter is held up, about two a second of each; the most are 10,080."""

QUIET = 25 * MS
"""How long the two others wait for quiet, which is our lock-out."""


def keys(budgets, _folder):
    """The same presses for all three."""
    made = presses(random.Random(121), budgets.samples(PRESSES, quick=FEW))
    for who, heard_by, budget in (
        ("key machine", machine, 0),
        ("  lgpio's debounce filter", lgpio_filter, None),
        ("  ignoring what comes after", ignore_after, None),
    ):
        heard = counted(made, heard_by(edge for press in made for edge in press.edges))
        late = [(at - press.at) / MS for press, at in heard]
        budgets.add(f"{who}: presses not counted", [len(made) - len(late)], budget, "", trials=len(made))
        budgets.add(f"{who}: lateness of a press", late, budget, "ms")
    held_up(budgets)


def held_up(budgets):
    """Real time, from the kernel's queues to the key machine, while calls into C hold the interpreter up to 500 ms."""
    number = budgets.samples(HELD_UP, quick=FEW_HELD_UP, long=MANY_HELD_UP)
    dialled, torn = pressed_under_hold_ups(number, most_ms=500, seed=7)
    sound = [key for key in dialled if not torn[key]]
    wrong = sum(abs(dialled[key] - number) for key in sound)
    name = "presses not counted once, the interpreter held up to 500 ms"
    budgets.add(name, [wrong], 0, "", trials=number * len(sound))


def counted(made, heard):
    """Each press that was heard once, with the time; one heard between presses or twice is an error."""
    pairs, heard = [], sorted(heard)
    ends = [press.at for press in made[1:]] + [10**18]
    place = 0
    for press, end in zip(made, ends, strict=True):
        own = []
        while place < len(heard) and heard[place] < end:
            own.append(heard[place])
            place += 1
        assert len(own) <= 1, "a press was counted twice"
        pairs += [(press, at) for at in own]
    return pairs


def machine(edges):
    """When our machine says that a press adds to what is dialled."""
    hand = KeyMachine({"a1": AddKey(0, 1)}, Timing())
    for at, down in edges:
        yield from [at for action in hand.edge(at, "a1", down) if action == Dial(0, 1)]


def lgpio_filter(edges):
    """A change is told when the line has been quiet for so long; a tap that is shorter is never told."""
    told, last = False, None
    for at, down in edges:
        if last is not None and last[1] != told and at - last[0] >= QUIET:
            told = last[1]
            if told:
                yield last[0] + QUIET
        last = (at, down)


def ignore_after(edges):
    """A change is told at once, and the line not looked at for so long after it."""
    told, deaf_until = False, 0
    for at, down in edges:
        if at >= deaf_until:
            deaf_until = at + QUIET
            if down and not told:
                yield at
            told = down
