"""How production source is arranged and named: files, folders, circles, names that stand twice, words, patterns.

A file is one subject, a folder has at least four files, and a module stands alone only if two others import it or it is
too long to stand in the one that does.

Who may import whom stands in tests/test_architecture.py.

A function is named by a bare participle where its name is a past participle, alone or beside small words: `told`,
`_ruled_by`, `judgedAgain`. A verb (`tell`), a question (`is_reported`), a noun with a participle (`stored_game`) and a
property that is a `bool` (`ended`) are none, nor is a verb whose participle is its stem (`read`, `set`).

A sentence is two words of two letters or more with one space between them.
"""

import ast
import re
from collections import Counter, defaultdict
from pathlib import PurePath

import pytest

from tests.support import imports, source_code

MODULES_TWICE = {
    "decisions": "what is decided about a game, and about a night of a tournament",
    "display": "the display that is a panel, and the one that is a strip",
}
"""Names of modules that may stand in several rooms, for each shows the same thing."""

CLASSES_TWICE = {"Bench": "what the API needs of a bench, and the one that simulates the hardware"}
"""Names of classes that are a protocol in one room and its implementation in another."""

TABLES = {
    "pegboard/messages.py": "every message with its key",
    "pegboard/core/moves.py": "every command with what happens then and its row",
    "pegboard/tournament_messages.py": "every message of an event with its key",
}
"""Python files of any length, for they are data."""

ONE_SUBCLASS = {
    "NotStored": "a ledger that is not stored is the hub's own trouble",
    "NotThere": "an event that is not there is the hub's own trouble",
    "Problem": "a wrong host name is answered before anything else is looked at",
    "RulesJson": "rules of a game that was played have more fields",
    "Server": "the name is that of uvicorn's class",
}
"""Classes whose only subclass is in another file."""

FOUND_BY_NAME = {
    "pegboard/__main__.py": "python -m pegboard",
    "pegboard/cli/join_command.py": "ELSEWHERE of pegboard/cli/main.py",
    "pegboard/startup/welcome.py": "installers, in the tree that they have installed",
}
"""Short modules that nothing imports, and what finds them."""

FOREIGN_SENTENCES = {
    "pegboard/install/set_up.py": "pip tells why it failed in sentences alone",
    "pegboard/storage/journal/disk_faults.py": "so does SQLite's integrity_check what it finds",
}
"""Files that look for sentences in the output of programs that are not ours."""

FORMER_WORDS = {"asked", "told", "kept", "brought", "taken"}
"""Words that once meant many things each: the trade says requested, reported, stored, imported, accepted ..."""

IRREGULAR = """
    begun bent bitten blown born bought bred broken brought built burnt caught chosen crept dealt done drawn driven
    eaten fallen fed felt flown forbidden forgotten fought found frozen given gone gotten grown heard held hidden hung
    kept known laid learnt left lent lit lost made meant met paid ridden risen rung said seen sent sewn shaken shot
    shown shrunk slept slid sold sought spelt spent spoken spun stolen stood struck stuck sung sunk swept sworn swum
    taken taught thrown told torn understood wept woken won worn written
"""
"""Past participles that do not end in -ed."""

NO_PARTICIPLES = "bed embed exceed feed hundred led need proceed red seed shed speed succeed wed"
"""Words in -ed that are none; an LED among them."""

SMALL_WORDS = """
    again all anew apart as at away back by down for from here in it just not now of off on once out over so there
    to twice unless until up when whole with
"""
"""Words that make no noun, verb or question of a participle beside them."""

SENTENCE = re.compile(r"[A-Za-z]{2,},? [A-Za-z]{2,}")
ESCAPED = re.compile(r"\\.|\(\?[a-zA-Z]*[:=!<]*|\[[^]]*]")
"""What in a pattern is no word of a text: a class of characters, or the head of a group."""


def hold(broken, right):
    """Assert that nothing breaks a rule; `broken` says what does and how, `right` what would be right."""
    assert not broken, "\n  ".join([f"{right}:", *(f"{name} {how}" for name, how in sorted(broken.items()))])


def check_list(names, allowed, what):
    assert not allowed.keys() - names, f"no longer {what}, so take it off its list: {sorted(allowed.keys() - names)}"


