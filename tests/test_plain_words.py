"""The check of plain words finds each phrase of its rules and spares plain ones; codespell is set up right."""

import json
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.support import plain_words
from tests.support.plain_words import RULES, Passage, compiled, search

MAKEFILE = (plain_words.ROOT / "Makefile").read_text("utf-8")

FOUND = [
    ("Who makes the count exactly 31 scores 2.", "Who makes the count exactly 31 scores 2."),
    ("Ties are drawn by lot; who loses is out.", "who loses is out."),
    ("What is not yet stored is lost.", "What is not yet stored is lost."),
    ("Read this. Where it cannot be read, the table does not start.", "Where it cannot be read,"),
    ("for who plays alone", "for who"),
    ("the hits of who is in it", "of who"),
    ("fed by\nwho is skunked", "by who"),
    ("Whoever scores can do this.", "Whoever"),
    ("given to whomever", "whomever"),
    ("one that is none of them", "is none"),
    ("{path} is no folder", "is no"),
    ("these are no cards", "are no"),
    ("`kind` takes one of a, b", "` takes one of"),
    ("{key} takes one text", "} takes one text"),
    ("the player is to stay", "is to stay"),
    ("Draw the round anew", "anew"),
    ("Likewise for pairs", "Likewise"),
    ("the file besides this", "besides"),
    ("The sheet as it stands", "as it stands"),
    ("a game of which nothing is known", "of which"),
    ("on this machine alone", "machine alone"),
    ("the dealer’s alone", "’s alone"),
    ("a card that he holds", "he"),
    ("in a lane of his own", "his"),
    ("a line is taken back", "taken back"),
    ("take it back", "take it back"),
    ("put line 3 there, then put it right", "put it right"),
    ("the score was amended", "amended"),
    ("it can be mended", "mended"),
    ("the game is given up", "given up"),
    ("Call it off", "Call it off"),
    ("it can be opened again", "opened again"),
    ("this device only looks on", "looks on"),
    ("two cards are laid away", "laid away"),
    ("a court card", "court card"),
    ("a play-off", "play-off"),
    ("two dialled numbers", "dialled"),
    ("a stand-in keypad", "stand-in"),
    ("the night has not ended", "night"),
]

ALLOWED = [
    "There is no code. There are none.",
    "It is no longer paired, and is no wider than a sheet.",
    "Who deals",
    "Who can score?",
    "players who score, and who is next",
    "what the game is worth",
    "What is the score?",
    "Where do cards go?",
    "the folder where it is",
    "`make test` takes one minute",
    "solitaire is played alone",
    "the folder is left alone",
    "two for his heels, one for his nobs",
    "a club night, at night, by night, club-night and night-7/r3",
    "The result is open again.",
    "Look on the table.",
    "the front peg is to the left",
    "{night} and {amended}",
    "",
]


def words(text):
    return [found.words for found in search(Passage("file", 1, text))]


@pytest.mark.parametrize(("text", "found"), FOUND)
def test_a_phrase_is_found(text, found):
    assert words(text) == [found]


@pytest.mark.parametrize("text", ALLOWED)
def test_plain_words_are_not_found(text):
    assert words(text) == []


def test_every_rule_has_an_example():
    unused = [rule.pattern for rule in RULES if not any(compiled(rule.pattern).search(text) for text, _ in FOUND)]
    assert unused == []


@pytest.fixture
def tree(tmp_path):
    """A small program without a fault."""
    for folder in ("web/languages", "web/static", "pegboard/cli", "hardware", "docs"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "web/languages/en.json").write_text('{\n "language": "English"\n}\n')
    return tmp_path


def checked(tree, capsys):
    """Exit status and lines of a check."""
    return plain_words.main(tree), capsys.readouterr().out.splitlines()


def test_a_plain_tree_passes(tree, capsys):
    said = "plain words: 0 to rewrite"
    assert checked(tree, capsys) == (0, [said])


def test_a_text_of_the_catalog_is_named_with_its_line_and_what_to_write(tree, capsys):
    texts = {"language": "English", "words": {"live": "Live", "holes": {"one": "a hole", "other": "drawn anew"}}}
    (tree / "web/languages/en.json").write_text(json.dumps(texts, indent=2))
    status, lines = checked(tree, capsys)
    assert (status, lines[0]) == (1, 'web/languages/en.json:7: "anew"; write: again, from scratch, a new one')


def test_messages_the_help_of_commands_docstrings_and_comments_are_searched(tree, capsys):
    (tree / "pegboard/cli/main.py").write_text(
        textwrap.dedent(
            '''
            """Draws anew."""  # whoever reads this

            NAME = "anew"
            """One word is not a sentence, and this is no sentence for people."""


            @main.command("draw")
            def draw():
                """Draw the round anew."""
                raise UsageError(f"{path} is " "no folder" f"{' to draw anew' if drawn else ''}")


            def undo():
                """Take back whatever was drawn."""
                return "SELECT * FROM rows WHERE alone IS NOT anew"
            '''
        )
    )
    (tree / "web/static/page.js").write_text("const a = 1; // drawn anew\n")
    status, lines = checked(tree, capsys)
    assert status == 1
    assert lines == [
        'pegboard/cli/main.py:1: "whoever"; write: anyone who, everyone who, the player who',
        'pegboard/cli/main.py:2: "anew"; write: again, from scratch, a new one',
        'pegboard/cli/main.py:5: "is no"; write: is not a, are not',
        'pegboard/cli/main.py:10: "anew"; write: again, from scratch, a new one',
        'pegboard/cli/main.py:11: "anew"; write: again, from scratch, a new one',
        'pegboard/cli/main.py:11: "is no"; write: is not a, are not',
        'pegboard/cli/main.py:15: "Take back"; write: undo',
        'web/static/page.js:1: "anew"; write: again, from scratch, a new one',
        "plain words: 8 to rewrite",
    ]


def test_docs_fail_with_their_line_but_not_for_code_and_links(tree, capsys):
    (tree / "README.md").write_text("A game is\n\nIt is `no anew` [here](docs/anew.md).\n\n    pegboard anew\n")
    (tree / "docs/play.md").write_text("# Play\n\nTwo cards that are\nnone. Draw\nanew.\n")
    status, lines = checked(tree, capsys)
    assert (status, lines[:-1]) == (
        1,
        [
            'docs/play.md:3: "are none"; write: is not a, are not',
            'docs/play.md:5: "anew"; write: again, from scratch, a new one',
        ],
    )


# --- spelling ---


def spelled(path, *options):
    """What codespell says of a file, with the settings of this project."""
    command = [str(Path(sys.executable).parent / "codespell"), *options, str(path)]
    return subprocess.run(command, cwd=plain_words.ROOT, capture_output=True, text=True, check=False).stdout


def test_a_misspelling_is_found_but_not_in_lines_in_french_or_names_in_scripts(tmp_path):
    wrong = "the".replace("he", "eh")  # this file is checked, too
    text = tmp_path / "text"
    text.write_text(f"le variante est arrivé\nfillIn()\n{wrong} board\n")
    assert spelled(text) == f"{text}:3: {wrong} ==> the\n"


def test_docs_are_spelled_as_americans_do_but_for_names_and_addresses(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("`colour` and [licenses](licence.md)\nthe colour\n")
    options = shlex.split(re.search(r"^AMERICAN = (.*?) README", MAKEFILE, re.MULTILINE)[1])
    assert spelled(page, *options) == f"{page}:2: colour ==> color\n"
