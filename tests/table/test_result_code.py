"""Result codes: what goes in comes out, and no damaged letter is taken for another result."""

import base64
import hashlib
import hmac
import json
import random
import string
import tracemalloc
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pegboard
from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.moves import Confirmed, Deal, Started
from pegboard.core.referee import apply, decide
from pegboard.tournament.result_code import (
    ResultCode,
    ResultCodeError,
    SheetRow,
    ShortResult,
    decode,
    encode,
    encode_short,
    game_mark,
    is_sealed_with,
    names_mark,
    pairing_mark,
    sheet_digest,
)
from tests.support.dealing import GREEDY, game, table_of
from tests.support.long_runs import some_in, some_of

LETTERS = string.ascii_uppercase + "234567"

IDS = st.text("abcz019_-", min_size=1, max_size=32)
NAMES = st.text(min_size=1, max_size=24)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 400) | st.text(max_size=20), lambda inner: st.lists(inner, max_size=3)
)
BODIES = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=8), VALUES, max_size=5)
KINDS = st.sampled_from(["started", "scored", "dealt", "confirmed", "zz_new"])
ROWS = st.lists(st.builds(SheetRow, KINDS, BODIES, st.integers(2, 9)), min_size=1, max_size=20)
RESULTS = st.builds(
    ResultCode,
    IDS,
    IDS,
    st.text("0123456789abcdef", min_size=32, max_size=32),
    IDS,
    st.sampled_from(["r3:p1-p7", "main:1:2", "r22:p100-p199"]),
    st.lists(NAMES, min_size=1, max_size=6).map(tuple),
    st.lists(st.integers(0, 361), min_size=1, max_size=4).map(tuple),
    st.sets(st.integers(0, 5)).map(sorted).map(tuple),
    st.integers(1, 10**7),
    st.integers(1, 10**7),
    ROWS.map(tuple),
)


def dealt_result(number):
    """A game of the event as it is dealt and pegged, said in full, and confirmed."""
    dice, rules = random.Random(number), pegboard.Rules.named("acc")
    begun = Started(rules, ("Ann", "Bob"), 1, match="5b0e7c1f92aa", format="single", dealer_said=True)
    events = [begun]
    sheet = apply(Game(), begun)
    deal = 1
    for truth in game(dice, table_of(rules), 1, [GREEDY] * 2):
        if sheet.outcome is not None:
            break
        if truth.deal != deal:
            deal = truth.deal
            happened = decide(sheet, Deal())
            events.append(happened)
            sheet = apply(sheet, happened)
        why = truth.why if truth.why in ("hand", "crib", "heels", "go", "thirty-one") else "play"
        happened = decide(sheet, pegboard.Score(truth.points, seat=truth.seat, why=why))
        events.append(happened)
        sheet = apply(sheet, happened)
    fronts = tuple(lane.front for lane in sheet.lanes)
    events += [Confirmed(seat, sheet.outcome.winner, fronts) for seat in (0, 1)]
    rows = tuple(SheetRow(kind, body, 3) for kind, body in map(wire.event_values, events))
    ids = ("club-night-7", "t4", "9f2c07d1e4b85a369f2c07d1e4b85a36", "5b0e7c1f92aa", "r3:p1-p7")
    return ResultCode(*ids, ("Ann", "Bob"), fronts, (0, 1), 1201, 1200 + len(rows), rows)


@settings(max_examples=some_of(100))
@given(RESULTS)
def test_a_result_comes_back_from_its_code(result):
    assert decode(encode(result)) == result


@settings(max_examples=some_of(100))
@given(RESULTS)
def test_a_short_code_of_a_large_table_is_none_to_older_programs(result):
    """Up to 0.2.0 the upper four bits were the number of lanes, and 1 to 3 were read."""
    letters = encode_short(result)
    counts = base64.b32decode(letters + "=" * (-len(letters) % 8))[1]
    is_large = len(result.holes) > 3 or any(seat > 3 for seat in result.confirmed)
    assert (counts >> 4 in range(1, 4)) != is_large
    if not is_large:
        assert counts == len(result.holes) * 16 + sum(2**seat for seat in result.confirmed)


