"""Production source as tests see it: files, functions, words outside quotes, regular expressions (Python, JavaScript).

Python is read with `ast` and `tokenize`, the pages' scripts with tree-sitter.
"""

import ast
import functools
import io
import re
import tokenize
from pathlib import Path

import tree_sitter_javascript
from tree_sitter import Language, Parser

ROOT = Path(__file__).parents[2]
PACKAGES = ("pegboard", "web", "hardware")
SCRIPT_PARSER = Parser(Language(tree_sitter_javascript.language()))

SCRIPT_WORDS = re.compile(r"identifier|comment")
"""In the type of a node in which an author writes a name or a remark."""

RAW = re.compile(rb"""b?rb?f?["']|f?r["']""", re.IGNORECASE)
"""How a raw string begins."""

QUOTE = re.compile(r'"[^"\n]*"|“[^”]*”')
"""What a comment or docstring quotes: a sentence of the program, or of the rules."""

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A word of prose, or one part of an identifier in any case: `moreThanTwo`, `more_than_two`."""


def files(suffix=""):
    """The source files by their path from the root of the repository."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob(f"*{suffix}")) if path.is_file())
    return {path.relative_to(ROOT).as_posix(): path for path in paths if "__pycache__" not in path.parts}


@functools.cache
def texts(suffix):
    return {name: path.read_text("utf-8") for name, path in files(suffix).items()}


@functools.cache
def python():
    """Path and every node of the syntax tree of each Python file."""
    return [(name, list(ast.walk(ast.parse(text)))) for name, text in texts(".py").items()]


@functools.cache
def scripts():
    """Path and every node of the syntax tree of each script."""
    return [(name, list(nodes(SCRIPT_PARSER.parse(text.encode()).root_node))) for name, text in texts(".js").items()]


def nodes(node):
    yield node
    for child in node.children:
        yield from nodes(child)


# --- functions ---


def functions():
    """Path and name of each function and method, but of properties that answer yes or no."""
    for path, found in python():
        for node in found:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_yes_or_no(node):
                yield path, node.name
    for path, found in scripts():
        yield from ((path, name) for name in filter(None, map(script_function, found)))


def is_yes_or_no(function):
    is_property = any("property" in ast.unparse(decorator) for decorator in function.decorator_list)
    return is_property and isinstance(function.returns, ast.Name) and function.returns.id == "bool"


def script_function(node):
    """The name of a function or method, or of a constant that is a function; None for any other node."""
    value = node.child_by_field_name("value")
    is_named = node.type == "variable_declarator" and value and value.type in ("arrow_function", "function_expression")
    if is_named or node.type in ("function_declaration", "method_definition"):
        return node.child_by_field_name("name").text.decode()
    return None


# --- words ---


def words():
    """Path and every word, in small letters, of identifiers, comments and docstrings outside quotes."""
    for path, found in python():
        yield from ((path, word) for text in [*python_names(found), *remarks(path, found)] for word in words_of(text))
    for path, found in scripts():
        texts_of_nodes = (node.text.decode() for node in found if SCRIPT_WORDS.search(node.type))
        yield from ((path, word) for text in texts_of_nodes for word in words_of(text))


def python_names(found):
    """Every identifier: each is a field of some node of the tree."""
    for node in found:
        values = () if isinstance(node, ast.Constant) else (value for _, value in ast.iter_fields(node))
        for value in values:
            yield from filter(is_string, value if isinstance(value, list) else [value])


def is_string(value):
    return isinstance(value, str)


def remarks(path, found):
    """Docstrings and comments."""
    yield from (node.value.value for node in found if is_docstring(node))
    for token in tokenize.generate_tokens(io.StringIO(texts(".py")[path]).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and is_string(node.value.value)


def words_of(text):
    return [word.lower() for word in WORD.findall(QUOTE.sub("", text))]


# --- regular expressions ---


def patterns():
    """Path and text of what is a regular expression: an argument of `re`, a raw string, a pattern between slashes."""
    for path, found in python():
        lines = texts(".py")[path].splitlines()
        strings = [node for node in found if is_raw_string(node, lines)]
        strings += [node.args[0] for node in found if is_call_of_re(node)]
        yield from ((path, literal_text(node)) for node in strings)
    for path, found in scripts():
        yield from ((path, node.text.decode()) for node in found if node.type == "regex_pattern")


def is_raw_string(node, lines):
    is_literal = isinstance(node, ast.JoinedStr | ast.Constant)
    return is_literal and RAW.match(lines[node.lineno - 1].encode()[node.col_offset :]) is not None


def is_call_of_re(node):
    return isinstance(node, ast.Call) and bool(node.args) and ast.unparse(node.func).startswith("re.")


def literal_text(node):
    """The parts of an expression that are literal, one after the other."""
    values = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return "".join(value if is_string(value) else value.decode("latin-1") for value in values if value)
