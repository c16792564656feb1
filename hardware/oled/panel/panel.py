"""An open panel: it can show a picture, be dimmed, be made dark and be lit again."""

from typing import Any

from PIL import Image

from hardware.oled.panel.controllers import Controller
from hardware.oled.panel.dirty_windows import ROWS, changes, pack
from hardware.oled.panel.init_replay import DISPLAY_OFF, InitRecorder
from hardware.oled.panel.transport import PanelTransport
from pegboard.config import OledSettings


class Panel:
    """A panel that luma writes; luma finds out itself what has changed."""

    def __init__(self, controller: Controller, transport: PanelTransport, own: OledSettings) -> None:
        """Switch it on, empty.

        Raises:
            OSError: it does not answer.
        """
        transport.command(DISPLAY_OFF)  # luma keeps every device until the program ends, so none is made in vain
        self.size = controller.panel_size(own.size)
        self._transport = transport
        self._recorder = InitRecorder(transport)
        self._device: Any = controller.device(self._recorder, *self.size, rotate=own.rotate)
        self._device.persist = True
        if controller.setup:
            self._recorder.command(*controller.setup)
        self._recorder.stop_recording()

    def reinit(self) -> None:
        """Initialize it again, as bright as at first; the next picture is sent whole.

        Raises:
            OSError: it does not answer.
        """
        self._recorder.replay()
        self._invalidate()

    def _invalidate(self) -> None:
        """Nothing is known of its memory any more."""
        self._device.framebuffer.prev_image = None

    def show(self, picture: Image.Image) -> None:
        """Show a picture of one bit a pixel and the panel's size.

        Raises:
            OSError: it does not answer.
        """
        self._device.display(picture if self._device.mode == picture.mode else picture.convert(self._device.mode))

    def set_contrast(self, level: int) -> None:
        """Set the contrast, 0 to 255."""
        self._device.contrast(level)

    def switch_light(self, on: bool) -> None:
        """Make the panel dark, or light it again with what was written last."""
        if on:
            self._device.show()
        else:
            self._device.hide()

    def switch_off(self) -> None:
        """Make the panel dark and then clear its memory, which a controller takes in its sleep too.

        Raises:
            OSError: it does not answer.
        """
        self.switch_light(on=False)
        self.show(Image.new("1", self.size))


class PagedPanel(Panel):
    """A panel whose changed bytes we write ourselves, by page and column; luma has cleared it."""

    def __init__(self, controller: Controller, transport: PanelTransport, own: OledSettings) -> None:
        super().__init__(controller, transport, own)
        assert controller.column is not None
        self._first = controller.column
        self._rotate = own.rotate
        self._pages = self.size[1] // ROWS
        self._shown: bytes | None = bytes(self.size[0] * self._pages)
        self._written: tuple[int, range] | None = None

    def show(self, picture: Image.Image) -> None:
        """Show a picture of one bit a pixel and the panel's size.

        Raises:
            OSError: it does not answer.
        """
        new = pack(picture, self._rotate)
        for page, column, data in changes(_inverse(new) if self._shown is None else self._shown, new, self._pages):
            place = range(column + self._first, column + self._first + len(data))
            self._transport.place(_addressing_commands(self._written, page, place.start), data)
            self._written = page, place
        self._shown = new

    def _invalidate(self) -> None:
        self._shown = self._written = None


def _inverse(pack: bytes) -> bytes:
    """Where every byte is another."""
    return bytes(byte ^ 0xFF for byte in pack)


def _addressing_commands(written: tuple[int, range] | None, page: int, column: int) -> list[int]:
    """The commands that choose a place after a page and columns have been written: page, low and high half.

    A half is left out only where both ends of those columns have it: the datasheets leave open whether the other half
    goes to the column that was chosen or to the one that has been counted to.
    """
    there = _place(page, column)
    if written is None:
        return list(there)
    old_page, columns = written
    known = zip(_place(old_page, columns.start), _place(old_page, columns.stop), strict=True)
    return [command for command, old in zip(there, known, strict=True) if {command} != set(old)]


def _place(page: int, column: int) -> tuple[int, int, int]:
    return 0xB0 | page, column & 0x0F, 0x10 | column >> 4
