"""When a page opens its stream of events again by itself: where the browser has given up, and not while that tries."""

import pytest

from pegboard.core.view_as_json import snapshot
from tests.support.views import dealt

FAILING = """async ([state, readyState, times]) => {
    const [opened, waits, own] = [[], [], { EventSource: globalThis.EventSource, setTimeout, setInterval }];
    globalThis.EventSource = class {
        static CLOSED = 2;
        readyState = readyState;
        #heard = {};
        constructor() { opened.push(this); }
        addEventListener(kind, act) { this.#heard[kind] = act; }
        fail() { this.#heard.error(); }
        close() {}
    };
    globalThis.setTimeout = (act, ms) => { waits.push(ms); act(); };
    globalThis.setInterval = () => 0;
    try {
        const { TableStream } = await import("/static/live/table_stream.js");
        new TableStream(state).open();
        for (let time = 0; time < times; time += 1) opened.at(-1).fail();
        return [opened.length, waits];
    } finally {
        Object.assign(globalThis, own);
    }
}"""
CONNECTING, CLOSED = 0, 2


@pytest.mark.parametrize(
    ("ready", "opened"),
    [(CLOSED, [6, [1_000, 2_000, 4_000, 8_000, 8_000]]), (CONNECTING, [1, []])],
    ids=["has given up", "tries again"],
)
def test_a_stream_is_opened_again_ever_more_patiently_where_the_browser_has_given_up(scripts, ready, opened):
    assert scripts.evaluate(FAILING, [snapshot(dealt()), ready, 5]) == opened
