"""The API's documentation is so: its lines are run against a real program, and their answers are those it tells."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pegboard.core.moves import COMMANDS, Base, Who
from pegboard.values import fields_from
from tests.support.program import Service
from web.table.openapi_document import ELSEWHERE, REFUSALS

DOCS = (Path(__file__).parent.parent / "docs/api.md").read_text("utf-8")

BLOCKS = re.findall(r"^```(\w+) ?(\d*)\n(.*?)^```$", DOCS, re.MULTILINE | re.DOTALL)

TOLD_AS = "http://127.0.0.1:8080"
CODE = "7KQ2AB"

pytestmark = pytest.mark.debian  # its lines are curl's

FRESH = {"until", "url", "host", "size", "command"}
"""What every table has of its own; of these only the kind of value is looked at."""

SAY_STATUS = r"""
exec 9>&1
curl() {
  if [ /dev/fd/1 -ef /dev/fd/9 ]; then command curl -w $'\n\036%{http_code}\n' "$@"; else command curl "$@"; fi
}
"""
"""Every answer that is shown ends with its status; those that a line reads itself stay as they are."""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The table, started as it is told, but on a port and in a folder of its own."""
    told = next(block for kind, _, block in BLOCKS if kind == "console")
    name, *options = shlex.split(told)
    assert name == ".venv/bin/pegboard"
    state = tmp_path_factory.mktemp("docs") / "state"
    own = {"/tmp/pegboard-trial": str(state), TOLD_AS.rpartition(":")[2]: "0"}
    command = [sys.executable, "-m", "pegboard", *(own.get(option, option) for option in options)]
    with Service(state, command=command) as program:
        yield program


@pytest.fixture(scope="module")
def answers(program, tmp_path_factory):
    """What each block of the shell has printed."""
    lines = [block for kind, _, block in BLOCKS if kind == "sh"]
    script = SAY_STATUS + "printf '\\035\\n'\n".join(lines)
    script = script.replace(TOLD_AS, program.url).replace(CODE, program.code("director"))
    folder = tmp_path_factory.mktemp("docs")
    ran = subprocess.run(
        ["bash", "-eu"], input=script, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.stderr == ""
    return ran.stdout.split("\035\n")


def shown(number):
    """The answers that stand under the shell block of that number, and their statuses."""
    at = [place for place, (kind, _, _) in enumerate(BLOCKS) if kind == "sh"][number]
    under = []
    for kind, status, block in BLOCKS[at + 1 :]:
        if kind == "sh":
            break
        if kind == "json":
            under.append((int(status), json.loads(block)))
    return under


def fits(told, answered, name=""):
    """Whether an answer has everything that is told of it."""
    match told:
        case dict():
            return isinstance(answered, dict) and all(
                key in answered and fits(value, answered[key], key) for key, value in told.items()
            )
        case list():
            return len(answered) >= len(told) and all(map(fits, told, answered))
    return type(told) is type(answered) if name in FRESH or told == CODE else told == answered


def test_the_program_answers_as_the_docs_tell(answers):
    """One test for all blocks: they are run as one script, which takes seconds."""
    numbers = range(sum(kind == "sh" for kind, *_ in BLOCKS))
    assert [difference for number in numbers if (difference := find_difference(number, answers[number]))] == []
    assert_stream_looks_as_told(answers)
    assert_spreadsheet_has_the_columns_told(answers)


def find_difference(number, answered):
    """What the shell block of that number answers instead of what is told; "" if nothing."""
    found = re.findall(r"(.*?)\n\036(\d+)\n", answered, re.DOTALL)
    told = shown(number)
    if [int(status) for _, status in found] != [status for status, _ in told]:
        return f"block {number} answers {answered}"
    wrong = [
        (right, answer)
        for (answer, _), (_, right) in zip(found, told, strict=True)
        if not fits(right, json.loads(answer))
    ]
    return f"block {number}: (told, answered) {wrong}" if wrong else ""


def assert_stream_looks_as_told(answers):
    told = next(block for kind, _, block in BLOCKS if kind == "text")
    begun = next(answer for answer in answers if answer.startswith("retry: "))
    names = [line.partition(":")[0] for line in told.splitlines()]
    assert [line.partition(":")[0] for line in begun.splitlines()][: len(names)] == names
    assert re.search(r"^id: [0-9a-f]{16}-\d+$", begun, re.MULTILINE)


def assert_spreadsheet_has_the_columns_told(answers):
    told = next(block for kind, _, block in BLOCKS if kind == "csv").splitlines()
    answered = next(answer for answer in answers if answer.startswith("\ufeffgame,")).splitlines()
    assert [line.lstrip("\ufeff").startswith(row) for line, row in zip(answered, told, strict=True)] == [True, True]


def test_the_reader_in_python_reads(program):
    source = next(block for kind, _, block in BLOCKS if kind == "python").replace(TOLD_AS, program.url)
    reader = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    try:
        assert re.match(r"\[\d+, \d+\] \w+", reader.stdout.readline())
    finally:
        reader.kill()
        reader.wait()
        reader.stdout.close()


def test_every_refusal_is_in_the_table():
    rows = re.findall(r"^\| `(\w+)` \| (\d{3}) \|", DOCS, re.MULTILINE)
    assert {(code, int(status)) for code, status in rows} == {
        (code, status) for code, (status, _) in (REFUSALS | ELSEWHERE).items()
    }


def told_commands():
    """The rows of the table of commands: by the word for each what is told of its fields, its base and who may ask."""
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (.*?) \| ([\w, ]+) \| (.*?) \|$", DOCS, re.MULTILINE)
    return {do: told for names, *told in rows for do in re.findall(r"\w+", names)}


BASE_TOLD = {Base.LANE: "lane", Base.BOARD: "board", Base.NONE: "none"}
WHO_TOLD = {Who.ANYBODY: "scorer", Who.DIRECTOR: "director", Who.DIRECTOR_WHEN_STRICT: "scorer, director when strict"}


@pytest.mark.parametrize("row", COMMANDS, ids=[row.do for row in COMMANDS])
def test_every_command_is_told_as_its_row_says(row):
    fields, base, who = told_commands()[row.do]
    assert base == ("none, or board" if row.names_line else BASE_TOLD[row.base])
    assert who.startswith((WHO_TOLD[row.who], "that seat's player"))
    named = set(re.findall(r"`(\w+)`", fields))
    assert "the same" in fields or {one.key for one in fields_from(row.own_fields)} - {"game"} <= named


def test_every_route_of_the_document_is_told(program):
    _, document = program.client().ask("GET", "/api/openapi.json")
    paths = [path.replace("{game}", "$GAME") for path in document["paths"] if "/bench" not in path]
    helpers = re.sub(r"\bpost (\w+)", r"/api/v1/\1", DOCS)
    assert [path for path in paths if path not in helpers] == []
    commands = document["paths"]["/api/v1/commands"]["post"]["requestBody"]["content"]["application/json"]
    for do in commands["examples"]:
        assert f'"do": "{do}"' in DOCS, do
