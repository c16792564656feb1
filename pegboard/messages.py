"""Messages in English: `Message` class; catalog of refusals, questions and device troubles by key; terminal escaping.

An error or notice carries a key and values, so that no program needs to parse a sentence. Problem details and the state
pass both to the pages, whose translation catalogs have the same keys; `str()` gives the English sentence. A key can
also have an anchor on the rules page.
"""

import unicodedata
from collections.abc import Mapping
from typing import Any, Self

from pegboard.tournament_messages import (
    DESK_MESSAGES,
    HUB_IN_ENGLISH,
    HUB_MESSAGES,
    MOVEMENT_MESSAGES,
    NIGHT_MESSAGES,
    PACKAGE_MESSAGES,
    PLAYOFF_MESSAGES,
    POT_MESSAGES,
    RESULT_MESSAGES,
    TABLE_MESSAGES,
)


class Message(str):
    """A formatted message: a `str` with its English sentence, which keeps the key and values it was made from.

    Attributes:
        key: the key of its template.
        values: the values of its placeholders by name; a message among them is also translated.
    """

    __slots__ = ("key", "values")
    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, /, **values: object) -> Self:
        """Format the template of a key.

        Raises:
            KeyError: there is no such key, or the template has a placeholder without a value.
        """
        message = super().__new__(cls, MESSAGES[key][0].format_map(values))
        message.key = key
        message.values = {name: str(value) if isinstance(value, Exception) else value for name, value in values.items()}
        return message

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        return (self.key,), dict(self.values)

    @property
    def anchor(self) -> str | None:
        """The anchor on the rules page that explains the message, or its `fault`, or None."""
        fault = self.values.get("fault")
        own = MESSAGES[self.key][1]
        return own or (fault.anchor if isinstance(fault, Message) else None)

    @property
    def is_translated(self) -> bool:
        """Whether the catalogs translate the message and the messages among its values."""
        inner = (value for value in self.values.values() if isinstance(value, Message))
        return self.key in TRANSLATED and all(one.is_translated for one in inner)

    def as_json(self) -> dict[str, Any]:
        """Key and values for programs; numbers stay numbers, and a message among the values also has its `text`."""
        return {"key": self.key, "values": {name: _plain(value) for name, value in self.values.items()}}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Restore a message from `as_json` and its `text`; if its key is unknown to this version, use the text.

        Raises:
            ValueError: the values are not a message; the other errors of `BAD_MESSAGE_ERRORS` mean the same.
        """
        inner = {name: cls.from_json(one) if isinstance(one, dict) else one for name, one in values["values"].items()}
        if values["key"] in MESSAGES:
            return cls(values["key"], **inner)
        return cls("verbatim", text=values["text"])


BAD_MESSAGE_ERRORS = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""Exceptions that `Message.from_json` raises if the values are not a message."""


def capitalize(text: str) -> str:
    """The sentence with an initial capital."""
    return text[:1].upper() + text[1:]


