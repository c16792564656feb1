"""Configuration: settings as frozen dataclasses by section; every setting has a description and a default."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from pegboard.errors import NamesSettings, SettingError
from pegboard.messages import Message


def _setting(sentence: str, default: Any, least: float | None = None, most: float | None = None) -> Any:
    """A dataclass field for a setting; a number must be from `least` to `most`."""
    metadata = {"sentence": sentence, "least": least, "most": most}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class TableSettings:
    """[table]: preset, variant, players, house rules and match format."""

    preset: str = _setting(
        'Printed rule sheet to play by, such as "1922 laws"; it sets the variant and its rules. Empty for none.', ""
    )
    variant: str = _setting("Variant of the first game; the variant of later games can be set on a phone.", "standard")
    players: tuple[str, ...] = _setting(
        "Player names in seat order, one for each seat of the variant.",
        ("Ann", "Bob", "Cy", "Dee", "Player 5", "Player 6"),
    )
    house: tuple[str, ...] = _setting(
        'House rules for every new game, such as ["muggins=on", "worth=games 1-2-4"].', ()
    )
    match: str = _setting("Match format: open, single, best of 3, best of 5, best of 7 or first to N.", "open")
    board: str = _setting(
        "Board on every display: streets (four rows of 30 for 121) or classic (down the outside, up the inside, twice "
        "around for 121).",
        "streets",
    )


@dataclass(frozen=True)
class WebSettings:
    """[web]: the pages and the API."""

    host: str = _setting("Address to listen on; 0.0.0.0 for all addresses.", "0.0.0.0")  # noqa: S104 - phones must reach the Pi
    port: int = _setting("Port to listen on.", 8080, 0, 65535)
    open: bool = _setting("Let anyone who can reach the table score, without pairing.", False)
    names: tuple[str, ...] = _setting(
        "Extra host names the table answers to; its own name and any IP address always work.", ()
    )
    viewers: int = _setting("Maximum number of live event streams.", 1024, 1, 100_000)
    viewers_per_address: int = _setting(
        "Maximum number of live event streams per address (this machine is exempt).", 16, 1, 100_000
    )
    connections_per_address: int = _setting(
        "Maximum number of connections per address (this machine and the proxies are exempt).", 128, 8, 100_000
    )
    requests_a_second: float = _setting("Requests per second allowed from one address.", 50.0, 1, 100_000)
    requests_at_once: int = _setting("Requests allowed in one burst.", 200, 1, 100_000)
    commands_a_second: float = _setting("Commands per second allowed from one device.", 10.0, 0.1, 100_000)
    commands_at_once: int = _setting("Commands allowed in one burst.", 30, 1, 100_000)
    pairings_a_minute: int = _setting("Pairing codes one address can try per minute.", 5, 1, 100_000)
    throttle_loopback: bool = _setting(
        "Apply these limits to this machine too; a proxy not listed in `proxies` is never exempt.",
        False,
    )
    paired_h: float = _setting("Hours a device stays paired.", 12.0, 0.01, 8760)
    code_s: float = _setting("Seconds a pairing code is valid.", 600.0, 60, 86400)
    code_tries: int = _setting("Number of wrong codes before the table shows a new code.", 10, 1, 1000)
    certificate: str = _setting("HTTPS certificate file (PEM, with its chain); empty for plain HTTP.", "")
    key: str = _setting("Private key file of the certificate (PEM, without a password).", "")
    proxies: tuple[str, ...] = _setting(
        "Addresses or networks of trusted proxies (X-Forwarded-For, -Host and -Proto).", ()
    )


@dataclass(frozen=True)
class KeySettings:
    """[keys]: the buttons."""

    enabled: bool = _setting("Use the keys.", True)
    scheme: str = _setting(
        "several: one key for each amount; single: one key per player, on the lane's first pin.", "several"
    )
    values: tuple[int, ...] = _setting("Points of each player's keys, in pin order.", (1, 2, 5), 1, 29)
    pins: dict[str, tuple[int, ...]] = _setting(
        "BCM pins of each lane's keys, by lane letter.",
        {"a": (4, 5, 6), "b": (12, 13, 22), "c": (23, 24, 25)},
        0,
        27,
    )
    undo_pin: int = _setting("BCM pin of the UNDO key.", 26, 0, 27)
    deal_pin: int = _setting("BCM pin of the DEAL key.", 27, 0, 27)
    pull_up: bool = _setting("Use the Pi's pull-ups; keys connect to ground.", True)
    silence_s: float = _setting("Seconds after the last press before the points peg.", 1.2, 0.1, 60)
    hold_s: float = _setting("Seconds to hold a player's key to peg at once.", 0.8, 0.1, 60)
    single_values: tuple[int, ...] = _setting(
        "With single keys: points for a short press, and for each long_s the key is held.", (1, 5), 1, 29
    )
    long_s: float = _setting("With single keys: seconds until a press counts as long.", 0.5, 0.1, 60)
    undo_hold_s: float = _setting(
        "Seconds to hold UNDO to ask for a new game (with DEAL: to shut down), and again to confirm.", 3.0, 0.5, 60
    )
    question_s: float = _setting("Seconds that the question about a new game or a shutdown stays open.", 10.0, 1, 600)
    lockout_s: float = _setting("Debounce time: seconds a key is ignored after each change.", 0.025, 0.001, 1)
    stuck_s: float = _setting("Seconds until a key that is still down is reported as stuck and ignored.", 30.0, 5, 3600)


@dataclass(frozen=True)
class KeypadSettings:
    """[keypad]: a numeric keypad on USB or Bluetooth."""

    enabled: bool = _setting("Use a keypad.", False)
    device: str = _setting(
        "Device file, such as /dev/input/by-id/usb-...-event-kbd; empty to use the keypad that is found.", ""
    )
    enters: tuple[str, ...] = _setting("The ENTER key of each lane.", ("KEY_KPENTER", "KEY_KPPLUS", "KEY_KPMINUS"))
    undo: str = _setting("The UNDO key.", "KEY_KPDOT")
    deal: str = _setting("The DEAL key.", "KEY_KPSLASH")


@dataclass(frozen=True)
class OledSettings:
    """[oled]: the small panel."""

    enabled: bool = _setting("Use a panel.", True)
    chip: str = _setting("Controller: ssd1306, sh1106, ssd1309, ssd1327 or ssd1351.", "ssd1306")
    wire: str = _setting("Connection: i2c or spi.", "i2c")
    size: str = _setting("Columns and rows: 128x64 or 128x32; gray and color panels also 128x128.", "128x64")
    layout: str = _setting(
        "Layout: board (as table.board says), streets, classic (both show every hole) or far (large digits).",
        "board",
    )
    i2c_bus: int = _setting("I2C bus number.", 1, 0, 255)
    address: int = _setting("I2C address.", 0x3C, 0x03, 0x77)
    spi_bus: int = _setting("SPI bus number.", 1, 0, 255)
    spi_hz: int = _setting("SPI clock in hertz.", 8_000_000, 100_000, 20_000_000)
    dc_pin: int = _setting("BCM pin of an SPI panel's D/C line.", 16, 0, 27)
    reset_pin: int = _setting("BCM pin of an SPI panel's RST line.", 17, 0, 27)
    bus_hz: int = _setting(
        "I2C clock in hertz as set on the Pi; used to estimate transfer times.", 400_000, 10_000, 5_000_000
    )
    rotate: int = _setting("Quarter turns: 0, or 2 if the panel is upside down.", 0)
    contrast: int = _setting("Contrast, 0 to 255; lower values make the panel last longer.", 0xCF, 0, 255)
    dim_s: float = _setting("Idle seconds until the panel dims; 0 for never.", 120.0, 0, 86400)
    blank_s: float = _setting("Idle seconds until the panel goes dark; 0 for never.", 900.0, 0, 86400)
    shift_s: float = _setting("Seconds between one-pixel shifts against burn-in; 0 for never.", 60.0, 0, 86400)
    renew_s: float = _setting(
        "Seconds between full refreshes, in case the panel lost power; 0 for never.",
        10.0,
        0,
        86400,
    )


@dataclass(frozen=True)
class StripSettings:
    """[strip]: the LED strip along the track."""

    enabled: bool = _setting("Use an LED strip.", True)
    chip: str = _setting("LED chip: ws2812, sk6812, sk6812w (with white) or apa102.", "ws2812")
    spi_bus: int = _setting("SPI bus whose MOSI line feeds the strip; nothing else may use that bus.", 0, 0, 255)
    transfer: int = _setting("Bytes spidev sends without a gap (its bufsiz parameter).", 4096, 512, 65536)
    layout: str = _setting(
        "How the strip follows the holes: board (as table.board says; streets are serpentine), lanes, zigzag, "
        "serpentine or classic.",
        "board",
    )
    lanes: int = _setting(
        "Number of lanes along the strip; 0 for as many as the game has (a three-lane serpentine or classic needs 3).",
        0,
        0,
        3,
    )
    start_holes: bool = _setting("Two extra LEDs at the start of each lane, for the start holes.", False)
    shared_game_hole: bool = _setting("One LED for the game hole, shared by all lanes.", False)
    fives: bool = _setting("Mark every fifth hole with a faint light.", False)
    games_won: dict[str, tuple[int, ...]] = _setting(
        "LEDs after the track that count games won, by lane letter, such as { a = [243, 244], b = [245, 246] }; the "
        "first LED of the strip is 1.",
        {},
        1,
        4000,
    )
    budget_ma: int = _setting("Maximum current in milliamperes.", 1000, 1, 100_000)
    brightness: float = _setting("Brightness, 0 to 1.", 0.5, 0.0, 1.0)
    night_from: str = _setting("Start of the night, such as 22:00; empty for none.", "")
    night_until: str = _setting("End of the night.", "07:00")
    night_brightness: float = _setting("Brightness at night, 0 to 1.", 0.1, 0.0, 1.0)


@dataclass(frozen=True)
class MqttSettings:
    """[mqtt]: the table on an MQTT broker, and in Home Assistant."""

    broker: str = _setting("Broker name or address (not a URL), such as homeassistant.local; empty for none.", "")
    port: int = _setting("Broker port; 0 for 1883, or 8883 with TLS.", 0, 0, 65535)
    user: str = _setting("User name at the broker; empty for none.", "")
    password_file: str = _setting("File whose first line is the password.", "")
    tls: bool = _setting("Encrypt the connection.", False)
    ca_file: str = _setting("Trusted certificates (PEM); empty for this machine's own.", "")
    table: str = _setting("Table name on the broker; empty for this machine's name.", "")
    prefix: str = _setting("Topic prefix for the table.", "pegboard")
    discovery: str = _setting("Home Assistant discovery topic; empty to turn discovery off.", "homeassistant")


@dataclass(frozen=True)
class HubSettings:
    """[hub]: the event's hub, which receives the table's games."""

    url: str = _setting("Broker of the hub, such as mqtt://192.168.1.20 or mqtts://hub.local; empty for none.", "")
    event: str = _setting("Name of the event at the hub.", "")
    table: str = _setting("Name of this table at the hub; also its user name at the broker.", "")
    password_file: str = _setting("File whose first line is the broker password; empty for none.", "")
    ca_file: str = _setting("Trusted certificates (PEM); empty for this machine's own.", "")
    certificate: str = _setting("The table's own certificate (PEM); empty for none.", "")
    key: str = _setting("Private key of that certificate (PEM, without a password).", "")


@dataclass(frozen=True)
class SettingsSource:
    """The settings file, and the line number (from 1) of each setting by names such as "table.house"."""

    file: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether the file has this setting."""
        return name in self.lines

    def without(self, names: Iterable[str]) -> "SettingsSource":
        """The same source without settings that come from elsewhere, such as a command-line option."""
        others = self.lines.keys() - set(names)
        return replace(self, lines={name: line for name, line in self.lines.items() if name in others})

    def place(self, name: str) -> str:
        """The location of a setting: "pegboard.toml, line 7"; only the file if the line is unknown."""
        name = name.partition("[")[0]
        while name and name not in self.lines:
            name = name.rpartition(".")[0]
        return f"{self.file}, line {self.lines[name]}" if name else self.file

    def message_at(self, name: str, fault: Message) -> Message:
        """A message about a setting, prefixed with its location: "pegboard.toml, line 7: ..."."""
        return Message("at_place", place=self.place(name), fault=fault)

    def message_of(self, error: NamesSettings) -> Message:
        """The message of an error, prefixed with the location of the first setting at fault in the file, if any."""
        there = (name for name in error.settings if self.has(name) or self.has(_table_around(name)))
        return next((self.message_at(name, error.message) for name in there), error.message)


