"""Modules as few files: what several pages share as one, and the rest of each page as another.

A phone that comes to the table asks three times instead of forty, and much less is sent. The sources stay as they are
written: each module becomes a function of its own, in the order in which a browser would run them, and what it exports
is the value of that function. A module that several pages share stays one, however it is imported.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

SHARED = "modules.js"
"""The file of what several pages share."""

OFTEN = 4
"""So many pages need a module that is shared; what fewer need is repeated in each of them."""

IMPORT = re.compile(
    r'^import (?:(?:\{(?P<names>[^}]*)\}|\* as (?P<whole>\w+)) from )?"(?P<file>\.\.?/[\w./-]+\.js)";\n', re.MULTILINE
)
EXPORT = re.compile(r"^export ((?:async )?(?:const|function|class)) (\w+)", re.MULTILINE)
LATER = re.compile(r'import\("(\.[^"]*)"\)')
OTHERWISE = re.compile(r"^(?:import|export)\b", re.MULTILINE)
AWAITS = re.compile(r"^(?:const .* = )?await ", re.MULTILINE)


class NotBundled(ValueError):
    """A module is written otherwise than what is understood here, or modules need each other in a circle."""


@dataclass(frozen=True)
class Module:
    """One module: its source, and what it takes from others."""

    name: str
    source: str

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The modules that it imports, in order."""
        return tuple(dict.fromkeys(self.at(found["file"]) for found in IMPORT.finditer(self.source)))

    def at(self, place: str) -> str:
        """The name of a module that this one imports from `place`."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.name), place))

    def way_to(self, name: str) -> str:
        """From where this module imports the module `name`."""
        return f"{'../' * self.name.count('/') or './'}{name}"

    @cached_property
    def exports(self) -> tuple[str, ...]:
        """The names that it exports."""
        return tuple(name for _, name in EXPORT.findall(self.source))

    @property
    def whole(self) -> str:
        """What holds all that it exports."""
        return "$" + re.sub(r"\W", "_", self.name.removesuffix(".js"))

    def as_function(self, into: str) -> str:
        """The module as a function that is called once, in the file of the module `into`.

        Raises:
            NotBundled: it imports or exports in a way that is not understood.
        """
        later = LATER.sub(lambda found: f'import("{Module(into, "").way_to(self.at(found[1]))}")', self.source)
        body = EXPORT.sub(r"\1 \2", IMPORT.sub(self._taken, later))
        if OTHERWISE.search(body):
            raise NotBundled(f"{self.name} imports or exports in a way that bundles do not know")
        begins, ends = ("await (async () => {", "})()") if AWAITS.search(body) else ("(() => {", "})()")
        return f"const {self.whole} = {begins}\n{body}return {{ {', '.join(self.exports)} }};\n{ends};\n"

    def again(self) -> str:
        """The module for one that imports it by its own name, although it is among the shared ones."""
        names = f"export const {{ {', '.join(self.exports)} }} = {self.whole};\n" if self.exports else ""
        return f'import {{ {self.whole} }} from "{self.way_to(SHARED)}";\n{names}'

    def _taken(self, found: re.Match[str]) -> str:
        whole = Module(self.at(found["file"]), "").whole
        if found["whole"]:
            return f"const {found['whole']} = {whole};\n"
        return f"const {{{found['names'].replace(' as ', ': ')}}} = {whole};\n" if found["names"] else ""


def bundled(sources: Mapping[str, str]) -> dict[str, str]:
    """The files to be sent for these modules, by name: the pages' own, the shared one, and all others as they are.

    Where a module is not understood they all stay as they are.
    """
    modules = {name: Module(name, source) for name, source in sources.items()}
    needed = {name for module in modules.values() for name in module.needs}
    pages = [name for name in modules if name not in needed]
    try:
        orders = {page: list(dict.fromkeys(_in_order(page, modules, ()))) for page in pages}
        often = Counter(name for order in orders.values() for name in order)
        shared = list(dict.fromkeys(name for page in pages for name in orders[page] if often[name] >= OFTEN))
        files = {page: _page(page, orders[page], shared, modules) for page in pages}
        together = "".join(modules[name].as_function(SHARED) for name in shared)
    except NotBundled:
        return {**sources, SHARED: ""}
    again = {name: modules[name].again() for name in shared}
    names = ", ".join(modules[name].whole for name in shared)
    return {**sources, **files, **again, SHARED: f"{together}export {{ {names} }};\n"}


def _in_order(name: str, modules: Mapping[str, Module], above: tuple[str, ...]) -> Iterator[str]:
    """A module after all that it needs; some come more than once."""
    if name in above or name not in modules:
        raise NotBundled(f"{name} is missing, or needs itself")
    for other in modules[name].needs:
        yield from _in_order(other, modules, (*above, name))
    yield name


def _page(page: str, order: list[str], shared: list[str], modules: Mapping[str, Module]) -> str:
    taken = ", ".join(modules[name].whole for name in order if name in shared)
    own = "".join(modules[name].as_function(page) for name in order if name not in shared)
    names = modules[page].exports
    out = f"export const {{ {', '.join(names)} }} = {modules[page].whole};\n" if names else ""
    return (f'import {{ {taken} }} from "{modules[page].way_to(SHARED)}";\n' if taken else "") + own + out
