"""Which commands of a page wait for the answer to others, and what becomes of one by its answer."""

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


KEPT = """async ([state, taps]) => {
    const sent = [];
    globalThis.fetch = (_, { body }) => { sent.push(JSON.parse(body).points); return new Promise(() => {}); };
    const { CommandQueue } = await import("/static/live/command_queue.js");
    for (const [at, points] of taps) {
        const body = { do: "score", seat: 0, points };
        const tap = { id: `${at}`, lane: 0, body, epoch: state.epoch, base: null, from: null, at, asked: Date.now() };
        localStorage.setItem(`pegboard.tap.${at}`, JSON.stringify(tap));
        localStorage[`pegboard.tap.${at}`] = true; // a browser lists what it stores
    }
    const queue = new CommandQueue({ state }, { changed() {} });
    queue.retryNow();
    const told = [queue.items.map(({ body }) => body.points), [...sent]];
    for (const [at] of taps) delete localStorage[`pegboard.tap.${at}`];
    queue.items.forEach((item) => queue.drop(item));
    return told;
}"""


def test_taps_that_were_kept_are_sent_as_they_were_made_wherever_they_lay(scripts):
    assert scripts.evaluate(KEPT, [snapshot(dealt()), [[2, 8], [3, 4], [1, 6]]]) == [[6, 8, 4], [6]]


FATE = """async ([state, status, body]) => {
    const answer = { ok: status < 300, status, json: async () => ({ state, ...body }), headers: new Headers() };
    globalThis.fetch = async () => { if (status) return answer; throw new TypeError("nothing came"); };
    const { CommandQueue } = await import("/static/live/command_queue.js");
    const heard = [];
    const calls = ["question", "refused", "stored", "unpaired"];
    const hear = Object.fromEntries(calls.map((what) => [what, () => heard.push(what)]));
    const queue = new CommandQueue({ state, takeAnswer() {} }, { changed() {}, ...hear });
    queue.add({ do: "score", seat: 0, points: 2 }, 0);
    await new Promise((done) => setImmediate(done));
    const waiting = queue.items.length;
    queue.items.forEach((item) => queue.drop(item));
    return [heard, waiting];
}"""
WAITS, GONE = 1, 0


@pytest.mark.parametrize(
    ("status", "body", "heard", "left"),
    [
        (201, {}, ["stored"], GONE),
        (201, {"state": None}, [], WAITS),
        (0, {}, [], WAITS),
        (429, {"code": "too_fast"}, [], WAITS),
        (503, {"code": "not_stored"}, [], WAITS),
        (409, {"code": "moved"}, ["question"], WAITS),
        (403, {"code": "not_paired"}, ["unpaired"], WAITS),
        (422, {"code": "rule"}, ["refused"], GONE),
    ],
)
def test_a_tap_is_sent_again_asked_about_or_dropped_by_its_answer(scripts, status, body, heard, left):
    assert scripts.evaluate(FATE, [snapshot(dealt()), status, body]) == [heard, left]


LOST = """async ([state, status, body]) => {
    globalThis.fetch = async () => { throw new TypeError("the answer is lost"); };
    const { CommandQueue } = await import("/static/live/command_queue.js");
    const heard = [];
    const hear = Object.fromEntries(["question", "refused", "stored"].map((what) => [what, () => heard.push(what)]));
    const queue = new CommandQueue({ state, takeAnswer() {}, noteFailure() {} }, { changed() {}, ...hear });
    queue.add({ do: "score", seat: 0, points: 2 }, 0);
    await new Promise((done) => setImmediate(done));
    const [now, asked] = [Date.now(), []];
    Date.now = () => now + 61_000;
    const answer = { ok: status < 300, status, json: async () => ({ state, ...body }), headers: new Headers() };
    globalThis.fetch = async (_, { method }) => { asked.push(method ?? "GET"); return answer; };
    queue.retryNow();
    await new Promise((done) => setImmediate(done));
    const waiting = queue.items.length;
    queue.items.forEach((item) => queue.drop(item));
    return [asked, heard, waiting];
}"""


@pytest.mark.parametrize(
    ("status", "body", "heard", "left"),
    [
        (200, {}, ["stored"], GONE),
        (200, {"state": None}, [], WAITS),
        (404, {"code": "no_command"}, ["question"], WAITS),
        (503, {"code": "not_stored"}, [], WAITS),
    ],
)
def test_a_tap_whose_answer_was_lost_is_looked_up_and_not_sent_again(scripts, status, body, heard, left):
    assert scripts.evaluate(LOST, [snapshot(dealt()), status, body]) == [["GET"], heard, left]
