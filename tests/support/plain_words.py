"""Finds phrases that are not plain English in what people read: `python -m tests.support.plain_words [FOLDER]`.

It reads the English catalog, all messages and other sentences of the program, the help of commands, the descriptions in
the API, the docs, docstrings and comments. Words in backticks are skipped, and in docs code and addresses of links. In
docstrings and comments, `None` and words that names of the program have can be used, and a noun phrase may begin with
"what", "where" or "who".
"""

import ast
import functools
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PROGRAM = ("pegboard", "web", "hardware")


class Rule(NamedTuple):
    """A pattern, in which a space is any white space, and what to write instead."""

    pattern: str
    instead: str


START = r"(?:^|[.;] )"
"""Where a sentence begins."""

REST = r"(?:(?!\n\n)[^.?!:;|])*"
"""The words of a sentence, up to the sign that ends it."""

RULES = (
    Rule(rf"(?:{START}Who|; who) (?!else\b){REST}[.;]", "name the person: the player who, anyone who"),
    Rule(
        rf"{START}What {REST} (?:are|can|does|gets|goes|has|have|is|must|stands|was|were|will)\b{REST}\.",
        "name the thing",
    ),
    Rule(rf"{START}Where (?!(?:are|can|did|do|does|is|to|will)\b){REST},", "if, when, after"),
    Rule(r"\b(?:by|for|from|of|than|to|with) who\b", "name the person: the player who, anyone who"),
    Rule(r"\bwho(?:m|so)?ever\b", "anyone who, everyone who, the player who"),
    Rule(r"\b(?:are|be|is|was|were) none\b", "is not a, are not"),
    Rule(r"\b(?:are|is|was|were) no\b", "is not a, are not"),
    Rule(r"[`}] takes (?:either|no|numbers?|one (?:of|text)|only|text|true|whole)\b", "must be"),
    Rule(r"\b(?:are|is|was|were) to (?!(?:an?|its|the|your)\b)[a-z]+\b", "must, will, can"),
    Rule(r"\banew\b", "again, from scratch, a new one"),
    Rule(r"\blikewise\b", "also, too, the same"),
    Rule(r"\bbesides\b", "also, as well, apart from"),
    Rule(r"\bas (?:it|they) stands?\b", "now, unchanged"),
    Rule(r"\bof (?:which|whom)\b", "whose, or two sentences"),
    Rule(
        r"(?:\b(?:(?:director|game|hub|machine|page|phone|table)s?|memory|once|paper|there)|['’]s) alone\b",
        "only, just",
    ),
    Rule(r"\b(?:he|him|himself|his)\b", "they, them, their"),
    Rule(r"\b(?:take[ns]?|taking|took) (?:it |them )?back\b", "undo"),
    Rule(r"\bput(?:s|ting)? (?:it |them )?(?:aside|back|right)\b", "redo, restore, correct, set aside"),
    Rule(r"(?-i:\bamend\w*)", "correct, change"),
    Rule(r"\bmend(?:ed|ing|s)?\b", "fix, correct"),
    Rule(r"\bg(?:ave|ive|iven|ives|iving) up\b", "abandon, cancel"),
    Rule(r"\bcall(?:ed|ing|s)? (?:it )?off\b", "cancel"),
    Rule(r"\bopen(?:ed|ing|s)? again\b", "reopen"),
    Rule(r"\blook(?:ed|ing|s)? on\b(?! (?:an?|the|your)\b)", "watch, view-only"),
    Rule(r"\bla(?:id|y|ys) away\b", "discard"),
    Rule(r"\bcourt cards?\b", "face card"),
    Rule(r"\bplay-offs?\b", "playoff"),
    Rule(r"\bdial(?:led|ling)\b", "key in, keyed in"),
    Rule(r"\bstand-ins?\b", "simulated, simulator"),
    Rule(r"\bnights?\b", "event"),
)

OF_SENTENCES = {rule.instead for rule in RULES if START in rule.pattern and rule.pattern.startswith(("(?:^|", START))}
"""The rules about how a sentence begins."""

ALLOWED = (
    r"\bthere (?:are|is|was|were) (?:none|no)\b",
    r"\b(?:are|is|was|were) no (?:longer|less|more|\w+er than)\b",
    r"\b(?:are|is) open again\b",
    r"\b(?:leave|leaves|left) (?:the )?\w+ alone\b",
    r"\bhis (?:heels|nobs)\b",
    r"\b(?:at|by|club|demo|of the) nights?\b",
    r"\bclub-night\b|\bnight-\d",
)
"""Plain words that a pattern would find."""

IN_REMARKS = re.compile(
    r"\b(?:are|be|is|was) None\b|\b(?:[aA]mend|[dD]ial|DIAL|[mM]end|[nN]ight|NIGHT|[pP]lay-off)\w*|# noqa.*"
)
"""Words that docstrings and comments can use: those of names in the program."""

IN_CODE = re.compile(
    r"^```.*?^```|^ {4,}\S.*$|`[^`\n]+(?:\n[^`\n]+)?`|\]\([^)]+\)|<!--.*?-->|https?://\S+", re.MULTILINE | re.DOTALL
)
"""What of a page in Markdown is not prose."""

QUOTED = re.compile(r"`[^`\n]+`")
"""A word of the program in a sentence."""

CATALOG_TEXT = re.compile(r'^ +"(?:[^"\\]|\\.)*": ("(?:[^"\\]|\\.)*")', re.MULTILINE)
PLACEHOLDER = re.compile(r"(?<=\{)\w+(?=\})")
FOR_PROGRAMS = re.compile(r"\b(?:CREATE|DELETE|FROM|INSERT|SELECT|UPDATE|WHERE)\b|\{\"")
"""In strings that nobody reads: SQL and JSON."""

