"""Bad input: every wrong shape is refused with its status, its code and a sentence that says what would be taken."""

import json

import pytest

from tests.support.web_server_and_clients import Site, tap

A_SCORE = {"do": "score", "seat": 0, "points": 6, "base": 0}

EVERY = (
    "start, score, deal, stage, undo, redo, amend, penalty, muggins, over_peg, peg_back, set_pegs, false_claim,"
    " retract, abandon, confirm, rename, substitute, head_start, start_match"
)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"points": -1}, "`points` must be a whole number from 0 to 29, not -1"),
        ({"points": 30}, "`points` must be a whole number from 0 to 29, not 30"),
        ({"points": 1.5}, "`points` must be a whole number from 0 to 29, not 1.5"),
        ({"points": 6.0}, "`points` must be a whole number from 0 to 29, not 6.0"),
        ({"points": "6"}, '`points` must be a whole number from 0 to 29, not "6"'),
        ({"points": True}, "`points` must be a whole number from 0 to 29, not true"),
        ({"points": None}, "`points` must be a whole number from 0 to 29, not null"),
        ({"points": [6]}, "`points` must be a whole number from 0 to 29, not [6]"),
        (
            {"points": 10**300},
            "`points` must be a whole number from 0 to 29, not 1000000000000000000000000000000000000...",
        ),
        ({"points": ...}, "`points` is missing: a whole number from 0 to 29"),
        (
            {"seat": 7},
            "`seat` must be a seat of this table, a whole number from 0 to 5, or null if `lane` is given, not 7",
        ),
        ({"seat": False}, "or null if `lane` is given, not false"),
        ({"lane": 4}, "`lane` must be a lane of this board"),
        ({"base": "0"}, "`base` must be the lane's `revision` in the state you saw, a whole number"),
        ({"base": -1}, "not -1"),
        (
            {"why": "luck"},
            'one of play, go, thirty-one, heels, hand, crib, muggins, penalty, or null, not "luck"',
        ),
        ({"why": 5}, "or null, not 5"),
        (
            {"id": "short"},
            '`id` must be 16 to 64 characters from A-Z a-z 0-9 - _; new for each tap, same for a retry, not "short"',
        ),
        ({"id": "x" * 65}, "`id` must be 16 to 64"),
        ({"id": "sixteen letters\n"}, "`id` must be 16 to 64"),
        ({"id": "sixteen_letters_\n"}, "`id` must be 16 to 64"),
        ({"id": "sechzehn-Länge-ö"}, "`id` must be 16 to 64"),
        ({"id": 1234567890123456}, "`id` must be 16 to 64"),
        ({"id": ...}, "`id` is missing: 16 to 64"),
        ({"game": ...}, "`game` is missing: the id of the current game"),
        ({"game": 7}, "`game` must be the id of the current game, from the state, not 7"),
        ({"colour": "red"}, 'score has no field "colour"; use id, game, base, epoch, do, points, seat, lane, why'),
        ({"entry": "1"}, 'score has no field "entry"'),
        ({"do": "fly"}, f'`do` must be one of {EVERY}, not "fly"'),
        ({"do": ["score"]}, f'`do` must be one of {EVERY}, not ["score"]'),
        ({"do": None}, "not null"),
        ({"do": ...}, f"`do` is missing: one of {EVERY}"),
    ],
)
def test_a_command_of_the_wrong_shape_is_refused(quiet: Site, wrong, sentence):
    with quiet.as_it_was():
        answer = quiet.command(**A_SCORE | wrong)
    assert answer.refusal == (422, "shape")
    assert sentence in answer.json["detail"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"players": "Ann"}, "`players` must be a list of 1 to 6 names"),
        ({"players": []}, "`players` must be a list of 1 to 6 names"),
        ({"players": ["Ann"] * 7}, "`players` must be a list of 1 to 6 names"),
        ({"players": ["Ann", 2]}, "`players` must be a list of 1 to 6 names"),
        ({"players": ...}, "`players` is missing"),
        ({"variant": "whist"}, "`variant` must be the name of a variant: standard, acc, short"),
        ({"dealer": 6}, "`dealer` must be the seat that deals first"),
        ({"replaces": 1}, "`replaces` must be the id of the unfinished game"),
    ],
)
def test_a_start_of_the_wrong_shape_is_refused(quiet: Site, wrong, words):
    start = {"do": "start", "variant": "standard", "players": ["Ann", "Bob"], "replaces": quiet.game, "base": 1}
    with quiet.as_it_was():
        answer = quiet.command(**start | wrong)
    assert answer.refusal == (422, "shape")
    assert words in answer.json["detail"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            {"redeal": 7},
            "`redeal` must be the seat that deals again after a fault of the deal, a whole number from 0 to 5, or null",
        ),
        (
            {"accepted": "yes"},
            "`accepted` must be true if `seat`, the pone, lets the deal stand after a fault of the deal, or false, not",
        ),
        ({"note": "six\0"}, '`note` must be a note of up to 80 visible characters, not "six\\u0000"'),
        ({"note": "x" * 81}, '`note` must be a note of up to 80 visible characters, not "xxx'),
    ],
)
def test_what_a_penalty_cannot_have_is_said(quiet: Site, wrong, sentence):
    with quiet.as_it_was():
        answer = quiet.command(**{"do": "penalty", "seat": 1, "points": 2, "fault": "not-cut", "base": 0} | wrong)
    assert answer.status == 422
    assert answer.json["detail"].startswith(sentence)


