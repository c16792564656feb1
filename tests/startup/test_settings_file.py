"""Settings: what is taken, and one sentence for what is not."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from pegboard import config
from pegboard.config import Settings
from pegboard.errors import SettingError
from pegboard.startup import settings_file


def read(tmp_path, text, strangers=()):
    path = tmp_path / "pegboard.toml"
    path.write_text(text, "utf-8")
    settings = settings_file.read(path, strangers=strangers)
    config.require_fit(settings)
    return settings


def test_an_empty_file_leaves_the_defaults(tmp_path):
    assert read(tmp_path, "") == Settings()


def test_what_the_file_says_is_set_and_the_rest_stays(tmp_path):
    settings = read(tmp_path, '[table]\nplayers = ["Cy", "Dee"]\n[keys]\nsilence_s = 1\npins.a = [7, 8, 9]\n')
    assert settings.table.players == ("Cy", "Dee")
    assert settings.table.variant == "standard"
    assert settings.keys.silence_s == 1.0
    assert settings.keys.pins["a"] == (7, 8, 9)
    assert settings.keys.pins["b"] == (12, 13, 22)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[web]\nprot = 9", "no setting 'web.prot'; did you mean 'web.port'"),
        ("[wbe]\nport = 9", "no setting 'wbe'; did you mean 'web'"),
        ("[music]", "no setting 'music'; use one of table, web"),
        ('[web]\nport = "nine"', "web.port must be a whole number, not 'nine'"),
        ("[web]\nport = true", "web.port must be a whole number, not True"),
        ("[web]\nopen = 1", "web.open must be true or false, not 1"),
        ("[web]\nhost = 1", "web.host must be text, not 1"),
        ('[keys]\nsilence_s = "long"', "keys.silence_s must be a number, not 'long'"),
        ("[keys]\nvalues = 5", "keys.values must be a list of whole numbers, not 5"),
        ('[keys]\nvalues = [1, "two"]', r"keys.values\[1\] must be a whole number, not 'two'"),
        ("[keys]\npins = [1]", "keys.pins must be a table"),
        ("web = 1", r"\[web\] must be a section of settings, not the value 1"),
        ("[web]\nport = -1", "web.port must be a whole number from 0 to 65535, not -1"),
        ("[web]\nport = 65536", "web.port must be a whole number from 0 to 65535, not 65536"),
        ("[keys]\nsilence_s = nan", "keys.silence_s must be a number from 0.1 to 60, not nan"),
        ("[keys]\nsilence_s = -1", "keys.silence_s must be a number from 0.1 to 60, not -1$"),
        ("[keys]\nsilence_s = inf", "keys.silence_s must be a number from 0.1 to 60, not inf"),
        ("[keys]\nvalues = [1, 30]", r"keys.values\[1\] must be a whole number from 1 to 29, not 30"),
        ("[keys.pins]\na = [4, 5, 60]", r"keys.pins.a\[2\] must be a whole number from 0 to 27, not 60"),
        (f"[web]\nrequests_a_second = {10**400}", "requests_a_second must be a number from 1 to 100000, not 10000"),
        (f"[keys]\nsilence_s = -{10**400}", "keys.silence_s must be a number from 0.1 to 60, not -1000"),
        (f"[oled]\nrotate = {10**400}", "oled.rotate must be a whole number, not 10000"),
        (f"[oled]\nrotate = 0x{'f' * 5000}", "oled.rotate must be a whole number, not ...$"),
        (f"[web]\nport = 0x{'f' * 5000}", "web.port must be a whole number from 0 to 65535, not ...$"),
        (f"[keys]\npins.a = [4, 5, 0x{'f' * 5000}]", r"keys.pins.a\[2\] must be a whole number from 0 to 27, not"),
        (f"[web]\nhost = [0x{'f' * 5000}]", "web.host must be text, not ...$"),
        (f"web = 0x{'f' * 5000}", r"\[web\] must be a section of settings, not the value \.\.\.$"),
        (f"[strip]\nbrightness = {'9' * 5000}", "has a number that is too long$"),
        ("[strip]\nbrightness = 1e999", "strip.brightness must be a number from 0.0 to 1.0, not inf$"),
        ("[keys]\nsilence_s = -inf", "keys.silence_s must be a number from 0.1 to 60, not -inf$"),
        ("[web]\nport = nan", "web.port must be a whole number, not nan$"),
        ("[web]\nport = 1e999", "web.port must be a whole number, not inf$"),
        ("[web", "is not valid TOML"),
        (f"a = {'[' * 100_000}", "nests its values too deeply$"),
        (f"a = {'[' * 33}{']' * 33}", "nests its values too deeply$"),
        (f"[web]\nport.{'a.' * 3_000}b = 1", "nests its values too deeply$"),
        (f"[keys]\npins.{'a.' * 3_000}b = 1", "nests its values too deeply$"),
        (f"[bell.{'a.' * 3_000}b]", "nests its values too deeply$"),
        (f"[web]\n# {'long' * 250_000}", "is longer than 1000000 characters$"),
    ],
)
def test_what_is_not_taken_is_said_in_a_sentence(tmp_path, text, sentence):
    with pytest.raises(SettingError, match=sentence) as refused:
        read(tmp_path, text)
    assert len(str(refused.value)) < 300


def test_a_file_without_end_is_refused_before_it_fills_the_memory():
    with pytest.raises(SettingError, match="/dev/zero is longer than 1000000 characters"):
        settings_file.read(Path("/dev/zero"))


@pytest.mark.parametrize("value", [f"0x{'f' * 5000}", f"[[0x{'f' * 5000}]]", f"{{ a = {2**63} }}"])
def test_a_number_beyond_64_bits_costs_only_the_device_of_another_package_that_it_is_for(tmp_path, value):
    (tmp_path / "pegboard.toml").write_text(f"[flag]\nmost = {2**63 - 1}\nheight = {value}\n", "utf-8")
    settings = settings_file.read(tmp_path / "pegboard.toml", strangers=["flag"])
    assert settings.more == {"flag": {"most": 2**63 - 1}}
    assert f"most = {2**63 - 1}" in settings_file.as_toml(settings)
    with pytest.raises(SettingError, match=r"flag\.height must fit in 64 bits"):
        config.require_fit(settings, "flag")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[web]\n\nprot = 9", 3),
        ("# mine\n[web]\nhost = 1", 3),
        ("[wbe]\nport = 9", 1),
        ("[table]\nmatch = 'open'\n[keys]\nvalues = [\n 1,\n 30]", 4),
        ("[keys.pins]\na = [4, 5, 6]\nb = [4, 5, 60]", 3),
        ("[keys]\npins.c = [4, 5, 60]", 2),
        ('[ "web" ]\n  "port"  = -1', 2),
        ("table = { variant = 3 }", 1),
        ("web = 1", 1),
    ],
)
def test_what_is_not_taken_is_told_with_its_file_and_line(tmp_path, text, line):
    with pytest.raises(SettingError, match=f"^{re.escape(str(tmp_path))}/pegboard.toml, line {line}: "):
        read(tmp_path, text)


def test_where_a_setting_stands_is_no_part_of_what_is_set(tmp_path):
    settings = read(tmp_path, "\n[web]\nport = 8080\n")
    assert settings == Settings()
    assert settings.origin.place("web.port") == f"{tmp_path}/pegboard.toml, line 3"
    with pytest.raises(SettingError, match="no setting 'origin'; use one of table, web"):
        read(tmp_path, "origin = 1")


def test_a_file_that_cannot_be_read_is_said(tmp_path):
    with pytest.raises(SettingError, match="cannot be read: No such file"):
        settings_file.read(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"[web]\nhost = '\xe9'")
    with pytest.raises(SettingError, match="is not UTF-8 text"):
        settings_file.read(tmp_path / "latin.toml")


def test_a_file_from_windows_may_begin_with_a_mark(tmp_path):
    (tmp_path / "windows.toml").write_bytes(b"\xef\xbb\xbf[web]\r\nport = 8090\r\n")
    assert settings_file.read(tmp_path / "windows.toml").web.port == 8090


# --- sections of displays and inputs from other packages ---

CAPTION = """
[caption]
file = "/tmp/score.txt"
enabled = false
lines = [1, [2.5, "three"]]
colours = { "of Ann" = "#0072B2", bob = { dark = true } }
since = 2026-01-02T03:04:05Z
at = 07:30:00
most = inf
odd = "a\\u007f\\"b\\n"
"""


def test_section_of_a_strangers_device_is_handed_on_as_it_stands(tmp_path):
    settings = read(tmp_path, CAPTION + "[web]\nport = 9\n", ["caption", "pedal"])
    assert settings.web.port == 9
    assert settings.more["caption"]["file"] == "/tmp/score.txt"
    assert settings.more["caption"]["lines"] == (1, (2.5, "three"))
    assert settings.more["caption"]["colours"]["bob"] == {"dark": True}
    assert list(settings.more) == ["caption"]


def test_section_of_a_strangers_device_cannot_be_changed(tmp_path):
    section = read(tmp_path, CAPTION, ["caption"]).more["caption"]
    for table in (section, section["colours"], section["colours"]["bob"]):
        with pytest.raises(TypeError):
            table["file"] = "other"


def test_section_of_a_strangers_device_is_printed_as_it_was_read(tmp_path):
    settings = read(tmp_path, CAPTION, ["caption"])
    printed = settings_file.as_toml(settings)
    assert tomllib.loads(printed)["caption"] == tomllib.loads(CAPTION)["caption"]
    assert read(tmp_path, printed, ["caption"]) == settings


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[capton]\nfile = 1", "no setting 'capton'; did you mean 'caption'"),
        ("[music]", "no setting 'music'; use one of table, web, keys, keypad, oled, strip, mqtt, hub, caption, more$"),
        ("caption = 1", r"line 1: \[caption\] must be a section of settings, not the value 1"),
        ("[web]\nprot = 1", "did you mean 'web.port'"),
    ],
)
def test_what_is_no_section_of_any_device_is_refused(tmp_path, text, sentence):
    with pytest.raises(SettingError, match=sentence):
        read(tmp_path, text, ["caption", "more", "web"])


def test_name_of_a_field_is_no_section(tmp_path):
    with pytest.raises(SettingError, match="no setting 'more'"):
        read(tmp_path, "[more]\na = 1")
    assert read(tmp_path, "[more]\na = 1", ["more"]).more["more"] == {"a": 1}


def test_every_setting_is_read_somewhere():
    """A setting that nothing reads would be taken and change nothing."""
    root = Path(__file__).parents[2]
    files = [file for room in ("pegboard", "web", "hardware") for file in (root / room).rglob("*.py")]
    program = " ".join(file.read_text("utf-8") for file in files if file.name != "config.py")
    names = [field.name for section in config.sections(Settings()).values() for field in fields(section)]
    assert len(names) > 50
    assert [name for name in names if not re.search(rf"\.{name}\b", program)] == []