PUBLISHED = re.compile(r"\.(?:command|group|view)\b")
"""In a decorator of a function whose docstring is the help of a command, or a description in the API."""

COMMENTS = {
    ".js": re.compile(r"(?:^|(?<=\s))//[^\n]*|/\*.*?\*/", re.MULTILINE | re.DOTALL),
    ".py": re.compile(r"(?:^|\s)# .*$", re.MULTILINE),
}


class Passage(NamedTuple):
    """Text of a file, and the line that it begins on."""

    file: str
    line: int
    text: str


class Find(NamedTuple):
    """Words that break a rule."""

    file: str
    line: int
    words: str
    instead: str

    def __str__(self) -> str:
        return f'{self.file}:{self.line}: "{self.words}"; write: {self.instead}'


def main(root: Path) -> int:
    """Print every find; the exit status."""
    texts, remarks = texts_and_remarks(root)
    finds = sorted(
        [
            *(one for text in texts for one in search(text)),
            *(one for remark in remarks for one in search_remark(remark)),
        ]
    )
    for one in finds:
        print(one)
    print(f"plain words: {len(finds)} to rewrite")
    return 1 if finds else 0


def search_remark(passage: Passage) -> Iterator[Find]:
    """The phrases of a docstring, or of the comments of a file, that are not plain."""
    text = IN_REMARKS.sub(blank, QUOTED.sub(blank, passage.text))
    yield from (one for one in search(passage._replace(text=text)) if one.instead not in OF_SENTENCES)


def search(passage: Passage) -> Iterator[Find]:
    """The phrases of a passage that are not plain."""
    text = PLACEHOLDER.sub(blank, passage.text)
    text = allowed().sub(blank, text)
    for pattern, instead in rules():
        for found in pattern.finditer(text):
            shift = len(found[0]) - len(found[0].lstrip(".; \n"))
            line = passage.line + text.count("\n", 0, found.start() + shift)
            words = " ".join(passage.text[found.start() + shift : found.end()].split())
            yield Find(passage.file, line, words if len(words) <= 60 else f"{words[:60]}...", instead)


@functools.cache
def rules() -> list[tuple[re.Pattern[str], str]]:
    return [(compiled(rule.pattern), rule.instead) for rule in RULES]


@functools.cache
def allowed() -> re.Pattern[str]:
    return compiled("|".join(ALLOWED))


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of words; one that begins a sentence distinguishes capital letters."""
    flags = re.MULTILINE if START in pattern else re.MULTILINE | re.IGNORECASE
    return re.compile(pattern.replace(" ", r"\s+"), flags)


def blank(found: re.Match[str]) -> str:
    """The same number of backticks, on the same lines."""
    return re.sub(r"[^\n]", "`", found[0])


# --- what people read, and what only readers of the source see ---


def texts_and_remarks(root: Path) -> tuple[list[Passage], list[Passage]]:
    """Catalog, sentences of the program and docs; docstrings and comments."""
    read, unread = [*catalog(root), *docs(root)], []
    for path in (one for package in PROGRAM for one in sorted((root / package).rglob("*.py"))):
        content = path.read_text("utf-8")
        sentences, docstrings = strings(ast.parse(content))
        read += [Passage(name(root, path), line, QUOTED.sub(blank, text)) for line, text in sentences]
        unread += [Passage(name(root, path), line, text) for line, text in docstrings]
        unread.append(comments(name(root, path), content))
    scripts = (root / "web" / "static").rglob("*.js")
    return read, [*unread, *(comments(name(root, path), path.read_text("utf-8")) for path in scripts)]


def catalog(root: Path) -> Iterator[Passage]:
    path = root / "web" / "languages" / "en.json"
    content = path.read_text("utf-8")
    for found in CATALOG_TEXT.finditer(content):
        yield Passage(
            name(root, path), content.count("\n", 0, found.start()) + 1, QUOTED.sub(blank, json.loads(found[1]))
        )


def docs(root: Path) -> Iterator[Passage]:
    for path in (*root.glob("*.md"), *(root / "docs").rglob("*.md")):
        yield Passage(name(root, path), 1, IN_CODE.sub(blank, path.read_text("utf-8")))


def strings(tree: ast.Module) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Line and text of the strings of several words, but for SQL and JSON; and of docstrings that nothing publishes."""
    sentences, docstrings = [], []
    published: set[int] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        match waiting.pop():
            case ast.Expr(value=ast.Constant(value=str(text))) as node if id(node) not in published:
                docstrings.append((node.lineno, text))
            case ast.JoinedStr(values=values, lineno=line):
                sentences.append((line, "".join(value_in_text(one) for one in values)))
                waiting += [one.value for one in values if isinstance(one, ast.FormattedValue)]
            case ast.Constant(value=str(text), lineno=line):
                sentences.append((line, text))
            case node:
                if isinstance(node, ast.FunctionDef) and is_published(node):
                    published.add(id(node.body[0]))
                waiting += ast.iter_child_nodes(node)
    return [(line, text) for line, text in sentences if " " in text and not FOR_PROGRAMS.search(text)], docstrings


def value_in_text(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def is_published(function: ast.FunctionDef) -> bool:
    return any(PUBLISHED.search(ast.unparse(one)) for one in function.decorator_list)


def comments(file: str, content: str) -> Passage:
    """All comments of a file; where they stand is not told."""
    return Passage(file, 1, "\n\n".join(COMMENTS[Path(file).suffix].findall(content)))


def name(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
