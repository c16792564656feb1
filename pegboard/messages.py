"""The table of messages: every refusal, question and device trouble by its key, in English, with its line of the rules.

An error or a notice carries the key and the values, so that nobody needs to read a sentence back: problem details and
the state hand both to the pages, whose catalogs have the same keys, and `str()` gives the sentence of this table.
"""

import unicodedata
from collections.abc import Mapping
from typing import Any, Self

from pegboard.tournament_messages.of_desk import DESK_MESSAGES
from pegboard.tournament_messages.of_hub import HUB_IN_ENGLISH, HUB_MESSAGES
from pegboard.tournament_messages.of_movement import MOVEMENT_MESSAGES
from pegboard.tournament_messages.of_nights import NIGHT_MESSAGES
from pegboard.tournament_messages.of_packages import PACKAGE_MESSAGES
from pegboard.tournament_messages.of_playoffs import PLAYOFF_MESSAGES
from pegboard.tournament_messages.of_pots import POT_MESSAGES
from pegboard.tournament_messages.of_results import RESULT_MESSAGES
from pegboard.tournament_messages.of_tables import TABLE_MESSAGES


class Message(str):
    """One row of the table, filled in: its sentence in English, which knows where it comes from.

    Attributes:
        key: of the row.
        values: what its placeholders stand for, by their names; a message among them is translated as well.
    """

    __slots__ = ("key", "values")
    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, /, **values: object) -> Self:
        """Fill in the row of a key.

        Raises:
            KeyError: there is no such row, or it has another placeholder.
        """
        message = super().__new__(cls, MESSAGES[key][0].format_map(values))
        message.key = key
        message.values = {name: str(value) if isinstance(value, Exception) else value for name, value in values.items()}
        return message

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        return (self.key,), dict(self.values)

    @property
    def anchor(self) -> str | None:
        """The line of the rules page that explains it, or a fault that it tells; None where none does."""
        fault = self.values.get("fault")
        own = MESSAGES[self.key][1]
        return own or (fault.anchor if isinstance(fault, Message) else None)

    def as_json(self) -> dict[str, Any]:
        """Key and values for programs; numbers stay numbers, and a message among the values has its `text` as well."""
        return {"key": self.key, "values": {name: _plain(value) for name, value in self.values.items()}}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """A message as it was, of `as_json` and its `text`; one whose row another version has otherwise says its text.

        Raises:
            ValueError: the values are no message; so say the other errors of `NO_MESSAGE`.
        """
        inner = {name: cls.from_json(one) if isinstance(one, dict) else one for name, one in values["values"].items()}
        if values["key"] in MESSAGES:
            return cls(values["key"], **inner)
        return cls("verbatim", text=values["text"])


NO_MESSAGE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What reading a message back from values ends in that are none."""


def capitalize(text: str) -> str:
    """A sentence that stands by itself: begun with a capital."""
    return text[:1].upper() + text[1:]


STEERING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of letters that steer a terminal, turn the order of a line round, or end it."""

JOINERS = "\u200c\u200d"
"""Letters of these categories that only join or part those beside them in a name."""


def legible(text: str) -> str:
    """A line as it can be shown in a terminal, wherever it comes from: what would steer that is spelled out as in JSON."""
    if text.isprintable():
        return text
    steers = {letter for letter in set(text) - set(JOINERS) if unicodedata.category(letter) in STEERING}
    return "".join(_spell_out(letter) if letter in steers else letter for letter in text)


