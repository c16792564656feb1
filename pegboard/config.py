"""Settings: a TOML file read into frozen values; every setting has a sentence and a default."""

import datetime as dt
import difflib
import json
import math
import re
import tomllib
import types
import typing
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from pegboard.errors import DeviceError, SettingError
from pegboard.messages import Message


def _said(sentence: str, default: Any, least: float | None = None, most: float | None = None) -> Any:
    """A setting; numbers are taken from `least` to `most`."""
    told = {"sentence": sentence, "least": least, "most": most}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=told)
    return field(default=default, metadata=told)


@dataclass(frozen=True)
class TableSettings:
    """[table]: who plays what."""

    variant: str = _said("The variant that is played; later games may be chosen otherwise on a phone.", "standard")
    players: tuple[str, ...] = _said(
        "Who plays, in seat order: as many of them as the variant has seats.", ("Ann", "Bob", "Cy", "Dee")
    )
    house: tuple[str, ...] = _said(
        'House rules for every game that begins, such as ["muggins=on", "worth=games 1-2-4"].', ()
    )
    match: str = _said("The format of the match: open, single, best of 3, best of 5, best of 7 or first to N.", "open")


@dataclass(frozen=True)
class WebSettings:
    """[web]: the pages and the API."""

    host: str = _said("The address to listen on; 0.0.0.0 for every one.", "0.0.0.0")  # noqa: S104 - phones must reach the Pi
    port: int = _said("The port to listen on.", 8080, 0, 65535)
    open: bool = _said("Whether everybody who reaches the table may score (a kitchen table, no pairing).", False)
    names: tuple[str, ...] = _said("Host names the table answers to, besides its own and any IP address.", ())
    viewers: int = _said("How many live event streams are served at once.", 1024, 1, 100_000)
    viewers_per_address: int = _said(
        "How many of them may come from one address (this machine's own is exempt).", 16, 1, 100_000
    )
    connections_per_address: int = _said(
        "How many connections one address may hold (this machine's own and the proxies are exempt).", 128, 8, 100_000
    )
    requests_a_second: float = _said("How many requests of one address are answered a second.", 50.0, 1, 100_000)
    requests_at_once: int = _said("How many of them may come at once.", 200, 1, 100_000)
    commands_a_second: float = _said("How many commands of one device are taken a second.", 10.0, 0.1, 100_000)
    commands_at_once: int = _said("How many of them may come at once.", 30, 1, 100_000)
    pairings_a_minute: int = _said("How many codes one address may try a minute.", 5, 1, 100_000)
    throttle_loopback: bool = _said(
        "Whether these limits hold for this machine itself, too; a proxy that is none of `proxies` is not exempt.",
        False,
    )
    paired_h: float = _said("Hours for which a device stays paired.", 12.0, 0.01, 8760)
    code_s: float = _said("Seconds for which a code counts.", 600.0, 60, 86400)
    code_tries: int = _said("Wrong codes after which the table shows a new one.", 10, 1, 1000)
    certificate: str = _said("The file of the certificate for https (PEM, with its chain); empty for plain http.", "")
    key: str = _said("The file of its private key (PEM, without a password).", "")
    proxies: tuple[str, ...] = _said(
        "Addresses or networks of proxies whose X-Forwarded-For, -Host and -Proto are believed.", ()
    )


