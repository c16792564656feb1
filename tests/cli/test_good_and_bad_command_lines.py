"""Two hundred command lines as people type them, good and bad: exit status, one sentence, never a traceback."""

import gc
import re
import shlex
import shutil

import click
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pegboard.cli import main as cli
from pegboard.cli.main import main
from pegboard.core.board import Game
from pegboard.core.house_rules import HOUSE_RULES
from pegboard.core.moves import Start
from pegboard.core.referee import decide
from pegboard.core.rules import VARIANTS
from pegboard.startup import hub_service
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import read_events
from pegboard.storage.transfer import import_check
from tests.support.long_runs import some_of
from tests.support.program import Service

GOOD, FAILED, BAD = 0, 1, 2

COUNTED = """
count 5H 5C 5S JD 5D                           | 29 points
count "5H 5C 5S JD" 5D                         | 29 points
count 5h5c5sjd 5d                              | 29 points
count 5h5c5sjd5d                               | 29 points
count 5♥ 5♣ 5♠ J♦ 5♦                           | 29 points
count 5♥️ 5♣️ 5♠️ J♦️ 5♦️                           | 29 points
count 5❤ 5♧ 5♤ J♢ 5♢                           | 29 points
count 5H, 5C, 5S, JD, 5D                       | 29 points
count 5H,5C,5S,JD 5D                           | 29 points
count --json 5H 5C 5S JD 5D                    | "points": 29
count 5H 5C 5S JD 5D --json                    | "points": 29
count 10H TH                                   !2 cannot count 2 cards
count 10H JC QS KD 5D                          | 12 points
count tH jC qS kD 5d                           | 12 points
count --crib 2C 4C 6C 8C KD                    | 0 points
count --crib 2C 4C 6C 8C 10C                   | 5 points
count --alone 4H 5H 6H JH                      | 11 points
count --alone 4h5h6hjh                         | 11 points
count 2H 4C 8S 10D QS --nineteen               | nineteen
count -- 5H 5C 5S JD 5D                        | 29 points
count --play 45333                             | pair royal
count --play "4 5 3 3 3"                       | pair royal
count --play 4,5,3,3,3                         | pair royal
count --play "4♣ 5♥ 3♦ 3♠ 3♥"                  | pair royal
count --play 10 --json                         | "points": 0
count --play 10J                               | 20
count --help                                   | Count a hand
count                                          !2 no cards given; give cards such as 5H 5C 5S JD 5D
count ""                                       !2 no cards given
count " , "                                    !2 no cards given
count 5H                                       !2 cannot count 1 card; give four cards of a hand or crib, then
count 5H 5C 5S JD                              !2 no starter given; add one card after the hand
count 5H 5C 5S JD 5D 6D                        !2 cannot count 6 cards; give four cards of a hand or crib
count 5H 5C 5S JD 5H                           !2 5H appears 2 times
count 5H 5C 5S J 5D                            !2 nobs? that depends on the suits of the jack and the starter
count 5H 5C 5S 11D 5D                          !2 '11D' is not a card
count 5H 5C 5S 1D 5D                           !2 '1D' is not a card
count 5H5C5SXD 5D                              !2 'XD' is not a card
count joker                                    !2 'JOKER' is not a card
count 山                                       !2 '山' is not a card
count --alone 4H 5H 6H JH 2C                   !2 --alone counts four cards without a starter; leave the starter out
count --alone 4H 5H                            !2 cannot count 2 cards
count --alone --crib 4H 5H 6H JH               !2 a crib is counted with the starter
count --play                                   !2 0 cards cannot have been played; 1 to 8 are possible
count --play=10J                               !2 --play cannot have a value; pegboard count --help
count --play ""                                !2 0 cards cannot have been played
count --play KKKK                              !2 K cannot be played: the count would be 40
count --play "4 X"                             !2 'X' is not a card
count --play 4H4H                              !2 4H appears 2 times
count --play 4 5H                              | 9
count 4 5 --play 3 3 3                         | pair royal
count 4 5 3 --play --json                      | "count": 12
count --play 4 --crib                          !2 --play can only be combined with --players, --five-card and --json
count --play 4 5 3 3 3 7 go 6 9                | pone 10, dealer 6
count --play "8 7 6 J / 9 9 9 go 10"           | pone 10, dealer 7
count --play 9-K-J-GO-K-5-K-go-4-10            | pone 4, dealer 1
count --play 4 2 3 5 Q A 3 A                   | pone 3, dealer 5
count --play 9 9 10 go go go --players 3       | dealer 1 so far
count --play 5 go                              !2 dealer cannot say go: any card can be played on a count of 5
count --deal "play: 4 5 3"                     | not counted (no starter)
count --deal pone: 4 5 6 J                     !2 put the whole deal in quotes
count --deal "pone: 4 5 6 J"                   !2 nothing to count: a deal needs a play
count --deal                                   !2 --deal needs a value
count --dael "pone: 4 5 6 J"                   !2 there is no option --dael; did you mean --deal?
count 7 7 8 9 + 8                              | 24 points
count 5H 5C 5★ JD 5D                           !2 '5★' is not a card
count 5H 5C 🙂 JD 5D                           !2 '🙂' is not a card
count --cirb 5H                                !2 there is no option --cirb; did you mean --crib?
count -c 5H                                    !2 there is no option -c; all options except -h start with two dashes
count --jsn                                    !2 there is no option --jsn; did you mean --json?
"""

