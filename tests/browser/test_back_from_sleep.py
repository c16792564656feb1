"""Coming back from sleep, another app, another page, or over a restart: right by themselves, unreloaded."""

from tests.browser.pages_away import AWAY, BROKEN, Evening


def test_pages_that_were_away_are_soon_right_without_a_reload(tmp_path, look):
    for broken in BROKEN:
        look.excuse(broken)
    evening = Evening(tmp_path / "state", look)
    try:
        for away in AWAY:
            away(evening)
            evening.soon_right()
    finally:
        evening.program.__exit__()
