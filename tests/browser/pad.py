"""What a hand does on a pad."""

import re
import time


def correct(page, key="Undo", answer="Undo"):
    """Tap Undo or Redo, and say yes to the question: in the place of Redo, where a second tap at once is a stutter."""
    page.get_by_role("button", name=re.compile(f"^{re.escape(key)}")).tap()
    page.get_by_role("button", name=answer, exact=True).click()


def mean_it(page, at=""):
    """Say that a tap was meant: a program taps the same key again so soon that it is held as a double tap."""
    if page.locator(f"#{at}take").is_visible():
        page.locator(f"#{at}take").tap()


def middle(locator):
    box = locator.bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def room_of(page, *keys):
    """Left, top, right and bottom of these keys together, in whole px."""
    boxes = [page.locator(key).bounding_box() for key in keys]
    left, top = (round(min(box[edge] for box in boxes)) for edge in "xy")
    right = round(max(box["x"] + box["width"] for box in boxes))
    return left, top, right, round(max(box["y"] + box["height"] for box in boxes))


def touch_again(page, locator, *pauses):
    """A finger for 50 ms, and again after each pause of so many ms, by the times that its touches carry."""
    at, fingers, at_s = middle(locator), page.context.new_cdp_session(page), time.time()
    for pause in (*pauses, 0):
        for kind, points, ms in ("Start", [at | {"id": 0}], 50), ("End", [], pause):
            told = {"type": f"touch{kind}", "touchPoints": points, "timestamp": at_s}
            fingers.send("Input.dispatchTouchEvent", told)
            at_s += ms / 1000
    fingers.detach()


SAID = """() => {
    const node = document.getElementById('said');
    window.said = [];
    new MutationObserver(() => window.said.push(node.textContent)).observe(node, {childList: true});
}"""
"""Have a page keep in `window.said` whatever it says to a screen reader from now on."""
