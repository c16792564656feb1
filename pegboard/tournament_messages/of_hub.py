"""Messages of the hub's ledger and transport, and of a table's link to a hub."""

from collections.abc import Mapping

HUB_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    "hub_broker_away": (
        "the hub cannot reach its broker; tables play on and send everything later: {fault}",
        None,
    ),
    "hub_broker_refused": (
        "{broker} refuses the connection: {reason}; check user name, password and certificate",
        None,
    ),
    "hub_broker_silent": (
        "{broker} does not answer like an MQTT broker; use mqtt:// for plain and mqtts:// for encrypted connections",
        None,
    ),
    "hub_broker_subscribing": ("{broker} does not let the hub read its messages; check the broker's access list", None),
    "hub_broker_url": (
        "{url} is not a broker address; use mqtt://HOST:PORT, or mqtts://HOST:PORT for an encrypted connection",
        None,
    ),
    "hub_entered_stands": (
        "table {table} has reopened {game}; the result entered here counts until it is undone",
        None,
    ),
    "hub_certificate": ("{file} cannot be read as a certificate or key: {error}", None),
    "hub_database_away": ("the database {database} is not answering: {error}", None),
    "hub_decision_moved": ("someone else made a decision first, so log entry {number} is taken", None),
    "hub_disk_full": (
        "the disk of {database} is full, so no results are accepted; free some space, and the tables will resend",
        None,
    ),
    "hub_impossible": ("the score sheet of game {game} is impossible: {fault}", None),
    "hub_ledger_away": (
        "the hub cannot save now; tables keep their scores and resend them: {fault}",
        None,
    ),
    "hub_message_field": ("`{name}` is missing or has the wrong type", None),
    "hub_message_json": ("not a JSON object", None),
    "hub_message_long": ("{bytes} bytes is too long; the limit is {most}", None),
    "hub_message_order": ("the journal entries are not in order", None),
    "hub_name": ("{setting} must be 1 to 32 lowercase letters, digits, _ or -, not {name}", None),
    "hub_no_page": ("nothing at {path}; the events are at /", None),
    "hub_not_counted": ("a result from table {table} does not count yet: {fault}", None),
    "hub_not_stored": ("not saved, and so not acknowledged: {fault}", None),
    "hub_other_body": (
        "table {table} reused a number for a different message; the first message counts, and the new one is set aside: compare the score sheet at the table",
        None,
    ),
    "hub_other_table": (
        "a message from table {table} claims to be from table {other}; it is set aside, because a table can speak only for itself",
        None,
    ),
    "hub_poison": ("a message from table {table} cannot be read and is set aside: {fault}", None),
    "hub_second_epoch": (
        "table {table} started a new journal, as it would with a new SD card; its games count, but check that the last results from the old card arrived",
        None,
    ),
    "hub_sheet_gap": ("journal entry {place} is missing", None),
    "hub_sheet_goes_on": ("the score sheet continues after the game was abandoned", None),
    "hub_sheet_other": ("under the rules, the `{kind}` entry does not follow from what was played before it", None),
    "hub_sheet_start": ("a game must have exactly one start, at the beginning", None),
    "hub_still_counts": ("table {table} has reopened {game}, but its result still counts: {fault}", None),
    "hub_two_hubs": ("another hub is writing to the same database; stop one of them", None),
    "hub_unreadable_sheet": ("the score sheet of game {game} has values that no table would write", None),
    "trouble_hub_away": (
        "the hub is offline; the table plays on and sends everything when the hub is back",
        None,
    ),
    "trouble_hub_event": (
        "the hub does not know the event {event}; check hub.event, or ask the director to open the event",
        None,
    ),
    "trouble_hub_history": (
        "the hub has different scores for this table, {table}; another table may be using the same name, so tell the director",
        None,
    ),
    "trouble_hub_silent": ("the hub is online but has not confirmed the newest scores", None),
}
"""What pages show: the health page of a table, and the hub's own."""

HUB_IN_ENGLISH: Mapping[str, tuple[str, str | None]] = {
    "hub_accounts_unreadable": (
        "cannot read the broker accounts in {path}: {error}; move that file away and make new ones with pegboard hub broker",
        None,
    ),
    "hub_database_url": (
        "{url} is not a database URL for the hub; use sqlite:////FOLDER/FILE or postgresql://USER:PASSWORD@HOST/NAME",
        None,
    ),
    "hub_event_name": ("{name} is not a valid event name; use 1 to 32 lowercase letters, digits, _ or -", None),
    "hub_foreign_database": ("{database} belongs to another program; name an empty database", None),
    "hub_newer_ledger": (
        "{database} was written by a newer pegboard (schema {version}; this one knows {newest}); use that version",
        None,
    ),
    "hub_no_codes": (
        "no hub has run in {folder}, so there is no code; start one with pegboard hub, or name another folder with --state",
        None,
    ),
    "hub_no_ledger": ("no hub has saved anything in {folder}; name another folder with --state", None),
    "hub_no_psycopg": ("PostgreSQL needs psycopg 3; install it: {command}", None),
    "hub_no_sqlalchemy": ("the hub needs SQLAlchemy 2; install it: {command}", None),
    "hub_no_sqlalchemy_deb": (
        "the hub needs SQLAlchemy 2: sudo apt install python3-sqlalchemy; on Debian 12, where that is too old, sudo pip install --target /usr/local/lib/pegboard 'sqlalchemy>=2'",
        None,
    ),
    "hub_not_durable": ("the database does not flush commits to disk ({setting}); use one that does", None),
    "hub_old_sqlalchemy": (
        "SQLAlchemy {version} is too old; the hub needs 2.0 or newer; install it: {command}",
        None,
    ),
    "hub_old_sqlalchemy_deb": (
        "SQLAlchemy {version} is too old; the hub needs 2.0 or newer: sudo apt remove python3-sqlalchemy, then sudo pip install --target /usr/local/lib/pegboard 'sqlalchemy>=2'",
        None,
    ),
}
"""What only terminals show."""