@dataclass(frozen=True)
class KeySettings:
    """[keys]: the buttons."""

    enabled: bool = _said("Whether there are any.", True)
    scheme: str = _said(
        "several: a key for each of values; single: one key a player, on the first of the lane's pins.", "several"
    )
    values: tuple[int, ...] = _said("Points of each player's keys, in the order of their pins.", (1, 2, 5), 1, 29)
    pins: dict[str, tuple[int, ...]] = _said(
        "BCM numbers of each lane's keys, by lane letter.",
        {"a": (4, 5, 6), "b": (12, 13, 22), "c": (23, 24, 25)},
        0,
        27,
    )
    undo_pin: int = _said("BCM number of the UNDO key.", 26, 0, 27)
    deal_pin: int = _said("BCM number of the DEAL key.", 27, 0, 27)
    pull_up: bool = _said("Whether the keys connect to ground and the Pi pulls the line up.", True)
    silence_s: float = _said("Seconds of silence after which a dialled amount pegs.", 1.2, 0.1, 60)
    hold_s: float = _said("Seconds a player's key is held to peg at once.", 0.8, 0.1, 60)
    single_values: tuple[int, ...] = _said(
        "With single keys: points of a short press, and of each long_s that the key stays down.", (1, 5), 1, 29
    )
    long_s: float = _said("With single keys: seconds after which a press is long.", 0.5, 0.1, 60)
    undo_hold_s: float = _said("Seconds UNDO is held to ask for a new game, and again to start it.", 3.0, 0.5, 60)
    question_s: float = _said("Seconds the question for a new game stands.", 10.0, 1, 600)
    lockout_s: float = _said(
        "Seconds a key is deaf after each change, until its contacts have come to rest.", 0.025, 0.001, 1
    )
    stuck_s: float = _said(
        "Seconds after which a key that is still down is reported as stuck and ignored.", 30.0, 5, 3600
    )


@dataclass(frozen=True)
class KeypadSettings:
    """[keypad]: a numeric keypad on USB or Bluetooth."""

    enabled: bool = _said("Whether there is one.", False)
    device: str = _said(
        "Its file, such as /dev/input/by-id/usb-...-event-kbd; empty for the first keypad found, no whole keyboard.", ""
    )
    enters: tuple[str, ...] = _said(
        "The key with which each lane pegs what has been typed.", ("KEY_KPENTER", "KEY_KPPLUS", "KEY_KPMINUS")
    )
    undo: str = _said("Its UNDO key.", "KEY_KPDOT")
    deal: str = _said("Its DEAL key.", "KEY_KPSLASH")


@dataclass(frozen=True)
class OledSettings:
    """[oled]: the small panel."""

    enabled: bool = _said("Whether there is one.", True)
    chip: str = _said("Its controller: ssd1306, sh1106, ssd1309, ssd1327 or ssd1351.", "ssd1306")
    wire: str = _said("What it hangs on: i2c or spi.", "i2c")
    size: str = _said("Columns and rows: 128x64 or 128x32; grey and colour panels take 128x128 too.", "128x64")
    layout: str = _said("What it shows: streets (every hole), or far (large digits over a small track).", "streets")
    i2c_bus: int = _said("The I2C bus it hangs on.", 1, 0, 255)
    address: int = _said("Its I2C address.", 0x3C, 0x03, 0x77)
    spi_bus: int = _said("The SPI bus it hangs on.", 1, 0, 255)
    spi_hz: int = _said("The clock of the SPI bus.", 8_000_000, 100_000, 20_000_000)
    dc_pin: int = _said("BCM number of an SPI panel's line D/C.", 16, 0, 27)
    reset_pin: int = _said("BCM number of an SPI panel's line RST.", 17, 0, 27)
    bus_hz: int = _said("The clock of the bus, as set on the Pi; used to tell wire times.", 400_000, 10_000, 5_000_000)
    rotate: int = _said("Quarter turns: 0, or 2 for a panel mounted upside down.", 0)
    contrast: int = _said("Contrast, 0 to 255; less is kinder to the panel.", 0xCF, 0, 255)
    dim_s: float = _said("Seconds without news after which it is dimmed; 0 for never.", 120.0, 0, 86400)
    blank_s: float = _said("Seconds without news after which it goes dark; 0 for never.", 900.0, 0, 86400)
    shift_s: float = _said("Seconds after which the picture moves by a pixel; 0 for never.", 60.0, 0, 86400)
    renew_s: float = _said(
        "Seconds after which it is told everything again, as it may have lost its power unnoticed; 0 for never.",
        10.0,
        0,
        86400,
    )


