"""A table in an event: a scoreboard on a folder, a link that a test moves, and a hub that answers what a test says."""

from dataclasses import replace

from pegboard.core.moves import Confirm
from pegboard.table.event_table import EventTable
from pegboard.table.joining import JoinAnswer
from tests.support.scoreboard_on_a_folder import Table
from tests.support.waiting import soon

PLACE = JoinAnswer(
    *("http://192.168.1.20:8090", "club-night-7", "Club night 7", "t4", "4"),
    *("mqtt://192.168.1.20:1883", "secret", "", "5ea1" * 16),
)

ANSWER = {
    "v": 1,
    "hub": PLACE.hub,
    "event": {"id": PLACE.event, "name": PLACE.event_name},
    "table": {"id": PLACE.table, "label": PLACE.label},
    "broker": {"url": PLACE.broker, "user": "t4", "password": "secret", "ca": None},
    "key": PLACE.key,
}


def pair(one="Ann", other="Bob", number=1, dealer=0, after=(None, None), **more):
    """A game of round `number`, as a hub writes it."""
    game = {"game": f"r{number}:p1-p2", "round": number, "of": 9, "dealer": dealer, "after": list(after)}
    return game | {"players": [{"id": "p1", "name": one}, {"id": "p2", "name": other}]} | more


def orders(*games, revision=1, **more):
    """The document of a hub for this table."""
    event, table = {"id": "club-night-7", "name": "Club night 7"}, {"id": "t4", "label": "4"}
    return {"v": 1, "revision": revision, "event": event, "table": table, "games": list(games)} | more


class Link:
    """A link to a hub, which a test moves."""

    def __init__(self, place=None):
        self.place, self.is_set, self.is_linked, self.waiting, self.wakes = place, False, True, 0, 0
        self.stored_elsewhere = None

    def join(self, place):
        self.place = place

    def leave(self):
        self.place = None

    def reload(self):
        stored, self.stored_elsewhere = self.stored_elsewhere, None
        if stored is None:
            return False
        (self.place,) = stored
        return True

    def wake(self):
        self.wakes += 1


class TableInEvent:
    """A table with its event.

    Attributes:
        answer: status and values that a hub answers a code with; an exception is raised.
        answers: the same by the address of a hub, for one that answers otherwise.
        posted: what was posted to a hub.
        announced: the hubs that announce themselves nearby.
        now_s: what the clock says.
    """

    def __init__(self, folder, place=PLACE):
        self.table, self.link = Table(folder), Link(place)
        self.answer, self.answers, self.posted, self.now_s = (200, ANSWER), {}, [], 100.0
        self.announced = ("192.168.1.20:8090",)
        self.begin()

    def begin(self):
        table = self.table
        more = {
            "name": "pegboard-4",
            "post": self._post,
            "search": lambda: self.announced,
            "new_id": lambda: "c81f",
            "clock": lambda: self.now_s,
        }
        self.event = EventTable(table.board, table.feed, table.folder, self.link, **more)
        table.board.keys.event_controls = self.event
        self.stop = self.event.start()
        if self.link.place is not None:
            self.until(lambda: self.shown is not None)

    def _post(self, url, values):
        self.posted.append((url, values))
        answer = self.answers.get(url.removesuffix("/join"), self.answer)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self):
        self.stop()
        self.table.journal.close()

    def reopen(self):
        """The program ends and begins again."""
        self.stop()
        self.table.reopen()
        self.begin()

    @property
    def view(self):
        return self.table.view

    @property
    def shown(self):
        """What is shown of the event."""
        return self.view.event

    def until(self, condition):
        soon(condition)

    def send(self, *games, **more):
        """The hub sends orders, and the table has taken them in."""
        values = orders(*games, **more)
        self.event.take_orders(values)
        self.settle()

    def settle(self):
        """All that was handed to the event is done."""
        done = []
        self.event._hand_on(lambda: done.append(None))
        self.event._hand_on(lambda: done.append(None))
        self.until(lambda: len(done) == 2)

    def confirm(self, *seats):
        for seat in seats:
            game = self.view.game
            self.table.ask(Confirm(seat, game.outcome.winner, tuple(lane.front for lane in game.lanes)))

    def play(self, winner=0):
        """The game in progress is won, and both players confirm it."""
        self.table.win(winner)
        self.confirm(0, 1)
        self.settle()


def renamed(place, **changes):
    """A place that differs."""
    return replace(place, **changes)
