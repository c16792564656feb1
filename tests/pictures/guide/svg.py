"""SVG drawings for the guide: words and wires in colours for light and dark pages, the same bytes each time."""

import re
from html import escape

from hardware.strip.strip_picture import LANES

WIDTH = 400
"""Units of every drawing across: a phone shows one as about a pixel."""

COLOURS = {
    "ground": ("#FAF7F2", "#1D1510"),
    "ink": ("#241812", "#F4ECE1"),
    "ink2": ("#5C4A3E", "#C8B7A4"),
    "line": ("#8A7765", "#857160"),
    "part": ("#FFFDF9", "#2F241D"),
    "header": ("#D9CDBD", "#4A3A2E"),
    "free": ("#C6B7A4", "#5C4A3C"),
    "power5": ("#B3261E", "#FF8A80"),
    "power3": ("#A85300", "#FFB74D"),
    "data": ("#0072B2", "#58B4EE"),
    "clock": ("#1F6B4A", "#7FD0A8"),
    "select": ("#7B3FA0", "#CFA6EE"),
    "reset": ("#00707A", "#6FD3DC"),
    "choice": ("#7A6400", "#E0CE6A"),
}
"""A name, the colour on a light page and the colour on a dark one."""

WIRES = {
    "ground": "ink",
    "5 V": "power5",
    "3.3 V": "power3",
    "data": "data",
    "clock": "clock",
    "select": "select",
    "reset": "reset",
    "data or command": "choice",
}
"""What a wire carries, and its colour."""

FONT = '-apple-system,"Segoe UI",Roboto,Inter,"Noto Sans","DejaVu Sans",sans-serif'


def style():
    """The style sheet: no colour stands anywhere else."""
    rules = [
        f"text{{font-family:{FONT};fill:var(--ink);font-size:12px}}",
        ".small{font-size:11px;fill:var(--ink2)}",
        ".strong{font-weight:600}",
        ".onpin{font-size:10px;font-weight:600;fill:#241812}",
        ".onfree{font-size:10px;fill:var(--ink2)}",
        ".middle{text-anchor:middle}",
        ".end{text-anchor:end}",
        ".page{fill:var(--ground);stroke:var(--line)}",
        ".part{fill:var(--part);stroke:var(--line);stroke-width:1.5}",
        ".black{fill:#2E1F17;stroke:var(--line)}",
        ".header{fill:var(--header);stroke:var(--line)}",
        ".pin{fill:var(--free)}",
        ".pin.used{fill:#FFFDF9;stroke:#241812;stroke-width:1.5}",
        ".glass{fill:#140C08;stroke:var(--line)}",
        ".lit{fill:#F6EEE2}",
        ".dim{fill:#8A7260}",
        ".socket{fill:#140C08;stroke:#8A7260;stroke-width:.7}",
        ".button{fill:#F6EEE2;stroke:#140C08;stroke-width:1.5}",
        ".onwood{font-size:11px;fill:#F6EEE2}",
        ".screen{font-size:28px;font-weight:600;fill:#F6EEE2}",
        *(f".lane{n}{{fill:#{bytes(rgb).hex()};stroke:#F6EEE2;stroke-width:.7}}" for n, rgb in enumerate(LANES)),
        ".wire{fill:none;stroke-width:3;stroke-linejoin:round;stroke-linecap:round}",
        ".gap{fill:none;stroke:var(--ground);stroke-width:9}",
        ".plain{fill:none;stroke:var(--ink2);stroke-width:1.5}",
        ".solid{fill:var(--ink)}",
        *(f".wire.w{at}{{stroke:var(--{colour})}}" for at, colour in enumerate(WIRES.values())),
        *(f".dot.w{at}{{fill:var(--{colour})}}" for at, colour in enumerate(WIRES.values())),
    ]
    dark = [coloured(rule, 1) for rule in rules if "var(" in rule]
    return "\n".join([*(coloured(rule, 0) for rule in rules), "@media (prefers-color-scheme:dark){", *dark, "}"])


def coloured(rule, page):
    """The rule with its colours themselves: what shows pictures outside a browser knows no variables."""
    return re.sub(r"var\(--(\w+)\)", lambda name: COLOURS[name[1]][page], rule)


class Drawing:
    """Elements in the order in which they are drawn."""

    def __init__(self, title, words, height):
        self.title, self.words, self.height = title, words, height
        self.elements = [f'<rect class="page" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="12"/>']

    def text(self, x, y, words, kind=""):
        """Words that begin, end ("end") or have their middle ("middle") at x, on the line y."""
        self.elements.append(f'<text x="{number(x)}" y="{number(y)}"{of_class(kind)}>{escape(words)}</text>')

    def box(self, left, top, right, bottom, kind="part", *, radius=6):
        size = f'width="{number(right - left)}" height="{number(bottom - top)}"'
        self.elements.append(
            f'<rect{of_class(kind)} x="{number(left)}" y="{number(top)}" {size} rx="{number(radius)}"/>'
        )

    def circle(self, x, y, radius, kind):
        self.elements.append(f'<circle{of_class(kind)} cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>')

    def line(self, points, kind="plain"):
        self.elements.append(f'<path{of_class(kind)} d="{path_of(points)}"/>')

    def wire(self, points, carries, over=()):
        """A wire along the points; where it crosses others, at the places `over`, those stop short of it."""
        for x, y, along in over:
            reach = (7, 0) if along == "across" else (0, 7)
            self.line([(x - reach[0], y - reach[1]), (x + reach[0], y + reach[1])], "gap")
        self.line(points, f"wire w{list(WIRES).index(carries)}")

    def joint(self, x, y, carries):
        """Where wires are joined."""
        self.circle(x, y, 4, f"dot w{list(WIRES).index(carries)}")

    def svg(self):
        """The whole file."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH + 80}" viewBox="0 0 {WIDTH} {self.height}" '
            f'role="img" aria-labelledby="title words">'
        )
        said = f'<title id="title">{escape(self.title)}</title>\n<desc id="words">{escape(self.words)}</desc>'
        return "\n".join([head, said, f"<style>\n{style()}\n</style>", *self.elements, "</svg>", ""])


def of_class(kind):
    return f' class="{kind}"' if kind else ""


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


def path_of(points):
    return "M" + " L".join(f"{number(x)} {number(y)}" for x, y in points)
