"""Messages of packages: why one is refused, and what of it does not re-derive; key and English template."""

from collections.abc import Mapping

PACKAGE_MESSAGES: Mapping[str, tuple[str, str | None]] = {
    # --- the file ---
    "package_digest": ("the package was altered: its content has another digest than it says", None),
    "package_newer": ("the package is written as {format}, which a newer pegboard reads; this one reads {known}", None),
    "package_no_json": ("the file is no package: it is not written in JSON, or was altered", None),
    "package_no_cryptography": ("packages need the library cryptography; install it: {command}", None),
    "package_none": ("the file is no package of a night", None),
    "package_not_canonical": ("the package was altered: it is not written down as packages are", None),
    "package_signature": ("the package was altered: its signature is not that of its key and content", None),
    "package_too_dense": ("the file is no package of a night: its parts are smaller than those of any", None),
    "package_too_long": ("the file is no package: it has more than {most} bytes", None),
    # --- keys and hubs ---
    "package_hub_name": ("a hub is known by a name of 1 to {most} letters", None),
    "package_hub_silent": ("the hub at {url} does not answer: {error}", None),
    "package_hub_unknown": (
        "the hub that has signed it is not known here (its fingerprint: {fingerprint}); pegboard hub verify --remember",
        None,
    ),
    "package_hubs_line": ("line {line} of {file} has no key: 64 hexadecimal digits and a name are accepted", None),
    "package_hubs_unreadable": ("the known hubs in {path} cannot be read: {error}", None),
    "package_key_no_key": ("{path} holds no key; move it away, and a new one is made", None),
    "package_key_unreadable": ("the hub's key in {path} cannot be read: {error}", None),
    "package_log_altered": (
        "entry {number} of the log of {event} is not as the hub has written it, so it is not signed; see the backups",
        None,
    ),
    "package_no_event": (
        "nothing was decided of the event {event}; `pegboard hub event list` lists those that are open",
        None,
    ),
    "package_no_url": ("{url} is no address of a hub; one such as http://192.168.1.20:8090 is accepted", None),
    "package_refused_there": ("the hub at {url} refuses the package: {why}", None),
    # --- departures ---
    "package_departs": ("decision {number} would be refused today: {why}", None),
    "package_games_differ": ("the games in the package are others than its decisions come to", None),
    "package_impossible_sheet": ("game {game}: its score sheet cannot have happened: {why}", None),
    "package_invariants_differ": ("the totals in the package are others than its decisions come to", None),
    "package_margin": ("game {game}: stored by {stored} holes, its score sheet gives {derived}", None),
    "package_newer_rules": (
        "the night was played by rules of version {version}; this pegboard knows {known} and derives nothing anew",
        None,
    ),
    "package_no_sheet": ("game {game}: its score sheet is missing", None),
    "package_not_derived": ("nothing could be derived from the package ({error})", None),
    "package_numbering": ("decision {number} stands in place {place}", None),
    "package_other_sheet": ("game {game}: the score sheet is another than the result names", None),
    "package_qualifiers_differ": ("the qualifiers in the package are others than its decisions come to", None),
    "package_standings_differ": ("the standings in the package are others than its decisions come to", None),
    "package_winners_differ": ("the winners in the package are others than its decisions come to", None),
}
"""What terminals and pages say of a package."""