RUN = """
run                                            |
run --players Ann,Bob                          |
run --players " Ann , Bob "                    |
run --players Ann,Bob,Cy                       |
run --players Ann,Bob,Cy,Dee                   |
run --players Ann                              |
run --players Zoë,山田                          |
run --players Ann,Bob,Cy --variant three-handed |
run --variant standard                         |
run --variant Standard                         |
run --variant "Three handed"                   |
run --variant three_handed                     |
run --variant THREEHANDED                      |
run --variant=box_sheet                        |
run --variant "five card"                      |
run --match bestof3                            |
run --match "Best of 3"                        |
run --match best-of-7                          |
run --match "FIRST TO 9"                       |
run --match open                               |
run --house muggins=on                         |
run --house "Muggins = ON"                     |
run --house worth=games-1-2-4                  |
run --house "worth=acc 2-3-3"                  |
run --house game_hole=61                       |
run --house muggins=on --house skunks=triple   |
run --house overpeg=excess                     |
run --port 0                                   |
run --port 65535                               |
run --mock --open                              |
run --closed                                   |
run --host 0.0.0.0 --open                      |
run --help                                     | --players NAMES
run -h                                         | three-handed     3 players to 121
run --players Ann,,Bob                         !2 a name is blank in 'Ann,,Bob'; separate names with single commas
run --players Ann,                             !2 a name is blank in 'Ann,'
run --players ""                               !2 no player names in ''
run --players " "                              !2 no player names in ' '
run --players ,                                !2 no player names in ','
run --players Ann,Ann                          !2 Ann
run --players A,B,C,D,E                        !2 a table seats 1, 2, 3, 4 or 6 players, not 5
run --players Ann,Bob --variant partners       !2 partners is for 4 players, not 2; for 2, use standard
run --players Ann,Bob,Cy --variant standard    !2 standard is for 2 players, not 3; for 3, use three-handed
run --players                                  !2 --players needs a value; pegboard run --help
run --plyers Ann,Bob                           !2 there is no option --plyers; did you mean --players?
run --player Ann,Bob                           !2 there is no option --player; did you mean --players?
run -players Ann,Bob                           !2 there is no option -p; all options except -h start with two dashes
run Ann,Bob                                    !2 unexpected argument Ann,Bob; pegboard run --help shows the usage
run --variant whist                            !2 there is no variant 'whist'; use one of standard, acc
run --variant ""                               !2 there is no variant ''
run --variant three                            !2 did you mean three-handed?
run --variant 3-handed                         !2 did you mean three-handed?
run --variant four                             !2 did you mean partners?
run --variant standrad                         !2 did you mean standard?
run --varient standard                         !2 there is no option --varient; did you mean --variant?
run --preset "1922 law"                        !2 did you mean 1922 laws?
run --preset acc                               !2 did you mean ACC tournament?
run --preset whist                             !2 there is no preset 'whist'; use one of Two-player sheet, Box sheet
run --preset ""                                !2 there is no preset ''
run --preset "1922 laws" --variant partners    !2 1922 laws is not played as partners; use standard
run --preset "1922 laws" --players Ann,Bob,Cy  !2 1922 laws is for 2 players, not 3; name as many or leave out --preset
run --preset "1922 laws" --house muggins=on    |
run --preset box-sheet --variant partners      |
run --match "best of 4"                        !2 there is no match format 'best of 4'; use open, single, best of 3
run --match bestof                             !2 did you mean best of
run --match "first to 100"                     !2 first to N with N from 1 to 99
run --match ""                                 !2 there is no match format ''
run --house muggins                            !2 the house rule muggins must be off, on, not ''
run --house muggins=yes                        !2 did you mean muggins=on?
run --house muggins:on                         !2 did you mean muggins=on?
run --house mugins=on                          !2 there is no house rule 'mugins'; use one of game hole
run --house jokers=wild                        !2 there is no house rule 'jokers'
run --house ""                                 !2 there is no house rule ''
run --house "game hole=1000"                   !2 the house rule game hole must be 31 to 361, not '1000'
run --house "skunks=triple wins match" --variant short  !2 a triple skunk needs three skunk lines
run --hose muggins=on                          !2 there is no option --hose; did you mean --hous
run --port abc                                 !2 'abc' is not a port; use a number from 0 to 65535
run --port 65536                               !2 '65536' is not a port
run --port -1                                  !2 '-1' is not a port
run --port ""                                  !2 '' is not a port
run --port ٨٠                                  !2 '٨٠' is not a port
run --port 99999999999999999999                !2 is not a port
run --open --closed                            !2 use either --open or --closed, not both
run --config {none}                            !2 none
run --config {folder}                          !2 is a directory
run --config {games}                           !2 not valid TOML
run --config {latin}                           !2 UTF-8
run --config {unknown}                         !2 did you mean
run --state {games}                            !2 is a file
run --record {folder}                          !2 is a directory
run --open=yes                                 !2 --open cannot have a value
run --                                         |
"""

