"""Errors of the hub: it cannot run so, or cannot store now."""

from pegboard.errors import NotNow, NotStored, NotThere, PegboardError


class HubError(PegboardError):
    """The hub cannot run so: a URL, a library, a version or a name is not accepted."""

    code = "hub"


class HubNotNow(HubError, NotNow):
    """The hub cannot run now: its database is not there, or its disk is full."""


class LedgerNotStored(NotStored):
    """The ledger could not store; nothing of it was stored, and nothing is acknowledged."""


class DecisionMoved(PegboardError):
    """Another decision was stored meanwhile under the number that this one was to have."""

    code = "moved"


class HubBusy(NotNow):
    """Others decide at this very moment."""

    code = "busy"


class NoNight(NotThere):
    """The hub has no such night."""

    code = "no_night"