@given(RESULTS)
def test_a_short_code_is_of_its_result_and_has_the_holes(result):
    short = decode(encode_short(result))
    assert isinstance(short, ShortResult)
    assert short.digest == result.digest[:12]
    assert short.confirmed == tuple(sorted(result.confirmed))
    assert short.holes == result.holes
    assert short.pairing_mark == pairing_mark(result.event, result.table, result.pairing)
    assert short.game_mark == game_mark(result.epoch, result.game)
    assert short.names_mark == names_mark(result.players)


KEYS = st.binary(min_size=32, max_size=32)


@settings(max_examples=some_of(100))
@given(RESULTS, KEYS, KEYS)
def test_a_sealed_code_says_the_same_and_whose_key_has_sealed_it(result, key, other):
    code = encode(result, key)
    assert decode(code) == result
    assert is_sealed_with(code, key)
    assert key == other or not is_sealed_with(code, other)
    assert not is_sealed_with(encode(result), key)
    assert not is_sealed_with(encode_short(result), key)


def test_a_seal_is_of_every_byte_of_the_code():
    """Worked out from its description: 8 bytes of HMAC-SHA-256 before the check value, over all before them."""
    key = bytes(range(32))
    content = base64.b32decode((code := encode(dealt_result(3), key)) + "=" * (-len(code) % 8))[:-4]
    assert content[0] == 0x41
    assert content[-8:] == hmac.new(key, content[:-8], hashlib.sha256).digest()[:8]
    for place in some_in(range(len(content))):
        altered = bytes([*content[:place], content[place] ^ 1, *content[place + 1 :]])
        checked = altered + zlib.crc32(altered).to_bytes(4, "big")
        assert not is_sealed_with(base64.b32encode(checked).decode().rstrip("="), key)


