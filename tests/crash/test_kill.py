"""kill -9 in the middle of scoring: what was acknowledged is there, and at most one score more."""

import http.client
import random
import threading

from pegboard.storage.reader import check
from tests.support.program import Service

KILLS = 4


def score_until_it_dies(service, acknowledged, scored):
    client = service.client()
    try:
        while True:
            status, answer = client.score(0, 1)
            if status == 201:
                acknowledged.append(answer["entry"])
                scored.set()
            else:  # the game is over: the next one
                state = client.state()
                values = {"do": "start", "variant": "standard", "players": ["Ann", "Bob"], "base": state["revision"]}
                assert client.command(**values)[0] == 201
                acknowledged.clear()
    except (OSError, http.client.HTTPException):
        return


def test_whatever_was_acknowledged_survives_kill_9(tmp_path):
    dice = random.Random(5)
    acknowledged = []
    for _ in range(KILLS):
        with Service(tmp_path) as service:
            entries = service.client().state()["entries"]
            newest = int(entries[0]["id"]) if entries else 0
            known = int(acknowledged[-1]) if acknowledged else 0
            assert newest in (known, known + 1)
            acknowledged[:] = [entry["id"] for entry in entries[:1]]
            scored = threading.Event()
            phone = threading.Thread(target=score_until_it_dies, args=(service, acknowledged, scored))
            phone.start()
            assert scored.wait(60)
            threading.Event().wait(dice.uniform(0.05, 0.4))
            service.kill()
            phone.join()
    assert check(tmp_path) > KILLS