@dataclass(frozen=True)
class StripSettings:
    """[strip]: the LED strip along the track."""

    enabled: bool = _said("Whether there is one.", True)
    chip: str = _said("Its LEDs: ws2812, sk6812, sk6812w (with white) or apa102.", "ws2812")
    spi_bus: int = _said("The SPI bus whose MOSI line feeds it; nothing else may sit on that bus.", 0, 0, 255)
    transfer: int = _said("Bytes that spidev sends without a gap, as its parameter bufsiz says.", 4096, 512, 65536)
    layout: str = _said("How the strip runs along the holes: lanes, zigzag or serpentine.", "serpentine")
    lanes: int = _said("Lanes it runs along; 0 for as many as the game has (a serpentine for three needs 3).", 0, 0, 3)
    start_holes: bool = _said("Whether it begins with two LEDs a lane for the start holes.", False)
    shared_game_hole: bool = _said("Whether all lanes end in one LED for the game hole.", False)
    budget_ma: int = _said("Current in milliamperes that no frame exceeds.", 1000, 1, 100_000)
    brightness: float = _said("Brightness of the whole strip, 0 to 1.", 0.5, 0.0, 1.0)
    night_from: str = _said("When the night begins, such as 22:00; empty for never.", "")
    night_until: str = _said("When the night ends.", "07:00")
    night_brightness: float = _said("Brightness at night, 0 to 1.", 0.1, 0.0, 1.0)


@dataclass(frozen=True)
class SettingsSource:
    """Which file settings come from, and on which of its lines (from 1) each stands, by names such as "table.house"."""

    file: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether the file sets it."""
        return name in self.lines

    def without(self, names: Iterable[str]) -> "SettingsSource":
        """The same without settings that come from elsewhere, such as an option."""
        others = self.lines.keys() - set(names)
        return replace(self, lines={name: line for name, line in self.lines.items() if name in others})

    def place(self, name: str) -> str:
        """Where a setting stands: "pegboard.toml, line 7"; the file alone where the line is not known."""
        name = name.partition("[")[0]
        while name and name not in self.lines:
            name = name.rpartition(".")[0]
        return f"{self.file}, line {self.lines[name]}" if name else self.file

    def message_at(self, name: str, fault: Message) -> Message:
        """What is wrong with a setting, after its place: "pegboard.toml, line 7: ..."."""
        return Message("at_place", place=self.place(name), fault=fault)

    def message_of(self, error: DeviceError | SettingError) -> Message:
        """An error's message after the place of the first setting at fault that the file has, if it has one."""
        there = (name for name in error.settings if self.has(name) or self.has(_table_around(name)))
        return next((self.message_at(name, error.message) for name in there), error.message)