def _table_around(name: str) -> str:
    """The setting whose inline TOML table can hold a setting: "keys.pins" for "keys.pins.a", "" for "oled.chip"."""
    around = name.rpartition(".")[0]
    return around if "." in around else ""


@dataclass(frozen=True)
class Settings:
    """All settings, by section.

    Attributes:
        more: sections of displays and inputs from other packages, by entry point name, with tuples for lists. Only
            `enabled` is used here; the rest is for the package itself.
        unfit: invalid values in sections of devices, by names such as "strip.brightness", each with a message that
            names its location. Only that device is disabled; everything else works.
        origin: the settings file, with the line of each setting.
    """

    table: TableSettings = TableSettings()
    web: WebSettings = WebSettings()
    keys: KeySettings = field(default_factory=KeySettings)
    keypad: KeypadSettings = KeypadSettings()
    oled: OledSettings = OledSettings()
    strip: StripSettings = field(default_factory=StripSettings)
    mqtt: MqttSettings = MqttSettings()
    hub: HubSettings = HubSettings()
    more: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, metadata={"section": False})
    unfit: Mapping[str, Message] = field(default_factory=dict, metadata={"section": False})
    origin: SettingsSource = field(default_factory=SettingsSource, compare=False, metadata={"section": False})


DEVICES = ("keys", "keypad", "oled", "strip", "mqtt", "hub")
"""Sections of devices: an invalid value disables only that device, never the table."""


def sections(settings: Settings) -> dict[str, Any]:
    """The sections of the settings by name, in order."""
    return {f.name: getattr(settings, f.name) for f in fields(settings) if f.metadata.get("section", True)}


def require_fit(settings: Settings, section: str = "") -> None:
    """Check that a device's section, or every section, has no invalid values.

    Raises:
        SettingError: there is an invalid value.
    """
    for name, message in settings.unfit.items():
        if name.startswith(f"{section}." if section else ""):
            raise SettingError(message)
