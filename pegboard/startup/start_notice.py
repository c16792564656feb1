"""Start notice in the terminal: players, addresses of pages, how phones join; errors for a port or folder in use."""

import contextlib
import json
import logging
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegboard import systemd
from pegboard.core.match import Setup
from pegboard.core.view import Invitation, View
from pegboard.errors import JournalInUse, PegboardError, PortTaken
from pegboard.install.host import started_by_make
from pegboard.install.program_version import program_version
from pegboard.startup.next_game import describe
from pegboard.streams import NoOutput, as_text, echo_line, has_screen
from pegboard.table.scoreboard import Scoreboard
from pegboard.values import read

if TYPE_CHECKING:
    from web.access.sessions import Access

# --- errors for a port or state folder in use: name the address of the pegboard that uses it ---


TIMEOUT_S = 1.0
"""Timeout in seconds for an answer of the program that uses the port."""

MOST_BYTES = 200_000
"""Size limit in bytes of the program's response; the state of a table has a few thousand."""

STATE_KEYS = {"game", "lanes", "seats"}
"""Keys that identify a response as the state of a pegboard."""

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1", "localhost": "127.0.0.1"}  # noqa: S104 - not bound
"""Address that a server listens on -> the address at which this machine can reach the server."""


def explain_port(error: PortTaken, host: str, port: int) -> PortTaken:
    """The error of a port in use, with the address of the pegboard that uses it, if a pegboard does."""
    url = url_on(host, port)
    return error if url is None else PortTaken("port_of_a_table", port=port, url=url)


def explain_folder(error: JournalInUse, state: Path) -> JournalInUse:
    """The error of a folder in use, with the address of the pegboard that uses it, if known."""
    url = _url_of_table(state)
    if url is None:
        return JournalInUse("folder_in_use_elsewhere", fault=error.message)
    return JournalInUse("folder_of_a_table", fault=error.message, url=url)


def url_on(host: str, port: int) -> str | None:
    """The address of the pegboard that listens on a host and port; None if another program does."""
    from http.client import HTTPException

    address = EVERYWHERE.get(host, host)
    place = f"[{address}]" if ":" in address else address
    for scheme in ("http", "https"):
        try:
            if _is_table(scheme, address, port):
                return f"{scheme}://{place}:{port}/"
        except TimeoutError:
            return None
        except (OSError, HTTPException, ValueError, RecursionError):
            continue  # the server may use HTTPS
    return None


def _is_table(scheme: str, address: str, port: int) -> bool:
    from pegboard.install.service_control import connect

    with connect(address, port, TIMEOUT_S, is_secure=scheme == "https") as connection:
        connection.request("GET", "/api/v1/state")
        return read(dict[str, Any], json.loads(connection.getresponse().read(MOST_BYTES))).keys() >= STATE_KEYS


def _url_of_table(state: Path) -> str | None:
    from web.access.pairing_codes import Codes

    with contextlib.suppress(PegboardError):
        table = Codes.of_table(state).table
        if table is not None and table.is_running:
            return table.url
    return None


REACHES_ALL = ("--host", "0.0.0.0")  # noqa: S104 - shown to people who want phones to reach the table
"""The option that lets phones reach a table."""

LOGGED = "The keys and paired phones can score. To get the pairing code: sudo pegboard code"

SHELL_SPECIAL = frozenset('"$`\\!')
"""Characters that a shell interprets inside double quotes."""


