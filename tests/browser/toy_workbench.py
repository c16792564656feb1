"""Devices, a panel of any size and keys of any scheme, as a test wants them on the bench."""

import base64

from pegboard.devices.health import Health
from pegboard.messages import Message
from tests.support.web_server_and_clients import ToyBench

NO_ANSWER = Message("device_no_answer", error="Input/output error")
LEDS = Message("device_leds", what="WS2812", number=242)
OLED = Health("OLED", "SSD1306 on I2C1, 0x3C, 400 kHz", frames=1204)
BROKEN = Health("LED strip", LEDS, False, 1795000000.5, NO_ANSWER, 6, 977, 7)
WELL = Health("LED strip", LEDS, trouble=NO_ANSWER, frames=978, errors=7)
KEYS = Health("keys", Message("device_pins", pins="4, 5, 6, 12, 13, 22, 23, 24, 25, 26, 27"))
KEYPAD = Health(
    "keypad",
    "/dev/input/by-id/usb-A_very_long_name_of_a_keypad_0001-event-kbd",
    ok=False,
    failing_since=1795000100.0,
    trouble="no permission to read /dev/input/event3; add the user to the `input` group: "
    "sudo usermod -aG input pegboard",
    retries=11,
    errors=12,
)

FAULTS = ("fail next write", "hang", "no answer", "bus stuck")


class Workbench(ToyBench):
    """A bench that shows all of it; `size` is the panel's, `keys` are names with lane, points and letter."""

    def __init__(self, size=(128, 64), keys=(), lines=()):
        super().__init__()
        self.size, self.keys, self.lines = size, keys, lines

    def press(self, key, level):
        self.done.append((key, level))

    def plug(self, device, plugged):
        self.done.append((device, plugged))

    def fault(self, device, name, on):
        self.done.append((device, name, on))

    def picture(self):
        return {
            "panel": self._panel(),
            "strip": None,
            "devices": [self._device(health) for health in (OLED, BROKEN, KEYS, KEYPAD)],
            "keys": [dict(zip(("key", "lane", "points", "letter"), key, strict=True)) for key in self.keys],
            "buses": [
                {"name": "I2C1", "bytes_per_s": 1830, "bytes": 1234567},
                {"name": "SPI0", "bytes_per_s": 0, "bytes": 1},
            ],
            "lines": [{"at": "15:10:38.326", "bus": "KEY", "text": line} for line in self.lines],
        }

    def _panel(self):
        """Lit is the last pixel alone."""
        width, height = self.size
        bits = bytes(width * height // 8 - 1) + b"\x01"
        return {"width": width, "height": height, "on": True, "contrast": 255, "bits": base64.b64encode(bits).decode()}

    @staticmethod
    def _device(health):
        told = health.as_json() | {"plugged": health.ok}
        counted = {"frames": health.frames, "errors": health.errors, "last_bytes": 1032, "last_ms": 23.27}
        faults = [{"name": name, "on": name == "hang" and not health.ok} for name in FAULTS]
        current = Message("device_current", used="0.31", most="1.0")
        extra = {"extra": {"current": current}, "extra_messages": {"current": current.as_json()}}
        return told | counted | {"faults": faults} | extra
