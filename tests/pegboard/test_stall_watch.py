"""Each part of a running table hangs in turn: it is named, and systemd hears no more where a new start would help."""

import contextlib
import logging
import re
import threading
import time
from pathlib import Path
from queue import Empty
from types import SimpleNamespace

import pytest

from hardware.display_thread import DisplayThread
from hardware.keys.keypad import Keypad
from hardware.simulator.simulated_buses import SimulatedBuses
from pegboard import systemd
from pegboard import watchdog as watched_parts
from pegboard.config import Settings
from pegboard.core.moves import Score
from pegboard.errors import NotStored
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.startup import bootstrap, main_loop
from pegboard.startup.main_loop import Look, MainLoop
from pegboard.storage.transfer.import_transaction import SkippedGame
from pegboard.watchdog import LOOK_S, STALL_S, Span, Watchdog
from tests.support.waiting import soon
from tests.support.web_server_and_clients import opened


class Flag:
    """A display that waits in `show` while the test wants it to."""

    name, about, refresh_s = "flag", "on the roof", None

    def __init__(self, held):
        self.held = held

    def show(self, _view):
        assert self.held.wait(60)

    def close(self):
        pass


class RunningTable:
    """A table with all its parts, a watchdog over them whose clock the test moves, and what systemd has heard."""

    def __init__(self, site, monkeypatch, cleanup):
        self.site, self.ahead_s, self.fed = site, 0.0, 0
        self.hung, self.free, self.display_free = threading.Event(), threading.Event(), threading.Event()
        self.display_free.set()
        monkeypatch.setattr(systemd, "notify", self.hear)
        monkeypatch.setattr(systemd, "watchdog_s", lambda: 4 * STALL_S)
        settings, board = Settings(), site.scoreboard
        self.display = DisplayThread(lambda *_: Flag(self.display_free), settings, None)
        self.display.start(site.feed)
        self.keypad = Keypad(settings, SimulatedBuses(settings), board.keys)
        self.keypad.start()
        cleanup.callback(self.keypad.close)
        cleanup.callback(self.display.close)
        self.watchdog = bootstrap.make_watchdog(board, [self.display], {"keypad": self.keypad})
        self.watchdog._clock = lambda: time.monotonic() + self.ahead_s
        site.server.watch(self.watchdog)
        self.pings = [point.read.__self__ for point in self.watchdog._watched[-3:]]
        self.web_hangs = False
        site.server._flask.extensions["pegboard"].service.stalls = self.watchdog.stalls
        self.loop, self.look = MainLoop(), list
        looks = [Look(Message("stall_look_code"), self.look_for_codes, 0.1)]
        running = threading.Thread(target=self.loop.run, args=(site.feed, None, looks, self.watchdog), daemon=True)
        running.start()
        cleanup.callback(running.join, 60)
        cleanup.callback(self.loop._news.put, None)
        cleanup.callback(self.free.set)
        cleanup.callback(self.display_free.set)
        assert site.score(0, 2).status == 201
        assert site.get("/api/v1/sheet").status == 200

    def look_for_codes(self):
        self.look()

    def hear(self, state, *, wait=True):
        assert (state, wait) == ("WATCHDOG=1", False)
        self.fed += 1

    def hang_here(self, *_arguments, **_more):
        self.hung.set()
        assert self.free.wait(60)
        return []

    def in_thread(self, act, *arguments):
        """Another thread does it until it hangs."""
        thread = threading.Thread(target=act, args=arguments, daemon=True)
        thread.start()
        assert self.hung.wait(60)
        return thread

    def looks(self, seconds):
        """Have the watchdog look for so many seconds; how often systemd has heard in the last of them."""
        for _ in range(round(seconds / LOOK_S)):
            self.fed = 0
            self.watchdog.look()
            self.ahead_s += LOOK_S
            if not self.web_hangs:
                soon(lambda: all(ping._sent_s is None for ping in self.pings))
        return self.fed

    def stalled(self):
        return {(stall["part"], stall["name"]) for stall in self.watchdog.stalls()}


@pytest.fixture
def table(tmp_path, monkeypatch):
    with opened(tmp_path) as site, contextlib.ExitStack() as cleanup:
        yield RunningTable(site, monkeypatch, cleanup)


# --- a table of faults: each is done to the table, and really hangs ---


def hold_the_table(table):
    def hold():
        with table.site.scoreboard._table.lock:
            table.hang_here()

    table.in_thread(hold)


