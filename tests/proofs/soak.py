"""`make soak`: ten scores a second by phones and keys, with viewers; memory, descriptors and threads stay as they are.

With KILLS=1 the process is killed once a minute, and what was shown must be there again; its growth is then read
within each life, so a quiet run and one with kills are two proofs.
"""

import http.client
import random
import statistics
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from tests.proofs.evening import Evening
from tests.proofs.kills import Kills
from tests.proofs.progress import Proof, number, run, seed
from tests.support.program import Service

MINUTES, A_SECOND, VIEWERS = 30, 10, 5

WARM_S = 120
"""A program that has just begun fills its caches; what it grows by then is not counted."""

MOST_MB_AN_HOUR = 1.0
SPARE = 2
"""Descriptors and threads beyond the most of the warm minutes: a connection that opens while one is counted."""


@dataclass(frozen=True)
class Sample:
    """What Linux counts of a process at one moment."""

    at_s: float
    rss_mb: float
    descriptors: int
    threads: int


def sample(pid, begun):
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines())
    opened = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    return Sample(time.monotonic() - begun, int(lines["VmRSS"].split()[0]) / 1024, opened, int(lines["Threads"]))


def slope_mb_an_hour(samples):
    """The growth of memory: the straight line through the lowest value of each half minute."""
    lowest = {}
    for each in samples:
        part = int(each.at_s // 30)
        if part not in lowest or each.rss_mb < lowest[part].rss_mb:
            lowest[part] = each
    if len(lowest) < 2:
        return 0.0
    points = list(lowest.values())
    line = statistics.linear_regression([each.at_s / 3600 for each in points], [each.rss_mb for each in points])
    return line.slope


class Viewers:
    """Pages that follow the table until it ends."""

    def __init__(self, port, many):
        self.heard = 0
        for _ in range(many):
            threading.Thread(target=self._follow, args=(port,), daemon=True).start()

    def _follow(self, port):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            line.request("GET", "/events")
            answer = line.getresponse()
            while answer.readline():
                self.heard += 1
        except (OSError, http.client.HTTPException, AttributeError):
            line.close()


def play(evening, client, until, late):
    """So many scores a second until then; how many were answered, and how late each of them began at the most."""
    before, turn = evening.answers, time.monotonic()
    while (now := time.monotonic()) < until:
        if now < turn:
            time.sleep(turn - now)
        late.append(max(0.0, now - turn))
        evening.go_on(client)
        turn = max(turn + 1 / A_SECOND, now - 1)
    return evening.answers - before


class Soak:
    """A table that is played at for so many minutes, in one life or in one a minute."""

    def __init__(self, proof, minutes):
        self.proof, self.minutes, self.begun = proof, minutes, time.monotonic()
        self.loop = Kills(proof.folder / "state", random.Random(proof.seed))
        self.evening = self.loop.evening = Evening(self.loop.dice, keys=0.1)
        proof.row("minute", "scores", "RSS MB", "fds", "threads", "MB/hour", "late ms")

    def live(self, minutes):
        """One life of the program; what was counted of it."""
        with Service(self.loop.state) as service:
            client, life = service.client(), []
            if wrong := self.loop.compare(client.state()):
                self.proof.fail(wrong, self.loop.state)
            born, viewers = time.monotonic(), Viewers(service.port, VIEWERS)
            for minute in minutes:
                self._play_a_minute(minute, service, client, life, born)
            if not viewers.heard:
                self.proof.fail("no viewer was told anything")
            if minute < self.minutes:
                service.kill()
        return life

    def _play_a_minute(self, minute, service, client, life, born):
        answers, late = 0, []
        for step in range(1, 7):
            answers += play(self.evening, client, self.begun + (minute - 1) * 60 + step * 10, late)
            life.append(sample(service.pid, born))
        now, slope = life[-1], slope_mb_an_hour(warm(life))
        cells = (answers, f"{now.rss_mb:.1f}", now.descriptors, now.threads, f"{slope:.2f}", f"{max(late) * 1000:.0f}")
        self.proof.row(minute, *cells)


LAST = 6
"""Samples of the last minute: at one of them somebody may be reading, which takes three descriptors for a moment."""


def warm(life):
    """What was counted after the first minutes."""
    return [each for each in life if each.at_s >= WARM_S]


def judge(proof, life):
    """A run without kills: nothing grows."""
    slope = slope_mb_an_hour(warm(life))
    if slope >= MOST_MB_AN_HOUR:
        proof.fail(f"memory grows by {slope:.2f} MB an hour, and {MOST_MB_AN_HOUR} is allowed")
    early = [each for each in life if each.at_s < WARM_S]
    for name in ("descriptors", "threads"):
        most, end = max(getattr(each, name) for each in early), min(getattr(each, name) for each in life[-LAST:])
        if end > most + SPARE:
            proof.fail(f"{end} {name} at the end, {most} in the first minutes")


def main():
    """Soak for MINUTES; KILLS=1 kills once a minute."""
    proof, minutes = Proof("soak", seed()), number("MINUTES", MINUTES)
    soak = Soak(proof, minutes)
    if number("KILLS", 0):
        for minute in range(1, minutes + 1):
            soak.live([minute])
    else:
        judge(proof, soak.live(range(1, minutes + 1)))
    proof.end()


if __name__ == "__main__":
    run(main)
