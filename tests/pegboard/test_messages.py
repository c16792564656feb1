"""The table of messages: every key that is said is there with its values, and none stands there for nothing."""

import ast
import copy
import pickle
import re
from functools import cache
from pathlib import Path

from pegboard.errors import RuleError
from pegboard.messages import MESSAGES, TRANSLATED, Message

ROOT = Path(__file__).parents[2]
ERRORS = {
    *("RuleError", "SayFirst", "GameOver", "Already", "IdReused", "OtherGame", "Moved", "NotAllowed", "BaseMissing"),
    *("NotStored", "JournalError", "JournalInUse", "JournalFailed", "BadImport", "SettingError", "PortTaken"),
    *("DeviceError", "CatalogError", "InvalidCode", "StateFileError", "Message"),
    *("HubError", "HubNotNow", "LedgerNotStored", "DecisionMoved", "BadMessage", "PegboardError"),
}
SHOWN = {"show_notice", "_set_notice", "_update_health"}
"""What shows a sentence to people; it takes a message."""

TABLE_OF_PAGES = ROOT / "web" / "pages" / "i18n.py"
"""Where keys stand beside the pages that can meet them: that says nothing of whether anybody raises them."""

BESIDE = {"Problem": {"headers", "more"}}
"""What an error takes besides the values of its message."""


@cache
def sources():
    """Syntax trees by path, made when a test wants them: every worker of a run imports this module."""
    return {
        path: ast.parse(path.read_text("utf-8"))
        for room in ("pegboard", "web", "hardware")
        for path in sorted((ROOT / room).rglob("*.py"))
        if path.name != "messages.py" and path.parent.name != "tournament_messages"
    }


def placeholders(key):
    return set(re.findall(r"\{(\w+)\}", MESSAGES[key][0]))


def said():
    """Every message that is written out: its key, the names of its values (None where they are not), and its place."""
    for path, tree in sources().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            at = {"Problem": 2}.get(name, 0 if name in ERRORS | SHOWN else None)
            if at is None or len(node.args) <= at:
                continue
            names = [word.arg for word in node.keywords]
            values = None if None in names else set(names) - BESIDE.get(name, set())
            yield node.args[at], values, f"{path.relative_to(ROOT)}:{node.lineno}"


def keys_of(node):
    match node:
        case ast.Constant(value=str(key)):
            return [key]
        case ast.IfExp(body=body, orelse=orelse):
            return [*keys_of(body), *keys_of(orelse)]
    return []


def test_every_key_that_is_said_is_in_the_table_with_just_its_values():
    wrong = []
    for node, values, place in said():
        for key in keys_of(node):
            if key not in MESSAGES:
                wrong.append(f"{place}: there is no message {key!r}")
            elif values is not None and values != placeholders(key):
                wrong.append(f"{place}: {key} has {sorted(placeholders(key))}, not {sorted(values)}")
    assert wrong == []


def test_no_sentence_is_said_beside_the_table():
    beside = [
        f"{place}: {ast.unparse(node)}"
        for node, _, place in said()
        if isinstance(node, ast.JoinedStr) and not re.fullmatch(r"f['\"][a-z_{}]+['\"]", ast.unparse(node))
    ]
    assert beside == []


def test_no_message_stands_in_the_table_for_nothing():
    words = {
        node.value
        for path, tree in sources().items()
        if path != TABLE_OF_PAGES
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    made = ("import_", "device_line_", "catalog_")
    assert [key for key in MESSAGES if key not in words and not key.startswith(made)] == []


def test_a_message_is_one_sentence():
    templates = {key: template for key, (template, _) in MESSAGES.items()}
    assert {key: each for key, each in templates.items() if each != each.strip() or each.endswith(".")} == {}


def test_a_message_names_a_line_of_the_rules_by_its_anchor():
    anchors = {anchor for _, anchor in MESSAGES.values() if anchor is not None}
    assert {anchor for anchor in anchors if not re.fullmatch(r"[a-z-]+", anchor)} == set()


def test_a_message_is_its_sentence_and_keeps_its_key_through_a_copy():
    message = Message("go_one", points=2)
    assert message == "a go is 1 point, not 2"
    for again in (copy.deepcopy(message), pickle.loads(pickle.dumps(message))):
        assert (again, again.key, again.values) == (message, "go_one", {"points": 2})


def test_a_message_goes_out_with_what_it_holds():
    error = RuleError("heels_limit", hole=120, there=Message("is_at", name="Ann", hole=120))
    assert str(error) == "at this table, heels score nothing from hole 120 on; Ann is at 120"
    assert error.message.as_json() == {
        "key": "heels_limit",
        "values": {
            "hole": 120,
            "there": {"key": "is_at", "values": {"name": "Ann", "hole": 120}, "text": "Ann is at 120"},
        },
    }


def test_pages_are_given_what_catalogs_translate():
    assert TRANSLATED.keys() < MESSAGES.keys()
    assert all(template == MESSAGES[key][0] for key, template in TRANSLATED.items())


def test_a_message_holds_no_exception():
    """It would hold its frames, for as long as a display shows the message."""
    message = Message("device_no_answer", error=OSError(5, "Input/output error"))
    assert message.values == {"error": "[Errno 5] Input/output error"}
    assert pickle.loads(pickle.dumps(message)) == message


SAYING = (
    *(
        ROOT / "pegboard" / "core" / f"{name}.py"
        for name in ("referee", "decisions", "corrections", "replay", "sentences", "view_as_json")
    ),
    *(ROOT / "pegboard" / "table" / f"{name}.py" for name in ("key_entry", "dialled", "scoreboard", "table")),
)
"""Where questions, refusals and notes are made that pages show."""


def test_what_players_are_shown_of_the_game_is_translated():
    words = {
        node.value
        for path in SAYING
        for node in ast.walk(sources()[path])
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    keys = words & MESSAGES.keys()
    assert len(keys) > 80
    assert sorted(keys - TRANSLATED.keys()) == []


def test_a_notice_is_translated():
    shown = {
        key
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", "")) in {"show_notice", "_set_notice", "NotAllowed"}
        for inside in ast.walk(node)
        if isinstance(inside, ast.Constant) and (key := inside.value) in MESSAGES
    }
    assert {"key_typed_dropped", "director_match"} <= shown
    assert sorted(shown - TRANSLATED.keys()) == []
