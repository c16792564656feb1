"""Takes the pictures of the pages into docs/pictures, each small enough to keep: `python -m tests.pictures.web`."""

import contextlib
import io
import json
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.laid_games import Table, near_the_end
from tests.conftest import chromium
from tests.pictures import networked_table

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZES = {"phone": (390, 844), "tablet": (1180, 820), "tv": (1920, 1080)}
HAND = ("4", "5", "6", "J", "5")  # the last is the starter
COLOURS = 200  # of a picture


class Camera:
    """A browser that opens a page, lets a hand do something, and keeps what is seen."""

    def __init__(self, browser, table):
        self._browser, self.table = browser, table

    def take(self, name, path, size, theme="light", act=None):
        width, height = SIZES[size]
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


@contextlib.contextmanager
def camera():
    """A camera before a table late in the game."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        program = stack.enter_context(networked_table.start(Path(folder) / "state"))
        plays = stack.enter_context(sync_playwright())
        plain = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        browser = plays.chromium.launch(executable_path=chromium(), args=plain)
        stack.callback(browser.close)
        yield Camera(browser, Table(program).lay(*near_the_end(), dealer=1))


def main():
    """Take them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with camera() as taking:
        an_evening(taking.table)
        taking.take("pad_phone_light", "/", "phone")
        taking.take("tablet_tablet_light", "/tablet", "tablet")
        taking.take("count_phone_light", "/count", "phone", act=count)
        taking.take("game_tablet_light", "/history/now", "tablet")
        taking.table.lay(*near_the_end(), dealer=1)
        taking.table.score(0, 9, "crib")
        taking.take("board_win_dark", "/board", "tv", "dark")


if __name__ == "__main__":
    main()