def _table_around(name: str) -> str:
    """The table that may hold a setting in one line: "keys.pins" of "keys.pins.a", none of "oled.chip"."""
    around = name.rpartition(".")[0]
    return around if "." in around else ""


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, by section.

    Attributes:
        more: sections of displays and inputs from other packages, by the names of their entry points, as read and
            frozen: lists are tuples. What such a section means is its package's; `enabled` alone is ours.
        unfit: what the file sets in the section of a device and cannot be taken, by names such as "strip.brightness",
            with a sentence that names its place: that device is out of order, and everything else plays on.
        origin: where all of it was read.
    """

    table: TableSettings = TableSettings()
    web: WebSettings = WebSettings()
    keys: KeySettings = field(default_factory=KeySettings)
    keypad: KeypadSettings = KeypadSettings()
    oled: OledSettings = OledSettings()
    strip: StripSettings = StripSettings()
    more: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, metadata={"section": False})
    unfit: Mapping[str, Message] = field(default_factory=dict, metadata={"section": False})
    origin: SettingsSource = field(default_factory=SettingsSource, compare=False, metadata={"section": False})


LONGEST_SHOWN = 60
"""Letters of a refused value that are said back."""

BITS = 64
"""Of the whole numbers of TOML, their sign included."""

DEVICES = ("keys", "keypad", "oled", "strip")
"""The sections of devices: a value in them costs that device and never the table."""


class _UnfitError(Exception):
    """A name in the file, and what is wrong with it."""

    def __init__(self, name: str, message: Message) -> None:
        super().__init__(name)
        self.name, self.message = name, message


class _UnfitValueError(_UnfitError):
    """The name is known, and its value cannot be taken."""


def sections(settings: Settings) -> dict[str, Any]:
    """The sections of the settings by name, in their order."""
    return {f.name: getattr(settings, f.name) for f in fields(settings) if f.metadata.get("section", True)}


def require_fit(settings: Settings, section: str = "") -> None:
    """Refuse values of a device's section, or of any, that cannot be taken.

    Raises:
        SettingError: there is one.
    """
    for name, message in settings.unfit.items():
        if name.startswith(f"{section}." if section else ""):
            raise SettingError(message)


def read(path: Path, default: Settings | None = None, strangers: Collection[str] = ()) -> Settings:
    """The settings in a TOML file; what it leaves out is as in `default`.

    Args:
        path: the file.
        default: what holds where the file says nothing.
        strangers: the names of displays and inputs from other packages, each of which may have a section.

    Raises:
        SettingError: the file cannot be read, is not TOML, or names or sets something that is not taken; a device's
            value alone is told in `unfit`.
    """
    try:
        text = path.read_text("utf-8")
        tables = tomllib.loads(text)
    except OSError as error:
        raise SettingError("settings_unreadable", path=path, error=error.strerror) from error
    except UnicodeDecodeError as error:
        raise SettingError("settings_encoding", path=path) from error
    except tomllib.TOMLDecodeError as error:
        raise SettingError("settings_toml", path=path, error=error) from error
    except ValueError as error:  # Python reads no number of more than 4300 digits
        raise SettingError("settings_long_number", path=path) from error
    origin = SettingsSource(str(path), _lines_of(text, tables))
    try:
        settings = _settings(default or Settings(), tables, strangers)
    except _UnfitError as error:
        raise SettingError(origin.message_at(error.name, error.message)) from None
    unfit = {name: origin.message_at(name, fault) for name, fault in settings.unfit.items()}
    return replace(settings, origin=origin, unfit=unfit)


def _settings(default: Settings, tables: dict[str, Any], strangers: Collection[str]) -> Settings:
    foreign = set(strangers) - set(sections(default))
    own = {name: table for name, table in tables.items() if name not in foreign}
    unfit: dict[str, Message] = {}
    settings: Settings = _section(default, own, "", unfit, sorted(foreign))
    more = {name: _foreign(name, table, unfit) for name, table in tables.items() if name in foreign}
    return replace(settings, more=types.MappingProxyType({**default.more, **more}), unfit=unfit)


def _foreign(name: str, table: Any, unfit: dict[str, Message]) -> Mapping[str, Any]:
    _refuse_no_section(name, table)
    if type(table.get("enabled", True)) is not bool:
        value = _shown(table["enabled"])
        unfit[f"{name}.enabled"] = Message("setting_type", name=f"{name}.enabled", taken="true or false", value=value)
    huge = [key for key, value in table.items() if _has_huge(value)]
    unfit |= {f"{name}.{key}": Message("setting_huge", name=f"{name}.{key}") for key in huge}
    frozen: Mapping[str, Any] = _frozen({key: value for key, value in table.items() if key not in huge})
    return frozen


def _has_huge(value: Any) -> bool:
    """Whether a value is, or has in it, a whole number beyond what TOML promises to hold, and Python may not write."""
    match value:
        case int():
            return value.bit_length() >= BITS
        case dict():
            return any(map(_has_huge, value.values()))
        case list():
            return any(map(_has_huge, value))
    return False


def _shown(value: Any) -> str:
    """A refused value as it is said back: cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4300 digits
        return "..."
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return types.MappingProxyType({key: _frozen(item) for key, item in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _refuse_no_section(name: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise _UnfitError(name, Message("setting_section", name=name, value=_shown(value)))


_HEADER = re.compile(r"""\s*\[\s*([\w.'"\s-]+?)\s*\]""")
_KEY = re.compile(r"""\s*([\w.'"-]+(?:\s*\.\s*[\w.'"-]+)*)\s*=""")


def _lines_of(text: str, tables: Mapping[str, Any]) -> dict[str, int]:
    """The line of each section and setting in TOML that holds `tables`; the parser tells none.

    What is written in an unusual way, such as a section in one line, has the line of its section.
    """
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            section = _bare(header[1]) + "."
            lines.setdefault(section[:-1], number)
        elif key := _KEY.match(line):
            lines.setdefault(section + _bare(key[1]), number)
    inside = {f"{name}.{key}": name for name, table in tables.items() if isinstance(table, dict) for key in table}
    return {name: lines.get(name, lines.get(section, 1)) for name, section in inside.items()} | lines


def _bare(name: str) -> str:
    return re.sub(r"""['"\s]""", "", name)


def _section(
    default: Any, table: dict[str, Any], prefix: str, unfit: dict[str, Message], foreign: Sequence[str] = ()
) -> Any:
    """A section with what `table` sets; the values of devices that cannot be taken are added to `unfit` instead."""
    kinds = typing.get_type_hints(type(default))
    told = {f.name: f for f in fields(default) if f.metadata.get("section", True)}
    changes: dict[str, Any] = {}
    for name, value in table.items():
        if name not in told:
            raise _UnfitError(prefix + name, _unknown(prefix + name, [*(prefix + known for known in told), *foreign]))
        old = getattr(default, name)
        if is_dataclass(old):
            _refuse_no_section(name, value)
            changes[name] = _section(old, value, f"{name}.", unfit)
            continue
        try:
            changes[name] = _value(prefix + name, value, kinds[name], told[name])
        except _UnfitValueError as error:
            if prefix[:-1] not in DEVICES:
                raise
            unfit[error.name] = error.message
    return replace(default, **changes)


def _unknown(name: str, known: list[str]) -> Message:
    near = difflib.get_close_matches(name, known, 1)
    if near:
        return Message("setting_meant", name=repr(name), meant=repr(near[0]))
    return Message("setting_unknown", name=repr(name), known=", ".join(known))


def _value(name: str, value: Any, kind: Any, told: Field[Any]) -> Any:
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and isinstance(value, list):
        return tuple(_value(f"{name}[{place}]", item, inside[0], told) for place, item in enumerate(value))
    if origin is dict and isinstance(value, dict):
        assert told.default_factory is not MISSING
        given = {key: _value(f"{name}.{key}", item, inside[1], told) for key, item in value.items()}
        return told.default_factory() | given
    is_number = kind is float and type(value) is int
    least, most = told.metadata.get("least"), told.metadata.get("most")
    is_limited = least is not None
    if origin is not None or not (is_number or type(value) is kind) or (_has_huge(value) and not is_limited):
        taken, shown = _kind_in_words(kind), _shown(value)
        raise _UnfitValueError(name, Message("setting_type", name=name, taken=taken, value=shown))
    if is_limited and not least <= value <= most:
        values = {"name": name, "taken": _kind_in_words(kind), "value": _shown(value)}
        raise _UnfitValueError(name, Message("setting_range", least=least, most=most, **values))
    return float(value) if is_number else value


def _kind_in_words(kind: Any) -> str:
    if isinstance(kind, types.GenericAlias):
        inside = typing.get_args(kind)
        return f"a list of {_kind_in_words(inside[0]).split(' ', 1)[1]}s" if kind.__origin__ is tuple else "a table"
    return {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}[kind]


def as_toml(settings: Settings) -> str:
    """The settings as TOML that `read` takes, each under its sentence; sections of other packages have none."""
    own = [_section_as_toml(name, section) for name, section in sections(settings).items()]
    return "\n".join([*own, *(_foreign_as_toml(name, table) for name, table in settings.more.items())])


def _section_as_toml(name: str, section: Any) -> str:
    lines = [f"# {f.metadata['sentence']}\n{f.name} = {literal(getattr(section, f.name))}\n" for f in fields(section)]
    return f"[{name}]\n" + "".join(lines)


def _foreign_as_toml(name: str, table: Mapping[str, Any]) -> str:
    return f"[{_key(name)}]\n" + "".join(f"{_key(key)} = {literal(value)}\n" for key, value in table.items())


def literal(value: Any) -> str:
    """A setting's value as TOML writes it."""
    match value:
        case Mapping():
            return "{ " + ", ".join(f"{_key(key)} = {literal(item)}" for key, item in value.items()) + " }"
        case list() | tuple():
            return f"[{', '.join(map(literal, value))}]"
        case dt.date() | dt.time():
            return value.isoformat()
        case float() if not math.isfinite(value):
            return str(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else literal(name)
