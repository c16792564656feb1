"""Takes the pictures of the pages into docs/pictures, each small enough to keep: `python -m tests.pictures.web`."""

import contextlib
import io
import json
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.laid_games import DEAL, Table, near_the_end, run_to, three_late
from tests.conftest import chromium
from tests.pictures import networked_table

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZES = {"phone": (390, 844), "tablet": (1180, 820), "tv": (1920, 1080)}
PAGES = {
    "pad": "/",
    "tablet": "/tablet",
    "board": "/board",
    "count": "/count",
    "play": "/play",
    "history": "/history",
    "game": "/history/now",
    "stats": "/stats",
    "rules": "/rules",
    "settings": "/settings",
    "health": "/health",
    "bench": "/bench",
}
HAND = ("4", "5", "6", "J", "5")  # the last is the starter
LAID = ("4", "5", "3", "3", "3")  # as in a rule sheet: a run, fifteen and a pair, a pair royal
COLOURS = 200  # of a picture


class Camera:
    """A browser that opens a page, lets a hand do something, and keeps what is seen."""

    def __init__(self, browser, table):
        self._browser, self.table = browser, table

    def take(self, name, path, size, theme="light", act=None):
        width, height = SIZES.get(size, size)
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, has_touch=width < 500
        )
        known = json.dumps(json.dumps({"seat": 0, "name": self.table.state["seats"][0]["name"]}))
        context.add_init_script(f"localStorage.setItem('pegboard.holder', {known})")
        page = context.new_page()
        page.goto(self.table.url + path)
        page.locator(".link.live").wait_for()
        if act:
            act(page)
        page.wait_for_timeout(1_500)  # until every peg has landed
        keep(page.screenshot(), f"web_{name}.png")
        context.close()


def keep(shot, name):
    """Reduce the colours and write the file."""
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    colours = palette(picture)
    nearest = {colour: near(colour, colours) for _, colour in counted(picture)}
    reduced = Image.new("P", picture.size)
    reduced.putpalette([part for colour in colours for part in colour])
    reduced.putdata([nearest[pixel] for pixel in picture.get_flattened_data()])
    reduced.save(FOLDER / name, optimize=True)


def counted(picture):
    """The picture's colours with how often each stands in it, the commonest first."""
    return sorted(picture.getcolors(picture.width * picture.height), reverse=True)


def palette(picture):
    """The flat colours exactly, and an even choice of what is between them."""
    flat = [colour for _, colour in counted(picture)[: COLOURS // 2]]
    between = picture.quantize(COLOURS // 2, Image.Quantize.MEDIANCUT).getpalette()
    return flat + [tuple(between[i : i + 3]) for i in range(0, len(between), 3)]


def near(colour, colours):
    """The place of the nearest one."""
    return min(range(len(colours)), key=lambda i: sum((a - b) ** 2 for a, b in zip(colour, colours[i], strict=True)))


def every_page(camera):
    """Each page as it is seen in the middle of an evening."""
    for name, path in PAGES.items():
        for size in SIZES:
            for theme in ("light", "dark"):
                camera.take(f"{name}_{size}_{theme}", path, size, theme, DOINGS.get(name))


def an_evening(table):
    """A game that Ann has won, and one in the middle: Bob deals, and it is for Ann to count."""
    anns_deal = [(0, 2, "play"), (1, 3, "play"), (1, 1, "go"), (1, 8, "hand"), (0, 12, "hand"), (0, 6, "crib")]
    bobs_deal = [(0, 2, "play"), (1, 4, "play"), (0, 7, "hand"), (1, 10, "hand"), (1, 4, "crib")]
    last = [(0, 2, "play"), (1, 4, "play"), (0, 20, "hand")]
    table.lay(*(3 * [*anns_deal, *bobs_deal]), *anns_deal, *last, dealer=0)
    table.lay(*(2 * [*bobs_deal, *anns_deal]), *bobs_deal, *anns_deal[:4], dealer=1)


def count(page):
    """Five cards; the jack may be of the starter's suit."""
    for rank in HAND:
        page.locator(f'#ranks [data-rank="{rank}"]').click()
    page.locator("#nobs").get_by_role("button", name="Yes", exact=True).click()


def play(page):
    """Five cards laid, only coached."""
    page.locator("#at-once").click()
    for rank in LAID:
        page.locator(f'#ranks [data-rank="{rank}"]').click()
        page.wait_for_timeout(150)


DOINGS = {"count": count, "play": play}
"""What a hand does before the picture is taken."""


def not_sent(page):
    page.route("**/api/v1/commands", lambda route: route.abort())
    page.get_by_role("button", name="31 +2").tap()


def every_state(camera):
    """What is not seen every day: a short phone, what was not sent, a question, a win, three lanes, long names."""
    table = camera.table
    camera.take("pad_short_light", "/", (360, 640))
    camera.take("pad_not_sent_light", "/", "phone", act=not_sent)
    camera.take("pad_question_light", "/", "phone", act=lambda page: question(page, table))
    table.score(0, 8, "crib")
    camera.take("pad_win_dark", "/", "phone", "dark")
    camera.take("board_win_dark", "/board", "tv", "dark")
    names = ("Ann-of-the Neighbourhood", "Bob-from-the-uppermost Floor")
    table.lay(*run_to(0, 98), *run_to(1, 110), DEAL, (0, 5, "play"), players=names)
    camera.take("pad_long_names_light", "/", "phone")
    three = ("Ann", "Bob-from-the Uppermost Floor", "Cy")
    table.lay(*three_late(), players=three, variant="three-handed", dealer=2)
    camera.take("board_three_light", "/board", "tv")
    camera.take("pad_three_light", "/", "phone")


def every_trouble(camera):
    """A panel that does not answer: on the page of the devices, on the bench, and as a line on phone and board."""
    fault = {"device": "OLED", "fault": "no answer"}
    camera.table.client.ask("POST", "/api/v1/bench/fault", fault | {"on": True})
    camera.table.lay(*near_the_end(), dealer=1)
    camera.take("health_trouble_light", "/health", "tablet")
    camera.take("health_trouble_dark", "/health", "phone", "dark")
    camera.take("bench_trouble_light", "/bench", (1280, 800))
    camera.take("pad_trouble_light", "/", "phone")
    camera.take("board_trouble_dark", "/board", "tv", "dark")
    camera.table.client.ask("POST", "/api/v1/bench/fault", fault | {"on": False})


def question(page, table):
    """A tap on a picture that the table has left behind."""
    page.route("**/events", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    table.score(0, 1, "hand")
    page.get_by_role("button", name="12", exact=True).tap()
    page.get_by_role("dialog").wait_for()


@contextlib.contextmanager
def camera(*, closed=False):
    """A camera before a table late in the game."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        program = stack.enter_context(networked_table.start(Path(folder) / "state", closed=closed))
        plays = stack.enter_context(sync_playwright())
        plain = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        browser = plays.chromium.launch(executable_path=chromium(), args=plain)
        stack.callback(browser.close)
        yield Camera(browser, Table(program, "director" if closed else None).lay(*near_the_end(), dealer=1))


def every_join_page(camera):
    """A closed table asks for its code."""
    for size in SIZES:
        for theme in ("light", "dark"):
            camera.take(f"join_{size}_{theme}", "/j/", size, theme)


def main():
    """Take them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with camera() as taking:
        an_evening(taking.table)
        every_page(taking)
        every_trouble(taking)
        every_state(taking)
    with camera(closed=True) as taking:
        every_join_page(taking)


if __name__ == "__main__":
    main()