@pytest.mark.parametrize(
    ("preset", "sentence"),
    [
        ("acc", "there is no preset 'acc'; use one of Two-player sheet, "),
        ("1922 law", "there is no preset '1922 law'; use one of "),
        ("acc tournament", "ACC tournament is not played as standard; use acc, or another preset"),
        (7, "`preset` must be the name of a printed rule sheet that describes `variant`, or null, not 7"),
    ],
)
def test_a_sheet_that_cannot_be_played_is_said(quiet: Site, preset, sentence):
    start = {"do": "start", "variant": "standard", "players": ["Ann", "Bob"], "replaces": quiet.game, "base": 1}
    with quiet.as_it_was():
        answer = quiet.command(**start, preset=preset)
    assert answer.status == 422
    assert answer.json["detail"].startswith(sentence)
    assert ("did you mean" in answer.json["detail"]) == (preset in ("acc", "1922 law"))


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "must have 1 to 64 characters; '' has 0"),
        ("   ", "must have 1 to 64 characters; '   ' has 0"),
        ("\u00a0", "must have 1 to 64 characters; '\\xa0' has 0"),
        ("B" * 65, f"must have 1 to 64 characters; '{'B' * 24}'... has 65"),
        ("Bob\u0000", "must consist of visible characters only; 'Bob\\x00' does not"),
        ("Bo\nb", "must consist of visible characters only; 'Bo\\nb' does not"),
        ("\u202eBob", "must consist of visible characters only; '\\u202eBob' does not"),
        ("Bob\U000e0041", "must consist of visible characters only; 'Bob\\U000e0041' does not"),
        ("\U0001f600" * 41, "is too long to display"),
        ("ann", "two players are called Ann; give each a different name"),
    ],
)
@pytest.mark.parametrize("begun", [{"do": "start"}, {"do": "start_match", "format": "single"}], ids=["game", "match"])
def test_a_name_that_cannot_be_taken_is_said_with_its_fault(quiet: Site, begun, name, fault):
    with quiet.as_it_was():
        answer = quiet.command(**begun, base=1, variant="standard", players=["Ann", name], replaces=quiet.game)
    assert answer.refusal == (422, "rule")
    assert fault in answer.json["detail"]
    assert answer.json["rule"] == "/rules#names"


@pytest.mark.parametrize("entry", [1, "", "1x", "-1", "\u0661", "9" * 10, True, {}])
def test_an_entry_is_named_by_its_digits(quiet: Site, entry):
    with quiet.as_it_was():
        assert quiet.command(do="undo", entry=entry).refusal == (422, "shape")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "Expecting value at character 0"),
        (b"{", "at character 1"),
        (b"points=6", "Expecting value"),
        (b'{"points": NaN}', "NaN is not a number"),
        (b'{"points": -Infinity}', "-Infinity is not a number"),
        (b'{"points": 1, "points": 2}', "a field appears twice"),
        (b"[" * 2000, "nested too deeply"),
        (b'{"a":' * 300 + b"1" + b"}" * 300, "nested too deeply, in more than 32 levels"),
        (b'{"a":' * 33 + b"1" + b"}" * 33, "nested too deeply"),
        (b'{"a":' * 32 + b"1" + b"}" * 32, "`do` is missing"),
        (b'{"a":"' + b"[" * 300 + b'"}', "`do` is missing"),
        (b'{"id": "\xff"}', "not text in UTF-8"),
        (b'{"id": "\\ud800"}', "not text in UTF-8"),
        (b"\xef\xbb\xbf{}", "BOM"),
        (b'{"points": ' + b"9" * 1900 + b"}", "`do` is missing"),
        (b'{"points": 1e999}', "`do` is missing"),
    ],
)
def test_what_is_not_json_is_refused(quiet: Site, body, words):
    with quiet.as_it_was():
        answer = quiet.post("/api/v1/commands", body)
    assert answer.refusal in ((400, "not_json"), (422, "shape"))
    assert words in answer.json["detail"]
    assert (answer.status == 422) == ("missing" in words)


