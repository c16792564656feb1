"""The numbers of Linux's own keys and events (linux/input-event-codes.h), in the shape that evdev gives them."""

from types import SimpleNamespace

ROWS = {1: "ESC", 15: "TAB", 16: "QWERTYUIOP", 30: "ASDFGHJKL", 44: "ZXCVBNM", 71: ("KP7", "KP8", "KP9", "KPMINUS")}
REST = {75: ("KP4", "KP5", "KP6", "KPPLUS", "KP1", "KP2", "KP3", "KP0", "KPDOT"), 96: "KPENTER", 98: "KPSLASH"}

KEY = {
    first + place: f"KEY_{name}"
    for first, names in (ROWS | REST).items()
    for place, name in enumerate((names,) if names in ("ESC", "TAB", "KPENTER", "KPSLASH") else names)
}
KEY[113] = ["KEY_MIN_INTERESTING", "KEY_MUTE"]

ecodes = SimpleNamespace(
    EV_SYN=0,
    EV_KEY=1,
    SYN_REPORT=0,
    SYN_DROPPED=3,
    KEY=KEY,
    ecodes={name: code for code, name in KEY.items() if isinstance(name, str)},
)
