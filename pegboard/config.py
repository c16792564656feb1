"""Settings: frozen values by section; every setting has a sentence and a default."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from pegboard.errors import NamesSettings, SettingError
from pegboard.messages import Message


def _setting(sentence: str, default: Any, least: float | None = None, most: float | None = None) -> Any:
    """A setting; a number must be from `least` to `most`."""
    metadata = {"sentence": sentence, "least": least, "most": most}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class TableSettings:
    """[table]: who plays what."""

    variant: str = _setting("The variant that is played; later games may be chosen otherwise on a phone.", "standard")
    players: tuple[str, ...] = _setting(
        "Who plays, in seat order: as many of them as the variant has seats.", ("Ann", "Bob", "Cy", "Dee")
    )
    house: tuple[str, ...] = _setting(
        'House rules for every game that begins, such as ["muggins=on", "worth=games 1-2-4"].', ()
    )
    match: str = _setting(
        "The format of the match: open, single, best of 3, best of 5, best of 7 or first to N.", "open"
    )


@dataclass(frozen=True)
class WebSettings:
    """[web]: the pages and the API."""

    host: str = _setting("The address to listen on; 0.0.0.0 for every one.", "0.0.0.0")  # noqa: S104 - phones must reach the Pi
    port: int = _setting("The port to listen on.", 8080, 0, 65535)
    open: bool = _setting("Whether everybody who reaches the table may score (a kitchen table, no pairing).", False)
    names: tuple[str, ...] = _setting("Host names the table answers to, besides its own and any IP address.", ())
    viewers: int = _setting("How many live event streams are served at once.", 1024, 1, 100_000)
    viewers_per_address: int = _setting(
        "How many of them may come from one address (this machine's own is exempt).", 16, 1, 100_000
    )
    connections_per_address: int = _setting(
        "How many connections one address may hold (this machine's own and the proxies are exempt).", 128, 8, 100_000
    )
    requests_a_second: float = _setting("How many requests of one address are answered a second.", 50.0, 1, 100_000)
    requests_at_once: int = _setting("How many of them may come at once.", 200, 1, 100_000)
    commands_a_second: float = _setting("How many commands of one device are taken a second.", 10.0, 0.1, 100_000)
    commands_at_once: int = _setting("How many of them may come at once.", 30, 1, 100_000)
    pairings_a_minute: int = _setting("How many codes one address may try a minute.", 5, 1, 100_000)
    throttle_loopback: bool = _setting(
        "Whether these limits hold for this machine itself, too; a proxy that is none of `proxies` is not exempt.",
        False,
    )
    paired_h: float = _setting("Hours for which a device stays paired.", 12.0, 0.01, 8760)
    code_s: float = _setting("Seconds for which a code counts.", 600.0, 60, 86400)
    code_tries: int = _setting("Wrong codes after which the table shows a new one.", 10, 1, 1000)
    certificate: str = _setting(
        "The file of the certificate for https (PEM, with its chain); empty for plain http.", ""
    )
    key: str = _setting("The file of its private key (PEM, without a password).", "")
    proxies: tuple[str, ...] = _setting(
        "Addresses or networks of proxies whose X-Forwarded-For, -Host and -Proto are believed.", ()
    )


@dataclass(frozen=True)
class KeySettings:
    """[keys]: the buttons."""

    enabled: bool = _setting("Whether there are any.", True)
    scheme: str = _setting(
        "several: a key for each of values; single: one key a player, on the first of the lane's pins.", "several"
    )
    values: tuple[int, ...] = _setting("Points of each player's keys, in the order of their pins.", (1, 2, 5), 1, 29)
    pins: dict[str, tuple[int, ...]] = _setting(
        "BCM numbers of each lane's keys, by lane letter.",
        {"a": (4, 5, 6), "b": (12, 13, 22), "c": (23, 24, 25)},
        0,
        27,
    )
    undo_pin: int = _setting("BCM number of the UNDO key.", 26, 0, 27)
    deal_pin: int = _setting("BCM number of the DEAL key.", 27, 0, 27)
    pull_up: bool = _setting("Whether the keys connect to ground and the Pi pulls the line up.", True)
    silence_s: float = _setting("Seconds of silence after which a dialled amount pegs.", 1.2, 0.1, 60)
    hold_s: float = _setting("Seconds a player's key is held to peg at once.", 0.8, 0.1, 60)
    single_values: tuple[int, ...] = _setting(
        "With single keys: points of a short press, and of each long_s that the key stays down.", (1, 5), 1, 29
    )
    long_s: float = _setting("With single keys: seconds after which a press is long.", 0.5, 0.1, 60)
    undo_hold_s: float = _setting(
        "Seconds UNDO is held to ask for a new game, or with DEAL to switch off, and again to do so.", 3.0, 0.5, 60
    )
    question_s: float = _setting("Seconds the question for a new game stands.", 10.0, 1, 600)
    lockout_s: float = _setting(
        "Seconds a key is deaf after each change, until its contacts have come to rest.", 0.025, 0.001, 1
    )
    stuck_s: float = _setting(
        "Seconds after which a key that is still down is reported as stuck and ignored.", 30.0, 5, 3600
    )


@dataclass(frozen=True)
class KeypadSettings:
    """[keypad]: a numeric keypad on USB or Bluetooth."""

    enabled: bool = _setting("Whether there is one.", False)
    device: str = _setting(
        "Its file, such as /dev/input/by-id/usb-...-event-kbd; empty for the keypad that is found.", ""
    )
    enters: tuple[str, ...] = _setting(
        "The key with which each lane pegs what has been typed.", ("KEY_KPENTER", "KEY_KPPLUS", "KEY_KPMINUS")
    )
    undo: str = _setting("Its UNDO key.", "KEY_KPDOT")
    deal: str = _setting("Its DEAL key.", "KEY_KPSLASH")


@dataclass(frozen=True)
class OledSettings:
    """[oled]: the small panel."""

    enabled: bool = _setting("Whether there is one.", True)
    chip: str = _setting("Its controller: ssd1306, sh1106, ssd1309, ssd1327 or ssd1351.", "ssd1306")
    wire: str = _setting("What it hangs on: i2c or spi.", "i2c")
    size: str = _setting("Columns and rows: 128x64 or 128x32; grey and colour panels take 128x128 too.", "128x64")
    layout: str = _setting("What it shows: streets (every hole), or far (large digits over a small track).", "streets")
    i2c_bus: int = _setting("The I2C bus it hangs on.", 1, 0, 255)
    address: int = _setting("Its I2C address.", 0x3C, 0x03, 0x77)
    spi_bus: int = _setting("The SPI bus it hangs on.", 1, 0, 255)
    spi_hz: int = _setting("The clock of the SPI bus.", 8_000_000, 100_000, 20_000_000)
    dc_pin: int = _setting("BCM number of an SPI panel's line D/C.", 16, 0, 27)
    reset_pin: int = _setting("BCM number of an SPI panel's line RST.", 17, 0, 27)
    bus_hz: int = _setting(
        "The clock of the bus, as set on the Pi; used to tell wire times.", 400_000, 10_000, 5_000_000
    )
    rotate: int = _setting("Quarter turns: 0, or 2 for a panel mounted upside down.", 0)
    contrast: int = _setting("Contrast, 0 to 255; less is kinder to the panel.", 0xCF, 0, 255)
    dim_s: float = _setting("Seconds without news after which it is dimmed; 0 for never.", 120.0, 0, 86400)
    blank_s: float = _setting("Seconds without news after which it goes dark; 0 for never.", 900.0, 0, 86400)
    shift_s: float = _setting("Seconds after which the picture moves by a pixel; 0 for never.", 60.0, 0, 86400)
    renew_s: float = _setting(
        "Seconds after which it is told everything again, as it may have lost its power unnoticed; 0 for never.",
        10.0,
        0,
        86400,
    )


@dataclass(frozen=True)
class StripSettings:
    """[strip]: the LED strip along the track."""

    enabled: bool = _setting("Whether there is one.", True)
    chip: str = _setting("Its LEDs: ws2812, sk6812, sk6812w (with white) or apa102.", "ws2812")
    spi_bus: int = _setting("The SPI bus whose MOSI line feeds it; nothing else may sit on that bus.", 0, 0, 255)
    transfer: int = _setting("Bytes that spidev sends without a gap, as its parameter bufsiz says.", 4096, 512, 65536)
    layout: str = _setting("How the strip runs along the holes: lanes, zigzag or serpentine.", "serpentine")
    lanes: int = _setting(
        "Lanes it runs along; 0 for as many as the game has (a serpentine for three needs 3).", 0, 0, 3
    )
    start_holes: bool = _setting("Whether it begins with two LEDs a lane for the start holes.", False)
    shared_game_hole: bool = _setting("Whether all lanes end in one LED for the game hole.", False)
    budget_ma: int = _setting("Current in milliamperes that no frame exceeds.", 1000, 1, 100_000)
    brightness: float = _setting("Brightness of the whole strip, 0 to 1.", 0.5, 0.0, 1.0)
    night_from: str = _setting("When the night begins, such as 22:00; empty for never.", "")
    night_until: str = _setting("When the night ends.", "07:00")
    night_brightness: float = _setting("Brightness at night, 0 to 1.", 0.1, 0.0, 1.0)


@dataclass(frozen=True)
class MqttSettings:
    """[mqtt]: the table on an MQTT broker, and in Home Assistant."""

    broker: str = _setting("The broker's name or address, such as homeassistant.local, and no URL; empty for none.", "")
    port: int = _setting("Its port; 0 for 1883, or 8883 with TLS.", 0, 0, 65535)
    user: str = _setting("The user name that it knows the table by; empty for none.", "")
    password_file: str = _setting("The file whose first line is the password.", "")
    tls: bool = _setting("Whether the connection is encrypted.", False)
    ca_file: str = _setting("The file of the certificates that are trusted (PEM); empty for those of this machine.", "")
    table: str = _setting("What the table is called there; empty for the name of this machine.", "")
    prefix: str = _setting("The topic that the table is published under.", "pegboard")
    discovery: str = _setting(
        "The topic that Home Assistant finds devices under; empty to tell it nothing.", "homeassistant"
    )


@dataclass(frozen=True)
class HubSettings:
    """[hub]: the hub of a tournament night, which the table sends its games to."""

    url: str = _setting("The hub's broker, such as mqtt://192.168.1.20 or mqtts://hub.local; empty for none.", "")
    event: str = _setting("The event that the table plays at, as the hub calls it.", "")
    table: str = _setting("The table's name there, which is its user name at the broker, too.", "")
    password_file: str = _setting("The file whose first line is its password at the broker; empty for none.", "")
    ca_file: str = _setting("The file of the certificates that are trusted (PEM); empty for those of this machine.", "")
    certificate: str = _setting("The file of the table's own certificate (PEM); empty for none.", "")
    key: str = _setting("The file of that certificate's private key (PEM, without a password).", "")


@dataclass(frozen=True)
class SettingsSource:
    """The file that settings come from, and the line number (from 1) of each by names such as "table.house"."""

    file: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether the file has this setting."""
        return name in self.lines

    def without(self, names: Iterable[str]) -> "SettingsSource":
        """The same source without settings that come from elsewhere, such as an option."""
        others = self.lines.keys() - set(names)
        return replace(self, lines={name: line for name, line in self.lines.items() if name in others})

    def place(self, name: str) -> str:
        """Where a setting stands: "pegboard.toml, line 7"; the file alone where the line is not known."""
        name = name.partition("[")[0]
        while name and name not in self.lines:
            name = name.rpartition(".")[0]
        return f"{self.file}, line {self.lines[name]}" if name else self.file

    def message_at(self, name: str, fault: Message) -> Message:
        """A message about a setting, after its place: "pegboard.toml, line 7: ..."."""
        return Message("at_place", place=self.place(name), fault=fault)

    def message_of(self, error: NamesSettings) -> Message:
        """The message of an error, after the place of the first setting at fault that the file has, if any."""
        there = (name for name in error.settings if self.has(name) or self.has(_table_around(name)))
        return next((self.message_at(name, error.message) for name in there), error.message)


