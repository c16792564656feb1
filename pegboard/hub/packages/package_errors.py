"""Errors of packages: one that is altered, none at all, or signed by nobody."""

from pegboard.errors import NotNow, PegboardError


class PackageRefused(PegboardError, ValueError):
    """It is no package, or not as it was signed; the message says what is wrong with it."""

    code = "package"


class HubKeyLost(NotNow):
    """The hub's own key cannot be read or made, so nothing can be signed."""

    code = "hub_key"


class CryptographyMissing(NotNow):
    """The library that signs and verifies is not installed."""

    code = "no_cryptography"
