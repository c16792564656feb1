"""Messages of packages: why one is refused, and what of it does not re-derive; key and English template."""

from collections.abc import Mapping

PACKAGE_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    # --- the file ---
    "package_digest": ("the package was altered: its content does not match its digest", None),
    "package_newer": ("the package has format {format}, from a newer pegboard; this one reads {known}", None),
    "package_no_json": ("not a package: it is not JSON, or was altered", None),
    "package_no_cryptography": ("packages need the cryptography library; install it: {command}", None),
    "package_none": ("the file is not an event package", None),
    "package_not_canonical": ("the package was altered: it is not in canonical form", None),
    "package_signature": ("the package was altered: its signature does not match its key and content", None),
    "package_too_dense": ("not an event package: it has too many small parts", None),
    "package_too_long": ("not a package: it is larger than {most} bytes", None),
    # --- keys and hubs ---
    "package_hub_name": ("a hub's name must have 1 to {most} characters", None),
    "package_hub_silent": ("the hub at {url} is not answering: {error}", None),
    "package_hub_unknown": (
        "signed by an unknown hub (fingerprint: {fingerprint}); to trust it, run pegboard hub verify --remember",
        None,
    ),
    "package_hubs_line": ("line {line} of {file} has no key; use 64 hexadecimal digits and a name", None),
    "package_hubs_unreadable": ("the known hubs in {path} cannot be read: {error}", None),
    "package_key_no_key": ("{path} does not contain a key; move the file elsewhere to create a new key", None),
    "package_key_unreadable": ("the hub key in {path} cannot be read: {error}", None),
    "package_log_altered": (
        "entry {number} in the log of {event} was changed after the hub wrote it, so the package cannot be signed; check the backups",
        None,
    ),
    "package_no_event": (
        "the event {event} has no log entries; `pegboard hub event list` lists open events",
        None,
    ),
    "package_no_url": ("{url} is not a hub address; use one such as http://192.168.1.20:8090", None),
    "package_refused_there": ("the hub at {url} refuses the package: {why}", None),
    # --- departures ---
    "package_departs": ("log entry {number} would be refused today: {why}", None),
    "package_games_differ": ("the games in the package do not match its log", None),
    "package_impossible_sheet": ("game {game}: its score sheet is impossible: {why}", None),
    "package_invariants_differ": ("the totals in the package do not match its log", None),
    "package_margin": ("game {game}: recorded margin {stored}, score sheet margin {derived}", None),
    "package_newer_rules": (
        "the event was played under rules version {version}; this pegboard knows {known} and cannot recompute it",
        None,
    ),
    "package_no_sheet": ("game {game}: its score sheet is missing", None),
    "package_not_derived": ("the package could not be recomputed ({error})", None),
    "package_numbering": ("log entry {number} is out of order: it is in place {place}", None),
    "package_other_sheet": ("game {game}: the score sheet is not the one named in the result", None),
    "package_qualifiers_differ": ("the qualifiers in the package do not match its log", None),
    "package_standings_differ": ("the standings in the package do not match its log", None),
    "package_winners_differ": ("the winners in the package do not match its log", None),
}
"""What terminals and pages say of a package."""
