"""The Pi's 40-pin header in the drawings of the guide: two columns of pins, pin 1 at the top left."""

from hardware.pin_assignment import HEADER

GPIO = {place: pin for pin, place in HEADER.items()}
"""The BCM number of each place that has one."""

RADIUS = 9


class DrawnHeader:
    """Some rows of the header, at a place of a drawing.

    Attributes:
        at: the middle of each pin that is drawn, by its place on the header.
    """

    def __init__(self, left, top, pitch, rows=range(1, 21)):
        self.left, self.top, self.pitch, self.rows = left, top, pitch, rows
        self.at = {
            place: (left + (0 if place % 2 else pitch), top + (row - rows[0]) * pitch)
            for row in rows
            for place in (2 * row - 1, 2 * row)
        }

    def draw_body(self, drawing):
        """Draw what wires lie on."""
        margin = self.pitch / 2 + 3
        bottom = self.top + (len(self.rows) - 1) * self.pitch + margin
        drawing.box(self.left - margin, self.top - margin, self.left + self.pitch + margin, bottom, "header", radius=4)

    def draw_pins(self, drawing, used):
        """Draw the pins over the wires, with those `used` lit up."""
        for place, (x, y) in self.at.items():
            drawing.circle(x, y, RADIUS, "pin used" if place in used else "pin")
            drawing.text(x, y + 3.6, str(place), f"{'onpin' if place in used else 'onfree'} middle")
