"""Whatever a browser, a script or an attacker sends is answered with a sentence, and what it sends stays text."""

import json
import re
from collections.abc import Callable, Iterator
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.support.long_runs import some_of
from tests.support.web_server_and_clients import Answer, Site, ToyBench
from web.table import openapi_document
from web.table.app import PAGES

A_FEW = settings(
    max_examples=some_of(40, 2),
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PROGRAM = {"Accept": "*/*"}


def says_a_sentence(answer: Answer) -> bool:
    """Whether a refusal has its sentence, on a page or as a problem."""
    if answer.headers["content-type"].startswith("text/html"):
        return bool(re.search(r"<p>[A-Z][^<]{10,}\.</p>", answer.body.decode()))
    status, code = answer.refusal
    return status == answer.status and bool(code) and len(answer.json["detail"]) > 10


# --- addresses ---

NOWHERE = (
    "/nowhere",
    "/rules/",
    "/api/",
    "/api/v1",
    "/api/v1/",
    "/api/v2/state",
    "/api/v1/games/",
    "/api/v1/bench/nothing",
    "/history/a/b",
    "/static/",
    "/static/nothing.js",
    "/words/",
    "/words/de/phone-0.js",
    "/words/en/nothing-0.js",
)


@pytest.mark.parametrize("path", NOWHERE)
def test_where_nothing_is_it_is_said(quiet: Site, path: str):
    for accept in (BROWSER, PROGRAM):
        answer = quiet.ask("GET", path, None, accept)
        assert answer.status == 404
        assert says_a_sentence(answer)
        for_people = accept is BROWSER and not path.startswith("/api/")
        assert answer.headers["content-type"].startswith("text/html") == for_people


CLIMBING = (
    "/static/../app.py",
    "/static/..%2fapp.py",
    "/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/static/....//....//etc/passwd",
    "/static/%5c..%5c..%5cetc%5cpasswd",
    "/static//etc/passwd",
    "/../../etc/passwd",
    "/words/../../etc/passwd",
    "/words/en/..%2f..%2fen-0.js",
    "/words/..%2flanguages%2fen/phone-0.js",
    "/history/..%2f..%2fetc%2fpasswd",
    "/api/v1/games/..%2f..%2fetc%2fpasswd",
    "/api/v1/games/../../etc/passwd.csv",
    "/api/v1/games/..%2fpegboard.db.csv",
    "/j/..%2f..%2fetc%2fpasswd",
    "/static/app.css%00.js",
    "/api/v1/games/%00",
    "/api/v1/games/%ff%fe",
    "/api/v1/sheet?game=../../etc/passwd",
    "/rules?variant=../../etc/passwd",
)


@pytest.mark.parametrize("path", CLIMBING)
def test_nobody_climbs_out_of_a_folder(quiet: Site, path: str):
    answer = quiet.ask("GET", path, None, PROGRAM)
    pages = ("/history/", "/j/")  # these are pages whatever stands behind; what does, is looked up later
    assert answer.status in ((200, 404) if path.startswith(pages) else (400, 404))
    assert b"root:" not in answer.body
    assert b"import " not in answer.body
    assert answer.status == 200 or says_a_sentence(answer)


@pytest.mark.parametrize("path", ["/api//v1/state", "/rules//", "///etc/passwd"])
def test_doubled_strokes_lead_nowhere_else(quiet: Site, path: str):
    answer = quiet.ask("GET", path, None, PROGRAM)
    assert answer.status == 404
    assert "location" not in answer.headers
    assert says_a_sentence(answer)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "BREW"])
def test_a_method_that_is_not_taken_is_said(quiet: Site, method: str):
    for path in (
        "/",
        "/rules",
        "/api/v1/state",
        "/api/v1/commands",
        "/api/v1/games/abc",
        "/events",
        "/static/pegboard.css",
    ):
        answer = quiet.ask(method, path, None, PROGRAM)
        assert answer.refusal == (405, "method"), path
        said = "live events are read-only; use GET" if path == "/events" else f"{method} is not allowed at {path}; use "
        assert answer.json["detail"].startswith(said)
        assert "GET" in answer.headers["allow"] or "POST" in answer.headers["allow"]


