"""The command line, and the one place that knows every room: it starts them in order and stops them in reverse."""

import contextlib
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import entry_points, version
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import click

from pegboard import brought, config, counting, exported, systemd
from pegboard.asked import LOOK_S, Asked
from pegboard.brightness import Lights
from pegboard.config import Settings
from pegboard.core.house import difference, with_house_rules
from pegboard.core.judge import so_many
from pegboard.core.match import read_format
from pegboard.core.moves import OPEN
from pegboard.core.play import count_each
from pegboard.core.rules import VARIANTS, Rules
from pegboard.core.show import Show, count_show
from pegboard.core.view import Brightness, View
from pegboard.devices import Devices, unable
from pegboard.errors import PegboardError
from pegboard.feed import Feed
from pegboard.journal import FILE, Journal, check, reading
from pegboard.prompt import be_prompt
from pegboard.scoreboard import Scoreboard, Setup
from web.door import listen
from web.door import lock as secured

if TYPE_CHECKING:
    from hardware.bench import Bench
    from hardware.window import Window
    from hardware.wires import Wires
    from web.access import Access
    from web.server import Server


MODEL = Path("/proc/device-tree/model")
"""Where a Raspberry Pi tells what it is."""

NAMES = {"oled": "OLED", "strip": "LED strip"}
"""What displays of ours call themselves, where they cannot be asked; any other is called as its package offers it."""

CLOSE_S = 0.5
"""How long an input may take to stop; one that hangs is left behind."""

state_option = click.option(
    "--state", type=click.Path(path_type=Path), metavar="DIR", help="Folder that keeps the scores."
)
config_option = click.option(
    "--config", "config_file", type=click.Path(path_type=Path), metavar="FILE", help="Settings, a TOML file."
)


class Sentences(click.Group):
    """A group that ends with one sentence and exit status 2 when something of pegboard, or of its options, refuses."""

    def main(self, *arguments: Any, **more: Any) -> Any:
        """Run the command that was asked for."""
        try:
            status = super().main(*arguments, **more | {"standalone_mode": False})
        except (PegboardError, click.UsageError) as error:
            sentence = error.format_message() if isinstance(error, click.UsageError) else str(error)
            click.echo(f"pegboard: {sentence}", err=True)
            status = 2
        except click.Abort:
            status = 1
        sys.exit(status if isinstance(status, int) else 0)


@click.group(cls=Sentences, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("pegboard"), message="pegboard %(version)s")
def main() -> None:
    """A cribbage board: buttons, phones, an OLED and an LED strip."""


