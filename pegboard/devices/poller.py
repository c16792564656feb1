"""An input is asked how it is by a thread of its own; one that does not answer holds up nobody else."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from pegboard.devices.health import Health, error_text

POLL_INTERVAL_S = 3.0
"""How often inputs are asked, and all devices looked at."""

ANSWER_S = 3.0
"""An input that takes longer to say how it is hangs."""

SILENT = f"it has not said for {ANSWER_S:g} seconds how it is; start pegboard again if it stays so"


class _Question(NamedTuple):
    """Asked and not yet answered: since when, by the steady clock and by the one on the wall, in seconds."""

    begun_s: float
    wall_s: float


class Asked:
    """An input that may wait, or raise, when it is asked."""

    def __init__(
        self,
        given: Any,
        name: str,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """It is well until it says otherwise. `clock` and `wall` give seconds, steady and since 1970."""
        self._given = given
        self._clock, self._wall = clock, wall
        self._health = Health(name, "")
        self._question: _Question | None = None
        self._ended = threading.Event()

    @property
    def health(self) -> Health:
        """How it said last that it is, or that it does not answer. Never waits."""
        question, health = self._question, self._health
        if question is None or self._clock() - question.begun_s < ANSWER_S:
            return health
        return health.hangs(SILENT, question.wall_s)

    def start(self, notice: Callable[[], None]) -> None:
        """Ask now and again, and call `notice`, which only wakes somebody, after each answer."""
        threading.Thread(target=self._run, args=(notice,), name=f"ask {self._health.name}", daemon=True).start()

    def stop(self) -> None:
        """Ask no more. Never waits."""
        self._ended.set()

    def ask(self) -> None:
        """Have it mend what it can, and say how it is; wait for that."""
        self._question = _Question(self._clock(), self._wall())
        self._health = self._answer()
        self._question = None

    def _run(self, notice: Callable[[], None]) -> None:
        while not self._ended.is_set():
            self.ask()
            notice()
            self._ended.wait(POLL_INTERVAL_S)

    def _answer(self) -> Health:
        try:
            if hasattr(self._given, "mend"):
                self._given.mend()
            health = getattr(self._given, "health", None)
            return self._named(health) if isinstance(health, Health) else self._health.works("")
        except BaseException as error:  # noqa: BLE001 - another package's input may raise anything, SystemExit too
            return self._health.fails(error_text(error), self._wall())

    def _named(self, health: Health) -> Health:
        """As it says that it is, by the name that it had when it began."""
        return replace(health.checked(), name=self._health.name)
