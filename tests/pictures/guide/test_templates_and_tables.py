"""The printed templates: every hole in true size, where the strip has its LED; and the tables of the guide."""

import itertools
import math
import re

import pytest

from hardware.strip.layouts import layout
from tests.pictures.guide import power
from tests.pictures.guide.make import DOCS

DENSITIES = (30, 60, 144)
MM = 25.4 / 72
GUIDE = (DOCS / "build.md").read_text("utf-8")


class Printed:
    """A template as a printer reads it: pages of marks, lines and words, in millimetres from the lower left corner."""

    def __init__(self, density):
        self.whole = (DOCS / f"templates/holes_{density}_per_metre.pdf").read_bytes()
        self.size = [float(n) * MM for n in re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", self.whole).groups()]
        streams = re.findall(rb"stream\n(.*?)\nendstream", self.whole, re.DOTALL)
        self.pages = [stream.decode("ascii") for stream in streams if b"/Hole Do" in stream]

    def marks(self, name):
        """For each page, the middles of its marks."""
        found = (re.findall(rf"1 0 0 1 (\S+) (\S+) cm /{name} Do", page) for page in self.pages)
        return [[(float(x) * MM, float(y) * MM) for x, y in marks] for marks in found]


@pytest.fixture(params=DENSITIES)
def density(request):
    return request.param


def test_it_has_a_hole_for_each_led_and_two_start_holes_a_lane(density):
    printed = Printed(density)
    assert sum(map(len, printed.marks("Hole"))) == layout("serpentine", 2).leds == 242
    assert sum(map(len, printed.marks("Start"))) == layout("serpentine", 2, start_holes=True).leds - 242


def test_holes_of_a_row_are_as_far_apart_as_the_leds(density):
    for page in Printed(density).marks("Hole"):
        for height in {y for _, y in page}:
            row = sorted(x for x, y in page if y == height)
            assert all(math.isclose(b - a, 1000 / density, abs_tol=0.002) for a, b in itertools.pairwise(row))


def test_pages_that_are_cut_and_joined_keep_the_distance(density):
    printed = Printed(density)
    cuts = [sorted({float(x) * MM for x in re.findall(r"\[3 3\] 0 d (\S+)", page)}) for page in printed.pages]
    for n in range(len(printed.pages) - 1):
        right = max(x for x, _ in printed.marks("Hole")[n])
        left = min(x for x, _ in printed.marks("Hole")[n + 1])
        assert math.isclose(cuts[n][-1] - right + left - cuts[n + 1][0], 1000 / density, abs_tol=0.002)


def test_there_are_eight_rows_of_thirty_and_the_game_holes(density):
    rows = {}
    for page in Printed(density).marks("Hole"):
        for _, y in page:
            rows[round(y, 2)] = rows.get(round(y, 2), 0) + 1
    assert [rows[y] for y in sorted(rows, reverse=True)] == [30] * 6 + [31] * 2


def test_everything_fits_an_a4_page_with_its_margins(density):
    printed = Printed(density)
    assert [round(side, 1) for side in printed.size] == [297, 210]
    for page in [*printed.marks("Hole"), *printed.marks("Start")]:
        assert all(12 <= x <= 285 and 12 <= y <= 198 for x, y in page)


def test_the_ruler_is_a_hundred_millimetres(density):
    for page in Printed(density).pages:
        *_, (left, right) = [
            (float(a), float(b)) for a, h, b, k in re.findall(r"0 d (\S+) (\S+) m (\S+) (\S+) l S", page) if h == k
        ]
        assert math.isclose((right - left) * MM, 100, abs_tol=0.001)


def test_a_reader_of_pdf_finds_every_object_where_the_file_says(density):
    whole = Printed(density).whole
    start = int(re.search(rb"startxref\n(\d+)", whole)[1])
    places = re.findall(rb"^(\d{10}) 00000 n $", whole[start:], re.MULTILINE)
    assert all(whole[int(place) :].startswith(f"{n} 0 obj".encode()) for n, place in enumerate(places, 1))
    for length, stream in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", whole, re.DOTALL):
        assert int(length) == len(stream)


# --- the tables of docs/build.md ---


@pytest.mark.parametrize("name", power.TABLES)
def test_the_guide_has_each_table_as_it_is_reckoned(name):
    table = power.TABLES[name]()
    assert table in GUIDE, f"put this table into docs/build.md:\n{table}"


def test_wires_are_as_thick_as_published_tables_say():
    """ASTM B258: square millimetres of the American gauges."""
    published = {14: 2.08, 16: 1.31, 18: 0.823, 20: 0.518, 24: 0.205}
    assert {gauge: round(power.square_mm(gauge), 3) for gauge in published} == pytest.approx(published, abs=0.005)


def test_a_wire_carries_more_than_its_fuse_and_a_supply_gives_more():
    for budget in power.BUDGETS_MA:
        fuse = power.fuse_for(budget)
        assert budget / 1000 < fuse < power.carries_a(power.gauge_for(fuse))
        assert power.supply_for(budget) > fuse
        assert power.supply_for(budget, limits_itself=False) >= 2 * fuse, "or it never blows a slow fuse"


@pytest.mark.parametrize(("feeds", "volts"), [(1, 0.8), (2, 0.2), (3, 0.1)])
def test_what_four_metres_lose_at_one_ampere(feeds, volts):
    """Worked by hand: 0.8 ohm there and back; from both ends 0.4 ohm twice side by side, and so on."""
    assert power.strip_drop(4, 1000, feeds) == pytest.approx(volts)


def test_a_power_bank_of_ten_ampere_hours_gives_half_an_ampere_for_twelve_hours():
    """Worked by hand: 10 Ah at 3.7 V are 37 Wh, 85 % of it 31.45 Wh; 0.5 A at 5 V are 2.5 W."""
    assert power.hours(10_000, 500) == pytest.approx(31.45 / 2.5)
