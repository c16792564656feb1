"""Event screens: the players at this table, their next tables, an unsent result; the text of a call."""

from functools import lru_cache

from PIL import Image, ImageChops

from hardware.oled.drawing import font, join_screen
from hardware.oled.drawing.banner import fit_text
from hardware.oled.drawing.font import panel_name
from hardware.oled.drawing.track_in_pixels import Pixel
from pegboard.core.view import Call, EventNews, NextSeat, View

MARGIN = 2
"""Free columns and rows at the edges."""

LINE = font.HEIGHT + 2
"""Rows from line to line."""

TALL = 4 * font.HEIGHT + 2 * MARGIN
"""Rows of a line at double size between two others."""

BESIDE = 4
"""Columns between a code and the letters."""

UNSENT = "RESULT NOT SENT: SCAN IT"
ON_A_PHONE = "RESULT NOT SENT: SHOW ITS CODE ON A PHONE"
"""The text above a QR code, and the text for a panel too low for a code."""

WHO = {"judge": "JUDGE", "director": "DIRECTOR"}


def is_wanted(view: View) -> bool:
    """Whether the event has a screen to show now: for the players about to start, or after a finished game."""
    event, game = view.event, view.game
    if event is None or view.notice is not None or view.alarms or event.calls or any(view.dialled):
        return False
    if game.outcome is None:
        return event.round > 0 and not game.entries
    return bool(event.next or event.here or event.result_url)


def call_text(event: EventNews) -> str:
    """The text over the track during a call: the first unanswered call, else the first call and who is coming."""
    waiting = [call for call in event.calls if not call.is_answered]
    return _say_call((waiting or list(event.calls))[0])


def _say_call(call: Call) -> str:
    who, names = WHO[call.kind], " AND ".join(call.accepted)
    if call.is_answered:
        return f"{who}: {names} COMING"
    return f"{who}: {names} COMING, ONE MORE CALLED" if names else f"{who} CALLED"


def draw(view: View, size: Pixel) -> Image.Image:
    """Draw the event's current screen: the start of a game, an unsent result, the next tables or the next players."""
    event = view.event
    assert event is not None
    if view.game.outcome is None:
        dealer = view.game.players[view.game.dealer] if view.game.dealer_said else ""
        return _draw_start(event, view.game.players, dealer, size).copy()
    if event.result_url:
        return _draw_unsent(event, size).copy()
    return (_draw_next if event.next else _draw_here)(event, size).copy()


@lru_cache(maxsize=2)
def _draw_start(event: EventNews, players: tuple[str, ...], dealer: str, size: Pixel) -> Image.Image:
    """Draw the players at this table, the round, and the first dealer."""
    of = f" OF {event.rounds}" if event.rounds else ""
    deals = f"{_letters(dealer)} DEALS FIRST" if dealer else "CUT FOR THE DEAL"
    return _draw_names(f"TABLE {_letters(event.table)}, ROUND {event.round}{of}", players, deals, size)


@lru_cache(maxsize=2)
def _draw_here(event: EventNews, size: Pixel) -> Image.Image:
    """Draw the next players at this table, if the next tables of the players of the last game are unknown."""
    return _draw_names(f"NEXT AT TABLE {_letters(event.table)}", event.here, "PRESS DEAL TO START", size)


def _draw_names(head: str, players: tuple[str, ...], foot: str, size: Pixel) -> Image.Image:
    """Draw names as large as possible, below a headline and above a line of text."""
    image = _with_head(head, size)
    names = [panel_name(name, seat) for seat, name in enumerate(players)]
    low = size[1] < 2 * LINE * len(names) + 3 * LINE
    lines = [" - ".join(names)] if low else names
    top = LINE + 2 * MARGIN
    each = (size[1] - top - LINE - MARGIN) // len(lines)
    for place, line in enumerate(lines):
        _paste_as_large(image, line, top + each * place, each)
    _paste(image, foot, size[1] - font.HEIGHT - 1)
    return image