@pytest.mark.parametrize("inside", [b" " * 2_500_000, b"[" * 90_000 + b"\n", b'["a",' * 15_000 + b"\n"])
def test_a_code_that_unpacks_to_megabytes_or_is_nested_without_end_is_refused(inside):
    """4,200 letters of deflate may stand for two and a half megabytes, of which no more than 100 kB are unpacked."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    content = b"\x01" + packer.compress(inside) + packer.flush()
    letters = base64.b32encode(content + zlib.crc32(content).to_bytes(4, "big")).decode().rstrip("=")
    assert len(letters) <= 4200, "else it is refused for that"
    tracemalloc.start()
    with pytest.raises(ResultCodeError):
        decode(letters)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1_000_000


def test_the_digest_is_sha_256_over_canonical_lines():
    """Worked out from its description, so that another program makes the same."""
    rows = [SheetRow("scored", {"points": 2, "lane": 0}, 3), SheetRow("confirmed", {"seat": 0}, 3)]
    lines = b'["scored",{"lane":0,"points":2},3]\n["confirmed",{"seat":0},3]\n'
    assert sheet_digest(rows) == hashlib.sha256(lines).hexdigest()


@settings(max_examples=some_of(100))
@given(RESULTS, st.booleans(), st.data())
def test_every_other_letter_anywhere_is_refused(result, short, data):
    code = (encode_short if short else encode)(result)
    place = data.draw(st.integers(0, len(code) - 1))
    for letter in set(string.printable) - {code[place], code[place].lower()}:
        with pytest.raises(ResultCodeError):
            decode(f"{code[:place]}{letter}{code[place + 1 :]}")


@pytest.mark.parametrize("make", [encode, encode_short])
def test_every_wrong_missing_or_added_letter_of_a_real_game_is_refused(make):
    code = make(dealt_result(1))
    for place in some_in(range(len(code))):
        wrong = [f"{code[:place]}{letter}{code[place + 1 :]}" for letter in LETTERS if letter != code[place]]
        added = [f"{code[:place]}{letter}{code[place:]}" for letter in (code[place], "A", "7")]
        for damaged in (*wrong, *added, code[:place] + code[place + 1 :], code[:place]):
            with pytest.raises(ResultCodeError):
                decode(damaged)


@pytest.mark.parametrize("make", [encode, encode_short])
def test_two_letters_that_change_places_are_refused(make):
    code = make(dealt_result(2))
    for place in range(len(code) - 1):
        if code[place] != code[place + 1]:
            with pytest.raises(ResultCodeError):
                decode(code[:place] + code[place + 1] + code[place] + code[place + 2 :])


@pytest.mark.parametrize("around", ["{}", " {}\n", "http://192.168.1.20:8090/r/{}", "HTTP://HUB.LOCAL/R/{}/"])
@pytest.mark.parametrize("case", [str.upper, str.lower])
def test_a_code_is_read_from_an_address_too_in_any_case(around, case):
    result = dealt_result(3)
    assert decode(around.format(case(encode(result)))) == result


def test_a_dealt_game_fits_a_code_that_phones_read_easily():
    """QR code version 20 (97 modules) takes 1,249 letters at level L, version 15 takes 758 (ISO 18004, table 7)."""
    longest = max(len(encode(dealt_result(number))) for number in range(40))
    assert 300 < longest < 758


def test_a_short_code_fits_the_panel_with_the_address_of_a_hub():
    """A panel 64 pixels high has room for 29 modules of two pixels: version 3, 77 letters at level L."""
    assert len(encode_short(dealt_result(1))) + len("HTTP://192.168.100.200:8080/R/") <= 77


@pytest.mark.parametrize(
    "text", ["", "A", "hello world", "PB1", "0189", "ÄÖÜ", "\u017f" * 20, "A" * 5000, "http://hub/r/"]
)
def test_what_is_no_code_is_refused(text):
    with pytest.raises(ResultCodeError):
        decode(text)


def sealed(content):
    """Bytes with the right check value: what a forger, or a newer table, would make."""
    return base64.b32encode(content + zlib.crc32(content).to_bytes(4, "big")).decode().rstrip("=")


def packed(*lines):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"\x01" + packer.compress("\n".join(lines).encode()) + packer.flush()


HEAD = ["night", "t4", "9f", "5b", "r1:p1-p2", ["Ann", "Bob"], [121, 90], [0, 1], 1, 9]


@pytest.mark.parametrize(
    "content",
    [
        b"\x01\x00\x00",
        packed("[]"),
        packed("{}"),
        packed("[" * 60_000),
        packed(json.dumps(HEAD)),
        packed(json.dumps(HEAD[:-1]), "scored 3{}"),
        packed(json.dumps(["no night", *HEAD[1:]]), "scored 3{}"),
        packed(json.dumps([*HEAD[:6], [121.5], *HEAD[7:]]), "scored 3{}"),
        packed(json.dumps([*HEAD[:5], "Ann", *HEAD[6:]]), "scored x{}"),
        packed(json.dumps(HEAD), "scored 3[]"),
        packed(json.dumps(HEAD), 'scored 3{"points":1e999}'),
        packed(json.dumps(HEAD), 'scored 3{"why":"\\ud800"}'),
        packed(json.dumps(HEAD), "scored {}"),
        packed(json.dumps(HEAD), "scored 3{}") + b"more",
        packed("A" * 200_000),
        b"\x81\x20\x00\x79",
        b"\x81" + bytes(40),
    ],
)
def test_what_is_sealed_but_makes_no_sense_is_refused(content):
    with pytest.raises(ResultCodeError):
        decode(sealed(content))


def test_the_version_of_a_newer_code_is_named():
    with pytest.raises(
        ResultCodeError, match="this result code has version 2, but this pegboard knows only 1; update pegboard"
    ):
        decode(sealed(b"\x02abc"))


def test_a_game_that_no_code_holds_is_refused():
    rows = tuple(SheetRow("scored", {"note": "".join(random.Random(n).choices(LETTERS, k=90))}, 3) for n in range(90))
    with pytest.raises(ResultCodeError, match="this game is too long for a QR code"):
        encode(ResultCode("e", "t", "9f", "5b", "r1:p1-p2", ("Ann", "Bob"), (121, 90), (0, 1), 1, 2, rows))


KEPT = Path(__file__).parents[1] / "data" / "result_codes.json"


def test_codes_of_earlier_versions_are_still_read():
    """Made once and kept: the dictionary of the packer may never change."""
    for one in json.loads(KEPT.read_text("utf-8")):
        result = decode(one["code"])
        assert (result.pairing, list(result.holes), result.digest) == (one["pairing"], one["holes"], one["digest"])
