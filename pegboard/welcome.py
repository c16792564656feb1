"""What the terminal says when a table starts: who plays, where its pages are, and how a phone joins."""

import contextlib
import logging
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegboard.core.view import View
from pegboard.errors import PegboardError
from pegboard.next_game import describe
from pegboard.scoreboard import Scoreboard, Setup

if TYPE_CHECKING:
    from web.access import Access


class JoinNotice:
    """How one joins the table, in its windows and for `pegboard code`; renewed when the code is."""

    def __init__(self, access: "Access", scoreboard: Scoreboard) -> None:
        self._access, self._scoreboard = access, scoreboard
        self.pages = access.pages
        self.current: dict[str, Any] = {"code": None, "url": self.pages}
        with _logged():
            access.note()
            self.current = access.invitation()
        scoreboard.invite_to(str(self.current["url"]))

    def look(self) -> None:
        """Show the newest code."""
        with _logged():
            if self._access.code() != self.current["code"]:
                self.current = self._access.invitation()
                self._scoreboard.invite_to(str(self.current["url"]))

    def sentence(self) -> str:
        """Who may score, and how others may."""
        if self._access.is_open:
            return "The table is open: everybody who reaches it may score."
        if self.current["code"] is None:
            return "Only its keys score; no phone can be paired, as the codes cannot be kept."
        until = clock(self.current["until"])
        return (
            "Its keys score, and phones that are paired with it: "
            f"scan this, or open /j/ and type {self.current['code']}\n"
            f"until {until}; then the panel (hold UNDO and DEAL) and pegboard code tell the next."
        )


@contextlib.contextmanager
def _logged() -> Iterator[None]:
    """A refusal is logged, and the table plays on."""
    try:
        yield
    except PegboardError as error:
        logging.getLogger("pegboard").warning("%s", error)


def announce(view: View, notice: JoinNotice, state: Path, *, mock: bool, news: Sequence[str]) -> None:
    """Print who plays, where the scores are kept, the pages, the `news` of who plays next, and how to join."""
    from web.join import in_terminal

    place = notice.pages
    pages = {"Phone": "", "TV": "board"} | ({"Bench": "bench"} if mock else {})
    now = Setup(view.game.rules, view.game.players, view.match.format)
    click.echo(f"pegboard {version('pegboard')}: {describe(now)}")
    click.echo(f"Scores are kept in {state}")
    for name, page in pages.items():
        click.echo(f"{name:<6} {place}{page}")
    if place.split("://")[1].startswith(("127.", "[::1]")):
        click.echo("Only this machine reaches it; --host 0.0.0.0 lets phones on the network in.")
    click.echo(notice.sentence())
    for sentence in news:
        click.echo(sentence)
    click.echo(in_terminal(str(notice.current["url"])))


def clock(at: float) -> str:
    """A time of today."""
    return time.strftime("%H:%M", time.localtime(at))