@main.command()
@click.option("--mock", is_flag=True, help="Stand-in hardware; the default where there is no Pi.")
@click.option("--open", "is_open", is_flag=True, help="Everybody who reaches the table may score.")
@click.option("--closed", "is_closed", is_flag=True, help="Its keys and paired phones alone may score.")
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on.")
@state_option
@config_option
@click.option("--variant", help="Variant of the next game.")
@click.option("--players", help="Names in seat order: Ann,Bob.")
@click.option("--house", multiple=True, metavar="RULE", help="A house rule, such as muggins=on; may be repeated.")
@click.option("--match", "match_format", metavar="FORMAT", help="Format of the next match, such as 'best of 3'.")
@click.option("--record", type=click.Path(path_type=Path), metavar="FILE", help="With --mock: every bus transaction.")
def run(  # noqa: PLR0917 - click passes them by name
    mock: bool,
    is_open: bool,
    is_closed: bool,
    host: str | None,
    port: int | None,
    state: Path | None,
    config_file: Path | None,
    variant: str | None,
    players: str | None,
    house: tuple[str, ...],
    match_format: str | None,
    record: Path | None,
) -> None:
    """Keep the score of a table until stopped."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    mock = mock or not on_a_pi()
    if record and not mock:
        raise click.UsageError("--record goes with --mock")
    if is_open and is_closed:
        raise click.UsageError("a table is --open or --closed; give one of them")
    open_table = is_open if is_open or is_closed else None
    settings = _settings(config_file, open_table=open_table, host=host, port=port)
    asked = _Asked(variant, players, match_format, (*settings.table.house, *house))
    first = asked.at_a_new_table(settings)
    vigil = _Vigil()
    state = state or default_state()
    lock = secured(settings.web.certificate, settings.web.key)
    with contextlib.ExitStack() as rooms:
        door = listen(settings.web.host, settings.web.port)  # taken before anything is written
        journal = rooms.enter_context(Journal(state, systemd.busy))
        feed = Feed()
        scoreboard = Scoreboard(journal, feed, first, house=asked.at_home)
        following = asked.after(scoreboard.view, settings)
        waiting = None if scoreboard.seat(following) else following
        lights = Lights(scoreboard.shine, Brightness(settings.oled.contrast, settings.strip.brightness), state)
        wires = _wires(settings, mock, record, rooms)
        devices = Devices(scoreboard.devices)
        windows = _start_displays(settings, wires, feed, devices, rooms)
        _start_inputs(settings, wires, scoreboard, devices, rooms)
        devices.start()
        rooms.callback(devices.stop)
        bench = _bench(settings, wires, windows, feed, devices) if mock else None
        from web.server import Server

        more: dict[str, Any] = {"devices": devices, "lock": lock, "lights": lights}
        server = Server(scoreboard, feed, settings, bench, door, folder=state, **more)
        server.start()
        rooms.callback(server.stop)
        be_prompt()
        rooms.callback(systemd.notify, "STOPPING=1")
        systemd.notify("READY=1")
        welcome = _Welcome(server.access, scoreboard)
        _announce(scoreboard.view, welcome, state, mock=mock, waiting=waiting)
        vigil.keep(scoreboard, server, feed, [welcome.look, *([bench.look] if bench else [])])


@main.command("code")
@click.argument("role", type=click.Choice(["scorer", "director"]), default="scorer")
@state_option
def tell_code(role: str, state: Path | None) -> None:
    """Tell the code that pairs a phone with the table, as a scorer or as a director."""
    from web.codes import Codes, NotKept
    from web.join import in_terminal

    codes = Codes.of_table(state or default_state())
    table = codes.table
    if table is None or (table.open and table.runs):
        raise NotKept("this table is open: everybody who reaches it may score, and no code is needed")
    code = codes.director() if role == "director" else codes.scorer()
    address = f"{table.url}j/{code.text}"
    click.echo(f"{code.text} pairs one phone as a {role}, until {_clock(code.until)}.")
    click.echo(f"Scan this, or open {address}")
    if not table.runs:
        click.echo("No table is open there now; the code counts when pegboard run has begun.")
    click.echo(in_terminal(address))


@main.command()
@state_option
def unpair(state: Path | None) -> None:
    """Unpair every phone: each needs a new code to score again."""
    from web.codes import Codes

    Codes.of_table(state or default_state()).unpair_all()
    click.echo("No phone is paired any more; each needs a new code to score again.")


@main.command()
@state_option
def export(state: Path | None) -> None:
    """Print every event of the journal, one JSON line each, oldest first."""
    with reading(state or default_state()) as rows:
        for line in exported.event_lines(rows):
            click.echo(line, nl=False)


@main.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@state_option
def bring(file: Path, state: Path | None) -> None:
    """Bring the games of another table, which its `export` has printed into FILE: all of them or none."""
    with file.open("rb") as lines, Journal(state or default_state()) as journal:
        last = brought.ends(lines)
        lines.seek(0)
        told = journal.bring(brought.arrivals(lines, last, journal.rows))
    games = so_many(told.games, "game")
    further = f"; gone on: {so_many(told.continued, 'game')}" if told.continued else ""
    here = f"; here already: {so_many(told.skipped, 'game')}" if told.skipped else ""
    otherwise = f" ({told.differing} told otherwise than here, and left as here)" if told.differing else ""
    click.echo(f"Imported: {games} with {so_many(told.events, 'event')}{further}{here}{otherwise}.")


@main.command()
@state_option
@config_option
@click.option("--mock", is_flag=True, help="Look at the stand-ins.")
def selftest(state: Path | None, config_file: Path | None, mock: bool) -> None:
    """Say in words what is found: pins, I2C, SPI and the journal. Exit status 1 when something is missing."""
    from hardware.selftest import findings

    settings = _settings(config_file)
    if mock or not on_a_pi():
        click.echo("These are the stand-ins; nothing is wired.")
    with contextlib.ExitStack() as rooms:
        found = findings(settings, _wires(settings, mock or not on_a_pi(), None, rooms))
    journal = _journal_found(state or default_state())
    for name, good, sentence in (*found, journal):
        click.echo(f"{'ok  ' if good else 'FAIL'}  {name}: {sentence}")
    sys.exit(0 if all(good for _, good, _ in (*found, journal)) else 1)


@main.command("config")
@config_option
def show_config(config_file: Path | None) -> None:
    """Print every setting with its sentence, as a file that --config takes."""
    click.echo(config.as_toml(_settings(config_file, guess=False)), nl=False)


@main.command()
@click.argument("cards", required=False)
@click.argument("starter", required=False)
@click.option("--crib", is_flag=True, help="These are the crib's cards: only five of a suit are a flush.")
@click.option("--alone", is_flag=True, help="Four cards without a starter: the last hand of solitaire.")
@click.option("--nineteen", is_flag=True, help="Call no points by the score that cannot happen.")
@click.option("--play", "laid", metavar="CARDS", help="Count each card laid in turn instead, such as '4 5 3 3 3'.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
def count(  # noqa: PLR0917 - click passes them by name
    cards: str | None, starter: str | None, crib: bool, alone: bool, nineteen: bool, laid: str | None, as_json: bool
) -> None:
    """Count a hand with its starter, such as "5H 5C 5S JD" 5D, or the play: the points, part by part."""
    if laid is not None:
        if cards is not None or crib or alone or nineteen:
            raise click.UsageError("--play takes the cards laid, and nothing but --json goes with it")
        play = count_each(laid)
        lines, values = counting.play_lines(play), counting.play_values(play)
    else:
        show = _show(cards, starter, crib=crib, alone=alone)
        lines = counting.show_lines(show, nineteen=nineteen)
        values = counting.show_values(show, nineteen=nineteen) | {"crib": crib}
    click.echo(json.dumps(values, ensure_ascii=False) if as_json else "\n".join(lines))


def _show(cards: str | None, starter: str | None, *, crib: bool, alone: bool) -> Show:
    if cards is None:
        raise click.UsageError('the cards are missing: "5H 5C 5S JD" 5D is taken, or --play "4 5 3 3 3"')
    if alone and starter is not None:
        raise click.UsageError("--alone counts four cards without a starter, and a starter was given")
    show = count_show(cards, starter, crib=crib)
    if starter is None and not alone:
        raise click.UsageError("the starter is missing: one card after the hand is taken, or --alone to count without")
    return show


def on_a_pi() -> bool:
    """Whether this is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in MODEL.read_text("utf-8")
    except OSError:
        return False


