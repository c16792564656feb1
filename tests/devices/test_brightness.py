"""The brightness that is chosen at the table: kept before it is shown, and there again after a restart."""

import pytest

from pegboard.core.view import Brightness
from pegboard.devices.brightness import FILE, BrightnessControl
from pegboard.errors import NotStored, SettingError
from pegboard.storage.state_files import read_values

USUAL = Brightness(207, 0.5)


@pytest.fixture
def shown():
    return []


def test_what_is_chosen_is_shown_and_there_again_after_a_restart(tmp_path, shown):
    brightness = BrightnessControl(shown.append, USUAL, tmp_path)
    assert (brightness.now, shown) == (USUAL, [])
    assert brightness.choose({"oled": 40}) == Brightness(40, 0.5)
    assert brightness.choose({"strip": 0.2}) == Brightness(40, 0.2)
    assert shown == [Brightness(40, None), Brightness(40, 0.2)]
    again = []
    assert BrightnessControl(again.append, Brightness(100, 1.0), tmp_path).now == Brightness(40, 0.2)
    assert again == [Brightness(40, 0.2)]
    assert brightness.fault is None


def test_what_is_given_back_is_as_set_even_when_that_is_set_otherwise(tmp_path, shown):
    BrightnessControl(shown.append, USUAL, tmp_path).choose({"oled": 40, "strip": 0.2})
    brightness = BrightnessControl(shown.append, Brightness(100, 1.0), tmp_path)
    assert brightness.choose({"oled": None}) == Brightness(100, 0.2)
    assert shown[-1] == Brightness(None, 0.2)


def test_the_same_choice_again_is_not_written_again(tmp_path, shown):
    brightness = BrightnessControl(shown.append, USUAL, tmp_path)
    brightness.choose({"oled": 40})
    (tmp_path / FILE).unlink()
    brightness.choose({"oled": 40})
    assert not (tmp_path / FILE).exists()
    assert len(shown) == 1


@pytest.mark.parametrize(
    "changes", [{"oled": -1}, {"oled": 256}, {"oled": 40.5}, {"strip": 0}, {"strip": 1.01}, {"strip": float("nan")}]
)
def test_what_no_display_can_shine_is_refused_and_nothing_changes(tmp_path, shown, changes):
    brightness = BrightnessControl(shown.append, USUAL, tmp_path)
    with pytest.raises(SettingError, match=r"(0 to 255|above 0 and at most 1), not"):
        brightness.choose(changes)
    assert (brightness.now, shown, list(tmp_path.iterdir())) == (USUAL, [], [])


def test_what_cannot_be_kept_is_not_shown(tmp_path, shown):
    brightness = BrightnessControl(shown.append, USUAL, tmp_path / "gone")
    with pytest.raises(NotStored, match=r"the brightness could not be saved \(No such file or directory\)"):
        brightness.choose({"oled": 40})
    assert (brightness.now, shown) == (USUAL, [])


LARGE = ["1" + "0" * 400, "9" * 5000, "1e999", "NaN", "-Infinity"]


@pytest.mark.parametrize(
    "content",
    ["", "[]", "nonsense", '{"oled": 999}', '{"oled": "x"}', '{"strip": []}', "\udcff"]
    + [f'{{"{name}": {number}}}' for name in ("oled", "strip") for number in LARGE],
)
def test_a_file_that_is_unreadable_stops_nobody_and_is_said(tmp_path, shown, content):
    (tmp_path / FILE).write_bytes(content.encode(errors="surrogateescape"))
    brightness = BrightnessControl(shown.append, USUAL, tmp_path)
    assert (brightness.now, shown) == (USUAL, [])
    assert "so the configured one is used" in str(brightness.fault)


def test_a_power_cut_while_it_is_kept_leaves_the_choice_before(tmp_path, shown):
    brightness = BrightnessControl(shown.append, USUAL, tmp_path)
    brightness.choose({"oled": 40})
    (tmp_path / "brightness.new").write_text('{"oled": 4')
    assert BrightnessControl(shown.append, USUAL, tmp_path).now.oled == 40
    assert read_values(tmp_path / FILE) == {"oled": 40, "strip": None}
