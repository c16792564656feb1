"""Which of Debian's packages a Raspberry Pi is asked for: what is missing, as far as its Debian has it new enough."""

import os
from pathlib import Path

import pytest

from pegboard.install import host, set_up
from pegboard.install.set_up import NEEDED, PINS, Module, apt_line, missing_modules, packages

TRIXIE = {
    "python3-pil": "11.1.0-5+deb13u4",
    "python3-cbor2": "5.6.5-1",
    "python3-markupsafe": "2.1.5-1+b3",
    "python3-spidev": "3.6-1+b5",
    "python3-libgpiod": "2.2.1-2+deb13u1",
    "python3-lgpio": "0.2.2-1~rpt1",
}
"""As Raspberry Pi OS has them on Debian 13."""

BOOKWORM = TRIXIE | {
    "python3-pil": "9.4.0-1.1+deb12u1",
    "python3-cbor2": "5.4.6-1+b1",
    "python3-markupsafe": "2.1.2-1+b1",
    "python3-libgpiod": "1.6.3-1+b3",
}
"""On Debian 12, whose gpiod is of another kind."""

LITE = {"spidev", "gpiod", "lgpio"}
"""What Raspberry Pi OS Lite brings of them."""


def has(names):
    return lambda module: module.distribution in names


@pytest.mark.parametrize("text", [None, "", "Name: spidev\n"])
def test_a_module_whose_files_a_power_cut_has_left_empty_is_missing(monkeypatch, tmp_path, text):
    (tmp_path / "spidev-3.7.dist-info").mkdir()
    if text is not None:
        (tmp_path / "spidev-3.7.dist-info" / "METADATA").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    assert not set_up.is_here(Module("spidev", "3.6", "python3-spidev"))


def test_lite_of_debian_13_lacks_three():
    wanted = packages(missing_modules(has(LITE)), lambda name: TRIXIE.get(name, ""))
    assert apt_line(wanted) == (
        "sudo apt-get install --no-install-recommends python3-pil python3-cbor2 python3-markupsafe"
    )


@pytest.mark.parametrize(("suite", "pins"), [(TRIXIE, "python3-libgpiod"), (BOOKWORM, "python3-lgpio")])
def test_one_package_for_the_pins_is_asked_for_and_it_is_new_enough(suite, pins):
    assert packages(missing_modules(has(set())), lambda name: suite.get(name, ""))[-1] == pins


def test_debian_12_itself_has_nothing_for_the_pins():
    suite = BOOKWORM | {"python3-lgpio": ""}
    wanted = packages(missing_modules(has(set())), lambda name: suite.get(name, ""))
    assert wanted == ["python3-pil", "python3-cbor2", "python3-markupsafe", "python3-spidev"]


@pytest.mark.parametrize("pins", ["gpiod", "lgpio"])
def test_either_module_for_the_pins_will_do(pins):
    assert missing_modules(has({one.distribution for one in NEEDED} | {pins})) == ()


@pytest.mark.parametrize("version", ["2.2", "2.2-1+b3", "1:2.2.0.0-2+deb13u1", "2.10+dfsg-1~rpt1"])
def test_what_debian_adds_to_a_version_makes_it_no_older(version):
    assert packages(PINS, {"python3-libgpiod": version, "python3-lgpio": ""}.get) == ["python3-libgpiod"]


@pytest.mark.parametrize("version", ["", "2.1.99-9", "2.2~rc1-1"])
def test_an_older_version_will_not_do(version):
    assert packages(PINS, {"python3-libgpiod": version, "python3-lgpio": ""}.get) == []


def test_a_module_counts_only_when_it_is_new_enough():
    assert set_up.is_here(Module("pillow", "9.4", "python3-pil"))
    assert not set_up.is_here(Module("pillow", "99", "python3-pil"))
    assert not set_up.is_here(Module("no-such-module", "1", "python3-nothing"))


def test_debians_bounds_are_the_projects_own():
    """What set-up takes from Debian, pip must take too, or it would fetch another one."""
    text = (Path(__file__).parent.parent.parent / "pyproject.toml").read_text("utf-8")
    for module in (NEEDED[0], NEEDED[3], *PINS):
        assert f'"{module.distribution}>={module.least}' in text


def test_a_pi_is_told_by_its_model(tmp_path, monkeypatch):
    monkeypatch.setattr(host, "MODEL", tmp_path / "model")
    assert not host.on_a_pi()
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert host.on_a_pi()
    (tmp_path / "model").write_bytes(b"\xff\xfe\0")
    assert not host.on_a_pi()


def test_apt_is_understood_whatever_language_it_speaks(tmp_path, monkeypatch):
    apt = tmp_path / "apt-cache"
    apt.write_text(
        "#!/bin/sh\n"
        'case "${LC_ALL:-$LANG}" in fr*) word=Candidat\u00a0;; *) word=Candidate;; esac\n'
        'printf "python3-pil:\\n  %s: 11.1.0-5\\n" "$word"\n',
        "utf-8",
    )
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert set_up.candidate_of("python3-pil") == "11.1.0-5"