OTHERS = """
                                               | Commands:
--help                                         | Commands:
-h                                             | {usual}
--version                                      | pegboard
--versoin                                      !2 there is no option --versoin; did you mean --version?
--players Ann,Bob                              !2 did you mean pegboard run --players?
--port 80                                      !2 did you mean pegboard run --port?
-x                                             !2 there is no option -x
help                                           !2 there is no command 'help'; pegboard --help lists them
start                                          !2 there is no command 'start'; did you mean pegboard run?
rnu                                            !2 did you mean pegboard run?
Run                                            !2 did you mean pegboard run?
cuont 5H                                       !2 did you mean pegboard count?
exprot                                         !2 did you mean pegboard export?
selftset                                       !2 did you mean pegboard selftest?
whist                                          !2 there is no command 'whist'; pegboard --help lists them
""                                             !2 there is no command ''
山                                             !2 there is no command '山'
export --state {state}                         | "kind": "started"
export                                         !2 there is no journal in
export --state {folder}                        !2 there is no journal in
export --state {games}                         !2 is a file
export --state ''                              !2 the folder name is empty; use . for the current folder
export --state /dev/null                       !2 /dev/null is not a folder
export --state                                 !2 --state needs a value; pegboard export --help
export games.jsonl                             !2 unexpected argument games.jsonl; pegboard export --help
export --stat {state}                          !2 there is no option --stat; did you mean --state?
export --help                                  | pegboard export > games.jsonl
import {games} --state {new}                   | Imported: 1 game with 2 events.
import --state {new} {games}                   | Imported: 1 game with 2 events.
import {games} --state {played}                | already here: 1 game
import --state {new} - < {games}               | Imported: 1 game with 2 events.
import --help                                  | Use - as FILE to read standard input.
import                                         !2 FILE is missing; pegboard import --help shows the usage
import {none}                                  !2 does not exist
import {folder}                                !2 is a directory
import {empty} --state {new}                   !2 empty.jsonl: the file is empty; expected the output of pegboard export
import {blank} --state {new}                   !2 blank.jsonl: the file is empty
import - --state {new}                         !2 standard input: the file is empty
import /dev/zero --state {new}                 !2 /dev/zero: line 1: this line is longer than 65536 bytes
import {latin} --state {new}                   !2 latin.toml: line 1: not JSON
import {unknown} --state {new}                 !2 unknown.toml: line 1: not JSON
import {torn} --state {new}                    !2 torn.jsonl: line 2: not JSON
import {gap} --state {new}                     !2 gap.jsonl: line 1: `seq` must be 1 in game
import {games} {games}                         !2 unexpected argument
import {games} --state {games}                 !2 is a file
config                                         | [table]
config --config {settings}                     | players = ["Zoë", "Max"]
config --config {none}                         !2 none
config --config {unknown}                      !2 did you mean
config --config {latin}                        !2 is not UTF-8 text
config --config {folder}                       !2 is a directory
config players                                 !2 unexpected argument players
config --help                                  | pegboard config > pegboard.toml
selftest --mock --state {state}                | ok    journal
selftest --mock --state {folder}               | journal: none in
selftest --mock --state {broken}               !1
selftest --mock --config {none}                !2 none
selftest --mok                                 !2 there is no option --mok; did you mean --mock?
selftest --mock --state {games}                !2 is a file
backup --state {folder}                        !2 there is no journal in
backup one.db two.db                           !2 unexpected argument two.db
restore                                        !2 FILE|newest is missing
restore newest --yes --state {folder}          !2 there is no good backup in
rebuild --state {folder}                       !2 there is no journal in
check --state {played}                         | ok    journal
check --state {new}                            | journal: none in
check --state {broken}                         !1
check --what                                   !2 there is no option --what
code --state {folder}                          !2 no table keeps codes in
code --state {played}                          | The table is not running; the code will work once it starts
code scorer --state {closed}                   | pairs one
code director --state {closed}                 | pairs one
code DIRECTOR --state {closed}                 | pairs one
code judge                                     !2 use scorer or director, not 'judge'
code scorer director                           !2 unexpected argument director
unpair --state {played}                        | All phones are unpaired
unpair --state {folder}                        !2 no table keeps codes in
unpair --state {played} --list                 | paired
unpair --state {played} me                     !2 device 'me' is not paired
unpair me --list                               !2 --list cannot be combined with DEVICE
unpair me you                                  !2 unexpected argument you
update                                         !2 FILE is missing
update pegboard_0.2.0_all.deb                  !2 was not installed from the Debian package; update it the way
update --during-game {none}                    !2 was not installed from the Debian package
update --trust {none} a.deb                    !2 does not exist
card                                           !2 DIR is missing
card {none}                                    !2 does not exist
card {folder}                                  !2 there is no pegboard_VERSION_all.deb in this folder
card {folder} {none}                           !2 does not exist
back                                           !2 was not installed from the Debian package
back 0.1.0                                     !2 unexpected argument 0.1.0
hub --state {new}                              |
hub --help                                     | Run the hub
hub --broker http://there                      !2 http://there is not a broker address; use mqtt://HOST:PORT
hub --broker mqtt://me:secret@there            !2 mqtt://...@there is not a broker address
hub --port 99999                               !2 '99999' is not a port
hub --key {empty}                              !2 --key needs --certificate
hub evnt                                       !2 did you mean
hub event                                      !2 a command is missing; use list or open; pegboard hub event --help
hub event --help                               | Open events or list them
hub event open Night --state {new}             !2 use 1 to 32 lowercase letters
hub event open night --folder {new}            !2 there is no option --folder
hub event open club-night --state {new}        | Event club-night (club-night) is open.
hub --state {new} event open club-night        | Event club-night (club-night) is open.
hub --state {new} event open "Club night"      !2 use 1 to 32 lowercase letters
hub --state {new} event open                   !2 NAME is missing
hub --database mysql://there event list        !2 mysql://there is not a database URL for the hub; use sqlite:////FOLDER/FILE
hub --state {new} event list                   !2 no hub has saved anything in
hub acl                                        | pattern write
hub --pages-key {empty}                        !2 --pages-certificate and --pages-key must be used together
hub --tables-broker there                      !2 there is not a broker address
hub --state {new} broker {folder}/broker       | sudo install -o mosquitto -m 600
hub --demo --host 127.0.0.1                    !2 the demo runs on this machine only: leave out --host
hub --demo --database sqlite:////tmp/x         !2 the demo runs on this machine only: leave out --database
hub broker                                     !2 FOLDER is missing
hub broker {games}                             !2 is a file
hub broker {folder}/broker --tables 0          !2 --tables: use a number from 1 to 1000, not 0
hub broker {folder}/broker --tables x          !2 --tables: use a number from 1 to 1000, not 'x'
hub --demo --demo-speed x                      !2 --demo-speed: use a number from 1 to 10000, not 'x'
hub broker {folder}/broker --listen x          !2 'x' is not a port
hub --state {folder} code                      !2 no hub has run in
hub --state {folder} code director             !2 unexpected argument director
hub package                                    !2 EVENT is missing
hub package night {folder}                     !2 is a directory
hub --state {new} package night a.pegboard     !2 no hub has saved anything in
hub verify {none}                              !2 does not exist
hub verify {games}                             !2 not a package
hub upload {none} http://there                 !2 does not exist
hub upload {games} there                       !2 'there' is not a hub address
join                                           !2 give a CODE or use --leave
join 482913 --leave                            !2 give a CODE or use --leave
join --leave --state {played}                  !2 this table is not in an event
join 48291                                     !2 '48291'
join {folder}                                  !2 is not an event code
join http://127.0.0.1:9/t/482913 --state {new} !2 127.0.0.1:9
join 482913 4                                  !2 unexpected argument 4
languages                                      | English
languages --json                               | "code"
languages chek                                 !2 did you mean
languages check {none}                         !2 there is no file
languages english                              | "refusals"
languages accept {none}                        !2 there is no file
languages accept                               !2 FILE is missing; pegboard languages accept --help
languages check                                !2 FILE... is missing; pegboard languages check --help
manual                                         | .TH PEGBOARD 1
manual run                                     !2 unexpected argument run
completion bash                                | _PEGBOARD_COMPLETE=bash_complete
completion ZSH                                 | #compdef pegboard
completion fish                                | fish_complete
completion                                     !2 {{bash|zsh|fish}} is missing
completion csh                                 !2 use bash, zsh or fish, not 'csh'
"""


