"""What a hand does on a pad."""


def correct(page, key="Undo", answer="Take back"):
    """Tap Undo or Redo, and say yes to the question that takes its place."""
    page.get_by_role("button", name=key).tap()
    page.get_by_role("button", name=answer, exact=True).tap()
