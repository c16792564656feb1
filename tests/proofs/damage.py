"""`make test-damage`: the state folder is damaged at random, the real program started: it is right, or says so.

Right is: the board, all games, statistics and stored events are those of before. Said is: an alarm that every window
shows tells what differs. All else is silently wrong. Of files without scores it is only asked that the table starts.
"""

import concurrent.futures
import os
import random
import shutil
import stat
import threading
from collections import Counter
from dataclasses import dataclass

from tests.proofs.damages import damage, put_link
from tests.proofs.evening import GONE, Evening, shown
from tests.proofs.progress import Proof, number, run, seed
from tests.support.program import Service
from tests.support.waiting import soon

CASES = 2000
"""CASES=100 makes it shorter."""

EVENINGS = (40, 160, 160, 450, 40, 160, 160, 450)
"""Commands of each: in the shorter ones all is in the write-ahead log still, in the longest it began anew."""

CHECKED_WITHIN_S = 10
"""The whole journal is checked in the background: so long a finding may take."""

REFUSED = put_link.__name__.replace("_", " ")
"""No damage but an attack: a link in the place of a file may be refused, in one sentence."""

VERDICTS = ("right", "said", "silent", "traceback", "no start", "no score", "rights")
WRONG = VERDICTS[2:]


@dataclass(frozen=True)
class Truth:
    """A folder with an earlier copy of it, and what its table told before it ended."""

    folder: object
    older: object
    told: dict


def played(folder, dice, commands):
    """An evening that ends by a kill or a stop; somewhere in it its folder is copied as it is."""
    state, older, evening = folder / "state", folder / "older", Evening(dice)
    with Service(state) as service:
        client = service.client()
        director = {"brightness": {"oled": 77, "strip": 0.25}}
        assert client.ask("POST", "/api/v1/settings", director)[0] < 300
        half = dice.randrange(commands // 4, commands - 5)
        for n in range(commands):
            evening.go_on(client)
            if n == half:
                shutil.copytree(state, older)
        told = tell(client)
        if dice.random() < 0.6:
            service.kill()
    return Truth(state, older, told)


def tell(client):
    """What a table tells of its scores, by every way of asking."""
    state = client.ask("GET", "/api/v1/state")[1]
    told = {"board": (state["revision"], shown(state))}
    for name, path in (("games", "/api/v1/games?limit=100"), ("statistics", "/api/v1/stats")):
        told[name] = client.ask("GET", path)[1]
    client.connection.request("GET", "/api/v1/export.jsonl")
    told["events"] = client.connection.getresponse().read().decode("utf-8", "replace")
    return told


def alarms(client):
    """What every window shows until it is dismissed."""
    return client.ask("GET", "/api/v1/state")[1].get("alarms") or []


def is_said(client):
    """Whether an alarm comes, soon."""
    try:
        return bool(soon(lambda: alarms(client), CHECKED_WITHIN_S))
    except AssertionError:
        return False


class Output(threading.Thread):
    """What a program says after its start, read so that it never waits for a reader."""

    def __init__(self, service):
        super().__init__(daemon=True)
        self.service = service
        self.start()

    def run(self):
        for line in self.service.process.stdout:
            self.service.said.append(line)


def start_and_look(truth, folder):
    """Verdict and words on a damaged folder."""
    try:
        service = Service(folder)
    except AssertionError as ended:
        return ("traceback" if "Traceback" in str(ended) else "no start"), last_line(str(ended))
    with service:
        output = Output(service)
        try:
            verdict, words = look(truth, service.client())
        except (*GONE, LookupError, TypeError, AssertionError) as wrong:
            verdict, words = "no score", repr(wrong)
        service.kill()
        output.join()
        said = "".join(service.said)
    if "Traceback" in said:
        return "traceback", last_line(said)
    return (verdict, words) if verdict in WRONG else (rights(folder) or (verdict, words))


def look(truth, client):
    """Compare, and score once."""
    found = tell(client)
    differing = sorted(name for name, told in truth.told.items() if found[name] != told)
    if differing and not is_said(client):
        return "silent", ", ".join(differing)
    state = client.state()
    if not state["game"]["over"]:
        status, answer = client.score(0, 0, seen=state)
        if status != 201 and not is_said(client):
            return "no score", str(answer)
    return ("said" if differing or alarms(client) else "right"), ", ".join(differing)


def rights(folder):
    """A verdict where a file may be read by others after the start."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            return "rights", f"{path.name} has mode {stat.S_IMODE(path.stat().st_mode):o}"
    return None


def last_line(text):
    return text.strip().splitlines()[-1][:300]


def tried(proof, truths, case):
    """One case, which its seed and number make: file, damage, verdict, words, folder."""
    dice = random.Random(f"{proof.seed} case {case}")
    truth, place = dice.choice(truths), proof.folder / f"case-{case}"
    shutil.copytree(truth.folder, place / "state")
    name, how = damage(place / "state", truth.older, dice)
    verdict, words = start_and_look(truth, place / "state")
    if verdict == "no start" and how == REFUSED and ": pegboard: " in words:
        verdict = "said"
    return name, how, verdict, words, place


def prove_controls(proof, truths):
    """A folder that is whole is right, without an alarm; that of another evening is silently wrong."""
    place, counts = proof.folder / "control", Counter()
    for n, truth in enumerate(truths):
        for folder, expected in ((truth.folder, "right"), (truths[n - 1].folder, "silent"))[: 1 if n else 2]:
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(folder, place)
            verdict, words = start_and_look(truth, place)
            counts[verdict] += 1
            if verdict != expected:
                proof.fail(f"control {n}: {verdict} {words}, and {expected} was expected", place)
    row(proof, "controls: whole, and one of another evening", counts)


def prove(proof, cases, only=None):
    """All cases, two at a time; verdicts by file and by damage."""
    truths = []
    for n, commands in enumerate(EVENINGS):
        (proof.folder / f"evening-{n}").mkdir()
        dice = random.Random(f"{proof.seed} evening {n}")
        truths.append(played(proof.folder / f"evening-{n}", dice, commands))
    prove_controls(proof, truths)
    by_file, by_damage, done = {}, {}, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        numbers = [only] if only else range(1, cases + 1)
        asked = {pool.submit(tried, proof, truths, case): case for case in numbers}
        for each in concurrent.futures.as_completed(asked):
            name, how, verdict, words, place = each.result()
            by_file.setdefault(name, Counter())[verdict] += 1
            by_damage.setdefault(how, Counter())[verdict] += 1
            if verdict in WRONG:
                proof.fail(f"case {asked[each]}, {how} of {name}: {verdict}: {words}", place)
            shutil.rmtree(place, ignore_errors=True)
            done += 1
            if done % max(1, cases // 10) == 0:
                row(proof, f"so far, {done} cases", sum(by_file.values(), Counter()))
    return by_file, by_damage


def row(proof, what, counts):
    proof.row(what, *(counts[verdict] for verdict in VERDICTS))


def main():
    """Prove, or with CASE=12 and the SEED of before look at one case again."""
    proof = Proof("damage", seed())
    proof.row("damage", *VERDICTS)
    for table in prove(proof, number("CASES", CASES), number("CASE", 0)):
        for name, counts in sorted(table.items()):
            row(proof, name, counts)
    proof.end()


if __name__ == "__main__":
    run(main)