@pytest.mark.parametrize("value", [[], 5, "score", None, True])
def test_a_command_is_an_object(quiet: Site, value):
    with quiet.as_it_was():
        answer = quiet.post("/api/v1/commands", value)
    assert answer.refusal == (422, "shape")
    assert answer.json["detail"] == "the body must be one JSON object with named fields"


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "text/json", ""]
)
def test_another_content_type_is_refused(quiet: Site, kind):
    with quiet.as_it_was():
        answer = quiet.command_as(kind, A_SCORE)
    assert answer.refusal == (415, "media_type")
    assert answer.json["detail"].startswith("the content type must be application/json, not ")


def test_a_charset_beside_the_content_type_is_taken(site: Site):
    assert site.command_as("Application/JSON; charset=utf-8", A_SCORE).status == 201


def _of_size(site: Site, size: int) -> bytes:
    values = {"id": tap(), "game": site.game, **A_SCORE}
    return json.dumps(values).encode().ljust(size)


def test_two_kilobytes_are_taken_and_not_a_byte_more(site: Site):
    assert site.post("/api/v1/commands", _of_size(site, 2048)).status == 201
    with site.as_it_was():
        answer = site.post("/api/v1/commands", _of_size(site, 2049))
    assert answer.refusal == (413, "too_large")
    assert answer.json["detail"] == "the request body is too large; the limit is 2048 bytes"


def test_a_body_in_chunks_is_taken_like_any_other(site: Site):
    body = _of_size(site, 300)
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:7], body[7:])) + b"0\r\n\r\n"
    assert _posted(site, b"Transfer-Encoding: chunked", chunks).startswith(b"HTTP/1.1 201 ")


def test_a_body_in_chunks_is_counted(site: Site):
    chunks = b"".join(b"1000\r\n%s\r\n" % (b" " * 4096) for _ in range(3)) + b"0\r\n\r\n"
    with site.as_it_was():
        assert _posted(site, b"Transfer-Encoding: chunked", chunks).startswith(b"HTTP/1.1 413 ")


def test_a_body_that_is_announced_too_large_is_not_waited_for(site: Site):
    with site.as_it_was():
        assert _posted(site, b"Content-Length: 1000000000", b"{").startswith(b"HTTP/1.1 413 ")


A_LETTER = [
    "W",
    "\N{LATIN SMALL LETTER O WITH DIAERESIS}",
    "\N{CJK UNIFIED IDEOGRAPH-4E00}",
    "\N{DROMEDARY CAMEL}",
    '"',
]


@pytest.mark.parametrize(("variant", "seats"), [("partners", "abcd"), ("six-partners", "abcdef")])
@pytest.mark.parametrize("letter", A_LETTER)
def test_a_state_of_long_names_and_ten_lines_fits_four_kilobytes(serve, letter, variant, seats):
    site = serve(variant=variant)
    start = {
        "id": tap(),
        "do": "start",
        "variant": variant,
        "players": [letter * (min(64, 160 // len(letter.encode())) - 1) + own for own in seats],
    }
    body = json.dumps(start | {"replaces": site.game, "base": 1}, ensure_ascii=False).encode()
    assert site.post("/api/v1/commands", body).status == 201
    for number in range(10):
        assert site.on_lane("penalty", number % 2, points=2, note=letter * 80).status == 201
    answer = site.get("/api/v1/state")
    event = site.watch().until("state").data
    assert len(answer.body) <= 4096
    assert event == answer.json
    assert 1 <= len(answer.json["entries"]) < 10
    assert answer.json["entries"][0]["id"] == "10"


def test_ten_ordinary_lines_fit_four_kilobytes(site: Site):
    for number in range(12):
        assert site.score(number % 2, 2, why="play").status == 201
    state = site.get("/api/v1/state")
    assert [line["id"] for line in state.json["entries"]] == [f"{number}" for number in range(12, 2, -1)]
    assert len(state.body) <= 4096


def _posted(site: Site, framing: bytes, body: bytes) -> bytes:
    head = b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    connection = site.raw(head + framing + b"\r\n\r\n" + body)
    return connection.recv(65536)
