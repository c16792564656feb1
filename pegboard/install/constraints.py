"""The versions that pegboard is tested with, as `constraints.txt` has them: with hashes for what its packages ship."""

from collections.abc import Collection, Iterable
from pathlib import Path

CONSTRAINTS = Path(__file__).parent.parent.parent / "constraints.txt"


def plain_constraints(without: Collection[str] = ()) -> str:
    """The lines without hashes, which pip takes for packages alone and not for a folder such as this one.

    `without` are the names of packages to leave out.
    """
    return "".join(f"{head}\n" for head, _ in _blocks() if head.partition("==")[0].lower() not in without)


def hashed_requirements(names: Iterable[str]) -> str:
    """The lines of some packages with their hashes, as `pip install --require-hashes` takes them.

    Raises:
        KeyError: a package has no line, or none with hashes.
    """
    hashed = {_normal(head.partition("==")[0]): f"{head} {hashes}\n" for head, hashes in _blocks() if hashes}
    return "".join(hashed[_normal(name)] for name in names)


def _blocks() -> list[tuple[str, str]]:
    """Each requirement and its hashes, joined by blanks."""
    text = CONSTRAINTS.read_text("utf-8").replace("\\\n", "")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return [(words[0], " ".join(words[1:])) for words in lines]


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