# --- files and folders ---


def test_no_file_is_longer_than_six_hundred_lines():
    long = lengths(".py", 600) | lengths(".js", 600)
    check_list(long.keys(), TABLES, "longer than 600 lines")
    broken = {name: f"has {n} lines" for name, n in long.items() if name not in TABLES}
    hold(broken, "at most 600 lines in a file, unless TABLES says why: does it hold two subjects?")


def lengths(suffix, most):
    """The files that have more than so many lines."""
    lines = {name: len(text.splitlines()) for name, text in source_code.texts(suffix).items()}
    return {name: n for name, n in lines.items() if n > most}


def test_a_folder_has_at_least_four_files():
    folders = Counter(path.rpartition("/")[0] for path in source_code.files(".py") if path.count("/") > 1)
    broken = {folder: f"has {n}" for folder, n in folders.items() if n < 4}
    hold(broken, "at least four files in a folder, `__init__.py` among them: what is it part of?")


def test_a_short_module_has_two_importers():
    importers = Counter(other for others in imports.arrows().values() for other in others)
    short = source_code.files(".py").keys() - lengths(".py", 79).keys()
    names = {imports.name_of(path): path for path in short if not path.endswith("__init__.py")}
    few = {path: importers[name] for name, path in names.items() if importers[name] < 2}
    check_list({path for path, n in few.items() if n == 0}, FOUND_BY_NAME, "imported by nothing")
    broken = {path: f"has {n}" for path, n in few.items() if path not in FOUND_BY_NAME}
    hold(broken, "two importers for a module of less than 80 lines: put it into the one that imports it")


def test_no_class_is_split_over_files():
    """A base class whose only subclass is in another file."""
    homes = {node.name: path for path, node in classes()}
    subclasses = defaultdict(set)
    for path, node in classes():
        for base in node.bases:
            subclasses[ast.unparse(base).partition("[")[0].rpartition(".")[2]].add((path, node.name))
    split = {
        base: found
        for base, found in subclasses.items()
        if base in homes and len(found) == 1 and homes[base] not in {path for path, _ in found}
    }
    check_list(split.keys(), ONE_SUBCLASS, "a class with one subclass in another file")
    broken = {base: f"has only {found}" for base, found in split.items() if base not in ONE_SUBCLASS}
    hold(broken, "a class in one file, unless ONE_SUBCLASS says why")


def test_no_files_and_no_folders_import_each_other():
    folders = defaultdict(set)
    for name, others in imports.arrows().items():
        folders[folder_of(name)] |= {folder_of(other) for other in others} - {folder_of(name)}
    assert imports.find_circles(imports.arrows()) == []
    assert imports.find_circles(folders) == []


def folder_of(name):
    """The folder of a module; one that stands beside the folders of a package is a folder of its own."""
    is_package = imports.modules()[name].name == "__init__.py"
    return name if is_package or name.count(".") == 1 else name.rpartition(".")[0]


def test_circles_are_found():
    assert imports.find_circles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}) == [["b", "c"]]


# --- names ---


def test_a_module_has_a_name_of_its_own():
    twice = modules_of_one_name()
    check_list(twice.keys(), MODULES_TWICE, "the name of several modules")
    broken = {stem: f"is {' and '.join(places)}" for stem, places in twice.items() if stem not in MODULES_TWICE}
    hold(broken, "a name for each module, unless MODULES_TWICE says why: name it after its subject")


def modules_of_one_name():
    where = defaultdict(list)
    for name in source_code.files(".py"):
        where[PurePath(name).stem].append(name)
    return {stem: places for stem, places in where.items() if len(places) > 1 and not stem.startswith("__")}


def test_a_class_has_a_name_of_its_own():
    where = defaultdict(list)
    for path, node in classes():
        where[node.name].append((path, is_protocol(node)))
    twice = {name: places for name, places in where.items() if len(places) > 1}
    check_list(twice.keys(), CLASSES_TWICE, "the name of several classes")
    for name in CLASSES_TWICE:
        assert sorted(protocol for _, protocol in twice[name]) == [False, True], f"{name} is no protocol"
    broken = {name: f"is in {places_of(places)}" for name, places in twice.items() if name not in CLASSES_TWICE}
    hold(broken, "a name for each class, unless CLASSES_TWICE lists a protocol and its implementation")