def test_a_long_address_is_not_said_back_whole(quiet: Site):
    answer = quiet.ask("GET", "/" + "a" * 8000, None, PROGRAM)
    assert answer.status in (400, 404)
    assert len(answer.body) < 1000
    assert says_a_sentence(answer)


# --- what is asked ---

ANYTHING = st.one_of(
    st.text(max_size=60),
    st.integers().map(str),
    st.sampled_from(
        ["", "0", "-1", "1e9", "null", "true", "5,5,5,5", "A,A,A,A,A", "2026-13-99", "NaN", "[]", "٣", "9" * 400]
    ),
)

QUESTIONS = {
    "/api/v1/count": ("ranks", "cards", "starter", "flush", "nobs", "crib"),
    "/api/v1/play": ("players", "dealer", "held", "laid"),
    "/api/v1/games": ("limit", "before", "player"),
    "/api/v1/stats": ("player", "since", "variant"),
    "/api/v1/sheet": ("game",),
    "/rules": ("variant",),
}


@pytest.mark.parametrize("path", QUESTIONS)
def test_no_question_finds_a_fault_of_ours(quiet: Site, path: str):
    @A_FEW
    @given(st.dictionaries(st.sampled_from((*QUESTIONS[path], "else")), ANYTHING))
    def ask(asked: dict[str, str]) -> None:
        answer = quiet.ask("GET", f"{path}?{urlencode(asked, errors='replace')}", None, PROGRAM)
        assert answer.status in (200, 404, 422), asked
        assert answer.status == 200 or says_a_sentence(answer)

    ask()


@pytest.mark.parametrize(
    "path", ["commands", "preview", "pair", "unpair", "settings", "power", "bench/keys", "bench/plugs", "bench/fault"]
)
def test_every_body_that_is_wrong_is_said(quiet: Site, path: str):
    for body, status in (
        (b"{", 400),
        (b"[]", 422),
        (b'"x"', 422),
        (b"\xff", 400),
        (b'{"a":' * 400, 400),
        (b'{"nothing": 1}', 422),
    ):
        answer = quiet.post(f"/api/v1/{path}", body)
        assert answer.status == status, (path, body)
        assert says_a_sentence(answer)
    huge = quiet.post(f"/api/v1/{path}", b" " * 100_000)
    assert huge.refusal == (413, "too_large")
    assert "the limit is 2048 bytes" in huge.json["detail"]


LARGE = ["1" + "0" * 400, "-1" + "0" * 400, "9" * 1500, "1e999", "-1e999", "NaN", "Infinity"]

BODIES = {
    "commands": [
        *openapi_document.COMMANDS.values(),
        {"id": "a-tap-of-a-phone", "game": "nowhere", "do": "redo", "base": 0},
    ],
    "preview": [
        {name: value for name, value in body.items() if name != "id"} for body in openapi_document.COMMANDS.values()
    ],
    "settings": [{"brightness": {"oled": 1, "strip": 0.5}}],
    "pair": [{"code": "AAAAAAAA"}],
    "bench/fault": [{"device": "oled", "fault": "hang", "on": True}],
}
"""What each path takes."""


@pytest.mark.sampled(least=6)
@pytest.mark.parametrize("number", LARGE)
@pytest.mark.parametrize("path", BODIES)
def test_no_number_is_too_large_to_be_refused_in_a_sentence(quiet: Site, path: str, number: str):
    for body in BODIES[path]:
        for told in _each_with(body, HERE):
            answer = quiet.post(f"/api/v1/{path}", json.dumps(told).replace(json.dumps(HERE), number).encode())
            assert answer.status in (400, 422), told
            assert says_a_sentence(answer)
            assert len(answer.json["detail"]) < 400, told


HERE = "the number"


