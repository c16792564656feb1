"""Games that were played, as the API tells them: pages, figures, statistics, previews, exports and imports."""

import contextlib
import csv
import io
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pegboard.errors import JournalError
from tests.support.waiting import soon
from tests.support.web_server_and_clients import Site, opened, tap
from web.http import request_body, static_files
from web.table import program_parts
from web.table.transfer_api import EXPORTS

NOTHING = {"games": 0, "events": 0, "skipped": 0, "continued": 0, "differing": 0}

LINES = {"Content-Type": "application/x-ndjson"}


def win(site: Site, seat: int = 0) -> None:
    while site.scoreboard.view.game.outcome is None:
        site.score(seat, 29)


def bring(site: Site, body: bytes, headers: dict[str, str] = LINES) -> Any:
    return site.ask("POST", "/api/v1/import", body, headers)


def test_a_list_and_statistics_that_have_not_changed_are_not_sent_again(site: Site):
    for points in range(1, 9):
        site.score(0, points)
    packed = set[str]()
    for path in ("/api/v1/games", "/api/v1/stats", f"/api/v1/games/{site.game}"):
        for coding in ("identity", "gzip"):
            first = site.ask("GET", path, headers={"Accept-Encoding": coding})
            again = site.ask("GET", path, headers={"Accept-Encoding": coding, "If-None-Match": first.headers["etag"]})
            assert (first.status, again.status, again.body) == (200, 304, b"")
            packed |= {path} if first.headers.get("content-encoding") == "gzip" else set()
    assert packed, "what comes packed has a weak mark"
    before = {path: site.get(path).headers["etag"] for path in ("/api/v1/games", "/api/v1/stats")}
    site.score(0, 5)
    after = {path: site.get(path).headers["etag"] for path in before}
    assert after["/api/v1/games"] != before["/api/v1/games"]
    assert after["/api/v1/stats"] == before["/api/v1/stats"], "a score of a game that goes on changes no statistics"
    win(site)
    told = site.ask("GET", "/api/v1/stats", headers={"If-None-Match": before["/api/v1/stats"]})
    assert (told.status, told.json["games"]) == (200, 1)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a program with one module."""
    folder = tmp_path / "program" / "inside"
    folder.mkdir(parents=True)
    (folder / "answers.py").write_text("shape = 1\n")
    monkeypatch.setattr(program_parts, "PROGRAM", (folder.parent,))
    return folder


def update(monkeypatch: pytest.MonkeyPatch, part: str, program: Path) -> None:
    """Put another version of the program in the place of this one."""
    if part == "a module":
        (program / "answers.py").write_text("shape = 'another'\n")
    elif part == "a script":
        newer = static_files.Assets()
        newer.version = "0123456789ab"
        monkeypatch.setattr(static_files, "assets", lambda: newer)


@pytest.mark.parametrize(("part", "status"), [("nothing", 304), ("a module", 200), ("a script", 200)])
def test_after_an_update_no_answer_of_the_older_version_counts_as_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Path, part: str, status: int
):
    with opened(tmp_path, again=True) as site:
        win(site)
        paths = ("/api/v1/games", "/api/v1/stats", f"/api/v1/games/{site.game}", "/api/v1/games?player=Ann")
        marks = {path: site.get(path).headers["etag"] for path in paths}
        update(monkeypatch, part, program)
        for path, mark in marks.items():
            assert site.get(path, If_None_Match=mark).status == 304, "the older program runs until it is ended"
    with opened(tmp_path, again=True) as site:
        for path, mark in marks.items():
            again = site.get(path, If_None_Match=mark)
            assert (again.status, again.headers["etag"] == mark) == (status, status == 304), path


def test_an_editors_lock_among_the_modules_keeps_no_table_from_starting(serve: Callable[..., Site], program: Path):
    (program / ".#answers.py").symlink_to("ann@host.1234:5678")
    assert serve().get("/api/v1/games").status == 200


def test_the_program_itself_is_what_has_the_version():
    names = {path.relative_to(folder).as_posix() for folder in program_parts.PROGRAM for path in folder.rglob("*.py")}
    assert {"table/games_api.py", "core/view_as_json.py", "storage/games.py"} <= names


def test_a_game_is_told_with_its_sheet(site: Site):
    site.score(1, 8, why="hand")
    told = site.get(f"/api/v1/games/{site.game}").json
    assert told["entries"] == site.get("/api/v1/sheet").json["entries"]
    bob = told["deals_played"][0]["lanes"][1]
    assert bob == {"play": 0, "hand": 8, "crib": 0, "other": 0, "unknown": 0, "score": 8}
    assert told["steps"][-1] == {"entry": "1", "deal": 1, "fronts": [0, 8]}
    assert told["figures"]["best_hands"] == [
        {"points": 8, "why": "hand", "deal": 1, "lane": 1, "seat": 1, "entry": "1", "sure": 1.0}
    ]
    assert (told["running"], told["correctable"], told["revisions"]) == (True, True, [0, 1])


@pytest.mark.parametrize(
    "query",
    [
        *("games?limit=0", "games?limit=101", "games?limit=x", "games?before=nobody"),
        *("stats?since=soon", "stats?variant=whist", "stats?since=2026-02-30", "stats?since=99999999999"),
    ],
)
def test_what_cannot_be_asked_is_said(site: Site, query: str):
    assert site.get(f"/api/v1/{query}").refusal == (422, "shape")


@pytest.mark.parametrize("path", ["games/nobody", "games/nobody.csv"])
def test_a_game_that_is_not_known_is_said(site: Site, path: str):
    assert site.get(f"/api/v1/{path}").refusal == (404, "no_game")


def test_a_day_is_a_beginning(site: Site):
    win(site)
    assert site.get("/api/v1/stats?since=2026-01-01&variant=standard").json["games"] == 1
    assert site.get("/api/v1/stats?since=4000000000.5").json["games"] == 0


def test_since_counts_nanoseconds(site: Site):
    """A float of such seconds is a hundred or so off."""
    win(site)
    began = site.scoreboard.began
    for at, games in ((began, 1), (began + 1, 0)):
        since = f"{at // 10**9}.{at % 10**9:09}"
        assert site.get(f"/api/v1/stats?since={since}").json["games"] == games


def test_a_hand_put_right_after_the_end_leaves_the_wall(tmp_path: Path):
    """Bob hand 8; Ann hand 12, amended to 14; Ann 29, 29, 29, 15; deal; Ann hand 24 = 121; that is amended to 10."""
    with opened(tmp_path) as site:
        site.score(1, 8, why="hand")
        site.score(0, 12, why="hand")
        amend(site, 14, 12)
        for points in (29, 29, 29, 15):
            site.score(0, points)
        site.on_board("deal")
        site.score(0, 24, why="hand")
        assert wall(site) == {"Ann": 1, "Bob": 0}
        amend(site, 10, 24)
        assert site.fronts == [121, 8], "116 and 14 would be 130, and so are 116 and 10 enough"
        assert wall(site) == {"Ann": 0, "Bob": 0}
    with opened(site.journal.folder, again=True) as site:
        assert wall(site) == {"Ann": 0, "Bob": 0}, "after a restart too"


def test_best_hands_say_how_sure_it_is_that_they_were_hands(site: Site):
    for seat, points in ((1, 2), (0, 12), (0, 8), (1, 2)):
        site.score(seat, points)
    site.score(0, 6, why="hand")
    while site.scoreboard.view.game.outcome is None:
        site.score(0, 29)
    told = site.get(f"/api/v1/games/{site.game}").json["figures"]["best_hands"]
    of_ann = [(hand["points"], hand["why"], hand["deal"], hand["sure"]) for hand in told if hand["lane"] == 0]
    kept = site.get("/api/v1/stats").json["players"][0]["best_hands"]
    assert [(hand["points"], hand["why"], hand["deal"], hand["sure"]) for hand in kept] == of_ann
    assert min(hand["sure"] for hand in kept) < 1.0


def amend(site: Site, points: int, was: int) -> None:
    (line,) = [entry for entry in site.get("/api/v1/sheet").json["entries"] if entry["points"] == was]
    assert site.command(do="amend", entry=line["id"], points=points, was=was).status == 201


def wall(site: Site) -> dict[str, int]:
    """How often each player has counted 24."""
    return {row["names"][0]: row["wall"]["24"] for row in site.get("/api/v1/stats").json["players"]}


def test_a_preview_tells_what_a_correction_would_do(site: Site):
    win(site, 1)
    state = site.get("/api/v1/state").json
    newest = state["entries"][0]
    asked = {"game": site.game, "do": "amend", "entry": newest["id"], "points": 1, "was": newest["points"]}
    told = site.post("/api/v1/preview", asked).json
    assert (told["before"]["winner"], told["after"]["winner"], told["after"]["over"]) == (1, None, False)
    assert (told["entry"], told["game"], told["state"]["game"]["over"]) == (newest["id"], site.game, False)
    assert site.get("/api/v1/state").json == state
    assert site.post("/api/v1/preview", asked | {"was": 3}).refusal == (409, "moved")
    assert site.post("/api/v1/preview", asked | {"points": 40}).refusal == (422, "rule")
    assert site.post("/api/v1/preview", asked | {"holes": 4}).refusal == (422, "shape")
    receipt = site.post("/api/v1/commands", asked | {"id": tap()}).json
    assert receipt["state"]["lanes"] == told["state"]["lanes"]


def test_an_export_of_a_journal_that_cannot_be_read_is_refused_in_words(site: Site, monkeypatch: pytest.MonkeyPatch):
    def parts(folder: Path) -> Iterator[str]:
        raise JournalError("journal_missing", folder=folder)
        yield ""

    monkeypatch.setitem(EXPORTS, "/api/v1/export.jsonl", (parts, "application/x-ndjson", "pegboard.jsonl"))
    answer = site.get("/api/v1/export.jsonl")
    assert (answer.status, answer.json["key"]) == (503, "journal_missing")


def test_exports_are_files_that_other_programs_read(site: Site):
    site.score(0, 6, why="hand")
    lines = site.get("/api/v1/export.jsonl")
    assert [json.loads(line)["kind"] for line in lines.body.splitlines()] == ["started", "scored"]
    assert lines.headers["content-disposition"] == 'attachment; filename="pegboard.jsonl"'
    games = site.get("/api/v1/export.csv")
    assert games.headers["content-type"] == "text/csv; charset=utf-8"
    (row,) = csv.DictReader(io.StringIO(games.body.decode("utf-8-sig"), newline=""))
    assert (row["game"], row["player 1"], row["score 1"]) == (site.game, "Ann", "6")
    (line,) = csv.DictReader(
        io.StringIO(site.get(f"/api/v1/games/{site.game}.csv").body.decode("utf-8-sig"), newline="")
    )
    assert (line["player"], line["points"], line["why"]) == ("Ann", "6", "hand")
    assert site.ask("HEAD", "/api/v1/export.csv").status == 200
    assert site.ask("POST", "/api/v1/export.csv", b"{}", {"Content-Type": "application/json"}).refusal == (
        405,
        "method",
    )


def test_games_of_another_table_are_brought_whole(site: Site, tmp_path_factory: pytest.TempPathFactory):
    with opened(tmp_path_factory.mktemp("other")) as other:
        win(other, 1)
        lines = other.get("/api/v1/export.jsonl").body
        theirs = other.get("/api/v1/stats").json
    before = site.get("/api/v1/state").json
    assert bring(site, lines).json == NOTHING | {"games": 1, "events": 6}
    assert bring(site, lines).json == NOTHING | {"skipped": 1}
    told = site.get("/api/v1/stats").json
    assert {name: told[name] for name in ("games", "players", "wall")} == {
        name: theirs[name] for name in ("games", "players", "wall")
    }
    after = site.get("/api/v1/state").json
    assert after["game"] == before["game"]
    assert [card["imported"] for card in site.get("/api/v1/games").json["games"]].count(True) == 1


def test_an_import_that_is_spoilt_brings_nothing(site: Site):
    good = site.get("/api/v1/export.jsonl").body.replace(site.game.encode(), b"another")
    revision = site.get("/api/v1/state").json["revision"]
    refused = bring(site, good + b"and then\n")
    assert refused.refusal == (422, "import")
    assert refused.json["detail"].startswith("line 2: not JSON")
    assert bring(site, good, {"Content-Type": "application/json"}).refusal == (415, "media_type")
    too_large = bring(site, b"x" * (2 * 1024 * 1024 + 1))
    assert too_large.refusal == (413, "too_large")
    assert "stop the table and run `pegboard import FILE`" in too_large.json["detail"]
    assert site.get("/api/v1/state").json["revision"] == revision
    assert bring(site, good).json["games"] == 1


def test_only_the_import_takes_large_bodies(site: Site):
    assert bring(site, b" \n" * request_body.MAX_BYTES).status == 200
    assert site.ask("POST", "/api/v1/preview", b" " * 3000, {"Content-Type": "application/json"}).status == 413


def test_viewers_and_scorers_bring_nothing(serve: Callable[..., Site]):
    site = serve(open=False)
    assert bring(site, b"").refusal == (403, "not_paired")
    assert site.post("/api/v1/preview", {"game": site.game, "do": "deal", "base": 1}).refusal == (403, "not_paired")
    assert site.get("/api/v1/games").status == site.get("/api/v1/export.csv").status == 200


def test_a_journal_that_cannot_be_read_is_said(site: Site):
    folder = site.scoreboard.history.folder
    (folder / "journal.db").rename(folder / "elsewhere.db")
    for path in ("/api/v1/games", "/api/v1/stats", f"/api/v1/games/{site.game}"):
        refused = site.get(path)
        assert refused.refusal == (503, "journal")
        assert "there is no journal" in refused.json["detail"]
    (folder / "elsewhere.db").rename(folder / "journal.db")
    assert site.get("/api/v1/games").status == 200


def test_the_page_of_a_game_that_is_not_known_says_so(site: Site):
    people = {"Accept": "text/html"}
    assert site.get(f"/history/{site.game}", **people).status == 200
    told = site.get("/history/nope", **people)
    assert (told.status, told.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert b"There is no game &quot;nope&quot; in this table&#x27;s journal." in told.body


@pytest.mark.parametrize("path", ["//rules", "///", "//api/v1/state", "//history"])
def test_an_address_that_begins_with_two_slashes_is_none(site: Site, path: str):
    assert site.get(path).refusal == (404, "not_found")


BRINGING = (
    b"POST /api/v1/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
    b"Content-Length: 2000000\r\n%b\r\n"
)


def test_of_who_is_not_a_director_no_body_is_awaited(serve: Callable[..., Site]):
    site = serve(open=False)
    given = site.post("/api/v1/pair", {"code": site.server.access.codes.scorer().text})
    cookie = b"Cookie: " + given.headers["set-cookie"].partition(";")[0].encode() + b"\r\n"
    for named, code in ((b"", b'"not_paired"'), (cookie, b'"role"')):
        bringing, answer = site.raw(BRINGING % named), b""
        while not answer.endswith(b"}"):
            answer += bringing.recv(65536)
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert code in answer


def test_one_export_is_brought_at_a_time(site: Site):
    first = site.raw(BRINGING % b"")
    assert soon(lambda: bring(site, b"{}").refusal == (503, "busy"))
    assert bring(site, b"{}").headers["retry-after"] == "2"
    first.close()
    assert soon(lambda: bring(site, b"{}").refusal == (422, "import"))


def test_nothing_is_read_for_who_has_left(site: Site, monkeypatch: pytest.MonkeyPatch):
    read = endless(monkeypatch)
    reader = site.raw(EXPORT)
    assert soon(lambda: len(read) > 20)
    reader.close()
    assert soon(lambda: not site.server._http.server_state.tasks)
    before = len(read)
    assert site.get("/api/v1/me").status == 200
    assert len(read) == before


def test_an_address_reads_two_exports_at_once(site: Site, monkeypatch: pytest.MonkeyPatch):
    endless(monkeypatch)
    readers = [site.raw(EXPORT) for _ in range(2)]
    assert all(reader.recv(100).startswith(b"HTTP/1.1 200 ") for reader in readers)
    assert site.get("/api/v1/export.csv").refusal == (503, "busy")


def test_an_export_ends_with_the_server_and_is_not_taken_for_a_whole_one(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    endless(monkeypatch)
    reader = site.raw(EXPORT)
    reader.recv(100)
    site.server.stop()
    assert not site.server._thread.is_alive()
    told = b""
    with contextlib.suppress(ConnectionResetError):
        while part := reader.recv(65536):
            told += part
    assert not told.endswith(b"0\r\n\r\n")
    assert caplog.text == ""


EXPORT = b"GET /api/v1/export.csv HTTP/1.1\r\nHost: localhost\r\n\r\n"


def endless(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Exports end never; which of their parts have been read."""
    read: list[int] = []

    def parts(_folder: Path) -> Iterator[str]:
        for n in itertools.count():
            read.append(n)
            yield "Ann,Bob\r\n" * 100

    monkeypatch.setitem(EXPORTS, "/api/v1/export.csv", (parts, *EXPORTS["/api/v1/export.csv"][1:]))
    return read
