"""What a hand does on a pad."""

import time


def correct(page, key="Undo", answer="Take back"):
    """Tap Undo or Redo, and say yes to the question: in the place of Redo, where a second tap at once is a stutter."""
    page.get_by_role("button", name=key).tap()
    page.get_by_role("button", name=answer, exact=True).click()


def mean_it(page, at=""):
    """Say that a tap was meant: a program taps the same key again so soon that it is held as a double tap."""
    if page.locator(f"#{at}take").is_visible():
        page.locator(f"#{at}take").tap()


def middle(locator):
    box = locator.bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def touch_twice(page, locator, pause):
    """A finger for 50 ms, and after so many ms again."""
    at, fingers, begun = middle(locator), page.context.new_cdp_session(page), time.time()
    for kind, ms in ("Start", 0), ("End", 50), ("Start", 50 + pause), ("End", 100 + pause):
        points = [at | {"id": 0}] if kind == "Start" else []
        told = {"type": f"touch{kind}", "touchPoints": points, "timestamp": begun + ms / 1000}
        fingers.send("Input.dispatchTouchEvent", told)
    fingers.detach()


SAID = """() => {
    const node = document.getElementById('said');
    window.said = [];
    new MutationObserver(() => window.said.push(node.textContent)).observe(node, {childList: true});
}"""
"""Have a page keep in `window.said` whatever it says to a screen reader from now on."""