STEERING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that control a terminal, reverse text direction, or end a line."""

JOINERS = "\u200c\u200d"
"""Characters of these categories that only join or separate their neighbors in a name."""


def escape_control(text: str) -> str:
    """Sanitize untrusted text for a terminal: control characters are escaped as in JSON."""
    if text.isprintable():
        return text
    steers = {letter for letter in set(text) - set(JOINERS) if unicodedata.category(letter) in STEERING}
    return "".join(_spell_out(letter) if letter in steers else letter for letter in text)


def _spell_out(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def message_json(text: str | None) -> dict[str, Any] | None:
    """Key and values of a message; None for other texts and for None."""
    return text.as_json() if isinstance(text, Message) else None


def _plain(value: object) -> Any:
    if isinstance(value, Message):
        return value.as_json() | {"text": str(value)}
    return value if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


_ON_PAGES: Mapping[str, tuple[str, str | None]] = {
    "after_the_end": (
        "line {line} came after the game had ended, so it does not count and cannot be marked as over-pegged",
        "over-peg",
    ),
    "alarm_director": ("in a strict game, only a director can dismiss alarms", "corrections"),
    "alarm_lasts": ("this alarm cannot be dismissed; it clears by itself when the problem is over", None),
    "command_unknown": ("no command with ID {id} is stored; you can still send it", None),
    "alarm_unknown": ("there is no alarm {id}; it may already have been dismissed", None),
    "amend_moved": ("line {line} now belongs to another player, so line {ruling} no longer fits it", "the-sheet"),
    "amend_no_why": ("line {line} already has no reason", "the-sheet"),
    "amend_nothing": (
        "a change needs at least one of `points`, `why` and `seat`",
        "the-sheet",
    ),
    "amend_penalty": ("the reason for a penalty cannot be changed; undo line {line} and enter it again", "the-sheet"),
    "amend_pinned": (
        "line {pin} set {name}'s pegs after line {line}; undo line {again} first, or set the pegs again",
        "the-sheet",
    ),
    "amend_same_lane": ("{name} pegs in the same lane, so moving line {line} would change nothing", "the-sheet"),
    "amend_to_penalty": ("a score cannot become a penalty; undo line {line} and enter it again", "the-sheet"),
    "amend_whose": ("line {line} is already {name}'s", "the-sheet"),
    "amend_why": ("line {line} already has the reason “{why}”", "the-sheet"),
    "are_at": ("{name} are at {hole}", None),
    "are_home": ("{name} are in the game hole", None),
    "backup_damaged": ("{path} is damaged: {fault}", None),
    "backup_event": ("journal entry {event} was altered or damaged", None),
    "backup_failed": ("cannot copy the journal: {error}", None),
    "backup_no_room": (
        "not enough space in {folder}: another backup needs {needed} MB, but only {free} MB are free",
        None,
    ),
    "backup_under_way": ("another process is making a backup in {folder}; try again later", None),
    "base_missing": ("`base` is missing; send the revision {seen} you saw (the current one is {now})", None),
    "brightness_contrast": ("the panel's contrast must be a whole number from 0 to {most}, not {value}", None),
    "brightness_director": ("only the director can change the table's settings", None),
    "brightness_not_kept": ("the brightness could not be saved ({fault}), so it is unchanged", None),
    "brightness_strip": ("the strip's brightness must be above 0 and at most 1, not {value}", None),
    "called_already": ("the name is already {name}", "names"),
    "called_now": ("that player is now called {name}, not {former}; check the names", "names"),
    "called_twice": ("two players are called {name}; give each a different name", "names"),
    "card_crib_of_four": ("a crib has four cards, not {cards}", "counted-cards"),
    "card_crib_starter": ("a crib is counted with the starter; add it", "counted-cards"),
    "card_flush_of": ("there is no flush of {flush}; use 0, {four} or {five}", "flush"),
    "card_flush_pair": (
        "a flush of {flush} cannot have two cards of the same rank; with these ranks, use {taken}",
        "flush",
    ),
    "card_flush_starter": ("a flush of {five} needs the starter; use 0 or {four}", "flush"),
    "card_hand_of_four": (
        "cannot count {cards} cards; a hand or crib has four (three in five-card), and the starter is given separately",
        "counted-cards",
    ),
    "card_no_card": (
        "{card} is not a card; use a rank ({ranks}) and a suit ({suits}), such as 10H, with spaces or commas between cards",
        "counters",
    ),
    "card_no_suit": ("{rank} has no suit; add one of {suits}", "counters"),
    "card_nobs_flush_five": (
        "a flush of {five} with a jack in hand always has nobs; use nobs=True or a flush of {four}",
        "nobs",
    ),
    "card_nobs_flush_four": (
        "a flush of {four} has no card of the starter's suit; use nobs=False or a flush of {five}",
        "nobs",
    ),
    "card_nobs_four": ("a hand of four jacks always has nobs, whatever the starter; use nobs=True", "nobs"),
    "card_nobs_jack": ("nobs needs a jack in hand and a starter that is not a jack; use nobs=False", "nobs"),
    "card_one_starter": ("the starter is one card, not {cards}", "counted-cards"),
    "card_rank_five": ("{rank} appears {times} times; a deck has four cards of each rank", "counters"),
    "card_suit_named": ("{card} has a suit, but only ranks are expected here; use {rank}", "counters"),
    "card_three_alone": ("a hand of {cards} cards needs the starter", "counted-cards"),
    "card_twice": ("{card} appears {times} times; a deck has each card once", "counters"),
    "catalog_blank": ("{key} is blank", None),
    "catalog_code": ("the file name must be a language code, such as de.json or pt-BR.json", None),
    "catalog_depth": (
        "this JSON cannot be read: the brackets are nested too deeply or a number is too long",
        None,
    ),
    "catalog_empty": ("the file is empty", None),
    "catalog_encoding": ("not UTF-8 from here on; save the file as UTF-8", None),
    "catalog_file": ("not a regular file", None),
    "catalog_form": ("{key} has the unknown plural form {form}; use zero, one, two, few, many or other", None),
    "catalog_half": ("{key} has half a character (a lone surrogate)", None),
    "catalog_json": (
        "not valid JSON: here or just before, a comma, quotation mark or bracket is missing or extra",
        None,
    ),
    "catalog_lacks": ("{key} is missing {names}", None),
    "catalog_large": ("the file is larger than {most} kB", None),
    "catalog_name": ('"language" must be the language\'s own name, 1 to {most} characters', None),
    "catalog_no_name": ('"language" is missing; give the language\'s own name', None),
    "catalog_no_section": ("en.json has no section {key}", None),
    "catalog_no_text": ("en.json has no text {key}", None),
    "catalog_object": ("the file must be a JSON object with sections of texts, like en.json", None),
    "catalog_other": ('{key} has plural forms but not "other"', None),
    "catalog_plural": ("{key} is a single text without plural forms", None),
    "catalog_same_name": ('"language" is {name}, which {file} already uses', None),
    "catalog_section": ("{key} must be a section: a JSON object with texts", None),
    "catalog_text": ("{key} must be a string, or an object with plural forms", None),
    "catalog_twice": ("{key} appears twice; the last one is used", None),
    "catalog_unknown": ("{key} uses {names}, but only the English text's placeholders can be used", None),
    "catalog_unreadable": ("the file cannot be read ({error})", None),
    "code_form": ("a code has {length} letters and digits, such as 7KQ2AB; check the code at the table", None),
    "confirmed": ("{name} has already confirmed the result", "confirm"),
    "connections": ("too many connections from {address}; close a page and try again in 2 seconds", None),
    "crib_is_dealers": ("the crib is the dealer's, and the dealer is {name}", "the-crib"),
    "deal_new": ("`new` must be true for a new deal or false for the current one, not {value}", "first-deal"),
    "deal_said": ("{name} is already set as dealer", "first-deal"),
    "deal_whose": (
        "`dealer` is missing; name the seat that deals now, or set `new` to true for a new deal",
        "first-deal",
    ),
    "device_backup": ("backups of the scores: {many}", None),
    "device_begins": ("cannot start: {fault}", None),
    "device_budget": (
        "{budget} mA is too low for {leds} LEDs; set strip.budget_ma to {least} or more",
        None,
    ),
    "device_current": ("{used} of {most} A", None),
    "device_keypad_digit": ("the digit {digit}", None),
    "device_keypad_enter": ("the ENTER of lane {lane}", None),
    "device_keypad_enters": ("[keypad] enters must list 1 to {most} keys, one for each lane, not {number}", None),
    "device_keypad_key": ("unknown keypad key {key}; use a Linux key name such as {such}", None),
    "device_keypad_twice": ("keypad key {key} is both {one} and {other}; change one of them", None),
    "device_keys_lane": ("[keys] pins has no lane {lane}; the lanes are {known}", "who-scores"),
    "device_keys_number": ("lane {lane} has {number} pins for the keys {amounts}; give one pin per key", None),
    "device_keys_scheme": ("unknown key scheme {scheme}; use several or single", None),
    "device_keys_single": (
        "keys.single_values must have two amounts, for a short and a long press, not {amounts}",
        None,
    ),
    "device_keys_stuck": ("keys.stuck_s is {seconds}; it must be longer than the longest hold, {longest} s", None),
    "device_keys_twice": ("the key values {amounts} repeat an amount; give each amount only once", None),
    "device_leds": ("{what} on SPI0, {number} LEDs", None),
    "device_line_oled_bus": ("the OLED's SPI bus", None),
    "device_line_oled_clock": ("the OLED's clock line", None),
    "device_line_oled_data": ("the OLED's data line", None),
    "device_line_oled_dc": ("the OLED's D/C line", None),
    "device_line_oled_reset": ("the OLED's RST line", None),
    "device_line_strip_bus": ("the LED strip's SPI bus", None),
    "device_line_strip_data": ("the LED strip's data line", None),
    "device_oled_chip": ("unknown OLED chip {chip}; use {known}", None),
    "device_oled_layout": ("unknown OLED layout {layout}; use {known}", None),
    "device_oled_size": ("{chip} does not come in {size} pixels; use {known}", None),
    "device_oled_turn": ("the OLED cannot be rotated by {turns} quarter turns; use 0 or 2", None),
    "device_oled_wire": ("{chip} cannot be connected over {wire}; set oled.wire to {known}", None),
    "device_on": ("{what} on I2C, {how}", None),
    "device_pin_held_key": (
        "{line} and the key {key} both use pin BCM {pin}, and the key keeps it; move one of them ({settings})",
        None,
    ),
    "device_pin_held_oled": (
        "{line} and {other} both use pin BCM {pin}, and the OLED keeps it; move one of them ({settings})",
        None,
    ),
    "device_pin_keys": (
        "the keys {key} and {other} both use pin BCM {pin}; move one of them ({settings})",
        None,
    ),
    "device_pin_same": ("{line} and {other} both use pin BCM {pin}; move one of them ({settings})", None),
    "device_pins": ("pins BCM {pins}", None),
    "device_strip_chip": ("unknown LED chip {chip}; use one of {known}", None),
    "device_strip_games_hole": (
        "LED {led} is a hole of the track; strip.games_won takes LEDs from {first} on",
        None,
    ),
    "device_strip_games_twice": (
        "strip.games_won has LED {led} twice, in lanes {other} and {lane}; give each LED once",
        None,
    ),
    "device_strip_lane": ("strip.games_won has no lane {lane}; the lanes are {known}", None),
    "device_strip_layout": ("unknown strip layout {layout}; use one of {known}", None),
    "device_strip_share": ("the strip's {setting} must be above 0 and at most 1, not {value}", None),
    "device_strip_time": ("the strip's {setting} must be a time of day such as 22:00, not {value}", None),
    "device_supply": ("5 V, as measured by the Pi's firmware", None),
    "device_transfer": (
        "{leds} LEDs need an SPI transfer of {needed} bytes, but the limit is {transfer}, enough for {fit} {chip} LEDs; {remedy}",
        None,
    ),
    "device_transfer_kernel": ("add spidev.bufsiz={bufsiz} to {file} and set strip.transfer = {transfer}", None),
    "device_transfer_lanes": ("for a strip along two lanes, set strip.lanes = 2; otherwise {remedy}", None),
    "device_transfer_set": ("set strip.transfer = {transfer}", None),
    "director_back": ("only the director can reopen the finished game", None),
    "director_finished": ("only the director can change a finished game", None),
    "director_house": ("only the director can choose house rules", "variants"),
    "director_match": ("only the director can start a match", "match"),
    "fell_short": ("the goal was not reached", None),
    "foreign_origin": ("pages from {origin} cannot change this table; open the table's own page", None),
    "game_is_over": ("the game is over: {ended}; only its lines can be changed", "game-hole"),
    "go_one": ("a go is 1 point, not {points}", "go"),
    "gone_already": ("line {line} is already undone", "the-sheet"),
    "has_deal": ("{name} already has the deal, and nothing has been scored in this deal yet", "first-deal"),
    "has_won": ("{name} has won", None),
    "have_won": ("{name} have won", None),
    "head_start_alone": ("there is no opponent at this table to start ahead of", "handicap"),
    "head_start_before": (
        "line {line} is a head start, which comes before the first points; undo line {line} first",
        "handicap",
    ),
    "head_start_given": ("there already is a head start of {holes} for {name}; undo line {line} first", "handicap"),
    "head_start_holes": (
        "a head start must end before the game hole {hole}: use 1 to {most} holes, not {holes}",
        "handicap",
    ),
    "head_start_late": (
        "line {line} has already been pegged; a head start is given before the first points",
        "handicap",
    ),
    "heels_again": ("heels were just pegged, and only one starter is turned per deal", "heels"),
    "heels_are_dealers": ("heels are the dealer's, and the dealer is {name}", "heels"),
    "heels_limit": ("at this table, heels score nothing from hole {hole} on; {there}", "heels"),
    "heels_played": ("heels come before the play, and {name} has already scored in the play", "heels"),
    "heels_two": ("heels are 2 points, not {points}", "heels"),
    "id_reused": ("this ID was already used for something else; each tap needs a new ID", None),
    "import_after_end": ("game {game} was abandoned; no line can follow", None),
    "import_at": ("`at` must be whole nanoseconds since 1970, not {value}", None),
    "import_begins": ("a game must begin with a `started` line and cannot have a second one", None),
    "import_body": ("`body` must be a JSON object, not {value}", None),
    "import_body_kind": ("the body does not match the kind {kind}", None),
    "import_dealer_said": ("`dealer_said` must be true or false", None),
    "import_director": ("only the director can import games from another table", None),
    "import_due": ("`seq` must be {due} in game {game}, not {seq}", None),
    "import_epoch": ("`epoch` must be a journal ID of up to 64 characters from A-Z a-z 0-9 - _, not {value}", None),
    "import_follow": ("{kind} cannot follow the lines before it", None),
    "import_game": ("`game` must be a game ID of 1 to 64 characters from A-Z a-z 0-9 - _, not {value}", None),
    "import_json": ("not JSON; each line of an export is one JSON object", None),
    "import_kind": ("`kind` must be one of {kinds}, not {value}", None),
    "import_long": ("this line is longer than {most} bytes; no line of an export is that long", None),
    "import_many": ("game {game} has more than {most} lines; no game has that many", None),
    "import_match": ("`match` must be a game ID", None),
    "import_missing": ("`{name}` is missing; a line of an export has {names}", None),
    "import_note": ("`note` must be text", None),
    "import_object": ("not a JSON object; each line of an export is one", None),
    "import_pairing": (
        "`pairing` must be the ID of an event and a pairing in it, such as night-7/r3:p1-p7, or empty",
        None,
    ),
    "import_preset": ("there is no preset {preset}", None),
    "import_refused": ("a table would refuse this: “{fault}”", None),
    "import_replaces": ("`replaces` must be a game ID or empty", None),
    "import_rule": ("the rule `{name}` cannot be {value}", None),
    "import_seq": ("`seq` must be a whole number from 1, not {value}", None),
    "import_source": ("`source` must be the name of a source, at most {most} characters long, not {value}", None),
    "import_twice": ("{name} appears twice; remove the wrong one", None),
    "import_two": ("the line names two games", None),
    "import_unknown": (
        "lines of this kind have no {name}; remove it, or import the table's own export",
        None,
    ),
    "import_v": ("`v` must be the body's version, up to {most}, not {value}", None),
    "import_variant": ("there is no variant {variant}", None),
    "import_would_be": ("`{name}` would be {due} at this table, not {told}", None),
    "install_another_sent": ("another package is being uploaded", None),
    "install_director": ("only the director can choose versions", None),
    "install_game_on": ("a game is in progress; update after it ends, or confirm that you want to update now", None),
    "install_in_game": (
        "a game is in progress; update after it ends, or add --during-game",
        None,
    ),
    "install_media_type": ("a package must be sent as {due}, not {type}", None),
    "install_no_request": ("no other version was requested", None),
    "install_no_way_back": ("there is no earlier version on this machine", None),
    "install_not_asked": ("could not request the other version: {error}", None),
    "install_package_cut_off": ("{file} is incomplete; copy it again", None),
    "install_package_damaged": ("{file} is damaged; copy it again", None),
    "install_package_foreign": ("{file} is not a pegboard package; those are named pegboard_VERSION_all.deb", None),
    "install_package_gone": ("{file} is no longer here; upload it again", None),
    "install_package_not_kept": ("{file} could not be saved, so the director cannot install it", None),
    "install_package_older": (
        "{file} is version {version}, but the newer {running} is already running; to return to the previous version, run pegboard back",
        None,
    ),
    "install_package_same": ("version {version} is already running", None),
    "install_package_signature": (
        "{file} was changed, or is not signed with a key this version trusts",
        None,
    ),
    "install_package_too_large": ("{file} is larger than {most} MB, so it is not a pegboard package", None),
    "install_package_unreadable": ("{file} cannot be read: {error}", None),
    "install_package_unsigned": (
        "{file} is not signed, and updates need a signature; to install it by hand: sudo apt install ./{file}",
        None,
    ),
    "install_too_large": ("a package can have at most {most} bytes", None),
    "install_tree_damaged": ("the program in the package is damaged ({version}); download it again", None),
    "install_tree_host_files": (
        "version {version} changes system services; install it by hand: sudo apt install ./pegboard_{version}_all.deb",
        None,
    ),
    "install_tree_no_room": (
        "installing needs {needed} MB free in {folder}, but only {free} MB are free; free some space and try again",
        None,
    ),
    "install_tree_not_written": (
        "the version could not be written to {folder}: {error}; the old version keeps running",
        None,
    ),
    "install_tree_python": ("version {version} needs Python {least} or newer; this machine has {here}", None),
    "install_tree_without_manifest": ("{tree} does not contain a complete version of pegboard", None),
    "install_trial_failed": (
        "version {version} failed its test on a copy of the scores ({reason}); nothing was changed",
        None,
    ),
    "install_trial_no_copy": (
        "the scores could not be copied to test version {version} ({reason}); nothing was changed",
        None,
    ),
    "install_under_way": ("another version is being installed; wait until it is done", None),
    "install_version_died": ("version {version} kept stopping", None),
    "install_version_ended": ("version {version} stopped while starting ({reason})", None),
    "install_version_silent": ("version {version} was not ready after {seconds} seconds", None),
    "install_went_back": ("{fault}; version {version} is running again, with all scores", None),
    "fault_awarded": (
        "line {line} already gives {name} the points for that fault; if that is wrong, undo line {line} first",
        "misdeal",
    ),
    "fault_both": ("the same deal is either redealt or stands; send `redeal` or `accepted`, not both", "misdeal"),
    "fault_dealer": (
        "the dealer is {name}, and the dealer redeals; if that is wrong, correct the dealer first",
        "misdeal",
    ),
    "fault_in_show": ("the show has begun, so the deal stands without a penalty", "misdeal"),
    "fault_in_show_acc": ("the show has begun; by the ACC's rules, a judge decides", "misdeal"),
    "fault_late": (
        "the play has begun, so the pone has looked at the cards and the deal stands without a penalty",
        "misdeal",
    ),
    "fault_no_choice": (
        "at this table, misdeals are always redealt; only the house rule “pone chooses” lets a deal stand",
        "misdeal",
    ),
    "fault_needs_choice": (
        "with 0 points, a fault of the deal needs `redeal`, or `accepted` if the deal stands",
        "misdeal",
    ),
    "fault_no_deal": ("only a `fault` of the deal can lead to a redeal or a deal that stands", "misdeal"),
    "fault_no_offender": (
        "nobody is left who can have dealt out of turn; the right dealer has not, and no side that gets the points",
        "misdeal",
    ),
    "fault_no_points": ("misdeals cost no points here; for points, choose another penalty", "misdeal"),
    "fault_of_deck": (
        "for a wrong deck or a card face up in the deck, the same dealer redeals and nobody gets points",
        "misdeal",
    ),
    "fault_own": ("the points for a misdeal go to the dealer's opponents; name one of their seats", "misdeal"),
    "fault_points": (
        "that fault costs {points} here, or 0 if the opponents waive it; for other points, choose another penalty",
        "misdeal",
    ),
    "fault_pone": (
        "only the pone, {name}, can let that deal stand; if that is wrong, correct the dealer first",
        "misdeal",
    ),
    "fault_settled": (
        "line {line} already says what follows that fault; if that is wrong, undo line {line} first",
        "misdeal",
    ),
    "fault_taken_up": ("once the pone takes up the cards, a deal out of turn stands without a penalty", "misdeal"),
    "fault_unknown": ("{fault} is not a fault; use {faults}", "penalty"),
    "fault_untold": ("the table cannot do that now; see its log", None),
    "internal": ("internal error: nothing was scored; see the log", None),
    "is_at": ("{name} is at {hole}", None),
    "is_home": ("{name} is in the game hole", None),
    "key_alarm": ("Seen? UNDO+DEAL again dismisses this alarm: {alarm}", None),
    "key_confirm": ("{ended}; {names}, press any key to confirm", "confirm"),
    "key_digit_refused": ("{typed} is not an amount from 0 to {most}; {still} is kept", None),
    "key_next": ("{ended}: DEAL starts the next game, UNDO goes back", "game-hole"),
    "key_no_lane": ("this board has no lane {lane}", "who-scores"),
    "key_no_key": ("No key pegs for {name}; use a phone or tablet", "who-scores"),
    "key_no_pages": ("Phones cannot join: no web page", None),
    "key_peg_out": ("{name}, press to peg out with {points}; UNDO cancels", None),
    "key_power_question": ("Shut down? Hold UNDO and DEAL again; any other key cancels", None),
    "key_press_more": ("{name} is at {hole} now: press for {points} more, UNDO cancels", None),
    "key_press_more_two": ("{name} are at {hole} now: press for {points} more, UNDO cancels", None),
    "key_question": ("New game? Hold UNDO again; any other key cancels", None),
    "key_stuck_until": ("Key {key} is stuck and ignored until released", None),
    "key_too_many": ("{points} is over the maximum of {most}; {still} is kept", None),
    "key_typed": ("{points}: press a player's ENTER, UNDO cancels", None),
    "key_typed_dropped": ("{points} was typed without ENTER and was ignored", None),
    "key_win": ("{ended}. UNDO again undoes the win; any other key keeps it", None),
    "lane_of_seat": ("seat {seat} pegs in lane {lane}, not in lane {other}", "who-scores"),
    "many_lines": ("{n} lines", None),
    "many_players": ("{n} players", None),
    "memory_director": ("only a director can let the table keep scores in memory", None),
    "memory_not_needed": ("scores are being stored normally, so there is no need to keep them in memory", None),
    "moved_board": ("the score has changed since you looked; check it and try again", None),
    "moved_journal": ("scores were lost after this was sent; check the score and try again", None),
    "moved_lane": ("{name} is already at {hole}; check the score before adding more", None),
    "moved_lanes": ("{name} are already at {hole}; check the score before adding more", None),
    "muggins_alone": ("there is no opponent at this table to call muggins on", "muggins"),
    "muggins_cut": (
        "the award is only {points}, because the player who missed the points could not have pegged more",
        None,
    ),
    "muggins_not_played": ("muggins is not played at this table; the house rule muggins=on turns it on", "muggins"),
    "name_length": ("a player's name must have 1 to {most} characters; {name} has {letters}", "names"),
    "name_the_game": ("a command must name its `game`; the state gives the ID", None),
    "name_unseen": ("a player's name must consist of visible characters only; {name} does not", "names"),
    "name_wide": ("the name {name} is too long to display; the limit is 53 Japanese characters or 40 emoji", "names"),
    "no_false_claim": ("with {points} points, {home}, so the claim is not false", "false-claim"),
    "no_game": ("there is no game {game} in this match; the current one is {running}", None),
    "no_hand_of_three": ("no hand of three cards scores {points}; 0 to 15 and 20 are possible", "impossible"),
    "no_lane": ("this board has no lane {lane}; the lanes are {lanes}", "who-scores"),
    "no_line": ("there is no line {line} on this score sheet; it has {lines}", "the-sheet"),
    "no_opponent": ("{name} is not an opponent of {other}; name one in `opponent`", "judge"),
    "no_penalty": ("a penalty cannot be {points} points; use a whole number from {least} to {most}", "penalty"),
    "no_reason": ("{reason} is not a reason for a score; use {reasons}", "who-scores"),
    "no_result": ("there is no result to confirm until the game is over", "confirm"),
    "no_seat": ("there is no seat {seat} at this table; the seats are {seats}", "who-scores"),
    "no_show": ("no {why} scores {points}: 19, 25, 26 and 27 are impossible", "impossible"),
    "no_such_device": ("device {device} is not paired; it may have been unpaired", None),
    "no_such_game": ("there is no game {game} in this table's journal", None),
    "not_a_score": ("line {line} is neither a score nor a penalty, so it has no points to change", "the-sheet"),
    "not_ended": ("line {line} did not end the game, so it was not a claim of game", "false-claim"),
    "not_finished": ("the current game is not finished; to abandon it, name it in `replaces`: {game}", None),
    "not_paired": (
        "this device is not paired; open /j/ on it and type the code shown at the table",
        None,
    ),
    "not_saved": ("NOT SAVED, so not scored: {fault}", None),
    "note_length": ("a note can have at most {most} characters; this one has {letters}", "names"),
    "note_unseen": ("a note must consist of visible characters only; {note} does not", "names"),
    "nothing_after_line": ("there is nothing after line {line}", "the-sheet"),
    "nothing_imported": ("line {line}: {fault}; nothing was imported", None),
    "nothing_to_put_back": ("there is nothing to redo", "the-sheet"),
    "nothing_to_take_back": ("there is nothing to undo", "the-sheet"),
    "one_card": ("one card in the play cannot score {points}; the maximum is {most}", "play-most"),
    "one_line": ("{n} line", None),
    "one_player": ("{n} player", None),
    "only_zero": ("only 0", None),
    "opens_again": ("this would reopen game {game}; abandon the later game {later} first", "corrections"),
    "open_to_internet": (
        "this table is open and can be reached from the internet at {address}, so anyone can score on it and change it; start it with --closed",
        None,
    ),
    "other_game": ("game {game} is not the current one; the current game is {running}", None),
    "other_match": ("only games of the current match can be changed; {game} is not in it", "corrections"),
    "other_result": ("the result has changed: the front pegs are at {holes}; check the pegs and try again", "confirm"),
    "peg_back": ("a peg can go back 1 to {most} holes, not {holes}", "backward-penalty"),
    "pegs_stand": (
        "the pegs cannot be at {front} and {rear}: the front peg must be ahead of the rear peg and no farther than hole {hole}, or both pegs must be at the start",
        "judge",
    ),
    "pegs_stay": ("{name}'s pegs stay where line {pin} set them", None),
    "penalty_alone": ("there is no opponent at this table to award a penalty to", "penalty"),
    "played_elsewhere": ("{name} has already played at another seat in this game", "substitute"),
    "plays_already": ("{name} already plays there; enter who plays on instead", "substitute"),
    "plays_for_self": (
        "in line {line}, {name} would then take over from themselves; undo line {line} first",
        "substitute",
    ),
    "play_every": ("{name} cannot say go: any card can be played on a count of {count}", "go"),
    "play_fits": ("{name} cannot say go: {cards} can be played on a count of {count}", "go"),
    "play_hands": ("the number of hands must be {players}, one for each player, not {hands}", "play-held"),
    "play_held": ("{name} does not hold {card}; choose from {cards}", "play-held"),
    "play_laid": ("{card} has already been played; a deck has each card once", "counters"),
    "play_many": ("{cards} cards cannot have been played; 1 to {most} are possible", "play-held"),
    "play_over": ("the play is over: all cards have been played", "play-held"),
    "play_passed": ("{card} cannot be played: the count would be {count}, and the limit is {most}", "turns"),
    "play_passed_go": (
        "{card} cannot be played: the count would be {count}, and the limit is {most}; after a go, give only the cards played since the go",
        "turns",
    ),
    "play_players": ("the play is for {least} to {most} players, not {players}", "play-held"),
    "play_sizes": (
        "hands of {sizes} cards cannot be played; each player must have four, or three in five-card",
        "play-held",
    ),
    "play_turn": ("it is {name}'s turn, not {other}'s", "turns"),
    "play_waits": ("{name} said go and waits for the next count", "go"),
    "players": ("{variant} is for {players}, not {number}", "names"),
    "points_at_once": (
        "{points} points cannot be scored at once; use a whole number from {least} to {most}",
        "who-scores",
    ),
    "points_claimed": ("{points} points cannot be claimed; use a whole number from {least} to {most}", "muggins"),
    "points_missed": ("{points} points cannot have been missed; use a whole number from {least} to {most}", "muggins"),
    "power_director": ("only the director can shut down the machine", None),
    "power_elsewhere": ("pegboard does not shut down this machine; shut it down as usual", None),
    "power_failed": ("The machine could not be shut down: {error}", None),
    "power_switching": ("Shutting down: unplug when the Pi's green light stays off", None),
    "putting_away": ("pegboard is stopping", None),
    "reserved_corrections": ("only the director can change lines at this table", None),
    "reserved_early_end": (
        "this change would put later scores after the end of the game; only the director can make it",
        None,
    ),
    "reserved_giving_up": ("only the director can abandon a finished game at this table", None),
    "reserved_ruling": ("only the director can rule on the pegs", None),
    "reserved_ruling_change": ("line {line} is a director's ruling; only a director can change it", None),
    "reserved_unconfirmed": (
        "the result is waiting for {names} to confirm it; only the director can skip that",
        None,
    ),
    "result_form": ("`winner` must be a lane or null, and `fronts` a list of holes, all as whole numbers", "confirm"),
    "retracted": ("line {line} is already rolled back", "the-sheet"),
    "ruled": ("line {line} is covered by the ruling in line {ruling}; undo the ruling first", "judge"),
    "ruled_on_it": ("line {line} is a ruling on a line that would be rolled back; undo the ruling first", "judge"),
    "ruled_on_line": (
        "line {line} is a ruling on line {other}, which would not be rolled back; go back to before line {before}, or undo line {again} first",
        "judge",
    ),
    "rules_cannot_be_played": ("{variant} cannot be played this way: {fault}", "variants"),
    "rules_choice": ("{name} must be one of {taken}, not {value}", None),
    "rules_enough": ("the winning hole {enough} is beyond the game hole {hole}", None),
    "rules_game_hole": ("{name} must be {least} to {most}, not {hole}", None),
    "rules_head_alone": ("a head start needs an opponent, and a solo player has none", None),
    "rules_head_start": ("a head start must end before the game hole", None),
    "rules_head_starts": ("the first pone's head start must be 0 or the same as the dealer's", None),
    "rules_house_rule_takes": ("the house rule {rule} must be {taken}, not {value}", "variants"),
    "rules_house_rule_twice": ("the house rule {rule} is given twice; give it once", "variants"),
    "rules_lurch": ("a lurch game must have exactly one skunk line, halfway, at hole {line} of {hole}", None),
    "rules_no_format": (
        "there is no match format {format}; use {known}, or first to N with N from 1 to {most}",
        "match",
    ),
    "rules_no_house_rule": ("there is no house rule {rule}; use one of {known}", "variants"),
    "rules_no_preset": ("there is no preset {preset}; use one of {known}", "variants"),
    "rules_no_variant": ("there is no variant {variant}; use one of {known}", "variants"),
    "rules_players": ("a table seats {few} or {most} players, not {players}", "names"),
    "rules_preset_variant": ("{preset} is not played as {variant}; use {known}, or another preset", "variants"),
    "rules_seats": ("{seats} seats do not fit {lanes} lanes; a lane has one player or two partners", None),
    "rules_skunk_line": ("a skunk line must be between the start and the game hole {hole}; {line} is not", None),
    "rules_skunk_order": ("list the skunk lines from the highest to the lowest, each only once", None),
    "rules_triple": ("a triple skunk needs three skunk lines", None),
    "rules_worth": ("a win must be worth at least 1 match point, and a skunk at least as much as a win", None),
    "running_over": ("the current game is over; leave `replaces` empty", None),
    "say_deal_first": ("{fault}; if a new deal has started, mark it first", None),
    "say_dealer_first": ("{fault}; if {other} is dealing, set the dealer first", None),
    "say_who_first": ("{fault}; if that is wrong, set the dealer first", None),
    "says_already": ("line {line} already says {points}", "the-sheet"),
    "says_now": ("line {line} now says {points}, not {was}; check the score sheet", "the-sheet"),
    "score_of_whom": ("a score must name its seat or lane", "who-scores"),
    "scores_in_memory": (
        "scores are in memory only; if the power fails before the disk works again, they are lost",
        None,
    ),
    "scores_not_stored": ("scores not saved; {fault}", None),
    "see_paired": ("only a director can see which devices are paired", None),
    "sheet_changed_out": (
        "lines of this game have been changed {most} times, which is the limit; start the next game",
        "the-sheet",
    ),
    "sheet_empty": ("the score sheet is empty", "the-sheet"),
    "sheet_full": ("the score sheet has {most} lines, which is the limit; start the next game", "the-sheet"),
    "since": ("`since` must be seconds since 1970 or a day such as 2026-01-31, not {value}", None),
    "stage_alone": ("a solo player marks new deals, not stages of a deal", "the-play"),
    "stage_already": ("the deal is already in the {stage}", "the-play"),
    "stage_none": ("{stage} is not a stage of a deal; use play or show", "the-play"),
    "stall_answering": ("the web server has not answered for {seconds} seconds", None),
    "stall_committing": ("the journal has not answered for {seconds} seconds; its disk is stuck or very slow", None),
    "stall_display": ("{name}: the picture has not changed for {seconds} seconds", None),
    "stall_keys": ("{name}: no key has worked for {seconds} seconds", None),
    "stall_look_bench": ("the bench counters", None),
    "stall_look_code": ("the check for a new code or address", None),
    "stall_look_event": ("the check for a joined event", None),
    "stall_look_exposure": ("the check for access from the internet", None),
    "stall_look_journal": ("the journal check", None),
    "stall_look_terminal": ("the board in the terminal", None),
    "stall_look_unpaired": ("the check for unpaired devices", None),
    "stall_main_loop": ("{name} has been stuck for {seconds} seconds", None),
    "stall_pages": ("no page has been built for {seconds} seconds", None),
    "stall_scores": ("scores from phones have not been processed for {seconds} seconds", None),
    "stall_scoring": ("no command has been processed for {seconds} seconds", None),
    "stands_already": ("line {line} is not undone", "the-sheet"),
    "supply_low": ("The Pi's voltage is too low: use a stronger supply or a shorter cable", None),
    "thirty_one_two": ("thirty-one is at least 2 points, not {points}", "thirty-one"),
    "too_fast": ("too many taps from this device; try again in {seconds} s", None),
    "too_fast_requests": ("too many requests from {address}; try again in {seconds} s", None),
    "too_large": ("the request body is too large; the limit is {most} bytes", None),
    "too_many_paired": (
        "{most} devices are paired, which is the limit; a director can unpair unused ones on /settings",
        None,
    ),
    "too_many_pairings": ("too many devices were paired just now; try again in {seconds} s", None),
    "too_many_tries": ("too many codes were tried from this address; try again in {seconds} s", None),
    "too_many_wrong_codes": ("too many wrong codes; try again in {seconds} s", None),
    "too_slow": ("the request body did not arrive within {seconds} seconds; send it again", None),
    "trouble_backup": ("the scores are not backed up", None),
    "trouble_bus_stuck": (
        "the bus is stuck: a device holds a line low; unplug the devices one by one",
        None,
    ),
    "trouble_hangs": ("a write has been stuck for {seconds} seconds; unplug the device if this continues", None),
    "trouble_mqtt_begins": ("not connected yet", None),
    "trouble_mqtt_broker": (
        "mqtt.broker must be just a name or address, such as homeassistant.local, not {broker}; set mqtt.port and mqtt.tls for the rest",
        None,
    ),
    "trouble_mqtt_file": ("{file} cannot be read: {error}; check {setting}", None),
    "trouble_mqtt_lost": ("lost the connection to {broker}", None),
    "trouble_mqtt_no_paho": ("MQTT needs paho-mqtt 2; install it: {command}", None),
    "trouble_mqtt_refused": ("{broker} refuses the table: {reason}; check mqtt.user and mqtt.password_file", None),
    "trouble_mqtt_silent": ("{broker} does not answer like an MQTT broker; check mqtt.port and mqtt.tls", None),
    "trouble_mqtt_twin": ("another table also publishes as {id}; change mqtt.table on one of them", None),
    "trouble_mqtt_unreachable": ("{broker} cannot be reached: {error}", None),
    "trouble_silent": ("no status for {seconds} seconds; restart pegboard if this continues", None),
    "trouble_torn": (
        "spidev sends only {most} bytes without a gap, but {size} are needed; add spidev.bufsiz={bufsiz} to {file} and restart the Pi",
        None,
    ),
    "trouble_voltage": (
        "the voltage is too low for the Pi, which may crash or corrupt data: use a stronger supply or a shorter, thicker cable; an LED strip needs its own supply",
        None,
    ),
    "true_fewer": ("line {line} says {points}, so the actual points must be fewer, not {more}", "over-peg"),
    "try_again_in": ("{full}; try again in {seconds} seconds", None),
    "unpair_all": ("only a director can unpair all devices; to unpair this one, leave out `all`", None),
    "unpair_another": ("only a director can unpair another device; to unpair this one, leave out `device`", None),
    "viewers": ("{viewers} people are already watching", None),
    "was_points": ("`was` must be the points you saw on line {line}, a whole number, not {was}", "the-sheet"),
    "which_opponent": ("with {lanes} lanes, `opponent` must name the opponent's seat", "judge"),
    "windows": ("{windows} windows are already open at {address}; close one", None),
    "wrong_code": (
        "wrong or expired code; the table shows the current one; for a new director's code, run pegboard code director",
        None,
    ),
    "zero_to": ("0 to {most}", None),
    # --- shown only by the page of a refusal ---
    "certificate_cards": (
        "these cards do not score {points}; leave `cards` and `starter` out to write them by hand",
        None,
    ),
    "certificate_game": ("`line` {line} is a line of a game; name its `game`, or leave both out", None),
    "no_certificate": ("there is no certificate for a hand of {hand}; use 29 or 28", None),
    "no_certificate_game": ("no line of this game is a hand or crib of {points}", None),
    "no_certificate_line": ("line {line} of this game is not a hand or crib of {points}", None),
    "no_such_variant": ("there is no variant {variant}; use one of {known}", "variants"),
    "not_found": ("nothing at {path}; the score pad is at /, the API at /api/openapi.json", None),
    # --- damage to stored data, shown in every window until dismissed ---
    "alarm_brightness_lost": ("the brightness in {path} cannot be read, so the configured one is used: {fault}", None),
    "state_in_memory": (
        "{folder} is in memory: every score is lost at the next restart; use --state with a folder on a disk",
        None,
    ),
    "state_on_overlay": (
        "{folder} is on an overlay in memory: every score is lost at the next restart; turn the overlay off in raspi-config, under Performance Options",
        None,
    ),
    "alarm_others_lost": ("other alarms are lost, because {path} cannot be read: {fault}", None),
    "journal_emptied": ("the journal had {count} entries and is now empty or gone", None),
    "journal_file_cut": ("{path} was cut off while it was in use", None),
    "journal_file_gone": ("{path} was removed while it was in use", None),
    "journal_file_replaced": ("{path} was replaced while it was in use", None),
    "journal_changed_by_others": ("another program wrote to {path} while it was in use", None),
    "journal_found_damaged": ("the journal is damaged: {fault}", None),
    "journal_goes_on": ("the journal on disk has the whole current game; scores are saved there again", None),
    "journal_head_damaged": ("the journal's header is damaged", None),
    "journal_in_memory": ("scores are kept in memory only and will be lost at shutdown: {fault}", None),
    "journal_lost_tail": ("scores lost: {count}; check the pegs and restore what is missing", None),
    "journal_no_game": ("no game has started yet", None),
    "journal_other_events": (
        "the journal's entries differ from those that were saved; compare the board with what was played",
        None,
    ),
    "journal_read_only": ("the disk does not accept scores, so the table is shown read-only: {fault}", None),
    "journal_rescue_resumed": ("the journal was damaged; its interrupted repair is now finished", None),
    "journal_row_broken": ("journal entry {event} was altered or damaged", None),
    "journal_row_broken_in": ("journal entry {event}, in game {game}, was altered or damaged", None),
    "journal_rows_missing": ("entries missing from the journal: {count}", None),
    "journal_salvaged": (
        "the journal was damaged; entries lost: {lost}, saved: {events}; the damaged journal is kept in {folder}",
        None,
    ),
    "journal_salvaged_in_part": (
        "journal entries lost: {lost}; check the pegs and restore what is missing; the damaged journal is kept in {folder}",
        None,
    ),
    "journal_salvaged_unsure": (
        "the journal was damaged, and entries may be lost; saved: {events}; the damaged journal is kept in {folder}",
        None,
    ),
    "journal_stores": ("the journal is saving every score, so there is no need to keep scores in memory", None),
    "journal_game_damaged": ("game {game} cannot be shown: its journal entries were altered or damaged", None),
    "journal_index_rebuilt": ("an index of the journal was damaged and has been rebuilt from its entries", None),
    "journal_summary_rebuilt": ("the game summary was damaged and has been rebuilt from its entries", None),
    "journal_trigger_removed": ("the journal had a foreign trigger or view, which has been removed: {name}", None),
    "journal_written_anew": ("the current game has been written to disk again; entries written: {count}", None),
    "journal_written_out": ("the disk accepts scores again; scores written from memory: {count}", None),
}
"""Messages that pages also show; each is translated in the catalogs under `refusals`."""

_IN_ENGLISH: Mapping[str, tuple[str, str | None]] = {
    "ask_as_root": ("the scoreboard on this machine runs as a service; use sudo", None),
    "at_place": ("{place}: {fault}", None),
    "backup_unreadable": ("{path} cannot be read: {error}", None),
    "backup_not_read_back": ("{path} does not read back as written; use another disk", None),
    "backup_there": ("{path} already exists; choose another file name", None),
    "bad_host": ("{host} is not a name of this machine; use its IP address, or add the name to web.names", None),
    "bench_level": ("a key can go 'down' or 'up', not {level}", None),
    "bench_no_fault": ("{device} has no fault {fault}; use {known}", None),
    "bench_no_key": ("there is no key {key}; use one of {known}", None),
    "bench_no_plug": ("the bench has no pluggable device {device}; use one of {known}", None),
    "board_unknown": ("there is no board {board}; use {known}", "the-board"),
    "boot_foreign": (
        "{folder} is not a Raspberry Pi OS boot partition, which has a config.txt and a cmdline.txt",
        None,
    ),
    "boot_no_package": ("there is no pegboard_VERSION_all.deb in this folder; name the file", None),
    "boot_not_written": ("{folder} cannot be written: {error}", None),
    "boot_user_data": ("the card's user-data is not a cloud-config, or is cut off; flash the card again", None),
    "boot_without_cloud_init": (
        "{folder} has no meta-data: only Raspberry Pi OS trixie (October 2025) or newer can install pegboard by itself; on older systems, run sudo apt install ./FILE",
        None,
    ),
    "bus_enable": ("turn on {bus} in raspi-config, under Interface Options", None),
    "bus_enable_multiplexer": (
        "bus {number} belongs to a multiplexer: add its overlay, such as dtoverlay=i2c-mux,pca9548, to /boot/firmware/config.txt and restart the Pi",
        None,
    ),
    "bus_enable_overlay": (
        "add dtoverlay={overlay} to /boot/firmware/config.txt and restart the Pi",
        None,
    ),
    "bus_failed": ("{path} cannot be opened: {error}", None),
    "bus_forbidden": ("no permission for {path}; add the user to the `{group}` group", None),
    "bus_missing": ("there is no {path}; {remedy}", None),
    "bus_no_spidev": ("SPI needs spidev; install it: {command}", None),
    "busy_exports": ("too many exports are running", None),
    "busy_import": ("another import is running", None),
    "busy_statistics": ("too many requests for statistics at once", None),
    "codes_failed": ("cannot save the codes in {path}: {error}", None),
    "codes_forbidden": ("cannot save the codes in {path}: {error}; run this as the user that runs the table", None),
    "codes_locked": ("the codes in {path} are locked by {holder}; stop it, or try again in a moment", None),
    "codes_missing": (
        "no table keeps codes in {folder}, because no table has started there yet; choose another folder with --state",
        None,
    ),
    "codes_unreadable": ("the codes in {path} cannot be read: {error}; run this as the user that runs the table", None),
    "codes_without_locks": (
        "{folder} is on a file system without file locks: {error}; choose another folder with --state",
        None,
    ),
    "count_alone": ("--alone counts four cards without a starter; leave the starter out", None),
    "count_deal_quotes": (
        "put the whole deal in quotes, because the shell takes | as a pipe: --deal 'pone: 4 5 6 J | dealer: ...'",
        None,
    ),
    "count_four": ("cannot count {cards}; give four cards of a hand or crib, then the starter", None),
    "count_no_cards": (
        "no cards given; give cards such as 5H 5C 5S JD 5D, with the starter last, or use --play 4 5 3 3 3",
        None,
    ),
    "count_no_starter": ("no starter given; add one card after the hand, or use --alone to count without it", None),
    "count_suits_both": ("flush? nobs? both depend on the suits: give the suits too, as in 10H", "flush"),
    "count_suits_flush": ("flush? that depends on the suits: give the suits too, as in 10H", "flush"),
    "count_suits_nobs": (
        "nobs? that depends on the suits of the jack and the starter: give the suits too, as in JH",
        "nobs",
    ),
    "count_three": ("cannot count {cards}; give three cards of a five-card hand, then the starter", None),
    "deal_hand_size": (
        "{name} has {cards} cards; give the {held} of the hand, or all that were dealt (at most {dealt})",
        "counted-cards",
    ),
    "deal_kept_many": (
        "which of {name}'s {cards} cards went to the crib is not clear; give only the {held} of the hand",
        "counted-cards",
    ),
    "deal_kept_none": (
        "{name}'s {cards} cards do not fit the crib and the play; check them, or give only the {held} of the hand",
        "counted-cards",
    ),
    "deal_no_cards": ("{part}: has no cards; add them, or leave the part out", "counters"),
    "deal_no_label": ("{text} does not say which part of the deal it is; use {parts}, each with a colon", "counters"),
    "deal_nothing": (
        "nothing to count: a deal needs a play, or a starter and a hand or crib; put all of it in quotes, because the shell takes | as a pipe: 'pone: 4 5 6 J | dealer: ... | crib: ... | starter: 5 | play: ...'",
        "counters",
    ),
    "deal_part": ("{part}: {fault}", None),
    "deal_part_twice": ("{part}: is given {times} times; give it once", "counters"),
    "deal_part_unknown": ("{text} is not a part of a deal; use {parts}", "counters"),
    "device_exit": ("tried to end the program: {error}", None),
    "device_key": ("the key {key}", None),
    "device_left_behind": ("did not return within {seconds} seconds and was abandoned", None),
    "device_no_answer": ("no answer: {error}", None),
    "device_oled_contrast": ("the OLED's contrast must be 0 to 255, not {contrast}", None),
    "device_oled_pin": (
        "the OLED's {line} line cannot use pin BCM {pin} ({error}); stop whatever else uses it, or set oled.{setting} to another pin",
        None,
    ),
    "device_picture_size": ("cannot draw a picture of {size} pixels; use {known}", None),
    "device_seconds": ("the display's {name} must be a number of seconds, not {value}", None),
    "english_catalog": ("{path}, needed by every page, cannot be used: {fault}; restore pegboard's own file", None),
    "events_by_get": ("live events are read-only; use GET", None),
    "export_empty": ("the file is empty; expected the output of pegboard export", None),
    "field_beside_cards": ("`{field}` cannot be combined with `cards`, which include the suits", None),
    "field_choice": ("`{field}` must be one of {choices}, not {value}", None),
    "field_missing": ("`{field}` is missing: {takes}", None),
    "field_twice": ("`{field}` is given {times} times; give it once", None),
    "field_unknown": ("{what} has no field {field}; use {fields}", None),
    "field_value": ("`{field}` must be {takes}, not {value}", None),
    "file_unreadable": ("{name}: cannot be read: {error}", None),
    "folder_in_use_elsewhere": ("{fault}; stop it, or start a second table with another --state", None),
    "folder_of_a_table": (
        "{fault}: open {url} in a browser, stop it with Ctrl-C where it was started, or start a second table with another --state",
        None,
    ),
    "game_before": ("`before` must be the ID of a game in the list, not {value}", None),
    "https_half": ("{set} is set but {missing} is not; set both for HTTPS or neither for plain HTTP", None),
    "https_mismatch": (
        "the key {key} does not match the certificate {certificate}; use a matching pair",
        None,
    ),
    "https_not_taken": (
        "{certificate} and {key} must be a certificate and its key, in PEM format and without a password",
        None,
    ),
    "https_unreadable": ("cannot read {path} (web.{name}): {error}", None),
    "import_while_running": ("{fault}: stop it first, or import the file on its /history page", None),
    "in_file": ("{name}: {fault}", None),
    "rebuild_failed": ("cannot rebuild lists and statistics in {folder}: {error}; they are unchanged", None),
    "rebuild_while_running": ("{fault}: stop it first", None),
    "restore_asks": ("restoring a backup needs a confirmation; use --yes to skip it", None),
    "restore_declined": ("nothing was changed", None),
    "restore_none": ("there is no good backup in {folder}; name a backup file", None),
    "restore_while_running": ("{fault}: stop it first", None),
    "journal_ask_as_user": (
        "; run this as the user that runs the table, or copy the table's folder to where you can write and name the copy with --state",
        None,
    ),
    "journal_damaged": ("the journal in {folder} is damaged: {fault}", None),
    "journal_folder_read_only": ("cannot write to {folder}: {error}; choose another folder with --state", None),
    "journal_folder_unreadable": (
        "cannot read {folder}: {error}; run this as the user that runs the table, or name another folder with --state",
        None,
    ),
    "journal_foreign": ("{path} is not a pegboard journal; choose another folder with --state", None),
    "journal_folder_without_locks": (
        "{folder} is on a file system without file locks: {error}; choose a folder on this machine's disk with --state",
        None,
    ),
    "journal_in_use": ("another pegboard (process {process}) is using {folder}", None),
    "journal_in_use_unlocked": ("another pegboard is using {folder}, though its lock file was removed", None),
    "journal_missing": (
        "there is no journal in {folder}: no table has started there yet; choose another folder with --state",
        None,
    ),
    "journal_newer": (
        "{path} was written by a newer pegboard (format {version}; this one reads up to {most}); install that version, or choose another folder with --state",
        None,
    ),
    "journal_newer_events": (
        "{path} has {many} entries of kinds this version does not know ({kinds}), so it cannot undo them; keep the newer version",
        None,
    ),
    "journal_not_durable": (
        "{folder} cannot keep scores safely: SQLite offers only mode {mode} and level {level}",
        None,
    ),
    "journal_keeps_proven": (
        "; start pegboard run to keep the entries of {file} that can be verified, or restore a backup with pegboard restore newest",
        None,
    ),
    "journal_tampered": ("the journal in {folder} is damaged: entry {event} was altered or damaged", None),
    "journal_unreadable": ("the journal {path} cannot be read: {error}{remedy}", None),
    "journal_unusable": ("the journal {path} cannot be used: {error}{remedy}", None),
    "key_pin_refused": (
        "key {keys} cannot use pin BCM {pins} ({reason}); stop whatever else uses the pin, or change it in [keys]",
        None,
    ),
    "key_pins_refused": (
        "keys {keys} cannot use pins BCM {pins} ({reason}); stop whatever else uses them, or change them in [keys]",
        None,
    ),
    "key_stuck": ("key {key} is stuck and ignored; free it", None),
    "key_stuck_wire": ("key {key} is stuck and ignored; free it, or check its wire", None),
    "keypad_forbidden": ("no permission to read {path}; add the user to the `input` group", None),
    "keypad_held": ("another program is using the keypad {path} ({error}); stop it", None),
    "keypad_held_simulated": ("another program is using the keypad; stop it", None),
    "keypad_missing": ("there is no {path}; plug in the keypad, or name another file in [keypad]", None),
    "keypad_no_evdev": ("the keypad needs evdev; install it: {command}", None),
    "keypad_not_found": ("no keypad found; plug one in, or name its file in [keypad]", None),
    "keypad_other": ("{path} is not a keypad ({error}); name another file in [keypad]", None),
    "keypad_unplugged": ("the keypad is unplugged ({reason}); plug it in again", None),
    "keypads_several": ("several keyboards could be the keypad; name one with keypad.device: {files}", None),
    "keypads_forbidden": (
        "no permission to read {path} and the other input devices; add the user to the `input` group",
        None,
    ),
    "keys_dead": ("the keys are no longer being read; restart pegboard", None),
    "keys_unheard": ("the keys cannot be read ({reason}); restart pegboard", None),
    "listen_address": ("{host} is not an address to listen on; use 0.0.0.0 for all addresses of this machine", None),
    "listen_failed": (
        "cannot listen on port {port} of {host}: {error}; choose another port or address with --port or --host",
        None,
    ),
    "listen_not_ours": (
        "{host} is not an address of this machine; choose one with --host (0.0.0.0 for all)",
        None,
    ),
    "listen_rights": ("no permission for port {port}; choose one from 1024 up with --port", None),
    "listen_taken": ("another program is using port {port}; stop it, or choose another port with --port", None),
    "method": ("{method} is not allowed at {path}; use {methods}", None),
    "name_blank": ("a name is blank in {value}; separate names with single commas, such as Ann,Bob", None),
    "needs_root": ("only root can install; use sudo", None),
    "no_event": ("unknown journal entry type {kind}; it may be from a newer pegboard", None),
    "no_player_named": ("no player names in {value}; separate names with single commas, such as Ann,Bob", None),
    "no_source_date": ("SOURCE_DATE_EPOCH must be a whole number of seconds since 1970", None),
    "no_standard_input": ("not available", None),
    "not_export_type": ("the content type must be {due}, not {type}", None),
    "not_from_package": (
        "this pegboard was not installed from the Debian package; update it the way you installed it: git pull, uv tool upgrade pegboard or pipx upgrade pegboard",
        None,
    ),
    "head_too_large": (
        "a request can have at most {fields} header fields in {bytes} bytes; send fewer, or clear this browser's cookies",
        None,
    ),
    "not_http": ("not an HTTP/1.1 request; open the table's page in a browser", None),
    "not_json": ("the body is not JSON ({why}); send one JSON object", None),
    "not_json_type": ("the content type must be application/json, not {type}", None),
    "not_object": ("the body must be one JSON object with named fields", None),
    "not_scored": ("not scored: {fault}", None),
    "not_utf8_argument": ("{value} is not UTF-8; check the terminal's encoding", None),
    "open_table": ("this table is open: anyone who can reach it can score without a code", None),
    "page_limit": ("`limit` must be a whole number from 1 to {most}, not {value}", None),
    "pin_beyond": ("{line} cannot use pin {pin}; the header has BCM 0 to 27", None),
    "pins_failed": ("cannot open the pins ({error}); check {path} and what else is using it", None),
    "pins_folder": ("lgpio cannot write to {folder}; start pegboard in a folder where it can", None),
    "pins_no_library": ("the pins need gpiod or lgpio; install one: {command}", None),
    "pins_none": (
        "there is no /dev/gpiochip0, so there are no pins; keys and SPI panels need a Raspberry Pi",
        None,
    ),
    "pins_thread_died": ("the pin thread died and cannot be restarted: {error}", None),
    "play_after_last": (
        "{act} comes after the last card: {players} players have played all {cards}; leave it out, or give the right number of players",
        "play-held",
    ),
    "play_go_held": (
        "{name} played {card} after saying go on a count of {count}, where {card} can be played; play it instead of go",
        "go",
    ),
    "play_passed_no_go": (
        "{card} cannot be played: the count would be {count}, and the limit is {most}; if {name} cannot play, write go before it",
        "turns",
    ),
    "players_fitting": ("{variant} is for {players}, not {number}; for {number}, use {fitting}", None),
    "preset_fitting": ("{preset} is for {players}, not {number}; name as many or leave out --preset", None),
    "port_of_a_table": (
        "another pegboard is already using port {port}: open {url} in a browser, stop it with Ctrl-C where it was started, or start a second table with another --port and --state",
        None,
    ),
    "proxies": (
        "web.proxies must be an address or network, such as 192.168.1.2 or 10.0.0.0/8, not {value}",
        None,
    ),
    "ranks_missing": ("`ranks` is missing: the four ranks of the hand, such as A,4,5,6", None),
    "record_failed": ("cannot write the recording to {path}: {error}", None),
    "release_key_unreadable": ("a public key must be 64 hexadecimal digits on one line", None),
    "secret_failed": ("cannot save the secret in {path}: {error}", None),
    "selftest_keys_down": (
        "pressed although nobody should be pressing: {keys}; let go, or look for touching wires or a stuck key",
        None,
    ),
    "selftest_no_keys": ("the keys cannot be read", None),
    "selftest_no_keys_set": ("no keys are set up; enable some in [keys] or [keypad]", None),
    "selftest_no_panel": (
        "no answer at address {address} on I2C bus {bus} ({error}); check the panel's four wires and its address",
        None,
    ),
    "selftest_not_enabled": ("[{section}] is not enabled; set {section}.enabled = true", None),
    "selftest_other_address": (
        "no answer at address {address} on I2C bus {bus}, but something answers at {other}; set oled.address = {other}",
        None,
    ),
    "selftest_pin": ("the OLED's {line} line cannot use pin BCM {pin} ({error}); stop whatever else uses it", None),
    "selftest_running": (
        "a table is running and using the devices; stop it: {remedy}",
        None,
    ),
    "server_not_begun": ("the web server could not start; see the log", None),
    "setting_huge": ("the setting {name} must fit in 64 bits", None),
    "setting_meant": ("there is no setting {name}; did you mean {meant}?", None),
    "setting_range": ("the setting {name} must be {taken} from {least} to {most}, not {value}", None),
    "setting_section": ("[{name}] must be a section of settings, not the value {value}", None),
    "setting_type": ("the setting {name} must be {taken}, not {value}", None),
    "setting_unknown": ("there is no setting {name}; use one of {known}", None),
    "settings_depth": ("the settings file {path} nests its values too deeply", None),
    "settings_encoding": ("the settings file {path} is not UTF-8 text", None),
    "settings_long": ("the settings file {path} is longer than {most} characters", None),
    "settings_long_number": ("the settings file {path} has a number that is too long", None),
    "settings_toml": ("the settings file {path} is not valid TOML: {error}", None),
    "settings_unreadable": ("the settings file {path} cannot be read: {error}", None),
    "simulator_no_chip": ("there is no simulator for the OLED chip {chip}; use {known}", None),
    "small_chunks": (
        "the request body has too many small chunks; send its length, or chunks of {bytes} bytes or more",
        None,
    ),
    "stick_unreadable": ("{device} cannot be read: {error}", None),
    "too_large_to_import": (
        "the file is too large (the limit here is {most} bytes); stop the table and run `pegboard import FILE` on its machine, which takes any size",
        None,
    ),
    "verbatim": ("{text}", None),
}
"""Messages only for programs and terminals; not translated."""

_OF_TOURNAMENTS: Mapping[str, tuple[str, str | None]] = {
    **DESK_MESSAGES,
    **HUB_MESSAGES,
    **RESULT_MESSAGES,
    **NIGHT_MESSAGES,
    **PACKAGE_MESSAGES,
    **PLAYOFF_MESSAGES,
    **POT_MESSAGES,
    **MOVEMENT_MESSAGES,
    **TABLE_MESSAGES,
}
"""Messages of tournament pages; each part has a table of its own."""

MESSAGES: Mapping[str, tuple[str, str | None]] = {**_ON_PAGES, **_IN_ENGLISH, **HUB_IN_ENGLISH, **_OF_TOURNAMENTS}
"""All messages by key: the English template with placeholders in braces, and its anchor on the rules page."""

TRANSLATED: Mapping[str, str] = {key: template for key, (template, _) in {**_ON_PAGES, **_OF_TOURNAMENTS}.items()}
"""English templates of the messages that pages show; the catalogs translate them."""