def default_state() -> Path:
    """The folder that systemd gives, else the user's own for state (XDG base directories)."""
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "pegboard"


# --- settings ---


def _settings(
    config_file: Path | None,
    *,
    open_table: bool | None = None,
    host: str | None = None,
    port: int | None = None,
    guess: bool = True,
) -> Settings:
    """The defaults, under the file, under the options: off a Pi for this machine alone.

    Then the table is open to all of that machine, unless `guess` is off.
    """
    settings = Settings()
    if not on_a_pi():
        settings = replace(settings, web=replace(settings.web, host="127.0.0.1"))
    if config_file is not None:
        settings = config.read(config_file, settings)
    given: dict[str, Any] = {"host": host, "port": port, "open": open_table}
    web = replace(settings.web, **{name: value for name, value in given.items() if value is not None})
    is_said = open_table is not None
    alone = guess and not is_said and not on_a_pi() and web.host in ("127.0.0.1", "::1", "localhost")
    return replace(settings, web=replace(web, open=web.open or alone))


@dataclass(frozen=True)
class _Asked:
    """Who is to play what by the options, each None where it was left out, and by the rules of the house."""

    variant: str | None
    players: str | None
    match: str | None
    house: tuple[str, ...]

    def at_home(self, rules: Rules) -> Rules:
        """A variant's rules as this house plays them."""
        return with_house_rules(rules, self.house)

    def rules(self, variant: str) -> Rules:
        """The rules of the variant that was asked for, or else of this one."""
        return self.at_home(Rules.named(self.variant or variant))

    def names(self, players: tuple[str, ...]) -> tuple[str, ...]:
        """The names that were asked for, or else these."""
        return players if self.players is None else tuple(" ".join(name.split()) for name in self.players.split(","))

    def form(self, match: str) -> str:
        """The match format that was asked for, or else this one."""
        asked = (self.match or match).lower()
        read_format(asked)
        return asked

    def at_a_new_table(self, settings: Settings) -> Setup:
        """Who plays what first; what was left out is as the settings say."""
        rules = self.rules(settings.table.variant)
        return Setup(rules, self.names(settings.table.players[: rules.seats]), self.form(settings.table.match))

    def after(self, view: View, settings: Settings) -> Setup:
        """Who plays what next; what was left out stays as in the running game, where it fits."""
        now = view.game.rules
        rules = self.rules(now.variant) if self.variant or now.variant in VARIANTS else now
        same_seats = rules.seats == now.seats
        players = view.game.players if same_seats else settings.table.players[: rules.seats]
        return Setup(rules, self.names(players), self.form(view.match.format))


