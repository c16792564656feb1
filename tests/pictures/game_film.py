"""Films a deal on a phone and the TV into docs/pictures/web_game.gif: `python -m tests.pictures.game_film`."""

import datetime as dt
import io
import itertools
import json

from PIL import Image

from tests.browser.laid_games import DEAL, run_to
from tests.pictures.web import FOLDER, camera

BOARD, PHONE = (1920, 1080), (390, 844)
TALL = 480  # px of the film
GROUND, GAP = "#15100C", 12
FRAME_MS, STILL_MS, LAST_MS = 70, 1100, 2600
LONGEST_FLIGHT_MS = 1400
COLOURS = 64

DEALT = [(1, 2, "play"), (0, 3, "play"), (0, 1, "go"), (1, 8, "hand"), (0, 12, "hand"), (0, 6, "crib")]
"""Bob is pone: the play, and the show in its order. Ann taps hers on the phone."""

BEFORE = [*run_to(1, 58), *run_to(0, 57), DEAL]


def main():
    """Film it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with camera() as taking:
        taking.table.lay(*BEFORE, dealer=1)
        board, phone = stage(taking, BOARD, "/board"), stage(taking, PHONE, "/", touch=True)
        frames = list(itertools.chain(still(board, phone), *(scored(taking, board, phone, one) for one in DEALT)))
    keep(frames)


def stage(taking, size, path, *, touch=False):
    """A page whose clock stands still but when a frame is taken."""
    width, height = size
    context = taking._browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark", has_touch=touch
    )
    known = json.dumps(json.dumps({"seat": 0, "name": "Ann"}))
    context.add_init_script(f"localStorage.setItem('pegboard.holder', {known})")
    page = context.new_page()
    page.clock.install()
    page.goto(taking.table.url + path)
    page.locator(".link.live").wait_for()
    page.clock.pause_at(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=2))
    return page


def scored(taking, board, phone, one):
    """The frames of a score, from the tap until the peg has landed and one has seen it."""
    seat, points, why = one
    before = taking.table.state["revision"]
    if seat == 0 and why != "go":
        phone.get_by_role("button", name=str(points), exact=True).tap()
    else:
        taking.table.score(seat, points, why)
    while taking.table.state["revision"] == before:
        phone.clock.run_for(10)
    phone.wait_for_timeout(100)  # until both have been told
    for _ in range(0, LONGEST_FLIGHT_MS, FRAME_MS):
        for page in (board, phone):
            page.clock.run_for(FRAME_MS)
        yield picture(board, phone), FRAME_MS
    yield from still(board, phone)


def still(board, phone):
    yield picture(board, phone), STILL_MS


def picture(board, phone):
    """Both pages side by side."""
    shots = [Image.open(io.BytesIO(page.screenshot())).convert("RGB") for page in (board, phone)]
    parts = [shot.resize((shot.width * TALL // shot.height, TALL), Image.Resampling.LANCZOS) for shot in shots]
    both = Image.new("RGB", (sum(part.width for part in parts) + GAP, TALL), GROUND)
    both.paste(parts[0], (0, 0))
    both.paste(parts[1], (parts[0].width + GAP, 0))
    return both


def keep(frames):
    """Write the film; equal pictures in a row become one that stays longer."""
    pictures, durations = [], []
    for shot, ms in frames:
        if pictures and shot.tobytes() == pictures[-1].tobytes():
            durations[-1] += ms
        else:
            pictures.append(shot)
            durations.append(ms)
    durations[-1] = LAST_MS
    colours = pictures[-1].quantize(COLOURS, Image.Quantize.MEDIANCUT)
    reduced = [shot.quantize(palette=colours, dither=Image.Dither.NONE) for shot in pictures]
    reduced[0].save(
        FOLDER / "web_game.gif", save_all=True, append_images=reduced[1:], duration=durations, loop=0, optimize=True
    )


if __name__ == "__main__":
    main()
