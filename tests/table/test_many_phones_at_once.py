"""Many phones at the real program at once: every tap counts once."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor


def send_until_taken(client, values):
    """As a phone does: after a 409 the same id with the base from the answer."""
    while True:
        status, answer = client.command(**values)
        if status in (200, 201):
            return answer["replayed"]
        assert (status, answer["code"]) == (409, "moved"), answer
        lane = answer["state"]["seats"][values["seat"]]["lane"]
        values = values | {"base": answer["state"]["lanes"][lane]["revision"]}


def test_fifty_taps_sent_three_times_by_eight_phones_are_fifty_entries(service):
    game = service.client().state()["game"]["id"]
    taps = [
        {"id": f"tap-of-somebody-{n:04}", "do": "score", "seat": n % 2, "points": n % 4, "game": game, "base": 0}
        for n in range(50)
    ]

    deck = taps * 3
    random.Random(8).shuffle(deck)

    def phone(seed):
        client = service.client()
        return [send_until_taken(client, tap) for tap in deck[seed::8]]

    with ThreadPoolExecutor(8) as phones:
        replayed = [one for many in phones.map(phone, range(8)) for one in many]
    state = service.client().state()
    assert (replayed.count(False), replayed.count(True)) == (50, 100)
    assert state["entries"][0]["id"] == "50"
    assert [lane["front"] for lane in state["lanes"]] == [
        sum(t["points"] for t in taps if t["seat"] == s) for s in (0, 1)
    ]


def test_one_tap_sent_twice_at_the_same_time_is_answered_201_and_200(service):
    pair, together = [service.client(), service.client()], threading.Barrier(2)
    game = service.client().state()["game"]["id"]

    def send(phone, values):
        together.wait()
        return phone.command(**values)[0]

    with ThreadPoolExecutor(2) as hands:
        for n in range(100):
            values = {"id": f"tap-at-once-{n:06}", "do": "score", "seat": 0, "points": 0, "game": game, "base": n}
            assert sorted(hands.map(lambda phone, values=values: send(phone, values), pair)) == [200, 201]


def test_two_phones_with_the_same_twelve_score_it_once_a_hundred_times(service):
    client, pair = service.client(), [service.client(), service.client()]
    together = threading.Barrier(2)

    def tap(phone, values):
        together.wait()
        return phone.command(**values)

    with ThreadPoolExecutor(2) as hands:
        for n in range(100):
            state = client.state()
            values = {"game": state["game"]["id"], "do": "score", "seat": 0, "points": 12, "why": "hand"}
            values["base"] = state["lanes"][0]["revision"]
            answers = list(hands.map(lambda phone, values=values: tap(phone, values), pair))
            assert sorted(status for status, _ in answers) == [201, 409], n
            refusal = next(answer for status, answer in answers if status == 409)
            assert (refusal["code"], [entry["points"] for entry in refusal["entries"]]) == ("moved", [12])
            stored = next(answer for status, answer in answers if status == 201)
            status, _ = client.command(do="undo", entry=stored["entry"], game=state["game"]["id"])
            assert status == 201
    assert client.state()["lanes"][0]["front"] == 0
