"""What a hand does on a pad."""


def correct(page, key="Undo", answer="Take back"):
    """Tap Undo or Redo, and say yes to the question that takes its place."""
    page.get_by_role("button", name=key).tap()
    page.get_by_role("button", name=answer, exact=True).tap()


SAID = """() => {
    const node = document.getElementById('said');
    window.said = [];
    new MutationObserver(() => window.said.push(node.textContent)).observe(node, {childList: true});
}"""
"""Have a page keep in `window.said` whatever it says to a screen reader from now on."""
