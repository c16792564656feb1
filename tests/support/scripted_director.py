"""A director of a demo night who does by HTTP what the keys of the desk do."""

from tests.support.hub_site import Client, request_id
from tests.support.waiting import soon


class ScriptedDirector:
    """A director's device, who has the code of the terminal."""

    def __init__(self, demo):
        self.client, self.night = Client(demo.hub.server.port), demo.night.id
        code = demo.make_director_address().rpartition("/")[2]
        assert self.client.post("/night/v1/pair", code=code).status == 200

    def view(self):
        return self.client.get(f"/night/v1/{self.night}/director").json

    def do(self, word, **fields):
        answer = self.client.post("/night/v1/decisions", id=request_id(), night=self.night, do=word, **fields)
        assert answer.status == 201, answer.body
        return answer.json

    def check_in_all(self):
        self.do("check_in", players=[one["player"] for one in self.view()["players"] if one["state"] == "entered"])

    def play_round(self, number):
        """Start it, and wait until each of its games has counted for both."""
        self.do("start_round", round=number)
        soon(lambda: self.round(number)["state"] == "done", 30)

    def round(self, number):
        return next(one for one in self.view()["rounds"] if one["round"] == number)

    def id_of(self, name):
        return next((one["player"] for one in self.view()["players"] if one["name"] == name), None)

    def state_of(self, name):
        return next((one["state"] for one in self.view()["players"] if one["name"] == name), None)

    def settle_ties(self):
        while ties := [tie for tie in self.view()["cut"]["ties"] if tie["kind"] != "high_non_qualifier"]:
            self.do("break_tie", players=ties[0]["players"], how="draw")

    def play_matches(self, most=99):
        """The first named wins each match of the bracket, or the first few of them."""
        for _ in range(most):
            ready = [one for one in self.view()["brackets"][0]["matches"] if one["state"] == "ready"]
            if not ready:
                return
            self.do("bracket_game", match=ready[0]["match"], winner=ready[0]["players"][0], margin=12)