# --- rooms ---


def _wires(settings: Settings, mock: bool, record: Path | None, rooms: contextlib.ExitStack) -> "Wires":
    if not mock:
        from hardware.wires import PiWires

        return PiWires()
    from hardware.standin.record import Record
    from hardware.standin.wires import StandInWires

    recorder = rooms.enter_context(contextlib.closing(Record(record))) if record else None
    return StandInWires(settings, recorder)


def _start_displays(
    settings: Settings, wires: "Wires", feed: Feed, devices: Devices, rooms: contextlib.ExitStack
) -> "list[Window]":
    from hardware.window import Window, close_all

    windows: list[Window] = []
    rooms.callback(close_all, windows)
    for name, kind in _kinds("pegboard.displays", settings, devices):
        with _reported(name, devices):
            window = Window(kind, settings, wires)
            devices.add(partial(getattr, window, "health"))
            window.watch(devices.notice)
            windows.append(window)
    for window in reversed(windows):  # who comes last is woken first: a panel needs less time than a strip
        window.start(feed, feed.view)
    return windows


def _start_inputs(
    settings: Settings, wires: "Wires", scoreboard: Scoreboard, devices: Devices, rooms: contextlib.ExitStack
) -> None:
    for name, kind in _kinds("pegboard.inputs", settings, devices):
        with _reported(name, devices):
            given = kind(settings, wires, scoreboard)
            if _listens(given, devices):
                rooms.callback(_let_go, given)
                devices.ask(Asked(given, given.name))


def _listens(given: Any, devices: Devices) -> bool:
    """Whether an input has started; one that cannot is let go, and listed with its trouble."""
    try:
        given.start()
    except Exception as error:  # noqa: BLE001 - a stranger's input may raise anything
        _cannot_begin(given.name, error, devices)
        _let_go(given)
        return False
    return True


def _let_go(given: Any) -> None:
    """Close an input, and leave it behind where that takes too long."""

    def close() -> None:
        try:
            given.close()
        except Exception:  # what is broken may break again
            logging.getLogger("pegboard").exception("%s cannot end", given.name)

    closing = threading.Thread(target=close, daemon=True)
    closing.start()
    closing.join(CLOSE_S)


@contextlib.contextmanager
def _reported(name: str, devices: Devices) -> Iterator[None]:
    """What raises anything but a sentence is left out and listed with its trouble, and the table plays on."""
    try:
        yield
    except PegboardError:
        raise
    except Exception as error:  # noqa: BLE001 - a stranger's device may raise anything
        _cannot_begin(name, error, devices)


def _cannot_begin(name: str, error: Exception, devices: Devices) -> None:
    """List what cannot be used; a sentence needs no trace of where it was said."""
    is_said = isinstance(error, PegboardError)
    sentence = str(error) if is_said else f"it cannot begin: {str(error) or type(error).__name__}"
    logging.getLogger("pegboard").error("%s: %s", name, sentence, exc_info=None if is_said else error)
    devices.add(partial(unable, name, sentence, time.time()))


def _bench(settings: Settings, wires: "Wires", windows: "list[Window]", feed: Feed, devices: Devices) -> "Bench":
    from hardware.bench import Bench
    from hardware.standin.wires import StandInWires

    assert isinstance(wires, StandInWires)
    return Bench(settings, wires, windows, lambda: feed.view, lambda: devices.health)


def _kinds(group: str, settings: Settings, devices: Devices) -> Iterator[tuple[str, Any]]:
    """The devices that packages offer, by name, but for those whose section of the settings says they are not there."""
    for entry in entry_points(group=group):
        if getattr(getattr(settings, entry.name, None), "enabled", True):
            name, kind = NAMES.get(entry.name, entry.name), None
            with _reported(name, devices):
                kind = entry.load()
            if kind is not None:
                yield getattr(kind, "name", name), kind