def block_a_commit(table):
    board = table.site.scoreboard
    table.site.journal.append = table.hang_here
    view = board.view
    given = {"source": "phone", "id": "a" * 22, "game": view.id, "base": view.game.revisions[0]}
    table.in_thread(lambda: board.handle(Score(2, 0), **given))


def block_the_event_loop(table):
    table.web_hangs = True
    table.in_thread(table.site.server._http.post, table.hang_here)


def end_the_web_server(table):
    table.web_hangs = True
    table.site.server.stop()
    table.site.server._thread.join(60)


def block_the_scoring_thread(table):
    table.web_hangs = True
    table.in_thread(table.site.server._scoring_threads.post, table.hang_here)


def block_the_page_thread(table):
    table.web_hangs = True
    table.in_thread(table.site.server._page_threads.post, table.hang_here)


def kill_the_key_thread(table):
    def die():
        raise SystemExit

    table.keypad._key_thread._events.put(die)
    table.keypad._key_thread._thread.join(60)


def block_the_key_thread(table):
    table.keypad._key_thread._events.put(table.hang_here)
    assert table.hung.wait(60)


def block_the_display(table):
    table.display_free.clear()
    soon(lambda: table.site.score(1, 3).status == 201)
    soon(table.display.current_span)


def kill_the_display_thread(table):
    def die(*_):
        raise SystemExit

    table.display.run_once = die
    table.site.score(1, 3)
    table.display._thread.join(60)


def block_a_look(table):
    table.look = table.hang_here
    table.loop._news.put(table.site.feed.view)
    assert table.hung.wait(60)


FAULTS = [
    (hold_the_table, ("scoring", ""), False, "hang_here"),
    (block_a_commit, ("committing", ""), False, "hang_here"),
    (block_the_event_loop, ("answering", ""), False, "hang_here"),
    (end_the_web_server, ("answering", ""), False, "its thread ended"),
    (block_the_scoring_thread, ("scores", ""), False, "hang_here"),
    (block_the_page_thread, ("pages", ""), False, "hang_here"),
    (kill_the_key_thread, ("keys", "keypad"), False, "its thread ended"),
    (block_the_key_thread, ("keys", "keypad"), False, "hang_here"),
    (block_the_display, ("display", "flag"), True, "self.held.wait("),
    (kill_the_display_thread, ("display", "flag"), True, "its thread ended"),
    (block_a_look, ("main_loop", "the check for a new code or address"), True, "hang_here"),
]


@pytest.mark.sampled(least=3)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("row", FAULTS, ids=[row[0].__name__ for row in FAULTS])
def test_a_part_that_hangs_is_named_once_with_its_place_and_ends_the_feed_if_a_start_helps(table, caplog, row):
    hang, part, is_fed, where = row
    assert (table.looks(12), table.stalled()) == (1, set())
    hang(table)
    assert (table.looks(12) > 0) == is_fed
    assert part in table.stalled()
    (own,) = soon(lambda: reports(caplog, message_of(table, part)))
    assert where in own
    assert ("pegboard restarts" in own) != is_fed
    table.looks(12)
    assert len(reports(caplog, message_of(table, part))) == 1


def reports(caplog, sentence=""):
    said = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    return [report for report in said if report.startswith(sentence)]


def message_of(table, part):
    """How the sentence begins that names the part, without its seconds."""
    trouble = next(stall["trouble"] for stall in table.watchdog.stalls() if (stall["part"], stall["name"]) == part)
    return re.split(r" \d+ ", trouble)[0]


def test_every_part_is_hung_by_a_row_that_decides_as_the_table_of_parts_does():
    decided = {part.key: part.restarts for part in watched_parts.PARTS}
    assert {part: not is_fed for _, (part, _), is_fed, _ in FAULTS} == decided


def test_what_goes_on_again_is_fed_again_and_said(table, caplog):
    caplog.set_level(logging.WARNING)
    hold_the_table(table)
    assert table.looks(12) == 0
    table.free.set()
    soon(lambda: table.site.scoreboard.judging.current_span() is None)
    assert table.looks(6) == 1
    assert table.stalled() == set()
    assert soon(lambda: [one for one in caplog.messages if one.endswith("recovered")])


def test_a_journal_that_refuses_is_no_stall(table):
    def refuse(*_, **__):
        raise NotStored("not_saved", fault=Message("verbatim", text="disk full"))

    table.site.journal.append = refuse
    for _ in range(4):
        assert table.site.score(0, 2).status == 503
        assert (table.looks(3), table.stalled()) == (1, set())