def _table_around(name: str) -> str:
    """The TOML table that can hold a setting in one line: "keys.pins" of "keys.pins.a"; none of "oled.chip"."""
    around = name.rpartition(".")[0]
    return around if "." in around else ""


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, by section.

    Attributes:
        more: sections of displays and inputs from other packages, by the names of their entry points, with tuples for
            lists. Only `enabled` means something here; the rest is for the package itself.
        unfit: values in the section of a device that are not accepted, by names such as "strip.brightness", each with a
            message that names its place: that device is out of order, and everything else works.
        origin: the file that all of it was read from.
    """

    table: TableSettings = TableSettings()
    web: WebSettings = WebSettings()
    keys: KeySettings = field(default_factory=KeySettings)
    keypad: KeypadSettings = KeypadSettings()
    oled: OledSettings = OledSettings()
    strip: StripSettings = StripSettings()
    mqtt: MqttSettings = MqttSettings()
    hub: HubSettings = HubSettings()
    more: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, metadata={"section": False})
    unfit: Mapping[str, Message] = field(default_factory=dict, metadata={"section": False})
    origin: SettingsSource = field(default_factory=SettingsSource, compare=False, metadata={"section": False})


DEVICES = ("keys", "keypad", "oled", "strip", "mqtt", "hub")
"""The sections of devices: a wrong value there disables that device, never the table."""


def sections(settings: Settings) -> dict[str, Any]:
    """The sections of the settings by name, in their order."""
    return {f.name: getattr(settings, f.name) for f in fields(settings) if f.metadata.get("section", True)}


def require_fit(settings: Settings, section: str = "") -> None:
    """Refuse values of a device's section, or of any, that are not accepted.

    Raises:
        SettingError: there is one.
    """
    for name, message in settings.unfit.items():
        if name.startswith(f"{section}." if section else ""):
            raise SettingError(message)