class _Vigil:
    """The main thread while the table is open: it waits, draws the terminal's board, and reports to systemd."""

    def __init__(self) -> None:
        self._news: SimpleQueue[View | None] = SimpleQueue()  # a signal may put while this thread gets
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._news.put(None))

    def keep(self, scoreboard: Scoreboard, server: "Server", feed: Feed, looks: Sequence[Callable[[], None]]) -> None:
        """Look at what tells nobody when it changes, every now and then; return when a signal says so."""
        watch = systemd.watchdog_s()
        with _terminal() as show:
            if show:
                show(feed.view)
                feed.follow(self._news.put)
            for view in self._told(LOOK_S if watch is None else min(LOOK_S, watch / 3)):
                if show and view is feed.view:
                    show(view)
                for look in looks:
                    look()
                if watch and scoreboard.alive(watch / 4) and server.alive(watch / 4):
                    systemd.notify("WATCHDOG=1")

    def _told(self, patience_s: float) -> Iterator[View | None]:
        """Each view that comes, or None after so long without; until the end."""
        while True:
            try:
                view = self._news.get(timeout=patience_s)
            except Empty:
                yield None
                continue
            if view is None:
                return
            yield view


@contextlib.contextmanager
def _terminal() -> Iterator[Callable[[View], None] | None]:
    """What shows a view in the terminal; None where there is none."""
    if not sys.stdout.isatty():
        yield None
        return
    from rich.live import Live

    from pegboard.terminal import draw

    with Live(auto_refresh=False) as live:
        yield lambda view: live.update(draw(view), refresh=True)


# --- words ---


class _Welcome:
    """How one joins the table, in its windows and for `pegboard code`; renewed when the code is."""

    def __init__(self, access: "Access", scoreboard: Scoreboard) -> None:
        self._access, self._scoreboard = access, scoreboard
        self.pages = access.pages
        self.now: dict[str, Any] = {"code": None, "url": self.pages}
        with _logged():
            access.note()
            self.now = access.invitation()
        scoreboard.invite_to(str(self.now["url"]))

    def look(self) -> None:
        """Show the newest code."""
        with _logged():
            if self._access.code() != self.now["code"]:
                self.now = self._access.invitation()
                self._scoreboard.invite_to(str(self.now["url"]))

    def told(self) -> str:
        """Who may score, and how others may."""
        if self._access.is_open:
            return "The table is open: everybody who reaches it may score."
        if self.now["code"] is None:
            return "Only its keys score; no phone can be paired, as the codes cannot be kept."
        until = _clock(self.now["until"])
        return (
            f"Its keys score, and phones that are paired with it: scan this, or open /j/ and type {self.now['code']}\n"
            f"until {until}; then the panel (hold UNDO and DEAL) and pegboard code tell the next."
        )


@contextlib.contextmanager
def _logged() -> Iterator[None]:
    """A refusal is logged, and the table plays on."""
    try:
        yield
    except PegboardError as error:
        logging.getLogger("pegboard").warning("%s", error)


def _announce(view: View, welcome: _Welcome, state: Path, *, mock: bool, waiting: Setup | None) -> None:
    from web.join import in_terminal

    place = welcome.pages
    pages = {"Phone": "", "TV": "board"} | ({"Bench": "bench"} if mock else {})
    now = Setup(view.game.rules, view.game.players, view.match.format)
    click.echo(f"pegboard {version('pegboard')}: {_played(now)}")
    click.echo(f"Scores are kept in {state}")
    for name, page in pages.items():
        click.echo(f"{name:<6} {place}{page}")
    if place.split("://")[1].startswith(("127.", "[::1]")):
        click.echo("Only this machine reaches it; --host 0.0.0.0 lets phones on the network in.")
    click.echo(welcome.told())
    if waiting is not None:
        click.echo(f"{_played(waiting)} when this game is over.")
    click.echo(in_terminal(str(welcome.now["url"])))


def _clock(at: float) -> str:
    """A time of today."""
    return time.strftime("%H:%M", time.localtime(at))


def _played(setup: Setup) -> str:
    """Who plays what: "Ann, Bob play standard with muggins=on, best of 3"."""
    house = difference(setup.rules)
    parts = [f"{', '.join(setup.players)} play {setup.rules.variant}{' with ' if house else ''}{' and '.join(house)}"]
    return ", ".join(parts if setup.format == OPEN else [*parts, setup.format])


def _journal_found(state: Path) -> tuple[str, bool, str]:
    if not (state / FILE).exists():
        return "journal", True, f"there is none in {state} yet; the first pegboard run begins it"
    try:
        return "journal", True, f"{state} keeps its events as they were written, {check(state)} in all"
    except PegboardError as error:
        return "journal", False, str(error)
