"""The error of everything that installs, updates or goes back."""

from pegboard.errors import NotNow, PegboardError


class InstallError(PegboardError):
    """What was given cannot be installed: the sentence says why, and what would be taken. Nothing is changed."""

    code = "install"


class InstallFailed(InstallError, NotNow):
    """It could have been installed, but something failed on the way; what ran before runs again."""
