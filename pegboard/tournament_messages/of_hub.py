"""Messages of the hub's ledger and transport, and of a table's link to a hub."""

from collections.abc import Mapping

HUB_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    "hub_broker_away": (
        "the hub hears of no table; they play on, and send everything once its broker is there again: {fault}",
        None,
    ),
    "hub_broker_refused": (
        "{broker} refuses the connection: {reason}; look at the user name, the password and the certificate",
        None,
    ),
    "hub_broker_silent": (
        "{broker} does not answer as an MQTT broker does; mqtt:// is for plain connections, mqtts:// for encrypted ones",
        None,
    ),
    "hub_broker_subscribing": ("{broker} does not let us read what is meant for us; look at its access list", None),
    "hub_broker_url": (
        "{url} names no broker; mqtt://HOST:PORT is taken, or mqtts://HOST:PORT for an encrypted connection",
        None,
    ),
    "hub_entered_stands": (
        "table {table} has opened {game} again; what was entered of it counts until that is undone",
        None,
    ),
    "hub_certificate": ("{file} cannot be read as a certificate or key: {error}", None),
    "hub_database_away": ("the database {database} does not answer: {error}", None),
    "hub_decision_moved": ("somebody else has decided something meanwhile, so number {number} is given already", None),
    "hub_disk_full": (
        "the disk of {database} is full, so no result is accepted; free some space, and the tables send all of it again",
        None,
    ),
    "hub_impossible": ("the score sheet of game {game} cannot have happened: {fault}", None),
    "hub_ledger_away": (
        "the hub stores nothing of its tables now; they keep what they score, and send it again: {fault}",
        None,
    ),
    "hub_message_field": ("its `{name}` is missing, or not of its kind", None),
    "hub_message_json": ("it is no object of JSON", None),
    "hub_message_long": ("it has {bytes} bytes, and {most} are read at most", None),
    "hub_message_order": ("the numbers of its events do not rise", None),
    "hub_name": ("the setting {setting} takes 1 to 32 small letters, digits, _ and -, not {name}", None),
    "hub_no_page": ("there is nothing at {path}; the nights are at /", None),
    "hub_not_counted": ("a result of table {table} does not count yet: {fault}", None),
    "hub_not_stored": ("not stored, and so not acknowledged: {fault}", None),
    "hub_other_body": (
        "table {table} has sent something else under a number that it had used before; what came first counts, and what came now is put aside: compare the score sheet at the table",
        None,
    ),
    "hub_other_table": (
        "a message by the way of table {table} says that it is of table {other}; it is put aside, for a table speaks for itself alone",
        None,
    ),
    "hub_poison": ("a message of table {table} cannot be read, and is put aside: {fault}", None),
    "hub_second_epoch": (
        "table {table} begins another journal, as with another card; its games count, but ask whether the last results of the old card have come",
        None,
    ),
    "hub_sheet_gap": ("its event {place} is missing", None),
    "hub_sheet_goes_on": ("it goes on after it was given up", None),
    "hub_sheet_other": ("the rules do not make its {kind} of what was played until then", None),
    "hub_sheet_start": ("a game begins with its start, and has one alone", None),
    "hub_still_counts": ("table {table} has opened {game} again, and its result still counts: {fault}", None),
    "hub_two_hubs": ("another hub writes to the same database; end one of the two", None),
    "hub_unreadable_sheet": ("the score sheet of game {game} has values that no table writes", None),
    "trouble_hub_away": (
        "the hub is not there; the table plays on, and sends everything as soon as the hub is back",
        None,
    ),
    "trouble_hub_event": (
        "there is a hub, but it serves no event {event}; look at hub.event, or have the director open it",
        None,
    ),
    "trouble_hub_history": (
        "the hub has other scores under the numbers of this table, {table}: another board may bear its name; tell the director",
        None,
    ),
    "trouble_hub_silent": ("the hub is there, but does not say that it has the newest scores", None),
}
"""What pages show: the health page of a table, and the hub's own."""

HUB_IN_ENGLISH: Mapping[str, tuple[str, str | None]] = {
    "hub_accounts_unreadable": (
        "the accounts at the broker in {path} cannot be read: {error}; move that file away, and make new ones by pegboard hub broker",
        None,
    ),
    "hub_database_url": (
        "{url} names no database for the hub; sqlite:////FOLDER/FILE is taken, or postgresql://USER:PASSWORD@HOST/NAME",
        None,
    ),
    "hub_event_name": ("{name} is no name of an event; 1 to 32 small letters, digits, _ and - are taken", None),
    "hub_foreign_database": ("{database} is another program's database; name an empty one", None),
    "hub_newer_ledger": (
        "{database} was written by a newer pegboard (version {version} of its tables, and {newest} is known here); start that one",
        None,
    ),
    "hub_no_codes": (
        "no hub has begun in {folder}, so there is no code; pegboard hub begins one, --state names another's folder",
        None,
    ),
    "hub_no_ledger": ("no hub has stored anything in {folder}; --state names another's folder", None),
    "hub_no_psycopg": ("PostgreSQL needs psycopg 3; install it: {command}", None),
    "hub_no_sqlalchemy": ("the hub needs SQLAlchemy 2; install it: {command}", None),
    "hub_no_sqlalchemy_deb": (
        "the hub needs SQLAlchemy 2: sudo apt install python3-sqlalchemy; on Debian 12, whose own is too old, sudo pip install --target /usr/local/lib/pegboard 'sqlalchemy>=2'",
        None,
    ),
    "hub_not_durable": ("the database does not write commits to disk ({setting}); name one that does", None),
    "hub_old_sqlalchemy": (
        "SQLAlchemy {version} is too old for the hub, which needs 2.0 or newer; install it: {command}",
        None,
    ),
    "hub_old_sqlalchemy_deb": (
        "SQLAlchemy {version} is too old for the hub, which needs 2.0 or newer: sudo apt remove python3-sqlalchemy, and sudo pip install --target /usr/local/lib/pegboard 'sqlalchemy>=2'",
        None,
    ),
}
"""What only terminals show."""