@lru_cache(maxsize=2)
def _draw_next(event: EventNews, size: Pixel) -> Image.Image:
    """Draw each player's next table, and the next players at this table."""
    image = Image.new("1", size)
    here = f"HERE: {' - '.join(map(_letters, event.here))}" if event.here else ""
    top, bottom = LINE if event.settled else 0, size[1] - (LINE + 1 if here else 0)
    if event.settled:
        _paste(image, _letters(event.settled), 1)
    each = (bottom - top) // len(event.next)
    for place, seat in enumerate(event.next):
        _draw_seat(image, seat, panel_name(seat.name, place), (top + each * place, each))
    if here:
        band = Image.new("1", (size[0], LINE + 1))
        _paste(band, here, 1)
        image.paste(ImageChops.invert(band), (0, bottom))
    return image


def _draw_seat(image: Image.Image, seat: NextSeat, name: str, room: tuple[int, int]) -> None:
    """Draw a player's next table, as large as `room` (first row, number of rows) allows, with opponent and dealer."""
    top, rows = room
    if not seat.table:
        _paste(image, f"{name}: NO GAME YET", top + (rows - font.HEIGHT) // 2)
        return
    other, where = _letters(seat.against), f"TABLE {_letters(seat.table)}" + (" (HERE)" if seat.stays else "")
    deals = {True: "DEALS TO {}", False: "{} DEALS", None: "AGAINST {}"}[seat.deals].format(other)
    against = f"AGAINST {other}" + {True: ", DEALS FIRST", False: ", WHO DEALS", None: ""}[seat.deals]
    if rows < 2 * LINE:
        _paste(image, f"{name}: {where}, {deals}", top + (rows - font.HEIGHT) // 2)
    elif rows <= TALL:
        first = top + (rows - 2 * LINE + 2) // 2
        _paste(image, f"{name}: {where}", first)
        _paste(image, against, first + LINE)
    else:
        first = top + (rows - TALL) // 2
        _paste(image, name, first)
        _paste_as_large(image, where, first + LINE, 2 * font.HEIGHT)
        _paste(image, against, first + LINE + 2 * font.HEIGHT + MARGIN)


@lru_cache(maxsize=2)
def _draw_unsent(event: EventNews, size: Pixel) -> Image.Image:
    """Draw the result as a QR code, if it fits, and beside it the players' next tables."""
    image, code = Image.new("1", size), join_screen.draw_qr(event.result_url, size[1], "l")
    left = 0
    if code is not None:
        image.paste(code, (0, 0))
        left = size[1] + BESIDE
    columns = size[0] - left - MARGIN
    lines = fit_text(UNSENT if code else ON_A_PHONE, columns, size[1] // LINE)
    for seat in event.next:
        if seat.table:
            lines += fit_text(f"{_letters(seat.name)}: TABLE {_letters(seat.table)}", columns, 2)
    for place, line in enumerate(lines[: (size[1] - MARGIN) // LINE]):
        image.paste(font.render(line), (left or MARGIN, MARGIN + LINE * place))
    return image


def _with_head(text: str, size: Pixel) -> Image.Image:
    """A picture that is empty except for a white band with black letters at the top."""
    image, band = Image.new("1", size), Image.new("1", (size[0], LINE + MARGIN))
    _paste(band, text, MARGIN)
    image.paste(ImageChops.invert(band), (0, 0))
    return image


def _letters(text: str) -> str:
    return font.to_panel_letters(text)


def _paste(image: Image.Image, text: str, top: int) -> None:
    """Paste a centered line, cut if it is too long."""
    room = image.width - 2 * MARGIN
    line = text if font.width(text) <= room else font.ellipsize(text, room)
    picture = font.render(line)
    image.paste(picture, ((image.width - picture.width) // 2, top))


def _paste_as_large(image: Image.Image, text: str, top: int, rows: int) -> None:
    """Paste a line centered in `rows` rows, at double size if there is room."""
    large = font.render_large(text) if font.width(text) else Image.new("1", (1, 1))
    if large.width <= image.width - 2 * MARGIN and large.height <= rows:
        image.paste(large, ((image.width - large.width) // 2, top + (rows - large.height) // 2))
    else:
        _paste(image, text, top + max(0, rows - font.HEIGHT) // 2)
