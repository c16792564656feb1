"""Draws the front of a finished case: streets of LEDs, panel and keys."""

from tests.pictures.guide.svg import Drawing

WOOD = {"left": 14, "right": 386, "top": 16, "bottom": 262}
LEFT, PITCH, TOP, LANE, STREET = 44, 10.6, 44, 13, 33
AT = ((72, 61), (54, 47))
"""Where the pegs of both lanes stand: front and rear."""


def draw_front():
    """The case from above, as it lies on the table."""
    drawing = Drawing("A finished board", "Four streets of two lanes, the panel below them, keys on both sides", 292)
    drawing.box(WOOD["left"], WOOD["top"], WOOD["right"], WOOD["bottom"], "black", radius=12)
    for lane, pegs in enumerate(AT):
        for hole in range(1, 122):
            draw_hole(drawing, lane, hole, pegs)
    draw_panel(drawing)
    for lane, left in enumerate((30, 300)):
        for at, points in enumerate((1, 2, 5) if lane else (5, 2, 1)):  # five outermost
            draw_button(drawing, left + 14 + 22 * at, 212, f"+{points}", lane)
        drawing.text(left + 36, 248, f"player {'AB'[lane]}", "onwood middle")
    draw_button(drawing, 120, 212, "", None)
    draw_button(drawing, 280, 212, "", None)
    drawing.text(120, 248, "UNDO", "onwood middle")
    drawing.text(280, 248, "DEAL", "onwood middle")
    drawing.text(200, 281, "at 60 LEDs per meter this board is about 560 mm wide", "small middle")
    return drawing


def draw_hole(drawing, lane, hole, pegs):
    street, along = divmod(hole - 1, 30)
    column = along if street % 2 == 0 else 29 - along
    if hole == 121:
        street, column = 3, -1
    x, y = LEFT + PITCH * column + (12 if column >= 0 else 8), TOP + STREET * street + LANE * lane
    front, rear = pegs
    lit = hole in pegs
    drawing.circle(x, y, 4.4 if lit else 2.6, f"lane{lane}" if hole <= front and (lit or hole < rear) else "socket")


def draw_panel(drawing):
    drawing.box(152, 190, 248, 242, "glass", radius=4)
    drawing.text(176, 226, "72", "screen middle")
    drawing.text(226, 226, "54", "screen middle")


def draw_button(drawing, x, y, words, lane):
    drawing.circle(x, y, 10, "button")
    if words:
        drawing.text(x, y + 3.8, words, "onpin middle")
    if lane is not None:
        drawing.circle(x, y - 16, 3, f"lane{lane}")
