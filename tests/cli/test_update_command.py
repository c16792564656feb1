"""The commands `update` and `back` where pegboard came in its package."""

import signal

import pytest
from click.testing import CliRunner

from pegboard.cli import versions_commands as update_module
from pegboard.install.installer import Installer


@pytest.mark.parametrize("words", [["update", "pegboard_0.2.0_all.deb"], ["back"]])
def test_a_terminal_that_is_closed_ends_no_change_of_version(words, monkeypatch):
    monkeypatch.setattr(update_module, "is_installed", lambda: True)
    heard = []

    def note(*_, **__):
        heard.append(signal.getsignal(signal.SIGHUP))
        return "0.2.0"

    monkeypatch.setattr(Installer, words[0], note)
    before = signal.getsignal(signal.SIGHUP)
    try:
        ran = CliRunner().invoke(getattr(update_module, words[0]), words[1:])
    finally:
        signal.signal(signal.SIGHUP, before)
    assert ran.exit_code == 0, ran.output
    assert heard == [signal.SIG_IGN]