def classes():
    """Path and node of each class that stands by itself, outside other classes."""
    for path, (module, *_) in source_code.python():
        yield from ((path, node) for node in module.body if isinstance(node, ast.ClassDef))


def is_protocol(node):
    return any("Protocol" in ast.unparse(base) for base in node.bases)


def places_of(places):
    return " and ".join(path for path, _ in places)


# --- words ---


def test_at_most_fifteen_functions_are_named_by_a_bare_participle():
    bare = [f"{path}: {name}" for path, name in source_code.functions() if is_bare_participle(name)]
    broken = {"functions": f"are {len(bare)}: {', '.join(bare)}"} if len(bare) > 15 else {}
    hold(broken, "a function is a verb or a question")


def is_bare_participle(name):
    words = source_code.words_of(name)
    participles = [word for word in words if is_participle(word)]
    return bool(participles) and all(word in SMALL_WORDS.split() or is_participle(word) for word in words)


def is_participle(word):
    stems = {word, *(word.removeprefix(prefix) for prefix in ("un", "mis", "re", "over"))}
    return not stems.isdisjoint(IRREGULAR.split()) or (word.endswith("ed") and word not in NO_PARTICIPLES.split())


@pytest.mark.parametrize("name", ["told", "_shown", "asked_here", "unsaved", "rewritten", "judgedAgain", "_as_it_laid"])
def test_a_participle_is_bare_alone_and_beside_small_words(name):
    assert is_bare_participle(name)


@pytest.mark.parametrize("name", ["tell", "is_shown", "read", "stored_game", "connection_lost", "led", "feed", "of"])
def test_verbs_questions_and_nouns_are_no_bare_participles(name):
    assert not is_bare_participle(name)


def test_words_of_many_meanings_are_rare_outside_the_core():
    counts = Counter(
        path for path, word in source_code.words() if word in FORMER_WORDS and not path.startswith("pegboard/core/")
    )
    most = ", ".join(f"{path} {n}" for path, n in counts.most_common(20))
    broken = {"words": f"are {counts.total()}: {most}"} if counts.total() > 110 else {}
    hold(broken, f"at most 110 of {', '.join(sorted(FORMER_WORDS))} in names, comments and docstrings together")


# --- one fact, one place ---


@pytest.mark.parametrize(("suffix", "most"), [(".py", 5), (".js", 1)])
def test_few_files_name_a_command(suffix, most):
    """`over_peg` stands for all: it was in sixteen files and three scripts."""
    naming = [name for name, text in source_code.texts(suffix).items() if "over_peg" in text]
    broken = {"over_peg": f"is in {len(naming)}: {', '.join(naming)}"} if len(naming) > most else {}
    hold(broken, f"at most {most} files ({suffix}) name a command: read it from the table in core/moves.py")


def test_no_regular_expression_is_over_a_sentence():
    over = {path: f"looks for {pattern!r}" for path, pattern in source_code.patterns() if is_sentence(pattern)}
    check_list(over.keys(), FOREIGN_SENTENCES, "looking for sentences")
    broken = {path: how for path, how in over.items() if path not in FOREIGN_SENTENCES}
    hold(broken, "a message is known by its key, not by its words")


def is_sentence(pattern):
    return SENTENCE.search(ESCAPED.sub("", pattern)) is not None


@pytest.mark.parametrize("pattern", ["^the play is over", r"is no (seat|lane) |cannot be \w+", "NOT SAVED"])
def test_a_pattern_with_words_side_by_side_is_a_sentence(pattern):
    assert is_sentence(pattern)


@pytest.mark.parametrize("pattern", [r"^(.*?)(?: (\d+))?$", "[ -]", r"\s+", r'\b(?:from |import )"(\.[^"]*)"'])
def test_a_pattern_over_a_format_is_none(pattern):
    assert not is_sentence(pattern)


def test_only_storage_names_sqlite():
    naming = [name for name, text in source_code.texts(".py").items() if "sqlite3" in text]
    assert [name for name in naming if not name.startswith("pegboard/storage/")] == []
