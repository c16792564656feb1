"""A PDF of A4 pages in millimetres from the top left corner: lines, marks and words; the same bytes each time."""

A4 = (297.0, 210.0)
POINTS = 72 / 25.4
"""Points of a millimetre."""

CURVE = 0.5523
"""How far a quarter of a circle's handles reach, as a share of its radius."""


class Page:
    """One page, lying flat."""

    def __init__(self):
        self.content = ["0.35 w"]

    def line(self, points, *, width=0.12, dashed=False):
        """A line through points, so many millimetres wide."""
        way = " ".join(f"{at(x, y)} {'l' if n else 'm'}" for n, (x, y) in enumerate(points))
        self.content.append(f"q {width * POINTS:.3f} w {'[3 3]' if dashed else '[]'} 0 d {way} S Q")

    def mark(self, name, x, y):
        """A mark of the file, with its middle there."""
        self.content.append(f"q 1 0 0 1 {at(x, y)} cm /{name} Do Q")

    def text(self, x, y, words, size=2.8, *, middle=False):
        """Words in Helvetica, so many millimetres high, from x or around it."""
        points = size * POINTS
        left = x - 0.25 * size * len(words) if middle else x
        escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.content.append(f"BT /F {points:.2f} Tf {at(left, y)} Td ({escaped}) Tj ET")


def at(x, y):
    return f"{x * POINTS:.3f} {(A4[1] - y) * POINTS:.3f}"


def circle_mark(radius, cross, *, dashed=False):
    """A circle with a cross at its middle, as drawing commands around 0 0."""
    r, k, c = radius * POINTS, radius * POINTS * CURVE, cross * POINTS
    upper = [((r, k), (k, r), (0, r)), ((-k, r), (-r, k), (-r, 0))]
    quarters = upper + [tuple((-x, -y) for x, y in quarter) for quarter in upper]
    curves = " ".join(" ".join(f"{x:.3f} {y:.3f}" for x, y in quarter) + " c" for quarter in quarters)
    lines = f"{-c:.3f} 0 m {c:.3f} 0 l 0 {-c:.3f} m 0 {c:.3f} l"
    return f"0.4 w {'[2 2]' if dashed else '[]'} 0 d {r:.3f} 0 m {curves} {lines} S"


def document(title, pages, marks):
    """The file: its pages, and the marks that they use by name."""
    reach = 10 * POINTS
    box = f"[{-reach:.1f} {-reach:.1f} {reach:.1f} {reach:.1f}]"
    first = 5 + len(marks)
    names = " ".join(f"/{name} {5 + n} 0 R" for n, name in enumerate(marks))
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(pages)))
    size = f"[0 0 {A4[0] * POINTS:.3f} {A4[1] * POINTS:.3f}]"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        (
            f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} /MediaBox {size} "
            f"/Resources << /Font << /F 3 0 R >> /XObject << {names} >> >> >>"
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Title ({title}) >>",
        *(stream(drawing, f"/Type /XObject /Subtype /Form /BBox {box} ") for drawing in marks.values()),
    ]
    for n, page in enumerate(pages):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /Contents {first + 2 * n + 1} 0 R >>",
            stream("\n".join(page.content)),
        ]
    return assemble(objects)


def stream(content, entries=""):
    return f"<< {entries}/Length {len(content)} >>\nstream\n{content}\nendstream"


def assemble(objects):
    """Number the objects, and list where each begins."""
    whole, places = b"%PDF-1.4\n", []
    for n, one in enumerate(objects, 1):
        places.append(len(whole))
        whole += f"{n} 0 obj\n{one}\nendobj\n".encode("ascii")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{len(whole)}\n%%EOF\n"
    return whole + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode("ascii")