def rows():
    """Words, exit status, and what is said of them."""
    for line in "\n".join((COUNTED.strip("\n"), RUN.strip("\n"), OTHERS.strip("\n"))).split("\n"):
        good = "|" in line and "!2" not in line and "!1" not in line
        words, _, said = line.partition(" | " if " | " in line and good else " |" if good else " !")
        status = GOOD if good else int(said[0])
        yield pytest.param(words.strip(), status, said if good else said[2:], id=words.strip() or "nothing")


@pytest.fixture(scope="module")
def kept_places(tmp_path_factory):
    """Folders and files by the names that the rows call them."""
    folder = tmp_path_factory.mktemp("places")
    names = {name: folder / name for name in ("folder", "new", "none", "state", "broken", "played", "closed")}
    names["folder"].mkdir()
    files = {
        "empty.jsonl": "",
        "blank.jsonl": "\n \n",
        "unknown.toml": "[table]\nplayer = ['Ann']\n",
        "settings.toml": '[table]\nplayers = ["Zoë", "Max"]\n',
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "latin.toml").write_bytes(b'[table]\nplayers = ["Zo\xeb"]\n')
    with Service(names["closed"], closed=True) as service:
        service.client(role="scorer").score(0, 5)
    shutil.copytree(names["closed"], names["played"])
    shutil.copytree(names["closed"], names["state"])
    with read_events(names["played"]) as events:
        lines = [event.export_line for event in events]
    (folder / "games.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "torn.jsonl").write_text(lines[0] + "\n" + lines[1][:-9], "utf-8")
    (folder / "gap.jsonl").write_text(lines[1] + "\n", "utf-8")
    names["broken"].mkdir()
    (names["broken"] / "journal.db").write_bytes(b"no journal")
    return names | {path.stem: path for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def places(kept_places, tmp_path):
    return kept_places | {"new": tmp_path / "new", "usual": tmp_path / "usual"}


@pytest.fixture
def invoke(tmp_path, monkeypatch):
    """Run a command line in this process; `pegboard run` sees what it was told, and begins no table."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "usual"))
    monkeypatch.setattr(cli, "run_table", sit_down)
    monkeypatch.setattr(hub_service, "run_hub", lambda _: None)
    return invoked


def sit_down(next_game, *_, **__):
    setup = next_game.first_setup()
    decide(Game(), Start(setup.rules, setup.players, format=setup.format))


def invoked(words, typed_in=b""):
    return CliRunner().invoke(main, words, typed_in, prog_name="pegboard")


@pytest.mark.sampled(least=20)
@pytest.mark.parametrize(("words", "status", "said"), list(rows()))
def test_a_command_line_is_taken_or_refused_in_one_sentence(words, status, said, places, invoke):
    line, _, piped = words.partition(" < ")
    typed_in = places[piped.strip("{}")].read_bytes() if piped else b""
    ended = invoke(shlex.split(line.format(**places)), typed_in)
    assert ended.exit_code == status, ended.output
    assert isinstance(ended.exception, SystemExit | None)
    if status == BAD:
        (sentence,) = ended.stderr.splitlines()
        assert sentence.startswith("pegboard: ")
        assert said.format(**places) in sentence
        assert ended.stdout == ""
    else:
        assert said.strip().format(**places) in ended.stdout
        assert ended.stderr == ""


def test_there_are_two_hundred_rows_and_every_command_is_among_them():
    words = [row.values[0].split() for row in rows()]
    assert len(words) >= 200
    assert set(main.commands) <= {line[0] for line in words if line}


def test_every_summary_in_a_list_of_commands_is_whole():
    """click cuts a long one with dots."""
    groups = [[], *([name] for name, one in main.commands.items() if isinstance(one, click.Group)), ["hub", "event"]]
    for words in groups:
        told = CliRunner().invoke(main, [*words, "--help"]).stdout
        assert not re.search(r"\.\.\.$", told.partition("Commands:")[2], re.MULTILINE), told


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_told_by_help(variant):
    assert f"\n  {variant} " in CliRunner().invoke(main, ["run", "--help"]).stdout


@pytest.mark.parametrize("rule", HOUSE_RULES)
def test_every_house_rule_is_told_by_help_with_what_it_takes(rule):
    told = " ".join(CliRunner().invoke(main, ["run", "--help"]).stdout.split())
    assert f"{rule} {HOUSE_RULES[rule].choices}" in told


# --- words that nobody thought of ---

KNOWN = [
    *main.commands,
    *(option for command in main.commands.values() for one in command.params for option in one.opts),
    *(
        "5H",
        "5C",
        "5S",
        "JD",
        "5D",
        "Ann,Bob",
        "muggins=on",
        "best of 3",
        "three-handed",
        "0",
        "-",
        "--",
        "=",
        "\udcff",
    ),
]
ESCAPED = st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF, categories=["Cs"])  # bytes that are no UTF-8
LETTERS = st.characters(exclude_characters="\0", exclude_categories=["Cs"]) | ESCAPED  # NUL ends a word for a program
WORDS = st.lists(st.sampled_from(KNOWN) | st.text(LETTERS, max_size=8), max_size=7)


@settings(max_examples=some_of(400), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=WORDS)
@example(words=["count", "\udce2\udc99\udca5"])
@example(words=["run", "--players", "\udcff,\udcfe"])
@example(words=["export", "--state", "\udcff"])
@example(words=["import", "\udcff"])
def test_no_words_give_a_traceback(words, invoke):
    ended = invoke(words)
    assert isinstance(ended.exception, SystemExit | None), words
    assert ended.exit_code in {GOOD, FAILED, BAD}, (words, ended.output)
    if ended.exit_code == BAD:
        assert len(ended.stderr.splitlines()) == 1, words


def test_an_import_that_is_interrupted_leaves_nothing_half_kept(places, invoke, monkeypatch):
    def interrupted(*_):
        yield from ()
        raise KeyboardInterrupt

    monkeypatch.setattr(import_check, "check_import", interrupted)
    ended = invoke(["import", str(places["games"]), "--state", str(places["new"])])
    assert (ended.exit_code, ended.stdout, ended.stderr.strip()) == (130, "", "")
    with Journal(places["new"]) as journal:
        assert journal.rows() == []


def test_a_table_that_cannot_begin_leaves_garbage_collected(tmp_path):
    ended = CliRunner().invoke(main, ["run", "--host", "not.an.address.invalid", "--state", str(tmp_path)])
    assert (ended.exit_code, gc.isenabled()) == (2, True)


# --- commands that only read ---

ONLY_READ = [
    *("check", "code", "config", "export", "languages", "unpair --list"),
    *("hub acl", "hub code", "hub event list", "hub package night {0}/night.pegboard"),
    *("hub --database sqlite:///{0}/other.db event list", "hub --database sqlite:///{0}/new/other.db event list"),
    "hub --database sqlite:///{0}/other.db package night {0}/night.pegboard",
]


@pytest.mark.parametrize("line", ONLY_READ)
def test_a_command_that_only_reads_makes_no_file(tmp_path, line):
    before = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state"), "STATE_DIRECTORY": ""}
    ran = CliRunner().invoke(main, line.format(tmp_path).split(), env=before)
    assert list(tmp_path.iterdir()) == [], ran.output


@pytest.mark.parametrize("line", ["hub event list", "hub --database sqlite:///{0}/other.db event list"])
def test_the_events_of_a_hub_that_is_not_there_are_asked_for_in_vain(tmp_path, line):
    ran = CliRunner().invoke(main, line.format(tmp_path).split(), env={"XDG_STATE_HOME": str(tmp_path)})
    assert "no hub has saved anything in" in f"{ran.output} {ran.exception}"
