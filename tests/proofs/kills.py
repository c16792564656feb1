"""kill -9 of the real process under scores: what was shown is there again, and at most what was on its way besides."""

import threading
from dataclasses import dataclass

from tests.proofs import disk
from tests.proofs.evening import GONE, Evening, shown
from tests.support.program import Service

CHANGES = disk.ON_WRITE | disk.ON_SYNC | disk.ON_TRUNCATE | disk.ON_OPEN | disk.ON_RENAME | disk.ON_UNLINK

LATEST_CALL = 400
"""Among the first so many calls a process is killed, where it is at a call: starts, commits and checkpoints."""


@dataclass(frozen=True)
class Killed:
    """One kill: what is wrong after it, "" where nothing is, and how many commands had been answered before."""

    fault: str
    answers: int


class Kills:
    """A table that is killed again and again, at any moment or at one of its calls, and one who plays at it."""

    def __init__(self, state, dice, weak=None):
        self.state, self.dice, self.evening = state, dice, Evening(dice, keys=0.3)
        self.weak = {"module": "tests.proofs.weak_journal"} if weak else {}
        self.environment = {"WEAK_JOURNAL": weak} if weak else {}

    def kill(self, at_call=None):
        """Start, look, play and kill once, at a call or at any moment; a start that is killed counts as well."""
        at_call = self.dice.random() < 0.5 if at_call is None else at_call
        fault = (CHANGES, self.dice.randint(1, LATEST_CALL), 5, disk.KILL) if at_call else None
        before = self.evening.answers
        try:
            environment = self.environment | disk.environment(self.state, fault=fault)
            service = Service(self.state, environment=environment, **self.weak)
        except AssertionError as died:
            return Killed("" if "ended with -9" in str(died) else f"no start: {died}", 0)
        with service:
            wrong = self._play(service, at_call)
            service.kill()
        return Killed(wrong, self.evening.answers - before)

    def _play(self, service, at_call):
        """What the table shows wrongly after the kill before, then scores until it dies."""
        try:
            client = service.client()
            if wrong := self.compare(client.state()):
                return wrong
            timer = None if at_call else threading.Timer(self.dice.uniform(0.05, 0.4), service.process.kill)
            if timer:
                timer.start()
            for _ in range(300):
                self.evening.go_on(client)
        except GONE:
            pass
        return ""

    def compare(self, state):
        """What the table shows wrongly after a kill, "" where nothing is."""
        evening = self.evening
        evening.begin_again()
        acknowledged, there = evening.revision, state["revision"]
        if there < acknowledged:
            return f"lost: {acknowledged} events were shown, {there} are there"
        if there > acknowledged + evening.on_their_way():
            return f"too many: {acknowledged} events were shown, {there} are there"
        if acknowledged and there == acknowledged and shown(state) != evening.told[there]:
            return f"another board after {there} events"
        evening.hear(state)
        return ""


def prove_kills(proof, what, kills, dice, weak=None):
    """So many kills, told at every fifth of them; how many were wrong."""
    loop, faults, answers = Kills(proof.folder / what, dice, weak), 0, 0
    for n in range(1, kills + 1):
        killed = loop.kill()
        answers += killed.answers
        if killed.fault:
            faults += 1
            loop.evening = Evening(dice, keys=0.3)  # what was shown until now is not what is there
            if not weak:
                proof.fail(f"kill {n}: {killed.fault}", loop.state)
        if n % max(1, kills // 5) == 0:
            proof.row(what, n, answers, faults)
    return faults
