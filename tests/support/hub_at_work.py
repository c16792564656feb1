"""A hub that runs in this process, and what its tables say."""

import json
from pathlib import Path

from pegboard.config import WebSettings
from pegboard.hub.ledger.ledger import open_ledger
from pegboard.mqtt.broker_session import BrokerAddress, BrokerSession
from pegboard.mqtt.messages_of_hub import COMMANDS, EVENTS, STATE, TableTopics
from pegboard.startup.demo_tables import DemoBroker
from pegboard.startup.running_hub import RunningHub
from pegboard.tournament.night.views.night_views import director_view
from tests.support.finished_game import play_game
from tests.support.hub_site import DEE, NAMES, request_id
from tests.support.table_messages import journal_of_code


class HubAtWork:
    """A hub with a ledger in a folder, and what its tables say."""

    def __init__(self, folder: Path, port: int | None = None):
        """With the port of a broker it is a real one."""
        self.folder, self.broker = folder, DemoBroker()
        self.ledger = open_ledger(f"sqlite:///{folder}/hub.db")
        web = WebSettings(host="127.0.0.1", port=0)
        address = BrokerAddress("127.0.0.1", port or 1883)
        open_session = BrokerSession if port else self.broker.open_session
        self.hub = RunningHub(self.ledger, web, folder, address, open_session=open_session)
        self.nights = self.hub.nights
        self.hub.start()

    def stop(self):
        self.hub.stop()
        self.ledger.close()

    def do(self, night, word, **fields):
        return self.nights.decide(night, {"do": word, **fields}, DEE, request_id())[0]

    def open_night(self):
        """A night of four with boards at t1 and t2, whose first round has begun."""
        request = {"do": "open_night", "name": "Club night", "date": "2026-11-26", "rules": {"games": 3}}
        night = self.nights.open(request, DEE, request_id())
        for table in ("t1", "t2"):
            self.do(night, "add_table", table=table, label=table[1:], kind="board")
        for name in NAMES:
            self.do(night, "enter", name=name, walk_up=True)
        self.do(night, "draw")
        self.do(night, "start_round", round=1)
        return night

    def view(self, night):
        return director_view(self.nights.night(night), self.nights.calls(night))

    def game(self, night, key):
        return next(game for one in self.view(night)["rounds"] for game in one["games"] if game["game"] == key)

    def play(self, night, table="t1"):
        """The first game of a table, as its result code has it; the hub has not heard of it."""
        return play_game(self.folder / f"played-{table}", self.nights.night(night), night, table=table)

    def send(self, night, code):
        self.say(night, code.table, EVENTS, journal_of_code(code).payload())

    def show(self, night, table="t1", **state):
        """The table shows this on its board."""
        self.say(night, table, STATE, json.dumps({"v": 1, "scores": [0, 0], **state}).encode())

    def say(self, night, table, channel, payload):
        assert self.broker.publish_to_hub(TableTopics(night, table).of(channel), payload)

    def orders(self, night, table="t1"):
        """The newest orders of a table, and whatever came before is passed over."""
        newest = None
        while not self.broker.news.empty():
            publication = self.broker.news.get()
            if publication and publication.topic == TableTopics(night, table).of(COMMANDS):
                newest = json.loads(publication.payload)
        return newest
