"""The real program, scores by every input, the plug pulled, started again: every peg stands where it stood."""

import random

from hardware.oled.drawing.draw import draw
from hardware.simulator.led_chains import LedChain
from hardware.simulator.ssd1306 import Ssd1306
from pegboard.core.match import Match
from pegboard.core.view import View
from pegboard.storage.event_row import replay_rows
from pegboard.storage.reader import read_events
from tests.support.long_runs import some_of
from tests.support.program import UNHURRIED, Service
from tests.support.waiting import soon

KEPT = ("epoch", "revision", "game", "seats", "dealer", "lanes", "entries")
"""What a restart must not change."""

FINGER_MS = 60
"""No finger lets go and presses again in less; a key is deaf for 25 ms while its contacts bounce."""

EACH = some_of(10, 2)
"""Scores by each input."""

BLUE, ORANGE = (0, 114, 178), (230, 159, 0)


def press_on_the_page(page, key):
    """Down and up with the mouse; the bench has moved the key both times when this returns."""
    button = page.locator(f'[data-key="{key}"]')
    button.hover()
    with page.expect_response(lambda answer: '"up"' in (answer.request.post_data or "")):
        page.mouse.down()
        page.wait_for_timeout(FINGER_MS)
        page.mouse.up()


def score_by(source, lane, points, *, phones, hand, page):
    """Points for a lane from one of the inputs; keys peg at the other lane's next score."""
    letter = "ab"[lane]
    fives, rest = divmod(points, 5)
    keys = [f"{letter}5"] * fives + [f"{letter}2"] * (rest // 2) + [f"{letter}1"] * (rest % 2)
    match source:
        case "pins":
            for key in keys:
                hand.press(key)
                page.wait_for_timeout(FINGER_MS)
        case "page":
            for key in keys:
                press_on_the_page(page, key)
                page.wait_for_timeout(FINGER_MS)
        case _:
            status, answer = phones[source].score(lane, points)
            assert status == 201, answer


def played(service, page):
    """Scores in turn by two lanes and four inputs; the sums, by plain adding."""
    dice = random.Random(31)
    phones, hand = [service.client(), service.client()], service.client()
    page.goto(f"{service.url}/bench")
    page.locator('[data-key="a1"]').wait_for()
    sums, sources = [0, 0], [source for source in ("pins", 0, 1, "page") for _ in range(EACH)]
    dice.shuffle(sources)
    for n, source in enumerate(sources):
        points = dice.randint(1, 8) if sums[n % 2] < 90 else 1
        score_by(source, n % 2, points, phones=phones, hand=hand, page=page)
        sums[n % 2] += points
        settle(hand, sums, n % 2)
    hand.press("b1" if len(sources) % 2 else "a1")  # the other lane's key pegs what is still dialled
    page.wait_for_timeout(FINGER_MS)
    hand.press("undo")
    soon(lambda: not any(lane["dialled"] for lane in hand.state()["lanes"]))
    return sums


def settle(client, sums, lane):
    """Until the lane shows its points, pegged or dialled: the presses are on their way."""

    def shows():
        shown = client.state()["lanes"][lane]
        return shown["front"] + shown["dialled"] == sums[lane]

    soon(shows)


def view_of(folder):
    """The table as the rows on disk tell it."""
    with read_events(folder) as rows:
        kept = list(rows)
    return View(replay_rows(iter(kept)), Match(), revision=kept[-1].id)


def panel(lines):
    """What the panel's chip shows after the I2C bytes."""
    chip = Ssd1306()
    for line in lines:
        if line["bus"] == "i2c":
            chip.receive(bytes.fromhex(line["data"]))
    return chip.pixels()


def strip(lines):
    """What the strip's LEDs show after the SPI waveform."""
    chain = LedChain()
    for line in lines:
        if line["bus"] == "spi":
            chain.receive(bytes.fromhex(line["data"]), line["hz"])
    return chain.colors()


def led_at(lane, hole):
    """Where the serpentine strip has a hole: four streets of two rows of thirty, each row the other way round."""
    street, place = divmod(hole - 1, 30)
    row = 2 * street + lane
    runs_with_the_street = (row % 2 == 0) == (street % 2 == 0)
    return 30 * row + (place if runs_with_the_street else 29 - place)


def hue(rgb):
    """Which lane's colour it is nearest to, whatever its brightness."""
    return min(
        (BLUE, ORANGE),
        key=lambda lane: sum((a / max(rgb) - b / max(lane)) ** 2 for a, b in zip(rgb, lane, strict=True)),
    )


def test_scores_by_every_input_survive_a_pulled_plug(tmp_path, page):
    folder, settings = tmp_path / "state", tmp_path / "settings.toml"
    settings.write_text(UNHURRIED, "utf-8")  # an amount that pegs by itself between two of its keys is two scores
    with Service(folder, "--config", str(settings), record=tmp_path / "before") as service:
        sums = played(service, page)
        before = service.client().state()
        service.kill()
    assert [lane["front"] for lane in before["lanes"]] == sums
    view = view_of(folder)
    assert len(view.game.entries) == 4 * EACH

    with Service(folder, record=tmp_path / "after") as service:
        after = service.client().state()
        assert {name: after[name] for name in KEPT} == {name: before[name] for name in KEPT}

        page.goto(f"{service.url}/board")
        said = page.get_by_role("img", name="Board.").get_attribute("aria-label")
        for name, lane in zip(("Ann", "Bob"), after["lanes"], strict=True):
            assert f"{name} at {lane['front']}, rear peg at {lane['rear']}" in said
        shown = bytes(min(level, 1) for level in draw(view).convert("L").tobytes())
        soon(lambda: panel(service.recorded()) == shown)
        colours = soon(lambda: max(strip(service.recorded())) > (0, 0, 0) and strip(service.recorded()))

    for lane, pegs in enumerate(view.game.lanes):
        front, rear = colours[led_at(lane, pegs.front)], colours[led_at(lane, pegs.rear)]
        assert hue(front) == hue(rear) == (BLUE, ORANGE)[lane]
        assert max(front) > max(rear)
        assert max(colours[led_at(lane, pegs.front + 1)], default=0) == 0 or pegs.front + 1 in (61, 91, 60, 90)
