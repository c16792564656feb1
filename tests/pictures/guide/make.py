"""Writes the guide's drawings into docs/pictures and its templates into docs/templates."""

from pathlib import Path

from pegboard.config import Settings
from tests.pictures.guide import front_view, led_template, wiring, wiring_strip

DOCS = Path(__file__).parents[3] / "docs"


def files():
    """Everything that is drawn for the guide: the path of each file within docs, and its bytes."""
    drawn = wiring.drawings() | wiring_strip.drawings(Settings()) | {"build_front": front_view.draw_front()}
    pictures = {f"pictures/{name}.svg": drawing.svg().encode() for name, drawing in drawn.items()}
    return pictures | {f"templates/{name}.pdf": pdf for name, pdf in led_template.templates().items()}


def main():
    """Draw them all."""
    for path, content in files().items():
        (DOCS / path).parent.mkdir(exist_ok=True)
        (DOCS / path).write_bytes(content)