def _each_with(value: object, other: object) -> Iterator[object]:
    """The value with `other` for each of the values in it."""
    if isinstance(value, dict):
        yield from ({**value, name: told} for name in value for told in _each_with(value[name], other))
    elif isinstance(value, list):
        yield from (
            [*value[:i], told, *value[i + 1 :]] for i in range(len(value)) for told in _each_with(value[i], other)
        )
    yield other


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("number", [*LARGE, "9" * 5000])
def test_no_number_of_an_import_is_too_large_to_be_refused_in_a_sentence(quiet: Site, number: str):
    start = json.loads(quiet.get("/api/v1/export.jsonl").body.decode().splitlines()[0])
    del start["id"]  # only the other table's
    start |= {"game": "elsewhere", "epoch": "elsewhere", "body": start["body"] | {"match": "elsewhere"}}
    score = start | {"seq": 2, "kind": "scored", "body": {"lane": 0, "points": 2, "seat": 0, "why": "play"}}
    trials = [[told] for told in _each_with(start, HERE)] + [[start, told] for told in _each_with(score, HERE)]
    for lines in trials:
        body = "\n".join(map(json.dumps, lines)).replace(json.dumps(HERE), number).encode()
        answer = quiet.ask("POST", "/api/v1/import", body, {"Content-Type": "application/x-ndjson"})
        assert answer.refusal == (422, "import"), lines
        assert "nothing was imported" in answer.json["detail"]


@pytest.mark.parametrize("number", ["9" * 400, "9" * 5000, "1e999", "-1"])
def test_no_length_of_a_body_is_too_large_to_be_refused(quiet: Site, number: str):
    answer = quiet.ask(
        "POST", "/api/v1/commands", b"{}", {"Content-Type": "application/json", "Content-Length": number}
    )
    assert answer.status in (400, 413, 431)


# --- names ---

SCRIPT = "<script>alert(1)</script>"
TURNS = ('"><img src=x onerror=alert(1)>', "{{ 7*7 }}${7*7}")
UP = "../../etc/passwd"
FORMULA = '=HYPERLINK("http://x","Ann")'


@pytest.mark.parametrize("names", [(SCRIPT, UP), TURNS, (FORMULA, "Ann")], ids=["script", "turns", "formula"])
def test_a_name_is_text_on_every_page_and_in_every_file(serve: Callable[..., Site], names: tuple[str, str]):
    site = serve(ToyBench())
    start = {"variant": "standard", "players": list(names), "format": "single", "dealer": 0}
    assert site.on_board("start_match", **start, replaces=site.game).status == 201
    for _ in range(5):
        assert site.score(0, 24, why="hand").status == 201
    assert site.score(0, 1, why="go").status == 201
    game = site.game
    for path in (*PAGES, f"/history/{game}", "/j/"):
        page = site.ask("GET", path, None, BROWSER)
        assert page.status == 200, path
        words = page.body.decode()
        for name in names:
            if set(name) & set('<>"'):
                assert name not in words, path
        assert "alert(1)>" not in words.replace("&gt;", "").replace("\\u003e", ""), path
        assert not re.search(r"<img[^>]*onerror|<script>alert", words), path
    for path in ("/api/v1/state", "/api/v1/sheet", "/api/v1/games", f"/api/v1/games/{game}", "/api/v1/stats"):
        answer = site.get(path)
        assert answer.headers["content-type"] == "application/json", path
    assert [seat["name"] for seat in site.get("/api/v1/state").json["seats"]] == list(names)
    for path in ("/api/v1/export.csv", f"/api/v1/games/{game}.csv"):
        answer = site.get(path)
        assert answer.headers["content-type"].startswith("text/csv"), path
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert UP not in answer.headers["content-disposition"]
        assert not re.search(r'(^|,)"?=', answer.body.decode(), re.MULTILINE), path
    lines = site.get("/api/v1/export.jsonl").body.decode().splitlines()
    assert all(json.loads(line) for line in lines)


def test_what_is_refused_is_said_back_as_text(quiet: Site):
    page = quiet.ask("GET", f"/rules?variant={quote(SCRIPT)}", None, BROWSER)
    assert page.status == 404
    assert SCRIPT.encode() not in page.body
    assert b"&lt;script&gt;" in page.body
    nowhere = quiet.ask("GET", f"/{quote(SCRIPT)}", None, BROWSER)
    assert nowhere.status == 404
    assert SCRIPT.encode() not in nowhere.body
