"""The question whether to join a hub, on every panel."""

import pytest

from hardware.oled.drawing import banner, font
from pegboard.messages import Message


@pytest.mark.parametrize("room", [(126, 23), (126, 13), (102, 30), (85, 31)])
@pytest.mark.parametrize("key", ["event_ask_hub", "event_ask_broker"])
@pytest.mark.parametrize("address", ["http://pegboard-hub.local:8090", "mqtts://192.168.100.200:18830"])
def test_the_address_of_a_hub_to_be_confirmed_is_shown_in_full(room, key, address):
    columns, rows = room
    most = (rows - 2 + banner.DENSE_LINE - font.HEIGHT) // banner.DENSE_LINE
    lines = banner.fit_text(font.to_panel_letters(Message(key, address=address)), columns - 2 * banner.MARGIN, most)
    assert font.to_panel_letters(address) in "".join(lines)
