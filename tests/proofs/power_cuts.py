"""Power cuts of the real process: its files rebuilt as a cut at any of its calls may leave them."""

import os
import random
import sys
from collections import Counter

from tests.proofs import disk
from tests.proofs.evening import Evening, shown
from tests.proofs.recovery import links, recover
from tests.proofs.weak_journal import CONTROLS
from tests.support.program import Service

REAL_EVERY = 250
"""Of so many images one is started by the real program, too."""

COLUMNS = ("images", "lost", "unsound", "no start", "said")


def recorded(folder, dice, commands, weak=None):
    """The calls of a real process during so many commands, its rows at the end, and what it showed at each of them."""
    state, log = folder / "state", folder / "calls"
    more = {"module": "tests.proofs.weak_journal"} if weak else {}
    extra = disk.environment(state, log) | ({"WEAK_JOURNAL": weak} if weak else {})
    evening = Evening(dice)
    with Service(state, environment=extra, **more) as service:
        client = service.client()
        for _ in range(commands):
            evening.go_on(client)
        evening.look(client)
    return disk.read_log(log), links(state), evening.told


def check_recorder(records, state, dice):
    """Nothing has passed the recorder by: the folder is what its calls make of it, byte for byte.

    Raises:
        AssertionError: a file differs.
    """
    model = disk.Disk(state)
    for each in records:
        model.note(each)
    left = model.after_power_cut("all written", dice)
    made = {name: content for name, content in left.items() if not name.endswith("-shm")}
    there = {str(path.relative_to(state)): path.read_bytes() for path in state.rglob("*") if path.is_file()}
    differing = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
    assert not differing, f"the recorder has not seen all that was done to {', '.join(differing)}"


def cuts(records, state, dice, images):
    """Images at places drawn from all calls, most of them near an answer: mode, what was acknowledged, image, place."""
    answers = [n for n, each in enumerate(records) if each.what == disk.SEND]
    near = [max(0, min(len(records) - 1, dice.choice(answers) + dice.randint(-4, 4))) for _ in range(images // 2)]
    places = Counter(near + [dice.randrange(len(records)) for _ in range(images - len(near))])
    model = disk.Disk(state)
    for place, each in enumerate(records):
        model.note(each)
        for _ in range(places[place]):
            mode = dice.choice(disk.MODES)
            yield mode, model.acknowledged, model.after_power_cut(mode, dice), place


def judge(found, rows, acknowledged):
    """What is wrong with a table after a cut, in a word of `COLUMNS`; None where nothing is."""
    if found.trouble:
        return "unsound" if "damaged" in found.trouble or "not what was" in found.trouble else "no start"
    if found.rows[:acknowledged] != rows[:acknowledged]:
        return "lost"
    return None if found.rows == rows[: len(found.rows)] else "unsound"


def prove(proof, what, images, commands, *, weak=None):
    """One table of images by mode; the count of each fault."""
    dice, folder = random.Random(f"{proof.seed} {what}"), proof.folder / what
    folder.mkdir()
    records, rows, told = recorded(folder, dice, commands, weak)
    check_recorder(records, folder / "state", dice)
    counts = {mode: Counter() for mode in disk.MODES}
    for n, (mode, acknowledged, image, place) in enumerate(cuts(records, folder / "state", dice, images), 1):
        again = folder / "again"
        disk.lay_out(image, again)
        found = recover(again, and_score=n % 2 == 0)
        fault = judge(found, rows, acknowledged)
        if fault is None and weak is None and n % REAL_EVERY == 0:
            disk.lay_out(image, again)
            fault = started_for_real(again, told, acknowledged)
        counts[mode].update({"images": 1, fault: 1, "said": bool(found.said)})
        if fault and not weak:
            disk.lay_out(image, again)
            words = f"{fault} after call {place} ({mode}), {acknowledged} acknowledged, {len(found.rows)} there"
            proof.fail(f"{words} {found.trouble}".strip(), again)
        if n % max(1, images // 5) == 0:
            totals = sum(counts.values(), Counter())
            proof.row(f"{what}, so far", *(totals[column] for column in COLUMNS))
    for mode in disk.MODES:
        proof.row(f"{what}, {mode}", *(counts[mode][column] for column in COLUMNS))
    return sum(counts.values(), Counter())


def started_for_real(folder, told, acknowledged):
    """The same by the real program, looked at from outside: what it shows is what it once showed."""
    with Service(folder) as service:
        state = service.client().state()
    if state["revision"] < acknowledged:
        return "lost"
    return None if shown(state) == told.get(state["revision"], shown(state)) else "unsound"


def prove_controls(proof, images, commands):
    """Journals that are not durable lose: else the proof is blind."""
    for weak in CONTROLS:
        totals = prove(proof, weak, images, commands, weak=weak)
        if not totals["lost"]:
            proof.fail(f"{weak} lost nothing in {totals['images']} images, so this proof sees nothing")


def replayed_by_hand(folder):
    """What a start makes of a kept folder: `python -m tests.proofs.power_cuts FOLDER`."""
    found = recover(folder)
    print(found.trouble or f"{len(found.rows)} events, fronts {found.fronts}", *found.said, sep="\n")


if __name__ == "__main__":
    from pathlib import Path

    os.umask(0o077)
    replayed_by_hand(Path(sys.argv[1]))