class JoinNotice:
    """The join notice: the current address and pairing code, as shown by displays, pages and `pegboard code`."""

    def __init__(self, access: "Access", scoreboard: Scoreboard, *, mock: bool = False) -> None:
        self._access, self._scoreboard, self._mock = access, scoreboard, mock
        self.current: dict[str, Any] = {"code": None, "url": access.pages, "reach": "network", "command": None}
        self._noted = ""
        self._shown: Invitation | None = None
        self.refresh()

    def refresh(self) -> None:
        """Update the code and address; a network may appear after the program has started."""
        try:
            if self._noted != self.pages:
                self._access.register()
                self._noted = self.pages
            self._access.keep_time()
            self.current = self._access.invitation()
        except PegboardError as error:
            logging.getLogger("pegboard").warning("%s", error)
        now = Invitation(str(self.current["url"]), self.current["reach"], self.current["command"], self._is_reachable())
        if now != self._shown:
            self._shown = now
            self._scoreboard.set_join_address(now)

    def _is_reachable(self) -> bool:
        """Whether others can reach the pages over a network, or will after it reconnects; True if unknown."""
        from web.access.invitation import has_network

        access, reach = self._access, self.current["reach"]
        try:
            is_cut_off = reach == "machine" or (reach == "offline" and not has_network())
            return not is_cut_off or access.has_proxies or (not access.is_open and bool(access.devices))
        except (PegboardError, OSError):
            return True

    @property
    def pages(self) -> str:
        """The address of the pages."""
        return self._access.pages

    @property
    def network_pages(self) -> str | None:
        """The address of the pages for others on the network; None if nobody else can reach them."""
        return self.pages if self.current["reach"] == "network" else None

    @property
    def qr_url(self) -> str | None:
        """The address in the QR code; None if no phone can reach the table."""
        return str(self.current["url"]) if self.current["reach"] == "network" else None

    def lines(self) -> list[str]:
        """The lines on the screen while the table runs: addresses, how others join, and how to stop the table."""
        pages = {"Phone": "", "TV": "board"} | ({"Bench": "bench"} if self._mock else {})
        return [
            f"Open {self.pages} in a browser",
            *(f"{name:<6} {self.pages}{page}" for name, page in pages.items()),
            *self.sentences(),
            "Press Ctrl-C to stop; scores are kept",
        ]

    def logged_lines(self) -> list[str]:
        """The lines for the system log, without a code, since people who may not score can read the log."""
        who = "Anyone who can reach the table can score." if self._access.is_open else LOGGED
        return [f"Open {self.pages} in a browser", who, *self._warnings()]

    def sentences(self) -> list[str]:
        """Sentences about who can score, and how others can join."""
        lines = [] if self._access.is_open and self.qr_url is None else [self._who_scores()]
        return lines + self._warnings() + without_phones(self.current["reach"], self.current["command"])

    def _warnings(self) -> list[str]:
        exposure = self._access.exposure
        return [] if exposure.address is None else [f"WARNING: {exposure.message}"]

    def _who_scores(self) -> str:
        code = self.current["code"]
        if self._access.is_open:
            return "Open table: anyone who can reach it can score."
        if code is None:
            return "Only the keys can score; phones cannot be paired because the codes cannot be saved."
        who = "phones" if self.qr_url else "browsers"
        return (
            f"The keys and paired {who} can score: open {self.pages}j/ and type {code}"
            f" (until {clock(self.current['until'])}; then run pegboard code)"
        )


def without_phones(reach: str, command: str | None) -> list[str]:
    """Sentences that say that phones cannot reach the table, and how to let phones in; empty if phones can reach it."""
    if reach == "network":
        return []
    if reach == "offline":
        return ["This machine has no network, so phones cannot reach it yet."]
    if command is None:
        return ["Only this machine can reach this address."]
    return [
        "Only this machine can reach this address. To let phones in, stop the program and restart it with",
        f"  {command}",
    ]


def command_for_phones(words: Sequence[str], environment: Mapping[str, str]) -> str | None:
    """The command that restarts the same table so that phones can reach it; it uses make if make started the table.

    `words` are the whole command line: the program, `run`, and options. None if they contain bytes that are not text,
    which a page cannot show.
    """
    try:
        program, *typed = [as_text(word) for word in (_shell_word(words[0]), *words[2:])]
    except UnicodeError:
        return None
    options = [*_without_host(typed), *REACHES_ALL]
    arguments = shlex.join(options if {"--open", "--closed"} & set(options) else [*options, "--open"])
    if not started_by_make(environment):
        return f"{program} run {arguments}"
    escaped = arguments.replace("$", "$$")
    quoted = shlex.quote(escaped) if SHELL_SPECIAL & set(escaped) else f'"{escaped}"'
    return f"make run ARGS={quoted}"


def _shell_word(program: str) -> str:
    """The program as typed in a shell on this machine: just its name if it is on the path."""
    if Path(program).name == "__main__.py":
        return f"{shlex.quote(sys.executable)} -m pegboard"
    on_path = shutil.which("pegboard")
    return "pegboard" if on_path and Path(on_path).resolve() == Path(program).resolve() else shlex.quote(program)


def _without_host(arguments: Sequence[str]) -> Iterator[str]:
    rest = iter(arguments)
    for argument in rest:
        if argument == "--host":
            next(rest, None)
        elif not argument.startswith("--host="):
            yield argument


def announce(view: View, notice: JoinNotice, state: Path, *, news: Sequence[str]) -> None:
    """Print who plays, where the scores are saved, and the `news` about the next game.

    Without a screen that shows the join notice, print the notice too. Print nothing if standard output is closed.
    """
    if isinstance(sys.stdout, NoOutput):
        return
    now = Setup(view.game.rules, view.game.players, view.match.format)
    echo_line(f"pegboard {program_version()}: {describe(now)}")
    echo_line(f"Scores are saved in {state}")
    for sentence in news:
        echo_line(sentence)
    if has_screen():
        return
    if systemd.is_logged():
        click.echo("\n".join(notice.logged_lines()))
        return
    click.echo("\n".join(notice.lines()))
    if notice.qr_url is not None:
        from web.access.invitation import in_terminal

        click.echo(in_terminal(notice.qr_url))


def clock(at: float) -> str:
    """The local time of day in hours and minutes; `at` is in seconds since 1970."""
    return time.strftime("%H:%M", time.localtime(at))
