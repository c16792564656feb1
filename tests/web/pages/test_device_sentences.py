"""What a device says of its settings is said in every language on the pages that tell how the devices are."""

import re

import pytest

from tests.startup.test_device_settings import CLASHES, KEYPAD, KEYS, OLED, STRIP, TIMES
from web.pages.i18n import languages, sentences

SAID = [
    *(sentence for _, sentence in (*KEYS, *KEYPAD, *OLED, *STRIP, TIMES)),
    *(sentence for _, said in CLASHES for sentence in said.values()),
    "a write has not come back for 3 seconds; unplug the device if it stays so",
    "it has not said for 3 seconds how it is; start pegboard again if it stays so",
    (
        "spidev sends only 4096 bytes without a gap here, and 4481 are to go; write spidev.bufsiz=8192 into "
        "/boot/firmware/cmdline.txt and start the Pi again"
    ),
    "the bus is stuck: one of its devices holds a line low; unplug them one after the other",
]


WORDS = re.compile(r"\b(the|of|and|or|set|put|into|are|is|line|bus|key|lane|digit)\b")


def translated(language, page, sentence):
    """The sentence as a page says it, as web/static/lib/browser.js does: the first pattern, and what stands in it."""
    for english, own in sentences(language, page):
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(english))
        if found := re.fullmatch(pattern, sentence, re.IGNORECASE | re.DOTALL):
            inside = {name: translated(language, page, value) or value for name, value in found.groupdict().items()}
            return own.format_map(inside), inside
    return None


@pytest.mark.parametrize("page", ["health.html", "bench.html"])
@pytest.mark.parametrize("language", [code for code in languages() if code != "en"])
@pytest.mark.parametrize("sentence", SAID)
def test_sentence_about_a_setting_is_told_in_every_language(sentence, language, page):
    found = translated(language, page, sentence)
    assert found is not None, sentence
    for value in found[1].values():
        assert isinstance(value, tuple) or not WORDS.search(value), f"{value!r} stays English in {found[0]!r}"
