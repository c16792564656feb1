"""Which commands of a page wait for the answer to others."""

import pytest

from pegboard.core.view_as_json import snapshot
from tests.support.views import dealt

SENT = """async ([state, commands]) => {
    const sent = [];
    globalThis.fetch = (_, { body }) => { sent.push(JSON.parse(body).do); return new Promise(() => {}); };
    const { CommandQueue } = await import("/static/live/command_queue.js");
    const queue = new CommandQueue({ state }, { changed() {} });
    for (const [body, lane] of commands) queue.add(body, lane);
    return sent;
}"""
DEAL, ANN, BOB = (({"do": "deal"}, None), *(({"do": "score", "seat": seat, "points": 2}, seat) for seat in (0, 1)))


@pytest.mark.parametrize(
    ("commands", "sent"),
    [([ANN, BOB], ["score", "score"]), ([ANN, ANN], ["score"]), ([DEAL, ANN], ["deal"]), ([ANN, DEAL], ["score"])],
)
def test_only_what_is_for_another_lane_goes_before_the_answer(scripts, commands, sent):
    assert scripts.evaluate(SENT, [snapshot(dealt()), commands]) == sent
