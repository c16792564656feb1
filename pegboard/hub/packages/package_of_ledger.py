"""A night's package from the hub's ledger: its decisions, and the score sheets of the results that count."""

from pegboard.hub.ledger.decision_log import DecisionLog
from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.packages.hub_key import HubKey
from pegboard.hub.packages.night_package import seal
from pegboard.hub.packages.package_content import choose_sheets, package_content
from pegboard.hub.packages.package_errors import PackageRefused
from pegboard.install.program_version import program_version
from pegboard.tournament.night.decide import fold
from pegboard.tournament.night.decisions import from_row


def package_of_event(ledger: Ledger, event: str, key: HubKey) -> bytes:
    """The package of an event in the hub's ledger.

    Raises:
        HubNotNow: the database does not answer.
        PackageRefused: nothing was decided of such an event, or its log is not as the hub has written it.
    """
    log = DecisionLog(ledger, event)
    altered = log.check()
    if altered is not None:
        raise PackageRefused("package_log_altered", event=repr(event), number=altered)
    night = fold(from_row(logged.row) for logged in log.read())
    if not night.rows:
        raise PackageRefused("package_no_event", event=repr(event))
    sheets = choose_sheets(night, ledger.rows_of(event))
    return seal(package_content(event, night, sheets, program_version()), key)