def test_a_long_import_that_makes_progress_stalls_nothing_that_waits_for_it(table):
    """A table that is started again in the middle of an import would begin it again, and never end it."""
    steps, phone = threading.Semaphore(0), threading.Thread(target=table.site.score, args=(0, 2))

    def arrivals():
        for _ in range(8):
            yield SkippedGame("g", 1)
            steps.acquire()

    importing = threading.Thread(target=lambda: table.site.scoreboard.import_games(arrivals()), daemon=True)
    importing.start()
    soon(table.site.scoreboard.judging.current_span)
    phone.start()
    table.web_hangs = True  # the phone's command waits for the table, and its thread with it
    table.watchdog._table._clock = table.watchdog._clock
    for _ in range(6):
        before_s = table.watchdog._table.progress_s
        steps.release()
        soon(lambda before_s=before_s: table.watchdog._table.progress_s > before_s)
        assert (table.looks(3), table.stalled()) == (1, set())
    assert table.looks(12) == 0, "an import that has stopped is a stall"
    assert {part for part, _ in table.stalled()} >= {"committing", "scoring"}
    for _ in range(9):
        steps.release()
    importing.join(60)
    phone.join(60)


def test_an_input_of_another_package_may_have_a_running_of_its_own(table):
    """As most threads of the world have: a watchdog that ended by it would have the service started again for ever."""
    watchdog = bootstrap.make_watchdog(table.site.scoreboard, [], {"bell": SimpleNamespace(running=True)})
    watchdog.look()
    assert watchdog.stalls() == []


def test_what_a_stopped_process_was_at_has_not_stalled(table):
    """After SIGSTOP, or where others had the processor for long, only what hangs on is named."""
    table.looks(6)
    block_the_key_thread(table)
    table.ahead_s += 75
    assert (table.looks(3), table.stalled()) == (1, set())


def test_work_that_took_the_place_of_what_the_last_look_saw_has_not_stalled():
    """Though it is at it for long by now: nobody knows whether it does not go on, or could not."""
    now, began = [0.0], [0.0]
    watchdog = Watchdog(clock=lambda: now[0])
    watchdog.watch(watched_parts.COMMITTING, lambda: Span(began[0], ()))
    watchdog.look()
    now[0], began[0] = 75.0, 60.0
    watchdog.look()
    assert watchdog.stalls() == []
    watchdog.look()
    assert [stall["part"] for stall in watchdog.stalls()] == ["committing"]


def test_a_log_that_hangs_does_not_hang_the_watchdog(table, monkeypatch):
    monkeypatch.setattr("pegboard.watchdog.log.error", table.hang_here)
    block_the_display(table)
    assert table.looks(30) == 1
    assert table.hung.is_set()


def test_health_names_what_has_stalled(table):
    assert table.site.get("/api/v1/health").json["service"]["stalls"] == []
    block_the_display(table)
    table.looks(12)
    (stall,) = table.site.get("/api/v1/health").json["service"]["stalls"]
    assert stall.pop("seconds") >= STALL_S
    seconds = stall["trouble_message"]["values"].pop("seconds")
    assert stall == {
        "part": "display",
        "name": "flag",
        "restarts": False,
        "trouble": f"flag: the picture has not changed for {seconds} seconds",
        "trouble_message": {"key": "stall_display", "values": {"name": "flag"}},
    }


def test_the_page_lists_every_part_with_its_reason():
    page = (Path(__file__).parents[2] / "docs" / "hardware.md").read_text("utf-8")
    for part in watched_parts.PARTS:
        assert f" | `{part.key}` | {'yes' if part.restarts else 'no'} | {part.reason} |\n" in page


def test_each_look_has_a_pace_of_its_own(monkeypatch):
    """On a clock on which each wait takes the whole of its time."""
    clock, calls, loop = [0.0], [], MainLoop()
    monkeypatch.setattr(main_loop.time, "monotonic", lambda: clock[0])

    def wait(timeout):
        clock[0] += timeout
        if clock[0] > 9:
            return
        raise Empty

    monkeypatch.setattr(loop, "_news", SimpleNamespace(get=wait))
    looks = [Look(Message("stall_look_code"), lambda: calls.append("code"), 3.0)]
    looks.append(Look(Message("stall_look_journal"), lambda: calls.append("journal"), 1.0))
    loop.run(Feed(), None, looks, Watchdog())
    assert (calls.count("journal"), calls.count("code")) == (9, 3)