def _spell_out(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def message_json(text: str | None) -> dict[str, Any] | None:
    """Key and values of a text where it is a message; None for words of others, and for none."""
    return text.as_json() if isinstance(text, Message) else None


def _plain(value: object) -> Any:
    if isinstance(value, Message):
        return value.as_json() | {"text": str(value)}
    return value if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


_ON_PAGES: Mapping[str, tuple[str, str | None]] = {
    "after_the_end": (
        "line {line} came after the end and counts for nothing, so nothing was pegged too far",
        "over-peg",
    ),
    "alarm_director": ("in a strict game a director dismisses alarms", "corrections"),
    "alarm_lasts": ("this alarm goes by itself once it is over, and cannot be dismissed before", None),
    "command_unknown": ("no command {id} is stored; it can still be sent", None),
    "alarm_unknown": ("there is no alarm {id}; somebody may have dismissed it already", None),
    "amend_moved": ("line {line} is another player's now, so line {ruling} no longer fits it", "the-sheet"),
    "amend_no_why": ("line {line} has no reason as it is", "the-sheet"),
    "amend_nothing": (
        "an amendment gives one or more of `points`, `why` and `seat`, and this one gives none",
        "the-sheet",
    ),
    "amend_penalty": ("a penalty has no other reason; take line {line} back and enter it anew", "the-sheet"),
    "amend_pinned": (
        "{name}'s pegs were set in line {pin}, after line {line}; take line {again} back first, or set the pegs anew",
        "the-sheet",
    ),
    "amend_same_lane": ("{name} pegs in the same lane, so line {line} stays where it is", "the-sheet"),
    "amend_to_penalty": ("a score does not become a penalty; take line {line} back and enter it anew", "the-sheet"),
    "amend_whose": ("line {line} is {name}'s already", "the-sheet"),
    "amend_why": ("line {line} is for {why} already", "the-sheet"),
    "are_at": ("{name} are at {hole}", None),
    "are_home": ("{name} are in the game hole", None),
    "backup_damaged": ("{path} is damaged: {fault}", None),
    "backup_event": ("event {event} is not what was written", None),
    "backup_failed": ("the journal cannot be copied: {error}", None),
    "backup_no_room": (
        "there is too little room in {folder}: {free} MB are free, and {needed} MB are needed for another backup",
        None,
    ),
    "backup_under_way": ("another process makes a backup in {folder} at this moment; try again later", None),
    "base_missing": ("`base` is missing: the revision {seen} that was seen (it is {now})", None),
    "brightness_contrast": ("the panel's contrast is a whole number from 0 to {most}, not {value}", None),
    "brightness_director": ("the table's settings are changed by the director", None),
    "brightness_not_kept": ("the brightness could not be kept ({fault}), so it is as it was", None),
    "brightness_strip": ("the strip's brightness is more than 0, up to 1, not {value}", None),
    "called_already": ("{name} is the name already", "names"),
    "called_now": ("that player is called {name} now, not {former}; look again", "names"),
    "called_twice": ("two players are called {name}; give each a name of its own", "names"),
    "card_crib_of_four": ("a crib has four cards, and {cards} were given", "counted-cards"),
    "card_crib_starter": ("a crib is counted with the starter, and none was given", "counted-cards"),
    "card_flush_of": ("a flush of {flush} does not exist: 0, {four} or {five} is taken", "flush"),
    "card_flush_pair": (
        "a flush of {flush} cannot have two cards of a rank: {taken} is taken for these ranks",
        "flush",
    ),
    "card_flush_starter": ("a flush of {five} needs the starter, and none was given: 0 or {four} is taken", "flush"),
    "card_hand_of_four": (
        "{cards} cards cannot be counted: a hand or crib has four, a hand in the game of five cards three, and the starter comes by itself",
        "counted-cards",
    ),
    "card_no_card": (
        "{card} is no card: a rank ({ranks}) and a suit ({suits}) are taken, such as 10H, with blanks or commas between cards",
        "counters",
    ),
    "card_no_suit": ("{rank} has no suit: take one of {suits}", "counters"),
    "card_nobs_flush_five": (
        "a flush of {five} with a jack in the hand has nobs too: nobs=True is taken, or a flush of {four}",
        "nobs",
    ),
    "card_nobs_flush_four": (
        "a flush of {four} has no card of the starter's suit: nobs=False is taken, or a flush of {five}",
        "nobs",
    ),
    "card_nobs_four": ("four jacks have nobs with any other starter: nobs=True is taken", "nobs"),
    "card_nobs_jack": ("nobs needs a jack in the hand and a starter that is no jack: nobs=False is taken", "nobs"),
    "card_one_starter": ("the starter is one card, but {cards} were given", "counted-cards"),
    "card_rank_five": ("{rank} is there {times} times: a pack has four cards of a rank", "counters"),
    "card_suit_named": ("{card} names a suit, but here only ranks are taken: {rank}", "counters"),
    "card_three_alone": ("a hand of {cards} cards is counted with the starter, and none was given", "counted-cards"),
    "card_twice": ("{card} is there {times} times: a pack has each card once", "counters"),
    "catalog_blank": ("{key} is blank", None),
    "catalog_code": ("a file is called by the code of its language, such as de.json or pt-BR.json", None),
    "catalog_depth": (
        "it is not JSON that can be read: its brackets are nested too deeply, or a number is too long",
        None,
    ),
    "catalog_empty": ("it is empty", None),
    "catalog_encoding": ("it is not UTF-8 from here on; save it as UTF-8", None),
    "catalog_file": ("it is not a regular file", None),
    "catalog_form": ("{key} has the plural form {form}; zero, one, two, few, many and other are taken", None),
    "catalog_half": ("{key} has half a character (a lone surrogate)", None),
    "catalog_json": (
        "it is not JSON: here or just before, a comma, quotation mark or bracket is missing or too many",
        None,
    ),
    "catalog_lacks": ("{key} lacks {names}", None),
    "catalog_large": ("it is larger than {most} kB", None),
    "catalog_name": ('"language" has to be the name that the language gives itself, of 1 to {most} letters', None),
    "catalog_no_name": ('"language" is missing, the name that the language gives itself', None),
    "catalog_no_section": ("{key} is no section that the pages have", None),
    "catalog_no_text": ("{key} is no text that the pages have", None),
    "catalog_object": ("it has to hold sections of texts in braces, as en.json does", None),
    "catalog_other": ('{key} has plural forms without "other"', None),
    "catalog_plural": ("{key} takes one text, no plural forms", None),
    "catalog_same_name": ('"language" is {name}, which {file} is called too', None),
    "catalog_section": ("{key} has to be a section, texts in braces", None),
    "catalog_text": ("{key} has to be a text, or plural forms in braces", None),
    "catalog_twice": ("{key} is there twice; the last one counts", None),
    "catalog_unknown": ("{key} has {names}, which is not filled in there", None),
    "catalog_unreadable": ("it cannot be read ({error})", None),
    "code_form": ("a code has {length} letters and digits, such as 7KQ2AB; look at the table again", None),
    "confirmed": ("{name} has confirmed the result already", "confirm"),
    "connections": ("{address} holds as many connections as one may; close a page, and try again in 2 seconds", None),
    "crib_is_dealers": ("the crib is the dealer's, and {name} was said to deal", "the-crib"),
    "deal_new": ("`new` is true for a new deal, false for the deal in hand, not {value}", "first-deal"),
    "deal_said": ("{name} has been said to deal already", "first-deal"),
    "deal_whose": ("`dealer` is missing: where no new deal begins, it names the seat that deals now", "first-deal"),
    "device_backup": ("backups of the scores: {many}", None),
    "device_begins": ("it cannot begin: {fault}", None),
    "device_budget": (
        "a budget of {budget} mA is too small for {leds} LEDs; set strip.budget_ma to {least} or more",
        None,
    ),
    "device_current": ("{used} of {most} A", None),
    "device_keypad_digit": ("the digit {digit}", None),
    "device_keypad_enter": ("the ENTER of lane {lane}", None),
    "device_keypad_enters": ("[keypad] enters takes one key for each of 1 to {most} lanes, not {number}", None),
    "device_keypad_key": ("no keypad has a key {key}; Linux's names are taken, such as {such}", None),
    "device_keypad_twice": ("{key} of the keypad is both {one} and {other}; name another", None),
    "device_keys_lane": ("there is no lane {lane} in [keys] pins; the lanes are {known}", "who-scores"),
    "device_keys_number": ("lane {lane} has {number} pins for the keys {amounts}; name one pin for each", None),
    "device_keys_scheme": ("there is no scheme {scheme} of keys; there are several and single", None),
    "device_keys_single": ("keys.single_values takes two amounts, of a short and of a long press, not {amounts}", None),
    "device_keys_stuck": ("keys.stuck_s is {seconds}; more is taken than the longest hold, {longest} s", None),
    "device_keys_twice": ("the keys' values {amounts} name one amount twice; name different ones", None),
    "device_leds": ("{what} on SPI0, {number} LEDs", None),
    "device_line_oled_bus": ("the OLED's SPI bus", None),
    "device_line_oled_clock": ("the OLED's clock line", None),
    "device_line_oled_data": ("the OLED's data line", None),
    "device_line_oled_dc": ("the OLED's line D/C", None),
    "device_line_oled_reset": ("the OLED's line RST", None),
    "device_line_strip_bus": ("the LED strip's SPI bus", None),
    "device_line_strip_data": ("the LED strip's data line", None),
    "device_oled_chip": ("there is no OLED chip {chip}; {known} are known", None),
    "device_oled_layout": ("there is no layout {layout} for the OLED; {known} are drawn", None),
    "device_oled_size": ("there is no {chip} of {size} pixels; {known} are taken", None),
    "device_oled_turn": ("the OLED cannot be turned by {turns} quarters; 0 and 2 are taken", None),
    "device_oled_wire": ("an {chip} cannot hang on {wire}; oled.wire takes {known}", None),
    "device_on": ("{what} on I2C, {how}", None),
    "device_pin_held_key": (
        "{line} and the key {key} are both on pin BCM {pin}, and the key has it; give one of them another ({settings})",
        None,
    ),
    "device_pin_held_oled": (
        "{line} and {other} are both on pin BCM {pin}, and the OLED has it; give one of them another ({settings})",
        None,
    ),
    "device_pin_keys": (
        "the key {key} and the key {other} are both on pin BCM {pin}; give one of them another ({settings})",
        None,
    ),
    "device_pin_same": ("{line} and {other} are both on pin BCM {pin}; give one of them another ({settings})", None),
    "device_pins": ("pins BCM {pins}", None),
    "device_strip_chip": ("there is no LED chip {chip}; these are known: {known}", None),
    "device_strip_layout": ("there is no strip layout {layout}; these are known: {known}", None),
    "device_strip_share": ("the strip's {setting} cannot be {value}; more than 0, up to 1, is taken", None),
    "device_strip_time": ("the strip's {setting} cannot be {value}; a time of day such as 22:00 is taken", None),
    "device_supply": ("5 V, as the Pi's firmware measures it", None),
    "device_transfer": (
        "{leds} LEDs need an SPI transfer of {needed} bytes and do not fit one of {transfer}, {fit} {chip} do: {remedy}",
        None,
    ),
    "device_transfer_kernel": ("put spidev.bufsiz={bufsiz} into {file} and set strip.transfer = {transfer}", None),
    "device_transfer_lanes": ("set strip.lanes = 2 for a strip along two lanes, or {remedy}", None),
    "device_transfer_set": ("set strip.transfer = {transfer}", None),
    "director_back": ("the finished game is put back on the table by the director", None),
    "director_finished": ("a finished game is put right by the director", None),
    "director_house": ("house rules are chosen by the director", "variants"),
    "director_match": ("a match is started by the director", "match"),
    "fell_short": ("it fell short", None),
    "foreign_origin": ("pages of {origin} may not change this table; open the table's own page", None),
    "game_is_over": ("the game is over: {ended}; only corrections are taken", "game-hole"),
    "go_one": ("a go is 1 point, not {points}", "go"),
    "gone_already": ("line {line} has been taken back already", "the-sheet"),
    "has_deal": ("{name} has the deal, and nothing of it has been scored yet", "first-deal"),
    "has_won": ("{name} has won", None),
    "have_won": ("{name} have won", None),
    "heels_again": ("heels were pegged just before, and one starter is turned a deal", "heels"),
    "heels_are_dealers": ("heels are the dealer's, and {name} was said to deal", "heels"),
    "heels_limit": ("heels score nothing from hole {hole} on at this table; {there}", "heels"),
    "heels_played": ("heels come before the play, and {name} has scored in it", "heels"),
    "heels_two": ("heels are 2 points, not {points}", "heels"),
    "id_reused": ("this id came with other content before; a new tap takes a new id", None),
    "import_after_end": ("game {game} has been given up, and nothing follows that", None),
    "import_at": ("`at` is whole nanoseconds since 1970, not {value}", None),
    "import_begins": ("a game begins with `started`, once", None),
    "import_body": ("`body` is a JSON object, not {value}", None),
    "import_body_kind": ("the body is none of the kind {kind}", None),
    "import_dealer_said": ("`dealer_said` is true or false", None),
    "import_director": ("games of another table are brought by the director", None),
    "import_due": ("event {due} of game {game} is due here, and this is number {seq}", None),
    "import_epoch": ("`epoch` is the mark of a journal, up to 64 of A-Z a-z 0-9 - _, not {value}", None),
    "import_follow": ("{kind} cannot follow the lines before it", None),
    "import_game": ("`game` is the id of a game, 1 to 64 of A-Z a-z 0-9 - _, not {value}", None),
    "import_json": ("it is not JSON; a line of an export is one JSON object", None),
    "import_kind": ("`kind` is one of {kinds}, not {value}", None),
    "import_long": ("it is longer than {most} bytes, which no line of an export is", None),
    "import_many": ("game {game} has more than {most} events, which no game has", None),
    "import_match": ("`match` is the id of a game", None),
    "import_missing": ("`{name}` is missing; a line of an export has {names}", None),
    "import_note": ("`note` is words", None),
    "import_object": ("it is not a JSON object, as each line of an export is", None),
    "import_pairing": (
        "`pairing` is the id of an event and of a pairing in it, such as night-7/r3:p1-p7, or empty",
        None,
    ),
    "import_refused": ("a table refuses this, “{fault}”", None),
    "import_replaces": ("`replaces` is the id of a game, or empty", None),
    "import_rule": ("the rule `{name}` cannot be {value}", None),
    "import_seq": ("`seq` is a whole number from 1, not {value}", None),
    "import_source": ("`source` is the name of a door, up to {most} letters, not {value}", None),
    "import_twice": ("{name} is there twice; remove the wrong one", None),
    "import_two": ("it names two games", None),
    "import_unknown": (
        "no line of this kind has {name}; remove it, or import what the table itself has exported",
        None,
    ),
    "import_v": ("`v` is the version of the body, up to {most}, not {value}", None),
    "import_variant": ("no variant is called {variant}", None),
    "import_would_be": ("`{name}` would be {due} at the table, not {told}", None),
    "install_another_sent": ("another package is being sent just now", None),
    "install_director": ("versions are chosen by the director", None),
    "install_game_on": ("a game is being played; do it when it is over, or say that it may happen now", None),
    "install_in_game": (
        "a game is being played; update when it is over, or say that it may happen now (--during-game)",
        None,
    ),
    "install_media_type": ("a package is sent as {due}, not {type}", None),
    "install_no_request": ("no other version has been asked for", None),
    "install_no_way_back": ("there is no earlier version on this machine to go back to", None),
    "install_not_asked": ("the other version could not be asked for: {error}", None),
    "install_package_cut_off": ("{file} is cut off; copy it again", None),
    "install_package_damaged": ("{file} is damaged; copy it again", None),
    "install_package_foreign": ("{file} is no package of pegboard, which is called pegboard_VERSION_all.deb", None),
    "install_package_gone": ("{file} does not wait here; send it again", None),
    "install_package_not_kept": ("{file} could not be kept for the director to choose", None),
    "install_package_older": (
        "{file} holds version {version}, and {running} runs already; pegboard back goes to the version before",
        None,
    ),
    "install_package_same": ("version {version} runs already", None),
    "install_package_signature": (
        "{file} is not signed with a key that this version trusts, or has been changed since",
        None,
    ),
    "install_package_too_large": ("{file} is larger than {most} MB, so it is no package of pegboard", None),
    "install_package_unreadable": ("{file} cannot be read: {error}", None),
    "install_package_unsigned": (
        "{file} is not signed, and an update takes signed packages only; by hand, sudo apt install ./{file} installs it",
        None,
    ),
    "install_too_large": ("a package has at most {most} bytes", None),
    "install_tree_damaged": ("the program in the package is damaged ({version}); fetch the package again", None),
    "install_tree_host_files": (
        "version {version} brings other system services; install it by hand: sudo apt install ./pegboard_{version}_all.deb",
        None,
    ),
    "install_tree_no_room": (
        "{needed} MB must be free in {folder} to install a version, and {free} MB are; remove something, and try again",
        None,
    ),
    "install_tree_not_written": (
        "the version could not be written into {folder}: {error}; what ran before runs on",
        None,
    ),
    "install_tree_python": ("version {version} needs Python {least} or newer, and this machine has {here}", None),
    "install_tree_without_manifest": ("{tree} holds no version of pegboard that is whole", None),
    "install_trial_failed": (
        "version {version} did not start on a copy of the scores ({reason}), so nothing is changed",
        None,
    ),
    "install_trial_no_copy": (
        "the scores could not be copied to try version {version} on them ({reason}), so nothing is changed",
        None,
    ),
    "install_under_way": ("another version is being installed; wait until that is done", None),
    "install_version_died": ("version {version} has stopped again and again", None),
    "install_version_ended": ("version {version} stopped as it began ({reason})", None),
    "install_version_silent": ("version {version} was not ready after {seconds} seconds", None),
    "install_went_back": ("{fault}; version {version} runs again, with every score", None),
    "fault_untold": ("the table cannot do that now; its log tells why", None),
    "internal": ("pegboard has made a mistake; its log tells more, and nothing was scored", None),
    "is_at": ("{name} is at {hole}", None),
    "is_home": ("{name} is in the game hole", None),
    "key_alarm": ("Seen? UNDO with DEAL again takes this away: {alarm}", None),
    "key_confirm": ("{ended}; yet to confirm, with any key: {names}", "confirm"),
    "key_digit_refused": ("{typed} cannot be scored at once (0 to {most}): still {still}", None),
    "key_next": ("{ended}: DEAL starts the next game, UNDO takes back", "game-hole"),
    "key_no_lane": ("there is no lane {lane} on this board", "who-scores"),
    "key_no_pages": ("There are no pages to join", None),
    "key_peg_out": ("{name}, press to peg out with {points}, UNDO drops", None),
    "key_power_question": ("Switch off? Hold UNDO and DEAL again; any other key keeps it on", None),
    "key_press_more": ("{name} is at {hole} now: press for {points} more, UNDO drops", None),
    "key_press_more_two": ("{name} are at {hole} now: press for {points} more, UNDO drops", None),
    "key_question": ("New game? Hold UNDO again; any other key keeps this one", None),
    "key_stuck_until": ("The key {key} is stuck; it is ignored until it is let go", None),
    "key_too_many": ("{points} is more than {most}, the most at once: still {still}", None),
    "key_typed": ("{points}: press a player's ENTER, UNDO drops it", None),
    "key_typed_dropped": ("{points} was typed and no ENTER pressed, so it is dropped", None),
    "key_win": ("{ended}. UNDO again takes the win back; any other key keeps it", None),
    "lane_of_seat": ("seat {seat} pegs in lane {lane}, not in lane {other}", "who-scores"),
    "many_lines": ("{n} lines", None),
    "many_players": ("{n} players", None),
    "memory_director": ("only a director has the table play on in memory", None),
    "memory_not_needed": ("scores are stored as they should be, so none need be kept in memory only", None),
    "moved_board": ("the board has moved since; look again", None),
    "moved_journal": ("this was meant for the board as it was before scores were lost; look again", None),
    "moved_lane": ("{name} is already at {hole}; look again before adding more", None),
    "moved_lanes": ("{name} are already at {hole}; look again before adding more", None),
    "muggins_alone": ("muggins is called on an opponent, and there is none at this table", "muggins"),
    "muggins_cut": ("the award is {points}: whoever missed the points could have pegged no more", None),
    "muggins_not_played": ("muggins is not played at this table; the house rule muggins=on plays it", "muggins"),
    "name_length": ("a player's name has 1 to {most} letters, and {name} has {letters}", "names"),
    "name_the_game": ("a command names the `game` it is for; the state tells its id", None),
    "name_unseen": ("a player's name is written in letters one can see, and {name} is not", "names"),
    "name_wide": ("the name {name} is too long to show; up to 53 Japanese letters or 40 emoji are taken", "names"),
    "no_false_claim": ("with {points} points {home}: no false claim", "false-claim"),
    "no_game": ("there is no game {game} in this match; the running one is {running}", None),
    "no_hand_of_three": ("no hand of three cards counts {points}: 0 to 15 and 20 can be made", "impossible"),
    "no_lane": ("there is no lane {lane} on this board; lanes are {lanes}", "who-scores"),
    "no_line": ("there is no line {line} on this sheet; it has {lines}", "the-sheet"),
    "no_opponent": ("{name} is no opponent of {other}; name one in `opponent`", "judge"),
    "no_penalty": ("{points} points are no penalty (a whole number, {least} to {most})", "penalty"),
    "no_reason": ("{reason} is no reason for a score; reasons are {reasons}", "who-scores"),
    "no_result": ("there is no result to confirm before the game is over", "confirm"),
    "no_seat": ("there is no seat {seat} at this table; seats are {seats}", "who-scores"),
    "no_show": ("no {why} counts {points}: 19, 25, 26 and 27 cannot be made", "impossible"),
    "no_such_device": ("no device {device} is paired; it may have been unpaired meanwhile", None),
    "no_such_game": ("there is no game {game} in the journal of this table", None),
    "not_a_score": ("line {line} is neither a score nor a penalty, so it has no points to put right", "the-sheet"),
    "not_ended": ("line {line} has not ended the game, so no game was claimed with it", "false-claim"),
    "not_finished": ("the running game is not finished; name it in `replaces` to give it up: {game}", None),
    "not_paired": (
        "this device is not paired with the table; open /j/ on it and type the code that the table shows",
        None,
    ),
    "not_saved": ("NOT SAVED, so not scored: {fault}", None),
    "note_length": ("a note has up to {most} letters, and this one has {letters}", "names"),
    "note_unseen": ("a note is written in letters one can see, and {note} is not", "names"),
    "nothing_after_line": ("nothing came after line {line}", "the-sheet"),
    "nothing_imported": ("line {line}: {fault}; nothing was imported", None),
    "nothing_to_put_back": ("there is nothing to put back", "the-sheet"),
    "nothing_to_take_back": ("there is nothing to take back", "the-sheet"),
    "one_card": ("one card in the play cannot score {points}; the most is {most}", "play-most"),
    "one_line": ("{n} line", None),
    "one_player": ("{n} player", None),
    "only_zero": ("only 0", None),
    "opens_again": ("this would open game {game} again; give up the later game {later} first", "corrections"),
    "open_to_internet": (
        "this table is open, and the internet reaches it at {address}: anybody there may score and change it; start it with --closed",
        None,
    ),
    "other_game": ("game {game} is not the running one; that is {running}", None),
    "other_match": ("only games of the match on the table are put right, and {game} is none of them", "corrections"),
    "other_result": ("the result is another: the front pegs stand at {holes}; look again", "confirm"),
    "peg_back": ("a peg goes back by 1 to {most} holes, not by {holes}", "backward-penalty"),
    "pegs_stand": (
        "pegs do not stand at {front} and {rear}: the front peg stands before the rear one, up to hole {hole}, or both in the start",
        "judge",
    ),
    "pegs_stay": ("{name}'s pegs stay as line {pin} has set them", None),
    "penalty_alone": ("a penalty goes to an opponent, and there is none at this table", "penalty"),
    "play_every": ("{name} cannot say go: every card can be laid on a count of {count}", "go"),
    "play_fits": ("{name} cannot say go: {cards} can be laid on a count of {count}", "go"),
    "play_hands": ("{players} players hold as many hands, not {hands}", "play-held"),
    "play_held": ("{name} does not hold {card}: one of {cards} is taken", "play-held"),
    "play_laid": ("{card} has been laid already: a pack has each card once", "counters"),
    "play_many": ("{cards} cards cannot have been laid: 1 to {most} are taken", "play-held"),
    "play_over": ("the play is over: every card has been laid", "play-held"),
    "play_passed": ("{card} cannot be laid: it would make the count {count}, and {most} is the most", "turns"),
    "play_passed_go": (
        "{card} cannot be laid: it would make the count {count}, and {most} is the most; after a go give only the cards laid since",
        "turns",
    ),
    "play_players": ("the play is for {least} to {most} players, not {players}", "play-held"),
    "play_sizes": (
        "hands of {sizes} cards cannot be played: each player holds four, or each three in five-card",
        "play-held",
    ),
    "play_turn": ("it is the turn of {name}, not of {other}", "turns"),
    "play_waits": ("{name} has said go, and waits until the count begins anew", "go"),
    "players": ("{variant} is for {players}, not {number}", "names"),
    "points_at_once": ("{points} points cannot be scored at once (a whole number, {least} to {most})", "who-scores"),
    "points_claimed": ("{points} points cannot be claimed (a whole number, {least} to {most})", "muggins"),
    "points_missed": ("{points} points cannot have been missed (a whole number, {least} to {most})", "muggins"),
    "power_director": ("the machine is switched off by the director", None),
    "power_elsewhere": ("This machine is not switched off by pegboard; shut it down as usual", None),
    "power_failed": ("The machine could not be switched off: {error}", None),
    "power_switching": ("Switching off: pull the plug when the Pi's green light stays dark", None),
    "putting_away": ("the table is being put away", None),
    "reserved_corrections": ("corrections at this table are the director's", None),
    "reserved_early_end": ("it would end the game before scores that were made later, which is the director's", None),
    "reserved_giving_up": ("a finished game is given up by the director at this table", None),
    "reserved_ruling": ("a ruling on the pegs is the director's", None),
    "reserved_ruling_change": ("line {line} is a director's ruling, and so is a change to it", None),
    "reserved_unconfirmed": (
        "the result waits for {names} to confirm it; to go on without that is the director's",
        None,
    ),
    "result_form": ("`winner` is a lane or null and `fronts` are holes, all of them whole numbers", "confirm"),
    "retracted": ("line {line} has been retracted already", "the-sheet"),
    "ruled": ("line {line} is under the ruling of line {ruling}; take that one back first", "judge"),
    "ruled_on_it": ("line {line} rules on what would be retracted; take that one back first", "judge"),
    "ruled_on_line": (
        "line {line} rules on line {other}, which would stay: retract to a line before {before}, or take line {again} back first",
        "judge",
    ),
    "rules_cannot_be_played": ("{variant} cannot be played so: {fault}", "variants"),
    "rules_choice": ("{name} is one of {taken}, not {value}", None),
    "rules_enough": ("the hole that is enough, {enough}, lies beyond the game hole {hole}", None),
    "rules_game_hole": ("{name} is {least} to {most}, not {hole}", None),
    "rules_head_alone": ("a head start is given over an opponent, and one who plays alone has none", None),
    "rules_head_start": ("a head start stops before the game hole", None),
    "rules_head_starts": ("the dealer's head start and the first pone's are of one size", None),
    "rules_house_rule_takes": ("the house rule {rule} takes {taken}, not {value}", "variants"),
    "rules_lurch": ("a lurch is the one skunk line at the half, hole {line} of {hole}", None),
    "rules_no_format": (
        "there is no match format {format}; these are: {known}, first to N with N from 1 to {most}",
        "match",
    ),
    "rules_no_house_rule": ("there is no house rule {rule}; these are: {known}", "variants"),
    "rules_no_variant": ("there is no variant {variant}; these are known: {known}", "variants"),
    "rules_players": ("{players} players cannot sit at one table; {least} to {most} are taken", "names"),
    "rules_seats": ("{seats} seats do not fit {lanes} lanes; a lane has one player, or two who are partners", None),
    "rules_skunk_line": ("a skunk line lies between the start and the game hole {hole}, and {line} does not", None),
    "rules_skunk_order": ("skunk lines are told from the highest down, each once", None),
    "rules_triple": ("a triple skunk needs three skunk lines", None),
    "rules_worth": ("a win is worth at least 1 match point, and a skunk no less than a win", None),
    "running_over": ("the running game is over; `replaces` stays empty", None),
    "say_deal_first": ("{fault}; if a new deal has begun, say so first", None),
    "say_dealer_first": ("{fault}; if {other} deals, say so first", None),
    "say_who_first": ("{fault}; if that is wrong, say first who deals", None),
    "says_already": ("line {line} says {points} already", "the-sheet"),
    "says_now": ("line {line} says {points} now, not {was}; look again", "the-sheet"),
    "score_of_whom": ("a score names the seat or the lane that scores", "who-scores"),
    "scores_in_memory": (
        "in memory only; scores are gone if the power goes, until the disk takes them again",
        None,
    ),
    "scores_not_stored": ("scores not stored; {fault}", None),
    "see_paired": ("only a director sees which devices are paired", None),
    "sheet_changed_out": (
        "lines of this game have been taken back, put back or amended {most} times, which is all that a game takes; begin the next one",
        "the-sheet",
    ),
    "sheet_empty": ("the sheet is empty", "the-sheet"),
    "sheet_full": ("the sheet has {most} lines, which is all that a game takes; begin the next one", "the-sheet"),
    "since": ("`since` is seconds since 1970, or a day such as 2026-01-31, not {value}", None),
    "stage_alone": ("who plays alone says when a deal begins, and no stage of it", "the-play"),
    "stage_already": ("the deal is in the {stage} already", "the-play"),
    "stage_none": ("{stage} is no stage of a deal; play and show are taken", "the-play"),
    "stall_answering": ("the web server has answered nothing for {seconds} seconds", None),
    "stall_committing": ("the journal has not answered for {seconds} seconds: its disk hangs, or is very slow", None),
    "stall_display": ("{name}: no picture has been shown for {seconds} seconds", None),
    "stall_keys": ("{name}: no key has had an effect for {seconds} seconds", None),
    "stall_look_bench": ("the count of the bench", None),
    "stall_look_code": ("the look for a new code or address", None),
    "stall_look_event": ("the look for an event that was joined", None),
    "stall_look_exposure": ("the look at who reaches an open table", None),
    "stall_look_journal": ("the look after the journal", None),
    "stall_look_terminal": ("the board in the terminal", None),
    "stall_look_unpaired": ("the look for devices that were unpaired", None),
    "stall_main_loop": ("{name} has not come back for {seconds} seconds", None),
    "stall_pages": ("no page has been made for {seconds} seconds", None),
    "stall_scores": ("what phones score has not been taken up for {seconds} seconds", None),
    "stall_scoring": ("no command has been judged for {seconds} seconds", None),
    "stands_already": ("line {line} stands already", "the-sheet"),
    "supply_low": ("The Pi gets too little voltage: take a stronger supply or a shorter cable", None),
    "thirty_one_two": ("thirty-one is 2 points or more, not {points}", "thirty-one"),
    "too_fast": ("too many taps have come from this device; the next one is taken in {seconds} s", None),
    "too_fast_requests": ("too many requests have come from {address}; the next one is taken in {seconds} s", None),
    "too_large": ("the body is too large; at most {most} bytes are taken", None),
    "too_many_paired": (
        "{most} devices are paired, and no more can be; a director unpairs those that are no longer used, on /settings",
        None,
    ),
    "too_many_pairings": ("many devices have been paired just now; the next one can be in {seconds} s", None),
    "too_many_tries": ("too many codes have come from this address; the next one is taken in {seconds} s", None),
    "too_many_wrong_codes": ("many wrong codes have been tried; the next one is taken in {seconds} s", None),
    "too_slow": ("the body did not arrive within {seconds} seconds; send it again", None),
    "trouble_backup": ("the scores are not backed up", None),
    "trouble_bus_stuck": (
        "the bus is stuck: one of its devices holds a line low; unplug them one after the other",
        None,
    ),
    "trouble_hangs": ("a write has not come back for {seconds} seconds; unplug the device if it stays so", None),
    "trouble_mqtt_begins": ("it has not been connected yet", None),
    "trouble_mqtt_broker": (
        "mqtt.broker must be a name or address alone, such as homeassistant.local, not {broker}; set mqtt.port and mqtt.tls for the rest",
        None,
    ),
    "trouble_mqtt_file": ("{file} cannot be read: {error}; {setting} names it", None),
    "trouble_mqtt_lost": ("the connection to {broker} is lost", None),
    "trouble_mqtt_no_paho": ("MQTT needs paho-mqtt 2; install it: {command}", None),
    "trouble_mqtt_refused": ("{broker} refuses the table: {reason}; look at mqtt.user and mqtt.password_file", None),
    "trouble_mqtt_silent": ("{broker} does not answer as an MQTT broker does; look at mqtt.port and mqtt.tls", None),
    "trouble_mqtt_twin": ("another table publishes as {id} too; give one of them another mqtt.table", None),
    "trouble_mqtt_unreachable": ("{broker} cannot be reached: {error}", None),
    "trouble_silent": ("it has not said for {seconds} seconds how it is; start pegboard again if it stays so", None),
    "trouble_torn": (
        "spidev sends only {most} bytes without a gap here, and {size} are to go; write spidev.bufsiz={bufsiz} into {file} and start the Pi again",
        None,
    ),
    "trouble_voltage": (
        "too low for the Pi, which may stop or write wrongly: take a stronger supply, or a shorter and thicker cable; an LED strip needs a supply of its own",
        None,
    ),
    "true_fewer": ("line {line} pegged {points}, so the true points are fewer, not {more}", "over-peg"),
    "try_again_in": ("{full}; try again in {seconds} seconds", None),
    "unpair_all": ("only a director unpairs every device; this one is unpaired without `all`", None),
    "unpair_another": ("only a director unpairs another device; this one is unpaired without `device`", None),
    "viewers": ("{viewers} are looking on already", None),
    "was_points": ("`was` is the points that line {line} was seen to say, a whole number, not {was}", "the-sheet"),
    "which_opponent": ("with {lanes} lanes `opponent` names the seat that is meant", "judge"),
    "windows": ("{windows} windows of {address} are open already; close one", None),
    "wrong_code": (
        "that is not the table's code, or no longer; look at the table again, it shows the newest; a director's is told anew by pegboard code director",
        None,
    ),
    "zero_to": ("0 to {most}", None),
    # --- damage of what is stored, shown on every window until it is dismissed ---
    "alarm_brightness_lost": ("the brightness in {path} cannot be read, so it is as set: {fault}", None),
    "state_in_memory": (
        "{folder} is in memory: every score is lost at the next restart; use --state with a folder on a disk",
        None,
    ),
    "state_on_overlay": (
        "{folder} is on an overlay in memory: every score is lost at the next restart; turn the overlay off in raspi-config, Performance Options",
        None,
    ),
    "alarm_others_lost": ("what other alarms said is lost, as {path} cannot be read: {fault}", None),
    "journal_emptied": ("the journal had {count} events and is empty or gone", None),
    "journal_file_cut": ("{path} was cut off while it was in use", None),
    "journal_file_gone": ("{path} was removed while it was in use", None),
    "journal_file_replaced": ("{path} was replaced while it was in use", None),
    "journal_changed_by_others": ("another program has written into {path} while it was in use", None),
    "journal_found_damaged": ("the journal is damaged: {fault}", None),
    "journal_goes_on": ("the journal on disk has all of the running game, and scores go on there", None),
    "journal_head_damaged": ("the head of the journal is damaged", None),
    "journal_in_memory": ("scores are kept in memory only and are lost when the table is switched off: {fault}", None),
    "journal_lost_tail": ("scores lost: {count}; see how the pegs stand, and put back what is missing", None),
    "journal_no_game": ("no game has begun yet", None),
    "journal_other_events": (
        "the journal holds other entries than those that were stored; compare the board with what was played",
        None,
    ),
    "journal_read_only": ("the disk takes no scores, so what can be read of the table is shown: {fault}", None),
    "journal_rescue_resumed": ("the journal was damaged; its rescue was cut off, and is done now", None),
    "journal_row_broken": ("entry {event} of the journal is not what was written", None),
    "journal_row_broken_in": ("entry {event} of the journal, in game {game}, is not what was written", None),
    "journal_rows_missing": ("entries are missing from the journal: {count}", None),
    "journal_salvaged": (
        "journal damaged, entries lost: {lost}; {events} are saved, and the damaged one is kept in {folder}",
        None,
    ),
    "journal_salvaged_in_part": (
        "entries lost: {lost}; see how the pegs stand, and put back what is missing; the damaged journal is kept in {folder}",
        None,
    ),
    "journal_salvaged_unsure": (
        "journal damaged, and whether entries are lost is not known; {events} are saved, the damaged one is kept in {folder}",
        None,
    ),
    "journal_stores": ("the journal stores every score, so nothing needs to be played in memory", None),
    "journal_game_damaged": ("game {game} cannot be shown: its entries in the journal are not what was written", None),
    "journal_index_rebuilt": ("an index of the journal was damaged and has been made anew from its entries", None),
    "journal_summary_rebuilt": ("the summary of the games was damaged and has been made anew from their entries", None),
    "journal_trigger_removed": ("the journal had a trigger or view that is not its own, now removed: {name}", None),
    "journal_written_anew": ("the running game has been written to disk anew; entries written: {count}", None),
    "journal_written_out": ("the disk takes scores again; those kept in memory have been written: {count}", None),
}
"""What pages show, too: each has its translation in the catalogs under `refusals`."""

_IN_ENGLISH: Mapping[str, tuple[str, str | None]] = {
    "ask_as_root": ("the scoreboard of this machine runs as a service; put sudo in front", None),
    "at_place": ("{place}: {fault}", None),
    "backup_unreadable": ("{path} cannot be read: {error}", None),
    "backup_not_read_back": ("{path} does not read as it was written; take another disk", None),
    "backup_there": ("{path} is there already; name a file that is not", None),
    "bad_host": ("{host} is not a name of this machine; use its IP address, or add the name to web.names", None),
    "bench_level": ("a key goes 'down' or 'up', not {level}", None),
    "bench_no_fault": ("the {device} has no fault {fault}; it has {known}", None),
    "bench_no_key": ("there is no key {key}; there are {known}", None),
    "bench_no_plug": ("there is no device {device} with a plug on the bench; there are {known}", None),
    "boot_foreign": (
        "{folder} is no boot partition of Raspberry Pi OS, which has a config.txt and a cmdline.txt",
        None,
    ),
    "boot_no_package": ("there is no pegboard_VERSION_all.deb in this folder; name the file", None),
    "boot_not_written": ("{folder} cannot be written: {error}", None),
    "boot_user_data": ("the card's user-data is no cloud-config, or cut off; flash the card again", None),
    "boot_without_cloud_init": (
        "{folder} has no meta-data: only Raspberry Pi OS from trixie (October 2025) on installs by itself; on an older one, sudo apt install ./FILE does",
        None,
    ),
    "bus_enable": ("switch {bus} on: raspi-config, Interface Options, {bus}", None),
    "bus_enable_multiplexer": (
        "bus {number} is one of a multiplexer: write its overlay, such as dtoverlay=i2c-mux,pca9548, into /boot/firmware/config.txt and start the Pi again",
        None,
    ),
    "bus_enable_overlay": (
        "write dtoverlay={overlay} into /boot/firmware/config.txt and start the Pi again",
        None,
    ),
    "bus_failed": ("{path} cannot be opened: {error}", None),
    "bus_forbidden": ("{path} may not be used; add the user to the group {group}", None),
    "bus_missing": ("there is no {path}; {remedy}", None),
    "bus_no_spidev": ("SPI needs spidev; install it: {command}", None),
    "busy_exports": ("so many exports are being read already", None),
    "busy_import": ("another export is being brought just now", None),
    "busy_statistics": ("too many are asking for this already", None),
    "codes_failed": ("the codes in {path} cannot be kept: {error}", None),
    "codes_forbidden": ("the codes in {path} cannot be kept: {error}; ask as the user whose table it is", None),
    "codes_locked": ("the codes in {path} are locked by {holder}; end it, or try again in a moment", None),
    "codes_missing": (
        "no table keeps its codes in {folder}: none has started there yet; --state names another's folder",
        None,
    ),
    "codes_unreadable": ("the codes in {path} cannot be read: {error}; ask as the user whose table it is", None),
    "codes_without_locks": (
        "the folder {folder} is on a file system without locks: {error}; name another with --state",
        None,
    ),
    "count_alone": ("--alone counts four cards without a starter, and a starter was given", None),
    "count_four": ("{cards} cannot be counted: four of a hand or crib are taken, and the starter", None),
    "count_no_cards": ("the cards are missing: 5H 5C 5S JD 5D is taken, the starter last, or --play 4 5 3 3 3", None),
    "count_no_starter": ("the starter is missing: one card after the hand is taken, or --alone to count without", None),
    "count_suits_both": ("flush? nobs? both depend on the suits: write them too, such as 10H", "flush"),
    "count_suits_flush": ("flush? that depends on the suits: write them too, such as 10H", "flush"),
    "count_suits_nobs": ("nobs? that depends on the suits of jack and starter: write them too, such as JH", "nobs"),
    "count_three": ("{cards} cannot be counted: three of a hand of five-card are taken, and the starter", None),
    "device_exit": ("it asked for the end of the program: {error}", None),
    "device_key": ("the key {key}", None),
    "device_left_behind": ("it has not come back for {seconds} seconds and is left behind", None),
    "device_no_answer": ("no answer: {error}", None),
    "device_oled_contrast": ("the OLED cannot have a contrast of {contrast}; 0 to 255 is taken", None),
    "device_oled_pin": (
        "the OLED's line {line} cannot use pin BCM {pin} ({error}); end whatever else uses the pin, or set oled.{setting} to another",
        None,
    ),
    "device_picture_size": ("no picture of {size} pixels can be drawn; {known} are drawn", None),
    "device_seconds": ("its {name} must be a number of seconds, not {value}", None),
    "english_catalog": ("{path}, which every page needs, cannot be used: {fault}; put pegboard's own file back", None),
    "events_by_get": ("the live events are only looked at, by GET", None),
    "export_empty": ("it is empty; pegboard export prints what is taken", None),
    "field_beside_cards": ("`{field}` is not taken beside `cards`, which tell their suits", None),
    "field_choice": ("`{field}` is one of {choices}, not {value}", None),
    "field_missing": ("`{field}` is missing: {takes}", None),
    "field_twice": ("`{field}` is named {times} times; once is taken", None),
    "field_unknown": ("{what} has no field {field}; it takes {fields}", None),
    "field_value": ("`{field}` is {takes}, not {value}", None),
    "file_unreadable": ("{name}: it cannot be read: {error}", None),
    "folder_in_use_elsewhere": ("{fault}; end that one, or start a second table with another --state", None),
    "folder_of_a_table": (
        "{fault}: open {url} in a browser, end it with Ctrl-C where it was started, or start a second table with another --state",
        None,
    ),
    "game_before": ("`before` is the id of a game in the list, not {value}", None),
    "https_half": ("the setting {set} is set and {missing} is not; https takes both, plain http neither", None),
    "https_mismatch": (
        "the key {key} does not belong to the certificate {certificate}; give the two of one pair",
        None,
    ),
    "https_not_taken": (
        "{certificate} and {key} are not taken as a certificate and its key without a password, in PEM",
        None,
    ),
    "https_unreadable": ("the file of web.{name}, {path}, cannot be read: {error}", None),
    "import_while_running": ("{fault}: end that one first, or import the file on its page /history", None),
    "in_file": ("{name}: {fault}", None),
    "rebuild_failed": ("lists and statistics in {folder} cannot be made anew: {error}; they are as they were", None),
    "rebuild_while_running": ("{fault}: end that one first", None),
    "restore_asks": ("it asks before it puts a backup back, and nobody answers; --yes answers for you", None),
    "restore_declined": ("nothing was changed", None),
    "restore_none": ("there is no good backup in {folder}; name a file", None),
    "restore_while_running": ("{fault}: end that one first", None),
    "journal_ask_as_user": (
        "; ask as the user whose table it is, or copy its folder to where you may write and name that with --state",
        None,
    ),
    "journal_damaged": ("the journal in {folder} is damaged: {fault}", None),
    "journal_folder_read_only": ("the folder {folder} cannot be written: {error}; choose one with --state", None),
    "journal_folder_unreadable": (
        "the folder {folder} cannot be read: {error}; ask as the user whose table it is, or name another with --state",
        None,
    ),
    "journal_foreign": ("{path} is not a journal of pegboard; choose another folder with --state", None),
    "journal_folder_without_locks": (
        "the folder {folder} is on a file system that locks no files: {error}; choose one on this machine's disk with --state",
        None,
    ),
    "journal_in_use": ("another pegboard (process {process}) uses the folder {folder}", None),
    "journal_in_use_unlocked": ("another pegboard uses the folder {folder}, though its lock file was removed", None),
    "journal_missing": (
        "there is no journal in {folder}: no table has started there yet; --state names another folder",
        None,
    ),
    "journal_newer": (
        "the journal {path} was written by a newer pegboard (format {version}, this one reads {most}): install that one, or choose another folder with --state",
        None,
    ),
    "journal_newer_events": (
        "{path} has {many} events of kinds that this version does not know ({kinds}): it cannot take them back, so keep the newer one",
        None,
    ),
    "journal_not_durable": (
        "the folder {folder} cannot keep scores safely: SQLite offers {mode} and level {level}",
        None,
    ),
    "journal_keeps_proven": (
        "; pegboard run keeps what is proven of {file}, or put a backup back with pegboard restore newest",
        None,
    ),
    "journal_tampered": ("the journal in {folder} is damaged: event {event} is not what was written", None),
    "journal_unreadable": ("the journal {path} cannot be read: {error}{remedy}", None),
    "journal_unusable": ("the journal {path} cannot be used: {error}{remedy}", None),
    "key_pin_refused": (
        "the key {keys} cannot use pin BCM {pins} ({reason}); end whatever else uses the pin, or give the key another in [keys]",
        None,
    ),
    "key_pins_refused": (
        "the keys {keys} cannot use pins BCM {pins} ({reason}); end whatever else uses the pins, or give the keys others in [keys]",
        None,
    ),
    "key_stuck": ("the key {key} is stuck and ignored; free it", None),
    "key_stuck_wire": ("the key {key} is stuck and ignored; free it, or look at its wire", None),
    "keypad_forbidden": ("{path} may not be read; add the user to the group input", None),
    "keypad_held": ("the keypad {path} is held by another program ({error}); end that", None),
    "keypad_held_simulated": ("the keypad is held by another program; end that", None),
    "keypad_missing": ("there is no {path}; put the keypad in, or name another file in [keypad]", None),
    "keypad_no_evdev": ("the keypad needs evdev; install it: {command}", None),
    "keypad_not_found": ("no keypad is found; put one in, or name its file in [keypad]", None),
    "keypad_other": ("{path} is no keypad ({error}); name another file in [keypad]", None),
    "keypad_unplugged": ("the keypad is unplugged ({reason}); put it in again", None),
    "keypads_several": ("several keyboards may be the keypad; name one with keypad.device: {files}", None),
    "keypads_forbidden": ("{path} and the others may not be read; add the user to the group input", None),
    "keys_dead": ("nobody listens to the keys any more; start pegboard again", None),
    "keys_unheard": ("the keys cannot be heard ({reason}); start pegboard again", None),
    "listen_address": ("{host} is no address to listen on; 0.0.0.0 takes every one of this machine", None),
    "listen_failed": (
        "port {port} of {host} cannot be listened on: {error}; choose another with --port or --host",
        None,
    ),
    "listen_not_ours": (
        "{host} is not an address of this machine; choose one with --host (0.0.0.0 takes every one)",
        None,
    ),
    "listen_rights": ("port {port} needs rights that this program has not; choose one from 1024 up with --port", None),
    "listen_taken": ("port {port} is taken by another program; end that one, or choose another port with --port", None),
    "method": ("{method} is not taken at {path}, which takes {methods}", None),
    "name_blank": ("a name is blank in {value}; names have one comma between them, such as Ann,Bob", None),
    "needs_root": ("only root installs: put sudo in front", None),
    "no_event": ("there is no event {kind}; a newer pegboard may have written it", None),
    "no_player_named": ("no player is named in {value}; names have one comma between them, such as Ann,Bob", None),
    "no_source_date": ("SOURCE_DATE_EPOCH tells no time; it takes whole seconds since 1970", None),
    "no_standard_input": ("there is none", None),
    "no_such_variant": ("there is no variant {variant}; these are: {known}", "variants"),
    "not_export_type": ("the content type is {due}, not {type}", None),
    "not_found": ("there is nothing at {path}; the score pad is at /, the API in /api/openapi.json", None),
    "not_from_package": (
        "this pegboard did not come in the Debian package; update it as it came: git pull, uv tool upgrade pegboard or pipx upgrade pegboard",
        None,
    ),
    "head_too_large": (
        "a request has at most {fields} header fields in {bytes} bytes; send fewer, or delete this browser's cookies",
        None,
    ),
    "not_http": ("this is not a request in HTTP/1.1; open the table's page in a browser", None),
    "not_json": ("the body is not JSON ({why}); send one JSON object", None),
    "not_json_type": ("the content type is application/json, not {type}", None),
    "not_object": ("the body is one JSON object with named fields", None),
    "not_scored": ("so not scored: {fault}", None),
    "not_utf8_argument": ("{value} has letters that are not in UTF-8; is the terminal set to another?", None),
    "open_table": ("this table is open: everybody who reaches it may score, and no code is needed", None),
    "page_limit": ("`limit` is a whole number from 1 to {most}, not {value}", None),
    "pin_beyond": ("{line} cannot sit on pin {pin}; the header has BCM 0 to 27", None),
    "pins_failed": ("the pins cannot be opened ({error}); look at {path} and at what else uses it", None),
    "pins_folder": ("lgpio cannot write in {folder}; start pegboard in a folder that it may", None),
    "pins_no_library": ("the pins need gpiod or lgpio; install one: {command}", None),
    "pins_none": (
        "there is no /dev/gpiochip0, so there are no pins here; keys and SPI panels need a Raspberry Pi",
        None,
    ),
    "pins_thread_died": ("the pins' thread has died, and no other one begins: {error}", None),
    "players_fitting": ("{variant} is for {players}, not {number}; {number} play {fitting}", None),
    "port_of_a_table": (
        "port {port} is taken by a pegboard that runs already: open {url} in a browser, end it with Ctrl-C where it was started, or start a second table with another --port and another --state",
        None,
    ),
    "proxies": (
        "the setting web.proxies takes an address or a network, such as 192.168.1.2 or 10.0.0.0/8, not {value}",
        None,
    ),
    "ranks_missing": ("`ranks` is missing: four ranks of the hand, such as A,4,5,6", None),
    "record_failed": ("the record cannot be written to {path}: {error}", None),
    "release_key_unreadable": ("a public key is 64 hexadecimal digits on a line", None),
    "secret_failed": ("the secret in {path} cannot be kept: {error}", None),
    "selftest_keys_down": (
        "down though nobody should be pressing: {keys}; let go, or look for a wire that touches another, or a key that hangs",
        None,
    ),
    "selftest_no_keys": ("the keys cannot be heard", None),
    "selftest_no_keys_set": ("no keys are set; [keys] or [keypad] enables some", None),
    "selftest_no_panel": (
        "nobody answers at address {address} of I2C bus {bus} ({error}); check the panel's four wires and its address",
        None,
    ),
    "selftest_not_enabled": ("[{section}] is not enabled; set {section}.enabled = true", None),
    "selftest_other_address": (
        "nobody answers at address {address} of I2C bus {bus}, but somebody does at {other}; set oled.address = {other}",
        None,
    ),
    "selftest_pin": ("the OLED's line {line} cannot use pin BCM {pin} ({error}); end whatever else uses it", None),
    "selftest_running": (
        "a table is running here, and its devices are in use; end it: {remedy}",
        None,
    ),
    "server_not_begun": ("the web server could not begin; the log tells more", None),
    "setting_huge": ("the setting {name} has a whole number of more than 64 bits", None),
    "setting_meant": ("there is no setting {name}; did you mean {meant}?", None),
    "setting_range": ("the setting {name} takes {taken} from {least} to {most}, not {value}", None),
    "setting_section": ("[{name}] is a section of settings, not the value {value}", None),
    "setting_type": ("the setting {name} takes {taken}, not {value}", None),
    "setting_unknown": ("there is no setting {name}; known here: {known}", None),
    "settings_depth": ("the settings file {path} nests its values too deeply", None),
    "settings_encoding": ("the settings file {path} is not text in UTF-8", None),
    "settings_long": ("the settings file {path} is longer than {most} letters", None),
    "settings_long_number": ("the settings file {path} has a number that is too long to be read", None),
    "settings_toml": ("the settings file {path} is not valid TOML: {error}", None),
    "settings_unreadable": ("the settings file {path} cannot be read: {error}", None),
    "simulator_no_chip": ("there is no stand-in for the OLED chip {chip}; there are {known}", None),
    "small_chunks": ("a body comes with its length, or in chunks of {bytes} bytes and more", None),
    "stick_unreadable": ("{device} cannot be read: {error}", None),
    "too_large_to_import": (
        "the body is too large; at most {most} bytes are taken here; stop the table, and `pegboard import FILE` on its own machine takes any size",
        None,
    ),
    "verbatim": ("{text}", None),
}
"""What only programs and terminals are told: it stays English."""

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
"""What pages of a tournament show; each part of it has a table of its own."""

MESSAGES: Mapping[str, tuple[str, str | None]] = {**_ON_PAGES, **_IN_ENGLISH, **HUB_IN_ENGLISH, **_OF_TOURNAMENTS}
"""All rows by key: the English template with placeholders in braces, and the anchor of its line on the rules page."""

TRANSLATED: Mapping[str, str] = {key: template for key, (template, _) in {**_ON_PAGES, **_OF_TOURNAMENTS}.items()}
"""The English templates of what pages show, which catalogs translate."""
